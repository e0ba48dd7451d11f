"""Normal values: what a field holds, however it was written.

Each function brings what is right to its normal form and passes on what is wrong, so
that the check behind it can explain it: `tuple("abc")` would hide a mistake.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypeVar, cast

from evalset.canonical import MAX_EXACT, is_double
from evalset.extensions import Extensions
from evalset.keys import trim
from evalset.shapes import is_number, is_sequence, plain_scalar

_Text = TypeVar("_Text", bound=str)

__all__ = [
    "Strategy",
    "budget",
    "concurrency",
    "exact",
    "extensions",
    "flag",
    "integer",
    "integers",
    "optional_text",
    "optional_texts",
    "repeats",
    "strategy",
    "text",
    "texts",
]


Strategy: TypeAlias = Literal["auto", "explicit"]
"""Where seeds come from: the harness, or the list in the manifest."""


def text(value: str) -> str:
    """Trim text."""
    return trim(value) if isinstance(value, str) else value


def optional_text(value: str | None) -> str | None:
    """Trim text, where None is allowed."""
    return trim(value) if isinstance(value, str) else value


def texts(values: Sequence[str]) -> tuple[str, ...]:
    """Freeze a list or tuple of texts, each trimmed."""
    if is_sequence(values):
        return tuple([text(value) for value in values])
    return cast("tuple[str, ...]", values)


def optional_texts(values: Sequence[str] | None) -> tuple[str, ...]:
    """Freeze a list or tuple of texts; None is none."""
    return () if values is None else texts(values)


def integer(value: float) -> int:
    """Take a whole float for the integer that it is, as far as floats are exact."""
    number: object = value
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return cast("int", value)
    is_whole = isinstance(number, int) or (number.is_integer() and abs(number) <= MAX_EXACT)
    return int(number) if is_whole else cast("int", value)


def integers(values: Sequence[float] | None) -> tuple[int, ...]:
    """Freeze a list or tuple of integers; None is none."""
    if is_sequence(values):
        return tuple([integer(value) for value in values])
    return () if values is None else cast("tuple[int, ...]", values)


def repeats(value: float | None) -> int:
    """Take the number of repeats; None is 1."""
    return 1 if value is None else integer(value)


def strategy(value: Strategy | None) -> Strategy:
    """Take a strategy; None is `auto`."""
    return "auto" if value is None else exact(value)


def exact(value: _Text) -> _Text:
    """Take text as it is, as plain str."""
    return cast("_Text", plain_scalar(value))


def flag(value: bool | None) -> bool:  # noqa: FBT001 (a converter)
    """Take a boolean; None is false."""
    return False if value is None else value


def concurrency(value: float | None) -> int | None:
    """Take a whole number; 0 is not set, as None is."""
    return None if value is None or _is_zero(value) else integer(value)


def budget(value: float | None) -> float | None:
    """Take a number as a float; 0 is not set, as None is."""
    if value is None or _is_zero(value):
        return None
    return float(value) if is_number(value) and is_double(value) else value


def extensions(values: Mapping[str, Any] | None) -> Extensions:
    """Freeze a mapping; None is empty."""
    try:
        return values if isinstance(values, Extensions) else Extensions(values)
    except ValueError:
        return cast("Extensions", values)


def _is_zero(value: object) -> bool:
    return is_number(value) and value == 0
