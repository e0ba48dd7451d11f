"""What an unknown key was meant to be, and where it belongs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from evalset.keys import trim
from evalset.quoting import printable, quote
from evalset.rules import KEYS
from evalset.schemas import SchemaError

__all__ = ["key_hint", "meant_key"]

# Where each key of the format belongs, for keys that are written at another level.
_HOMES = {
    key: {"": "at the top level", "agents": "in an item of agents"}.get(level, f"under {level}")
    for level, keys in KEYS.items()
    for key in keys
}

_REQUIRED = frozenset({"schema", "name", "packs", "agents", "deployment"})
_LISTS = frozenset({"packs", "agents", "models", "scanners"})

# Keys that matrices of other tools have.
_FOREIGN_KEYS = {
    "matrix": "packs, agents, models and repeats are the axes; each is a key of the manifest",
    **dict.fromkeys(
        ("include", "exclude"),
        "every combination of the axes runs; for others write a second manifest",
    ),
    "model": "models stand at the top level, in a list for all agents",
}


# What people call keys of the manifest and of an agent.
_SYNONYMS: dict[str, dict[str, tuple[str, ...]]] = {
    "": {"name": ("title",), "agents": ("deployments",), "schema": ("version",)},
    "agents": {
        "deployment": ("name", "id", "uuid", "agent", "slug", "ref"),
        "label": ("name", "alias", "title"),
    },
}
_FOLDED = str.maketrans("", "", "-_ ")


def meant_key(error: SchemaError) -> str | None:
    """Give the key that an unknown one stands for, it seems: one that its mapping lacks."""
    key = str(error.path[-1])
    free = [name for name in error.expected if name not in error.value]
    if near := _nearest(key, free):
        return near
    level = "" if len(error.path) == 1 else str(error.path[0])
    for name, words in _SYNONYMS.get(level, {}).items():
        if key.casefold() in words and name not in error.value:
            return name
    return None


def key_hint(error: SchemaError, root: Mapping[str, Any]) -> str:  # noqa: PLR0911 (one for each reason)
    """Say what to write instead of an unknown key of a mapping inside the root."""
    key = str(error.path[-1])
    word, colon, rest = key.partition(":")
    odd = key.replace(trim(key), "").strip(" ")[:1]
    if odd and trim(key) in _HOMES:
        return f"write {trim(key)} with plain spaces around it; U+{ord(odd):04X} is none"
    if colon and rest and word in _HOMES:
        return f"write {word}: {printable(rest)}, with a space behind the colon"
    meant = meant_key(error)
    is_top = key in KEYS[""]
    if key in _HOMES and not (is_top and (meant or key in root)):
        return f"{key} belongs {_HOMES[key]}"
    if meant:
        missing = ", which is missing" if meant in _REQUIRED else ""
        is_list = meant in _LISTS and isinstance(error.value[key], str)
        return f"did you mean {meant}{missing}?{' It is a list' if is_list else ''}"
    if is_top and key in root:
        return f"{key} stands at the top level already; remove it here"
    if near := _nearest(key, error.expected):
        return f"{near} stands there already; remove one of the two"
    if key in _FOREIGN_KEYS:
        return _FOREIGN_KEYS[key]
    if re.match(r"[xX][-_]", key):
        return f"extension keys start with x-: {quote('x-' + key[2:])}"
    known = ", ".join(name for name in error.expected if name != "$schema")
    return f"known are {known}; your own start with x-"


def _nearest(key: str, known: Iterable[str]) -> str | None:
    from difflib import get_close_matches

    folded = {_folded(name): name for name in known if name != "$schema"}
    near = get_close_matches(_folded(key), folded, 1, 0.7)
    return folded[near[0]] if near else None


def _folded(key: str) -> str:
    return key.translate(_FOLDED).casefold()
