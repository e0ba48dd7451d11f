"""A manifest holds normal values, and is built in code as strictly as from a text."""

import copy
import json
import pickle
from collections.abc import Callable
from enum import IntEnum
from types import MappingProxyType
from typing import Any

import attrs
import pytest

from evalset import (
    Agent,
    Extensions,
    Limits,
    Manifest,
    ManifestError,
    Seeds,
    check_data,
    check_text,
    dumps,
    expand,
    loads,
)
from evalset.sources import Format

GOOD: dict[str, Any] = {
    "schema": "evalset/v1",
    "name": "n",
    "packs": ["p"],
    "agents": [{"deployment": "a"}],
}
KEPT: dict[str, Any] = {
    **GOOD,
    "agents": [{"deployment": "a", "tier": "gold", "x-y": 1}],
    "seeds": {"pool": 3},
    "limits": {"max_usd": 1.5},
    "future": {"a": [1, None]},
    "x-own": True,
}


class Text(str):
    """Text of another type."""

    __slots__ = ()


class Number(float):
    """A number of another type that is a float, as NumPy's are."""


class Count(IntEnum):
    """An integer of another type."""

    THREE = 3


def _manifest(**fields: object) -> Manifest:
    arguments: dict[str, Any] = {"name": "n", "packs": ["p"], "agents": [Agent("a")], **fields}
    return Manifest(arguments.pop("name"), **arguments)


def _faults(build: Callable[[], object]) -> list[tuple[str, str]]:
    with pytest.raises(ManifestError) as caught:
        build()
    return [(each.code, each.pointer) for each in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        pytest.param(_manifest(name="\u3000 n\t").name, "n", id="a name is trimmed"),
        pytest.param(_manifest(name="\x85a  b\xa0").name, "a  b", id="inside it is not"),
        pytest.param(_manifest(packs=[" p ", "q\n"]).packs, ("p", "q"), id="packs are trimmed"),
        pytest.param(_manifest(models=[" m "]).models, ("m",), id="models are trimmed"),
        pytest.param(_manifest(scanners=[" s "]).scanners, ("s",), id="scanners are trimmed"),
        pytest.param(Agent(" a ", label=" b "), Agent("a", label="b"), id="agents are trimmed"),
        pytest.param(_manifest(packs=("p",)).packs, ("p",), id="a tuple of packs"),
        pytest.param(_manifest(agents=(Agent("a"),)), _manifest(), id="a tuple of agents"),
        pytest.param(_manifest(models=None).models, (), id="no models"),
        pytest.param(_manifest(models=[]).models, (), id="empty models"),
        pytest.param(_manifest(scanners=None).scanners, (), id="no scanners"),
        pytest.param(_manifest(repeats=None).repeats, 1, id="no repeats"),
        pytest.param(_manifest(repeats=3.0).repeats, 3, id="3.0 repeats"),
        pytest.param(_manifest(repeats=Count.THREE).repeats, 3, id="repeats of an enum"),
        pytest.param(_manifest(schema=Text("evalset/v1")).schema, "evalset/v1", id="a schema"),
        pytest.param(Seeds.from_dict({"strategy": Text("auto")}).strategy, "auto", id="a strategy"),
        pytest.param(_manifest(seeds=None).seeds, Seeds(), id="no seeds"),
        pytest.param(_manifest(limits=None).limits, Limits(), id="no limits"),
        pytest.param(_manifest(case_fanout=None).case_fanout, False, id="no fan-out"),
        pytest.param(_manifest(extensions=None).extensions, Extensions(), id="no extensions"),
        pytest.param(Seeds("auto", seeds=None).seeds, (), id="no list of seeds"),
        pytest.param(Seeds("explicit", seeds=[1.0, 2]).seeds, (1, 2), id="1.0 as a seed"),
        pytest.param(
            Seeds("explicit", seeds=[2.0**53 - 1]).seeds, (2**53 - 1,), id="the largest exact float"
        ),
        pytest.param(Limits(max_concurrent_runs=0).max_concurrent_runs, None, id="0 runs"),
        pytest.param(Limits(max_concurrent_runs=20.0).max_concurrent_runs, 20, id="20.0 runs"),
        pytest.param(Limits(budget_usd=0).budget_usd, None, id="a budget of 0"),
        pytest.param(Limits(budget_usd=-0.0).budget_usd, None, id="a budget of -0.0"),
        pytest.param(Limits(budget_usd=50).budget_usd, 50.0, id="a budget is a float"),
        pytest.param(Limits(budget_usd=Number(5.5)).budget_usd, 5.5, id="a float of a subclass"),
        pytest.param(Limits(budget_usd=Count.THREE).budget_usd, 3.0, id="an int of a subclass"),
    ],
)
def test_a_model_holds_normal_values(model: object, expected: object) -> None:
    assert model == expected
    assert (type(model), repr(model)) == (type(expected), repr(expected))


def test_replace_checks_the_whole_and_drops_the_source() -> None:
    manifest = loads(json.dumps(GOOD), name="a.json")
    replaced = manifest.replace(repeats=2, seeds=Seeds("explicit", seeds=[1, 2]))
    assert (replaced.repeats, replaced.seeds.seeds, replaced.source) == (2, (1, 2), None)
    assert (manifest.repeats, manifest.replace()) == (1, manifest)
    assert _faults(lambda: replaced.replace(repeats=3)) == [("seeds-count", "/seeds/seeds")]


def test_the_source_is_outside_the_value() -> None:
    read, other = loads(json.dumps(GOOD), name="a.json"), loads(dumps(_manifest()), name="b")
    built = Manifest.from_dict(GOOD)
    assert (read.source and read.source.name, read.source and read.source.text, built.source) == (
        "a.json", json.dumps(GOOD), None,
    )  # fmt: skip
    assert {read, other, built} == {built}
    assert len({repr(read), repr(other), repr(built)}) == 1
    assert read.digest() == built.digest()
    for each in (pickle.loads(pickle.dumps(read)), copy.deepcopy(read)):  # noqa: S301 (our own)
        assert (each, each.source) == (built, None)


def test_the_source_is_frozen_too() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(loads(json.dumps(GOOD)), "source", None)  # noqa: B010 (checkers refuse `=`)


def test_defaults_are_left_out_of_plain_data() -> None:
    manifest = _manifest(repeats=1, models=[], scanners=[], case_fanout=False, extensions={})
    assert json.dumps(manifest.to_dict()) == json.dumps(GOOD)
    full = {
        **GOOD, "agents": [{"deployment": "a", "label": "b", "x-a": None}], "models": ["m"],
        "repeats": 2, "seeds": {"strategy": "explicit", "seeds": [1, 2], "x-s": 1},
        "limits": {"max_concurrent_runs": 20, "budget_usd": 12.5, "x-l": 1}, "case_fanout": True,
        "scanners": ["tool-misuse"], "x-top": {"a": [1]},
    }  # fmt: skip
    assert json.dumps(Manifest.from_dict(full).to_dict()) == json.dumps(full)


def test_any_mapping_and_tuples_are_plain_data() -> None:
    data = MappingProxyType(
        {**GOOD, "packs": ("p",), "agents": (MappingProxyType({"deployment": "a"}),)}
    )
    assert Manifest.from_dict(data) == _manifest()


@pytest.mark.parametrize("format", ["json", "yaml"])
def test_kept_keys_are_written_back_with_a_warning(format: Format) -> None:
    manifest = Manifest.from_dict(KEPT, unknown="keep")
    assert json.dumps(manifest.to_dict()) == json.dumps(KEPT)
    text = dumps(manifest, format=format)
    assert loads(text, unknown="keep") == manifest
    result = check_text(text, unknown="keep")
    assert (result.ok, result.manifest) == (True, manifest)
    kept = ["/agents/0/tier", "/seeds/pool", "/limits/max_usd", "/future"]
    assert [(d.code, d.pointer) for d in result.diagnostics] == [("kept-key", p) for p in kept]
    assert _faults(lambda: loads(text)) == [("unknown-key", pointer) for pointer in kept]
    assert manifest.replace(name="other").to_dict() == {**KEPT, "name": "other"}


def test_an_editor_s_schema_is_never_kept() -> None:
    data = {**GOOD, "$schema": "./evalset-v1.json"}
    assert Manifest.from_dict(data) == Manifest.from_dict(data, unknown="keep") == _manifest()
    # In code it would be written, and not be read back.
    with pytest.raises(ValueError, match="schema"):
        _manifest(extensions=Extensions.keep({"$schema": "./evalset-v1.json"}))


def test_keeping_does_not_hide_other_faults() -> None:
    data = {**KEPT, "name": "", "packs": None, "$schema": 5, "future": {"a": float("nan")}}
    assert _faults(lambda: Manifest.from_dict(data, unknown="keep")) == [
        ("text-not-quoted", "/$schema"), ("extension-not-json", "/future/a"),
        ("blank-text", "/name"), ("null-value", "/packs"),
    ]  # fmt: skip
    assert _faults(lambda: Manifest.from_dict({**GOOD, "$schema": 5}, unknown="keep")) == [
        ("text-not-quoted", "/$schema")
    ]
    kept = Extensions.keep({"future": 1})
    assert _faults(lambda: Agent("", extensions=kept)) == [("blank-text", "/deployment")]
    agents = [Agent("a", extensions=kept)]
    assert _faults(lambda: _manifest(name="", agents=agents)) == [("blank-text", "/name")]


@pytest.mark.parametrize(
    ("at", "body"),
    [
        pytest.param("/manifest", '{"manifest": @}', id="a key"),
        pytest.param("/a/1/b", '{"a": [0, {"b": @}]}', id="a list"),
        pytest.param("/a~1b/~0", '{"a/b": {"~": @}}', id="escapes"),
        pytest.param("/", '{"": @}', id="an empty key"),
        pytest.param("/0", '{"0": @}', id="a key of digits"),
        pytest.param("", "@", id="the whole"),
    ],
)
def test_a_manifest_inside_a_body_is_read_and_told_from_the_whole(at: str, body: str) -> None:
    text = body.replace("@", json.dumps(GOOD))
    assert Manifest.from_dict(json.loads(text), at=at) == loads(text, at=at) == _manifest()
    text = body.replace("@", json.dumps({**GOOD, "name": "", "packs": ["p", "p"]}))
    for result in (check_data(json.loads(text), at=at), check_text(text, at=at)):
        assert [(d.code, d.pointer) for d in result.diagnostics] == [
            ("blank-text", f"{at}/name"),
            ("duplicate-pack", f"{at}/packs/1"),
        ]
        assert result.diagnostics[1].related[0].pointer == f"{at}/packs/0"


def test_what_expand_refuses_is_told_from_the_whole_text() -> None:
    text = '{"manifest": @}'.replace("@", json.dumps({**GOOD, "packs": ["p", "p"]}))
    with pytest.raises(ManifestError) as caught:
        expand(loads(text, at="/manifest", name="body.json"))
    column = text.rindex('"p"') + 1
    assert [(each.pointer, str(each.span)) for each in caught.value.diagnostics] == [
        ("/manifest/packs/1", f"body.json:1:{column}")
    ]


@pytest.mark.parametrize(
    "at", ["/other", "/list/1", "/list/-", "/list/00", "/list/-1", "/manifest/name/x"]
)
def test_a_place_that_is_not_there_is_told(at: str) -> None:
    body = {"manifest": GOOD, "list": [GOOD]}
    for build in (lambda: Manifest.from_dict(body, at=at), lambda: loads(json.dumps(body), at=at)):
        assert _faults(build) == [("pointer-not-found", "")]
