"""The workspace that most hosts want: give it everything there is, and it answers.

A host that can list its packs and deployments writes two iterators, to the last page. What
is the same for every host is here: exact match, versions, ambiguity and near misses.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterable, Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Generic, TypeVar, final

from evalset.document import read_document
from evalset.hosts import Outcome, UnavailableError
from evalset.matching import ListedAgent, ListedPack, Names, match_agent, match_pack
from evalset.nodes import ReadLimits
from evalset.references import PackRef, normalize_id
from evalset.shapes import is_list, is_mapping
from evalset.sources import Format, Source, decode
from evalset.tree import to_plain

__all__ = ["AsyncListing", "Listing", "StaticWorkspace"]


@final
class Listing:
    """A workspace that is listed as a whole, once, when it is first asked.

    It is for one resolution: what it has read, and that it could not be read, stays.

    Guarantees:
        Each iterable is read at most once, to its end, also when several threads ask. If
        that fails, every question fails, with the same exception: half a list shows of
        nothing that it is not there.

    Example:
        >>> from evalset import ListedAgent, ListedPack
        >>> workspace = Listing(
        ...     packs=[ListedPack("p2", slug="support", version=2)],
        ...     agents=[ListedAgent("a1", name="gpt-default")],
        ... )
        >>> workspace.find_agent("GPT-default")
        NotFound(near=('gpt-default',))
    """

    def __init__(self, *, packs: Iterable[ListedPack], agents: Iterable[ListedAgent]) -> None:
        """Take what lists everything; nothing is read yet.

        Args:
            packs: Every version of every pack; a generator that fetches page after page.
            agents: Every deployment.

        Raises:
            TypeError: One is not iterable; `AsyncListing` takes what is asynchronous.
        """
        _check_iterable(packs, "packs")
        _check_iterable(agents, "agents")
        self._packs = _Once(_pack_index(), packs)
        self._agents = _Once(_agent_index(), agents)

    def find_pack(self, ref: PackRef, /) -> Outcome:
        """Look for a pack; see `evalset.hosts.Workspace`."""
        return match_pack(self._packs.get(), ref)

    def find_agent(self, name: str, /) -> Outcome:
        """Look for a deployment; see `evalset.hosts.Workspace`."""
        return match_agent(self._agents.get(), name)


@final
class AsyncListing:
    """A `Listing` for `resolve_async`, whose iterables may be asynchronous.

    Guarantees:
        As of `Listing`, for several tasks of one event loop.
    """

    def __init__(
        self,
        *,
        packs: AsyncIterable[ListedPack] | Iterable[ListedPack],
        agents: AsyncIterable[ListedAgent] | Iterable[ListedAgent],
    ) -> None:
        """Take what lists everything; nothing is read yet.

        Args:
            packs: As for `Listing`, or an asynchronous generator.
            agents: See there.

        Raises:
            TypeError: One is neither.
        """
        _check_iterable(packs, "packs", is_async=True)
        _check_iterable(agents, "agents", is_async=True)
        self._packs = _AsyncOnce(_pack_index(), packs)
        self._agents = _AsyncOnce(_agent_index(), agents)

    async def find_pack(self, ref: PackRef, /) -> Outcome:
        """Look for a pack; see `evalset.hosts.Workspace`."""
        return match_pack(await self._packs.get(), ref)

    async def find_agent(self, name: str, /) -> Outcome:
        """Look for a deployment; see `evalset.hosts.Workspace`."""
        return match_agent(await self._agents.get(), name)


@final
class StaticWorkspace:
    """A workspace that is written down, for tests and for machines without a network.

    Example:
        >>> workspace = StaticWorkspace.from_dict({"packs": {"support": "p1"}, "agents": {}})
        >>> workspace.find_pack(PackRef.parse("support"))
        Found(id='p1', version=None)
    """

    def __init__(
        self, *, packs: Iterable[ListedPack] = (), agents: Iterable[ListedAgent] = ()
    ) -> None:
        self._listing = Listing(packs=tuple(packs), agents=tuple(agents))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> StaticWorkspace:
        """Build a workspace from plain data.

        Args:
            data: `packs` and `agents`. Each is a mapping of slugs or names to ids; or a
                list of mappings with `id` and `slug`, for a pack also `version` and
                `workspace`, or with `id` and `name`.

        Raises:
            ValueError: The data is of another form.
        """
        if not is_mapping(data) or not {"packs", "agents"}.issuperset(data):
            raise ValueError("a workspace is a mapping with the keys packs and agents")
        return cls(
            packs=_listed(ListedPack, data.get("packs"), "packs", "slug"),
            agents=_listed(ListedAgent, data.get("agents"), "agents", "name"),
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> StaticWorkspace:
        """Read a workspace from a YAML or JSON file, of the form that `from_dict` takes.

        Raises:
            OSError: The file can't be read.
            ValueError: It is no YAML or JSON, or of another form.
        """
        name, limits = os.fspath(path), ReadLimits()
        with Path(path).open("rb") as file:
            text, fault = decode(file.read(limits.size + 1), limits)
        format: Format = "json" if name.lower().endswith(".json") else "yaml"
        document = read_document(Source(name=name, text=text, format=format), fault)
        if document.root is None or document.faults:
            raise ValueError(str(document.diagnostics()[0]))
        try:
            return cls.from_dict(to_plain(document.root))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from error

    def find_pack(self, ref: PackRef, /) -> Outcome:
        """Look for a pack; see `evalset.hosts.Workspace`."""
        return self._listing.find_pack(ref)

    def find_agent(self, name: str, /) -> Outcome:
        """Look for a deployment; see `evalset.hosts.Workspace`."""
        return self._listing.find_agent(name)


# Reading once

_Item = TypeVar("_Item", bound=ListedPack | ListedAgent)


@final
class _Index(Generic[_Item]):
    """What is listed, by slug or name; or why it could not be listed. Written once."""

    def __init__(self, kind: type[_Item], name_of: Callable[[_Item], str]) -> None:
        self._kind = kind
        self._name_of = name_of
        self._names: Names[_Item] | None = None
        self._failure: Exception | None = None
        self._trace: TracebackType | None = None  # where in the host it failed

    @property
    def is_done(self) -> bool:
        return self._names is not None or self._failure is not None

    @contextmanager
    def reading(self) -> Generator[None]:
        """Remember what goes wrong, so that what was half read is never read on."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 (it is raised by every question)
            self._failure, self._trace = error, error.__traceback__
        except BaseException:
            self._failure = UnavailableError("the listing was interrupted while it was read")
            raise

    def fill(self, items: Iterable[_Item]) -> None:
        found: dict[str, dict[str, _Item]] = {}  # by id: pages may overlap
        try:
            for item in items:
                if not isinstance(item, self._kind):
                    given = type(item).__name__
                    raise TypeError(f"a listing gives {self._kind.__name__}, not {given}")
                identity = normalize_id(item.id) or item.id
                found.setdefault(self._name_of(item), {}).setdefault(identity, item)
        finally:
            if isinstance(items, Generator):
                items.close()  # half read, it may hold a connection
        self._names = Names({name: list(each.values()) for name, each in found.items()})

    def names(self) -> Names[_Item]:
        if self._failure is not None:
            # Without the traces of those who were told before.
            raise self._failure.with_traceback(self._trace)
        return self._names or Names({})


def _pack_index() -> _Index[ListedPack]:
    return _Index(ListedPack, lambda pack: pack.slug)


def _agent_index() -> _Index[ListedAgent]:
    return _Index(ListedAgent, lambda agent: agent.name)


@final
class _Once(Generic[_Item]):
    """Reads an iterable when it is first asked; other threads wait for it."""

    def __init__(self, index: _Index[_Item], items: Iterable[_Item]) -> None:
        self._index = index
        self._source = items
        self._lock = Lock()

    def get(self) -> Names[_Item]:
        with self._lock:
            if not self._index.is_done:
                with self._index.reading():
                    self._index.fill(self._source)
        return self._index.names()


@final
class _AsyncOnce(Generic[_Item]):
    """Reads an iterable when it is first asked; other tasks wait for it."""

    def __init__(self, index: _Index[_Item], items: AsyncIterable[_Item] | Iterable[_Item]) -> None:
        self._index = index
        self._source = items
        self._lock = asyncio.Lock()

    async def get(self) -> Names[_Item]:
        async with self._lock:
            if not self._index.is_done:
                with self._index.reading():
                    self._index.fill(await self._read())
        return self._index.names()

    async def _read(self) -> Iterable[_Item]:
        if isinstance(self._source, AsyncIterable):
            return [item async for item in self._source]
        return self._source


# What a caller gives


def _check_iterable(items: object, name: str, *, is_async: bool = False) -> None:
    if isinstance(items, AsyncIterable) and not is_async:
        raise TypeError(f"{name} is asynchronous; AsyncListing and resolve_async take it")
    if not isinstance(items, (Iterable, AsyncIterable)):
        call = "; call it" if callable(items) else ""
        raise TypeError(f"{name} is {items!r}, which nothing can be read from{call}")


def _listed(model: Callable[..., _Item], data: object, field: str, name: str) -> list[_Item]:
    if data is None:
        return []
    if is_mapping(data):
        data = [{"id": identity, name: text} for text, identity in data.items()]
    if not is_list(data):
        raise ValueError(f"{field} is neither a list nor a mapping of names to ids")
    return [_one(model, item, f"{field}[{index}]") for index, item in enumerate(data)]


def _one(model: Callable[..., _Item], data: object, name: str) -> _Item:
    if not is_mapping(data):
        raise ValueError(f"{name} is no mapping")
    try:
        return model(**{str(key): value for key, value in data.items()})
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {str(error).partition('__init__() ')[2] or error}") from error
