"""A host over a world, and what looks at it through one of the two fronts."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, final

import attrs

from evalset.hosts import AsyncCatalog, AsyncWorkspace, Outcome, understand
from evalset.manifest import Manifest
from evalset.matching import ListedAgent, ListedPack
from evalset.references import PackRef
from evalset.resolution import Resolution
from evalset.resolving import resolve, resolve_async

__all__ = ["Built", "Probe", "World", "awaited", "fail"]


@final
@attrs.frozen(kw_only=True)
class World:
    """What a case wants the service behind a host to hold.

    Attributes:
        packs: Every pack of the workspace. Those without a version are their only one.
        agents: Every deployment.
        catalog: The slugs of the catalog.
        trouble: None, or a name of `evalset.testing.hosts.TROUBLES`: what befalls every
            request.
    """

    packs: tuple[ListedPack, ...] = ()
    agents: tuple[ListedAgent, ...] = ()
    catalog: tuple[str, ...] = ()
    trouble: str | None = None


def _nothing() -> tuple[str, ...]:
    return ()


@final
@attrs.frozen(kw_only=True)
class Built:
    """A host over a world.

    Attributes:
        workspace: The workspace.
        catalog: The catalog, or None.
        made: Gives the slugs that packs were made from so far, as the service knows it.
        close: Called at the end; what it returns is awaited if it can be.
    """

    workspace: AsyncWorkspace
    catalog: AsyncCatalog | None = None
    made: Callable[[], Sequence[str]] = _nothing
    close: Callable[[], Any] = _nothing


class Probe:
    """A host that is being looked at, through one of the two fronts."""

    def __init__(self, built: Built, runner: asyncio.Runner | None) -> None:
        self.built = built
        self.runner = runner

    def find_pack(self, text: str) -> Outcome:
        return self._ask(self.built.workspace.find_pack, PackRef.parse(text))

    def find_agent(self, name: str) -> Outcome:
        return self._ask(self.built.workspace.find_agent, name)

    def instantiate(self, slug: str) -> Outcome:
        if self.built.catalog is None:
            fail("build gives no catalog; call contract(..., has_catalog=False)")
        return self._ask(self.built.catalog.instantiate, slug)

    def _ask(self, method: Callable[[Any], Any], subject: PackRef | str) -> Outcome:
        return self._understood(method, self._waited(method(subject)))

    def _understood(self, method: Callable[[Any], Any], answer: object) -> Outcome:
        if inspect.isawaitable(answer):
            # A coroutine that is never awaited would warn of itself later; a future has no close.
            getattr(answer, "close", _nothing)()
            fail(
                f"{method.__name__} answers with {type(answer).__name__}, to be awaited; resolve "
                "can't wait: call contract(..., is_async=True), and use resolve_async"
            )
        try:
            return understand(answer)
        except (TypeError, ValueError) as error:
            raise AssertionError(f"{method.__name__}: {error}") from error

    def _waited(self, answer: Any) -> Any:  # noqa: ANN401
        if self.runner is None or not inspect.isawaitable(answer):
            return answer
        return self.runner.run(awaited(answer))

    def find_agents_at_once(self, names: Sequence[str]) -> list[Outcome]:
        find = self.built.workspace.find_agent
        if self.runner is None:
            return [self.find_agent(name) for name in names]

        async def ask(name: str) -> object:
            answer = find(name)
            return await answer if inspect.isawaitable(answer) else answer

        async def ask_all() -> list[object]:
            return await asyncio.gather(*map(ask, names))

        return [self._understood(find, answer) for answer in self.runner.run(ask_all())]

    def resolve(self, manifest: Manifest, *, dry_run: bool = False) -> Resolution:
        built: Any = self.built
        if self.runner is None:
            return resolve(manifest, built.workspace, built.catalog, dry_run=dry_run)
        return self.runner.run(
            resolve_async(manifest, built.workspace, built.catalog, dry_run=dry_run)
        )


async def awaited(answer: Any) -> Any:  # noqa: ANN401
    return await answer


def fail(message: str) -> NoReturn:
    """Say what the host did wrong."""
    raise AssertionError(message)
