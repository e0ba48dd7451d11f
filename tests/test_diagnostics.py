"""Diagnostics: exact output in tests/golden/diagnostics, and what one finding can do.

Each golden file holds what `check_text` says of the input beside it: every diagnostic, its
hint and its related places. EVALSET_UPDATE_GOLDEN=1 writes them anew; the difference is then
for a person to read.
"""

import copy
import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from tests.codes import OF_REFERENCES

from evalset import Code, Diagnostic, Related, Severity, Span, check_text
from evalset.diagnostics import CODES
from evalset.quoting import printable, quote
from evalset.sources import Format

GOLDEN = Path(__file__).parent / "golden" / "diagnostics"
INPUTS = sorted(path.name for path in GOLDEN.iterdir() if path.suffix != ".txt")

# How a text is read, where it is not read in the plain way.
OPTIONS: dict[str, dict[str, Any]] = {
    "at-in-a-body.json": {"at": "/manifest"},
    "at-in-a-body.yaml": {"at": "/spec/manifests/0"},
    "at-nothing.json": {"at": "/manifest"},
    "at-wrong-kind.yaml": {"at": "/manifest"},
    "cap-of-the-caller.yaml": {"max_combinations": 10},
    "collisions-by-deployment.yaml": {"key_by": "deployment"},
    "kept-keys.yaml": {"unknown": "keep"},
    "pinned.yaml": {"pinned": True},
    "raised-and-ignored.yaml": {
        "error": ["looks-like-file", "zero-budget", "unknown-key"],
        "ignore": ["unknown-scanner", "zero-budget"],
    },
}

# These need a text that is too large to be looked at.
NOT_IN_GOLDEN = {"more-findings", "too-large", "too-many-items", "too-many-nodes"}


def _check(name: str) -> tuple[Diagnostic, ...]:
    data = (GOLDEN / name).read_bytes()
    format: Format = "json" if name.endswith(".json") else "yaml"
    return check_text(data, name=name, format=format, **OPTIONS.get(name, {})).diagnostics


def _shown(diagnostics: tuple[Diagnostic, ...]) -> str:
    lines: list[str] = []
    for diagnostic in diagnostics:
        lines.append(str(diagnostic))
        if diagnostic.hint:
            lines.append(f"    hint: {diagnostic.hint}")
        lines += [f"    related: {related}" for related in diagnostic.related]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", INPUTS)
def test_the_diagnostics_of_a_text_are_these(name: str) -> None:
    expected = GOLDEN / f"{name}.txt"
    shown = _shown(_check(name))
    if os.environ.get("EVALSET_UPDATE_GOLDEN") == "1":
        expected.write_text(shown, encoding="utf-8", newline="\n")
    assert shown == expected.read_text(encoding="utf-8")


def test_every_golden_file_belongs_to_an_input() -> None:
    outputs = {path.name.removesuffix(".txt") for path in GOLDEN.glob("*.txt")}
    assert outputs == set(INPUTS)
    assert set(OPTIONS) <= set(INPUTS)


def test_the_golden_files_show_every_code() -> None:
    shown = {diagnostic.code for name in INPUTS for diagnostic in _check(name)}
    assert shown == CODES.keys() - NOT_IN_GOLDEN - OF_REFERENCES


def test_twelve_faults_are_twelve_diagnostics_each_at_its_line() -> None:
    lines = (GOLDEN / "twelve-faults.yaml").read_text(encoding="utf-8").splitlines()
    faulty = [number for number, line in enumerate(lines, 1) if line[-1:].isdigit() and "#" in line]
    spans = [diagnostic.span for diagnostic in _check("twelve-faults.yaml")]
    assert len(faulty) == 12
    assert [span and span.line for span in spans] == faulty


def test_no_message_or_hint_of_the_golden_files_is_long_or_ends_in_a_full_stop() -> None:
    for name in INPUTS:
        for diagnostic in _check(name):
            for text in (diagnostic.message, diagnostic.hint, *map(str, diagnostic.related)):
                assert text is None or (0 < len(text) < 300)
                assert text is None or text[-3:] == "..." or text[-1] != "."
                assert text is None or printable(text[:40]) == text[:40]


def test_every_span_lies_inside_its_text_and_agrees_with_its_offsets() -> None:
    for name in INPUTS:
        text = (GOLDEN / name).read_bytes().decode("utf-8-sig", "replace")
        starts = [0, *(at + 1 for at, each in enumerate(text) if _ends_a_line(text, at, each))]
        for diagnostic in _check(name):
            for span in (diagnostic.span, *(related.span for related in diagnostic.related)):
                assert span is not None
                assert 0 <= span.offset <= span.end_offset <= len(text)
                assert starts[span.line - 1] + span.column - 1 == span.offset
                assert starts[span.end_line - 1] + span.end_column - 1 == span.end_offset


def _ends_a_line(text: str, at: int, each: str) -> bool:
    return each == "\n" or (each == "\r" and text[at + 1 : at + 2] != "\n")


SPAN = Span(path="a.yaml", line=2, column=7, end_line=2, end_column=8, offset=25, end_offset=26)
FINDING = Diagnostic(
    code="duplicate-pack",
    message="the pack stands twice",
    pointer="/packs/1",
    span=SPAN,
    related=(Related(message="the first", pointer="/packs/0"),),
    hint="remove one",
)


@pytest.mark.parametrize(
    ("diagnostic", "shown"),
    [
        pytest.param(
            FINDING, "a.yaml:2:7: error[duplicate-pack] the pack stands twice", id="with a place"
        ),
        pytest.param(
            Diagnostic(code="blank-text", message="it is blank", pointer="/name"),
            "error[blank-text] /name: it is blank",
            id="with a pointer only",
        ),
        pytest.param(
            Diagnostic(code="empty-document", message="there is nothing"),
            "error[empty-document] there is nothing",
            id="with no place",
        ),
        pytest.param(
            Diagnostic(code="zero-budget", message="it is 0", span=SPAN),
            "a.yaml:2:7: warning[zero-budget] it is 0",
            id="a warning",
        ),
        pytest.param(
            Diagnostic(code="zero-budget", message="it is 0", severity=Severity.ERROR),
            "error[zero-budget] it is 0",
            id="a warning that the caller raised",
        ),
    ],
)
def test_a_diagnostic_is_shown_on_one_line(diagnostic: Diagnostic, shown: str) -> None:
    assert str(diagnostic) == shown


@pytest.mark.parametrize(
    ("related", "shown"),
    [
        pytest.param(
            Related(message="here", pointer="/a", span=SPAN), "a.yaml:2:7: here", id="a place"
        ),
        pytest.param(Related(message="here", pointer="/a"), "/a: here", id="a pointer"),
        pytest.param(Related(message="here", pointer=""), "the document: here", id="the whole"),
    ],
)
def test_a_related_place_is_shown_on_one_line(related: Related, shown: str) -> None:
    assert str(related) == shown


def test_a_diagnostic_as_plain_data_has_its_fields_in_order() -> None:
    span = {
        "path": "a.yaml",
        "line": 2,
        "column": 7,
        "end_line": 2,
        "end_column": 8,
        "offset": 25,
        "end_offset": 26,
    }
    plain = {
        "code": "duplicate-pack",
        "severity": "error",
        "message": "the pack stands twice",
        "pointer": "/packs/1",
        "span": span,
        "related": [{"message": "the first", "pointer": "/packs/0", "span": None}],
        "hint": "remove one",
        "fix": None,
    }
    assert FINDING.to_dict() == plain
    assert list(FINDING.to_dict()) == list(plain)
    assert list(SPAN.to_dict()) == list(span)
    assert type(FINDING.to_dict()["severity"]) is str
    assert Related(message="m", pointer="", span=SPAN).to_dict()["span"] == span


def test_diagnostics_are_values() -> None:
    assert pickle.loads(pickle.dumps(FINDING)) == FINDING  # noqa: S301 (our own bytes)
    assert copy.deepcopy(FINDING) == FINDING
    assert len({FINDING, copy.copy(FINDING)}) == 1


def test_diagnostics_sort_by_offset_pointer_code_and_message() -> None:
    def at(offset: int, pointer: str, code: str, message: str) -> Diagnostic:
        span = Span(
            path="p", line=1, column=1, end_line=1, end_column=1, offset=offset, end_offset=offset
        )
        return Diagnostic(code=code, message=message, pointer=pointer, span=span)

    ordered = [
        Diagnostic(code="wrong-type", message="z", pointer="/z"),
        at(0, "/z", "wrong-type", "z"),
        at(9, "/a", "wrong-type", "z"),
        at(9, "/b", "blank-text", "z"),
        at(9, "/b", "wrong-type", "a"),
        at(9, "/b", "wrong-type", "b"),
        at(10, "/a", "blank-text", "a"),
    ]
    shuffled = [ordered[place] for place in (4, 1, 6, 0, 5, 3, 2)]
    assert sorted(shuffled, key=lambda each: each.sort_key) == ordered


def test_a_code_of_the_catalogue_names_itself() -> None:
    for name, code in CODES.items():
        assert code == Code(name=name, severity=code.severity, summary=code.summary)
        assert name == name.lower().replace("_", "-")
        assert Diagnostic(code=name, message="m").is_error is (code.severity is Severity.ERROR)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("夜間 🚀 é", "夜間 🚀 é", id="what can be read"),
        pytest.param("a\nb\tc\rd", r"a\nb\tc\rd", id="white space"),
        pytest.param("\0\x1b[0m\x7f\x85", r"\u0000\u001b[0m\u007f\u0085", id="controls"),
        pytest.param("\u202eevil\u2066\u200b", r"\u202eevil\u2066\u200b", id="invisible"),
        pytest.param("\ud800\udfff", r"\ud800\udfff", id="lone surrogates"),
        pytest.param("\ufeff\ufffe\uffff\ufdd0", r"\ufeff\ufffe\uffff\ufdd0", id="noncharacters"),
        pytest.param("\U000e0041", r"\U000e0041", id="tags"),
        pytest.param("x" * 40, "x" * 40, id="40 characters"),
        pytest.param("a" * 30 + "b" * 30, "a" * 20 + "…" + "b" * 19, id="over 40 characters"),
        pytest.param("\0" * 13, r"\u0000" * 13, id="escapes in 80 characters"),
        pytest.param("\0" * 40, r"\u0000" * 4 + "…" + r"\u0000" * 3, id="escapes of more"),
        pytest.param("\U000e0041" * 41, r"\U000e0041" * 4 + "…" + r"\U000e0041" * 3, id="longest"),
    ],
)
def test_text_of_the_writer_is_shown_safely_and_shortly(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert quote(text) == f'"{shown}"'
    assert len(shown) <= 80


def test_a_code_that_the_catalogue_does_not_have_is_misuse() -> None:
    match = r"^'typo' is no code of the catalogue$"
    with pytest.raises(ValueError, match=match):
        Diagnostic(code="typo", message="m")
    with pytest.raises(ValueError, match=match):
        Diagnostic(code="typo", message="m", severity=Severity.ERROR)
