"""Prices of tokens: a cost model for hosts that have nothing better."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, final

import attrs

from evalset.canonical import is_double
from evalset.combination import Combination
from evalset.quoting import quote
from evalset.shapes import is_mapping, is_number

__all__ = ["Price", "Range", "TokenPrices"]


@final
@attrs.frozen
class Range:
    """A quantity that is not known exactly.

    Attributes:
        low: The least that is likely.
        expected: The best guess.
        high: The most that is likely.

    Raises:
        TypeError: One is no number.
        ValueError: One is negative or not finite, or they do not rise.
    """

    low: float
    expected: float
    high: float

    def __attrs_post_init__(self) -> None:
        values = (self.low, self.expected, self.high)
        if not all(is_number(value) for value in values):
            raise TypeError("low, expected and high are numbers")
        if not all(is_double(value) and value >= 0 for value in values):
            raise ValueError(f"{self._shown()}: a quantity is finite and not negative")
        if not self.low <= self.expected <= self.high:
            raise ValueError(f"{self._shown()}: low, expected and high rise")

    @classmethod
    def exactly(cls, value: float) -> Range:
        """Give the range of a quantity that is known."""
        return cls(value, value, value)

    def times(self, other: Range) -> Range:
        """Give the product with another quantity."""
        return Range(self.low * other.low, self.expected * other.expected, self.high * other.high)

    def plus(self, other: Range) -> Range:
        """Give the sum with another quantity."""
        return Range(self.low + other.low, self.expected + other.expected, self.high + other.high)

    def to_dict(self) -> dict[str, float]:
        """Give plain data."""
        return {"low": self.low, "expected": self.expected, "high": self.high}

    def _shown(self) -> str:
        return ", ".join(map(repr, (self.low, self.expected, self.high)))


_PER_TOKEN = Range.exactly(1e-6)  # of a price for a million
# What the reference assumes of every pack and case.
_CASES = Range.exactly(10)
_TOKENS_IN, _TOKENS_OUT = Range.exactly(2000), Range.exactly(500)


@final
@attrs.frozen
class Price:
    """What a model costs.

    Attributes:
        input: US dollars of a million tokens in.
        output: US dollars of a million tokens out.
    """

    input: Range
    output: Range


def _prices(values: Mapping[str, Price]) -> Mapping[str, Price]:
    return dict(values)


def _names(values: Mapping[str, str]) -> Mapping[str, str]:
    return dict(values)


def _ranges(values: Mapping[str, Range]) -> Mapping[str, Range]:
    return dict(values)


@final
@attrs.frozen(kw_only=True)
class TokenPrices:
    """A cost model: cases x tokens of a case x the price of the model.

    Attributes:
        models: The price of each model, by its reference as manifests write it.
        agents: The model that each agent uses by default, by deployment or label: what
            the implicit slot costs.
        pack_cases: How many cases each pack has, by its reference.
        default_cases: How many cases another pack has; 10, as the reference assumes.
        input_tokens: Tokens in of a case; 2,000, as the reference assumes.
        output_tokens: Tokens out of a case; 500, as the reference assumes.
        as_of: The date of the prices, for people.
    """

    models: Mapping[str, Price] = attrs.field(converter=_prices)
    agents: Mapping[str, str] = attrs.field(factory=dict[str, str], converter=_names)
    pack_cases: Mapping[str, Range] = attrs.field(factory=dict[str, Range], converter=_ranges)
    default_cases: Range = _CASES
    input_tokens: Range = _TOKENS_IN
    output_tokens: Range = _TOKENS_OUT
    as_of: str | None = None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> TokenPrices:
        """Build prices from plain data, such as a file of JSON.

        Args:
            data: The attributes by name. A range is a number, or a mapping of `low`,
                `expected` and `high`; a price a mapping of `input` and `output`. Keys that
                start with `x-` are passed over.

        Raises:
            ValueError: The data is not of this shape; the message says where.
        """
        return _read_prices(data)

    def cost(self, combination: Combination, /) -> Range | None:
        """Give the cost of a combination, or None where the price of its model is unknown."""
        model = self.model_of(combination)
        price = None if model is None else self.models.get(model)
        if price is None:
            return None
        tokens = self.input_tokens.times(price.input).plus(self.output_tokens.times(price.output))
        return self.cases(combination).times(tokens).times(_PER_TOKEN)

    def cases(self, combination: Combination, /) -> Range:
        """Give the cases of a combination's pack."""
        return self.pack_cases.get(combination.pack_ref, self.default_cases)

    def model_of(self, combination: Combination, /) -> str | None:
        """Give the model that a combination uses, or None: nothing says which."""
        if combination.model_ref is not None:
            return combination.model_ref
        label = combination.agent_label
        by_label = self.agents.get(label) if label is not None else None
        return self.agents.get(combination.agent.deployment, by_label)


def _read_prices(data: object) -> TokenPrices:
    if not is_mapping(data):
        raise ValueError(f"prices are a mapping, not a {type(data).__name__}")
    readers: dict[str, Callable[[object, str], Any]] = {
        "models": lambda value, at: _mapping(value, at, _price),
        "agents": lambda value, at: _mapping(value, at, _text),
        "pack_cases": lambda value, at: _mapping(value, at, _range),
        "default_cases": _range,
        "input_tokens": _range,
        "output_tokens": _range,
        "as_of": _text,
    }
    known = {name: value for name, value in data.items() if not name.startswith("x-")}
    for name in known:
        if name not in readers:
            raise ValueError(f"{quote(name)} is no key of prices; known are {', '.join(readers)}")
    if "models" not in known:
        raise ValueError("prices have no models")
    return TokenPrices(**{name: readers[name](value, name) for name, value in known.items()})


def _mapping(value: object, at: str, read: Callable[[object, str], Any]) -> dict[str, Any]:
    if not is_mapping(value):
        raise ValueError(f"{at} is a mapping")
    return {name: read(item, f"{at}[{quote(name)}]") for name, item in value.items()}


def _text(value: object, at: str) -> str:
    if type(value) is not str:
        raise ValueError(f"{at} is text")
    return value


def _price(value: object, at: str) -> Price:
    if not is_mapping(value) or set(value) != {"input", "output"}:
        raise ValueError(f"{at} is a mapping of input and output")
    return Price(_range(value["input"], f"{at}.input"), _range(value["output"], f"{at}.output"))


def _range(value: object, at: str) -> Range:
    try:
        if is_number(value):
            return Range.exactly(value)
        if is_mapping(value) and set(value) == {"low", "expected", "high"}:
            return Range(value["low"], value["expected"], value["high"])
    except (TypeError, ValueError) as error:
        raise ValueError(f"{at}: {error}") from None
    raise ValueError(f"{at} is a number, or a mapping of low, expected and high")
