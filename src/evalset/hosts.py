"""What a host implements, so that references can be resolved: three methods at most.

A `Workspace` looks up packs and agents, a `Catalog` makes a pack from a slug. Each method
answers with an id, or with one of the outcomes below. The contract, in two sentences:

- **`NotFound` (or None) means: I looked, and it is not there.** It opens the way to the
  catalog, where packs are made and money is spent.
- **An exception means: I could not look.** A timeout, a refusal, a server error: raise.

Parameters are positional, so an implementation names them as it likes. Nothing is to be
inherited from: whatever has the methods is a host. `evalset.testing.contracts` proves one.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Sequence
from typing import Literal, Protocol, TypeAlias, cast, final

import attrs

from evalset.errors import EvalsetError
from evalset.references import PackRef
from evalset.rules import is_sound_text
from evalset.shapes import is_sequence, plain_scalar

__all__ = [
    "Ambiguous",
    "Answer",
    "Asking",
    "AsyncCatalog",
    "AsyncWorkspace",
    "Catalog",
    "Found",
    "NotFound",
    "Outcome",
    "UnavailableError",
    "Workspace",
    "retry_after_of",
    "said_by",
    "understand",
]


def _plain(text: str) -> str:
    """Take a text of a subclass, as of an enumeration, for the text that it is."""
    return cast("str", plain_scalar(text))


@final
@attrs.frozen
class Found:
    """There is exactly one, and this is it.

    Attributes:
        id: What stands for it in the resolved manifest, most often a UUID.
        version: The version of the pack, if the host knows it.

    Raises:
        ValueError: The id is no text that a manifest may hold: blank, not trimmed, or with
            a control character.
    """

    id: str = attrs.field(converter=_plain)
    version: int | None = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not is_sound_text(self.id):
            raise ValueError(f"the id {self.id!r} is no text that a manifest may hold")
        if self.version is not None and type(self.version) is not int:
            raise ValueError(f"the version {self.version!r} is no whole number")


def _texts(values: Sequence[str]) -> tuple[str, ...]:
    if not is_sequence(values) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"names are a list or tuple of str, not {values!r}")
    return tuple(values)


@final
@attrs.frozen
class NotFound:
    """I looked, and it is not there.

    Attributes:
        near: What is there and is named alike, the nearest first: a hint for people.
    """

    near: tuple[str, ...] = attrs.field(default=(), converter=_texts)


@final
@attrs.frozen
class Ambiguous:
    """There are several, and nothing says which one is meant.

    Attributes:
        candidates: What tells them apart, such as their ids.
    """

    candidates: tuple[str, ...] = attrs.field(converter=_texts)


Outcome: TypeAlias = Found | NotFound | Ambiguous
"""What a host says of a reference when it could look."""

Asking: TypeAlias = Literal["find_pack", "find_agent", "instantiate"]
"""The method of a host that answers."""

Answer: TypeAlias = Outcome | str | None
"""What a host's method returns: an outcome, an id, or None for `NotFound()`."""


@final
class UnavailableError(EvalsetError):
    """I could not look; a host may raise it, or any other exception.

    Attributes:
        retry_after: Seconds after which asking again may help, or None. It is read from
            any exception that has it, also in a group. This library never asks again by
            itself.
    """

    retry_after: float | None

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Workspace(Protocol):
    """Where packs and deployments are looked up, one at a time."""

    def find_pack(self, ref: PackRef, /) -> Answer:
        """Look for a pack.

        Args:
            ref: Of the kind `slug` or `catalog`, never `id`. Look for `ref.slug`, exactly:
                neither case nor a part of it counts as equal. Without `ref.version` the
                newest version is meant. With `ref.workspace` it must be of that one.

        Returns:
            The id of the pack's version; `Ambiguous` where several fit; `NotFound` only
            after looking at everything there is, to the last page.

        Raises:
            Exception: It could not look.
        """
        ...

    def find_agent(self, name: str, /) -> Answer:
        """Look for a deployment.

        Args:
            name: Its exact name, trimmed; never a UUID.

        Returns:
            As of `find_pack`: the id of the deployment.

        Raises:
            Exception: It could not look.
        """
        ...


class Catalog(Protocol):
    """Where packs are made. Asked last, one at a time, and only when all else is resolved."""

    def instantiate(self, slug: str, /) -> Answer:
        """Make a pack of the workspace from the catalog's.

        Args:
            slug: Its slug in the catalog.

        Returns:
            The id of the new pack's version, or `NotFound`: the catalog has no such slug,
            and nothing was made.

        Raises:
            Exception: It could not be made, or it is not known whether it was.
        """
        ...


class AsyncWorkspace(Protocol):
    """A `Workspace` for `resolve_async`: each method may be `async def`, or answer at once.

    Several questions are out at one time; each must get its own answer. One may be
    cancelled: let `CancelledError` pass, for whatever is answered then counts no more.
    """

    def find_pack(self, ref: PackRef, /) -> Awaitable[Answer] | Answer:
        """Look for a pack, as `Workspace.find_pack`."""
        ...

    def find_agent(self, name: str, /) -> Awaitable[Answer] | Answer:
        """Look for a deployment, as `Workspace.find_agent`."""
        ...


class AsyncCatalog(Protocol):
    """A `Catalog` for `resolve_async`; it is never asked two things at one time."""

    def instantiate(self, slug: str, /) -> Awaitable[Answer] | Answer:
        """Make a pack, as `Catalog.instantiate`."""
        ...


def understand(answer: object) -> Outcome:
    """Take a host's answer for the outcome that it stands for.

    Raises:
        TypeError: It is no answer.
        ValueError: It is an id that no manifest may hold.
    """
    if answer is None:
        return NotFound()
    if isinstance(answer, str):
        return Found(answer)
    if isinstance(answer, (Found, NotFound, Ambiguous)):
        return answer
    raise TypeError(
        f"a host answered with {type(answer).__name__}; an answer is an id, Found, NotFound, "
        "Ambiguous or None"
    )


def retry_after_of(error: BaseException) -> float | None:
    """Give the seconds that an exception, or one of a group, says to wait; or None."""
    if grouped := _grouped(error):
        waits = map(retry_after_of, grouped)
        return max((wait for wait in waits if wait is not None), default=None)
    try:
        seconds: object = getattr(error, "retry_after", None)
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            return None
        return float(seconds) if 0 <= seconds < math.inf else None
    except Exception:  # noqa: BLE001 (a property of the host's, or a number beyond all floats)
        return None


def said_by(error: BaseException) -> tuple[str, str]:
    """Give the type and the text of an exception, or of the only one in a group.

    One that can't even be written as text says nothing.
    """
    while len(grouped := _grouped(error)) == 1:
        [error] = grouped
    try:
        return type(error).__name__, str(error)
    except Exception:  # noqa: BLE001 (whatever its own methods raise)
        return type(error).__name__, ""


def _grouped(error: BaseException) -> tuple[BaseException, ...]:
    if not isinstance(error, BaseExceptionGroup):
        return ()
    return cast("BaseExceptionGroup[BaseException]", error).exceptions
