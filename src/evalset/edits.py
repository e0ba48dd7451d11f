"""Edits: stretches of a text that become another text, all else staying as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Correction", "Edit", "apply_edits"]


class Edit(NamedTuple):
    """One change: what stands from `start` to `end`, exclusive, becomes `text`."""

    start: int
    end: int
    text: str


class Correction(NamedTuple):
    """An edit that mends a fault, in words; `is_safe` as in `evalset.Fix`."""

    title: str
    edit: Edit
    is_safe: bool = False


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Make changes that do not overlap; those at one place in the order in which they come."""
    parts: list[str] = []
    place = 0
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[place : edit.start], edit.text]
        place = edit.end
    return "".join([*parts, text[place:]])
