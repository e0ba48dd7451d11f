"""Editing changes what was asked for, and nothing else."""

from collections.abc import Callable

import pytest

from evalset import ManifestError, SelectionError, loads
from evalset.editing import (
    add_agent,
    add_pack,
    remove_pack,
    replace_ref,
    set_label,
    set_limit,
    set_repeats,
)
from evalset.edits import Edit
from evalset.rewriting import rewrite
from evalset.rules import Finding
from evalset.sources import Source

HEAD = "schema: evalset/v1\nname: n\n"
SHORT = HEAD + "packs: [p]\nagents: [{deployment: a}]\n"

_Edit = Callable[[str], str]


def repeats(number: int) -> _Edit:
    return lambda text: set_repeats(text, number)


def pack(ref: str) -> _Edit:
    return lambda text: add_pack(text, ref)


def no_pack(ref: str) -> _Edit:
    return lambda text: remove_pack(text, ref)


def agent(deployment: str, label: str | None = None) -> _Edit:
    return lambda text: add_agent(text, deployment, label=label)


def labelled(name: str | int, label: str | None) -> _Edit:
    return lambda text: set_label(text, name, label)


def budget(value: float | None) -> _Edit:
    return lambda text: set_limit(text, "budget_usd", value)


def runs(value: int | None) -> _Edit:
    return lambda text: set_limit(text, "max_concurrent_runs", value)


def ref(old: str, new: str) -> _Edit:
    return lambda text: replace_ref(text, old, new)


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        pytest.param(
            repeats(5),
            "repeats: 3 # thrice\npacks: [p]\nagents: [{deployment: a}]\n",
            "repeats: 5 # thrice\npacks: [p]\nagents: [{deployment: a}]\n",
            id="repeats that are there",
        ),
        pytest.param(
            repeats(5),
            "packs: [p]\nagents:\n  - deployment: a\n  # - deployment: b\n\ncase_fanout: true\n",
            "packs: [p]\nagents:\n  - deployment: a\n  # - deployment: b\nrepeats: 5\n\n"
            "case_fanout: true\n",
            id="repeats that are missing, behind the axes and what is commented out there",
        ),
        pytest.param(
            repeats(5),
            "packs: [p]\nagents: [{deployment: a}]\nrepeats:\n",
            "packs: [p]\nagents: [{deployment: a}]\nrepeats: 5\n",
            id="repeats that are nothing",
        ),
        pytest.param(
            repeats(5),
            "packs: [p]\nagents: [{deployment: a}]\nrepeats: !!null ~ # once\n",
            "packs: [p]\nagents: [{deployment: a}]\nrepeats: 5 # once\n",
            id="repeats that are null",
        ),
        pytest.param(
            repeats(5),
            "packs: [p]\nagents: [{deployment: a}]\nrepeats: !!int &r 3\n",
            "packs: [p]\nagents: [{deployment: a}]\nrepeats: !!int &r 5\n",
            id="repeats behind a tag and an anchor",
        ),
        pytest.param(
            pack("catalog/x"),
            "packs:\n  - a # first\n  - 'b'\n  # - c\nagents: [{deployment: a}]\n",
            "packs:\n  - a # first\n  - 'b'\n  - 'catalog/x'\n  # - c\nagents: [{deployment: a}]\n",
            id="a pack below others",
        ),
        pytest.param(
            pack("010"),
            "packs:\n-   a\n# below\nagents: [{deployment: a}]\n",
            'packs:\n-   a\n-   "010"\n# below\nagents: [{deployment: a}]\n',
            id="a pack behind a wide dash, with the quotes that it needs",
        ),
        pytest.param(
            pack("x"),
            "packs:\n-\n  a\nagents: [{deployment: a}]\n",
            "packs:\n-\n  a\n- x\nagents: [{deployment: a}]\n",
            id="a pack below one that stands below its dash",
        ),
        pytest.param(
            pack("x"),
            "packs: [a]\nagents: [{deployment: a}]\n",
            "packs: [a, x]\nagents: [{deployment: a}]\n",
            id="a pack in brackets",
        ),
        pytest.param(
            pack("x"),
            "packs: [\n  a, # first\n  b # second\n]\nagents: [{deployment: a}]\n",
            "packs: [\n  a, # first\n  b, x # second\n]\nagents: [{deployment: a}]\n",
            id="a pack behind comments in brackets",
        ),
        pytest.param(
            pack("x"),
            "packs: [a,\n  b,\n]\nagents: [{deployment: a}]\n",
            "packs: [a,\n  b,\n  x,\n]\nagents: [{deployment: a}]\n",
            id="a pack before a last comma",
        ),
        pytest.param(
            pack("x"),
            "x-p: &p a\npacks:\n- *p\nagents: [{deployment: a}]\n",
            "x-p: &p a\npacks:\n- *p\n- x\nagents: [{deployment: a}]\n",
            id="a pack behind an alias",
        ),
        pytest.param(
            no_pack("a"),
            "packs:\n  # the first\n  - a # old\n  - b\nagents: [{deployment: a}]\n",
            "packs:\n  # the first\n  - b\nagents: [{deployment: a}]\n",
            id="no longer a pack, nor the comment in its line",
        ),
        pytest.param(
            no_pack("b"),
            "agents: [{deployment: a}]\npacks:\n- a\n- b",
            "agents: [{deployment: a}]\npacks:\n- a",
            id="no longer the last line",
        ),
        pytest.param(
            no_pack("a"),
            "? packs\n: - a\n  - b\nagents: [{deployment: a}]\n",
            "? packs\n: - b\nagents: [{deployment: a}]\n",
            id="no longer the first pack, which stands behind a colon",
        ),
        pytest.param(
            no_pack("b"),
            "packs: [a, b, c]\nagents: [{deployment: a}]\n",
            "packs: [a, c]\nagents: [{deployment: a}]\n",
            id="no longer a pack in brackets",
        ),
        pytest.param(
            no_pack("c"),
            "packs: [a, b, c]\nagents: [{deployment: a}]\n",
            "packs: [a, b]\nagents: [{deployment: a}]\n",
            id="no longer the last pack in brackets",
        ),
        pytest.param(
            no_pack("a"),
            "packs: [\n  a, # first\n  b\n]\nagents: [{deployment: a}]\n",
            "packs: [\n   # first\n  b\n]\nagents: [{deployment: a}]\n",
            id="no longer a pack before a comment in brackets",
        ),
        pytest.param(
            no_pack("b"),
            "packs: [\n  a, # first\n  b\n]\nagents: [{deployment: a}]\n",
            "packs: [\n  a # first\n  \n]\nagents: [{deployment: a}]\n",
            id="no longer a pack behind a comment in brackets",
        ),
        pytest.param(
            no_pack("a"),
            "packs: [a, b, a]\nagents: [{deployment: a}]\n",
            "packs: [b]\nagents: [{deployment: a}]\n",
            id="no longer a pack that stood there twice",
        ),
        pytest.param(
            agent("b", "yes"),
            "packs: [p]\nagents:\n- deployment: a # main\n  # of ours\nrepeats: 2\n",
            "packs: [p]\nagents:\n- deployment: a # main\n  # of ours\n- deployment: b\n"
            '  label: "yes"\nrepeats: 2\n',
            id="an agent in lines",
        ),
        pytest.param(
            agent("b", "c d"),
            "packs: [p]\nagents:\n  - {deployment: a}\n",
            "packs: [p]\nagents:\n  - {deployment: a}\n  - {deployment: b, label: c d}\n",
            id="an agent in braces, each in a line",
        ),
        pytest.param(
            agent("b"),
            "packs: [p]\nagents: [{deployment: a}, {'deployment': c}]\n",
            "packs: [p]\nagents: [{deployment: a}, {'deployment': c}, {'deployment': 'b'}]\n",
            id="an agent in braces in brackets, quoted as the last one",
        ),
        pytest.param(
            agent("b"),
            "packs: [p]\nx-a: &a {deployment: a}\nagents: [*a]\n",
            "packs: [p]\nx-a: &a {deployment: a}\nagents: [*a, {deployment: b}]\n",
            id="an agent behind an alias in brackets",
        ),
        pytest.param(
            agent("b"),
            "packs: [p]\nx-a: &a {deployment: a}\nagents:\n- *a\n",
            "packs: [p]\nx-a: &a {deployment: a}\nagents:\n- *a\n- deployment: b\n",
            id="an agent below an alias",
        ),
        pytest.param(
            agent("b"),
            "packs: [p]\nagents:\n- deployment: a\n  x-note:\nscanners:\n",
            "packs: [p]\nagents:\n- deployment: a\n  x-note:\n- deployment: b\nscanners:\n",
            id="an agent below one that ends in nothing",
        ),
        pytest.param(
            labelled("a", "x"),
            "packs: [p]\nagents:\n- deployment: a # main\n- deployment: b\n",
            "packs: [p]\nagents:\n- deployment: a # main\n  label: x\n- deployment: b\n",
            id="a first label",
        ),
        pytest.param(
            labelled("a", "l"),
            "packs: [p]\nagents: [{deployment: a, label}, {label, deployment: b}]\n",
            "packs: [p]\nagents: [{deployment: a, label: l}, {label, deployment: b}]\n",
            id="a label in the place of a key alone",
        ),
        pytest.param(
            agent("b"),
            "packs: [p]\nagents: [{deployment: a, label}]\n",
            "packs: [p]\nagents: [{deployment: a, label}, {deployment: b}]\n",
            id="an agent behind one that ends in a key alone",
        ),
        pytest.param(
            labelled(0, "l"),
            "x-d: &d a\npacks: [p]\nagents:\n- deployment: *d\n",
            "x-d: &d a\npacks: [p]\nagents:\n- deployment: *d\n  label: l\n",
            id="a label below an alias",
        ),
        pytest.param(
            labelled("l", "it's"),
            "packs: [p]\nagents:\n- deployment: a\n- {label: 'l', deployment: b}\n",
            "packs: [p]\nagents:\n- deployment: a\n- {label: \"it's\", deployment: b}\n",
            id="another label",
        ),
        pytest.param(
            labelled(1, None),
            "packs: [p]\nagents:\n- deployment: a\n- label: l # ours\n  deployment: a\n",
            "packs: [p]\nagents:\n- deployment: a\n- deployment: a\n",
            id="no label at the dash",
        ),
        pytest.param(
            labelled("*", None),
            "packs: [p]\nagents: [{deployment: a, label: l}]\n",
            "packs: [p]\nagents: [{deployment: a}]\n",
            id="no label in braces",
        ),
        pytest.param(
            budget(50),
            "packs: [p]\nagents: [{deployment: a}]\nseeds:\n    strategy: auto\n"
            "case_fanout: true\n",
            "packs: [p]\nagents: [{deployment: a}]\nseeds:\n    strategy: auto\nlimits:\n"
            "    budget_usd: 50\ncase_fanout: true\n",
            id="limits that are missing, indented as others are",
        ),
        pytest.param(
            budget(0.5),
            "packs: [p]\nagents: [{deployment: a}]\nlimits:",
            "packs: [p]\nagents: [{deployment: a}]\nlimits: {budget_usd: 0.5}",
            id="limits that are nothing",
        ),
        pytest.param(
            budget(1e300),
            "packs: [p]\nagents: [{deployment: a}]\nlimits: { } # none\n",
            "packs: [p]\nagents: [{deployment: a}]\nlimits: { budget_usd: 1e+300} # none\n",
            id="limits that are empty",
        ),
        pytest.param(
            runs(4),
            "packs: [p]\nagents: [{deployment: a}]\nlimits:\n  budget_usd: 5 # dollars\n",
            "packs: [p]\nagents: [{deployment: a}]\nlimits:\n  max_concurrent_runs: 4\n"
            "  budget_usd: 5 # dollars\n",
            id="a limit before another",
        ),
        pytest.param(
            runs(4),
            "packs: [p]\nagents: [{deployment: a}]\nlimits: {budget_usd: 5}\n",
            "packs: [p]\nagents: [{deployment: a}]\n"
            "limits: {max_concurrent_runs: 4, budget_usd: 5}\n",
            id="a limit before another in braces",
        ),
        pytest.param(
            runs(None),
            "packs: [p]\nagents: [{deployment: a}]\nlimits:\n  max_concurrent_runs: 4 # at once\n",
            "packs: [p]\nagents: [{deployment: a}]\nlimits:\n",
            id="no limit any more",
        ),
        pytest.param(
            runs(0),
            "packs: [p]\nagents: [{deployment: a}]\nlimits: {max_concurrent_runs: 4}\n",
            "packs: [p]\nagents: [{deployment: a}]\nlimits: {}\n",
            id="no limit any more in braces",
        ),
        pytest.param(
            ref("a", "a b"),
            "packs: ['a', b]\nagents:\n- {deployment: a, label: a}\n- deployment: >-\n    a\n",
            "packs: ['a b', b]\nagents:\n- {deployment: a b, label: a}\n- deployment: a b\n",
            id="a reference, wherever it stands",
        ),
        pytest.param(
            budget(5),
            "packs: [p]\nagents: [{deployment: a}]\n<<: {repeats: 4}\n"
            "x-limits: &l {budget_usd: 4}\n",
            "packs: [p]\nagents: [{deployment: a}]\nlimits:\n  budget_usd: 5\n<<: {repeats: 4}\n"
            "x-limits: &l {budget_usd: 4}\n",
            id="beside a merge",
        ),
    ],
)  # fmt: skip
def test_what_was_asked_for_changes_and_nothing_else(edit: _Edit, before: str, after: str) -> None:
    assert edit(HEAD + before) == HEAD + after
    lines = HEAD.replace("\n", "\r\n"), before.replace("\n", "\r\n"), after.replace("\n", "\r\n")
    assert edit(f"\ufeff{lines[0]}{lines[1]}") == f"\ufeff{lines[0]}{lines[2]}"


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(repeats(1), id="repeats"),
        pytest.param(pack(" p "), id="a pack"),
        pytest.param(agent("a"), id="an agent"),
        pytest.param(labelled(0, None), id="a label"),
        pytest.param(budget(None), id="a limit"),
        pytest.param(ref("p", "p"), id="a reference"),
    ],
)
def test_a_text_that_means_so_already_stays_as_it_is(edit: _Edit) -> None:
    assert edit(SHORT) == SHORT


PRETTY = """\
{
  "schema": "evalset/v1",
  "name": "n",
  "packs": ["p"],
  "agents": [
    {
      "deployment": "a",
      "label": null
    }
  ],
  "limits": null
}
"""


def all_edits(text: str) -> str:
    text = replace_ref(add_pack(set_repeats(text, 2), "x"), "p", "010")
    text = set_label(add_agent(text, "b", label="c"), "a", "main")
    return set_limit(set_limit(text, "budget_usd", 5), "max_concurrent_runs", 4)


def test_json_stays_json() -> None:
    assert (
        all_edits(PRETTY)
        == """\
{
  "schema": "evalset/v1",
  "name": "n",
  "packs": ["010", "x"],
  "agents": [
    {
      "deployment": "a",
      "label": "main"
    },
    {
      "deployment": "b",
      "label": "c"
    }
  ],
  "repeats": 2,
  "limits": {"max_concurrent_runs": 4, "budget_usd": 5}
}
"""
    )


def test_json_without_spaces_stays_so() -> None:
    text = '{"schema":"evalset/v1","name":"n","packs":["p"],"agents":[{"deployment":"a"}]}'
    assert all_edits(text) == (
        '{"schema":"evalset/v1","name":"n","packs":["010","x"],"agents":[{"deployment":"a",'
        '"label":"main"},{"deployment":"b","label":"c"}],"repeats":2,'
        '"limits":{"max_concurrent_runs":4,"budget_usd":5}}'
    )


def test_an_empty_mapping_of_json_gets_keys_in_quotes() -> None:
    text = PRETTY.replace("null", "{}").replace('"label": {}', '"x-a": {}')
    assert '"limits": {"budget_usd": 5}' in set_limit(text, "budget_usd", 5)


def test_a_manifest_inside_a_larger_document_is_edited() -> None:
    text = "run: 1\nmanifest:\n  schema: evalset/v1\n  name: n\n  packs: [p]\n  agents:\n"
    text += "  - deployment: a\nafter: 1\n"
    edited = set_limit(set_repeats(text, 2, at="/manifest"), "budget_usd", 5, at="/manifest")
    assert edited == text.replace("after", "  repeats: 2\n  limits:\n    budget_usd: 5\nafter")


def test_what_a_newer_writer_wrote_can_be_kept() -> None:
    text = f"{SHORT}newer: 1\n"
    assert set_repeats(text, 2, unknown="keep") == f"{SHORT}repeats: 2\nnewer: 1\n"
    with pytest.raises(ManifestError, match="unknown-key"):
        set_repeats(text, 2)


REPEATS = "an alias or a merge repeats this value in another place"
COMES = "it comes from an alias or a merge"
BREAKS = "an edit would break the way in which this text is written"


@pytest.mark.parametrize(
    ("edit", "text", "refusal"),
    [
        pytest.param(
            repeats(2), "x-n: &n 3\nrepeats: *n\npacks: [p]\nagents: [{deployment: a}]\n",
            f"3:6: error[not-editable] repeats can't be edited: {REPEATS}", id="an alias",
        ),
        pytest.param(
            pack("x"), "packs: &p [p]\nmodels: *p\nagents: [{deployment: a}]\n",
            f"3:8: error[not-editable] packs can't be edited: {REPEATS}", id="a shared list",
        ),
        pytest.param(
            no_pack("q"), "packs: [p, &q q]\nmodels: [*q]\nagents: [{deployment: a}]\n",
            f"3:12: error[not-editable] packs[1] can't be edited: {REPEATS}", id="a shared pack",
        ),
        pytest.param(
            labelled("b", "c"),
            "packs: [p]\nagents:\n- &a {deployment: a, label: l}\n- <<: *a\n  deployment: b\n",
            f"5:29: error[not-editable] agents[1].label can't be edited: {REPEATS}", id="a merge",
        ),
        pytest.param(
            labelled("b", "l"), "packs: [p]\nagents: [{&k x-k: 1, deployment: b, label: *k}]\n",
            f"4:11: error[not-editable] agents[0].label can't be edited: {COMES}",
            id="the alias of a key",
        ),
        pytest.param(
            agent("b"), "packs: [p]\nagents:\n- deployment: a\n  x-a: |+\n    text\n\nmodels: []\n",
            f"1:1: error[not-editable] the manifest can't be edited: {BREAKS}",
            id="a text that keeps the empty lines behind it",
        ),
    ],
)  # fmt: skip
def test_what_an_edit_would_change_elsewhere_is_refused(
    edit: _Edit, text: str, refusal: str
) -> None:
    with pytest.raises(ManifestError) as caught:
        edit(HEAD + text)
    hint = "write the value there by itself, or edit by hand"
    assert str(caught.value) == f"<text>:{refusal}\n    hint: {hint}"


def test_a_text_that_is_no_manifest_is_refused() -> None:
    with pytest.raises(ManifestError, match=r"^a\.yaml:1:9: error\[yaml-syntax\]"):
        set_repeats("packs: [", 2, name="a.yaml")


def test_what_would_break_a_rule_is_refused() -> None:
    seeded = f"{SHORT}repeats: 2\nseeds: {{strategy: explicit, seeds: [1, 2]}}\n"
    with pytest.raises(ManifestError, match="seeds-count"):
        set_repeats(seeded, 3)
    with pytest.raises(ManifestError, match="empty-list"):
        remove_pack(SHORT, "p")
    with pytest.raises(ManifestError, match="blank-text"):
        add_agent(SHORT, " ")


def test_a_text_that_is_too_large_for_places_is_refused() -> None:
    name = "n" * 300_000
    text = f"schema: evalset/v1\nname: {name}\npacks:\n  - p\nagents:\n  - deployment: a\n"
    with pytest.raises(ManifestError, match="too-large"):
        set_repeats(text, 2)


def test_what_is_not_there_is_an_error() -> None:
    with pytest.raises(SelectionError, match='no pack matches "q"; there is "p"'):
        remove_pack(SHORT, "q")
    with pytest.raises(SelectionError, match='no reference matches "q"; there are "p", "a"'):
        replace_ref(SHORT, "q", "r")
    for agent in (1, -1, "b"):
        with pytest.raises(SelectionError, match=f'no agent matches "{agent}"; there is "a"'):
            set_label(SHORT, agent, "x")


def test_several_agents_are_not_labelled_at_once() -> None:
    text = add_agent(SHORT, "a", label="b")
    with pytest.raises(SelectionError) as caught:
        set_label(text, "a", "c")
    assert str(caught.value) == '"a" means several agents; give the place of one: 0, 1'
    assert loads(set_label(text, 0, "c")).agents[0].label == "c"


def test_what_can_no_longer_be_read_is_refused() -> None:
    source = Source(name="a.yaml", text=SHORT)
    with pytest.raises(ManifestError) as caught:
        rewrite(
            source,
            loads(SHORT),
            [((), lambda _: [Edit(0, 0, "[")])],
            refuse=lambda path, reason: Finding("not-editable", reason, path),
            unknown="error",
        )
    assert str(caught.value) == f"a.yaml:1:1: error[not-editable] {BREAKS}"


def test_arguments_have_their_types() -> None:
    with pytest.raises(TypeError, match="a text is str, not bytes"):
        set_repeats(SHORT.encode(), 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="limit is 'budget'; it is 'max_concurrent_runs' or"):
        set_limit(SHORT, "budget", 2)  # type: ignore[arg-type]
