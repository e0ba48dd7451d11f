"""Any text and any bytes give a manifest or a `ManifestError`, and findings that can be shown."""

import re
import unicodedata
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from tests.laws.attempts import attempt
from tests.laws.spoiling import mutated_texts

from evalset import CheckResult, Diagnostic, ManifestError, Span, check_text, loads
from evalset.sources import Format
from evalset.testing import BrokenManifest, broken_manifests

FORMATS: st.SearchStrategy[Format | None] = st.sampled_from([None, "yaml", "json"])
# Letters of which most short texts are wrong YAML.
SYNTAX = st.text(st.sampled_from("ab:- \n\t#'\"{}[],&*!|>?%@`~01.\\\r\x00\x85\u2028\ufeff\ud800"))
MARKS = st.sampled_from([b"", b"\xff\xfe", b"\xef\xbb\xbf", b"{"])


CODEPOINTS = st.text(st.characters(), max_size=30)  # lone surrogates too


@st.composite
def spoiled_bytes(draw: st.DrawFn) -> bytes:
    """Give bytes of which some are nearly UTF-8."""
    if draw(st.booleans()):
        return draw(MARKS) + draw(st.binary())
    text = draw(mutated_texts())
    if draw(st.integers(0, 9)) == 0:
        return text.encode("utf-16", "surrogatepass")
    raw = text.encode("utf-8", "surrogatepass")
    cut = draw(st.integers(0, len(raw)))
    return (
        draw(MARKS)
        + raw[:cut]
        + draw(st.sampled_from([b"", b"\xff", b"\x80", b"\xc3"]))
        + raw[cut:]
    )


def places(diagnostic: Diagnostic) -> Iterator[tuple[str, Span]]:
    """Give every message of a finding with its place."""
    assert diagnostic.span
    yield diagnostic.message, diagnostic.span
    if diagnostic.hint is not None:
        yield diagnostic.hint, diagnostic.span
    for related in diagnostic.related:
        assert related.span
        yield related.message, related.span


def position(text: str, offset: int) -> tuple[int, int]:
    """Give line and column by splitting the text before a place into lines."""
    lines = re.split("\r\n|\n|\r(?!\n)", text[:offset])
    return len(lines), len(lines[-1]) + 1


def is_plain(line: str) -> bool:
    """Tell whether a terminal shows a text on one line, as it is."""
    return not {"Cc", "Cs", "Zl", "Zp"} & set(map(unicodedata.category, line))


def hold(source: str | bytes, result: CheckResult) -> None:
    text = source if isinstance(source, str) else source.decode("utf-8-sig", "replace")
    text = text.removeprefix("\ufeff") if isinstance(source, str) else text
    for diagnostic in result.diagnostics:
        assert re.fullmatch(r"(/([^~/]|~[01])*)*", diagnostic.pointer, re.DOTALL)
        for message, span in places(diagnostic):
            assert is_plain(message)
            assert len(message) <= 300
            assert 0 <= span.offset <= span.end_offset <= len(text)
            assert (span.line, span.column) == position(text, span.offset)
            assert (span.end_line, span.end_column) == position(text, span.end_offset)
    assert [*result.diagnostics] == sorted(result.diagnostics, key=lambda each: each.sort_key)
    assert len(set(result.diagnostics)) == len(result.diagnostics)


def check_whole(source: str | bytes, format: Format | None) -> None:
    result = check_text(source, format=format)
    hold(source, result)
    outcome = attempt(lambda: loads(source, format=format))
    if isinstance(outcome, ManifestError):
        assert any(each.is_error for each in outcome.diagnostics)
        assert all(map(is_plain, str(outcome).split("\n")))
    else:
        assert result.manifest == outcome


@given(st.text() | SYNTAX | CODEPOINTS, FORMATS)
def test_any_text_is_safe(text: str, format: Format | None) -> None:
    check_whole(text, format)


@given(spoiled_bytes(), FORMATS)
def test_any_bytes_are_safe(data: bytes, format: Format | None) -> None:
    check_whole(data, format)


@given(mutated_texts(), FORMATS)
def test_any_mutation_of_a_good_text_is_safe(text: str, format: Format | None) -> None:
    check_whole(text, format)


@given(broken_manifests(), FORMATS)
def test_any_fault_is_safe_in_any_format(broken: BrokenManifest, format: Format | None) -> None:
    check_whole(broken.text, format)
