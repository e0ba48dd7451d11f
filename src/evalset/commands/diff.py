"""`evalset diff`: say what differs between two manifests, and whether results compare."""

from __future__ import annotations

import argparse
import json
from functools import partial
from typing import Any

from evalset.commands.shell import (
    CLEAN,
    FINDINGS,
    SETTINGS,
    Streams,
    add_expansion_options,
    expand_file,
    one_of,
)

__all__ = ["add_diff"]

_FORMATS = ("text", "json", "markdown")


def add_diff(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the others."""
    parser = commands.add_parser(
        "diff",
        **SETTINGS,
        usage="""\
evalset diff OLD NEW [--format FORMAT] [--exit-code]
                    [--key-by DIALECT] [--max-combinations N]""",
        help="say what differs between two manifests",
        description="""\
Say what differs between two manifests: what was changed, which combinations
came and went, and whether results of the two may be compared. The exit code is
0 if both can be read and expanded, whatever differs, unless --exit-code asks
otherwise.""",
        epilog="""\
examples:
  evalset diff old.yaml new.yaml
  git show main:sweep.yaml | evalset diff - sweep.yaml --format markdown""",
    )
    parser.set_defaults(run=_diff)
    parser.add_argument("old", metavar="OLD", help="a manifest, or - for stdin")
    parser.add_argument("new", metavar="NEW", help="the other one")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=partial(one_of, _FORMATS),
        default="text",
        help="text (default), json or markdown (for a comment on GitHub, cut to fit)",
    )
    parser.add_argument("--exit-code", action="store_true", help="exit 1 if anything differs")
    add_expansion_options(parser)


def _diff(options: argparse.Namespace, streams: Streams) -> int:
    from evalset.comparing import diff
    from evalset.markdown import write_markdown_diff
    from evalset.reports import write_diff

    old = expand_file(options.old, options, streams)
    new = expand_file(options.new, options, streams)
    if isinstance(old, int) or isinstance(new, int):
        return max(code for code in (old, new) if isinstance(code, int))
    found = diff(old, new)
    if options.format == "json":
        text = json.dumps(found.to_dict(), ensure_ascii=False, indent=2) + "\n"
    else:
        text = write_markdown_diff(found) if options.format == "markdown" else write_diff(found)
    streams.stdout.write(text)
    return FINDINGS if options.exit_code and not found.is_empty else CLEAN
