"""A good manifest with one fault: that fault is found, where it is, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.laws.effort import few

import evalset
from evalset.diagnostics import CODES, Severity
from evalset.testing import FAULTS, BrokenManifest, broken_manifests


def told(broken: BrokenManifest, severity: Severity) -> list[tuple[str, str, int, int]]:
    """Give code, pointer and place of each finding of a severity."""
    return [
        (each.code, each.pointer, each.span.offset, each.span.end_offset)
        for each in evalset.check_text(broken.text, format=broken.format).diagnostics
        if each.span and each.severity is severity
    ]


def expected(broken: BrokenManifest) -> tuple[str, str, int, int]:
    return (broken.code, broken.pointer, broken.offset, broken.end_offset)


def of_severity(severity: Severity) -> list[str]:
    return [code for code in FAULTS if CODES[code].severity is severity]


@pytest.mark.parametrize("code", of_severity(Severity.ERROR))
@few(3)
@given(data=st.data())
def test_a_single_fault_is_found_at_its_place_and_nothing_else_is(
    code: str, data: st.DataObject
) -> None:
    broken = data.draw(broken_manifests(code=code))
    assert told(broken, Severity.ERROR) == [expected(broken)]


@pytest.mark.parametrize("code", of_severity(Severity.WARNING))
@few(3)
@given(data=st.data())
def test_what_is_suspicious_is_warned_of_at_its_place_and_no_error(
    code: str, data: st.DataObject
) -> None:
    broken = data.draw(broken_manifests(code=code))
    assert expected(broken) in told(broken, Severity.WARNING)
    assert told(broken, Severity.ERROR) == []
