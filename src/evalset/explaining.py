"""Every fault of a manifest at once, each at its place.

This is the slow way: it runs when the short way has refused, and for warnings. The JSON
Schema judges the shape, the rules judge the rest, and each finding is placed in the text
that the data came from, if there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

import attrs

from evalset.checks import Checks, Unknown
from evalset.diagnostics import Diagnostic, Related, Span
from evalset.document import At, Document
from evalset.nodes import Path, to_name, to_pointer
from evalset.quoting import quote
from evalset.rules import Data, Finding, text_fields
from evalset.scalars import changes_in_yaml11
from evalset.schemas import SchemaError, schema_errors
from evalset.shapes import is_mapping
from evalset.wording import finding_for

__all__ = ["MAX_DIAGNOSTICS", "Part", "explain", "explain_part", "listed", "place"]

MAX_DIAGNOSTICS = 200
"""The most findings that are listed; one more counts the rest."""

Part: TypeAlias = Literal["agent", "seeds", "limits"]
"""A part of a manifest that has a model of its own."""

# Which violation of one value is told: a wrong type makes the others pointless.
_FIRST = ("type", "const", "enum")
# What the count of combinations says better, with the arithmetic.
_COUNTED = {
    ("maximum", "repeats"),
    ("maxItems", "packs"),
    ("maxItems", "agents"),
    ("maxItems", "models"),
}


_PLAIN_CHECKS = Checks()


def explain(
    data: object,
    document: Document | None = None,
    *,
    base: Path = (),
    checks: Checks = _PLAIN_CHECKS,
    is_shaped: bool = False,
    also: Iterable[Diagnostic] = (),
) -> list[Diagnostic]:
    """Find everything in a manifest's plain data that there is to say.

    Args:
        data: Plain data; keys must be text.
        document: The text that it came from, for the places.
        base: Without a document, the path that pointers start with.
        checks: What to look for.
        is_shaped: Whether the data is known to obey the schema.
        also: What was found before, to be listed with the rest.

    Returns:
        Findings of the document's reader too; sorted by place, each once, at most 200
        and one that counts the rest.
    """
    shape = [] if is_shaped else list(_shape(data, document, checks.unknown))
    findings = [*shape, *_beyond_shape(data, document, shape, checks)]
    read = document.diagnostics() if document else ()
    return listed([*also, *read, *_placed(findings, document, base)])


def explain_part(part: Part, data: object, *, checks: Checks = _PLAIN_CHECKS) -> list[Diagnostic]:
    """Find every error in a part of a manifest that was built alone; pointers start at it."""
    if data is None:  # which a manifest may have in the place of seeds or limits
        return [Diagnostic(code="null-value", message=f"{part} is null; a mapping is required")]
    whole: dict[str, Any] = {
        "schema": "evalset/v1",
        "name": "part",
        "packs": ["part"],
        "agents": [data if part == "agent" else {"deployment": "part"}],
    }
    if part != "agent":
        whole[part] = data
    base: Path = ("agents", 0) if part == "agent" else (part,)
    # How many seeds there must be, only the whole manifest knows.
    found = [each for each in explain(whole, checks=checks) if each.code != "seeds-count"]
    return [_alone(each, base) if part == "agent" else _from(each, base) for each in found]


def _alone(found: Diagnostic, base: Path) -> Diagnostic:
    """Speak of an agent without its place in a list."""
    name = to_name(base)
    message = found.message.replace(f"{name}.", "", 1).replace(name, "the agent", 1)
    return attrs.evolve(_from(found, base), message=message)


def _from(found: Diagnostic, base: Path) -> Diagnostic:
    return attrs.evolve(found, pointer=found.pointer.removeprefix(to_pointer(base)))


def place(findings: Iterable[Finding], document: Document | None) -> list[Diagnostic]:
    """Give findings their places in a text; listed as by `explain`."""
    return listed(_placed(findings, document, ()))


def listed(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort findings by place, list equal ones once, and at most 200; one more counts the rest."""
    ordered = sorted(dict.fromkeys(diagnostics), key=lambda diagnostic: diagnostic.sort_key)
    kept, rest = ordered[:MAX_DIAGNOSTICS], ordered[MAX_DIAGNOSTICS:]
    if not rest:
        return kept
    severity = max(rest, key=lambda diagnostic: diagnostic.is_error).severity
    return [
        *kept,
        Diagnostic(code="more-findings", message=f"and {len(rest):,} more", severity=severity),
    ]


def _placed(
    findings: Iterable[Finding], document: Document | None, base: Path
) -> Iterator[Diagnostic]:
    base = document.base if document else base
    return (_place_one(finding, document, base) for finding in findings)


def _place_one(finding: Finding, document: Document | None, base: Path) -> Diagnostic:
    span = _span(document, finding.path, finding.at)
    if document and any(span == _span(document, path, "value") for _, path in finding.related):
        # An alias is its anchor's value again; that it stands twice is seen at the alias.
        alias = document.alias(finding.path)
        span = document.span(*alias) if alias else span
    return Diagnostic(
        code=finding.code,
        message=finding.message,
        pointer=to_pointer((*base, *finding.path)),
        span=span,
        hint=finding.hint,
        related=tuple(
            Related(
                message=message,
                pointer=to_pointer((*base, *path)),
                span=_span(document, path, "value"),
            )
            for message, path in finding.related
        ),
    )


def _span(document: Document | None, path: Path, at: At) -> Span | None:
    if document is None:
        return None
    found = document.place(path, at)
    return document.span(found.start, found.end)


def _shape(data: object, document: Document | None, unknown: Unknown) -> Iterator[Finding]:
    unread = set(document.unread()) if document else ()
    findings = [
        finding_for(
            error,
            document.place(error.path).source if document else None,
            is_flow=document is None or document.is_flow(error.path),
        )
        for error in _told(schema_errors(data), unknown)
        if error.path not in unread
    ]
    # What stands in a manifest of another version was written for that version.
    other = [finding for finding in findings if finding.code == "unsupported-version"]
    yield from other or findings


def _told(errors: list[SchemaError], unknown: Unknown) -> Iterator[SchemaError]:
    """Keep one violation of each value, the most telling one."""
    told: set[Path] = set()
    for error in sorted(errors, key=lambda error: error.keyword not in _FIRST):
        if error.path in told or _is_moot(error, told, unknown):
            continue
        told.add(error.path)
        yield error


def _is_moot(error: SchemaError, told: set[Path], unknown: Unknown) -> bool:
    """Tell whether a violation is allowed here, or only follows from another fault."""
    if error.keyword == "additionalProperties":
        return unknown == "keep"
    if error.branch == "else":  # these seeds fit auto only if the strategy is sound
        return ("seeds", "strategy") in told
    return bool(error.path) and (error.keyword, error.path[-1]) in _COUNTED


def _beyond_shape(
    data: object, document: Document | None, shape: list[Finding], checks: Checks
) -> Iterator[Finding]:
    is_other_version = any(finding.code == "unsupported-version" for finding in shape)
    if not is_mapping(data) or is_other_version:
        return
    for rule in checks.rules():
        yield from rule(data)
    if document and checks.scanners is not None:
        yield from _warn_yaml11(data, document)


def _warn_yaml11(data: Data, document: Document) -> Iterator[Finding]:
    for path, text in text_fields(data):
        source = document.place(path).source
        if source is not None and changes_in_yaml11(source):
            message = f"{quote(text)} is text here, but something else to readers of YAML 1.1"
            yield Finding("yaml11-text", message, path, hint=f"write {quote(text)}, with quotes")
