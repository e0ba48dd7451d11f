"""A text read the long way: a document, its faults, and where its values stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Literal, TypeAlias, final

import attrs

from evalset.diagnostics import Diagnostic, Fix, Related, Span
from evalset.edits import Correction
from evalset.faults import Fault, too_large
from evalset.json_text import read_json
from evalset.nodes import Path, Stretch, to_pointer
from evalset.quoting import quote
from evalset.sources import Source, parse_pointer, size_of
from evalset.tree import Entry, ListNode, MappingNode, Node, ScalarNode

__all__ = ["At", "Document", "Place", "read_document"]

At: TypeAlias = Literal["value", "key", "mapping"]
"""What a finding points at: a value, its key, or the mapping that it stands in."""

_UNREAD = frozenset({"undefined-alias", "recursive-alias", "foreign-tag", "key-not-text"})
_LINE_END = re.compile(r"\r\n|\n|\r")


@final
@attrs.frozen(eq=False)
class Place:
    """Where a value stands, and how it was written."""

    start: int
    end: int
    source: str | None = None


@final
@attrs.frozen(eq=False, slots=False)
class Document:
    """One text, its tree, and what its reader found.

    `root` is the value that `source.at` names; None where the text could not be read to
    its end or has no such value. `base` is the path to it.
    """

    source: Source
    root: Node | None
    base: Path
    faults: tuple[Fault, ...]

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_END.finditer(self.source.text))]

    def span(self, start: int, end: int) -> Span:
        """Give the lines and columns of a stretch of the text."""
        line, column = self._position(start)
        end_line, end_column = self._position(max(start, end))
        return Span(
            path=self.source.name,
            line=line,
            column=column,
            end_line=end_line,
            end_column=end_column,
            offset=start,
            end_offset=max(start, end),
        )

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def diagnostics(self) -> list[Diagnostic]:
        """Give what the reader found, with places."""
        return [self.diagnostic(fault) for fault in self.faults]

    def diagnostic(self, fault: Fault) -> Diagnostic:
        """Give one of the faults, with places."""
        pointer = to_pointer(fault.path)
        related = tuple(
            Related(message=message, pointer=pointer, span=self.span(start, end))
            for message, start, end in fault.related
        )
        return Diagnostic(
            code=fault.code,
            message=fault.message,
            pointer=pointer,
            span=self.span(fault.start, fault.end),
            related=related,
            hint=fault.hint,
            fix=self.fix(fault.correction),
        )

    def fix(self, correction: Correction | None) -> Fix | None:
        """Give a correction with the place of its edit."""
        if correction is None:
            return None
        title, (start, end, text), is_safe = correction
        return Fix(title=title, span=self.span(start, end), text=text, is_safe=is_safe)

    def unread(self) -> list[Path]:
        """Give the paths from `root` of values that the reader has a fault for in their place."""
        steps = len(self.base)
        return [
            fault.path[steps:]
            for fault in self.faults
            if fault.code in _UNREAD and fault.path[:steps] == self.base
        ]

    def begun(self) -> Document | None:
        """Read the lines before a fault in YAML's syntax as a document of their own.

        Returns:
            It, with a `root`; None where there is no such fault, or nothing before it.
        """
        faults = [fault for fault in self.faults if fault.code == "yaml-syntax"]
        # A bracket or quote that is open at the fault must be left out, too.
        for place in [start for each in faults for start in (each.start, *_opened(each))]:
            line = bisect_right(self._line_starts, place)
            text = self.source.text[: self._line_starts[line - 1]]
            begun = read_document(attrs.evolve(self.source, text=text, format="yaml"))
            if begun.root is not None:
                return begun
        return None

    def place(self, path: Path, at: At = "value") -> Place:
        """Find where a value stands.

        Args:
            path: The way from `root`; where it leads nowhere, its last step that exists.
            at: `value`; `key`: the key of the value; `mapping`: what stands for a whole
                mapping, its own key, or the first key in it for the root or a list's item.

        Returns:
            The place. A value that is not written, as in `key:`, is at its key.
        """
        node, entry = self._find(path)
        if entry and (at != "value" or node.start == node.end):
            return Place(entry.start, entry.end, _source(node))
        if at == "mapping" and isinstance(node, MappingNode) and node.entries:
            first = min(node.entries.values(), key=lambda entry: entry.start)
            return Place(first.start, first.end)
        return Place(node.start, node.end, _source(node))

    def alias(self, path: Path) -> Stretch | None:
        """Give where the outermost alias on the way to a value stands, if there is one."""
        node = self.root
        for step in path:
            if isinstance(node, MappingNode) and step in node.entries:
                entry = node.entries[str(step)]
                node, alias = entry.value, entry.alias
            elif isinstance(node, ListNode) and isinstance(step, int):
                alias = node.aliases.get(step)
                node = node.items[step]
            else:
                break
            if alias:
                return alias
        return None

    def is_flow(self, path: Path) -> bool:
        """Tell whether a value stands in brackets or braces, as everything in JSON does."""
        places = [self._find(path[:steps])[0].start for steps in range(len(path))]
        return any(self.source.text[place : place + 1] in {"[", "{"} for place in places)

    def _find(self, path: Path) -> tuple[Node, Entry | None]:
        node, entry = self.root or ScalarNode(0, 0, None), None
        for step in path:
            if isinstance(node, MappingNode) and step in node.entries:
                entry = node.entries[str(step)]
                node = entry.value
            elif isinstance(node, ListNode) and isinstance(step, int):
                node, entry = node.items[step], None
            else:
                break
        return node, entry


def _opened(fault: Fault) -> list[int]:
    return [start for _, start, _ in fault.related]


def _source(node: Node) -> str | None:
    return node.source if isinstance(node, ScalarNode) else None


def read_document(source: Source, fault: Fault | None = None) -> Document:
    """Read a text with its places.

    Args:
        source: The text.
        fault: What `decode` found; then nothing is read.
    """
    if fault:
        return Document(source, None, (), (fault,))
    root, faults = _read(source)
    base: Path = ()
    if root and source.at:
        root, base = _descend(root, source.at)
        if root is None:
            message = f"the document has no value at {quote(source.at)}"
            faults.append(Fault("pointer-not-found", message))
    return Document(source, root, base, tuple(faults))


def _read(source: Source) -> tuple[Node | None, list[Fault]]:
    if not source.may_be_json:
        return _read_yaml(source)
    root, faults = read_json(source.text, source.limits)
    if source.format == "json" or not any(fault.code == "json-syntax" for fault in faults):
        return root, faults
    yaml_root, yaml_faults = _read_yaml(source)
    if yaml_root is None and _JSON_START.match(source.text):
        return root, faults  # it was meant as JSON
    return yaml_root, yaml_faults


_JSON_START = re.compile(r'\s*\{\s*(?:"|//|/\*)')


def _read_yaml(source: Source) -> tuple[Node | None, list[Fault]]:
    from evalset.yaml_text import read_yaml

    limit = source.limits.yaml_size
    if size_of(source.text, limit) > limit:
        return None, [too_large(limit, "JSON, and YAML in plain block style, may be larger")]
    return read_yaml(source.text, source.limits)


def _descend(root: Node, pointer: str) -> tuple[Node | None, Path]:
    node: Node = root
    path: Path = ()
    for step in parse_pointer(pointer):
        if isinstance(node, MappingNode) and step in node.entries:
            node, path = node.entries[str(step)].value, (*path, step)
        elif isinstance(node, ListNode) and str(step) in map(str, range(len(node.items))):
            node, path = node.items[int(step)], (*path, int(step))
        else:
            return None, ()
    return node, path
