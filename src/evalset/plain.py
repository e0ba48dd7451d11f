"""Data that came without a text: copied into plain dicts and lists, within the limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from evalset.faults import Fault, Unreadable, too_deep, too_many_nodes
from evalset.nodes import Path, ReadLimits
from evalset.quoting import quote
from evalset.shapes import is_mapping, is_sequence, plain_scalar

__all__ = ["tidy"]


def tidy(data: object, limits: ReadLimits) -> tuple[Any, list[Fault]]:
    """Copy data that the caller made, so that everything after it sees JSON's types.

    Mappings become dicts and tuples become lists; keys that are not text are left out
    and reported; any other value is kept as it is, for its field to judge.

    Raises:
        Unreadable: The data nests deeper, or holds more values, than the limits allow,
            as it does when it contains itself.
    """
    tidier = _Tidier(limits)
    return tidier.copy(data, ()), tidier.faults


@attrs.define
class _Tidier:
    limits: ReadLimits
    faults: list[Fault] = attrs.field(factory=list[Fault])
    count: int = 0

    def copy(self, data: object, path: Path) -> Any:  # noqa: ANN401 (plain data)
        self.count += 1
        if self.count > self.limits.nodes:
            raise Unreadable(too_many_nodes(self.limits.nodes))
        if not is_mapping(data) and not is_sequence(data):
            return plain_scalar(data)
        if len(path) >= self.limits.depth:
            raise Unreadable(too_deep(self.limits.depth, path=path))
        if is_mapping(data):
            return dict(self.entries(data, path))
        return [self.copy(item, (*path, index)) for index, item in enumerate(data)]

    def entries(self, data: Mapping[Any, Any], path: Path) -> Iterator[tuple[str, Any]]:
        for key, value in data.items():
            if isinstance(key, str):
                yield str.__str__(key), self.copy(value, (*path, key))
            else:
                message = f"the key {quote(repr(key))} is not text"
                self.faults.append(Fault("key-not-text", message, path=path))
