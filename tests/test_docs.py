"""Every page is true: its blocks are run, its outputs compared, its tables held to the code.

In README.md and docs/, in order of the page:

- `yaml` and `json` blocks are files: `sweep.yaml` and `sweep.json`, or what a comment such
  as `<!-- file: broken.yaml -->` before the block names;
- `python` blocks are run in one namespace, unless such a comment makes them a file;
- `console` blocks are run line by line behind each `$ `, with `>FILE` as a shell reads it, and
  an `sh` block that ends in an `evalset` command runs that command;
- a `text` block is what the block before it printed;
- `toml` is read, and `lua` and `js` are run by integration/editors, with what they need.

A page of `ELSEWHERE` needs what the tests do without; integration/ runs it, by the same rules.

EVALSET_UPDATE_GOLDEN=1 writes outputs and tables anew; the difference is then for a
person to read.
"""

import doctest
import importlib
import io
import json
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser

import evalset
from evalset import cli
from evalset.catalogue import explain_code
from evalset.diagnostics import CODES
from evalset.schemas import json_schema

UPDATE = bool(os.environ.get("EVALSET_UPDATE_GOLDEN"))
ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
ELSEWHERE = [DOCS / "howto/pydantic.md"]
CODE_PAGES = sorted((Path(evalset.__file__).parent / "codes").glob("*.md"))
MODULES = sorted(module.name for module in pkgutil.walk_packages(evalset.__path__, "evalset."))


# Blocks


def compare(example: Example, actual: str) -> str | None:
    """Give what differs from a block, or write the block anew."""
    if actual == example.parsed:
        return None
    if not UPDATE:
        return f"the page says\n{example.parsed}but it is\n{actual}"
    path, shift = Path(example.path), example.namespace.get("shift", 0)
    page = path.read_text(encoding="utf-8")
    place = example.start + example.parsed.offset + shift
    after = page[place + len(example.parsed) :]
    path.write_text(page[:place] + actual + after, encoding="utf-8")
    example.namespace["shift"] = shift + len(actual) - len(example.parsed)
    return None


def run_command(command: str) -> tuple[int, str]:
    command, into, target = command.partition(" >")
    program, *argv = shlex.split(command)
    terminal = io.StringIO()
    output = io.StringIO() if into else terminal
    if program == "python":
        run = subprocess.run([sys.executable, *argv], capture_output=True, check=False, text=True)
        assert run.stderr == ""
        output.write(run.stdout)
        code = run.returncode
    else:
        assert program == "evalset"
        code = cli.main(argv, io.StringIO(), output, terminal)
    if into:
        Path(target).write_text(output.getvalue(), encoding="utf-8")
    return code, terminal.getvalue()


def named_file(example: Example) -> str | None:
    before = example.document.text[: example.start]
    named = re.search(r"<!-- file: (\S+) -->\s*\Z", before)
    return named[1] if named else None


def write_file(example: Example) -> None:
    path = Path(named_file(example) or f"sweep.{example.region.lexemes['arguments']}")
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(example.parsed, encoding="utf-8")


def run_python(example: Example) -> None:
    if named_file(example):
        write_file(example)
        return
    source = "\n" * (example.line + example.parsed.line_offset) + example.parsed
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(source, example.path, "exec"), example.namespace)  # noqa: S102
    example.namespace["printed"] = printed.getvalue()


def run_console(example: Example) -> str | None:
    code, transcript = 0, ""
    for command in re.findall(r"^\$ (.*)\n", example.parsed, re.MULTILINE):
        transcript += f"$ {command}\n"
        if command == "echo $?":
            transcript += f"{code}\n"
        else:
            code, output = run_command(command)
            transcript += output
    return compare(example, transcript)


def run_shell(example: Example) -> None:
    command = example.parsed.strip().rpartition(".venv/bin/")[2]
    if command.startswith("evalset "):
        example.namespace["printed"] = run_command(command)[1]


def read_toml(example: Example) -> None:
    tomllib.loads(example.parsed)


def leave(_: Example) -> None:
    """Leave a block to integration/editors."""


def check_output(example: Example) -> str | None:
    return compare(example, example.namespace.pop("printed", "nothing: no block was run\n"))


EVALUATORS: dict[str, Callable[[Example], str | None]] = {
    "console": run_console,
    "js": leave,
    "json": write_file,
    "lua": leave,
    "python": run_python,
    "sh": run_shell,
    "text": check_output,
    "toml": read_toml,
    "yaml": write_file,
}
SYBIL = Sybil(
    parsers=[CodeBlockParser(language, evaluator) for language, evaluator in EVALUATORS.items()]
)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES if page not in ELSEWHERE],
)
def test_every_block_of_a_page_does_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_page(page, tmp_path, monkeypatch)


def run_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the blocks of a page in a directory."""
    if "examples/" in page.read_text(encoding="utf-8"):
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    # A page's own modules are found, as where `python` runs.
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for example in SYBIL.parse(page).examples():
        example.evaluate()


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES]
)
def test_a_page_has_no_block_that_is_not_checked(page: Path) -> None:
    fences = re.findall(r"^[ \t]*```(\w+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(fences) <= EVALUATORS.keys()


@pytest.mark.parametrize("name", sorted({"evalset", *MODULES} - {"evalset.__main__"}))
def test_the_examples_of_a_module_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in CODE_PAGES])
def test_every_block_of_the_page_of_a_code_does_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for example in SYBIL.parse(page).examples():
        example.evaluate()


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in CODE_PAGES])
def test_the_page_of_a_code_shows_what_to_write_instead(page: Path) -> None:
    instead = page.read_text(encoding="utf-8").partition("\nWrite instead:\n\n")[2]
    [(language, text)] = re.findall(r"\A```(\w+)\n(.*?)^```\n\Z", instead, re.DOTALL | re.MULTILINE)
    if language == "python":
        exec(compile(text, page, "exec"), {"evalset": evalset})  # noqa: S102
    else:
        assert evalset.check_text(text).diagnostics == ()


# README


def test_the_readme_links_only_to_what_is_there() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", readme)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_readme_has_each_of_the_two_commands_on_a_line_of_its_own() -> None:
    lines = PAGES[0].read_text(encoding="utf-8").splitlines()
    start = "python3 -m venv .venv && .venv/bin/pip install"
    commands = [line for line in lines if line.startswith("python3 ")]
    assert commands == [
        f"{start} . && .venv/bin/evalset expand examples/nightly-coding-sweep.yaml",
        f'{start} -e ".[test]" && .venv/bin/python -m pytest',
    ]


# Tables


def sections(page: Path) -> dict[str, str]:
    """Give the text below each heading of the third level."""
    _, *parts = re.split(r"^### (.*)\n", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_the_page_of_codes_is_made_of_the_pages_of_the_codes() -> None:
    path = DOCS / "reference/codes.md"
    page = path.read_text(encoding="utf-8")
    assert sorted(re.findall(r"^### (.*)$", page, re.MULTILINE)) == sorted(CODES)
    for code in CODES:
        before, _, rest = page.partition(f"\n### {code}\n")
        after = re.search(r"^##.*|\Z", rest, re.DOTALL | re.MULTILINE)
        page = f"{before}\n##{explain_code(code)}\n{after[0] if after else ''}"
    page = page.rstrip() + "\n"
    if UPDATE:
        path.write_text(page, encoding="utf-8")
    assert page == path.read_text(encoding="utf-8")


def test_there_is_a_page_for_every_code_with_an_example() -> None:
    assert [page.stem for page in CODE_PAGES] == sorted(CODES)
    for code in CODES.values():
        title, _, section = explain_code(code.name).partition("\n")
        assert title == f"# {code.name}"
        assert section.startswith(f"\n*{code.severity}* · {code.summary}.\n")
        blocks = "".join(
            re.findall(r"^```(?:console|text)\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
        )
        assert f"{code.severity}[{code.name}]" in blocks


def field_table() -> str:
    """Write the table of a manifest's fields from the schema."""
    lines = ["| Field | Type | Absent | Meaning |", "| --- | --- | --- | --- |"]
    for path, field, is_required in fields(json_schema()):
        kinds = [field["type"]] if isinstance(field["type"], str) else field["type"]
        absent = "required" if is_required else absence(field)
        meaning = field["description"].replace("|", "\\|")
        lines.append(f"| `{path}` | {', '.join(kinds)} | {absent} | {meaning} |")
    return "\n".join(lines) + "\n"


def fields(schema: dict[str, Any], base: str = "") -> Iterator[tuple[str, dict[str, Any], bool]]:
    for name, field in schema["properties"].items():
        yield base + name, field, name in schema["required"] if "required" in schema else False
        if "properties" in field:
            yield from fields(field, f"{base}{name}.")
        items = field.get("items", {})
        if "properties" in items:
            yield from fields(items, f"{base}{name}[].")


def absence(field: dict[str, Any]) -> str:
    default = field.get("default")
    return "not set" if default is None else f"`{json.dumps(default)}`"


def test_the_table_of_fields_is_what_the_schema_says() -> None:
    page = DOCS / "reference/manifest.md"
    text = page.read_text(encoding="utf-8")
    before, start, rest = text.partition("<!-- fields -->\n\n")
    table, end, after = rest.partition("\n<!-- end -->")
    assert start
    assert end
    if UPDATE:
        page.write_text(before + start + field_table() + end + after, encoding="utf-8")
    else:
        assert table == field_table()


def test_the_page_of_the_command_line_shows_the_help_of_every_command() -> None:
    commands = re.findall(
        r"^\$ (.*)", (DOCS / "reference/cli.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    _, overview = run_command("evalset --help")
    names = re.findall(r"^    (\w+)  ", overview.partition("commands:")[2], re.MULTILINE)
    assert names
    assert commands[: len(names) + 1] == [
        "evalset --help",
        *(f"evalset {name} --help" for name in names),
    ]


def test_the_page_of_the_api_names_everything_public() -> None:
    page = (DOCS / "reference/python.md").read_text(encoding="utf-8")
    directives = re.findall(
        r"^\.\. auto(class|function|exception|module):: evalset\.(\w+)(?:\(\))?$",
        page,
        re.MULTILINE,
    )
    top = [name for kind, name in directives if kind != "module"]
    topics = [name for kind, name in directives if kind == "module"]
    public = [name for name in dir(evalset) if not name.startswith("_")]
    assert sorted(top) == sorted(evalset.__all__)
    others = {"catalogue", "findings", "formats", "testing"}
    assert sorted(topics) == sorted({*public, *others} - set(evalset.__all__))


def first_cells(page: Path, heading: str) -> list[str]:
    """Give the first cell, a text in backticks, of each row of the table below a heading."""
    section = page.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    return re.findall(r"^\| `([^`]+)` \|", section.partition("\n## ")[0], re.MULTILINE)


def test_the_page_of_the_report_names_every_field_in_order() -> None:
    page = DOCS / "reference/report.md"
    manifest = evalset.Manifest(
        "n",
        packs=["p"],
        agents=[evalset.Agent("a", label="l")],
        models=["m"],
        seeds=evalset.Seeds("explicit", seeds=[1]),
        limits=evalset.Limits(max_concurrent_runs=1, budget_usd=1),
    )
    expansion = evalset.expand(manifest)
    [combination], [row] = expansion.to_dict()["combinations"], expansion.rows()
    assert first_cells(page, "The report") == list(expansion.to_dict())
    assert first_cells(page, "A combination") == list(combination)
    assert first_cells(page, "Rows") + list(combination) == list(row)


def test_the_page_of_the_architecture_has_a_line_for_every_module() -> None:
    told = first_cells(DOCS / "architecture.md", "Modules")
    is_public = re.compile(r"evalset\.(\w+)").fullmatch
    assert sorted(told) == sorted(found[1] for name in MODULES if (found := is_public(name)))


def strict_rows() -> list[tuple[str, str]]:
    page = (DOCS / "explanation/strictness.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([^`]+)` \| \[`([\w-]+)`\]", page, re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "code"), [pytest.param(line, code, id=line) for line, code in strict_rows()]
)
def test_what_the_page_of_strictness_says_is_refused(line: str, code: str) -> None:
    manifest = {
        "schema": "schema: evalset/v1",
        "name": "name: sweep",
        "packs": "packs: [p]",
        "agents": "agents: [{deployment: a}]",
    }
    manifest[line.partition(":")[0]] = line
    found = evalset.check_text("\n".join(manifest.values())).diagnostics
    assert [diagnostic.code for diagnostic in found] == [code]
