"""Warnings: both ways give them, and ignoring and raising change nothing else."""

from collections.abc import Collection
from typing import Any

import attrs
from hypothesis import given
from hypothesis import strategies as st
from tests.laws.spoiling import mutated_texts
from tests.laws.ways import read_quickly, read_thoroughly

from evalset import Severity, check_text
from evalset.checks import Checks
from evalset.diagnostics import CODES
from evalset.rules import BUILT_IN_SCANNERS
from evalset.testing import broken_manifests, documents

WARNINGS = sorted(code for code in CODES if CODES[code].severity is Severity.WARNING)
CHOSEN = st.sets(st.sampled_from(WARNINGS))
TEXTS = (
    documents(unique_keys=False).map(lambda document: document.text)
    | st.sampled_from(WARNINGS)
    .filter(lambda code: code not in {"kept-key", "not-pinned", "catalog-fallback"})
    .flatmap(lambda code: broken_manifests(code=code))
    .map(lambda broken: str(broken.text))
    | mutated_texts()
)
# Behind a text in JSON there is no comment; that it is refused then is fine, too.
COMMENTS = st.sampled_from(["", "\n# evalset: ignore-file[zero-budget]", "\n# evalset: ignore"])


def without(text: str, codes: Collection[str], **options: Any) -> list[Any]:  # noqa: ANN401
    return [each for each in check_text(text, **options).diagnostics if each.code not in codes]


def is_cut(text: str) -> bool:
    return any(each.code == "more-findings" for each in check_text(text).diagnostics)


@given(TEXTS, COMMENTS, st.booleans(), CHOSEN)
def test_a_text_that_the_short_way_finds_clean_has_no_warning(
    text: str,
    comment: str,
    pinned: bool,  # noqa: FBT001 (drawn)
    ignore: set[str],
) -> None:
    text = text.removeprefix("\ufeff") + comment
    checks = Checks(key_by="label", scanners=BUILT_IN_SCANNERS, pinned=pinned, ignore=ignore)
    quick = read_quickly(text, None, checks)
    if quick is not None:
        assert read_thoroughly(text, None, checks) == (quick, [])


@given(TEXTS.filter(lambda text: not is_cut(text)), CHOSEN)
def test_ignoring_codes_leaves_out_their_warnings_and_nothing_else(
    text: str, ignore: set[str]
) -> None:
    assert [*check_text(text, ignore=ignore).diagnostics] == without(text, ignore)


@given(TEXTS.filter(lambda text: not is_cut(text)), CHOSEN)
def test_raising_codes_changes_their_severity_and_nothing_else(text: str, raised: set[str]) -> None:
    result = check_text(text, error=raised)
    assert [attrs.evolve(each, severity=CODES[each.code].severity) for each in result.diagnostics] \
        == [*check_text(text).diagnostics]  # fmt: skip
    assert {each.severity for each in result.diagnostics if each.code in raised} <= {"error"}
    assert result.manifest == check_text(text).manifest


@given(documents(format="yaml", unique_keys=False), st.sampled_from(WARNINGS))
def test_a_comment_for_the_file_does_what_the_argument_does(document: Any, code: str) -> None:  # noqa: ANN401
    text: str = document.text
    has_it = any(each.code == code for each in check_text(text).diagnostics)
    ignoring = check_text(f"{text}\n# evalset: ignore-file[{code}]").diagnostics
    rest = [each for each in ignoring if each.code != "unused-ignore"]
    assert rest == [*check_text(text, ignore=[code]).diagnostics]
    if has_it:
        assert [*ignoring] == rest
