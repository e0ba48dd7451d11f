"""Pinning: ids into the text of a manifest, and not another byte changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

import attrs

from evalset.drafts import Draft
from evalset.edits import Edit
from evalset.nodes import Path
from evalset.quoting import escape
from evalset.resolution import Resolution, Resolved, put_ids
from evalset.rewriting import Change, as_read, rewrite
from evalset.rules import Finding
from evalset.shapes import demand
from evalset.sources import Source
from evalset.tree import MappingNode, ScalarNode

__all__ = ["pin"]

_HINT = "write the reference there by itself, or pin by hand"


def pin(text: str, resolution: Resolution) -> str:
    """Put ids where names stand in the text of a manifest, so that it always means the same.

    A name may stand for another pack or deployment tomorrow: prefer ids in CI, and names
    while trying things out.

    Args:
        text: The text that was resolved, in YAML or JSON.
        resolution: What came of resolving it. What is pending stays a name.

    Returns:
        The text with every resolved name replaced. An agent's name becomes its label, if it
        has none, so its part of the matrix key stays. A pack's name becomes a comment
        behind its id, where the list is in block style; its part of the key is the id now.

    Guarantees:
        Nothing else changes, to the byte. The result reads as the manifest with ids, which
        is checked. A text without names stays as it is.

    Raises:
        ManifestError: A name comes from an alias or a merge, or is there for one, so that
            more than this reference would change; or the text is no manifest.
        ValueError: The text is not the one that was resolved.
        TypeError: `text` is no str, or `resolution` no Resolution.
    """
    source = _source(text, demand(resolution, Resolution, "resolution"))
    manifest = as_read(source, unknown="keep")
    packs, agents = resolution.packs, resolution.agents
    refs = [each.ref for each in (*packs, *agents)]
    if refs != [*manifest.packs, *(agent.deployment for agent in manifest.agents)]:
        raise ValueError("the text has other references than those that were resolved")
    changes = list(_changes(packs, agents))
    if not changes:
        return text
    mark = text[: len(text) - len(source.text)]
    wanted = put_ids(manifest, packs, agents)
    return mark + rewrite(source, wanted, changes, refuse=_refusal, unknown="keep")


def _source(text: str, resolution: Resolution) -> Source:
    if not isinstance(text, str):
        raise TypeError(f"a text is str, not {type(text).__name__}")
    known = resolution.manifest.source or Source(name="<text>", text="")
    return attrs.evolve(known, text=text.removeprefix("\ufeff"))


def _changes(
    packs: Sequence[Resolved], agents: Sequence[Resolved]
) -> Iterator[tuple[Path, Change]]:
    for index, pack in enumerate(packs):
        if pack.id not in {None, pack.ref}:
            path: Path = ("packs", index)
            yield path, partial(_pin_pack, path=path, pack=pack)
    for index, agent in enumerate(agents):
        if agent.id not in {None, agent.ref}:
            path = ("agents", index, "deployment")
            yield path, partial(_pin_agent, path=path, agent=agent)


def _refusal(path: Path, reason: str) -> Finding:
    return Finding("not-editable", f"the reference can't be pinned: {reason}", path, hint=_HINT)


def _pin_pack(draft: Draft, path: Path, pack: Resolved) -> Iterator[Edit]:
    spot = draft.own(path)
    yield draft.replace(spot, str(pack.id))
    if not draft.layout.is_flow(spot.holder):  # there is room for a comment
        yield Edit(spot.node.end, spot.node.end, f" # {escape(pack.ref)}")


def _pin_agent(draft: Draft, path: Path, agent: Resolved) -> Iterator[Edit]:
    spot = draft.own(path)
    yield draft.replace(spot, str(agent.id))
    label = cast("MappingNode", spot.holder).entries.get("label")
    if label is None or cast("ScalarNode", label.value).value is None:
        yield draft.set((*path[:-1], "label"), agent.ref)
