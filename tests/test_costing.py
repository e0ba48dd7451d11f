"""Costs before a run: summed by axis, unknown prices named, and what would fit a budget."""

import copy
import pickle
from typing import Any

import attrs
import pytest

from evalset import (
    Agent,
    Combination,
    Estimate,
    Expansion,
    Limits,
    Manifest,
    TokenPrices,
    estimate,
    expand,
)
from evalset.costing import Budget
from evalset.pricing import Price, Range

MANIFEST = Manifest(
    "n",
    packs=["small", "large"],
    agents=[Agent("dep-1", label="x"), Agent("b")],
    models=["cheap", "dear"],
    repeats=2,
    limits=Limits(budget_usd=10),
)
ONE = Range.exactly(1)


@attrs.frozen
class Flat:
    """Costs of a host by pack; one model's are not known."""

    def cost(self, combination: Combination, /) -> Range | None:
        if combination.model_ref == "dear":
            return None
        usd = {"small": 1, "large": 3}[combination.pack_ref]
        return Range(usd / 2, usd, usd * 2)

    def cases(self, combination: Combination, /) -> Range:
        del combination
        return ONE


def priced(*, expansion: Expansion | None = None, budget: float | None = None) -> Estimate:
    return estimate(expansion or expand(MANIFEST), Flat(), budget_usd=budget)


def test_costs_are_summed_by_each_axis_and_what_is_unknown_is_named() -> None:
    found = priced()
    assert (found.total.count, found.total.unknown) == (16, 8)
    assert found.total.usd == Range(8, 16, 32)
    assert [(part.name, part.usd.expected, part.unknown) for part in found.packs] == [
        ("small", 4, 4),
        ("large", 12, 4),
    ]
    assert [(part.name, part.usd.expected) for part in found.agents] == [("x", 8), ("b", 8)]
    assert [(part.name, part.count, part.usd, part.unknown) for part in found.models] == [
        ("cheap", 8, Range(8, 16, 32), 0),
        ("dear", 8, Range.exactly(0), 8),
    ]
    assert found.unpriced == ('model "dear"',)
    assert found.suggestions == (
        "1 of 2 repeats: 8.00 USD and what is unknown",
        'without the pack "large": 4.00 USD and what is unknown',
        'without the agent "x": 8.00 USD and what is unknown',
        'without the agent "b": 8.00 USD and what is unknown',
        'without the model "cheap": 0.00 USD and what is unknown',
    )


@pytest.mark.parametrize(
    ("budget", "verdict"),
    [(15.5, "exceeds"), (16, "may exceed"), (31, "may exceed"), (32, "fits"), (0, "exceeds")],
)
def test_a_budget_has_a_verdict(budget: float, verdict: Budget) -> None:
    cheap = expand(MANIFEST).select(model="cheap")
    assert estimate(cheap, Flat(), budget_usd=budget).budget == verdict


def test_a_budget_is_the_caller_s_or_the_manifest_s_or_none() -> None:
    assert (priced().budget_usd, priced().budget) == (10, "exceeds")
    assert (priced(budget=31).budget_usd, priced(budget=31).budget) == (31, "may exceed")
    assert priced(budget=32).budget == "unknown"
    bare = priced(expansion=expand(MANIFEST.replace(limits=Limits())))
    assert (bare.budget, bare.suggestions) == ("no budget", ())
    for budget in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r"^budget_usd is .*; it is finite and not negative$"):
            priced(budget=budget)


def test_an_estimate_has_the_reference_s_fields_first() -> None:
    found = priced(expansion=expand(MANIFEST).select(model="cheap"))
    assert found.to_dict() == {
        "estimated_usd": 16,
        "combinations": 8,
        "assumed_cases_per_pack": 1,
        "per_case_usd": 2,
        "heuristic": "host cost model",
        "tolerance_pct": 100,
        "budget_usd": 10,
        "exceeds_budget": True,
        "usd": {"low": 8, "expected": 16, "high": 32},
        "unknown": 0,
        "unpriced": [],
        "packs": [part.to_dict() for part in found.packs],
        "agents": [part.to_dict() for part in found.agents],
        "models": [{"name": "cheap", "count": 8, "usd": {"low": 8, "expected": 16, "high": 32},
                    "unknown": 0}],
        "budget": "exceeds",
        "suggestions": list(found.suggestions),
    }  # fmt: skip


def test_an_estimate_is_a_value() -> None:
    found = priced()
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):  # noqa: S301 (our own)
        assert (other, hash(other)) == (found, hash(found))
    prices = TokenPrices.from_dict(PRICES)
    assert pickle.loads(pickle.dumps(prices)) == prices  # noqa: S301 (our own)


def test_of_nothing_the_estimate_is_nothing() -> None:
    found = estimate(expand(MANIFEST)[:0], Flat())
    assert (found.total.usd, found.packs, found.budget) == (Range.exactly(0), (), "fits")
    report = found.to_dict()
    assert (report["per_case_usd"], report["tolerance_pct"]) == (0, 0)
    assert report["assumed_cases_per_pack"] == 0


PRICES: dict[str, Any] = {
    "as_of": "2026-11-01",
    "models": {
        "cheap": {"input": 1, "output": {"low": 2, "expected": 4, "high": 8}},
        "other": {"input": 0, "output": 10},
    },
    "agents": {"dep-1": "other", "y": "cheap"},
    "pack_cases": {"small": 1},
    "x-source": "the contract",
}


def test_token_prices_are_cases_times_tokens_times_prices() -> None:
    prices = TokenPrices.from_dict(PRICES)
    assert prices.models["cheap"] == Price(ONE, Range(2, 4, 8))
    first = expand(MANIFEST)[0]
    usd = prices.cost(first)
    assert usd is not None
    assert usd.expected == pytest.approx((2000 * 1 + 500 * 4) / 1e6)
    assert usd.low == pytest.approx((2000 * 1 + 500 * 2) / 1e6)
    large = prices.cost(expand(MANIFEST)["large/x/cheap/1"])
    assert large is not None
    assert large.high == pytest.approx(10 * (2000 * 1 + 500 * 8) / 1e6)
    assert prices.cost(expand(MANIFEST)["small/x/dear/1"]) is None


def test_the_implicit_slot_costs_what_the_agent_s_model_does() -> None:
    manifest = MANIFEST.replace(models=[], agents=[Agent("dep-1", label="z"), Agent("d", label="y"),
                                                   Agent("e")])  # fmt: skip
    prices = TokenPrices.from_dict(PRICES)
    models = [prices.model_of(each) for each in expand(manifest, key_by="deployment")[:6:2]]
    assert models == ["other", "cheap", None]
    found = estimate(expand(manifest), prices)
    assert found.unpriced == ('default model of "e"',)
    assert found.models[0].name is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param({"model": {}}, '"model" is no key of prices; known are models, agents, '
                     "pack_cases, default_cases, input_tokens, output_tokens, as_of", id="a typo"),
        pytest.param({"models": []}, "models is a mapping", id="a list"),
        pytest.param({"models": {"m": 5}}, 'models["m"] is a mapping of input and output',
                     id="a number"),
        pytest.param({"models": {"m": {"input": 1}}},
                     'models["m"] is a mapping of input and output', id="no output"),
        pytest.param({"models": {"m": {"input": -1, "output": 1}}},
                     'models["m"].input: -1, -1, -1: a quantity is finite and not negative',
                     id="negative"),
        pytest.param({"default_cases": "10"},
                     "default_cases is a number, or a mapping of low, expected and high",
                     id="a text"),
        pytest.param({"default_cases": True},
                     "default_cases is a number, or a mapping of low, expected and high",
                     id="a boolean"),
        pytest.param({"default_cases": {"low": 2, "expected": 1, "high": 3}},
                     "default_cases: 2, 1, 3: low, expected and high rise", id="falling"),
        pytest.param({"default_cases": {"low": 2, "expected": "3", "high": 3}},
                     "default_cases: low, expected and high are numbers", id="a text within"),
        pytest.param({"agents": {"a": 1}}, 'agents["a"] is text', id="no text"),
    ],
)  # fmt: skip
def test_what_are_no_prices_is_told(change: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (compared as a whole)
        TokenPrices.from_dict({**PRICES, **change})
    assert str(caught.value) == told


def test_prices_are_a_mapping_with_models() -> None:
    data: Any = []
    with pytest.raises(ValueError, match=r"^prices are a mapping, not a list$"):
        TokenPrices.from_dict(data)
    with pytest.raises(ValueError, match=r"^prices have no models$"):
        TokenPrices.from_dict({})


def test_costs_beyond_all_numbers_are_refused() -> None:
    manifest = Manifest("n", packs=["p"], agents=[Agent("a")], repeats=4)
    most = Range.exactly(1.7e308)

    class Dear:
        def cost(self, _: Combination, /) -> Range:
            return most

        def cases(self, _: Combination, /) -> Range:
            return ONE

    with pytest.raises(ValueError, match="inf: a quantity is finite"):
        estimate(expand(manifest), Dear())
