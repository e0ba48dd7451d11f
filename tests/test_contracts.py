"""The contract of hosts: right ones keep it, wrong ones break it, each in its own way."""

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any, TypeVar

import attrs
import pytest

from evalset import AsyncListing, ListedPack, Listing, PackRef, StaticWorkspace
from evalset.hosts import Ambiguous, Answer, Found, NotFound, UnavailableError
from evalset.testing.contracts import Built, Case, World, contract
from evalset.testing.hosts import TROUBLES, AsyncFakeHost, FakeHost

_T = TypeVar("_T")


def options(world: World) -> dict[str, Any]:
    return {
        "packs": world.packs,
        "agents": world.agents,
        "catalog": world.catalog,
        "trouble": TROUBLES[world.trouble] if world.trouble else None,
    }


# Right ones


def build_fake(world: World) -> Built:
    host = FakeHost(**options(world))
    return Built(workspace=host, catalog=host, made=lambda: host.made)


def build_async_fake(world: World) -> Built:
    host = AsyncFakeHost(**options(world))

    async def close() -> None:
        await asyncio.sleep(0)

    return Built(workspace=host, catalog=host, made=lambda: host.made, close=close)


def pages(world: World, items: Iterable[_T]) -> Iterator[_T]:
    if world.trouble:
        raise TROUBLES[world.trouble]
    yield from items


async def pages_async(world: World, items: Iterable[_T]) -> AsyncIterator[_T]:
    for item in pages(world, items):
        await asyncio.sleep(0)
        yield item


def build_listing(world: World) -> Built:
    return Built(
        workspace=Listing(packs=pages(world, world.packs), agents=pages(world, world.agents))
    )


def build_async_listing(world: World) -> Built:
    return Built(
        workspace=AsyncListing(
            packs=pages_async(world, world.packs), agents=pages_async(world, world.agents)
        )
    )


def build_static(world: World) -> Built:
    return Built(workspace=StaticWorkspace(packs=world.packs, agents=world.agents))


RIGHT = {
    "a fake": contract(build_fake),
    "a fake that is awaited": contract(build_async_fake, is_async=True),
    "a fake through the other front": contract(build_fake, is_async=True),
    "a listing": contract(build_listing, has_catalog=False),
    "an asynchronous listing": contract(build_async_listing, has_catalog=False, is_async=True),
    "a listing through the other front": contract(build_listing, has_catalog=False, is_async=True),
    "a written workspace": contract(build_static, has_catalog=False, troubles=()),
    "a written workspace through the other front": contract(
        build_static, has_catalog=False, is_async=True, troubles=()
    ),
}


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=f"{kind}: {case}") for kind, cases in RIGHT.items() for case in cases],
)
def test_a_right_host_keeps_the_contract(case: Case) -> None:
    case()


# Wrong ones


@attrs.define(slots=False)
class Wrong:
    """A host that is right but for what a test replaces."""

    world: World
    host: FakeHost = attrs.field(init=False)
    count: int = 0

    def __attrs_post_init__(self) -> None:
        self.host = FakeHost(**options(self.world))

    def find_pack(self, ref: PackRef, /) -> Answer:
        return self.host.find_pack(ref)

    def find_agent(self, name: str, /) -> Answer:
        return self.host.find_agent(name)

    def instantiate(self, slug: str, /) -> Answer:
        return self.host.instantiate(slug)

    def named(self, name: str, same: Callable[[str, str], bool]) -> Answer:
        ids = [agent.id for agent in self.world.agents if same(agent.name, name)]
        return Ambiguous(ids) if len(ids) > 1 else ids[0] if ids else None

    def slugs(self, slug: str, same: Callable[[str, str], bool]) -> list[ListedPack]:
        return sorted(
            (pack for pack in self.world.packs if same(pack.slug, slug)),
            key=lambda pack: -(pack.version or 0),
        )


class IgnoresCaseOfNames(Wrong):
    def find_agent(self, name: str, /) -> Answer:
        found = self.host.find_agent(name)
        return found if isinstance(found, Found) else self.named(name, is_alike)


class IgnoresCaseOfSlugs(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        exact = [pack.slug for pack in self.slugs(ref.slug, is_alike)] or [ref.slug]
        return self.host.find_pack(attrs.evolve(ref, slug=exact[0]))


class MatchesAPart(Wrong):
    def find_agent(self, name: str, /) -> Answer:
        found = self.host.find_agent(name)
        return self.named(name, str.startswith) if isinstance(found, NotFound) else found


class ReadsTheFirstPage(Wrong):
    def __attrs_post_init__(self) -> None:
        first = attrs.evolve(self.world, packs=self.world.packs[:20], agents=self.world.agents[:20])
        self.host = FakeHost(**options(first))


class TakesTimeoutsForNone(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        try:
            return self.host.find_pack(ref)
        except TimeoutError:
            return None


class TakesServerErrorsForNone(Wrong):
    def find_agent(self, name: str, /) -> Answer:
        try:
            return self.host.find_agent(name)
        except UnavailableError:
            return None


class MakesWhatIsAmbiguous(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        found = self.host.find_pack(ref)
        return self.host.instantiate(ref.slug) if isinstance(found, Ambiguous) else found


class MakesWhileItLooks(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        if ref.kind == "catalog" and ref.slug in self.world.catalog:
            return self.host.instantiate(ref.slug)
        return self.host.find_pack(ref)


class TakesTheFirstOfSeveral(Wrong):
    def find_agent(self, name: str, /) -> Answer:
        found = self.host.find_agent(name)
        return "a1" if isinstance(found, Ambiguous) else found


class TakesTheFirstOfTwins(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        found = self.host.find_pack(ref)
        return "t1" if isinstance(found, Ambiguous) else found

    def find_agent(self, name: str, /) -> Answer:
        found = self.host.find_agent(name)
        return "a1" if isinstance(found, Ambiguous) else found


class OrdersVersionsAsText(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        found = self.host.find_pack(ref)
        newest = max(self.slugs(ref.slug, str.__eq__), key=lambda p: str(p.version), default=None)
        return newest.id if isinstance(found, Found) and newest and not ref.version else found


class IgnoresTheVersion(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        return self.host.find_pack(attrs.evolve(ref, version=None))


class IgnoresTheVersionInSilence(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        found = self.host.find_pack(attrs.evolve(ref, version=None))
        return found.id if isinstance(found, Found) else found


class IgnoresTheWorkspace(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        return self.host.find_pack(attrs.evolve(ref, workspace=None))


class RaisesWhatIsNotFound(Wrong):
    def find_agent(self, name: str, /) -> Answer:
        if all(agent.name != name for agent in self.world.agents):
            raise LookupError(name)
        return self.host.find_agent(name)


class AnswersWithRows(Wrong):
    def find_agent(self, name: str, /) -> Any:  # noqa: ANN401
        found = self.host.find_agent(name)
        return {"id": found.id} if isinstance(found, Found) else found


class AnswersWithTheName(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        found = self.host.find_pack(ref)
        return ref.text if isinstance(found, Found) else found


class LooksOnlyForPlainSlugs(Wrong):
    def find_pack(self, ref: PackRef, /) -> Answer:
        return None if ref.kind == "catalog" else self.host.find_pack(ref)


class ComposesNames(Wrong):
    def find_agent(self, name: str, /) -> Answer:
        return self.host.find_agent(unicodedata.normalize("NFC", name))


class MakesWhatTheCatalogDoesNotHave(Wrong):
    def instantiate(self, slug: str, /) -> Answer:
        self.host.made.append(slug)
        return f"made-{slug}"


class MakesTwice(Wrong):
    def instantiate(self, slug: str, /) -> Answer:
        self.host.instantiate(slug)
        return self.host.instantiate(slug)


class SaysNothingOfWhatItMade(Wrong):
    def instantiate(self, slug: str, /) -> Answer:
        self.host.instantiate(slug)
        return None


class MakesAlthoughItFails(Wrong):
    def instantiate(self, slug: str, /) -> Answer:
        self.host.made.extend([slug] if self.world.trouble else [])
        return self.host.instantiate(slug)


class Flaps(Wrong):
    def find_agent(self, name: str, /) -> Answer:
        self.count += 1
        return self.host.find_agent(name) if self.count % 2 else None


class ForgetsToWait(Wrong):
    async def find_agent(self, name: str, /) -> Answer:  # type: ignore[override]
        return self.host.find_agent(name)


class AnswersInOrderOfCompletion(Wrong):
    """It takes whichever answer comes first for its own."""

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.answers: asyncio.Queue[Answer | Exception] = asyncio.Queue()

    async def find_agent(self, name: str, /) -> Answer:  # type: ignore[override]
        search = asyncio.create_task(self.search(name))
        answer = await self.answers.get()
        await search
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def search(self, name: str) -> None:
        await asyncio.sleep(0.001 if name.endswith("7") else 0)
        try:
            await self.answers.put(self.host.find_agent(name))
        except Exception as error:  # noqa: BLE001
            await self.answers.put(error)


def is_alike(one: str, other: str) -> bool:
    return one.lower() == other.lower()


LOOKS = "it must raise: it could not look, so it knows nothing"


@pytest.mark.parametrize(
    ("wrong", "clause", "message"),
    [
        (
            IgnoresCaseOfNames,
            "a name counts with its case",
            (
                "find_agent('GPT-default') answered Found(id='a1', version=None), not NotFound: "
                "names count exactly"
            ),
        ),
        (
            IgnoresCaseOfSlugs,
            "a slug counts with its case",
            (
                "find_pack('Support') answered Found(id='s10', version=10), not NotFound: "
                "names count exactly"
            ),
        ),
        (
            MatchesAPart,
            "a part of a name is not the name",
            (
                "find_agent('gpt') answered Ambiguous(candidates=('a1', 'a2')), not NotFound: "
                "names count exactly"
            ),
        ),
        (
            ReadsTheFirstPage,
            "every page of packs is read",
            (
                "find_pack('pack-20') answered NotFound(near=('pack-2', 'pack-0', 'pack-12')), "
                "not the id 'p20': there are 250 packs"
            ),
        ),
        (
            TakesTimeoutsForNone,
            "find_pack of support raises on trouble: timeout",
            f"find_pack('support') answered NotFound(near=()) under the trouble 'timeout'; {LOOKS}",
        ),
        (
            TakesServerErrorsForNone,
            "find_agent of nothing raises on trouble: server-error",
            (
                "find_agent('nothing') answered NotFound(near=()) under the trouble "
                f"'server-error'; {LOOKS}"
            ),
        ),
        (
            MakesWhatIsAmbiguous,
            "nothing is made where a reference is ambiguous",
            "packs were made from ['twin'], not from []: nothing else was asked for",
        ),
        (
            MakesWhileItLooks,
            "looking makes nothing",
            "packs were made from ['twin'], not from []: only instantiate may make a pack",
        ),
        (
            TakesTheFirstOfSeveral,
            "two deployments of one name are ambiguous",
            (
                "find_agent('twin') answered Found(id='a1', version=None), not Ambiguous: "
                "nothing says which one is meant"
            ),
        ),
        (
            OrdersVersionsAsText,
            "the newest version of a pack is found",
            (
                "find_pack('support') answered Found(id='s9', version=None), not the id 's10': "
                "without a version the newest is meant, by number"
            ),
        ),
        (
            IgnoresTheVersion,
            "a version that is not there is not found",
            (
                "find_pack('support@2') answered Found(id='s10', version=10), not NotFound: "
                "another version is another pack"
            ),
        ),
        (
            IgnoresTheVersionInSilence,
            "a manifest is resolved",
            (
                "a manifest was resolved to ['other', 's10', 'a1', 'a2'], "
                "not to ['other', 's9', 'a1', 'a2']"
            ),
        ),
        (
            IgnoresTheWorkspace,
            "a workspace that is written counts",
            (
                "find_pack('red/docs@1') answered Ambiguous(candidates=('red (red/docs@1)', "
                "'blue (blue/docs@1)')), not the id 'red': the reference names the workspace"
            ),
        ),
        (
            RaisesWhatIsNotFound,
            "a deployment that is not there is not found",
            (
                "it raised LookupError, 'claude'; a host raises only when it can't look, and here "
                "nothing keeps it from looking"
            ),
        ),
        (
            AnswersWithRows,
            "a deployment is found by its name",
            (
                "find_agent: a host answered with dict; an answer is an id, Found, NotFound, "
                "Ambiguous or None"
            ),
        ),
        (
            AnswersWithTheName,
            "a pack is found for catalog/<slug>",
            (
                "find_pack('catalog/support') answered Found(id='catalog/support', version=None), "
                "not the id 's10': the workspace is asked before the catalog"
            ),
        ),
        (
            LooksOnlyForPlainSlugs,
            "a pack is found for catalog/<slug>",
            (
                "find_pack('catalog/support') answered NotFound(near=()), not the id 's10': "
                "the workspace is asked before the catalog"
            ),
        ),
        (
            ComposesNames,
            "names are free text",
            (
                "find_agent('e\u0301') answered Found(id='a12', version=None), not the id 'a13': "
                "names are free text"
            ),
        ),
        (
            MakesWhatTheCatalogDoesNotHave,
            "what the catalog does not have is not made",
            (
                "instantiate('nothing') answered Found(id='made-nothing', version=None), not "
                "NotFound: the catalog has no such slug, exactly"
            ),
        ),
        (
            MakesTwice,
            "a manifest is resolved with the catalog",
            (
                "packs were made from ['b', 'b', 'a', 'a'], not from ['b', 'a']: "
                "nothing else was asked for"
            ),
        ),
        (
            SaysNothingOfWhatItMade,
            "packs are made from the catalog",
            "instantiate('my pack') answered NotFound(near=()), though the catalog has it",
        ),
        (
            MakesAlthoughItFails,
            "instantiate of support raises on trouble: timeout",
            "packs were made from ['support'], not from []: nothing else was asked for",
        ),
        (
            MakesWhileItLooks,
            "a dry run makes nothing",
            "a dry run would make ['a'], not ['catalog/b', 'a']",
        ),
        (
            Flaps,
            "the same question has the same answer",
            (
                "asked twice for 'gpt-default', it answered Found(id='a1', version=None), "
                "then NotFound(near=())"
            ),
        ),
        (
            ForgetsToWait,
            "a deployment is found by its name",
            (
                "find_agent answers with coroutine, to be awaited; resolve can't wait: call "
                "contract(..., is_async=True), and use resolve_async"
            ),
        ),
        (
            AnswersInOrderOfCompletion,
            "each of many questions has its own answer",
            (
                "find_agent('agent-7') answered Found(id='a14', version=None), not the id 'a7': "
                "many questions are out at one time, and each must get its own answer"
            ),
        ),
        (
            TakesTheFirstOfTwins,
            "nothing is made where a reference is ambiguous",
            "a manifest was resolved although its references are ambiguous",
        ),
    ],
)
def test_a_wrong_host_breaks_the_contract(wrong: type[Wrong], clause: str, message: str) -> None:
    cases = contract(builder(wrong), is_async=wrong is AnswersInOrderOfCompletion)
    [case] = [case for case in cases if case.name == clause]
    with pytest.raises(AssertionError) as caught:
        case()
    assert str(caught.value) == message


def builder(wrong: type[Wrong]) -> Callable[[World], Built]:
    def build(world: World) -> Built:
        host = wrong(world)
        return Built(workspace=host, catalog=host, made=lambda: host.host.made)

    return build


@pytest.mark.parametrize("wrong", [Wrong, *Wrong.__subclasses__()], ids=lambda each: each.__name__)
def test_only_what_is_wrong_breaks_the_contract(wrong: type[Wrong]) -> None:
    broken: list[str] = []
    is_async = wrong is AnswersInOrderOfCompletion
    cases = contract(builder(wrong), is_async=is_async)
    for case in cases:
        try:
            case()
        except AssertionError:
            broken.append(case.name)
    assert bool(broken) == (wrong is not Wrong)
    assert len(broken) < len(cases) / 2 or wrong is ForgetsToWait


def test_a_contract_without_a_catalog_says_so() -> None:
    [case] = [each for each in contract(build_listing) if "packs are made" in each.name]
    with pytest.raises(AssertionError, match=r"call contract\(\.\.\., has_catalog=False\)"):
        case()


class Later:
    def __await__(self) -> Iterator[None]:
        yield None


def test_any_awaitable_is_for_the_other_front() -> None:
    def build(world: World) -> Built:
        later: Any = Later()
        host = FakeHost(script={("find_agent", "gpt-default"): later})
        return Built(workspace=host, made=lambda: world.catalog)

    [case] = [each for each in contract(build) if each.name == "a deployment is found by its name"]
    with pytest.raises(AssertionError, match="find_agent answers with Later, to be awaited"):
        case()


def test_a_contract_has_what_was_asked_for() -> None:
    whole = {case.name for case in contract(build_fake)}
    less = contract(build_fake, has_catalog=False, has_workspaces=False, troubles=["timeout"])
    assert {case.name for case in less} < whole
    assert [case.name for case in less if "trouble" in case.name] == [
        "find_pack of support raises on trouble: timeout",
        "find_pack of nothing raises on trouble: timeout",
        "find_agent of gpt-default raises on trouble: timeout",
        "find_agent of nothing raises on trouble: timeout",
    ]
