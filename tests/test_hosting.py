"""Hosts of the command line: every way in which plain and asynchronous methods answer."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.test_cli import run

from evalset import Agent, Manifest, PackRef, ResolutionError
from evalset.hosting import import_host, resolve_with
from evalset.hosts import Answer
from evalset.testing.hosts import AsyncFakeHost, FakeHost

SWEEP = Manifest("n", packs=["p", "q"], agents=[Agent("gpt")])
RESOLVED = Manifest("n", packs=["id-p", "made-q"], agents=[Agent("id-gpt", label="gpt")])


async def soon(answer: Answer) -> Answer:
    await asyncio.sleep(0)
    return answer


class Own:
    """An awaitable that is neither a coroutine nor a future."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def __await__(self) -> Generator[Any, None, Answer]:
        return soon(self.answer).__await__()


def at_once(answer: Answer) -> Answer:
    return answer


def in_a_loop_of_its_own(answer: Answer) -> Answer:
    return asyncio.run(soon(answer))


def outside_of_a_loop(answer: Answer) -> Answer:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return answer
    raise RuntimeError("you cannot call this from an async context")


def task(answer: Answer) -> Awaitable[Answer]:
    return asyncio.create_task(soon(answer))


def future(answer: Answer) -> Awaitable[Answer]:
    made: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    made.set_result(answer)
    return made


class Host:
    """One whose plain methods all answer in the same way."""

    def __init__(
        self, answer: Callable[[Answer], Any], make: Callable[[Answer], Any] | None = None
    ) -> None:
        self.answer = answer
        self.make = make or answer
        self.asked: list[str] = []

    def find_pack(self, ref: PackRef, /) -> Any:  # noqa: ANN401
        self.asked.append(ref.slug)
        return self.answer("id-p" if ref.slug == "p" else None)

    def find_agent(self, name: str, /) -> Any:  # noqa: ANN401
        self.asked.append(name)
        return self.answer(f"id-{name}")

    def instantiate(self, slug: str, /) -> Any:  # noqa: ANN401
        self.asked.append(f"make {slug}")
        return self.make(f"made-{slug}")


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(at_once, id="at once"),
        pytest.param(soon, id="a coroutine"),
        pytest.param(Own, id="an awaitable of its own"),
        pytest.param(in_a_loop_of_its_own, id="from a loop of its own"),
        pytest.param(outside_of_a_loop, id="only outside of a loop"),
        pytest.param(task, id="a task"),
        pytest.param(future, id="a future"),
        pytest.param(asyncio.ensure_future, id="what is ensured to be a future"),
    ],
)
def test_what_a_plain_method_returns_is_waited_for(answer: Callable[[Answer], Any]) -> None:
    def given(value: Answer) -> object:
        return answer(soon(value) if answer is asyncio.ensure_future else value)  # type: ignore[arg-type]

    host = Host(given)
    assert resolve_with(host, SWEEP).manifest == RESOLVED
    # The first is asked for again, in a loop, where without one it could not be asked for.
    again = ["p"] if answer in {task, future} else []
    assert host.asked == [*again, "p", "q", "gpt", "make q"]


def test_ways_of_answering_may_be_mixed() -> None:
    assert resolve_with(Host(at_once, soon), SWEEP).manifest == RESOLVED
    assert resolve_with(Host(soon, at_once), SWEEP).manifest == RESOLVED
    assert resolve_with(Host(task, at_once), SWEEP).manifest == RESOLVED


def test_an_asynchronous_host_is_asked_several_things_at_one_time() -> None:
    host = AsyncFakeHost(packs={"p": "id-p"}, agents={"gpt": "id-gpt"}, catalog=["q"])
    assert resolve_with(host, SWEEP).manifest == RESOLVED
    assert host.most_at_once == 3


def test_nothing_is_made_without_an_instantiate() -> None:
    class Workspace:
        def find_pack(self, _: PackRef, /) -> Answer:
            return None

        def find_agent(self, name: str, /) -> Answer:
            return name

    with pytest.raises(ResolutionError, match='the workspace does not have the pack "p"'):
        resolve_with(Workspace(), SWEEP)


def test_what_may_have_been_made_is_not_made_again_in_a_loop() -> None:
    host = Host(at_once, future)
    with pytest.raises(ResolutionError, match=r'pack "q": RuntimeError, "no running event loop"'):
        resolve_with(host, SWEEP)
    assert host.asked.count("make q") == 1


def test_another_error_is_told_and_nothing_is_asked_again() -> None:
    def broken(_: Answer) -> Answer:
        raise RuntimeError("no token")

    host = Host(broken)
    with pytest.raises(ResolutionError, match='RuntimeError, "no token"'):
        resolve_with(host, SWEEP)
    assert host.asked == ["p", "q", "gpt"]


def test_a_host_that_cancels_its_own_work_could_not_look() -> None:
    async def cancelled(_: Answer) -> Answer:
        raise asyncio.CancelledError

    with pytest.raises(ResolutionError, match="the host's own work was cancelled") as caught:
        resolve_with(Host(cancelled), SWEEP)
    assert caught.value.could_not_look


# Interruptions


async def interrupted(_: Answer) -> Answer:
    signal.raise_signal(signal.SIGINT)
    await asyncio.sleep(10)
    raise AssertionError("it was not interrupted")


class AsyncHost:
    """A catalog that Ctrl-C ends at its second pack."""

    def __init__(self) -> None:
        self.made: list[str] = []

    async def find_pack(self, _: PackRef, /) -> Answer:
        return None

    async def find_agent(self, name: str, /) -> Answer:
        return f"id-{name}"

    async def instantiate(self, slug: str, /) -> Answer:
        self.made.append(slug)
        return await interrupted(None) if len(self.made) > 1 else f"made-{slug}"


class PlainHost(AsyncHost):
    """The same, of plain methods."""

    def find_pack(self, _: PackRef, /) -> Any:  # noqa: ANN401
        return None

    def find_agent(self, name: str, /) -> Any:  # noqa: ANN401
        return f"id-{name}"

    def instantiate(self, slug: str, /) -> Any:  # noqa: ANN401
        return super().instantiate(slug)


@pytest.mark.parametrize("host", [AsyncHost, PlainHost])
def test_what_was_made_before_an_interruption_is_noted_on_it(host: Callable[[], object]) -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        resolve_with(host(), SWEEP)
    assert caught.value.__notes__ == [
        "instantiated before: p (made-p)",
        "q was being instantiated; it may have been made",
    ]


# The command

SWEEP_TEXT = """\
schema: evalset/v1
name: nightly
packs: [p, &q q]
agents: [{deployment: gpt}]
x-first: *q
"""
MODULE = """\
import sys
from evalset.testing.hosts import FakeHost
from tests.test_hosting import AsyncHost

stopped = AsyncHost()
full = FakeHost(packs={"p": "id-p"}, agents={"gpt": "id-gpt"}, catalog=["q"])

async def later():
    return full

sys.path[:] = [path for path in sys.path if path != HERE]
"""


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "sweep.yaml").write_text(SWEEP_TEXT, encoding="utf-8")
    module = MODULE.replace("HERE", repr(str(tmp_path)))
    (tmp_path / "somehosts.py").write_text(module, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield
    sys.modules.pop("somehosts", None)


def test_an_interruption_tells_what_was_made(capsys: pytest.CaptureFixture[str]) -> None:
    from evalset import cli

    with pytest.raises(KeyboardInterrupt):
        cli.main(["resolve", "sweep.yaml", "--resolver", "somehosts:stopped"],
                 sys.stdin, sys.stdout, sys.stderr)  # fmt: skip
    assert capsys.readouterr().err == (
        "evalset: instantiated before: p (made-p)\n"
        "evalset: q was being instantiated; it may have been made\n"
    )


def test_a_text_that_cannot_be_pinned_tells_what_was_made() -> None:
    code, out, err = run("resolve", "sweep.yaml", "--pin", "--resolver", "somehosts:full")
    assert (code, out) == (1, "")
    assert "\nevalset: q was made before, as made-q\n" in err
    assert "error[not-editable]" in err


def test_a_host_may_change_the_path() -> None:
    assert isinstance(import_host("somehosts:full"), FakeHost)


def test_what_makes_a_host_is_not_awaited() -> None:
    with pytest.raises(ValueError, match="what makes one is called, and not awaited"):
        import_host("somehosts:later")
