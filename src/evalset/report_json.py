"""The report of an expansion as JSON, put together from texts that are encoded once.

A cell repeats what its pack, agent, model and repeat say, so each of those is encoded by
itself, and a cell is such texts in a row. That is right because JSON, unescaped beyond
what it demands, is written character by character: the text of a key is the texts of its
parts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from json.encoder import encode_basestring as encode  # what json.dumps calls, escaping least
from typing import Any, NamedTuple

__all__ = ["Fragments", "write_report"]


class Fragments(NamedTuple):
    """What the cells of a product consist of: plain texts, and what they are in the key.

    Attributes:
        packs: Text of the pack in the key, and its reference.
        agents: Text of the agent in the key, deployment in its form for keys, label.
        models: Text behind the agent in the key, with its slash, and the reference; one
            of an empty text and None for the implicit slot.
        seeds: The seed of each repeat, or None.
        case_fanout: The same for all.
    """

    packs: Sequence[tuple[str, str]]
    agents: Sequence[tuple[str, str, str | None]]
    models: Sequence[tuple[str, str | None]]
    seeds: Sequence[int | None]
    case_fanout: bool


def write_report(
    report: dict[str, Any], cells: Fragments, indices: Sequence[int], *, indent: int | None
) -> str:
    """Write a report.

    Args:
        report: Everything but the combinations, whose place is taken by an empty list
            behind the name.
        cells: What the combinations consist of.
        indices: Which of the product's cells are in the report.
        indent: As for `json.dumps`.

    Returns:
        Byte for byte what `json.dumps` makes of the whole report, unescaped and, without
        an indent, without spaces.
    """
    style = _Style(indent)
    name, rest = report["name"], {**report}
    del rest["name"], rest["combinations"]
    texts = _cells(cells, style)
    if indices != range(len(texts)):
        texts = [texts[index] for index in indices]
    start = f"{{{style.line(1)}{style.field('name')}{encode(name)},{style.line(1)}"
    start = f"{start}{style.field('combinations')}["
    end = f"],{style.write(rest)[1:]}"
    if not texts:
        return start + end
    # Into the texts, not around them: joined once, never copied again.
    texts[0] = f"{start}{style.line(2)}{texts[0]}"
    texts[-1] = f"{texts[-1]}{style.line(1)}{end}"
    return f",{style.line(2)}".join(texts)


class _Style:
    """Where lines break, and what stands behind a colon."""

    def __init__(self, indent: int | None) -> None:
        self.indent = indent
        self.separators = (",", ":") if indent is None else None

    def line(self, depth: int) -> str:
        return "" if self.indent is None else "\n" + self.indent * depth * " "

    def field(self, name: str) -> str:
        return f'"{name}":' if self.indent is None else f'"{name}": '

    def write(self, data: object) -> str:
        return json.dumps(data, ensure_ascii=False, indent=self.indent, separators=self.separators)


def _cells(cells: Fragments, style: _Style) -> list[str]:
    """Write every cell of the product, in order.

    A cell is what its pack says in the key, what the others say there, and the fields of
    both: four texts, so that only the shortest of loops runs for every cell.
    """
    line = style.line(3)
    key, pack_ref, agent_ref, agent_label, model_ref, repeat, seed, case_fanout = (
        f"{mark}{line}{style.field(name)}" for mark, name in _FIELDS
    )
    end = f"{case_fanout}{'true' if cells.case_fanout else 'false'}{style.line(2)}}}"
    packs = [
        (f"{key}{encode(part)[:-1]}/", f"{pack_ref}{encode(ref)}") for part, ref in cells.packs
    ]
    agents = [
        (encode(part)[1:-1], f"{agent_ref}{encode(ref)}{_optional(agent_label, label)}")
        for part, ref, label in cells.agents
    ]
    models = [(encode(part)[1:-1], _optional(model_ref, ref)) for part, ref in cells.models]
    repeats = [
        (f'/{count}"', f"{repeat}{count}{'' if number is None else f'{seed}{number}'}{end}")
        for count, number in enumerate(cells.seeds, 1)
    ]
    others = [
        (f"{agent_part}{model_part}{repeat_part}", f"{agent}{model}{rest}")
        for agent_part, agent in agents
        for model_part, model in models
        for repeat_part, rest in repeats
    ]
    return [
        f"{pack_part}{other_part}{pack}{other}"
        for pack_part, pack in packs
        for other_part, other in others
    ]


def _optional(before: str, text: str | None) -> str:
    return "" if text is None else f"{before}{encode(text)}"


# The fields of a combination, in order, each with what stands before it.
_FIELDS = (
    ("{", "matrix_key"),
    (",", "pack_ref"),
    (",", "agent_ref"),
    (",", "agent_label"),
    (",", "model_ref"),
    (",", "repeat"),
    (",", "seed"),
    (",", "case_fanout"),
)
