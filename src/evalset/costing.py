"""What a sweep may cost before it runs: a host's prices, summed; what is unknown stays unknown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol, TypeAlias, final

import attrs

from evalset.canonical import is_double, number
from evalset.combination import Combination
from evalset.expansion import Expansion
from evalset.pricing import Range
from evalset.quoting import quote
from evalset.shapes import demand

__all__ = ["Budget", "CostModel", "Estimate", "Part", "estimate"]

Budget: TypeAlias = Literal["no budget", "fits", "may exceed", "exceeds", "unknown"]
"""How an estimate stands to a budget: `fits` even when high, `may exceed` only when high,
`exceeds` when as expected; `unknown` where what is priced fits, but not all is priced."""

_DIGITS = 6  # of dollars, to which estimates are told


class CostModel(Protocol):
    """What a host knows of its costs."""

    def cost(self, combination: Combination, /) -> Range | None:
        """Give the US dollars of one combination, or None: they are not known."""
        ...

    def cases(self, combination: Combination, /) -> Range:
        """Give the number of cases that one combination runs."""
        ...


@final
@attrs.frozen(kw_only=True)
class Part:
    """What some combinations cost together.

    Attributes:
        name: What they share, such as a pack's reference; None: the implicit model slot, or
            nothing in particular.
        count: How many they are.
        usd: The sum of what is known.
        unknown: How many of them have no known cost.
    """

    name: str | None
    count: int
    usd: Range
    unknown: int

    def to_dict(self) -> dict[str, Any]:
        """Give plain data."""
        return {
            "name": self.name,
            "count": self.count,
            "usd": _told(self.usd),
            "unknown": self.unknown,
        }


@final
@attrs.frozen(kw_only=True)
class Estimate:
    """What an expansion may cost. Only `estimate` makes one.

    Attributes:
        total: All of it.
        packs: By pack, in the order of the manifest.
        agents: By agent, named by its label or deployment.
        models: By model.
        cases: The cases of all combinations.
        unpriced: What has no known cost: the models, or for the implicit slot the agents.
        budget_usd: The budget that it is held against, or None.
        suggestions: What would fit the budget; empty if it fits.
    """

    total: Part
    packs: tuple[Part, ...]
    agents: tuple[Part, ...]
    models: tuple[Part, ...]
    cases: Range
    unpriced: tuple[str, ...]
    budget_usd: float | None
    suggestions: tuple[str, ...]

    @property
    def budget(self) -> Budget:
        """How it stands to the budget."""
        if self.budget_usd is None:
            return "no budget"
        if self.total.usd.expected > self.budget_usd:
            return "exceeds"
        if self.total.usd.high > self.budget_usd:
            return "may exceed"
        return "unknown" if self.total.unknown else "fits"

    def to_dict(self) -> dict[str, Any]:
        """Give plain data: the fields of the reference's estimate, then ours.

        Returns:
            `estimated_usd` and `per_case_usd` are as expected, of what is priced;
            `assumed_cases_per_pack` is the average; `tolerance_pct` is how far low and
            high are off, at most; `budget_usd` is 0 where there is no budget.
        """
        usd, cases = self.total.usd, self.cases.expected
        spread = max(usd.high - usd.expected, usd.expected - usd.low)
        return {
            "estimated_usd": _dollars(usd.expected),
            "combinations": self.total.count,
            "assumed_cases_per_pack": number(cases / self.total.count) if cases else 0,
            "per_case_usd": _dollars(usd.expected / cases) if cases else 0,
            "heuristic": "host cost model",
            "tolerance_pct": round(100 * spread / usd.expected) if usd.expected else 0,
            "budget_usd": number(self.budget_usd or 0),
            "exceeds_budget": self.budget == "exceeds",
            "usd": _told(usd),
            "unknown": self.total.unknown,
            "unpriced": list(self.unpriced),
            "packs": [part.to_dict() for part in self.packs],
            "agents": [part.to_dict() for part in self.agents],
            "models": [part.to_dict() for part in self.models],
            "budget": self.budget,
            "suggestions": list(self.suggestions),
        }


def estimate(
    expansion: Expansion, cost_model: CostModel, *, budget_usd: float | None = None
) -> Estimate:
    """Sum what the combinations of an expansion, or of a selection, may cost.

    Args:
        expansion: What is to run.
        cost_model: What it costs, such as `TokenPrices`.
        budget_usd: The budget; None: the manifest's, if it has one.

    Guarantees:
        Nothing unknown counts as free: it is counted and named apart. The estimates of
        parts of an expansion add up to that of the whole.

    Raises:
        TypeError: `expansion` is no Expansion, or `cost_model` lacks a method.
        ValueError: `budget_usd`, or a sum of costs, is negative or not finite.
    """
    demand(expansion, Expansion, "expansion")
    for name in ("cost", "cases"):
        if not callable(getattr(cost_model, name, None)):
            given = type(cost_model).__name__
            raise TypeError(f"a cost model has the methods cost and cases; {given} has no {name}")
    budget = expansion.manifest.limits.budget_usd if budget_usd is None else budget_usd
    if budget is not None and not (is_double(budget) and budget >= 0):
        raise ValueError(f"budget_usd is {budget!r}; it is finite and not negative")
    priced = [_Priced(each, cost_model.cost(each)) for each in expansion]
    unpriced = dict.fromkeys(_source(each.combination) for each in priced if each.usd is None)
    result = Estimate(
        total=_sum(None, priced),
        packs=_parts(priced, lambda each: each.pack_ref),
        agents=_parts(priced, _agent),
        models=_parts(priced, lambda each: each.model_ref),
        cases=_add([cost_model.cases(each) for each in expansion]),
        unpriced=tuple(unpriced),
        budget_usd=None if budget is None else float(budget),
        suggestions=(),
    )
    return attrs.evolve(result, suggestions=tuple(_suggest(result, priced)))


@attrs.frozen
class _Priced:
    combination: Combination
    usd: Range | None


def _agent(each: Combination) -> str:
    return each.agent_label or each.agent.deployment


def _source(each: Combination) -> str:
    if each.model_ref is not None:
        return f"model {quote(each.model_ref)}"
    return f"default model of {quote(_agent(each))}"


def _parts(
    priced: Sequence[_Priced], name: Callable[[Combination], str | None]
) -> tuple[Part, ...]:
    groups: dict[str | None, list[_Priced]] = {}
    for each in priced:
        groups.setdefault(name(each.combination), []).append(each)
    return tuple(_sum(shared, members) for shared, members in groups.items())


def _sum(name: str | None, priced: Sequence[_Priced]) -> Part:
    known = [each.usd for each in priced if each.usd is not None]
    return Part(name=name, count=len(priced), usd=_add(known), unknown=len(priced) - len(known))


def _add(ranges: Sequence[Range]) -> Range:
    return Range(
        _finite_sum(each.low for each in ranges),
        _finite_sum(each.expected for each in ranges),
        _finite_sum(each.high for each in ranges),
    )


def _finite_sum(values: Iterable[float]) -> float:
    """Add numbers; what is beyond all of them is infinite, as no range may be."""
    try:
        return math.fsum(values)
    except OverflowError:
        return math.inf


def _suggest(found: Estimate, priced: Sequence[_Priced]) -> Iterator[str]:
    """Say what fits the budget as expected: fewer repeats, or one entry of an axis less."""
    budget = found.budget_usd
    if budget is None or found.total.usd.expected <= budget:
        return
    repeats = _parts(priced, lambda each: str(each.repeat))
    costs = sorted((int(part.name or 0), part.usd.expected) for part in repeats)
    fitting = 0
    while math.fsum(cost for _, cost in costs[: fitting + 1]) <= budget:
        fitting += 1
    if fitting:
        usd = math.fsum(cost for _, cost in costs[:fitting])
        yield f"{fitting} of {len(costs)} repeats: {_usd(usd, is_all=not found.total.unknown)}"
    for axis, parts in (("pack", found.packs), ("agent", found.agents), ("model", found.models)):
        for part in parts if len(parts) > 1 else ():
            rest = found.total.usd.expected - part.usd.expected
            if rest <= budget:
                told = _usd(rest, is_all=part.unknown == found.total.unknown)
                yield f"without the {axis} {quote(str(part.name))}: {told}"


def _usd(value: float, *, is_all: bool) -> str:
    return f"{value:,.2f} USD{'' if is_all else ' and what is unknown'}"


def _dollars(value: float) -> float:
    return number(round(value, _DIGITS))


def _told(usd: Range) -> dict[str, float]:
    return {name: _dollars(value) for name, value in usd.to_dict().items()}
