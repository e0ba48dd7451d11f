"""The clauses of the contract: what is there, what is asked, and what must come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, final

import attrs

from evalset.hosts import Ambiguous, Asking, Found, NotFound, Outcome
from evalset.manifest import Manifest
from evalset.matching import ListedAgent, ListedPack
from evalset.parts import Agent
from evalset.references import normalize_id
from evalset.testing.contracts._probe import Probe, World, fail

__all__ = ["Check", "Clause", "clauses"]

Check: TypeAlias = Callable[[Probe], None]

_Wanted: TypeAlias = Mapping[str, str | type[Outcome]]
"""The id, or the kind of outcome, that must come for each text."""


@final
@attrs.frozen
class Clause:
    """One thing that a host must do."""

    name: str
    world: World
    check: Check


@final
@attrs.frozen
class _Lookup:
    """Ask for texts, one by one."""

    asking: Asking
    wanted: _Wanted
    why: str

    def __call__(self, probe: Probe) -> None:
        ask: Callable[[str], Outcome] = getattr(probe, self.asking)
        for text, expected in self.wanted.items():
            _expect(self.asking, text, ask(text), expected, self.why)


@final
@attrs.frozen
class _Trouble:
    """Ask while nothing can be looked up."""

    asking: Asking
    text: str
    trouble: str

    def __call__(self, probe: Probe) -> None:
        ask: Callable[[str], Outcome] = getattr(probe, self.asking)
        try:
            outcome = ask(self.text)
        except AssertionError:
            raise  # the probe's own
        except Exception:  # noqa: BLE001 (whatever it raises is right)
            _expect_made(probe, ())
            return
        fail(
            f"{self.asking}({self.text!r}) answered {outcome} under the trouble "
            f"{self.trouble!r}; it must raise: it could not look, so it knows nothing"
        )


# What URLs, queries, logs and comparisons like to change.
_FREE = (
    "my pack", "a/b", "a@b", "50%", "a%20b", "a+b", "a?b=c#d", "a&b", "..", "{x}", '"q"', "it's",
    "\u00e9", "e\u0301", "\u65e5\u672c", "\U0001f600", "a*", "a\\b", "0", "null",
)  # fmt: skip
_MANY = 250
_SOME = (0, 19, 20, 99, 100, _MANY - 1)  # where pages often end


_SUPPORT = World(
    packs=(
        *(ListedPack(f"s{number}", slug="support", version=number) for number in (9, 10, 1)),
        ListedPack("other", slug="support-eu", version=3),
    ),
    agents=(ListedAgent("a1", name="gpt-default"), ListedAgent("a2", name="gpt-default-eu")),
)
_TWINS = World(
    packs=(ListedPack("t1", slug="twin", version=1), ListedPack("t2", slug="twin", version=1)),
    agents=(ListedAgent("a1", name="twin"), ListedAgent("a2", name="twin")),
    catalog=("twin", "new"),
)
_FREE_TEXT = World(
    packs=tuple(ListedPack(f"p{n}", slug=slug, version=2) for n, slug in enumerate(_FREE)),
    agents=tuple(ListedAgent(f"a{n}", name=name) for n, name in enumerate(_FREE)),
    catalog=_FREE,
)
_LARGE = World(
    packs=tuple(ListedPack(f"p{n}", slug=f"pack-{n}", version=1) for n in range(_MANY)),
    agents=tuple(ListedAgent(f"a{n}", name=f"agent-{n}") for n in range(_MANY)),
)


_TWO_PLACES = World(
    packs=tuple(
        ListedPack(place, slug="docs", version=1, workspace=place) for place in ("red", "blue")
    )
)
_CATALOG = World(
    packs=_SUPPORT.packs, agents=(ListedAgent("a1", name="gpt"),), catalog=("a", "b", "c")
)
_TO_MAKE = Manifest("contract", packs=["catalog/b", "support@9", "a"], agents=[Agent("gpt")])
_AMBIGUOUS = Manifest("contract", packs=["twin", "catalog/new"], agents=[Agent("twin")])

_EXACT = "names count exactly"
_LOOKED = "None or NotFound says: I looked, and it is not there"
_UNCLEAR = "nothing says which one is meant"

_IN_A_PLACE = _Lookup(
    "find_pack",
    {"red/docs@1": "red", "blue/docs@v1": "blue", "green/docs@1": NotFound},
    "the reference names the workspace",
)


def clauses(
    *, has_catalog: bool, has_workspaces: bool, troubles: Iterable[str]
) -> Iterator[Clause]:
    """Give every clause that a host must keep."""
    yield from _looking_for_packs()
    yield from _looking_for_agents()
    yield from _asking_often()
    if has_workspaces:
        yield Clause("a workspace that is written counts", _TWO_PLACES, _IN_A_PLACE)
    if has_catalog:
        yield from _making()
    for trouble in troubles:
        yield from _failing(trouble, has_catalog=has_catalog)


def _looking_for_packs() -> Iterator[Clause]:
    def clause(name: str, world: World, wanted: _Wanted, why: str) -> Clause:
        return Clause(name, world, _Lookup("find_pack", wanted, why))

    yield clause(
        "the newest version of a pack is found",
        _SUPPORT,
        {"support": "s10"},
        "without a version the newest is meant, by number",
    )
    yield clause(
        "a pack is found for catalog/<slug>",
        _SUPPORT,
        {"catalog/support": "s10"},
        "the workspace is asked before the catalog",
    )
    yield clause(
        "the version that is written is found",
        _SUPPORT,
        {"support@9": "s9", "support@v1": "s1"},
        "this version was asked for",
    )
    yield clause(
        "a version that is not there is not found",
        _SUPPORT,
        {"support@2": NotFound},
        "another version is another pack",
    )
    yield clause("a slug that is not there is not found", _SUPPORT, {"sales": NotFound}, _LOOKED)
    yield clause(
        "a slug counts with its case",
        _SUPPORT,
        {"Support": NotFound, "SUPPORT@9": NotFound},
        _EXACT,
    )
    yield clause(
        "a part of a slug is not the slug",
        _SUPPORT,
        {"suppor": NotFound, "support-": NotFound},
        _EXACT,
    )
    yield clause("slugs are free text", _FREE_TEXT, _ids(_FREE, "p"), "slugs are free text")
    yield clause(
        "free text may have a version",
        _FREE_TEXT,
        {f"{slug}@2": f"p{n}" for n, slug in enumerate(_FREE) if "/" not in slug},
        "this version is there",
    )
    yield clause(
        "two packs of one slug are ambiguous",
        _TWINS,
        {"twin": Ambiguous, "twin@1": Ambiguous},
        _UNCLEAR,
    )
    yield clause(
        "every page of packs is read",
        _LARGE,
        {f"pack-{n}": f"p{n}" for n in _SOME},
        f"there are {_MANY} packs",
    )
    yield clause(
        "after the last page a pack is not found", _LARGE, {f"pack-{_MANY}": NotFound}, _LOOKED
    )


def _looking_for_agents() -> Iterator[Clause]:
    def clause(name: str, world: World, wanted: _Wanted, why: str) -> Clause:
        return Clause(name, world, _Lookup("find_agent", wanted, why))

    yield clause("a deployment is found by its name", _SUPPORT, {"gpt-default": "a1"}, _EXACT)
    yield clause(
        "a deployment that is not there is not found", _SUPPORT, {"claude": NotFound}, _LOOKED
    )
    yield clause("a name counts with its case", _SUPPORT, {"GPT-default": NotFound}, _EXACT)
    yield clause("a part of a name is not the name", _SUPPORT, {"gpt": NotFound}, _EXACT)
    yield clause("names are free text", _FREE_TEXT, _ids(_FREE, "a"), "names are free text")
    yield clause("two deployments of one name are ambiguous", _TWINS, {"twin": Ambiguous}, _UNCLEAR)
    yield clause(
        "every page of deployments is read",
        _LARGE,
        {f"agent-{n}": f"a{n}" for n in _SOME},
        f"there are {_MANY} of them",
    )


def _asking_often() -> Iterator[Clause]:
    yield Clause("the same question has the same answer", _SUPPORT, _ask_twice)
    yield Clause("each of many questions has its own answer", _LARGE, _ask_many)
    yield Clause("looking makes nothing", _TWINS, _look_only)
    yield Clause("a manifest is resolved", _SUPPORT, _resolve_all)


def _making() -> Iterator[Clause]:
    yield Clause("packs are made from the catalog", _FREE_TEXT, _make)
    yield Clause("what the catalog does not have is not made", _TWINS, _make_unknown)
    yield Clause("a dry run makes nothing", _CATALOG, _resolve_dry)
    yield Clause("a manifest is resolved with the catalog", _CATALOG, _resolve_making)
    yield Clause("nothing is made where a reference is ambiguous", _TWINS, _resolve_twins)


def _failing(trouble: str, *, has_catalog: bool) -> Iterator[Clause]:
    world = attrs.evolve(_SUPPORT, catalog=("support",), trouble=trouble)
    asked: list[tuple[Asking, str]] = [
        ("find_pack", "support"),
        ("find_pack", "nothing"),
        ("find_agent", "gpt-default"),
        ("find_agent", "nothing"),
    ]
    if has_catalog:
        asked.append(("instantiate", "support"))
    for asking, text in asked:
        name = f"{asking} of {text} raises on trouble: {trouble}"
        yield Clause(name, world, _Trouble(asking, text, trouble))


# Checks


def _ask_twice(probe: Probe) -> None:
    for ask, text in ((probe.find_pack, "support"), (probe.find_agent, "gpt-default")):
        first, second = ask(text), ask(text)
        if first != second:
            fail(f"asked twice for {text!r}, it answered {first}, then {second}")


def _ask_many(probe: Probe) -> None:
    numbers = [7 * number % _MANY for number in range(60)]
    found = probe.find_agents_at_once([f"agent-{number}" for number in numbers])
    why = "many questions are out at one time, and each must get its own answer"
    for number, outcome in zip(numbers, found, strict=True):
        _expect("find_agent", f"agent-{number}", outcome, f"a{number}", why)


def _look_only(probe: Probe) -> None:
    for text in ("twin", "catalog/twin", "Twin", "nothing"):
        probe.find_pack(text)
        probe.find_agent(text)
    _expect_made(probe, (), "only instantiate may make a pack")


def _resolve_all(probe: Probe) -> None:
    agents = [Agent("gpt-default"), Agent("gpt-default-eu", label="eu")]
    manifest = Manifest("contract", packs=["support-eu", "support@9"], agents=agents)
    resolved = probe.resolve(manifest).manifest
    found = [*resolved.packs, *(agent.deployment for agent in resolved.agents)]
    wanted = ["other", "s9", "a1", "a2"]
    if not all(map(_same, found, wanted)):
        fail(f"a manifest was resolved to {found}, not to {wanted}")


def _make(probe: Probe) -> None:
    for slug in _FREE:
        made = probe.instantiate(slug)
        if not isinstance(made, Found):
            fail(f"instantiate({slug!r}) answered {made}, though the catalog has it")
    _expect_made(probe, _FREE)


def _make_unknown(probe: Probe) -> None:
    for slug in ("nothing", "TWIN", "twi"):
        why = "the catalog has no such slug, exactly"
        _expect("instantiate", slug, probe.instantiate(slug), NotFound, why)
    _expect_made(probe, ())


def _resolve_dry(probe: Probe) -> None:
    pending = [pack.ref for pack in probe.resolve(_TO_MAKE, dry_run=True).pending]
    if pending != ["catalog/b", "a"]:
        fail(f"a dry run would make {pending}, not ['catalog/b', 'a']")
    _expect_made(probe, ())


def _resolve_making(probe: Probe) -> None:
    probe.resolve(_TO_MAKE)
    _expect_made(probe, ("b", "a"))


def _resolve_twins(probe: Probe) -> None:
    try:
        probe.resolve(_AMBIGUOUS)
    except LookupError:
        _expect_made(probe, ())
    else:
        fail("a manifest was resolved although its references are ambiguous")


# Words


def _ids(names: Iterable[str], prefix: str) -> _Wanted:
    return {name: f"{prefix}{number}" for number, name in enumerate(names)}


def _same(first: str, second: str) -> bool:
    return (normalize_id(first) or first) == (normalize_id(second) or second)


def _expect(
    asking: Asking, text: str, outcome: Outcome, expected: str | type[Outcome], why: str
) -> None:
    if isinstance(expected, str):
        is_right = isinstance(outcome, Found) and _same(outcome.id, expected)
        wanted = f"the id {expected!r}"
    else:
        is_right = isinstance(outcome, expected)
        wanted = expected.__name__
    if not is_right:
        fail(f"{asking}({text!r}) answered {outcome}, not {wanted}: {why}")


def _expect_made(
    probe: Probe, slugs: Sequence[str], why: str = "nothing else was asked for"
) -> None:
    made = list(probe.built.made())
    if made != list(slugs):
        fail(f"packs were made from {made}, not from {list(slugs)}: {why}")
