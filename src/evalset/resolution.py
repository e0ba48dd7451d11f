"""What came of resolving a manifest: every reference with its id, or every reason why not."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Self, TypeAlias, final

import attrs

from evalset.diagnostics import Diagnostic
from evalset.errors import EvalsetError
from evalset.hosts import Ambiguous, Asking, NotFound, UnavailableError, retry_after_of, said_by
from evalset.manifest import Manifest, with_source
from evalset.parts import Agent

__all__ = ["Failure", "How", "Resolution", "ResolutionError", "Resolved", "put_ids"]

How: TypeAlias = Literal["written", "workspace", "catalog", "pending"]
"""How an id was found: it was written; the workspace has it; it was made from the catalog; or
it is not there yet, since a dry run makes nothing."""

_SHOWN = 10  # diagnostics that str() lists


@final
@attrs.frozen
class Resolved:
    """One reference and what it stands for.

    Attributes:
        ref: The reference as the manifest has it.
        id: The id, or None while it is pending. A UUID that was written is as written.
        how: How it was found.
        version: The version of the pack, if the host said.
    """

    ref: str
    id: str | None = attrs.field(kw_only=True)
    how: How = attrs.field(kw_only=True)
    version: int | None = attrs.field(default=None, kw_only=True)

    def to_dict(self) -> dict[str, Any]:
        """Give plain data, fields in order of declaration."""
        return attrs.asdict(self)


@final
@attrs.frozen(kw_only=True)
class Resolution:
    """A manifest whose references were resolved.

    Attributes:
        manifest: The manifest with ids in place of names. An agent without a label has its
            name as label, so its part of the matrix key stays; everything else is
            untouched. `source` is the original's, so places are still found.
        packs: One for each pack of the manifest, in order.
        agents: One for each agent, in order.
        diagnostics: Warnings, such as a slug that came from the catalog.

    Guarantees:
        Frozen, hashable, picklable; the same whatever the timing of the host was.
    """

    manifest: Manifest
    packs: tuple[Resolved, ...]
    agents: tuple[Resolved, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def instantiated(self) -> tuple[Resolved, ...]:
        """The packs that were made from the catalog, in the order of their making."""
        return tuple(pack for pack in self.packs if pack.how == "catalog")

    @property
    def pending(self) -> tuple[Resolved, ...]:
        """The packs that a run would make, and a dry run did not."""
        return tuple(pack for pack in self.packs if pack.how == "pending")

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data."""
        return {
            "manifest": self.manifest.to_dict(),
            "packs": [pack.to_dict() for pack in self.packs],
            "agents": [agent.to_dict() for agent in self.agents],
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
        }


@final
@attrs.frozen
class Failure:
    """A reference without an id.

    Attributes:
        ref: The reference as the manifest has it.
        outcome: What the host said, or None: it could not look.
        exception: Why it could not look, or None: it was not asked any more. What can't be
            pickled is pickled as an `UnavailableError` that says the same.
        asking: The method that gave no id. Where that is `instantiate` and it raised, it is
            not known whether the pack was made.
    """

    ref: str
    asking: Asking = attrs.field(kw_only=True)
    outcome: NotFound | Ambiguous | None = attrs.field(default=None, kw_only=True)
    exception: Exception | None = attrs.field(default=None, kw_only=True)

    def __getstate__(self) -> tuple[object, ...]:
        return self.ref, self.asking, self.outcome, self.exception and _portable(self.exception)

    def __setstate__(self, state: tuple[object, ...]) -> None:
        for name, value in zip(("ref", "asking", "outcome", "exception"), state, strict=True):
            object.__setattr__(self, name, value)


def _portable(error: Exception) -> Exception:
    """Give an exception that survives pickling, which those of many clients do not."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 (made one line before)
    except Exception:  # noqa: BLE001 (whatever its own methods raise)
        return UnavailableError(
            ": ".join(filter(None, said_by(error))), retry_after=retry_after_of(error)
        )
    return error


@final
class ResolutionError(EvalsetError, LookupError):
    """References could not be resolved; nothing is known to be wrong with the manifest's form.

    Attributes:
        diagnostics: Every finding, with its place if the manifest has one; at least one.
        failures: The references without an id, in order of the manifest. None where only
            two references turned out to be one.
        instantiated: What was made from the catalog before it failed.

    The host's own exceptions are chained as one `ExceptionGroup`, the `__cause__`.
    """

    diagnostics: tuple[Diagnostic, ...]
    failures: tuple[Failure, ...]
    instantiated: tuple[Resolved, ...]
    __cause__: BaseException | None

    def __init__(
        self,
        diagnostics: Iterable[Diagnostic],
        *,
        failures: Iterable[Failure] = (),
        instantiated: Iterable[Resolved] = (),
    ) -> None:
        self.diagnostics = tuple(diagnostics)
        self.failures = tuple(failures)
        self.instantiated = tuple(instantiated)
        super().__init__(self.diagnostics)
        self._chain()

    def _chain(self) -> None:
        # One that ends every question, as a listing's, is told once.
        causes = {id(f.exception): f.exception for f in self.failures if f.exception}
        if causes:
            self.__cause__ = ExceptionGroup("the host could not be asked", list(causes.values()))

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[Diagnostic, ...]], dict[str, Any]]:
        return type(self), (self.diagnostics,), self.__dict__

    def __setstate__(self, state: dict[str, Any] | None) -> None:
        self.__dict__.update(state or {})
        self._chain()

    @property
    def could_not_look(self) -> bool:
        """Whether the host could not be asked for at least one; asking again may help."""
        return any(failure.outcome is None for failure in self.failures)

    @property
    def retry_after(self) -> float | None:
        """The longest time, in seconds, that the host says to wait; None: it says nothing."""
        waits = [retry_after_of(f.exception) for f in self.failures if f.exception]
        return max((wait for wait in waits if wait is not None), default=None)

    def __str__(self) -> str:
        lines = [
            f"{diagnostic}\n    hint: {diagnostic.hint}" if diagnostic.hint else str(diagnostic)
            for diagnostic in self.diagnostics[:_SHOWN]
        ]
        if (more := len(self.diagnostics) - _SHOWN) > 0:
            lines.append(f"and {more} more")
        if self.instantiated:
            made = ", ".join(f"{made.ref} ({made.id})" for made in self.instantiated)
            lines.append(f"instantiated before: {made}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Give the body of an HTTP answer (RFC 9457): 503 if asking again may help, else 422."""
        return {
            "type": "urn:evalset:problem:unresolved-references",
            "title": "References could not be resolved",
            "status": 503 if self.could_not_look else 422,
            "detail": self.diagnostics[0].message if self.diagnostics else "",
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
            "instantiated": [made.to_dict() for made in self.instantiated],
            "retry_after": self.retry_after,
        }


def put_ids(manifest: Manifest, packs: Sequence[Resolved], agents: Sequence[Resolved]) -> Manifest:
    """Put ids where the references stand; what has none stays.

    Args:
        manifest: The manifest; its source goes to the result.
        packs: One for each of its packs.
        agents: One for each of its agents.

    Raises:
        ManifestError: An id can't stand there.
    """
    resolved = manifest.replace(
        packs=[pack.id or pack.ref for pack in packs],
        agents=[_put_id(*pair) for pair in zip(manifest.agents, agents, strict=True)],
    )
    return with_source(resolved, manifest.source, at=manifest.at)


def _put_id(agent: Agent, resolved: Resolved) -> Agent:
    if resolved.id in {None, agent.deployment}:
        return agent
    return attrs.evolve(agent, deployment=resolved.id, label=agent.label or agent.deployment)
