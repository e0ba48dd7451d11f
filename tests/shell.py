"""Run the command in process, and hold what it says to a file."""

import io
import os
import shlex
from pathlib import Path

from evalset import cli

GOLDEN = Path(__file__).parent / "golden"


def run(*argv: str, stdin: str = "") -> tuple[int, str, str]:
    """Give the exit code, stdout and stderr of a command."""
    stdout, stderr = io.StringIO(), io.StringIO()
    code = cli.main(argv, io.StringIO(stdin), stdout, stderr)
    return code, stdout.getvalue(), stderr.getvalue()


def assert_golden(name: str, argv: tuple[str, ...], *, stdin: str = "") -> None:
    """Hold a run to what was recorded; EVALSET_UPDATE_GOLDEN=1 records it anew."""
    code, out, err = run(*argv, stdin=stdin)
    command = shlex.join(["evalset", *argv])
    transcript = f"$ {command}\n{out}--- stderr\n{err}--- exit code {code}\n".replace("\r", "␍")
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("EVALSET_UPDATE_GOLDEN"):
        path.write_text(transcript, encoding="utf-8")
    assert transcript == path.read_text(encoding="utf-8")
