"""What a reader finds in a text before any rule of the format is looked at."""

from __future__ import annotations

from typing import final

import attrs

from evalset.edits import Correction
from evalset.nodes import Path
from evalset.quoting import quote

__all__ = [
    "Fault",
    "Unreadable",
    "duplicate_key",
    "empty_document",
    "one_character",
    "too_deep",
    "too_large",
    "too_many_nodes",
    "too_many_values",
]


@final
@attrs.frozen
class Fault:
    """A finding of a reader, its places as offsets into the text."""

    code: str
    message: str
    start: int = 0
    end: int = 0
    path: Path = ()
    hint: str | None = None
    related: tuple[tuple[str, int, int], ...] = ()
    correction: Correction | None = None


class Unreadable(Exception):  # noqa: N818 (never leaves the library)
    """The reader cannot go on behind this fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def one_character(text: str, place: int) -> tuple[int, int]:
    """Give the span of the character at a place; empty at the end of a line or of the text."""
    is_end = place >= len(text) or text[place] in "\r\n"
    return place, place if is_end else place + 1


def empty_document() -> Fault:
    """Say that there is nothing to read."""
    hint = "`evalset init` writes a manifest to start from"
    return Fault("empty-document", "the text holds no document", hint=hint)


def too_large(limit: int, hint: str | None = None) -> Fault:
    """Say that a text has more bytes than its limit."""
    return Fault("too-large", f"the text is larger than {limit:,} bytes", hint=hint)


def too_deep(limit: int, place: int = 0, path: Path = ()) -> Fault:
    """Say that the list or mapping at a place is nested too deep."""
    message = f"lists and mappings are nested more than {limit} deep here"
    return Fault("too-deep", message, place, place + 1, path)


def too_many_nodes(limit: int, place: int = 0) -> Fault:
    """Say that a document holds too many values."""
    message = f"with every alias written out, the document holds over {limit:,} values"
    return Fault("too-many-nodes", message, place, place + 1)


def too_many_values(limit: int, place: int) -> Fault:
    """Say that a text of YAML holds too many keys and values."""
    message = f"the text holds over {limit:,} keys and values"
    hint = "JSON, and YAML in plain block style, may hold more"
    return Fault("too-many-nodes", message, place, place + 1, hint=hint)


def duplicate_key(key: str, place: tuple[int, int], first: tuple[int, int], path: Path) -> Fault:
    """Say that a key at a place stood before in its mapping."""
    message = f"the key {quote(key)} stands twice in this mapping"
    related = (("it stands here first", *first),)
    return Fault("duplicate-key", message, *place, path, "keep one of the two", related)
