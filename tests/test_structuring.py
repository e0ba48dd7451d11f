"""Models are built from plain data strictly: nothing is repaired, nothing is guessed."""

from typing import Any

import attrs
import pytest

from evalset import Agent, Extensions, Limits, Manifest, ManifestError, Seeds
from evalset.structuring import Mismatch, structure

GOOD: dict[str, Any] = {
    "schema": "evalset/v1",
    "name": "n",
    "packs": ["p"],
    "agents": [{"deployment": "a"}],
}
EMPTY: dict[str, Any] = {}
MANIFEST = Manifest("n", packs=["p"], agents=[Agent("a")])


@pytest.mark.parametrize(
    ("changes", "manifest"),
    [
        pytest.param({}, MANIFEST, id="what is required"),
        pytest.param(
            {
                "models": None,
                "repeats": None,
                "seeds": None,
                "limits": None,
                "case_fanout": None,
                "scanners": None,
            },
            MANIFEST,
            id="every optional field null",
        ),
        pytest.param(
            {
                "agents": [{"deployment": "a", "label": "b", "x-a": [1, {"b": None}]}],
                "models": ["m"],
                "repeats": 2.0,
                "seeds": {"strategy": "explicit", "seeds": [1, 2]},
                "limits": {"max_concurrent_runs": 20, "budget_usd": 50, "x-b": 1},
                "case_fanout": True,
                "scanners": ["s"],
                "x-c": "d",
            },
            Manifest(
                "n",
                packs=["p"],
                agents=[Agent("a", label="b", extensions=Extensions({"x-a": [1, {"b": None}]}))],
                models=["m"],
                repeats=2,
                seeds=Seeds("explicit", seeds=[1, 2]),
                limits=Limits(
                    max_concurrent_runs=20, budget_usd=50.0, extensions=Extensions({"x-b": 1})
                ),
                case_fanout=True,
                scanners=["s"],
                extensions=Extensions({"x-c": "d"}),
            ),
            id="every field",
        ),
    ],
)
def test_data_of_the_right_shape_becomes_a_model(
    changes: dict[str, Any], manifest: Manifest
) -> None:
    assert structure({**GOOD, **changes}, Manifest) == manifest


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"name": 5}, id="a number for text"),
        pytest.param({"name": None}, id="null for required text"),
        pytest.param({"packs": "p"}, id="text for a list"),
        pytest.param({"packs": ("p",)}, id="a tuple for a list"),
        pytest.param({"packs": [5]}, id="a number for an item"),
        pytest.param({"agents": ["a"]}, id="text for a mapping"),
        pytest.param({"agents": [EMPTY]}, id="a mapping without its required key"),
        pytest.param({"repeats": "3"}, id="text for a number"),
        pytest.param({"repeats": True}, id="a boolean for a number"),
        pytest.param({"case_fanout": 1}, id="a number for a boolean"),
        pytest.param({"seeds": {"strategy": "AUTO"}}, id="a word that is none of the two"),
        pytest.param({"limits": []}, id="a list for a mapping"),
        pytest.param({"repeat": 3}, id="an unknown key"),
        pytest.param({"x-a": {1}}, id="an extension that is not JSON"),
        pytest.param({"x-a": float("nan")}, id="an extension that is not finite"),
    ],
)
def test_data_of_another_shape_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Mismatch):
        structure({**GOOD, **changes}, Manifest)


def test_what_is_no_mapping_or_lacks_a_key_is_refused() -> None:
    wrong: tuple[Any, ...] = (None, 5, "text", [], {}, {**GOOD, "name": None})
    for data in wrong:
        with pytest.raises(Mismatch):
            structure(data, Manifest)


def test_the_refusal_of_a_model_passes_through() -> None:
    with pytest.raises(ManifestError):
        structure({**GOOD, "name": " "}, Manifest)


def test_unknown_keys_are_kept_at_every_level_if_the_caller_says_so() -> None:
    data = {
        **GOOD,
        "priority": 1,
        "agents": [{"deployment": "a", "tags": ["t"]}],
        "limits": {"max_tokens": 5},
    }
    manifest = structure(data, Manifest, keep_unknown=True)
    assert manifest.extensions.to_dict() == {"priority": 1}
    assert manifest.agents[0].extensions.to_dict() == {"tags": ["t"]}
    assert manifest.limits.extensions.to_dict() == {"max_tokens": 5}
    with pytest.raises(Mismatch):
        structure({**data, "priority": {1}}, Manifest, keep_unknown=True)


@attrs.frozen
class Point:
    """A model of a caller: any attrs class with extensions will do."""

    x: float
    y: float = 0.0
    extensions: Extensions = attrs.field(factory=Extensions)


def test_any_model_with_extensions_can_be_built() -> None:
    assert structure({"x": 1, "x-a": 2}, Point) == Point(1, extensions=Extensions({"x-a": 2}))
    with pytest.raises(Mismatch):
        structure({"y": 1.0}, Point)
