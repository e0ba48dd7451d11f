"""Extensions hold any JSON, frozen, and equal by value."""

import copy
import json
import pickle
from collections import OrderedDict
from collections.abc import Callable, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Any

import pytest

from evalset import Extensions
from evalset.extensions import MAX_DEPTH, PREFIX, has_surrogate

VALUES: dict[str, Any] = {
    "x-owner": {"team": "agents", "on_call": ["a", ["b"], {}]},
    "x-all": [None, True, 1, 1.5, "text", ""],
}


def _in_list(value: object) -> object:
    return [value]


def _in_mapping(value: object) -> object:
    return {"a": value}


def _nested(depth: int, wrap: Callable[[object], object]) -> object:
    value: object = 1
    for _ in range(depth):
        value = wrap(value)
    return value


def test_lists_become_tuples_and_mappings_become_extensions() -> None:
    extensions = Extensions(VALUES)
    assert extensions["x-all"] == (None, True, 1, 1.5, "text", "")
    assert extensions["x-owner"] == Extensions(VALUES["x-owner"])
    assert extensions["x-owner"]["on_call"] == ("a", ("b",), Extensions())


def test_they_are_a_mapping_in_the_order_of_writing() -> None:
    extensions: Mapping[str, Any] = Extensions({"x-b": 1, "x-a": 2})
    assert (list(extensions), len(extensions), dict(extensions)) == (
        ["x-b", "x-a"],
        2,
        {"x-b": 1, "x-a": 2},
    )
    assert ("x-a" in extensions, "x-c" in extensions, extensions.get("x-c")) == (True, False, None)
    with pytest.raises(KeyError, match="x-c"):
        extensions["x-c"]


def test_what_they_were_made_from_may_change_later() -> None:
    values = {"x-a": [1, {"b": 2}]}
    extensions = Extensions(values)
    values["x-a"].append(3)
    assert extensions.to_dict() == {"x-a": [1, {"b": 2}]}


def test_plain_data_comes_back_new_each_time() -> None:
    extensions = Extensions(VALUES)
    first = extensions.to_dict()
    assert json.dumps(first) == json.dumps(VALUES)
    first["x-owner"]["on_call"].clear()
    assert extensions.to_dict() == VALUES


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(None, id="none"),
        pytest.param({}, id="empty"),
        pytest.param(Extensions(), id="other extensions"),
    ],
)
def test_nothing_is_empty(values: Mapping[str, Any] | None) -> None:
    assert Extensions(values) == Extensions()
    assert Extensions(values).to_dict() == {}


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        pytest.param({"x-a": 1, "x-b": 2}, {"x-b": 2, "x-a": 1}, True, id="order does not count"),
        pytest.param({"x-a": [1, 2]}, {"x-a": [2, 1]}, False, id="order of lists counts"),
        pytest.param({"x-a": 1}, {"x-a": 1.0}, True, id="1 is 1.0"),
        pytest.param({"x-a": 0.0}, {"x-a": -0.0}, True, id="0 is -0.0"),
        pytest.param({"x-a": 1}, {"x-a": True}, False, id="1 is not true"),
        pytest.param({"x-a": 0}, {"x-a": False}, False, id="0 is not false"),
        pytest.param({"x-a": {"b": [1]}}, {"x-a": {"b": [True]}}, False, id="nor inside"),
        pytest.param({"x-a": None}, {}, False, id="null is a value"),
        pytest.param({"x-a": "1"}, {"x-a": 1}, False, id="text is not a number"),
        pytest.param({"x-a": 2**53}, {"x-a": 2.0**53}, False, id="a double above 2**53"),
        pytest.param({"x-a": (1,)}, {"x-a": [1]}, True, id="a tuple is a list"),
        pytest.param({"x-a": "é"}, {"x-a": "e\u0301"}, False, id="composition counts"),
    ],
)
def test_they_are_equal_when_json_says_so(
    one: dict[str, Any], other: dict[str, Any], *, equal: bool
) -> None:
    assert (Extensions(one) == Extensions(other)) is equal
    assert len({Extensions(one), Extensions(other)}) == 2 - equal


def test_they_are_not_equal_to_a_plain_dict() -> None:
    assert Extensions({"x-a": 1}) != {"x-a": 1}


@pytest.mark.parametrize(
    "extensions",
    [
        pytest.param(Extensions(), id="empty"),
        pytest.param(Extensions(VALUES), id="with all kinds of values"),
        pytest.param(Extensions.keep({"future": VALUES}), id="kept"),
    ],
)
def test_copies_are_equal_and_kept_alike(extensions: Extensions) -> None:
    copies = [
        pickle.loads(pickle.dumps(extensions, protocol))  # noqa: S301 (our own bytes)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    ]
    for each in [*copies, copy.copy(extensions), copy.deepcopy(extensions)]:
        assert (type(each), each, each.is_kept) == (Extensions, extensions, extensions.is_kept)
        assert json.dumps(each.to_dict()) == json.dumps(extensions.to_dict())


def test_the_repr_shows_the_values() -> None:
    assert repr(Extensions({"x-a": [1, {"b": None}]})) == (
        "Extensions({'x-a': (1, Extensions({'b': None}))})"
    )


def test_nothing_can_be_changed() -> None:
    extensions: Any = Extensions(VALUES)
    with pytest.raises(TypeError):
        extensions["x-new"] = 1
    with pytest.raises(TypeError):
        del extensions["x-all"]
    for name in ("is_kept", "new"):
        with pytest.raises(AttributeError):
            setattr(extensions, name, True)
    assert (extensions.is_kept, extensions.to_dict()) == (False, VALUES)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param({"x-a": float("nan")}, id="not a number"),
        pytest.param({"x-a": [float("inf")]}, id="infinity inside a list"),
        pytest.param({"x-a": 10**400}, id="401 digits"),
        pytest.param({"x-a": "\ud800"}, id="a lone surrogate"),
        pytest.param({"x-\udfff": 1}, id="a lone surrogate in a key"),
        pytest.param({"x-a": {"\udfff": 1}}, id="a lone surrogate in a key inside"),
        pytest.param({5: 1}, id="a key that is a number"),
        pytest.param({"x-a": {None: 1}}, id="a key inside that is none"),
        pytest.param({"x-a": {1, 2}}, id="a set"),
        pytest.param({"x-a": b"bytes"}, id="bytes"),
        pytest.param({"x-a": object()}, id="an object"),
        pytest.param({"x-a": iter("abc")}, id="an iterator"),
        pytest.param({"x-a": _nested(MAX_DEPTH + 1, _in_list)}, id="lists too deep"),
        pytest.param({"x-a": _nested(MAX_DEPTH + 1, _in_mapping)}, id="mappings too deep"),
        pytest.param({"x-a": _nested(10_000, _in_list)}, id="lists far too deep"),
    ],
)
def test_what_json_does_not_have_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"JSON value$|text that UTF-8 can hold$|deeper than 60$"):
        Extensions(values)
    with pytest.raises(ValueError, match=r"JSON value$|text that UTF-8 can hold$|deeper than 60$"):
        Extensions.keep(values)


@pytest.mark.parametrize(
    "wrap", [pytest.param(_in_list, id="lists"), pytest.param(_in_mapping, id="mappings")]
)
def test_60_levels_are_taken(wrap: Callable[[object], object]) -> None:
    values = {"x-a": _nested(MAX_DEPTH, wrap)}
    extensions = Extensions(values)
    assert extensions.to_dict() == values
    assert copy.deepcopy(extensions) == extensions


def test_a_mapping_that_holds_itself_is_refused() -> None:
    values: dict[str, Any] = {}
    values["x-a"] = values
    with pytest.raises(ValueError, match=r"^nested deeper than 60$"):
        Extensions(values)


def test_any_mapping_is_taken() -> None:
    values = OrderedDict({"x-a": MappingProxyType({"b": Extensions({"c": 1})})})
    assert Extensions(values).to_dict() == {"x-a": {"b": {"c": 1}}}


def test_values_of_subclasses_become_plain() -> None:
    class Text(str):
        __slots__ = ()

    class Fraction(float):
        __slots__ = ()

    class Whole(IntEnum):
        THREE = 3

    extensions = Extensions({Text("x-a"): [Text("t"), Fraction(1.5), Whole.THREE]})
    assert repr(extensions) == "Extensions({'x-a': ('t', 1.5, 3)})"
    assert [type(each) for each in (*extensions, *extensions["x-a"])] == [str, str, float, int]


def test_only_what_was_kept_may_have_other_names() -> None:
    assert PREFIX == "x-"
    assert (Extensions({"future": 1}).is_kept, Extensions.keep({"future": 1}).is_kept) == (
        False,
        True,
    )
    assert Extensions({"future": 1}) == Extensions.keep({"future": 1})


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", False), ("🚀", False), ("\ud83d", True), ("a\udfffb", True), ("\uffff", False)],
)
def test_a_lone_surrogate_is_found(text: str, *, expected: bool) -> None:
    assert has_surrogate(text) is expected
