"""Carries out the jobs of a workflow as far as their steps are scripts."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs
from ruamel.yaml import YAML

_EXPRESSION = re.compile(r"\$\{\{ (.*?) \}\}")
_GH = """#!/bin/sh
printf '%s\\n' "$@" >>gh.txt
"""


@attrs.frozen(kw_only=True)
class Outcome:
    """What a job left: its directory, its exit code, what it wrote for GitHub."""

    place: Path
    code: int

    def read(self, name: str) -> str:
        """Give the text of a file of the job, or nothing."""
        file = self.place / name
        return file.read_text(encoding="utf-8") if file.exists() else ""


class Runner:
    """Runs jobs in clones of a repository; `gh` notes what it was called with."""

    def __init__(self, workflow: Path, *, repository: Path, root: Path) -> None:
        yaml: Any = YAML(typ="safe")
        self.workflow: dict[str, Any] = yaml.load(workflow)
        self._repository = repository
        self._root = root
        tools = root / "tools"
        tools.mkdir()
        (tools / "gh").write_text(_GH, encoding="utf-8")
        (tools / "gh").chmod(0o755)
        self._path = os.pathsep.join(
            [str(tools), str(Path(sys.executable).parent), os.environ["PATH"]]
        )

    def run(self, name: str, contexts: dict[str, str], *, results: Path | None = None) -> Outcome:
        """Run a job's scripts until one fails.

        Args:
            name: The job.
            contexts: What each expression in the environment of a step stands for; one that is
                not here is an error.
            results: What the job finds in its directory `results`.
        """
        place = self._root / f"{name}-{len(list(self._root.iterdir()))}"
        git(self._root, "clone", "--quiet", str(self._repository), str(place))
        if results is not None:
            (place / "results").symlink_to(results)
        for step in self.workflow["jobs"][name]["steps"]:
            if "run" in step and not step["run"].startswith("pip install"):
                variables = {**self.workflow["env"], **step.get("env", {})}
                code = self._script(step["run"], place, {
                    key: _EXPRESSION.sub(lambda found: contexts[found[1]], value)
                    for key, value in variables.items()
                })  # fmt: skip
                if code:
                    return Outcome(place=place, code=code)
        return Outcome(place=place, code=0)

    def _script(self, script: str, place: Path, variables: dict[str, str]) -> int:
        runner = {
            "PATH": self._path,
            "GITHUB_ACTIONS": "true",
            "GITHUB_OUTPUT": str(place / "output.txt"),
            "GITHUB_STEP_SUMMARY": str(place / "summary.md"),
        }
        with (place / "log.txt").open("a", encoding="utf-8") as log:
            done = subprocess.run(
                ["bash", "-eo", "pipefail", "-c", script],
                cwd=place,
                env={**os.environ, **runner, **variables},
                stdout=log,
                stderr=subprocess.STDOUT,
                check=False,
            )
        return done.returncode


def git(place: Path, *arguments: str) -> str:
    """Run git, and give what it says."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    done = subprocess.run(
        ["git", *who, *arguments], cwd=place, capture_output=True, check=True, text=True
    )
    return done.stdout.strip()
