"""The strategies for hosts: good is good, broken is broken, and neither is of one kind only."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from tests.codes import OF_REFERENCES
from tests.laws.readers import read

from evalset import Agent, Expansion, Manifest, expand, normalize_label
from evalset.diagnostics import CODES
from evalset.extensions import Extensions
from evalset.keys import KeyBy, trim
from evalset.shapes import is_list, is_mapping
from evalset.sources import Format
from evalset.testing import (
    FAULTS,
    BrokenManifest,
    ManifestText,
    broken_manifests,
    documents,
    expansions,
    manifest_data,
    manifest_texts,
    manifests,
    texts,
)

# What no single edit of a text can earn.
NOT_BY_ONE_EDIT = {"kept-key", "more-findings", "not-pinned", "pointer-not-found"}

# The same search in every run, so that what is found once is found always.
SEARCH = settings(max_examples=5000, derandomize=True, database=None, phases=[Phase.generate])


@given(texts())
def test_texts_are_such_as_a_manifest_may_hold(text: str) -> None:
    manifest = Manifest(text, packs=[text], agents=[Agent(text, label=text)], scanners=[text])
    assert manifest.name == trim(text)


@given(texts(padded=False))
def test_texts_without_padding_are_trimmed(text: str) -> None:
    assert text == trim(text) != ""


TEXTS: dict[str, Callable[[str], bool]] = {
    "padded": lambda text: text != trim(text),
    "padded with an ideographic space": lambda text: text.endswith("\u3000"),
    "not ASCII": lambda text: not text.isascii(),
    "beyond the first plane": lambda text: max(text) > "\uffff",
    "a space inside": lambda text: " " in trim(text),
    "a slash and an at sign": lambda text: "/" in text and "@" in text,
    "a boolean of YAML 1.1": lambda text: text == "yes",
    "digits": lambda text: text == "010",
    "a sign of YAML": lambda text: text.startswith("*"),
}


@pytest.mark.parametrize("kind", [pytest.param(kind, id=name) for name, kind in TEXTS.items()])
def test_texts_are_of_many_kinds(kind: Callable[[str], bool]) -> None:
    assert kind(find(texts(), kind, settings=SEARCH))


@given(manifests())
def test_manifests_are_small_and_have_keys_under_both_dialects(manifest: Manifest) -> None:
    assert manifest.count <= 64
    assert len(expand(manifest)) == len(expand(manifest, key_by="deployment")) == manifest.count


@given(manifests(extensions=False))
def test_without_extensions_there_are_none_at_any_level(manifest: Manifest) -> None:
    assert manifest.extensions == manifest.seeds.extensions == manifest.limits.extensions
    assert {manifest.extensions, *(a.extensions for a in manifest.agents)} == {Extensions()}


def collides(data: dict[str, Any]) -> bool:
    return len(set(map(normalize_label, data["packs"]))) < len(data["packs"])


def has_extension(mapping: dict[str, Any]) -> bool:
    return any(key.startswith("x-") for key in mapping)


DATA: dict[str, Callable[[dict[str, Any]], bool]] = {
    "an optional field left out": lambda data: "models" not in data,
    "null for an optional field": lambda data: "seeds" in data and data["seeds"] is None,
    "a whole float": lambda data: isinstance(data.get("repeats"), float),
    "padding": lambda data: data["name"] != trim(data["name"]),
    "$schema": lambda data: "$schema" in data,
    "a limit of zero": lambda data: '"budget_usd": 0' in json.dumps(data.get("limits")),
    "explicit seeds": lambda data: '"explicit"' in json.dumps(data.get("seeds")),
    "an extension": has_extension,
    "an extension of an agent": lambda data: has_extension(data["agents"][0]),
}


@pytest.mark.parametrize("kind", [pytest.param(kind, id=name) for name, kind in DATA.items()])
def test_data_is_of_many_kinds(kind: Callable[[dict[str, Any]], bool]) -> None:
    assert kind(find(manifest_data(), kind, settings=SEARCH))


def test_data_without_unique_keys_collides_often() -> None:
    found = find(manifest_data(unique_keys=False), collides, settings=SEARCH)
    assert collides(found)


@given(manifest_data(), st.data())
def test_writing_data_leaves_it_as_it_was(data: dict[str, Any], drawn: st.DataObject) -> None:
    before = deepcopy(data)
    text = drawn.draw(manifest_texts(data))
    assert text.data is data
    assert repr(data) == repr(before)


@given(documents())
def test_a_text_means_its_data_to_readers_that_are_not_ours(document: ManifestText) -> None:
    meant = read(document.text, document.format)
    assert sorted_repr(meant) == sorted_repr(document.data)


def sorted_repr(data: object) -> str:
    """Show data with its types and without the order of its keys."""
    if is_mapping(data):
        return repr(sorted((key, sorted_repr(value)) for key, value in data.items()))
    return repr([sorted_repr(each) for each in data]) if is_list(data) else repr(data)


@pytest.mark.parametrize("format", ["yaml", "json"])
def test_a_format_can_be_asked_for(format: Format) -> None:
    assert find(documents(format=format), lambda _: True, settings=SEARCH).format == format


@pytest.mark.parametrize(
    "sign",
    [
        pytest.param("\r\n", id="CR LF"),
        pytest.param("\ufeff", id="a byte order mark"),
        pytest.param(" # ", id="a comment"),
        pytest.param("\n\n", id="a blank line"),
        pytest.param("---", id="a marker of the document"),
        pytest.param("...", id="an end of the document"),
        pytest.param("&a0", id="an anchor"),
        pytest.param(" *a0", id="an alias"),
        pytest.param("<<:", id="a merge key"),
        pytest.param("!!", id="a tag"),
        pytest.param("|-", id="a literal text"),
        pytest.param(">-", id="a folded text"),
        pytest.param("'", id="single quotes"),
        pytest.param('"', id="double quotes"),
        pytest.param("\\u", id="an escape"),
        pytest.param("}]", id="flow style"),
        pytest.param("\n- ", id="a list in the column of its key"),
    ],
)
def test_yaml_is_of_many_styles(sign: str) -> None:
    assert (
        sign in find(documents(format="yaml"), lambda each: sign in each.text, settings=SEARCH).text
    )


@pytest.mark.parametrize("key_by", ["label", "deployment"])
def test_a_dialect_can_be_asked_for(key_by: KeyBy) -> None:
    assert find(expansions(key_by=key_by), lambda _: True, settings=SEARCH).key_by == key_by


@given(expansions())
def test_expansions_are_whole(expansion: Expansion) -> None:
    assert len(expansion) == expansion.manifest.count


def test_every_code_that_a_single_edit_can_earn_is_there() -> None:
    assert [*FAULTS] == sorted({*CODES} - NOT_BY_ONE_EDIT - OF_REFERENCES)


@pytest.mark.parametrize("code", FAULTS)
@settings(max_examples=20, derandomize=True, database=None, phases=[Phase.generate])
@given(data=st.data())
def test_each_code_can_be_asked_for(code: str, data: st.DataObject) -> None:
    broken = data.draw(broken_manifests(code=code))
    assert broken.code == code
    assert 0 <= broken.offset <= broken.end_offset <= len(broken.text)


@given(broken_manifests())
def test_without_a_code_it_may_be_any(broken: BrokenManifest) -> None:
    assert broken.code in FAULTS
