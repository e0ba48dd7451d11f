"""What each rule says, to the word: the finding as a whole."""

import math
from typing import Any

import pytest

from evalset import matrix_key, normalize_label
from evalset.nodes import OddNumber
from evalset.rules import Finding, demand_cap, excess, rules, warnings

BUILT_IN = "known are reward-hacking, tool-misuse, instruction-injection, sandbox-escape-attempt"
MANY = "at most 2,000 are allowed"


def deep(levels: int) -> object:
    return [deep(levels - 1)] if levels else 1


def seeds(*numbers: object, **data: object) -> dict[str, Any]:
    return {"seeds": {"strategy": "explicit", "seeds": list(numbers)}, **data}


@pytest.mark.parametrize(
    ("data", "finding"),
    [
        pytest.param(
            seeds(1, repeats=3),
            Finding(
                "seeds-count", "1 seed for 3 repeats; explicit seeds need one each",
                ("seeds", "seeds"), "key", "write 3 seeds, or repeats: 1",
                (("repeats is 3", ("repeats",)),),
            ),
            id="a seed for three repeats",
        ),
        pytest.param(
            seeds(1, 2),
            Finding(
                "seeds-count", "2 seeds for 1 repeat; explicit seeds need one each",
                ("seeds", "seeds"), "key", "write 1 seed, or repeats: 2", (),
            ),
            id="two seeds without repeats",
        ),
        pytest.param(
            seeds(7, 8, 7, repeats=3),
            Finding(
                "duplicate-seed", "the seed 7 stands twice", ("seeds", "seeds", 2),
                hint="write another one; two repeats of one seed are one measurement",
                related=(("it stands here first", ("seeds", "seeds", 0)),),
            ),
            id="a seed twice",
        ),
        pytest.param(
            {"agents": [{"label": "a\x00b"}]},
            Finding(
                "forbidden-character",
                '"a\\u0000b" holds the character U+0000, which no text of a manifest may',
                ("agents", 0, "label"), hint="remove it",
            ),
            id="a control character",
        ),
        pytest.param(
            seeds(float(2**63 - 2**12), repeats=1),
            Finding(
                "not-an-integer",
                "9.223372036854772e+18 is too large to be exact with a point or an exponent",
                ("seeds", "seeds", 0), hint="write all its digits",
            ),
            id="a seed with an exponent",
        ),
        pytest.param(
            {"x-a": deep(61)},
            Finding(
                "too-deep",
                "x-a[0][0][0][0][0][0\u2026][0][0][0][0][0][0]: nested more than 60 deep below the"
                " extension's key",
                ("x-a", *[0] * 60),
            ),
            id="an extension too deep",
        ),
        pytest.param(
            {"x-a": [math.inf]},
            Finding("extension-not-json",
                    "x-a[0]: a number must be finite, of 400 digits at most", ("x-a", 0)),
            id="an infinite number",
        ),
        pytest.param(
            {"x-a": {"b": {5}}},
            Finding("extension-not-json", "x-a.b: a value of the type set is not JSON",
                    ("x-a", "b")),
            id="a set",
        ),
        pytest.param(
            {"x-a": OddNumber("0x10", 16)},
            Finding("extension-not-json", "x-a: 0x10 is no number of JSON's", ("x-a",)),
            id="a number of another grammar",
        ),
        pytest.param(
            {"x-a": {"\ud800": 1}},
            Finding(
                "extension-not-json",
                'x-a.\\ud800: "\\ud800" holds a lone surrogate, which UTF-8 can\'t',
                ("x-a", "\ud800"), "key",
            ),
            id="a surrogate in a key",
        ),
        pytest.param(
            {"packs": ["p"] * 40, "agents": ["a"] * 60, "repeats": 1},
            Finding(
                "too-many-combinations",
                f"40 packs x 60 agents x 1 repeat = 2,400 combinations; {MANY}",
                ("agents",), "key", "what fits: 50 agents, or 33 packs",
            ),
            id="too many combinations",
        ),
    ],
)  # fmt: skip
def test_a_broken_rule_is_told_in_full(data: dict[str, Any], finding: Finding) -> None:
    assert [found for rule in rules() for found in rule(data)] == [finding]


@pytest.mark.parametrize(
    ("data", "finding"),
    [
        pytest.param(
            {"limits": {"budget_usd": 0}},
            Finding(
                "zero-budget", "a budget of 0 means no budget, not a budget of nothing",
                ("limits", "budget_usd"), hint="remove the key, or write the budget",
            ),
            id="a budget of nothing",
        ),
        pytest.param(
            seeds(2**63 - 1),
            Finding(
                "large-seed",
                "the seed 9223372036854775807 is above 2**53-1; JavaScript and others would change"
                " it",
                ("seeds", "seeds", 0),
            ),
            id="a large seed",
        ),
        pytest.param(
            {"scanners": ["tool-misuse", "tool-missuse"]},
            Finding("unknown-scanner", 'the scanner "tool-missuse" is not built in',
                    ("scanners", 1), hint="did you mean tool-misuse?"),
            id="a scanner nearly right",
        ),
        pytest.param(
            {"scanners": ["own"]},
            Finding("unknown-scanner", 'the scanner "own" is not built in',
                    ("scanners", 0), hint=BUILT_IN),
            id="another scanner",
        ),
        pytest.param(
            {"agents": [{"label": " "}, {"label": "Opus"}, {"label": "opus"}]},
            Finding(
                "similar-labels",
                'the labels "Opus" and "opus" differ only by case, width or composition',
                ("agents", 2, "label"), related=(("the other label", ("agents", 1, "label")),),
            ),
            id="labels alike",
        ),
    ],
)  # fmt: skip
def test_a_warning_is_told_in_full(data: dict[str, Any], finding: Finding) -> None:
    assert [found for rule in warnings() for found in rule(data)] == [finding]


def test_a_kept_key_is_told_in_full() -> None:
    told = [found for rule in warnings(keep_unknown=True) for found in rule({"packz": 1})]
    message = 'the key "packz" is unknown here; it was kept as it is'
    assert told == [Finding("kept-key", message, ("packz",), "key")]


def test_unknown_keys_are_kept_only_on_demand() -> None:
    assert [found for rule in warnings() for found in rule({"packz": 1})] == []


@pytest.mark.parametrize(
    ("data", "count"),
    [
        pytest.param(seeds(1, 2, repeat=2), 0, id="a misspelt repeats explains it"),
        pytest.param(seeds(1, 2, repeat=2, repeats=1), 1, id="repeats is there, too"),
        pytest.param(seeds(1, 2, **{"x-repeat": 2}), 1, id="an extension"),
    ],
)
def test_seeds_are_counted_unless_repeats_may_be_misspelt(data: dict[str, Any], count: int) -> None:
    told = [found.code for rule in rules() for found in rule(data)]
    assert told.count("seeds-count") == count
    kept = [found.code for rule in rules(keep_unknown=True) for found in rule(data)]
    assert kept.count("seeds-count") == 1


@pytest.mark.parametrize("cap", [1, 2000])
def test_a_cap_within_its_bounds_is_given_back(cap: int) -> None:
    assert demand_cap(cap) == cap


@pytest.mark.parametrize("cap", [0, 2001, -1, True, 5.0, "5", None])
def test_a_cap_beyond_its_bounds_is_misuse(cap: Any) -> None:  # noqa: ANN401 (whatever it is)
    told = r"^max_combinations is .*; it is a whole number, 1 to 2000$"
    with pytest.raises(ValueError, match=told):
        demand_cap(cap)


@pytest.mark.parametrize(
    ("repeats", "shown"),
    [
        pytest.param(10**15 - 1, "999,999,999,999,999", id="the longest that is shown"),
        pytest.param(10**15, "over 1,000,000,000,000,000", id="one more"),
    ],
)
def test_numbers_are_shown_up_to_a_length(repeats: int, shown: str) -> None:
    found = excess({"packs": 1, "agents": 1, "models": 1, "repeats": repeats})
    assert found
    assert found.message == (
        f"1 pack x 1 agent x {shown} repeats = {shown} combinations; at most 2,000 are allowed"
    )


def test_a_rule_counts_up_to_the_cap_that_it_is_given() -> None:
    told = [found.message for rule in rules(cap=2) for found in rule({"repeats": 3})]
    assert told == ["1 pack x 1 agent x 3 repeats = 3 combinations; at most 2 are allowed"]


def test_a_wrong_type_of_a_key_s_part_is_named() -> None:
    wrong: Any = 5
    with pytest.raises(TypeError, match=r"^a text is str, not int$"):
        normalize_label(wrong)
    with pytest.raises(TypeError, match=r"^repeat is an int, not float$"):
        matrix_key("p", agent="a", repeat=1.0)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_nothing_is_said_of_what_is_sound() -> None:
    data = {"limits": {"budget_usd": 5}, "scanners": ["tool-misuse"], **seeds(2**53 - 1)}
    assert [found for rule in (*rules(), *warnings()) for found in rule(data)] == []
