"""What a change of a manifest changes: its digest always, ids and fingerprints where they must."""

from collections.abc import Callable
from typing import Any, Literal

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evalset import (
    Agent,
    Expansion,
    Extensions,
    Limits,
    Manifest,
    ManifestError,
    Seeds,
    expand,
    loads,
)
from evalset.keys import KeyBy
from evalset.testing import expansions, manifest_data, manifest_texts

NEW = "quite another"  # a text that no strategy draws


@attrs.frozen
class Change:
    """A change, which part of the key it changes, and whether the work is another."""

    make: Callable[[Manifest, int], dict[str, Any]]
    part: Literal["of both dialects", "label", "deployment", "none"]
    work: Literal["other work", "same work"]

    def changes_ids(self, agent: Agent, key_by: KeyBy) -> bool:
        """Tell whether ids must change."""
        if self.part == "deployment":
            return key_by == "deployment" or agent.label is None
        return self.part in {"of both dialects", key_by}


def _put(items: tuple[Any, ...], place: int, item: object) -> list[Any]:
    return [*items[:place], item, *items[place + 1 :]]


def _drop(items: tuple[Any, ...], place: int) -> list[Any]:
    return [*items[:place], *items[place + 1 :]]


def _agent(manifest: Manifest, place: int) -> Agent:
    return manifest.agents[place % len(manifest.agents)]


def _with_agent(manifest: Manifest, place: int, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    old = _agent(manifest, place)
    new = Agent(changes.get("deployment", old.deployment), label=changes.get("label", old.label),
                extensions=changes.get("extensions", old.extensions))  # fmt: skip
    return {"agents": _put(manifest.agents, place % len(manifest.agents), new)}


def _seeds(manifest: Manifest, place: int) -> dict[str, Any]:
    seeds = manifest.seeds.seeds
    if not seeds:
        return {"seeds": Seeds("explicit", seeds=[*range(1, manifest.repeats + 1)])}
    place %= len(seeds)
    other = next(seed for seed in range(1, len(seeds) + 2) if seed not in seeds)
    return {"seeds": Seeds("explicit", seeds=_put(seeds, place, other))}


CHANGES: dict[str, Change] = {
    "a pack": Change(
        lambda m, n: {"packs": _put(m.packs, n % len(m.packs), NEW)},
        "of both dialects",
        "other work",
    ),
    "a pack more": Change(
        lambda m, _: {"packs": [*m.packs, NEW]}, "of both dialects", "other work"
    ),
    "a pack less": Change(
        lambda m, n: {"packs": _drop(m.packs, n % len(m.packs))}, "of both dialects", "other work"
    ),
    "a deployment": Change(
        lambda m, n: _with_agent(m, n, deployment=NEW), "deployment", "other work"
    ),
    "a label": Change(lambda m, n: _with_agent(m, n, label=NEW), "label", "same work"),
    "an agent more": Change(
        lambda m, _: {"agents": [*m.agents, Agent(NEW)]}, "of both dialects", "other work"
    ),
    "an agent less": Change(
        lambda m, n: {"agents": _drop(m.agents, n % len(m.agents))},
        "of both dialects",
        "other work",
    ),
    "a model": Change(
        lambda m, n: {"models": _put(m.models, n % max(1, len(m.models)), NEW)},
        "of both dialects",
        "other work",
    ),
    "a model more": Change(
        lambda m, _: {"models": [*m.models, NEW]}, "of both dialects", "other work"
    ),
    "a repeat more": Change(
        lambda m, _: {"repeats": m.repeats + 1, "seeds": Seeds()}, "of both dialects", "other work"
    ),
    "a seed": Change(_seeds, "none", "other work"),
    "the name": Change(lambda _m, _n: {"name": NEW}, "none", "same work"),
    "a limit": Change(
        lambda m, _: {"limits": Limits(budget_usd=(m.limits.budget_usd or 0) + 1)},
        "none",
        "same work",
    ),
    "case_fanout": Change(lambda m, _: {"case_fanout": not m.case_fanout}, "none", "same work"),
    "a scanner more": Change(lambda m, _: {"scanners": [*m.scanners, NEW]}, "none", "same work"),
    "an extension more": Change(
        lambda m, _: {"extensions": Extensions({**m.extensions, "x-quite-another": None})},
        "none",
        "same work",
    ),
    "an extension of an agent": Change(
        lambda m, n: _with_agent(m, n, extensions=Extensions({"x-quite-another": [n]})),
        "none",
        "same work",
    ),
}


def _changed(expansion: Expansion, change: Change, place: int) -> Expansion:
    try:
        manifest = expansion.manifest.replace(**change.make(expansion.manifest, place))
        return expand(manifest, key_by=expansion.key_by)
    except ManifestError:  # the last pack is gone, or what is new collides
        assume(False)  # noqa: FBT003
        raise


@pytest.mark.parametrize("name", CHANGES)
@given(expansion=expansions(), place=st.integers(0, 9))
def test_a_change_changes_the_digest_and_what_it_must(
    name: str, expansion: Expansion, place: int
) -> None:
    change = CHANGES[name]
    changed = _changed(expansion, change, place)
    assert changed.manifest != expansion.manifest
    assert changed.manifest.digest() != expansion.manifest.digest()
    ids = [{each.id for each in one} for one in (expansion, changed)]
    agent = _agent(expansion.manifest, place)
    assert (ids[0] != ids[1]) == change.changes_ids(agent, expansion.key_by)
    works = [sorted(one.fingerprints()) for one in (expansion, changed)]
    assert (works[0] != works[1]) == (change.work == "other work")


@given(manifest_data(), st.sampled_from(["label", "deployment"]), st.data())
def test_a_style_changes_no_digest_id_or_fingerprint(
    data: dict[str, Any], key_by: KeyBy, drawn: st.DataObject
) -> None:
    plain = Manifest.from_dict(data)
    styled = drawn.draw(manifest_texts(data))
    manifest = loads(styled.text, format=styled.format)
    assert manifest.digest() == plain.digest()
    try:
        expansion = expand(plain, key_by=key_by)
    except ManifestError:  # unique under the other dialect only
        return
    again = expand(manifest, key_by=key_by)
    assert [each.id for each in again] == [each.id for each in expansion]
    assert again.fingerprints() == expansion.fingerprints()
