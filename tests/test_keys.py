"""The identity of a combination is frozen, and every language can compute it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evalset import (
    Combination,
    Manifest,
    ManifestError,
    combination_id,
    expand,
    matrix_key,
    normalize_label,
    safe_name,
)
from evalset.keys import ID_LENGTH, TRIMMED, KeyBy, is_blank, trim

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "vectors" / "keys.json").read_text(encoding="ascii")
)


def _vectors(group: str) -> list[Any]:
    return [pytest.param(vector, id=vector["why"]) for vector in VECTORS[group]]


def test_there_are_more_vectors_than_the_format_has_corners() -> None:
    sizes = {group: len(vectors) for group, vectors in VECTORS.items() if group != "about"}
    assert sizes == {"normalize": 98, "matrix_key": 24, "names": 29, "expansions": 22}


@pytest.mark.parametrize("vector", _vectors("normalize"))
def test_a_text_has_its_frozen_form_in_keys(vector: dict[str, str]) -> None:
    assert normalize_label(vector["input"]) == vector["output"]
    assert normalize_label(vector["output"]) == vector["output"]
    assert trim(vector["input"]).replace(" ", "-") == vector["output"]
    assert is_blank(vector["input"]) == (vector["output"] == "")


@pytest.mark.parametrize("vector", _vectors("matrix_key"))
def test_a_combination_has_its_frozen_key(vector: dict[str, Any]) -> None:
    key = matrix_key(
        vector["pack"], agent=vector["agent"], model=vector["model"], repeat=vector["repeat"]
    )
    assert key == vector["key"]


@pytest.mark.parametrize("vector", _vectors("names"))
def test_a_key_has_its_frozen_id_and_name(vector: dict[str, Any]) -> None:
    key, length = vector["key"], vector["max_length"]
    assert combination_id(key) == vector["id"]
    assert safe_name(key, max_length=length) == vector["name"]
    assert re.fullmatch("c[a-z2-7]{25}", vector["id"])
    assert re.fullmatch(r"[a-z][a-z0-9-]*", vector["name"])
    assert vector["name"].endswith(vector["id"])
    assert len(vector["name"]) <= length


@pytest.mark.parametrize("key_by", ["label", "deployment"])
@pytest.mark.parametrize("vector", _vectors("expansions"))
def test_a_manifest_has_its_frozen_keys_under_each_dialect(
    vector: dict[str, Any], key_by: KeyBy
) -> None:
    manifest = Manifest.from_dict(vector["manifest"])
    if vector[key_by] is None:
        with pytest.raises(ManifestError):
            expand(manifest, key_by=key_by)
    else:
        assert [each.matrix_key for each in expand(manifest, key_by=key_by)] == vector[key_by]


@pytest.mark.parametrize(
    "vector", [pytest.param(v, id=v["why"]) for v in VECTORS["expansions"] if v["label"]]
)
def test_a_combination_gives_the_id_and_the_name_of_its_key(vector: dict[str, Any]) -> None:
    for each in expand(Manifest.from_dict(vector["manifest"])):
        assert _short_forms(each) == (
            combination_id(each.matrix_key),
            safe_name(each.matrix_key),
            safe_name(each.matrix_key, max_length=40),
        )


def _short_forms(combination: Combination) -> tuple[str, str, str]:
    return combination.id, combination.safe_name(), combination.safe_name(max_length=40)


def test_exactly_25_characters_are_trimmed() -> None:
    trimmed = {character for character in map(chr, range(0x110000)) if trim(character) == ""}
    assert trimmed == set(TRIMMED)
    assert len(trimmed) == len(TRIMMED) == 25


def test_without_a_length_a_name_fits_a_kubernetes_label() -> None:
    key = "catalog/" + "long-name-" * 30 + "/agent/1"
    assert safe_name(key) == safe_name(key, max_length=63)
    assert len(safe_name(key)) == 63


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param({"pack": " "}, id="a blank pack"),
        pytest.param({"agent": "\u3000"}, id="a blank agent"),
        pytest.param({"model": ""}, id="an empty model"),
    ],
)
def test_a_key_needs_a_character_of_each_part(arguments: dict[str, str]) -> None:
    parts: dict[str, Any] = {"pack": "p", "agent": "a", "model": "m", "repeat": 1} | arguments
    with pytest.raises(ValueError, match=r"^a pack, agent or model is blank; "):
        matrix_key(parts.pop("pack"), **parts)


@pytest.mark.parametrize("repeat", [0, -1])
def test_repeats_count_from_one(repeat: int) -> None:
    with pytest.raises(ValueError, match=f"^repeat is {repeat}; repeats count from 1$"):
        matrix_key("p", agent="a", repeat=repeat)


@pytest.mark.parametrize("repeat", [True, 1.0, 1.5, "1", None])
def test_a_repeat_is_a_whole_number(repeat: Any) -> None:  # noqa: ANN401 (all kinds)
    with pytest.raises((TypeError, ValueError)):
        matrix_key("p", agent="a", repeat=repeat)


@pytest.mark.parametrize("length", [ID_LENGTH - 1, 0, -1])
def test_a_name_has_room_for_the_id(length: int) -> None:
    with pytest.raises(ValueError, match=f"^max_length is {length}; "):
        safe_name("p/a/1", max_length=length)


def test_a_key_with_a_lone_surrogate_has_no_id() -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        combination_id("\ud800/a/1")


@pytest.mark.parametrize("text", [None, 5, b"opus"])
def test_what_is_no_text_has_no_form_for_keys(text: Any) -> None:  # noqa: ANN401 (all kinds)
    with pytest.raises(TypeError, match=r"^a text is str, not "):
        normalize_label(text)
