"""Fifteen manifests as beginners break them, each repaired from the output alone.

The texts are in tests/golden/trial, what came of them in its directory `repaired`. That
no more was needed than the output of one run is held to its words: each word of the
repaired text stands in the broken one or in what `evalset check` said of it.
"""

import re
from pathlib import Path

import pytest
from tests.shell import GOLDEN, assert_golden, run

from evalset import check

TRIAL = GOLDEN / "trial"
NAMES = sorted(path.name for path in TRIAL.iterdir() if path.suffix in {".json", ".yaml"})
# Of another version nothing else is told, and nothing behind a fault in YAML's syntax.
TWO_RUNS = {"12.yaml", "13.yaml"}


def words(text: str) -> set[str]:
    """Give the words of a text; a number that is wanted is anybody's."""
    return set(re.findall(r"[A-Za-z_][\w./-]*", text))


@pytest.fixture(autouse=True)
def beside_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TRIAL)


@pytest.mark.parametrize("name", NAMES)
def test_a_beginner_sees_this(name: str) -> None:
    assert_golden(f"trial/{name}", ("check", name))
    assert not check(name).ok


@pytest.mark.parametrize("name", NAMES)
def test_what_was_repaired_has_no_finding(name: str) -> None:
    assert check(Path("repaired") / name).diagnostics == ()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in TWO_RUNS])
def test_one_run_was_enough_to_repair_it(name: str) -> None:
    told = run("check", name)[1]
    repaired = words((Path("repaired") / name).read_text(encoding="utf-8"))
    assert repaired - words(Path(name).read_text(encoding="utf-8")) - words(told) == set()


def test_there_are_fifteen() -> None:
    assert len(NAMES) == 15
    assert sorted(path.name for path in Path("repaired").iterdir()) == NAMES
