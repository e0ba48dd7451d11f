"""What can be said of a document's values without the tree: their paths, and their limits."""

from __future__ import annotations

from typing import TypeAlias, final

import attrs

from evalset.quoting import printable

__all__ = ["MAX_DEPTH", "OddNumber", "Path", "ReadLimits", "Stretch", "to_name", "to_pointer"]

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""

Stretch: TypeAlias = tuple[int, int]
"""A stretch of a text as two offsets, its end exclusive."""


MAX_DEPTH = 64
"""How deep lists and mappings may nest in a document, whatever a caller allows."""


def to_pointer(path: Path) -> str:
    """Write a path as a JSON Pointer (RFC 6901).

    Half a surrogate in a key becomes a question mark: no encoding can hold it, and a finding
    must be something that a host can send.
    """
    pointer = "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)
    return pointer.encode(errors="replace").decode()


def to_name(path: Path) -> str:
    """Name a value as people do: `agents[2].label`; the empty path is the manifest."""
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return printable(steps.removeprefix(".")) or "the manifest"


@final
@attrs.frozen(kw_only=True)
class ReadLimits:
    """What a reader takes before it refuses, so that a stranger's text costs little.

    Attributes:
        size: Bytes of UTF-8 in a text of JSON, or of YAML in plain block style.
        yaml_size: Bytes of UTF-8 in a text of any other YAML, which takes seconds a MiB.
        yaml_values: Keys and values in such a text, as they are written, since each takes
            its parser some 0.1 ms.
        depth: How deep lists and mappings nest.
        nodes: Values in the document once every alias is written out.

    Raises:
        ValueError: A limit is no whole number from 1, or `depth` is above 64.
    """

    size: int = 1024 * 1024
    yaml_size: int = 256 * 1024
    yaml_values: int = 25_000
    depth: int = MAX_DEPTH
    nodes: int = 100_000

    def __attrs_post_init__(self) -> None:
        for name, value in attrs.asdict(self).items():
            if type(value) is not int or value < 1:
                raise ValueError(f"{name} is {value!r}; it is a whole number from 1")
        if self.depth > MAX_DEPTH:
            raise ValueError(f"depth is {self.depth}; {MAX_DEPTH} is the most")


@final
@attrs.frozen
class OddNumber:
    """A plain YAML scalar that YAML 1.2 reads as a number and JSON's grammar does not.

    `010`, `0x10`, `.5`, `+3` and `.inf` are such. No field of a manifest takes one, as
    number or as text, so that no reader can take it for something else.
    """

    source: str
    value: int | float
