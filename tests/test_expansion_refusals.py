"""Too many combinations and keys that collide are refused, with the numbers and both places."""

import time
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from evalset import Agent, Diagnostic, Manifest, ManifestError, check_data, expand, loads
from evalset.keys import KeyBy


def _manifest(**fields: object) -> Manifest:
    arguments: dict[str, Any] = {"name": "n", "packs": ["p"], "agents": [Agent("a")], **fields}
    return Manifest(arguments.pop("name"), **arguments)


def _agents(*names: str | tuple[str, str]) -> list[Agent]:
    return [Agent(n) if isinstance(n, str) else Agent(n[0], label=n[1]) for n in names]


def _refused(build: Callable[[], object]) -> tuple[Diagnostic, ...]:
    with pytest.raises(ManifestError) as caught:
        build()
    return caught.value.diagnostics


# Collisions


@pytest.mark.parametrize(
    ("fields", "key_by", "found"),
    [
        pytest.param(
            {"packs": ["p", "q", "p"]}, "label",
            [("duplicate-pack", "/packs/2", "/packs/0")], id="the same pack",
        ),
        pytest.param(
            {"packs": ["a b", "a-b", " a b "]}, "label",
            [("duplicate-pack", "/packs/1", "/packs/0"),
             ("duplicate-pack", "/packs/2", "/packs/0")],
            id="each repeated pack once, against the first",
        ),
        pytest.param(
            {"models": ["m", "n", "m", "n"]}, "label",
            [("duplicate-model", "/models/2", "/models/0"),
             ("duplicate-model", "/models/3", "/models/1")], id="two models twice",
        ),
        pytest.param(
            {"agents": _agents("a", "b", "a")}, "label",
            [("duplicate-agent", "/agents/2/deployment", "/agents/0/deployment")],
            id="the same deployment, by label",
        ),
        pytest.param(
            {"agents": _agents(("a", "x"), ("a", "y"))}, "deployment",
            [("duplicate-agent", "/agents/1/deployment", "/agents/0/deployment")],
            id="the same deployment, by deployment",
        ),
        pytest.param(
            {"agents": _agents(("a", "gpt 5"), ("b", "gpt-5"))}, "label",
            [("duplicate-agent", "/agents/1/label", "/agents/0/label")], id="labels with a space",
        ),
        pytest.param(
            {"agents": _agents(("a", "b"), "b")}, "label",
            [("duplicate-agent", "/agents/1/deployment", "/agents/0/label")],
            id="a label equal to a later deployment",
        ),
        pytest.param(
            {"agents": _agents("b", ("a", "b"))}, "label",
            [("duplicate-agent", "/agents/1/label", "/agents/0/deployment")],
            id="a label equal to an earlier deployment",
        ),
        pytest.param(
            {"packs": ["p", "p/x"], "agents": _agents("x/a", "a")}, "label",
            [("ambiguous-key", "/packs/1", "/packs/0")], id="slashes in packs and agents",
        ),
        pytest.param(
            {"packs": ["p", "p/a"], "models": ["m", "a/m"]}, "label",
            [("ambiguous-key", "/packs/1", "/packs/0")], id="slashes in packs and models",
        ),
        pytest.param(
            {"packs": ["p", "p/x", "p/x/x"], "agents": _agents("x/x/a", "x/a", "a")}, "label",
            [("ambiguous-key", "/packs/1", "/packs/0"), ("ambiguous-key", "/packs/2", "/packs/0"),
             ("ambiguous-key", "/packs/2", "/packs/1")], id="each pair of packs once",
        ),
        pytest.param(
            {"packs": ["p", "p", "p/x"], "agents": _agents("x/a", "a", "a"), "models": ["m", "m"]},
            "label",
            [("duplicate-agent", "/agents/2/deployment", "/agents/1/deployment"),
             ("duplicate-model", "/models/1", "/models/0"),
             ("duplicate-pack", "/packs/1", "/packs/0"), ("ambiguous-key", "/packs/2", "/packs/0")],
            id="every kind at once",
        ),
    ],
)  # fmt: skip
def test_each_repeated_entry_is_told_against_its_first(
    fields: dict[str, Any], key_by: KeyBy, found: list[tuple[str, str, str]]
) -> None:
    manifest = _manifest(**fields)
    diagnostics = _refused(lambda: expand(manifest, key_by=key_by))
    assert [(d.code, d.pointer, d.related[0].pointer) for d in diagnostics] == found
    result = check_data(manifest.to_dict(), key_by=key_by)
    assert tuple(d for d in result.diagnostics if d.is_error) == diagnostics
    assert (result.ok, result.manifest) == (False, manifest)


@pytest.mark.parametrize("key_by", ["label", "deployment"])
def test_slashes_in_agents_and_models_are_found_within_one_pack(key_by: KeyBy) -> None:
    manifest = _manifest(agents=_agents("a/b", "a"), models=["c", "b/c"])
    diagnostics = _refused(lambda: expand(manifest, key_by=key_by))
    assert [each.code for each in diagnostics] == ["ambiguous-key"]
    assert [len(each.related) for each in diagnostics] == [1]
    assert "p/a/b/c" in diagnostics[0].message
    assert not check_data(manifest.to_dict(), key_by=key_by).ok


@pytest.mark.parametrize(
    "agents",
    [
        pytest.param(["a/b", "a"], id="agents that hold slashes"),
        pytest.param(["a", "a/b", "b"], id="in another order"),
        pytest.param(["a", "b"], id="agents without slashes"),
    ],
)
@pytest.mark.parametrize("models", [[], ["b"], ["c", "b/c"], ["b", "b/b", "c/b"], ["1", "b/1"]])
@pytest.mark.parametrize("packs", [["p"], ["p", "p/a"], ["p", "p/a/b", "p/b"]])
def test_an_expansion_exists_exactly_when_all_keys_differ(
    packs: list[str], agents: list[str], models: list[str]
) -> None:
    keys = [
        "/".join([*cell, repeat])
        for *cell, repeat in product(packs, agents, *([models] if models else []), ["1", "2"])
    ]
    manifest = _manifest(packs=packs, agents=_agents(*agents), models=models, repeats=2)
    if len(set(keys)) == len(keys):
        assert [each.matrix_key for each in expand(manifest)] == keys
    else:
        assert {each.code for each in _refused(lambda: expand(manifest))} == {"ambiguous-key"}


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"packs": ["a  b", "a b", "a\u00a0b", "A b"]}, id="other spaces and case"),
        pytest.param({"agents": _agents(("a", "b"), ("b", "a"))}, id="crossed labels"),
        pytest.param({"agents": _agents(("a", "1"), ("a", "2"))}, id="one deployment, two labels"),
        pytest.param({"packs": ["p", "p/x"], "agents": _agents(("x/a", "xa"), "a")}, id="labels"),
        pytest.param({"models": ["p", "a", "1"]}, id="models equal to other parts"),
        pytest.param({"scanners": ["s", "s"]}, id="scanners stand in no key"),
    ],
)
def test_entries_that_only_look_alike_expand(fields: dict[str, Any]) -> None:
    manifest = _manifest(**fields)
    assert len({each.matrix_key for each in expand(manifest)}) == manifest.count
    assert check_data(manifest.to_dict()).ok


def test_messages_show_both_texts_and_both_places() -> None:
    text = (
        "schema: evalset/v1\nname: n\npacks: [gpt 5, gpt-5, gpt 5]\nagents:\n"
        "  - deployment: a\n    label: b\n  - deployment: b\n"
    )
    diagnostics = _refused(lambda: expand(loads(text, name="a.yaml")))
    assert [line for d in diagnostics for line in (str(d), d.hint, *map(str, d.related))] == [
        (
            'a.yaml:3:16: error[duplicate-pack] the packs "gpt 5" and "gpt-5" are both "gpt-5" in '
            "the matrix key, where spaces become dashes"
        ),
        "remove one of the two",
        "a.yaml:3:9: the first pack of this form",
        'a.yaml:3:23: error[duplicate-pack] the pack "gpt 5" stands twice',
        "remove one of the two",
        "a.yaml:3:9: the first pack of this form",
        (
            'a.yaml:7:17: error[duplicate-agent] the label "b" and the deployment "b" are both "b" '
            "in the matrix key"
        ),
        "give this agent a label of its own, such as b-2",
        "a.yaml:6:12: the first agent of this form",
    ]


def test_by_deployment_no_hint_speaks_of_labels_to_add() -> None:
    manifest = _manifest(packs=["p", "p/x"], agents=_agents("x/a", "a", "a"))
    hints = [str(d.hint) for d in _refused(lambda: expand(manifest, key_by="deployment"))]
    assert len(hints) == 2
    assert [hint for hint in hints if hint.startswith("give")] == []


# The cap


@pytest.mark.parametrize("axis", ["packs", "agents", "models", "repeats"])
def test_each_axis_alone_may_have_2000_and_no_more(axis: str) -> None:
    def fields(size: int) -> dict[str, Any]:
        names = [f"n{number}" for number in range(size)]
        return {axis: size if axis == "repeats" else _agents(*names) if axis == "agents" else names}

    assert len(expand(_manifest(**fields(2000)))) == 2000
    assert [(d.code, d.pointer) for d in _refused(lambda: _manifest(**fields(2001)))] == [
        ("too-many-combinations", f"/{axis}")
    ]


@pytest.mark.parametrize(
    ("sizes", "message", "hint"),
    [
        pytest.param(
            (1, 1, 0, 2001),
            "1 pack x 1 agent x 2,001 repeats = 2,001 combinations; at most 2,000 are allowed",
            "what fits: repeats: 2000", id="repeats alone",
        ),
        pytest.param(
            (3, 1, 0, 667),
            "3 packs x 1 agent x 667 repeats = 2,001 combinations; at most 2,000 are allowed",
            "what fits: repeats: 666, or 2 packs", id="one too many",
        ),
        pytest.param(
            (4, 5, 3, 50),
            "4 packs x 5 agents x 3 models x 50 repeats = 3,000 combinations; "
            "at most 2,000 are allowed",
            "what fits: repeats: 33, or 2 models, or 3 agents, or 2 packs", id="four axes",
        ),
        pytest.param(
            (45, 45, 45, 3),
            "45 packs x 45 agents x 45 models x 3 repeats = 273,375 combinations; "
            "at most 2,000 are allowed",
            "cut more than one of them", id="no cut of one fits",
        ),
        pytest.param(
            (2, 2, 0, 2**62),
            "2 packs x 2 agents x over 1,000,000,000,000,000 repeats = over 1,000,000,000,000,000 "
            "combinations; at most 2,000 are allowed",
            "what fits: repeats: 500", id="2**64, which is 0 in 64 bits",
        ),
        pytest.param(
            (1, 1, 0, 10**18),
            "1 pack x 1 agent x over 1,000,000,000,000,000 repeats = over 1,000,000,000,000,000 "
            "combinations; at most 2,000 are allowed",
            "what fits: repeats: 2000", id="10**18",
        ),
    ],
)  # fmt: skip
def test_the_message_has_the_arithmetic_and_the_largest_cuts(
    sizes: tuple[int, int, int, int], message: str, hint: str
) -> None:
    packs, agents, models = ([f"n{number}" for number in range(size)] for size in sizes[:3])
    start = time.process_time()
    diagnostics = _refused(
        lambda: _manifest(packs=packs, agents=_agents(*agents), models=models, repeats=sizes[3])
    )
    assert time.process_time() - start < 0.5
    assert [(d.code, d.message, d.hint) for d in diagnostics] == [
        ("too-many-combinations", message, hint)
    ]


def test_a_caller_may_ask_for_less() -> None:
    manifest = _manifest(packs=["p", "q"], repeats=5)
    assert len(expand(manifest, max_combinations=10)) == 10
    diagnostics = _refused(lambda: expand(manifest, max_combinations=9))
    assert [(d.code, d.pointer, d.message, d.hint) for d in diagnostics] == [
        (
            "too-many-combinations",
            "/repeats",
            "2 packs x 1 agent x 5 repeats = 10 combinations; at most 9 are allowed",
            "what fits: repeats: 4, or 1 pack",
        )
    ]
    result = check_data(manifest.to_dict(), max_combinations=9)
    assert (result.ok, result.manifest, result.diagnostics) == (False, manifest, diagnostics)


def test_cap_and_collisions_are_told_together() -> None:
    text = "schema: evalset/v1\nname: n\npacks: [p, p]\nagents: [{deployment: a}]\nrepeats: 5\n"
    diagnostics = _refused(lambda: expand(loads(text, name="a"), max_combinations=9))
    assert [(d.code, str(d.span)) for d in diagnostics] == [
        ("duplicate-pack", "a:3:12"),
        ("too-many-combinations", "a:5:10"),
    ]


@pytest.mark.parametrize("cap", [0, -1, 2001, 10**30, True, False, 1.0, "5", None])
def test_a_cap_is_a_whole_number_from_1_to_2000(cap: Any) -> None:  # noqa: ANN401 (all kinds)
    manifest = _manifest()
    for use in (
        lambda: expand(manifest, max_combinations=cap),
        lambda: check_data(manifest.to_dict(), max_combinations=cap),
    ):
        with pytest.raises(ValueError, match=r"^max_combinations is .*1 to 2000$"):
            use()


@pytest.mark.parametrize("key_by", ["pack", "Label", "", None, 1])
def test_a_dialect_is_label_or_deployment(key_by: Any) -> None:  # noqa: ANN401 (all kinds)
    manifest = _manifest()
    with pytest.raises(ValueError, match=r"^key_by is .*'label' or 'deployment'$"):
        expand(manifest, key_by=key_by)
    if key_by is not None:  # None asks a check not to look at keys
        with pytest.raises(ValueError, match=r"^key_by is .*'label' or 'deployment'$"):
            check_data(manifest.to_dict(), key_by=key_by)
