"""Hosts that type checkers must refuse. Checked, never run; see wrong_uses."""

# pyright: reportUnnecessaryTypeIgnoreComment=true

import asyncio
from collections.abc import AsyncIterator, Awaitable

from evalset import (
    Agent,
    AsyncListing,
    ListedAgent,
    ListedPack,
    Listing,
    Manifest,
    PackRef,
    resolve,
    resolve_async,
)
from evalset.hosts import Found, NotFound

MANIFEST = Manifest("n", packs=["p"], agents=[Agent("a")])


class Right:
    """What the wrong ones lack."""

    def find_pack(self, ref: PackRef, /) -> str | None:
        return ref.slug

    def find_agent(self, name: str, /) -> str | None:
        return name


class Coroutines:
    """For the other front."""

    async def find_pack(self, ref: PackRef, /) -> str | None:
        return ref.slug

    async def find_agent(self, name: str, /) -> str | None:
        return name

    async def instantiate(self, slug: str, /) -> str | None:
        return slug


class Futures:
    """For the other front, too."""

    def find_pack(self, ref: PackRef, /) -> "asyncio.Future[str]":
        raise NotImplementedError(ref.slug)

    def find_agent(self, name: str, /) -> "asyncio.Task[str | None]":
        raise NotImplementedError(name)

    def instantiate(self, slug: str, /) -> Awaitable[str]:
        raise NotImplementedError(slug)


class Counts:
    """Ids are text, for who is awaited as well."""

    async def find_pack(self, ref: PackRef, /) -> int:
        return len(ref.slug)

    async def find_agent(self, name: str, /) -> str | None:
        return name

    async def instantiate(self, slug: str, /) -> list[str]:
        return [slug]


class Streams:
    """An answer is one, not many."""

    async def find_pack(self, ref: PackRef, /) -> AsyncIterator[str]:
        yield ref.slug

    async def find_agent(self, name: str, /) -> str | None:
        return name


class Named:
    """What is awaited has no names of parameters either."""

    async def find_pack(self, *, ref: PackRef) -> str | None:
        return ref.slug

    async def find_agent(self, name: str, /) -> str | None:
        return name


class Numbers:
    """Ids are text."""

    def find_pack(self, ref: PackRef, /) -> int:
        return len(ref.slug)

    def find_agent(self, name: str, /) -> str | None:
        return name


class Texts:
    """A reference is taken apart already."""

    def find_pack(self, ref: str, /) -> str | None:
        return ref

    def find_agent(self, name: str, /) -> str | None:
        return name


class Half:
    """A method is missing."""

    def find_pack(self, ref: PackRef, /) -> str | None:
        return ref.slug


class Keywords:
    """Parameters are positional."""

    def find_pack(self, *, ref: PackRef) -> str | None:
        return ref.slug

    def find_agent(self, name: str, /) -> str | None:
        return name


async def agents() -> AsyncIterator[ListedAgent]:
    yield ListedAgent("a1", name="a")


def blocking() -> None:
    resolve(MANIFEST, Coroutines())  # type: ignore[arg-type]
    resolve(MANIFEST, Futures())  # type: ignore[arg-type]
    resolve(MANIFEST, Right(), Futures())  # type: ignore[arg-type]
    resolve(MANIFEST, Numbers())  # type: ignore[arg-type]
    resolve(MANIFEST, Texts())  # type: ignore[arg-type]
    resolve(MANIFEST, Half())  # type: ignore[arg-type]
    resolve(MANIFEST, Keywords())  # type: ignore[arg-type]
    resolve(MANIFEST, Right)  # type: ignore[arg-type]
    resolve(MANIFEST, Right(), Right())  # type: ignore[arg-type]
    resolve(MANIFEST, Right(), Coroutines())  # type: ignore[arg-type]
    resolve(MANIFEST, AsyncListing(packs=[], agents=[]))  # type: ignore[arg-type]
    resolve(MANIFEST, Right(), dry_run=None)  # type: ignore[arg-type]
    resolve(MANIFEST, Right(), None, True)  # type: ignore[call-arg] # noqa: FBT003
    resolve(MANIFEST, Right(), concurrency=8)  # type: ignore[call-arg]


async def waiting() -> None:
    await resolve_async(MANIFEST, Numbers())  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Counts())  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Coroutines(), Counts())  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Streams())  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Named())  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Texts())  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Right)  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Right(), concurrency="8")  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Half())  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Right(), Right())  # type: ignore[arg-type]


def listing() -> None:
    Listing(packs=[], agents=agents())  # type: ignore[arg-type]
    Listing(packs=[ListedAgent("a1", name="a")], agents=[])  # type: ignore[list-item]
    Listing(packs=[])  # type: ignore[call-arg]
    ListedPack("p1", "p")  # type: ignore[call-arg]
    Found("p1", 3)  # type: ignore[call-arg]
    NotFound("p1").near.append("x")  # type: ignore[attr-defined]
