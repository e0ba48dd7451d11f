"""What every command of the shell needs: streams, exit codes, options, reading a manifest."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

if TYPE_CHECKING:
    from evalset.expansion import Expansion
    from evalset.manifest import Manifest
    from evalset.reading import CheckResult

__all__ = [
    "CAP",
    "CLEAN",
    "DIALECTS",
    "FINDINGS",
    "NO_ACCESS",
    "NO_HOST",
    "SETTINGS",
    "USAGE",
    "Streams",
    "add_dialect",
    "add_expansion_options",
    "columns_of",
    "expand_file",
    "has_color",
    "load_file",
    "one_of",
    "quote",
    "read",
    "read_bytes",
    "refuse",
    "say",
    "with_options",
]

# The exit codes.
CLEAN = 0
FINDINGS = 1
USAGE = 2
NO_ACCESS = 3
NO_HOST = 4

CAP = 2000  # rules.MAX_COMBINATIONS, not imported: that would load attrs for `--help`
DIALECTS = ("label", "deployment")

SETTINGS: dict[str, Any] = {
    "allow_abbrev": False,  # or a later option could break scripts that use its beginning
    "formatter_class": partial(argparse.RawDescriptionHelpFormatter, width=80),
}


class Streams(NamedTuple):
    """What a command reads and writes."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO


def say(streams: Streams, text: str) -> None:
    """Tell the person something that is no result."""
    from evalset.quoting import escape

    streams.stderr.write(f"{escape(text)}\n")


def refuse(streams: Streams, text: str) -> int:
    """Say that a file or stream can't be used, and give the exit code for that."""
    say(streams, f"evalset: {text}")
    return NO_ACCESS


def add_expansion_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `evalset.expand`."""
    add_dialect(parser)
    parser.add_argument(
        "--max-combinations",
        metavar="N",
        type=_cap,
        default=CAP,
        help="refuse more combinations than N: 1 to %(default)s, the default",
    )


def add_dialect(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses what stands for an agent."""
    parser.add_argument(
        "--key-by",
        metavar="DIALECT",
        type=partial(one_of, DIALECTS),
        default="label",
        help="what stands for an agent in the matrix key: label (default; its deployment if "
        "it has none) or deployment, as current servers do it",
    )


def one_of(words: Sequence[str], text: str) -> str:
    """Read one of some words."""
    if text not in words:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not one of {', '.join(words)}")
    return text


def _cap(text: str) -> int:
    # int() takes more than people mean: 1_000, and digits of other scripts.
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(CAP)) else 0
    if not 1 <= number <= CAP:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a whole number of 1 to {CAP}")
    return number


def quote(text: str) -> str:
    """Show what somebody wrote; loads nothing before it is needed."""
    from evalset import quoting

    return quoting.quote(text)


def read(path: str, options: argparse.Namespace, streams: Streams, **more: Any) -> CheckResult:  # noqa: ANN401
    """Check a manifest, of a file or `-`, with the options of `add_expansion_options`.

    Args:
        path: The file, or `-` for stdin.
        options: The options of the command.
        streams: Where stdin is.
        more: Further arguments of `evalset.check`.
    """
    return with_options(path, options, **more)(read_bytes(path, streams))


def with_options(
    path: str,
    options: argparse.Namespace,
    **more: Any,  # noqa: ANN401
) -> Callable[[str | bytes], CheckResult]:
    """Give what checks the text of a file or `-`; arguments as for `read`."""
    from evalset.reading import check_text

    return partial(
        check_text,
        name="<stdin>" if path == "-" else path,
        format="json" if path.lower().endswith(".json") else None,
        key_by=options.key_by,
        max_combinations=options.max_combinations,
        **more,
    )


def read_bytes(path: str, streams: Streams) -> str | bytes:
    """Read a file, or `-`, and no more of it than shows that it is too large.

    Raises:
        OSError: The file can't be read.
    """
    from evalset.nodes import ReadLimits

    most = ReadLimits().size + 4  # a byte order mark does not count, one more shows it
    if path == "-":
        data: str | bytes = getattr(streams.stdin, "buffer", streams.stdin).read(most)
        return data
    with open(path, "rb") as file:  # noqa: PTH123 (a path is taken as it was written)
        return file.read(most)


def load_file(path: str, options: argparse.Namespace, streams: Streams) -> Manifest | int:
    """Read a manifest that expands, and tell what there is to say; or give the exit code."""
    from evalset.findings import write_text

    try:
        result = read(path, options, streams)
    except OSError as error:
        return refuse(streams, f"cannot read {path}: {error.strerror}")
    streams.stderr.write(write_text([result], color=has_color(streams.stderr)))
    return result.manifest if result.manifest is not None and result.ok else FINDINGS


def expand_file(path: str, options: argparse.Namespace, streams: Streams) -> Expansion | int:
    """Expand a manifest; where there is none, say why and give the exit code."""
    from evalset.expansion import expand

    manifest = load_file(path, options, streams)
    if isinstance(manifest, int):
        return manifest
    return expand(manifest, key_by=options.key_by, max_combinations=options.max_combinations)


def has_color(stream: TextIO) -> bool:
    """Tell whether to write colours: on a terminal, unless NO_COLOR or FORCE_COLOR says else."""
    import os

    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def columns_of(stdout: TextIO) -> int:
    """Give the width of a terminal; what is no terminal has 80 columns, always."""
    import shutil

    return shutil.get_terminal_size().columns if stdout.isatty() else 80
