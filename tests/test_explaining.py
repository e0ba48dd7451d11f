"""All findings at once: placed, sorted, each once, one for each value, and not too many."""

import json
import sys
from types import FrameType
from typing import Any

import pytest

from evalset import Diagnostic, Severity, check_data, check_text
from evalset.checks import Checks
from evalset.document import Document, read_document
from evalset.explaining import MAX_DIAGNOSTICS, Part, explain, explain_part, listed, place
from evalset.rules import Finding
from evalset.sources import Source
from evalset.tree import to_plain
from evalset.wording import finding_for

GOOD: dict[str, Any] = {
    "schema": "evalset/v1",
    "name": "n",
    "packs": ["p"],
    "agents": [{"deployment": "a"}],
}


def _codes(diagnostics: list[Diagnostic]) -> list[tuple[str, str]]:
    return [(each.code, each.pointer) for each in diagnostics]


def _document(text: str, at: str = "") -> Document:
    return read_document(Source(name="t.yaml", text=text, at=at))


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        pytest.param(GOOD, [], id="nothing"),
        pytest.param(
            {**GOOD, "repeats": 2001}, [("too-many-combinations", "/repeats")], id="the cap alone"
        ),
        pytest.param(
            {**GOOD, "packs": ["p"] * 2001}, [("too-many-combinations", "/packs")], id="2,001 packs"
        ),
        pytest.param(
            {**GOOD, "repeats": -1, "name": 5},
            [("text-not-quoted", "/name"), ("out-of-range", "/repeats")],
            id="one for each value",
        ),
        pytest.param(
            {**GOOD, "schema": "evalset/v2", "name": 5, "repeat": 3},
            [("unsupported-version", "/schema")],
            id="another version is one finding",
        ),
        pytest.param(
            {**GOOD, "schema": 5, "name": 5},
            [("text-not-quoted", "/name"), ("wrong-schema", "/schema")],
            id="a schema of the wrong type is one of several",
        ),
        pytest.param(
            {**GOOD, "seeds": {"strategy": "Explicit", "seeds": [1]}},
            [("unknown-strategy", "/seeds/strategy")],
            id="seeds are not judged by a strategy that is wrong",
        ),
        pytest.param(
            {**GOOD, "seeds": {"strategy": "explicit", "seeds": "1"}},
            [("wrong-type", "/seeds/seeds")],
            id="seeds of the wrong type are not missing",
        ),
        pytest.param(
            {**GOOD, "seeds": {"seeds": [0]}},
            [("seeds-without-explicit", "/seeds/seeds"), ("out-of-range", "/seeds/seeds/0")],
            id="seeds with auto, and one of them wrong",
        ),
        pytest.param([], [("wrong-type", "")], id="no mapping"),
    ],
)
def test_each_value_has_one_finding(data: object, codes: list[tuple[str, str]]) -> None:
    assert _codes(explain(data)) == codes


def test_keys_are_looked_at_under_the_dialect_that_is_asked_for() -> None:
    data = {
        **GOOD,
        "agents": [{"deployment": "a", "label": "x"}, {"deployment": "b", "label": "x"}],
    }
    assert explain(data) == []
    assert explain(data, checks=Checks(key_by="deployment")) == []
    assert _codes(explain(data, checks=Checks(key_by="label"))) == [
        ("duplicate-agent", "/agents/1/label")
    ]


def test_unknown_keys_are_kept_with_a_warning_or_refused() -> None:
    data = {**GOOD, "priority": 1}
    assert _codes(explain(data)) == [("unknown-key", "/priority")]
    assert explain(data, checks=Checks(unknown="keep")) == []
    [warning] = explain(data, checks=Checks(unknown="keep", scanners=()))
    assert (warning.code, warning.severity) == ("kept-key", Severity.WARNING)


def test_pointers_start_at_the_base() -> None:
    [diagnostic] = explain({**GOOD, "name": 5}, base=("manifests", 3, "a/b"))
    assert diagnostic.pointer == "/manifests/3/a~1b/name"
    assert diagnostic.span is None


def test_places_are_those_of_the_text() -> None:
    text = "a:\n- schema: evalset/v1\n  name: 5\n  packs: [p, p]\n  agents: [{deployment: a}]\n"
    document = _document(text, "/a/0")
    assert document.root is not None
    found = explain(to_plain(document.root), document, checks=Checks(key_by="label"))
    assert [(str(each).split(": ")[0], each.pointer) for each in found] == [
        ("t.yaml:3:9", "/a/0/name"),
        ("t.yaml:4:14", "/a/0/packs/1"),
    ]
    [related] = found[1].related
    assert (str(related.span), related.pointer) == ("t.yaml:4:11", "/a/0/packs/0")


def test_what_the_reader_found_is_listed_with_the_rest() -> None:
    document = _document("name: 5\nname: 6\n")
    assert document.root is not None
    also = Diagnostic(code="too-deep", message="m")
    found = explain(to_plain(document.root), document, also=[also, also])
    assert [each.code for each in found] == [
        "too-deep", "missing-key", "missing-key", "missing-key", "text-not-quoted", "duplicate-key",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("part", "data", "codes"),
    [
        pytest.param("agent", {"deployment": 5}, [("text-not-quoted", "/deployment")], id="agent"),
        pytest.param("agent", {}, [("missing-key", "")], id="an empty agent"),
        pytest.param("agent", "a", [("wrong-type", "")], id="text for an agent"),
        pytest.param(
            "seeds",
            {"strategy": "explicit", "seeds": [1, 2, 0]},
            [("out-of-range", "/seeds/2")],
            id="seeds",
        ),
        pytest.param("seeds", {"strategy": "explicit"}, [("missing-seeds", "")], id="no seeds"),
        pytest.param("seeds", None, [("null-value", "")], id="null seeds"),
        pytest.param("limits", {"budget": 5}, [("unknown-key", "/budget")], id="limits"),
        pytest.param("limits", {"budget_usd": 0}, [], id="good limits"),
        pytest.param("limits", None, [("null-value", "")], id="null limits"),
        pytest.param("limits", [], [("wrong-type", "")], id="a list for limits"),
        pytest.param(
            "seeds",
            {"strategy": "explicit", "seeds": list(range(1, 2002))},
            [("too-many-items", "/seeds")],
            id="2,001 seeds",
        ),
    ],
)
def test_a_part_alone_is_explained_from_its_own_root(
    part: Part, data: object, codes: list[tuple[str, str]]
) -> None:
    assert _codes(explain_part(part, data)) == codes


@pytest.mark.parametrize(
    ("checks", "match"),
    [
        *[
            pytest.param({"max_combinations": cap}, f"^max_combinations is {cap}; ", id=f"{cap}")
            for cap in (0, -1, 2001, True, 2.0, None)
        ],
        pytest.param({"max_combinations": "5"}, "^max_combinations is '5'; ", id="text"),
        pytest.param({"key_by": "name"}, "^key_by is 'name'; it is 'label' or ", id="a dialect"),
        pytest.param(
            {"unknown": "drop"}, "^unknown is 'drop'; it is 'error' or 'keep'$", id="drop"
        ),
    ],
)
def test_checks_that_do_not_exist_are_misuse(checks: dict[str, Any], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        Checks(**checks)


def test_findings_are_placed_without_judging_the_rest() -> None:
    findings = [Finding("wrong-type", "m", ("b",)), Finding("wrong-type", "m", ("a",), "key")]
    found = place(findings, _document("a: 1\nb: 2\n"))
    assert [str(each.span) for each in found] == ["t.yaml:1:1", "t.yaml:2:4"]
    assert [each.pointer for each in place(findings, None)] == ["/a", "/b"]


def _many(count: int, code: str = "wrong-type") -> list[Diagnostic]:
    return [Diagnostic(code=code, message="m", pointer=f"/{index:05}") for index in range(count)]


def test_findings_are_listed_in_order_and_once() -> None:
    many = _many(MAX_DIAGNOSTICS)
    assert listed([*reversed(many), *many]) == many


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        pytest.param("wrong-type", Severity.ERROR, id="errors"),
        pytest.param("zero-budget", Severity.WARNING, id="warnings"),
    ],
)
def test_what_is_too_much_is_counted_by_the_last_one(code: str, severity: Severity) -> None:
    many = _many(MAX_DIAGNOSTICS + 1234, code)
    assert listed(many) == [
        *many[:MAX_DIAGNOSTICS],
        Diagnostic(code="more-findings", message="and 1,234 more", severity=severity),
    ]


def test_the_count_of_the_rest_stays_the_last_one() -> None:
    nulls = "[" + ", ".join(["~"] * 250) + "]"
    text = f"{{schema: evalset/v1, name: t, agents: [{{deployment: a}}], packs: {nulls}}}"
    from_text = check_text(text).diagnostics
    from_data = check_data({**GOOD, "packs": [None] * 250}).diagnostics
    for found in (from_text, from_data):
        assert len(found) == MAX_DIAGNOSTICS + 1
        assert {each.code for each in found[:-1]} == {"null-value"}
        assert str(found[-1]) == "error[more-findings] and 50 more"


def test_what_is_listed_comes_first_by_place_whatever_was_found_first() -> None:
    unknown = {f"k{number}": 1 for number in reversed(range(300))}
    found = check_data({**unknown, **GOOD}).diagnostics
    assert [each.pointer for each in found[:-1]] == sorted(f"/{key}" for key in unknown)[:200]
    assert found[-1].message == "and 100 more"


def test_only_what_is_listed_is_put_into_words() -> None:
    text = json.dumps({**GOOD, **{f"k{number}": 1 for number in range(5000)}})
    words = 0

    def watch(frame: FrameType, event: str, _: object) -> None:
        nonlocal words
        words += event == "call" and frame.f_code is finding_for.__code__

    sys.setprofile(watch)
    try:
        found = check_text(text).diagnostics
    finally:
        sys.setprofile(None)
    assert found[-1].message == "and 4,800 more"
    assert words == MAX_DIAGNOSTICS


@pytest.mark.parametrize(
    ("data", "count"),
    [
        pytest.param({**GOOD, "packs": [1] * 5000}, 2001 + 1, id="packs"),
        pytest.param({**GOOD, "packs": ["p"] * 5000}, 1999 + 1, id="packs that are equal"),
        pytest.param({**GOOD, "agents": [None] * 5000}, 2001 + 1, id="agents"),
        pytest.param({**GOOD, "scanners": ["s"] * 5000}, 2000 + 1, id="scanners"),
        pytest.param(
            {**GOOD, "repeats": 2000, "seeds": {"strategy": "explicit", "seeds": [1] * 5000}},
            1999 + 2,
            id="seeds",
        ),
    ],
)
def test_behind_the_longest_list_that_may_be_nothing_is_looked_at(
    data: dict[str, Any], count: int
) -> None:
    found = check_data(data).diagnostics
    assert found[-1].message == f"and {count - MAX_DIAGNOSTICS:,} more"


def test_text_that_readers_of_yaml_11_change_is_warned_of_only_where_it_is_plain() -> None:
    text = (
        'schema: evalset/v1\nname: yes\npacks: ["on", 12:30, 1_0/x]\nagents: [{deployment: off}]\n'
    )
    assert [(each.code, each.pointer) for each in check_text(text).diagnostics] == [
        ("yaml11-text", "/name"),
        ("yaml11-text", "/packs/1"),
        ("yaml11-text", "/agents/0/deployment"),
    ]
    assert check_data({**GOOD, "name": "yes"}).diagnostics == ()
