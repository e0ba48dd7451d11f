"""Fast yes, slow why: the short way never disagrees with the thorough one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.laws.spoiling import mutated_texts, spoiled_data
from tests.laws.ways import (
    data_quickly,
    json_quickly,
    json_thoroughly,
    read_quickly,
    read_thoroughly,
)

from evalset import Manifest, check_text
from evalset.checks import Checks
from evalset.rules import BUILT_IN_SCANNERS
from evalset.sources import Format
from evalset.testing import ManifestText, broken_manifests, documents

FORMATS: st.SearchStrategy[Format | None] = st.sampled_from([None, "yaml", "json"])
BROKEN = (
    broken_manifests().map(lambda broken: broken.text).filter(lambda text: isinstance(text, str))
)
JSON_PIECES = st.sampled_from([
    '"a"', '"\\u00e9\\ud83d\\ude00"', '"\\ud800"', "1", "-0", "0.0", "1e5", "1E+2", "01", "9" * 401,
    "1e999", "NaN", "Infinity", "-", "true", "null", "nul", "[", "]", "{", "}", ",", ":", '"', " ",
    "\n", "\t", "\x00", "\u00a0", "\ufeff", '"x-a":', '"\\/"', '"\\x"', "'a'", "//", '"\t"', "1_0",
])  # fmt: skip
JSON = (
    st.lists(JSON_PIECES, max_size=8).map("".join)
    | spoiled_data(odder=False).map(lambda data: json.dumps(data, ensure_ascii=False))
    | documents(format="json").map(lambda document: document.text)
    | mutated_texts()
)


@given(documents(unique_keys=False), st.booleans())
def test_a_good_text_reads_alike_both_ways(document: ManifestText, is_told: bool) -> None:  # noqa: FBT001
    format = document.format if is_told else None
    text = document.text.removeprefix("\ufeff")
    slow, findings = read_thoroughly(text, format)
    assert findings == []
    assert slow == Manifest.from_dict(document.data)
    assert read_quickly(text, format) in {None, slow}


@given(mutated_texts() | BROKEN | documents(unique_keys=False).map(lambda each: each.text))
def test_a_text_that_the_short_way_finds_clean_has_no_finding_at_all(text: str) -> None:
    text = text.removeprefix("\ufeff")
    checks = Checks(key_by="label", scanners=BUILT_IN_SCANNERS)
    quick = read_quickly(text, None, checks)
    if quick is not None:
        assert read_thoroughly(text, None, checks) == (quick, [])


@given(documents(format="json", unique_keys=False))
def test_good_json_always_takes_the_short_way(document: ManifestText) -> None:
    assert read_quickly(document.text.removeprefix("\ufeff"), "json") is not None


@given(mutated_texts() | BROKEN | st.text(), FORMATS)
def test_what_the_short_way_takes_the_thorough_way_takes(text: str, format: Format | None) -> None:
    quick = read_quickly(text, format)
    if quick is not None:
        slow, findings = read_thoroughly(text, format)
        assert (slow, findings) == (quick, [])


@given(JSON)
def test_both_readers_of_json_take_the_same_texts(text: str) -> None:
    assert _typed(json_quickly(text)) == _typed(json_thoroughly(text))


def _typed(value: object) -> object:
    """Tell apart what Python takes for equal: `1`, `1.0` and `True`, or `0.0` and `-0.0`."""
    return ... if value is ... else repr(value)


# The shortest good manifest, with room for a value that every way must bound alike.
FRAME = """{
    "schema": "evalset/v1", "name": "n", "packs": ["p"], "agents": [{"deployment": "a"}], "x-a": %s
}"""


@pytest.mark.parametrize("depth", [1, 60, 61, 63, 64, 65, 200, 2000])
@pytest.mark.parametrize(
    ("opening", "closing"),
    [pytest.param("[", "]", id="lists"), pytest.param('{"a": ', "}", id="mappings")],
)
@pytest.mark.parametrize("format", ["json", "yaml"])
def test_depth_is_bounded_alike_both_ways(
    depth: int, opening: str, closing: str, format: Format
) -> None:
    text = FRAME % (opening * depth + "1" + closing * depth)
    slow, _ = read_thoroughly(text, format)
    assert (slow is not None) == (depth <= 60)
    assert read_quickly(text, format) in {None, slow}
    assert check_text(text, format=format).ok == (slow is not None)


@pytest.mark.parametrize("count", [99_000, 100_000])
def test_the_number_of_values_is_bounded_alike_both_ways(count: int) -> None:
    text = FRAME % f"[{','.join(['1'] * count)}]"
    slow, _ = read_thoroughly(text, "json")
    assert (slow is not None) == (count < 100_000)
    assert read_quickly(text, "json") in {None, slow}


@given(mutated_texts() | documents().map(lambda document: document.text.removeprefix("\ufeff")))
def test_data_read_quickly_is_not_read_otherwise(text: str) -> None:
    quick = data_quickly(text, "json")
    if quick is not ...:
        assert _typed(quick) == _typed(json_thoroughly(text))
