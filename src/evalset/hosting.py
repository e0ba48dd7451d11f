"""The host that a command line names: imported, and asked through the front that fits."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import os
import sys
import warnings
from asyncio import Runner
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from evalset.hosts import Answer, Asking, UnavailableError
from evalset.keys import KeyBy
from evalset.manifest import Manifest
from evalset.references import PackRef
from evalset.resolution import Resolution
from evalset.resolving import methods_of, resolve, resolve_async

__all__ = ["import_host", "resolve_with"]

_NO_LOOP = "no running event loop"  # what asyncio says where it needs one


def import_host(name: str) -> Any:  # noqa: ANN401 (whatever is there)
    """Import a host by name, also from the current directory.

    Args:
        name: `package.module:object`; what has no `find_pack`, such as a class or a
            function, is called without arguments and gives the host.

    Raises:
        ValueError: There is no such host; the message says why.
    """
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise ValueError(f"{name!r} is not of the form package.module:object")
    here = os.getcwd()  # noqa: PTH109 (an entry of sys.path is text)
    sys.path.insert(0, here)
    try:
        host: Any = importlib.import_module(module)
        for step in path.split("."):
            host = getattr(host, step)
        if inspect.isclass(host) or not hasattr(host, "find_pack"):
            host = host()
    except Exception as error:
        raise ValueError(f"{name!r} gives no host: {type(error).__name__}: {error}") from error
    finally:
        with suppress(ValueError):  # the module may have changed it, too
            sys.path.remove(here)
    if inspect.iscoroutine(host):
        host.close()
        raise ValueError(f"{name!r} gives no host: what makes one is called, and not awaited")
    return host


def resolve_with(
    host: Any,  # noqa: ANN401 (checked where it is used)
    manifest: Manifest,
    *,
    dry_run: bool = False,
    catalog_fallback: bool = True,
    key_by: KeyBy = "label",
) -> Resolution:
    """Resolve a manifest with a workspace that is its own catalog, if it can make packs.

    A host with an `async def` is asked several things at one time. Any other is asked one by
    one and outside of an event loop, since many blocking clients refuse to work inside; what
    it answers with is awaited if it has to be. Where it needs a running loop to give an
    answer, as for a task, it is asked inside of one.

    Raises:
        ResolutionError: As for `resolve`, and so are the others.
        ManifestError: See there.
        TypeError: See there.
    """
    catalog = host if hasattr(host, "instantiate") else None
    methods = methods_of(host, catalog)
    options: dict[str, Any] = {
        "dry_run": dry_run,
        "catalog_fallback": catalog_fallback,
        "key_by": key_by,
    }
    if any(map(inspect.iscoroutinefunction, methods.values())):
        with _keeping_notes():
            return asyncio.run(resolve_async(manifest, host, catalog, **options))
    with Runner() as runner:
        waiting = _Waiting(methods, runner)
        return resolve(manifest, waiting, waiting if catalog else None, **options)


@contextmanager
def _keeping_notes() -> Generator[None]:
    """Keep what was noted on a cancellation, for which asyncio raises another exception."""
    try:
        yield
    except KeyboardInterrupt as interruption:
        for note in getattr(interruption.__context__, "__notes__", ()):
            interruption.add_note(note)
        raise


class _Waiting:
    """A host that waits for another one's answers, where they are to be awaited."""

    def __init__(self, methods: Mapping[Asking, Callable[[Any], Any]], runner: Runner) -> None:
        self._methods = methods
        self._runner = runner
        self._needs_loop = False

    def find_pack(self, ref: PackRef, /) -> Answer:
        return self._look("find_pack", ref)

    def find_agent(self, name: str, /) -> Answer:
        return self._look("find_agent", name)

    def instantiate(self, slug: str, /) -> Answer:
        # Never a second time.
        method = self._methods["instantiate"]
        return self._inside(method, slug) if self._needs_loop else self._outside(method, slug)

    def _look(self, asking: Asking, subject: PackRef | str) -> Answer:
        method = self._methods[asking]
        if not self._needs_loop:
            with warnings.catch_warnings():
                # What the method wanted to make a task of.
                warnings.filterwarnings("ignore", "coroutine .* was never awaited")
                try:
                    return self._outside(method, subject)
                except RuntimeError as error:
                    if str(error) != _NO_LOOP:
                        raise
            self._needs_loop = True
        return self._inside(method, subject)

    def _outside(self, method: Callable[[Any], Any], subject: PackRef | str) -> Answer:
        answer = method(subject)
        return self._run(_awaited(answer)) if inspect.isawaitable(answer) else answer

    def _inside(self, method: Callable[[Any], Any], subject: PackRef | str) -> Answer:
        async def ask() -> Any:  # noqa: ANN401 (whatever the host answers)
            answer: Any = method(subject)
            return await answer if inspect.isawaitable(answer) else answer

        return self._run(ask())

    def _run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        try:
            return self._runner.run(work)
        except asyncio.CancelledError as error:
            raise UnavailableError("the host's own work was cancelled") from error


async def _awaited(answer: Awaitable[Answer]) -> Answer:
    return await answer
