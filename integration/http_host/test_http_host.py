"""The host of examples/http_host keeps the contract, against a real server."""

import asyncio

import httpx
import pytest
from examples.http_host.host import AsyncHttpHost, HttpHost
from integration.http_host.server import TROUBLES, serving, start

import evalset
from evalset import Agent, ListedAgent, ListedPack, Manifest, ResolutionError
from evalset.testing.contracts import Built, Case, World, contract

TIMEOUT = 0.5
WORLD = World(
    packs=tuple(ListedPack(f"p{n}", slug=f"pack-{n}", version=1) for n in range(50)),
    agents=(ListedAgent("a1", name="gpt"),),
    catalog=("new",),
)
MANIFEST = Manifest("n", packs=["pack-0", "pack-49", "catalog/new"], agents=[Agent("gpt")])


def build(world: World) -> Built:
    service = start(world)
    client = httpx.Client(base_url=service.url, timeout=TIMEOUT)
    host = HttpHost(client)

    def close() -> None:
        client.close()
        service.stop()

    return Built(workspace=host, catalog=host, made=lambda: service.made, close=close)


def build_async(world: World) -> Built:
    service = start(world)
    client = httpx.AsyncClient(base_url=service.url, timeout=TIMEOUT)
    host = AsyncHttpHost(client)

    async def close() -> None:
        await client.aclose()
        service.stop()

    return Built(workspace=host, catalog=host, made=lambda: service.made, close=close)


@pytest.mark.parametrize("case", contract(build, troubles=TROUBLES), ids=str)
def test_the_blocking_host_keeps_the_contract(case: Case) -> None:
    case()


@pytest.mark.parametrize("case", contract(build_async, is_async=True, troubles=TROUBLES), ids=str)
def test_the_asynchronous_host_keeps_the_contract(case: Case) -> None:
    case()


def resolve_over(world: World, *, is_async: bool) -> evalset.Resolution:
    with serving(world) as service:
        if not is_async:
            with httpx.Client(base_url=service.url, timeout=TIMEOUT) as client:
                host = HttpHost(client)
                return evalset.resolve(MANIFEST, host, host)

        async def run() -> evalset.Resolution:
            async with httpx.AsyncClient(base_url=service.url, timeout=TIMEOUT) as client:
                host = AsyncHttpHost(client)
                return await evalset.resolve_async(MANIFEST, host, host)

        return asyncio.run(run())


@pytest.mark.parametrize("is_async", [False, True], ids=["blocking", "asynchronous"])
def test_a_manifest_is_resolved(*, is_async: bool) -> None:
    resolved = resolve_over(WORLD, is_async=is_async).manifest
    assert resolved == Manifest(
        "n", packs=["p0", "p49", "made-1"], agents=[Agent("a1", label="gpt")]
    )


@pytest.mark.parametrize("is_async", [False, True], ids=["blocking", "asynchronous"])
def test_a_busy_service_says_when_to_ask_again(*, is_async: bool) -> None:
    busy = World(packs=WORLD.packs, agents=WORLD.agents, trouble="rate-limit")
    with pytest.raises(ResolutionError) as caught:
        resolve_over(busy, is_async=is_async)
    assert caught.value.retry_after == 30
    assert caught.value.could_not_look
    assert caught.value.to_dict()["status"] == 503


def test_each_page_is_asked_for_once() -> None:
    with serving(WORLD) as service, httpx.Client(base_url=service.url) as client:
        host = HttpHost(client)
        evalset.resolve(MANIFEST, host, host)
        assert service.requests == [
            "/packs?cursor=",
            "/packs?cursor=20",
            "/packs?cursor=40",
            "/deployments?cursor=",
            "/catalog/new/packs",
        ]


def test_a_service_that_fails_behind_the_first_page_makes_nothing() -> None:
    with (
        serving(World(packs=WORLD.packs, agents=WORLD.agents, catalog=("new",),
                      trouble="second-page")) as service,
        httpx.Client(base_url=service.url) as client,
    ):  # fmt: skip
        host = HttpHost(client)
        with pytest.raises(ResolutionError):
            evalset.resolve(MANIFEST, host, host)
        assert service.made == []
        assert sum(request.startswith("/packs") for request in service.requests) == 2
