"""A sweep on a real cluster of two processes, of which one dies; and so does the program."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster
from examples.sweep_on_dask.sweep import Cluster, run_sweep
from integration.sweep_on_dask.harness import USD, Costs, Harness

import evalset
from evalset import Agent, Limits, Manifest, Seeds

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/sweep_on_dask"
MANIFEST = Manifest(
    "nightly",
    packs=["p", "q"],
    agents=[Agent("a"), Agent("b", label="x y")],
    repeats=3,
    seeds=Seeds("explicit", seeds=[11, 22, 33]),
    limits=Limits(max_concurrent_runs=3),
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    start: Any = LocalCluster  # its types are partial
    with start(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def client(address: str) -> Iterator[Cluster]:
    with Client(address) as client:
        client.wait_for_workers(2)
        yield client


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    trace = tmp_path / "trace"
    trace.touch()
    return Harness(trace=trace)


def lines(results: Path) -> list[dict[str, Any]]:
    """Give the records that are whole."""
    text = results.read_text(encoding="utf-8") if results.exists() else ""
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def wait_until(is_so: Callable[[], bool]) -> None:
    for _ in range(6000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("it takes too long")


def done_once(results: Path, manifest: Manifest) -> None:
    """Require one record for each combination, and each of it done."""
    expected = evalset.expand(manifest).matrix_keys()
    assert sorted(line["matrix_key"] for line in lines(results)) == sorted(expected)
    assert {line["outcome"] for line in lines(results)} == {"done"}


def test_every_combination_runs_once_with_its_seed(
    client: Cluster, results: Path, harness: Harness
) -> None:
    state = run_sweep(
        evalset.expand(MANIFEST), harness, client=client, costs=Costs(), results=results
    )
    assert state.is_complete
    done_once(results, MANIFEST)
    assert set(harness.begun().values()) == {1}
    assert {(line["matrix_key"][-1], line["seed"], line["score"]) for line in lines(results)} == {
        ("1", 11, 11.0),
        ("2", 22, 22.0),
        ("3", 33, 33.0),
    }
    assert len({process for process, _, _ in harness.events("begun")}) == 2


@pytest.mark.parametrize("most", [1, 3])
def test_no_more_run_at_once_than_the_manifest_says(
    client: Cluster, results: Path, harness: Harness, most: int
) -> None:
    manifest = MANIFEST.replace(limits=Limits(max_concurrent_runs=most))
    harness = Harness(trace=harness.trace, seconds=0.3)
    run_sweep(evalset.expand(manifest), harness, client=client, costs=Costs(), results=results)
    assert harness.most_at_once() == most


def test_without_a_limit_every_thread_of_the_cluster_works(
    client: Cluster, results: Path, harness: Harness
) -> None:
    manifest = MANIFEST.replace(limits=Limits())
    harness = Harness(trace=harness.trace, seconds=0.3)
    run_sweep(evalset.expand(manifest), harness, client=client, costs=Costs(), results=results)
    assert harness.most_at_once() == 4


def test_a_worker_that_is_killed_loses_nothing(
    client: Cluster, results: Path, harness: Harness
) -> None:
    expansion = evalset.expand(MANIFEST)
    slow = Harness(trace=harness.trace, seconds=0.6)
    killed: list[int] = []

    def unended() -> list[tuple[int, str]]:
        ended = {(process, key) for process, key, _ in slow.events("ended")}
        begun = [(process, key) for process, key, _ in slow.events("begun")]
        return [each for each in begun if each not in ended]

    def kill() -> None:
        wait_until(lambda: len(lines(results)) >= 2 and len(unended()) > 0)
        killed.append(unended()[-1][0])
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    state = run_sweep(expansion, slow, client=client, costs=Costs(), results=results)
    killer.join()
    assert state.is_complete
    done_once(results, MANIFEST)
    # What the worker had begun was begun again elsewhere.
    assert {slow.begun()[key] for _, key in unended()} == {2}
    with pytest.raises(ProcessLookupError):
        os.kill(killed[0], 0)


def test_a_program_that_is_killed_is_taken_up_where_it_was(
    address: str, client: Cluster, tmp_path: Path, results: Path, harness: Harness
) -> None:
    sweep = tmp_path / "sweep.yaml"
    evalset.dump(MANIFEST, sweep)
    program = [sys.executable, "-m", "integration.sweep_on_dask.harness"]
    arguments = [address, str(sweep), str(results), str(harness.trace)]
    with subprocess.Popen([*program, *arguments], cwd=ROOT) as process:
        wait_until(lambda: len(lines(results)) >= 4)
        process.kill()
    before = lines(results)
    with results.open("a", encoding="utf-8") as file:
        file.write('{"matrix_key": "p/a')  # it died while it was writing
    run_sweep(evalset.expand(MANIFEST), harness, client=client, costs=Costs(), results=results)
    assert lines(results)[: len(before)] == before
    assert len(before) < 12
    done_once(results, MANIFEST)


def test_it_stops_before_the_budget_is_exceeded(
    client: Cluster, results: Path, harness: Harness
) -> None:
    limited = MANIFEST.replace(limits=Limits(max_concurrent_runs=3, budget_usd=5.5 * USD))
    state = run_sweep(
        evalset.expand(limited), harness, client=client, costs=Costs(), results=results
    )
    assert (len(state.done), len(state.missing)) == (5, 7)
    # Again, it begins nothing; with more money, what is left.
    run_sweep(evalset.expand(limited), harness, client=client, costs=Costs(), results=results)
    assert len(lines(results)) == 5
    richer = MANIFEST.replace(limits=Limits(max_concurrent_runs=3, budget_usd=12 * USD))
    run_sweep(evalset.expand(richer), harness, client=client, costs=Costs(), results=results)
    done_once(results, MANIFEST)


def test_what_failed_is_recorded_and_run_again(
    client: Cluster, results: Path, harness: Harness
) -> None:
    expansion = evalset.expand(MANIFEST)
    failing = Harness(trace=harness.trace, failing="q")
    state = run_sweep(expansion, failing, client=client, costs=Costs(), results=results)
    assert (len(state.done), len(state.failed)) == (6, 6)
    failures = [line for line in lines(results) if line["outcome"] == "failed"]
    assert {line["error"] for line in failures} == {"TimeoutError('the pack does not answer')"}
    state = run_sweep(expansion, harness, client=client, costs=Costs(), results=results)
    assert state.is_complete
    again = [line["matrix_key"] for line in lines(results)[12:]]
    assert sorted(again) == sorted(expansion.select(pack="q").matrix_keys())


def test_under_a_budget_every_price_must_be_known(
    client: Cluster, results: Path, harness: Harness
) -> None:
    manifest = MANIFEST.replace(models=["m", "unpriced"], limits=Limits(budget_usd=5))
    expansion = evalset.expand(manifest)
    with pytest.raises(ValueError, match='under a budget, no price is known of model "unpriced"'):
        run_sweep(expansion, harness, client=client, costs=Costs(), results=results)
    assert lines(results) == []


def test_the_commands_of_the_readme_print_what_it_says(tmp_path: Path) -> None:
    readme = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```console\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    shown = ""
    for command in re.findall(r"^\$ python (.*)$", block, re.MULTILINE):
        arguments = command.replace("results.jsonl", str(tmp_path / "results.jsonl")).split()
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
        shown += f"$ python {command}\n{done.stdout}"
    assert shown == block
