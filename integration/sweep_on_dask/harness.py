"""What runs a combination in the tests, and leaves a trace of each time that it was called."""

import os
import sys
import time
from collections import Counter
from pathlib import Path

import attrs
from distributed import Client
from examples.sweep_on_dask.sweep import Result, run_sweep

import evalset
from evalset import Combination
from evalset.pricing import Range

USD = 0.05


class Costs:
    """Five cents each, but for one model of which nobody knows."""

    def cost(self, combination: Combination, /) -> Range | None:
        """Give the price."""
        return None if combination.model_ref == "unpriced" else Range.exactly(USD)

    def cases(self, _: Combination, /) -> Range:
        """Give the number of cases."""
        return Range.exactly(1)


@attrs.frozen(kw_only=True)
class Harness:
    """Takes a while, and fails where it is told to."""

    trace: Path
    seconds: float = 0.1
    failing: str = ""

    def __call__(self, combination: Combination) -> Result:
        """Run a combination."""
        begun = time.monotonic()
        self._leave(f"begun {os.getpid()} {combination.id} {begun}")
        time.sleep(self.seconds)
        self._leave(f"ended {os.getpid()} {combination.id} {time.monotonic()}")
        if combination.pack_ref == self.failing:
            raise TimeoutError("the pack does not answer")
        return Result(score=float(combination.seed or 0), usd=USD)

    def _leave(self, line: str) -> None:
        with self.trace.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def events(self, kind: str) -> list[tuple[int, str, float]]:
        """Give process, id and time of each event of a kind."""
        lines = [line.split() for line in self.trace.read_text(encoding="utf-8").splitlines()]
        return [(int(pid), key, float(at)) for what, pid, key, at in lines if what == kind]

    def begun(self) -> Counter[str]:
        """Count how often each combination was begun, by its id."""
        return Counter(key for _, key, _ in self.events("begun"))

    def most_at_once(self) -> int:
        """Count how many runs overlapped at most."""
        changes = [(at, 1) for _, _, at in self.events("begun")]
        changes += [(at, -1) for _, _, at in self.events("ended")]
        now = most = 0
        for _, change in sorted(changes):
            now += change
            most = max(most, now)
        return most


def main(address: str, sweep: str, results: str, trace: str) -> None:
    """Run a sweep as a program of its own, which a test may kill."""
    expansion = evalset.expand(evalset.load(sweep))
    harness = Harness(trace=Path(trace), seconds=0.3)
    with Client(address) as client:
        run_sweep(expansion, harness, client=client, costs=Costs(), results=Path(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
