"""References become ids: the two fronts of resolution, one for each way of waiting.

What is asked and what follows is the policy's, `evalset.inquiry`; here it is only driven.
Nothing is asked twice, so nothing is retried; that is for the host, who knows when.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from evalset.hosts import (
    Asking,
    AsyncCatalog,
    AsyncWorkspace,
    Catalog,
    Outcome,
    UnavailableError,
    Workspace,
    understand,
)
from evalset.inquiry import Failed, Inquiry, Question
from evalset.keys import KeyBy
from evalset.manifest import Manifest
from evalset.resolution import Resolution

__all__ = ["methods_of", "resolve", "resolve_async"]


def resolve(
    manifest: Manifest,
    workspace: Workspace,
    catalog: Catalog | None = None,
    *,
    dry_run: bool = False,
    catalog_fallback: bool = True,
    give_up_after: int | None = None,
    key_by: KeyBy = "label",
) -> Resolution:
    """Put ids in place of the names that a manifest refers to.

    Args:
        manifest: The manifest. It must expand; nobody is asked for one that does not.
        workspace: Looks up packs and agents.
        catalog: Makes packs that the workspace does not have; None: nothing is made.
        dry_run: Never make anything; say what a run would make.
        catalog_fallback: Whether a plain slug that the workspace does not have is made from
            the catalog, too; that is a warning. `catalog/<slug>` always is. A reference with
            a version (`slug@3`) never is: the catalog might give another one.
        give_up_after: Ask for nothing more once the host could not answer so often; None:
            ask for everything, so that every failure is told.
        key_by: The dialect under which the combinations must have keys of their own, before
            and after; as for `expand`.

    Returns:
        The manifest with ids, and how each was found. UUIDs stay as written. Agents keep
        their part of the matrix key under the label dialect; packs do not.

    Guarantees:
        Each distinct reference is asked for at most once, in the manifest's order. Packs
        are made last, one by one, in the manifest's order, and only when every other
        reference has an id and no two have one; the first failure ends it.

    Raises:
        ResolutionError: References have no id, each told with its place and reason; or two
            have one. What was made before is in it.
        ManifestError: The manifest does not expand, or its keys collide.
        TypeError: The host is no host, or answers with a coroutine: `resolve_async` takes it.
        ValueError: An argument is out of its range.

    Source: the specification, "Resolving pack and agent refs".
    """
    methods = methods_of(workspace, catalog)
    inquiry = Inquiry(
        manifest,
        has_catalog=catalog is not None,
        dry_run=dry_run,
        catalog_fallback=catalog_fallback,
        give_up_after=give_up_after,
        key_by=key_by,
    )
    with _telling(inquiry):
        while question := inquiry.next():
            inquiry.take(question, _ask(methods[question.asking], question))
    return inquiry.result()


async def resolve_async(
    manifest: Manifest,
    workspace: AsyncWorkspace,
    catalog: AsyncCatalog | None = None,
    *,
    concurrency: int = 8,
    dry_run: bool = False,
    catalog_fallback: bool = True,
    give_up_after: int | None = None,
    key_by: KeyBy = "label",
) -> Resolution:
    """Put ids in place of names, as `resolve`, with several questions out at one time.

    Methods of the host may be `async def`, return any awaitable, or answer at once; one that
    answers at once blocks the event loop while it looks.

    Args:
        manifest: As for `resolve`, and so are the rest but `concurrency`.
        workspace: See there.
        catalog: See there.
        concurrency: How many questions are out at most, from 1. Packs are made one by one.
        dry_run: See there.
        catalog_fallback: See there.
        give_up_after: See there. What is still out then is cancelled.
        key_by: See there.

    Guarantees:
        The result is `resolve`'s, whatever the order in which answers come. When it ends,
        also by cancellation, no task is left. Once it is cancelled nothing more is asked or
        made, whatever the host makes of the cancellation. What was made before, and what was
        being made, are notes of the exception.

    Raises:
        ResolutionError: As for `resolve`, and so are the others.
        ManifestError: See there.
        TypeError: See there.
        ValueError: See there.
    """
    if type(concurrency) is not int or concurrency < 1:
        raise ValueError(f"concurrency is {concurrency!r}; it is a whole number from 1")
    methods = methods_of(workspace, catalog)
    inquiry = Inquiry(
        manifest,
        has_catalog=catalog is not None,
        dry_run=dry_run,
        catalog_fallback=catalog_fallback,
        give_up_after=give_up_after,
        key_by=key_by,
    )
    workers: set[asyncio.Task[None]] = set()

    async def work() -> None:
        try:
            while question := inquiry.next():
                method = methods[question.asking]
                inquiry.take(question, await _ask_async(method, question, inquiry))
                if inquiry.has_given_up:
                    for worker in workers - {asyncio.current_task()}:
                        worker.cancel()
        except BaseException:
            inquiry.stop()
            raise

    with _telling(inquiry):
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, max(1, len(inquiry)))):
                workers.add(group.create_task(work()))
            try:
                await asyncio.wait(workers)
            finally:
                # A host may take a cancellation for an answer, or swallow it. So that it ends
                # the worker is not enough; nothing more must be asked, and nothing be made.
                inquiry.stop()
    return inquiry.result()


def methods_of(workspace: object, catalog: object) -> dict[Asking, Callable[[Any], Any]]:
    """Find the methods of a host.

    Args:
        workspace: What should be a workspace.
        catalog: What should be a catalog, or None.

    Raises:
        TypeError: One is missing.
    """
    owners: dict[Asking, object] = {"find_pack": workspace, "find_agent": workspace}
    if catalog is not None:
        owners["instantiate"] = catalog
    for name, owner in owners.items():
        if isinstance(owner, type) or not callable(getattr(owner, name, None)):
            kind = "catalog" if name == "instantiate" else "workspace"
            raise TypeError(
                f"a {kind} is an object with the method {name}; {_shown(owner)} is none"
            )
    return {name: getattr(owner, name) for name, owner in owners.items()}


def _shown(owner: object) -> str:
    """Name what is no host; not as it shows itself, for it may hold a secret."""
    if owner is None:
        return "None"
    if isinstance(owner, type):
        return f"the class {owner.__name__}"
    return f"an object of the type {type(owner).__name__}"


def _ask(method: Callable[[Any], Any], question: Question) -> Outcome | Failed:
    try:
        answer = method(question.subject)
        if not inspect.isawaitable(answer):
            return understand(answer)
    except Exception as error:  # noqa: BLE001 (whatever it is, the host could not look)
        return Failed(error)
    # A coroutine would warn that nobody awaited it; a future would go on in the background.
    for name in ("close", "cancel"):
        getattr(answer, name, _do_nothing)()
    raise TypeError(
        f"{question.asking} answered with {type(answer).__name__}, to be awaited; "
        "resolve_async takes such a host"
    )


def _do_nothing() -> None:
    pass


async def _ask_async(
    method: Callable[[Any], Any], question: Question, inquiry: Inquiry
) -> Outcome | Failed:
    try:
        answer = method(question.subject)
        return understand(await answer if inspect.isawaitable(answer) else answer)
    except Exception as error:  # noqa: BLE001 (as above)
        return Failed(error)
    except asyncio.CancelledError:
        if inquiry.is_over:
            raise
        # The host cancelled what it waited for. Passed on, it would end this task, and the
        # reference would be lost without a word.
        return Failed(UnavailableError("the host's own work was cancelled"))


@contextmanager
def _telling(inquiry: Inquiry) -> Generator[None]:
    """Note on whatever ends a resolution early what was made before."""
    try:
        yield
    except BaseException as error:
        if inquiry.instantiated:
            made = ", ".join(f"{made.ref} ({made.id})" for made in inquiry.instantiated)
            error.add_note(f"instantiated before: {made}")
        if inquiry.making:
            error.add_note(f"{inquiry.making} was being instantiated; it may have been made")
        raise
