"""How a text is laid out: what stands around the values of its tree, and in which style."""

from __future__ import annotations

import re
from typing import cast, final

from evalset.nodes import Stretch
from evalset.tree import Entry, ListNode, MappingNode, Node

__all__ = ["Layout"]

_LINE_END = re.compile(r"\r\n|\n|\r")
# An anchor that nothing refers to, a tag; they may stay.
_PROPERTIES = re.compile(r"(?:[&!]\S*\s+(?:#[^\r\n]*\s+)*)*")
_SPACE = re.compile(r"(?:\s|#[^\r\n]*)*")
_TIGHT = re.compile(r'\s*\{\s*"[^"]*":(?=\S)')
_COMMENT_LINE = re.compile(r"(?:\r\n|\n|\r)( *)#[^\r\n]*")


@final
class Layout:
    """The layout of one text.

    `space` is what is written behind a comma, and behind the colon of a key in quotes.
    """

    def __init__(self, text: str, *, is_json: bool) -> None:
        self.text = text
        self.is_json = is_json
        self.space = "" if _TIGHT.match(text) else " "

    def content(self, node: Node) -> int:
        """Give where a value begins behind its anchor and its tag."""
        behind = _PROPERTIES.match(self.text, node.start, node.end)
        return behind.end() if behind else node.start

    def is_flow(self, node: Node) -> bool:
        """Tell whether a list or mapping stands in brackets or braces."""
        return self.text[self.content(node)] in {"[", "{"}

    def members(self, node: Node) -> list[Stretch]:
        """Give where the items or entries of a list or mapping stand that are its own."""
        if isinstance(node, MappingNode):
            return sorted((each.start, self.end(each)) for each in self.own_entries(node).values())
        items = cast("ListNode", node)
        stretches = [self.stretch(items, at) for at in range(len(items.items))]
        if self.is_flow(items):
            return stretches
        return [(self.dash(items, at), end) for at, (_, end) in enumerate(stretches)]

    def own_entries(self, mapping: MappingNode) -> dict[str, Entry]:
        """Give the entries that stand in a mapping, and are not merged into it."""
        column = None if self.is_flow(mapping) else self.column(self.content(mapping))
        return {
            key: entry
            for key, entry in mapping.entries.items()
            if mapping.start <= entry.start <= entry.end <= self.end(entry) <= mapping.end
            and column in {None, self.column(entry.start)}
        }

    def end(self, entry: Entry) -> int:
        """Give where an entry ends; the value of an alias stands elsewhere."""
        if entry.alias:
            return entry.alias[1]
        if entry.value.start == entry.value.end:  # nothing is written behind the colon
            return self.behind_colon(entry)
        return self._trimmed(entry.value)

    def behind_colon(self, entry: Entry) -> int:
        """Give the place behind the colon of a key, or behind a key that has none."""
        place = self.skip(entry.end)
        return place + 1 if self.text[place : place + 1] == ":" else entry.end

    def stretch(self, items: ListNode, at: int) -> Stretch:
        """Give where an item stands, be it an alias; without its dash."""
        node = items.items[at]
        return items.aliases.get(at, (node.start, self._trimmed(node)))

    def _trimmed(self, node: Node) -> int:
        """Give where a value ends; one that ends in nothing has the line below in it."""
        return node.start + len(self.text[node.start : node.end].rstrip())

    def gap(self, node: Node) -> str:
        """Give what stands between a comma and what is behind it in brackets or braces."""
        members = self.members(node)
        gaps = [
            self.text[(self.skip(before[1]) if before else self.content(node)) + 1 : member[0]]
            for before, member in zip([None, *members], members, strict=False)
        ]
        known = [gap for gap in gaps[1:] or gaps if not gap.strip()]
        if known and (len(gaps) > 1 or _LINE_END.search(known[-1])):
            return known[-1]
        return self.space

    def quote(self, mapping: MappingNode) -> str:
        """Give the quote of a mapping's first key, or its first letter."""
        entry = next(iter(self.own_entries(mapping).values()), None)
        if entry is None:
            return '"' if self.is_json else ""
        return self.text[entry.start]

    def dash(self, items: ListNode, at: int) -> int:
        """Give where the dash of an item stands."""
        return self.skip(self.stretch(items, at - 1)[1]) if at else self.content(items)

    def skip(self, place: int) -> int:
        """Give the first place from here on without white space and comments."""
        match = _SPACE.match(self.text, place)
        return match.end() if match else place

    def line(self, place: int) -> int:
        """Give where the line of a place begins."""
        return max(self.text.rfind("\n", 0, place), self.text.rfind("\r", 0, place)) + 1

    def column(self, place: int) -> int:
        """Give how many characters stand before a place in its line."""
        return place - self.line(place)

    def line_break(self, place: int) -> str:
        """Give the line break at the end of a line, or another one of the text."""
        found = _LINE_END.search(self.text, place) or _LINE_END.search(self.text)
        return found[0] if found else "\n"

    def next_line(self, place: int) -> int:
        """Give where the line break behind a line stands, or the end of the text."""
        found = _LINE_END.search(self.text, place)
        return found.start() if found else len(self.text)

    def below(self, place: int, column: int) -> int:
        """Give the end of a line, or of the comments below it that are indented deeper."""
        place = self.next_line(place)
        while (comment := _COMMENT_LINE.match(self.text, place)) and len(comment[1]) > column:
            place = comment.end()
        return place
