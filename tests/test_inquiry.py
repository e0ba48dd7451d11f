"""The policy can be driven by anybody: here by a pool of threads, and by hand."""

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

import pytest

from evalset import Agent, Manifest, Resolution, ResolutionError, resolve
from evalset.hosts import Found, NotFound, Outcome, understand
from evalset.inquiry import Failed, Inquiry, Question
from evalset.testing.hosts import FakeHost

SWEEP = Manifest(
    "n",
    packs=[*(f"p{number}" for number in range(20)), "catalog/a", "catalog/b"],
    agents=[Agent("gpt"), Agent("claude")],
)


def world() -> FakeHost:
    packs = {pack: f"id-{pack}" for pack in SWEEP.packs[:-2]}
    return FakeHost(packs=packs, agents={"gpt": "a1", "claude": "a2"}, catalog="ab")


def resolve_with_threads(manifest: Manifest, host: FakeHost) -> Resolution:
    inquiry = Inquiry(manifest, has_catalog=True)
    out: dict[Future[Outcome | Failed], Question] = {}

    def ask(question: Question) -> Outcome | Failed:
        try:
            return understand(getattr(host, question.asking)(question.subject))
        except Exception as error:  # noqa: BLE001 (it could not look)
            return Failed(error)

    with ThreadPoolExecutor(4) as pool:
        while True:
            while question := inquiry.next():
                out[pool.submit(ask, question)] = question
            if not out:
                return inquiry.result()
            for answered in wait(out, return_when=FIRST_COMPLETED).done:
                inquiry.take(out.pop(answered), answered.result())


def test_a_driver_with_threads_gives_what_resolve_gives() -> None:
    host, other = world(), world()
    assert resolve_with_threads(SWEEP, host) == resolve(SWEEP, other, other)
    assert host.made == other.made == ["a", "b"]


def test_nothing_is_asked_after_a_stop_and_what_was_asked_is_taken() -> None:
    inquiry = Inquiry(Manifest("n", packs=["p", "q"], agents=[Agent("gpt")]), has_catalog=True)
    first = inquiry.next()
    assert first
    over = [inquiry.is_over]
    inquiry.stop()
    more = [inquiry.next()]
    inquiry.take(first, Found("id-p"))
    more.append(inquiry.next())
    assert [*over, inquiry.is_over] == [False, True]
    assert more == [None, None]
    with pytest.raises(ResolutionError) as caught:
        inquiry.result()
    assert [failure.ref for failure in caught.value.failures] == ["q", "gpt"]
    assert caught.value.could_not_look


def test_what_is_being_made_is_told_until_it_is_answered() -> None:
    inquiry = Inquiry(
        Manifest("n", packs=["catalog/p", "q"], agents=[Agent("a" * 32)]), has_catalog=True
    )
    making: list[str | None] = []
    while (question := inquiry.next()) and question.asking != "instantiate":
        making.append(inquiry.making)
        inquiry.take(question, NotFound())
    assert question
    making.append(inquiry.making)
    inquiry.stop()
    inquiry.take(question, Found("id-p"))
    assert [*making, inquiry.making] == [None, None, "catalog/p", None]
    assert [made.ref for made in inquiry.instantiated] == ["catalog/p"]
    assert inquiry.next() is None
