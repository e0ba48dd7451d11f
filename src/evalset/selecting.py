"""Which entries of an axis somebody means: exact texts first, then patterns, never nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import product
from typing import TypeAlias

from evalset.errors import SelectionError
from evalset.quoting import escape, quote

__all__ = [
    "Axis",
    "Names",
    "Wanted",
    "WantedRepeats",
    "find_entries",
    "find_keys",
    "find_repeats",
    "missing",
    "multiply",
]

Wanted: TypeAlias = "str | Iterable[str]"
"""A text or pattern, or several: `*` is any text, `?` one character, `[ab]` one of these."""

WantedRepeats: TypeAlias = "int | Iterable[int]"
"""The number of a repeat, a range, or several numbers."""

Axis: TypeAlias = str
"""`pack`, `agent`, `model`, `repeat` or `key`."""

Names: TypeAlias = Collection[str]
"""What an entry of an axis is called, the first name being the one to show."""

_SHOWN = 5  # entries that a message lists
_LENGTH = 100  # characters of one that are shown whole, to be copied


def find_entries(axis: Axis, entries: Sequence[Names], wanted: Wanted) -> frozenset[int]:
    """Find the entries that are meant.

    Args:
        axis: What to call an entry in messages.
        entries: The names of each entry; none at all: there is no such axis.
        wanted: Texts and patterns. A text that is the name of an entry means just the
            entries of this name, whatever else it would match as a pattern.

    Returns:
        The places of the entries, from 0.

    Raises:
        SelectionError: A text or pattern matches nothing.
        TypeError: One is no text.
    """
    found: set[int] = set()
    exact: dict[str, list[int]] = {}
    for place, names in enumerate(entries):
        for name in names:
            exact.setdefault(name, []).append(place)
    for text in _texts(axis, wanted):
        places = exact.get(text) or [
            place
            for place, names in enumerate(entries)
            if any(fnmatchcase(name, text) for name in names)
        ]
        if not places:
            raise missing(axis, text, entries)
        found.update(places)
    return frozenset(found)


def find_keys(
    wanted: Wanted, find: Callable[[str], int | None], keys: Callable[[], Sequence[str]]
) -> set[int]:
    """Find the combinations that are meant.

    Args:
        wanted: Matrix keys, ids, safe names, and patterns for keys.
        find: Gives the index that a key, id or safe name stands for.
        keys: Gives every key, in order.

    Raises:
        SelectionError: A text or pattern matches nothing.
        TypeError: One is no text.
    """
    found: set[int] = set()
    for text in _texts("key", wanted):
        exact = find(text)
        indices = (
            [exact]
            if exact is not None
            else [index for index, key in enumerate(keys()) if fnmatchcase(key, text)]
        )
        if not indices:
            raise missing("key", text, [[key] for key in keys()])
        found.update(indices)
    return found


def find_repeats(wanted: WantedRepeats, count: int) -> frozenset[int]:
    """Find the repeats that are meant.

    Args:
        wanted: A number, a range (of which some must be there), or several numbers (of
            which each must).
        count: How many repeats there are.

    Returns:
        Their numbers, from 0.

    Raises:
        SelectionError: A number, or a whole range, is not there.
        TypeError: One is no whole number.
    """
    if isinstance(wanted, range):
        found = frozenset(number for number in range(1, count + 1) if number in wanted)
        missing = [] if found else [_show_range(wanted)]
    else:
        found = frozenset(_numbers(wanted))
        missing = [str(number) for number in sorted(found) if not 1 <= number <= count]
    if missing:
        message = f"no repeat matches {missing[0]}; repeats are 1 to {count}"
        raise SelectionError("repeat", missing[0], message)
    return frozenset(number - 1 for number in found)


def multiply(
    sizes: tuple[int, int, int, int], wanted: Sequence[Collection[int] | None]
) -> set[int]:
    """Give the indices, in the order of an expansion, of a product of places.

    Args:
        sizes: How many packs, agents, models (at least one) and repeats there are.
        wanted: The places of each; None: all.
    """
    axes = [range(size) if some is None else some for size, some in zip(sizes, wanted, strict=True)]
    return {
        ((pack * sizes[1] + agent) * sizes[2] + model) * sizes[3] + repeat
        for pack, agent, model, repeat in product(*axes)
    }


def _texts(axis: Axis, wanted: Wanted) -> Iterator[str]:
    for text in [wanted] if isinstance(wanted, str) else wanted:
        if not isinstance(text, str):
            raise TypeError(f"what is wanted of a {axis} is text, not {type(text).__name__}")
        yield text


def _numbers(wanted: int | Iterable[int]) -> Iterator[int]:
    for number in [wanted] if isinstance(wanted, int) else wanted:
        if type(number) is not int:
            raise TypeError(f"a repeat is a whole number, not {type(number).__name__}")
        yield number


def missing(axis: Axis, text: str, entries: Sequence[Names]) -> SelectionError:
    """Say that nothing is called so, and what comes near to it or what there is."""
    message = f"no {axis} matches {quote(text)}; {_advice(axis, text, entries)}"
    return SelectionError(axis, text, message)


def _advice(axis: Axis, text: str, entries: Sequence[Names]) -> str:
    from difflib import get_close_matches

    folded = {name.casefold(): name for names in reversed(entries) for name in names}
    near = get_close_matches(text.casefold(), folded, 3, 0.7)
    if near:
        return f"did you mean {' or '.join(_show(folded[name]) for name in near)}?"
    shown = [_show(next(iter(names))) for names in entries[:_SHOWN]]
    if not shown:
        return f"the manifest has no {axis}s, only the implicit slot"
    more = f" and {len(entries) - len(shown):,} more" if len(entries) > len(shown) else ""
    return f"there {'is' if len(entries) == 1 else 'are'} {', '.join(shown)}{more}"


def _show(name: str) -> str:
    return f'"{escape(name)}"' if len(name) <= _LENGTH else quote(name)


def _show_range(numbers: range) -> str:
    if not numbers or numbers.step != 1:
        return str(numbers)
    first, last = numbers[0], numbers[-1]
    return f"{first}" if first == last else f"{first} to {last}"
