"""`evalset estimate`: say what a sweep may cost before it runs."""

# A path is opened as it was written, which pathlib would tidy.
# ruff: noqa: PTH123

from __future__ import annotations

import argparse
import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from evalset.commands.narrowing import add_narrowing_options, add_skip_option, expand_narrowed
from evalset.commands.shell import (
    CLEAN,
    FINDINGS,
    SETTINGS,
    Streams,
    add_expansion_options,
    one_of,
    quote,
    refuse,
    say,
)

if TYPE_CHECKING:
    from evalset.costing import Estimate
    from evalset.pricing import TokenPrices

__all__ = ["add_estimate"]

_FORMATS = ("text", "json")


def add_estimate(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the others."""
    parser = commands.add_parser(
        "estimate",
        **SETTINGS,
        usage="""\
evalset estimate FILE... --prices PRICES [--max-usd N] [--format FORMAT]
                        [--only TERM] [--except TERM] [--keys-from FILE]
                        [--shard I/N] [--shard-by WAY] [--skip-done FILE...]
                        [--key-by DIALECT] [--max-combinations N]""",
        help="say what manifests may cost",
        description="""\
Say what manifests may cost, by pack, agent and model: low, expected and high.
What has no known price is listed, and never counted as free. No prices are
built in: PRICES is a JSON file of yours.""",
        epilog="""\
examples:
  evalset estimate sweep.yaml --prices prices.json
  evalset estimate sweep.yaml --prices prices.json --skip-done done.txt
  evalset estimate sweeps/*.yaml --prices prices.json --max-usd 50""",
    )
    parser.set_defaults(run=_estimate)
    parser.add_argument("paths", metavar="FILE", nargs="+", help="manifests, or - for stdin")
    parser.add_argument("--prices", metavar="PRICES", required=True, help="the prices")
    parser.add_argument(
        "--max-usd",
        metavar="N",
        type=_usd,
        help="exit 1 if all together is expected to cost more US dollars than N, or if some "
        "price is unknown",
    )
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=partial(one_of, _FORMATS),
        default="text",
        help="text (default) or json",
    )
    add_narrowing_options(parser)
    add_skip_option(parser)
    add_expansion_options(parser)


def _usd(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,15}(\.[0-9]{1,15})?", text):
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a number of dollars")
    return float(text)


def _estimate(options: argparse.Namespace, streams: Streams) -> int:
    from evalset.costing import estimate

    prices = _read_prices(options.prices, streams)
    if isinstance(prices, int):
        return prices
    found: dict[str, Estimate] = {}
    for path in options.paths:
        expansion = expand_narrowed(path, options, streams)
        if isinstance(expansion, int):
            return expansion
        found[path] = estimate(expansion, prices)
    expected = sum(each.total.usd.expected for each in found.values())
    unknown = sum(each.total.unknown for each in found.values())
    is_within = options.max_usd is None or (expected <= options.max_usd and not unknown)
    write = _write_json if options.format == "json" else _write_text
    streams.stdout.write(write(found, prices))
    if not is_within:
        known = f"{expected:,.2f} USD{' and what is unknown' if unknown else ''}"
        say(streams, f"evalset: {known}, of at most {options.max_usd:,.2f} USD")
    return CLEAN if is_within else FINDINGS


def _read_prices(path: str, streams: Streams) -> TokenPrices | int:
    from evalset.pricing import TokenPrices

    try:
        with open(path, encoding="utf-8") as file:
            return TokenPrices.from_dict(json.load(file))
    except OSError as error:
        return refuse(streams, f"cannot read {path}: {error.strerror}")
    except (ValueError, RecursionError) as error:
        say(streams, f"evalset: {path}: {error}")
        return FINDINGS


def _write_json(found: dict[str, Estimate], prices: TokenPrices) -> str:
    estimates = [{"file": path, **each.to_dict()} for path, each in found.items()]
    report = {"prices_as_of": prices.as_of, "estimates": estimates}
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def _write_text(found: dict[str, Estimate], prices: TokenPrices) -> str:
    from evalset.quoting import escape
    from evalset.reports import write_estimate

    texts = [
        f"{escape(path)}\n\n{write_estimate(each)}" if len(found) > 1 else write_estimate(each)
        for path, each in found.items()
    ]
    if prices.as_of is not None:
        texts.append(f"prices of {escape(prices.as_of)}\n")
    return "\n".join(texts)
