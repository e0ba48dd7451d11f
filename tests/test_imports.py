"""Importing the package costs nothing, and work loads only what it needs."""

import os
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import pytest

import evalset

PACKAGE = Path(evalset.__file__).parent
EXPENSIVE = {
    "argparse",
    "attr",
    "attrs",
    "cattrs",
    "enum",
    "importlib.metadata",
    "jsonschema",
    "ruamel",
    "typing",
    "uuid",
}
JSON = (
    '{"schema": "evalset/v1", "name": "n", "packs": ["p", "q"], "agents": [{"deployment": "a"},'
    ' {"deployment": "b", "label": "c"}], "models": ["m"], "repeats": 2, "seeds": {"strategy":'
    ' "explicit", "seeds": [1, 2]}, "limits": {"budget_usd": 5}, "scanners": ["tool-misuse"]}'
)
YAML = """\
schema: evalset/v1
name: n # what people call it
packs: [p, "q"]
agents:
  - &first {deployment: a}
  - <<: *first
    label: b
x-owner: {team: agents}
"""


def _loaded(code: str, *arguments: str, **variables: str) -> set[str]:
    """Run code in a new interpreter, and give the modules that it loaded."""
    program = (
        "import sys; before = set(sys.modules)\n"
        f"{code}\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    # Where coverage measures child processes, it loads half of the standard library first.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")
    }
    done = subprocess.run(
        [sys.executable, "-P", *arguments, "-c", program],
        env={**environment, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_else() -> None:
    # Without site-packages the interpreter has loaded little itself, so little can hide.
    loaded = _loaded("import evalset", "-S", PYTHONPATH=str(PACKAGE.parent))
    assert loaded == {"evalset"}


def test_what_is_expensive_is_seen_when_it_is_loaded() -> None:
    loaded = _loaded("\n".join(f"import {name}" for name in sorted(EXPENSIVE)), "-S",
                     PYTHONPATH=os.pathsep.join(sys.path))  # fmt: skip
    assert loaded >= EXPENSIVE


def test_valid_json_needs_attrs_and_no_other_dependency(tmp_path: Path) -> None:
    path = tmp_path / "a.evalset.json"
    path.write_text(JSON, encoding="utf-8")
    loaded = _loaded(
        "import evalset, json\n"
        f"manifest = evalset.load({str(path)!r})\n"
        f"assert manifest == evalset.loads({JSON!r})\n"
        f"assert manifest == evalset.Manifest.from_dict(json.loads({JSON!r}))\n"
        "assert manifest == evalset.loads(evalset.dumps(manifest, format='json'))\n"
        "assert manifest.replace(name='m').digest() != manifest.digest()\n"
        "expansion = evalset.expand(manifest)\n"
        "assert expansion.rows() and expansion.to_json()\n"
        "assert expansion[expansion['p/a/m/1'].id].safe_name()\n"
    )
    assert loaded >= {"attr", "evalset.reading", "evalset.expansion"}
    assert loaded.isdisjoint({"argparse", "cattrs", "jsonschema", "referencing", "ruamel"})


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        pytest.param(JSON, "json_quick", id="JSON"),
        pytest.param("schema: evalset/v1\nname: n\npacks: [p]\nagents:\n- deployment: a\n",
                     "yaml_subset", id="plain YAML"),
    ],
)  # fmt: skip
def test_from_a_good_text_to_its_report_the_short_way_is_all_that_is_loaded(
    text: str, reader: str
) -> None:
    loaded = _loaded(f"import evalset; evalset.expand(evalset.loads({text!r})).to_json()")
    ours = {name.removeprefix("evalset.") for name in loaded if name.startswith("evalset.")}
    assert ours == {
        reader,
        *("axes", "canonical", "checks", "collisions", "combination", "errors", "expansion"),
        *("extensions", "keys"),
        *("manifest", "nodes", "normal", "parts", "quoting", "reading", "report_json"),
        *("rules", "scalars", "shapes", "sources"),
    }
    assert loaded.isdisjoint({"base64", "difflib", "hashlib", "pkgutil"})


def test_a_check_that_finds_nothing_takes_the_short_way_too() -> None:
    text = "schema: evalset/v1\nname: nightly\npacks: [p]\nagents:\n- deployment: a\n"
    loaded = _loaded(f"import evalset; assert not evalset.check_text({text!r}).diagnostics")
    assert loaded.isdisjoint({"difflib", "evalset.explaining", "jsonschema", "ruamel"})


def test_a_manifest_built_in_code_needs_attrs_and_no_other_dependency() -> None:
    code = "evalset.Manifest('n', packs=['p'], agents=[evalset.Agent('a')], repeats=2)"
    loaded = _loaded(f"import evalset; evalset.expand({code}).to_json()")
    assert loaded >= {"attr", "evalset.manifest", "evalset.expansion"}
    assert loaded.isdisjoint({"argparse", "cattrs", "jsonschema", "referencing", "ruamel"})


def test_valid_yaml_never_needs_jsonschema(tmp_path: Path) -> None:
    path = tmp_path / "a.evalset.yaml"
    path.write_text(YAML, encoding="utf-8")
    loaded = _loaded(
        "import evalset\n"
        f"manifest = evalset.load({str(path)!r})\n"
        f"assert manifest == evalset.loads({YAML!r})\n"
        "assert manifest == evalset.loads(evalset.dumps(manifest))\n"
        f"assert evalset.check_text({YAML!r}).manifest == manifest\n"
        f"assert evalset.loads({YAML.replace('x-owner', 'owner')!r}, unknown='keep') != manifest\n"
        "assert evalset.expand(manifest).to_json()\n"
    )
    assert loaded >= {"attr", "evalset.reading", "evalset.expansion"}
    assert loaded.isdisjoint({"argparse", "jsonschema", "referencing"})


def test_a_refused_text_is_explained_with_jsonschema() -> None:
    loaded = _loaded("import evalset; assert not evalset.check_text('{}').ok")
    assert "jsonschema" in loaded


def test_every_name_comes_from_its_module() -> None:
    for name in evalset.__all__:
        value: Any = getattr(evalset, name)
        home: Any = import_module(value.__module__)
        assert value.__module__.startswith("evalset.")
        assert getattr(home, name) is value is getattr(evalset, name)
        assert name in home.__all__


def test_a_star_import_gives_the_public_names() -> None:
    code = "names = {}; exec('from evalset import *', names); del names['__builtins__']; "
    done = _loaded(f"{code}import evalset; assert sorted(names) == sorted(evalset.__all__)")
    assert "evalset.reading" in done


def test_dir_lists_names_and_topic_modules_and_each_resolves_at_once() -> None:
    listed = dir(evalset)
    assert len(listed) == len(set(listed))
    assert set(listed) >= {*evalset.__all__, "__version__", "keys", "reading", "schemas"}
    assert [name for name in listed if not hasattr(evalset, name)] == []
    assert "evalset.schemas" in _loaded("import evalset; evalset.schemas.__all__")


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'evalset' has no attribute 'expnd'$"):
        _ = evalset.expnd  # type: ignore[attr-defined] # the misspelling under test
    assert not hasattr(evalset, "__wrapped__")


def test_the_version_is_the_distribution_s() -> None:
    assert evalset.__version__ == metadata.version("evalset")


def test_a_topic_module_is_an_attribute_although_nobody_imported_it() -> None:
    load = vars(evalset)["__getattr__"]
    assert load("keys") is sys.modules["evalset.keys"]
