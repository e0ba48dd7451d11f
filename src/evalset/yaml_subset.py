"""The short way into YAML: the subset that people write, line by line.

One regular expression finds the next line and takes it apart, one stack holds the open
lists and mappings. Whatever is not surely read as `yaml_text` reads it is declined, never
explained: tabs, anchors, tags, directives, block scalars, escapes, anything that runs over
several lines.
The proof of sameness is differential (`fuzz/yaml_subset.py`), so the rules here name the
production of YAML 1.2.2 in brackets, or the behaviour of ruamel.yaml, that they rest on.

Linear on any text: no pattern can match one stretch in two ways, every line is looked at
a fixed number of times, and nothing recurses.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn, TypeAlias

from evalset.canonical import MAX_DIGITS
from evalset.nodes import OddNumber, ReadLimits
from evalset.scalars import MAY_BE_NUMBER, WORDS, Scalar, resolve

__all__ = ["quick_yaml"]

_Stack: TypeAlias = list[tuple[int, Any]]
"""Every open list and mapping with its column, innermost last."""

_LIMITS = ReadLimits()
_DIGITS = frozenset("0123456789")
_LIST: type[Any] = list
_DICT: type[Any] = dict

# c-printable [1] without the tab, whose rules differ between YAML and ruamel.yaml, and
# without what `yaml_text` forbids. What YAML splits lines at [28] is then LF, CR LF and CR.
# The pattern is compiled on demand: it is large, and seldom needed.
_FOREIGN = "[^\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
_ASCII = bytes([*b"\n\r", *range(0x20, 0x7F)])

# The next line behind blank ones and comments: indentation; at most one `- `; then a word
# that is a plain scalar without a second look, as most items of lists are; or at most one
# implicit key with its `:` before a space or the end [193], and a word, a comment, or
# whatever else may start a value. A plain key can't begin with an indicator [22], so it is
# never `<<` or `---`, nor with a digit. What may be missing is written `(?:...|)`, which
# takes half the time of `(?:...)?`. The last group is the start of any other line. No group
# is repeated possessively: CPython before 3.11.5 then forgets where the next one begins
# (gh-106052).
_LINE = re.compile(
    r"""
    (?: [ ]*+ (?:\#.*+|) \n )*
    (?:
    ([ ]*+)
    (?: (-(?:[ ]++|$)) |)
    (?:
      ([A-Za-z0-9_$./][A-Za-z0-9_$./@+-]*+) (?: [ ]++ (?:\#.*+|) |) $
    | (?:
        ( [A-Za-z_$][A-Za-z0-9_$./@+-]*+ | "[^"\\\n]*" | '[^'\n]*' )
        : (?:[ ]++|$)
      |)
      (?:
        ([A-Za-z0-9_$./][A-Za-z0-9_$./@+-]*+) (?: [ ]++ (?:\#.*+|) |) $
      | \#.*+
      | ([^\n#?:,\]}&*!|>%@`].*+)
      |)
    )
    (?: \n | \Z )
    | (.)
    )
    """,
    re.VERBOSE | re.MULTILINE,
)

# A scalar in quotes, on one line [107, 116].
_QUOTED = re.compile(r""""([^"\\]*)"|'([^']*(?:''[^']*)*)'""")

# One token of a flow collection: a bracket or comma; or a scalar, with `: ` if it is a
# key. ruamel.yaml has rules of its own for `:` and `?` here, so a plain scalar holds a
# `:` only before a letter or digit, and else nothing that could be an indicator.
_FLOW = re.compile(
    r"""
    [ ]*
    (?:
      ([\[\]{},])
    | (?: ("[^"\\]*" | '[^']*')
      | ( -?[\w$./~] (?: [\w$./@+()~-] | :(?=\w) | [ ]+(?=[\w$./@+()~-]) )* ) )
      (:[ ]+)?
    )
    """,
    re.VERBOSE,
)

# ruamel.yaml gives up an implicit key whose `:` is over 1,024 characters behind its start
# [192]; one that is nearly as long is left to it.
_LONGEST_KEY = 1000


def quick_yaml(text: str, limits: ReadLimits = _LIMITS) -> Any:  # noqa: ANN401 (plain data)
    """Read YAML of the subset that people write.

    Guarantees:
        What is returned is exactly what `yaml_text.read_yaml` reads from the text with no
        fault, as plain data, the keys in the same order.

    Args:
        text: The text, without a byte order mark.
        limits: The depth and the number of values that the reader takes; the size is
            for the caller to look at.

    Raises:
        ValueError: Declined: the text is outside the subset, or wrong; `read_yaml` tells.
    """
    _check(text, limits)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    deepest = limits.depth + 1  # of the stack, which holds the root's place, too
    root: list[Any] = [None]
    stack: _Stack = [(-1, root)]
    column, top = stack[0]
    last: Any = -1  # where the newest value stands in `top`
    is_open = True  # that value is not written yet: the next lines may bring it
    has_begun = False  # by `---`
    for match in _LINE.finditer(text):
        indent, dash, item, key, word, rest, other = match.groups()
        if not dash and not key:
            line = other or item or word or rest
            has_begun = _begin(line, indent, has_begun=has_begun or len(stack) > 1)
            continue
        place, kind = len(indent), _LIST if dash else _DICT
        if place != column or type(top) is not kind:
            top = _reach(stack, place, kind, last if is_open else None, deepest)
            column = place
        if item:
            top.append(_word(item))
            is_open = False
            continue
        if dash:
            top.append(None)
            last = -1
            if key:  # ns-l-compact-mapping [195]
                column += len(dash)
                top = _open(stack, column, {}, last, deepest)
        if key:
            last = _key(top, key)
        is_open = not (word or rest)
        top[last] = _word(word) if word else _value(rest, deepest - len(stack)) if rest else None
    if len(stack) == 1:
        _decline()
    return root[0]


def _decline() -> NoReturn:
    msg = "outside the subset of YAML that has a short way"
    raise ValueError(msg)


def _check(text: str, limits: ReadLimits) -> None:
    # Whatever is printable is allowed; asking the fastest first.
    if text.isascii():
        if text.encode().translate(None, _ASCII):
            _decline()
    elif not text.replace("\n", "").replace("\r", "").isprintable() and re.search(_FOREIGN, text):
        _decline()
    if len(text) >= limits.nodes and _most_nodes(text) > limits.nodes:
        _decline()


def _most_nodes(text: str) -> int:
    """Give a number of values that the text can't exceed; neither can its length, plus 1.

    A line adds at most a mapping and a value, since a list stands where a value was
    missing; the first adds the root. Inside brackets, every value but the first of each
    collection has its comma.
    """
    lines = text.count("\n") + text.count("\r") + 1
    return 1 + 2 * lines + text.count(",") + text.count("[") + text.count("{")


def _begin(line: str | None, indent: str, *, has_begun: bool) -> bool:
    """Take a line with neither an item nor a key: nothing, or what begins the document.

    Nothing else but one `---` [203] may stand there: no line that continues a scalar, no
    scalar as the root.
    """
    if not line:
        return has_begun
    if has_begun or indent or line[:3] != "---":
        _decline()
    _check_end(line, 3)
    return True


def _check_end(line: str, place: int) -> None:
    """Behind a value stands a comment, which a space must precede [66], or nothing."""
    tail = line[place:].lstrip(" ")
    if tail and (tail[0] != "#" or line[place] != " "):
        _decline()


def _reach(stack: _Stack, place: int, kind: type[Any], hole: str | int | None, deepest: int) -> Any:  # noqa: ANN401
    """Close and open until the innermost collection is the one that a line adds to.

    `hole` is where a value is not written yet, if one is not. A list may stand at the
    column of its key [201], and ends there before the next key.
    """
    column, top = stack[-1]
    while place < column:
        stack.pop()
        column, top = stack[-1]
        hole = None
    if hole is not None and (place > column or (kind is _LIST and type(top) is _DICT)):
        return _open(stack, place, kind(), hole, deepest)
    if place == column and kind is _DICT and type(top) is _LIST:
        stack.pop()
        column, top = stack[-1]
    if place != column or type(top) is not kind:
        _decline()
    return top


def _open(stack: _Stack, place: int, collection: Any, hole: str | int, deepest: int) -> Any:  # noqa: ANN401
    stack[-1][1][hole] = collection
    stack.append((place, collection))
    if len(stack) > deepest:
        _decline()
    return collection


def _key(mapping: dict[str, Any], source: str) -> str:
    key = source[1:-1] if source[0] in "\"'" else _word(source)
    if type(key) is not str or key in mapping or len(key) > _LONGEST_KEY:
        _decline()
    return key


def _word(source: str) -> Scalar:
    """Read a plain scalar without a needless look; whole numbers and UUIDs the shortest way."""
    if source[0] not in MAY_BE_NUMBER:
        return WORDS.get(source, source)
    if source[0] in _DIGITS and source.isascii():
        if source.isdigit() and (source[0] != "0" or source == "0") and len(source) <= MAX_DIGITS:
            return int(source)
        if source.count("-") > 1:  # behind its first digit a number has one, if any
            return source
    value = resolve(source)
    if type(value) is OddNumber:
        _decline()
    return value


def _value(rest: str, room: int) -> Any:  # noqa: ANN401 (plain data)
    start = rest[0]
    if start in "\"'":
        return _quoted(rest)
    if start in "[{":
        return _flow(rest, room)
    return _plain(rest)


def _quoted(rest: str) -> str:
    match = _QUOTED.match(rest)
    if not match:
        _decline()
    _check_end(rest, match.end())
    double, single = match.groups()
    return double if single is None else single.replace("''", "'")


def _plain(rest: str) -> Scalar:
    """Read a plain scalar of one line [131]: up to ` #`, and with no `:` before a space."""
    source = rest.partition(" #")[0].rstrip(" ")
    if source[-1] == ":" or ": " in source or source == "-" or source[:2] == "- ":
        _decline()
    return _word(source)


def _flow(rest: str, room: int) -> Any:  # noqa: ANN401 (plain data)
    """Read a list in brackets or a mapping in braces that ends on its line [137, 140]."""
    flow = _Flow(room)
    place = 0
    while flow.around or not place:
        match = _FLOW.match(rest, place)
        if not match:
            _decline()
        mark, quoted, plain, colon = match.groups()
        place = match.end()
        if colon:
            flow.add_key(quoted or plain)
        elif not mark:
            flow.add(quoted[1:-1] if quoted else _word(plain))
        elif mark in "[{":
            flow.open(_LIST if mark == "[" else _DICT)
        elif mark == ",":
            flow.separate()
        else:
            flow.close(_LIST if mark == "]" else _DICT)
    _check_end(rest, place)
    return flow.root[0]


class _Flow:
    """The flow collections that are open on one line, and what has to come next."""

    __slots__ = ("around", "last", "room", "root", "top", "wanted")

    def __init__(self, room: int) -> None:
        self.room = room
        self.root: list[Any] = []
        self.top: Any = self.root
        self.around: list[Any] = []
        self.last = ""
        self.wanted = "value"

    def want(self, wanted: str) -> None:
        if self.wanted != wanted:
            _decline()

    def add_key(self, source: str) -> None:
        self.want("key")
        self.last = _key(self.top, source)
        self.top[self.last] = None
        self.wanted = "value"

    def add(self, value: Any) -> None:  # noqa: ANN401 (plain data)
        self.want("value")
        if type(self.top) is _LIST:
            self.top.append(value)
        else:
            self.top[self.last] = value
        self.wanted = ","

    def open(self, kind: type[Any]) -> None:
        collection = kind()
        self.add(collection)
        self.around.append(self.top)
        self.top = collection
        self.wanted = "value" if kind is _LIST else "key"
        if len(self.around) > self.room:
            _decline()

    def separate(self) -> None:
        self.want(",")
        self.wanted = "value" if type(self.top) is _LIST else "key"

    def close(self, kind: type[Any]) -> None:
        if type(self.top) is not kind or (self.top and self.wanted != ","):
            _decline()
        self.top = self.around.pop()
        self.wanted = ","
