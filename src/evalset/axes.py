"""The axes of an expansion: their texts in keys, and what finds and builds a combination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, final

from evalset.collisions import agent_part
from evalset.combination import Combination, Group
from evalset.keys import (
    ID_LENGTH,
    Fingerprint,
    KeyBy,
    KeyPart,
    MatrixKey,
    combination_number,
    fingerprints,
    normalize_label,
    number_of_id,
)
from evalset.manifest import Manifest

if TYPE_CHECKING:
    from evalset.report_json import Fragments
    from evalset.selecting import Wanted, WantedRepeats
    from evalset.sharding import ShardBy

__all__ = ["Axes"]


@final
class Axes:
    """What an expansion is a product of.

    Shared by an expansion and its slices; what is costly is built when first needed. A
    group is what the repeats of one pack, agent and model are; both are numbered from 0.

    Attributes:
        manifest: What is expanded.
        key_by: The dialect of the keys.
        packs: What each pack is in the key.
        agents: What each agent is in the key.
        models: What follows the agent in the key, for each model or the implicit slot.
    """

    # By hand, as a class of attrs takes most of a millisecond to make.
    manifest: Manifest
    key_by: KeyBy
    packs: list[KeyPart]
    agents: list[KeyPart]
    models: list[str]

    def __init__(self, manifest: Manifest, key_by: KeyBy) -> None:
        """Take the manifest and the dialect."""
        agents = [(agent.deployment, agent.label) for agent in manifest.agents]
        self.manifest = manifest
        self.key_by = key_by
        self.packs = [normalize_label(pack) for pack in manifest.packs]
        self.agents = [agent_part(agent, key_by) for agent in agents]
        self.models = [f"/{normalize_label(model)}" for model in manifest.models] or [""]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Axes)
            and self.key_by == other.key_by
            and self.manifest == other.manifest
        )

    def __hash__(self) -> int:
        return hash((self.manifest, self.key_by))

    def __reduce__(self) -> tuple[type[Axes], tuple[Manifest, KeyBy]]:
        return Axes, (self.manifest, self.key_by)

    @cached_property
    def starts(self) -> dict[str, int]:
        """The number of each group by what its keys start with."""
        starts = (
            f"{pack}/{agent}{model}"
            for pack in self.packs
            for agent in self.agents
            for model in self.models
        )
        return {start: number for number, start in enumerate(starts)}

    @cached_property
    def ends(self) -> dict[str, int]:
        """The number of each repeat by how its keys end."""
        return {str(number + 1): number for number in range(self.manifest.repeats)}

    @cached_property
    def keys(self) -> list[MatrixKey]:
        """The key of each combination."""
        return [MatrixKey(f"{start}/{end}") for start in self.starts for end in self.ends]

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The index of each combination by the number that its id writes."""
        return {combination_number(key): index for index, key in enumerate(self.keys)}

    @cached_property
    def fingerprints(self) -> list[Fingerprint]:
        """The fingerprint of each combination."""
        manifest = self.manifest
        deployments = [agent.deployment for agent in manifest.agents]
        return fingerprints(
            product(manifest.packs, deployments, manifest.models or (None,)), self.seeds
        )

    @property
    def seeds(self) -> Sequence[int | None]:
        """The seed of each repeat."""
        return self.manifest.seeds.seeds or (None,) * self.manifest.repeats

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """How many packs, agents, models (at least one) and repeats there are."""
        return len(self.packs), len(self.agents), len(self.models), self.manifest.repeats

    def places(self, index: int) -> tuple[int, int, int, int]:
        """Give the places of pack, agent, model and repeat."""
        number, repeat = divmod(index, self.manifest.repeats)
        number, model = divmod(number, len(self.models))
        return *divmod(number, len(self.agents)), model, repeat

    def shards(self, count: int, by: ShardBy) -> list[int]:
        """Give the shard of each combination, from 0."""
        from evalset.sharding import deal, draw

        if by == "pack":
            return [self.places(index)[0] % count for index in range(self.manifest.count)]
        return (draw if by == "stable" else deal)(list(self.numbers), count)

    def fragments(self) -> Fragments:
        """Give what the report's combinations consist of."""
        from evalset.report_json import Fragments

        manifest = self.manifest
        agents, models = manifest.agents, manifest.models or (None,)
        return Fragments(
            packs=zip(self.packs, manifest.packs, strict=True),
            agents=(
                (key, normalize_label(agent.deployment), agent.label)
                for key, agent in zip(self.agents, agents, strict=True)
            ),
            models=zip(self.models, models, strict=True),
            seeds=self.seeds,
            case_fanout=manifest.case_fanout,
        )

    def group(self, number: int) -> tuple[Group, str]:
        """Give a group, and what its keys start with."""
        number, model = divmod(number, len(self.models))
        pack, agent = divmod(number, len(self.agents))
        start = f"{self.packs[pack]}/{self.agents[agent]}{self.models[model]}"
        models = self.manifest.models or (None,)
        manifest = self.manifest
        group = Group(manifest.packs[pack], agent=manifest.agents[agent], model=models[model])
        return group, start

    def combinations(self, indices: Iterable[int]) -> Iterator[Combination]:
        """Build combinations one by one; those of one group in a row share it."""
        repeats, seeds = self.manifest.repeats, self.manifest.seeds.seeds
        case_fanout, last = self.manifest.case_fanout, 0
        group, start = self.group(last)
        for index in indices:
            number, repeat = divmod(index, repeats)
            if number != last:
                (group, start), last = self.group(number), number
            key: Any = f"{start}/{repeat + 1}"
            yield Combination(
                matrix_key=key,
                group=group,
                repeat=repeat + 1,
                seed=seeds[repeat] if seeds else None,
                case_fanout=case_fanout,
                index=index,
            )

    def find(self, text: str) -> int | None:
        """Give the index that a matrix key, id or safe name stands for."""
        start, slash, repeat = text.rpartition("/")
        if slash:  # only a key holds one
            number, repeat_number = self.starts.get(start), self.ends.get(repeat)
            if number is None or repeat_number is None:
                return None
            return number * len(self.ends) + repeat_number
        number = number_of_id(text[-ID_LENGTH:])
        index = None if number is None else self.numbers.get(number)
        if index is None or len(text) == ID_LENGTH:
            return index
        [combination] = self.combinations([index])
        return index if combination.safe_name(max_length=len(text)) == text else None

    def choose(
        self,
        *,
        pack: Wanted | None,
        agent: Wanted | None,
        model: Wanted | None,
        repeat: WantedRepeats | None,
        keys: Wanted | None,
    ) -> set[int]:
        """Give the indices that match everything that is wanted; see `Expansion.select`."""
        from evalset.selecting import find_entries, find_keys, find_repeats, multiply

        wanted = {"pack": pack, "agent": agent, "model": model}
        places = [
            None if texts is None else find_entries(axis, self._names(axis), texts)
            for axis, texts in wanted.items()
        ]
        places.append(None if repeat is None else find_repeats(repeat, self.manifest.repeats))
        if keys is None:
            return multiply(self.sizes, places)
        chosen = find_keys(keys, self.find, lambda: self.keys)
        return chosen if places == [None] * 4 else chosen & multiply(self.sizes, places)

    def _names(self, axis: str) -> list[tuple[str, ...]]:
        """Give what each entry of an axis is called, as written and as in keys."""
        manifest = self.manifest
        if axis == "agent":
            agents = [filter(None, (agent.label, agent.deployment)) for agent in manifest.agents]
            return [tuple(n for t in texts for n in (t, normalize_label(t))) for texts in agents]
        refs = manifest.packs if axis == "pack" else manifest.models
        return [(ref, normalize_label(ref)) for ref in refs]
