"""A document as a tree of values that know where they stand in the text.

Both readers, of YAML and of JSON, give this one tree; everything after them reads it.
An alias is the anchor's own node again, so a tree is never larger than its text; `size`
and `height` count what it would be with every alias written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, final

import attrs

from evalset.nodes import OddNumber, Stretch

__all__ = ["Entry", "ListNode", "MappingNode", "Node", "ScalarNode", "to_plain"]


@final
@attrs.frozen(eq=False)
class ScalarNode:
    """A text, number, boolean or null; `source` is its text if it was written plain."""

    start: int
    end: int
    value: Any
    source: str | None = None

    size = 1
    height = 0


def _children(node: ListNode | MappingNode) -> Iterable[Node]:
    if isinstance(node, ListNode):
        return node.items
    return [entry.value for entry in node.entries.values()]


def _size(node: ListNode | MappingNode) -> int:
    return 1 + sum(child.size for child in _children(node))


def _height(node: ListNode | MappingNode) -> int:
    return 1 + max((child.height for child in _children(node)), default=0)


@final
@attrs.frozen(eq=False)
class ListNode:
    """A list and its items; `aliases` says where those stand that are aliases."""

    start: int
    end: int
    items: tuple[Node, ...]
    aliases: Mapping[int, Stretch] = {}
    size: int = attrs.field(init=False, default=attrs.Factory(_size, takes_self=True))
    height: int = attrs.field(init=False, default=attrs.Factory(_height, takes_self=True))


@final
@attrs.frozen(eq=False)
class Entry:
    """One key of a mapping with its place, and the value behind it.

    `alias` is where the alias stands that the value, or the whole entry, comes by.
    """

    start: int
    end: int
    value: Node
    alias: Stretch | None = None


@final
@attrs.frozen(eq=False)
class MappingNode:
    """A mapping and its entries, in order of the text."""

    start: int
    end: int
    entries: Mapping[str, Entry]
    size: int = attrs.field(init=False, default=attrs.Factory(_size, takes_self=True))
    height: int = attrs.field(init=False, default=attrs.Factory(_height, takes_self=True))


Node: TypeAlias = ScalarNode | ListNode | MappingNode
"""A value of a document: a scalar, a list or a mapping."""


def to_plain(node: Node, *, free: bool = False) -> Any:  # noqa: ANN401 (plain data)
    """Give the value of a node as plain data: dict, list, str, int, float, bool, None.

    Args:
        node: The node.
        free: Whether odd numbers are the numbers of YAML 1.2, as below an `x-` key.
            Elsewhere they stay `OddNumber`, which every field refuses.
    """
    if isinstance(node, ScalarNode):
        return node.value.value if free and isinstance(node.value, OddNumber) else node.value
    if isinstance(node, ListNode):
        return [to_plain(item, free=free) for item in node.items]
    return {
        key: to_plain(entry.value, free=free or key.startswith("x-"))
        for key, entry in node.entries.items()
    }
