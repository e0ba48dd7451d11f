"""The command `evalset resolve`: which ids the references of a manifest stand for."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from evalset.commands.shell import (
    CAP,
    CLEAN,
    FINDINGS,
    NO_HOST,
    SETTINGS,
    USAGE,
    Streams,
    add_dialect,
    columns_of,
    has_color,
    load_file,
    one_of,
    refuse,
    say,
)

if TYPE_CHECKING:
    from evalset.diagnostics import Diagnostic
    from evalset.manifest import Manifest
    from evalset.resolution import Resolution, Resolved

__all__ = ["add_resolve"]

_FORMATS = ("table", "json")


def add_resolve(commands: Any) -> None:  # noqa: ANN401 (argparse has no public name for it)
    """Add the command to the parser's commands."""
    parser = commands.add_parser(
        "resolve",
        **SETTINGS,
        usage="""\
evalset resolve (--resolver MODULE:OBJECT | --workspace PATH)
                       [--dry-run] [--no-fallback] [--key-by DIALECT]
                       [--pin | --format FORMAT] FILE""",
        help="ask a host which ids the references of a manifest stand for",
        description="""\
Ask a host which ids the packs and agents of a manifest stand for. Packs that
the workspace does not have are made from the catalog, if the host has one:
last, and only when everything else is resolved. Findings go to stderr.""",
        epilog="""\
examples:
  evalset resolve sweep.yaml --workspace workspace.yaml
  evalset resolve sweep.yaml --resolver ourhost.resolver:workspace --dry-run
  evalset resolve sweep.yaml --workspace workspace.yaml --pin >pinned.yaml

a workspace file:
  packs: {support: 11111111-1111-1111-1111-111111111111}
  agents: {gpt-default: 22222222-2222-2222-2222-222222222222}""",
    )
    parser.set_defaults(run=_resolve, max_combinations=CAP)
    parser.add_argument("path", metavar="FILE", help="the manifest, or - for stdin")
    host = parser.add_mutually_exclusive_group(required=True)
    host.add_argument(
        "--resolver",
        metavar="MODULE:OBJECT",
        help="an object with find_pack, find_agent and perhaps instantiate, or what makes one",
    )
    host.add_argument("--workspace", metavar="PATH", help="a YAML or JSON file of packs and agents")
    parser.add_argument("--dry-run", action="store_true", help="make nothing; say what would be")
    parser.add_argument(
        "--no-fallback",
        action="store_true",
        help="make only what is written as catalog/..., no plain slug",
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--pin", action="store_true", help="print the manifest's text, with ids in place of names"
    )
    output.add_argument(
        "--format",
        metavar="FORMAT",
        type=partial(one_of, _FORMATS),
        default="table",
        help="table (default) or json",
    )
    add_dialect(parser)


def _resolve(options: argparse.Namespace, streams: Streams) -> int:
    from evalset.errors import ManifestError
    from evalset.resolution import ResolutionError

    manifest = load_file(options.path, options, streams)
    host = manifest if isinstance(manifest, int) else _host(options, streams)
    if isinstance(manifest, int) or isinstance(host, int):
        return host
    try:
        streams.stdout.write(_resolved(manifest, host, options, streams))
    except ManifestError as error:
        _tell(error.diagnostics, manifest, streams)
        return FINDINGS
    except ResolutionError as error:
        _tell(error.diagnostics, manifest, streams)
        _say_made(error.instantiated, streams)
        return NO_HOST if error.could_not_look else FINDINGS
    except TypeError as error:  # what is there is no host
        say(streams, f"evalset: {error}")
        return USAGE
    except KeyboardInterrupt as error:
        for note in getattr(error, "__notes__", ()):
            say(streams, f"evalset: {note}")
        raise
    return CLEAN


def _tell(diagnostics: Sequence[Diagnostic], manifest: Manifest, streams: Streams) -> None:
    """Show findings with their lines."""
    from evalset.findings import write_text
    from evalset.reading import CheckResult

    result = CheckResult(manifest=manifest, diagnostics=tuple(diagnostics), source=manifest.source)
    streams.stderr.write(write_text([result], color=has_color(streams.stderr)))


def _host(options: argparse.Namespace, streams: Streams) -> Any:  # noqa: ANN401
    """Give the host that is to be asked, or an exit code."""
    if options.workspace is None:
        from evalset.hosting import import_host

        try:
            return import_host(options.resolver)
        except ValueError as error:
            say(streams, f"evalset: {error}")
            return USAGE
    from evalset.listing import StaticWorkspace

    try:
        return StaticWorkspace.load(options.workspace)
    except OSError as error:
        return refuse(streams, f"cannot read {options.workspace}: {error.strerror}")
    except ValueError as error:
        return refuse(streams, f"cannot read {error}")


def _resolved(manifest: Manifest, host: Any, options: argparse.Namespace, streams: Streams) -> str:  # noqa: ANN401
    from evalset.formats import write_resolution
    from evalset.hosting import resolve_with

    resolution = resolve_with(
        host,
        manifest,
        dry_run=options.dry_run,
        catalog_fallback=not options.no_fallback,
        key_by=options.key_by,
    )
    _tell(resolution.diagnostics, manifest, streams)
    if options.pin:
        return _pinned(manifest, resolution, streams)
    if options.format == "json":
        import json

        return json.dumps(resolution.to_dict(), ensure_ascii=False, indent=2) + "\n"
    return write_resolution(resolution, width=columns_of(streams.stdout))


def _pinned(manifest: Manifest, resolution: Resolution, streams: Streams) -> str:
    from evalset.errors import ManifestError
    from evalset.pinning import pin

    source = manifest.source
    try:
        return pin(source.mark + source.text if source else "", resolution)
    except ManifestError:
        _say_made(resolution.instantiated, streams)
        raise


def _say_made(packs: Iterable[Resolved], streams: Streams) -> None:
    for made in packs:
        say(streams, f"evalset: {made.ref} was made before, as {made.id}")
