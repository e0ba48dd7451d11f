"""Shards are the same on every machine: frozen vectors, spread, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalset import Agent, Expansion, Manifest, expand
from evalset.keys import combination_id, combination_number, fingerprint, group_id, number_of_id
from evalset.sharding import ShardBy

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "vectors" / "work.json").read_text(encoding="ascii")
)
WAYS: list[ShardBy] = ["balanced", "stable", "pack"]
WIDE = expand(
    Manifest(
        "n",
        packs=[f"p{n}" for n in range(8)],
        agents=[Agent(f"a{n}") for n in range(5)],
        repeats=50,
    )
)


@pytest.mark.parametrize("vector", VECTORS["shards"]["shards"], ids=lambda v: f"{v['count']}")
@pytest.mark.parametrize("by", WAYS)
def test_each_key_has_its_frozen_shard(vector: dict[str, Any], by: ShardBy) -> None:
    expansion = expand(Manifest.from_dict(VECTORS["shards"]["manifest"]))
    assert [each.matrix_key for each in expansion] == VECTORS["shards"]["keys"]
    shards = [
        set(expansion.shard(n, vector["count"], by=by)) for n in range(1, vector["count"] + 1)
    ]
    found = [next(n for n, s in enumerate(shards, 1) if each in s) for each in expansion]
    assert found == vector[by]


@pytest.mark.parametrize("vector", VECTORS["groups"], ids=lambda v: ascii(v["key"]))
def test_a_key_has_its_frozen_group(vector: dict[str, str]) -> None:
    assert group_id(vector["key"]) == vector["group"]


@pytest.mark.parametrize("vector", VECTORS["fingerprints"], ids=lambda v: v["fingerprint"])
def test_work_has_its_frozen_fingerprint(vector: dict[str, Any]) -> None:
    work = {name: value for name, value in vector.items() if name != "fingerprint"}
    assert fingerprint(work.pop("pack"), **work) == vector["fingerprint"]


def test_a_combination_gives_its_fingerprint_whatever_it_is_called() -> None:
    manifest = Manifest("n", packs=["p"], agents=[Agent("a")], repeats=2)
    first, second = expand(manifest)
    assert first.fingerprint == fingerprint(
        "p", deployment="a", model=None, repeat=1, seed=None
    )  # fmt: skip
    assert first.fingerprint != second.fingerprint
    relabelled = expand(manifest.replace(name="m", agents=[Agent("a", label="x")]))[0]
    assert relabelled.fingerprint == first.fingerprint
    assert relabelled.matrix_key != first.matrix_key


def test_an_id_writes_its_key_s_number() -> None:
    for each in WIDE[::97]:
        assert number_of_id(each.id) == combination_number(each.matrix_key)
    identity = combination_id("p/a/1")
    others = (
        "",
        identity[1:],
        identity.upper(),
        f"{identity}a",
        f"x{identity[1:]}",
        "c" + "1" * 25,
    )
    assert [number_of_id(text) for text in others] == [None] * len(others)
    with pytest.raises(ValueError, match=r"^'p' is no matrix key"):
        group_id("p")


def sizes(expansion: Expansion, count: int, by: ShardBy) -> list[int]:
    return [len(expansion.shard(number, count, by=by)) for number in range(1, count + 1)]


def test_balanced_shards_are_even_and_follow_no_axis() -> None:
    assert sizes(WIDE, 7, "balanced") == [286] * 5 + [285] * 2
    for count in (2, 5, 8, 50):  # the sizes of the axes
        for number in range(1, count + 1):
            shard = WIDE.shard(number, count)
            assert len({each.repeat for each in shard}) > 20
            assert len({each.pack_ref for each in shard}) > 5


def test_stable_shards_spread_as_by_chance() -> None:
    expected = 2000 / 8
    assert all(abs(size - expected) < 2 * expected**0.5 for size in sizes(WIDE, 8, "stable"))


def test_packs_stay_together_on_demand() -> None:
    assert sizes(WIDE, 3, "pack") == [750, 750, 500]
    assert [each.pack_ref for each in WIDE.shard(2, 3, by="pack")[::250]] == ["p1", "p4", "p7"]
    assert sizes(WIDE[:10], 9, "pack") == [10] + [0] * 8


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        pytest.param((0, 8), ValueError,
                     "the index of a shard is 0; shards count from 1, so it is 1 to 8", id="0"),
        pytest.param((9, 8), ValueError,
                     "the index of a shard is 9; shards count from 1, so it is 1 to 8", id="9"),
        pytest.param((1, 0), ValueError, "the count of shards is 0; it is 1 or more", id="of none"),
        pytest.param((True, 8), TypeError, "the index of a shard is an int, not bool", id="a bool"),
        pytest.param((1, 8.0), TypeError, "the count of shards is an int, not float", id="a float"),
    ],
)  # fmt: skip
def test_what_is_no_shard_is_refused(
    arguments: tuple[Any, Any], error: type[Exception], told: str
) -> None:
    with pytest.raises(error) as caught:
        WIDE.shard(*arguments)
    assert str(caught.value) == told


def test_there_are_three_ways_to_shard() -> None:
    way: Any = "hash"
    with pytest.raises(ValueError, match=r"^by is 'hash'; it is 'balanced', 'stable' or 'pack'$"):
        WIDE.shard(1, 2, by=way)
