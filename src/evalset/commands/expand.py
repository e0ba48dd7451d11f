"""`evalset expand`: show the combinations that a manifest stands for."""

from __future__ import annotations

import argparse
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from evalset.commands.narrowing import add_narrowing_options, add_skip_option, expand_narrowed
from evalset.commands.shell import (
    CLEAN,
    SETTINGS,
    USAGE,
    Streams,
    add_expansion_options,
    columns_of,
    one_of,
    quote,
    say,
)

if TYPE_CHECKING:
    from evalset.expansion import Expansion

__all__ = ["add_expand"]

_ROWS = 20
_FORMATS = ("table", "json", "jsonl", "csv", "keys", "markdown", "github-matrix")
_MAX_JOBS = 256  # reports.MAX_JOBS, not imported: that would load attrs for `--help`


def add_expand(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the others."""
    parser = commands.add_parser(
        "expand",
        **SETTINGS,
        usage="""\
evalset expand FILE [--format FORMAT] [--all] [--shards N]
                      [--only TERM] [--except TERM] [--keys-from FILE]
                      [--shard I/N] [--shard-by WAY] [--skip-done FILE...]
                      [--key-by DIALECT] [--max-combinations N]""",
        help="show the combinations that a manifest stands for",
        description="""\
Show the combinations that a manifest stands for, all or some of them. Nothing
is run or created. Findings go to stderr; with an error among them nothing goes
to stdout. A TERM that matches nothing is an error.""",
        epilog="""\
examples:
  evalset expand sweep.yaml                  a table, at most 20 rows of it
  evalset expand sweep.yaml --format keys    what each combination is called
  evalset expand sweep.yaml --format csv >sweep.csv
  evalset expand sweep.yaml --only 'pack=catalog/*' --only repeat=1-3
  evalset expand sweep.yaml --except agent=opus --shard 2/8 --format keys
  evalset expand sweep.yaml --skip-done results/*.jsonl --format keys
  evalset expand sweep.yaml --format github-matrix --shards 8""",
    )
    parser.set_defaults(run=_expand)
    parser.add_argument("path", metavar="FILE", help="the manifest, or - for stdin")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=partial(one_of, _FORMATS),
        default="table",
        help="table (default), json (one report), jsonl or csv (a row for each combination, "
        "with its id), keys (one matrix key a line), markdown (for a summary on GitHub) or "
        "github-matrix (the jobs of a workflow)",
    )
    parser.add_argument("--all", action="store_true", help="show every row of the table")
    parser.add_argument(
        "--shards", metavar="N", type=_jobs, help=f"the jobs of a github-matrix: 1 to {_MAX_JOBS}"
    )
    add_narrowing_options(parser)
    add_skip_option(parser)
    add_expansion_options(parser)


def _jobs(text: str) -> int:
    number = int(text) if re.fullmatch("[0-9]{1,3}", text) else 0
    if not 1 <= number <= _MAX_JOBS:
        message = f"{quote(text)} is not a whole number of 1 to {_MAX_JOBS}"
        raise argparse.ArgumentTypeError(message)
    return number


def _expand(options: argparse.Namespace, streams: Streams) -> int:
    if problem := _misfit(options):
        say(streams, f"evalset: {problem}")
        return USAGE
    expansion = expand_narrowed(options.path, options, streams)
    if isinstance(expansion, int):
        return expansion
    streams.stdout.write(_write(expansion, options, streams))
    return CLEAN


def _misfit(options: argparse.Namespace) -> str | None:
    is_matrix = options.format == "github-matrix"
    if is_matrix and options.shards is None:
        return "--format github-matrix needs --shards N, the number of jobs"
    if is_matrix and options.shard:
        return "a matrix has every shard; --shard is for its jobs"
    if options.shards is not None and not is_matrix:
        return "--shards goes with --format github-matrix; one shard is --shard I/N"
    return None


def _write(expansion: Expansion, options: argparse.Namespace, streams: Streams) -> str:
    from evalset import formats, markdown, reports

    if options.format == "github-matrix":
        way = options.shard_by
        return reports.write_github_matrix(expansion, shards=options.shards, by=way)
    writers = {
        "json": formats.write_json,
        "jsonl": formats.write_jsonl,
        "csv": formats.write_csv,
        "keys": formats.write_keys,
        "markdown": markdown.write_markdown,
    }
    if options.format in writers:
        return writers[options.format](expansion)
    rows = None if options.all else _ROWS
    table = formats.write_table(expansion, rows=rows, width=columns_of(streams.stdout))
    if rows and len(expansion) > rows:
        table += "--all shows every row; --format csv, json, jsonl and keys are for programs\n"
    return table
