"""Edits made and proven: what was cut is read again, and must mean what was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import attrs

from evalset.checks import Unknown
from evalset.document import read_document
from evalset.drafts import Draft, NotEditableError
from evalset.edits import Edit, apply_edits
from evalset.errors import ManifestError
from evalset.explaining import place
from evalset.manifest import Manifest
from evalset.nodes import Path
from evalset.reading import loads
from evalset.rules import Finding
from evalset.sources import Source

__all__ = ["Change", "as_read", "rewrite"]

Change: TypeAlias = Callable[[Draft], Iterable[Edit]]
"""Gives the edits that make a change."""

_BROKEN = "an edit would break the way in which this text is written"


def as_read(source: Source, *, unknown: Unknown) -> Manifest:
    """Read a source again.

    Raises:
        ManifestError: It is no manifest.
    """
    return loads(
        source.text,
        format=source.format,
        name=source.name,
        at=source.at,
        unknown=unknown,
        limits=source.limits,
    )


def rewrite(
    source: Source,
    wanted: Manifest,
    changes: Iterable[tuple[Path, Change]],
    *,
    refuse: Callable[[Path, str], Finding],
    unknown: Unknown,
) -> str:
    """Make changes in a text.

    Args:
        source: The text.
        wanted: What it must mean afterwards.
        changes: The changes, each with the path of what it changes.
        refuse: Says of a path that it can't be edited, and why.
        unknown: As for `loads`.

    Returns:
        The text with every change.

    Raises:
        ManifestError: A change can't be made, or would mean something else; each is told.
    """
    draft = Draft(read_document(source))
    if draft.document.root is None:  # too large for the way that knows places
        raise ManifestError(draft.document.diagnostics())
    edits: list[Edit] = []
    refusals: list[Finding] = []
    for path, change in changes:
        try:
            edits += change(draft)
        except NotEditableError as refusal:
            refusals.append(refuse(path, str(refusal)))
    text = apply_edits(source.text, [] if refusals else edits)
    if not refusals and not _means(attrs.evolve(source, text=text), wanted, unknown):
        refusals.append(refuse((), _BROKEN))
    if refusals:
        raise ManifestError(place(refusals, draft.document))
    return text


def _means(source: Source, wanted: Manifest, unknown: Unknown) -> bool:
    try:
        return as_read(source, unknown=unknown) == wanted
    except ManifestError:
        return False
