"""Keys: normal forms are final, parts of a key are what was given, short names fit anywhere."""

import re

from hypothesis import given
from hypothesis import strategies as st

from evalset import combination_id, matrix_key, normalize_label, safe_name
from evalset.keys import ID_LENGTH, trim
from evalset.testing import texts

# What `strings.TrimSpace` of the reference removes, written out once more.
SPACES = "[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"


@given(st.text() | texts())
def test_normalizing_twice_is_normalizing_once(text: str) -> None:
    assert normalize_label(normalize_label(text)) == normalize_label(text)


@given(st.text() | texts())
def test_trimming_removes_the_documented_set_at_both_ends_and_nothing_else(text: str) -> None:
    assert trim(text) == re.sub(rf"\A{SPACES}+|{SPACES}+\Z", "", text)
    assert trim(trim(text)) == trim(text)


@given(st.text() | texts())
def test_a_normal_form_has_no_space_and_its_length_is_the_trimmed_text_s(text: str) -> None:
    assert " " not in normalize_label(text)
    assert len(normalize_label(text)) == len(trim(text))
    assert all(
        was == now or (was, now) == (" ", "-")
        for was, now in zip(trim(text), normalize_label(text), strict=True)
    )


@given(texts(), texts(), st.none() | texts(), st.integers(1, 2000))
def test_a_key_does_not_change_with_the_spelling_of_its_parts(
    pack: str, agent: str, model: str | None, repeat: int
) -> None:
    key = matrix_key(pack, agent=agent, model=model, repeat=repeat)
    parts = [pack, agent, *([] if model is None else [model])]
    assert key == "/".join([*map(normalize_label, parts), str(repeat)])
    assert key == matrix_key(
        f"\u3000{normalize_label(pack)}\t",
        agent=normalize_label(agent),
        model=None if model is None else f" {model} ",
        repeat=repeat,
    )


@given(st.text(), st.text())
def test_ids_differ_exactly_when_keys_do(first: str, second: str) -> None:
    assert (combination_id(first) == combination_id(second)) == (first == second)
    assert re.fullmatch("c[a-z2-7]{25}", combination_id(first))


@given(st.text(), st.integers(ID_LENGTH, 300))
def test_a_safe_name_is_a_label_that_ends_in_the_id(key: str, length: int) -> None:
    name = safe_name(key, max_length=length)
    assert re.fullmatch("[a-z]([a-z0-9-]*[a-z0-9])?", name)
    assert len(name) <= length
    assert name.endswith(combination_id(key))
    assert "--" not in name
