"""Comments that ignore warnings: `# evalset: ignore[code]`, `# evalset: ignore-file[code]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import final

import attrs

from evalset.checks import may_hold_ignores
from evalset.diagnostics import CODES, Severity
from evalset.document import Document
from evalset.edits import Correction, Edit
from evalset.faults import Fault
from evalset.quoting import quote

__all__ = ["Ignore", "find_ignores"]

_MARK = re.compile(r"#\s*evalset:\s*(ignore(?:-file)?)(?![\w-])(?:\s*\[([^\]]*)\])?")
_LINE_END = re.compile(r"[ \t]*(\r\n|\r|\n|\Z)")
_NAME = re.compile(r"[^\s,]+")


@final
@attrs.frozen
class Ignore:
    """One code in a comment.

    Attributes:
        code: What is ignored.
        line: The line where it is, from 1, or None: the whole text.
        start: Where the code stands, in code points from 0.
        end: The place behind it.
        is_alone: Whether nothing but the comment stands in the line.
        removal: The edit that takes the comment out, if it holds nothing else.
    """

    code: str
    line: int | None
    start: int
    end: int
    is_alone: bool
    removal: Edit | None = None

    def unused(self) -> Fault:
        """Say that there was nothing to ignore."""
        where = "file" if self.line is None else "line"
        message = f"this {where} has no {self.code} to ignore"
        is_misplaced = self.is_alone and self.line is not None
        hint = "write it behind what it ignores, in the same line" if is_misplaced else "remove it"
        fault = Fault("unused-ignore", message, self.start, self.end, hint=hint)
        if self.removal is None or is_misplaced:
            return fault
        correction = Correction("remove the comment", self.removal, is_safe=True)
        return attrs.evolve(fault, correction=correction)


def find_ignores(document: Document) -> tuple[list[Ignore], list[Fault]]:
    """Find what the comments of a YAML text ignore.

    Returns:
        What they ignore, and what is wrong with them. JSON has no comments.
    """
    ignores: list[Ignore] = []
    faults: list[Fault] = []
    for mark in _marks(document):
        is_file = mark[1] == "ignore-file"
        names = list(_NAME.finditer(mark[2] or ""))
        if not names:
            message = "this comment names no warning to ignore"
            hint = f"write # evalset: {mark[1]}[code], with a code of `evalset explain`"
            faults.append(Fault("bad-ignore", message, *mark.span(), hint=hint))
        for name in names:
            start, end = (mark.start(2) + place for place in name.span())
            if fault := _bad(name[0], start, end):
                faults.append(fault)
                continue
            span = document.span(mark.start(), end)
            before = document.source.text[mark.start() - span.column + 1 : mark.start()]
            line = None if is_file else span.line
            removal = _removal(document.source.text, mark) if len(names) == 1 else None
            is_alone = not before.strip()
            ignores.append(Ignore(name[0], line, start, end, is_alone=is_alone, removal=removal))
    return ignores, faults


def _removal(text: str, mark: re.Match[str]) -> Edit | None:
    """Take out a comment that ends with the mark, and what stands before it in vain."""
    line_end = _LINE_END.match(text, mark.end())
    if line_end is None or text[: mark.start()].endswith("#"):
        return None
    before = text[: mark.start()].rstrip(" \t")
    is_alone = before[-1:] in {"", "\r", "\n"}
    return Edit(len(before), line_end.end() if is_alone else line_end.start(1), "")


def _marks(document: Document) -> Iterator[re.Match[str]]:
    source = document.source
    if source.format == "json" or not may_hold_ignores(source.text):
        return
    from evalset.yaml_text import find_comments

    for start, end in find_comments(source.text):
        yield from _MARK.finditer(source.text, start, end)


def _bad(code: str, start: int, end: int) -> Fault | None:
    if code not in CODES:
        from difflib import get_close_matches

        warnings = [name for name in CODES if CODES[name].severity is Severity.WARNING]
        near = get_close_matches(code, warnings, 1)
        hint = f"did you mean {near[0]}?" if near else "`evalset explain` lists all codes"
        fault = Fault("bad-ignore", f"{quote(code)} is no code", start, end, hint=hint)
        if not near:
            return fault
        correction = Correction(f"write {near[0]}", Edit(start, end, near[0]), is_safe=True)
        return attrs.evolve(fault, correction=correction)
    if CODES[code].severity is Severity.ERROR:
        message = f"{code} is an error; only warnings can be ignored"
        return Fault("bad-ignore", message, start, end, hint="mend the manifest")
    return None
