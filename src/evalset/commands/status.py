"""`evalset status`: hold a manifest against the records of its runs."""

from __future__ import annotations

import argparse
import json
from functools import partial
from typing import Any

from evalset.commands.narrowing import add_narrowing_options, expand_narrowed, load_records
from evalset.commands.shell import (
    CLEAN,
    FINDINGS,
    SETTINGS,
    Streams,
    add_expansion_options,
    one_of,
    refuse,
    say,
)

__all__ = ["add_status"]

_FORMATS = ("text", "json", "markdown")


def add_status(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the others."""
    parser = commands.add_parser(
        "status",
        **SETTINGS,
        usage="""\
evalset status FILE DONE... [--format FORMAT]
                      [--only TERM] [--except TERM] [--keys-from FILE]
                      [--shard I/N] [--shard-by WAY]
                      [--key-by DIALECT] [--max-combinations N]""",
        help="show which combinations are done",
        description="""\
Show which combinations are done, failed, stale or missing, for each pack and
agent. The exit code is 1 while anything is not done.

DONE is a file of records: a matrix key or id on each line; JSON lines with
matrix_key or id, and outcome (done or failed) and fingerprint if known; or CSV
with such columns. `evalset schema record` describes a record.""",
        epilog="""\
examples:
  evalset status sweep.yaml done.txt
  evalset status sweep.yaml results/*.jsonl --format markdown""",
    )
    parser.set_defaults(run=_status)
    parser.add_argument("path", metavar="FILE", help="the manifest, or - for stdin")
    parser.add_argument("done", metavar="DONE", nargs="+", help="records of runs")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=partial(one_of, _FORMATS),
        default="text",
        help="text (default), json or markdown (for a summary on GitHub)",
    )
    add_narrowing_options(parser)
    add_expansion_options(parser)


def _status(options: argparse.Namespace, streams: Streams) -> int:
    from evalset.markdown import write_markdown_status
    from evalset.records import RecordError
    from evalset.reports import write_status
    from evalset.resuming import reconcile

    expansion = expand_narrowed(options.path, options, streams)
    if isinstance(expansion, int):
        return expansion
    try:
        found = reconcile(expansion, load_records(options.done))
    except RecordError as error:
        say(streams, f"evalset: {error}")
        return FINDINGS
    except OSError as error:
        return refuse(streams, f"cannot read {error.filename}: {error.strerror}")
    if options.format == "json":
        text = json.dumps(found.to_dict(), ensure_ascii=False, indent=2) + "\n"
    else:
        text = write_markdown_status(found) if options.format == "markdown" else write_status(found)
    streams.stdout.write(text)
    return CLEAN if found.is_complete else FINDINGS
