"""Two runs compared: what is gone and new, what was changed, whether results compare."""

import copy
import pickle
from typing import Any

import pytest

from evalset import Agent, Expansion, Limits, Manifest, Seeds, diff, expand
from evalset.comparing import Verdict

BASE = Manifest(
    "n",
    packs=["p", "q r"],
    agents=[Agent("a", label="x"), Agent("b")],
    repeats=3,
    limits=Limits(budget_usd=50),
)


SAME_DIALECT = "of the other by deployment; expand both with the same key_by"


def of(**changes: Any) -> Expansion:  # noqa: ANN401 (as replace)
    return expand(BASE.replace(**changes))


@pytest.mark.parametrize(
    ("new", "messages", "verdict"),
    [
        pytest.param(of(), [], "comparable", id="nothing"),
        pytest.param(of(name="m"), ['name: "n" -> "m"'], "comparable", id="name"),
        pytest.param(of(packs=["p", "q r", "s"]), ['pack added: "s"'], "partly comparable",
                     id="pack added"),
        pytest.param(of(packs=["p"]), ['pack removed: "q r"'], "partly comparable",
                     id="pack removed"),
        pytest.param(of(packs=["q r", "p"]), ["packs: in another order"], "comparable",
                     id="packs moved"),
        pytest.param(of(packs=["t"]),
                     ['pack removed: "p"', 'pack removed: "q r"', 'pack added: "t"'],
                     "not comparable", id="other packs"),
        pytest.param(of(packs=["p", "q-r"]), ['pack removed: "q r"', 'pack added: "q-r"'],
                     "partly comparable", id="pack respelt"),
        pytest.param(of(agents=[Agent("a", label="y"), Agent("b")]),
                     ['agent relabelled: "a": "x" -> "y"'], "partly comparable", id="relabelled"),
        pytest.param(of(agents=[Agent("a"), Agent("b", label="z")]),
                     ['agent relabelled: "a": "x" -> no label',
                      'agent relabelled: "b": no label -> "z"'],
                     "not comparable", id="labels gone and new"),
        pytest.param(of(agents=[Agent("c", label="x"), Agent("b")]),
                     ['agent of another deployment: "x": "a" -> "c"'], "partly comparable",
                     id="redeployed"),
        pytest.param(of(agents=[Agent("b"), Agent("a", label="x"), Agent("d", label="w")]),
                     ['agent added: "w" = "d"', "agents: in another order"], "partly comparable",
                     id="agent added"),
        pytest.param(of(agents=[Agent("a", label="x")]), ['agent removed: "b"'],
                     "partly comparable", id="agent removed"),
        pytest.param(of(models=["m"]),
                     ["model removed: the harness's default", 'model added: "m"'],
                     "not comparable", id="models"),
        pytest.param(of(repeats=5), ["repeats: 3 -> 5"], "partly comparable", id="repeats"),
        pytest.param(of(seeds=Seeds("explicit", seeds=[1, 2, 3])),
                     ["seeds: auto -> explicit 1, 2, 3"], "not comparable", id="seeds"),
        pytest.param(of(repeats=12, seeds=Seeds("explicit", seeds=[*range(1, 13)])),
                     ["repeats: 3 -> 12",
                      "seeds: auto -> explicit 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more"],
                     "not comparable", id="many seeds"),
        pytest.param(of(limits=Limits(max_concurrent_runs=2000)),
                     ["max_concurrent_runs: not set -> 2,000", "budget_usd: 50 -> not set"],
                     "comparable", id="limits"),
        pytest.param(of(case_fanout=True, scanners=["mine"]),
                     ["case_fanout: false -> true", 'scanner added: "mine"'], "comparable",
                     id="what is no axis"),
        pytest.param(expand(BASE, key_by="deployment"), ["key_by: label -> deployment"],
                     "partly comparable", id="dialect"),
    ],
)  # fmt: skip
def test_what_was_changed_is_told_in_words(
    new: Expansion, messages: list[str], verdict: Verdict
) -> None:
    found = diff(of(), new)
    assert [change.message for change in found.changes] == messages
    assert found.verdict == verdict
    assert found.is_empty == (messages == [])
    assert (found.reasons == ()) == (verdict == "comparable")


@pytest.mark.parametrize(
    ("new", "reasons"),
    [
        pytest.param(of(packs=["t"]), ("they have no combination in common",), id="nothing common"),
        pytest.param(of(packs=["p", "q-r"]),
                     ("6 of the 12 in both have another reference of the pack",), id="respelt"),
        pytest.param(of(agents=[Agent("c", label="x"), Agent("b")]),
                     ("6 of the 12 in both have another deployment",), id="redeployed"),
        pytest.param(of(repeats=4),
                     ("4 of 16 are only in the new one",
                      "averages are over 3 repeats in one, over 4 in the other"), id="repeats"),
        pytest.param(expand(BASE.replace(packs=["p"], agents=[Agent("b")], repeats=1,
                                         seeds=Seeds("explicit", seeds=[5]))),
                     ("1 of the 1 in both has another seed", "11 of 12 are only in the old one",
                      "averages are over 1 repeat in one, over 3 in the other"), id="one is left"),
        pytest.param(expand(BASE, key_by="deployment"),
                     (f"the keys of one are made by label, {SAME_DIALECT}",
                      "6 of 12 are only in the old one", "6 of 12 are only in the new one"),
                     id="dialect"),
        pytest.param(of()[1:], ("1 of 12 is only in the old one",), id="a slice"),
    ],
)  # fmt: skip
def test_the_verdict_has_its_reasons(new: Expansion, reasons: tuple[str, ...]) -> None:
    assert diff(of(), new).reasons == reasons


def test_a_new_agent_takes_the_place_of_one_old_agent_only() -> None:
    old = expand(BASE.replace(agents=[Agent("a", label="x"), Agent("b", label="y"), Agent("c")]))
    new = expand(BASE.replace(agents=[Agent("a", label="y"), Agent("c", label="z")]))
    assert [change.message for change in diff(old, new).changes] == [
        'agent relabelled: "a": "x" -> "y"',
        'agent relabelled: "c": no label -> "z"',
        'agent removed: "y" = "b"',
    ]


def test_a_dialect_that_makes_the_same_keys_does_not_matter() -> None:
    plain = BASE.replace(agents=[Agent("a"), Agent("b")])
    found = diff(expand(plain), expand(plain, key_by="deployment"))
    assert (found.verdict, found.reasons, len(found.kept)) == ("comparable", (), 12)


def test_the_parts_are_expansions() -> None:
    old, new = of(), of(packs=["p", "t"], agents=[Agent("a", label="x"), Agent("c")])
    found = diff(old, new)
    assert [each.matrix_key for each in found.kept] == ["p/x/1", "p/x/2", "p/x/3"]
    assert found.removed == old.without(pack="p", agent="a")
    assert found.added == new.without(pack="p", agent="a")
    assert (found.removed.manifest, found.kept.manifest) == (old.manifest, new.manifest)
    assert found.to_dict() == {
        "verdict": "partly comparable",
        "reasons": list(found.reasons),
        "changes": [
            {"field": "packs", "message": 'pack removed: "q r"'},
            {"field": "packs", "message": 'pack added: "t"'},
            {"field": "agents", "message": 'agent removed: "b"'},
            {"field": "agents", "message": 'agent added: "c"'},
        ],
        "removed": [each.matrix_key for each in found.removed],
        "added": [each.matrix_key for each in found.added],
        "changed": [],
        "kept_count": 3,
    }
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):  # noqa: S301 (our own)
        assert (other, hash(other)) == (found, hash(found))


def test_models_and_scanners_are_compared() -> None:
    old = of(models=["m", "n n"], scanners=["mine"])
    found = diff(old, of(models=["m", "n-n"]))
    assert [change.message for change in found.changes] == [
        'model removed: "n n"',
        'model added: "n-n"',
        'scanner removed: "mine"',
    ]
    assert found.reasons == ("12 of the 24 in both have another reference of the model",)
    assert found.changed == found.new.select(model="n-n")


def test_only_expansions_are_compared() -> None:
    manifest: Any = BASE
    with pytest.raises(TypeError, match=r"^new is of the type Expansion, not Manifest"):
        diff(of(), manifest)
