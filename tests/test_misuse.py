"""Misuse by the programmer is a TypeError or ValueError that says what is wanted."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import evalset
from evalset.keys import combination_number, group_id

TEXT = "{schema: evalset/v1, name: n, packs: [p], agents: [{deployment: a}]}"
MANIFEST = evalset.loads(TEXT)
EXPANSION = evalset.expand(MANIFEST)


class _CostAlone:
    def cost(self, _: evalset.Combination, /) -> None:
        """Know no price, and no cases either."""


def _any(function: object) -> Callable[..., Any]:
    """Give a function without its types: what is tried here no checker lets through."""
    assert callable(function)
    return function


@pytest.mark.parametrize(
    ("misuse", "message"),
    [
        pytest.param(
            lambda: _any(evalset.loads)(TEXT, limits=3),
            "limits is of the type ReadLimits, not int",
            id="limits are a number",
        ),
        pytest.param(
            lambda: _any(evalset.dump)(MANIFEST, 3.5),
            "a path or an open file is wanted, not float",
            id="the target of dump is a number",
        ),
        pytest.param(
            lambda: _any(evalset.diff)(EXPANSION, MANIFEST),
            "new is of the type Expansion, not Manifest",
            id="a manifest is no expansion",
        ),
        pytest.param(
            lambda: _any(evalset.expand)({"schema": "evalset/v1"}),
            "manifest is of the type Manifest, not dict; Manifest.from_dict takes plain data",
            id="plain data is no manifest",
        ),
        pytest.param(
            lambda: _any(EXPANSION.find)(3),
            "text is of the type str, not int",
            id="a number is no name of a combination",
        ),
        pytest.param(
            lambda: _any(evalset.estimate)(EXPANSION, {}),
            "a cost model has the methods cost and cases; dict has no cost",
            id="prices as a dict are no cost model",
        ),
        pytest.param(
            lambda: _any(evalset.estimate)(EXPANSION, _CostAlone()),
            "a cost model has the methods cost and cases; _CostAlone has no cases",
            id="a cost model without cases",
        ),
    ],
)
def test_a_wrong_argument_is_told_with_what_is_wanted(
    misuse: Callable[[], object], message: str
) -> None:
    with pytest.raises(TypeError) as caught:
        misuse()
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(evalset.combination_id, id="combination_id"),
        pytest.param(evalset.safe_name, id="safe_name"),
        pytest.param(combination_number, id="combination_number"),
        pytest.param(group_id, id="group_id"),
    ],
)
def test_a_key_that_is_no_text_is_a_type_error(function: Callable[[str], object]) -> None:
    with pytest.raises(TypeError):
        _any(function)(3)


def test_dump_writes_to_an_open_file_and_to_a_path(tmp_path: Path) -> None:
    target = StringIO()
    evalset.dump(MANIFEST, target)
    evalset.dump(MANIFEST, tmp_path / "m.yaml")
    assert target.getvalue() == (tmp_path / "m.yaml").read_text() == evalset.dumps(MANIFEST)


@pytest.mark.parametrize(
    ("first", "second", "is_equal"),
    [
        pytest.param(2**53 - 1, 2.0**53 - 1, True, id="below 2**53"),
        pytest.param(2**53, 2.0**53, False, id="from 2**53 on"),
    ],
)
def test_a_whole_number_and_a_float_are_one_extension_as_far_as_doubles_are_exact(
    first: float, second: float, *, is_equal: bool
) -> None:
    values = evalset.Extensions({"x-n": first}), evalset.Extensions({"x-n": second})
    assert (values[0] == values[1]) is is_equal


def test_kept_keys_are_read_back_under_the_option_that_kept_them() -> None:
    kept = evalset.loads(TEXT[:-1] + ", priority: high}", unknown="keep")
    assert evalset.loads(evalset.dumps(kept), unknown="keep") == kept
    assert evalset.Manifest.from_dict(kept.to_dict(), unknown="keep") == kept
    with pytest.raises(evalset.ManifestError):
        evalset.loads(evalset.dumps(kept))
