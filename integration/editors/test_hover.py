"""Over every key stands what the schema says of it, in both editors.

golden/hover.txt records the texts as they are shown.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from integration.editors.golden import assert_golden
from integration.editors.lsp import Place, Server

import evalset
from evalset.rules import KEYS

TEXT = """\
schema: evalset/v1
name: everything
packs:
  - catalog/text-to-sql
agents:
  - deployment: claude-opus-5-default
    label: opus
    x-owner: team
models:
  - anthropic/claude-haiku-4
repeats: 2
seeds:
  strategy: explicit
  seeds: [11, 22]
limits:
  max_concurrent_runs: 4
  budget_usd: 12.5
case_fanout: false
scanners:
  - reward-hacking
"""
JSON_TEXT = json.dumps(yaml.safe_load(TEXT), indent=2)
FIELDS = [(level, key) for level, keys in KEYS.items() for key in keys]
VALUES = ["x-owner", "explicit", "catalog/text-to-sql", "reward-hacking"]

Hover = Callable[[str, int], str]


@pytest.fixture(scope="module")
def hovers(yaml_editor: Server, json_editor: Server, work: Path) -> dict[str, Hover]:
    """Show the document in both editors, and give what asks each about a word of it."""
    return {
        "yaml-language-server": _open(yaml_editor, TEXT, work / "hover.evalset.yaml"),
        "VS Code JSON": _open(json_editor, JSON_TEXT, work / "hover.evalset.json"),
    }


@pytest.mark.parametrize("server", ["yaml-language-server", "VS Code JSON"])
@pytest.mark.parametrize(("level", "key"), FIELDS, ids=[f"{a or 'top'} {b}" for a, b in FIELDS])
def test_a_key_is_explained(level: str, key: str, server: str, hovers: dict[str, Hover]) -> None:
    expected = _schema(level, key)["markdownDescription"]
    assert _words(expected) in _words(hovers[server](key, _place(level, key)))


@pytest.mark.parametrize("server", ["yaml-language-server", "VS Code JSON"])
@pytest.mark.parametrize(
    ("word", "text"),
    [
        pytest.param("explicit", "Repeat 1 takes the first seed of the list", id="strategy"),
        pytest.param("reward-hacking", "agents that game the scoring", id="scanner"),
        pytest.param("x-owner", "Your own data, of any form.", id="extension"),
    ],
)
def test_a_value_is_explained(word: str, text: str, server: str, hovers: dict[str, Hover]) -> None:
    assert text in hovers[server](word, 0)


def test_hover_texts_are_as_recorded(hovers: dict[str, Hover], work: Path) -> None:
    words = [(key, _place(level, key)) for level, key in FIELDS] + [(word, 0) for word in VALUES]
    shown = "".join(
        f"=== {server}: {word}\n{hover(word, nth)}\n\n"
        for server, hover in hovers.items()
        for word, nth in words
    )
    assert_golden("hover.txt", shown.replace(work.as_uri(), "file:///work"))


def _open(server: Server, text: str, path: Path) -> Hover:
    uri = server.open(path, text, language=path.suffix[1:])
    server.diagnostics(uri)  # or it may not have read the schema yet

    def hover(word: str, nth: int) -> str:
        places = [found.start() for found in re.finditer(rf"(?<![\w/-]){word}(?![\w/-])", text)]
        return server.hover(uri, Place.of(text, places[nth] + 1))

    return hover


def _schema(level: str, key: str) -> dict[str, Any]:
    schema = evalset.json_schema(editor=True)
    if level:
        schema = schema["properties"][level]
    schema = schema.get("items", schema)
    described: dict[str, Any] = schema["properties"][key]
    return described


def _place(level: str, key: str) -> int:
    """Count the places before this one: `seeds` stands at two levels."""
    return 1 if (level, key) == ("seeds", "seeds") else 0


def _words(text: str) -> str:
    """Take away what the servers add to Markdown: escapes, and white space in other places."""
    return re.sub(r"[\\\s]|&nbsp;", "", text)
