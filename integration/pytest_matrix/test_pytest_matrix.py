"""The combinations of examples/pytest_matrix are tests, in shards, and taken up again."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import evalset
from evalset import Expansion

EXAMPLE = Path(__file__).parents[2] / "examples/pytest_matrix"
TEST = "test_sweep.py::test_the_score_is_high_enough"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a copy of the example, as a project of its own."""
    return Path(shutil.copytree(EXAMPLE, tmp_path / "project"))


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest as a person would, without the plugins that are installed here."""
    # Where these are set pytest tells more.
    own = {name: value for name, value in os.environ.items() if name not in {"CI", "BUILD_NUMBER"}}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=project,
        env={**own, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def collected(project: Path, *arguments: str) -> list[str]:
    """Give the matrix keys that pytest has made tests of."""
    done = run(project, "--collect-only", "-q", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return re.findall(rf"^{TEST}\[(.*)\]$", done.stdout, re.MULTILINE)


@pytest.fixture(scope="module")
def expansion() -> Expansion:
    return evalset.expand(evalset.load(EXAMPLE / "sweep.yaml"))


def test_each_combination_is_a_test_in_the_order_of_the_manifest(
    project: Path, expansion: Expansion
) -> None:
    assert collected(project) == expansion.matrix_keys()


def test_a_combination_is_run_by_its_key(project: Path) -> None:
    done = run(project, "-q", f"{TEST}[catalog/swe-bug-fix/gpt/2]")
    assert (done.returncode, done.stdout.split("\n")[0][:1]) == (0, ".")
    assert "1 passed" in done.stdout


def test_shards_have_each_combination_once(project: Path, expansion: Expansion) -> None:
    shards = [collected(project, "--shard", f"{index}/3") for index in (1, 2, 3)]
    assert shards == [expansion.shard(index, 3).matrix_keys() for index in (1, 2, 3)]
    assert sorted(key for shard in shards for key in shard) == sorted(expansion.matrix_keys())


def test_an_empty_shard_is_no_failure(project: Path, expansion: Expansion) -> None:
    [empty] = [index for index in range(1, 10) if not expansion.shard(index, 9)]
    done = run(project, "--shard", f"{empty}/9", "-q")
    assert (done.returncode, "1 skipped" in done.stdout) == (0, True)


def test_a_shard_of_several_processes_leaves_the_same_records(project: Path) -> None:
    alone, shared = (
        run(project, f"--results={name}", *more, "--tb=no")
        for name, more in (("alone.jsonl", ()), ("shared.jsonl", ("-p", "xdist", "-n", "2")))
    )
    assert alone.returncode == shared.returncode == 1
    records = [
        sorted((project / name).read_text(encoding="utf-8").splitlines())
        for name in ("alone.jsonl", "shared.jsonl")
    ]
    assert records[0] == records[1]
    assert len(records[0]) == 8


def test_what_has_no_result_is_run_again_and_nothing_else(
    project: Path, expansion: Expansion
) -> None:
    run(project, "--results=results.jsonl")
    records = evalset.read_records(project / "results.jsonl")
    state = evalset.reconcile(expansion, records)
    assert [record.outcome for record in records].count("failed") == 2
    failed = ["catalog/text-to-sql/gpt/1", "catalog/text-to-sql/mini/1"]
    assert (len(state.done), state.to_run.matrix_keys()) == (6, failed)
    assert collected(project, "--results=results.jsonl") == failed


def test_what_is_other_work_now_is_run_again(project: Path) -> None:
    run(project, "--results=results.jsonl")
    sweep = project / "sweep.yaml"
    text = sweep.read_text(encoding="utf-8")
    sweep.write_text(text.replace("gpt-5-mini-default", "gpt-6-mini-default"), encoding="utf-8")
    again = collected(project, "--results=results.jsonl")
    assert again == [
        "catalog/swe-bug-fix/mini/1",
        "catalog/swe-bug-fix/mini/2",
        "catalog/text-to-sql/gpt/1",
        "catalog/text-to-sql/mini/1",
        "catalog/text-to-sql/mini/2",
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param(["--shard", "4/3"], "shards count from 1, so it is 1 to 3", id="no shard"),
        pytest.param(["--shard", "two"], "'two' is no shard; write it as in 2/4", id="no numbers"),
        pytest.param(["--sweep=no.yaml"], "No such file or directory: 'no.yaml'", id="no manifest"),
        pytest.param(
            ["--sweep=bad.yaml"], 'bad.yaml:1:1: error[unknown-key] "nam" is no key', id="bad"
        ),
        pytest.param(["--results=bad.jsonl"], "bad.jsonl:1: the line is not JSON", id="bad record"),
    ],
)
def test_what_can_not_be_run_is_said_before_anything_is_run(
    project: Path, arguments: list[str], told: str
) -> None:
    (project / "bad.yaml").write_text("nam: x\n", encoding="utf-8")
    (project / "bad.jsonl").write_text("x\n", encoding="utf-8")
    done = run(project, *arguments)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_the_commands_of_the_readme_print_what_it_says(project: Path) -> None:
    readme = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE):
        shown = ""
        for command in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
            assert command.startswith("python -m pytest ")
            done = run(project, *shlex.split(command)[3:])
            shown += f"$ {command}\n{told(done.stdout)}"
        assert shown == block


def told(output: str) -> str:
    """Give what pytest printed, without times, progress and frames."""
    output = re.sub(r" in [\d.]+s$| +\[100%\]$", "", output, flags=re.MULTILINE)
    return re.sub(r"^=+ .*=\n", "", output, flags=re.MULTILINE)
