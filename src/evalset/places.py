"""Places of an expansion in one direction: a range where they are regular, else a set of bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, TypeAlias, final, overload

import attrs

__all__ = ["Picked", "Places", "pick"]

Places: TypeAlias = "range | Picked"
"""Indices that only rise or only fall; equal exactly when they are the same in that order."""


def pick(indices: Iterable[int]) -> Places:
    """Give indices, which rise or fall throughout, in the one form that they have.

    Returns:
        A range where one step leads from each to the next, else what holds them as bits.
    """
    order = tuple(indices)
    step = order[1] - order[0] if len(order) > 1 else 1
    if not order:
        return range(0)
    regular = range(order[0], order[0] + step * len(order), step)
    return regular if tuple(regular) == order else Picked(order)


@final
@attrs.frozen(slots=False)
class Picked(Sequence[int]):
    """Indices without a common step. Only `pick` makes one.

    Guarantees:
        Length, index and membership take constant time. A pickle holds a bit for each
        index below the largest.
    """

    order: tuple[int, ...]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {index: place for place, index in enumerate(self.order)}

    def __len__(self) -> int:
        return len(self.order)

    @overload
    def __getitem__(self, which: int) -> int: ...
    @overload
    def __getitem__(self, which: slice) -> Places: ...
    def __getitem__(self, which: int | slice) -> int | Places:
        return pick(self.order[which]) if isinstance(which, slice) else self.order[which]

    def __contains__(self, index: object) -> bool:
        return index in self._places

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:  # noqa: ANN401
        """Give the place of an index.

        Raises:
            ValueError: It is not in that part.
        """
        place = self._places.get(value)
        if place is None or place not in range(len(self))[start:stop]:
            raise ValueError(f"{value!r} is not among the places")
        return place

    def __reduce__(self) -> tuple[Any, ...]:
        bits = sum(1 << index for index in self.order)
        is_falling = self.order[0] > self.order[1]
        return _unpack, (bits.to_bytes(bits.bit_length() // 8 + 1, "little"), is_falling)


def _unpack(packed: bytes, is_falling: bool) -> Picked:  # noqa: FBT001 (of a pickle)
    bits = int.from_bytes(packed, "little")
    rising = [index for index in range(bits.bit_length()) if bits >> index & 1]
    return Picked(tuple(reversed(rising) if is_falling else rising))
