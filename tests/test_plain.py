"""Data that a caller made becomes plain dicts and lists, or is refused by its size."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType
from typing import Any

import pytest

from evalset.faults import Fault, Unreadable
from evalset.nodes import ReadLimits
from evalset.plain import tidy
from evalset.shapes import is_list, is_mapping

LIMITS = ReadLimits()


class Colour(StrEnum):
    RED = "red"


class Size(IntEnum):
    BIG = 3


class Ratio(float, Enum):
    HALF = 0.5


class Lazy(Mapping[str, Any]):
    def __getitem__(self, key: str) -> object:
        return [key]

    def __iter__(self) -> Iterator[str]:
        return iter("ab")

    def __len__(self) -> int:
        return 2


OPAQUE = object()
NOTHING: dict[str, Any] = {}


@pytest.mark.parametrize(
    ("data", "tidied"),
    [
        pytest.param({"a": [1, 2.5, "t", True, None]}, {"a": [1, 2.5, "t", True, None]}, id="JSON"),
        pytest.param((1, (2, [3])), [1, [2, [3]]], id="tuples"),
        pytest.param(MappingProxyType({"a": NOTHING}), {"a": NOTHING}, id="a proxy"),
        pytest.param(OrderedDict[str, int](b=1, a=2), {"b": 1, "a": 2}, id="an ordered dict"),
        pytest.param(Lazy(), {"a": ["a"], "b": ["b"]}, id="a mapping of one's own"),
        pytest.param([Colour.RED, Size.BIG, Ratio.HALF], ["red", 3, 0.5], id="enumerations"),
        pytest.param({Colour.RED: 1}, {"red": 1}, id="an enumeration for a key"),
        pytest.param([OPAQUE, b"b", {1}.__class__], [OPAQUE, b"b", set], id="anything else"),
    ],
)
def test_data_is_copied_into_the_types_of_json(data: object, tidied: object) -> None:
    copied, faults = tidy(data, LIMITS)
    assert (copied, faults) == (tidied, [])
    assert _types(copied) == _types(tidied)
    assert not isinstance(data, dict) or copied is not data


def _types(data: Any) -> str:  # noqa: ANN401 (plain data)
    """Show a value with the types of everything in it, which == does not compare."""
    if is_mapping(data):
        return f"{type(data)} {[(repr(key), _types(value)) for key, value in data.items()]}"
    if is_list(data):
        return f"{type(data)} {[_types(item) for item in data]}"
    return repr(data)


def test_keys_that_are_not_text_are_left_out_and_reported() -> None:
    data = {"a": [{5: 1, "b": 2}], None: 3, ("t",): 4}
    assert tidy(data, LIMITS) == (
        {"a": [{"b": 2}]},
        [
            Fault("key-not-text", 'the key "5" is not text', path=("a", 0)),
            Fault("key-not-text", 'the key "None" is not text'),
            Fault("key-not-text", "the key \"('t',)\" is not text"),
        ],
    )


def _nested(depth: int) -> object:
    data: object = 1
    for level in range(depth):
        data = [data] if level % 2 else {"a": data}
    return data


def test_data_of_the_allowed_depth_is_taken() -> None:
    assert tidy(_nested(64), LIMITS) == (_nested(64), [])
    assert tidy(_nested(2), ReadLimits(depth=2)) == (_nested(2), [])


def test_deeper_data_is_refused_where_it_becomes_too_deep() -> None:
    with pytest.raises(Unreadable) as caught:
        tidy({"a": [[1]]}, ReadLimits(depth=2))
    assert caught.value.fault.code == "too-deep"
    assert caught.value.fault.path == ("a", 0)


def test_data_that_holds_itself_is_refused() -> None:
    data: list[object] = []
    data.append(data)
    with pytest.raises(Unreadable, match=r"^lists and mappings are nested more than 64 deep here$"):
        tidy(data, LIMITS)
    mapping: dict[str, object] = {}
    mapping["a"] = (mapping,)
    with pytest.raises(Unreadable, match=r"^lists and mappings are nested more than 64 deep here$"):
        tidy(mapping, LIMITS)


def test_values_are_counted_wherever_they_stand() -> None:
    data = {"a": [1, 2], "b": 3}
    assert tidy(data, ReadLimits(nodes=5)) == (data, [])
    with pytest.raises(Unreadable) as caught:
        tidy(data, ReadLimits(nodes=4))
    assert caught.value.fault.code == "too-many-nodes"


def test_data_that_doubles_at_every_level_is_refused_by_its_size() -> None:
    data: list[Any] = []
    for _ in range(40):
        data = [data, data]
    with pytest.raises(Unreadable) as caught:
        tidy(data, LIMITS)
    assert caught.value.fault.code == "too-many-nodes"
