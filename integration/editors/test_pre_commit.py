"""The hook of .pre-commit-hooks.yaml, run by pre-commit itself from a clone of this project.

The clone holds what the hook's environment is built from, as it stands now, committed or
not; pre-commit installs it as it would from anywhere else.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

import pytest
import yaml
from integration.editors.corpus import BASE
from integration.editors.lsp import HERE, Json

from evalset import cli

ROOT = HERE.parents[1]
GOOD = "\n".join(BASE.values()) + "\n"
BAD = f"{GOOD}repeat: 3\n"
WARNED = f"{GOOD}scanners: [mine]\n"

# Names, and whether a manifest may be called so.
NAMES = {
    "agentclash.evalset.yaml": True,
    "sweeps/nightly.evalset.yml": True,
    "sweeps/deep/gate.evalset.json": True,
    "a b.evalset.yaml": True,
    "v1.2.evalset.yaml": True,
    "evalset.yaml": False,
    "nightly-evalset.yaml": False,
    "nightly.evalset.yaml.txt": False,
    "sweeps/.hidden.evalset.yaml": False,
    "evalset-v1.editor.json": False,
    "other.yaml": False,
}

Files = Mapping[str, str]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Commit what the package is built from to a repository of its own."""
    clone = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "src", clone / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, clone)
    _commit(clone)
    return clone


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give pre-commit a cache of its own, so that it installs the hook once and here."""
    return tmp_path_factory.mktemp("cache")


def test_the_hook_finds_a_fault(clone: Path, cache: Path, tmp_path: Path) -> None:
    files = {"sweeps/bad.evalset.yaml": BAD, "good.evalset.yaml": GOOD, "other.yaml": BAD}
    code, out = _run(clone, cache, tmp_path, files)
    assert code == 1
    assert "check evalset manifests" in out
    assert "Failed" in out
    assert 'sweeps/bad.evalset.yaml:5:1: error[unknown-key] "repeat" is no key of the' in out
    assert out.rstrip().endswith("1 error in 1 of 2 files")


def test_the_hook_takes_what_is_good(clone: Path, cache: Path, tmp_path: Path) -> None:
    code, out = _run(clone, cache, tmp_path, {"good.evalset.yaml": GOOD, "w.evalset.yaml": WARNED})
    assert (code, out.count("Passed")) == (0, 1)


def test_the_hook_takes_arguments(clone: Path, cache: Path, tmp_path: Path) -> None:
    code, out = _run(clone, cache, tmp_path, {"w.evalset.yaml": WARNED}, args=["--strict"])
    assert code == 1
    assert 'w.evalset.yaml:5:12: warning[unknown-scanner] the scanner "mine" is not built in' in out


def test_the_hook_passes_over_all_else(clone: Path, cache: Path, tmp_path: Path) -> None:
    code, out = _run(clone, cache, tmp_path, {"other.yaml": BAD})
    assert (code, "no files to check" in out) == (0, True)


@pytest.mark.parametrize(("name", "is_manifest"), NAMES.items(), ids=[*NAMES])
def test_the_hook_and_the_command_know_the_same_names(
    name: str, *, is_manifest: bool, tmp_path: Path
) -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("", encoding="utf-8")
    code = cli.main(["check", str(tmp_path)], StringIO(), StringIO(), StringIO())
    assert (code == 1) is is_manifest  # 3: there is none
    assert bool(re.search(hook["files"], name)) is is_manifest


def _run(
    clone: Path, cache: Path, project: Path, files: Files, *, args: list[str] | None = None
) -> tuple[int, str]:
    """Run pre-commit on all files of a new project; give its exit code and what it printed."""
    revision = _git(clone, "rev-parse", "HEAD").strip()
    hook: Json = {"id": "evalset-check", "args": args or []}
    config = {"repos": [{"repo": str(clone), "rev": revision, "hooks": [hook]}]}
    # JSON is YAML, too.
    for name, text in {**files, ".pre-commit-config.yaml": json.dumps(config)}.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    _commit(project)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"],
        cwd=project,
        env={**_environment(), "PRE_COMMIT_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def _commit(directory: Path) -> None:
    _git(directory, "init", "--quiet")
    _git(directory, "add", "--all")
    _git(directory, "-c", "user.name=test", "-c", "user.email=test@host.test", "commit", "--quiet",
         "--message", "all")  # fmt: skip


def _git(directory: Path, *command: str) -> str:
    done = subprocess.run(
        ["git", *command],
        cwd=directory,
        env=_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def _environment() -> dict[str, str]:
    """Leave out what would lead git or the hook's Python to this project instead."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_", "PYTHONPATH"))
    }
