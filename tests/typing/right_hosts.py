"""Hosts that type checkers must take. Checked, never run."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import assert_type

from evalset import (
    AsyncListing,
    ListedAgent,
    ListedPack,
    Listing,
    Manifest,
    PackRef,
    Resolution,
    ResolutionError,
    StaticWorkspace,
    pin,
    resolve,
    resolve_async,
)
from evalset.hosts import (
    Ambiguous,
    Answer,
    AsyncCatalog,
    AsyncWorkspace,
    Catalog,
    Found,
    NotFound,
    Outcome,
    UnavailableError,
    Workspace,
    understand,
)
from evalset.inquiry import Inquiry, Question
from evalset.resolution import Failure, Resolved
from evalset.testing.contracts import Built, World, contract
from evalset.testing.hosts import AsyncFakeHost, FakeHost


class Plain:
    """Other names of parameters, and narrower answers."""

    def find_pack(self, reference: PackRef) -> str | None:
        return reference.slug or None

    def find_agent(self, deployment: str, *, exact: bool = True) -> str:
        return deployment if exact else ""

    def instantiate(self, pack: str) -> Found | NotFound:
        return Found(pack, version=1) if pack else NotFound(["near"])


class Objects:
    """Wider arguments, and every outcome."""

    def find_pack(self, _: object, /) -> Outcome:
        return Ambiguous(["a", "b"])

    def find_agent(self, _: object, /) -> Answer:
        return None


class Coroutines:
    """Methods that are awaited."""

    async def find_pack(self, ref: PackRef, /) -> Found | None:
        return Found(ref.slug)

    async def find_agent(self, name: str, /) -> str:
        raise UnavailableError(name, retry_after=3)

    async def instantiate(self, slug: str, /) -> str | None:
        return slug


class Futures:
    """Methods that return other awaitables."""

    def find_pack(self, ref: PackRef, /) -> asyncio.Future[str]:
        raise NotImplementedError(ref.text)

    def find_agent(self, name: str, /) -> "asyncio.Task[Found]":
        raise NotImplementedError(name)

    def instantiate(self, slug: str, /) -> Awaitable[None]:
        raise NotImplementedError(slug)


class Renamed:
    """Other names of parameters, more parameters, and narrower answers, all awaited."""

    async def find_pack(self, reference: PackRef, patience: float = 30) -> Found | NotFound:
        return Found(reference.slug) if patience else NotFound()

    def find_agent(self, deployment: str) -> "asyncio.Future[str | None]":
        raise NotImplementedError(deployment)

    async def instantiate(self, *slugs: str) -> str:
        return slugs[0]


class Mixed:
    """Some of each."""

    def find_pack(self, ref: PackRef, /) -> str:
        return ref.text

    async def find_agent(self, name: str, /) -> Answer:
        return name


def packs() -> Iterator[ListedPack]:
    yield ListedPack("p1", slug="p", version=1, workspace="w")


async def agents() -> AsyncIterator[ListedAgent]:
    yield ListedAgent("a1", name="a")


def blocking(manifest: Manifest) -> None:
    host = Plain()
    assert_type(resolve(manifest, host), Resolution)
    assert_type(resolve(manifest, host, host, dry_run=True, give_up_after=3), Resolution)
    resolve(manifest, Objects(), Plain(), catalog_fallback=False, key_by="deployment")
    resolve(manifest, Listing(packs=packs(), agents=[ListedAgent("a1", name="a")]))
    resolve(manifest, StaticWorkspace.from_dict({"packs": {}, "agents": {}}))
    resolve(manifest, StaticWorkspace.load("workspace.yaml"))
    resolve(manifest, FakeHost(packs={"p": "p1"}), FakeHost(catalog=["p"]))
    workspace: Workspace = host
    catalog: Catalog = host
    resolve(manifest, workspace, catalog)


async def waiting(manifest: Manifest) -> None:
    host = Coroutines()
    assert_type(await resolve_async(manifest, host), Resolution)
    await resolve_async(manifest, host, host, concurrency=50, dry_run=True)
    await resolve_async(manifest, Futures(), Futures())
    await resolve_async(manifest, Renamed(), Renamed())
    await resolve_async(manifest, Mixed(), Plain())
    await resolve_async(manifest, Plain(), Coroutines())
    await resolve_async(manifest, AsyncListing(packs=packs(), agents=agents()))
    await resolve_async(manifest, AsyncFakeHost(), AsyncFakeHost())
    workspace: AsyncWorkspace = host
    catalog: AsyncCatalog = host
    await resolve_async(manifest, workspace, catalog)


def results(resolution: Resolution, text: str) -> None:
    assert_type(resolution.manifest, Manifest)
    assert_type(resolution.packs, tuple[Resolved, ...])
    assert_type(resolution.pending, tuple[Resolved, ...])
    assert_type(resolution.packs[0].id, str | None)
    assert_type(resolution.packs[0].version, int | None)
    assert_type(pin(text, resolution), str)
    assert_type(PackRef.parse(text).version, int | None)
    assert_type(understand(text), Found | NotFound | Ambiguous)
    try:
        resolve(resolution.manifest, Plain())
    except ResolutionError as error:
        assert_type(error.failures, tuple[Failure, ...])
        assert_type(error.failures[0].exception, Exception | None)
        assert_type(error.instantiated, tuple[Resolved, ...])
        assert_type(error.retry_after, float | None)
        assert_type(error.could_not_look, bool)


def driving(manifest: Manifest) -> None:
    inquiry = Inquiry(manifest, has_catalog=False)
    while question := inquiry.next():
        assert_type(question, Question)
        inquiry.take(question, NotFound())
    assert_type(inquiry.result(), Resolution)


def proving() -> None:
    def build(world: World) -> Built:
        host = FakeHost(packs=world.packs, agents=world.agents, catalog=world.catalog)
        return Built(workspace=host, catalog=host, made=lambda: host.made)

    for case in contract(build, is_async=False, troubles=["timeout"]):
        assert_type(case(), None)
