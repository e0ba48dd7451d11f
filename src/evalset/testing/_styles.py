"""Plain data as text in the many styles that people use, and where each value then stands.

Nothing here draws from Hypothesis: every choice is one of `Dice`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, TypeGuard, final

import attrs

from evalset.nodes import Path
from evalset.sources import Format
from evalset.testing._dice import Dice

__all__ = ["Raw", "Span", "Written", "write"]

Span: TypeAlias = tuple[int, int]
"""Offsets of the first character and behind the last one."""

_Collection: TypeAlias = dict[Any, Any] | list[Any]

# What can't stand in a YAML text as it is, or would be changed there.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_COMMENTS = ("#", "# a: b", "# 100% \"[{ '", "#\u00e9 *x &y !z", "# ---")
_NULLS = ("null", "~", "Null", "NULL")
_TAGS: dict[type, str] = {
    str: "!!str",
    int: "!!int",
    float: "!!float",
    bool: "!!bool",
    type(None): "!!null",
    list: "!!seq",
    dict: "!!map",
}


@final
@attrs.frozen(eq=False)
class Raw:
    """A key or value that is written as it stands."""

    text: str


@final
@attrs.frozen
class Written:
    """A text, and where the keys and values of its data stand in it.

    A value that is not written, as in `key:`, stands where its key or dash does. What
    an alias stands for is where the anchor is. A byte order mark is not counted.
    """

    text: str
    format: Format
    keys: Mapping[Path, Span]
    values: Mapping[Path, Span]

    @property
    def body(self) -> str:
        """The text without a byte order mark, as offsets count it."""
        return self.text.removeprefix("\ufeff")

    def first_key(self, path: Path) -> Span:
        """Give the place of a mapping's first key in the text; an empty one's is its own."""
        keys = [span for key, span in self.keys.items() if key[:-1] == path]
        return min(keys, default=self.values[path])


class _Merged(dict[Any, Any]):
    """The entries of a mapping that stand behind its `<<`."""


def write(data: object, format: Format, dice: Dice, *, apart: Path | None = None) -> Written:
    """Write plain data, in which keys and values may be `Raw`.

    Args:
        data: The data.
        format: `json` or `yaml`.
        dice: What chooses the style.
        apart: The path of a value that no anchor, alias or merge key may touch.
    """
    writer = _Writer(format, dice, apart)
    writer.document(data)
    text = "".join(writer.parts)
    text = text.removesuffix(writer.line) if dice.seldom() else text
    return Written(text, format, writer.keys, writer.values)


class _Writer:
    def __init__(self, format: Format, dice: Dice, apart: Path | None) -> None:
        self.format = format
        self.dice = dice
        self.apart = apart
        self.line = dice.pick("\n", "\n", "\r\n", "\r")
        self.is_bare = not dice.sometimes()  # no comments, no blank lines
        self.has_anchors = format == "yaml" and dice.sometimes()
        self.parts: list[str] = []
        self.place = 0
        self.end = 0  # of the last value
        self.keys: dict[Path, Span] = {}
        self.values: dict[Path, Span] = {}
        self.anchors: dict[str, tuple[str, Path]] = {}

    def put(self, text: str) -> Span:
        self.parts.append(text)
        self.place += len(text)
        return self.place - len(text), self.place

    def document(self, data: object) -> None:
        if self.dice.seldom():
            self.parts.append("\ufeff")
        if self.format == "json":
            self.put(self.dice.pick("", "", " ", self.line))
            self.flow(data, (), 0)
            self.put(self.dice.pick(self.line, "", " \t" + self.line))
            return
        self.between_lines()
        marker = self.dice.pick("", "", "---")
        self.put(marker)
        if _is_collection(data) and data and not self.dice.sometimes(3):
            if marker:
                self.end_line()
            self.block(data, (), 0, compact=False)
        else:
            self.put(" " if marker else "")
            self.flow(data, (), 0)
            self.end_line()
        if self.dice.seldom():
            self.put("..." + self.line)

    def between_lines(self) -> None:
        if not self.is_bare and self.dice.sometimes(3):
            self.put(self.dice.pick("", *_COMMENTS, "  ") + self.line)

    def end_line(self, *, comment: bool = True) -> None:
        if comment and not self.is_bare and self.dice.seldom():
            self.put("  " + self.dice.pick(*_COMMENTS))
        self.put(self.line)
        self.between_lines()

    # Block style

    def block(self, data: _Collection, path: Path, indent: int, *,
              compact: bool) -> None:  # fmt: skip
        """Write a collection's entries on lines of their own; `compact`: the first one here."""
        start = self.place + (0 if compact else indent)
        for step, value in self.entries(data, path):
            self.put("" if compact else " " * indent)
            compact = False
            if isinstance(data, dict):
                below = self.key(step, path, value)
                self.put(":")
            else:
                below = (*path, step)
                self.keys[below] = self.put("-")
            self.behind(value, below, indent, in_list=isinstance(data, list))
        self.values[path] = start, self.end

    def behind(self, value: object, path: Path, indent: int, *, in_list: bool) -> None:
        """Write what stands behind `key:` or a dash, to the end of its lines."""
        if self.alias(value, path, before=" "):
            self.end_line()
            return
        start = self.place + 1
        properties = self.properties(value, path)
        if _is_collection(value) and value and not self.dice.sometimes(3):
            compact = in_list and not properties and not self.dice.sometimes()
            self.put(f" {properties}" if properties or compact else "")
            if not compact:
                self.end_line()
            step = self.dice.pick(0, 2, 4) if isinstance(value, list) and not in_list else 2
            self.block(value, path, indent + step, compact=compact)
            if properties:
                self.values[path] = start, self.end
        elif value is None and not properties and not self.dice.sometimes():
            self.values[path] = self.keys[path]
            self.end = self.place
            self.end_line()
        elif self.is_literal(value):
            lines = self.dice.pick("|-", ">-") + self.line + " " * (indent + 2) + str(value)
            self.end = self.put(f" {properties}{' ' if properties else ''}{lines}")[1]
            self.values[path] = start, self.end
            self.end_line(comment=False)
        else:
            self.put(" ")
            self.put(f"{properties} " if properties else "")
            self.flow(value, path, indent + 2)
            self.values[path] = start, self.end
            self.end_line()

    def is_literal(self, value: object) -> bool:
        return (
            isinstance(value, str)
            and value.isprintable()
            and value.strip() == value != ""
            and self.dice.seldom()
        )

    # Flow style, which all of JSON is

    def flow(self, value: object, path: Path, indent: int) -> None:
        start = self.place
        if _is_collection(value):
            self.brackets(value, path, indent)
        else:
            self.put(self.scalar(value))
        self.end = self.place
        self.values[path] = start, self.end

    def brackets(self, data: _Collection, path: Path, indent: int) -> None:
        self.put("{" if isinstance(data, dict) else "[")
        entries = list(self.entries(data, path))
        for number, (step, value) in enumerate(entries):
            self.space(indent + 2)
            below = self.key(step, path, value) if isinstance(data, dict) else (*path, step)
            if isinstance(data, dict):
                self.put(":" if self.format == "json" and self.dice.sometimes() else ": ")
            if not self.alias(value, below, before=""):
                start = self.place
                properties = self.properties(value, below)
                self.put(f"{properties} " if properties else "")
                self.flow(value, below, indent + 2)
                self.values[below] = start, self.end
            is_last = number == len(entries) - 1
            self.space(indent + 2, before_comma=True)
            self.put("" if is_last and (self.format == "json" or not self.dice.seldom()) else ",")
        self.space(indent + 1)
        self.put("}" if isinstance(data, dict) else "]")

    def space(self, indent: int, *, before_comma: bool = False) -> None:
        if before_comma:
            self.put(" " if self.dice.seldom() else "")
        elif self.dice.sometimes(3):
            self.put("" if self.format == "json" or self.is_bare else self.dice.pick("", "  # ]}"))
            self.put(self.line + " " * indent)
        else:
            self.put(self.dice.pick("", " "))

    # Keys, scalars, and what stands before a value

    def entries(self, data: _Collection, path: Path) -> Iterator[tuple[Any, Any]]:
        """Give keys or indexes with values: keys in any order, raw ones last, some behind `<<`."""
        if isinstance(data, list):
            yield from enumerate(data)
            return
        entries = sorted(
            data.items(),
            key=lambda entry: 2 if isinstance(entry[0], Raw) else self.dice.pick(0, 0, 0, 1),
        )
        merged = _Merged()
        if self.can_refer(data, path) and self.dice.seldom():
            merged.update(entries[-1:])
        for key, value in entries:
            if key not in merged:
                yield key, value
        if merged:
            yield Raw("<<"), merged

    def key(self, key: object, path: Path, value: object) -> Path:
        """Write a key and give the path of its value."""
        span = self.put(self.scalar(key))
        if isinstance(value, _Merged):
            return path
        below = (*path, key.text if isinstance(key, Raw) else str(key))
        self.keys[below] = span
        return below

    def scalar(self, value: object) -> str:
        if isinstance(value, Raw):
            return value.text
        if self.format == "json":
            return json.dumps(value, ensure_ascii=self.dice.sometimes())
        if isinstance(value, str):
            return self.text(value)
        if value is None:
            return self.dice.pick(*_NULLS)
        word = json.dumps(value)
        return self.dice.pick(word, word.title(), word.upper()) if isinstance(value, bool) else word

    def text(self, text: str) -> str:
        styles = [_double_quoted(text, ascii_only=self.dice.sometimes(3))]
        if not _UNPRINTABLE.search(text):
            styles.append("'" + text.replace("'", "''") + "'")
        if _may_be_plain(text):
            styles = [text, text, *styles]
        return self.dice.pick(*styles)

    # Anchors, aliases, tags

    def can_refer(self, value: object, path: Path) -> bool:
        """Tell whether the value may have an anchor, be an alias, or hold a merge key."""
        size = min(len(path), len(self.apart or ()))
        is_apart = self.apart is not None and path[:size] == self.apart[:size]
        return self.has_anchors and not is_apart and type(value) in _TAGS

    def properties(self, value: object, path: Path) -> str:
        """Choose a tag that changes nothing, and an anchor for later."""
        if not self.can_refer(value, path):
            return ""
        found = [_TAGS[type(value)]] if self.dice.seldom() else []
        identity = repr(value)
        if identity not in self.anchors and self.dice.sometimes():
            self.anchors[identity] = (f"a{len(self.anchors)}", path)
            found.append(f"&{self.anchors[identity][0]}")
        return " ".join(found)

    def alias(self, value: object, path: Path, *, before: str) -> bool:
        """Write an alias if there is an anchor for this value, or choose not to."""
        name, source = self.anchors.get(repr(value), ("", path))
        if not name or not self.can_refer(value, path) or self.dice.sometimes():
            return False
        self.put(f"{before}*{name}")
        self.end = self.place
        for places in (self.keys, self.values):
            below = {key: span for key, span in places.items() if key[: len(source)] == source}
            below.pop(source, None)
            places.update({(*path, *key[len(source) :]): span for key, span in below.items()})
        self.values[path] = self.values[source]
        return True


def _is_collection(value: object) -> TypeGuard[_Collection]:
    return isinstance(value, (dict, list))


def _may_be_plain(text: str) -> bool:
    """Tell whether a text surely means itself without quotes, in block and flow style."""
    return (
        text.isprintable()
        and (text[:1].isalpha() or text[:1] in {"_", "/", "("})
        and text[-1] not in " :"
        and ": " not in text
        and " #" not in text
        and not set(text) & set(",[]{}")
        and text.lower() not in {"null", "true", "false"}
    )


def _double_quoted(text: str, *, ascii_only: bool) -> str:
    def escape(character: str) -> str:
        if character in '"\\':
            return "\\" + character
        if not _UNPRINTABLE.match(character) and not (ascii_only and not character.isascii()):
            return character
        is_long = character > "\uffff"
        return f"\\U{ord(character):08x}" if is_long else f"\\u{ord(character):04x}"

    return '"' + "".join(map(escape, text)) + '"'
