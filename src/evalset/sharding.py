"""Which shard a combination belongs to: the same on every machine, in every language.

The rules below never change within evalset/v1, or a job that is run again would take
other combinations than before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

__all__ = ["ShardBy", "check_shard", "deal", "draw"]

ShardBy = Literal["balanced", "stable", "pack"]
"""How combinations are spread: evenly, each by itself, or a pack at a time."""


def check_shard(index: int, count: int, by: str) -> None:
    """Refuse what is no shard.

    Raises:
        TypeError: `index` or `count` is no int.
        ValueError: `count` is below 1, `index` not from 1 to `count`, or `by` unknown.
    """
    for name, value in (("index of a shard", index), ("count of shards", count)):
        if type(value) is not int:
            raise TypeError(f"the {name} is an int, not {type(value).__name__}")
    if count < 1:
        raise ValueError(f"the count of shards is {count}; it is 1 or more")
    if not 1 <= index <= count:
        raise ValueError(
            f"the index of a shard is {index}; shards count from 1, so it is 1 to {count}"
        )
    if by not in {"balanced", "stable", "pack"}:
        raise ValueError(f"by is {by!r}; it is 'balanced', 'stable' or 'pack'")


def deal(numbers: Sequence[int], count: int) -> list[int]:
    """Deal combinations like cards, in the order of their numbers, to shards from 0.

    Args:
        numbers: The `combination_number` of each.
        count: How many shards there are.

    Guarantees:
        Sizes differ by at most one. The order is as good as random, so that no shard gets
        all of one pack, or all first repeats.
    """
    shards = [0] * len(numbers)
    for place, index in enumerate(sorted(range(len(numbers)), key=numbers.__getitem__)):
        shards[index] = place % count
    return shards


def draw(numbers: Sequence[int], count: int) -> list[int]:
    """Give each combination its shard, from 0, by itself: its number modulo the count.

    Args:
        numbers: The `combination_number` of each.
        count: How many shards there are.

    Guarantees:
        Adding or removing combinations moves no other. Sizes vary as by chance: of n a
        shard gets n / count, give or take about twice the square root of that; with few it
        may get none.
    """
    return [number % count for number in numbers]
