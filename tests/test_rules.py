"""The rules that a schema can't say, each on plain data of any shape."""

import math
from typing import Any

import pytest

from evalset.nodes import OddNumber
from evalset.rules import (
    Finding,
    count_combinations,
    excess,
    is_sound_text,
    rules,
    text_fields,
    warnings,
)

EMPTY: dict[str, Any] = {}


def _find(data: dict[str, Any], *, keep_unknown: bool = False) -> list[Finding]:
    return [finding for rule in rules(keep_unknown=keep_unknown) for finding in rule(data)]


def _warn(data: dict[str, Any], *, keep_unknown: bool = False) -> list[Finding]:
    return [finding for rule in warnings(keep_unknown=keep_unknown) for finding in rule(data)]


def _told(findings: list[Finding]) -> list[tuple[str, object, str]]:
    return [(finding.code, finding.path, finding.at) for finding in findings]


def _seeds(*seeds: object, **data: object) -> dict[str, Any]:
    return {"seeds": {"strategy": "explicit", "seeds": list(seeds)}, **data}


@pytest.mark.parametrize(
    ("data", "told"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param(
            {"packs": 5, "agents": "a", "models": {}, "repeats": "3", "seeds": [1], "limits": 5,
             "scanners": True, "name": 5},
            [],
            id="no field of the right type",
        ),
        pytest.param({"packs": [5, None], "agents": [5, EMPTY]}, [], id="no item of that type"),
        pytest.param(
            {"packs": ["p"] * 3, "agents": ["a"] * 10, "repeats": 100},
            [("too-many-combinations", ("repeats",), "value")],
            id="3,000 combinations",
        ),
        pytest.param({"packs": ["p"] * 20, "repeats": 100.0}, [], id="2,000 combinations"),
        pytest.param(
            {"models": ["m"] * 2001},
            [("too-many-combinations", ("models",), "key")],
            id="2,001 models",
        ),
        pytest.param(
            _seeds(1, 2, repeats=3), [("seeds-count", ("seeds", "seeds"), "key")], id="few seeds"
        ),
        pytest.param(_seeds(1, 2), [("seeds-count", ("seeds", "seeds"), "key")], id="no repeats"),
        pytest.param(_seeds(1, 2, repeats=2.0), [], id="enough seeds"),
        pytest.param(_seeds(1, 2, repeats=0), [], id="repeats are wrong already"),
        pytest.param(_seeds(1, 2, repeats=2.5), [], id="repeats are no integer"),
        pytest.param({"seeds": {"seeds": [1, 2]}}, [], id="seeds with auto are for the schema"),
        pytest.param(
            _seeds(7, 8, 7, None, 7.5, "7", repeats=6),
            [("duplicate-seed", ("seeds", "seeds", 2), "value")],
            id="a seed twice",
        ),
        pytest.param(
            _seeds(7, 7.0, repeats=2),
            [("duplicate-seed", ("seeds", "seeds", 1), "value")],
            id="a seed twice, once with a point",
        ),
        pytest.param(
            {"name": "a\0", "packs": ["\x7f"], "models": ["\ufffe"], "scanners": ["\U0001ffff"],
             "agents": [{"deployment": "\ud800", "label": "\ufdd0"}]},
            [
                ("forbidden-character", ("name",), "value"),
                ("forbidden-character", ("packs", 0), "value"),
                ("forbidden-character", ("agents", 0, "deployment"), "value"),
                ("forbidden-character", ("agents", 0, "label"), "value"),
                ("forbidden-character", ("models", 0), "value"),
                ("forbidden-character", ("scanners", 0), "value"),
            ],
            id="characters that no text may hold",
        ),
        pytest.param({"name": "\t é夜🚀\u200b\u202e\u00ad \r\n"}, [], id="characters it may hold"),
        pytest.param({"limits": {"budget_usd": 10**308}}, [], id="a budget that a float holds"),
        pytest.param(
            _seeds(2.0**60, 2.0**53 - 1, repeats=2),
            [("not-an-integer", ("seeds", "seeds", 0), "value")],
            id="a float beyond exactness for a seed",
        ),
        pytest.param(
            {"limits": {"max_concurrent_runs": 2.0**60}},
            [("not-an-integer", ("limits", "max_concurrent_runs"), "value")],
            id="a float beyond exactness for runs",
        ),
        pytest.param(
            {
                "x-a": {"b": [1, {"c": math.nan}]},
                "x-\ud800": "\udfff",
                "seeds": {"x-b": {"\ud800": None}},
                "limits": {"x-c": object()},
                "agents": [{"x-d": OddNumber("010", 10)}, {"x-e": 10**400}],
                "other": math.nan,
            },
            [
                ("extension-not-json", ("x-a", "b", 1, "c"), "value"),
                ("extension-not-json", ("x-\ud800",), "key"),
                ("extension-not-json", ("x-\ud800",), "value"),
                ("extension-not-json", ("seeds", "x-b", "\ud800"), "key"),
                ("extension-not-json", ("limits", "x-c"), "value"),
                ("extension-not-json", ("agents", 0, "x-d"), "value"),
                ("extension-not-json", ("agents", 1, "x-e"), "value"),
            ],
            id="extensions that are not JSON",
        ),
    ],
)  # fmt: skip
def test_each_rule_finds_its_fault_and_leaves_the_shape_to_the_schema(
    data: dict[str, Any], told: list[tuple[str, object, str]]
) -> None:
    assert _told(_find(data)) == told


def test_kept_keys_must_hold_json_as_extensions_must() -> None:
    data = {"name": "n", "other": math.nan, "limits": {"other": "\ud800"}, "agents": [{"b": {1}}]}
    assert _find(data) == []
    assert _told(_find(data, keep_unknown=True)) == [
        ("extension-not-json", ("other",), "value"),
        ("extension-not-json", ("limits", "other"), "value"),
        ("extension-not-json", ("agents", 0, "b"), "value"),
    ]


def _nested(depth: int) -> object:
    data: object = 1
    for level in range(depth):
        data = [data] if level % 2 else {"a": data}
    return data


def test_extensions_have_a_depth_of_their_own() -> None:
    assert _find({"x-a": _nested(60)}) == []
    [finding] = _find({"x-a": _nested(61)})
    assert (finding.code, len(finding.path)) == ("too-deep", 61)


@pytest.mark.parametrize(
    ("sizes", "cap", "finding"),
    [
        pytest.param({"packs": 2, "agents": 2, "models": 1, "repeats": 500}, 2000, None, id="2000"),
        pytest.param(
            {"packs": 2, "agents": 3, "models": 1, "repeats": 500},
            2000,
            Finding(
                "too-many-combinations",
                "2 packs x 3 agents x 500 repeats = 3,000 combinations; at most 2,000 are allowed",
                ("repeats",),
                "value",
                "what fits: repeats: 333, or 2 agents, or 1 pack",
            ),
            id="without models",
        ),
        pytest.param(
            {"packs": 1, "agents": 1, "models": 20, "repeats": 1},
            10,
            Finding(
                "too-many-combinations",
                "1 pack x 1 agent x 20 models x 1 repeat = 20 combinations; at most 10 are allowed",
                ("models",),
                "key",
                "what fits: 10 models",
            ),
            id="with models",
        ),
        pytest.param(
            {"packs": 50, "agents": 50, "models": 50, "repeats": 50},
            2000,
            Finding(
                "too-many-combinations",
                "50 packs x 50 agents x 50 models x 50 repeats = 6,250,000 combinations; at most "
                "2,000 are allowed",
                ("repeats",),
                "value",
                "cut more than one of them",
            ),
            id="no single cut is enough",
        ),
        pytest.param(
            {"packs": 1, "agents": 1, "models": 1, "repeats": 10**5000},
            2000,
            Finding(
                "too-many-combinations",
                "1 pack x 1 agent x over 1,000,000,000,000,000 repeats = over "
                "1,000,000,000,000,000 combinations; at most 2,000 are allowed",
                ("repeats",),
                "value",
                "what fits: repeats: 2000",
            ),
            id="a number of 5,001 digits",
        ),
    ],
)
def test_the_cap_is_told_with_the_arithmetic_and_what_fits(
    sizes: dict[str, int], cap: int, finding: Finding | None
) -> None:
    assert excess(sizes, cap) == finding


@pytest.mark.parametrize(
    ("data", "sizes"),
    [
        pytest.param({}, (1, 1, 1, 1), id="nothing"),
        pytest.param({"packs": ["p"] * 3, "agents": ["a"] * 2, "models": ["m"], "repeats": 4},
                     (3, 2, 1, 4), id="all"),
        pytest.param({"packs": [], "agents": None, "models": "mm", "repeats": None}, (1, 1, 1, 1),
                     id="unsound"),
        pytest.param({"repeats": 2.0}, (1, 1, 1, 2), id="a whole float"),
        pytest.param({"repeats": 2.5}, (1, 1, 1, 1), id="a fraction"),
        pytest.param({"repeats": True}, (1, 1, 1, 1), id="a boolean"),
        pytest.param({"repeats": -5}, (1, 1, 1, 1), id="below 1"),
        pytest.param({"repeats": math.inf}, (1, 1, 1, 1), id="infinity"),
        pytest.param({"repeats": 10**18}, (1, 1, 1, 10**18), id="exactly"),
    ],
)  # fmt: skip
def test_combinations_are_counted_by_axis(data: dict[str, Any], sizes: tuple[int, ...]) -> None:
    assert tuple(count_combinations(data).values()) == sizes


@pytest.mark.parametrize(
    ("value", "is_sound"),
    [
        *[pytest.param(each, True, id=f"sound {each}") for each in ("a", "é 夜", "a\u200b", "a/b")],
        *[
            pytest.param(each, False, id=f"unsound {each!r}")
            for each in (
                "", " ", " a", "a\u3000", "a\nb", "a\0", "\x1fa", "\ud800", "\ufffe", "\ufdd0",
                "\U0010ffff", "a\x7fb", 5, None, ["a"], b"a", type("Text", (str,), {})("a"),
            )
        ],
    ],
)  # fmt: skip
def test_sound_text_is_trimmed_not_blank_and_printable(value: object, *, is_sound: bool) -> None:
    assert is_sound_text(value) is is_sound


def test_every_free_text_is_found_with_its_path() -> None:
    data = {
        "schema": "s",
        "name": "n",
        "packs": ["p", 5],
        "agents": [{"deployment": "a", "label": "b"}, "c", {"deployment": None, "x-a": "d"}],
        "models": ["m"],
        "scanners": ["s"],
        "x-e": "f",
    }
    assert list(text_fields(data)) == [
        (("name",), "n"),
        (("packs", 0), "p"),
        (("agents", 0, "deployment"), "a"),
        (("agents", 0, "label"), "b"),
        (("agents", 1), "c"),
        (("models", 0), "m"),
        (("scanners", 0), "s"),
    ]
    assert list(text_fields({"name": 5})) == []


@pytest.mark.parametrize(
    ("data", "told"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param(
            {"scanners": 5, "agents": ["a", {"label": 5}, {"label": " "}], "limits": [],
             "seeds": {"seeds": "1"}},
            [],
            id="no field of the right shape",
        ),
        pytest.param({"limits": {"budget_usd": None}}, [], id="a null budget"),
        *[
            pytest.param(
                {"limits": {"budget_usd": zero}},
                [("zero-budget", ("limits", "budget_usd"), "value")],
                id=f"a budget of {zero}",
            )
            for zero in (0, 0.0, -0.0)
        ],
        pytest.param(
            _seeds(2**53 - 1, 2**53, 2**63 - 1, 2**63, "a"),
            [
                ("large-seed", ("seeds", "seeds", 1), "value"),
                ("large-seed", ("seeds", "seeds", 2), "value"),
            ],
            id="seeds that JavaScript would change",
        ),
        pytest.param(
            {"scanners": ["tool-misuse", " reward-hacking ", "instruction-injection-compliance",
                          "", 5, "tool-misus"]},
            [("unknown-scanner", ("scanners", 5), "value")],
            id="a scanner that is not built in",
        ),
        pytest.param(
            {"agents": [{"label": "Opus"}, {"label": " opus "}, {"label": "Opus"},
                        {"label": "\uff4f\uff50\uff55\uff53"}, {"label": "gpt"}]},
            [
                ("similar-labels", ("agents", 1, "label"), "value"),
                ("similar-labels", ("agents", 3, "label"), "value"),
            ],
            id="labels that look alike",
        ),
        pytest.param(
            {"agents": [{"label": "e\u0301"}, {"label": "é"}]},
            [("similar-labels", ("agents", 1, "label"), "value")],
            id="labels that are composed differently",
        ),
    ],
)  # fmt: skip
def test_each_warning_finds_what_is_probably_not_meant(
    data: dict[str, Any], told: list[tuple[str, object, str]]
) -> None:
    assert _told(_warn(data)) == told


def test_a_kept_key_earns_a_warning() -> None:
    data = {"name": "n", "$schema": "s", "x-a": 1, "b": 2, "limits": {"$schema": 3}}
    assert _told(_warn(data, keep_unknown=True)) == [
        ("kept-key", ("b",), "key"),
        ("kept-key", ("limits", "$schema"), "key"),
    ]
    assert _warn(data) == []


def test_the_host_names_its_own_scanners() -> None:
    [finding] = [
        finding
        for rule in warnings(["mine", "yours"])
        for finding in rule({"scanners": ["mine", "tool-misuse"]})
    ]
    assert finding == Finding(
        "unknown-scanner",
        'the scanner "tool-misuse" is not built in',
        ("scanners", 1),
        hint="known are mine, yours",
    )
