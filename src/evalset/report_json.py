"""The report of an expansion as JSON, put together from texts that are encoded once.

A cell repeats what its pack, agent, model and repeat say, so each of those is encoded by
itself, and a cell is such texts in a row. That is right because JSON, unescaped beyond
what it demands, is written character by character: the text of a key is the texts of its
parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
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

    packs: Iterable[tuple[str, str]]
    agents: Iterable[tuple[str, str, str | None]]
    models: Iterable[tuple[str, str | None]]
    seeds: Iterable[int | None]
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
    style = _style(indent)
    name, rest = report["name"], {**report}
    del rest["name"], rest["combinations"]
    texts = [
        f"{{{style.name}{encode(name)},{style.combinations}[",
        *_texts(cells, indices, style),
        f"],{style.write(rest)[1:]}",
    ]
    return "".join(texts)


class _Style:
    """What stands between values: where lines break, and the names of fields."""

    def __init__(self, indent: int | None) -> None:
        separators = (",", ":") if indent is None else None
        self.write = json.JSONEncoder(
            ensure_ascii=False, indent=indent, separators=separators
        ).encode
        colon = ":" if indent is None else ": "
        _, outer, item, inner = (
            "" if indent is None else "\n" + indent * depth * " " for depth in range(4)
        )
        self.name = f'{outer}"name"{colon}'
        self.combinations = f'{outer}"combinations"{colon}'
        self.fields = [f',{inner}"{field}"{colon}' for field in _FIELDS]
        self.first = f'{item}{{{inner}"matrix_key"{colon}"'
        self.end = f"{item}}}"
        self.last = outer


_style = lru_cache(maxsize=8)(_Style)


# Cells that a pack has before they are worth a text of their own: what is joined is held
# beside the whole report, and with few cells for each pack the gain is small.
_MANY = 8


def _texts(cells: Fragments, indices: Sequence[int], style: _Style) -> list[str]:
    """Give the texts that make up the cells and what separates them.

    A cell is its pack in the key, all else there, its pack, and all other fields with the
    start of the next cell.
    """
    if not indices:
        return []
    separator = f",{style.first}"
    packs, others = [*_packs(cells)], _others(cells, style, separator)
    count, texts = len(others), [style.first]
    if indices == range(len(packs) * count):
        between = ["", *chain.from_iterable(others)]
        for part, ref in packs:
            if part == ref and count >= _MANY:
                # Nothing but this text tells the cells of a pack from those of another,
                # so it is what joins all the rest: a loop of C's, not one of Python's.
                texts.append(ref.join(between))
            else:
                for other_part, other in others:
                    texts += part, other_part, ref, other
    else:
        for index in indices:
            (part, ref), (other_part, other) = packs[index // count], others[index % count]
            texts += part, other_part, ref, other
    texts[-1] = texts[-1].removesuffix(separator) + style.last
    return texts


def _packs(cells: Fragments) -> Iterator[tuple[str, str]]:
    """Give what each pack says in the key, and its reference: one text, if they are equal."""
    for part, ref in cells.packs:
        text = encode(ref)[1:-1]
        yield (text if part == ref else encode(part)[1:-1]), text


def _others(cells: Fragments, style: _Style, separator: str) -> list[tuple[str, str]]:
    """Give what agents, models and repeats say behind the pack, in the key and after it."""
    pack_ref, agent_ref, agent_label, model_ref, repeat, seed, case_fanout = style.fields
    agents = [
        (f"/{encode(part)[1:-1]}", f'"{agent_ref}{encode(ref)}{_optional(agent_label, label)}')
        for part, ref, label in cells.agents
    ]
    models = [(encode(part)[1:-1], _optional(model_ref, ref)) for part, ref in cells.models]
    end = f"{case_fanout}{'true' if cells.case_fanout else 'false'}{style.end}{separator}"
    repeats = [
        (
            f'/{count}"{pack_ref}"',
            f"{repeat}{count}{'' if number is None else f'{seed}{number}'}{end}",
        )
        for count, number in enumerate(cells.seeds, 1)
    ]
    groups = [
        (agent_part + model_part, agent + model)
        for agent_part, agent in agents
        for model_part, model in models
    ]
    return [
        (group_part + repeat_part, group + rest)
        for group_part, group in groups
        for repeat_part, rest in repeats
    ]


def _optional(before: str, text: str | None) -> str:
    return "" if text is None else f"{before}{encode(text)}"


# The fields of a combination behind its key, in order.
_FIELDS = ("pack_ref", "agent_ref", "agent_label", "model_ref", "repeat", "seed", "case_fanout")
