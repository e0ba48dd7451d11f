"""The same answers wherever it runs: under other flags, locales and homes, from a zip, offline."""

import json
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import evalset

PACKAGE = Path(evalset.__file__).parent

# Everything that reads a file of the package or asks a dependency, in one process.
PROGRAM = """
import io, json, sys
import evalset
from evalset.catalogue import explain_code
from evalset.cli import main
from evalset.diagnostics import CODES
from evalset.findings import write_github, write_sarif, write_text
from evalset.formats import write_csv, write_table
from evalset.markdown import write_markdown
from evalset.schemas import SCHEMAS, schema_text

good = '''schema: evalset/v1
name: n\\u00e4chtlich \\u2603
packs: [catalog/pr\\u00fcfung, &p q]
agents:
- {deployment: gr\\u00f6\\u00dfe, label: \\u00c4}
repeats: 2
'''
manifest = evalset.loads(good)
expansion = evalset.expand(manifest)
workspace = evalset.StaticWorkspace(
    packs=[evalset.ListedPack("1", slug="pr\\u00fcfung"), evalset.ListedPack("2", slug="q")],
    agents=[evalset.ListedAgent("3", name="gr\\u00f6\\u00dfe")],
)
resolution = evalset.resolve(manifest, workspace)
broken = evalset.check_text(good + "repeat: 3\\nbudget_usd: \\u00f1\\n")
out = io.StringIO()
status = main(["check", "-"], io.StringIO(good), out, out)
answers = [
    expansion.to_json(), manifest.digest(), evalset.dumps(manifest),
    evalset.dumps(manifest, format="json"), evalset.pin(good, resolution),
    [each.to_dict() for each in broken.diagnostics], write_text([broken]), write_github([broken]),
    write_sarif([broken]), write_csv(expansion), write_table(expansion), write_markdown(expansion),
    evalset.load("good.yaml").digest(), status, out.getvalue(),
    [explain_code(code) for code in CODES], [schema_text(name) for name in SCHEMAS],
    schema_text(editor=True),
]
json.dump(answers, sys.stdout)
"""
# What a process may do besides computing: read files. Anything else that it tries is told.
WATCH = """
import sys
def watch(event, arguments):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "urllib.", "ftplib.")):
        raise RuntimeError(f"{event} {arguments}")
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        raise RuntimeError(f"{event} {arguments}")
sys.addaudithook(watch)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("environments")
    text = "schema: evalset/v1\nname: größer\npacks: [p]\nagents: [{deployment: a}]\n"
    (folder / "good.yaml").write_text(text, encoding="utf-8")
    return folder


def answers(
    folder: Path, *flags: str, program: str = PROGRAM, drop: str = "", **variables: str
) -> Any:  # noqa: ANN401 (plain data)
    """Run the program in another interpreter, and give what it computed."""
    # Where coverage measures child processes, it opens files of its own.
    environment = {
        name: value for name, value in os.environ.items()
        if name != drop and not name.startswith("COVERAGE_")
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-B", *flags, "-c", program],
        cwd=folder,
        env={**environment, **variables},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def usual(folder: Path) -> Any:  # noqa: ANN401 (plain data)
    return answers(folder)


@pytest.mark.parametrize(
    "flags",
    [
        pytest.param(("-W", "error"), id="warnings are errors"),
        pytest.param(("-bb", "-X", "dev", "-W", "error"), id="the development mode"),
        pytest.param(("-O",), id="without assertions"),
        pytest.param(("-OO",), id="without docstrings"),
        pytest.param(("-X", "utf8=0"), id="without the UTF-8 mode"),
        pytest.param(("-X", "warn_default_encoding", "-W", "error"), id="no encoding by default"),
    ],
)
def test_flags_of_the_interpreter_change_nothing(
    folder: Path, usual: object, flags: tuple[str, ...]
) -> None:
    assert answers(folder, *flags) == usual


@pytest.mark.parametrize(
    "variables",
    [
        pytest.param({"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, id="C"),
        pytest.param({"LC_ALL": "de_DE.ISO-8859-1", "PYTHONUTF8": "0"}, id="Latin 1"),
        pytest.param({"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, id="streams of ASCII"),
        pytest.param(
            {"HOME": "/nowhere", "USERPROFILE": "/nowhere"}, id="a home that is not there"
        ),
        pytest.param({"TMPDIR": "/nowhere", "TEMP": "/nowhere"}, id="no folder for what passes"),
    ],
)
def test_the_environment_changes_nothing(
    folder: Path, usual: object, variables: dict[str, str]
) -> None:
    assert answers(folder, **variables) == usual


def test_no_home_changes_nothing(folder: Path, usual: object) -> None:
    assert answers(folder, drop="HOME") == usual


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Path]:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    yield tmp_path
    tmp_path.chmod(stat.S_IRWXU)


def test_a_home_that_is_read_only_changes_nothing(
    folder: Path, usual: object, sealed: Path
) -> None:
    assert answers(folder, HOME=str(sealed), XDG_CACHE_HOME=str(sealed)) == usual
    assert list(sealed.iterdir()) == []


def test_a_zip_holds_all_that_the_package_needs(
    folder: Path, usual: object, tmp_path: Path
) -> None:
    packed = tmp_path / "evalset.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(PACKAGE.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(PACKAGE.parent).as_posix())
    check = "import evalset, sys\nassert '.zip' in evalset.__file__, evalset.__file__\n"
    search = os.pathsep.join([str(packed), os.environ.get("PYTHONPATH", "")])
    assert answers(folder, program=check + PROGRAM, PYTHONPATH=search) == usual


def test_nothing_is_asked_of_the_network_or_written_or_started(folder: Path, usual: object) -> None:
    assert answers(folder, program=WATCH + PROGRAM) == usual


def test_what_is_watched_is_seen(folder: Path) -> None:
    for forbidden in (
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "open('a', 'w')",
        "import subprocess; subprocess.run(['true'])",
    ):
        with pytest.raises(subprocess.CalledProcessError) as caught:
            answers(folder, program=WATCH + forbidden)
        assert b"RuntimeError" in caught.value.stderr
