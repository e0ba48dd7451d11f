"""Equality and digests: equal exactly when the digests are, however a text was styled."""

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from tests.laws.spoiling import spoiled_data

from evalset import Manifest, ManifestError, loads
from evalset.keys import TRIMMED
from evalset.shapes import is_list, is_mapping
from evalset.testing import manifest_data, manifest_texts, manifests


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Manifest, Manifest]:
    """Give two manifests that differ in little, if at all."""
    data = draw(spoiled_data(odder=False, most=2, unique_keys=False))
    other = {**data, **draw(st.sampled_from(_CHANGES))}
    try:
        return Manifest.from_dict(data), Manifest.from_dict(other)
    except ManifestError:
        manifest = draw(manifests(unique_keys=False))
        changed = manifest.replace(name=draw(st.sampled_from([manifest.name, "n", "m"])))
        return manifest, changed


_CHANGES: list[dict[str, Any]] = [
    {},
    {"name": "n"},
    {"models": None},
    {"models": []},
    {"limits": None},
    {"limits": {"budget_usd": 0, "max_concurrent_runs": None}},
    {"limits": {"budget_usd": 3}},
    {"limits": {"budget_usd": 3.0}},
    {"scanners": []},
    {"case_fanout": None},
    {"case_fanout": True},
    {"x-a": 1},
    {"x-a": 1.0},
    {"x-a": True},
    {"x-a": {"b": 0.0, "a": [None]}},
    {"x-a": {"a": [None], "b": -0.0}},
    {"$schema": "elsewhere"},
]


@given(pairs())
def test_manifests_are_equal_exactly_when_their_digests_are(
    pair: tuple[Manifest, Manifest],
) -> None:
    first, second = pair
    assert (first == second) == (first.digest() == second.digest())
    data, other = first.to_dict(), second.to_dict()
    assert (first == second) == (data == other and _booleans(data) == _booleans(other))
    assert first != second or hash(first) == hash(second)


def _booleans(value: object) -> object:
    """Give where booleans stand, which Python takes for equal to 0 and 1, and JSON does not."""
    if is_mapping(value):
        return {key: _booleans(each) for key, each in value.items()}
    return [_booleans(each) for each in value] if is_list(value) else isinstance(value, bool)


@given(manifest_data(unique_keys=False), st.data())
def test_a_style_does_not_count(data: dict[str, Any], drawn: st.DataObject) -> None:
    digest = Manifest.from_dict(data).digest()
    for _ in range(2):
        styled = drawn.draw(manifest_texts(data))
        assert loads(styled.text, format=styled.format).digest() == digest


@given(manifest_data(unique_keys=False, extensions=False), st.sampled_from(TRIMMED))
def test_what_is_normal_does_not_count(data: dict[str, Any], space: str) -> None:
    agents = [
        {key: text if text is None else f"{space}{text}{space}" for key, text in agent.items()}
        for agent in data["agents"]
    ]
    other = {**data, "name": f"{space}{data['name']}", "agents": [*reversed(agents)][::-1]}
    for field in ("models", "repeats", "seeds", "limits", "case_fanout", "scanners"):
        other.setdefault(field, None)
    assert Manifest.from_dict(other).digest() == Manifest.from_dict(data).digest()


@given(manifests(), st.data())
def test_the_order_of_each_axis_counts(manifest: Manifest, data: st.DataObject) -> None:
    packs = data.draw(st.permutations(manifest.packs))
    agents = data.draw(st.permutations(manifest.agents))
    assume((*packs,) != manifest.packs or (*agents,) != manifest.agents)
    assert manifest.replace(packs=packs, agents=agents).digest() != manifest.digest()
