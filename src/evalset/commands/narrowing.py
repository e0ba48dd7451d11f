"""Options that narrow an expansion: what is wanted, what is done, which shard."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from evalset.commands.shell import FINDINGS, USAGE, Streams, expand_file, one_of, quote, refuse, say

if TYPE_CHECKING:
    from evalset.expansion import Expansion
    from evalset.records import Record

__all__ = ["add_narrowing_options", "add_skip_option", "expand_narrowed", "load_records"]

_AXES = ("pack", "agent", "model", "repeat", "key")
_WAYS = ("balanced", "stable", "pack")
# A comma starts another term only before the name of an axis: packs may hold commas.
_TERMS = re.compile(rf",(?=(?:{'|'.join(_AXES)})=)")
_REPEATS = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


def add_narrowing_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that narrow what a manifest stands for."""
    parser.add_argument(
        "--only",
        metavar="TERM",
        type=_term,
        action="append",
        default=[],
        help="keep what matches: pack=, agent=, model=, key= and a name or pattern, or "
        "repeat=1-3; several of one axis are alternatives, of several axes all must match",
    )
    parser.add_argument(
        "--except",
        dest="without",
        metavar="TERM",
        type=_term,
        action="append",
        default=[],
        help="leave out what matches, after --only; pack=a,agent=b leaves out what is both",
    )
    parser.add_argument(
        "--keys-from",
        metavar="FILE",
        action="append",
        default=[],
        help="keep the combinations whose keys or ids are in a file: lines, JSON lines or CSV",
    )
    parser.add_argument(
        "--shard",
        metavar="I/N",
        type=_shard,
        help="keep shard I of N, from 1; whatever else is left out, a combination is in the "
        "same shard",
    )
    parser.add_argument(
        "--shard-by",
        metavar="WAY",
        type=partial(one_of, _WAYS),
        default="balanced",
        help="how to deal to shards: balanced (default), stable (a new combination moves no "
        "other) or pack (a pack stays together)",
    )


def add_skip_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that passes over what is done."""
    parser.add_argument(
        "--skip-done",
        metavar="FILE",
        nargs="+",
        action="extend",
        default=[],
        help="leave out what records of runs say is done; what failed or is stale stays",
    )


def expand_narrowed(path: str, options: argparse.Namespace, streams: Streams) -> Expansion | int:
    """Expand a manifest and narrow it; where that fails, say so and give the exit code."""
    from evalset.errors import SelectionError
    from evalset.records import RecordError

    expansion = expand_file(path, options, streams)
    if isinstance(expansion, int):
        return expansion
    try:
        return _narrow(expansion, options, streams)
    except SelectionError as error:
        say(streams, f"evalset: {error}")
        return USAGE
    except RecordError as error:
        say(streams, f"evalset: {error}")
        return FINDINGS
    except OSError as error:
        return refuse(streams, f"cannot read {error.filename}: {error.strerror}")


def _narrow(expansion: Expansion, options: argparse.Namespace, streams: Streams) -> Expansion:
    wanted = _merge(options.only)
    if options.keys_from:
        keys = [record.key for record in load_records(options.keys_from)]
        wanted["keys"] = [*wanted.get("keys", []), *keys]
    narrowed = expansion.select(**wanted) if wanted else expansion
    for term in options.without:
        narrowed = narrowed.without(**_merge([term]))
    if getattr(options, "skip_done", None):
        narrowed = _skip_done(narrowed, options, streams)
    if options.shard:
        narrowed = narrowed.shard(*options.shard, by=options.shard_by)
    return narrowed


def _skip_done(expansion: Expansion, options: argparse.Namespace, streams: Streams) -> Expansion:
    from evalset.columns import count_of
    from evalset.resuming import reconcile

    found = reconcile(expansion, load_records(options.skip_done))
    parts = [(found.done, "done"), (found.failed, "failed"), (found.stale, "stale")]
    told = [f"{len(part):,} {name}" for part, name in parts]
    say(streams, f"{', '.join(told)}, {len(found.missing):,} not run yet")
    if found.unknown:
        records = count_of(len(found.unknown), "record")
        say(streams, f"{records} of no combination of this manifest")
    if found.explanation:
        say(streams, found.explanation)
    return found.to_run


def load_records(paths: Sequence[str]) -> list[Record]:
    """Read the records of several files."""
    from evalset.records import read_records

    return [record for path in paths for record in read_records(path)]


def _merge(terms: Sequence[dict[str, list[Any]]]) -> dict[str, Any]:
    """Join terms; a single range of repeats stays one, of which some must be there."""
    merged: dict[str, list[Any]] = {}
    for term in terms:
        for axis, values in term.items():
            merged.setdefault(axis, []).extend(values)
    ranges: list[range] = merged.pop("repeat", [])
    repeats = ranges[0] if len(ranges) == 1 else [number for each in ranges for number in each]
    wanted: dict[str, Any] = {("keys" if axis == "key" else axis): v for axis, v in merged.items()}
    return {**wanted, "repeat": repeats} if ranges else wanted


def _term(text: str) -> dict[str, list[Any]]:
    values: dict[str, list[Any]] = {}
    for part in _TERMS.split(text):
        axis, equals, value = part.partition("=")
        if axis not in _AXES or not equals or not value:
            message = f"{quote(part)} is not {', '.join(f'{a}=' for a in _AXES[:-1])} or key= "
            raise argparse.ArgumentTypeError(f"{message}and what is wanted of it")
        values.setdefault(axis, []).extend(_repeats(value) if axis == "repeat" else [value])
    return values


def _repeats(text: str) -> Iterator[range]:
    for part in text.split(","):
        match = _REPEATS.fullmatch(part)
        if not match:
            message = f"{quote(part)} is not a repeat such as 2, or several such as 1-3"
            raise argparse.ArgumentTypeError(message)
        yield range(int(match[1]), int(match[2] or match[1]) + 1)


def _shard(text: str) -> tuple[int, int]:
    from evalset.sharding import check_shard

    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a shard such as 2/8")
    index, count = int(match[1]), int(match[2])
    try:
        check_shard(index, count, "balanced")
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return index, count
