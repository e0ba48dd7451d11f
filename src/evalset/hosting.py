"""The host that a command line names: imported, and asked through the front that fits."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from typing import Any

from evalset.keys import KeyBy
from evalset.manifest import Manifest
from evalset.resolution import Resolution

__all__ = ["import_host", "resolve_with"]

_METHODS = ("find_pack", "find_agent", "instantiate")


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
        sys.path.remove(here)
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

    Raises:
        ResolutionError: As for `resolve`, and so are the others.
        ManifestError: See there.
        TypeError: See there.
    """
    from evalset.resolving import resolve, resolve_async

    catalog = host if hasattr(host, "instantiate") else None
    options: dict[str, Any] = {
        "dry_run": dry_run,
        "catalog_fallback": catalog_fallback,
        "key_by": key_by,
    }
    if any(inspect.iscoroutinefunction(getattr(host, name, None)) for name in _METHODS):
        import asyncio

        return asyncio.run(resolve_async(manifest, host, catalog, **options))
    return resolve(manifest, host, catalog, **options)
