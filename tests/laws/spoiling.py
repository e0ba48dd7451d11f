"""Good data and good texts, spoiled without knowing what comes of it."""

import math
from collections.abc import Iterator
from copy import deepcopy
from functools import reduce
from typing import Any

from hypothesis import strategies as st

from evalset.shapes import is_list, is_mapping
from evalset.testing import documents, manifest_data

__all__ = ["mutated_texts", "odd_values", "spoiled_data"]

# What stands where something else is wanted, or just there.
_ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 2001, 2**53, 2**63 - 1, 2**63, 10**30, 0.0, -0.0, 1.0, 1.5, 3.0,
    1e17, 1e300, -0.5, "", " ", "\u3000", "a", "a b", "a-b", "a/b", " a\t", "1", "1.0", "true",
    "yes", "auto", "explicit", "Explicit", "evalset/v1", "evalset/v2", "\x1f", "a\x00b", "a\nb",
    "\ufffe",
    [], [None], ["a"], ["a", "a"], ["a b", "a-b"], [1], [1, 1], [1, 1.0], [2, 1], [0], [True], [[]],
    {}, {"x-a": 1}, {"a": 1}, {"deployment": "a"}, {"deployment": None}, {"strategy": "explicit"},
    {"strategy": "auto", "seeds": [1]}, {"strategy": "explicit", "seeds": [1]},
    [{"deployment": "a"}], [{"deployment": "a"}, {"deployment": "a"}],
    [{"deployment": "a", "label": "b"}, {"deployment": "b"}],
    ["a", "a/b"], [{"deployment": "b/a"}, {"deployment": "a"}],
)  # fmt: skip
# Plain data only: no text of JSON holds these as they are.
_ODDER: tuple[Any, ...] = (
    math.inf, -math.inf, math.nan, 10**309, 10**400, 10**5000, "\ud800", ("a",), (1,), b"a", {"a"},
    object(), 1j, {1: 2}, {None: 1}, {"x-a": math.nan}, {"x-a": {1}}, {"x-a": [b""]},
    {"x-\ud800": 1},
)  # fmt: skip
_KEYS = (
    "schema", "name", "packs", "agents", "models", "repeats", "seeds", "limits", "case_fanout",
    "scanners", "deployment", "label", "strategy", "max_concurrent_runs", "budget_usd", "$schema",
    "x-a", "x", "", "repeat", "X-a",
)  # fmt: skip


def odd_values(*, odder: bool = True) -> st.SearchStrategy[Any]:
    """Give values that are seldom right."""
    return st.sampled_from(_ODD + (_ODDER if odder else ()))


@st.composite
def spoiled_data(
    draw: st.DrawFn, *, odder: bool = True, most: int = 3, unique_keys: bool = True
) -> dict[str, Any]:
    """Give good plain data in which some values were replaced, deleted, repeated or added."""
    data = deepcopy(draw(manifest_data(unique_keys=unique_keys)))
    for _ in range(draw(st.integers(0, most))):
        owners = [each for each in _collections(data) if each]
        owner: Any = draw(st.sampled_from(owners))
        step = draw(st.sampled_from(_steps(owner)))
        change = draw(st.sampled_from(["replace", "replace", "delete", "add"]))
        value = draw(odd_values(odder=odder))
        if change == "delete":
            del owner[step]
        elif change == "replace":
            owner[step] = deepcopy(value)
        elif isinstance(step, int):
            owner.append(deepcopy(draw(st.sampled_from([value, *owner]))))
        else:
            owner[draw(st.sampled_from(_KEYS))] = deepcopy(value)
    return data


def _steps(owner: object) -> list[Any]:
    return [*owner] if is_mapping(owner) else [*range(len(owner))] if is_list(owner) else []


def _collections(data: object) -> Iterator[Any]:
    """Give every list and mapping of plain data."""
    if is_mapping(data) or is_list(data):
        yield data
        for below in data.values() if is_mapping(data) else data:
            yield from _collections(below)


_PIECES = (
    "\n", "\r", "\t", " ", "  ", ":", ": ", "- ", "-", "#", " #", "'", '"', "{", "}", "[", "]", ",",
    "&a ", "*a", "!a ", "!!str ", "!!int ", "|", ">", "|-\n", "? ", "%", "@", "`", "---\n", "...\n",
    "\n--- ", "<<: ", "~", "null", "true", "010", "1e999", ".inf", "\\", "\\u", '"\\ud800"', "\x00",
    "\x85", "\u2028", "\ufeff", "\ufffe", "\U0001f600", "\ud800", "%YAML 1.1\n", "x-a: ", '"x-a": ',
    "evalset/v2", "[[[[", "{a: ", "&a [*a]", "\n\n  ", "0", "9" * 401,
)  # fmt: skip


@st.composite
def mutated_texts(draw: st.DrawFn) -> str:
    """Give a good text in which some slices were deleted, repeated, swapped, or changed."""
    text = draw(documents()).text
    changes = draw(st.lists(st.sampled_from(_CHANGES), min_size=1, max_size=3))
    return reduce(lambda before, change: change(draw, before), changes, text)


def _slice(draw: st.DrawFn, text: str) -> tuple[str, str, str]:
    start = draw(st.integers(0, len(text)))
    end = min(len(text), start + draw(st.integers(0, 20)))
    return text[:start], text[start:end], text[end:]


def _delete(draw: st.DrawFn, text: str) -> str:
    before, _, behind = _slice(draw, text)
    return before + behind


def _repeat(draw: st.DrawFn, text: str) -> str:
    before, piece, behind = _slice(draw, text)
    return before + piece * draw(st.integers(2, 3)) + behind


def _move(draw: st.DrawFn, text: str) -> str:
    before, piece, behind = _slice(draw, text)
    first, second, last = _slice(draw, before + behind)
    return first + piece + second + last


def _truncate(draw: st.DrawFn, text: str) -> str:
    return text[: draw(st.integers(0, len(text)))]


def _retype(draw: st.DrawFn, text: str) -> str:
    before, _, behind = _slice(draw, text)
    return before + draw(st.sampled_from(_PIECES)) + behind


def _insert(draw: st.DrawFn, text: str) -> str:
    place = draw(st.integers(0, len(text)))
    return text[:place] + draw(st.sampled_from(_PIECES)) + text[place:]


def _indent(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    index = draw(st.integers(0, len(lines) - 1))
    indent = draw(st.sampled_from(["", " ", "  ", "    ", "\t"]))
    lines[index] = indent + lines[index].lstrip(" ")
    return "\n".join(lines)


def _swap_lines(draw: st.DrawFn, text: str) -> str:
    lines = text.split("\n")
    first, second = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines) - 1))
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


_CHANGES = (_delete, _repeat, _move, _truncate, _retype, _insert, _indent, _swap_lines)
