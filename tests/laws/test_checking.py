"""`check` has no error exactly when load and expand succeed, and tells what they would raise."""

from collections.abc import Iterable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.laws.attempts import attempt
from tests.laws.spoiling import mutated_texts, spoiled_data

from evalset import (
    CheckResult,
    Diagnostic,
    Manifest,
    ManifestError,
    Span,
    check_data,
    check_text,
    expand,
    loads,
)
from evalset.keys import KeyBy
from evalset.sources import Format
from evalset.testing import broken_manifests, documents

DIALECTS: st.SearchStrategy[KeyBy] = st.sampled_from(["label", "deployment"])
CAPS = st.just(2000) | st.integers(1, 30)
FORMATS: st.SearchStrategy[Format | None] = st.sampled_from([None, "yaml", "json"])
TEXTS = (
    documents(unique_keys=False).map(lambda document: document.text)
    | broken_manifests().map(lambda broken: broken.text)
    | mutated_texts()
)


def errors(result: CheckResult) -> list[Diagnostic]:
    return [diagnostic for diagnostic in result.diagnostics if diagnostic.is_error]


def places(diagnostics: Iterable[Diagnostic]) -> set[tuple[str, str, Span | None]]:
    return {(each.code, each.pointer, each.span) for each in diagnostics}


def agree(result: CheckResult, manifest: Manifest | ManifestError, cap: int, by: KeyBy) -> None:
    """Hold a check to what loading gave and expanding gives."""
    if isinstance(manifest, ManifestError):
        assert result.manifest is None
        assert errors(result)
        # With a caller's cap, the count is told against that.
        assert places(manifest.diagnostics) <= places(errors(result))
        return
    assert result.manifest == manifest
    expansion = attempt(lambda: expand(manifest, max_combinations=cap, key_by=by))
    refused = expansion.diagnostics if isinstance(expansion, ManifestError) else ()
    assert errors(result) == [*refused]
    assert result.ok == (not errors(result))


@given(TEXTS, FORMATS, CAPS, DIALECTS)
def test_a_text_has_no_error_exactly_when_it_loads_and_expands(
    text: str | bytes, format: Format | None, cap: int, by: KeyBy
) -> None:
    result = check_text(text, format=format, max_combinations=cap, key_by=by)
    agree(result, attempt(lambda: loads(text, format=format)), cap, by)


@given(spoiled_data(unique_keys=False), CAPS, DIALECTS)
def test_data_has_no_error_exactly_when_it_is_built_and_expands(
    data: dict[str, Any], cap: int, by: KeyBy
) -> None:
    result = check_data(data, max_combinations=cap, key_by=by)
    agree(result, attempt(lambda: Manifest.from_dict(data)), cap, by)


@given(mutated_texts() | documents().map(lambda document: document.text))
def test_keeping_unknown_keys_only_takes_errors_away(text: str) -> None:
    strict = check_text(text)
    kept = check_text(text, unknown="keep")
    # A key that is missing is told once, and where unknown ones are kept, none stands for it.
    others = {"unknown-key", "missing-key", "extension-not-json"}
    assert [each for each in errors(kept) if each.code not in others] == [
        each for each in errors(strict) if each.code not in others
    ]
    missing = [each for each in errors(strict) if each.code == "missing-key"]
    assert {*missing} <= {*errors(kept)}
