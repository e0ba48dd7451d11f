"""What is made to harm ends as it must: within bounds of time and memory, and shown as text."""

import json
import re
import subprocess
import sys

import pytest
from tests import attacks
from tests.attacks import ATTACKS, DOCS, MARK, Outcome


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    # Forked from a small process of its own, where no other test left threads or memory.
    done = subprocess.run(
        [sys.executable, attacks.__file__], capture_output=True, text=True, check=True
    )
    return {name: Outcome(*rest) for name, *rest in map(json.loads, done.stdout.splitlines())}


def test_there_are_many() -> None:
    assert len(ATTACKS) >= 40


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_within_its_bounds(outcomes: dict[str, Outcome], name: str) -> None:
    outcome = outcomes[name]
    assert outcome.error == ""
    assert outcome.status == 0


def test_every_attack_stands_in_the_documentation() -> None:
    table = DOCS.read_text("utf-8").split(MARK)[1]
    rows = re.findall(r"^\| (.+?) \| (?:`|read|shown)", table, re.MULTILINE)
    assert rows == list(ATTACKS)
