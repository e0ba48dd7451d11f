"""The report as JSON is put together from fragments, and what the encoder makes of it whole."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalset import Agent, Expansion, Limits, Manifest, Seeds, expand
from evalset.testing import expansions

NASTY = 'a"b\\c é\u2028\U0001f600 "combinations": [] / x'
ODD = expand(
    Manifest(
        NASTY,
        packs=[f"p {NASTY}", "p"],
        agents=[Agent(f"d {NASTY}", label=f"l {NASTY}"), Agent("a")],
        models=[f"m {NASTY}", "m/n"],
        repeats=2,
        seeds=Seeds("explicit", seeds=[2**63 - 1, 1]),
        limits=Limits(max_concurrent_runs=3, budget_usd=0.5),
        case_fanout=True,
    )
)
INDENTS = st.sampled_from([None, 0, 1, 2, -1])


def _encoded(expansion: Expansion, indent: int | None) -> str:
    separators = (",", ":") if indent is None else None
    return json.dumps(expansion.to_dict(), ensure_ascii=False, indent=indent, separators=separators)


@given(expansions(), INDENTS)
@example(ODD, None)
@example(ODD, 2)
def test_a_report_is_what_the_encoder_makes_of_it(expansion: Expansion, indent: int | None) -> None:
    assert expansion.to_json(indent=indent) == _encoded(expansion, indent)


@given(expansions(), st.data(), INDENTS)
def test_so_is_the_report_of_a_slice(
    expansion: Expansion, data: st.DataObject, indent: int | None
) -> None:
    part = expansion[data.draw(st.slices(len(expansion)))]
    assert part.to_json(indent=indent) == _encoded(part, indent)


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize(
    "part",
    [
        pytest.param(slice(0, 0), id="empty"),
        pytest.param(slice(5, 6), id="one"),
        pytest.param(slice(None, None, -3), id="backwards"),
        pytest.param(slice(None, None, -1), id="the whole, backwards"),
    ],
)
def test_any_part_can_be_reported(part: slice, indent: int | None) -> None:
    report: dict[str, Any] = json.loads(ODD[part].to_json(indent=indent))
    assert report["count"] == len(report["combinations"])
    assert ODD[part].to_json(indent=indent) == _encoded(ODD[part], indent)
