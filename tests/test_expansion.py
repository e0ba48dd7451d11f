"""An expansion is the product of the axes: counted first, without collisions, and lazy."""

import pickle
import sys
from collections.abc import Callable
from itertools import product
from types import CodeType, FrameType
from typing import Any

import pytest

from evalset import (
    Agent,
    Combination,
    Expansion,
    Group,
    Limits,
    Manifest,
    Record,
    Seeds,
    diff,
    expand,
    reconcile,
)


def _manifest(**fields: object) -> Manifest:
    arguments: dict[str, Any] = {"name": "n", "packs": ["p"], "agents": [Agent("a")], **fields}
    return Manifest(arguments.pop("name"), **arguments)


def _agents(*names: str) -> list[Agent]:
    return [Agent(name) for name in names]


FULL = _manifest(
    packs=["catalog/one", "my pack"],
    agents=[Agent("dep 1", label="opus 4"), Agent("dep-2")],
    models=["openai/gpt 5", "m"],
    repeats=3,
    seeds=Seeds("explicit", seeds=[7, 5, 2**63 - 1]),
    limits=Limits(max_concurrent_runs=20, budget_usd=50),
    case_fanout=True,
)
WIDE = _manifest(
    packs=[f"p{number}" for number in range(20)],
    agents=_agents(*(f"a{number}" for number in range(10))),
    repeats=10,
)
CODE: CodeType = Combination.__init__.__code__


def _built(action: Callable[[], object]) -> int:
    """Count the combinations that are built while something is done."""
    count = 0

    def see(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code is CODE

    sys.setprofile(see)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


def test_nothing_but_expand_makes_an_expansion() -> None:
    with pytest.raises(TypeError, match=r"^only expand\(\) makes an Expansion$"):
        Expansion()


# Laziness


@pytest.mark.parametrize(
    ("action", "count"),
    [
        pytest.param(lambda: expand(WIDE), 0, id="expand"),
        pytest.param(lambda: len(expand(WIDE)), 0, id="len"),
        pytest.param(lambda: repr(expand(WIDE)), 0, id="repr"),
        pytest.param(lambda: expand(WIDE)[1000], 1, id="an index"),
        pytest.param(lambda: expand(WIDE)[-1], 1, id="an index from the end"),
        pytest.param(lambda: expand(WIDE)["p19/a9/10"], 1, id="a key"),
        pytest.param(lambda: "p19/a9/10" in expand(WIDE), 0, id="whether a key is in it"),
        pytest.param(lambda: expand(WIDE)[5:1000:7], 0, id="a slice"),
        pytest.param(lambda: expand(WIDE)[5:1000:7][3], 1, id="an index in a slice"),
        pytest.param(lambda: expand(WIDE) == expand(WIDE), 0, id="equality"),
        pytest.param(lambda: hash(expand(WIDE)), 0, id="hash"),
        pytest.param(lambda: iter(expand(WIDE)), 0, id="an iterator"),
        pytest.param(lambda: next(iter(expand(WIDE))), 1, id="a step of an iterator"),
        pytest.param(lambda: list(expand(WIDE)), 2000, id="a list"),
        pytest.param(lambda: expand(WIDE).matrix_keys(), 0, id="keys"),
        pytest.param(lambda: expand(WIDE).fingerprints(), 0, id="fingerprints"),
        pytest.param(lambda: expand(WIDE).select(pack="p1*", repeat=3), 0, id="a selection"),
        pytest.param(lambda: expand(WIDE).shard(2, 8), 0, id="a shard"),
        pytest.param(lambda: diff(expand(WIDE), expand(FULL)), 0, id="a comparison"),
        pytest.param(lambda: reconcile(expand(WIDE), [Record("p1/a1/1", fingerprint="f")]), 0,
                     id="what is left"),
    ],
)  # fmt: skip
def test_nothing_is_built_that_was_not_asked_for(action: Callable[[], object], count: int) -> None:
    assert _built(action) == count


def test_a_combination_finds_its_place_without_the_others() -> None:
    expansion = expand(WIDE)
    last = expansion[-1]
    assert _built(lambda: (expansion.index(last), last in expansion, expansion.count(last))) <= 3
    assert _built(lambda: expansion.index(last.id)) == 0


def test_a_pickle_is_the_manifest_not_its_product() -> None:
    expansion = expand(WIDE)
    size = len(pickle.dumps(expansion))
    for text in ("p19/a9/10", expansion[3].id):
        assert text in expansion
    assert len(pickle.dumps(expansion)) == size < 2000


# The sequence


def test_the_order_is_packs_agents_models_repeats() -> None:
    keys = [
        f"{pack}/{agent}/{model}/{repeat}"
        for pack, agent, model, repeat in product(
            ["catalog/one", "my-pack"], ["opus-4", "dep-2"], ["openai/gpt-5", "m"], [1, 2, 3]
        )
    ]
    expansion = expand(FULL)
    assert [each.matrix_key for each in expansion] == keys
    assert [each.index for each in expansion] == list(range(24))
    assert (len(expansion), FULL.count) == (24, 24)
    assert [each.matrix_key for each in expand(FULL, key_by="deployment")][6] == (
        "catalog/one/dep-2/openai/gpt-5/1"
    )


def test_a_combination_holds_what_it_stands_for() -> None:
    agent = FULL.agents[0]
    combination = expand(FULL)[13]
    assert combination == Combination(
        matrix_key=combination.matrix_key,
        group=Group("my pack", agent=agent, model="openai/gpt 5"),
        repeat=2,
        seed=5,
        case_fanout=True,
        index=13,
    )
    assert combination.matrix_key == "my-pack/opus-4/openai/gpt-5/2"
    assert (combination.pack_ref, combination.model_ref) == ("my pack", "openai/gpt 5")
    assert (combination.agent, combination.agent_ref, combination.agent_label) == (
        agent,
        "dep-1",
        "opus 4",
    )
    assert {each.group for each in expand(FULL)[12:15]} == {combination.group}
    plain = expand(_manifest())[0]
    assert (plain.agent_label, plain.model_ref, plain.seed) == (None, None, None)
    assert plain.group == Group("p", agent=Agent("a"))


@pytest.mark.parametrize(
    "which",
    [
        slice(None),
        slice(3, 9),
        slice(None, None, -1),
        slice(20, 2, -5),
        slice(-4, None),
        slice(5, 5),
        slice(100, 200),
    ],
    ids=str,
)
def test_a_slice_is_an_expansion(which: slice) -> None:
    expansion = expand(FULL)
    part, expected = expansion[which], list(expansion)[which]
    assert isinstance(part, Expansion)
    assert (list(part), len(part), list(reversed(part))) == (
        expected,
        len(expected),
        expected[::-1],
    )
    assert [part.index(each) for each in expected] == list(range(len(expected)))
    assert [each in part for each in expansion] == [each in expected for each in expansion]
    assert [each.id in part for each in expansion] == [each in expected for each in expansion]
    assert (part.manifest, part.key_by) == (FULL, "label")
    assert [each.matrix_key for each in part[::2]] == [e.matrix_key for e in expected[::2]]


def test_slices_are_equal_when_they_hold_the_same_places() -> None:
    expansion = expand(FULL)
    assert expansion[:] == expansion == expand(FULL)
    assert expansion[2:9][1:4] == expansion[3:6]
    assert hash(expansion[2:9][1:4]) == hash(expansion[3:6])
    assert expansion[:3] != expansion[1:4]
    assert expansion != expand(FULL, key_by="deployment")
    other: object = list(expansion)
    assert expansion != other


def test_each_form_of_a_text_finds_its_combination() -> None:
    expansion = expand(FULL)
    for index, each in enumerate(expansion):
        for text in (each.matrix_key, each.id, each.safe_name(), each.safe_name(max_length=30)):
            assert (expansion[text], expansion.index(text), expansion.count(text)) == (
                each,
                index,
                1,
            )
            assert text in expansion


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "my-pack/opus-4/m",
        "my-pack/opus-4/m/",
        "my-pack/opus-4/m/0",
        "my-pack/opus-4/m/4",
        "my-pack/opus-4/m/01",
        "my-pack/opus-4/m/ 1",
        "my-pack/opus-4/m/\u0661",
        "my pack/opus 4/m/1",
        "my-pack/dep-1/m/1",
        "My-Pack/opus-4/m/1",
        " my-pack/opus-4/m/1",
        expand(FULL)[0].id.upper(),
        expand(FULL)[0].id[1:],
        f"x{expand(FULL)[0].id}",
        f"other-name-{expand(FULL)[0].id}",
        expand(WIDE)[0].id,
        "\ud800",
    ],
)
def test_another_text_finds_nothing(text: str) -> None:
    expansion = expand(FULL)
    assert (text in expansion, expansion.count(text)) == (False, 0)
    with pytest.raises(KeyError) as caught:
        expansion[text]
    assert caught.value.args == (text,)
    with pytest.raises(ValueError, match=r"is not in this expansion$"):
        expansion.index(text)


def test_what_is_no_text_or_combination_is_not_in_it() -> None:
    expansion = expand(FULL)
    foreign = expand(FULL.replace(case_fanout=False))[0]
    others: list[object] = [None, 0, [], {}, object(), foreign, expansion[0].group]
    assert [other in expansion for other in others] == [False] * len(others)
    assert [expansion.count(other) for other in others] == [0] * len(others)
    with pytest.raises(ValueError, match=r"is not in this expansion$") as caught:
        expansion.index(foreign)
    assert len(str(caught.value)) < 100
    assert foreign.matrix_key in str(caught.value)


def test_the_bounds_of_index_are_those_of_a_list() -> None:
    expansion, values = expand(FULL), list(expand(FULL))
    for start, stop in product([0, 3, 7, -2, 100], [0, 3, 8, -1, None]):
        expected = range(len(values))[start:stop]
        for index, each in enumerate(values):
            if index in expected:
                assert expansion.index(each, start, stop) == index
            else:
                with pytest.raises(ValueError, match=r"is not in this expansion$"):
                    expansion.index(each, start, stop)


@pytest.mark.parametrize("index", [24, -25, 10**30])
def test_there_is_no_place_behind_the_end(index: int) -> None:
    with pytest.raises(IndexError):
        expand(FULL)[index]


@pytest.mark.parametrize("which", [None, 1.0, (1, 2), b"p/a/1"])
def test_a_place_is_a_number_a_text_or_a_slice(which: Any) -> None:  # noqa: ANN401 (all kinds)
    with pytest.raises(TypeError):
        expand(FULL)[which]


def test_the_repr_is_short() -> None:
    assert repr(expand(FULL)[3:]) == "<Expansion of 'n': 21 combinations>"
