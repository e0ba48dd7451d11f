"""The contract of a host, as cases for its own pytest.

In the tests of a host::

    import pytest
    from evalset.testing.contracts import Built, World, contract

    def build(world: World) -> Built:
        service = start_service_with(world.packs, world.agents, world.catalog)
        if world.trouble:
            service.answer_everything_with(world.trouble)
        host = OurHost(service.url)
        return Built(workspace=host, catalog=host, made=service.made, close=service.stop)

    @pytest.mark.parametrize("case", contract(build), ids=str)
    def test_our_host_keeps_the_contract(case) -> None:
        case()

Each case builds a world of its own, asks the host, and fails with an AssertionError that says
what was asked, what came, and why that is wrong.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable
from typing import Any, final

import attrs

from evalset.testing.contracts._clauses import clauses
from evalset.testing.contracts._probe import Built, Probe, World, awaited
from evalset.testing.hosts import TROUBLES

__all__ = ["Built", "Case", "World", "contract"]


@final
@attrs.frozen
class Case:
    """One clause of the contract; calling it checks it.

    Attributes:
        name: The clause, in words.
        world: What the service holds.

    Raises:
        AssertionError: The host breaks it.
    """

    name: str
    world: World
    _build: Callable[[World], Built]
    _check: Callable[[Any], None]
    _is_async: bool = False

    def __str__(self) -> str:
        return self.name

    def __call__(self) -> None:
        """Build the world, ask the host, and judge its answers."""
        runner = asyncio.Runner() if self._is_async else None
        try:
            built = self._build(self.world)
            probe = Probe(built, runner)
            try:
                self._judge(probe)
            finally:
                closing = built.close()
                if runner and inspect.isawaitable(closing):
                    runner.run(awaited(closing))
        finally:
            if runner:
                runner.close()

    def _judge(self, probe: Probe) -> None:
        try:
            self._check(probe)
        except AssertionError:
            raise
        except Exception as error:
            raise AssertionError(
                f"it raised {type(error).__name__}, {str(error)!r}; a host raises only when it "
                "can't look, and here nothing keeps it from looking"
            ) from error


def contract(
    build: Callable[[World], Built],
    *,
    is_async: bool = False,
    has_catalog: bool = True,
    has_workspaces: bool = True,
    troubles: Iterable[str] = tuple(TROUBLES),
) -> list[Case]:
    """Give every case of the contract.

    Args:
        build: Sets the service up as the world says, and gives a host for it.
        is_async: Whether the host is for `resolve_async`.
        has_catalog: Whether it can make packs.
        has_workspaces: Whether it knows several workspaces, as in `team/support@3`.
        troubles: The troubles that the service can be put into.
    """
    return [
        Case(clause.name, clause.world, build, clause.check, is_async)
        for clause in clauses(
            has_catalog=has_catalog, has_workspaces=has_workspaces, troubles=troubles
        )
    ]
