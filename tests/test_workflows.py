"""The workflows on the pages do what the pages say, and hand no text of a manifest to a shell.

They are carried out as far as their steps are scripts. In the tutorial's, the files are those of
the page, each job starts in a directory of its own, and artifacts are copied.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TUTORIAL = DOCS / "tutorial/first-sweep.md"
_NAMED = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def workflows(page: Path) -> list[dict[str, Any]]:
    texts = _FENCE.findall(page.read_text(encoding="utf-8"))
    yaml: Any = YAML(typ="safe")
    return [yaml.load(text) for text in texts if "\njobs:\n" in text]


PAGES = [page for page in sorted(DOCS.rglob("*.md")) if workflows(page)]


def steps(job: dict[str, Any]) -> list[dict[str, Any]]:
    return list(job["steps"])


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in PAGES])
def test_no_workflow_of_a_page_pastes_an_expression_into_a_script(page: Path) -> None:
    for workflow in workflows(page):
        scripts = [
            step["run"] for job in workflow["jobs"].values() for step in steps(job) if "run" in step
        ]
        assert scripts
        assert [script for script in scripts if "${{" in script] == []


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in PAGES])
def test_a_job_of_a_page_needs_only_jobs_that_there_are(page: Path) -> None:
    for workflow in workflows(page):
        jobs = workflow["jobs"]
        needed = {job["needs"] for job in jobs.values() if "needs" in job}
        assert needed <= jobs.keys()


def carry_out(job: dict[str, Any], place: Path, **environment: str) -> int:
    """Run the scripts of a job in a directory until one fails; give its exit code."""
    inherited = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_OUTPUT": str(place / "output"),
        "GITHUB_STEP_SUMMARY": str(place / "summary"),
    }
    for step in steps(job):
        if "run" in step and not step["run"].startswith("pip install"):
            run = subprocess.run(
                ["bash", "-eo", "pipefail", "-c", step["run"]],  # noqa: S607 (the runners' shell)
                cwd=place,
                env={**os.environ, **inherited, **environment},
                check=False,
            )
            if run.returncode:
                return run.returncode
    return 0


class Runner:
    """Carries out jobs of the tutorial's workflow: the scripts of their steps."""

    def __init__(self, root: Path) -> None:
        """Put the files of the page, as it leaves them, where a checkout finds them."""
        self.root = root
        self.files: dict[str, str] = dict(_NAMED.findall(TUTORIAL.read_text(encoding="utf-8")))
        [workflow] = workflows(TUTORIAL)
        self.jobs: dict[str, dict[str, Any]] = workflow["jobs"]

    def run(self, name: str, **environment: str) -> tuple[Path, int]:
        """Run the scripts of a job until one fails; give its directory and exit code."""
        place = self.root / "-".join([name, *environment.values()]).replace("/", "-")
        for path, text in self.files.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_text(text, encoding="utf-8")
        if name == "look":
            shutil.copytree(self.root / "artifacts", place / "results")
        return place, carry_out(self.jobs[name], place, **environment)

    def keep(self, place: Path, shard: str) -> None:
        """Keep the results of a job as an artifact."""
        target = self.root / "artifacts" / f"results-{shard}"
        target.mkdir(parents=True)
        shutil.copy(place / "results.jsonl", target)


def test_the_workflow_of_the_tutorial_plans_runs_each_shard_and_looks(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    plan, code = runner.run("plan")
    assert code == 0
    matrix = json.loads((plan / "output").read_text().removeprefix("matrix="))
    assert [each["cells"] for each in matrix["include"]] == [3, 3]

    for each in matrix["include"]:
        place, code = runner.run("run", SHARD=f"{each['index']}/{each['count']}")
        assert code == 0
        runner.keep(place, each["id"])

    look, code = runner.run("look")
    assert code == 0
    assert (look / "summary").read_text().startswith("### 6 of 6 done")


def test_the_workflow_of_the_tutorial_fails_while_a_shard_is_missing(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    place, _ = runner.run("run", SHARD="1/2")
    runner.keep(place, "shard-1-of-2")
    look, code = runner.run("look")
    assert code == 1
    assert (look / "summary").read_text().startswith("### 3 of 6 done")


def test_the_workflow_of_the_tutorial_refuses_a_wrong_manifest_before_it_plans(
    tmp_path: Path,
) -> None:
    runner = Runner(tmp_path)
    runner.files["sweep.evalset.yaml"] += "case_fan_out: true\n"
    plan, code = runner.run("plan")
    assert code == 1
    assert not (plan / "output").exists()


def git(place: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments]
    run = subprocess.run(command, cwd=place, capture_output=True, check=True, text=True)
    return run.stdout.strip()


@pytest.mark.parametrize(
    ("old", "told"),
    [
        pytest.param("repeats: 1\n", "2 added", id="a manifest that was changed"),
        pytest.param("repeat: 1\n", None, id="a manifest that was wrong"),
        pytest.param(None, None, id="a manifest that is new"),
    ],
)
def test_the_workflow_of_ci_sums_up_each_manifest_and_what_a_change_does_to_it(
    tmp_path: Path, old: str | None, told: str | None
) -> None:
    manifest = "schema: evalset/v1\nname: nightly\npacks: [p]\nagents: [{deployment: a}]\n"
    (tmp_path / "sweeps").mkdir()
    if old:
        (tmp_path / "sweeps/nightly.evalset.yaml").write_text(manifest + old)
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message", "old")
    (tmp_path / "sweeps/nightly.evalset.yaml").write_text(manifest + "repeats: 3\n")

    [workflow] = workflows(DOCS / "howto/ci.md")
    base = git(tmp_path, "rev-parse", "HEAD")
    assert carry_out(workflow["jobs"]["check"], tmp_path, BASE=base) == 0
    summary = (tmp_path / "summary").read_text()
    assert summary.startswith("### `nightly`: 3 combinations\n")
    assert ("added" in summary) == bool(told)
    assert (told or "") in summary
