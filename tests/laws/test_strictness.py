"""One strictness: code, plain data and texts of both formats are refused for the same reasons."""

import json
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

import attrs
from hypothesis import given
from hypothesis import strategies as st
from tests.laws.attempts import attempt
from tests.laws.spoiling import odd_values, spoiled_data

from evalset import Agent, Limits, Manifest, ManifestError, Seeds, check_data, check_text, loads
from evalset.testing import manifest_data, manifest_texts

Refusal = list[tuple[str, str]]


def judge(build: Callable[[], Manifest]) -> Manifest | Refusal:
    """Give the manifest, or code and pointer of every finding."""
    outcome = attempt(build)
    if isinstance(outcome, ManifestError):
        return sorted((each.code, each.pointer) for each in outcome.diagnostics)
    return outcome


@given(spoiled_data(odder=False, unique_keys=False), st.data())
def test_texts_are_judged_as_their_data_is(data: dict[str, Any], drawn: st.DataObject) -> None:
    judged = judge(lambda: Manifest.from_dict(data))
    assert judge(lambda: loads(json.dumps(data))) == judged
    for _ in range(2):
        styled = drawn.draw(manifest_texts(data))
        assert judge(partial(loads, styled.text, format=styled.format)) == judged


@given(spoiled_data(odder=False, unique_keys=False), st.data())
def test_texts_earn_the_warnings_that_their_data_does(
    data: dict[str, Any], drawn: st.DataObject
) -> None:
    styled = drawn.draw(manifest_texts(data))
    from_text = check_text(styled.text, format=styled.format).diagnostics
    assert sorted(
        (each.code, each.pointer) for each in from_text if each.code != "yaml11-text"
    ) == sorted((each.code, each.pointer) for each in check_data(data).diagnostics)


@given(spoiled_data(odder=False, unique_keys=False), st.data())
def test_inside_a_larger_body_it_is_judged_as_it_is_alone(
    data: dict[str, Any], drawn: st.DataObject
) -> None:
    body, at = {"a~/b": ["text", data]}, "/a~0~1b/1"
    alone = judge(lambda: Manifest.from_dict(data))
    inside = [(code, at + pointer) for code, pointer in alone] if isinstance(alone, list) else alone
    assert judge(lambda: Manifest.from_dict(body, at=at)) == inside
    styled = drawn.draw(manifest_texts(body))
    assert judge(lambda: loads(styled.text, format=styled.format, at=at)) == inside


@given(spoiled_data())
def test_data_of_any_kind_is_judged_whole(data: dict[str, Any]) -> None:
    result = check_data(data)
    judged = judge(lambda: Manifest.from_dict(data))
    if isinstance(judged, Manifest):
        assert result.manifest == judged
    else:
        assert result.manifest is None
        assert not result.ok


# Code against data: one value of one field is replaced, since code can't name a field that
# there is not, and stops at the first part that is wrong.

FIELDS = {
    "": ("name", "packs", "models", "repeats", "case_fanout", "scanners", "schema"),
    "agents": ("deployment", "label"),
    "seeds": ("strategy", "seeds"),
    "limits": ("max_concurrent_runs", "budget_usd"),
}


@st.composite
def one_odd_value(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """Give data with one field replaced, and the pointer of the part whose field it is."""
    data = deepcopy(draw(manifest_data()))
    level = draw(st.sampled_from(sorted(FIELDS)))
    field = draw(st.sampled_from(FIELDS[level]))
    value = deepcopy(draw(odd_values()))
    if level == "agents":
        index = draw(st.integers(0, len(data["agents"]) - 1))
        data["agents"][index][field] = value
        return data, f"/agents/{index}"
    part = data
    if level:
        data[level] = data.get(level) or {}
        part = data[level]
    part[field] = value
    if level == "seeds":  # the model has an empty list of them where data has none
        part.setdefault("seeds", [])
    return data, f"/{level}" if level else ""


def construct(data: dict[str, Any]) -> Manifest:
    """Build a manifest from its parts, pointers as of the whole."""
    agents = [_part(Agent, each, f"/agents/{index}") for index, each in enumerate(data["agents"])]
    given = {key: value for key, value in data.items() if key not in {"$schema", "agents"}}
    for name, model in (("seeds", Seeds), ("limits", Limits)):
        if given.get(name) is not None:
            given[name] = _part(model, given[name], f"/{name}")
    manifest: Manifest = _call(Manifest, {**given, "agents": agents})
    return manifest


def _part(model: type[Any], data: dict[str, Any], base: str) -> Any:  # noqa: ANN401 (any part)
    outcome = attempt(lambda: _call(model, data))
    if isinstance(outcome, ManifestError):
        raise ManifestError(
            [attrs.evolve(each, pointer=base + each.pointer) for each in outcome.diagnostics]
        )
    return outcome


def _call(model: type[Any], data: dict[str, Any]) -> Any:  # noqa: ANN401 (any model)
    extensions = {key: value for key, value in data.items() if key.startswith("x-")}
    fields = {key: value for key, value in data.items() if key not in extensions}
    return model(**fields, extensions=extensions)


@given(one_odd_value())
def test_code_is_judged_as_plain_data_is(spoiled: tuple[dict[str, Any], str]) -> None:
    data, part = spoiled
    judged = judge(lambda: Manifest.from_dict(data))
    built = judge(lambda: construct(data))
    if isinstance(judged, list):
        # A part of its own can't know how many repeats there are, nor does a model look
        # inside a value that is of the wrong type anyway.
        moot = {"seeds-count", "key-not-text"} if part else {"key-not-text"}
        judged = [each for each in judged if each[0] not in moot] or judged
    assert built == judged
