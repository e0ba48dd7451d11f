"""What `check` found, written for a person, an editor, a program, GitHub or a scanner of code.

Pure functions of results: nothing here prints, or asks a terminal or the environment.
Control, bidirectional and invisible characters of the input are escapes in every format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote as percent_encoded

from evalset.catalogue import explain_code
from evalset.columns import count_of, width_of
from evalset.diagnostics import CODES, Diagnostic, Fix, Related, Severity, Span
from evalset.quoting import escape
from evalset.reading import CheckResult
from evalset.sources import Source

__all__ = [
    "JSON_VERSION",
    "write_concise",
    "write_github",
    "write_report_json",
    "write_sarif",
    "write_text",
]

JSON_VERSION = 1
"""The version of `write_report_json`; it changes when a field changes its meaning or goes."""

_WIDTH = 100
_BEFORE = 20  # columns that stay in front of the span when its line is cut there
_TAB = 4
_FAR = 1000
_ANNOTATIONS = 10  # GitHub shows no more of one severity for a step
# Where a reader stops, the last of these is why.
_STOPPING = {"json-syntax", "yaml-syntax", "too-deep", "too-many-nodes"}
_LINE_END = re.compile(r"[\r\n]")

_Paint: TypeAlias = Callable[[str, str], str]

# Select Graphic Rendition (ECMA-48, 8.3.117).
_RESET = "\x1b[0m"
_STYLES = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;34m"}


def write_text(
    results: Sequence[CheckResult], *, color: bool = False, columns: int = _WIDTH
) -> str:
    """Write each finding with its line, carets below it, notes and a hint.

    Args:
        results: What `check` gave for each file.
        color: Whether to write colours for a terminal.
        columns: How wide a shown line may be; a longer one is cut around the finding.

    Returns:
        Findings, each with an empty line behind it. The first line of each is
        `path:line:column: error[code] message`.
    """
    paint: _Paint = _in_color if color else _plain
    return "".join(
        f"{line}\n"
        for result in results
        for place, found in enumerate(result.diagnostics)
        for line in (*_told(found, result, paint, columns, is_last=place == _end(result)), "")
    )


def _end(result: CheckResult) -> int | None:
    """Give the place of the finding behind which a text was not read, if there is one."""
    places = (place for place, each in enumerate(result.diagnostics) if each.code in _STOPPING)
    return max(places, default=None) if result.is_unread else None


def _plain(text: str, _: str) -> str:
    return text


def _in_color(text: str, style: str) -> str:
    return f"{_STYLES[style]}{text}{_RESET}"


def _told(
    found: Diagnostic, result: CheckResult, paint: _Paint, columns: int, *, is_last: bool
) -> Iterator[str]:
    source = result.source
    severity = str(found.severity)
    head = escape(str(found))
    tag = f"{severity}[{found.code}]"
    yield head.replace(tag, paint(tag, severity), 1)
    spans = [found.span, *(note.span for note in found.related)]
    gutter = max((len(str(span.line)) for span in spans if span), default=1)
    yield from _shown(found.span, source, _Look(gutter, columns, paint, severity, "^"))
    for note in found.related:
        yield f"{' ' * gutter} {paint('note:', 'note')} {escape(str(note))}"
        yield from _shown(note.span, source, _Look(gutter, columns, paint, "note", "-"))
    if found.hint:
        yield f"{' ' * gutter} {paint('hint:', 'note')} {escape(found.hint)}"
    if is_last:
        yield f"{' ' * gutter} {paint('note:', 'note')} what follows was not checked"


class _Look(NamedTuple):
    gutter: int
    columns: int
    paint: _Paint
    style: str
    mark: str

    def bar(self, number: int | None = None) -> str:
        return self.paint(f"{'' if number is None else number:>{self.gutter}} |", "note")


def _shown(span: Span | None, source: Source | None, look: _Look) -> Iterator[str]:
    """Give the line of a span, with marks below it."""
    if span is None or source is None:
        return
    start = span.offset - span.column + 1
    line_end = _LINE_END.search(source.text, start)
    end = line_end.start() if line_end else len(source.text)
    if not source.text[start:end].strip():
        return  # there is nothing to see
    last = min(span.end_offset, end)
    # What stands farther away than the widest line is cut in any case.
    before = _cells(source.text[max(start, span.offset - _FAR) : span.offset])
    marked = _cells(source.text[span.offset : min(last, span.offset + _FAR)])
    after = _cells(source.text[last : min(end, last + _FAR)])
    before, marked, after = _fit(before, marked, after, look.columns - look.gutter - 3)
    yield f"{look.bar(span.line)} {before}{marked}{after}".rstrip()
    marks = look.paint(look.mark * max(1, width_of(marked)), look.style)
    yield f"{look.bar()} {' ' * width_of(before)}{marks}"


def _cells(text: str) -> str:
    """Write a part of a line such that every character has the width that is counted."""
    return escape(text.replace("\t", " " * _TAB))


def _fit(before: str, marked: str, after: str, room: int) -> tuple[str, str, str]:
    """Cut a line that is wider than the room, and keep what is marked in sight."""
    if width_of(before + marked + after) <= room:
        return before, marked, after
    if width_of(before) + min(width_of(marked), room // 2) > room:
        before = f"…{_last(before, _BEFORE)}"
    left = max(1, room - width_of(before))
    if width_of(marked) > left:
        return before, f"{_first(marked, left - 1)}…", ""
    left -= width_of(marked)
    return before, marked, after if width_of(after) <= left else f"{_first(after, left - 1)}…"


def _first(text: str, room: int) -> str:
    end = 0
    while end < len(text) and (room := room - width_of(text[end])) >= 0:
        end += 1
    return text[:end]


def _last(text: str, room: int) -> str:
    return _first(text[::-1], room)[::-1]


def write_concise(results: Sequence[CheckResult]) -> str:
    """Write one line for each finding: `path:line:column: error[code] message`."""
    return "".join(f"{escape(str(found))}\n" for result in results for found in result.diagnostics)


def write_report_json(results: Sequence[CheckResult]) -> str:
    """Write everything as one JSON object, indented by two, in ASCII.

    Returns:
        `version` (`JSON_VERSION`), `errors` and `warnings` (their numbers) and
        `diagnostics`, each as `Diagnostic.to_dict` gives it, in order of the files.
    """
    found = [each for result in results for each in result.diagnostics]
    report = {
        "version": JSON_VERSION,
        "errors": sum(each.is_error for each in found),
        "warnings": sum(not each.is_error for each in found),
        "diagnostics": [each.to_dict() for each in found],
    }
    return json.dumps(report, indent=2) + "\n"


def write_github(results: Sequence[CheckResult]) -> str:
    """Write the text for the log, then annotations for GitHub, errors first.

    GitHub shows ten annotations of a severity and drops the rest without a word, so where
    there are more, the tenth says how many.
    """
    log = "".join(f"{_no_command(line)}\n" for line in write_text(results).splitlines())
    found = [each for result in results for each in result.diagnostics]
    errors = [each for each in found if each.is_error]
    warnings = [each for each in found if not each.is_error]
    return log + "".join((*_annotations(errors), *_annotations(warnings)))


def _no_command(line: str) -> str:
    """Keep a runner of GitHub's from taking text of a manifest for a command."""
    line = line.replace("##[", "# #[")
    return f"> {line}" if line.lstrip().startswith("::") else line


def _annotations(found: Sequence[Diagnostic]) -> Iterator[str]:
    shown = found if len(found) <= _ANNOTATIONS else found[: _ANNOTATIONS - 1]
    yield from map(_annotation, shown)
    if more := len(found) - len(shown):
        severity = found[0].severity
        yield f"::{severity} title=evalset::and {count_of(more, f'more {severity}')}; see the log\n"


def _annotation(found: Diagnostic) -> str:
    place: dict[str, str] = {}
    if found.span:
        place["file"] = found.span.path
        place["line"] = str(found.span.line)
        if found.span.line == found.span.end_line:
            place["col"] = str(found.span.column)
            place["endColumn"] = str(max(found.span.column, found.span.end_column - 1))
        place["endLine"] = str(found.span.end_line)
    place["title"] = f"evalset: {found.code}"
    properties = ",".join(f"{name}={_in_property(value)}" for name, value in place.items())
    text = found.message if found.hint is None else f"{found.message}\nhint: {found.hint}"
    return f"::{found.severity} {properties}::{_in_command(text)}\n"


def _in_command(text: str) -> str:
    lines = (escape(line).replace("%", "%25") for line in text.split("\n"))
    return "%0A".join(lines)


def _in_property(text: str) -> str:
    return _in_command(text).replace(":", "%3A").replace(",", "%2C")


_SARIF_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


def write_sarif(results: Sequence[CheckResult], *, version: str | None = None) -> str:
    """Write a log of SARIF 2.1.0, with the rules that something was found by.

    Args:
        results: What `check` gave for each file.
        version: The version of the tool that checked, if it is to be named.
    """
    found = [each for result in results for each in result.diagnostics]
    rules = list(dict.fromkeys(each.code for each in found))
    driver: dict[str, Any] = {"name": "evalset", "rules": [_rule(code) for code in rules]}
    if version is not None:
        driver["version"] = version
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(each, rules.index(each.code)) for each in found],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    told = CODES[code]
    return {
        "id": code,
        "shortDescription": {"text": told.summary},
        "help": {
            "text": f"{told.summary}. `evalset explain {code}` says more.",
            "markdown": explain_code(code),
        },
        "defaultConfiguration": {"level": _SARIF_LEVELS[told.severity]},
    }


def _sarif_result(found: Diagnostic, index: int) -> dict[str, Any]:
    text = found.message if found.hint is None else f"{found.message}\nhint: {found.hint}"
    result: dict[str, Any] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": _SARIF_LEVELS[found.severity],
        "message": {"text": text},
    }
    if found.span:
        result["locations"] = [{"physicalLocation": _location(found.span)}]
    related = [_related(note, note.span) for note in found.related if note.span]
    if related:
        result["relatedLocations"] = related
    if found.fix:
        result["fixes"] = [_sarif_fix(found.fix)]
    return result


def _related(note: Related, span: Span) -> dict[str, Any]:
    return {"physicalLocation": _location(span), "message": {"text": note.message}}


def _sarif_fix(fix: Fix) -> dict[str, Any]:
    place = _location(fix.span)
    replacement = {"deletedRegion": place["region"], "insertedContent": {"text": fix.text}}
    change = {"artifactLocation": place["artifactLocation"], "replacements": [replacement]}
    return {
        "description": {"text": fix.title},
        "artifactChanges": [change],
        "properties": {"isSafe": fix.is_safe},
    }


def _location(span: Span) -> dict[str, Any]:
    path = span.path.replace("\\", "/")
    uri = percent_encoded(path.encode("utf-8", "surrogateescape"), safe="/")
    return {
        "artifactLocation": {"uri": f"file://{uri}" if uri.startswith("/") else uri},
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
            "charOffset": span.offset,
            "charLength": span.end_offset - span.offset,
        },
    }
