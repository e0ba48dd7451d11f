"""`evalset expand`: show the combinations that a manifest stands for."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from evalset.commands.shell import (
    CLEAN,
    FINDINGS,
    SETTINGS,
    Streams,
    add_expansion_options,
    columns_of,
    one_of,
    read,
    refuse,
)

if TYPE_CHECKING:
    from evalset.expansion import Expansion

__all__ = ["add_expand"]

_ROWS = 20
_FORMATS = ("table", "json", "jsonl", "csv", "keys")


def add_expand(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the others."""
    parser = commands.add_parser(
        "expand",
        **SETTINGS,
        usage="""\
evalset expand [--format FORMAT] [--all] [--key-by DIALECT]
                      [--max-combinations N] FILE""",
        help="show the combinations that a manifest stands for",
        description="""\
Show the combinations that a manifest stands for. Nothing is run or created.
Findings go to stderr; with an error among them nothing goes to stdout.""",
        epilog="""\
examples:
  evalset expand sweep.yaml                  a table, at most 20 rows of it
  evalset expand sweep.yaml --format keys    what each combination is called
  evalset expand sweep.yaml --format csv >sweep.csv
  evalset expand sweep.yaml --key-by deployment""",
    )
    parser.set_defaults(run=_expand)
    parser.add_argument("path", metavar="FILE", help="the manifest, or - for stdin")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=partial(one_of, _FORMATS),
        default="table",
        help="table (default), json (one report), jsonl or csv (a row for each combination, "
        "with its id) or keys (one matrix key a line)",
    )
    parser.add_argument("--all", action="store_true", help="show every row of the table")
    add_expansion_options(parser)


def _expand(options: argparse.Namespace, streams: Streams) -> int:
    from evalset.expansion import expand
    from evalset.formats import write_diagnostics

    try:
        result = read(options.path, options, streams)
    except OSError as error:
        return refuse(streams, f"cannot read {options.path}: {error.strerror}")
    streams.stderr.write(write_diagnostics(result.diagnostics))
    if result.manifest is None or not result.ok:
        return FINDINGS
    expansion = expand(
        result.manifest, key_by=options.key_by, max_combinations=options.max_combinations
    )
    streams.stdout.write(_write(expansion, options, streams))
    return CLEAN


def _write(expansion: Expansion, options: argparse.Namespace, streams: Streams) -> str:
    from evalset import formats

    writers = {
        "json": formats.write_json,
        "jsonl": formats.write_jsonl,
        "csv": formats.write_csv,
        "keys": formats.write_keys,
    }
    if options.format in writers:
        return writers[options.format](expansion)
    rows = None if options.all else _ROWS
    table = formats.write_table(expansion, rows=rows, width=columns_of(streams.stdout))
    if rows and len(expansion) > rows:
        table += "--all shows every row; --format csv, json, jsonl and keys are for programs\n"
    return table
