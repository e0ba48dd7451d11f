"""Laws of selections and shards, for any manifest."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalset import Agent, Expansion, Manifest, ManifestError, Seeds, expand
from evalset.sharding import ShardBy
from evalset.testing import expansions

WAYS = st.sampled_from(["balanced", "stable", "pack"])


@st.composite
def selections(draw: st.DrawFn, expansion: Expansion) -> dict[str, Any]:
    """Give what some combination of an expansion matches."""
    cell = draw(st.sampled_from(expansion))
    names: dict[str, Any] = {
        "pack": cell.pack_ref,
        "agent": cell.agent_label or cell.agent_ref,
        "repeat": cell.repeat,
        "keys": draw(st.lists(st.sampled_from(expansion), max_size=5).map(
            lambda some: [each.id for each in some] + [cell.matrix_key])),
    }  # fmt: skip
    if cell.model_ref is not None:
        names["model"] = cell.model_ref
    chosen = draw(st.sets(st.sampled_from(sorted(names)), min_size=1))
    return {name: names[name] for name in sorted(chosen)}


@given(st.data(), expansions())
def test_select_and_without_part_the_expansion(data: st.DataObject, expansion: Expansion) -> None:
    wanted = data.draw(selections(expansion))
    selected, rest = expansion.select(**wanted), expansion.without(**wanted)
    assert sorted([*selected, *rest], key=lambda each: each.index) == list(expansion)
    assert not set(selected) & set(rest)
    assert len(selected) > 0
    assert selected.select(**wanted) == selected


@given(expansions(), st.integers(1, 9), WAYS)
def test_shards_part_the_expansion(expansion: Expansion, count: int, by: ShardBy) -> None:
    shards = [expansion.shard(number, count, by=by) for number in range(1, count + 1)]
    found = [each for shard in shards for each in shard]
    assert sorted(found, key=lambda each: each.index) == list(expansion)
    if by == "balanced":
        assert max(map(len, shards)) - min(map(len, shards)) <= 1


@given(st.data(), expansions(), st.integers(1, 5), WAYS)
def test_sharding_and_selecting_commute(
    data: st.DataObject, expansion: Expansion, count: int, by: ShardBy
) -> None:
    wanted = data.draw(selections(expansion))
    for number in range(1, count + 1):
        first = expansion.shard(number, count, by=by)
        assert first.select(**wanted) == expansion.select(**wanted).shard(number, count, by=by)
        assert first.without(**wanted) == expansion.without(**wanted).shard(number, count, by=by)


GROWN: dict[str, Callable[[Manifest], Manifest]] = {
    "a pack": lambda some: some.replace(packs=["quite another", *some.packs]),
    "an agent": lambda some: some.replace(agents=[Agent("quite another"), *some.agents]),
    "a repeat": lambda some: some.replace(repeats=some.repeats + 1, seeds=Seeds()),
}


@pytest.mark.parametrize("what", GROWN)
@given(expansion=expansions(), count=st.integers(1, 9))
def test_a_stable_shard_keeps_what_it_had_when_the_manifest_grows(
    what: str, expansion: Expansion, count: int
) -> None:
    try:
        grown = expand(GROWN[what](expansion.manifest), key_by=expansion.key_by)
    except ManifestError:  # slashes make a new key equal to an old one
        return
    assert len(grown) > len(expansion)
    for number in range(1, count + 1):
        before = {each.id for each in expansion.shard(number, count, by="stable")}
        after = {each.id for each in grown.shard(number, count, by="stable")}
        assert {name for name in after if name in expansion} == before


@given(expansions())
def test_groups_part_the_expansion_in_order(expansion: Expansion) -> None:
    groups = expansion.groups()
    assert [each for group in groups for each in group.combinations] == list(expansion)
    assert len({group.group_id for group in groups}) == len(groups)
