"""A workspace and catalog over HTTP, blocking and asynchronous, with httpx.

The service has three resources:

- `GET /packs?cursor=` and `GET /deployments?cursor=`: a page, `{"items": [...], "next": cursor}`,
  where `next` is null on the last page;
- `POST /catalog/{slug}/packs`: makes a pack of the workspace; 201 with `{"id": ...}`, or 404 with
  `{"code": "no-such-slug"}`.

    with httpx.Client(base_url="https://evals.example", timeout=10) as client:
        host = HttpHost(client)
        resolution = evalset.resolve(manifest, host, host)

A host is for one resolution: its lists are read once.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import quote

import httpx

from evalset import AsyncListing, ListedAgent, ListedPack, Listing, PackRef
from evalset.hosts import Found, NotFound, Outcome, UnavailableError

_NOT_FOUND = 404


class HttpHost:
    """A host for `evalset.resolve`."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._listing = Listing(
            packs=map(_pack, self._items("/packs")), agents=map(_agent, self._items("/deployments"))
        )

    def find_pack(self, ref: PackRef, /) -> Outcome:
        """Look for a pack among all of the workspace's."""
        return self._listing.find_pack(ref)

    def find_agent(self, name: str, /) -> Outcome:
        """Look for a deployment among all of the workspace's."""
        return self._listing.find_agent(name)

    def instantiate(self, slug: str, /) -> Outcome:
        """Make a pack from the catalog's."""
        return _made(self._client.post(_catalog_path(slug)))

    def _items(self, path: str) -> Iterator[Any]:
        cursor: str | None = ""
        while cursor is not None:
            page = _page(self._client.get(path, params={"cursor": cursor}))
            yield from page["items"]
            cursor = page["next"]


class AsyncHttpHost:
    """The same for `evalset.resolve_async`."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._listing = AsyncListing(packs=self._packs(), agents=self._agents())

    async def find_pack(self, ref: PackRef, /) -> Outcome:
        """Look for a pack among all of the workspace's."""
        return await self._listing.find_pack(ref)

    async def find_agent(self, name: str, /) -> Outcome:
        """Look for a deployment among all of the workspace's."""
        return await self._listing.find_agent(name)

    async def instantiate(self, slug: str, /) -> Outcome:
        """Make a pack from the catalog's."""
        return _made(await self._client.post(_catalog_path(slug)))

    async def _packs(self) -> AsyncIterator[ListedPack]:
        async for item in self._items("/packs"):
            yield _pack(item)

    async def _agents(self) -> AsyncIterator[ListedAgent]:
        async for item in self._items("/deployments"):
            yield _agent(item)

    async def _items(self, path: str) -> AsyncIterator[Any]:
        cursor: str | None = ""
        while cursor is not None:
            page = _page(await self._client.get(path, params={"cursor": cursor}))
            for item in page["items"]:
                yield item
            cursor = page["next"]


# What an answer means. Whatever is not understood is an exception: httpx's own for a timeout
# or a broken connection, KeyError or ValueError for a body of another form.


def _page(response: httpx.Response) -> Any:  # noqa: ANN401 (JSON)
    _check(response)
    return response.json()


def _made(response: httpx.Response) -> Outcome:
    # A 404 alone may come from a wrong path, or from a proxy; only the service knows slugs.
    if response.status_code == _NOT_FOUND and _code(response) == "no-such-slug":
        return NotFound()
    _check(response)
    return Found(response.json()["id"])


def _check(response: httpx.Response) -> None:
    if not response.is_success:
        request = f"{response.request.method} {response.request.url.path}"
        message = f"{request}: {response.status_code} {response.reason_phrase}"
        raise UnavailableError(message, retry_after=_seconds(response))


def _code(response: httpx.Response) -> object:
    try:
        return response.json()["code"]
    except (KeyError, TypeError, ValueError):
        return None


def _seconds(response: httpx.Response) -> float | None:
    seconds = response.headers.get("retry-after", "")
    return float(seconds) if seconds.isdigit() else None  # it may be a date, too


def _catalog_path(slug: str) -> str:
    # As a path segment: a slug may hold slashes, or be `..`, which clients like to tidy away.
    return f"/catalog/{quote(slug, safe='').replace('.', '%2E')}/packs"


def _pack(item: Any) -> ListedPack:  # noqa: ANN401 (JSON)
    return ListedPack(
        item["id"], slug=item["slug"], version=item["version"], workspace=item["workspace"]
    )


def _agent(item: Any) -> ListedAgent:  # noqa: ANN401 (JSON)
    return ListedAgent(item["id"], name=item["name"])
