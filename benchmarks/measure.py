"""Two things measured side by side: CPU time of calls and processes, waiting, peak memory.

What is compared runs in turns, so that whatever else the machine does falls on both. CPU
time is taken, not time on the clock, for the same reason, but of what waits.
The least of many rounds is the figure; noise only ever adds.
"""

from __future__ import annotations

import gc
import os
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time
from typing import TypeAlias

__all__ = ["Pair", "calls", "memory", "processes", "waits"]

Pair: TypeAlias = tuple[float, float]
"""The figures of the two: seconds of CPU time, or bytes."""

_ENOUGH = 0.005  # seconds that a sample of calls takes at least: short, so that some are calm


def calls(first: Callable[[], object], second: Callable[[], object], *, rounds: int) -> Pair:
    """Give the seconds that one call of each takes; the garbage collector works as usual."""
    samples = [partial(_sample, call, _repetitions(call)) for call in (first, second)]
    return _least(samples, rounds)


def _repetitions(call: Callable[[], object]) -> int:
    count = 1
    call()  # the first is seldom like the others
    while _sample(call, count) * count < _ENOUGH:
        count *= 2
    return count


def _sample(call: Callable[[], object], count: int) -> float:
    gc.collect()
    start = process_time()
    for _ in range(count):
        call()
    return (process_time() - start) / count


def waits(first: Callable[[], object], second: Callable[[], object], *, rounds: int) -> Pair:
    """Give the seconds on the clock that each takes, which waits for most of its time."""
    return _least([partial(_wait, call) for call in (first, second)], max(1, rounds // 10))


def _wait(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def processes(first: str, second: str, *, rounds: int, cache: str, path: str = "") -> Pair:
    """Give the seconds that an interpreter takes that runs each program and ends.

    Args:
        first: The program.
        second: What it is compared with.
        rounds: How often each runs.
        cache: A directory for compiled modules, which both find there after their first run.
        path: What is put in front of the interpreter's path.
    """
    dropped = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    environment = {name: value for name, value in os.environ.items() if name not in dropped}
    environment["PYTHONPYCACHEPREFIX"] = cache
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (path, os.getenv("PYTHONPATH"))))
    samples = [partial(_spawn, program, environment) for program in (first, second)]
    for sample in samples:
        sample()
    return _least(samples, rounds)


def _spawn(program: str, environment: dict[str, str]) -> float:
    nowhere = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    arguments = [sys.executable, "-c", program]
    child = os.posix_spawn(sys.executable, arguments, environment, file_actions=[nowhere])
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"this failed: {program}")
    return usage.ru_utime + usage.ru_stime


def memory(first: Callable[[], object], second: Callable[[], object], *, rounds: int) -> Pair:
    """Give the bytes that Python allocates at most at once while each runs; once is enough."""
    del rounds
    return _peak(first), _peak(second)


def _peak(call: Callable[[], object]) -> float:
    call()
    gc.collect()
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def _least(samples: list[partial[float]], rounds: int) -> Pair:
    taken = [[sample() for sample in samples] for _ in range(rounds)]
    first, second = (min(column) for column in zip(*taken, strict=True))
    return first, second
