"""Combinations of a manifest as pytest's parameters, in shards, and taken up again.

A test that asks for `combination` is run for each of them, under its matrix key.
"""

import argparse
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

import evalset
from evalset import Combination, EvalsetError, Expansion, Record

TO_RUN = pytest.StashKey[Expansion]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options; a file is looked for where pytest is called."""
    group = parser.getgroup("evalset")
    group.addoption("--sweep", metavar="FILE", default="sweep.yaml", help="the manifest")
    group.addoption("--shard", metavar="I/N", type=to_shard, help="run one of N parts, from 1")
    group.addoption(
        "--results",
        metavar="FILE",
        type=Path,
        help="records of runs: what is done is not run again, what is run is added",
    )


def to_shard(text: str) -> tuple[int, int]:
    """Read `2/4`."""
    index, slash, count = text.partition("/")
    if not (slash and index.isdecimal() and count.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no shard; write it as in 2/4")
    return int(index), int(count)


def pytest_configure(config: pytest.Config) -> None:
    """Find out what is to run, before anything is collected."""
    try:
        config.stash[TO_RUN] = select(config)
    except (EvalsetError, OSError, ValueError) as error:
        raise pytest.UsageError(str(error)) from None
    results: Path | None = config.getoption("--results")
    is_worker = hasattr(config, "workerinput")  # of pytest-xdist; what runs it keeps the records
    if results is not None and not is_worker:
        config.pluginmanager.register(Records(results))


def select(config: pytest.Config) -> Expansion:
    """Give the combinations of this shard that are not done yet."""
    expansion = evalset.expand(evalset.load(str(config.getoption("--sweep"))))
    shard: tuple[int, int] | None = config.getoption("--shard")
    if shard is not None:
        expansion = expansion.shard(*shard)
    results: Path | None = config.getoption("--results")
    if results is not None and results.exists():
        expansion = evalset.reconcile(expansion, evalset.read_records(results)).to_run
    return expansion


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test of each combination."""
    if "combination" in metafunc.fixturenames:
        expansion = metafunc.config.stash[TO_RUN]
        metafunc.parametrize("combination", expansion, ids=expansion.matrix_keys())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put a record on the report of a run: bad results are results, exceptions are none."""
    report = yield
    parameters: dict[str, Any] = item.callspec.params if hasattr(item, "callspec") else {}
    combination: Combination | None = parameters.get("combination")
    if combination is not None and call.when == "call":
        has_result = call.excinfo is None or call.excinfo.errisinstance(AssertionError)
        record = Record(
            combination.matrix_key,
            outcome="done" if has_result else "failed",
            fingerprint=combination.fingerprint,
        )
        report.user_properties.append(("record", record.to_dict()))
    return report


class Records:
    """The file of records, to which each run is added as soon as it has ended."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a line."""
        for name, record in report.user_properties:
            if name == "record" and report.when == "call":
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(record) + "\n")
