"""Selections: exact texts first, then patterns; what matches nothing is an error that helps."""

import copy
import pickle
from typing import Any

import pytest

from evalset import Agent, Expansion, Manifest, SelectionError, expand
from evalset.places import Picked, pick

EXPANSION = expand(
    Manifest(
        "n",
        packs=["catalog/code-review", "swe bug fix", "[ab]", "a"],
        agents=[Agent("gpt-5-default", label="GPT 5"), Agent("claude-opus")],
        models=["openai/gpt-4.1", "m"],
        repeats=3,
    )
)
BARE = expand(Manifest("n", packs=["p"], agents=[Agent("a")], repeats=2))
WIDE = expand(Manifest("n", packs=[f"p{n}" for n in range(10)], agents=[Agent("a")], repeats=200))


def keys(expansion: Expansion) -> list[str]:
    return [each.matrix_key for each in expansion]


@pytest.mark.parametrize(
    ("wanted", "matches"),
    [
        pytest.param({"pack": "a"}, "each.pack_ref == 'a'", id="a pack"),
        pytest.param({"pack": "swe bug fix"}, "'swe' in each.pack_ref", id="as written"),
        pytest.param({"pack": "swe-bug-fix"}, "'swe' in each.pack_ref", id="as in keys"),
        pytest.param({"pack": "catalog/*"}, "'/' in each.pack_ref", id="a pattern"),
        pytest.param({"pack": "[ab]"}, "each.pack_ref == '[ab]'", id="exact before a pattern"),
        pytest.param({"pack": "[ab]*"}, "each.pack_ref == 'a'", id="a set of characters"),
        pytest.param({"pack": "?"}, "each.pack_ref == 'a'", id="one character"),
        pytest.param({"pack": "*"}, "True", id="everything"),
        pytest.param(
            {"pack": {"a", "swe*"}}, "each.pack_ref in {'a', 'swe bug fix'}", id="a set of packs"
        ),
        pytest.param({"agent": "GPT 5"}, "each.agent_label", id="a label"),
        pytest.param({"agent": "GPT-5"}, "each.agent_label", id="a label as in keys"),
        pytest.param({"agent": "gpt-5-default"}, "each.agent_label", id="a deployment"),
        pytest.param({"agent": ["claude*"]}, "not each.agent_label", id="a pattern of deployments"),
        pytest.param({"model": "openai/*"}, "each.model_ref != 'm'", id="a model"),
        pytest.param({"repeat": 2}, "each.repeat == 2", id="a repeat"),
        pytest.param({"repeat": range(2, 9)}, "each.repeat > 1", id="a range beyond the end"),
        pytest.param({"repeat": range(2, 10**30)}, "each.repeat > 1", id="a range without end"),
        pytest.param({"repeat": {3, 1}}, "each.repeat != 2", id="several repeats"),
        pytest.param({"keys": "a/GPT-5/m/1"}, "each.index == 39", id="a key"),
        pytest.param({"keys": EXPANSION[5].id}, "each.index == 5", id="an id"),
        pytest.param({"keys": EXPANSION[5].safe_name()}, "each.index == 5", id="a safe name"),
        pytest.param({"keys": ["*/m/3", EXPANSION[0].id]},
                     "each.index == 0 or (each.repeat == 3 and each.model_ref == 'm')",
                     id="a pattern of keys and an id"),
        pytest.param({"pack": "a", "agent": "GPT 5", "model": "m", "repeat": 1, "keys": "a/*"},
                     "each.index == 39", id="everything at once"),
        pytest.param({}, "True", id="no criterion"),
    ],
)  # fmt: skip
def test_what_is_wanted_is_selected_and_the_rest_is_without(
    wanted: dict[str, Any], matches: str
) -> None:
    expected = [bool(eval(matches, {"each": each})) for each in EXPANSION]  # noqa: S307
    selected = EXPANSION.select(**wanted)
    assert [each in selected for each in EXPANSION] == expected
    assert list(selected) == [each for each in EXPANSION if each in selected]
    if wanted:
        without = EXPANSION.without(**wanted)
        assert list(without) == [each for each in EXPANSION if each not in selected]


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        pytest.param({"pack": "catalog/code-reveiw"},
                     'no pack matches "catalog/code-reveiw"; did you mean "catalog/code-review"?',
                     id="a typo"),
        pytest.param({"agent": "gpt 5"},
                     'no agent matches "gpt 5"; did you mean "GPT 5" or "GPT-5"?', id="case"),
        pytest.param({"model": "x*"},
                     'no model matches "x*"; there are "openai/gpt-4.1", "m"', id="a pattern"),
        pytest.param({"pack": ["a", "zzz"]},
                     'no pack matches "zzz"; there are "catalog/code-review", "swe bug fix", '
                     '"[ab]", "a"', id="one of several"),
        pytest.param({"repeat": 4}, "no repeat matches 4; repeats are 1 to 3", id="a repeat"),
        pytest.param({"repeat": [1, 0]}, "no repeat matches 0; repeats are 1 to 3", id="repeat 0"),
        pytest.param({"repeat": range(4, 9)},
                     "no repeat matches 4 to 8; repeats are 1 to 3", id="a range"),
        pytest.param({"repeat": range(9, 3, -5)},
                     "no repeat matches range(9, 3, -5); repeats are 1 to 3", id="a falling range"),
        pytest.param({"repeat": range(2, 2)},
                     "no repeat matches range(2, 2); repeats are 1 to 3", id="an empty range"),
        pytest.param({"keys": "a/GPT-5/m/4"},
                     'no key matches "a/GPT-5/m/4"; did you mean "a/GPT-5/m/3" or "a/GPT-5/m/2" '
                     'or "a/GPT-5/m/1"?', id="a key"),
    ],
)  # fmt: skip
def test_what_matches_nothing_is_an_error_with_what_is_near(
    wanted: dict[str, Any], told: str
) -> None:
    for choose in (EXPANSION.select, EXPANSION.without, EXPANSION[:0].select):
        with pytest.raises(SelectionError) as caught:
            choose(**wanted)
        assert str(caught.value) == told


def test_a_manifest_without_models_has_none_to_select() -> None:
    with pytest.raises(SelectionError) as caught:
        BARE.select(model="*")
    told = 'no model matches "*"; the manifest has no models, only the implicit slot'
    assert str(caught.value) == told
    with pytest.raises(SelectionError, match=r'no pack matches "x"; there is "p"$'):
        BARE.select(pack="x")
    with pytest.raises(SelectionError) as caught:
        WIDE.select(keys="\x1b")
    assert str(caught.value) == (
        r'no key matches "\u001b"; there are "p0/a/1", "p0/a/2", "p0/a/3", "p0/a/4", "p0/a/5" '
        "and 1,995 more"
    )


def test_what_is_near_is_shown_whole_unless_it_is_endless() -> None:
    for length, shown in ((90, "x" * 90), (300, f"{'x' * 20}…{'x' * 19}")):
        expansion = expand(BARE.manifest.replace(packs=["x" * length]))
        with pytest.raises(SelectionError) as caught:
            expansion.select(pack="x" * (length - 1))
        assert str(caught.value).endswith(f'did you mean "{shown}"?')


@pytest.mark.parametrize(
    "wanted",
    [
        pytest.param({"pack": "a", "keys": "swe*"}, id="what excludes each other"),
        pytest.param({"pack": []}, id="no pack"),
        pytest.param({"keys": set[str]()}, id="no key"),
        pytest.param({"repeat": ()}, id="no repeat"),
    ],
)
def test_a_selection_of_nothing_is_an_error_and_leaves_all(wanted: dict[str, Any]) -> None:
    with pytest.raises(SelectionError, match=r"^no combination matches all that was asked for"):
        EXPANSION.select(**wanted)
    assert EXPANSION.without(**wanted) == EXPANSION


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        pytest.param({"pack": 1}, "'int' object is not iterable", id="a number"),
        pytest.param({"pack": [1]}, "wanted of a pack is text, not int", id="a list of numbers"),
        pytest.param({"keys": [BARE[0]]}, "of a key is text, not Combination", id="a combination"),
        pytest.param({"repeat": True}, "a repeat is a whole number, not bool", id="a boolean"),
        pytest.param({"repeat": ["1"]}, "a repeat is a whole number, not str", id="a text"),
    ],
)
def test_misuse_is_a_type_error(wanted: dict[str, Any], told: str) -> None:
    with pytest.raises(TypeError, match=told):
        BARE.select(**wanted)


def test_without_nothing_is_misuse() -> None:
    with pytest.raises(TypeError, match=r"^without what\? give pack, agent, model, repeat or keys"):
        BARE.without()


def test_a_selection_is_an_expansion_with_places_of_its_own() -> None:
    chosen = [EXPANSION[index] for index in (0, 1, 5, 17, 40)]
    selected = EXPANSION.select(keys=[each.id for each in chosen])
    for part, expected in (
        (selected, chosen),
        (selected[::-1], chosen[::-1]),
        (selected[1:4], chosen[1:4]),
        (selected[-1:0:-2], chosen[-1:0:-2]),
        (selected[:2], chosen[:2]),
        (selected[9:], []),
        (selected.select(repeat=range(2, 4)), [each for each in chosen if each.repeat > 1]),
        (selected[::-1].without(repeat=1), [e for e in chosen[::-1] if e.repeat != 1]),
        (EXPANSION[::-1].select(keys=[each.id for each in chosen]), chosen[::-1]),
    ):
        assert list(part) == expected
        assert [part[place] for place in range(len(part))] == expected
        assert [part.index(each) for each in expected] == list(range(len(expected)))
        assert [each in part for each in EXPANSION] == [each in expected for each in EXPANSION]
        assert [each.index for each in part] == [each.index for each in expected]
        for other in (pickle.loads(pickle.dumps(part)), copy.deepcopy(part)):  # noqa: S301 (our own)
            assert (other, hash(other), list(other)) == (part, hash(part), expected)
    with pytest.raises(IndexError):
        selected[5]
    assert repr(selected) == "<Expansion of 'n': 5 combinations>"


def test_equal_selections_are_equal_however_they_came_about() -> None:
    assert EXPANSION.select(pack="*") == EXPANSION == EXPANSION.select()
    assert EXPANSION.select(repeat=1) == EXPANSION[::3]
    assert EXPANSION.select(keys=EXPANSION[7].id) == EXPANSION[7:8]
    assert EXPANSION.without(pack="*") == EXPANSION[:0]
    assert EXPANSION.select(repeat=1) != EXPANSION.select(repeat=2)


def test_a_selection_pickles_as_bits_not_as_cells() -> None:
    picked = [each.id for each in WIDE if each.index % 7 in {1, 2, 4}]
    selected = WIDE.select(keys=picked)
    assert len(selected) == 858
    assert len(pickle.dumps(selected)) < len(pickle.dumps(WIDE)) + 400


def test_the_places_of_a_selection_refuse_what_is_not_among_them() -> None:
    places = pick([1, 2, 4])
    assert isinstance(places, Picked)
    assert (list(places), places.index(4), places.index(4, 1, 3)) == ([1, 2, 4], 2, 2)
    for value, start in ((3, 0), (1, 1)):
        with pytest.raises(ValueError, match=rf"^{value} is not among the places$"):
            places.index(value, start)


def test_the_report_of_a_selection_counts_what_is_selected() -> None:
    sizes = ("count", "pack_count", "agent_count", "model_count", "repeats")

    def counted(expansion: Expansion) -> list[int]:
        report = expansion.to_dict()
        assert len(report["combinations"]) == report["count"]
        return [report[size] for size in sizes]

    assert counted(EXPANSION) == [48, 4, 2, 2, 3]
    assert counted(EXPANSION.select(pack=["a", "swe*"], repeat=[1, 3])) == [16, 2, 2, 2, 2]
    assert counted(EXPANSION[:1]) == [1, 1, 1, 1, 1]
    assert counted(EXPANSION[:0]) == [0, 0, 0, 0, 0]
    assert counted(BARE[:1]) == [1, 1, 1, 0, 1]


def test_groups_hold_the_repeats_that_are_there() -> None:
    groups = EXPANSION.without(pack="a", repeat=2).without(pack="swe*").groups()
    assert [(g.group.pack, g.group.agent.deployment, g.group.model) for g in groups[:3]] == [
        ("catalog/code-review", "gpt-5-default", "openai/gpt-4.1"),
        ("catalog/code-review", "gpt-5-default", "m"),
        ("catalog/code-review", "claude-opus", "openai/gpt-4.1"),
    ]
    assert [len(g.combinations) for g in groups] == [3] * 8 + [2] * 4
    assert keys(groups[-1].combinations) == ["a/claude-opus/m/1", "a/claude-opus/m/3"]
    assert len({g.group_id for g in groups}) == 12
    for each in groups:
        assert {c.group_id for c in each.combinations} == {each.group_id}
        assert {c.group for c in each.combinations} == {each.group}


def test_a_selection_error_is_an_answer_to_a_caller() -> None:
    error = SelectionError("pack", "x", 'no pack matches "x"; there is "p"')
    same, other = SelectionError(*error.args), SelectionError("pack", "y", "m")
    assert (error == same, hash(error) == hash(same), error == other, error == "x") == (
        True, True, False, False,
    )  # fmt: skip
    restored = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert (restored, str(restored)) == (error, str(error))
    assert isinstance(error, LookupError)
    assert error.to_dict() == {
        "type": "urn:evalset:problem:nothing-selected",
        "title": "What was to be selected is not there",
        "status": 422,
        "detail": 'no pack matches "x"; there is "p"',
    }
