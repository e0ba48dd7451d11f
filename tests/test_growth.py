"""Work with an expansion grows with its combinations, and no faster: counted, not timed."""

import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from types import FrameType

import pytest

from evalset import Agent, Expansion, Manifest, Record, Seeds, TokenPrices, diff, estimate, expand
from evalset import reconcile as reconcile_records
from evalset.formats import write_csv, write_jsonl, write_keys, write_table
from evalset.markdown import write_markdown, write_markdown_diff
from evalset.pricing import Price, Range
from evalset.reports import write_diff, write_estimate, write_status


def _product(packs: int) -> Expansion:
    """Give 24 combinations for each pack."""
    return expand(
        Manifest(
            "n",
            packs=[f"catalog/pack {number}" for number in range(packs)],
            agents=[Agent(f"deployment-{number}", label=f"a{number}") for number in range(4)],
            models=["openai/gpt", "m"],
            repeats=3,
            seeds=Seeds("explicit", seeds=[7, 8, 9]),
        )
    )


FEW, MANY = 10, 80
PRICES = TokenPrices(models={"m": Price(Range.exactly(1), Range(1, 2, 3))})


def _diff(expansion: Expansion) -> tuple[Expansion, Expansion]:
    packs = [*expansion.manifest.packs[::2], "another"]
    return expansion, expand(expansion.manifest.replace(packs=packs, seeds=Seeds(), repeats=4))


def _records(expansion: Expansion) -> list[Record]:
    return [
        Record(each.id if each.index % 2 else each.matrix_key, fingerprint=each.fingerprint)
        for each in expansion
    ]


def _count_calls(action: Callable[[], object]) -> int:
    """Count every call of a function, in Python or C."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(before)
    return calls


WORK: dict[str, Callable[[Expansion], object]] = {
    "list": list,
    "report": Expansion.to_dict,
    "report as JSON": Expansion.to_json,
    "rows": Expansion.rows,
    "keys": Expansion.matrix_keys,
    "fingerprints": Expansion.fingerprints,
    "groups": Expansion.groups,
    "select": lambda some: some.select(pack="*7*", repeat=2),
    "without keys": lambda some: some.without(keys=some.matrix_keys()[::3]),
    "shard": lambda some: some.shard(2, 8),
    "find": lambda some: [some.find(name) for name in some.matrix_keys()],
    "diff": lambda some: diff(*_diff(some)),
    "diff as text": lambda some: write_diff(diff(*_diff(some))),
    "diff as Markdown": lambda some: write_markdown_diff(diff(*_diff(some))),
    "reconcile": lambda some: reconcile_records(some, _records(some)),
    "status": lambda some: write_status(reconcile_records(some, [])),
    "estimate": lambda some: write_estimate(estimate(some, PRICES)),
    "CSV": write_csv,
    "JSON lines": write_jsonl,
    "keys as text": write_keys,
    "table": lambda some: write_table(some, rows=None, width=80),
    "Markdown": write_markdown,
}


@pytest.mark.parametrize("name", WORK)
def test_eight_times_the_combinations_take_eight_times_the_calls(name: str) -> None:
    work = WORK[name]
    work(_product(FEW))  # what is made once for the process is there
    few, many = (_count_calls(partial(work, _product(size))) for size in (FEW, MANY))
    assert many <= MANY / FEW * few


def test_iterating_holds_one_combination_at_a_time() -> None:
    peaks: list[int] = []
    for expansion in (_product(FEW), _product(MANY)):
        for _ in expansion:  # what iterating makes once is there
            break
        tracemalloc.start()
        for _ in expansion:
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 1024  # a combination takes about 200 bytes, its key 100
