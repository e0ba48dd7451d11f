"""The options `--fix` and `--diff` of `evalset check`: what can be mended without asking."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evalset.commands.shell import Streams, read_bytes, say, with_options

if TYPE_CHECKING:
    from evalset.reading import CheckResult

__all__ = ["Mending", "add_fix_options"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


def add_fix_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to the parser of `check`."""
    parser.add_argument(
        "--fix",
        action="store_true",
        help="mend what has one certain correction that servers read as before, and check the "
        "rest; the text of - goes to stdout",
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help="show on stdout what --fix would change, and write nothing",
    )
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff: also what servers refused until now, or read otherwise",
    )


class Mending:
    """Reads manifests for `check`, mended first if that was asked for."""

    def __init__(self, options: argparse.Namespace, streams: Streams) -> None:
        """Take the options."""
        self.options = options
        self.streams = streams
        self.counts: list[int] = []  # of what was fixed, for each file

    @property
    def is_asked(self) -> bool:
        """Whether something is to be fixed, or to be shown fixed."""
        return bool(self.options.fix or self.options.diff)

    @property
    def problem(self) -> str | None:
        """What is wrong with the options, taken together."""
        if self.options.unsafe_fixes and not self.is_asked:
            return "--unsafe-fixes goes with --fix or --diff"
        is_stdin = "-" in self.options.paths
        if self.options.fix and not self.options.diff and is_stdin and self.options.paths[1:]:
            return "with --fix, - can't be checked together with other paths"
        return None

    @property
    def takes_stdout(self) -> bool:
        """Whether stdout holds a text, so that findings go to stderr."""
        return bool(self.options.diff or (self.options.fix and self.options.paths == ["-"]))

    def read(self, path: str) -> CheckResult:
        """Check a file, or mend it and check the rest.

        Raises:
            OSError: It can't be read or written.
        """
        options = self.options
        check = with_options(
            path, options, pinned=options.pinned, ignore=options.ignore, error=options.error
        )
        if not self.is_asked:
            return check(read_bytes(path, self.streams))
        from evalset.fixing import fix

        data = read_bytes(path, self.streams)
        try:
            text = data.decode() if isinstance(data, bytes) else data
        except UnicodeDecodeError:
            return check(data)
        fixed = fix(text, check=check, unsafe=options.unsafe_fixes)
        self.counts.append(len(fixed.fixed))
        if self.options.diff:
            shown = _escaped if self.streams.stdout.isatty() else str
            for line in _diff(text, fixed.text, path):
                self.streams.stdout.write(shown(line))
            return fixed.result
        if path == "-":
            is_whole = all(found.code != "too-large" for found in fixed.result.diagnostics)
            self.streams.stdout.write(fixed.text if is_whole else "")
        elif fixed.text != text:
            with open(path, "wb") as file:  # noqa: PTH123 (as it was written)
                file.write(fixed.text.encode())
        for found in fixed.fixed:
            title = found.fix.title if found.fix else ""
            say(self.streams, f"{found.span}: fixed[{found.code}] {title}")
        return fixed.result

    def summary(self, results: Sequence[CheckResult]) -> str:
        """Count what was fixed, and what can be; nothing where there is nothing."""
        from evalset.columns import count_of

        fixes = [each.fix for result in results for each in result.diagnostics if each.fix]
        safe = sum(fix.is_safe for fix in fixes)
        total, files = sum(self.counts), sum(count > 0 for count in self.counts)
        parts: list[str] = []
        if total:
            done = "would fix" if self.options.diff else "fixed"
            parts.append(f"{done} {count_of(total, 'finding')} in {count_of(files, 'file')}")
        if safe and not self.is_asked:
            parts.append(f"{count_of(safe, 'finding')} can be fixed with --fix")
        if (others := len(fixes) - safe) and not self.options.unsafe_fixes:
            parts.append(
                f"{others} more with --unsafe-fixes"
                if parts
                else f"{count_of(others, 'finding')} can be fixed with --fix --unsafe-fixes"
            )
        return f"{', '.join(parts)}\n" if parts else ""


def _escaped(line: str) -> str:
    """Write a line for a terminal, which control characters could lead astray."""
    from evalset.quoting import escape

    text = line.rstrip("\r\n")
    return f"{escape(text)}\n"


def _diff(before: str, after: str, path: str) -> Iterator[str]:
    """Write a unified diff; a last line without a line break is told as git does."""
    from difflib import unified_diff

    old, new = _LINE.findall(before), _LINE.findall(after)
    for line in unified_diff(old, new, fromfile=path, tofile=path):
        is_whole = line.endswith(("\n", "\r"))
        yield line if is_whole else f"{line}\n\\ No newline at end of file\n"
