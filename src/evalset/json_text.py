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
from evalset.scalars import is_json_number, json_number, may_be_octal, octal_hint, resolve
from evalset.tree import Entry, ListNode, MappingNode, Node, ScalarNode

__all__ = ["read_json", "write_json"]

_scan_string: Callable[[str, int, bool], tuple[str, int]] = scanstring  # pyright: ignore[reportUnknownVariableType]

_SPACE = re.compile(r"[ \t\n\r]*")
_COMMENT = re.compile(r"(?://|#)[^\n\r]*|/\*(?:[^*]|\*(?!/))*\*/")
_COMMENTS = ("//", "/*", "#")
_COMMENT_FAULT = ("JSON has no comments", "remove it, or write the manifest in YAML")
_TOKEN = re.compile(r"'[^'\"\n\r]*'|[^\s\[\]{},:\"]+")
_NAME = re.compile(r"[\w$](?:[\w.-]{0,38}\w)?")
_SPACED_COLON = re.compile(r"[ \t]*:\s")
_AS_IT_IS = re.compile(r"'[^'\\\"\x00-\x1f]*'")  # which double quotes change nothing of
# What surely is the next item of a list, or the next key of a mapping.
_BEGINS = {"]": re.compile(r'["\[{]|-?[0-9]'), "}": re.compile(r'"[^"\n\r]*"[ \t\n\r]*:')}
_MEANT = {"true": "true", "false": "false", "null": "null", "none": "null", "undefined": "null"}
_ENDLESS = frozenset({"NaN", "Infinity", "-Infinity"})  # as json.dumps writes them
_MOST_FAULTS = 1000
_WORDS = {"true": True, "false": False, "null": None}
# Legal in JSON, but the reference reads JSON with a YAML parser (facts on it, fault 6).
_UNSAFE_FOR_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def read_json(text: str, limits: ReadLimits) -> tuple[Node | None, list[Fault]]:
    """Read one JSON document (RFC 8259).

    Where it is certain what was meant, as at a comma too many or a comment, a fault is
    noted and the text read on.

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
            self.note(end, "text behind the end of the document")
        return node

    def skip(self, place: int) -> int:
        """Pass over white space, and over the comments that JSON does not have."""
        while True:
            space = _SPACE.match(self.text, place)
            place = space.end() if space else place
            if not self.text.startswith(_COMMENTS, place):
                return place
            comment = _COMMENT.match(self.text, place)
            if comment is None:
                self.refuse(place, *_COMMENT_FAULT)
            self.note(place, *_COMMENT_FAULT)
            place = comment.end()

    def note(
        self,
        place: int,
        message: str,
        hint: str | None = None,
        correction: Correction | None = None,
    ) -> None:
        """Note a fault behind which it is certain how the text goes on."""
        span = one_character(self.text, place)
        fault = Fault("json-syntax", message, *span, hint=hint, correction=correction)
        if len(self.faults) == _MOST_FAULTS:  # so many that it is no slip
            raise Unreadable(fault)
        self.faults.append(fault)

    def refuse(self, place: int, message: str, hint: str | None = None) -> NoReturn:
        span = one_character(self.text, place)
        raise Unreadable(Fault("json-syntax", message, *span, hint=hint))

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
            return ScalarNode(start, end, self.odd_word(start, word))
        found = quote(self.text[start]) if start < len(self.text) else "the end of the text"
        return self.refuse(start, f"a value was expected, not {found}")

    def odd_word(self, start: int, word: str) -> Any:  # noqa: ANN401 (any scalar)
        """Note what is no value, and give what it surely means: other readers' words, or text."""
        message = f"{quote(word)} is no JSON value"
        if not self.path:
            self.refuse(start, message, "a manifest in JSON starts with {; name YAML .yaml")
        meant = resolve(word)
        is_safe = True  # to servers, which read JSON as YAML
        is_certain = not may_be_octal(word)
        is_endless = isinstance(meant, OddNumber) and not is_holdable(meant.value)
        if is_endless or word in _ENDLESS:
            self.refuse(start, message, "JSON has finite numbers only")
        if isinstance(meant, OddNumber):
            meant = canonical_number(meant.value)
        elif word.lower() in _MEANT:
            is_safe = meant is _WORDS[_MEANT[word.lower()]]
            meant = _WORDS[_MEANT[word.lower()]]
        elif word[0] == "'":
            if word[1:][-1:] != "'":
                self.refuse(start, message, "text stands in double quotes")
            meant, is_certain = word[1:-1], _AS_IT_IS.fullmatch(word) is not None
        elif is_json_number(word.replace("_", "")):
            meant, is_safe = json_number(word.replace("_", "")), False
        else:
            hint = "text stands in double quotes; the words are true, false and null"
            self.note(start, message, hint)
            return word
        written = json.dumps(meant, ensure_ascii=False)
        correction = _written(start, word, written, is_safe=is_safe) if is_certain else None
        self.note(start, message, f"write {printable(written)}{octal_hint(word)}", correction)
        return meant

    def bare_key(self, start: int) -> tuple[str, int]:
        match = _TOKEN.match(self.text, start)
        word = match[0] if match else ""
        if start >= len(self.text):
            self.refuse(start, "a key or `}` was expected, not the end of the text")
        bare = word.strip("'")
        if not _NAME.fullmatch(bare):
            self.refuse(start, "a key in double quotes was expected")
        end = start + len(word)
        written = json.dumps(bare, ensure_ascii=False)
        # YAML, by which servers read JSON, needs a space behind the colon of a bare key.
        is_spaced = _SPACED_COLON.match(self.text, end) and isinstance(resolve(bare), str)
        is_safe = bare != word or bool(is_spaced)
        is_number = bare == word and bare[0].isdecimal()
        correction = None if is_number else _written(start, word, written, is_safe=is_safe)
        message = "a key in double quotes was expected"
        self.note(start, message, f"write {printable(written)}", correction)
        return bare, end

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
            place = self.comma(place, "]", items[-1], start)
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
            place = self.comma(place, "}", entry.value, start)
        return MappingNode(start, place + 1, entries)

    def entry(self, start: int) -> tuple[str, Entry]:
        is_quoted = self.text[start : start + 1] == '"'
        key, end = self.string(start) if is_quoted else self.bare_key(start)
        colon = self.skip(end)
        if self.text[colon : colon + 1] != ":":
            self.refuse(colon, "a `:` was expected behind the key", f"write {quote(key)}: value")
        self.path.append(key)
        value = self.value(self.skip(colon + 1))
        self.path.pop()
        return key, Entry(start, end, value)

    def comma(self, place: int, closing: str, last: Node, opened: int) -> int:
        found = self.text[place : place + 1]
        if not found:
            related = (("it is opened here", opened, opened + 1),)
            message = f"the text ends where a `,` or `{closing}` was expected"
            hint = f"close it with `{closing}`"
            fault = Fault("json-syntax", message, last.end, last.end, hint=hint, related=related)
            raise Unreadable(fault)
        message = f"a `,` or `{closing}` was expected here"
        if found != "," and not _BEGINS[closing].match(self.text, place):
            self.refuse(last.end, message)
        if found != ",":
            edit = Edit(last.end, last.end, ",")
            correction = Correction("put a comma here", edit, is_safe=False)
            self.note(last.end, message, "put a comma between the two", correction)
            return place
        after = self.skip(place + 1)
        if self.text[after : after + 1] == closing:
            hint, edit = "remove the comma", Edit(place, place + 1, "")
            correction = Correction(hint, edit, is_safe=True)
            self.note(place, f"a `,` before `{closing}`", hint, correction)
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
