"""Fakes do what they are told, and remember what they were asked."""

import asyncio
import time

import pytest

from evalset import ListedAgent, ListedPack, PackRef
from evalset.hosts import Found, NotFound
from evalset.testing.hosts import TROUBLES, AsyncFakeHost, FakeHost


def test_a_fake_has_what_it_is_given() -> None:
    host = FakeHost(
        packs=[ListedPack("p1", slug="p")], agents=[ListedAgent("a1", name="a")], catalog=["c"]
    )
    assert host.find_pack(PackRef.parse("p")) == Found("p1")
    assert host.find_agent("a") == Found("a1")
    assert host.instantiate("c") == "made-c"
    assert host.instantiate("d") == NotFound()
    assert host.calls == [
        ("find_pack", "p"), ("find_agent", "a"), ("instantiate", "c"), ("instantiate", "d"),
    ]  # fmt: skip
    assert host.made == ["c"]


def test_a_script_is_followed_step_by_step() -> None:
    host = FakeHost(script={("find_agent", "a"): [TimeoutError(), None, "a1"]})
    with pytest.raises(TimeoutError):
        host.find_agent("a")
    assert [host.find_agent("a") for _ in range(3)] == [None, "a1", "a1"]


@pytest.mark.parametrize("name", TROUBLES)
def test_a_fake_in_trouble_answers_nothing(name: str) -> None:
    host = FakeHost(agents={"a": "a1"}, catalog=["c"], trouble=TROUBLES[name])
    for ask in (host.find_agent, host.instantiate):
        with pytest.raises(type(TROUBLES[name])):
            ask("a")
    assert host.made == []


def test_a_fake_takes_its_time() -> None:
    host = FakeHost(agents={"a": "a1"}, latency={"a": 0.01})
    start = time.perf_counter()
    assert host.find_agent("b") == NotFound()
    assert host.find_agent("a") == Found("a1")
    assert time.perf_counter() - start >= 0.01


def test_a_fake_counts_what_runs_at_one_time() -> None:
    host = AsyncFakeHost(packs={"p": "p1"}, agents={"a": "a1"}, catalog=["c"])

    async def ask() -> tuple[object, ...]:
        return tuple(
            await asyncio.gather(
                host.find_pack(PackRef.parse("p")), host.find_agent("a"), host.instantiate("c")
            )
        )

    assert asyncio.run(ask()) == (Found("p1"), Found("a1"), "made-c")
    assert host.most_at_once == 3
