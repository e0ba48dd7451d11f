"""The report of an expansion as JSON, put together from texts that are encoded once.

A cell repeats what its pack, agent, model and repeat say, so each of those is encoded by
itself, and a cell is six such texts in a row. That is right because JSON, unescaped beyond
what it demands, is written character by character: the text of a key is the texts of its
parts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

__all__ = ["Fragments", "write_report"]

_encode = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps makes one at each call


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
    start = f"{{{style.line(1)}{style.field('name')}{_encode(name)},{style.line(1)}"
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
    """Write every cell of the product, in order."""
    line, field = style.line(3), style.field

    def fields(**values: object) -> str:
        """Write the fields that there are, as they stand behind another."""
        return "".join(
            f",{line}{field(name)}{_encode(value)}"
            for name, value in values.items()
            if value is not None
        )

    # There may be thousands of packs, so what all have in common is made once.
    before_key, before_ref = f"{{{line}{field('matrix_key')}", f",{line}{field('pack_ref')}"
    packs = [
        (f"{before_key}{_encode(key)[:-1]}", f"{before_ref}{_encode(ref)}")
        for key, ref in cells.packs
    ]
    agents = [
        (
            f"/{_encode(agent_key + model_key)[1:-1]}",
            fields(agent_ref=agent_ref, agent_label=label, model_ref=model_ref),
        )
        for agent_key, agent_ref, label in cells.agents
        for model_key, model_ref in cells.models
    ]
    repeats = [
        (
            f'/{repeat}"',
            f"{fields(repeat=repeat, seed=seed, case_fanout=cells.case_fanout)}{style.line(2)}}}",
        )
        for repeat, seed in enumerate(cells.seeds, 1)
    ]
    return [
        f"{pack_key}{agent_key}{repeat_key}{pack}{agent}{repeat}"
        for pack_key, pack in packs
        for agent_key, agent in agents
        for repeat_key, repeat in repeats
    ]
