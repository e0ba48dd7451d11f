"""Resuming: found by identity, whatever the order; what is unknown is explained."""

import copy
import pickle
from typing import Any

import pytest

from evalset import Agent, Expansion, Manifest, Record, Seeds, expand, reconcile

MANIFEST = Manifest(
    "n", packs=["p", "q"], agents=[Agent("dep-1", label="x"), Agent("b")], repeats=2
)
EXPANSION = expand(MANIFEST)


def keys(expansion: Expansion) -> list[str]:
    return [each.matrix_key for each in expansion]


def test_every_combination_is_done_failed_stale_or_missing() -> None:
    found = reconcile(
        EXPANSION,
        [
            "p/x/1",
            Record(EXPANSION[1].id, outcome="failed"),
            Record(EXPANSION[2].safe_name(), fingerprint=EXPANSION[2].fingerprint),
            Record("p/b/2", fingerprint="fother"),
            Record("other"),
            Record("other"),
        ],
    )
    assert keys(found.done) == ["p/x/1", "p/b/1"]
    assert (keys(found.failed), keys(found.stale)) == (["p/x/2"], ["p/b/2"])
    assert keys(found.missing) == ["q/x/1", "q/x/2", "q/b/1", "q/b/2"]
    assert found.to_run == EXPANSION.without(keys=["p/x/1", "p/b/1"])
    assert (found.unknown, found.explanation) == ((Record("other"),), None)
    assert not found.is_complete
    assert found.to_dict() == {
        "count": 8,
        "done": 2,
        "failed": 1,
        "stale": 1,
        "missing": 4,
        "unknown": ["other"],
        "explanation": None,
        "to_run": keys(found.to_run),
    }
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):  # noqa: S301 (our own)
        assert (other, hash(other)) == (found, hash(found))


def test_the_best_of_several_records_counts() -> None:
    failed, stale = Record("p/x/1", outcome="failed"), Record("p/x/1", fingerprint="f")
    done = Record("p/x/1", fingerprint=EXPANSION[0].fingerprint)
    cases = [
        ([failed, done, stale], "done"),
        ([stale, failed], "failed"),
        ([failed, stale], "failed"),
        ([stale], "stale"),
    ]
    for records, name in cases:
        assert keys(getattr(reconcile(EXPANSION, records), name)) == ["p/x/1"]


def test_a_seed_or_deployment_that_changed_makes_records_stale() -> None:
    records = [Record(each.matrix_key, fingerprint=each.fingerprint) for each in EXPANSION]
    assert reconcile(EXPANSION, records).is_complete
    seeded = expand(MANIFEST.replace(seeds=Seeds("explicit", seeds=[1, 2])))
    assert reconcile(seeded, records).stale == seeded
    moved = expand(MANIFEST.replace(agents=[Agent("dep-2", label="x"), Agent("b")]))
    assert reconcile(moved, records).stale == moved.select(agent="x")


def test_records_of_what_was_not_selected_are_known() -> None:
    part = EXPANSION.select(pack="q")
    found = reconcile(part, ["p/x/1", "q/x/1"])
    assert (keys(found.done), found.unknown, len(found.missing)) == (["q/x/1"], (), 3)
    assert reconcile(part[:0], []).is_complete


@pytest.mark.parametrize(
    ("records", "explanation"),
    [
        pytest.param(["p/dep-1/1", "q/dep-1/2", "z"],
                     "2 of 3 unknown records are made under the other dialect: expand with "
                     "key_by='deployment'", id="other dialect"),
        pytest.param([expand(MANIFEST, key_by="deployment")[0].id],
                     "1 of 1 unknown records is made under the other dialect: expand with "
                     "key_by='deployment'", id="an id of the other dialect"),
        pytest.param([Record("p/y/1", fingerprint=EXPANSION[0].fingerprint), Record("z/z/1")],
                     '1 of 2 unknown records is of work that has another key now, such as "p/x/1": '
                     "a label was changed", id="a fingerprint"),
        pytest.param(["q/old/2"],
                     'the record "q/old/2" is of an agent "old", which is not in the manifest: a '
                     "label or deployment was renamed", id="an agent"),
        pytest.param([Record("r/x/1", fingerprint="f"), Record("p/x/3")], None, id="other"),
    ],
)  # fmt: skip
def test_what_is_unknown_is_explained(records: list[Any], explanation: str | None) -> None:
    assert reconcile(EXPANSION, records).explanation == explanation


def test_a_manifest_that_the_other_dialect_refuses_has_no_other_keys() -> None:
    same = expand(
        MANIFEST.replace(agents=[Agent("a", label="x"), Agent("b", label="x")], models=["m/n"]),
        key_by="deployment",
    )
    assert reconcile(same, ["p/x/m/n/1"]).explanation == (
        'the record "p/x/m/n/1" is of an agent "x", which is not in the manifest: a label or '
        "deployment was renamed"
    )


def test_a_record_is_a_record_or_a_text() -> None:
    records: Any = [{"id": "x"}]
    with pytest.raises(TypeError, match=r"^a record is of the type Record, not dict"):
        reconcile(EXPANSION, records)
