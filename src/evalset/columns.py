"""Texts in columns of a terminal: measured, cut, filled and counted."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence

__all__ = ["count_of", "cut", "lay_out", "pad", "width_of"]

_GAP = "  "


def lay_out(rows: Sequence[Sequence[str]], *, numbers: Collection[int] = ()) -> Iterator[str]:
    """Give a line for each row, its cells in columns.

    Args:
        rows: The cells, as many in each row.
        numbers: The columns, from 0, that stand on the right.
    """
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            pad(cell, width, is_number=place in numbers)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield _GAP.join(cells).rstrip()


def count_of(count: int, noun: str) -> str:
    """Give a number and its noun, such as `1 pack` or `2,000 packs`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def pad(text: str, width: int, *, is_number: bool = False) -> str:
    """Fill a text with spaces to a width; numbers stand on the right."""
    space = " " * (width - width_of(text))
    return space + text if is_number else text + space


def cut(text: str, width: int) -> str:
    """Leave out the middle of a text that is wider than there is room."""
    if width_of(text) <= width:
        return text
    head = _start(text, width // 2)
    tail = _start(text[::-1], width - 1 - width_of(head))[::-1]
    while tail and _char_width(tail[0]) == 0:  # a mark whose letter was cut off
        tail = tail[1:]
    return f"{head}…{tail}"


def _start(text: str, width: int) -> str:
    end = 0
    while end < len(text) and (width := width - _char_width(text[end])) >= 0:
        end += 1
    return text[:end]


def width_of(text: str) -> int:
    """Give the columns that a terminal gives a text."""
    return len(text) if text.isascii() else sum(map(_char_width, text))


def _char_width(char: str) -> int:
    """Give the columns that terminals give a character (Unicode Standard Annex 11)."""
    if unicodedata.category(char) in {"Mn", "Me"} or "\u1160" <= char <= "\u11ff":
        return 0  # marks, and the Hangul vowels and finals that join the letter before
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
