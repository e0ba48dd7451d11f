"""The rules that a JSON Schema can't say, on plain data.

Each rule reads fields that have the right shape already, and yields findings by path;
who calls it knows where that is in a text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal, TypeAlias, final

import attrs

from evalset.canonical import MAX_EXACT, is_double, is_holdable
from evalset.extensions import MAX_DEPTH, PREFIX, has_surrogate
from evalset.keys import TRIMMED, is_blank, trim
from evalset.nodes import OddNumber, Path, to_name
from evalset.quoting import printable, quote
from evalset.shapes import is_list, is_mapping, is_sequence

__all__ = [
    "BUILT_IN_SCANNERS",
    "KEYS",
    "MAX_COMBINATIONS",
    "MAX_SEED",
    "Data",
    "Finding",
    "Rule",
    "count_combinations",
    "demand_cap",
    "excess",
    "is_sound_text",
    "rules",
    "text_fields",
    "warnings",
]

MAX_COMBINATIONS = 2000
"""The most combinations that a manifest may have; no caller can raise it."""

MAX_SEED = 2**63 - 1
"""The largest seed: what a signed integer of 64 bits holds."""

KEYS: dict[str, tuple[str, ...]] = {
    "": (
        "schema",
        "name",
        "packs",
        "agents",
        "models",
        "repeats",
        "seeds",
        "limits",
        "case_fanout",
        "scanners",
    ),
    "agents": ("deployment", "label"),
    "seeds": ("strategy", "seeds"),
    "limits": ("max_concurrent_runs", "budget_usd"),
}
"""The keys of the manifest (the empty name), of an agent, of `seeds` and of `limits`."""

BUILT_IN_SCANNERS = (
    "reward-hacking",
    "tool-misuse",
    "instruction-injection",
    "sandbox-escape-attempt",
)
"""The scanners that the specification names."""

# The reference's catalog has this name for `instruction-injection` (its fault 9).
_SCANNER_ALIASES = ("instruction-injection-compliance",)

# Control characters, lone surrogates and noncharacters (Unicode 15, sections 23.1, 23.7).
# Compiled on demand: most texts are printable, which is proof enough.
_FORBIDDEN = (
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000)
    )
    + "]"
)


@final
@attrs.frozen
class Finding:
    """A diagnostic that does not yet know where its paths are in a text.

    `at` says what of the value is meant: the `value`, its `key`, or, for a `mapping`,
    its key or first key. `related` holds a message and a path for each other place.
    """

    code: str
    message: str
    path: Path
    at: Literal["value", "key", "mapping"] = "value"
    hint: str | None = None
    related: tuple[tuple[str, Path], ...] = ()


Data: TypeAlias = Mapping[str, Any]
"""A manifest, or a part of one, as plain data, right or wrong."""

Rule: TypeAlias = Callable[[Data], Iterator[Finding]]
"""Finds one kind of fault; what is not of the shape that it needs, it leaves to the schema."""


def rules(*, cap: int = MAX_COMBINATIONS, keep_unknown: bool = False) -> tuple[Rule, ...]:
    """Give every rule whose findings are errors.

    Args:
        cap: The most combinations, 1 to 2000.
        keep_unknown: Whether unknown keys are kept, and so must hold what JSON has.
    """
    return (
        partial(_check_count, cap=cap),
        partial(_check_seed_count, keep_unknown=keep_unknown),
        _check_seeds_differ,
        _check_texts,
        _check_finite,
        _check_exact,
        partial(_check_extensions, keep_unknown=keep_unknown),
    )


def demand_cap(value: int) -> int:
    """Give a caller's cap on combinations, if it is one.

    Raises:
        ValueError: It is no whole number of 1 to 2000.
    """
    if type(value) is not int or not 1 <= value <= MAX_COMBINATIONS:
        raise ValueError(f"max_combinations is {value!r}; it is a whole number, 1 to 2000")
    return value


def is_sound_text(value: object) -> bool:
    """Tell whether a value is text as a manifest holds it: trimmed, not blank, printable."""
    return (
        type(value) is str
        and value != ""
        and value.strip(TRIMMED) == value
        # What some version of Unicode calls printable is forbidden in none, and the
        # pattern, which alone decides, takes fifty times as long.
        and (value.isprintable() or not re.search(_FORBIDDEN, value))
    )


def text_fields(data: Data) -> Iterator[tuple[Path, str]]:
    """Give every free text of a manifest with its path: names, refs, labels, scanners."""
    if isinstance(data.get("name"), str):
        yield ("name",), data["name"]
    for field in ("packs", "agents", "models", "scanners"):
        for index, item in enumerate(_items(data, field)):
            if isinstance(item, str):
                yield (field, index), item
            elif is_mapping(item):
                for key in ("deployment", "label"):
                    if isinstance(item.get(key), str):
                        yield (field, index, key), item[key]


def count_combinations(data: Data) -> dict[str, int]:
    """Give the size of each axis; a field that is missing or unsound counts as one.

    Their product is exact: Python's integers have no bound.
    """
    repeats = data.get("repeats")
    return {
        **{field: max(1, len(_list(data, field))) for field in ("packs", "agents", "models")},
        "repeats": max(1, _whole(repeats) or 1),
    }


def excess(sizes: dict[str, int], cap: int = MAX_COMBINATIONS) -> Finding | None:
    """Say that a product is over its cap, with the arithmetic and the largest cuts that fit."""
    total = math.prod(sizes.values())
    if total <= cap:
        return None
    factors = " x ".join(
        f"{_grouped(size)} {axis if size > 1 else axis.removesuffix('s')}"
        for axis, size in sizes.items()
        if axis != "models" or size > 1
    )
    message = f"{factors} = {_grouped(total)} combinations; at most {cap:,} are allowed"
    fits = {axis: cap * size // total for axis, size in sizes.items()}
    cuts = [
        f"repeats: {fit}" if axis == "repeats" else f"{fit} {axis if fit > 1 else axis[:-1]}"
        for axis, fit in reversed(fits.items())
        if 1 <= fit < sizes[axis]
    ]
    largest = max(reversed(sizes), key=lambda axis: sizes[axis])
    return Finding(
        "too-many-combinations",
        message,
        (largest,),
        "value" if largest == "repeats" else "key",
        f"what fits: {', or '.join(cuts)}" if cuts else "cut more than one of them",
    )


def _grouped(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"over {10**15:,}"


def _check_count(data: Data, *, cap: int) -> Iterator[Finding]:
    if finding := excess(count_combinations(data), cap):
        yield finding


def _check_seed_count(data: Data, *, keep_unknown: bool) -> Iterator[Finding]:
    is_explicit = _mapping(data, "seeds").get("strategy") == "explicit"
    is_written = data.get("repeats") is not None
    if not is_written and not keep_unknown and any(True for _ in _unknown_keys(data)):
        return  # one of them may be a misspelt `repeats`
    count, repeats = len(_seeds(data)), _whole(data["repeats"]) if is_written else 1
    if is_explicit and count and repeats and repeats >= 1 and repeats != count:
        seeds, wanted = _times(count, "seed"), _times(repeats, "repeat")
        message = f"{seeds} for {wanted}; explicit seeds need one each"
        hint = f"write {_times(repeats, 'seed')}, or repeats: {count}"
        related = ((f"repeats is {repeats}", ("repeats",)),) if is_written else ()
        yield Finding("seeds-count", message, ("seeds", "seeds"), "key", hint, related)


def _times(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _check_seeds_differ(data: Data) -> Iterator[Finding]:
    first: dict[int, int] = {}
    for index, value in enumerate(_few_seeds(data)):
        seed = _whole(value)
        if seed is None:
            continue
        if seed in first:
            yield Finding(
                "duplicate-seed",
                f"the seed {seed} stands twice",
                ("seeds", "seeds", index),
                hint="write another one; two repeats of one seed are one measurement",
                related=(("it stands here first", ("seeds", "seeds", first[seed])),),
            )
        else:
            first[seed] = index


def _check_texts(data: Data) -> Iterator[Finding]:
    for path, text in text_fields(data):
        trimmed = trim(text)
        # As for `is_sound_text`: most texts are printable, which is proof enough.
        if not trimmed.isprintable() and (match := re.search(_FORBIDDEN, trimmed)):
            number = f"U+{ord(match[0]):04X}"
            message = f"{quote(text)} holds the character {number}, which no text of a manifest may"
            yield Finding("forbidden-character", message, path, hint="remove it")


def _check_finite(data: Data) -> Iterator[Finding]:
    budget = _mapping(data, "limits").get("budget_usd")
    if isinstance(budget, int) and not is_double(budget):  # which no schema can say
        message = "limits.budget_usd has over 300 digits; the most is about 1.8e308"
        yield Finding("not-finite", message, ("limits", "budget_usd"))


def _check_exact(data: Data) -> Iterator[Finding]:
    places: list[tuple[Path, Any]] = [
        (("seeds", "seeds", index), seed) for index, seed in enumerate(_few_seeds(data))
    ]
    runs = _mapping(data, "limits").get("max_concurrent_runs")
    places.append((("limits", "max_concurrent_runs"), runs))
    for path, value in places:
        is_whole = isinstance(value, float) and value.is_integer()
        if is_whole and MAX_EXACT < abs(value) <= MAX_SEED:  # beyond, it is out of range
            message = f"{value!r} is too large to be exact with a point or an exponent"
            yield Finding("not-an-integer", message, path, hint="write all its digits")


def _check_extensions(data: Data, *, keep_unknown: bool) -> Iterator[Finding]:
    for level, path, mapping in _mappings(data):
        for key, value in mapping.items():
            is_kept = keep_unknown and key not in KEYS[level] and (*path, key) != ("$schema",)
            if key.startswith(PREFIX) or is_kept:
                yield from _check_key(key, (*path, key))
                yield from _check_json(value, (*path, key))


def _check_json(value: object, path: Path, depth: int = MAX_DEPTH) -> Iterator[Finding]:
    if depth == 0 and (is_mapping(value) or is_sequence(value)):
        message = f"{to_name(path)}: nested more than {MAX_DEPTH} deep below the extension's key"
        yield Finding("too-deep", message, path)
    elif is_mapping(value):
        for key, item in value.items():
            yield from _check_key(key, (*path, key))
            yield from _check_json(item, (*path, key), depth - 1)
    elif is_sequence(value):
        for index, item in enumerate(value):
            yield from _check_json(item, (*path, index), depth - 1)
    elif problem := _json_problem(value):
        yield Finding("extension-not-json", f"{to_name(path)}: {problem}", path)


def _check_key(key: str, path: Path) -> Iterator[Finding]:
    if problem := _json_problem(key):
        yield Finding("extension-not-json", f"{to_name(path)}: {problem}", path, "key")


def _json_problem(value: object) -> str | None:
    if isinstance(value, OddNumber):
        return f"{printable(value.source)} is no number of JSON's"
    if isinstance(value, str) and has_surrogate(value):
        return f"{quote(value)} holds a lone surrogate, which UTF-8 can't"
    if isinstance(value, (int, float)) and not is_holdable(value):
        return "a number must be finite, of 400 digits at most"
    if not isinstance(value, (str, bool, int, float, type(None))):
        return f"a value of the type {type(value).__name__} is not JSON"
    return None


def warnings(
    scanners: Sequence[str] = BUILT_IN_SCANNERS, *, keep_unknown: bool = False
) -> tuple[Rule, ...]:
    """Give every rule that finds what is allowed and probably not meant.

    Args:
        scanners: The scanners that the host knows.
        keep_unknown: Whether unknown keys are kept.
    """
    kept = (_warn_kept,) if keep_unknown else ()
    return (
        partial(_warn_scanners, scanners=scanners),
        _warn_labels,
        _warn_budget,
        _warn_seeds,
        *kept,
    )


def _warn_budget(data: Data) -> Iterator[Finding]:
    budget = _mapping(data, "limits").get("budget_usd")
    if budget is not None and budget == 0:
        yield Finding(
            "zero-budget",
            "a budget of 0 means no budget, not a budget of nothing",
            ("limits", "budget_usd"),
            hint="remove the key, or write the budget",
        )


def _warn_seeds(data: Data) -> Iterator[Finding]:
    for index, seed in enumerate(map(_whole, _few_seeds(data))):
        if seed is not None and MAX_EXACT < seed <= MAX_SEED:
            message = f"the seed {seed} is above 2**53-1; JavaScript and others would change it"
            yield Finding("large-seed", message, ("seeds", "seeds", index))


def _warn_scanners(data: Data, *, scanners: Sequence[str]) -> Iterator[Finding]:
    for index, item in enumerate(_items(data, "scanners")):
        scanner = trim(item) if isinstance(item, str) else ""
        if scanner and scanner not in scanners and scanner not in _SCANNER_ALIASES:
            from difflib import get_close_matches

            near = get_close_matches(scanner, scanners, 1)
            known = f"did you mean {near[0]}?" if near else f"known are {', '.join(scanners)}"
            message = f"the scanner {quote(scanner)} is not built in"
            yield Finding("unknown-scanner", message, ("scanners", index), hint=known)


def _warn_labels(data: Data) -> Iterator[Finding]:
    from unicodedata import normalize

    first: dict[str, tuple[int, str]] = {}
    for index, agent in enumerate(_items(data, "agents")):
        label = agent.get("label") if is_mapping(agent) else None
        if not isinstance(label, str) or is_blank(label):
            continue
        label = trim(label)
        shape = normalize("NFKC", label.casefold())
        before, other = first.setdefault(shape, (index, label))
        if other != label:
            message = (
                f"the labels {quote(other)} and {quote(label)} differ only by case, width or "
                "composition"
            )
            yield Finding(
                "similar-labels",
                message,
                ("agents", index, "label"),
                related=(("the other label", ("agents", before, "label")),),
            )


def _warn_kept(data: Data) -> Iterator[Finding]:
    for path in _unknown_keys(data):
        message = f"the key {quote(str(path[-1]))} is unknown here; it was kept as it is"
        yield Finding("kept-key", message, path, "key")


def _unknown_keys(data: Data) -> Iterator[Path]:
    for level, path, mapping in _mappings(data):
        for key in mapping:
            whole = (*path, key)
            if key not in KEYS[level] and not key.startswith(PREFIX) and whole != ("$schema",):
                yield whole


def _mappings(data: Data) -> Iterator[tuple[str, Path, Data]]:
    yield "", (), data
    for field in ("seeds", "limits"):
        if is_mapping(data.get(field)):
            yield field, (field,), data[field]
    for index, agent in enumerate(_items(data, "agents")):
        if is_mapping(agent):
            yield "agents", ("agents", index), agent


def _list(data: Data, field: str) -> list[Any]:
    value = data.get(field)
    return value if is_list(value) else []


def _items(data: Data, field: str) -> list[Any]:
    """Give what is looked at of a list: one that is longer than any may be says so itself."""
    return _list(data, field)[:MAX_COMBINATIONS]


def _few_seeds(data: Data) -> list[Any]:
    return _items(_mapping(data, "seeds"), "seeds")


def _mapping(data: Data, field: str) -> Data:
    value = data.get(field)
    return value if is_mapping(value) else {}


def _seeds(data: Data) -> list[Any]:
    return _list(_mapping(data, "seeds"), "seeds")


def _whole(value: object) -> int | None:
    """Give the integer that a number stands for; None where it is none."""
    is_whole = type(value) is int or (type(value) is float and value.is_integer())
    return int(value) if is_whole and isinstance(value, (int, float)) else None
