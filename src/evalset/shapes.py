"""Plain data told apart, in a way that type checkers follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard, TypeVar

__all__ = ["demand", "is_list", "is_mapping", "is_number", "is_sequence", "plain_scalar"]

_T = TypeVar("_T")


def demand(value: object, wanted: type[_T], name: str) -> _T:
    """Give the value of a caller's argument, if it is of the model that it must be.

    Raises:
        TypeError: It is not.
    """
    if not isinstance(value, wanted):
        model, given = wanted.__name__, type(value).__name__
        hint = f"; {model}.from_dict takes plain data" if hasattr(wanted, "from_dict") else ""
        raise TypeError(f"{name} is of the type {model}, not {given}{hint}")
    return value


def is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Tell whether a value is a mapping; whether its keys are text is the caller's to know."""
    return isinstance(value, (dict, Mapping))  # a dict is told at once, an ABC takes its time


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Tell whether a value is a list."""
    return isinstance(value, list)


def is_sequence(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Tell whether a value is a list or a tuple: what is written as a JSON array."""
    return isinstance(value, (list, tuple))


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is an int or a float; booleans are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def plain_scalar(value: object) -> object:
    """Take a member of an enumeration of text or numbers, or the like, for its value."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return float(value) if isinstance(value, float) else value
