"""Threads and tasks that share everything get what one alone would get, and leave no trace."""

import ast
import asyncio
import decimal
import locale
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from tests.laws.attempts import attempt
from tests.test_public_api import MODULES

import evalset
from evalset import Manifest, ManifestError, ResolutionError, StaticWorkspace, expand
from evalset.testing import broken_manifests, documents

THREADS = 8
ROUNDS = 4


def texts() -> list[str | bytes]:
    """Give good and broken manifests, the same in every run."""
    found: list[str | bytes] = []

    @settings(max_examples=25, derandomize=True, database=None, phases=[Phase.generate])
    @given(documents().map(lambda each: each.text) | broken_manifests().map(lambda each: each.text))
    def collect(text: str | bytes) -> None:
        found.append(text)

    collect()
    return found


TEXTS = texts()
# Shared by all threads, so that what each object computes late is computed by several at once.
MANIFESTS = [
    each for each in (attempt(lambda text=text: evalset.loads(text)) for text in TEXTS)  # type: ignore[misc]
    if isinstance(each, Manifest)
]  # fmt: skip
WORKSPACES = [
    StaticWorkspace.from_dict({
        "packs": [{"id": f"p{at}", "slug": ref} for at, ref in enumerate(manifest.packs)],
        "agents": [
            {"id": f"a{at}", "name": agent.deployment} for at, agent in enumerate(manifest.agents)
        ],
    })
    for manifest in MANIFESTS
]  # fmt: skip


def told(call: Callable[[], object]) -> object:
    """Give what comes of a call, or all that its refusal says."""
    try:
        return call()
    except (ManifestError, ResolutionError) as error:
        return type(error), error.diagnostics


def read() -> list[object]:
    """Read, check and write every text."""
    answers: list[object] = []
    for text in TEXTS:
        result = evalset.check_text(text)
        answers.append((told(lambda text=text: evalset.loads(text)), result.diagnostics))  # type: ignore[misc]
        if result.manifest:
            answers.append((evalset.dumps(result.manifest), result.manifest.digest()))
    return answers


def work(expansions: list[Any]) -> list[object]:
    """Use shared expansions, manifests and hosts in every way."""
    answers: list[object] = []
    for expansion, manifest, workspace in zip(expansions, MANIFESTS, WORKSPACES, strict=True):
        answers.append(told(lambda m=manifest, w=workspace: evalset.resolve(m, w).to_dict()))  # type: ignore[misc]
        if isinstance(expansion, evalset.Expansion):
            keys = expansion.matrix_keys()
            answers += [expansion.to_json(), expansion.rows(), expansion.groups(), hash(expansion)]
            answers += [[expansion[key].id for key in keys], expansion.shard(1, 3, by="stable")]
            answers += [expansion[expansion[-1].id], expansion.select(keys=keys[0])]
    return answers


def expanded() -> list[object]:
    return [told(lambda manifest=manifest: expand(manifest)) for manifest in MANIFESTS]  # type: ignore[misc]


@pytest.fixture
def _often() -> Iterator[None]:
    """Change threads as often as can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_often")
def test_threads_that_share_everything_get_what_one_gets() -> None:
    expected = read(), work(expanded())
    shared = [expanded() for _ in range(ROUNDS)]  # fresh: nothing is computed yet
    start = Barrier(THREADS)

    def all_rounds() -> bool:
        start.wait()
        return all((read(), work(each)) == expected for each in shared)

    with ThreadPoolExecutor(THREADS) as pool:
        assert all(each.result() for each in [pool.submit(all_rounds) for _ in range(THREADS)])


def test_tasks_that_share_everything_get_what_one_gets() -> None:
    expected = [
        told(lambda m=m, w=w: evalset.resolve(m, w).to_dict())  # type: ignore[misc]
        for m, w in zip(MANIFESTS, WORKSPACES, strict=True)
    ]

    async def one(manifest: Manifest, workspace: StaticWorkspace) -> object:
        try:
            return (await evalset.resolve_async(manifest, workspace)).to_dict()
        except (ManifestError, ResolutionError) as error:
            return type(error), error.diagnostics

    async def every() -> list[list[object]]:
        tasks = [
            asyncio.gather(*map(one, MANIFESTS, WORKSPACES)) for _ in range(ROUNDS)
        ]  # fmt: skip
        reads = [asyncio.to_thread(read) for _ in range(ROUNDS)]
        *resolved, first, second, third, fourth = await asyncio.gather(*tasks, *reads)
        assert first == second == third == fourth
        return resolved

    assert asyncio.run(every()) == [expected] * ROUNDS


def test_threads_may_use_the_package_for_the_first_time_together() -> None:
    program = """
import sys, threading
sys.setswitchinterval(1e-6)
import evalset
start, texts = threading.Barrier(8), []
good = "schema: evalset/v1\\nname: nightly\\npacks: [p]\\nagents: [{deployment: a}]\\nx-a: &a 1\\n"
def work():
    start.wait()
    expansion = evalset.expand(evalset.loads(good))
    texts.append((expansion.to_json(), str(evalset.check_text("packs: 1").diagnostics)))
threads = [threading.Thread(target=work) for _ in range(8)]
[each.start() for each in threads]
[each.join() for each in threads]
print(len(texts), len(set(texts)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("8 1\n", "")


def _held(value: Any, depth: int = 0) -> object:  # noqa: ANN401 (whatever a module holds)
    """Give what a mutable value holds, as far down as it may be changed."""
    held: object = id(value)
    if isinstance(value, dict) and depth < 4:
        held = {repr(key): _held(each, depth + 1) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    elif isinstance(value, (list, set)):
        held = sorted(repr(each) for each in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return held


def _state() -> dict[str, object]:
    """Give every global of the package, and what it might change of the interpreter."""
    state: dict[str, object] = {
        f"{name}.{key}": _held(value)
        for name in MODULES
        for key, value in vars(import_module(name)).items()
        if not key.startswith("__")
    }
    state["environment"] = dict(os.environ)
    state["folder"] = Path.cwd()
    state["filters"] = list(warnings.filters)
    state["locale"] = locale.setlocale(locale.LC_ALL)
    state["decimal"] = repr(decimal.getcontext())
    state["recursion"] = sys.getrecursionlimit()
    state["digits"] = sys.get_int_max_str_digits()
    state["signals"] = [signal.getsignal(each) for each in sorted(signal.valid_signals())]
    state["path"] = list(sys.path)
    return state


def test_nothing_that_is_done_leaves_a_trace() -> None:
    read()
    work(expanded())
    before = _state()
    read()
    work(expanded())
    assert _state() == before


@pytest.mark.parametrize("name", MODULES)
def test_no_function_writes_a_global(name: str) -> None:
    tree = ast.parse(Path(str(import_module(name).__file__)).read_text("utf-8"))
    assert [node.names for node in ast.walk(tree) if isinstance(node, ast.Global)] == []
