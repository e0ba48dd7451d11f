"""What is told of the lines before the place where a text can't be read on."""

import pytest
from hypothesis import given
from tests.laws.spoiling import spoiled_data

from evalset import check_text
from evalset.yaml_text import write_yaml

UNFINISHED = {"missing-key", "missing-seeds", "seeds-count", "seeds-without-explicit"}


def _told(text: str) -> list[str]:
    return [
        f"{found.span.line}:{found.span.column} {found.code}"
        for found in check_text(text).diagnostics
        if found.span
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            'pack: [a]\nrepeats: "3"\nseeds: [1, 2\nmodels: [m]\n',
            ["1:1 unknown-key", "2:10 number-quoted", "4:7 yaml-syntax"],
            id="before the bracket that is open",
        ),
        pytest.param(
            'repeats: 5.5\nname: "abc\npacks: [b]\n',
            ["1:10 not-an-integer", "2:7 yaml-syntax"],
            id="before the quote that is open",
        ),
        pytest.param(
            "agents:\n  - deployment: a\n    lable: b\n  - c\n  - {}\n  d: [\n",
            ["3:5 unknown-key", "4:5 wrong-type", "6:3 yaml-syntax"],
            id="inside the list that is not read to its end",
        ),
        pytest.param(
            "schema: evalset/v2\nrepeats: five\nb c\n",
            ["1:9 unsupported-version", "3:1 yaml-syntax"],
            id="but nothing in a manifest of another version",
        ),
        pytest.param(
            "repeats: 5.5\nagents: # which\n# all\n- deployment: x: y\n",
            ["1:10 not-an-integer", "4:16 yaml-syntax"],
            id="but not that a value is missing which may follow",
        ),
        pytest.param(
            "models: 5\nrepeats: five\n  b: c\n",
            ["1:9 wrong-type", "3:3 yaml-syntax"],
            id="but nothing of a value that may go on",
        ),
        pytest.param(
            "seeds:\n  seeds: []\n  strategy: explicit\nrepeats: 2\n@\n",
            ["5:1 yaml-syntax"],
            id="but not what more lines may mend",
        ),
        pytest.param(
            "packs: []\npacks: [b]\n@\n",
            ["1:8 empty-list", "2:1 duplicate-key", "3:1 yaml-syntax"],
            id="each once",
        ),
        pytest.param("@\nrepeats: five\n", ["1:1 yaml-syntax"], id="nothing before the first line"),
        pytest.param("{repeats: five,\nname: [}", ["2:8 yaml-syntax"], id="nothing in braces"),
        pytest.param("scanners: [mine]\nname: @\n", ["2:7 yaml-syntax"], id="no warning"),
    ],
)  # fmt: skip
def test_what_is_wrong_whatever_follows_is_told_beside_a_fault_in_the_syntax(
    text: str, told: list[str]
) -> None:
    assert _told(text) == told


def test_it_is_told_of_a_manifest_inside_a_larger_document() -> None:
    text = "other: 1\nmanifest:\n  pack: [a]\n  name: @\n"
    found = check_text(text, at="/manifest").diagnostics
    assert [(each.code, each.pointer) for each in found] == [
        ("unknown-key", "/manifest/pack"),
        ("yaml-syntax", ""),
    ]
    assert [each.code for each in check_text(text, at="/none").diagnostics] == ["yaml-syntax"]


@given(spoiled_data(odder=False))
def test_a_fault_at_the_end_hides_no_more_than_it_must(data: dict[str, object]) -> None:
    text = write_yaml(data)
    errors = {each for each in check_text(text).diagnostics if each.is_error}
    certain = {each for each in errors if each.code not in UNFINISHED and each.span}
    told = {each for each in check_text(text + "@\n").diagnostics if each.code != "yaml-syntax"}
    assert told <= errors
    assert {each for each in certain if each.code != "null-value"} <= told
