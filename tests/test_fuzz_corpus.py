"""What fuzzing began with and found is looked at again by every run."""

from pathlib import Path

import pytest
from tests.fuzzing import TARGETS

CORPUS = Path(__file__).parent / "corpus" / "fuzz"
KEPT = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


def test_every_target_has_a_corpus() -> None:
    assert {path.parent.name for path in KEPT} == set(TARGETS)


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=f"{path.parent.name}: {path.name}") for path in KEPT]
)
def test_what_was_found_once_is_safe(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())
