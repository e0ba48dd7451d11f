"""One text for equal data: the canonical form that digests are taken over.

Close to RFC 8785, but whole numbers are exact at any size: keys sorted by code point, no
white space, text unescaped but for what JSON demands, whole floats below 2**53 written
as integers and every other float as Python's shortest `repr`.
"""

from __future__ import annotations

import math
from typing import Any

from evalset.shapes import is_mapping, is_sequence

__all__ = [
    "MAX_DIGITS",
    "MAX_EXACT",
    "canonical_json",
    "is_double",
    "is_holdable",
    "number",
    "sha256_hex",
]

MAX_DIGITS = 400
"""The longest whole number that is read or written; Python itself stops at 4,300 digits."""

_TOO_LONG: int = 10**MAX_DIGITS

MAX_EXACT = 2**53 - 1
"""The largest whole number that a double holds exactly, as every smaller one."""


def canonical_json(data: object) -> str:
    """Write plain data (None, bool, int, float, str, sequences, mappings) in canonical form.

    Guarantees:
        Equal data gives equal text: `3`, `3.0` and `-0.0` against `0`, or mappings in
        another order. `True` and `1` differ, as they do in JSON, and so do an int and a float
        from 2**53 on.
    """
    import json

    return json.dumps(
        _canonical(data), ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )


def _canonical(data: object) -> Any:  # noqa: ANN401 (what json.dumps takes)
    if isinstance(data, float):
        return number(data)
    if is_mapping(data):
        return {key: _canonical(value) for key, value in data.items()}
    if is_sequence(data):
        return [_canonical(item) for item in data]
    return data


def number(value: float) -> float:
    """Give a whole float below 2**53 as the integer that it is, any other number unchanged."""
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) <= MAX_EXACT
    return int(value) if is_whole else value


def is_holdable(value: float) -> bool:
    """Tell whether JSON can hold a number: finite, and no longer than 400 digits."""
    if isinstance(value, int):
        return -_TOO_LONG < value < _TOO_LONG
    return math.isfinite(value)


def is_double(value: float) -> bool:
    """Tell whether a number, as a float, is finite."""
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def sha256_hex(prefix: str, data: object) -> str:
    """Give the SHA-256 of a versioned prefix, NUL and the canonical form, in hexadecimal."""
    import hashlib  # loads OpenSSL: 3 ms

    return hashlib.sha256(f"{prefix}\0{canonical_json(data)}".encode()).hexdigest()
