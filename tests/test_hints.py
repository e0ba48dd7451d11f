"""What beginners write, and the hint that they need: each fault told once, with what to write."""

import pytest
from tests.shell import run

from evalset import check_text
from evalset.keys import KeyBy
from evalset.rules import KEYS

GOOD = {
    "schema": "schema: evalset/v1",
    "name": "name: sweep",
    "packs": "packs: [p]",
    "agents": "agents: [{deployment: a}]",
}


def told(text: str, key_by: KeyBy = "label") -> list[tuple[str, str]]:
    """Give message and hint of each finding."""
    found = check_text(text, format="yaml", key_by=key_by).diagnostics
    return [(each.message, each.hint or "") for each in found]


def manifest(*lines: str, without: str = "") -> str:
    """Change or add entries of a good manifest; an entry's key says which one it replaces."""
    entries = {**GOOD, **{line.partition(":")[0]: line for line in lines}}
    return "".join(f"{line}\n" for key, line in entries.items() if key != without)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            manifest("nmae: sweep", without="name"),
            [('"nmae" is no key of the manifest', "did you mean name, which is missing?")],
            id="a misspelt required key is told once",
        ),
        pytest.param(
            manifest("Pack: [p]", "AGENTS: [{deployment: a}]", without="packs"),
            [('"Pack" is no key of the manifest', "did you mean packs, which is missing?"),
             ('"AGENTS" is no key of the manifest',
              "agents stands there already; remove one of the two")],
            id="case does not count",
        ),
        pytest.param(
            manifest("limits: {maxConcurrentRuns: 3, budget-usd: 3}"),
            [('"maxConcurrentRuns" is no key of limits', "did you mean max_concurrent_runs?"),
             ('"budget-usd" is no key of limits', "did you mean budget_usd?")],
            id="nor do words run together and dashes",
        ),
        pytest.param(
            manifest("agents: [{name: a}, {id: b}, {Agent: c}, {deployment: e, name: f}]"),
            [('"name" is no key of agents[0]', "did you mean deployment, which is missing?"),
             ('"id" is no key of agents[1]', "did you mean deployment, which is missing?"),
             ('"Agent" is no key of agents[2]', "did you mean deployment, which is missing?"),
             ('"name" is no key of agents[3]', "did you mean label?")],
            id="what people call a deployment",
        ),
        pytest.param(
            manifest("agents: [{deployment: a, label: b, name: c, repeats: 3, model: m}]"),
            [('"name" is no key of agents[0]',
              "name stands at the top level already; remove it here"),
             ('"repeats" is no key of agents[0]', "repeats belongs at the top level"),
             ('"model" is no key of agents[0]',
              "models stand at the top level, in a list for all agents")],
            id="nothing belongs at the top that is there",
        ),
        pytest.param(
            manifest("agents: [{deploymnet: a, name: b}, {foo: c}]"),
            [('"deploymnet" is no key of agents[0]', "did you mean deployment, which is missing?"),
             ('"name" is no key of agents[0]', "did you mean deployment, which is missing?"),
             ("agents[1] has no deployment",
              'add the deployment\'s UUID or exact name, as in "deployment": "gpt-5-default"'),
             ('"foo" is no key of agents[1]',
              "known are deployment, label; your own start with x-")],
            id="a missing key that no other stands for",
        ),
        pytest.param(
            manifest("name:", "packs:", "agents:"),
            [("name is empty; text is required",
              "write a name for people, as in name: nightly-sweep"),
             ("packs is empty; a list is required",
              "write a list of packs, as in packs: [text-to-sql]"),
             ("agents is empty; a list is required",
              "write a list of agents, as in agents: [{deployment: gpt-5-default}]")],
            id="required keys without a value",
        ),
        pytest.param(
            manifest("title: sweep", "pack: p", "deployments: [a]", without="name"),
            [('"title" is no key of the manifest', "did you mean name, which is missing?"),
             ('"pack" is no key of the manifest',
              "packs stands there already; remove one of the two"),
             ('"deployments" is no key of the manifest', (f"known are {', '.join(KEYS[''])}; "
              "your own start with x-"))],
            id="what people call keys of the manifest",
        ),
        pytest.param(
            manifest("pack: p", without="packs"),
            [('"pack" is no key of the manifest',
              "did you mean packs, which is missing? It is a list")],
            id="a list of one under another name",
        ),
        pytest.param(
            manifest("packs:\n  a/b\n  c", "agents:\n  deployment: a", "models: m, n,",
                     "scanners: a b"),
            [('packs is the text "a/b c"; a list is wanted',
              "write each item on a line of its own, behind `- `"),
             ("agents is a mapping; a list is wanted",
              "write `- ` before the first key of each agent"),
             ('models is the text "m, n,"; a list is wanted', 'write ["m", "n"]'),
             ('scanners is the text "a b"; a list is wanted',
              "write each item on a line of its own, behind `- `")],
            id="lists without dashes",
        ),
        pytest.param(
            manifest("packs:\n  - id: a\n    version: 3", "agents:\n  - - a"),
            [("packs[0] is a mapping; text is wanted",
              "a pack is one text: a UUID, slug, slug@version or catalog/<slug>"),
             ("agents[0] is a list; a mapping is wanted",
              "write one dash, as in - deployment: gpt-5-default")],
            id="items of another shape",
        ),
        pytest.param(
            manifest("name:\tsweep"),
            [("a tab stands behind the colon", "write a space instead")],
            id="a tab behind a colon",
        ),
        pytest.param(
            manifest("packs:\n  -\tp"),
            [("a tab stands behind the dash", "write a space instead")],
            id="a tab behind a dash",
        ),
        pytest.param(
            manifest("limits:\t\n  budget_usd: 3"),
            [("a tab stands at the end of the line", "remove it")],
            id="a tab that nobody sees",
        ),
        pytest.param(
            manifest("limits: {budget_usd: 1,000}"),
            [('the comma ends the number before it; "000" is read as a key',
              "write 1000, without commas")],
            id="a number with a comma, in braces",
        ),
        pytest.param(
            manifest("limits: {budget_usd: 1,500,000.50, max_concurrent_runs: 12,000}"),
            [('the comma ends the number before it; "500" is read as a key',
              "write 1500000.50, without commas"),
             ('the comma ends the number before it; "000" is read as a key',
              "write 12000, without commas")],
            id="numbers with commas are told once each",
        ),
        pytest.param(
            manifest("limits: {budget_usd: 1,20, x-a: 0,200, 3000,400: 5}"),
            [('the key "20" is not text', 'write "20": with quotes'),
             ('the key "200" is not text', 'write "200": with quotes'),
             ('the key "3000" is not text', 'write "3000": with quotes'),
             ('the key "400" is not text', 'write "400": with quotes')],
            id="what is no number with commas",
        ),
        pytest.param(
            manifest("name: nightly: the sweep # x"),
            [("a second `: ` in one line", 'write name: "nightly: the sweep", with quotes')],
            id="a colon inside a text",
        ),
        pytest.param(
            manifest("name: it's: the 'sweep'"),
            [("a second `: ` in one line", "put a text that holds `: ` in quotes")],
            id="a colon inside a text with quotes",
        ),
    ],
)  # fmt: skip
def test_a_mistake_in_yaml_is_told_once_with_what_to_write(
    text: str, found: list[tuple[str, str]]
) -> None:
    assert told(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            '{"a": 010}', ('"010" is no JSON value', "write 10, or 8 if it was meant as octal"),
            id="a leading zero",
        ),
        pytest.param('{"a": 1_000}', ('"1_000" is no JSON value', "write 1000"), id="a dash below"),
        pytest.param('{"a": 1', ("the text ends where a `,` or `}` was expected",
                                 "close it with `}`"), id="an object that is not closed"),
        pytest.param('{"a": 1 "b": 2}', ("a `,` or `}` was expected here",
                                         "put a comma between the two"), id="no comma"),
    ],
)  # fmt: skip
def test_a_mistake_in_json_is_told_once_with_what_to_write(
    text: str, found: tuple[str, str]
) -> None:
    syntax = [each for each in check_text(text, format="json").diagnostics
              if each.code == "json-syntax"]  # fmt: skip
    assert [(each.message, each.hint) for each in syntax] == [found]


@pytest.mark.parametrize(
    ("agents", "key_by", "found"),
    [
        pytest.param(
            "[{deployment: a}, {deployment: a}]", "label",
            ('two agents have the deployment "a" and no label, so their matrix keys would be equal',
             "give this agent a label of its own, such as a-2"),
            id="one deployment twice",
        ),
        pytest.param(
            "[{deployment: a, label: x y}, {deployment: b, label: x y}, {deployment: x-y-2}]",
            "label",
            ('two agents have the label "x y", so their matrix keys would be equal',
             "give this agent a label of its own, such as x-y-3"),
            id="one label twice",
        ),
        pytest.param(
            "[{deployment: a, label: x1}, {deployment: a, label: x2}]", "deployment",
            ('two agents have the deployment "a", which alone stands in the matrix key here',
             "remove one of the two; labels do not count under the deployment dialect"),
            id="one deployment twice, where labels do not count",
        ),
    ],
)  # fmt: skip
def test_two_agents_of_one_key_are_told_why_and_what_would_part_them(
    agents: str, key_by: KeyBy, found: tuple[str, str]
) -> None:
    assert told(manifest(f"agents: {agents}"), key_by=key_by) == [found]


@pytest.mark.parametrize("end", ["", "\n", "\n\n\n", "  \n \n"])
def test_what_is_missing_at_the_end_is_told_behind_the_last_word(end: str) -> None:
    text = "schema: evalset/v1\nagents: [{deployment: a}"
    [found] = check_text(text + end).diagnostics
    assert found.span
    assert (found.span.line, found.span.column) == (2, 25)


def test_after_a_syntax_fault_the_text_output_says_that_the_rest_was_not_checked() -> None:
    note = "  note: what follows was not checked\n"
    assert run("check", "-", stdin="name: [\n")[1].count(note) == 1
    assert run("check", "-", stdin='{"a": 1, "b" 2}')[1].count(note) == 1
    assert note not in run("check", "-", stdin="name: 5\n")[1]
    assert note not in run("check", "-", stdin="x-a: " + "[" * 61 + "]" * 61)[1]


@pytest.mark.parametrize(
    ("text", "at", "is_unread"),
    [
        pytest.param("name: 5\n", "", False, id="faults"),
        pytest.param("name: {\n", "", True, id="a syntax fault"),
        pytest.param("name: 5\n", "/manifest", False, id="nothing there"),
        pytest.param("", "", False, id="nothing"),
    ],
)
def test_a_result_says_whether_all_was_read(text: str, at: str, is_unread: bool) -> None:  # noqa: FBT001
    assert check_text(text, at=at).is_unread is is_unread


def test_of_many_unknown_keys_some_are_held_against_what_is_missing() -> None:
    keys = "".join(f"key{number}: 1\n" for number in range(30))
    found = check_text(f"{keys}nmae: n\n").diagnostics
    missing = [each.message for each in found if each.code == "missing-key"]
    assert "the manifest has no name" in missing
