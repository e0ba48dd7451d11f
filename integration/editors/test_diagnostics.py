"""What an author sees under a faulty document: the editor's words and ranges, and ours.

A golden file for each document, with both editors and `evalset check`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest
from integration.editors.corpus import CASES, Case
from integration.editors.engines import as_json
from integration.editors.golden import assert_golden
from integration.editors.lsp import Json, Place, Server

import evalset

SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}
FAULTY = [
    case
    for case in CASES
    if len(case.text) < 1000 and evalset.check_text(case.text, format=case.format).diagnostics
]

Seen = dict[str, tuple[str, Sequence[Json]]]


@pytest.fixture(scope="module")
def in_yaml(yaml_editor: Server, work: Path) -> Seen:
    """Show all YAML documents at once, since a server waits a while before it judges."""
    texts = {case.name: case.text for case in FAULTY if case.format == "yaml"}
    return _show(yaml_editor, texts, work, "yaml")


@pytest.fixture(scope="module")
def in_json(json_editor: Server, work: Path) -> Seen:
    """Show all documents that JSON can hold."""
    texts = {case.name: text for case in FAULTY if (text := as_json(case))}
    return _show(json_editor, texts, work, "json")


def test_there_are_many_faulty_documents() -> None:
    assert len(FAULTY) >= 100


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in FAULTY])
def test_what_an_author_sees_is_as_recorded(case: Case, in_yaml: Seen, in_json: Seen) -> None:
    parts = [f"{case.name}\n", case.text]
    for title, seen in (("yaml-language-server", in_yaml), ("VS Code JSON", in_json)):
        if case.name in seen:
            text, diagnostics = seen[case.name]
            parts += [f"\n--- {title}\n", *(_shown(text, each) for each in diagnostics)]
    found = evalset.check_text(case.text, format=case.format, name=case.format).diagnostics
    parts += ["\n--- evalset check\n"]
    parts += [f"{each}\n" + (f"    hint: {each.hint}\n" if each.hint else "") for each in found]
    assert_golden(f"diagnostics/{case.slug}.txt", "".join(parts))


def test_a_finding_of_the_schema_is_on_the_line_where_the_library_finds_it(in_yaml: Seen) -> None:
    elsewhere: list[str] = []
    for case in FAULTY:
        _, diagnostics = in_yaml.get(case.name, ("", ()))
        ours = evalset.check_text(case.text, format=case.format).diagnostics
        lines = {line for each in ours if each.span for line in _lines(case.text, each.span)}
        theirs = {each["range"]["start"]["line"] + 1 for each in diagnostics}
        elsewhere += [case.name] if theirs - lines else []
    assert elsewhere == []


def _lines(text: str, span: evalset.Span) -> range:
    """Give the lines of a span; what is missing at the end is told behind the last word."""
    is_end = not text[span.end_offset :].strip()
    return range(span.line, (text.count("\n") + 1 if is_end else span.end_line) + 1)


def _show(server: Server, texts: dict[str, str], work: Path, language: str) -> Seen:
    uris = {
        name: server.open(work / f"{number}.seen.evalset.{language}", text, language=language)
        for number, (name, text) in enumerate(texts.items())
    }
    return {name: (texts[name], server.diagnostics(uri)) for name, uri in uris.items()}


def _shown(text: str, diagnostic: Json) -> str:
    """Write a diagnostic with its range, and the first line of it underlined."""
    start, end = (Place(**diagnostic["range"][side]) for side in ("start", "end"))
    line = text.split("\n")[start.line].rstrip("\r")
    first = start.offset(text) - text.rfind("\n", 0, start.offset(text)) - 1
    length = end.offset(text) - start.offset(text)
    marks = "^" * max(1, min(length, len(line) - first))
    place = f"{start.line + 1}:{start.character + 1}-{end.line + 1}:{end.character + 1}"
    source = f" ({diagnostic['source']})" if "source" in diagnostic else ""
    message = f"{place} {SEVERITIES[diagnostic['severity']]}{source}: {diagnostic['message']}"
    underlined = f"{line}\n{' ' * first}{marks}"
    return f"{message}\n{textwrap.indent(underlined, '    ')}\n"
