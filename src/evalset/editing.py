"""Edits of a manifest's text: one thing is changed, and not another byte.

For tools that change what people wrote: comments, the order of keys, quotes, indentation,
line breaks, anchors and a byte order mark stay. Each function takes a text and gives a new
one; nothing is read from a file or written to one. Open files with `newline=""`, or line
breaks are changed before they get here.

Guarantees:
    The new text reads as the manifest with the change, which is checked each time. A text
    that means so already is given back as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, cast, get_args

import attrs

from evalset.checks import Unknown
from evalset.drafts import Draft, Scalar
from evalset.edits import Edit
from evalset.errors import SelectionError
from evalset.keys import trim
from evalset.manifest import Manifest
from evalset.nodes import Path, ReadLimits, to_name
from evalset.parts import Agent
from evalset.quoting import quote
from evalset.reading import loads
from evalset.rewriting import Change, rewrite
from evalset.rules import Finding
from evalset.selecting import find_entries, missing
from evalset.sources import Format, Source

__all__ = [
    "Limit",
    "Reading",
    "add_agent",
    "add_pack",
    "remove_pack",
    "replace_ref",
    "set_label",
    "set_limit",
    "set_repeats",
]

Limit: TypeAlias = Literal["max_concurrent_runs", "budget_usd"]
"""The limits of a manifest."""

_HINT = "write the value there by itself, or edit by hand"


class Reading(TypedDict, total=False):
    """How the text is read: the options of `evalset.loads`, and what they are by default."""

    format: Format | None
    name: str
    at: str
    unknown: Unknown
    limits: ReadLimits


def set_repeats(text: str, repeats: int, **reading: Unpack[Reading]) -> str:
    r"""Say how often each pack, agent and model runs.

    Args:
        text: The text of a manifest, in YAML or JSON.
        repeats: The new number, from 1.
        **reading: As for `loads`.

    Returns:
        The text with the number in it. Where there was none it stands behind the keys
        that come before it in the specification.

    Raises:
        ManifestError: The text is no manifest, or with this number it is none (explicit
            seeds must be as many); or the number comes from an alias or a merge, so that
            something else would change, too.
        TypeError: `text` is no str.

    Example:
        >>> text = "schema: evalset/v1\nname: n\npacks: [p]\nagents: [{deployment: a}] # ours\n"
        >>> print(set_repeats(text, 3))
        schema: evalset/v1
        name: n
        packs: [p]
        agents: [{deployment: a}] # ours
        repeats: 3
        <BLANKLINE>
    """
    manifest = _read(text, reading)
    wanted = manifest.replace(repeats=repeats)
    change = partial(_set, path=("repeats",), value=wanted.repeats)
    return _edited(text, reading, manifest, wanted, {("repeats",): change})


def add_pack(text: str, ref: str, **reading: Unpack[Reading]) -> str:
    """Add a pack behind the last one.

    Args:
        text: As for `set_repeats`.
        ref: The reference; one that is there already is not added again.
        **reading: As for `loads`.

    Returns:
        The text with the pack, written as the last one is: in a line of its own, or in
        brackets, with its quotes, indented as it is.

    Raises:
        ManifestError: As for `set_repeats`.
        TypeError: As for `set_repeats`.
    """
    manifest = _read(text, reading)
    wanted = manifest.replace(packs=(*manifest.packs, ref))
    added = wanted.packs[-1]
    wanted = manifest if added in manifest.packs else wanted
    change = partial(_add, path=("packs",), value=added)
    return _edited(text, reading, manifest, wanted, {("packs",): change})


def remove_pack(text: str, ref: str, **reading: Unpack[Reading]) -> str:
    """Take a pack out.

    Args:
        text: As for `set_repeats`.
        ref: The reference, as it is written; no pattern.
        **reading: As for `loads`.

    Returns:
        The text without the pack. The line of a pack goes with it, and so does a comment
        at its end; in brackets every comment stays.

    Raises:
        ManifestError: As for `set_repeats`; or it is the only pack.
        SelectionError: There is no such pack.
        TypeError: As for `set_repeats`.
    """
    manifest = _read(text, reading)
    if ref not in manifest.packs:
        raise missing("pack", ref, [[pack] for pack in manifest.packs])
    while ref in manifest.packs:
        at = manifest.packs.index(ref)
        wanted = manifest.replace(packs=manifest.packs[:at] + manifest.packs[at + 1 :])
        change = partial(Draft.remove, path=("packs", at))
        text = _edited(text, reading, manifest, wanted, {("packs", at): change})
        manifest = _read(text, reading)
    return text


def add_agent(
    text: str, deployment: str, *, label: str | None = None, **reading: Unpack[Reading]
) -> str:
    """Add an agent behind the last one.

    Args:
        text: As for `set_repeats`.
        deployment: The deployment's UUID or exact name.
        label: The label, if it has one; an equal agent is not added again.
        **reading: As for `loads`.

    Returns:
        The text with the agent, written as the last one is.

    Raises:
        ManifestError: As for `set_repeats`.
        TypeError: As for `set_repeats`.
    """
    manifest = _read(text, reading)
    agent = Agent(deployment, label=label)
    is_there = agent in manifest.agents
    wanted = manifest if is_there else manifest.replace(agents=(*manifest.agents, agent))
    change = partial(_add, path=("agents",), value=agent.to_dict())
    return _edited(text, reading, manifest, wanted, {("agents",): change})


def set_label(text: str, agent: str | int, label: str | None, **reading: Unpack[Reading]) -> str:
    """Give an agent another label, or none.

    Args:
        text: As for `set_repeats`.
        agent: Its label, its deployment, or a pattern for one, as `Expansion.select`
            takes it; or its place, from 0.
        label: The new label; None: its deployment stands in the matrix key.
        **reading: As for `loads`.

    Returns:
        The text with the label, or without its line and a comment at the end of that.

    Raises:
        ManifestError: As for `set_repeats`.
        SelectionError: There is no such agent, or several are meant.
        TypeError: As for `set_repeats`.
    """
    manifest = _read(text, reading)
    at = _find_agent(manifest, agent)
    changed = attrs.evolve(manifest.agents[at], label=label)
    wanted = manifest.replace(agents=(*manifest.agents[:at], changed, *manifest.agents[at + 1 :]))
    path: Path = ("agents", at, "label")
    change: Change = (
        partial(Draft.remove, path=path)
        if changed.label is None
        else partial(_set, path=path, value=changed.label)
    )
    return _edited(text, reading, manifest, wanted, {path: change})


def set_limit(text: str, limit: Limit, value: float | None, **reading: Unpack[Reading]) -> str:
    """Set a limit, or take it out.

    Args:
        text: As for `set_repeats`.
        limit: `max_concurrent_runs` or `budget_usd`.
        value: The new limit; None or 0: no limit.
        **reading: As for `loads`.

    Returns:
        The text with the limit, or without its line and a comment at the end of that.

    Raises:
        ManifestError: As for `set_repeats`.
        TypeError: As for `set_repeats`.
        ValueError: There is no such limit.
    """
    if limit not in get_args(Limit):
        raise ValueError(f"limit is {limit!r}; it is {' or '.join(map(repr, get_args(Limit)))}")
    manifest = _read(text, reading)
    wanted = manifest.replace(
        limits=attrs.evolve(manifest.limits, **cast("dict[str, Any]", {limit: value}))
    )
    number = getattr(wanted.limits, limit)
    path: Path = ("limits", limit)
    change: Change = (
        partial(Draft.remove, path=path)
        if number is None
        else partial(_set, path=path, value=number)
    )
    return _edited(text, reading, manifest, wanted, {path: change})


def replace_ref(text: str, old: str, new: str, **reading: Unpack[Reading]) -> str:
    """Put another reference in the place of one, wherever it names a pack or a deployment.

    Labels stay. So an agent without one has another part in the matrix key afterwards, and
    a pack has in any case.

    Args:
        text: As for `set_repeats`.
        old: The reference, as it is written; no pattern.
        new: The new one.
        **reading: As for `loads`.

    Raises:
        ManifestError: As for `set_repeats`.
        SelectionError: There is no such pack or deployment.
        TypeError: As for `set_repeats`.
    """
    manifest = _read(text, reading)
    refs: dict[Path, str] = {("packs", at): pack for at, pack in enumerate(manifest.packs)}
    for at, agent in enumerate(manifest.agents):
        refs["agents", at, "deployment"] = agent.deployment
    if old not in refs.values():
        raise missing("reference", old, [[ref] for ref in refs.values()])
    wanted = manifest.replace(
        packs=[new if pack == old else pack for pack in manifest.packs],
        agents=[
            attrs.evolve(agent, deployment=new) if agent.deployment == old else agent
            for agent in manifest.agents
        ],
    )
    changes: dict[Path, Change] = {
        path: partial(_set, path=path, value=trim(new)) for path, ref in refs.items() if ref == old
    }
    return _edited(text, reading, manifest, wanted, changes)


def _read(text: str, reading: Reading) -> Manifest:
    if not isinstance(text, str):
        raise TypeError(f"a text is str, not {type(text).__name__}")
    return loads(text, **reading)


def _find_agent(manifest: Manifest, agent: str | int) -> int:
    names = [[each.label or each.deployment, each.deployment] for each in manifest.agents]
    if not isinstance(agent, str):
        if not 0 <= agent < len(names):
            raise missing("agent", str(agent), names)
        return agent
    found = sorted(find_entries("agent", names, agent))
    if len(found) > 1:
        places = ", ".join(map(str, found))
        message = f"{quote(agent)} means several agents; give the place of one: {places}"
        raise SelectionError("agent", agent, message)
    return found[0]


def _edited(
    text: str,
    reading: Reading,
    manifest: Manifest,
    wanted: Manifest,
    changes: Mapping[Path, Change],
) -> str:
    if wanted == manifest:
        return text
    source = cast("Source", manifest.source)
    mark = text[: len(text) - len(source.text)]
    unknown = reading.get("unknown", "error")
    return mark + rewrite(source, wanted, changes.items(), refuse=_refusal, unknown=unknown)


def _refusal(path: Path, reason: str) -> Finding:
    return Finding("not-editable", f"{to_name(path)} can't be edited: {reason}", path, hint=_HINT)


def _set(draft: Draft, *, path: Path, value: Scalar) -> list[Edit]:
    return [draft.set(path, value)]


def _add(draft: Draft, *, path: Path, value: str | Mapping[str, Scalar]) -> list[Edit]:
    return [draft.add_item(path, value)]
