"""Fixing: what is fixed is gone, no error comes, nothing else changes, and once is enough."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.laws.servers import Refused, as_servers_read
from tests.laws.spoiling import spoiled_data

from evalset import CheckResult, Diagnostic, check_text
from evalset.fixing import fix
from evalset.sources import Format
from evalset.testing import (
    BrokenManifest,
    ManifestText,
    broken_manifests,
    documents,
    manifest_texts,
)

# Findings of these codes often have a fix.
FIXABLE = (
    "blank-text", "boolean-form", "json-syntax", "number-form", "number-quoted",
    "text-not-quoted", "unknown-key", "unknown-scanner", "unknown-strategy", "wrong-schema",
    "wrong-type", "yaml11-text",
)  # fmt: skip
SYNTAX = {"json-syntax", "yaml-syntax"}


def _broken(code: str) -> st.SearchStrategy[BrokenManifest]:
    return broken_manifests(code=code)


def hold(text: str, format: Format, *, unsafe: bool) -> None:
    """Check what holds of each text that is mended."""
    check = partial(check_text, format=format)
    before = check(text)
    mended = fix(text, check=check, unsafe=unsafe)
    after = mended.result
    assert after == check(mended.text)
    again = fix(mended.text, check=check, unsafe=unsafe)
    assert (again.text, again.fixed) == (mended.text, ())
    assert mended.text.startswith("\ufeff") == text.startswith("\ufeff")
    assert all(unsafe or (found.fix and found.fix.is_safe) for found in mended.fixed)
    if not mended.fixed:
        assert mended.text == text
    if before.manifest and not unsafe:  # warnings alone have been fixed
        assert after.manifest == before.manifest
    if not SYNTAX & codes(before).keys():
        assert not SYNTAX & codes(after).keys()
        assert errors(after) <= errors(before)
        assert told(mended.fixed).isdisjoint(told(after.diagnostics))


def codes(result: CheckResult) -> Counter[str]:
    """Count the findings of each code."""
    return Counter(found.code for found in result.diagnostics)


def told(found: Iterable[Diagnostic]) -> set[tuple[str, str, str]]:
    """Give what is said of which value."""
    return {(each.code, each.pointer, each.message) for each in found}


def errors(result: CheckResult) -> Counter[str]:
    """Count the errors of each code."""
    return Counter(found.code for found in result.diagnostics if found.is_error)


@given(broken=st.sampled_from(FIXABLE).flatmap(_broken), unsafe=st.booleans())
def test_a_fault_that_can_be_fixed_is_gone_then(broken: BrokenManifest, *, unsafe: bool) -> None:
    assert isinstance(broken.text, str)
    hold(broken.text, broken.format, unsafe=unsafe)


@given(data=st.data(), unsafe=st.booleans())
def test_of_many_faults_those_that_can_be_fixed_are_gone_then(
    data: st.DataObject, *, unsafe: bool
) -> None:
    written = data.draw(manifest_texts(data.draw(spoiled_data(odder=False, most=6))))
    hold(written.text, written.format, unsafe=unsafe)


@given(documents())
def test_a_good_text_stays_good(document: ManifestText) -> None:
    hold(document.text, document.format, unsafe=True)


@given(broken=st.sampled_from(FIXABLE).flatmap(_broken))
def test_servers_read_the_same_after_a_safe_fix(broken: BrokenManifest) -> None:
    text = str(broken.text)
    body = text.removeprefix("\ufeff")
    for found in check_text(text, format=broken.format).diagnostics:
        if found.fix and found.fix.is_safe:
            span = found.fix.span
            mended = body[: span.offset] + found.fix.text + body[span.end_offset :]
            assert _served(mended) == _served(body)


def _served(text: str) -> dict[str, Any] | str | None:
    """Give what servers read; another fault of the text may have them refuse it."""
    try:
        return as_servers_read(text)
    except Refused:
        return "refused"
