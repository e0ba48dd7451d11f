"""The command line on every golden text: exact output in tests/golden/check.

What the library says of these texts is in tests/golden/diagnostics; here is what a person
sees: the lines, what is marked in them, notes, hints, the count and the exit code.
EVALSET_UPDATE_GOLDEN=1 writes the files anew; the difference is then for a person to read.
"""

import json
from pathlib import Path

import pytest
from tests.shell import GOLDEN, assert_golden, run
from tests.test_diagnostics import INPUTS, OPTIONS

from evalset import Diagnostic, check
from evalset.shapes import is_list

TEXTS = GOLDEN / "diagnostics"
# The command reads whole files, and keeps no unknown keys.
ON_THE_COMMAND_LINE = [
    name for name in INPUTS if not {"at", "unknown"} & OPTIONS.get(name, {}).keys()
]


def options_of(name: str) -> list[str]:
    """Write the options of a text as the command line has them."""
    written: list[str] = []
    for option, value in OPTIONS.get(name, {}).items():
        flag = f"--{option.replace('_', '-')}"
        values = value if is_list(value) else [value]
        written += (
            [flag] if value is True else [word for each in values for word in (flag, str(each))]
        )
    return written


@pytest.fixture(autouse=True)
def beside_the_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TEXTS)


@pytest.mark.parametrize("name", ON_THE_COMMAND_LINE)
def test_a_person_sees_this_of_a_text(name: str) -> None:
    assert_golden(f"check/{name}", ("check", *options_of(name), name))


def found_in(name: str) -> tuple[Diagnostic, ...]:
    return check(name, **OPTIONS.get(name, {})).diagnostics


def test_the_command_tells_what_the_library_tells_in_every_format() -> None:
    for name in ON_THE_COMMAND_LINE:
        found = found_in(name)
        options = options_of(name)
        concise = run("check", "--format", "concise", *options, name)[1]
        assert [line for line in concise.split("\n") if line] == [str(each) for each in found]
        as_json = json.loads(run("check", "--format", "json", *options, name)[1])
        assert as_json["diagnostics"] == [each.to_dict() for each in found]
        log = json.loads(run("check", "--format", "sarif", *options, name)[1])
        assert [each["ruleId"] for each in log["runs"][0]["results"]] == [
            each.code for each in found
        ]


def test_every_golden_file_belongs_to_a_text() -> None:
    outputs = {path.name.removesuffix(".txt") for path in (GOLDEN / "check").glob("*.txt")}
    assert outputs == set(ON_THE_COMMAND_LINE)
    assert len(outputs) >= 200


def test_the_texts_are_of_every_kind() -> None:
    raw = {name: Path(name).read_bytes() for name in INPUTS}
    kinds = {
        "JSON": [name for name in raw if name.endswith(".json")],
        "CR LF": [name for name, data in raw.items() if b"\r\n" in data],
        "a tab": [name for name, data in raw.items() if b"\t" in data],
        "beyond ASCII": [name for name, data in raw.items() if not data.isascii()],
        "several faults": [name for name in INPUTS if len(found_in(name)) > 2],
        "nested": [
            name for name in INPUTS if any(each.pointer.count("/") > 2 for each in found_in(name))
        ],
    }
    assert {kind: len(names) >= 5 for kind, names in kinds.items()} == dict.fromkeys(kinds, True)
