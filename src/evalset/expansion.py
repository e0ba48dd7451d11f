"""The combinations of a manifest: counted first, keyed without collisions, built when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, final, overload

import attrs

from evalset.axes import Axes
from evalset.canonical import number
from evalset.collisions import are_surely_distinct, find_collisions
from evalset.combination import Combination, Group
from evalset.errors import ManifestError, SelectionError
from evalset.keys import DIALECTS, Fingerprint, GroupId, KeyBy, MatrixKey
from evalset.manifest import Manifest, picture_of, place_in
from evalset.quoting import quote
from evalset.rules import MAX_COMBINATIONS, Finding, demand_cap, excess
from evalset.shapes import demand

if TYPE_CHECKING:
    from evalset.places import Places
    from evalset.selecting import Wanted, WantedRepeats
    from evalset.sharding import ShardBy

__all__ = ["Expansion", "Repeats", "expand"]


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
        >>> from evalset import Agent
        >>> manifest = Manifest("n", packs=["p"], agents=[Agent("a"), Agent("b")], repeats=2)
        >>> [combination.matrix_key for combination in expand(manifest)]
        ['p/a/1', 'p/a/2', 'p/b/1', 'p/b/2']

    Source: the specification, "Expansion" and "Caps".
    """
    demand(manifest, Manifest, "manifest")
    cap = demand_cap(max_combinations)
    if key_by not in DIALECTS:
        raise ValueError(f"key_by is {key_by!r}; it is 'label' or 'deployment'")
    axes, findings = Axes(manifest, key_by), list[Finding]()
    if not are_surely_distinct(axes.packs, axes.agents, axes.models):
        agents = [(agent.deployment, agent.label) for agent in manifest.agents]
        findings += find_collisions(manifest.packs, agents, manifest.models, key_by=key_by)
    count = manifest.count
    if count > cap:
        sizes = zip(("packs", "agents", "models", "repeats"), axes.sizes, strict=True)
        findings += filter(None, [excess(dict(sizes), cap)])
    if findings:
        raise ManifestError(place_in(manifest, findings))
    return _expansion(axes, range(count))


def _expansion(axes: Axes, indices: Places) -> Expansion:
    made = object.__new__(Expansion)
    object.__setattr__(made, "_axes", axes)
    object.__setattr__(made, "_indices", indices)
    return made


@final
@attrs.frozen(init=False, repr=False)
class Expansion(Sequence[Combination]):
    """The combinations of a manifest, or some of them, as an immutable sequence.

    `len` and indexing build nothing else; iterating builds one at a time. A text finds a
    combination by its `matrix_key`, id or safe name: `expansion[text]`, `text in
    expansion`.

    Guarantees:
        Keys are unique. Immutable, hashable, picklable (as the manifest, not its
        product), compared by value, safe between threads. Only `expand` makes one.
    """

    _axes: Axes
    _indices: Places

    def __init__(self) -> None:
        """Refuse: keys are unique because `expand` looked at them."""
        raise TypeError("only expand() makes an Expansion")

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
        return _expansion(self._axes, range(self.manifest.count))

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
            return _expansion(self._axes, self._indices[which])
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

    def matrix_keys(self) -> list[MatrixKey]:
        """Give the matrix key of each combination, in order, without building any."""
        keys = self._axes.keys
        return [keys[index] for index in self._indices]

    def fingerprints(self) -> list[Fingerprint]:
        """Give the fingerprint of each combination, in order, without building any."""
        prints = self._axes.fingerprints
        return [prints[index] for index in self._indices]

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
        chosen = self._axes.choose(pack=pack, agent=agent, model=model, repeat=repeat, keys=keys)
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
        if all(each is None for each in (pack, agent, model, repeat, keys)):
            raise TypeError("without what? give pack, agent, model, repeat or keys")
        chosen = self._axes.choose(pack=pack, agent=agent, model=model, repeat=repeat, keys=keys)
        return self._only(set(range(self.manifest.count)) - chosen)

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
            Repeats(self._axes.group(number)[0], combinations=_expansion(self._axes, pick(indices)))
            for number, indices in numbers.items()
        )

    def _only(self, chosen: set[int]) -> Expansion:
        from evalset.places import pick

        return _expansion(self._axes, pick([index for index in self._indices if index in chosen]))

    def _sizes(self) -> tuple[int, ...]:
        """Count the packs, agents, models and repeats that occur here."""
        if len(self) == self.manifest.count:
            return self._axes.sizes
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
