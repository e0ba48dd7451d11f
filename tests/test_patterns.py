"""Regular expressions mean the same on every Python that is supported."""

import pkgutil
import re
from importlib import import_module
from typing import Any

import pytest

import evalset
from evalset.yaml_subset import quick_yaml

MODULES = [
    module.name
    for module in pkgutil.walk_packages(evalset.__path__, "evalset.")
    if module.name != "evalset.__main__"
]


def patterns(module: str) -> list[str]:
    values: list[Any] = [*vars(import_module(module)).values()]
    return [str(value.pattern) for value in values if type(value).__name__ == "Pattern"]


@pytest.mark.parametrize("name", MODULES)
def test_no_pattern_repeats_a_group_possessively(name: str) -> None:
    # CPython before 3.11.5, which Debian 12 has, captures the wrong text behind it (gh-106052).
    for pattern in patterns(name):
        assert re.findall(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+|\(\?>", pattern) == []


def test_the_patterns_of_the_short_way_into_yaml_are_looked_at() -> None:
    assert len(patterns("evalset.yaml_subset")) > 1


def test_an_indented_key_behind_an_item_belongs_to_the_item() -> None:
    text = "agents:\n  - deployment: a\n    label: b\n    # c\n\n    x-c: d\nname: n\n"
    assert quick_yaml(text) == {
        "agents": [{"deployment": "a", "label": "b", "x-c": "d"}],
        "name": "n",
    }
