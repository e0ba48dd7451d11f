"""Editing: whatever the style, the result means the change, and all else is the same text."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalset import Agent, Manifest, ManifestError, loads
from evalset.document import read_document
from evalset.editing import (
    Limit,
    add_agent,
    add_pack,
    remove_pack,
    replace_ref,
    set_label,
    set_limit,
    set_repeats,
)
from evalset.keys import trim
from evalset.nodes import Path
from evalset.sources import Format, Source
from evalset.testing import ManifestText, documents, texts


class Change(NamedTuple):
    """An edit, what it makes of the manifest, and the scalars that it may replace."""

    edit: Callable[..., str]
    arguments: tuple[Any, ...]
    changed: Callable[[], Manifest]
    paths: tuple[Path, ...] = ()


def changes(manifest: Manifest) -> st.SearchStrategy[Change]:
    """Give the changes that a manifest may have."""
    names = [*manifest.packs, *(agent.deployment for agent in manifest.agents)]
    limits = st.sampled_from(["budget_usd", "max_concurrent_runs"])
    numbers = st.none() | st.integers(0, 10**9) | st.floats(0.01, 1e300)
    places = st.integers(0, len(manifest.agents) - 1)
    return st.one_of(
        st.builds(_repeats, st.just(manifest), st.integers(1, 9)),
        st.builds(_pack, st.just(manifest), texts()),
        st.builds(_no_pack, st.just(manifest), st.sampled_from(manifest.packs)),
        st.builds(_agent, st.just(manifest), texts(), st.none() | texts()),
        st.builds(_label, st.just(manifest), places, st.none() | texts()),
        st.builds(_limit, st.just(manifest), limits, numbers),
        st.builds(_ref, st.just(manifest), st.sampled_from(names), texts()),
    )


def _repeats(manifest: Manifest, number: int) -> Change:
    return Change(set_repeats, (number,), lambda: manifest.replace(repeats=number), (("repeats",),))


def _pack(manifest: Manifest, ref: str) -> Change:
    is_there = trim(ref) in manifest.packs
    packs = manifest.packs if is_there else (*manifest.packs, ref)
    return Change(add_pack, (ref,), lambda: manifest.replace(packs=packs))


def _no_pack(manifest: Manifest, ref: str) -> Change:
    packs = [pack for pack in manifest.packs if pack != ref]
    return Change(remove_pack, (ref,), lambda: manifest.replace(packs=packs))


def _agent(manifest: Manifest, deployment: str, label: str | None) -> Change:
    agent = Agent(deployment, label=label)
    agents = manifest.agents if agent in manifest.agents else (*manifest.agents, agent)

    def add(text: str, format: Format) -> str:
        return add_agent(text, deployment, label=label, format=format)

    return Change(add, (), lambda: manifest.replace(agents=agents))


def _label(manifest: Manifest, at: int, label: str | None) -> Change:
    agents = list(manifest.agents)
    agents[at] = attrs.evolve(agents[at], label=label)
    path = ("agents", at, "label")
    return Change(set_label, (at, label), lambda: manifest.replace(agents=agents), (path,))


def _limit(manifest: Manifest, limit: Limit, value: float | None) -> Change:
    changed: dict[str, Any] = {limit: value}

    return Change(
        set_limit,
        (limit, value),
        lambda: manifest.replace(limits=attrs.evolve(manifest.limits, **changed)),
        (("limits", limit),),
    )


def _ref(manifest: Manifest, old: str, new: str) -> Change:
    packs = [new if pack == old else pack for pack in manifest.packs]
    agents = [
        attrs.evolve(agent, deployment=new) if agent.deployment == old else agent
        for agent in manifest.agents
    ]
    paths: list[Path] = [("packs", at) for at, pack in enumerate(manifest.packs) if pack == old]
    paths += [
        ("agents", at, "deployment")
        for at, agent in enumerate(manifest.agents)
        if agent.deployment == old
    ]
    return Change(
        replace_ref, (old, new), lambda: manifest.replace(packs=packs, agents=agents), tuple(paths)
    )


@given(documents(), st.data())
def test_an_edit_means_what_was_asked_and_changes_nothing_else(
    document: ManifestText, data: st.DataObject
) -> None:
    text, format = document.text, document.format
    manifest = loads(text, format=format)
    change = data.draw(changes(manifest))
    try:
        wanted = change.changed()
    except ManifestError:
        with pytest.raises(ManifestError):
            change.edit(text, *change.arguments, format=format)
        return
    try:
        edited = change.edit(text, *change.arguments, format=format)
    except ManifestError as error:
        refusal = error
    else:
        check(document, change, wanted, edited)
        return
    assert {found.code for found in refusal.diagnostics} == {"not-editable"}
    assert "*" in text or "<<" in text
    assert format == "yaml"


def check(document: ManifestText, change: Change, wanted: Manifest, edited: str) -> None:
    """Check a text that was edited."""
    text, format = document.text, document.format
    assert loads(edited, format=format) == wanted
    assert edited.startswith("\ufeff") == text.startswith("\ufeff")
    if wanted == loads(text, format=format):
        assert edited == text
    elif change.edit is remove_pack or (change.paths and change.arguments[-1] in {None, 0}):
        rest = iter(text)
        assert all(character in rest for character in edited)  # something was cut out
    else:
        assert is_else_equal(document, edited, change.paths)


def is_else_equal(document: ManifestText, edited: str, paths: tuple[Path, ...]) -> bool:
    """Tell whether a text differs from another only in some scalars, or by what was put in."""
    text, edited = document.text.removeprefix("\ufeff"), edited.removeprefix("\ufeff")
    tree = read_document(Source(name="text", text=text, format=document.format))
    written = [scalar for path in paths if (scalar := _scalar(document.data, path))]
    places = [tree.place(path) for path in written]
    stretches = sorted((each.start, each.end) for each in places if each.source != "")
    if not stretches:
        more = len(edited) - len(text)
        return any(text == edited[:at] + edited[at + more :] for at in range(len(text) + 1))
    ends = [0, *(end for _, end in stretches)]
    starts = [*(start for start, _ in stretches), len(text)]
    pieces = [re.escape(text[end:start]) for end, start in zip(ends, starts, strict=True)]
    return re.fullmatch("(?s:.*)".join(pieces), edited) is not None


def _scalar(data: Any, path: Path) -> Path | None:  # noqa: ANN401 (plain data)
    """Give the path of the scalar that a path leads to or ends at; None: there is none."""
    for steps, step in enumerate(path, 1):
        try:
            data = data[step]
        except KeyError:
            return None
        if type(data) not in {dict, list}:
            return path[:steps]
    return None
