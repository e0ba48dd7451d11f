"""What the page of mistakes says of the reference was recorded of it.

The page itself is written by integration/editors/test_mistakes.py, which needs the editors.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "howto" / "mistakes.md"
RECORDS = ROOT / "tests" / "data" / "reference.jsonl"


def shape(message: str) -> str:
    """Give a message without what is the manifest's own: quoted texts and numbers."""
    return re.sub(r"\d+", "N", re.sub(r'"[^"]*"', "TEXT", message))


def recorded() -> set[str]:
    cases = map(json.loads, RECORDS.read_text(encoding="utf-8").splitlines())
    answers = [case[dialect] for case in cases for dialect in case if dialect.startswith("key_by_")]
    return {shape(answer["error"]) for answer in answers if "error" in answer}


def sections() -> list[str]:
    return PAGE.read_text(encoding="utf-8").split("\n## ")[1:]


def test_thirty_mistakes_say_what_the_reference_says_the_editor_and_the_command() -> None:
    told = [each for each in sections() if "\nThe reference " in each]
    assert len(told) >= 30
    for each in sections():
        assert "\nThe editor " in each
        assert "\n$ evalset check " in each
        assert re.search(r": (error|warning)\[", each)


def test_each_message_of_the_reference_was_recorded() -> None:
    quoted = re.findall(
        r"^The reference says:\n\n> (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(quoted) >= 18
    assert {shape(message) for message in quoted} - recorded() == set()
