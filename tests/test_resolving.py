"""Resolution: what is asked, what is made, what is said, and what is raised."""

import asyncio
import copy
import json
import pickle
import sys
import time
from collections.abc import Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from threading import Barrier
from typing import Any, cast

import pytest

from evalset import (
    Agent,
    Diagnostic,
    ListedAgent,
    ListedPack,
    Listing,
    Manifest,
    ManifestError,
    PackRef,
    Resolution,
    ResolutionError,
    StaticWorkspace,
    expand,
    loads,
    resolve,
    resolve_async,
)
from evalset.hosts import Ambiguous, Answer, Found, NotFound, UnavailableError
from evalset.keys import KeyBy
from evalset.resolution import Failure, Resolved
from evalset.testing.hosts import AsyncFakeHost, Call, FakeHost, Script, Step

ID = "0f0f0f0f-1111-2222-3333-444444444444"
OTHER = "11111111-1111-1111-1111-111111111111"
TEXT = f"""\
schema: evalset/v1
name: nightly
packs:
  - catalog/text-to-sql
  - support
  - red/docs@v3
  - {ID}
agents:
  - deployment: gpt-default
  - deployment: claude-default
    label: opus
  - deployment: gpt-default
    label: again
  - deployment: {OTHER}
models: [m]
repeats: 2
limits: {{budget_usd: 5}}
scanners: [tool-misuse]
x-owner: agents
"""
SCRIPT: Script = {
    ("find_pack", "support"): Found("p-support", version=7),
    ("find_pack", "red/docs@v3"): "p-docs",
    ("find_agent", "gpt-default"): "a-gpt",
    ("find_agent", "claude-default"): "a-claude",
}


def manifest(*packs: str, agents: tuple[str, ...] = ("gpt",)) -> Manifest:
    return Manifest("n", packs=packs, agents=[Agent(agent) for agent in agents])


def refusal(manifest: Manifest, host: Any, catalog: Any = None, **options: Any) -> ResolutionError:  # noqa: ANN401
    with pytest.raises(ResolutionError) as caught:
        resolve(manifest, host, catalog, **options)
    return caught.value


def told(diagnostics: tuple[Diagnostic, ...]) -> list[str]:
    return [str(diagnostic) for diagnostic in diagnostics]


def causes(error: ResolutionError) -> tuple[object, ...]:
    return cast("ExceptionGroup[Exception]", error.__cause__).exceptions


def test_ids_take_the_place_of_names() -> None:
    host = FakeHost(catalog=["text-to-sql"], script=SCRIPT)
    original = loads(TEXT, name="sweep.yaml")
    resolution = resolve(original, host, host)
    assert resolution == Resolution(
        manifest=original.replace(
            packs=["made-text-to-sql", "p-support", "p-docs", ID],
            agents=[
                Agent("a-gpt", label="gpt-default"),
                Agent("a-claude", label="opus"),
                Agent("a-gpt", label="again"),
                Agent(OTHER),
            ],
        ),
        packs=(
            Resolved("catalog/text-to-sql", id="made-text-to-sql", how="catalog"),
            Resolved("support", id="p-support", how="workspace", version=7),
            Resolved("red/docs@v3", id="p-docs", how="workspace"),
            Resolved(ID, id=ID, how="written"),
        ),
        agents=(
            Resolved("gpt-default", id="a-gpt", how="workspace"),
            Resolved("claude-default", id="a-claude", how="workspace"),
            Resolved("gpt-default", id="a-gpt", how="workspace"),
            Resolved(OTHER, id=OTHER, how="written"),
        ),
    )
    assert resolution.instantiated == resolution.packs[:1]
    assert resolution.pending == ()
    assert host.calls == [
        ("find_pack", "catalog/text-to-sql"),
        ("find_pack", "support"),
        ("find_pack", "red/docs@v3"),
        ("find_agent", "gpt-default"),
        ("find_agent", "claude-default"),
        ("instantiate", "text-to-sql"),
    ]


def test_places_are_still_found_in_the_resolved_manifest() -> None:
    host = FakeHost(catalog=["text-to-sql"], script=SCRIPT)
    original = loads(TEXT, name="sweep.yaml")
    resolved = resolve(original, host, host).manifest
    assert resolved.source is original.source
    with pytest.raises(ManifestError) as caught:
        expand(resolved, max_combinations=3)
    assert str(caught.value).startswith("sweep.yaml:8:1: error[too-many-combinations]")


def test_a_resolution_is_a_value() -> None:
    host = FakeHost(catalog=["text-to-sql"], script=SCRIPT)
    resolution = resolve(loads(TEXT), host, host)
    for again in (pickle.loads(pickle.dumps(resolution)), copy.deepcopy(resolution)):  # noqa: S301
        assert again == resolution
        assert hash(again) == hash(resolution)
    assert resolution.to_dict() == {
        "manifest": resolution.manifest.to_dict(),
        "packs": [
            {"ref": "catalog/text-to-sql", "id": "made-text-to-sql", "how": "catalog",
             "version": None},
            {"ref": "support", "id": "p-support", "how": "workspace", "version": 7},
            {"ref": "red/docs@v3", "id": "p-docs", "how": "workspace", "version": None},
            {"ref": ID, "id": ID, "how": "written", "version": None},
        ],
        "agents": [agent.to_dict() for agent in resolution.agents],
        "diagnostics": [],
    }  # fmt: skip


# The catalog


def test_a_plain_slug_falls_back_to_the_catalog_and_that_is_said() -> None:
    host = FakeHost(agents={"gpt": "a1"}, catalog=["a", "b"])
    resolution = resolve(manifest("a", "catalog/b"), host, host)
    assert [pack.id for pack in resolution.packs] == ["made-a", "made-b"]
    assert told(resolution.diagnostics) == [
        (
            'warning[catalog-fallback] /packs/0: the workspace has no pack "a"; '
            "it was made from the catalog"
        )
    ]


def test_a_dry_run_makes_nothing_and_says_what_a_run_would_make() -> None:
    host = FakeHost(agents={"gpt": "a1"}, catalog=["a", "b"])
    resolution = resolve(manifest("a", "catalog/b"), host, host, dry_run=True)
    assert host.made == []
    assert resolution.pending == (
        Resolved("a", id=None, how="pending"),
        Resolved("catalog/b", id=None, how="pending"),
    )
    assert resolution.manifest == Manifest(
        "n", packs=["a", "catalog/b"], agents=[Agent("a1", label="gpt")]
    )
    assert told(resolution.diagnostics) == [
        (
            'warning[catalog-fallback] /packs/0: the workspace has no pack "a"; '
            "a run would have it made from the catalog"
        )
    ]


@pytest.mark.parametrize(
    ("ref", "has_catalog", "options", "message"),
    [
        pytest.param(
            "a", True, {"catalog_fallback": False},
            'error[pack-not-found] /packs/0: the workspace does not have the pack "a"',
            id="no fallback",
        ),
        pytest.param(
            "a", False, {},
            'error[pack-not-found] /packs/0: the workspace does not have the pack "a"',
            id="a slug without a catalog",
        ),
        pytest.param(
            "catalog/a", False, {},
            'error[pack-not-found] /packs/0: the workspace does not have the pack "catalog/a", '
            "and there is no catalog to make it from",
            id="no catalog",
        ),
        pytest.param(
            "a@3", True, {},
            'error[pack-not-found] /packs/0: the workspace does not have the pack "a@3"\n'
            "    hint: a pack is made from the catalog only where no version is written",
            id="a version",
        ),
        pytest.param(
            "catalog/a@3", True, {},
            'error[pack-not-found] /packs/0: the workspace does not have the pack "catalog/a@3"\n'
            "    hint: a pack is made from the catalog only where no version is written",
            id="a version from the catalog",
        ),
        pytest.param(
            "b", True, {},
            "error[pack-not-found] /packs/0: "
            'neither the workspace nor the catalog has the pack "b"',
            id="not in the catalog",
        ),
    ],
)  # fmt: skip
def test_what_is_nowhere_is_not_made(
    ref: str, *, has_catalog: bool, options: dict[str, Any], message: str
) -> None:
    host = FakeHost(agents={"gpt": "a1"}, catalog=["a"])
    error = refusal(manifest(ref), host, host if has_catalog else None, **options)
    assert str(error) == message
    assert host.made == []
    assert not error.could_not_look
    assert error.__cause__ is None


def test_without_a_fallback_the_catalog_is_used_where_it_is_written() -> None:
    host = FakeHost(agents={"gpt": "a1"}, catalog=["a"])
    assert resolve(manifest("catalog/a"), host, host, catalog_fallback=False).instantiated


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(TimeoutError("slow"), id="could not look"),
        pytest.param(Ambiguous(["x", "y"]), id="ambiguous"),
        pytest.param(NotFound(), id="not found"),
        pytest.param(5, id="no answer"),
    ],
)
def test_nothing_is_made_when_anything_else_failed(step: Step) -> None:
    host = FakeHost(catalog=["a"], script={("find_agent", "gpt"): step})
    refusal(manifest("a"), host, host)
    assert host.made == []


def test_making_stops_at_the_first_failure_and_what_was_made_is_said() -> None:
    script: Script = {("instantiate", "b"): UnavailableError("503", retry_after=7)}
    host = FakeHost(agents={"gpt": "a1"}, catalog="abc", script=script)
    error = refusal(manifest("catalog/a", "catalog/b", "catalog/c"), host, host)
    assert host.calls[-2:] == [("instantiate", "a"), ("instantiate", "b")]
    assert error.instantiated == (Resolved("catalog/a", id="made-a", how="catalog"),)
    assert [(each.ref, each.asking, each.outcome) for each in error.failures] == [
        ("catalog/b", "instantiate", None)
    ]
    assert str(error) == (
        "error[host-unavailable] /packs/1: the host could not make the pack "
        '"catalog/b": UnavailableError, "503"\n'
        "    hint: ask again after 7 s\n"
        "instantiated before: catalog/a (made-a)"
    )


def test_a_pack_that_is_made_and_turns_out_to_be_another_one_ends_it() -> None:
    script: Script = {("instantiate", "b"): "made-a"}
    host = FakeHost(agents={"gpt": "a1"}, catalog="abc", script=script)
    error = refusal(manifest("catalog/a", "catalog/b", "catalog/c"), host, host)
    assert host.made == ["a", "b"]
    assert told(error.diagnostics) == [
        (
            'error[same-pack] /packs/1: the packs "catalog/a" and "catalog/b" are one: '
            'both are "made-a"'
        )
    ]
    assert error.failures == ()


# Two that are one


def test_two_references_to_one_pack_are_found_before_anything_is_made() -> None:
    host = FakeHost(packs={"a": ID.upper()}, agents={"gpt": "a1"}, catalog=["x"])
    error = refusal(manifest(ID, "x", "a"), host, host)
    assert told(error.diagnostics) == [
        f'error[same-pack] /packs/2: the packs "{ID}" and "a" are one: both are "{ID}"'
    ]
    assert host.made == []


def test_one_slug_is_never_made_twice() -> None:
    host = FakeHost(agents={"gpt": "a1"}, catalog=["x"])
    error = refusal(manifest("x", "catalog/x"), host, host)
    assert told(error.diagnostics) == [
        (
            'error[same-pack] /packs/1: the packs "x" and "catalog/x" are one: '
            'both would be made from the catalog\'s "x"'
        )
    ]
    assert host.made == []


def test_two_names_of_one_deployment_are_told_with_both_places() -> None:
    text = (
        "schema: evalset/v1\nname: n\npacks: [p]\nagents:\n"
        "  - deployment: gpt\n  - deployment: gpt-alias\n    label: other\n"
    )
    host = FakeHost(packs={"p": "p1"}, agents={"gpt": "a1", "gpt-alias": "a1"})
    error = refusal(loads(text, name="a.yaml"), host)
    [diagnostic] = error.diagnostics
    assert str(diagnostic) == (
        'a.yaml:6:17: error[same-agent] the agents "gpt" and "gpt-alias" are one: both are "a1"'
    )
    assert [str(related) for related in diagnostic.related] == [
        "a.yaml:5:17: the first of the two agents"
    ]


def test_ids_that_would_give_two_combinations_one_key_are_refused() -> None:
    script: Script = {("find_pack", "a"): "p", ("find_pack", "b"): "p/x",
                      ("find_agent", "x"): "x/a", ("find_agent", "y"): "a"}  # fmt: skip
    host = FakeHost(script=script)
    sweep = manifest("a", "b", agents=("x", "y"))
    assert resolve(sweep, host).manifest.packs == ("p", "p/x")
    error = refusal(sweep, host, key_by="deployment")
    assert [diagnostic.code for diagnostic in error.diagnostics] == ["ambiguous-key"]


@pytest.mark.parametrize(
    ("ids", "key_by", "code"),
    [
        pytest.param((ID.upper(), "p", "x1", "y1"), "label", "same-pack", id="one pack twice"),
        pytest.param(("p/x", "p", "a", "x/a"), "deployment", "ambiguous-key", id="one key twice"),
    ],
)
def test_what_ids_make_equal_is_told_with_both_places(
    ids: tuple[str, ...], key_by: KeyBy, code: str
) -> None:
    text = (
        f"schema: evalset/v1\nname: nightly\npacks:\n  - a\n  - b\n  - {ID}\n"
        "agents:\n  - deployment: x\n  - deployment: y\n"
    )
    calls: list[Call] = [
        ("find_pack", "a"), ("find_pack", "b"), ("find_agent", "x"), ("find_agent", "y"),
    ]  # fmt: skip
    host = FakeHost(script=dict(zip(calls, ids, strict=True)))
    [diagnostic] = refusal(loads(text, name="a.yaml"), host, key_by=key_by).diagnostics
    assert diagnostic.code == code
    second = 6 if code == "same-pack" else 5
    assert str(diagnostic).startswith(f"a.yaml:{second}:5: error[{code}] ")
    assert [str(related) for related in diagnostic.related] == [
        "a.yaml:4:5: the first of the two packs"
    ]


def test_nobody_is_asked_for_a_manifest_that_does_not_expand() -> None:
    host = FakeHost()
    stored = Manifest("n", packs=["p"], agents=[Agent("a", label="x"), Agent("b", label="x")])
    with pytest.raises(ManifestError):
        resolve(stored, host)
    assert host.calls == []
    host = FakeHost(packs={"p": "p1"}, agents={"a": "a1", "b": "a2"})
    resolved = resolve(stored, host, key_by="deployment").manifest
    assert [agent.deployment for agent in resolved.agents] == ["a1", "a2"]


# Failures


def test_every_failure_is_told_at_its_place_and_the_exceptions_are_chained() -> None:
    text = TEXT.replace("catalog/text-to-sql", "twin")
    slow, busy = TimeoutError("slow"), UnavailableError("busy", retry_after=12.5)
    script: Script = {
        ("find_pack", "twin"): Ambiguous(["p1", "p2", "p3", "p4"]),
        ("find_pack", "support"): NotFound(["Support"]),
        ("find_pack", "red/docs@v3"): slow,
        ("find_agent", "gpt-default"): busy,
        ("find_agent", "claude-default"): ValueError(),
    }
    error = refusal(loads(text, name="sweep.yaml"), FakeHost(script=script))
    assert str(error) == (
        'sweep.yaml:4:5: error[ambiguous-reference] the pack "twin" is ambiguous: '
        '"p1", "p2", "p3" and 1 more\n'
        "    hint: write the id of the one that is meant\n"
        'sweep.yaml:5:5: error[pack-not-found] the workspace does not have the pack "support"\n'
        '    hint: names count exactly as written; there is "Support"\n'
        "sweep.yaml:6:5: error[host-unavailable] the host could not look for the pack "
        '"red/docs@v3": TimeoutError, "slow"\n'
        "sweep.yaml:9:17: error[host-unavailable] the host could not look for the agent "
        '"gpt-default": UnavailableError, "busy"\n'
        "    hint: ask again after 12.5 s\n"
        "sweep.yaml:10:17: error[host-unavailable] the host could not look for the agent "
        '"claude-default": ValueError, no reason was given'
    )
    assert [str(related) for related in error.diagnostics[3].related] == [
        "sweep.yaml:12:17: the same agent"
    ]
    assert error.failures[:4] == (
        Failure("twin", asking="find_pack", outcome=Ambiguous(["p1", "p2", "p3", "p4"])),
        Failure("support", asking="find_pack", outcome=NotFound(["Support"])),
        Failure("red/docs@v3", asking="find_pack", exception=slow),
        Failure("gpt-default", asking="find_agent", exception=busy),
    )
    assert error.retry_after == 12.5
    assert error.could_not_look
    assert causes(error)[:2] == (slow, busy)
    assert isinstance(error, LookupError)


def test_an_exception_that_answers_every_question_is_chained_once() -> None:
    down = UnavailableError("down")
    script: Script = {("find_pack", "p"): down, ("find_agent", "gpt"): down}
    error = refusal(manifest("p"), FakeHost(script=script))
    assert causes(error) == (down,)


def test_an_error_is_the_body_of_an_http_answer() -> None:
    script: Script = {("find_pack", "p"): UnavailableError("busy", retry_after=3)}
    error = refusal(manifest("p"), FakeHost(agents={"gpt": "a1"}, script=script))
    body = error.to_dict()
    assert body == {
        "type": "urn:evalset:problem:unresolved-references",
        "title": "References could not be resolved",
        "status": 503,
        "detail": 'the host could not look for the pack "p": UnavailableError, "busy"',
        "diagnostics": [diagnostic.to_dict() for diagnostic in error.diagnostics],
        "instantiated": [],
        "retry_after": 3.0,
    }
    assert refusal(manifest("p"), FakeHost(agents={"gpt": "a1"})).to_dict()["status"] == 422


def test_a_long_list_of_failures_is_cut() -> None:
    error = refusal(manifest(*(f"p{n}" for n in range(12))), FakeHost(agents={"gpt": "a1"}))
    assert len(error.diagnostics) == len(error.failures) == 12
    assert str(error).endswith("\nand 2 more")


class PickyError(Exception):
    """As many clients' exceptions: unpickled, its constructor is called with too little."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"{status}: {body}")
        self.retry_after = 9


@pytest.mark.parametrize(
    ("exception", "after"),
    [
        pytest.param(TimeoutError("slow"), TimeoutError("slow"), id="that can be pickled"),
        pytest.param(
            PickyError(503, "busy"),
            UnavailableError("PickyError: 503: busy", retry_after=9.0),
            id="that can't be",
        ),
    ],
)
def test_an_error_survives_pickling(exception: Exception, after: Exception) -> None:
    script: Script = {("find_pack", "p"): exception}
    error = refusal(manifest("p", "q"), FakeHost(agents={"gpt": "a1"}, script=script))
    again: ResolutionError = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert again.diagnostics == error.diagnostics
    assert again.failures[1] == error.failures[1]
    assert repr(again.failures[0].exception) == repr(after)
    assert again.retry_after == error.retry_after
    assert str(again) == str(error)
    assert isinstance(again.__cause__, ExceptionGroup)


# Giving up


@pytest.mark.parametrize("concurrency", [None, 1, 3, 8])
def test_a_host_that_cannot_answer_is_not_asked_for_ever(concurrency: int | None) -> None:
    packs = [f"p{number}" for number in range(40)]
    script: Script = {("find_pack", pack): TimeoutError() for pack in packs if pack != "p1"}
    options: dict[str, Any] = {"packs": {"p1": "id"}, "script": script}
    host = FakeHost(**options)
    if concurrency is None:
        error = refusal(manifest(*packs), host, give_up_after=3)
        assert len(host.calls) == 4
    else:
        waiting = AsyncFakeHost(**options, latency={"p0": 0.01})
        with pytest.raises(ResolutionError) as caught:
            asyncio.run(
                resolve_async(manifest(*packs), waiting, concurrency=concurrency, give_up_after=3)
            )
        error = caught.value
    assert [failure.exception is not None for failure in error.failures] == [True] * 3 + [
        False
    ] * 37
    assert str(error).endswith("and 30 more")
    assert told(error.diagnostics)[-1] == (
        'error[host-unavailable] /packs/9: the pack "p9" was not looked up: '
        "the host could not answer before"
    )


# Fronts


class Waiting:
    """A host whose methods are awaited in every way there is."""

    async def find_pack(self, ref: PackRef, /) -> str | None:
        await asyncio.sleep(0)
        return {"p": "p1"}.get(ref.slug)

    def find_agent(self, name: str, /) -> Awaitable[Answer]:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        future.set_result(Found(f"a-{name}"))
        return future

    def instantiate(self, slug: str, /) -> Answer:
        return f"made-{slug}"


def test_ways_of_answering_may_be_mixed() -> None:
    host = Waiting()
    resolution = asyncio.run(resolve_async(manifest("p", "q"), host, host))
    assert resolution.manifest == Manifest(
        "n", packs=["p1", "made-q"], agents=[Agent("a-gpt", label="gpt")]
    )


def test_a_coroutine_is_for_the_other_front() -> None:
    host: Any = AsyncFakeHost()
    message = "find_pack answered with coroutine, to be awaited; resolve_async takes such a host"
    with pytest.raises(TypeError, match=message):
        resolve(manifest("p"), host)


class Later:
    def __await__(self) -> Iterator[None]:
        yield None


def test_any_awaitable_is_for_the_other_front() -> None:
    host = FakeHost(script={("find_pack", "p"): cast("Any", Later())})
    with pytest.raises(TypeError, match="find_pack answered with Later, to be awaited"):
        resolve(manifest("p"), host)


@pytest.mark.parametrize(
    ("workspace", "catalog", "message"),
    [
        pytest.param(None, None, "a workspace is .* find_pack; None is none", id="none"),
        pytest.param(StaticWorkspace, None, "the class StaticWorkspace is none", id="a class"),
        pytest.param(
            FakeHost(),
            {},
            "a catalog is .* instantiate; an object of the type dict is none",
            id="no catalog",
        ),
    ],
)
def test_a_host_has_the_methods(workspace: Any, catalog: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(TypeError, match=message):
        resolve(manifest("p"), workspace, catalog)
    with pytest.raises(TypeError, match=message):
        asyncio.run(resolve_async(manifest("p"), workspace, catalog))


@pytest.mark.parametrize("number", [0, -1, True, 1.0, "3"])
def test_numbers_are_whole_and_from_one(number: Any) -> None:  # noqa: ANN401
    with pytest.raises(ValueError, match=r"give_up_after is .* a whole number from 1"):
        resolve(manifest("p"), FakeHost(), give_up_after=number)
    with pytest.raises(ValueError, match=r"concurrency is .* a whole number from 1"):
        asyncio.run(resolve_async(manifest("p"), FakeHost(), concurrency=number))


def test_a_manifest_without_names_asks_nobody() -> None:
    host = AsyncFakeHost()
    assert asyncio.run(resolve_async(manifest(ID, agents=(OTHER,)), host)).packs[0].id == ID
    assert host.calls == []


def test_a_host_that_cancels_its_own_work_could_not_look() -> None:
    class Host:
        async def find_pack(self, _: PackRef, /) -> Answer:
            raise asyncio.CancelledError

        async def find_agent(self, _: str, /) -> Answer:
            return "a1"

    with pytest.raises(ResolutionError, match="the host's own work was cancelled"):
        asyncio.run(resolve_async(manifest("p"), Host()))


class Interrupted:
    """A catalog that Ctrl-C ends while it makes the pack `b`."""

    def instantiate(self, slug: str, /) -> Answer:
        if slug == "b":
            raise KeyboardInterrupt
        return f"made-{slug}"


def test_what_was_made_before_an_interruption_is_noted_on_it() -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        resolve(manifest("a", "b"), FakeHost(agents={"gpt": "a1"}), Interrupted())
    assert caught.value.__notes__ == [
        "instantiated before: a (made-a)",
        "b was being instantiated; it may have been made",
    ]


def test_what_was_made_before_a_cancellation_is_noted_on_it() -> None:
    host = AsyncFakeHost(agents={"gpt": "a1"}, catalog="ab", latency={"b": 10})

    async def run() -> None:
        task = asyncio.create_task(resolve_async(manifest("catalog/a", "catalog/b"), host, host))
        while host.made != ["a"]:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        assert caught.value.__notes__ == [
            "instantiated before: catalog/a (made-a)",
            "catalog/b was being instantiated; it may have been made",
        ]

    asyncio.run(run())


def test_what_is_being_made_when_it_is_interrupted_is_noted_alone() -> None:
    with pytest.raises(KeyboardInterrupt) as caught:
        resolve(manifest("b"), FakeHost(agents={"gpt": "a1"}), Interrupted())
    assert caught.value.__notes__ == ["b was being instantiated; it may have been made"]


def test_an_interruption_before_anything_is_made_has_no_note() -> None:
    class Host:
        def find_pack(self, _: PackRef, /) -> Answer:
            raise KeyboardInterrupt

        def find_agent(self, _: str, /) -> Answer:
            return "a1"

    with pytest.raises(KeyboardInterrupt) as caught:
        resolve(manifest("b"), Host(), Interrupted())
    assert not hasattr(caught.value, "__notes__")


def test_many_questions_are_out_at_one_time_and_never_more() -> None:
    packs = [f"p{number}" for number in range(60)]
    host = AsyncFakeHost(packs={pack: pack for pack in packs}, agents={"gpt": "a"}, latency=0.001)
    asyncio.run(resolve_async(manifest(*packs), host, concurrency=7))
    assert host.most_at_once == 7


def test_threads_may_share_a_host() -> None:
    sweeps = [manifest(f"p{number}", f"p{number + 1}") for number in range(40)]
    packs = [ListedPack(f"id-{number}", slug=f"p{number}") for number in range(41)]
    workspace = Listing(packs=iter(packs), agents=iter([ListedAgent("a", name="gpt")]))
    with ThreadPoolExecutor(8) as pool:
        resolutions = list(pool.map(resolve, sweeps, repeat(workspace)))
    assert [resolution.manifest.packs for resolution in resolutions] == [
        (f"id-{number}", f"id-{number + 1}") for number in range(40)
    ]


class SlowPages:
    """Pages between which every other thread may run."""

    def __init__(self, *, fails: bool) -> None:
        self.fails = fails
        self.begun = 0

    def packs(self) -> Iterator[ListedPack]:
        self.begun += 1
        for number in range(50):
            time.sleep(0)
            yield ListedPack(f"id-{number}", slug=f"p{number}")
        if self.fails:
            raise TimeoutError("the last page")


@pytest.mark.parametrize("fails", [False, True], ids=["it answers", "it can't answer"])
def test_threads_that_resolve_one_manifest_at_one_time_get_the_same(*, fails: bool) -> None:
    count, pages = 16, SlowPages(fails=fails)
    text = json.dumps(manifest(*(f"p{number}" for number in range(50))).to_dict())
    sweep, barrier = loads(text, name="sweep.json"), Barrier(16)
    workspace = Listing(packs=pages.packs(), agents=[ListedAgent("a", name="gpt")])

    def work(_: int) -> str:
        barrier.wait()
        try:
            return json.dumps(resolve(sweep, workspace).to_dict())
        except ResolutionError as error:
            return str(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(count) as pool:
            results = list(pool.map(work, range(count)))
    finally:
        sys.setswitchinterval(interval)
    assert len(set(results)) == 1
    assert pages.begun == 1
    assert results[0].startswith("sweep.json:1:" if fails else '{"manifest":')


def test_another_version_than_the_one_that_was_asked_for_is_an_error() -> None:
    manifest = Manifest("n", packs=["support@1", "docs@2", "code"], agents=[Agent("gpt")])
    script: Script = {
        ("find_pack", "support@1"): Found("p7", version=2),
        ("find_pack", "docs@2"): Found("p8"),
        ("find_pack", "code"): Found("p9", version=3),
        ("find_agent", "gpt"): Found("a1"),
    }
    with pytest.raises(ResolutionError) as caught:
        resolve(manifest, FakeHost(script=script))
    [failure] = caught.value.failures
    assert (failure.ref, str(failure.exception)) == (
        "support@1", "version 2 was found where 1 was asked for"
    )  # fmt: skip
