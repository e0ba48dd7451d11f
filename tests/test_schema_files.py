"""The published schema is one text in all its places, closed, and described throughout."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalset import json_schema
from evalset.keys import TRIMMED
from evalset.rules import BUILT_IN_SCANNERS, KEYS, MAX_COMBINATIONS, MAX_SEED
from evalset.schemas import schema_errors, schema_text
from evalset.shapes import is_list, is_mapping

PUBLISHED = Path(__file__).parent.parent / "schema"
# Known to the editors' language servers only; strict validators refuse what they don't know.
EDITOR_KEYWORDS = {
    "defaultSnippets",
    "doNotSuggest",
    "enumDescriptions",
    "errorMessage",
    "markdownDescription",
    "patternErrorMessage",
}
LEVELS = {"": (), "agents": ("agents", "items"), "seeds": ("seeds",), "limits": ("limits",)}


def _subschemas(schema: dict[str, Any], name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each schema that describes a value, with its name; branches of `if` describe none."""
    yield name, schema
    for keyword in ("properties", "patternProperties"):
        for key, value in schema.get(keyword, {}).items():
            yield from _subschemas(value, f"{name}.{key}")
    if "items" in schema:
        yield from _subschemas(schema["items"], f"{name}[]")


def _without_editor_keywords(value: Any, *, names: bool = False) -> Any:  # noqa: ANN401 (any JSON)
    """Drop editors' keywords from a schema; `names`: the keys are properties, not keywords."""
    if is_list(value):
        return [_without_editor_keywords(item) for item in value]
    if not is_mapping(value):
        return value
    return {
        key: _without_editor_keywords(item, names=key in {"properties", "patternProperties"})
        for key, item in value.items()
        if names or key not in EDITOR_KEYWORDS
    }


def _level(name: str) -> dict[str, Any]:
    schema = json_schema()
    for step in LEVELS[name]:
        schema = schema["items"] if step == "items" else schema["properties"][step]
    return schema


@pytest.mark.parametrize(
    ("name", "editor"), [("evalset-v1.json", False), ("evalset-v1.editor.json", True)]
)
def test_the_published_file_is_the_packaged_one(name: str, *, editor: bool) -> None:
    assert (PUBLISHED / name).read_bytes() == schema_text(editor=editor).encode()


def test_the_portable_form_is_the_editor_s_without_its_keywords() -> None:
    editor, portable = json_schema(editor=True), json_schema()
    expected = {**_without_editor_keywords(editor), "$id": "urn:evalset:v1"}
    assert json.dumps(portable) == json.dumps(expected)
    assert editor["$id"] != portable["$id"]
    assert schema_text() == json.dumps(portable, indent=2, ensure_ascii=True) + "\n"


def test_each_call_gives_a_new_copy() -> None:
    json_schema()["properties"].clear()
    assert set(json_schema()["properties"]) >= set(KEYS[""])


def test_the_files_end_in_one_line_break() -> None:
    for text in (schema_text(), schema_text(editor=True)):
        assert (text[-2:], "\r" in text) == ("}\n", False)


@pytest.mark.parametrize("level", list(LEVELS))
def test_a_mapping_has_the_keys_of_the_rules_and_is_closed(level: str) -> None:
    schema = _level(level)
    properties = tuple(key for key in schema["properties"] if key != "$schema")
    assert properties == KEYS[level]
    assert ("$schema" in schema["properties"]) == (level == "")
    assert schema["additionalProperties"] is False
    assert list(schema["patternProperties"]) == ["^x-"]


def test_every_mapping_is_one_of_the_rules() -> None:
    mappings = [name for name, schema in _subschemas(json_schema()) if "properties" in schema]
    assert mappings == ["", ".agents[]", ".seeds", ".limits"]
    assert set(KEYS) == set(LEVELS)


@pytest.mark.parametrize("editor", [False, True])
def test_every_value_is_described_with_an_example(*, editor: bool) -> None:
    for name, schema in _subschemas(json_schema(editor=editor)):
        assert schema["title"], name
        assert len(schema["description"]) > 20, name
        described = schema.get("items", schema)
        assert {"examples", "const", "properties"}.intersection(schema | described), name


def test_only_schema_text_and_lists_of_things_are_required() -> None:
    assert _level("")["required"] == ["schema", "name", "packs", "agents"]
    assert _level("agents")["required"] == ["deployment"]
    optional = [*KEYS[""][4:], "strategy", "seeds", "max_concurrent_runs", "budget_usd", "label"]
    for level in LEVELS:
        for key, value in _level(level)["properties"].items():
            assert ("null" in value.get("type", "")) == (key in optional), key


def test_bounds_and_names_are_those_of_the_rules() -> None:
    top, seeds, limits = _level("")["properties"], _level("seeds"), _level("limits")
    assert {top[key]["maxItems"] for key in ("packs", "agents", "models", "scanners")} == {
        MAX_COMBINATIONS
    }
    assert (top["repeats"]["minimum"], top["repeats"]["maximum"]) == (1, MAX_COMBINATIONS)
    seed = seeds["properties"]["seeds"]
    assert (seed["maxItems"], seed["items"]["minimum"], seed["items"]["maximum"]) == (
        MAX_COMBINATIONS,
        1,
        MAX_SEED,
    )
    assert limits["properties"]["max_concurrent_runs"]["maximum"] == MAX_SEED
    assert tuple(top["scanners"]["items"]["anyOf"][0]["enum"]) == BUILT_IN_SCANNERS


def test_text_is_blank_to_the_schema_when_it_is_to_the_keys() -> None:
    patterns = {
        schema["pattern"] for _, schema in _subschemas(json_schema()) if "pattern" in schema
    }
    [pattern] = patterns
    blank = [
        character for character in map(chr, range(0x110000)) if not re.search(pattern, character)
    ]
    assert blank == sorted(TRIMMED)
    manifest = {"schema": "evalset/v1", "packs": ["p"], "agents": [{"deployment": "a"}]}
    assert schema_errors({**manifest, "name": TRIMMED}) != []
    assert schema_errors({**manifest, "name": f"{TRIMMED}n"}) == []


@pytest.mark.parametrize("editor", [False, True])
def test_the_examples_obey_the_schema(*, editor: bool) -> None:
    schema = json_schema(editor=editor)
    for example in schema["examples"]:
        assert schema_errors(example) == []
    manifest = schema["examples"][0]
    for key, value in schema["properties"].items():
        for example in value.get("examples", []):
            whole = {**manifest, key: example}
            if key == "seeds":
                continue
            assert schema_errors(whole) == [], key


@pytest.mark.parametrize("level", list(LEVELS))
def test_an_extension_is_allowed_and_another_key_is_not(level: str) -> None:
    def errors(key: str) -> list[tuple[str, Any]]:
        data: dict[str, Any] = {
            "schema": "evalset/v1",
            "name": "n",
            "packs": ["p"],
            "agents": [{"deployment": "a"}],
            "seeds": {},
            "limits": {},
        }
        target = data if not level else data["agents"][0] if level == "agents" else data[level]
        target[key] = [{"any": None}]
        return [(error.keyword, error.path[-1]) for error in schema_errors(data)]

    assert errors("x-own") == []
    assert errors("own") == [("additionalProperties", "own")]
    assert errors("X-own") == [("additionalProperties", "X-own")]
    assert errors("own x-") == [("additionalProperties", "own x-")]
