"""What differs between two expansions, and whether their results may be compared."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Literal, TypeAlias, final

import attrs

from evalset.canonical import number
from evalset.collisions import AgentTexts
from evalset.columns import count_of
from evalset.expansion import Expansion
from evalset.manifest import Manifest
from evalset.parts import Agent, Seeds
from evalset.quoting import quote
from evalset.shapes import demand

__all__ = ["Change", "Difference", "Verdict", "diff"]

Verdict: TypeAlias = Literal["comparable", "partly comparable", "not comparable"]
"""Whether results may be compared: all, those of some combinations, or none."""

_SHOWN = 10  # seeds that a message lists


@final
@attrs.frozen
class Change:
    """One change of a manifest, or of what was made of it.

    Attributes:
        field: The manifest's field; `key_by` for the dialect.
        message: The change in words, such as `repeats: 3 -> 5`.
    """

    field: str
    message: str

    def to_dict(self) -> dict[str, Any]:
        """Give the change as plain data."""
        return {"field": self.field, "message": self.message}


@final
@attrs.frozen(kw_only=True)
class Difference:
    """What two expansions have in common, and what not. Only `diff` makes one.

    Attributes:
        old: The first expansion.
        new: The second one.
        removed: What only the old one has, of the old one.
        added: What only the new one has, of the new one.
        kept: What both have, by matrix key, of the new one; what changed is among it.
        changed: What both have by matrix key although it is other work now: another seed,
            deployment, pack or model; of the new one.
        changes: What was changed in the manifests, in the order of their fields.
        reasons: Why not everything may be compared; empty if it may.
    """

    old: Expansion
    new: Expansion
    removed: Expansion
    added: Expansion
    kept: Expansion
    changed: Expansion
    changes: tuple[Change, ...]
    reasons: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs at all."""
        return not (self.removed or self.added or self.changed or self.changes)

    @property
    def verdict(self) -> Verdict:
        """Whether results may be compared, combination by combination."""
        if len(self.kept) == len(self.changed):
            return "not comparable"
        return "partly comparable" if self.reasons else "comparable"

    def to_dict(self) -> dict[str, Any]:
        """Give the difference as plain data; combinations by their matrix keys."""
        return {
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "changes": [change.to_dict() for change in self.changes],
            "removed": [each.matrix_key for each in self.removed],
            "added": [each.matrix_key for each in self.added],
            "changed": [each.matrix_key for each in self.changed],
            "kept_count": len(self.kept),
        }


def diff(old: Expansion, new: Expansion, /) -> Difference:
    """Compare two expansions, or selections of them, by their matrix keys.

    Guarantees:
        `diff(a, a)` is empty. In `diff(b, a)` added and removed have changed places, and
        the verdict is the same.

    Raises:
        TypeError: One is no Expansion.

    Example:
        >>> from evalset import Agent, Manifest, expand
        >>> manifest = Manifest("n", packs=["p"], agents=[Agent("a")], repeats=3)
        >>> found = diff(expand(manifest), expand(manifest.replace(repeats=5)))
        >>> found.verdict, len(found.added), found.changes[0].message
        ('partly comparable', 2, 'repeats: 3 -> 5')
    """
    demand(old, Expansion, "old")
    demand(new, Expansion, "new")
    before = dict(zip(old.matrix_keys(), old.indices, strict=True))
    after = dict(zip(new.matrix_keys(), new.indices, strict=True))
    pairs = [(before[key], index) for key, index in after.items() if key in before]
    was, now = _works(old.manifest), _works(new.manifest)
    changed = [(one, two) for one, two in pairs if was[one] != now[two]]
    return Difference(
        old=old,
        new=new,
        removed=old.take(index for key, index in before.items() if key not in after),
        added=new.take(index for key, index in after.items() if key not in before),
        kept=new.take(index for _, index in pairs),
        changed=new.take(index for _, index in changed),
        changes=tuple(_changes(old, new)),
        reasons=tuple(
            _reasons(old, new, len(pairs), [(was[one], now[two]) for one, two in changed])
        ),
    )


_Work: TypeAlias = tuple[str, str, str | None, int | None]
_WORK = ("reference of the pack", "deployment", "reference of the model", "seed")


def _works(manifest: Manifest) -> list[_Work]:
    """Give what each combination runs, in the order of `_WORK`; its key has the repeat."""
    deployments = [agent.deployment for agent in manifest.agents]
    seeds = manifest.seeds.seeds or (None,) * manifest.repeats
    return list(product(manifest.packs, deployments, manifest.models or (None,), seeds))


def _reasons(
    old: Expansion, new: Expansion, common: int, changed: Sequence[tuple[_Work, _Work]]
) -> Iterator[str]:
    if not common:
        yield "they have no combination in common"
    if old.key_by != new.key_by and (changed or common < max(len(old), len(new))):
        yield (
            f"the keys of one are made by {old.key_by}, of the other by {new.key_by}; expand both "
            "with the same key_by"
        )
    for place, what in enumerate(_WORK):
        count = sum(was[place] != now[place] for was, now in changed)
        if count:
            have = "has" if count == 1 else "have"
            yield f"{count:,} of the {common:,} in both {have} another {what}"
    if common:
        yield from _alone(old, new, common)


def _alone(old: Expansion, new: Expansion, common: int) -> Iterator[str]:
    for name, part in (("old", old), ("new", new)):
        if count := len(part) - common:
            are = "is" if count == 1 else "are"
            yield f"{count:,} of {len(part):,} {are} only in the {name} one"
    repeats = sorted((old.manifest.repeats, new.manifest.repeats))
    if repeats[0] != repeats[1]:
        least, most = repeats
        yield f"averages are over {count_of(least, 'repeat')} in one, over {most:,} in the other"


def _changes(old: Expansion, new: Expansion) -> Iterator[Change]:
    before, after = old.manifest, new.manifest
    yield from _scalar("name", quote(before.name), quote(after.name))
    yield from _texts("packs", before.packs, after.packs)
    yield from _agents(before.agents, after.agents)
    models = (before.models or (_DEFAULT,), after.models or (_DEFAULT,))
    yield from _texts("models", *models)
    yield from _scalar("repeats", f"{before.repeats:,}", f"{after.repeats:,}")
    yield from _scalar("seeds", _seeds(before.seeds), _seeds(after.seeds))
    yield from _limits(before, after)
    yield from _scalar("case_fanout", *(str(m.case_fanout).lower() for m in (before, after)))
    yield from _texts("scanners", before.scanners, after.scanners)
    yield from _scalar("key_by", old.key_by, new.key_by)


_DEFAULT = "\0default"  # no text of a manifest


def _scalar(field: str, before: str, after: str, *, name: str = "") -> Iterator[Change]:
    if before != after:
        yield Change(field, f"{name or field}: {before} -> {after}")


def _limits(before: Manifest, after: Manifest) -> Iterator[Change]:
    for field in ("max_concurrent_runs", "budget_usd"):
        values = [getattr(manifest.limits, field) for manifest in (before, after)]
        shown = ["not set" if value is None else f"{number(value):,}" for value in values]
        yield from _scalar("limits", *shown, name=field)


def _seeds(seeds: Seeds) -> str:
    if seeds.strategy == "auto":
        return "auto"
    more = f" and {len(seeds.seeds) - _SHOWN:,} more" if len(seeds.seeds) > _SHOWN else ""
    return f"explicit {', '.join(map(str, seeds.seeds[:_SHOWN]))}{more}"


def _texts(field: str, before: Sequence[str], after: Sequence[str]) -> Iterator[Change]:
    noun, olds, news = field.removesuffix("s"), frozenset(before), frozenset(after)
    for text in before:
        if text not in news:
            yield Change(field, f"{noun} removed: {_name(text)}")
    for text in after:
        if text not in olds:
            yield Change(field, f"{noun} added: {_name(text)}")
    yield from _moved(field, before, after)


def _name(text: str) -> str:
    return "the harness's default" if text == _DEFAULT else quote(text)


def _moved(field: str, before: Iterable[object], after: Iterable[object]) -> Iterator[Change]:
    olds, news = dict.fromkeys(before), dict.fromkeys(after)
    if [each for each in olds if each in news] != [each for each in news if each in olds]:
        yield Change(field, f"{field}: in another order")


def _agents(before: Sequence[Agent], after: Sequence[Agent]) -> Iterator[Change]:
    olds = dict.fromkeys((agent.deployment, agent.label) for agent in before)
    news = dict.fromkeys((agent.deployment, agent.label) for agent in after)
    gone = [each for each in olds if each not in news]
    come = {each: None for each in news if each not in olds}
    deployments, labels = _by_name(come, 0), _by_name(come, 1)
    removed: list[AgentTexts] = []
    for old in gone:
        deployment, label = old
        if new := _take(deployments.get(deployment), come):
            names = [quote(name) if name else "no label" for name in (label, new[1])]
            yield Change(
                "agents", f"agent relabelled: {quote(deployment)}: {names[0]} -> {names[1]}"
            )
        elif label and (new := _take(labels.get(label), come)):
            message = f"agent of another deployment: {quote(label)}: "
            yield Change("agents", f"{message}{quote(deployment)} -> {quote(new[0])}")
        else:
            removed.append(old)
    yield from (Change("agents", f"agent removed: {_agent(*each)}") for each in removed)
    yield from (Change("agents", f"agent added: {_agent(*each)}") for each in come)
    yield from _moved("agents", olds, news)


def _by_name(agents: Iterable[AgentTexts], which: int) -> dict[str | None, deque[AgentTexts]]:
    """Give agents by their deployment (0) or label (1), those of each in order."""
    named: dict[str | None, deque[AgentTexts]] = {}
    for agent in agents:
        named.setdefault(agent[which], deque()).append(agent)
    return named


def _take(candidates: deque[AgentTexts] | None, come: dict[AgentTexts, None]) -> AgentTexts | None:
    """Take the first of the candidates that is still among those that came."""
    while candidates:
        agent = candidates.popleft()
        if agent in come:
            del come[agent]
            return agent
    return None


def _agent(deployment: str, label: str | None) -> str:
    return f"{quote(label)} = {quote(deployment)}" if label else quote(deployment)
