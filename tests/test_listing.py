"""Listings answer exactly, from everything there is, read once."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from evalset import AsyncListing, ListedAgent, ListedPack, Listing, PackRef, StaticWorkspace
from evalset.hosts import Ambiguous, Found, NotFound, Outcome, UnavailableError

PACKS = (
    ListedPack("s1", slug="support", version=1),
    ListedPack("s10", slug="support", version=10),
    ListedPack("s9", slug="support", version=9),
    ListedPack("red", slug="sql", version=1, workspace="red"),
    ListedPack("blue", slug="sql", version=2, workspace="blue"),
    ListedPack("twin-a", slug="twin", version=1),
    ListedPack("twin-b", slug="twin", version=1),
    ListedPack("only", slug="my pack"),
    ListedPack("odd", slug="release@2"),
    ListedPack("slash", slug="team/tools", version=4),
    ListedPack("of-team", slug="docs", version=5, workspace="team"),
    ListedPack("free", slug="team/docs", version=5),
    ListedPack("e-accent", slug="\u00e9"),
)
AGENTS = (
    ListedAgent("a1", name="gpt-default"),
    ListedAgent("a2", name="same"),
    ListedAgent("a3", name="same"),
    ListedAgent("a4", name="Claude Opus (prod)"),
)


def workspace() -> Listing:
    return Listing(packs=PACKS, agents=AGENTS)


@pytest.mark.parametrize(
    ("ref", "outcome"),
    [
        pytest.param("support", Found("s10", version=10), id="the newest"),
        pytest.param("catalog/support", Found("s10", version=10), id="for the catalog's slug"),
        pytest.param("support@9", Found("s9", version=9), id="the version that is named"),
        pytest.param("support@v01", Found("s1", version=1), id="with v and zero"),
        pytest.param(
            "support@2",
            NotFound(["support@10", "support@9", "support@1"]),
            id="a version that is not there",
        ),
        pytest.param("Support", NotFound(["support"]), id="only the case differs"),
        pytest.param("my-pack", NotFound(["my pack"]), id="only punctuation differs"),
        pytest.param("suport", NotFound(["support"]), id="a letter is missing"),
        pytest.param("nothing-like-it", NotFound(), id="nothing alike"),
        pytest.param("e\u0301", NotFound(), id="composed otherwise"),
        pytest.param("my pack", Found("only"), id="spaces"),
        pytest.param("sql", Ambiguous(["red (red/sql@1)", "blue (blue/sql@2)"]), id="two places"),
        pytest.param("red/sql@1", Found("red", version=1), id="of a workspace"),
        pytest.param("red/sql@2", NotFound(["blue/sql@2", "red/sql@1"]), id="of another workspace"),
        pytest.param(
            "green/support@1",
            NotFound(["support@10", "support@9", "support@1"]),
            id="of a workspace that nobody named",
        ),
        pytest.param("twin", Ambiguous(["twin-a (twin@1)", "twin-b (twin@1)"]), id="twins"),
        pytest.param("twin@1", Ambiguous(["twin-a (twin@1)", "twin-b (twin@1)"]), id="a twin"),
        pytest.param("release@2", Found("odd"), id="a slug that looks like a version"),
        pytest.param("team/tools", Found("slash", version=4), id="a slash in a slug"),
        pytest.param("team/tools@4", Found("slash", version=4), id="a version behind a slash"),
        pytest.param(
            "team/docs@5",
            Ambiguous(["of-team (team/docs@5)", "free (team/docs@5)"]),
            id="two ways to read it",
        ),
    ],
)
def test_a_pack_is_found_exactly(ref: str, outcome: Outcome) -> None:
    assert workspace().find_pack(PackRef.parse(ref)) == outcome


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        pytest.param("gpt-default", Found("a1"), id="exact"),
        pytest.param("GPT-default", NotFound(["gpt-default"]), id="only the case differs"),
        pytest.param("gpt", NotFound(), id="a part"),
        pytest.param("same", Ambiguous(["a2", "a3"]), id="twice"),
        pytest.param("Claude Opus (prod)", Found("a4"), id="free text"),
    ],
)
def test_a_deployment_is_found_exactly(name: str, outcome: Outcome) -> None:
    assert workspace().find_agent(name) == outcome


def test_one_that_is_listed_twice_is_one() -> None:
    identity = "0f0f0f0f-1111-2222-3333-444444444444"
    agents = [ListedAgent(each, name="gpt") for each in (identity, identity.upper())]
    assert Listing(packs=[], agents=agents).find_agent("gpt") == Found(identity)


def test_names_of_a_large_workspace_are_compared_loosely_only() -> None:
    agents = [ListedAgent(f"a{n}", name=f"agent-{n}") for n in range(2000)]
    listing = Listing(packs=[], agents=agents)
    assert listing.find_agent("agent-20000") == NotFound()
    assert listing.find_agent("AGENT 1999") == NotFound(["agent-1999"])


class Pages:
    """Pages of agents that fail at a certain one, and say how often they were read."""

    def __init__(self, *, fails: BaseException | None = None) -> None:
        self.fails = fails
        self.begun = 0

    def items(self) -> Iterator[ListedAgent]:
        self.begun += 1
        yield ListedAgent("a1", name="first")
        if self.fails:
            raise self.fails
        yield ListedAgent("a2", name="last")

    async def items_async(self) -> AsyncIterator[ListedAgent]:
        for item in self.items():
            await asyncio.sleep(0)
            yield item


def test_only_what_is_asked_for_is_read_and_once() -> None:
    packs, agents = Pages(), Pages()
    listing = Listing(packs=packs.items(), agents=agents.items())  # type: ignore[arg-type]
    assert [listing.find_agent(name) for name in ("last", "first", "x")] == [
        Found("a2"), Found("a1"), NotFound(),
    ]  # fmt: skip
    assert (packs.begun, agents.begun) == (0, 1)


def test_half_a_list_shows_of_nothing_that_it_is_not_there() -> None:
    pages = Pages(fails=UnavailableError("page 2: 503", retry_after=5))
    listing = Listing(packs=[], agents=pages.items())
    for name in ("first", "last", "x"):
        with pytest.raises(UnavailableError, match="page 2: 503"):
            listing.find_agent(name)
    assert pages.begun == 1


def test_a_listing_that_was_interrupted_is_never_read_on() -> None:
    listing = Listing(packs=[], agents=Pages(fails=KeyboardInterrupt()).items())
    with pytest.raises(KeyboardInterrupt):
        listing.find_agent("first")
    with pytest.raises(UnavailableError, match="interrupted"):
        listing.find_agent("last")


def test_threads_share_one_reading() -> None:
    pages, count = Pages(), 16
    listing, barrier = Listing(packs=[], agents=pages.items()), Barrier(count)

    def ask(_: int) -> Outcome:
        barrier.wait()
        return listing.find_agent("last")

    with ThreadPoolExecutor(count) as pool:
        assert list(pool.map(ask, range(count))) == [Found("a2")] * count
    assert pages.begun == 1


def test_tasks_share_one_reading() -> None:
    pages = Pages()

    async def run() -> list[Outcome]:
        listing = AsyncListing(packs=PACKS, agents=pages.items_async())
        found = await asyncio.gather(*(listing.find_agent("last") for _ in range(16)))
        return [*found, await listing.find_pack(PackRef.parse("support@1"))]

    assert asyncio.run(run()) == [Found("a2")] * 16 + [Found("s1", version=1)]
    assert pages.begun == 1


def test_a_cancelled_reading_is_never_read_on() -> None:
    async def run() -> None:
        listing = AsyncListing(packs=[], agents=Pages().items_async())
        task = asyncio.create_task(listing.find_agent("last"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        with pytest.raises(UnavailableError, match="interrupted"):
            await listing.find_agent("last")

    asyncio.run(run())


def test_what_is_listed_has_its_type() -> None:
    listing = Listing(packs=AGENTS, agents=PACKS)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a listing gives ListedPack, not ListedAgent"):
        listing.find_pack(PackRef.parse("support"))


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        pytest.param(
            Pages().items_async(), "agents is asynchronous; AsyncListing and", id="asynchronous"
        ),
        pytest.param(5, "agents is 5, which nothing can be read from$", id="a number"),
        pytest.param(Pages().items, "which nothing can be read from; call it$", id="a function"),
    ],
)
def test_a_listing_is_given_what_can_be_read(agents: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match=message):
        Listing(packs=[], agents=agents)


def test_an_asynchronous_listing_is_given_what_can_be_read() -> None:
    with pytest.raises(TypeError, match="packs is None"):
        AsyncListing(packs=None, agents=[])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        pytest.param({"id": ""}, "ListedPack: id is ''; it is text, not blank", id="a blank id"),
        pytest.param({"id": 5}, "ListedPack: id is 5; it is text, not blank", id="a number"),
        pytest.param({"slug": None}, "ListedPack: slug is None; it is text", id="no slug"),
        pytest.param({"workspace": 3}, "ListedPack: workspace is 3; it is text", id="a workspace"),
        pytest.param(
            {"version": "3"}, "ListedPack: version is '3'; it is a whole number", id="a version"
        ),
    ],
)
def test_a_listed_pack_is_sound(values: dict[str, Any], message: str) -> None:
    whole: dict[str, Any] = {"id": "p", "slug": "s", **values}
    with pytest.raises((TypeError, ValueError)) as caught:
        ListedPack(**whole)
    assert str(caught.value) == message


def test_a_name_that_no_manifest_can_hold_hides_no_other() -> None:
    agents = [ListedAgent("a1", name=" "), ListedAgent("a2", name=" gpt\n"), *AGENTS]
    listing = Listing(packs=[], agents=agents)
    assert listing.find_agent("gpt-default") == Found("a1")
    assert listing.find_agent("gpt") == NotFound([" gpt\n"])


class Id(StrEnum):
    GPT = "a1"


def test_an_id_is_plain_text_whatever_it_was() -> None:
    found = Listing(packs=[], agents=[ListedAgent(Id.GPT, name="gpt")]).find_agent("gpt")
    assert isinstance(found, Found)
    assert type(found.id) is str
    assert type(Found(Id.GPT).id) is str


# Written down

FULL = {
    "packs": [
        {"id": "p1", "slug": "support", "version": 1},
        {"id": "p2", "slug": "sql", "version": 3, "workspace": "red"},
    ],
    "agents": [{"id": "a1", "name": "gpt"}],
}


@pytest.mark.parametrize("name", ["workspace.yaml", "workspace.json"])
def test_a_workspace_is_read_from_a_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(FULL), encoding="utf-8")
    static = StaticWorkspace.load(path)
    assert static.find_pack(PackRef.parse("red/sql@3")) == Found("p2", version=3)
    assert static.find_agent("gpt") == Found("a1")


def test_a_short_workspace_is_a_mapping_of_names_to_ids() -> None:
    static = StaticWorkspace.from_dict({"packs": {"support": "p1"}})
    assert static.find_pack(PackRef.parse("support")) == Found("p1")
    assert static.find_agent("gpt") == NotFound()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("packs: [", r"w\.yaml:1:9: error\[yaml-syntax\]", id="no YAML"),
        pytest.param("packs: {a: b, a: c}", r"w\.yaml:1:15: .*duplicate-key", id="a key twice"),
        pytest.param("[]", r"w\.yaml: a workspace is a mapping", id="a list"),
        pytest.param("pack: {}", r"w\.yaml: a workspace is a mapping", id="an unknown key"),
        pytest.param("packs: support", "packs is neither a list nor", id="a text"),
        pytest.param("packs: [support]", r"packs\[0\] is no mapping", id="texts"),
        pytest.param("packs: [{slug: a}]", r"packs\[0\]: missing 1 required .* 'id'", id="no id"),
        pytest.param("agents: [{id: a, slug: b}]", r"agents\[0\]: got an unexpected", id="a slug"),
        pytest.param("packs: {a: 5}", r"packs\[0\]: ListedPack: id is 5", id="a number"),
    ],
)
def test_a_workspace_of_another_form_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "w.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        StaticWorkspace.load(path)
