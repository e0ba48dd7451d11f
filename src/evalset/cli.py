"""The command `evalset`: what a person or a CI job does with manifests from a shell.

Results go to stdout, the findings of `check` among them; everything else that is said
goes to stderr. What a command needs is imported when it runs, so that `--help` answers at
once.
"""

# A path is shown as it was written, which pathlib would tidy.
# ruff: noqa: PTH100, PTH112, PTH118, PTH120, PTH123, PTH207

from __future__ import annotations

import argparse
import glob
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from evalset import __version__
from evalset.commands.diff import add_diff
from evalset.commands.estimate import add_estimate
from evalset.commands.expand import add_expand
from evalset.commands.mending import Mending as _Mending
from evalset.commands.mending import add_fix_options as _add_fix_options
from evalset.commands.resolve import add_resolve
from evalset.commands.shell import CLEAN as _CLEAN
from evalset.commands.shell import FINDINGS as _FINDINGS
from evalset.commands.shell import NO_ACCESS as _NO_ACCESS
from evalset.commands.shell import SETTINGS as _SETTINGS
from evalset.commands.shell import USAGE as _USAGE
from evalset.commands.shell import Streams as _Streams
from evalset.commands.shell import add_expansion_options as _add_expansion_options
from evalset.commands.shell import has_color as _has_color
from evalset.commands.shell import one_of as _one_of
from evalset.commands.shell import quote as _quote
from evalset.commands.shell import refuse as _refuse
from evalset.commands.shell import say as _say
from evalset.commands.status import add_status

if TYPE_CHECKING:
    from evalset.reading import CheckResult

__all__ = ["entry", "main"]

# What a shell reports of a program that SIGPIPE or SIGINT ended: 128 and the signal's
# number. Neither is a verdict on a manifest, so neither may look like one.
_BROKEN_PIPE, _INTERRUPTED = 141, 130

_SUFFIXES = (".evalset.yaml", ".evalset.yml", ".evalset.json")
_SCHEMAS = ("manifest", "report", "diagnostics", "record", "findings")
_REPORTS = ("text", "concise", "json", "github", "sarif")
_STARTER_SCHEMA = "evalset-v1.editor.json"  # as in starter.yaml


def main(argv: Sequence[str], stdin: TextIO, stdout: TextIO, stderr: TextIO) -> int:
    """Run one command.

    Args:
        argv: The arguments, without the program's name.
        stdin: What `-` reads: its bytes, if it has a `buffer`.
        stdout: Takes results.
        stderr: Takes everything else.

    Returns:
        The exit code: 0 clean, 1 findings, 2 wrong usage, 3 a file can't be read or written,
        4 the host could not be asked.

    Raises:
        OSError: A stream can't be written, as when the reader of a pipe went away.
    """
    streams = _Streams(stdin, stdout, stderr)
    options = _parse(argv, streams)
    if isinstance(options, int):
        return options
    code: int = options.run(options, streams)
    return code


def entry() -> NoReturn:
    """Run as a program: with the process's own arguments and streams, ending with its code.

    Streams are UTF-8 whatever the locale. A reader that goes away (`| head`) ends the
    program without a word and with 141, Ctrl-C with 130.
    """
    streams = _Streams(_open_input(), _open_output(sys.stdout), _open_output(sys.stderr))
    try:
        code = main(sys.argv[1:], *streams)
        streams.stdout.flush()
    except (OSError, KeyboardInterrupt) as error:
        code = _end_early(error, streams)
    sys.exit(code)


def _open_input() -> TextIO:
    """Give stdin; where the shell closed it (`<&-`), there is nothing in it."""
    return sys.stdin or open(os.devnull, encoding="utf-8")


def _open_output(stream: TextIO | None) -> TextIO:
    """Give an output of the process, in UTF-8 and buffered; nowhere if it was closed (`>&-`).

    Under PYTHONUNBUFFERED the interpreter's own stdout loses what one system call does not
    take, and the news that the reader went away with it.
    """
    return open(
        os.devnull if stream is None else stream.fileno(),
        "w",
        buffering=1 if stream is sys.stderr else -1,
        encoding="utf-8",
        errors="backslashreplace",  # names of files may hold what UTF-8 can't
        newline="\n",  # CSV ends its lines itself
        closefd=stream is None,
    )


def _end_early(error: OSError | KeyboardInterrupt, streams: _Streams) -> int:
    is_broken_pipe = isinstance(error, BrokenPipeError)
    if isinstance(error, OSError) and not is_broken_pipe:
        with suppress(OSError):  # stderr may be where the trouble is
            _say(streams, f"evalset: cannot write the output: {error.strerror}")
    # What is still buffered goes nowhere; the last flush must not fail.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (streams.stdout, streams.stderr):
        os.dup2(nowhere, stream.fileno())
    if isinstance(error, KeyboardInterrupt):
        return _INTERRUPTED
    return _BROKEN_PIPE if is_broken_pipe else _NO_ACCESS


def _parse(argv: Sequence[str], streams: _Streams) -> argparse.Namespace | int:
    """Read the arguments; where argparse has answered itself, give the exit code."""
    out, err = StringIO(), StringIO()
    try:
        with redirect_stdout(out), redirect_stderr(err):
            return _build_parser().parse_args(argv)
    except SystemExit as stop:
        streams.stdout.write(out.getvalue())
        for line in err.getvalue().splitlines():
            _say(streams, line)
        return int(stop.code or _CLEAN)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        **_SETTINGS,
        prog="evalset",
        usage="evalset COMMAND ...",
        description="""\
Read, check and expand evalset/v1 manifests, which stand for every combination
of packs x agents x models x repeats.""",
        epilog="""\
start here:
  evalset init                              write agentclash.evalset.yaml
  evalset expand agentclash.evalset.yaml    see what it stands for
  evalset check .                           check all *.evalset.yaml below here
  evalset COMMAND --help                    options and examples

exit codes:
  0    clean; warnings alone are clean
  1    a manifest has errors, or a command says no
  2    the command line is wrong
  3    a file or the output can't be read or written
  4    the host could not be asked; later it may answer
  130  Ctrl-C
  141  the reader of the output went away, as in `| head`""",
    )
    parser.add_argument("--version", action="version", version=f"evalset {__version__}")
    parser.set_defaults(run=partial(_show_help, parser))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="evalset")
    ours = (
        _add_init,
        _add_check,
        add_expand,
        add_diff,
        add_status,
        add_estimate,
        add_resolve,
        _add_explain,
        _add_schema,
    )
    for add in ours:
        add(commands)
    return parser


def _add_init(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    parser = commands.add_parser(
        "init",
        **_SETTINGS,
        usage="evalset init [--schema URL-OR-PATH] [PATH]",
        help="write a starter manifest",
        description="""\
Write a starter manifest, with a comment on every field. A file that exists is
never overwritten: the exit code is 3, and the file stays as it is.

The first line tells editors where to find the JSON Schema: by default in
evalset-v1.editor.json beside the manifest, which is written, too, unless it is
there. So editors complete and check offline and in every clone. With --schema
only the manifest is written.""",
        epilog="""\
examples:
  evalset init
  evalset init sweeps/nightly.evalset.yaml
  evalset init --schema ../schema/evalset-v1.json sweeps/nightly.evalset.yaml""",
    )
    parser.set_defaults(run=_init)
    parser.add_argument(
        "path",
        metavar="PATH",
        nargs="?",
        type=_yaml_path,
        default="agentclash.evalset.yaml",
        help="the file, or - for stdout (default: %(default)s)",
    )
    parser.add_argument(
        "--schema",
        metavar="URL-OR-PATH",
        type=_schema_reference,
        help="where editors find the schema; a path is relative to the manifest",
    )


def _add_check(commands: Any) -> None:  # noqa: ANN401
    parser = commands.add_parser(
        "check",
        **_SETTINGS,
        usage="""\
evalset check [--fix | --diff] [--unsafe-fixes]
                     [--format FORMAT] [--output FILE] [--strict]
                     [--ignore CODE] [--error CODE] [--pinned]
                     [--key-by DIALECT] [--max-combinations N] PATH...""",
        help="say everything that is wrong with manifests",
        description="""\
Say everything that is wrong with manifests: what `expand` would refuse, and
warnings. Findings go to stdout, each with its line and a hint; their count goes
to stderr.

A PATH is a file, a directory, a pattern, or - for stdin. In a directory, and
in those below it that are not hidden, only files named *.evalset.yaml,
*.evalset.yml and *.evalset.json are checked; name others themselves, or use a
pattern. A directory without any is an error: exit 3.""",
        epilog="""\
examples:
  evalset check agentclash.evalset.yaml
  evalset check .                     all *.evalset.yaml, ... below here
  evalset check 'sweeps/**/*.yaml'    ** is any number of directories
  evalset check --diff .              what could be mended at once, and how
  evalset check --fix .               mend it
  evalset check --format sarif --output check.sarif .
  git show HEAD:sweep.yaml | evalset check -

comments in YAML that leave warnings out, of a line and of the file:
  budget_usd: 0   # evalset: ignore[zero-budget]
  # evalset: ignore-file[unknown-scanner]""",
    )
    parser.set_defaults(run=_check)
    parser.add_argument("paths", metavar="PATH", nargs="+", help="what to check")
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=partial(_one_of, _REPORTS),
        help="text (default), concise (one line for each finding), json, github (text and "
        "annotations; the default in a workflow of GitHub Actions) or sarif",
    )
    parser.add_argument("--output", metavar="FILE", help="write the findings to a file, not stdout")
    parser.add_argument("--strict", action="store_true", help="warnings are findings, too: exit 1")
    parser.add_argument(
        "--ignore",
        metavar="CODE",
        action="append",
        type=_warning,
        default=[],
        help="leave out the warnings of a code; may be given again. Errors can't be left out",
    )
    parser.add_argument(
        "--error",
        metavar="CODE",
        action="append",
        type=_code,
        default=[],
        help="make the warnings of a code errors; may be given again",
    )
    parser.add_argument(
        "--pinned",
        action="store_true",
        help="warn of packs and deployments that are not named by their UUIDs; with --strict, "
        "or --error not-pinned, they fail",
    )
    _add_fix_options(parser)
    _add_expansion_options(parser)


def _add_explain(commands: Any) -> None:  # noqa: ANN401
    parser = commands.add_parser(
        "explain",
        **_SETTINGS,
        usage="evalset explain [CODE]",
        help="say what a code of a finding means",
        description="""\
Say what a code of a finding means: why it is found, an example, and what to
write instead. Without a code, all are listed.""",
        epilog="""\
examples:
  evalset explain duplicate-agent
  evalset explain""",
    )
    parser.set_defaults(run=_explain)
    parser.add_argument("code", metavar="CODE", nargs="?", type=_code, help="such as unknown-key")


def _add_schema(commands: Any) -> None:  # noqa: ANN401
    parser = commands.add_parser(
        "schema",
        **_SETTINGS,
        usage="evalset schema [--editor] [-o PATH] [NAME]",
        help="print the JSON Schema of a manifest, or of an output",
        description="Print a JSON Schema (draft-07).",
        epilog="""\
examples:
  evalset schema -o evalset-v1.json
  evalset schema --editor -o evalset-v1.editor.json
  evalset schema report -o expansion-report-v1.json""",
    )
    parser.set_defaults(run=_schema)
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        type=partial(_one_of, _SCHEMAS),
        default="manifest",
        help="what it describes: a manifest (default), the report of expand --format json, "
        "the diagnostics that the Python API gives, the record of a run that status reads, or "
        "the findings of check --format json",
    )
    parser.add_argument(
        "--editor",
        action="store_true",
        help="the manifest's in the form for editors, with snippets and readable messages; "
        "same verdicts",
    )
    parser.add_argument(
        "-o",
        dest="path",
        metavar="PATH",
        default="-",
        help="write to a file instead of stdout, over what it held",
    )


def _yaml_path(text: str) -> str:
    if text.lower().endswith(".json"):
        msg = "the starter manifest is YAML, for its comments; give a name that ends in .yaml"
        raise argparse.ArgumentTypeError(msg)
    return text


def _code(text: str) -> str:
    from difflib import get_close_matches

    from evalset.diagnostics import CODES

    code = text.removeprefix("error").removeprefix("warning").strip("[]")
    if code in CODES:
        return code
    near = get_close_matches(text, CODES, 1)
    hint = f"did you mean {near[0]}?" if near else "`evalset explain` lists all"
    raise argparse.ArgumentTypeError(f"{_quote(text)} is no code; {hint}")


def _warning(text: str) -> str:
    from evalset.diagnostics import CODES, Severity

    code = _code(text)
    if CODES[code].severity is Severity.ERROR:
        raise argparse.ArgumentTypeError(f"{code} is an error; only warnings can be left out")
    return code


def _schema_reference(text: str) -> str:
    # It ends at white space in the modeline, and a line break would end the comment.
    if not text.isprintable() or text.split() != [text]:
        msg = f"{_quote(text)} is not a URL or path without spaces; write a space as %20"
        raise argparse.ArgumentTypeError(msg)
    return text


def _show_help(parser: argparse.ArgumentParser, _: argparse.Namespace, streams: _Streams) -> int:
    streams.stderr.write(parser.format_help())
    return _USAGE


def _init(options: argparse.Namespace, streams: _Streams) -> int:
    import shlex

    path: str = options.path
    text = _starter(options.schema or _STARTER_SCHEMA)
    if path == "-":
        streams.stdout.write(text)
        return _CLEAN
    try:
        _create(path, text)
    except FileExistsError:
        return _refuse(streams, f"{path} exists already; it was left as it is")
    except OSError as error:
        return _refuse(streams, f"cannot write {path}: {error.strerror}")
    _say(streams, f"wrote {path}; next: evalset expand {shlex.quote(path)}")
    if options.schema is None:
        return _put_schema(os.path.join(os.path.dirname(path), _STARTER_SCHEMA), streams)
    return _CLEAN


def _put_schema(path: str, streams: _Streams) -> int:
    """Write the editors' schema; one that is there may be newer, or somebody's own."""
    import shlex

    from evalset.schemas import schema_text

    text = schema_text(editor=True)
    try:
        _create(path, text)
    except FileExistsError:
        with suppress(OSError, ValueError), open(path, encoding="utf-8", newline="") as file:
            if file.read() == text:
                return _CLEAN
        command = f"evalset schema --editor -o {shlex.quote(path)}"
        _say(streams, f"{path} is another version of the schema; this one's: {command}")
    except OSError as error:
        return _refuse(streams, f"cannot write {path}: {error.strerror}")
    else:
        _say(streams, f"wrote {path}, by which editors complete and check it")
    return _CLEAN


def _create(path: str, text: str) -> None:
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _starter(schema: str) -> str:
    import pkgutil

    text = (pkgutil.get_data("evalset", "starter.yaml") or b"").decode()
    return text.replace(_STARTER_SCHEMA, schema, 1)


def _check(options: argparse.Namespace, streams: _Streams) -> int:
    from evalset.formats import write_summary

    mending = _Mending(options, streams)
    if mending.problem:
        _say(streams, f"evalset check: error: {mending.problem}")
        return _USAGE
    files, problems = _find_files(options.paths)
    results: list[CheckResult] = []
    for path in files:
        try:
            results.append(mending.read(path))
        except OSError as error:
            problems.append(f"{path}: {error.strerror}")
    try:
        _report(results, options, streams.stderr if mending.takes_stdout else streams.stdout)
    except OSError as error:
        if options.output is None:
            raise
        return _refuse(streams, f"cannot write {options.output}: {error.strerror}")
    streams.stdout.flush()  # so that the count comes last where both streams are one
    for problem in problems:
        _refuse(streams, f"cannot read {problem}")
    streams.stderr.write(mending.summary(results))
    if results:
        streams.stderr.write(write_summary([result.diagnostics for result in results]))
    if problems:
        return _NO_ACCESS
    is_clean = all(result.ok and not (options.strict and result.diagnostics) for result in results)
    return _CLEAN if is_clean else _FINDINGS


def _report(results: Sequence[CheckResult], options: argparse.Namespace, stdout: TextIO) -> None:
    from evalset import findings

    is_workflow = os.environ.get("GITHUB_ACTIONS") == "true"
    format = options.format or ("github" if is_workflow else "text")
    if format == "text":
        out = None if options.output else stdout
        text = findings.write_text(results, color=out is not None and _has_color(out))
    else:
        writers: dict[str, Callable[[Sequence[CheckResult]], str]] = {
            "concise": findings.write_concise,
            "json": findings.write_report_json,
            "github": findings.write_github,
            "sarif": partial(findings.write_sarif, version=__version__),
        }
        text = writers[format](results)
    if options.output is None:
        stdout.write(text)
    else:
        with open(options.output, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


def _find_files(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Find the files that paths, directories and patterns stand for, each once, in order.

    Returns:
        The files, and what went wrong on the way.
    """
    files: dict[str, str] = {}
    problems: list[str] = []
    for path in paths:
        before = len(problems)
        found = list(_find(path, problems))
        if not found and len(problems) == before:
            is_directory = os.path.isdir(path)
            suffixes = ", ".join(f"*{suffix}" for suffix in _SUFFIXES)
            names = f"no file below it is named {suffixes}; name the files to check"
            problems.append(f"{path}: {names if is_directory else 'nothing matches'}")
        for file in found:
            files.setdefault(file if file == "-" else os.path.abspath(file), file)
    return list(files.values()), problems


def _find(path: str, problems: list[str]) -> Iterator[str]:
    if os.path.isdir(path):
        yield from _search(path, problems)
    elif path == "-" or os.path.lexists(path) or not any(char in path for char in "*?["):
        yield path
    else:
        for match in sorted(glob.glob(path, recursive=True)):
            yield from _search(match, problems) if os.path.isdir(match) else [match]


def _search(directory: str, problems: list[str]) -> Iterator[str]:
    """Find manifests by their names, at any depth but not in hidden directories."""

    def note(error: OSError) -> None:
        problems.append(f"{error.filename}: {error.strerror}")

    for where, directories, names in os.walk(directory, onerror=note):
        directories[:] = sorted(name for name in directories if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(_SUFFIXES) and not name.startswith("."):
                yield os.path.normpath(os.path.join(where, name))


def _explain(options: argparse.Namespace, streams: _Streams) -> int:
    from evalset.catalogue import explain_code
    from evalset.diagnostics import CODES

    if options.code:
        streams.stdout.write(explain_code(options.code))
    else:
        longest = max(map(len, CODES))
        for code in CODES.values():
            streams.stdout.write(f"{code.name:{longest}}  {code.severity:7}  {code.summary}\n")
    return _CLEAN


def _schema(options: argparse.Namespace, streams: _Streams) -> int:
    from evalset.schemas import schema_text

    if options.editor and options.name != "manifest":
        _say(streams, "evalset schema: error: only the manifest's has a form for editors")
        return _USAGE
    text = schema_text(options.name, editor=options.editor)
    if options.path == "-":
        streams.stdout.write(text)
        return _CLEAN
    try:
        with open(options.path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        return _refuse(streams, f"cannot write {options.path}: {error.strerror}")
    return _CLEAN
