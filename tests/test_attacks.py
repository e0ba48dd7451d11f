"""What is made to harm ends as it must: within bounds of time and memory, and shown as text."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests import attacks
from tests.attacks import ATTACKS, DOCS, MARK, Outcome


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    # Forked from small processes of their own, where no other test left threads or memory; two
    # at a time, since together they take half a minute.
    halves = [list(ATTACKS)[0::2], list(ATTACKS)[1::2]]
    with ThreadPoolExecutor() as threads:
        lines = [line for told in threads.map(_measured, halves) for line in told.splitlines()]
    return {name: Outcome(*rest) for name, *rest in map(json.loads, lines)}


def _measured(names: list[str]) -> str:
    command = [sys.executable, attacks.__file__, *names]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


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
