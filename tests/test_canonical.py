"""Equal manifests have equal digests, and both are frozen."""

import hashlib
import json
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from evalset import Manifest, dumps, loads
from evalset.canonical import (
    MAX_DIGITS,
    MAX_EXACT,
    canonical_json,
    is_double,
    is_holdable,
    number,
    sha256_hex,
)

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parent / "vectors" / "digests.json").read_text(encoding="ascii")
)["digests"]
MANIFESTS = [
    pytest.param(manifest, vector, id=f"{vector['why']} {number}")
    for vector in VECTORS
    for number, manifest in enumerate(vector["manifests"], 1)
]


@pytest.mark.parametrize(("data", "vector"), MANIFESTS)
def test_a_manifest_has_its_frozen_digest(data: dict[str, Any], vector: dict[str, Any]) -> None:
    manifest = Manifest.from_dict(data)
    assert canonical_json(manifest.to_dict()) == vector["canonical"]
    assert manifest.digest() == vector["digest"]


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["why"]) for v in VECTORS])
def test_manifests_of_one_digest_are_equal(vector: dict[str, Any]) -> None:
    manifests = [Manifest.from_dict(data) for data in vector["manifests"]]
    assert set(manifests) == {manifests[0]}
    assert {manifest.digest() for manifest in manifests} == {vector["digest"]}
    digest = hashlib.sha256(b"evalset/v1 manifest\0" + vector["canonical"].encode()).hexdigest()
    assert digest == vector["digest"]


def test_manifests_of_different_digests_differ() -> None:
    assert len({vector["digest"] for vector in VECTORS}) == len(VECTORS) == 29
    manifests = [Manifest.from_dict(vector["manifests"][0]) for vector in VECTORS]
    assert not any(one == other for one, other in combinations(manifests, 2))


@pytest.mark.parametrize("vector", [pytest.param(v, id=v["why"]) for v in VECTORS])
def test_a_digest_survives_writing_and_reading(vector: dict[str, Any]) -> None:
    manifest = Manifest.from_dict(vector["manifests"][0])
    assert loads(dumps(manifest, format="json")).digest() == vector["digest"]
    assert loads(dumps(manifest, format="yaml")).digest() == vector["digest"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(None, "null", id="null"),
        pytest.param([True, False, 1, 0], "[true,false,1,0]", id="booleans are no numbers"),
        pytest.param((1, (2, [3])), "[1,[2,[3]]]", id="tuples are lists"),
        pytest.param({"b": 1, "a": {"d": 1, "c": 2}}, '{"a":{"c":2,"d":1},"b":1}', id="sorted"),
        pytest.param(MappingProxyType({"a": 1}), '{"a":1}', id="any mapping"),
        pytest.param([3.0, -0.0, 2.0**53 - 1], "[3,0,9007199254740991]", id="whole floats"),
        pytest.param([2.0**53, -(2.0**53)], "[9007199254740992.0,-9007199254740992.0]",
                     id="floats that are not exact"),
        pytest.param([2**53, 10**30], f"[9007199254740992,1{'0' * 30}]", id="long integers"),
        pytest.param([0.1, 1e300, 5e-324], "[0.1,1e+300,5e-324]", id="shortest floats"),
        pytest.param("é\u2028🚀\x7f", '"é\u2028🚀\x7f"', id="text as it is"),
        pytest.param('"\\/\x00\n', '"\\"\\\\/\\u0000\\n"', id="what JSON escapes"),
    ],
)  # fmt: skip
def test_data_has_one_canonical_form(data: object, text: str) -> None:
    assert canonical_json(data) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_is_not_finite_has_no_canonical_form(value: float) -> None:
    with pytest.raises(ValueError, match="Out of range float values are not JSON compliant"):
        canonical_json({"a": [value]})


def test_canonical_data_is_left_as_it_was() -> None:
    data: Mapping[str, list[float]] = {"b": [1.0], "a": [2.0]}
    canonical_json(data)
    assert repr(data) == "{'b': [1.0], 'a': [2.0]}"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(3.0, 3, id="whole"),
        pytest.param(-3.0, -3, id="whole and negative"),
        pytest.param(-0.0, 0, id="minus zero"),
        pytest.param(0.5, 0.5, id="a fraction"),
        pytest.param(float(MAX_EXACT), MAX_EXACT, id="the largest exact one"),
        pytest.param(float(MAX_EXACT + 1), float(MAX_EXACT + 1), id="one more"),
        pytest.param(-float(MAX_EXACT), -MAX_EXACT, id="the least exact one"),
        pytest.param(-float(MAX_EXACT + 1), -float(MAX_EXACT + 1), id="one less"),
    ],
)
def test_a_whole_float_is_an_integer_while_it_is_exact(value: float, expected: float) -> None:
    assert repr(number(value)) == repr(expected)


@pytest.mark.parametrize(
    ("value", "holdable", "double"),
    [
        pytest.param(0, True, True, id="zero"),
        pytest.param(1.5, True, True, id="a float"),
        pytest.param(10**MAX_DIGITS - 1, True, False, id="400 digits"),
        pytest.param(1 - 10**MAX_DIGITS, True, False, id="400 digits and a sign"),
        pytest.param(10**MAX_DIGITS, False, False, id="401 digits"),
        pytest.param(10**308, True, True, id="a long integer that a double can near"),
        pytest.param(float("inf"), False, False, id="infinity"),
        pytest.param(float("nan"), False, False, id="not a number"),
    ],
)
def test_numbers_are_held_as_json_and_as_doubles(
    value: float, *, holdable: bool, double: bool
) -> None:
    assert (is_holdable(value), is_double(value)) == (holdable, double)


def test_a_hash_is_over_prefix_nul_and_canonical_form() -> None:
    expected = hashlib.sha256('a prefix\0{"ä":1}'.encode()).hexdigest()
    assert sha256_hex("a prefix", {"ä": 1.0}) == expected
