"""The short way into JSON, for text that has nothing to explain: plain data, no places."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from evalset.scalars import json_number

__all__ = ["quick_json"]


def quick_json(text: str) -> Any:  # noqa: ANN401 (plain data)
    """Read JSON the short way.

    Raises:
        ValueError: The text is not strict JSON, holds a key twice, or may be too deep;
            `read_json` tells what and where.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_unique, parse_constant=_refuse, parse_int=json_number
        )
    except RecursionError as error:
        raise ValueError(str(error)) from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError("a key stands twice")
    return mapping


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
