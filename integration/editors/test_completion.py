"""What an editor proposes where: every mapping level, every enumeration, every snippet.

golden/completion.txt records each proposal with the text that it inserts.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from integration.editors.corpus import BASE
from integration.editors.golden import assert_golden
from integration.editors.lsp import Json, Server, apply, cursor

import evalset
from evalset.rules import BUILT_IN_SCANNERS, KEYS
from evalset.shapes import is_mapping
from evalset.sources import Format

GOOD = "\n".join(BASE.values()) + "\n"
ABOVE = "\n".join(BASE[key] for key in ("schema", "name", "packs")) + "\n"

# Where the cursor stands, in YAML; `good` and `above` are the lines before it.
PLACES = {
    "an empty file": "|",
    "below schema": "schema: evalset/v1\n|",
    "a key begun": "schema: evalset/v1\nna|",
    "below a whole manifest": f"{GOOD}|",
    "an optional key begun": f"{GOOD}re|",
    "schema": "schema: |\n",
    "name": "name: |\n",
    "packs": "packs: |",
    "a pack": "packs:\n  - |",
    "agents": f"{ABOVE}agents: |",
    "an agent": f"{ABOVE}agents:\n  - |",
    "a second agent": f"{ABOVE}agents:\n  - deployment: a\n  - |",
    "an agent's second key": f"{ABOVE}agents:\n  - deployment: a\n    |",
    "deployment": f"{ABOVE}agents:\n  - deployment: |\n",
    "a model": f"{GOOD}models:\n  - |",
    "repeats": f"{GOOD}repeats: |",
    "seeds": f"{GOOD}seeds: |",
    "in seeds": f"{GOOD}seeds:\n  |",
    "in explicit seeds": f"{GOOD}seeds:\n  strategy: explicit\n  |",
    "strategy": f"{GOOD}seeds:\n  strategy: |",
    "a strategy begun": f"{GOOD}seeds:\n  strategy: ex|",
    "strategy in braces": f"{GOOD}seeds: {{strategy: |}}",
    "a seed": f"{GOOD}seeds:\n  strategy: explicit\n  seeds:\n    - |",
    "limits": f"{GOOD}limits: |",
    "in limits": f"{GOOD}limits:\n  |",
    "a limit's value": f"{GOOD}limits:\n  budget_usd: |",
    "case fan-out": f"{GOOD}case_fanout: |",
    "scanners": f"{GOOD}scanners: |",
    "a scanner": f"{GOOD}scanners:\n  - |",
    "a second scanner": f"{GOOD}scanners:\n  - tool-misuse\n  - |",
    "a scanner begun": f"{GOOD}scanners:\n  - re|",
}
JSON_PLACES = {
    "an empty file": "|",
    "an empty mapping": "{|}",
    "schema": '{"schema": |}',
    "a second key": '{"schema": "evalset/v1", |}',
    "an agent": '{"agents": [{|}]}',
    "in seeds": '{"seeds": {|}}',
    "strategy": '{"seeds": {"strategy": |}}',
    "in limits": '{"limits": {|}}',
    "a scanner": '{"scanners": [|]}',
}

Proposals = dict[str, tuple[str, list[Json]]]


@pytest.fixture(scope="module")
def proposals(yaml_editor: Server, work: Path) -> Proposals:
    return dict(_propose(yaml_editor, PLACES, work, "yaml"))


@pytest.fixture(scope="module")
def json_proposals(json_editor: Server, work: Path) -> Proposals:
    return dict(_propose(json_editor, JSON_PLACES, work, "json"))


def test_proposals_are_as_recorded(proposals: Proposals, json_proposals: Proposals) -> None:
    parts: list[str] = []
    for server, given in (("yaml-language-server", proposals), ("VS Code JSON", json_proposals)):
        for place, (text, items) in given.items():
            parts += [f"=== {server}: {place}\n"]
            parts += [f"    {line}\n" for line in text.removeprefix(GOOD).split("\n")]
            parts += [f"{item['label']}\n    {json.dumps(_inserted(item))}\n" for item in items]
    assert_golden("completion.txt", "".join(parts))


@pytest.mark.parametrize(
    ("place", "keys"),
    [
        pytest.param("below schema", KEYS[""][1:], id="manifest"),
        pytest.param("below a whole manifest", KEYS[""][4:], id="optional keys"),
        pytest.param("an agent", KEYS["agents"], id="agent"),
        pytest.param("a second agent", KEYS["agents"], id="second agent"),
        pytest.param("an agent's second key", ("label",), id="rest of an agent"),
        pytest.param("in seeds", KEYS["seeds"], id="seeds"),
        pytest.param("in explicit seeds", ("seeds",), id="rest of seeds"),
        pytest.param("in limits", KEYS["limits"], id="limits"),
    ],
)
def test_every_key_that_is_not_there_yet_is_proposed(
    place: str, keys: tuple[str, ...], proposals: Proposals
) -> None:
    labels = [item["label"] for item in proposals[place][1] if item["kind"] == 10]
    assert sorted(labels) == sorted(keys)


@pytest.mark.parametrize(
    ("place", "values"),
    [
        pytest.param("schema", {"evalset/v1"}, id="schema"),
        pytest.param("strategy", {"auto", "explicit", "null"}, id="strategy"),
        pytest.param("a strategy begun", {"auto", "explicit", "null"}, id="strategy begun"),
        pytest.param("strategy in braces", {"auto", "explicit", "null"}, id="strategy in braces"),
        pytest.param("case fan-out", {"true", "false", "null"}, id="case fan-out"),
        pytest.param("a scanner", {*BUILT_IN_SCANNERS}, id="scanner"),
        pytest.param("a second scanner", {*BUILT_IN_SCANNERS}, id="second scanner"),
        pytest.param("a scanner begun", {*BUILT_IN_SCANNERS}, id="scanner begun"),
    ],
)
def test_every_value_of_an_enumeration_is_proposed(
    place: str, values: set[str], proposals: Proposals
) -> None:
    assert {item["label"] for item in proposals[place][1]} == values


def test_proposed_values_are_described(proposals: Proposals, json_proposals: Proposals) -> None:
    for given in (proposals, json_proposals):
        for place in ("a scanner", "strategy"):
            for item in given[place][1]:
                assert item["label"] == "null" or len(_documentation(item)) > 20, item


def test_every_proposed_key_is_described_as_in_the_schema(proposals: Proposals) -> None:
    schema = evalset.json_schema(editor=True)
    for item in proposals["below schema"][1]:
        if item["kind"] == 10:
            expected = schema["properties"][item["label"]]["markdownDescription"]
            assert _documentation(item).startswith(expected)


@pytest.mark.parametrize("label", ["evalset manifest", "evalset manifest with explicit seeds"])
def test_a_snippet_makes_a_whole_manifest(label: str, proposals: Proposals) -> None:
    text, items = proposals["below schema"]
    assert _check(_take(text, _named(label, items))) == []


@pytest.mark.parametrize("label", ["evalset manifest", "evalset manifest with explicit seeds"])
def test_a_snippet_makes_a_whole_manifest_in_json(label: str, json_proposals: Proposals) -> None:
    text, items = json_proposals["an empty file"]
    assert _check(_take(text, _named(label, items)), "json") == []


@pytest.mark.parametrize(
    ("place", "keys"),
    [
        pytest.param("an empty mapping", KEYS[""], id="manifest"),
        pytest.param("a second key", KEYS[""][1:], id="rest of a manifest"),
        pytest.param("an agent", KEYS["agents"], id="agent"),
        pytest.param("in seeds", KEYS["seeds"], id="seeds"),
        pytest.param("in limits", KEYS["limits"], id="limits"),
    ],
)
def test_every_key_is_proposed_in_json(
    place: str, keys: tuple[str, ...], json_proposals: Proposals
) -> None:
    assert [item["label"] for item in json_proposals[place][1]] == sorted(keys)


def test_a_snippet_labels_agents(proposals: Proposals) -> None:
    text, items = proposals["below schema"]
    made = _take(text, _named("labelled agents", items))
    manifest = evalset.loads(f"{made}\n{BASE['name']}\n{BASE['packs']}\n")
    assert [agent.label for agent in manifest.agents] == ["opus", "gpt"]


@pytest.mark.parametrize("place", ["seeds", "in seeds", "in explicit seeds"])
def test_a_snippet_gives_explicit_seeds(place: str, proposals: Proposals) -> None:
    text, items = proposals[place]
    assert _check(f"{_take(text, _named('explicit seeds', items))}\nrepeats: 3\n") == []


@pytest.mark.parametrize("place", ["limits", "in limits"])
def test_a_snippet_gives_limits(place: str, proposals: Proposals) -> None:
    text, items = proposals[place]
    snippet = _named("limits", [item for item in items if item["kind"] != 10])
    assert _check(_take(text, snippet)) == []


def test_no_snippet_is_left_out_above() -> None:
    def labels(schema: object) -> Iterator[str]:
        if is_mapping(schema):
            yield from (snippet["label"] for snippet in schema.get("defaultSnippets", []))
            for value in schema.values():
                yield from labels(value)

    assert {*labels(evalset.json_schema(editor=True))} == {
        "evalset manifest", "evalset manifest with explicit seeds", "labelled agents",
        "explicit seeds", "limits",
    }  # fmt: skip


def test_what_a_proposal_fills_in_is_taken(proposals: Proposals) -> None:
    """Whatever an author accepts without typing on, the library does not call wrong.

    What is still to be typed is missing, null or blank then; that alone may be said.
    """
    unfinished = {
        "missing-key", "null-value", "blank-text", "seeds-count", "missing-seeds",
        "seeds-without-explicit",
    }  # fmt: skip
    for place, (text, items) in proposals.items():
        for item in items if text.startswith(ABOVE) else []:
            found = {d.code for d in evalset.check_text(_take(text, item)).diagnostics}
            assert found <= unfinished, (place, item["label"], _take(text, item))


def _propose(
    server: Server, places: dict[str, str], work: Path, language: str
) -> Iterator[tuple[str, tuple[str, list[Json]]]]:
    for number, (name, marked) in enumerate(places.items()):
        text, place = cursor(marked)
        path = work / f"{number}.completed.evalset.{language}"
        uri = server.open(path, text, language=language)
        server.diagnostics(uri)  # or it may not have read the schema yet
        yield name, (marked, server.complete(uri, place))


def _named(label: str, items: list[Json]) -> Json:
    [item] = [item for item in items if item["label"] == label]
    return item


def _inserted(item: Json) -> str:
    text: str = item["textEdit"]["newText"] if "textEdit" in item else item["insertText"]
    return text


def _documentation(item: Json) -> str:
    documentation = item.get("documentation", "")
    text: str = documentation["value"] if is_mapping(documentation) else documentation
    return text


def _take(marked: str, item: Json) -> str:
    """Accept a proposal as an author does who leaves each tab stop as it is.

    Editors indent what is inserted as deep as the line on which it begins.
    """
    text, place = cursor(marked)
    line = text.split("\n")[place.line]
    indent = line[: len(line) - len(line.lstrip(" "))]
    filled = re.sub(r"\$\{\d+:?([^}]*)\}|\$\d+", lambda stop: stop[1] or "", _inserted(item))
    return apply(text, [{**item["textEdit"], "newText": filled.replace("\n", f"\n{indent}")}])


def _check(text: str, format: Format = "yaml") -> list[str]:
    return [str(each) for each in evalset.check_text(text, format=format).diagnostics]
