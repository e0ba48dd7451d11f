"""Plain data told apart, in a way that type checkers follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

__all__ = ["is_list", "is_mapping", "is_number", "is_sequence"]


def is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Tell whether a value is a mapping; whether its keys are text is the caller's to know."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Tell whether a value is a list."""
    return isinstance(value, list)


def is_sequence(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Tell whether a value is a list or a tuple: what is written as a JSON array."""
    return isinstance(value, (list, tuple))


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is an int or a float; booleans are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
