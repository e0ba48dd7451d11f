"""A sweep on a cluster of dask.distributed: at most so many at once, within its budget, resumable.

    python -m examples.sweep_on_dask.sweep SWEEP.yaml --results results.jsonl --prices prices.json

What `run_sweep` does is nothing special of dask: any engine that runs a function elsewhere and
says when it has ended takes the place of `client.submit` and `as_completed`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import attrs
from distributed import Client, as_completed

import evalset
from evalset import Combination, Expansion, Reconciliation, Record, TokenPrices
from evalset.costing import CostModel


class Cluster(Protocol):
    """What is used of `distributed.Client`, whose own types are partial."""

    def nthreads(self) -> Any:  # noqa: ANN401
        """Give the number of threads of each worker."""
        ...

    def submit(
        self, func: Callable[[Combination], Result], /, *args: Combination, key: str, pure: bool
    ) -> Any:  # noqa: ANN401
        """Begin a run, and give its future."""
        ...


@attrs.frozen(kw_only=True)
class Result:
    """What a run gives: what it found, and what it cost."""

    score: float
    usd: float


def run_sweep(
    expansion: Expansion,
    run: Callable[[Combination], Result],
    *,
    client: Cluster,
    costs: CostModel,
    results: Path,
) -> Reconciliation:
    """Run what is not done yet, and give what is done then.

    Args:
        expansion: The sweep, or a selection or shard of it.
        run: What runs a combination, with its seed; called on the workers. When a worker dies
            it is called again, on another.
        client: The cluster.
        costs: What a run is expected to cost, so that the budget is not exceeded by what is
            under way already.
        results: The file of records. Only this process writes it, a line for each run that has
            ended, so however often a run was begun, it is recorded once.

    Raises:
        ValueError: There is a budget, and what some run costs is not known.
    """
    ledger = Ledger(results)
    to_run = evalset.reconcile(expansion, ledger.records()).to_run
    budget, expected = expansion.manifest.limits.budget_usd, prices_of(to_run, costs)
    threads: dict[str, int] = client.nthreads()
    at_once = expansion.manifest.limits.max_concurrent_runs or sum(threads.values())

    waiting, under_way = deque(to_run), dict[str, Combination]()
    ended: Any = as_completed()

    def is_affordable(combination: Combination) -> bool:
        begun = sum(expected[each.index] for each in under_way.values())
        spent = ledger.spent + begun + expected[combination.index]
        return budget is None or spent <= budget + 1e-9  # sums of cents are seldom exact

    def begin() -> None:
        while waiting and len(under_way) < at_once and is_affordable(waiting[0]):
            combination = waiting.popleft()
            under_way[combination.id] = combination
            # With the id as its key, the scheduler has each combination at most once.
            ended.add(client.submit(run, combination, key=combination.id, pure=False))

    begin()
    for future in ended:
        combination = under_way.pop(future.key)
        error = future.exception()
        if error is None:
            ledger.add(combination, future.result())
        else:  # it may have cost something
            ledger.add_failure(combination, error, usd=expected[combination.index])
        future.release()
        begin()
    return evalset.reconcile(expansion, ledger.records())


def prices_of(expansion: Expansion, costs: CostModel) -> dict[int, float]:
    """Give what each combination is expected to cost, by its index."""
    estimate = evalset.estimate(expansion, costs)
    if estimate.budget_usd is not None and estimate.unpriced:
        raise ValueError(f"under a budget, no price is known of {', '.join(estimate.unpriced)}")
    ranges = {each.index: costs.cost(each) for each in expansion}
    return {index: 0 if usd is None else usd.expected for index, usd in ranges.items()}


class Ledger:
    """The file of records, with what has been spent."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.touch()
        text = path.read_bytes()
        # A line without an end was being written when this program died: that run is begun again.
        os.truncate(path, text.rfind(b"\n") + 1)
        lines = path.read_text(encoding="utf-8").split("\n")
        self.spent: float = sum(json.loads(line).get("usd", 0) for line in lines if line)

    def records(self) -> tuple[Record, ...]:
        """Give the records."""
        return evalset.read_records(self._path, format="jsonl")

    def add(self, combination: Combination, result: Result) -> None:
        """Record a result, whatever it says."""
        self._write(combination, {"outcome": "done", **attrs.asdict(result)})

    def add_failure(self, combination: Combination, error: BaseException, *, usd: float) -> None:
        """Record that there is no result."""
        self._write(combination, {"outcome": "failed", "usd": usd, "error": repr(error)})

    def _write(self, combination: Combination, ended: dict[str, Any]) -> None:
        key, work = combination.matrix_key, combination.fingerprint
        line = {"matrix_key": key, "fingerprint": work, "seed": combination.seed, **ended}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        self.spent += ended["usd"]


def run(combination: Combination) -> Result:
    """Stand in for your own harness: the same seed gives the same score."""
    dice = random.Random(combination.seed)  # noqa: S311 (no secret)
    return Result(score=round(dice.random(), 3), usd=0.01)


def main() -> int:
    """Run a sweep, and tell whether it is complete."""
    parser = argparse.ArgumentParser(description="Run a sweep on a cluster.")
    parser.add_argument("sweep", type=Path)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--prices", type=Path, required=True)
    parser.add_argument("--scheduler", help="its address; else two processes of this machine")
    options = parser.parse_args()
    costs = TokenPrices.from_dict(json.loads(options.prices.read_text(encoding="utf-8")))
    expansion = evalset.expand(evalset.load(options.sweep))
    own: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 2, "dashboard_address": None}
    with Client(options.scheduler, **({} if options.scheduler else own)) as client:
        state = run_sweep(expansion, run, client=client, costs=costs, results=options.results)
    print(f"{len(state.done)} of {len(expansion)} done, {len(state.failed)} failed")
    if state.missing:
        print(f"{len(state.missing)} not begun, which would exceed the budget")
    return 0 if state.is_complete else 1


if __name__ == "__main__":
    sys.exit(main())
