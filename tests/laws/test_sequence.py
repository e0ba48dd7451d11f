"""An expansion is a sequence: every way to ask for a combination gives the same one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalset import Combination, Expansion
from evalset.testing import expansions


def bounds() -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(-70, 70)


@st.composite
def slices(draw: st.DrawFn) -> slice:
    step = draw(st.none() | st.integers(-4, 4).filter(bool))
    return slice(draw(bounds()), draw(bounds()), step)


@st.composite
def parts(draw: st.DrawFn) -> tuple[Expansion, list[Combination]]:
    """Give an expansion, or a slice of a slice of one, and the list that it must equal."""
    expansion = draw(expansions())
    everything = list(expansion)
    for which in draw(st.lists(slices(), max_size=2)):
        expansion, everything = expansion[which], everything[which]
    return expansion, everything


@given(parts())
def test_indexing_iterating_and_reversing_agree(part: tuple[Expansion, list[Combination]]) -> None:
    expansion, everything = part
    assert len(expansion) == len(everything)
    assert list(expansion) == everything
    assert [expansion[place] for place in range(len(expansion))] == everything
    assert [expansion[-1 - place] for place in range(len(expansion))] == everything[::-1]
    assert list(reversed(expansion)) == everything[::-1]


@given(parts(), slices())
def test_a_slice_is_what_a_list_s_is(
    part: tuple[Expansion, list[Combination]], which: slice
) -> None:
    expansion, everything = part
    assert list(expansion[which]) == everything[which]


@given(parts(), slices())
def test_slices_of_equal_places_are_equal(
    part: tuple[Expansion, list[Combination]], which: slice
) -> None:
    expansion, _ = part
    same = expansion[which][:]
    assert expansion[which] == same
    assert hash(expansion[which]) == hash(same)


@given(parts())
def test_key_id_and_safe_name_find_what_stands_there(
    part: tuple[Expansion, list[Combination]],
) -> None:
    expansion, everything = part
    for place, each in enumerate(everything):
        for name in (each.matrix_key, each.id, each.safe_name(), each.safe_name(max_length=40)):
            assert expansion[name] == each
            assert name in expansion
            assert expansion.index(name) == place
        assert each in expansion
        assert expansion.index(each) == place
        assert expansion.count(each) == 1


@given(parts(), slices())
def test_what_a_slice_left_out_is_not_in_it(
    part: tuple[Expansion, list[Combination]], which: slice
) -> None:
    expansion, everything = part
    kept = everything[which]
    for each in everything:
        assert (each in expansion[which]) == (each in kept)
        assert (each.matrix_key in expansion[which]) == (each in kept)
        assert (each.id in expansion[which]) == (each in kept)


@given(parts(), st.data())
def test_other_texts_find_nothing(
    part: tuple[Expansion, list[Combination]], data: st.DataObject
) -> None:
    expansion, everything = part
    names: set[str] = {name for each in everything for name in (each.matrix_key, each.id)}
    near = st.sampled_from(sorted(names) or ["a"]).flatmap(
        lambda name: st.sampled_from(
            [name[1:], name[:-1], f"{name} ", f"{name}/1", f"x{name}", name.upper(), f"0{name}"]
        )
    )
    text = data.draw(st.text() | near)
    if text not in names:
        assert text not in expansion
        assert expansion.count(text) == 0
        with pytest.raises(KeyError):
            expansion[text]
        with pytest.raises(ValueError, match="is not in this expansion"):
            expansion.index(text)


@given(parts(), bounds(), bounds(), st.data())
def test_index_with_bounds_is_a_list_s(
    part: tuple[Expansion, list[Combination]],
    start: int | None,
    stop: int | None,
    data: st.DataObject,
) -> None:
    expansion, everything = part
    if not everything:
        return
    each = data.draw(st.sampled_from(everything))
    first = 0 if start is None else start
    last = len(everything) if stop is None else stop
    try:
        place = everything.index(each, first, last)
    except ValueError:
        with pytest.raises(ValueError, match="is not in this expansion"):
            expansion.index(each, first, stop)
    else:
        assert expansion.index(each, first, stop) == place


@given(parts(), st.integers(64, 10**20), st.sampled_from([1, -1]))
def test_beyond_its_ends_is_an_index_error(
    part: tuple[Expansion, list[Combination]], place: int, sign: int
) -> None:
    with pytest.raises(IndexError):
        part[0][place * sign - (sign < 0)]
