"""Laws of resolution, over generated manifests and hosts that do anything."""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalset import (
    Found,
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
from evalset.document import read_document
from evalset.parts import Agent
from evalset.references import PackRef, normalize_id
from evalset.sources import Source
from evalset.testing import ManifestText, documents, manifests
from evalset.testing.hosts import AsyncFakeHost, FakeHost, Script, scripts


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
    kept = without_refs_in(document, manifest)
    position = -1
    for char in kept:  # what is no reference stands there as before, in order
        position = pinned.index(char, position + 1)


def pinned_or_refused(text: str, resolution: Resolution) -> str | ManifestError:
    try:
        return pin(text, resolution)
    except ManifestError as error:
        return error


def without_refs_in(document: ManifestText, manifest: Manifest) -> str:
    source = Source(name="", text=document.text.removeprefix("\ufeff"), format=document.format)
    places = read_document(source)
    refs = [
        *(("packs", index) for index in range(len(manifest.packs))),
        *(("agents", index, name) for index in range(len(manifest.agents))
          for name in ("deployment", "label")),
    ]  # fmt: skip
    text = source.text
    for place in sorted((places.place(path) for path in refs), key=lambda p: -p.start):
        text = text[: place.start] + text[place.end :]
    return text


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
        await asyncio.gather(task, return_exceptions=True)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        before = len(host.calls)
        await asyncio.sleep(0.001)
        assert len(host.calls) == before

    asyncio.run(run())
