"""The tables of docs/reference are made from the code, so that a plain clone can be read.

EVALSET_UPDATE_GOLDEN=1 writes them anew; the difference is then for a person to read.
"""

import ast
import inspect
import json
import os
import pkgutil
import re
import tomllib
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import pytest
from tests.test_docs import first_cells

import evalset
from evalset.findings import write_report_json

UPDATE = bool(os.environ.get("EVALSET_UPDATE_GOLDEN"))
MODULES = [module.name for module in pkgutil.walk_packages(evalset.__path__, "evalset.")]
REFERENCE = Path(__file__).parents[1] / "docs/reference"
PAGE = REFERENCE / "python.md"

_BLOCK = re.compile(
    r"<!-- names -->\n\n(?P<table>.*?)\n<!-- end -->\n\n```\{eval-rst\}\n(?P<directives>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_DIRECTIVE = re.compile(r"^\.\. auto(\w+):: evalset\.([\w.]+)", re.MULTILINE)


def sentence(doc: str) -> str:
    """Give the first sentence of a docstring, as one line of a table's cell."""
    paragraph = " ".join(doc.partition("\n\n")[0].split()).replace("|", "\\|")
    return re.split(r"(?<=[.:])\s(?=[A-Z`])", paragraph)[0].removesuffix(":").removesuffix(".")


def call(name: str, function: Callable[..., object]) -> str:
    """Write a call with the parameters that it needs, and `...` where it takes more."""
    found = inspect.signature(function).parameters.values()
    taken = [each for each in found if each.name not in {"self", "cls"}]
    needed = [
        f"{each.name}=" if each.kind is each.KEYWORD_ONLY else each.name
        for each in taken
        if each.default is each.empty and each.kind is not each.VAR_KEYWORD
    ]
    return f"{name}({', '.join([*needed, *(['...'] if len(needed) < len(taken) else [])])})"


def members(name: str, value: type) -> Iterator[str]:
    """Name what an object of a class has: attributes as its docstring lists them, then methods."""
    doc = inspect.getdoc(value) or ""
    listed = re.search(r"^Attributes:\n(.*?)(?=^\S|\Z)", doc, re.DOTALL | re.MULTILINE)
    attributes = re.findall(r"^    (\w+):", listed[1] if listed else "", re.MULTILINE)
    fields = [each.name for each in attrs.fields(value)] if attrs.has(value) else []
    own: dict[str, Any] = {
        key: each for key, each in vars(value).items() if not key.startswith("_")
    }
    properties = [key for key, each in own.items() if isinstance(each, property)]
    methods = [
        f"{name if isinstance(each, classmethod) else ''}.{call(key, getattr(value, key))}".strip(
            "."
        )
        for key, each in own.items()
        if inspect.isfunction(each) or isinstance(each, classmethod)
    ]
    named = [each for each in attributes or fields if not each.startswith("_")]
    yield from dict.fromkeys([*named, *properties, *methods])


def row(name: str, value: object, *, prefix: str = "") -> str:
    """Write the row of a function or class."""
    text = sentence(inspect.getdoc(value) or "")
    if isinstance(value, type):
        has = ", ".join(f"`{member}`" for member in members(name, value))
        return f"| `{prefix}{name}` | {text}{f'. Has {has}' if has else ''} |"
    assert inspect.isfunction(value)
    return f"| `{prefix}{call(name, value)}` | {text} |"


def constants(module: str) -> dict[str, str]:
    """Give the texts below the constants and types of a module and of those it is made of."""
    found: dict[str, str] = {}
    for name in [module, *(each for each in MODULES if each.startswith(f"{module}._"))]:
        body = ast.parse(inspect.getsource(import_module(name))).body
        for node, below in pairwise(body):
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            target = node.target if isinstance(node, ast.AnnAssign) else target
            text = below.value if isinstance(below, ast.Expr) else None
            if isinstance(target, ast.Name) and isinstance(text, ast.Constant):
                found[target.id] = inspect.cleandoc(str(text.value))
    return found


def module_rows(name: str) -> Iterator[str]:
    """Write the rows of a topic module: itself, and its names that are not at the top."""
    module = import_module(f"evalset.{name}")
    yield f"| **`{name}`** | **{sentence(module.__doc__ or '')}** |"
    texts = constants(f"evalset.{name}")
    for each in module.__all__:
        value = getattr(module, each)
        if each in evalset.__all__:
            continue
        if each not in texts and (inspect.isfunction(value) or inspect.isclass(value)):
            yield row(each, value, prefix=f"{name}.")
        else:
            yield f"| `{name}.{each}` | {sentence(texts.get(each, ''))} |"


def table(directives: str) -> str:
    """Write the table of what a block of directives documents."""
    lines = ["| Name | What it is |", "| --- | --- |"]
    for kind, name in _DIRECTIVE.findall(directives):
        if kind == "module":
            lines.extend(module_rows(name))
        else:
            lines.append(row(name, getattr(evalset, name)))
    return "\n".join(lines) + "\n"


def blocks() -> list[re.Match[str]]:
    return list(_BLOCK.finditer(PAGE.read_text(encoding="utf-8")))


def test_each_part_of_the_page_of_the_api_has_a_table_of_its_names() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(blocks()) == page.count("```{eval-rst}")


def test_the_tables_of_names_say_what_the_docstrings_say() -> None:
    if UPDATE:
        page = PAGE.read_text(encoding="utf-8")
        for block in reversed(blocks()):
            start, end = block.span("table")
            page = page[:start] + table(block["directives"]) + page[end:]
        PAGE.write_text(page, encoding="utf-8")
    tables = [(block["table"], table(block["directives"])) for block in blocks()]
    assert [told for told, _ in tables] == [made for _, made in tables]


def test_every_name_of_the_tables_has_a_sentence() -> None:
    rows = [line for block in blocks() for line in block["table"].splitlines()[2:]]
    assert rows
    assert [
        line for line in rows if not re.fullmatch(r"\| \S+ .*\| (\*\*)?[\w`].*\w.* \|", line)
    ] == []


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        pytest.param("Read a manifest.\n\nMore.", "Read a manifest", id="one line"),
        pytest.param("One\nthing. And `more`.", "One thing", id="two sentences"),
        pytest.param("Read `a | b`.", "Read `a \\| b`", id="a bar, which ends a cell"),
    ],
)
def test_a_sentence_of_a_docstring_fits_a_cell(doc: str, expected: str) -> None:
    assert sentence(doc) == expected


# What is given and what is read


def properties(schema: dict[str, Any], whole: dict[str, Any]) -> Iterator[str]:
    """Write a row for each property of a schema, and for those of what it refers to."""
    for name, each in schema["properties"].items():
        field = whole["definitions"][each["$ref"].rpartition("/")[2]] if "$ref" in each else each
        kinds = [field["type"]] if isinstance(field["type"], str) else field["type"]
        yield f"| `{name}` | {' or '.join(kinds)} | {field['description']} |"
        for below in (field, field.get("items", {})):
            for row in properties(below, whole) if "properties" in below else ():
                yield row.replace("| `", f"| `{name}{'' if below is field else '[]'}.", 1)


def test_the_table_of_a_diagnostic_is_what_the_schema_says() -> None:
    path = REFERENCE / "diagnostics.md"
    before, start, rest = path.read_text(encoding="utf-8").partition("<!-- diagnostic -->\n\n")
    _, end, after = rest.partition("\n<!-- end -->")
    assert end
    schema = evalset.json_schema("diagnostics")
    rows = properties(schema["definitions"]["diagnostic"], schema)
    made = "\n".join(["| Field | Type | Meaning |", "| --- | --- | --- |", *rows]) + "\n"
    if UPDATE:
        path.write_text(before + start + made + end + after, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == before + start + made + end + after


def test_the_page_of_records_names_every_property_of_the_schema() -> None:
    told = re.findall(
        r"^\| `(\w+)` \|", (REFERENCE / "run-record.md").read_text("utf-8"), re.MULTILINE
    )
    assert told == list(evalset.json_schema("record")["properties"])


MANIFEST = evalset.Manifest("n", packs=["p"], agents=[evalset.Agent("a")])
EXPANSION = evalset.expand(MANIFEST)
WORKSPACE = evalset.StaticWorkspace.from_dict({"packs": {"p": "p1"}, "agents": {"a": "a1"}})


@pytest.mark.parametrize(
    ("heading", "given"),
    [
        pytest.param("diff", evalset.diff(EXPANSION, EXPANSION), id="diff"),
        pytest.param("status", evalset.reconcile(EXPANSION, []), id="status"),
        pytest.param(
            "estimate",
            evalset.estimate(EXPANSION, evalset.TokenPrices.from_dict({"models": {}})),
            id="estimate",
        ),
        pytest.param("resolve", evalset.resolve(MANIFEST, WORKSPACE), id="resolve"),
    ],
)
def test_the_page_of_outputs_names_every_field_in_order(heading: str, given: Any) -> None:  # noqa: ANN401
    assert first_cells(REFERENCE / "outputs.md", heading) == list(given.to_dict())


def test_the_page_of_diagnostics_names_every_field_of_check_and_every_problem() -> None:
    page = REFERENCE / "diagnostics.md"
    report = json.loads(write_report_json([evalset.check_data(MANIFEST.to_dict())]))
    assert first_cells(page, "As JSON") == list(report)
    source = "".join(
        inspect.getsource(import_module(name)) for name in MODULES if name != "evalset.__main__"
    )
    problems = set(re.findall(r'"(urn:evalset:problem:[a-z-]+)"', source))
    assert set(first_cells(page, "As an answer of HTTP")) == problems


# The architecture


def test_the_table_of_modules_is_in_the_order_of_the_layers() -> None:
    project = tomllib.loads((REFERENCE.parents[1] / "pyproject.toml").read_text("utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    rank = {name.strip(): place for place, layer in enumerate(layers) for name in layer.split("|")}
    told = first_cells(REFERENCE.parent / "architecture.md", "Modules")
    assert told == sorted(told, key=rank.__getitem__)


def lines_of(module: str) -> list[str]:
    """Give the lines of a module, or of a package with all that is below it."""
    path = Path(evalset.__file__).parent / module
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def test_the_page_of_the_architecture_tells_its_sizes_within_a_tenth() -> None:
    page = REFERENCE.parent / "architecture.md"
    size = page.read_text(encoding="utf-8").partition("\n## Size\n")[2]
    told = [int(number.replace(",", "")) for number in re.findall(r"\d,\d{3}", size)]
    modules = first_cells(page, "Modules")
    core = sum(len(lines_of(module)) for module in modules[modules.index("reading") :])
    hour = re.findall(r"`(\w+)`", size.partition("is the line")[2].partition("of about")[0])
    first = sum(len(lines_of(module)) for module in hour)
    _aim, core_told, code_told, hour_told = told
    assert core_told == pytest.approx(core, rel=0.1)
    assert hour_told == pytest.approx(first, rel=0.1)
    assert hour_told < code_told < core_told
