"""The command line: exact output in tests/golden/cli, exit codes, and how it ends.

Each golden file is one run: the command, the exit code, stdout and stderr.
EVALSET_UPDATE_GOLDEN=1 writes them anew; the difference is then for a person to read.
"""

import errno
import io
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import evalset
from evalset import cli
from evalset.catalogue import explain_code
from evalset.rules import KEYS, MAX_COMBINATIONS
from evalset.schemas import schema_text

GOLDEN = Path(__file__).parent / "golden" / "cli"
EXAMPLES = Path(__file__).parents[1] / "examples"
EXAMPLE_NAMES = sorted(path.name for path in EXAMPLES.iterdir() if path.is_file())

FAULTY = """\
schema: evalset/v1
name: faulty
packs: [p, p]
agents:
  - deployment: a
  - deployment: b
    label: a
repeat: 4
scanners: [reward-hackin]
"""
WARNED = """\
schema: evalset/v1
name: warned
packs: [p]
agents: [{deployment: a}]
scanners: [mine]
"""
CLEAN = "{schema: evalset/v1, name: clean, packs: [p], agents: [{deployment: a}]}\n"
SAME_LABELS = """\
schema: evalset/v1
name: stored by a current server
packs: [p]
agents:
  - {deployment: a, label: x}
  - {deployment: b, label: x}
repeats: 2
"""
HUGE = """\
schema: evalset/v1
name: huge
packs: [p]
agents: [{deployment: a}]
repeats: 2000
"""


class Bytes(io.TextIOWrapper):
    """A text stream over bytes, as the process's own stdin is."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="ascii")


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Full(io.StringIO):
    """A text stream on a disk without space."""

    def write(self, _text: str, /) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def run(*argv: str, stdin: str = "") -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    code = cli.main(argv, io.StringIO(stdin), stdout, stderr)
    return code, stdout.getvalue(), stderr.getvalue()


def start(
    *argv: str, cwd: Path | None = None, env: dict[str, str] | None = None
) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "evalset", *argv],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=env,
    )


def assert_golden(name: str, argv: tuple[str, ...], *, stdin: str = "") -> None:
    code, out, err = run(*argv, stdin=stdin)
    command = shlex.join(["evalset", *argv])
    transcript = f"$ {command}\n{out}--- stderr\n{err}--- exit code {code}\n".replace("\r", "␍")
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("EVALSET_UPDATE_GOLDEN"):
        path.write_text(transcript, encoding="utf-8")
    assert transcript == path.read_text(encoding="utf-8")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory of manifests: good and bad ones, and some to be passed over."""
    files = {
        "clean.evalset.yaml": CLEAN,
        "faulty.yaml": FAULTY,
        "labels.yaml": SAME_LABELS,
        "huge.yaml": HUGE,
        "sweeps/agentclash.evalset.yaml": CLEAN,
        "sweeps/deep/b.evalset.yml": WARNED,
        "sweeps/deep/a.evalset.json": json.dumps({"schema": "evalset/v1"}),
        "sweeps/deep/other.yaml": FAULTY,
        "sweeps/.hidden/c.evalset.yaml": FAULTY,
        "sweeps/.d.evalset.yaml": FAULTY,
        "empty/notes.txt": "",
        "odd[1].yaml": CLEAN,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Help


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        pytest.param("help", ("--help",), id="evalset"),
        pytest.param("help-none", (), id="no command"),
        pytest.param("help-init", ("init", "--help"), id="init"),
        pytest.param("help-check", ("check", "--help"), id="check"),
        pytest.param("help-expand", ("expand", "--help"), id="expand"),
        pytest.param("help-explain", ("explain", "--help"), id="explain"),
        pytest.param("help-schema", ("schema", "--help"), id="schema"),
    ],
)
def test_help_is_as_recorded(name: str, argv: tuple[str, ...]) -> None:
    assert_golden(name, argv)


def test_help_fits_80_columns() -> None:
    commands: list[list[str]] = [[], ["init"], ["check"], ["expand"], ["schema"]]
    texts = [run(*command, "--help")[1] for command in commands]
    assert [line for text in texts for line in text.splitlines() if len(line) > 80] == []


def test_the_version_is_told() -> None:
    assert run("--version") == (0, f"evalset {evalset.__version__}\n", "")


def test_help_and_version_load_nothing_heavy() -> None:
    code = (
        "import sys, evalset.cli as cli\n"
        "try: cli.main(['--version'], sys.stdin, sys.stderr, sys.stderr)\n"
        "finally: print({'attr', 'attrs', 'cattrs', 'ruamel', 'jsonschema'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"set()"


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        pytest.param(("expnd",), "invalid choice: 'expnd'", id="unknown command"),
        pytest.param(("check",), "PATH", id="no path"),
        pytest.param(
            ("check", "--stric", "x"), "unrecognized arguments: --stric", id="abbreviated"
        ),
        pytest.param(
            ("expand", "a", "\x1b[31m"), r"arguments: \u001b[31m", id="control characters"
        ),
        pytest.param(
            ("expand", "a", "--format", "xml"),
            'argument --format: "xml" is not one of table, json, jsonl, csv, keys',
            id="unknown format",
        ),
        pytest.param(
            ("check", "a", "--key-by", "name"),
            'argument --key-by: "name" is not one of label, deployment',
            id="unknown dialect",
        ),
        *(
            pytest.param(
                ("expand", "a", "--max-combinations", text),
                f'argument --max-combinations: "{text}" is not a whole number of 1 to 2000',
                id=f"cap {text}",
            )
            for text in ("0", "2001", "1_0", "٣", "1e3", "99999999999", "+5")
        ),
        pytest.param(
            ("schema", "evalset"),
            'argument NAME: "evalset" is not one of manifest, report, diagnostics',
            id="unknown schema",
        ),
        pytest.param(
            ("init", "a.JSON"),
            "argument PATH: the starter manifest is YAML, for its comments; "
            "give a name that ends in .yaml",
            id="JSON to write",
        ),
        *(
            pytest.param(
                ("init", "--schema", text),
                f"argument --schema: {shown} is not a URL or path without spaces; "
                "write a space as %20",
                id=f"schema {shown}",
            )
            for text, shown in (("", '""'), ("a b", '"a b"'), ("a\nb: c", r'"a\nb: c"'))
        ),
    ],
)
def test_a_wrong_command_line_is_explained(argv: tuple[str, ...], told: str) -> None:
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert err.startswith("usage: evalset ")
    assert told in err.splitlines()[-1]


def test_the_cap_is_the_format_s() -> None:
    codes = [
        run("expand", "-", "--max-combinations", str(cap), stdin=CLEAN)[0]
        for cap in (1, MAX_COMBINATIONS, MAX_COMBINATIONS + 1)
    ]
    assert codes == [0, 0, 2]


# Init


def test_init_writes_a_manifest_without_diagnostics(work: Path) -> None:
    assert_golden("init", ("init",))
    text = (work / "agentclash.evalset.yaml").read_text(encoding="utf-8")
    assert run("init", "-") == (0, text, "")
    result = evalset.check("agentclash.evalset.yaml")
    assert (result.ok, result.diagnostics) == (True, ())


def test_init_explains_every_field_with_a_pack_of_the_catalog() -> None:
    text = run("init", "-")[1]
    assert [key for keys in KEYS.values() for key in keys if f"{key}:" not in text] == []
    assert evalset.loads(text).packs == ("catalog/swe-bug-fix",)
    assert max(map(len, text.splitlines())) <= 90


@pytest.mark.parametrize(
    ("argv", "reference"),
    [
        pytest.param((), "evalset-v1.editor.json", id="default"),
        pytest.param(
            ("--schema", "../schema/evalset-v1.json"), "../schema/evalset-v1.json", id="path"
        ),
        pytest.param(
            ("--schema", "https://host.test/s.json"), "https://host.test/s.json", id="URL"
        ),
    ],
)
def test_the_first_line_names_the_schema(argv: tuple[str, ...], reference: str) -> None:
    text = run("init", "-", *argv)[1]
    assert text.splitlines()[0] == f"# yaml-language-server: $schema={reference}"
    assert evalset.check_text(text).diagnostics == ()


def test_init_puts_the_schema_beside(work: Path) -> None:
    (work / "a dir").mkdir()
    assert run("init", "a dir/x.yaml")[2].splitlines() == [
        "wrote a dir/x.yaml; next: evalset expand 'a dir/x.yaml'",
        "wrote a dir/evalset-v1.editor.json, by which editors complete and check it",
    ]
    beside = work / "a dir/evalset-v1.editor.json"
    assert beside.read_bytes() == schema_text(editor=True).encode()
    assert run("init", "a dir/y.yaml") == (
        0, "", "wrote a dir/y.yaml; next: evalset expand 'a dir/y.yaml'\n"
    )  # fmt: skip


def test_init_with_a_schema_writes_the_manifest_alone(work: Path) -> None:
    before = {*work.iterdir()}
    told = "wrote y.yaml; next: evalset expand y.yaml\n"
    assert run("init", "--schema", "evalset-v1.editor.json", "y.yaml") == (0, "", told)
    assert {*work.iterdir()} - before == {work / "y.yaml"}


@pytest.mark.parametrize("held", [b"{}", b"\xff"], ids=["another version", "not text"])
def test_init_leaves_another_schema_as_it_is(held: bytes, work: Path) -> None:
    schema = work / "evalset-v1.editor.json"
    schema.write_bytes(held)
    assert run("init", "x.yaml") == (
        0,
        "",
        (
            "wrote x.yaml; next: evalset expand x.yaml\n"
            "evalset-v1.editor.json is another version of the schema; "
            "this one's: evalset schema --editor -o evalset-v1.editor.json\n"
        ),
    )
    assert schema.read_bytes() == held


@pytest.mark.usefixtures("work")
def test_init_says_why_it_cannot_write_the_schema() -> None:
    # Root may write everywhere, but nobody to a path longer than PATH_MAX.
    directory = "./" * 2039
    code, out, err = run("init", f"{directory}x.yaml")
    assert (code, out) == (3, "")
    wrote, refused = err.splitlines()
    assert wrote.startswith(f"wrote {directory}x.yaml; next: evalset expand")
    assert refused == f"evalset: cannot write {directory}evalset-v1.editor.json: File name too long"


def test_init_never_overwrites(work: Path) -> None:
    assert_golden("init-exists", ("init", "faulty.yaml"))
    assert (work / "faulty.yaml").read_text(encoding="utf-8") == FAULTY


@pytest.mark.usefixtures("work")
def test_init_says_why_it_cannot_write() -> None:
    told = "evalset: cannot write none/x.yaml: No such file or directory\n"
    assert run("init", "none/x.yaml") == (3, "", told)


# Check


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("name", "argv"),
    [
        pytest.param("check-clean", ("check", "clean.evalset.yaml"), id="clean"),
        pytest.param("check-faulty", ("check", "faulty.yaml"), id="faulty"),
        pytest.param("check-directory", ("check", "."), id="directory"),
        pytest.param("check-pattern", ("check", "sweeps/**/*.y*ml"), id="pattern"),
        pytest.param("check-pattern-directories", ("check", "s*", "c*"), id="wide pattern"),
        pytest.param("check-unreadable", ("check", "none.yaml", "faulty.yaml", "*.toml", "empty"),
                     id="unreadable"),
        pytest.param("check-nothing", ("check", "empty"), id="nothing there"),
        pytest.param("check-warned", ("check", "sweeps/deep/b.evalset.yml"), id="warned"),
        pytest.param("check-strict", ("check", "--strict", "sweeps/deep/b.evalset.yml"),
                     id="strict"),
        pytest.param("check-labels", ("check", "labels.yaml"), id="equal labels"),
        pytest.param("check-deployments", ("check", "labels.yaml", "--key-by", "deployment"),
                     id="equal labels by deployment"),
        pytest.param("check-cap", ("check", "labels.yaml", "--key-by", "deployment",
                                   "--max-combinations", "3"), id="own cap"),
    ],
)  # fmt: skip
def test_check_is_as_recorded(name: str, argv: tuple[str, ...]) -> None:
    assert_golden(name, argv)


def test_check_reads_stdin() -> None:
    assert_golden("check-stdin", ("check", "-"), stdin=FAULTY)


def test_bytes_are_read_as_utf_8_whatever_the_stream_says() -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    text = CLEAN.replace("clean", "評価")
    assert cli.main(["expand", "-"], Bytes(text.encode()), stdout, stderr) == 0
    assert stdout.getvalue().startswith("評価\n")
    assert cli.main(["check", "-"], Bytes(b"\xff"), stdout, stderr) == 1


@pytest.mark.parametrize("argv", [("check", "-"), ("expand", "-")], ids=["check", "expand"])
def test_endless_input_is_refused(argv: tuple[str, ...]) -> None:
    stdout, stderr = io.StringIO(), io.StringIO()
    data = b"#" * 2**21
    assert cli.main(argv, Bytes(data), stdout, stderr) == 1
    assert "<stdin>:1:1: error[too-large]" in stdout.getvalue() + stderr.getvalue()


@pytest.mark.usefixtures("work")
def test_each_file_is_checked_once() -> None:
    paths = ("faulty.yaml", "./faulty.yaml", "f*.yaml", str(Path("faulty.yaml").resolve()))
    assert run("check", *paths) == run("check", "faulty.yaml")


@pytest.mark.usefixtures("work")
def test_a_file_whose_name_looks_like_a_pattern_is_itself() -> None:
    assert run("check", "odd[1].yaml") == (0, "", "no findings in 1 file\n")


@pytest.mark.usefixtures("work")
def test_a_name_can_t_reach_the_terminal_raw() -> None:
    Path("\x1b[31m\u202e.yaml").write_text("[", encoding="utf-8")
    _, out, err = run("check", "\x1b[31m\u202e.yaml", "\x1b.yaml")
    assert out.startswith(r"\u001b[31m\u202e.yaml:1:2: error[yaml-syntax]")
    assert err.startswith(r"evalset: cannot read \u001b.yaml: No such file or directory")


def test_a_directory_that_can_t_be_listed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Root may list every directory, but nobody one whose path is longer than PATH_MAX.
    monkeypatch.chdir(tmp_path)
    for _ in range(20):
        Path("d" * 250).mkdir()
        os.chdir("d" * 250)
    os.chdir(tmp_path)
    code, out, err = run("check", ".")
    assert (code, out) == (3, "")
    assert err.startswith("evalset: cannot read ./ddd")
    assert err.endswith("ddd: File name too long\n")
    assert err.count("\n") == 1


# Expand


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_an_example_is_clean_and_expands(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert run("check", "--strict", name) == (0, "", "no findings in 1 file\n")
    assert_golden(f"expand-{name}", ("expand", name))


def test_there_are_examples_of_both_formats() -> None:
    suffixes = [Path(name).suffix for name in EXAMPLE_NAMES]
    assert (suffixes.count(".yaml"), suffixes.count(".json")) == (4, 1)


@pytest.mark.parametrize("format", ["table", "json", "jsonl", "csv", "keys"])
@pytest.mark.parametrize("key_by", ["label", "deployment"])
def test_each_format_is_as_recorded(
    format: str, key_by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    argv = ("expand", "labels.yaml", "--format", format, "--key-by", key_by)
    assert_golden(f"expand-{format}-by-{key_by}", argv)


def test_all_rows_are_shown_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    assert_golden("expand-all", ("expand", "--all", "weekly-matrix.evalset.yaml"))


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("name", "argv"),
    [
        pytest.param("expand-faulty", ("expand", "faulty.yaml"), id="faulty"),
        pytest.param("expand-warned", ("expand", "sweeps/deep/b.evalset.yml"), id="warned"),
        pytest.param("expand-missing", ("expand", "none.yaml"), id="missing"),
        pytest.param("expand-directory", ("expand", "sweeps"), id="directory"),
        pytest.param("expand-labels", ("expand", "labels.yaml"), id="equal labels"),
        pytest.param("expand-deployments", ("expand", "labels.yaml", "--key-by", "deployment"),
                     id="equal labels by deployment"),
        pytest.param("expand-cap", ("expand", "huge.yaml", "--max-combinations", "10"),
                     id="own cap"),
        pytest.param("expand-huge", ("expand", "huge.yaml"), id="huge"),
    ],
)  # fmt: skip
def test_expand_is_as_recorded(name: str, argv: tuple[str, ...]) -> None:
    assert_golden(name, argv)


def test_a_table_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    pack, agent = "p" * 60, "a" * 60
    text = CLEAN.replace("[p]", f"[{pack}]").replace("deployment: a", f"deployment: {agent}")
    narrow = run("expand", "-", stdin=text)[1]
    assert narrow.splitlines()[-1] == f"1  {'p' * 16}…{'p' * 16}  {'a' * 17}…{'a' * 16}       1"
    monkeypatch.setenv("COLUMNS", "150")
    assert run("expand", "-", stdin=text)[1] == narrow
    stdout = Terminal()
    assert cli.main(["expand", "-"], io.StringIO(text), stdout, io.StringIO()) == 0
    assert stdout.getvalue().splitlines()[-1] == f"1  {pack}  {agent}       1"


# Schema


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        pytest.param((), schema_text(), id="portable"),
        pytest.param(("--editor",), schema_text(editor=True), id="editor"),
        pytest.param(("manifest", "--editor"), schema_text(editor=True), id="manifest"),
        pytest.param(("report",), schema_text("report"), id="report"),
        pytest.param(("diagnostics",), schema_text("diagnostics"), id="diagnostics"),
    ],
)
def test_the_schema_is_printed_or_written_byte_for_byte(
    argv: tuple[str, ...], expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "schema.json"
    path.write_text("what it held before", encoding="utf-8")
    assert run("schema", *argv) == (0, expected, "")
    assert run("schema", *argv, "-o", str(path)) == (0, "", "")
    assert path.read_bytes() == expected.encode()


@pytest.mark.usefixtures("work")
def test_a_schema_that_can_t_be_written_is_told() -> None:
    assert run("schema", "-o", "none/s.json") == (
        3, "", "evalset: cannot write none/s.json: No such file or directory\n"
    )  # fmt: skip


def test_only_the_manifest_s_schema_is_printed_for_editors() -> None:
    told = "evalset schema: error: only the manifest's has a form for editors\n"
    assert run("schema", "report", "--editor") == (2, "", told)


# As a process


@pytest.mark.usefixtures("work")
def test_the_count_comes_last_where_both_streams_are_one() -> None:
    command = [sys.executable, "-m", "evalset", "check", "faulty.yaml", "none.yaml"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("faulty.yaml:")
    assert lines[-3:] == [
        "evalset: cannot read none.yaml: No such file or directory",
        "2 findings can be fixed with --fix --unsafe-fixes",
        "3 errors, 1 warning in 1 file",
    ]


def test_the_module_and_the_script_are_the_same_command() -> None:
    script = shutil.which("evalset", path=sysconfig.get_path("scripts"))
    assert script is not None
    for argv, code in (["--version"], 0), (["expand", "none.yaml"], 3), ([], 2):
        done = [
            subprocess.run([*command, *argv], capture_output=True, check=False)
            for command in ([sys.executable, "-m", "evalset"], [script])
        ]
        assert done[0].returncode == done[1].returncode == code
        assert (done[0].stdout, done[0].stderr) == (done[1].stdout, done[1].stderr)
        assert (done[0].stdout.decode(), done[0].stderr.decode()) == run(*argv)[1:]


def test_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    path = tmp_path / "sweep.yaml"
    path.write_text(CLEAN.replace("[p]", "[評価]"), encoding="utf-8")
    outputs: list[str] = []
    for format in ("table", "csv"):
        argv = ("expand", str(path), "--format", format)
        environment = os.environ | {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
        done = subprocess.run(
            [sys.executable, "-m", "evalset", *argv],
            capture_output=True, check=True, env=environment,
        )  # fmt: skip
        outputs.append(done.stdout.decode())
        assert outputs[-1] == run(*argv)[1]
    assert "評価/a/1" in outputs[0]
    assert outputs[1].count("\r\n") == outputs[1].count("\n") == 2


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_reader_that_goes_away_ends_it_quietly(unbuffered: str, work: Path) -> None:
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    argv = ("expand", "huge.yaml", "--format", "jsonl")
    with start(*argv, cwd=work, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        # More than a pipe holds is still to come, so the process is writing or will be.
        assert process.stdout.read(1) == b"{"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_ctrl_c_ends_it_quietly() -> None:
    with start("expand", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        # A pipe holds 64 KiB: once this is written, the process is reading it.
        process.stdin.write(b"#" * 300_000)
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        # Python looks at signals when a read ends: where the signal came just before one
        # began, only the end of the input ends it.
        process.stdin.close()
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert process.returncode == 130


def test_findings_that_can_t_be_written_are_told(work: Path) -> None:
    (work / "wrong.evalset.yaml").write_text("name: 5\n", encoding="utf-8")
    stderr = io.StringIO()
    with pytest.raises(OSError, match="No space left on device"):
        cli.main(("check", "wrong.evalset.yaml"), io.StringIO(), Full(), stderr)


def test_output_that_can_t_be_written_is_told(work: Path) -> None:
    command = [sys.executable, "-m", "evalset", "expand", "clean.evalset.yaml"]
    with (work / "clean.evalset.yaml").open("rb") as unwritable:
        done = subprocess.run(
            command, stdout=unwritable, stderr=subprocess.PIPE, cwd=work, check=False
        )
        assert done.stderr == b"evalset: cannot write the output: Bad file descriptor\n"
        assert done.returncode == 3
        done = subprocess.run(command, stdout=unwritable, stderr=unwritable, cwd=work, check=False)
        assert done.returncode == 3


@pytest.mark.parametrize(
    ("argv", "code", "told"),
    [
        pytest.param("expand clean.evalset.yaml >&-", 0, b"", id="stdout"),
        pytest.param("check faulty.yaml 2>&-", 1, b"faulty.yaml:3:12: error", id="stderr"),
        pytest.param("check - <&-", 1, b"<stdin>:1:1: error[empty-document]", id="stdin"),
    ],
)
def test_a_stream_that_the_shell_closed_holds_nothing(
    argv: str, code: int, told: bytes, work: Path
) -> None:
    command = ["/bin/sh", "-c", f'"$0" -m evalset {argv}', sys.executable]
    done = subprocess.run(command, capture_output=True, cwd=work, check=False)
    assert done.returncode == code
    assert (done.stdout + done.stderr).startswith(told)


def test_it_works_from_a_zip(tmp_path: Path) -> None:
    package = Path(evalset.__file__).parent
    with zipfile.ZipFile(tmp_path / "evalset.zip", "w") as archive:
        for path in package.rglob("*"):
            if path.is_file() and path.parent.name != "__pycache__":
                archive.write(path, Path("evalset") / path.relative_to(package))
    # What runs there is a copy, which is not to be measured.
    environment = {name: value for name, value in os.environ.items() if "COV" not in name}
    environment["PYTHONPATH"] = str(tmp_path / "evalset.zip")
    for argv in (["init", "-"], ["schema", "--editor"]):
        done = subprocess.run(
            [sys.executable, "-m", "evalset", *argv],
            capture_output=True, check=True, env=environment, cwd=tmp_path,
        )  # fmt: skip
        assert done.stdout.decode() == run(*argv)[1]


# Ignore


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("name", "argv"),
    [
        pytest.param("ignore-warning", ("--strict", "--ignore", "unknown-scanner"), id="a warning"),
        pytest.param("ignore-other", ("--strict", "--ignore", "zero-budget"), id="another one"),
        pytest.param("ignore-error", ("--ignore", "unknown-key"), id="an error"),
        pytest.param("ignore-nothing", ("--ignore", "unknown-scaner"), id="no code"),
    ],
)
def test_a_warning_can_be_left_out_and_an_error_not(name: str, argv: tuple[str, ...]) -> None:
    assert_golden(name, ("check", *argv, "sweeps/deep/b.evalset.yml"))


# Explain


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        pytest.param("explain", ("explain",), id="all"),
        pytest.param("explain-one", ("explain", "zero-budget"), id="one"),
        pytest.param("explain-near", ("explain", "duplicate-agents"), id="a near one"),
        pytest.param("explain-none", ("explain", "E101"), id="one of another tool"),
    ],
)
def test_explain_is_as_recorded(name: str, argv: tuple[str, ...]) -> None:
    assert_golden(name, argv)


def test_explain_takes_a_code_as_check_writes_it() -> None:
    assert run("explain", "error[zero-budget]") == run("explain", "zero-budget")
    assert run("explain", "warning[zero-budget]") == run("explain", "zero-budget")


def test_a_code_that_is_none_has_no_page() -> None:
    with pytest.raises(ValueError, match=r"^'E101' is no code of the catalogue$"):
        explain_code("E101")


def test_the_pages_are_found_in_a_zip(tmp_path: Path) -> None:
    package = Path(evalset.__file__).parent
    with zipfile.ZipFile(tmp_path / "evalset.zip", "w") as archive:
        for path in package.rglob("*"):
            if path.suffix in {".md", ".py"}:
                archive.write(path, Path("evalset") / path.relative_to(package))
    process = start("explain", "zero-budget", env={"PYTHONPATH": str(tmp_path / "evalset.zip")})
    out, err = process.communicate()
    assert (process.returncode, out.decode(), err) == (0, explain_code("zero-budget"), b"")
