"""Text of the writer inside a message: quoted, shortened, and safe for terminals and logs."""

from __future__ import annotations

import re

__all__ = ["escape", "printable", "quote"]

_SHOWN = 40  # characters of the writer's text that a message quotes at most

# What must never reach a terminal or a log raw: controls, format characters (bidirectional
# overrides, zero-width and invisible ones), line separators, lone surrogates and
# noncharacters. A list, since Unicode's tables change with the version of Python; but what
# any version calls printable is not on it, so the pattern is seldom needed, and only then
# compiled.
_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001-\U000e007f]"
)


def quote(text: str) -> str:
    """Show text of the writer inside a message: in double quotes, and as `printable` does."""
    return f'"{printable(text)}"'


def printable(text: str) -> str:
    """Show text of the writer on one line, in about 40 characters.

    Control, bidirectional and invisible characters are written as escapes, so that the
    result is safe for terminals and logs. A longer text keeps its two ends.
    """
    shown = _escaped(text, _SHOWN)
    return shown if len(shown) <= 2 * _SHOWN else _escaped(text, _SHOWN // 5)


def escape(text: str) -> str:
    """Write control, bidirectional and invisible characters as escapes, and nothing else."""
    return text if text.isprintable() else re.sub(_UNSAFE, _escape, text)


def _escaped(text: str, length: int) -> str:
    if len(text) > length:
        text = f"{text[: length // 2]}…{text[1 - length // 2 :]}"
    return escape(text)


def _escape(match: re.Match[str]) -> str:
    names = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    number = ord(match[0])
    return names.get(match[0]) or (f"\\U{number:08x}" if number >> 16 else f"\\u{number:04x}")
