"""YAML 1.2 to and from nodes: the one owner of ruamel.yaml.

Its parser gives events; the tree is built here, with a stack of our own. So nesting,
aliases and size are bounded while the text is read, duplicate keys are found with both
places, and nothing depends on the depth of the caller's stack.
"""

from __future__ import annotations

# ruamel.yaml is typed in part only.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from ruamel.yaml.representer import RoundTripRepresenter
from ruamel.yaml.scalarstring import DoubleQuotedScalarString
from ruamel.yaml.scanner import Scanner
from ruamel.yaml.tokens import DirectiveToken, DocumentStartToken, ScalarToken, StreamStartToken

from evalset.faults import (
    Fault,
    Unreadable,
    duplicate_key,
    empty_document,
    too_deep,
    too_many_nodes,
    too_many_values,
)
from evalset.nodes import MAX_DEPTH, Path, ReadLimits, Stretch
from evalset.quoting import printable, quote
from evalset.scalars import changes_in_yaml11, resolve
from evalset.syntax import PLACEHOLDER_HINT, Complaint, explain_syntax
from evalset.tree import Entry, ListNode, MappingNode, Node, ScalarNode

__all__ = ["find_comments", "read_yaml", "write_yaml"]

_CORE = "tag:yaml.org,2002:"
_TAG = re.compile(r"!(?:<[^>]*>|[^\s,\[\]{}]*)")  # YAML 1.2.2, production c-ns-tag-property
_ANCHOR_AND_TAG = re.compile(r"(?:&[^\s,\[\]{}]+\s+)?(!)")
_DIRECTIVE = re.compile(r"^%(?:YAML|TAG)\b[^\r\n]*", re.MULTILINE)
_ANCHOR = re.compile(r"[A-Za-z0-9_-]{1,40}")

# Characters that YAML 1.2 does not have, and the three that YAML 1.1 took for line breaks:
# ruamel.yaml still does, which would change the text around them in silence.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)

_COMMENT = re.compile(r"(?:^|(?<=[ \t\r\n]))(#[^\r\n]*)")
_LINE_END = re.compile(r"\r\n|\n|\r")

# A number of which a comma in braces would end the first part.
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![\w.])")
_GROUP_CHARACTERS = frozenset("0123456789,")
_LONGEST_NUMBER = 40

_BEFORE_DOCUMENTS = (StreamStartToken, DirectiveToken, DocumentStartToken)

_FINE_IN_TEXT = "\u2028\u2029\ufeff"  # what a manifest may hold of them, once it is escaped


def read_yaml(text: str, limits: ReadLimits) -> tuple[Node | None, list[Fault]]:
    """Read one YAML 1.2 document.

    Returns:
        The tree, or None where the text can't be read to its end, and every fault.
    """
    forbidden = _forbidden(text)
    text = _FORBIDDEN.sub("\ufffd", text)
    try:
        return _build(text, limits, forbidden)
    except _TooManyBrackets as scanned:
        # Up to there it is read at once, and the builder knows where it became too deep.
        return _build(text[: scanned.place], limits, forbidden)


def _build(
    text: str, limits: ReadLimits, forbidden: list[Fault]
) -> tuple[Node | None, list[Fault]]:
    faults = [*forbidden]
    try:
        return _Builder(text, limits, faults).build(_events(text)), faults
    except Unreadable as unreadable:
        return None, [*faults, unreadable.fault]


def _forbidden(text: str) -> list[Fault]:
    places = [match.start() for match in _FORBIDDEN.finditer(text)]
    if not places:
        return []
    first, others = places[0], len(places) - 1
    more = f" (and {others} more in this text)" if others else ""
    message = f"the character U+{ord(text[first]):04X} can't stand in a YAML text{more}"
    hint = "remove it"
    if text[first] in _FINE_IN_TEXT:
        hint += f', or write it as "\\u{ord(text[first]):04x}", in double quotes'
    return [Fault("forbidden-character", message, first, first + 1, hint=hint)]


class _TooManyBrackets(Exception):  # noqa: N818 (never leaves the module)
    """More brackets are open than a document may nest."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class _Scanner(Scanner):
    """Stops at brackets that nest too deep.

    Each may begin a key, so it looks at all of them before the parser gives the first
    event, and at every open one for every token: seconds for 100,000.
    """

    def fetch_flow_collection_start(self, TokenClass: Any, to_push: str) -> None:  # noqa: N803 (its name)
        if self.flow_level > MAX_DEPTH:
            raise _TooManyBrackets(self.reader.get_mark().index)
        super().fetch_flow_collection_start(TokenClass, to_push)


def _events(text: str) -> Iterator[Event]:
    """Give the parser's events; whatever goes wrong inside it is `Unreadable`."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Scanner = _Scanner
    previous = place = 0
    try:
        for event in yaml.parse(text):
            previous, place = event.start_mark.index, event.end_mark.index
            yield event
    except MarkedYAMLError as error:
        raise Unreadable(_syntax_fault(text, error, previous)) from error
    except (MemoryError, RecursionError, _TooManyBrackets):
        raise  # the first two tell of the caller, not of the text
    except Exception as error:
        message = "the YAML parser can't read the text behind this place"
        raise Unreadable(Fault("yaml-syntax", message, place, place)) from error


def find_comments(text: str) -> Iterator[tuple[int, int]]:
    """Find the comments of a text that `read_yaml` reads: from `#` to the end of the line.

    A `#` inside quotes, a block text or a word starts none.
    """
    text = _FORBIDDEN.sub("\ufffd", text)
    scalars = _scalar_stretches(text)
    end = 0
    for start, behind in [*scalars, (len(text), len(text))]:
        for match in _COMMENT.finditer(text, end, start):
            yield match.start(1), match.end(1)
        end = behind


def _scalar_stretches(text: str) -> Iterator[tuple[int, int]]:
    """Give where no comment can start: each scalar, a block text behind its first line."""
    has_begun = False
    for token in YAML(typ="safe", pure=True).scan(text):
        if has_begun and isinstance(token, DocumentStartToken):
            return  # nothing else of a second document is looked at, either
        has_begun = has_begun or not isinstance(token, _BEFORE_DOCUMENTS)
        if isinstance(token, ScalarToken):
            start, end = token.start_mark.index, token.end_mark.index
            if token.style in {"|", ">"}:
                line_end = _LINE_END.search(text, start)
                start = line_end.end() if line_end else end
            yield start, end


def _syntax_fault(text: str, error: MarkedYAMLError, previous: int) -> Fault:
    mark = error.problem_mark or error.context_mark
    place = min(mark.index if mark else 0, len(text))
    complaint = Complaint(
        text=text,
        problem=f"{error.context or ''}: {error.problem or ''}",
        place=place,
        opened=error.context_mark.index if error.context_mark else place,
        previous=previous,
    )
    return explain_syntax(complaint)


@attrs.define
class _Frame:
    """A list or mapping whose end is not yet read."""

    event: Any
    end: int
    items: list[Node] | None = None
    entries: dict[str, Entry] = attrs.field(factory=dict[str, Entry])
    merges: list[tuple[Node, Stretch | None]] = attrs.field(
        factory=list[tuple[Node, "Stretch | None"]]
    )
    aliases: dict[int, Stretch] = attrs.field(factory=dict[int, "Stretch"])
    key: Node | None = None

    @property
    def step(self) -> str | int | None:
        """The index or key of the value that is being read."""
        if self.items is not None:
            return len(self.items)
        return str(self.key.value) if isinstance(self.key, ScalarNode) else None


class _Builder:
    """Events in, one tree out."""

    def __init__(self, text: str, limits: ReadLimits, faults: list[Fault]) -> None:
        self.text = text
        self.limits = limits
        self.faults = faults
        self.stack: list[_Frame] = []
        self.anchors: dict[str, Node | None] = {}  # None: begun, and not yet closed
        self.root: Node | None = None
        self.merged_entries = 0
        self.values = 0

    def build(self, events: Iterator[Event]) -> Node:
        begun = False
        for event in events:
            if isinstance(event, DocumentStartEvent):
                if begun:
                    hint = "a manifest is one document; give the other a file of its own"
                    self.fault("several-documents", "a second document starts here", event, hint)
                    break
                begun = True
                self.check_directives(event)
            elif isinstance(event, (SequenceStartEvent, MappingStartEvent)):
                self.count(event)
                self.open(event)
            elif isinstance(event, (SequenceEndEvent, MappingEndEvent)):
                self.close(event)
            elif isinstance(event, ScalarEvent):
                self.count(event)
                self.add(event, self.scalar(event))
            elif isinstance(event, AliasEvent):
                self.count(event)
                self.add(event, self.alias(event))
        if self.root is None:
            raise Unreadable(empty_document())
        return self.root

    def fault(self, code: str, message: str, event: Any, hint: str | None = None) -> None:
        place = (event.start_mark.index, event.end_mark.index)
        self.faults.append(Fault(code, message, *place, self.path(), hint))

    def path(self) -> Path:
        return tuple(frame.step for frame in self.stack if frame.step is not None)

    def check_directives(self, event: Any) -> None:
        if event.version or event.tags:
            message = "a directive (%YAML, %TAG) changes what the text means"
            hint = "remove the line; a manifest is always YAML 1.2"
            for line in _DIRECTIVE.finditer(self.text, 0, event.start_mark.index):
                end = line.start() + len(line[0].rstrip())
                self.faults.append(Fault("yaml-directive", message, line.start(), end, hint=hint))

    def count(self, event: Any) -> None:
        self.values += 1
        if self.values > self.limits.yaml_values:
            place = event.start_mark.index
            raise Unreadable(too_many_values(self.limits.yaml_values, place))

    def open(self, event: Any) -> None:
        is_list = isinstance(event, SequenceStartEvent)
        if event.tag and str(event.tag) not in {"!", _CORE + ("seq" if is_list else "map")}:
            self.fault_tag(event)
        if event.anchor:
            self.anchors[event.anchor] = None
        self.stack.append(_Frame(event, event.end_mark.index, items=[] if is_list else None))
        self.check_depth(len(self.stack), event.start_mark.index)

    def check_depth(self, depth: int, place: int) -> None:
        if depth > self.limits.depth:
            raise Unreadable(too_deep(self.limits.depth, place))

    def close(self, event: Any) -> None:
        frame = self.stack.pop()
        start = frame.event.start_mark.index
        # In block style the end event has no width and stands behind comments.
        is_flow = event.end_mark.index > event.start_mark.index
        end = event.end_mark.index if is_flow else frame.end
        node: Node = (
            MappingNode(start, end, self.merged(frame))
            if frame.items is None
            else ListNode(start, end, tuple(frame.items), frame.aliases)
        )
        if node.size > self.limits.nodes:
            raise Unreadable(too_many_nodes(self.limits.nodes, start))
        self.check_depth(len(self.stack) + node.height, start)
        self.add(frame.event, node, end)

    def merged(self, frame: _Frame) -> dict[str, Entry]:
        entries = frame.entries
        for merge, alias in frame.merges:
            for node in merge.items if isinstance(merge, ListNode) else (merge,):
                if isinstance(node, MappingNode):
                    self.merged_entries += len(node.entries)  # each merge copies them
                    if self.merged_entries > self.limits.nodes:
                        raise Unreadable(too_many_nodes(self.limits.nodes, merge.start))
                    entries = {**_reached_by(alias, node.entries), **entries}
                else:
                    message = "only a mapping, or a list of mappings, can be merged with <<"
                    fault = Fault("bad-merge", message, node.start, node.end, self.path())
                    self.faults.append(fault)
        return entries

    def add(self, event: Any, node: Node, end: int = 0) -> None:
        """Put a finished value where it belongs."""
        if event.anchor and not isinstance(event, AliasEvent):
            self.anchors[event.anchor] = node
        if not self.stack:
            self.root = node
            return
        frame = self.stack[-1]
        # An alias is its anchor's node, which stands elsewhere.
        is_alias = isinstance(event, AliasEvent)
        frame.end = max(frame.end, event.end_mark.index if is_alias else end or node.end)
        alias = (event.start_mark.index, event.end_mark.index) if is_alias else None
        if frame.items is not None:
            if alias:
                frame.aliases[len(frame.items)] = alias
            frame.items.append(node)
        elif frame.key is None:
            frame.key = node
        else:
            self.add_entry(frame, frame.key, node, alias)
            frame.key = None

    def add_entry(self, frame: _Frame, key: Node, value: Node, alias: Stretch | None) -> None:
        if not isinstance(key, ScalarNode) or not isinstance(key.value, str):
            self.add_odd_key(key)
        elif key.value == "<<" and key.source is not None and not frame.merges:
            frame.merges.append((value, alias or _alias_within(value)))
        elif key.value == "<<" and key.source is not None:
            message = "the key << stands twice in this mapping"
            hint = "merge a list: <<: [*one, *other]"
            self.faults.append(
                Fault("duplicate-key", message, key.start, key.end, self.path(), hint)
            )
        elif first := frame.entries.get(key.value):
            place, before = (key.start, key.end), (first.start, first.end)
            self.faults.append(duplicate_key(key.value, place, before, self.path()))
        else:
            frame.entries[key.value] = Entry(key.start, key.end, value, alias)

    def add_odd_key(self, key: Node) -> None:
        source = key.source if isinstance(key, ScalarNode) else None
        message = f"the key {quote(source)} is not text" if source else "a key must be text"
        hint = f"write {quote(source)}: with quotes" if source else None
        if source and (number := _grouped_number(self.text, key.start)):
            if number.start() + number[0].index(",") < key.start - 1:
                return  # told at its first comma
            message = f"the comma ends the number before it; {quote(source)} is read as a key"
            hint = f"write {number[0].replace(',', '')}, without commas"
        elif isinstance(key, MappingNode):
            message = "a mapping can't be a key"
            if self.text[key.start - 1 : key.start + 1] == "{{":
                hint = PLACEHOLDER_HINT
        path = self.path()[: len(self.stack) - 1]
        self.faults.append(Fault("key-not-text", message, key.start, key.end, path, hint))

    def alias(self, event: Any) -> Node:
        place = (event.start_mark.index, event.end_mark.index)
        if event.anchor not in self.anchors:
            message = f"no anchor &{printable(event.anchor)} stands before this alias"
            hint = "put text that starts with * in quotes"
            if _ANCHOR.fullmatch(event.anchor):
                hint += f"; an alias needs &{event.anchor} before it"
            self.fault("undefined-alias", message, event, hint)
        elif node := self.anchors[event.anchor]:
            return node
        else:
            message = f"the alias *{printable(event.anchor)} stands inside the value that it names"
            self.fault("recursive-alias", message, event)
        return ScalarNode(*place, None)

    def scalar(self, event: Any) -> ScalarNode:
        start, end = event.start_mark.index, event.end_mark.index
        if event.style in {"|", ">"}:
            end = start + len(self.text[start:end].rstrip())
        plain = event.style is None and not event.tag
        if plain and not event.value and self.text[start - 1 : start] == "-":
            start -= 1  # an empty list item: all there is to show is its dash
        if plain:
            return ScalarNode(start, end, resolve(event.value), event.value)
        return ScalarNode(start, end, self.tagged(event) if event.tag else event.value)

    def tagged(self, event: Any) -> Any:
        """Read a scalar with a tag: a core tag that fits, or `!`, which makes it text."""
        value = resolve(event.value) if event.style is None else event.value
        fits = {
            "!": event.value,
            _CORE + "str": event.value,
            _CORE + "null": None if value is None else _UNFIT,
            _CORE + "bool": value if isinstance(value, bool) else _UNFIT,
            _CORE + "int": value if type(value) is int else _UNFIT,
            _CORE + "float": value if type(value) in {int, float} else _UNFIT,
        }.get(str(event.tag), _UNFIT)
        if fits is _UNFIT:
            self.fault_tag(event)
            return event.value
        return fits

    def fault_tag(self, event: Any) -> None:
        tag = str(event.tag).replace(_CORE, "!!")
        message = f"the tag {quote(tag)} is unknown here, or does not fit its value"
        # An event begins at its anchor, which may stand before the tag or behind it.
        start, end = event.start_mark.index, event.end_mark.index
        behind = _ANCHOR_AND_TAG.match(self.text, start)
        start = behind.start(1) if behind else max(0, self.text.rfind("!", 0, start))
        found = _TAG.match(self.text, start)
        end = found.end() if found else end
        self.faults.append(Fault("foreign-tag", message, start, end, self.path(), "remove it"))


_UNFIT = object()


def _grouped_number(text: str, place: int) -> re.Match[str] | None:
    """Find the number with commas, as in 1,000,000, that goes on at a place."""
    start = place
    while place - start < _LONGEST_NUMBER and text[start - 1 : start] in _GROUP_CHARACTERS:
        start -= 1
    found = _GROUPED.match(text, start)
    return found if found and start < place < found.end() else None


def _reached_by(alias: Stretch | None, entries: Mapping[str, Entry]) -> Mapping[str, Entry]:
    if not alias:
        return entries
    return {
        key: Entry(entry.start, entry.end, entry.value, alias) for key, entry in entries.items()
    }


def _alias_within(merge: Node) -> Stretch | None:
    """Give the whole of a list of aliases: which of them a key comes from, nobody asks."""
    is_list = isinstance(merge, ListNode) and merge.aliases
    return (merge.start, merge.end) if is_list else None


class _Representer(RoundTripRepresenter):
    """Writes null as a word: nothing at all would leave a space at the end of its line."""


def _write_null(representer: Any, _: None) -> Any:
    return representer.represent_scalar(_CORE + "null", "null")


_Representer.add_representer(type(None), _write_null)


def write_yaml(data: Mapping[str, Any]) -> str:
    """Write plain data as block YAML that every reader, of 1.1 or 1.2, takes alike.

    Text is quoted where a reader would take it for something else, and nowhere else.
    """
    yaml = YAML()
    yaml.Representer = _Representer
    yaml.default_flow_style = False
    yaml.allow_unicode = True
    yaml.width = 2**31
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = io.StringIO()
    yaml.dump(_quoted(data), stream)
    return stream.getvalue()


def _quoted(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {_quoted(key): _quoted(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_quoted(item) for item in data]
    if isinstance(data, str) and _needs_quotes(data):
        return DoubleQuotedScalarString(data)
    return data


def _needs_quotes(text: str) -> bool:
    return (
        not isinstance(resolve(text), str)
        or changes_in_yaml11(text)
        or _FORBIDDEN.search(text) is not None
    )
