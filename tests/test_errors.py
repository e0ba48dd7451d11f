"""Diagnostics say what, where and how to mend it; the exceptions carry them to callers."""

import json
import pickle
import re
from typing import Any

import pytest

from evalset import (
    Code,
    Diagnostic,
    EvalsetError,
    ManifestError,
    Related,
    Severity,
    Span,
    check_data,
    check_text,
    loads,
)
from evalset.diagnostics import CODES

SPAN = Span(path="a.yaml", line=3, column=5, end_line=3, end_column=9, offset=20, end_offset=24)
FIRST = Span(path="a.yaml", line=2, column=5, end_line=2, end_column=9, offset=11, end_offset=15)
PLACED = Diagnostic(
    code="duplicate-pack",
    message='the pack "p" stands twice',
    pointer="/packs/1",
    span=SPAN,
    related=(Related(message="the first of the two", pointer="/packs/0", span=FIRST),),
    hint="remove one of the two",
)
UNPLACED = Diagnostic(code="blank-text", message="name is blank", pointer="/name")
WARNING = Diagnostic(code="zero-budget", message="a budget of 0", pointer="/limits/budget_usd")
BARE = Diagnostic(code="wrong-type", message="the manifest is a list")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(SPAN, "a.yaml:3:5", id="a span"),
        pytest.param(PLACED.related[0], "a.yaml:2:5: the first of the two", id="a related place"),
        pytest.param(
            Related(message="m", pointer="/packs/0"), "/packs/0: m", id="a related pointer"
        ),
        pytest.param(Related(message="m", pointer=""), "the document: m", id="the whole document"),
        pytest.param(
            PLACED,
            'a.yaml:3:5: error[duplicate-pack] the pack "p" stands twice',
            id="an error with a place",
        ),
        pytest.param(UNPLACED, "error[blank-text] /name: name is blank", id="an error in data"),
        pytest.param(
            WARNING, "warning[zero-budget] /limits/budget_usd: a budget of 0", id="a warning"
        ),
        pytest.param(BARE, "error[wrong-type] the manifest is a list", id="of the whole data"),
    ],
)
def test_a_finding_is_one_line(value: object, text: str) -> None:
    assert str(value) == text


def test_a_diagnostic_is_plain_data_in_a_fixed_order() -> None:
    assert json.dumps(PLACED.to_dict()) == json.dumps(
        {
            "code": "duplicate-pack",
            "severity": "error",
            "message": 'the pack "p" stands twice',
            "pointer": "/packs/1",
            "span": {
                "path": "a.yaml",
                "line": 3,
                "column": 5,
                "end_line": 3,
                "end_column": 9,
                "offset": 20,
                "end_offset": 24,
            },
            "related": [
                {
                    "message": "the first of the two",
                    "pointer": "/packs/0",
                    "span": {
                        "path": "a.yaml",
                        "line": 2,
                        "column": 5,
                        "end_line": 2,
                        "end_column": 9,
                        "offset": 11,
                        "end_offset": 15,
                    },
                }
            ],
            "hint": "remove one of the two",
            "fix": None,
        }
    )
    assert UNPLACED.to_dict() == {
        "code": "blank-text",
        "severity": "error",
        "message": "name is blank",
        "pointer": "/name",
        "span": None,
        "related": [],
        "hint": None,
        "fix": None,
    }
    assert Related(message="m", pointer="/p").to_dict() == {
        "message": "m",
        "pointer": "/p",
        "span": None,
    }


def test_the_severity_is_the_catalogue_s_unless_it_was_raised() -> None:
    assert (UNPLACED.severity, UNPLACED.is_error) == (Severity.ERROR, True)
    assert (WARNING.severity, WARNING.is_error) == (Severity.WARNING, False)
    raised = Diagnostic(code="zero-budget", message="m", severity=Severity.ERROR)
    assert raised.is_error
    assert str(raised) == "error[zero-budget] m"


def test_a_code_outside_the_catalogue_is_misuse() -> None:
    with pytest.raises(ValueError, match="no-such-code"):
        Diagnostic(code="no-such-code", message="m")


def test_diagnostics_sort_by_place_then_pointer_then_code() -> None:
    earlier = Diagnostic(code="wrong-type", message="m", pointer="/z", span=FIRST)
    ordered = [BARE, WARNING, UNPLACED, earlier, PLACED]
    assert sorted([PLACED, UNPLACED, earlier, WARNING, BARE], key=lambda d: d.sort_key) == ordered


def test_every_code_is_kebab_case_and_has_a_summary() -> None:
    for name, code in CODES.items():
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name)
        assert code == Code(name=name, severity=code.severity, summary=code.summary)
        assert code.summary[0].isupper()
        assert not code.summary.endswith(".")


def test_no_code_was_renamed_or_taken_out() -> None:
    warnings = {name for name, code in CODES.items() if code.severity is Severity.WARNING}
    assert warnings >= {
        "kept-key", "large-seed", "similar-labels", "unknown-scanner", "yaml11-text", "zero-budget",
    }  # fmt: skip
    assert set(CODES) - warnings >= {
        "ambiguous-key", "bad-merge", "blank-text", "boolean-form", "duplicate-agent",
        "duplicate-key", "duplicate-model", "duplicate-pack", "duplicate-seed", "empty-document",
        "empty-list", "extension-not-json", "forbidden-character", "foreign-tag", "json-syntax",
        "key-not-text", "missing-key", "missing-seeds", "more-findings", "not-an-integer",
        "not-finite", "not-utf8", "null-value", "number-form", "number-quoted", "out-of-range",
        "pointer-not-found", "recursive-alias", "seeds-count", "seeds-without-explicit",
        "several-documents", "text-not-quoted", "too-deep", "too-large", "too-many-combinations",
        "too-many-items", "too-many-nodes", "undefined-alias", "unknown-key", "unknown-strategy",
        "unsupported-version", "wrong-schema", "wrong-type", "yaml-directive", "yaml-syntax",
    }  # fmt: skip


def test_an_error_of_a_manifest_is_a_value_error_with_every_diagnostic() -> None:
    error = ManifestError(iter([PLACED, WARNING]))
    assert isinstance(error, EvalsetError)
    assert isinstance(error, ValueError)
    assert error.diagnostics == (PLACED, WARNING)
    assert repr(error) == f"ManifestError({(PLACED, WARNING)!r})"


@pytest.mark.parametrize("count", [1, 9, 10])
def test_up_to_ten_diagnostics_are_shown(count: int) -> None:
    assert str(ManifestError([UNPLACED] * count)) == "\n".join([str(UNPLACED)] * count)


@pytest.mark.parametrize("more", [1, 190])
def test_ten_diagnostics_are_shown_and_the_rest_is_counted(more: int) -> None:
    lines = str(ManifestError([UNPLACED] * (10 + more))).split("\n")
    assert lines == [*([str(UNPLACED)] * 10), f"and {more} more"]


def test_a_manifest_error_is_the_body_of_an_http_answer() -> None:
    error = ManifestError([WARNING, PLACED, UNPLACED])
    assert json.dumps(error.to_dict()) == json.dumps(
        {
            "type": "urn:evalset:problem:invalid-manifest",
            "title": "The manifest is not valid",
            "status": 422,
            "detail": '2 errors; the first: the pack "p" stands twice',
            "diagnostics": [each.to_dict() for each in (WARNING, PLACED, UNPLACED)],
        }
    )
    assert ManifestError([UNPLACED]).to_dict()["detail"] == "1 error; the first: name is blank"


def test_any_error_is_the_body_of_an_http_answer() -> None:
    assert EvalsetError("no").to_dict() == {
        "type": "urn:evalset:problem:error",
        "title": "evalset error",
        "status": 500,
        "detail": "no",
    }


@pytest.mark.parametrize(
    "diagnostics", [pytest.param([], id="none"), pytest.param([WARNING], id="warnings alone")]
)
def test_a_manifest_error_without_an_error_is_misuse(diagnostics: list[Diagnostic]) -> None:
    with pytest.raises(ValueError, match="at least one"):
        ManifestError(diagnostics).to_dict()


def test_manifest_errors_are_equal_by_their_diagnostics() -> None:
    error = ManifestError([PLACED])
    assert error == ManifestError((PLACED,))
    assert hash(error) == hash(ManifestError((PLACED,)))
    assert error != ManifestError([UNPLACED])
    assert error != PLACED


def test_an_error_keeps_its_notes_when_it_is_pickled() -> None:
    error = ManifestError([PLACED])
    error.add_note("while reading the nightly sweep")
    copied = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own bytes)
    assert (copied, copied.__notes__) == (error, ["while reading the nightly sweep"])


@pytest.mark.parametrize(
    "text", ['{"\\ud800": 1}', '{"x-\\udfff": {"a": "\\ud800"}}', '{"seeds": {"\\ud800/": 1}}']
)
def test_what_is_said_of_half_a_surrogate_can_be_sent(text: str) -> None:
    for result in (check_text(text), check_data(json.loads(text))):
        for diagnostic in result.diagnostics:
            data = diagnostic.to_dict()
            assert json.loads(json.dumps(data, ensure_ascii=False).encode()) == data


def test_messages_never_hold_what_a_terminal_obeys() -> None:
    unsafe = "\\u001b[31m\\u202e\\u2028\\u0007"
    text = (
        f'{{"schema": "{unsafe}", "name": "{unsafe}", "packs": "{unsafe}", "{unsafe}": 1, '
        f'"seeds": {{"strategy": "{unsafe}"}}, "repeats": "{unsafe}"}}'
    )
    with pytest.raises(ManifestError) as caught:
        loads(text, format="json")
    shown: list[Any] = [
        text for each in caught.value.diagnostics for text in (str(each), each.hint or "")
    ]
    assert len(caught.value.diagnostics) >= 5
    assert [text for text in shown if re.search("[\x00-\x1f\x7f\u2028\u202e]", text)] == []
