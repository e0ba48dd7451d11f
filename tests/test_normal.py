"""Converters bring what is right to its normal form, and pass on what is wrong."""

import math
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import pytest

from evalset import Extensions, normal


class Word(StrEnum):
    AUTO = "auto"


SET = {"a"}
DICT: dict[str, Any] = {"a": 1}
BAD_EXTENSIONS: dict[str, Any] = {"x-a": SET}
X = Extensions({"x-a": 1})


@pytest.mark.parametrize(
    ("convert", "value", "result"),
    [
        pytest.param(normal.text, " a\u3000", "a", id="text is trimmed"),
        pytest.param(normal.text, "", "", id="blank text stays"),
        pytest.param(normal.text, 5, 5, id="no text stays"),
        pytest.param(normal.text, None, None, id="null is no text"),
        pytest.param(normal.optional_text, None, None, id="null may stand for text"),
        pytest.param(normal.optional_text, "\ta", "a", id="optional text is trimmed"),
        pytest.param(normal.optional_text, SET, SET, id="no optional text stays"),
        pytest.param(normal.texts, [" a", "b "], ("a", "b"), id="texts"),
        pytest.param(normal.texts, ("a", 5), ("a", 5), id="a wrong item stays"),
        pytest.param(normal.texts, "abc", "abc", id="text is no list of letters"),
        pytest.param(normal.texts, SET, SET, id="a set has no order"),
        pytest.param(normal.texts, None, None, id="null is no list"),
        pytest.param(normal.optional_texts, None, (), id="null is no text at all"),
        pytest.param(normal.optional_texts, ["a"], ("a",), id="optional texts"),
        pytest.param(normal.integer, 3, 3, id="an integer"),
        pytest.param(normal.integer, 3.0, 3, id="a whole float"),
        pytest.param(normal.integer, 3.5, 3.5, id="a fraction stays"),
        pytest.param(normal.integer, 2.0**53, 2.0**53, id="a float that is not exact stays"),
        pytest.param(normal.integer, 2.0**53 - 1, 2**53 - 1, id="the largest exact float"),
        pytest.param(normal.integer, math.inf, math.inf, id="infinity stays"),
        pytest.param(normal.integer, True, True, id="a boolean stays"),
        pytest.param(normal.integer, "3", "3", id="text is no integer"),
        pytest.param(normal.integers, None, (), id="null is no integer at all"),
        pytest.param(normal.integers, [1.0, 2, "3"], (1, 2, "3"), id="integers"),
        pytest.param(normal.integers, "12", "12", id="text is no list of digits"),
        pytest.param(normal.repeats, None, 1, id="null repeats are 1"),
        pytest.param(normal.repeats, 4.0, 4, id="whole repeats"),
        pytest.param(normal.strategy, None, "auto", id="a null strategy is auto"),
        pytest.param(normal.strategy, "explicit", "explicit", id="a strategy"),
        pytest.param(normal.strategy, Word.AUTO, "auto", id="a member of an enumeration"),
        pytest.param(normal.strategy, 5, 5, id="no strategy stays"),
        pytest.param(normal.flag, None, False, id="a null flag is false"),
        pytest.param(normal.flag, True, True, id="a flag"),
        pytest.param(normal.flag, "yes", "yes", id="no flag stays"),
        pytest.param(normal.concurrency, None, None, id="null runs"),
        pytest.param(normal.concurrency, 0, None, id="0 runs are not set"),
        pytest.param(normal.concurrency, 0.0, None, id="0.0 runs are not set"),
        pytest.param(normal.concurrency, False, False, id="false is not 0 runs"),
        pytest.param(normal.concurrency, 20.0, 20, id="whole runs"),
        pytest.param(normal.budget, None, None, id="a null budget"),
        pytest.param(normal.budget, 0, None, id="a budget of 0 is not set"),
        pytest.param(normal.budget, -0.0, None, id="a budget of -0.0 is not set"),
        pytest.param(normal.budget, 50, 50.0, id="a budget is a float"),
        pytest.param(normal.budget, False, False, id="false is no budget"),
        pytest.param(normal.budget, "50", "50", id="text is no budget"),
        pytest.param(normal.budget, 10**400, 10**400, id="a budget no float holds stays"),
        pytest.param(normal.extensions, None, Extensions(), id="null extensions"),
        pytest.param(normal.extensions, {"x-a": 1}, X, id="a mapping"),
        pytest.param(normal.extensions, X, X, id="extensions"),
    ],
)
def test_a_value_gets_its_normal_form(
    convert: Callable[[object], object], value: object, result: object
) -> None:
    converted = convert(value)
    assert converted == result
    assert type(converted) is type(result)


def test_what_is_no_json_is_passed_on_as_it_is() -> None:
    assert normal.extensions(BAD_EXTENSIONS) is BAD_EXTENSIONS
