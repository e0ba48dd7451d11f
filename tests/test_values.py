"""Every value of the public face is compared by value, hashable, picklable, copyable, frozen."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from evalset import (
    Agent,
    CheckResult,
    Code,
    Combination,
    Diagnostic,
    EvalsetError,
    Expansion,
    Extensions,
    Group,
    Limits,
    Manifest,
    ManifestError,
    ReadLimits,
    Related,
    Seeds,
    Severity,
    Span,
    check_text,
    expand,
    loads,
)

TEXT = """\
schema: evalset/v1
name: nightly
packs: [p, p x]
agents:
  - {deployment: a, label: b, x-a: [1, {c: null}]}
  - {deployment: c d}
models: [m]
repeats: 2
seeds: {strategy: explicit, seeds: [3, 1], x-s: 1}
limits: {max_concurrent_runs: 4, budget_usd: 1.5, x-l: 1}
case_fanout: true
scanners: [tool-misuse]
x-top: {a: [true, 1.0]}
"""


def _span(line: int = 1) -> Span:
    return Span(path="a", line=line, column=1, end_line=line, end_column=2, offset=0, end_offset=1)


def _diagnostic(hint: str = "h") -> Diagnostic:
    related = (Related(message="m", pointer="/packs/0", span=_span()),)
    return Diagnostic(code="duplicate-pack", message="m", span=_span(2), related=related, hint=hint)


def _looked_up() -> Expansion:
    expansion = expand(loads(TEXT))
    assert expansion["p/b/m/1"].id in expansion  # so what is built on demand is there
    return expansion


# How to make a value, and how to make another of its type.
VALUES: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "Manifest": (lambda: loads(TEXT), lambda: loads(TEXT.replace("nightly", "weekly"))),
    "a kept Manifest": (
        lambda: loads(TEXT.replace("x-top", "top"), unknown="keep"),
        lambda: loads(TEXT),
    ),
    "Agent": (lambda: Agent("a", label="b"), lambda: Agent("a")),
    "Seeds": (lambda: Seeds("explicit", seeds=[2, 1]), lambda: Seeds("explicit", seeds=[1, 2])),
    "Limits": (lambda: Limits(budget_usd=1.5), lambda: Limits(max_concurrent_runs=1)),
    "Extensions": (lambda: Extensions({"x-a": [1]}), lambda: Extensions({"x-a": [True]})),
    "Expansion": (lambda: expand(loads(TEXT)), lambda: expand(loads(TEXT), key_by="deployment")),
    "an Expansion in use": (_looked_up, lambda: expand(loads(TEXT).replace(name="other"))),
    "a slice": (lambda: expand(loads(TEXT))[1:5:2], lambda: expand(loads(TEXT))[1:6:2]),
    "Combination": (lambda: expand(loads(TEXT))[0], lambda: expand(loads(TEXT))[1]),
    "Group": (lambda: expand(loads(TEXT))[0].group, lambda: expand(loads(TEXT))[2].group),
    "Diagnostic": (_diagnostic, lambda: _diagnostic("other")),
    "Span": (_span, lambda: _span(2)),
    "Related": (
        lambda: Related(message="m", pointer="/a"),
        lambda: Related(message="m", pointer="/a", span=_span()),
    ),
    "Code": (
        lambda: Code(name="a", severity=Severity.ERROR, summary="A"),
        lambda: Code(name="a", severity=Severity.WARNING, summary="A"),
    ),
    "ReadLimits": (lambda: ReadLimits(size=10), ReadLimits),
    "CheckResult": (lambda: check_text(TEXT), lambda: check_text("{}")),
    "ManifestError": (
        lambda: ManifestError([_diagnostic()]),
        lambda: ManifestError([_diagnostic("other")]),
    ),
    "Severity": (lambda: Severity("error"), lambda: Severity("warning")),
}
FIELDS = {
    "Manifest": "name",
    "Agent": "deployment",
    "Seeds": "strategy",
    "Limits": "budget_usd",
    "Extensions": "is_kept",
    "Expansion": "manifest",
    "a slice": "key_by",
    "Combination": "matrix_key",
    "Group": "pack",
    "Diagnostic": "code",
    "Span": "line",
    "Related": "pointer",
    "Code": "name",
    "ReadLimits": "size",
    "CheckResult": "manifest",
    "Severity": "value",
}

each_value = pytest.mark.parametrize(
    ("make", "make_other"), [pytest.param(*makers, id=name) for name, makers in VALUES.items()]
)


@each_value
def test_values_are_compared_by_value(
    make: Callable[[], object], make_other: Callable[[], object]
) -> None:
    one, same, other = make(), make(), make_other()
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert {one, same, other} == {other, one}
    assert len({one, same, other}) == 2
    for stranger in (None, 1, (), object()):
        assert one != stranger


@each_value
def test_copies_are_equal(make: Callable[[], object], make_other: Callable[[], object]) -> None:
    value = make()
    pickled = [
        pickle.loads(pickle.dumps(value, protocol))  # noqa: S301 (our own bytes)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    ]
    for copied in [copy.copy(value), copy.deepcopy(value), *pickled]:
        assert (type(copied), copied, hash(copied)) == (type(value), value, hash(value))
        assert (repr(copied), str(copied)) == (repr(value), str(value))
        assert copied != make_other()


@each_value
def test_a_repr_is_the_same_for_equal_values_and_names_the_type(
    make: Callable[[], object], make_other: Callable[[], object]
) -> None:
    value = make()
    assert repr(value) == repr(make())
    assert type(value).__name__ in repr(value)
    if not isinstance(value, (Expansion, Code)):
        assert repr(value) != repr(make_other())
    assert " at 0x" not in repr(value)


@pytest.mark.parametrize(
    ("make", "field"), [pytest.param(VALUES[name][0], FIELDS[name], id=name) for name in FIELDS]
)
def test_no_attribute_can_be_set_or_deleted(make: Callable[[], Any], field: str) -> None:
    value = make()
    before = getattr(value, field)
    with pytest.raises(AttributeError):
        setattr(value, field, before)
    with pytest.raises(AttributeError):
        delattr(value, field)
    assert getattr(value, field) == before == getattr(make(), field)
    if not isinstance(value, Severity):  # an enum lets attributes be added, as all do
        with pytest.raises(AttributeError):
            value.another = 1


def test_what_was_copied_still_works() -> None:
    expansion = _looked_up()
    for copied in (
        copy.copy(expansion),
        copy.deepcopy(expansion),
        pickle.loads(pickle.dumps(expansion)),  # noqa: S301 (our own bytes)
    ):
        assert list(copied) == list(expansion)
        assert copied.to_json() == expansion.to_json()
        assert copied[expansion[3].id] == expansion[3]
    manifest = loads(TEXT)
    assert copy.deepcopy(manifest).replace(repeats=1, seeds=Seeds()).count == 4


def test_a_combination_is_its_content_not_its_expansion() -> None:
    first = expand(loads(TEXT))[0]
    assert isinstance(first, Combination)
    assert first == expand(loads(TEXT.replace("nightly", "weekly")))[0]
    assert first != attrs.evolve(first, index=1)
    assert first.group == Group("p", agent=first.agent, model="m")


def test_the_base_error_is_an_exception_like_any_other() -> None:
    error = EvalsetError("what went wrong")
    for copied in (copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))):  # noqa: S301
        assert (type(copied), copied.args, str(copied)) == (
            EvalsetError,
            ("what went wrong",),
            "what went wrong",
        )


@pytest.mark.parametrize(
    "limits",
    [{"size": 0}, {"yaml_size": 0}, {"depth": 0}, {"depth": 65}, {"nodes": 0}, {"nodes": -1}],
    ids=str,
)
def test_limits_of_reading_are_held_to_their_range(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(limits))):
        ReadLimits(**limits)


@pytest.mark.parametrize("value", [1.5, 10.0, True, "10", None])
@pytest.mark.parametrize("limit", ["size", "yaml_size", "depth", "nodes"])
def test_limits_of_reading_are_whole_numbers(limit: str, value: object) -> None:
    limits: dict[str, Any] = {limit: value}
    with pytest.raises((TypeError, ValueError)):
        ReadLimits(**limits)


def test_a_result_is_ok_without_errors() -> None:
    manifest = loads(TEXT)
    warning = Diagnostic(code="zero-budget", message="m")
    assert CheckResult(manifest=manifest, diagnostics=()).ok
    assert CheckResult(manifest=manifest, diagnostics=(warning,)).ok
    assert not CheckResult(manifest=None, diagnostics=(warning, _diagnostic())).ok
    assert isinstance(check_text(TEXT).manifest, Manifest)
