"""What is wrong is refused alike in code, in plain data and in a text; misuse is no refusal."""

from collections.abc import Callable
from typing import Any

import pytest

from evalset import (
    Agent,
    Extensions,
    Limits,
    Manifest,
    ManifestError,
    Seeds,
    check_data,
    expand,
    loads,
)

GOOD: dict[str, Any] = {
    "schema": "evalset/v1",
    "name": "n",
    "packs": ["p"],
    "agents": [{"deployment": "a"}],
}


def _manifest(**fields: object) -> Manifest:
    arguments: dict[str, Any] = {"name": "n", "packs": ["p"], "agents": [Agent("a")], **fields}
    return Manifest(arguments.pop("name"), **arguments)


def _wrong(**arguments: object) -> dict[str, Any]:
    """Hide from type checkers what they would refuse."""
    return arguments


def _faults(build: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(ManifestError) as caught:
        build()
    return [(each.code, each.pointer) for each in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("fields", "faults"),
    [
        pytest.param({"name": " "}, [("blank-text", "/name")], id="a blank name"),
        pytest.param({"name": 5}, [("text-not-quoted", "/name")], id="a number for a name"),
        pytest.param({"name": True}, [("text-not-quoted", "/name")], id="a boolean for a name"),
        pytest.param({"name": b"n"}, [("wrong-type", "/name")], id="bytes for a name"),
        pytest.param({"name": None}, [("null-value", "/name")], id="no name"),
        pytest.param({"name": "a\x00b"}, [("forbidden-character", "/name")], id="NUL inside"),
        pytest.param({"name": "\x1fn"}, [("forbidden-character", "/name")], id="U+001F outside"),
        pytest.param({"name": "\ud800"}, [("forbidden-character", "/name")], id="a surrogate"),
        pytest.param({"packs": []}, [("empty-list", "/packs")], id="no pack"),
        pytest.param({"packs": "p"}, [("wrong-type", "/packs")], id="text for packs"),
        pytest.param({"packs": {"p"}}, [("wrong-type", "/packs")], id="a set for packs"),
        pytest.param({"packs": None}, [("null-value", "/packs")], id="null for packs"),
        pytest.param({"packs": iter("p")}, [("wrong-type", "/packs")], id="an iterator for packs"),
        pytest.param(
            {"packs": ["p", None, " ", 5]},
            [
                ("null-value", "/packs/1"),
                ("blank-text", "/packs/2"),
                ("text-not-quoted", "/packs/3"),
            ],
            id="three bad packs",
        ),
        pytest.param({"agents": []}, [("empty-list", "/agents")], id="no agent"),
        pytest.param({"agents": "a"}, [("wrong-type", "/agents")], id="text for agents"),
        pytest.param({"agents": None}, [("null-value", "/agents")], id="null for agents"),
        pytest.param(
            {"agents": iter([Agent("a")])}, [("wrong-type", "/agents")], id="an iterator for agents"
        ),
        pytest.param({"models": "m"}, [("wrong-type", "/models")], id="text for models"),
        pytest.param({"models": ["m", ""]}, [("blank-text", "/models/1")], id="a blank model"),
        pytest.param({"scanners": "s"}, [("wrong-type", "/scanners")], id="text for scanners"),
        pytest.param(
            {"scanners": ["s"] * 2001}, [("too-many-items", "/scanners")], id="2001 scanners"
        ),
        pytest.param({"repeats": 0}, [("out-of-range", "/repeats")], id="0 repeats"),
        pytest.param({"repeats": -1}, [("out-of-range", "/repeats")], id="-1 repeats"),
        pytest.param({"repeats": 2.5}, [("not-an-integer", "/repeats")], id="2.5 repeats"),
        pytest.param({"repeats": True}, [("wrong-type", "/repeats")], id="true for repeats"),
        pytest.param({"repeats": "3"}, [("number-quoted", "/repeats")], id="text for repeats"),
        pytest.param({"repeats": 2001}, [("too-many-combinations", "/repeats")], id="2001 repeats"),
        pytest.param({"case_fanout": 1}, [("boolean-form", "/case_fanout")], id="1 for true"),
        pytest.param({"case_fanout": "no"}, [("boolean-form", "/case_fanout")], id="no for false"),
        pytest.param({"schema": "evalset/v2"}, [("unsupported-version", "/schema")], id="v2"),
        pytest.param({"schema": "EvalSet/v1"}, [("wrong-schema", "/schema")], id="a capital"),
        pytest.param(
            {"seeds": Seeds("explicit", seeds=[1, 2])},
            [("seeds-count", "/seeds/seeds")],
            id="2 seeds",
        ),
        pytest.param({"extensions": {"foo": 1}}, [("unknown-key", "/foo")], id="an unknown key"),
        pytest.param(
            {"extensions": {"x-a": [object()]}}, [("extension-not-json", "/x-a/0")], id="no JSON"
        ),
        pytest.param(
            {"name": "", "packs": ["\t"], "models": [None], "repeats": 0, "schema": "evalset/v1 "},
            [
                ("null-value", "/models/0"),
                ("blank-text", "/name"),
                ("blank-text", "/packs/0"),
                ("out-of-range", "/repeats"),
                ("wrong-schema", "/schema"),
            ],
            id="five at once",
        ),
    ],
)
def test_a_bad_field_is_refused_as_in_a_text(
    fields: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    assert _faults(lambda: _manifest(**fields)) == faults
    assert _faults(lambda: _manifest().replace(**fields)) == faults
    if "extensions" not in fields and not isinstance(fields.get("agents"), type(iter([]))):
        data = {**GOOD, **fields}
        data |= {"seeds": data["seeds"].to_dict()} if "seeds" in fields else {}
        assert _faults(lambda: Manifest.from_dict(data)) == faults


@pytest.mark.parametrize(
    ("model", "arguments", "faults"),
    [
        pytest.param(Agent, {"deployment": " "}, [("blank-text", "/deployment")], id="blank"),
        pytest.param(Agent, {"deployment": None}, [("null-value", "/deployment")], id="null"),
        pytest.param(Agent, {"deployment": 7}, [("text-not-quoted", "/deployment")], id="number"),
        pytest.param(
            Agent, {"deployment": "a", "label": ""}, [("blank-text", "/label")], id="label"
        ),
        pytest.param(
            Agent,
            {"deployment": "", "label": ["b"]},
            [("blank-text", "/deployment"), ("wrong-type", "/label")],
            id="both",
        ),
        pytest.param(
            Seeds, {"strategy": "explicit", "seeds": []}, [("missing-seeds", "/seeds")], id="none"
        ),
        pytest.param(Seeds, {"seeds": [1]}, [("seeds-without-explicit", "/seeds")], id="auto"),
        pytest.param(Seeds, {"strategy": "AUTO"}, [("unknown-strategy", "/strategy")], id="case"),
        pytest.param(
            Seeds, {"strategy": "explicit", "seeds": "12"}, [("wrong-type", "/seeds")], id="text"
        ),
        pytest.param(
            Seeds,
            {"strategy": "explicit", "seeds": [7, 8, 7, 7]},
            [("duplicate-seed", "/seeds/2"), ("duplicate-seed", "/seeds/3")],
            id="twice",
        ),
        pytest.param(
            Seeds,
            {"strategy": "explicit", "seeds": [0, 2**63, True, 1.5, "4", None, 2.0**60]},
            [
                ("out-of-range", "/seeds/0"),
                ("out-of-range", "/seeds/1"),
                ("wrong-type", "/seeds/2"),
                ("not-an-integer", "/seeds/3"),
                ("number-quoted", "/seeds/4"),
                ("null-value", "/seeds/5"),
                ("not-an-integer", "/seeds/6"),
            ],
            id="bad seeds",
        ),
        pytest.param(
            Seeds,
            {"strategy": "explicit", "seeds": [2.0**60]},
            [("not-an-integer", "/seeds/0")],
            id="a float that is not exact",
        ),
        pytest.param(
            Limits,
            {"max_concurrent_runs": -1, "budget_usd": -0.5},
            [("out-of-range", "/budget_usd"), ("out-of-range", "/max_concurrent_runs")],
            id="below 0",
        ),
        pytest.param(
            Limits,
            {"max_concurrent_runs": 2**63},
            [("out-of-range", "/max_concurrent_runs")],
            id="2**63 runs",
        ),
        pytest.param(
            Limits,
            {"max_concurrent_runs": False},
            [("wrong-type", "/max_concurrent_runs")],
            id="false is not 0 runs",
        ),
        pytest.param(
            Limits,
            {"max_concurrent_runs": 1.5},
            [("not-an-integer", "/max_concurrent_runs")],
            id="1.5 runs",
        ),
        pytest.param(
            Limits, {"budget_usd": float("nan")}, [("not-finite", "/budget_usd")], id="nan"
        ),
        pytest.param(
            Limits, {"budget_usd": float("inf")}, [("not-finite", "/budget_usd")], id="inf"
        ),
        pytest.param(
            Limits, {"budget_usd": 10**400}, [("not-finite", "/budget_usd")], id="10**400"
        ),
        pytest.param(
            Limits,
            {"max_concurrent_runs": 10**400},
            [("out-of-range", "/max_concurrent_runs")],
            id="10**400 runs",
        ),
        pytest.param(
            Seeds,
            {"strategy": "explicit", "seeds": [10**5000]},
            [("out-of-range", "/seeds/0")],
            id="a seed that Python does not write",
        ),
        pytest.param(
            Agent,
            {"deployment": 10**5000},
            [("wrong-type", "/deployment")],
            id="a number that Python does not write for a name",
        ),
        pytest.param(Limits, {"budget_usd": "5"}, [("number-quoted", "/budget_usd")], id="quoted"),
        pytest.param(Limits, {"budget_usd": True}, [("wrong-type", "/budget_usd")], id="true"),
    ],
)
def test_a_bad_part_is_refused_where_it_is_built(
    model: type[Agent | Seeds | Limits], arguments: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    assert _faults(lambda: model(**arguments)) == faults
    assert _faults(lambda: model.from_dict(arguments)) == faults
    key = {Agent: "agents/0", Seeds: "seeds", Limits: "limits"}[model]
    value = [arguments] if model is Agent else arguments
    whole = {
        **GOOD,
        key.split("/", 1)[0]: value,
        "repeats": max(1, len(arguments.get("seeds", ""))),
    }
    assert _faults(lambda: Manifest.from_dict(whole)) == [
        (code, f"/{key}{pointer}") for code, pointer in faults
    ]


@pytest.mark.parametrize("model", [Agent, Seeds, Limits, Manifest])
@pytest.mark.parametrize(
    "data", [None, 5, 1.5, True, "text", [], ["a"], {5: 1}, {None: 1}, {"unknown": 1}, object()]
)
def test_what_is_no_mapping_of_its_keys_is_refused_with_reasons(
    model: type[Agent | Seeds | Limits | Manifest],
    data: Any,  # noqa: ANN401 (all kinds)
) -> None:
    faults = _faults(lambda: model.from_dict(data))
    assert faults
    assert {code for code, _ in faults} <= {
        "wrong-type", "null-value", "key-not-text", "unknown-key", "missing-key",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("build", "error", "match"),
    [
        pytest.param(
            lambda: _manifest(agents=[{"deployment": "a"}]),
            TypeError,
            "^an item of agents is of the type Agent, not dict; ",
            id="a dict for an agent",
        ),
        pytest.param(lambda: _manifest(agents=["a"]), TypeError, "not str; ", id="text for one"),
        pytest.param(
            lambda: _manifest(seeds={}),
            TypeError,
            "^seeds is of the type Seeds, not dict; ",
            id="a dict for seeds",
        ),
        pytest.param(
            lambda: _manifest(limits=5),
            TypeError,
            "^limits is of the type Limits, not int; ",
            id="a number for limits",
        ),
        pytest.param(
            lambda: Agent("a", **_wrong(extensions=5)),
            TypeError,
            "extensions",
            id="a number for extensions",
        ),
        pytest.param(
            lambda: Agent("a", **_wrong(extensions=[("x-a", 1)])),
            TypeError,
            "extensions",
            id="pairs for extensions",
        ),
        pytest.param(
            lambda: _manifest(extensions={"name": 1}),
            ValueError,
            "^extensions hold 'name', which is a field$",
            id="a field in extensions",
        ),
        pytest.param(
            lambda: Agent("a", extensions=Extensions.keep({"label": 1})),
            ValueError,
            "^extensions hold 'label', which is a field$",
            id="a field that was kept",
        ),
        pytest.param(
            lambda: _manifest().replace(pack="p"), TypeError, "'pack'", id="no such field"
        ),
        pytest.param(
            lambda: _manifest().replace(source=None), TypeError, "'source'", id="a source"
        ),
        pytest.param(
            lambda: Manifest.from_dict(GOOD, at="manifest"),
            ValueError,
            "^'manifest' is no JSON Pointer; ",
            id="a pointer without slash",
        ),
        pytest.param(lambda: loads("", at="/a~2"), ValueError, "^'/a~2' is no ", id="a bad escape"),
        pytest.param(lambda: loads("", at="/a~"), ValueError, "^'/a~' is no ", id="half an escape"),
        pytest.param(
            lambda: loads(**_wrong(text={})), TypeError, "str or bytes, not dict$", id="no text"
        ),
        pytest.param(
            lambda: loads("", **_wrong(format="toml")),
            ValueError,
            "^format is 'toml'; ",
            id="an unknown format",
        ),
        pytest.param(
            lambda: expand(**_wrong(manifest=GOOD)), TypeError, "Manifest", id="a dict to expand"
        ),
    ],
)
def test_misuse_is_a_type_or_value_error(
    build: Callable[[], object], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match) as caught:
        build()
    assert type(caught.value) is error


def test_data_that_contains_itself_is_refused() -> None:
    data: dict[str, Any] = {}
    data["deployment"] = data
    deep = "lists and mappings are nested more than 64 deep here"
    for read in (Manifest.from_dict, Agent.from_dict):
        with pytest.raises(ManifestError) as caught:
            read(data)
        [found] = caught.value.diagnostics
        assert (found.code, found.message) == ("too-deep", deep)


def test_scanners_are_a_list_of_names() -> None:
    with pytest.raises(TypeError, match=r"^scanners are a list of names, not one text$"):
        check_data(GOOD, scanners="reward-hacking")
