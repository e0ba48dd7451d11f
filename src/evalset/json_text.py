"""JSON to and from nodes.

The standard library's parser tells no places, so the explaining way has a scanner of its
own; both ways take the same texts, which a property test holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from json.decoder import scanstring  # type: ignore[attr-defined] # public, missing in typeshed
from typing import Any, NoReturn

import attrs

from evalset.canonical import is_holdable
from evalset.canonical import number as canonical_number
from evalset.edits import Correction, Edit
from evalset.faults import (
    Fault,
    Unreadable,
    duplicate_key,
    empty_document,
    one_character,
    too_deep,
    too_many_nodes,
)
from evalset.nodes import OddNumber, ReadLimits
from evalset.quoting import printable, quote
from evalset.scalars import is_json_number, json_number, may_be_octal, resolve
from evalset.tree import Entry, ListNode, MappingNode, Node, ScalarNode

__all__ = ["read_json", "write_json"]

_scan_string: Callable[[str, int, bool], tuple[str, int]] = scanstring  # pyright: ignore[reportUnknownVariableType]

_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(r"[^\s\[\]{},:\"]+")
_SINGLE_QUOTED = re.compile(r"'([^'\\\"\x00-\x1f]*)'")
_BARE_KEY = re.compile(r"([A-Za-z_$][\w$-]*)[ \t]*:(\s)?")
_MEANT = {"true": "true", "false": "false", "null": "null", "none": "null", "undefined": "null"}
_WORDS = {"true": True, "false": False, "null": None}
# Legal in JSON, but the reference reads JSON with a YAML parser (facts on it, fault 6).
_UNSAFE_FOR_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def read_json(text: str, limits: ReadLimits) -> tuple[Node | None, list[Fault]]:
    """Read one JSON document (RFC 8259).

    Returns:
        The tree, or None where the text can't be read to its end, and every fault.
    """
    scanner = _Scanner(text, limits)
    try:
        root = scanner.document()
    except Unreadable as unreadable:
        scanner.faults.append(unreadable.fault)
        root = None
    return root, scanner.faults


@attrs.define
class _Scanner:
    text: str
    limits: ReadLimits
    faults: list[Fault] = attrs.field(factory=list[Fault])
    path: list[str | int] = attrs.field(factory=list[str | int])
    count: int = 0

    def document(self) -> Node:
        start = self.skip(0)
        if start == len(self.text):
            raise Unreadable(empty_document())
        node = self.value(start)
        end = self.skip(node.end)
        if end < len(self.text):
            self.refuse(end, "text behind the end of the document")
        return node

    def skip(self, place: int) -> int:
        match = _SPACE.match(self.text, place)
        return match.end() if match else place

    def refuse(
        self,
        place: int,
        message: str,
        hint: str | None = None,
        correction: Correction | None = None,
    ) -> NoReturn:
        span = one_character(self.text, place)
        raise Unreadable(Fault("json-syntax", message, *span, hint=hint, correction=correction))

    def value(self, start: int) -> Node:
        self.count += 1
        if self.count > self.limits.nodes:
            raise Unreadable(too_many_nodes(self.limits.nodes, start))
        opening = self.text[start : start + 1]
        if opening == '"':
            text, end = self.string(start)
            return ScalarNode(start, end, text)
        if opening in {"{", "["}:
            return self.collection(start, opening)
        return self.word(start)

    def collection(self, start: int, opening: str) -> Node:
        if len(self.path) >= self.limits.depth:
            raise Unreadable(too_deep(self.limits.depth, start))
        return self.mapping(start) if opening == "{" else self.list(start)

    def string(self, start: int) -> tuple[str, int]:
        try:
            text, end = _scan_string(self.text, start + 1, True)  # noqa: FBT003 (its signature)
        except json.JSONDecodeError as error:
            return self.refuse(error.pos, *_explain_string(error.msg))
        return text, end

    def word(self, start: int) -> Node:
        match = _TOKEN.match(self.text, start)
        word = match[0] if match else ""
        end = start + len(word)
        if word in _WORDS:
            return ScalarNode(start, end, _WORDS[word], word)
        if is_json_number(word):
            return ScalarNode(start, end, json_number(word), word)
        if word:
            self.refuse_word(start, word)
        found = quote(self.text[start]) if start < len(self.text) else "the end of the text"
        return self.refuse(start, f"a value was expected, not {found}")

    def refuse_word(self, start: int, word: str) -> NoReturn:
        if word.startswith(("//", "/*", "#")):
            self.refuse(start, "JSON has no comments", "remove it, or write the manifest in YAML")
        if word[0] == "'":
            message, hint = f"{quote(word)} is no JSON value", "text stands in double quotes"
            self.refuse(start, message, hint, self.in_double_quotes(start))
        meant, correction = resolve(word), None
        if word.lower() in _MEANT:
            written = _MEANT[word.lower()]
            hint = f"write {written}"
            is_safe = meant is _WORDS[written]  # as YAML, which is how servers read JSON
            correction = _written(start, word, written, is_safe=is_safe)
        elif isinstance(meant, OddNumber) and is_holdable(meant.value):
            written = json.dumps(canonical_number(meant.value))
            hint = f"write {printable(written)}"
            if not may_be_octal(word):
                correction = _written(start, word, written, is_safe=True)
        elif isinstance(meant, OddNumber):
            hint = "JSON has finite numbers only"
        else:
            hint = "text stands in double quotes; the words are true, false and null"
        self.refuse(start, f"{quote(word)} is no JSON value", hint, correction)

    def in_double_quotes(self, start: int) -> Correction | None:
        """Correct a text in single quotes, if there is nothing in it that these change."""
        found = _SINGLE_QUOTED.match(self.text, start)
        return _written(start, found[0], f'"{found[1]}"', is_safe=True) if found else None

    def refuse_key(self, start: int) -> NoReturn:
        match = _TOKEN.match(self.text, start)
        word = match[0] if match else ""
        if word.startswith(("//", "/*", "#")):
            self.refuse_word(start, word)
        if start >= len(self.text):
            self.refuse(start, "a key or `}` was expected, not the end of the text")
        bare = word.strip("'")
        hint = f"write {json.dumps(bare)}" if bare.isalnum() or "_" in bare else None
        correction = self.in_double_quotes(start)
        if found := _BARE_KEY.match(self.text, start):
            # YAML needs the space behind the colon.
            is_safe = bool(found[2]) and isinstance(resolve(found[1]), str)
            correction = _written(start, found[1], f'"{found[1]}"', is_safe=is_safe)
        self.refuse(start, "a key in double quotes was expected", hint, correction)

    def list(self, start: int) -> ListNode:
        items: list[Node] = []
        place = self.skip(start + 1)
        while self.text[place : place + 1] != "]":
            self.path.append(len(items))
            items.append(self.value(place))
            self.path.pop()
            place = self.skip(items[-1].end)
            if self.text[place : place + 1] == "]":
                break
            place = self.comma(place, "]", items[-1])
        return ListNode(start, place + 1, tuple(items))

    def mapping(self, start: int) -> MappingNode:
        entries: dict[str, Entry] = {}
        place = self.skip(start + 1)
        while self.text[place : place + 1] != "}":
            key, entry = self.entry(place)
            if first := entries.get(key):
                here, before = (entry.start, entry.end), (first.start, first.end)
                self.faults.append(duplicate_key(key, here, before, (*self.path, key)))
            else:
                entries[key] = entry
            place = self.skip(entry.value.end)
            if self.text[place : place + 1] == "}":
                break
            place = self.comma(place, "}", entry.value)
        return MappingNode(start, place + 1, entries)

    def entry(self, start: int) -> tuple[str, Entry]:
        if self.text[start : start + 1] != '"':
            self.refuse_key(start)
        key, end = self.string(start)
        colon = self.skip(end)
        if self.text[colon : colon + 1] != ":":
            self.refuse(colon, "a `:` was expected behind the key", f"write {quote(key)}: value")
        self.path.append(key)
        value = self.value(self.skip(colon + 1))
        self.path.pop()
        return key, Entry(start, end, value)

    def comma(self, place: int, closing: str, last: Node) -> int:
        found = self.text[place : place + 1]
        if found != ",":
            edit = Edit(last.end, last.end, ",")
            is_next = found in {'"', "[", "{"}
            correction = Correction("put a comma here", edit, is_safe=False) if is_next else None
            self.refuse(last.end, f"a `,` or `{closing}` was expected here", correction=correction)
        after = self.skip(place + 1)
        if self.text[after : after + 1] == closing:
            hint, edit = "remove the comma", Edit(place, place + 1, "")
            correction = Correction(hint, edit, is_safe=True)
            self.refuse(place, f"a `,` before `{closing}`", hint, correction)
        return after


def _written(start: int, word: str, text: str, *, is_safe: bool) -> Correction:
    edit = Edit(start, start + len(word), text)
    return Correction(f"write {printable(text)}", edit, is_safe=is_safe)


def _explain_string(problem: str) -> tuple[str, str | None]:
    if problem.startswith("Unterminated"):
        return "a text that is not closed", 'close it with `"`'
    if problem.startswith("Invalid control character"):
        return "a line break or control character inside a text", "write it as an escape: \\n, \\t"
    return "an escape that JSON does not have", "write a backslash as `\\\\`"


def write_json(data: Mapping[str, Any]) -> str:
    """Write plain data as JSON, indented by two, that the reference's reader takes too."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    return _UNSAFE_FOR_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
