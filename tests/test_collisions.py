"""Equal matrix keys are found entry by entry, and where slashes make them equal."""

from typing import Any

import pytest

from evalset.collisions import AgentTexts, agent_part, collision_rule, find_collisions
from evalset.keys import KeyBy
from evalset.rules import Finding


def _find(
    packs: list[str | None],
    agents: list[AgentTexts | None],
    models: list[str | None] | None = None,
    *,
    key_by: KeyBy = "label",
) -> list[tuple[str, object, object]]:
    """Give code, path and the first related path of each finding."""
    found = find_collisions(packs, agents, models or [], key_by=key_by)
    return [(each.code, each.path, each.related[0][1]) for each in found]


@pytest.mark.parametrize(
    ("agent", "by_label", "by_deployment"),
    [
        pytest.param(("gpt 5", None), "gpt-5", "gpt-5", id="without a label"),
        pytest.param(("gpt 5", " my label "), "my-label", "gpt-5", id="with a label"),
    ],
)
def test_an_agent_stands_in_the_key_by_label_or_deployment(
    agent: AgentTexts, by_label: str, by_deployment: str
) -> None:
    assert (agent_part(agent, "label"), agent_part(agent, "deployment")) == (
        by_label,
        by_deployment,
    )


@pytest.mark.parametrize(
    ("packs", "agents", "models", "found"),
    [
        pytest.param(["p", "q"], [("a", None)], [], [], id="nothing is equal"),
        pytest.param(
            ["p", "q", "p", "p"],
            [("a", None)],
            [],
            [
                ("duplicate-pack", ("packs", 2), ("packs", 0)),
                ("duplicate-pack", ("packs", 3), ("packs", 0)),
            ],
            id="each repeated pack against the first",
        ),
        pytest.param(
            ["p"],
            [("a", None)],
            ["m n", "m-n"],
            [("duplicate-model", ("models", 1), ("models", 0))],
            id="a space is a dash",
        ),
        pytest.param(
            ["p"],
            [("a", "x"), ("b", "x"), ("c", "d"), ("d", None), ("e", None), ("e", "f")],
            [],
            [
                ("duplicate-agent", ("agents", 1, "label"), ("agents", 0, "label")),
                ("duplicate-agent", ("agents", 3, "deployment"), ("agents", 2, "label")),
            ],
            id="labels, and a label equal to a deployment",
        ),
        pytest.param([None, None], [None, None], [None, None], [], id="what is no entry"),
        pytest.param([None, "p", "p"], [None], [],
                     [("duplicate-pack", ("packs", 2), ("packs", 1))], id="beside no entry"),
        pytest.param(["p", "p/x"], [("x/a", None), ("a", None)], [],
                     [("ambiguous-key", ("packs", 1), ("packs", 0))], id="p with x/a, p/x with a"),
        pytest.param(["p", "p/x"], [("a", None), ("b", None)], [], [], id="one axis has slashes"),
        pytest.param(["p", "q/x"], [("x/a", None), ("a", None)], [], [], id="slashes, no equals"),
        pytest.param(["p"], [("a", None), ("a/m", None)], ["m/n", "n"],
                     [("ambiguous-key", ("agents", 1), ("agents", 0))], id="an agent and a model"),
        pytest.param(["p", "p/a"], [("a/m", None), ("m", None)], ["n", "k/n"],
                     [("ambiguous-key", ("packs", 1), ("packs", 0))], id="all three vary"),
        pytest.param(["p", "p"], [("x/a", None), ("a", None)], ["m/n", "n"],
                     [("duplicate-pack", ("packs", 1), ("packs", 0))],
                     id="equal entries are not told again as slashes"),
        pytest.param(["a/b/c", "a/b", "a"], [("d", None), ("c/d", None), ("b/c/d", None)], [],
                     [("ambiguous-key", ("packs", 1), ("packs", 0)),
                      ("ambiguous-key", ("packs", 2), ("packs", 0))], id="three equal keys"),
    ],
)  # fmt: skip
def test_equal_keys_are_found_and_told_once(
    packs: list[str | None],
    agents: list[AgentTexts | None],
    models: list[str | None],
    found: list[tuple[str, object, object]],
) -> None:
    assert _find(packs, agents, models) == found


def test_the_dialect_decides_which_agents_are_equal() -> None:
    agents: list[AgentTexts | None] = [("a", "x"), ("b", "x"), ("a", "y")]
    assert _find(["p"], agents) == [
        ("duplicate-agent", ("agents", 1, "label"), ("agents", 0, "label"))
    ]
    assert _find(["p"], agents, key_by="deployment") == [
        ("duplicate-agent", ("agents", 2, "deployment"), ("agents", 0, "deployment"))
    ]


def test_a_finding_names_both_texts_the_common_form_and_the_reason() -> None:
    [pack, same, agent, model] = find_collisions(
        ["a b", "a-b", "a b"], [("x", "k"), ("k", None)], ["m", "m"], key_by="label"
    )
    assert pack == Finding(
        "duplicate-pack",
        'the packs "a b" and "a-b" are both "a-b" in the matrix key, where spaces become dashes',
        ("packs", 1),
        hint="remove one of the two",
        related=(("the first pack of this form", ("packs", 0)),),
    )
    assert same.message == 'the pack "a b" stands twice'
    assert agent == Finding(
        "duplicate-agent",
        'the label "k" and the deployment "k" are both "k" in the matrix key',
        ("agents", 1, "deployment"),
        hint="give this agent a label of its own, such as k-2",
        related=(("the first agent of this form", ("agents", 0, "label")),),
    )
    assert model.message == 'the model "m" stands twice'


def test_the_advice_fits_the_dialect() -> None:
    agents: list[AgentTexts | None] = [("a", "x"), ("a", "y")]
    [finding] = find_collisions(["p"], agents, [], key_by="deployment")
    assert finding.message == (
        'two agents have the deployment "a", which alone stands in the matrix key here'
    )
    assert finding.hint == "remove one of the two; labels do not count under the deployment dialect"
    [slashes] = find_collisions(["p", "p/x"], [("x/a", None), ("a", None)], [], key_by="deployment")
    assert slashes.hint == "remove one of the two"


@pytest.mark.parametrize(
    ("data", "paths"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param({"packs": "pp", "agents": {}, "models": None}, [], id="no lists"),
        pytest.param({"packs": ["p", 5, None, " ", " p "]}, [("packs", 4)], id="unsound items"),
        pytest.param(
            {"agents": ["a", "a", {}, {}, {"deployment": 5}, {"deployment": "a", "label": ""},
                        {"deployment": "a"}, {"deployment": "a", "label": None},
                        {"deployment": "b", "label": " a"}]},
            [("agents", 7, "deployment"), ("agents", 8, "label")],
            id="unsound agents",
        ),
    ],
)  # fmt: skip
def test_the_rule_leaves_out_what_is_no_entry(data: dict[str, Any], paths: list[object]) -> None:
    assert [finding.path for finding in collision_rule("label")(data)] == paths


def test_a_product_beyond_the_cap_is_not_searched_for_equal_keys() -> None:
    # That there are too many combinations is told anyway; going through all of them, a small
    # text could ask for hundreds of millions.
    packs: list[str | None] = ["p" + "/x" * index for index in range(50)]
    agents: list[AgentTexts | None] = [("x/" * index + "a", None) for index in range(50)]
    assert find_collisions(packs, agents, [], key_by="label") == []
