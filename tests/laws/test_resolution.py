"""Laws of resolution, over generated manifests and hosts that do anything."""

import asyncio
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalset import (
    AsyncListing,
    ListedAgent,
    ListedPack,
    Listing,
    Manifest,
    ManifestError,
    Resolution,
    ResolutionError,
    expand,
    loads,
    pin,
    resolve,
    resolve_async,
)
from evalset.document import Document, read_document
from evalset.hosts import Found
from evalset.nodes import Path
from evalset.parts import Agent
from evalset.references import PackRef, normalize_id
from evalset.sources import Source
from evalset.testing import ManifestText, documents, manifests
from evalset.testing.hosts import AsyncFakeHost, FakeHost, Script, scripts
from evalset.tree import to_plain


@st.composite
def sweeps(draw: st.DrawFn) -> tuple[Manifest, Script]:
    manifest = draw(manifests())
    return manifest, draw(scripts(manifest))


def options() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "dry_run": st.booleans(),
            "catalog_fallback": st.booleans(),
            "give_up_after": st.sampled_from([None, 1, 2]),
        }
    )


def outcome(host: FakeHost, manifest: Manifest, **options: Any) -> Resolution | ResolutionError:  # noqa: ANN401
    try:
        return resolve(manifest, host, host, **options)
    except ResolutionError as error:
        return error


def described(result: Resolution | ResolutionError) -> tuple[object, ...]:
    """Give all of a result that can be compared."""
    if isinstance(result, Resolution):
        return ("resolved", result)
    failures = [
        (failure.ref, failure.asking, failure.outcome, repr(failure.exception))
        for failure in result.failures
    ]
    return ("failed", result.diagnostics, failures, result.instantiated, result.retry_after)


@given(sweeps(), options(), st.integers(1, 6), st.randoms(use_true_random=False))
def test_both_fronts_give_the_same_whatever_the_timing(
    sweep: tuple[Manifest, Script], options: dict[str, Any], concurrency: int, dice: random.Random
) -> None:
    manifest, script = sweep
    blocking = FakeHost(script=script)
    latency = {text: dice.choice([0, 0.0001, 0.0003]) for _, text in script}
    waiting = AsyncFakeHost(script=script, latency=latency)

    async def run() -> Resolution | ResolutionError:
        try:
            return await resolve_async(
                manifest, waiting, waiting, concurrency=concurrency, **options
            )
        except ResolutionError as error:
            return error
        finally:
            assert asyncio.all_tasks() == {asyncio.current_task()}

    assert described(asyncio.run(run())) == described(outcome(blocking, manifest, **options))
    assert waiting.made == blocking.made
    assert waiting.most_at_once <= concurrency


@given(sweeps(), options())
def test_each_distinct_reference_is_asked_for_once_and_ids_never(
    sweep: tuple[Manifest, Script], options: dict[str, Any]
) -> None:
    manifest, script = sweep
    host = FakeHost(script=script)
    outcome(host, manifest, **options)
    asked = Counter(host.calls)
    assert set(asked.values()) <= {1}
    refs = [*manifest.packs, *(agent.deployment for agent in manifest.agents)]
    searched = [text for asking, text in host.calls if asking != "instantiate"]
    names = [ref for ref in dict.fromkeys(refs) if normalize_id(ref) is None]
    if options["give_up_after"] is None:
        assert Counter(searched) == Counter(
            {name: (name in manifest.packs) + (name in refs[len(manifest.packs) :])
             for name in names}
        )  # fmt: skip
    assert not any(normalize_id(text) for text in searched)


@given(sweeps(), options())
def test_nothing_is_made_without_a_definitive_not_found_and_all_else_resolved(
    sweep: tuple[Manifest, Script], options: dict[str, Any]
) -> None:
    manifest, script = sweep
    host = FakeHost(script=script)
    result = outcome(host, manifest, **options)
    bought = [text for asking, text in host.calls if asking == "instantiate"]
    absent = [
        ref.slug
        for ref in map(PackRef.parse, manifest.packs)
        if ref.kind != "id" and script["find_pack", ref.text] is None and ref.version is None
    ]
    assert bought == absent[: len(bought)] or not options["catalog_fallback"]
    assert set(bought) <= set(absent)
    if options["dry_run"]:
        assert bought == []
    if isinstance(result, ResolutionError):
        if any(failure.asking != "instantiate" for failure in result.failures):
            assert bought == []
        assert [made.id for made in result.instantiated] == [
            found_id(script, slug) for slug in host.made
        ]
    else:
        assert [made.id for made in result.instantiated] == [
            found_id(script, slug) for slug in host.made
        ]
        assert bool(result.pending) <= options["dry_run"]


def found_id(script: Script, slug: str) -> str:
    step = script["instantiate", slug]
    return step.id if isinstance(step, Found) else str(step)


def without_refs(data: Mapping[str, Any]) -> dict[str, Any]:
    agents = [
        {name: value for name, value in agent.items() if name not in {"deployment", "label"}}
        for agent in data["agents"]
    ]
    return {**data, "packs": len(data["packs"]), "agents": agents}


@given(sweeps(), st.booleans())
def test_only_refs_and_labels_change_and_agents_keep_their_keys(
    sweep: tuple[Manifest, Script],
    dry_run: bool,  # noqa: FBT001
) -> None:
    manifest, script = sweep
    host = FakeHost(script=script)
    result = outcome(host, manifest, dry_run=dry_run)
    if isinstance(result, ResolutionError):
        return
    resolved = result.manifest
    assert without_refs(resolved.to_dict()) == without_refs(manifest.to_dict())
    assert resolved.packs == tuple(pack.id or pack.ref for pack in result.packs)
    assert tuple(agent.deployment for agent in resolved.agents) == tuple(
        agent.id for agent in result.agents
    )
    assert [part(agent) for agent in resolved.agents] == [part(a) for a in manifest.agents]
    assert len(expand(resolved)) == len(expand(manifest))


def part(agent: Agent) -> str:
    manifest = Manifest("n", packs=["p"], agents=[agent])
    return expand(manifest)[0].matrix_key


@given(st.data())
def test_a_pinned_text_reads_as_the_resolved_manifest(data: st.DataObject) -> None:
    document = data.draw(documents())
    manifest = loads(document.text, format=document.format)
    host = FakeHost(script=data.draw(scripts(manifest)))
    result = outcome(host, manifest)
    if isinstance(result, ResolutionError):
        return
    pinned = pinned_or_refused(document.text, result)
    if isinstance(pinned, ManifestError):
        assert {diagnostic.code for diagnostic in pinned.diagnostics} == {"not-editable"}
        return
    again = loads(pinned, format=document.format)
    assert again == result.manifest
    assert list(expand(again)) == list(expand(result.manifest))
    assert re.fullmatch(pinned_form(document, result), pinned)


def pinned_or_refused(text: str, resolution: Resolution) -> str | ManifestError:
    try:
        return pin(text, resolution)
    except ManifestError as error:
        return error


SCALAR = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9][\w./ -]*)"""
LABEL = rf"""(?:label|'label'|"label")\s*:\s*{SCALAR}"""
# In braces the label stands behind the deployment, else on a line of its own; where the
# deployment is merged, it stands before the merge.
AT_FIRST = rf"(?:\s*{LABEL}(?:\s*,\s*|(?:\r\n|\n|\r) *))?"
IN_BRACES, ON_A_LINE = rf"(?:\s*,\s*{LABEL})?", rf"(?:(?:\r\n|\n|\r) *{LABEL})?"
PROPERTIES = re.compile(r"(?:[&!]\S*\s+(?:#[^\r\n]*\s+)*)*")


def pinned_form(document: ManifestText, resolution: Resolution) -> str:
    """Give a pattern of a text with holes where references and new labels may stand.

    Everything else is in it as it is, so what matches has not changed in any other byte.
    """
    text = document.text.removeprefix("\ufeff")
    tree = read_document(Source(name="", text=text, format=document.format))
    assert tree.root is not None
    agents = to_plain(tree.root)["agents"]
    holes: list[tuple[int, int, str]] = []
    for index, pack in enumerate(resolution.packs):
        if pack.id not in {None, pack.ref}:
            start, end = value_of(tree, ("packs", index))
            holes.append((start, end, rf"{SCALAR}(?: # [^\r\n]*)?"))
    for index, agent in enumerate(resolution.agents):
        if agent.id == agent.ref:
            continue
        start, end = value_of(tree, ("agents", index, "deployment"))
        line = re.compile(r"[\r\n]|\Z").search(text, end)
        assert line
        holes.append((start, end, SCALAR + ("" if "label" in agents[index] else IN_BRACES)))
        if "label" not in agents[index]:
            holes.append((line.start(), line.start(), ON_A_LINE))
            first, _ = value_of(tree, ("agents", index))
            first += text.startswith("{", first)
            holes.append((first, first, AT_FIRST))
        elif agents[index]["label"] is None:
            key = tree.place(("agents", index, "label"), "key")
            null = tree.place(("agents", index, "label"))
            start, end = null.start, null.end  # with its tag, which says that it is null
            if (start, end) == (key.start, key.end):  # it is not written
                start = end = text.index(":", key.end) + 1
            holes.append((start, end, rf" ?{SCALAR}"))
    form, behind = document.text[: len(document.text) - len(text)], 0
    for start, end, hole in sorted(holes):
        form += re.escape(text[behind:start]) + hole
        behind = end
    return form + re.escape(text[behind:])


def value_of(tree: Document, path: Path) -> tuple[int, int]:
    """Give where a value stands, behind its anchor and its tag, which stay."""
    place = tree.place(path)
    properties = PROPERTIES.match(tree.source.text, place.start, place.end)
    return (properties.end() if properties else place.start), place.end


@given(sweeps(), st.floats(0, 0.002))
def test_a_cancelled_resolution_leaves_nothing_behind(
    sweep: tuple[Manifest, Script], delay: float
) -> None:
    manifest, script = sweep
    host = AsyncFakeHost(script=script, latency=0.0005)

    async def run() -> None:
        task = asyncio.create_task(resolve_async(manifest, host, host, concurrency=2))
        await asyncio.sleep(delay)
        task.cancel()
        [end] = await asyncio.gather(task, return_exceptions=True)
        if isinstance(end, asyncio.CancelledError):
            notes = "\n".join(getattr(end, "__notes__", ()))
            assert all(f"({found_id(script, slug)})" in notes for slug in host.made)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        before = len(host.calls)
        await asyncio.sleep(0.001)
        assert len(host.calls) == before

    asyncio.run(run())


class Pages:
    """What a service lists, page by page, which may fail."""

    def __init__(self, items: Sequence[Any], *, fails: bool) -> None:
        self.items = items
        self.fails = fails
        self.begun = 0

    def read(self) -> Iterator[Any]:
        self.begun += 1
        yield from self.items
        if self.fails:
            raise TimeoutError("the last page")

    async def read_async(self) -> AsyncIterator[Any]:
        for item in self.read():
            await asyncio.sleep(0)
            yield item


@st.composite
def worlds(draw: st.DrawFn, manifest: Manifest) -> tuple[Pages, Pages]:
    """Give what a workspace lists: of what is wanted most, sometimes twice, and other things."""
    counts = st.sampled_from([1, 1, 1, 1, 0, 2])
    packs = [
        ListedPack(
            f"p{number}-{count}", slug=ref.slug, version=ref.version, workspace=ref.workspace
        )
        for number, ref in enumerate(map(PackRef.parse, manifest.packs))
        for count in range(draw(counts))
    ]  # fmt: skip
    agents = [
        ListedAgent(f"a{number}-{count}", name=agent.deployment)
        for number, agent in enumerate(manifest.agents)
        for count in range(draw(counts))
    ]
    fails = st.sampled_from([False, False, True])
    return Pages(draw(st.permutations(packs)), fails=draw(fails)), Pages(agents, fails=draw(fails))


@given(st.data(), st.integers(1, 6))
def test_a_workspace_is_listed_once_and_both_fronts_find_the_same(
    data: st.DataObject, concurrency: int
) -> None:
    manifest = data.draw(manifests())
    packs, agents = data.draw(worlds(manifest))
    blocking = Listing(packs=packs.read(), agents=agents.read())
    maker = FakeHost(catalog=[PackRef.parse(ref).slug for ref in manifest.packs])
    try:
        first: Resolution | ResolutionError = resolve(manifest, blocking, maker)
    except ResolutionError as error:
        first = error
    waiting = AsyncListing(packs=packs.read_async(), agents=agents.read_async())
    again = FakeHost(catalog=[PackRef.parse(ref).slug for ref in manifest.packs])
    try:
        second: Resolution | ResolutionError = asyncio.run(
            resolve_async(manifest, waiting, again, concurrency=concurrency)
        )
    except ResolutionError as error:
        second = error
    assert described(first) == described(second)
    assert maker.calls == again.calls
    # Once for each of the two; not at all for what nothing is asked about.
    assert packs.begun in {0, 2}
    assert agents.begun in {0, 2}
    if (packs.fails and packs.begun) or (agents.fails and agents.begun):
        assert maker.calls == []
