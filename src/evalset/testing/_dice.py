"""Choices from a few bytes, which Hypothesis draws at once and shrinks to the plainest ones."""

from __future__ import annotations

from typing import TypeVar, final

import attrs

__all__ = ["Dice"]

_T = TypeVar("_T")
_PRIME = 251  # so that a face is another one in each turn, and zero stays zero


@final
@attrs.define
class Dice:
    """Choices that follow from at least one byte; zeros choose the first option always."""

    faces: bytes
    rolled: int = 0

    def pick(self, *options: _T) -> _T:
        """Choose one."""
        turn, place = divmod(self.rolled, len(self.faces))
        self.rolled += 1
        return options[self.faces[place] * (turn + 1) % _PRIME % len(options)]

    def sometimes(self, times: int = 2) -> bool:
        """Say yes once in so many times."""
        chosen: int = self.pick(*range(times))
        return chosen == times - 1

    def seldom(self) -> bool:
        """Say yes once in eight times."""
        return self.sometimes(8)
