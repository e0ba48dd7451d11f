"""A document as a tree of values that know where they stand in the text.

Both readers, of YAML and of JSON, give this one tree; everything after them reads it.
An alias is the anchor's own node again, so a tree is never larger than its text; `size`
and `height` count what it would be with every alias written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, final

import attrs

from evalset.diagnostics import printable

__all__ = [
    "MAX_DEPTH",
    "Entry",
    "ListNode",
    "MappingNode",
    "Node",
    "OddNumber",
    "Path",
    "ReadLimits",
    "ScalarNode",
    "to_name",
    "to_plain",
    "to_pointer",
]

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""


MAX_DEPTH = 64
"""How deep lists and mappings may nest in a document, whatever a caller allows."""


def to_pointer(path: Path) -> str:
    """Write a path as a JSON Pointer (RFC 6901)."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def to_name(path: Path) -> str:
    """Name a value as people do: `agents[2].label`; the empty path is the manifest."""
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return printable(steps.removeprefix(".")) or "the manifest"


@final
@attrs.frozen(kw_only=True)
class ReadLimits:
    """What a reader takes before it refuses, so that a stranger's text costs little.

    Attributes:
        size: Bytes of UTF-8 in a text of JSON, or of YAML in plain block style.
        yaml_size: Bytes of UTF-8 in a text of any other YAML, which takes seconds a MiB.
        depth: How deep lists and mappings nest.
        nodes: Values in the document once every alias is written out.

    Raises:
        ValueError: A limit is no whole number from 1, or `depth` is above 64.
    """

    size: int = 1024 * 1024
    yaml_size: int = 256 * 1024
    depth: int = MAX_DEPTH
    nodes: int = 100_000

    def __attrs_post_init__(self) -> None:
        for name, value in attrs.asdict(self).items():
            if type(value) is not int or value < 1:
                raise ValueError(f"{name} is {value!r}; it is a whole number from 1")
        if self.depth > MAX_DEPTH:
            raise ValueError(f"depth is {self.depth}; {MAX_DEPTH} is the most")


@final
@attrs.frozen
class OddNumber:
    """A plain YAML scalar that YAML 1.2 reads as a number and JSON's grammar does not.

    `010`, `0x10`, `.5`, `+3` and `.inf` are such. No field of a manifest takes one, as
    number or as text, so that no reader can take it for something else.
    """

    source: str
    value: int | float


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
    """A list and its items."""

    start: int
    end: int
    items: tuple[Node, ...]
    size: int = attrs.field(init=False, default=attrs.Factory(_size, takes_self=True))
    height: int = attrs.field(init=False, default=attrs.Factory(_height, takes_self=True))


@final
@attrs.frozen(eq=False)
class Entry:
    """One key of a mapping with its place, and the value behind it."""

    start: int
    end: int
    value: Node


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
