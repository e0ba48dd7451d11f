"""Every fault of a manifest at once, each at its place.

This is the slow way: it runs when the short way has refused, and for warnings. The JSON
Schema judges the shape, the rules judge the rest, and each finding is placed in the text
that the data came from, if there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import attrs

from evalset.canonical import is_holdable
from evalset.checks import Checks, Unknown
from evalset.corrections import Corrector
from evalset.diagnostics import CODES, Diagnostic, Related, Severity, Span
from evalset.document import At, Document
from evalset.extensions import PREFIX
from evalset.faults import Fault
from evalset.ignoring import Ignore, find_ignores
from evalset.misspelling import meant_key
from evalset.nodes import Path, to_name, to_pointer
from evalset.quoting import quote
from evalset.rules import MAX_COMBINATIONS, Data, Finding, text_fields
from evalset.scalars import changes_in_yaml11
from evalset.schemas import SchemaError, schema_errors
from evalset.shapes import is_list, is_mapping
from evalset.tree import to_plain
from evalset.wording import finding_for

__all__ = [
    "MAX_DIAGNOSTICS",
    "Part",
    "explain",
    "explain_part",
    "explain_unread",
    "listed",
    "place",
]

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


# How many unknown keys of a mapping are held against those that it lacks.
_FEW = 20


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
    shape = [] if is_shaped else _shape(data, document, checks.unknown)
    findings = () if any(map(_is_other_version, shape)) else _beyond_shape(data, document, checks)
    base = document.base if document else base
    corrector = Corrector(document) if document else None
    found = [
        *map(_of_diagnostic, also),
        *([_of_fault(fault, document) for fault in document.faults] if document else []),
        *(_of_error(error, document, base, data, corrector) for error in shape),
        *(_of_finding(each, document, base, corrector) for each in dict.fromkeys(findings)),
    ]
    if document and checks.scanners is not None:
        found = _heed(found, document, checks)
    kept = [each for each in found if each.code not in checks.ignore]
    return _listed([each.raised() if each.code in checks.error else each for each in kept])


def _heed(found: list[_Found], document: Document, checks: Checks) -> list[_Found]:
    """Leave out the warnings that comments ignore, and tell which comments ignore nothing."""
    ignores, faults = find_ignores(document)
    wanted: dict[tuple[str, int | None], list[Ignore]] = {}
    for ignore in ignores:
        wanted.setdefault((ignore.code, ignore.line), []).append(ignore)
    kept: list[_Found] = []
    used: set[tuple[str, int | None]] = set()
    for each in found:
        span = each.tell().span if ignores and not each.is_error else None
        places = [(each.code, None), (each.code, span.line)] if span else []
        heeded = [place for place in places if place in wanted]
        used.update(heeded)
        if not heeded:
            kept.append(each)
    if not any(each.is_error for each in found):  # with errors, not all is looked at
        faults += [
            ignore.unused()
            for place, same in wanted.items()
            for ignore in (same[1:] if place in used else same)
            if checks.looks_for(ignore.code)
        ]
    return [*kept, *(_of_fault(fault, document) for fault in faults)]


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


def place(
    findings: Iterable[Finding], document: Document | None, *, base: Path = ()
) -> list[Diagnostic]:
    """Give findings their places in a text, or below a path; listed as by `explain`."""
    base = document.base if document else base
    return _listed([_of_finding(finding, document, base) for finding in findings])


def listed(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort findings by place, list equal ones once, and at most 200; one more counts the rest."""
    return _listed([*map(_of_diagnostic, dict.fromkeys(diagnostics))])


def explain_unread(document: Document, *, checks: Checks = _PLAIN_CHECKS) -> list[Diagnostic]:
    """Find what there is to say of a text that could not be read to its end.

    Returns:
        What the reader found, and what is wrong whatever stands behind it; listed as by
        `explain`.
    """
    faults = [document.diagnostic(fault) for fault in document.faults]
    begun = document.begun()
    if begun is None or begun.root is None:
        return listed(faults)
    found = explain(to_plain(begun.root), begun, checks=checks)
    rest = document.source.text[len(begun.source.text) :]
    return listed([*faults, *(each for each in found if _stands(each, begun, rest))])


# What more text may mend.
_NOTHING = re.compile(r":?\s*(?:#[^\r\n]*[\r\n]\s*)*")
_UNFINISHED = frozenset({"missing-key", "missing-seeds", "seeds-count", "seeds-without-explicit"})


def _stands(found: Diagnostic, begun: Document, rest: str) -> bool:
    """Tell whether a finding in the first lines of a text holds whatever the rest means."""
    if not found.is_error or found.span is None or found.code in _UNFINISHED:
        return False
    if not _NOTHING.fullmatch(begun.source.text, found.span.end_offset):
        return True
    # The value of the key that ends these lines may come behind them, or go on there.
    return found.code != "null-value" and rest[:1] not in {" ", "\t"}


class _Found(NamedTuple):
    """A finding that is not in words yet: where it will stand, and what words it.

    A text may have a hundred thousand faults, and a fault costs tens of microseconds to
    tell; all of them are put in order, and only those that are listed are told.
    """

    place: tuple[int, str]  # offset and pointer, as diagnostics are sorted
    code: str
    is_error: bool
    tell: Callable[[], Diagnostic]

    def raised(self) -> _Found:
        """Give the finding as an error, whatever its code is."""
        tell = self.tell
        return self._replace(
            is_error=True, tell=lambda: attrs.evolve(tell(), severity=Severity.ERROR)
        )


def _listed(found: Sequence[_Found]) -> list[Diagnostic]:
    """Put in words what will be listed: the first 200, and the number of all others."""
    rest: list[_Found] = []
    if len(found) > MAX_DIAGNOSTICS:
        last = sorted(each.place for each in found)[MAX_DIAGNOSTICS - 1]
        rest = [each for each in found if each.place > last]
        found = [each for each in found if each.place <= last]
    told = dict.fromkeys(each.tell() for each in found)
    ordered = sorted(told, key=lambda diagnostic: diagnostic.sort_key)
    kept, over = ordered[:MAX_DIAGNOSTICS], ordered[MAX_DIAGNOSTICS:]
    if not over and not rest:
        return kept
    is_error = any(each.is_error for each in over) or any(each.is_error for each in rest)
    severity = Severity.ERROR if is_error else Severity.WARNING
    message = f"and {len(over) + len(rest):,} more"
    return [*kept, Diagnostic(code="more-findings", message=message, severity=severity)]


def _of_diagnostic(diagnostic: Diagnostic) -> _Found:
    place = diagnostic.sort_key[:2]
    return _Found(place, diagnostic.code, diagnostic.is_error, lambda: diagnostic)


def _of_fault(fault: Fault, document: Document) -> _Found:
    place = (fault.start, to_pointer(fault.path))
    return _Found(place, fault.code, _is_error(fault.code), partial(document.diagnostic, fault))


def _of_error(
    error: SchemaError,
    document: Document | None,
    base: Path,
    root: object,
    corrector: Corrector | None,
) -> _Found:
    def tell() -> Diagnostic:
        source = document.place(error.path).source if document else None
        is_flow = document is None or document.is_flow(error.path)
        finding = finding_for(error, source, is_flow=is_flow, root=root)
        return _place_one(finding, document, base, corrector)

    # Which code it is, the wording says; whatever it is, it is an error.
    return _Found(_place(*error.target, document, base), "", is_error=True, tell=tell)


def _of_finding(
    finding: Finding, document: Document | None, base: Path, corrector: Corrector | None = None
) -> _Found:
    place = _place(finding.path, finding.at, document, base)
    tell = partial(_place_one, finding, document, base, corrector)
    return _Found(place, finding.code, _is_error(finding.code), tell)


def _place(path: Path, at: At, document: Document | None, base: Path) -> tuple[int, str]:
    return document.place(path, at).start if document else -1, to_pointer((*base, *path))


def _is_error(code: str) -> bool:
    return CODES[code].severity is Severity.ERROR


def _place_one(
    finding: Finding, document: Document | None, base: Path, corrector: Corrector | None
) -> Diagnostic:
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
        fix=document.fix(corrector.correct(finding)) if document and corrector else None,
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


def _shape(data: object, document: Document | None, unknown: Unknown) -> list[SchemaError]:
    unread = set(document.unread()) if document else ()
    errors = [
        error for error in _told(schema_errors(_judged(data)), unknown) if error.path not in unread
    ]
    # What stands in a manifest of another version was written for that version.
    return [error for error in errors if _is_other_version(error)] or _without_misspelt(errors)


def _without_misspelt(errors: list[SchemaError]) -> list[SchemaError]:
    """Leave out a missing key of which a misspelt one is told, which says so itself."""
    missing = {error.path for error in errors if error.keyword == "required" and not error.branch}
    unknown: dict[Path, list[SchemaError]] = {}
    for error in errors if missing else ():
        others = unknown.setdefault(error.path[:-1], [])
        if error.keyword == "additionalProperties" and len(others) < _FEW:
            others.append(error)
    misspelt = {
        (*owner, meant_key(error))
        for owner in {path[:-1] for path in missing}
        for error in unknown.get(owner, ())
    }
    return [error for error in errors if error.keyword != "required" or error.path not in misspelt]


def _is_other_version(error: SchemaError) -> bool:
    return error.keyword == "const" and finding_for(error, None).code == "unsupported-version"


class _LongInt(int):
    """An integer with too many digits to be written, which jsonschema writes of a fault."""

    def __repr__(self) -> str:
        return "a number of over 400 digits"


def _judged(data: object) -> object:
    """Take the part of plain data that the schema can judge, in time that the fault deserves.

    Lists end behind the item that makes them too long; what code put into a mapping under
    a key that is no text is none of the schema's.
    """
    if isinstance(data, int) and not is_holdable(data):
        return _LongInt(data)
    if is_list(data):
        return [_judged(item) for item in data[: MAX_COMBINATIONS + 1]]
    if not is_mapping(data):
        return data
    return {
        key: value if key.startswith(PREFIX) else _judged(value)
        for key, value in data.items()
        if isinstance(key, str)
    }


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


def _beyond_shape(data: object, document: Document | None, checks: Checks) -> Iterator[Finding]:
    if not is_mapping(data):
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
