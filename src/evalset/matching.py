"""Which listed pack or deployment a reference means: exactly one, none, or several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from heapq import nlargest
from itertools import pairwise
from typing import Generic, TypeAlias, TypeVar, final

import attrs

from evalset.hosts import Ambiguous, Found, NotFound, Outcome
from evalset.references import PackRef
from evalset.rules import is_sound_text
from evalset.shapes import plain_scalar

__all__ = ["ListedAgent", "ListedPack", "Names", "match_agent", "match_pack"]

_NEAR = 3  # near misses that an answer names at most
_COMPARED = 1000  # names in a list that is searched for what looks alike, which is slow
_LIKELY = 10  # of these, how many are compared letter by letter, which is slower still
_LOOSE = re.compile(r"[\s._-]+")


def _check(item: object, identity: object, **texts: object) -> None:
    if not is_sound_text(plain_scalar(identity)):
        raise ValueError(f"{type(item).__name__}: id is {identity!r}; it is text, not blank")
    # A name that no manifest can hold is no reason to refuse a whole list.
    for name, value in texts.items():
        if not isinstance(value, str):
            raise TypeError(f"{type(item).__name__}: {name} is {value!r}; it is text")


@final
@attrs.frozen
class ListedPack:
    """One version of a pack of a workspace.

    Attributes:
        id: The id of this version, as a manifest may hold it.
        slug: The pack's slug, exactly.
        version: The version's number; None where there is only one.
        workspace: The workspace, for references that name one.
    """

    id: str
    slug: str = attrs.field(kw_only=True)
    version: int | None = attrs.field(default=None, kw_only=True)
    workspace: str | None = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        workspace = "" if self.workspace is None else self.workspace
        _check(self, self.id, slug=self.slug, workspace=workspace)
        if self.version is not None and type(self.version) is not int:
            raise TypeError(f"ListedPack: version is {self.version!r}; it is a whole number")

    def __str__(self) -> str:
        workspace = "" if self.workspace is None else f"{self.workspace}/"
        return f"{workspace}{self.slug}{'' if self.version is None else f'@{self.version}'}"


@final
@attrs.frozen
class ListedAgent:
    """One deployment.

    Attributes:
        id: Its id, as a manifest may hold it.
        name: Its name, exactly.
    """

    id: str
    name: str = attrs.field(kw_only=True)

    def __attrs_post_init__(self) -> None:
        _check(self, self.id, name=self.name)


_Item = TypeVar("_Item")


@final
class Names(Generic[_Item]):
    """What is listed, by name; and names that are nearly the same."""

    def __init__(self, items: Mapping[str, Sequence[_Item]]) -> None:
        self._items = items

    def get(self, name: str) -> Sequence[_Item]:
        """Give all that have a name, exactly."""
        return self._items.get(name, ())

    def near(self, name: str) -> list[str]:
        """Give names that differ only by case or punctuation, else those that look alike."""
        from difflib import get_close_matches

        alike = self._alike.get(_loose(name), [])
        if not alike and len(self._items) <= _COMPARED:
            alike = get_close_matches(name, self._likely(name), n=_NEAR, cutoff=0.7)
        return alike[:_NEAR]

    def _likely(self, name: str) -> list[str]:
        """Give the names that share most letters and pairs of letters with a name."""
        wanted = _letters(name)
        ranked = [
            (len(wanted & own) / (1 + len(wanted) + len(own)), each) for each, own in self._letters
        ]
        return [each for _, each in nlargest(_LIKELY, ranked)]

    @cached_property
    def _letters(self) -> list[tuple[str, frozenset[str]]]:
        return [(name, _letters(name)) for name in self._items]

    @cached_property
    def _alike(self) -> dict[str, list[str]]:
        alike: dict[str, list[str]] = {}
        for name in sorted(self._items):
            alike.setdefault(_loose(name), []).append(name)
        return alike


def _letters(name: str) -> frozenset[str]:
    return frozenset((*name, *map("".join, pairwise(name))))


def _loose(name: str) -> str:
    return _LOOSE.sub("", name).casefold()


_Reading: TypeAlias = tuple[str, int | None, str | None]
"""One way to read a reference: slug, version and workspace."""


def match_pack(packs: Names[ListedPack], ref: PackRef) -> Outcome:
    """Find the pack that a reference means.

    Args:
        packs: All packs, by slug.
        ref: The reference.

    Returns:
        The one of the newest, or of the named, version; `Ambiguous` where several have it,
        in one workspace or in two; else `NotFound` with the versions that there are, or
        slugs that look alike.
    """
    fitting = {pack.id: pack for reading in _readings(ref) for pack in _fitting(packs, *reading)}
    if len(fitting) == 1:
        [pack] = fitting.values()
        return Found(pack.id, version=pack.version)
    if fitting:
        return Ambiguous([f"{pack.id} ({pack})" for pack in fitting.values()])
    same = sorted(packs.get(ref.slug), key=lambda pack: -(pack.version or 0))
    return NotFound([*dict.fromkeys(map(str, same))][:_NEAR] or packs.near(ref.slug))


def _readings(ref: PackRef) -> Iterator[_Reading]:
    """Give every way to read a reference: slugs are free text, and may look like one."""
    yield ref.slug, ref.version, ref.workspace
    if ref.workspace is not None:
        yield f"{ref.workspace}/{ref.slug}", ref.version, None
    if ref.version is not None:
        yield ref.text.removeprefix("catalog/" if ref.kind == "catalog" else ""), None, None


def _fitting(
    packs: Names[ListedPack], slug: str, version: int | None, workspace: str | None
) -> Iterator[ListedPack]:
    groups: dict[str | None, list[ListedPack]] = {}
    for pack in packs.get(slug):
        if workspace in {None, pack.workspace}:
            groups.setdefault(pack.workspace, []).append(pack)
    for group in groups.values():
        newest = max(_number(pack) for pack in group)
        wanted = newest if version is None else version
        yield from (pack for pack in group if _number(pack) == wanted)


def _number(pack: ListedPack) -> int:
    return -1 if pack.version is None else pack.version


def match_agent(agents: Names[ListedAgent], name: str) -> Outcome:
    """Find the deployment of a name.

    Args:
        agents: All deployments, by name.
        name: The name.
    """
    fitting = agents.get(name)
    if len(fitting) == 1:
        return Found(fitting[0].id)
    if fitting:
        return Ambiguous([agent.id for agent in fitting])
    return NotFound(agents.near(name))
