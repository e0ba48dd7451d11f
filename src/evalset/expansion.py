"""The combinations of a manifest: counted first, keyed without collisions, built when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, final, overload

import attrs

from evalset.canonical import number
from evalset.collisions import agent_part, are_surely_distinct, find_collisions
from evalset.errors import ManifestError, SelectionError
from evalset.keys import (
    DIALECTS,
    ID_LENGTH,
    CombinationId,
    Fingerprint,
    GroupId,
    KeyBy,
    KeyPart,
    MatrixKey,
    combination_id,
    combination_number,
    fingerprint,
    group_id,
    normalize_label,
    number_of_id,
    safe_name,
)
from evalset.manifest import Manifest, picture_of
from evalset.parts import Agent
from evalset.quoting import quote
from evalset.rules import MAX_COMBINATIONS, Finding, demand_cap, excess
from evalset.shapes import demand

if TYPE_CHECKING:
    from evalset.places import Places
    from evalset.report_json import Fragments
    from evalset.selecting import Wanted, WantedRepeats
    from evalset.sharding import ShardBy

__all__ = ["Combination", "Expansion", "Group", "Repeats", "expand"]


@final
@attrs.frozen
class Group:
    """What the repeats of one combination share.

    Attributes:
        pack: Reference of the pack.
        agent: The agent.
        model: Reference of the model, or None for the implicit slot.
    """

    pack: str
    agent: Agent = attrs.field(kw_only=True)
    model: str | None = attrs.field(default=None, kw_only=True)


@final
@attrs.frozen(kw_only=True)
class Combination:
    """One cell of the product: what one evaluation worker runs.

    Attributes:
        matrix_key: The identity; stable as long as the manifest's texts are.
        group: Pack, agent and model: what the repeats of this combination share.
        repeat: From 1 to the manifest's `repeats`.
        seed: The seed of this repeat, or None: the harness picks one.
        case_fanout: The manifest's.
        index: Place in the whole expansion, from 0.
    """

    matrix_key: MatrixKey
    group: Group
    repeat: int
    seed: int | None
    case_fanout: bool
    index: int

    @property
    def pack_ref(self) -> str:
        """The pack's reference, trimmed."""
        return self.group.pack

    @property
    def agent(self) -> Agent:
        """The agent."""
        return self.group.agent

    @property
    def agent_ref(self) -> KeyPart:
        """The agent's deployment in its form for keys, under both dialects."""
        return normalize_label(self.group.agent.deployment)

    @property
    def agent_label(self) -> str | None:
        """The agent's label, or None."""
        return self.group.agent.label

    @property
    def model_ref(self) -> str | None:
        """The model's reference, trimmed, or None for the implicit slot."""
        return self.group.model

    @property
    def id(self) -> CombinationId:
        """The key in 26 characters that fit anywhere; see `combination_id`."""
        return combination_id(self.matrix_key)

    @property
    def group_id(self) -> GroupId:
        """What the repeats of this combination share, in 26 characters; see `group_id`."""
        return group_id(self.matrix_key)

    @property
    def fingerprint(self) -> Fingerprint:
        """What the work is, in 26 characters: the key of a cache that tells repeats apart.

        `f` and base32, as in an id, of the references as written, the repeat and the seed.
        Equal for equal work under another label or dialect; another where another seed,
        deployment, pack or model stands behind the same matrix key.
        """
        return fingerprint(
            self.group.pack,
            deployment=self.group.agent.deployment,
            model=self.group.model,
            repeat=self.repeat,
            seed=self.seed,
        )

    def safe_name(self, *, max_length: int = 63) -> str:
        """Give a readable name that ends in the id; see `safe_name` of `evalset.keys`."""
        return safe_name(self.matrix_key, max_length=max_length)

    if TYPE_CHECKING:
        # attrs' own narrows `other`, so that checkers refuse `"a key" in expansion`.
        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    def to_dict(self) -> dict[str, Any]:
        """Give the combination as the reference's report has it.

        Returns:
            Plain data in the reference's order; `agent_label`, `model_ref` and `seed`
            are left out when there is none.
        """
        values = {
            "matrix_key": self.matrix_key,
            "pack_ref": self.pack_ref,
            "agent_ref": self.agent_ref,
            "agent_label": self.agent.label,
            "model_ref": self.model_ref,
            "repeat": self.repeat,
            "seed": self.seed,
            "case_fanout": self.case_fanout,
        }
        return {name: value for name, value in values.items() if value is not None}


def expand(
    manifest: Manifest, *, max_combinations: int = MAX_COMBINATIONS, key_by: KeyBy = "label"
) -> Expansion:
    """Expand a manifest into its combinations.

    Args:
        manifest: The manifest.
        max_combinations: The caller's own cap, 1 to 2000.
        key_by: The dialect. `label`, as the specification says: the agent's part of the
            key is its label, or its deployment without one. `deployment`: always the
            deployment, which gives the keys of current servers.

    Guarantees:
        Order: packs, then agents, models and repeats, each as written. The same manifest
        gives the same keys in every process, on every Python. Nothing is built until it
        is asked for.

    Raises:
        ManifestError: More combinations than the cap, or keys that collide; each
            repeated entry is told once, with its place if the manifest was read from a
            text.
        TypeError: `manifest` is no Manifest.
        ValueError: `max_combinations` or `key_by` is not one of the above.

    Example:
        >>> manifest = Manifest("n", packs=["p"], agents=[Agent("a"), Agent("b")], repeats=2)
        >>> [combination.matrix_key for combination in expand(manifest)]
        ['p/a/1', 'p/a/2', 'p/b/1', 'p/b/2']

    Source: the specification, "Expansion" and "Caps".
    """
    demand(manifest, Manifest, "manifest")
    cap = demand_cap(max_combinations)
    if key_by not in DIALECTS:
        raise ValueError(f"key_by is {key_by!r}; it is 'label' or 'deployment'")
    axes, findings = _Axes(manifest, key_by), list[Finding]()
    if not are_surely_distinct(axes.packs, axes.agents, axes.models):
        agents = [(agent.deployment, agent.label) for agent in manifest.agents]
        findings += find_collisions(manifest.packs, agents, manifest.models, key_by=key_by)
    if manifest.count > cap and (too_many := excess(axes.sizes(), cap)):
        findings.append(too_many)
    if findings:
        from evalset.document import read_document
        from evalset.explaining import place

        document = read_document(manifest.source) if manifest.source else None
        has_places = document is not None and document.root is not None
        raise ManifestError(place(findings, document if has_places else None))
    return Expansion(axes, range(manifest.count))


@final
@attrs.frozen(slots=False, repr=False)
class _Axes:
    """The texts of one expansion in their forms for keys, and what finds a combination.

    Shared by an expansion and its slices; what is costly is built when first needed.
    """

    manifest: Manifest
    key_by: KeyBy

    def __reduce__(self) -> tuple[type[_Axes], tuple[Manifest, KeyBy]]:
        return _Axes, (self.manifest, self.key_by)

    @cached_property
    def packs(self) -> list[KeyPart]:
        return [normalize_label(pack) for pack in self.manifest.packs]

    @cached_property
    def agents(self) -> list[KeyPart]:
        agents = [(agent.deployment, agent.label) for agent in self.manifest.agents]
        return [agent_part(agent, self.key_by) for agent in agents]

    @cached_property
    def models(self) -> list[str]:
        """What follows the agent's part in the key, for each model or the implicit slot."""
        return [f"/{normalize_label(model)}" for model in self.manifest.models] or [""]

    @cached_property
    def starts(self) -> dict[str, int]:
        """The number of each group of repeats, by what their keys start with."""
        starts = (
            f"{pack}/{agent}{model}"
            for pack in self.packs
            for agent in self.agents
            for model in self.models
        )
        return {start: number for number, start in enumerate(starts)}

    @cached_property
    def ends(self) -> dict[str, int]:
        """The number of each repeat, from 0, by how keys end."""
        return {str(number + 1): number for number in range(self.manifest.repeats)}

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The index of each combination by the number that its id writes."""
        return {combination_number(key): index for index, key in enumerate(self.keys)}

    @cached_property
    def names(self) -> dict[str, list[tuple[str, ...]]]:
        """What each entry of each axis is called, as written and as in keys."""
        manifest = self.manifest
        agents = [filter(None, (agent.label, agent.deployment)) for agent in manifest.agents]
        return {
            "pack": [(pack, normalize_label(pack)) for pack in manifest.packs],
            "agent": [tuple(n for t in texts for n in (t, normalize_label(t))) for texts in agents],
            "model": [(model, normalize_label(model)) for model in manifest.models],
        }

    @cached_property
    def keys(self) -> list[str]:
        return [f"{start}/{end}" for start in self.starts for end in self.ends]

    def places(self, index: int) -> tuple[int, int, int, int]:
        """Give the places of pack, agent, model and repeat, from 0."""
        number, repeat = divmod(index, self.manifest.repeats)
        number, model = divmod(number, len(self.models))
        return *divmod(number, len(self.agents)), model, repeat

    def shards(self, count: int, by: ShardBy) -> list[int]:
        """Give the shard of each combination, from 0."""
        from evalset.sharding import deal, draw

        if by == "pack":
            return [self.places(index)[0] % count for index in range(self.manifest.count)]
        return (draw if by == "stable" else deal)(list(self.numbers), count)

    def sizes(self) -> dict[str, int]:
        return {
            "packs": len(self.packs),
            "agents": len(self.agents),
            "models": len(self.models),
            "repeats": self.manifest.repeats,
        }

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
            seeds=manifest.seeds.seeds or (None,) * manifest.repeats,
            case_fanout=manifest.case_fanout,
        )

    def group(self, number: int) -> tuple[Group, str]:
        """Give a group of repeats, and what their keys start with."""
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


@final
@attrs.frozen(repr=False)
class Expansion(Sequence[Combination]):
    """The combinations of a manifest, or some of them, as an immutable sequence.

    `len` and indexing build nothing else; iterating builds one at a time. A text finds a
    combination by its `matrix_key`, id or safe name: `expansion[text]`, `text in
    expansion`.

    Guarantees:
        Keys are unique. Immutable, hashable, picklable (as the manifest, not its
        product), compared by value, safe between threads. Only `expand` makes one.
    """

    _axes: _Axes
    _indices: Places

    @property
    def manifest(self) -> Manifest:
        """What was expanded."""
        return self._axes.manifest

    @property
    def key_by(self) -> KeyBy:
        """The dialect of the keys."""
        return self._axes.key_by

    @property
    def whole(self) -> Expansion:
        """The whole expansion that this is, or was selected from."""
        return Expansion(self._axes, range(self.manifest.count))

    def __len__(self) -> int:
        return len(self._indices)

    @overload
    def __getitem__(self, which: int | str) -> Combination: ...
    @overload
    def __getitem__(self, which: slice) -> Expansion: ...
    def __getitem__(self, which: int | str | slice) -> Combination | Expansion:
        """Give a combination by place, matrix key, id or safe name, or a slice.

        Raises:
            IndexError: There is no such place.
            KeyError: No combination has this text.
            TypeError: It is neither a text nor a place nor a slice.
        """
        if isinstance(which, slice):
            return Expansion(self._axes, self._indices[which])
        if isinstance(which, str):
            place = self._find(which)
            if place is None:
                raise KeyError(which)
            which = place
        [combination] = self._axes.combinations([self._indices[which]])
        return combination

    @property
    def indices(self) -> Sequence[int]:
        """The `index` of each combination, in order, without building any."""
        return self._indices

    def matrix_keys(self) -> list[str]:
        """Give the matrix key of each combination, in order, without building any."""
        keys = self._axes.keys
        return [keys[index] for index in self._indices]

    def find(self, text: str) -> int | None:
        """Give the `index` of a combination, in the whole expansion, without building it.

        Args:
            text: Its matrix key, id or safe name.

        Returns:
            The index, or None if no combination here has this text.

        Raises:
            TypeError: It is no text.
        """
        index = self._axes.find(demand(text, str, "text"))
        return index if index in self._indices else None

    def __iter__(self) -> Iterator[Combination]:
        return self._axes.combinations(self._indices)

    def __contains__(self, item: object) -> bool:
        """Tell whether a combination, or one with this key, id or safe name, is in it."""
        return self._find(item) is not None

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:  # noqa: ANN401
        """Give the place of a combination in this sequence, in constant time.

        Args:
            value: A combination, or the matrix key, id or safe name of one.
            start: First place that counts, as for `list.index`.
            stop: Place behind the last one that counts.

        Raises:
            ValueError: It is not in that part of this sequence.
        """
        place = self._find(value)
        if place is None or place not in range(len(self))[start:stop]:
            named = value.matrix_key if isinstance(value, Combination) else value
            name = quote(named) if isinstance(named, str) else f"a {type(value).__name__}"
            raise ValueError(f"{name} is not in this expansion")
        return place

    def count(self, value: Any) -> int:  # noqa: ANN401
        """Give 1 if a combination, or a text that names one, is in it, else 0."""
        return int(value in self)

    def _find(self, item: object) -> int | None:
        """Give the place in this sequence of a combination or of a text that names one."""
        text = item.matrix_key if isinstance(item, Combination) else item
        index = self._axes.find(text) if isinstance(text, str) else None
        if index is None or index not in self._indices:
            return None
        if isinstance(item, Combination) and item not in self._axes.combinations([index]):
            return None
        return self._indices.index(index)

    def select(
        self,
        *,
        pack: Wanted | None = None,
        agent: Wanted | None = None,
        model: Wanted | None = None,
        repeat: WantedRepeats | None = None,
        keys: Wanted | None = None,
    ) -> Expansion:
        """Keep the combinations that match everything that is given.

        A text means the entries that have exactly this name, as written or as in keys; if
        there is none, those that match it as a pattern (`*`, `?`, `[ab]`, case counts).

        Args:
            pack: A pack, a pattern, or several.
            agent: The same, of agents: by label or deployment.
            model: The same, of models.
            repeat: The number of a repeat, a range such as `range(1, 4)`, or several.
            keys: Matrix keys, ids, safe names, patterns for keys.

        Guarantees:
            Keys, ids, indices and order stay; so do shards. `select` and `without`, given
            the same, part the sequence.

        Returns:
            An expansion. What is given is looked for in the whole expansion, so that a
            typo is found in every shard; what is left of a shard may be nothing.

        Raises:
            SelectionError: Some text, pattern or number, or everything together, matches
                nothing in the whole expansion.
            TypeError: A text is no str, or a repeat no int.
        """
        wanted = {"pack": pack, "agent": agent, "model": model, "repeat": repeat, "keys": keys}
        chosen = self._choose(wanted)
        if not chosen:
            message = "no combination matches all that was asked for at once"
            raise SelectionError("combination", "", message)
        return self._only(chosen)

    def without(
        self,
        *,
        pack: Wanted | None = None,
        agent: Wanted | None = None,
        model: Wanted | None = None,
        repeat: WantedRepeats | None = None,
        keys: Wanted | None = None,
    ) -> Expansion:
        """Leave out the combinations that match everything that is given.

        Args:
            pack: As for `select`, and so are the others.
            agent: See there.
            model: See there.
            repeat: See there.
            keys: See there. None of them leaves out nothing.

        Raises:
            SelectionError: Some text, pattern or number matches nothing.
            TypeError: Nothing is given, or as for `select`.
        """
        wanted = {"pack": pack, "agent": agent, "model": model, "repeat": repeat, "keys": keys}
        if all(each is None for each in wanted.values()):
            raise TypeError("without what? give pack, agent, model, repeat or keys")
        return self._only(set(range(self.manifest.count)) - self._choose(wanted))

    def take(self, indices: Iterable[int]) -> Expansion:
        """Keep the combinations whose `index` is among these.

        Args:
            indices: Places in the whole expansion, from 0; what is not here is passed over.
        """
        return self._only(set(indices))

    def shard(self, index: int, count: int, *, by: ShardBy = "balanced") -> Expansion:
        """Keep the combinations of one shard of several.

        The whole expansion is dealt, whatever was selected before: selecting and sharding
        in either order gives the same, and a job that is run again with fewer combinations
        left neither loses one nor does another's.

        Args:
            index: Which shard, from 1.
            count: How many there are.
            by: `balanced`: sizes of the whole differ by at most one. `stable`: by the id
                alone, so that adding a combination moves no other; a shard of n / count
                may differ from that by about twice the square root of it, and be empty.
                `pack`: all of a pack together, packs in turn.

        Guarantees:
            The same on every machine and Python, and never changed within evalset/v1.

        Raises:
            TypeError: `index` or `count` is no int.
            ValueError: There is no such shard, as 0 of 8, or `by` is unknown.
        """
        from evalset.sharding import check_shard

        check_shard(index, count, by)
        shards = self._axes.shards(count, by)
        return self._only({i for i, shard in enumerate(shards) if shard == index - 1})

    def groups(self) -> tuple[Repeats, ...]:
        """Give what is here of each pack, agent and model, in order."""
        from evalset.places import pick

        numbers = dict[int, list[int]]()
        for index in self._indices:
            numbers.setdefault(index // self.manifest.repeats, []).append(index)
        return tuple(
            Repeats(self._axes.group(number)[0], combinations=Expansion(self._axes, pick(indices)))
            for number, indices in numbers.items()
        )

    def _choose(self, wanted: dict[str, Any]) -> set[int]:
        """Give the indices, in the whole expansion, that match everything that is given."""
        from evalset.selecting import find_entries, find_keys, find_repeats, multiply

        axes = self._axes
        chosen = set(range(self.manifest.count))
        if wanted["keys"] is not None:
            chosen = find_keys(wanted["keys"], axes.find, lambda: axes.keys)
        places = [
            None if wanted[axis] is None else find_entries(axis, axes.names[axis], wanted[axis])
            for axis in ("pack", "agent", "model")
        ]
        repeat = wanted["repeat"]
        places.append(None if repeat is None else find_repeats(repeat, self.manifest.repeats))
        sizes = (len(axes.packs), len(axes.agents), len(axes.models), self.manifest.repeats)
        return chosen & multiply(sizes, places)

    def _only(self, chosen: set[int]) -> Expansion:
        from evalset.places import pick

        return Expansion(self._axes, pick(index for index in self._indices if index in chosen))

    def _sizes(self) -> tuple[int, ...]:
        """Count the packs, agents, models and repeats that occur here."""
        if len(self) == self.manifest.count:
            return (len(self.manifest.packs), len(self.manifest.agents),
                    len(self._axes.models), self.manifest.repeats)  # fmt: skip
        places = zip(*map(self._axes.places, self._indices), strict=True)
        return tuple(len(set(axis)) for axis in places) or (0, 0, 0, 0)

    def __repr__(self) -> str:
        return f"<Expansion of {self.manifest.name!r}: {len(self)} combinations>"

    def _repr_html_(self) -> str:
        from evalset.pictures import draw_matrix

        return draw_matrix(picture_of(self.manifest, self._indices), count=len(self))

    def to_dict(self) -> dict[str, Any]:
        """Give the report, field for field and in the order of the reference's.

        Returns:
            Plain data: `name`, `combinations`, `count`, `pack_count`, `agent_count`,
            `model_count` (0 for the implicit slot), `repeats`, `max_concurrent_runs` and
            `budget_usd` if set, `case_fanout`. What a selection or slice counts is what is
            in it.
        """
        return self._report([combination.to_dict() for combination in self])

    def _report(self, combinations: list[dict[str, Any]]) -> dict[str, Any]:
        manifest, limits = self.manifest, self.manifest.limits
        packs, agents, models, repeats = self._sizes()
        report: dict[str, Any] = {
            "name": manifest.name,
            "combinations": combinations,
            "count": len(self),
            "pack_count": packs,
            "agent_count": agents,
            "model_count": models if manifest.models else 0,
            "repeats": repeats,
        }
        if limits.max_concurrent_runs is not None:
            report["max_concurrent_runs"] = limits.max_concurrent_runs
        if limits.budget_usd is not None:
            report["budget_usd"] = number(limits.budget_usd)
        return {**report, "case_fanout": manifest.case_fanout}

    def to_json(self, *, indent: int | None = None) -> str:
        """Give the report as JSON, not escaped beyond what JSON demands.

        Args:
            indent: Spaces of a level, or None for one line.
        """
        from evalset.report_json import write_report

        return write_report(self._report([]), self._axes.fragments(), self._indices, indent=indent)

    def rows(self) -> list[dict[str, Any]]:
        """Give one flat dict for each combination, with the same keys, as data frames take them.

        Returns:
            `index`, `id` and `fingerprint`, then the report's fields with None where there
            is none.
        """
        return [
            {
                "index": each.index,
                "id": each.id,
                "fingerprint": each.fingerprint,
                "matrix_key": each.matrix_key,
                "pack_ref": each.pack_ref,
                "agent_ref": each.agent_ref,
                "agent_label": each.agent.label,
                "model_ref": each.model_ref,
                "repeat": each.repeat,
                "seed": each.seed,
                "case_fanout": each.case_fanout,
            }
            for each in self
        ]


@final
@attrs.frozen
class Repeats:
    """One pack, agent and model with its repeats, or those that were selected.

    Attributes:
        group: The pack, agent and model.
        combinations: Its repeats, at least one.
    """

    group: Group
    combinations: Expansion = attrs.field(kw_only=True)

    @property
    def group_id(self) -> GroupId:
        """What the repeats share, in 26 characters; see `group_id`."""
        return self.combinations[0].group_id
