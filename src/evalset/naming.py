"""What a name looks like and is not, and which keys are hard to store: warnings.

Names are free text, so nothing here is wrong. But a reference that looks like a file is
hardly the name of a pack, and a key of 300 bytes is no name of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TypeAlias

from evalset.keys import KeyBy, is_blank, normalize_label, trim
from evalset.nodes import Path
from evalset.quoting import quote
from evalset.references import normalize_id
from evalset.rules import MAX_COMBINATIONS, Data, Finding, Rule, count_combinations
from evalset.shapes import is_list, is_mapping

__all__ = ["MAX_KEY_BYTES", "naming_rules"]

MAX_KEY_BYTES = 255
"""The longest name of a file that the common file systems hold, in bytes."""

_FILE = re.compile(r"(?is)(?:~/|[a-z]:[\\/]|file:).*|(?:.*/)?([^/]*)\.(?:ya?ml|json|toml|zip)")
_Parts: TypeAlias = list[tuple[Path, str]]
"""What stands in the key for each entry of an axis, with its place."""

_ODD_SEGMENTS = {"", ".", ".."}
_ODD_SEGMENT = re.compile(r"/\.{,2}/")
_DASHES = str.maketrans("_ \u2010\u2011\u2013", "-----")
_UUID_DIGITS = 32
_FEWEST, _MOST = 29, 35  # digits of what is nearly a UUID
_HEX = frozenset("0123456789abcdefABCDEF")


def naming_rules(key_by: KeyBy, *, pinned: bool = False) -> tuple[Rule, ...]:
    """Give every rule that looks at names.

    Args:
        key_by: The dialect: which part of an agent stands in the key.
        pinned: Whether references that are no UUIDs are looked for.
    """
    return (
        _warn_references,
        partial(_warn_borrowed_labels, key_by=key_by),
        partial(_warn_keys, key_by=key_by),
        *((_warn_unpinned,) if pinned else ()),
    )


def _references(data: Data) -> _Parts:
    deployments = [
        (("agents", index, "deployment"), deployment) for index, deployment, _ in _agents(data)
    ]
    return [*_texts(data, "packs"), *deployments]


def _texts(data: Data, axis: str) -> list[tuple[Path, str]]:
    items = data.get(axis)
    return [
        ((axis, index), trim(item))
        for index, item in enumerate(items[:MAX_COMBINATIONS] if is_list(items) else ())
        if isinstance(item, str)
    ]


def _kind(path: Path) -> str:
    return "pack" if path[0] == "packs" else "deployment"


def _warn_references(data: Data) -> Iterator[Finding]:
    firsts: dict[tuple[str, str], tuple[Path, str]] = {}
    for path, text in _references(data):
        identity = normalize_id(text) if len(text) >= _FEWEST else None
        if identity is not None:
            first, before = firsts.setdefault((_kind(path), identity), (path, text))
            if before != text:
                yield _respelled(identity, path, text, first, before)
        elif _may_be_file(text) and (match := _FILE.fullmatch(text)):
            yield _file(path, text, match[1])
        elif len(text) >= _FEWEST and (problem := _near_uuid(text)):
            message = f"the {_kind(path)} {quote(text)} is nearly a UUID, and taken for a name"
            yield Finding("nearly-uuid", message, path, hint=problem)


def _file(path: Path, text: str, stem: str | None) -> Finding:
    kind = _kind(path)
    name = f", such as {quote(stem)}" if stem else ""
    hint = {
        "pack": f"write the pack's slug{name}, its UUID, or catalog/<slug>",
        "deployment": f"write the deployment's exact name{name}, or its UUID",
    }[kind]
    message = f"the {kind} {quote(text)} looks like a file, and none is read from here"
    return Finding("looks-like-file", message, path, hint=hint)


def _respelled(identity: str, path: Path, text: str, first: Path, before: str) -> Finding:
    return Finding(
        "respelled-uuid",
        f"{quote(before)} and {quote(text)} are one UUID in two spellings",
        path,
        hint=f"write {identity} once",
        related=(("the first spelling", first),),
    )


def _may_be_file(text: str) -> bool:
    """Tell whether a text is worth a look with the pattern; False is certain."""
    return "." in text[-5:] or ":" in text or text[:1] == "~"


def _near_uuid(text: str) -> str | None:
    """Say what keeps a text from being the UUID that it looks like; None: it looks like none."""
    inner = text.removeprefix("urn:uuid:").strip("{}").translate(_DASHES)
    digits = inner.replace("-", "")
    odd = [digit for digit in digits if digit not in _HEX]
    dashes = inner.count("-")
    if (
        not _FEWEST <= len(digits) <= _MOST
        or len(odd) > 2  # noqa: PLR2004 (slips of a finger)
        or digits.isalpha()
        or not (dashes == 0 or 3 <= dashes <= 5)  # noqa: PLR2004 (a UUID has four)
    ):
        return None
    if odd:
        return f"{quote(odd[0])} is no hexadecimal digit"
    if len(digits) != _UUID_DIGITS:
        return f"a UUID has {_UUID_DIGITS} hexadecimal digits; this has {len(digits)}"
    return f"write {_grouped(digits)}"


def _grouped(digits: str) -> str:
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _warn_borrowed_labels(data: Data, *, key_by: KeyBy) -> Iterator[Finding]:
    agents = list(_agents(data))
    owners: dict[str, int] = {}
    for index, deployment, label in agents:
        # Without a label the two keys are equal under this dialect, which is an error.
        if key_by == "deployment" or label is not None:
            owners.setdefault(normalize_label(deployment), index)
    for index, deployment, label in agents:
        borrowed = normalize_label(label or "")
        if borrowed in owners and borrowed != normalize_label(deployment):
            yield Finding(
                "misleading-label",
                f"the label {quote(label or '')} of this agent is the deployment of another one",
                ("agents", index, "label"),
                hint="give this agent a label that no deployment has",
                related=(("the other agent", ("agents", owners[borrowed], "deployment")),),
            )


def _agents(data: Data) -> Iterator[tuple[int, str, str | None]]:
    """Give index, deployment and label of each agent that has a sound deployment."""
    agents = data.get("agents")
    for index, agent in enumerate(agents[:MAX_COMBINATIONS] if is_list(agents) else ()):
        deployment = _text(agent.get("deployment")) if is_mapping(agent) else None
        if deployment is not None:
            yield index, deployment, _text(agent.get("label"))


def _text(value: object) -> str | None:
    return trim(value) if isinstance(value, str) and not is_blank(value) else None


def _warn_keys(data: Data, *, key_by: KeyBy) -> Iterator[Finding]:
    axes = _parts(data, key_by)
    for axis, parts in axes.items():
        yield from _warn_segments(parts)
        yield from _warn_case(axis, parts)
    yield from _warn_length(axes, repeats=count_combinations(data)["repeats"])


def _parts(data: Data, key_by: KeyBy) -> dict[str, _Parts]:
    """Give for each axis what stands in the key, with its place."""
    axes: dict[str, _Parts] = {
        axis: [(path, normalize_label(text)) for path, text in _texts(data, axis)]
        for axis in ("packs", "models")
    }
    axes["agents"] = [
        (("agents", index, "deployment"), normalize_label(deployment))
        if key_by == "deployment" or label is None
        else (("agents", index, "label"), normalize_label(label))
        for index, deployment, label in _agents(data)
    ]
    return axes


def _warn_segments(parts: _Parts) -> Iterator[Finding]:
    # A look at all of them at once shows that there is nothing, as is most often the case.
    whole = "/\n/".join([part for _, part in parts])
    if not _ODD_SEGMENT.search(f"/{whole}/"):
        return
    for path, part in parts:
        odd = [each for each in part.split("/") if each in _ODD_SEGMENTS]
        is_file = path[0] == "packs" or path[-1] == "deployment"
        if odd and part and not (is_file and _FILE.fullmatch(part)):
            shown = quote(odd[0]) if odd[0] else "empty"
            message = f"a segment of {quote(part)} is {shown}: as a path, its key leads elsewhere"
            hint = "name it otherwise, or store results by the combination's id"
            yield Finding("path-in-key", message, path, hint=hint)


def _warn_case(axis: str, parts: _Parts) -> Iterator[Finding]:
    if len({part.casefold() for _, part in parts}) == len({part for _, part in parts}):
        return
    firsts: dict[str, tuple[Path, str]] = {}
    for path, part in parts:
        first, before = firsts.setdefault(part.casefold(), (path, part))
        are_labels = path[-1] == first[-1] == "label"  # which `similar-labels` tells
        if before == part or are_labels or normalize_id(part):
            continue
        message = (
            f"the {axis} {quote(before)} and {quote(part)} differ only by case; "
            "some file systems hold one of the two"
        )
        hint = (
            "give the two agents labels that differ in more than case"
            if axis == "agents"
            else "remove one of the two if it is a slip"
        )
        related = ((f"the first of the two {axis}", first),)
        yield Finding("similar-refs", message, path, hint=hint, related=related)


def _warn_length(axes: dict[str, _Parts], *, repeats: int) -> Iterator[Finding]:
    sized = [max([(_size(part), path) for path, part in parts]) for parts in axes.values() if parts]
    length = sum(size for size, _ in sized) + len(sized) + len(str(min(repeats, MAX_COMBINATIONS)))
    if length > MAX_KEY_BYTES:
        _, path = max(sized)
        message = f"the longest matrix key has {length:,} bytes; file names hold {MAX_KEY_BYTES}"
        hint = (
            "give the agent a shorter label"
            if path[0] == "agents"
            else "store results by the combination's id or safe name, which are short"
        )
        yield Finding("long-key", message, path, hint=hint)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _warn_unpinned(data: Data) -> Iterator[Finding]:
    for path, text in _references(data):
        if text and normalize_id(text) is None:
            message = f"the {_kind(path)} {quote(text)} is no UUID; what it means may change"
            hint = "`evalset resolve --pin` writes UUIDs in the place of names"
            yield Finding("not-pinned", message, path, hint=hint)
