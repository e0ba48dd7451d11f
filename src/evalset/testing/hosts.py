"""Fake hosts that misbehave when they are told to, and count what they are asked.

from evalset.testing.hosts import FakeHost

host = FakeHost(agents={"gpt": "a1"}, script={("find_pack", "support"): TimeoutError()})
with pytest.raises(evalset.ResolutionError):
evalset.resolve(manifest, host, host)
assert host.made == []
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, cast, final

from hypothesis import strategies as st

from evalset.hosts import Ambiguous, Answer, Asking, Found, NotFound, UnavailableError
from evalset.listing import StaticWorkspace
from evalset.manifest import Manifest
from evalset.matching import ListedAgent, ListedPack
from evalset.references import PackRef, normalize_id

__all__ = ["TROUBLES", "AsyncFakeHost", "Call", "FakeHost", "Script", "Step", "scripts"]

Call: TypeAlias = tuple[Asking, str]
"""A method of a host, and what it was asked for: a reference, a name or a slug."""

Step: TypeAlias = Answer | Exception
"""What happens at one call: an answer, or an exception that is raised."""

Script: TypeAlias = Mapping[Call, Step | Sequence[Step]]
"""What happens at certain calls. Of several steps each call takes one; the last one stays, so
`[TimeoutError(), "p1"]` is a host that answers at the second try."""

TROUBLES: dict[str, Exception] = {
    "timeout": TimeoutError("no answer in 30 s"),
    "refused": ConnectionRefusedError("connection refused"),
    "forbidden": PermissionError("403 Forbidden"),
    "rate-limit": UnavailableError("429 Too Many Requests", retry_after=30),
    "server-error": UnavailableError("500 Internal Server Error"),
    "unavailable": UnavailableError("503 Service Unavailable", retry_after=5),
}
"""What keeps a host from looking, by name."""


class _Fake:
    """What both fakes have: the answers, and the record."""

    def __init__(
        self,
        *,
        packs: Iterable[ListedPack] | Mapping[str, str] = (),
        agents: Iterable[ListedAgent] | Mapping[str, str] = (),
        catalog: Iterable[str] = (),
        script: Script | None = None,
        trouble: Exception | None = None,
        latency: float | Mapping[str, float] = 0.0,
    ) -> None:
        """Say what is there, and what goes wrong.

        Args:
            packs: The packs of the workspace, or a mapping of slugs to ids.
            agents: The deployments, or a mapping of names to ids.
            catalog: The slugs that packs can be made from; the pack of `x` is `made-x`.
            script: What happens otherwise at certain calls.
            trouble: What every call raises; None: nothing.
            latency: Seconds that each call takes; or those of certain references.
        """
        self._workspace = StaticWorkspace(packs=_packs(packs), agents=_agents(agents))
        self._catalog = frozenset(catalog)
        self._script: dict[Call, list[Step]] = {
            call: list(steps) if isinstance(steps, Sequence) and not isinstance(steps, str)
            else [steps]
            for call, steps in (script or {}).items()
        }  # fmt: skip
        self._trouble = trouble
        self._latency = latency
        self.calls: list[Call] = []
        self.made: list[str] = []
        self.most_at_once: int = 0
        self._at_once = 0

    def _begin(self, asking: Asking, text: str) -> float:
        self.calls.append((asking, text))
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        return self._latency.get(text, 0.0) if isinstance(self._latency, Mapping) else self._latency

    def _answer(self, asking: Asking, subject: PackRef | str) -> Answer:
        if self._trouble is not None:
            raise self._trouble
        steps = self._script.get((asking, str(subject)))
        answer = self._usual(subject, asking) if steps is None else steps[0]
        if steps and len(steps) > 1:
            del steps[0]
        if isinstance(answer, Exception):
            raise answer
        if asking == "instantiate" and isinstance(answer, (str, Found)):
            self.made.append(str(subject))
        return answer

    def _usual(self, subject: PackRef | str, asking: Asking) -> Answer:
        if isinstance(subject, PackRef):
            return self._workspace.find_pack(subject)
        if asking == "find_agent":
            return self._workspace.find_agent(subject)
        return f"made-{subject}" if subject in self._catalog else NotFound()


def _packs(packs: Iterable[ListedPack] | Mapping[str, str]) -> Iterable[ListedPack]:
    if not isinstance(packs, Mapping):
        return packs
    ids = cast("Mapping[str, str]", packs)
    return [ListedPack(identity, slug=slug) for slug, identity in ids.items()]


def _agents(agents: Iterable[ListedAgent] | Mapping[str, str]) -> Iterable[ListedAgent]:
    if not isinstance(agents, Mapping):
        return agents
    ids = cast("Mapping[str, str]", agents)
    return [ListedAgent(identity, name=name) for name, identity in ids.items()]


@final
class FakeHost(_Fake):
    """A workspace and catalog that answers at once, or blocks while it looks.

    Attributes:
        calls: Every call, in order.
        made: The slugs that a pack was made from, in order.
        most_at_once: How many calls ran at one time, at most.
    """

    def find_pack(self, ref: PackRef, /) -> Answer:
        """Look for a pack."""
        return self._block("find_pack", ref)

    def find_agent(self, name: str, /) -> Answer:
        """Look for a deployment."""
        return self._block("find_agent", name)

    def instantiate(self, slug: str, /) -> Answer:
        """Make a pack."""
        return self._block("instantiate", slug)

    def _block(self, asking: Asking, subject: PackRef | str) -> Answer:
        latency = self._begin(asking, str(subject))
        try:
            if latency:
                time.sleep(latency)
            return self._answer(asking, subject)
        finally:
            self._at_once -= 1


@final
class AsyncFakeHost(_Fake):
    """A workspace and catalog that is awaited; else as `FakeHost`."""

    async def find_pack(self, ref: PackRef, /) -> Answer:
        """Look for a pack."""
        return await self._wait("find_pack", ref)

    async def find_agent(self, name: str, /) -> Answer:
        """Look for a deployment."""
        return await self._wait("find_agent", name)

    async def instantiate(self, slug: str, /) -> Answer:
        """Make a pack."""
        return await self._wait("instantiate", slug)

    async def _wait(self, asking: Asking, subject: PackRef | str) -> Answer:
        latency = self._begin(asking, str(subject))
        try:
            await asyncio.sleep(latency)
            return self._answer(asking, subject)
        finally:
            self._at_once -= 1


@st.composite
def scripts(draw: st.DrawFn, manifest: Manifest) -> Script:
    """Give what a host might say to each question that a manifest may raise.

    Half of the hosts have everything, or can make it. With the others, references are
    absent, ambiguous, twice the same, or can't be looked for.

    Args:
        draw: Given by Hypothesis.
        manifest: The manifest.
    """
    refs = [PackRef.parse(ref) for ref in manifest.packs]
    names = [agent.deployment for agent in manifest.agents if not normalize_id(agent.deployment)]
    is_rough = draw(st.booleans())
    calls: list[tuple[Call, list[str]]] = [
        *((("find_pack", ref.text), ["found", "absent"]) for ref in refs if ref.kind != "id"),
        *((("find_agent", name), ["found"]) for name in dict.fromkeys(names)),
        *((("instantiate", ref.slug), ["found"]) for ref in refs if ref.slug),
    ]
    kinds = st.sampled_from(["found", "found", "absent", "ambiguous", "twin", *TROUBLES])
    return {
        call: _step(draw(kinds if is_rough else st.sampled_from(usual)), number)
        for number, (call, usual) in enumerate(calls)
    }


def _step(kind: str, number: int) -> Step:
    if kind == "found":
        return Found(f"id-{number}", version=number)
    if kind == "ambiguous":
        return Ambiguous([f"id-{number}", f"id-{number}-b"])
    if kind == "twin":
        return "id-twin"
    return TROUBLES.get(kind)  # None: absent
