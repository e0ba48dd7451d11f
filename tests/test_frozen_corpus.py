"""What one release accepts, every later v1 release accepts, and knows it by the same keys."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.frozen import identity

CORPUS = Path(__file__).parent / "corpus"
RELEASES: dict[str, dict[str, Any]] = {
    path.parent.name: json.loads(path.read_text("utf-8"))
    for path in sorted(CORPUS.glob("*/expected.json"))
}


def test_every_release_has_its_corpus() -> None:
    assert {release: len(expected) for release, expected in RELEASES.items()} == {"0.1.0": 122}


@pytest.mark.parametrize("release", RELEASES)
def test_nothing_was_added_to_a_release_or_taken_from_it(release: str) -> None:
    names = {path.name for path in (CORPUS / release).iterdir()}
    assert names == {*RELEASES[release], "expected.json"}


@pytest.mark.parametrize(
    ("release", "name"),
    [
        pytest.param(release, name, id=f"{release}: {name}")
        for release, expected in RELEASES.items()
        for name in expected
    ],
)
def test_what_a_release_accepted_is_accepted_and_means_the_same(release: str, name: str) -> None:
    assert identity((CORPUS / release / name).read_bytes()) == RELEASES[release][name]
