"""A text that is to be edited: where its values stand, and which edits change them.

An edit cuts where the tree says that a value stands, and writes in the style of the place:
its quotes, its indentation, its line breaks, brackets or lines. Nothing is written anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias, cast, final

import attrs

from evalset.canonical import number as canonical_number
from evalset.document import Document, read_document
from evalset.edits import Edit
from evalset.layout import Layout
from evalset.nodes import Path, Stretch
from evalset.rules import KEYS
from evalset.scalars import changes_in_yaml11, resolve
from evalset.tree import Entry, ListNode, MappingNode, Node, ScalarNode

__all__ = ["Draft", "NotEditableError", "Scalar", "Spot"]

Scalar: TypeAlias = "str | int | float"

# What every reader of YAML takes for text without quotes, between brackets, too.
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*")
# Line breaks to readers of YAML 1.1, and the byte order mark.
_ESCAPED = {0x2028: "\\u2028", 0x2029: "\\u2029", 0xFEFF: "\\ufeff"}
_STEP = 2  # columns that a mapping in a mapping is indented by, unless the text shows others


class NotEditableError(Exception):
    """A value does not stand where the path leads, or not for it alone."""


class Spot(NamedTuple):
    """A value, what holds it, and its key there."""

    holder: Node
    key: Entry
    node: Node


@final
class Draft:
    """A text that is to be edited. Paths lead from the manifest in it."""

    text: str
    document: Document
    root: Node
    shared: set[int]
    layout: Layout

    def __init__(self, document: Document) -> None:
        source = document.source
        self.text = source.text
        self.document = document
        # An alias may stand outside of the manifest.
        whole = read_document(attrs.evolve(source, at="")) if source.at else document
        self.root = whole.root or ScalarNode(0, 0, None)
        self.shared = _shared(self.root)
        self.layout = Layout(source.text, is_json=source.may_be_json)

    def own(self, path: Path) -> Spot:
        """Find a value that is written where the path leads, with what holds it, and its key.

        An alias is its anchor's own node again, and a merged entry its first owner's. So what
        comes from elsewhere is shared, or does not stand inside of what holds it, behind
        what is before it.

        Raises:
            NotEditableError: It comes from elsewhere.
        """
        holder = node = self.root
        key = Entry(0, 0, node)
        for step in (*self.document.base, *path):
            holder = node
            key = _entry(holder, step)
            node = key.value
            if id(node) in self.shared:
                raise NotEditableError("an alias or a merge repeats this value in another place")
            if not holder.start <= key.start <= key.end <= node.start <= node.end <= holder.end:
                raise NotEditableError("it comes from an alias or a merge")
        return Spot(holder, key, node)

    # Scalars

    def replace(self, spot: Spot, value: Scalar) -> Edit:
        """Put another scalar in the place of one."""
        if isinstance(spot.node, ScalarNode) and spot.node.value is None:
            return self._fill(spot, self.write(value, like=self.text[spot.key.start]))
        start = self.layout.content(spot.node)
        return Edit(start, spot.node.end, self.write(value, like=self.text[start]))

    def _fill(self, spot: Spot, written: str) -> Edit:
        """Put something in the place of null, which may be nothing behind a colon."""
        if spot.node.start < spot.node.end:
            return Edit(spot.node.start, spot.node.end, written)
        colon = self.layout.behind_colon(spot.key)
        is_bare = colon == spot.key.end  # a key alone, between braces
        return Edit(colon, colon, f"{':' * is_bare} {written}")

    # Adding

    def set(self, path: Path, value: Scalar) -> Edit:
        """Write a scalar where a path leads: in the place of another one or of none.

        A key that is missing is put behind those that come before it in the format.

        Raises:
            NotEditableError: What is there, or what holds it, comes from elsewhere.
        """
        *above, key = path
        holder = tuple(above)
        if len(holder) == 1:  # it may be absent or null itself
            if holder[0] not in cast("MappingNode", self.own(()).node).entries:
                return self.add_entry(holder, {str(key): value})
            spot = self.own(holder)
            if isinstance(spot.node, ScalarNode):
                quote = self.text[spot.key.start]
                return self._fill(spot, self._braces({str(key): value}, quote))
        node = self.own(holder).node
        if isinstance(node, MappingNode) and key not in node.entries:
            return self.add_entry(path, value)
        return self.replace(self.own(path), value)

    def add_entry(self, path: Path, value: Scalar | Mapping[str, Scalar]) -> Edit:
        """Write a value for a key that is missing in a mapping.

        Raises:
            NotEditableError: The mapping comes from elsewhere.
        """
        *above, key = path
        order = KEYS[str(path[0]) if above else ""]
        mapping = cast("MappingNode", self.own(tuple(above)).node)
        own = self.layout.own_entries(mapping)
        before = [own[name] for name in order[: order.index(str(key))] if name in own]
        if self.layout.is_flow(mapping):
            return self._add_pair(mapping, before[-1] if before else None, str(key), value)
        entry = before[-1] if before else Entry(self.layout.content(mapping), 0, mapping)
        column = self.layout.column(entry.start)
        quote = self.text[entry.start] if before else ""
        lines = self._lines(str(key), value, quote, column + self._step(mapping))
        if before:
            return self._add_line(self.layout.end(entry), column, lines)
        line_break = self.layout.line_break(entry.start)
        return Edit(entry.start, entry.start, f"{lines}{line_break}{' ' * column}")

    def _lines(
        self, key: str, value: Scalar | Mapping[str, Scalar], quote: str, column: int
    ) -> str:
        if not isinstance(value, Mapping):
            return self._pair(key, value, quote)
        pairs = [self._pair(*pair, quote) for pair in value.items()]
        line = f"{self.layout.line_break(0)}{' ' * column}"
        return f"{self.write(key, like=quote)}:{''.join(line + pair for pair in pairs)}"

    def _step(self, mapping: MappingNode) -> int:
        """Give by how many columns a mapping in this one is indented."""
        look = self.layout
        for entry in look.own_entries(mapping).values():
            if isinstance(entry.value, MappingNode) and not look.is_flow(entry.value):
                return look.column(look.content(entry.value)) - look.column(entry.start)
        return _STEP

    def _add_pair(
        self,
        mapping: MappingNode,
        before: Entry | None,
        key: str,
        value: Scalar | Mapping[str, Scalar],
    ) -> Edit:
        """Add a key to a mapping in braces."""
        quote = self.layout.quote(mapping)
        gap = self.layout.gap(mapping)
        pair = self._key(key, quote) + (
            self._braces(value, quote)
            if isinstance(value, Mapping)
            else self.write(value, like=quote)
        )
        if before:
            return Edit(self.layout.end(before), self.layout.end(before), f",{gap}{pair}")
        place = self.layout.skip(self.layout.content(mapping) + 1)
        return Edit(place, place, pair if self.text[place] == "}" else f"{pair},{gap}")

    def add_item(self, path: Path, value: str | Mapping[str, Scalar]) -> Edit:
        """Add an item to a list that has some, behind the last one, and written as that is.

        Raises:
            NotEditableError: The list comes from elsewhere.
        """
        items = cast("ListNode", self.own(path).node)
        last = len(items.items) - 1
        start, end = self.layout.stretch(items, last)
        like = None if last in items.aliases else items.items[last]
        content = self.layout.content(like) if like else start
        if self.layout.is_flow(items):
            return Edit(end, end, f",{self.layout.gap(items)}{self._item(value, like, content)}")
        dash = self.layout.dash(items, last)
        space = self.text[dash + 1 : content]
        space = space if set(space) == {" "} else " "
        column = self.layout.column(dash)
        if isinstance(value, Mapping) and not (like and self.layout.is_flow(like)):
            quote = self.layout.quote(like) if isinstance(like, MappingNode) else ""
            line = f"{self.layout.line_break(0)}{' ' * (column + 1 + len(space))}"
            item = line.join(self._pair(*pair, quote) for pair in value.items())
        else:
            item = self._item(value, like, content)
        return self._add_line(end, column, f"-{space}{item}")

    def _item(self, value: str | Mapping[str, Scalar], like: Node | None, content: int) -> str:
        if isinstance(value, str):
            return self.write(value, like=self.text[content])
        if isinstance(like, MappingNode) and self.layout.is_flow(like):
            return self._braces(value, self.layout.quote(like), like)
        return self._braces(value, "")

    # Removing

    def remove(self, path: Path) -> list[Edit]:
        """Take an item out of a list, or a key with its value out of a mapping.

        In brackets and braces all comments stay; where it has lines of its own, those go,
        and a comment at their end with them.

        Raises:
            NotEditableError: It comes from elsewhere.
        """
        holder, key, _ = self.own(path)
        members = self.layout.members(holder)
        if isinstance(holder, ListNode):
            at = int(path[-1])
        else:
            at = [start for start, _ in members].index(key.start)
        start, end = members[at]
        if self.layout.is_flow(holder):
            return self._cut(members, at)
        line = self.layout.line(start)
        if self.text[line:start].strip(" "):  # behind a dash, as the first key of an item
            return [Edit(start, members[at + 1][0], "")]
        line_end = self.layout.next_line(end)
        if line_end < len(self.text):
            return [Edit(line, line_end + len(self.layout.line_break(end)), "")]
        return [Edit(len(self.text[:line].rstrip("\r\n")), line_end, "")]

    def _cut(self, members: Sequence[Stretch], at: int) -> list[Edit]:
        """Cut a member out of brackets or braces, with one comma and no comment."""
        start, end = members[at]
        after = self.layout.skip(end)
        if self.text[after] == ",":
            following = self.layout.skip(after + 1)
            if not self.text[end:after].strip() and not self.text[after + 1 : following].strip():
                return [Edit(start, following, "")]
            return [Edit(start, end, ""), Edit(after, after + 1, "")]
        if at == 0:
            return [Edit(start, end, "")]
        comma = self.layout.skip(members[at - 1][1])
        if self.text[comma + 1 : start].strip():
            return [Edit(comma, comma + 1, ""), Edit(start, end, "")]
        return [Edit(comma, end, "")]

    # Writing

    def write(self, value: Scalar, *, like: str) -> str:
        """Write a scalar: text in the quotes that `like` is, or in those that it needs."""
        if not isinstance(value, str):
            return json.dumps(canonical_number(value))
        is_plain = (
            _PLAIN.fullmatch(value) is not None
            and isinstance(resolve(value), str)
            and not changes_in_yaml11(value)
        )
        if is_plain and like != '"':
            return f"'{value}'" if like == "'" else value
        return json.dumps(value, ensure_ascii=False).translate(_ESCAPED)

    def _key(self, key: str, quote: str) -> str:
        """Write a key and its colon."""
        space = self.layout.space if quote == '"' else " "
        return f"{self.write(key, like=quote)}:{space}"

    def _pair(self, key: str, value: Scalar, quote: str) -> str:
        return self._key(key, quote) + self.write(value, like=quote)

    def _braces(
        self, pairs: Mapping[str, Scalar], quote: str, like: MappingNode | None = None
    ) -> str:
        """Write a mapping in braces, with the line breaks of another one."""
        gap, opening, closing = self.layout.space, "", ""
        members = self.layout.members(like) if like else []
        if like and members:
            opening = self.text[self.layout.content(like) + 1 : members[0][0]]
            closing = self.text[members[-1][1] : like.end - 1]
            gap = self.layout.gap(like)
        opening, closing = (each if not each.strip() else "" for each in (opening, closing))
        inside = f",{gap}".join(self._pair(*pair, quote) for pair in pairs.items())
        return f"{{{opening}{inside}{closing}}}"

    def _add_line(self, end: int, column: int, written: str) -> Edit:
        """Write a line below that of a value, and below comments that are indented deeper."""
        place = self.layout.below(end, column)
        return Edit(place, place, f"{self.layout.line_break(end)}{' ' * column}{written}")


def _entry(holder: Node, step: str | int) -> Entry:
    """Give an entry of a mapping, or, made up, an item of a list: behind those before it."""
    if isinstance(holder, MappingNode):
        return holder.entries[str(step)]
    items, index = cast("ListNode", holder).items, int(step)
    behind = max(holder.start, items[index - 1].end) if index else holder.start
    return Entry(holder.start, behind, items[index])


def _shared(root: Node) -> set[int]:
    """Give the nodes that stand in a tree more than once, by identity."""
    seen: set[int] = set()
    shared: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            shared.add(id(node))
            continue
        seen.add(id(node))
        if isinstance(node, ListNode):
            stack += node.items
        elif isinstance(node, MappingNode):
            stack += [entry.value for entry in node.entries.values()]
    return shared
