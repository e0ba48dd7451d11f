"""What a manifest carries for others: the `x-` keys, frozen.

Readers of the format ignore these keys and hand them on. A manifest is immutable and
hashable, so their values are too: lists become tuples, mappings become `Extensions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, final

from evalset.canonical import canonical_json, is_holdable
from evalset.shapes import is_mapping, is_number, is_sequence, plain_scalar

__all__ = ["MAX_DEPTH", "PREFIX", "Extensions", "has_surrogate"]

PREFIX = "x-"
"""What an extension key starts with."""

MAX_DEPTH = 60
"""How deep the value of an extension may nest, so that a document stays within 64."""


@final
class Extensions(Mapping[str, Any]):
    """An immutable, hashable mapping of JSON values.

    `is_kept` tells whether it may hold keys that a reader did not know and kept; a model
    takes others only if they start with `x-`.

    Equal to another by canonical form: order does not count, `1` equals `1.0`, and
    `True` does not equal `1`. From 2**53 on an int and a float differ, since a double no
    longer tells neighbours apart. Not equal to a plain dict; `to_dict()` gives one.

    Example:
        >>> Extensions({"x-owner": {"team": "agents", "on_call": ["a", "b"]}})["x-owner"]
        Extensions({'team': 'agents', 'on_call': ('a', 'b')})
    """

    __slots__ = ("_values", "is_kept")

    _values: dict[str, Any]
    is_kept: bool

    def __init__(self, values: Mapping[str, Any] | None = None, /) -> None:
        """Freeze a mapping of text to JSON values.

        Raises:
            TypeError: The values are no mapping.
            ValueError: A value, at any depth, is not what JSON has: another type, a
                number that is not finite or has over 400 digits, a lone surrogate, a key
                that is not text, or nesting deeper than 60.
        """
        frozen = {} if values is None else self._freeze_items(values, MAX_DEPTH)
        object.__setattr__(self, "_values", frozen)
        object.__setattr__(self, "is_kept", False)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"extensions are immutable; {name!r} can't be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"extensions are immutable; {name!r} can't be deleted")

    @classmethod
    def keep(cls, values: Mapping[str, Any]) -> Extensions:
        """Freeze what a newer writer stored: keys need not start with `x-`.

        Raises:
            TypeError: As for the constructor.
            ValueError: As for the constructor.
        """
        kept = cls._of_frozen(cls._freeze_items(values, MAX_DEPTH))
        object.__setattr__(kept, "is_kept", True)
        return kept

    @classmethod
    def _of_frozen(cls, values: dict[str, Any]) -> Extensions:
        extensions = cls()
        object.__setattr__(extensions, "_values", values)
        return extensions

    @classmethod
    def _freeze_items(cls, values: Mapping[str, Any], depth: int) -> dict[str, Any]:
        if not is_mapping(values):
            raise TypeError(f"extensions are a mapping, not {type(values).__name__}")
        return {_sound_text(key): cls._freeze(value, depth) for key, value in values.items()}

    @classmethod
    def _freeze(cls, value: object, depth: int) -> object:
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return _sound_text(value)
        if is_number(value) and is_holdable(value):
            return plain_scalar(value)
        if depth == 0 and (is_mapping(value) or is_sequence(value)):
            raise ValueError(f"nested deeper than {MAX_DEPTH}")
        if is_mapping(value):
            return cls._of_frozen(cls._freeze_items(value, depth - 1))
        if is_sequence(value):
            return tuple([cls._freeze(item, depth - 1) for item in value])
        raise ValueError(f"{type(value).__name__} is no finite JSON value")

    def __getitem__(self, key: str) -> Any:  # noqa: ANN401 (any JSON value)
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Extensions):
            return NotImplemented
        return canonical_json(self._values) == canonical_json(other._values)

    def __hash__(self) -> int:
        return hash(canonical_json(self._values))

    def __repr__(self) -> str:
        return f"Extensions({self._values!r})"

    def __reduce__(self) -> tuple[Callable[..., Extensions], tuple[dict[str, Any]]]:
        return (Extensions.keep if self.is_kept else Extensions), (self._values,)

    def to_dict(self) -> dict[str, Any]:
        """Give the values as plain, mutable data: dicts and lists."""
        return {key: _thawed(value) for key, value in self._values.items()}


def has_surrogate(text: str) -> bool:
    """Tell whether a text holds a lone surrogate, which UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _sound_text(text: object) -> str:
    if not isinstance(text, str) or has_surrogate(text):
        raise ValueError("not text that UTF-8 can hold")
    return str.__str__(text)


def _thawed(value: object) -> object:
    if isinstance(value, Extensions):
        return value.to_dict()
    if is_sequence(value):
        return [_thawed(item) for item in value]
    return value
