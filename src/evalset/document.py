"""A text becomes a document: decoded, bounded, read, and able to show its places."""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import BOM_UTF8
from functools import cached_property
from typing import Any, Literal, TypeAlias, final

import attrs

from evalset.diagnostics import Diagnostic, Related, Span, quote
from evalset.faults import Fault, too_large
from evalset.json_text import quick_json, read_json
from evalset.nodes import (
    MAX_DEPTH,
    Entry,
    ListNode,
    MappingNode,
    Node,
    Path,
    ReadLimits,
    ScalarNode,
    to_pointer,
)
from evalset.shapes import is_mapping, is_sequence
from evalset.yaml_subset import quick_yaml

__all__ = [
    "At",
    "Document",
    "Format",
    "Place",
    "Source",
    "decode",
    "descend",
    "parse_pointer",
    "quick_data",
    "read_document",
]

Format: TypeAlias = Literal["json", "yaml"]
At: TypeAlias = Literal["value", "key", "mapping"]

_UNREAD = frozenset({"undefined-alias", "recursive-alias", "foreign-tag"})
_LINE_END = re.compile(r"\r\n|\n|\r")
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")


@final
@attrs.frozen(kw_only=True)
class Source:
    """Where a manifest came from, kept so that its places can be found again.

    Attributes:
        name: The path, or whatever the caller called the text.
        text: The text, without a byte order mark.
        format: `json` or `yaml`, or None: what starts with `{` may be either.
        at: JSON Pointer of the manifest inside the document; empty for the whole of it.
        limits: What the reader took.
    """

    name: str
    text: str
    format: Format | None = None
    at: str = ""
    limits: ReadLimits = ReadLimits()

    def __attrs_post_init__(self) -> None:
        if self.format not in {None, "json", "yaml"}:
            raise ValueError(f"format is {self.format!r}; it is 'json', 'yaml' or None")
        parse_pointer(self.at)


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
        return [self._diagnostic(fault) for fault in self.faults]

    def _diagnostic(self, fault: Fault) -> Diagnostic:
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
        )

    def unread(self) -> list[Path]:
        """Give the paths from `root` of values that the reader has a fault for in their place."""
        steps = len(self.base)
        return [
            fault.path[steps:]
            for fault in self.faults
            if fault.code in _UNREAD and fault.path[:steps] == self.base
        ]

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


def _source(node: Node) -> str | None:
    return node.source if isinstance(node, ScalarNode) else None


def parse_pointer(pointer: str) -> Path:
    """Split a JSON Pointer (RFC 6901) into its steps.

    Raises:
        ValueError: The text is not a JSON Pointer: `/` and a step, any number of times.
    """
    if not _POINTER.fullmatch(pointer):
        raise ValueError(f"{pointer!r} is no JSON Pointer; write it as in '/manifest'")
    steps = pointer.split("/")[1:]
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)


def decode(data: str | bytes, limits: ReadLimits) -> tuple[str, Fault | None]:
    """Decode UTF-8, drop a byte order mark, and hold the text to its limit.

    Returns:
        The text, and what is wrong with it. A text that is too large is not decoded.

    Raises:
        TypeError: The data is neither str nor bytes.
    """
    if not isinstance(data, (str, bytes)):
        raise TypeError(f"a text is str or bytes, not {type(data).__name__}")
    if _size_of(data, limits.size) > limits.size:
        return "", too_large(limits.size)
    if isinstance(data, str):
        return data.removeprefix("\ufeff"), None
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode(), None
    except UnicodeDecodeError as error:
        place = len(data[: error.start].decode())
        return data.decode(errors="replace"), _not_utf8(data, error, place)


def _size_of(data: str | bytes, limit: int) -> int:
    """Give the size in bytes of UTF-8, or, where that is certain, a number within the limit."""
    if isinstance(data, bytes) or len(data) > limit or 4 * len(data) <= limit:
        return len(data)
    return len(data.encode("utf-8", "surrogatepass"))


def _not_utf8(data: bytes, error: UnicodeDecodeError, place: int) -> Fault:
    hint = "save the file as UTF-8"
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        message = "the text is UTF-32; a manifest is UTF-8"
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
        message = "the text is UTF-16; a manifest is UTF-8"
    else:
        message = f"the byte 0x{data[error.start]:02x} can't stand here in UTF-8"
    return Fault("not-utf8", message, place, place + 1, hint=hint)


def quick_data(source: Source) -> Any:  # noqa: ANN401 (plain data)
    """Read a text the short way, without places.

    Raises:
        ValueError: The text is not such that this way is sure to agree with
            `read_document`, which must be asked.
    """
    if source.at:
        raise ValueError("only whole texts have a short way")
    if _may_be_json(source):
        if not _is_surely_small(source):
            raise ValueError("the long way counts the values")
        return quick_json(source.text)
    return quick_yaml(source.text, source.limits)


def _is_surely_small(source: Source) -> bool:
    """Tell whether JSON is within the limits on values and nesting, by a look at its marks.

    Below the keys of a manifest nothing nests but extensions, which have a bound of
    their own within the greatest depth.
    """
    most_values = 1 + sum(map(source.text.count, ",[{"))
    return most_values <= source.limits.nodes and source.limits.depth == MAX_DEPTH


def _may_be_json(source: Source) -> bool:
    return source.format == "json" or (
        source.format is None and source.text.lstrip(" \t\r\n").startswith("{")
    )


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
    if not _may_be_json(source):
        return _read_yaml(source)
    root, faults = read_json(source.text, source.limits)
    if source.format == "json" or not any(fault.code == "json-syntax" for fault in faults):
        return root, faults
    yaml_root, yaml_faults = _read_yaml(source)
    if yaml_root is None and _JSON_START.match(source.text):
        return root, faults  # it was meant as JSON
    return yaml_root, yaml_faults


_JSON_START = re.compile(r'\s*\{\s*"')


def _read_yaml(source: Source) -> tuple[Node | None, list[Fault]]:
    from evalset.yaml_text import read_yaml

    limit = source.limits.yaml_size
    if _size_of(source.text, limit) > limit:
        return None, [too_large(limit, "JSON, and YAML in plain block style, may be larger")]
    return read_yaml(source.text, source.limits)


def descend(data: object, pointer: str) -> Any:  # noqa: ANN401 (plain data)
    """Give the value in plain data that a JSON Pointer names.

    Raises:
        LookupError: There is no such value.
    """
    for step in map(str, parse_pointer(pointer)):
        if is_mapping(data) and step in data:
            data = data[step]
        elif is_sequence(data) and step in map(str, range(len(data))):
            data = data[int(step)]
        else:
            raise LookupError(f"the data has no value at {quote(pointer)}")
    return data


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
