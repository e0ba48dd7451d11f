"""The workflow of examples/github_actions checks, deals, runs, joins, and says what changes."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from integration.github_actions.runner import Outcome, Runner, git

import evalset

EXAMPLE = Path(__file__).parents[2] / "examples/github_actions"
SWEEP = "sweeps/nightly.evalset.yaml"
MANIFEST = (EXAMPLE / "nightly.evalset.yaml").read_text(encoding="utf-8")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Give a repository as the README says, with one commit."""
    place = tmp_path / "repository"
    (place / ".github/workflows").mkdir(parents=True)
    (place / "sweeps").mkdir()
    shutil.copy(EXAMPLE / "evals.yaml", place / ".github/workflows")
    shutil.copy(EXAMPLE / "nightly.evalset.yaml", place / SWEEP)
    shutil.copy(EXAMPLE / "run_evals.py", place)
    git(place, "init", "--quiet")
    commit(place)
    return place


@pytest.fixture
def runner(repository: Path, tmp_path: Path) -> Runner:
    root = tmp_path / "jobs"
    root.mkdir()
    return Runner(EXAMPLE / "evals.yaml", repository=repository, root=root)


def commit(place: Path) -> str:
    git(place, "add", ".")
    git(place, "commit", "--quiet", "--allow-empty", "--message", "change")
    return git(place, "rev-parse", "HEAD")


def change(repository: Path, text: str | None) -> str:
    """Change the sweep, or take it away, and give the commit before."""
    before = git(repository, "rev-parse", "HEAD")
    if text is None:
        (repository / SWEEP).unlink()
    else:
        (repository / SWEEP).write_text(text, encoding="utf-8")
    commit(repository)
    return before


def matrix_of(plan: Outcome) -> list[dict[str, Any]]:
    assert plan.code == 0, plan.read("log.txt")
    include: list[dict[str, Any]] = json.loads(plan.read("output.txt").removeprefix("matrix="))[
        "include"
    ]
    return include


def run_shards(runner: Runner, shards: list[dict[str, Any]], results: Path) -> None:
    """Run shards, and keep the results of each as an artifact."""
    for shard in shards:
        contexts = {f"matrix.{name}": str(value) for name, value in shard.items()}
        done = runner.run("run", contexts)
        assert done.code == 0, done.read("log.txt")
        (results / f"results-{shard['id']}").mkdir(parents=True)
        shutil.copy(done.place / "results.jsonl", results / f"results-{shard['id']}")


def test_each_night_every_combination_is_run_once(runner: Runner, tmp_path: Path) -> None:
    plan = runner.run("plan", {})
    shards = matrix_of(plan)
    assert [shard["cells"] for shard in shards] == [2, 2, 2, 2]
    assert "### `nightly`: 8 combinations" in plan.read("summary.md")
    run_shards(runner, shards, tmp_path / "results")
    status = runner.run("status", {}, results=tmp_path / "results")
    assert status.code == 0, status.read("log.txt")
    assert "### 8 of 8 done" in status.read("summary.md")
    records = evalset.read_records(status.place / "results.jsonl")
    expected = [each.id for each in evalset.expand(evalset.loads(MANIFEST))]
    assert sorted(record.key for record in records) == sorted(expected)


def test_the_night_fails_while_a_result_is_missing(runner: Runner, tmp_path: Path) -> None:
    results = tmp_path / "results"
    shards = matrix_of(runner.run("plan", {}))
    run_shards(runner, shards[1:], results)
    status = runner.run("status", {}, results=results)
    assert status.code == 1
    assert "### 6 of 8 done" in status.read("summary.md")
    run_shards(runner, shards[:1], results)
    assert runner.run("status", {}, results=results).code == 0


def test_the_night_fails_when_nothing_has_run(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    status = runner.run("status", {}, results=tmp_path / "results")
    assert status.code == 1
    assert "### 0 of 8 done" in status.read("summary.md")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            f"{MANIFEST}repeat: 3\n", f"::error file={SWEEP},line=12,", id="a key that is none"
        ),
        pytest.param(
            MANIFEST.replace("repeats: 2", "repeats: 126"), "at most 500 are allowed", id="too many"
        ),
        pytest.param(f"{MANIFEST}scanners: [own]\n", f"::warning file={SWEEP}", id="a warning"),
    ],
)
def test_a_wrong_sweep_is_planned_for_nobody(
    runner: Runner, repository: Path, text: str, told: str
) -> None:
    change(repository, text)
    plan = runner.run("plan", {})
    assert (plan.code, plan.read("output.txt")) == (1, "")
    assert told in plan.read("log.txt")


def comment(runner: Runner, base: str) -> str:
    """Give the text of the comment on a pull request."""
    done = runner.run("diff", {
        "github.event.pull_request.base.sha": base,
        "github.event.pull_request.number": "7",
        "github.token": "secret",
    })  # fmt: skip
    assert done.code == 0, done.read("log.txt")
    assert done.read("summary.md") == done.read("diff.md")
    assert done.read("gh.txt").split() == [
        *("pr", "comment", "7", "--edit-last", "--create-if-none", "--body-file", "diff.md")
    ]
    return done.read("diff.md")


def test_a_pull_request_is_told_what_it_changes(runner: Runner, repository: Path) -> None:
    base = change(repository, MANIFEST.replace("gpt-5-default", "gpt-6-default"))
    assert comment(runner, base).startswith(
        "### Partly comparable\n\n- 4 of the 8 in both have another deployment\n"
    )


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(None, id="there was none"),
        pytest.param(f"{MANIFEST}repeat: 3\n", id="it was wrong"),
    ],
)
def test_without_a_good_sweep_before_a_pull_request_is_told_what_there_is(
    runner: Runner, repository: Path, before: str | None
) -> None:
    change(repository, before)
    base = change(repository, MANIFEST)
    assert comment(runner, base).startswith("### `nightly`: 8 combinations\n")


def test_nothing_is_pasted_into_a_script_and_only_the_comment_may_write(runner: Runner) -> None:
    jobs: dict[str, dict[str, Any]] = runner.workflow["jobs"]
    scripts = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
    assert [script for script in scripts if "${{" in script] == []
    assert runner.workflow["permissions"] == {"contents": "read"}
    rights = {name: job["permissions"] for name, job in jobs.items() if "permissions" in job}
    assert rights == {"diff": {"contents": "read", "pull-requests": "write"}}


def test_what_is_paid_for_is_not_run_for_a_pull_request(runner: Runner) -> None:
    jobs = runner.workflow["jobs"]
    for name in ("run", "status"):
        assert "github.event_name != 'pull_request'" in jobs[name]["if"]
    assert jobs["diff"]["if"] == "github.event_name == 'pull_request'"
