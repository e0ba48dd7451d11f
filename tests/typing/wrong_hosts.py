"""Hosts that type checkers must refuse. Checked, never run; see wrong_uses."""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from collections.abc import AsyncIterator

from evalset import (
    Agent,
    AsyncListing,
    Found,
    ListedAgent,
    ListedPack,
    Listing,
    Manifest,
    NotFound,
    PackRef,
    resolve,
    resolve_async,
)

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
    await resolve_async(MANIFEST, Half())  # type: ignore[arg-type]
    await resolve_async(MANIFEST, Right(), Right())  # type: ignore[arg-type]


def listing() -> None:
    Listing(packs=[], agents=agents())  # type: ignore[arg-type]
    Listing(packs=[ListedAgent("a1", name="a")], agents=[])  # type: ignore[list-item]
    Listing(packs=[])  # type: ignore[call-arg]
    ListedPack("p1", "p")  # type: ignore[call-arg]
    Found("p1", 3)  # type: ignore[call-arg]
    NotFound("p1").near.append("x")  # type: ignore[attr-defined]
