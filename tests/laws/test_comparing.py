"""Laws of comparing, resuming and costing, for any manifests."""

import math

import attrs
from hypothesis import given
from hypothesis import strategies as st

from evalset import Combination, Expansion, Record, diff, estimate, expand, reconcile
from evalset.formats import write_csv, write_jsonl, write_keys
from evalset.pricing import Range
from evalset.records import Outcome, parse_records
from evalset.testing import expansions

OUTCOMES: st.SearchStrategy[Outcome] = st.sampled_from(["done", "failed"])


@attrs.frozen
class ByIndex:
    """Costs that differ from one combination to the next; some are not known."""

    def cost(self, combination: Combination, /) -> Range | None:
        index = combination.index
        return None if index % 7 == 6 else Range(index * 0.1, index * 0.3, index * 0.7)

    def cases(self, combination: Combination, /) -> Range:
        return Range.exactly(combination.repeat)


@st.composite
def selected(draw: st.DrawFn, expansion: Expansion) -> Expansion:
    """Give any part of an expansion."""
    return expansion.take(draw(st.sets(st.integers(0, len(expansion) - 1))))


@given(expansions())
def test_nothing_differs_from_itself(expansion: Expansion) -> None:
    found = diff(expansion, expansion)
    assert (found.is_empty, found.verdict, found.reasons) == (True, "comparable", ())
    assert found.kept == expansion


@given(st.data(), expansions(), expansions())
def test_comparing_is_symmetric_and_parts_both(
    data: st.DataObject, one: Expansion, other: Expansion
) -> None:
    old = data.draw(selected(one))
    new = data.draw(selected(one) | selected(other))
    there, back = diff(old, new), diff(new, old)
    assert (there.added, there.removed) == (back.removed, back.added)
    assert [e.matrix_key for e in there.kept] == sorted(
        (e.matrix_key for e in back.kept), key=new.index
    )
    assert there.verdict == back.verdict
    assert len(there.changes) == len(back.changes)
    assert len(there.added) + len(there.kept) == len(new)
    assert len(there.removed) + len(there.kept) == len(old)
    for each in there.kept:
        before = old[each.matrix_key]
        assert (before.fingerprint != each.fingerprint) == (each in there.changed)


@st.composite
def records(draw: st.DrawFn, expansion: Expansion) -> list[Record]:
    """Give records of some combinations, under any of their names, and of others."""
    found: list[Record] = []
    for each in draw(st.lists(st.sampled_from(expansion), max_size=12)):
        name = draw(st.sampled_from([each.matrix_key, each.id, each.safe_name()]))
        fingerprint = draw(st.sampled_from([None, each.fingerprint, "fother"]))
        found.append(Record(name, outcome=draw(OUTCOMES), fingerprint=fingerprint))
    return [*found, *map(Record, draw(st.lists(st.text(min_size=1, max_size=5), max_size=3)))]


@given(st.data(), expansions())
def test_reconciling_parts_the_expansion_whatever_the_order(
    data: st.DataObject, expansion: Expansion
) -> None:
    some = data.draw(records(expansion))
    found = reconcile(expansion, some)
    parts = [*found.done, *found.failed, *found.stale, *found.missing]
    assert sorted(parts, key=lambda each: each.index) == list(expansion)
    assert sorted([*found.done, *found.to_run], key=lambda e: e.index) == list(expansion)
    again = reconcile(expansion, data.draw(st.permutations(some)) + some)
    assert (again.done, again.failed, again.stale) == (found.done, found.failed, found.stale)
    assert set(again.unknown) == set(found.unknown)


@given(st.data(), expansions())
def test_a_combination_is_what_the_best_of_its_records_says(
    data: st.DataObject, expansion: Expansion
) -> None:
    some = data.draw(records(expansion))
    found = reconcile(expansion, some)
    for each in expansion:
        names = {each.matrix_key, each.id, each.safe_name()}
        own = [record for record in some if record.key in names]
        sound = {r.outcome for r in own if r.fingerprint in {None, each.fingerprint}}
        part = "done" if "done" in sound else "failed" if sound else "stale" if own else "missing"
        assert each in getattr(found, part)
        assert (each in found.to_run) == (part != "done")
    known = {name for e in expansion for name in (e.matrix_key, e.id, e.safe_name())}
    assert {record.key for record in found.unknown} == {r.key for r in some} - known


@given(st.data(), expansions(), st.integers(1, 4))
def test_sharding_and_skipping_commute(
    data: st.DataObject, expansion: Expansion, count: int
) -> None:
    some = data.draw(records(expansion))
    for number in range(1, count + 1):
        shard = expansion.shard(number, count)
        assert reconcile(shard, some).to_run == reconcile(expansion, some).to_run.shard(
            number, count
        )


@given(st.data(), expansions())
def test_what_is_exported_is_read_back(data: st.DataObject, expansion: Expansion) -> None:
    part = data.draw(selected(expansion))
    for text in (write_csv(part), write_jsonl(part), write_keys(part)):
        found = reconcile(expansion, parse_records(text.encode()))
        assert (found.done, found.unknown) == (part, ())


@given(st.data(), expansions())
def test_estimates_of_parts_add_up(data: st.DataObject, expansion: Expansion) -> None:
    part = data.draw(selected(expansion))
    rest = expansion.take(set(expansion.indices) - set(part.indices))
    whole = estimate(expansion, ByIndex())
    halves = [estimate(each, ByIndex()) for each in (part, rest)]
    for axis in (whole.packs, whole.agents, whole.models, [each.total for each in halves]):
        assert sum(each.count for each in axis) == len(expansion)
        assert sum(each.unknown for each in axis) == whole.total.unknown
        for bound in ("low", "expected", "high"):
            total = math.fsum(getattr(each.usd, bound) for each in axis)
            assert math.isclose(total, getattr(whole.total.usd, bound), abs_tol=1e-9)


@given(expansions())
def test_fingerprints_are_those_of_the_work(expansion: Expansion) -> None:
    manifest = expansion.manifest
    works = {each.fingerprint for each in expansion}
    some = expansion[::-2]
    assert some.fingerprints() == [each.fingerprint for each in some]
    assert some.matrix_keys() == [each.matrix_key for each in some]
    deployments = {agent.deployment for agent in manifest.agents}
    if len(deployments) == len(manifest.agents):
        assert len(works) == len(expansion)
    renamed = manifest.replace(name="another name", case_fanout=not manifest.case_fanout)
    again = expand(renamed, key_by=expansion.key_by)
    assert [each.fingerprint for each in again] == [each.fingerprint for each in expansion]
    assert [each.id for each in again] == [each.id for each in expansion]
