"""Every exception crosses the borders that programs have: pickles, copies, process pools."""

import copy
import inspect
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from tests.test_public_api import MODULES, _module  # pyright: ignore[reportPrivateUsage]

from evalset import (
    Diagnostic,
    EvalsetError,
    ManifestError,
    RecordError,
    ResolutionError,
    SelectionError,
)
from evalset.hosts import Ambiguous, NotFound, UnavailableError
from evalset.resolution import Failure, Resolved

FINDING = Diagnostic(code="blank-text", message="name is blank", pointer="/name", hint="write it")
EXAMPLES: dict[str, EvalsetError] = {
    "EvalsetError": EvalsetError("no"),
    "ManifestError": ManifestError([FINDING]),
    "RecordError": RecordError("runs.csv", 3, "no key"),
    "ResolutionError": ResolutionError(
        [FINDING],
        failures=[
            Failure("p", asking="find_pack", outcome=NotFound(["q"])),
            Failure("a", asking="find_agent", outcome=Ambiguous(["1", "2"])),
            Failure("b", asking="find_agent", exception=RuntimeError("503")),
        ],
        instantiated=[Resolved("catalog/p", id="p1", how="catalog")],
    ),
    "SelectionError": SelectionError("pack", "q", 'no pack matches "q"'),
    "UnavailableError": UnavailableError("503", retry_after=5),
}


def seen(error: EvalsetError) -> tuple[Any, ...]:
    """Give all that a caller can see of an error."""
    fields = {
        name: repr(getattr(error, name)) for name in dir(error)
        if name[0] != "_" and not callable(getattr(error, name))
    }  # fmt: skip
    return (
        type(error), str(error), error.to_dict(), fields, repr(error.__cause__),
        error.__suppress_context__, getattr(error, "__notes__", []),
    )  # fmt: skip


def pickled(protocol: int) -> Callable[[EvalsetError], EvalsetError]:
    return lambda error: pickle.loads(pickle.dumps(error, protocol))  # noqa: S301 (our own bytes)


def fail(error: EvalsetError) -> None:
    """Raise an error where the process pool runs."""
    error.add_note("on the way")
    raise error


def test_every_exception_has_an_example() -> None:
    found = {
        value.__name__
        for name in MODULES
        for value in vars(_module(name)).values()
        if inspect.isclass(value)
        and issubclass(value, EvalsetError)
        and value.__name__ in _module(name).__all__
    }
    assert found == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(
    "again",
    [
        pytest.param(copy.copy, id="copied"),
        pytest.param(copy.deepcopy, id="copied through and through"),
        *[
            pytest.param(pickled(protocol), id=f"pickled by protocol {protocol}")
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
        ],
    ],
)
def test_an_exception_is_the_same_again(name: str, again: Callable[[Any], Any]) -> None:
    error = EXAMPLES[name]
    assert seen(again(error)) == seen(error)


def test_every_exception_comes_back_from_a_process_pool() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for error in EXAMPLES.values():
            raised: Any = pool.submit(fail, error).exception()
            assert seen(raised)[:4] == seen(error)[:4]
            assert raised.__notes__ == ["on the way"]
