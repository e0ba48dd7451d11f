"""What a host may answer, and what it means."""

import pickle

import pytest

from evalset.hosts import Ambiguous, Found, NotFound, UnavailableError, retry_after_of, understand


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        pytest.param("p1", Found("p1"), id="an id"),
        pytest.param(None, NotFound(), id="none"),
        pytest.param(Found("p1", version=3), Found("p1", version=3), id="found"),
        pytest.param(NotFound(["a"]), NotFound(("a",)), id="not found"),
        pytest.param(Ambiguous(["a", "b"]), Ambiguous(("a", "b")), id="ambiguous"),
    ],
)
def test_an_answer_is_an_outcome(answer: object, outcome: object) -> None:
    assert understand(answer) == outcome
    assert hash(understand(answer)) == hash(outcome)
    assert pickle.loads(pickle.dumps(outcome)) == outcome  # noqa: S301


@pytest.mark.parametrize("answer", [True, 5, {"id": "p1"}, ["p1"], b"p1"])
def test_anything_else_is_no_answer(answer: object) -> None:
    with pytest.raises(TypeError, match=f"a host answered with {type(answer).__name__}; an answer"):
        understand(answer)


@pytest.mark.parametrize("text", ["", " ", " p1", "p\n1", "p\ud800", 5, None])
def test_an_id_is_text_that_a_manifest_may_hold(text: str) -> None:
    with pytest.raises(ValueError, match="no text that a manifest may hold"):
        Found(text)


@pytest.mark.parametrize("version", ["3", 3.0, True])
def test_a_version_is_a_whole_number(version: int) -> None:
    with pytest.raises(ValueError, match="no whole number"):
        Found("p1", version=version)


@pytest.mark.parametrize("names", ["gpt", {"gpt"}, [1], None])
def test_names_are_a_list_of_text(names: tuple[str, ...]) -> None:
    with pytest.raises(TypeError, match="a list or tuple of str"):
        NotFound(names)
    with pytest.raises(TypeError, match="a list or tuple of str"):
        Ambiguous(names)


class WaitError(Exception):
    def __init__(self, retry_after: object) -> None:
        self.retry_after = retry_after


@pytest.mark.parametrize(
    ("wait", "seconds"),
    [(0, 0.0), (30, 30.0), (1.5, 1.5), (None, None), ("30", None), (True, None), (-1, None),
     (float("nan"), None), (float("inf"), None)],
)  # fmt: skip
def test_the_time_to_wait_is_taken_from_any_exception(wait: object, seconds: float | None) -> None:
    assert retry_after_of(WaitError(wait)) == seconds


def test_an_exception_without_a_time_has_none() -> None:
    assert retry_after_of(TimeoutError()) is None


def test_what_is_unavailable_says_when_to_ask_again() -> None:
    error = pickle.loads(pickle.dumps(UnavailableError("busy", retry_after=3)))  # noqa: S301
    assert (str(error), retry_after_of(error)) == ("busy", 3.0)
