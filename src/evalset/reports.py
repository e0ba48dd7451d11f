"""Comparisons, progress and estimates as text for people, and the matrix of a workflow."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from evalset.columns import count_of, lay_out
from evalset.combination import Combination
from evalset.expansion import Expansion
from evalset.quoting import escape
from evalset.sharding import ShardBy, check_shard

if TYPE_CHECKING:
    from evalset.comparing import Difference
    from evalset.costing import Estimate, Part
    from evalset.pricing import Range
    from evalset.resuming import Reconciliation

__all__ = ["MAX_JOBS", "write_diff", "write_estimate", "write_github_matrix", "write_status"]

MAX_JOBS = 256
"""The most jobs that a matrix of GitHub Actions may have."""

_SHOWN = 10  # combinations of each kind that a comparison lists
_DEFAULT_MODEL = "(default)"


def write_github_matrix(expansion: Expansion, *, shards: int, by: ShardBy = "balanced") -> str:
    """Write the matrix of a workflow, one job for each shard, on one line for `fromJSON`.

    Args:
        expansion: What is to run. Shards of it that are empty are there with `cells` 0,
            since an empty matrix fails a workflow.
        shards: How many jobs; 1 to 256, the most that GitHub allows.
        by: As for `Expansion.shard`.

    Returns:
        `{"include":[{"index":1,"count":8,"cells":25,"id":"shard-1-of-8"},...]}`. An id fits
        the name of an artifact.

    Raises:
        ValueError: `shards` is not from 1 to 256, or `by` unknown.
    """
    check_shard(1, shards, by)
    if shards > MAX_JOBS:
        raise ValueError(f"{shards:,} shards; a matrix has at most {MAX_JOBS} jobs")
    include = [
        {
            "index": index,
            "count": shards,
            "cells": len(expansion.shard(index, shards, by=by)),
            "id": f"shard-{index}-of-{shards}",
        }
        for index in range(1, shards + 1)
    ]
    return json.dumps({"include": include}, separators=(",", ":")) + "\n"


def write_diff(difference: Difference) -> str:
    """Write a comparison: the verdict with its reasons, the changes, some combinations."""
    return _text(_diff(difference))


def _diff(found: Difference) -> Iterator[str]:
    if found.is_empty:
        yield f"the same: {count_of(len(found.kept), 'combination')}"
        return
    yield found.verdict
    yield from (f"  {reason}" for reason in found.reasons)
    if found.changes:
        yield ""
        yield from (change.message for change in found.changes)
    yield ""
    yield (
        f"{len(found.kept):,} in both, {len(found.removed):,} removed, {len(found.added):,} added, "
        f"{len(found.changed):,} changed"
    )
    for sign, part in (("-", found.removed), ("+", found.added), ("~", found.changed)):
        yield from (f"{sign} {each.matrix_key}" for each in islice(part, _SHOWN))
        if len(part) > _SHOWN:
            yield f"{sign} and {len(part) - _SHOWN:,} more"


def write_status(found: Reconciliation) -> str:
    """Write the progress of a run: counts for each pack and agent, and what is unknown."""
    return _text(_status(found))


def _status(found: Reconciliation) -> Iterator[str]:
    parts = [
        (found.done, "done"),
        (found.failed, "failed"),
        (found.stale, "stale"),
        (found.missing, "missing"),
    ]
    whole = len(found.expansion)
    counts = ", ".join(f"{len(part):,} {name}" for part, name in parts if part) or "nothing to run"
    yield f"{count_of(whole, 'combination')}: {counts}"
    names: tuple[tuple[str, Callable[[Combination], str]], ...] = (
        ("PACK", lambda each: each.pack_ref),
        ("AGENT", _agent),
    )
    shown = [(part, name) for part, name in parts if part or name in {"done", "missing"}]
    for title, name_of in names:
        totals = _count_by(found.expansion, name_of)
        counted = [_count_by(part, name_of) for part, _ in shown]
        header = [title, *(name.upper() for _, name in shown), "OF"]
        rows = [
            [escape(name), *(f"{part.get(name, 0):,}" for part in counted), f"{total:,}"]
            for name, total in totals.items()
        ]
        yield ""
        yield from lay_out([header, *rows], numbers=range(1, len(header)))
    if found.unknown:
        yield ""
        yield f"{count_of(len(found.unknown), 'record')} of no combination of this manifest"
        yield from (f"  {record.key}" for record in found.unknown[:_SHOWN])
        if len(found.unknown) > _SHOWN:
            yield f"  and {len(found.unknown) - _SHOWN:,} more"
        if found.explanation:
            yield found.explanation


def _agent(each: Combination) -> str:
    return each.agent_label or each.agent.deployment


def _count_by(part: Expansion, name_of: Callable[[Combination], str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for each in part:
        counts[name_of(each)] = counts.get(name_of(each), 0) + 1
    return counts


def write_estimate(found: Estimate) -> str:
    """Write an estimate: by pack, agent and model, what is unknown, and the budget."""
    return _text(_estimate(found))


def _estimate(found: Estimate) -> Iterator[str]:
    header = ["", "CELLS", "LOW", "EXPECTED", "HIGH", "UNKNOWN"]
    for title, parts in (("PACK", found.packs), ("AGENT", found.agents), ("MODEL", found.models)):
        rows = [_part_cells(part) for part in parts]
        yield from lay_out([[title, *header[1:]], *rows], numbers=range(1, len(header)))
        yield ""
    yield f"total     {_total(found.total)}"
    if found.unpriced:
        yield f"unknown   {count_of(found.total.unknown, 'combination')}, not counted above:"
        yield from (f"          {each}" for each in found.unpriced)
    yield f"budget    {_budget(found)}"
    yield from (f"fits      {each}" for each in found.suggestions)


def _part_cells(part: Part) -> list[str]:
    is_unknown = part.unknown == part.count
    amounts = ["?"] * 3 if is_unknown else [f"{value:,.2f}" for value in _values(part.usd)]
    name = _DEFAULT_MODEL if part.name is None else escape(part.name)
    return [name, f"{part.count:,}", *amounts, f"{part.unknown:,}" if part.unknown else ""]


def _values(usd: Range) -> Sequence[float]:
    return usd.low, usd.expected, usd.high


def _total(part: Part) -> str:
    if part.count and part.unknown == part.count:
        return "unknown"
    low, expected, high = (f"{value:,.2f}" for value in _values(part.usd))
    about = f"{expected} USD" if low == high else f"{expected} USD ({low} to {high})"
    return f"{about} and what is unknown" if part.unknown else about


def _budget(found: Estimate) -> str:
    if found.budget_usd is None:
        return "none"
    amount = f"{found.budget_usd:,.2f} USD"
    return {
        "exceeds": f"{amount}: exceeded",
        "may exceed": f"{amount}: may be exceeded",
        "unknown": f"{amount}: not known to fit, as some costs are unknown",
    }.get(found.budget, f"{amount}: fits")


def _text(lines: Iterator[str]) -> str:
    return "".join(f"{escape(line)}\n" for line in lines)
