"""The notebook of examples/notebook shows what it would show if it were run now.

EVALSET_UPDATE_GOLDEN=1 runs it, and writes what it shows into it.
"""

import os
import re
from pathlib import Path
from typing import Any, TypeAlias

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLE = Path(__file__).parents[2] / "examples/notebook"
NOTEBOOK = EXAMPLE / "sweep.ipynb"
UPDATE = bool(os.environ.get("EVALSET_UPDATE_GOLDEN"))
Cells: TypeAlias = list[dict[str, Any]]

formats: Any = nbformat  # its types are partial


def stored() -> Cells:
    """Give the cells with code, as they are in the file."""
    notebook = formats.read(NOTEBOOK, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.fixture(scope="module")
def executed() -> Cells:
    """Run the notebook in its directory, in a kernel of its own, and give the same cells."""
    notebook = formats.read(NOTEBOOK, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell in cells:
        cell.outputs = []
    place = {"metadata": {"path": str(EXAMPLE)}}
    NotebookClient(notebook, timeout=60, record_timing=False, resources=place).execute()
    if UPDATE:
        notebook.metadata.language_info = {"name": "python"}  # of any version
        formats.write(notebook, NOTEBOOK)
    return cells


def test_every_output_is_what_the_notebook_has_stored(executed: Cells) -> None:
    assert [cell["outputs"] for cell in stored()] == [cell["outputs"] for cell in executed]


def test_the_cells_were_run_once_in_order() -> None:
    counts = [cell["execution_count"] for cell in stored()]
    assert counts == list(range(1, len(counts) + 1))


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param("<strong>nightly</strong>", id="the matrix"),
        pytest.param("4 done, 1 failed, 3 missing", id="what is left"),
        pytest.param("### Partly comparable", id="a comparison"),
        pytest.param("total     1.35 USD", id="an estimate"),
        pytest.param("unknown-key", id="findings"),
    ],
)
def test_it_shows_what_its_headings_say(wanted: str) -> None:
    outputs = [output for cell in stored() for output in cell["outputs"]]
    texts = [
        text for each in outputs for text in (each.get("text"), *each.get("data", {}).values())
    ]
    assert any(wanted in text for text in texts if text)


def test_it_holds_no_place_of_a_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert re.findall(r"/(?:home|root|tmp|work|Users)/|0x[0-9a-f]{6,}", text) == []
