"""Both fronts of resolution hand on every option, and are alike but for how they wait."""

import asyncio
import inspect
from typing import Any

import pytest

from evalset import Agent, Manifest, ManifestError, ResolutionError, resolve, resolve_async
from evalset.testing.hosts import AsyncFakeHost, FakeHost

MANIFEST = Manifest(
    "n", packs=["catalog/new", "fresh", "p"], agents=[Agent("x", label="y"), Agent("a")]
)
HOST: dict[str, Any] = {
    "packs": {"p": "p1"}, "agents": {"x": "a1", "a": "a2"}, "catalog": ["new", "fresh"],
}  # fmt: skip
LOST: dict[str, Any] = {"agents": {"x": "a1"}, "trouble": TimeoutError("30 s")}


def outcome(result: Any) -> Any:  # noqa: ANN401 (either front)
    return asyncio.run(result) if inspect.iscoroutine(result) else result


def told(call: Any, host: Any, **options: Any) -> object:  # noqa: ANN401 (either front)
    """Give all that comes of a front, and what the host was asked."""
    result: Any
    try:
        result = outcome(call(MANIFEST, host, host, **options))
    except ResolutionError as error:
        result = error
    return result.to_dict(), host.calls, host.made


@pytest.mark.parametrize("host", [HOST, LOST], ids=["all is there", "nobody answers"])
@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="none"),
        pytest.param({"dry_run": True}, id="a dry run"),
        pytest.param({"catalog_fallback": False}, id="no fallback to the catalog"),
        pytest.param({"key_by": "deployment"}, id="the other dialect"),
        pytest.param({"give_up_after": 1}, id="giving up early"),
    ],
)
def test_both_fronts_do_the_same_with_every_option(
    host: dict[str, Any], options: dict[str, Any]
) -> None:
    first = told(resolve, FakeHost(**host), **options)
    assert told(resolve_async, AsyncFakeHost(**host), concurrency=1, **options) == first


def test_options_make_a_difference() -> None:
    seen = [
        told(resolve_async, AsyncFakeHost(**HOST), **options)
        for options in ({}, {"dry_run": True}, {"catalog_fallback": False})
    ]
    assert seen[0] != seen[1] != seen[2] != seen[0]


def test_the_fronts_have_the_same_options() -> None:
    first, second = (dict(inspect.signature(each).parameters) for each in (resolve, resolve_async))
    assert second.pop("concurrency").default == 8
    assert [*first] == [*second]
    assert [each.default for each in first.values()] == [each.default for each in second.values()]


@pytest.mark.parametrize("call", [resolve, resolve_async])
def test_a_manifest_that_does_not_expand_under_the_dialect_is_not_asked_for(call: Any) -> None:  # noqa: ANN401
    twins = MANIFEST.replace(agents=[Agent("x", label="y"), Agent("x", label="z")])
    host = FakeHost(**HOST)
    with pytest.raises(ManifestError):
        outcome(call(twins, host, host, key_by="deployment"))
    assert host.calls == []
