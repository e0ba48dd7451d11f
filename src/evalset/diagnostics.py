"""What the library says about a document: one finding, its place, and the codes it can carry.

This module is the bottom of the house. It knows no format and no model, only how a
finding is written down, shown and ordered.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, final

import attrs

from evalset.quoting import escape

__all__ = ["CODES", "Code", "Diagnostic", "Fix", "Related", "Severity", "Span"]


class Severity(StrEnum):
    """How much a finding weighs: an error refuses the manifest, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@final
@attrs.frozen(kw_only=True)
class Code:
    """One kind of finding. Its name is never changed and never used for another kind."""

    name: str
    severity: Severity
    summary: str


def _catalogue(severity: Severity, summaries: dict[str, str]) -> dict[str, Code]:
    return {
        name: Code(name=name, severity=severity, summary=summary)
        for name, summary in summaries.items()
    }


CODES: dict[str, Code] = {
    **_catalogue(
        Severity.ERROR,
        {
            # The text
            "not-utf8": "The bytes are not UTF-8",
            "forbidden-character": "A control character, lone surrogate or noncharacter",
            "too-large": "The text is larger than the reader's limit",
            "too-deep": "Lists and mappings are nested deeper than the reader's limit",
            "too-many-nodes": "The document, its aliases expanded, is larger than the limit",
            "yaml-syntax": "The text is not YAML",
            "json-syntax": "The text is not JSON",
            "empty-document": "The text holds no document",
            "several-documents": "The text holds more than one document",
            "yaml-directive": "A %YAML or %TAG directive",
            "foreign-tag": "A tag outside YAML's core, or one that does not fit its value",
            "undefined-alias": "An alias to an anchor that was not defined before it",
            "recursive-alias": "An alias inside the very value that it names",
            "bad-merge": "A merge key whose value is not a mapping",
            "duplicate-key": "A key stands twice in one mapping",
            "key-not-text": "A key that is not text",
            "pointer-not-found": "The document has no value at the place that was asked for",
            # The shape
            "missing-key": "A required key is missing",
            "unknown-key": "A key that evalset/v1 does not have",
            "wrong-type": "A value of another type than the field takes",
            "null-value": "Null where a value is required",
            "text-not-quoted": "A number, boolean or null where text is wanted",
            "number-quoted": "Text where a number is wanted",
            "number-form": "A number that JSON's grammar does not have",
            "not-an-integer": "A fraction where a whole number is wanted",
            "boolean-form": "Something else than true or false where a boolean is wanted",
            "wrong-schema": "The schema is not evalset/v1",
            "unsupported-version": "Another version of the evalset schema",
            "unknown-strategy": "A seed strategy that evalset/v1 does not have",
            "blank-text": "Text that is empty or only white space",
            "empty-list": "An empty list where at least one item is required",
            "too-many-items": "A list longer than any manifest can use",
            "out-of-range": "A number outside the range of its field",
            "not-finite": "A number too large to be held, an infinity or not a number",
            "extension-not-json": "A value below an x- key that JSON does not have",
            # The rules
            "missing-seeds": "Strategy explicit without seeds",
            "seeds-count": "Another number of seeds than repeats",
            "seeds-without-explicit": "Seeds although the strategy is auto",
            "duplicate-seed": "A seed stands twice",
            "too-many-combinations": "More combinations than the cap allows",
            "duplicate-pack": "Two packs have one form in the matrix key",
            "duplicate-agent": "Two agents have one form in the matrix key",
            "duplicate-model": "Two models have one form in the matrix key",
            "ambiguous-key": "Slashes make the keys of different combinations equal",
            # References
            "pack-not-found": "There is no such pack",
            "agent-not-found": "There is no such deployment",
            "ambiguous-reference": "Several packs or deployments fit a reference",
            "host-unavailable": "The host could not look for a reference, or make a pack",
            "same-pack": "Two references are one pack",
            "same-agent": "Two references are one deployment",
            "not-editable": "A value that can't be changed where it stands",
        },
    ),
    **_catalogue(
        Severity.WARNING,
        {
            "kept-key": "An unknown key was kept, as the caller asked",
            "unknown-scanner": "A scanner that is not built in",
            "similar-labels": "Labels that differ only by case, width or composition",
            "misleading-label": "A label that is the deployment of another agent",
            "similar-refs": "References that differ only by case",
            "looks-like-file": "A reference that looks like the path of a file",
            "nearly-uuid": "A reference that looks like a UUID and is none",
            "respelled-uuid": "One UUID in two spellings",
            "not-pinned": "A reference that is no UUID, where the caller wants UUIDs",
            "path-in-key": "A key with a segment that means something in a path",
            "long-key": "A key longer than the name of a file may be",
            "zero-budget": "A budget of 0 means no budget",
            "large-seed": "A seed that JavaScript and other readers of doubles would change",
            "yaml11-text": "Text that readers of YAML 1.1 take for something else",
            "unused-ignore": "A comment ignores a warning that is not there",
            "bad-ignore": "A comment ignores what is no code of a warning",
            "catalog-fallback": "A pack that the workspace does not have comes from the catalog",
        },
    ),
    **_catalogue(Severity.ERROR, {"more-findings": "There are more findings than are listed"}),
}
"""Every code that a finding may carry, by name, in the order of the page of codes."""


@final
@attrs.frozen(kw_only=True)
class Span:
    """A stretch of a text, its end exclusive.

    Lines and columns count from 1, columns in Unicode code points; offsets count code
    points from 0. A byte order mark is not counted. Lines end at CR LF, LF or CR.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    offset: int
    end_offset: int

    def __str__(self) -> str:
        return f"{escape(self.path)}:{self.line}:{self.column}"

    def to_dict(self) -> dict[str, Any]:
        """Give the span as plain data, fields in order of declaration."""
        return attrs.asdict(self)


@final
@attrs.frozen(kw_only=True)
class Related:
    """Another place that a finding speaks of, such as where a key stood first."""

    message: str
    pointer: str
    span: Span | None = None

    def __str__(self) -> str:
        return f"{self.span or self.pointer or 'the document'}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Give the place as plain data."""
        return {
            "message": self.message,
            "pointer": self.pointer,
            "span": self.span.to_dict() if self.span else None,
        }


@final
@attrs.frozen(kw_only=True)
class Fix:
    """A correction that is certain: one stretch of the text becomes another text.

    Attributes:
        title: What it does, such as `write true`.
        span: What is replaced; it is empty where something is put in.
        text: What takes its place.
        is_safe: Whether current servers read the mended text just as they read the old one,
            so that it changes what is said of the manifest, and not what runs. What they
            refuse, or pass over in silence, is read in another way once it is mended.
    """

    title: str
    span: Span
    text: str
    is_safe: bool

    def to_dict(self) -> dict[str, Any]:
        """Give the correction as plain data."""
        return {
            "title": self.title,
            "is_safe": self.is_safe,
            "span": self.span.to_dict(),
            "text": self.text,
        }


def _severity_of(diagnostic: Diagnostic) -> Severity:
    return _code(diagnostic.code).severity


def _code(name: str) -> Code:
    if name not in CODES:
        raise ValueError(f"{name!r} is no code of the catalogue")
    return CODES[name]


@final
@attrs.frozen(kw_only=True)
class Diagnostic:
    """One finding: what is wrong, where, and how to mend it.

    Attributes:
        code: A name of the catalogue `CODES`, kebab-case, never renamed.
        message: What is wrong in the writer's own words, then what is accepted.
        pointer: JSON Pointer (RFC 6901) of the value, or of the missing key's mapping.
        span: The place in the text, or None when the data came without a text.
        related: Other places that the message speaks of.
        hint: What to write instead, or None.
        fix: The edit that mends it, where a correction is certain, or None.
        severity: As in the catalogue, unless the caller raised it.

    Raises:
        ValueError: The code is not in the catalogue.
    """

    code: str
    message: str
    pointer: str = ""
    span: Span | None = None
    related: tuple[Related, ...] = ()
    hint: str | None = None
    fix: Fix | None = None
    severity: Severity = attrs.field(
        default=attrs.Factory(_severity_of, takes_self=True), converter=Severity
    )

    def __attrs_post_init__(self) -> None:
        _code(self.code)

    @property
    def is_error(self) -> bool:
        """Whether the finding refuses the manifest."""
        return self.severity is Severity.ERROR

    @property
    def sort_key(self) -> tuple[int, str, str, str]:
        """Order by place in the text, then by pointer, code and message."""
        offset = self.span.offset if self.span else -1
        return (offset, self.pointer, self.code, self.message)

    def __str__(self) -> str:
        """Give `path:line:col: error[code] message`, one line and clickable."""
        place = f"{self.span}: " if self.span else ""
        within = "" if self.span or not self.pointer else f"{self.pointer}: "
        return f"{place}{self.severity}[{self.code}] {within}{self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Give the finding as plain data that JSON can hold, fields in a fixed order."""
        return {
            "code": self.code,
            "severity": str(self.severity),
            "message": self.message,
            "pointer": self.pointer,
            "span": self.span.to_dict() if self.span else None,
            "related": [related.to_dict() for related in self.related],
            "hint": self.hint,
            "fix": self.fix.to_dict() if self.fix else None,
        }
