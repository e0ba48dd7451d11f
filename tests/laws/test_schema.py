"""The published schema and the library: what it rejects, the library rejects."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.laws.effort import few
from tests.laws.readers import is_valid, read
from tests.laws.spoiling import spoiled_data
from tests.laws.ways import breaks_a_rule, explain, recognise, structure

from evalset import Manifest, check_data, check_text
from evalset.diagnostics import CODES, Severity
from evalset.shapes import is_list, is_mapping
from evalset.testing import FAULTS, broken_manifests, manifests

# What a JSON Schema can't say of plain data, or JSON Schema's numbers don't tell apart.
LIBRARY_ONLY = {
    "ambiguous-key",
    "duplicate-agent",
    "duplicate-model",
    "duplicate-pack",
    "extension-not-json",
    "forbidden-character",
    "not-an-integer",  # a whole float too large to be exact
    "not-finite",
    "seeds-count",
    "too-many-combinations",
}
# What is gone once a text has become plain data.
TEXT_ONLY = {
    "bad-merge",
    "duplicate-key",
    "foreign-tag",
    "key-not-text",
    "number-form",
    "recursive-alias",
    "several-documents",
    "too-deep",
    "too-large",
    "too-many-nodes",
    "yaml-directive",
}


@given(spoiled_data(unique_keys=False))
def test_what_the_schema_rejects_the_library_rejects(data: dict[str, Any]) -> None:
    assume(all(type(key) is str for key in _keys(data)))  # the schema speaks of JSON only
    codes = {each.code for each in check_data(data).diagnostics if each.is_error}
    if is_valid(data):
        assert codes <= LIBRARY_ONLY
    else:
        assert codes - LIBRARY_ONLY


@given(spoiled_data(odder=False))
def test_both_forms_of_the_schema_give_the_same_verdict(data: dict[str, Any]) -> None:
    assert is_valid(data, editor=True) == is_valid(data)


@given(manifests(unique_keys=False))
def test_what_is_written_obeys_the_schema(manifest: Manifest) -> None:
    assert is_valid(manifest.to_dict())


@given(spoiled_data(odder=False, unique_keys=False))
def test_structuring_accepts_exactly_what_schema_and_rules_accept(data: dict[str, Any]) -> None:
    accepted = structure(data)
    assert (accepted is not None) == (is_valid(data) and not breaks_a_rule(data))
    assert (accepted is not None) == (explain(data) == [])


@given(spoiled_data(odder=False, unique_keys=False))
def test_recognising_and_structuring_give_equal_manifests(data: dict[str, Any]) -> None:
    recognised, structured = recognise(data), structure(data)
    assert recognised is None or recognised == structured
    has_more = "$schema" in data or any(f"{key}".startswith("x-") for key in _keys(data))
    assert has_more or recognised == structured


def _keys(data: object) -> Iterator[object]:
    """Give every key of plain data, at any depth."""
    if is_mapping(data):
        yield from data
    for below in data.values() if is_mapping(data) else data if is_list(data) else ():
        yield from _keys(below)


SINGLE = [code for code in FAULTS if CODES[code].severity is Severity.ERROR]


@pytest.mark.parametrize("code", sorted({*SINGLE} - LIBRARY_ONLY - TEXT_ONLY))
@few(10)
@given(drawn=st.data())
def test_every_other_fault_of_a_text_is_seen_by_the_schema(code: str, drawn: st.DataObject) -> None:
    broken = drawn.draw(broken_manifests(code=code))
    assert not check_text(broken.text, format=broken.format).ok
    if isinstance(broken.text, str):
        data = read(broken.text, broken.format)
        assert data is ... or not is_valid(data)
