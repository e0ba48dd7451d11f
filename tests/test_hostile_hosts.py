"""Hosts that behave as nobody should: what is known is still told, and nothing more is made."""

import asyncio
import gc
import json
import pickle
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from evalset import (
    Agent,
    AsyncListing,
    ListedAgent,
    ListedPack,
    Listing,
    Manifest,
    ManifestError,
    PackRef,
    ResolutionError,
    expand,
    loads,
    resolve,
    resolve_async,
)
from evalset.hosts import Answer, UnavailableError
from evalset.testing.hosts import FakeHost

SWEEP = Manifest("n", packs=["p", "q", "r"], agents=[Agent("gpt")])


def refusal(host: Any) -> ResolutionError:  # noqa: ANN401
    with pytest.raises(ResolutionError) as caught:
        resolve(SWEEP, host, host)
    return caught.value


# Exceptions that can hardly be told


class SilentError(Exception):
    """One that can't be written as text, and not be pickled."""

    def __init__(self) -> None:
        super().__init__()
        self.retry = lambda: None

    def __str__(self) -> str:
        raise RuntimeError("no words")


class ParsingError(Exception):
    """One that reads its time to wait from something broken."""

    @property
    def retry_after(self) -> float:
        raise ValueError("no number")


class PatientError(Exception):
    """One whose time to wait is beyond all floats."""

    retry_after = 10**400


GROUP = ExceptionGroup("1 of 1 failed", [UnavailableError("busy", retry_after=4)])
GROUPS = ExceptionGroup("both failed", [GROUP, UnavailableError("full", retry_after=9)])


@pytest.mark.parametrize(
    ("exception", "told", "wait"),
    [
        pytest.param(SilentError(), "SilentError, no reason was given", None, id="no text"),
        pytest.param(ParsingError("x"), 'ParsingError, "x"', None, id="a broken time to wait"),
        pytest.param(PatientError("x"), 'PatientError, "x"', None, id="an endless time to wait"),
        pytest.param(
            OSError(f"503\n{'x' * 1000}"), f'OSError, "503\\n{"x" * 195}…"', None, id="a page"
        ),
        pytest.param(GROUP, 'UnavailableError, "busy"', 4.0, id="one in a group"),
        pytest.param(GROUPS, 'ExceptionGroup, "both failed (2 sub-exceptions)"', 9.0, id="several"),
    ],
)
def test_whatever_is_raised_is_told(exception: Exception, told: str, wait: float | None) -> None:
    error = refusal(FakeHost(agents={"gpt": "a1"}, script={("find_pack", "p"): exception}))
    [diagnostic] = error.diagnostics
    assert diagnostic.message == f'the host could not look for the pack "p": {told}'
    assert error.retry_after == wait
    assert error.failures[0].exception is exception


def test_an_exception_without_text_is_pickled_as_one_that_has_none() -> None:
    error = refusal(FakeHost(agents={"gpt": "a1"}, script={("find_pack", "p"): SilentError()}))
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert repr(again.failures[0].exception) == "UnavailableError('SilentError')"


class Secret:
    """A client that shows what it holds."""

    def __repr__(self) -> str:
        return "Secret(token='t0ps3cret')"


def test_what_is_no_host_is_not_shown() -> None:
    client: Any = Secret()
    with pytest.raises(TypeError, match="an object of the type Secret is none"):
        resolve(SWEEP, client)
    with pytest.raises(TypeError, match="a listing gives ListedPack, not Secret"):
        Listing(packs=[client], agents=[]).find_pack(PackRef.parse("p"))


# Cancellations that are taken for something else


class Unwilling:
    """A host that, cancelled while it looks, goes on as told."""

    def __init__(self, then: Callable[[], Answer]) -> None:
        self.then = then
        self.asked: list[str] = []
        self.made: list[str] = []

    async def find_pack(self, ref: PackRef, /) -> Answer:
        self.asked.append(ref.slug)
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            return self.then()
        raise AssertionError("it was not cancelled")

    async def find_agent(self, _: str, /) -> Answer:
        return "a1"

    async def instantiate(self, slug: str, /) -> Answer:
        self.made.append(slug)
        return f"made-{slug}"


def nothing() -> Answer:
    return None


def broken() -> Answer:
    raise ConnectionError("the request was cancelled")


@pytest.mark.parametrize(
    "then", [pytest.param(nothing, id="not found"), pytest.param(broken, id="an error")]
)
@pytest.mark.parametrize("concurrency", [1, 2, 8])
def test_nothing_is_asked_or_made_after_a_cancellation_that_a_host_swallows(
    then: Callable[[], Answer], concurrency: int
) -> None:
    host = Unwilling(then)

    async def run() -> None:
        task = asyncio.create_task(resolve_async(SWEEP, host, host, concurrency=concurrency))
        while not host.asked:  # noqa: ASYNC110
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())
    assert host.asked == list(SWEEP.packs[:concurrency])
    assert host.made == []


def test_a_time_limit_ends_a_host_that_swallows_cancellations() -> None:
    host = Unwilling(nothing)

    async def run() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await resolve_async(SWEEP, host, host)

    asyncio.run(run())
    assert host.made == []


class SelfCancelling:
    """A host that cancels the task that asks it, and answers."""

    async def find_pack(self, ref: PackRef, /) -> Answer:
        if ref.slug == "p" and (task := asyncio.current_task()):
            task.cancel()
        await asyncio.sleep(0)
        return ref.slug

    async def find_agent(self, _: str, /) -> Answer:
        return "a1"


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_host_that_cancels_the_task_that_asks_loses_one_question(concurrency: int) -> None:
    with pytest.raises(ResolutionError) as caught:
        asyncio.run(resolve_async(SWEEP, SelfCancelling(), concurrency=concurrency))
    assert [(failure.ref, str(failure.exception)) for failure in caught.value.failures] == [
        ("p", "the host's own work was cancelled")
    ]


def test_what_ends_everything_ends_the_other_questions_too() -> None:
    class Host:
        """One that is left while another question is out."""

        def __init__(self) -> None:
            self.asked: list[str] = []

        async def find_pack(self, ref: PackRef, /) -> Answer:
            self.asked.append(ref.slug)
            if ref.slug == "q":
                raise SystemExit(3)
            try:
                await asyncio.sleep(10)
            except asyncio.CancelledError:
                return None
            raise AssertionError("it was not cancelled")

        async def find_agent(self, _: str, /) -> Answer:
            return "a1"

    host = Host()
    with pytest.raises(SystemExit):
        asyncio.run(resolve_async(SWEEP, host, concurrency=2))
    assert host.asked == ["p", "q"]


def test_a_task_that_the_blocking_front_is_given_does_not_go_on() -> None:
    started: list[asyncio.Task[Answer]] = []

    class Host:
        def find_pack(self, ref: PackRef, /) -> Any:  # noqa: ANN401
            started.append(asyncio.ensure_future(self.look(ref.slug)))
            return started[-1]

        def find_agent(self, _: str, /) -> Answer:
            return "a1"

        async def look(self, slug: str) -> Answer:
            return slug

    async def run() -> None:
        with pytest.raises(TypeError, match="find_pack answered with Task, to be awaited"):
            resolve(SWEEP, Host())
        await asyncio.wait(started)

    asyncio.run(run())
    assert [task.cancelled() for task in started] == [True]


# Listings that break


class Pages:
    """Pages that hold a connection while they are read."""

    def __init__(self, *items: object) -> None:
        self.items = items
        self.is_open = False

    def read(self) -> Iterator[Any]:
        self.is_open = True
        try:
            for item in self.items:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            self.is_open = False

    async def read_async(self) -> AsyncIterator[Any]:
        for item in self.read():
            await asyncio.sleep(0)
            yield item


PACK = ListedPack("p1", slug="p")


@pytest.mark.parametrize(
    "items",
    [
        pytest.param((PACK, PACK), id="to the end"),
        pytest.param((PACK, 5, PACK), id="to what is no pack"),
        pytest.param((PACK, OSError("503"), PACK), id="to a failure"),
        pytest.param((PACK, KeyboardInterrupt(), PACK), id="to an interruption"),
    ],
)
def test_pages_are_closed_wherever_their_reading_ends(items: tuple[object, ...]) -> None:
    pages = Pages(*items)
    workspace = Listing(packs=pages.read(), agents=[])
    gc.disable()  # or it might do the listing's work
    try:
        for _ in range(2):
            try:
                workspace.find_pack(PackRef.parse("p"))
            except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001
                error.__traceback__ = None
            assert not pages.is_open
    finally:
        gc.enable()


def test_pages_that_fail_when_they_are_closed_could_not_be_read() -> None:
    def read() -> Iterator[Any]:
        try:
            yield 5
        finally:
            raise OSError("no way to say goodbye")

    workspace = Listing(packs=read(), agents=[])
    for _ in range(2):
        with pytest.raises(OSError, match="no way to say goodbye"):
            workspace.find_pack(PackRef.parse("p"))


def test_a_failed_listing_shows_each_time_where_it_failed_and_who_asked() -> None:
    workspace = Listing(packs=Pages(OSError("503")).read(), agents=[])
    traces: list[list[str]] = []
    for _ in range(3):
        with pytest.raises(OSError, match="503") as caught:
            workspace.find_pack(PackRef.parse("p"))
        traces.append([frame.name for frame in traceback.extract_tb(caught.value.__traceback__)])
    assert traces[0][-1] == "read"
    assert traces[1] == traces[2] == traces[0]


def test_a_host_of_many_names_is_searched_for_near_ones_in_time() -> None:
    names = [f"a-rather-long-name-of-number-{number}" for number in range(1000)]
    workspace = Listing(packs=[ListedPack(name, slug=name) for name in names], agents=[])
    start = time.process_time()
    for number in range(20):
        found = workspace.find_pack(PackRef.parse(f"a-rather-long-nam-of-number-{number}"))
        assert names[number] in getattr(found, "near", ())
    # Compared with every name letter by letter, this takes several seconds.
    assert time.process_time() - start < 2


def test_a_listing_that_fails_is_one_cause_of_many_failures() -> None:
    pages, agents = Pages(PACK, OSError("503")), Pages(ListedAgent("a1", name="gpt"))
    workspace = AsyncListing(packs=pages.read_async(), agents=agents.read_async())
    with pytest.raises(ResolutionError) as caught:
        asyncio.run(resolve_async(SWEEP, workspace))
    assert [failure.ref for failure in caught.value.failures] == ["p", "q", "r"]
    assert str(caught.value.__cause__) == "the host could not be asked (1 sub-exception)"


# Places


MANIFEST = {
    "schema": "evalset/v1",
    "name": "n",
    "packs": ["p"],
    "agents": [{"deployment": "g"}],
    "repeats": 2,
}
LARGE = f"""\
x: "{"n" * 300_000}"
body:
  schema: evalset/v1
  name: n
  packs:
    - p
  agents:
    - deployment: g
  repeats: 2
"""


@pytest.mark.parametrize(
    "manifest",
    [
        pytest.param(Manifest.from_dict({"body": MANIFEST}, at="/body"), id="data"),
        pytest.param(loads(LARGE, at="/body"), id="a text too large for places"),
    ],
)
def test_findings_point_from_the_whole_body(manifest: Manifest) -> None:
    host = FakeHost(agents={"g": "a1"}, catalog=["p"])
    with pytest.raises(ResolutionError) as refused:
        resolve(manifest, host)
    assert [str(each) for each in refused.value.diagnostics] == [
        'error[pack-not-found] /body/packs/0: the workspace does not have the pack "p"'
    ]
    resolution = resolve(manifest, host, host)
    assert [each.pointer for each in resolution.diagnostics] == ["/body/packs/0"]
    assert resolution.manifest.at == "/body"
    for each in (manifest, resolution.manifest):
        with pytest.raises(ManifestError) as collided:
            expand(each, max_combinations=1)
        assert [found.pointer for found in collided.value.diagnostics] == ["/body/repeats"]


def test_a_manifest_in_a_text_points_into_it() -> None:
    text = json.dumps({"body": MANIFEST})
    with pytest.raises(ResolutionError, match=r"^<text>:1:58: error\[pack-not-found\]"):
        resolve(loads(text, at="/body"), FakeHost(agents={"g": "a1"}))
