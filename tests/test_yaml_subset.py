"""The short way into YAML reads what the authoritative way reads, or declines."""

import itertools
import json
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalset.nodes import ReadLimits
from evalset.tree import to_plain
from evalset.yaml_subset import quick_yaml
from evalset.yaml_text import read_yaml

HERE = Path(__file__).parent
CORPUS = HERE / "corpus" / "yaml_subset" / "cases.jsonl"
CASES: list[dict[str, Any]] = [
    json.loads(line) for line in CORPUS.read_text(encoding="ascii").splitlines()
]

SPECIFICATION = """\
schema: evalset/v1
name: nightly-coding-sweep

packs:
  - catalog/code-review

agents:
  - deployment: claude-opus-default
  - deployment: gpt-default

models: []          # empty = harness default model axis (one implicit slot)
repeats: 3
seeds:
  strategy: auto
limits:
  max_concurrent_runs: 20
  budget_usd: 50
case_fanout: true
# scanners:
#   - reward-hacking
#   - tool-misuse
"""

MANIFEST = """\
---
# as people write it
schema: "evalset/v1"
name: 'Team''s sweep: 2'   # quoted
packs:
- catalog/code-review
- my-workspace/review@3

agents:
  - deployment: 11111111-1111-1111-1111-111111111111
    label: opus 4
  -   deployment: gpt
  - {deployment: local, "label": "llama: 8b"}
models: [openai/gpt-4.1-mini, 'o3', "a, b", qwen2.5:72b]
repeats: 2
seeds: {strategy: explicit, seeds: [7, 11]}
limits:
  max_concurrent_runs:
  budget_usd: 12.5
x-notes:
  url: https://example.org/#top
  offsets: [-1, 0, 1e3, ~, true, {}]
  nested:
    -
    - plain text
    -
      - deeper
"""


def _slow(text: str, limits: ReadLimits | None = None) -> Any:  # noqa: ANN401 (plain data)
    root, faults = read_yaml(text, limits or ReadLimits())
    assert faults == [], f"the short way took {text!r}, in which there are {faults}"
    assert root is not None
    return to_plain(root)


def _quick(text: str) -> tuple[Any, ...]:
    """Give what the short way reads, in a tuple; an empty one if it declines."""
    try:
        return (quick_yaml(text),)
    except ValueError:
        return ()


def _assert_same_or_declined(text: str) -> None:
    for data in _quick(text):
        # `repr` tells 1, 1.0 and True apart, and the order of keys.
        assert repr(data) == repr(_slow(text))


def test_a_manifest_as_people_write_it_is_read() -> None:
    data = quick_yaml(MANIFEST)
    assert data == {
        "schema": "evalset/v1",
        "name": "Team's sweep: 2",
        "packs": ["catalog/code-review", "my-workspace/review@3"],
        "agents": [
            {"deployment": "11111111-1111-1111-1111-111111111111", "label": "opus 4"},
            {"deployment": "gpt"},
            {"deployment": "local", "label": "llama: 8b"},
        ],
        "models": ["openai/gpt-4.1-mini", "o3", "a, b", "qwen2.5:72b"],
        "repeats": 2,
        "seeds": {"strategy": "explicit", "seeds": [7, 11]},
        "limits": {"max_concurrent_runs": None, "budget_usd": 12.5},
        "x-notes": {
            "url": "https://example.org/#top",
            "offsets": [-1, 0, 1000.0, None, True, {}],
            "nested": [None, "plain text", ["deeper"]],
        },
    }
    assert repr(data) == repr(_slow(MANIFEST))


@pytest.mark.parametrize("text", [SPECIFICATION, MANIFEST], ids=["specification", "manifest"])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_every_line_break_is_read_alike(text: str, line_break: str) -> None:
    data = quick_yaml(text.replace("\n", line_break))
    assert repr(data) == repr(_slow(text))


def test_every_reference_manifest_in_yaml_goes_the_short_way() -> None:
    lines = (HERE / "data" / "reference.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [text for line in lines if (text := json.loads(line)["manifest"])[0] != "{"]
    assert len(texts) == 151
    assert [repr(quick_yaml(text)) for text in texts] == [repr(_slow(text)) for text in texts]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["why"]) for case in CASES])
def test_a_known_trap_is_read_or_declined_as_recorded(case: dict[str, Any]) -> None:
    expected = (case["data"],) if "data" in case else ()
    assert repr(_quick(case["text"])) == repr(expected)
    _assert_same_or_declined(case["text"])


@pytest.mark.parametrize(
    ("alphabet", "length"),
    [
        pytest.param("a1-: #\n", 5, id="block"),
        pytest.param("a:\n -", 6, id="indentation"),
        pytest.param("a: [],{}", 5, id="flow"),
        pytest.param("a: \n'\"#", 5, id="quotes"),
        pytest.param("a:- \n?[]{},\"'#&*!|>%@`~.0+_\r\t\\", 3, id="indicators"),
    ],
)
def test_every_short_text_is_read_alike_or_declined(alphabet: str, length: int) -> None:
    for characters in itertools.product(alphabet, repeat=length):
        _assert_same_or_declined("".join(characters))


_NASTY = st.sampled_from("a1-: #,[]{}\"'\n\t&*!|>%@?~.0+_\r\ufeff\u0085\xa0\\`\u0663\u2028")
_PIECE = st.sampled_from(
    (
        *("a", "b", "- ", "-", ": ", ":", " #c", "#", " ", "'a'", '"a"', "''", "[", "]", "{", "}"),
        *(", ", ",", "12", "-1", "1.5", "010", "null", "true", "<<", "a b", "a:b", "1-1-1", "~"),
        *("[a, b]", "{a: b}", "&a ", "*a", "!a ", "|", "? ", "---", "...", "k" * 1030),
    )
)
_LINE = st.builds(
    "".join,
    st.tuples(
        st.integers(0, 4).map(" ".__mul__),
        st.sampled_from(["", "", "- ", "-", "-  "]),
        st.sampled_from(["", "a: ", "b: ", "c:", "'d': "]),
        st.lists(_PIECE | _NASTY, max_size=3).map("".join),
        st.sampled_from(["\n", "\n", "\r\n", "\r", " # c\n", ""]),
    ),
)


@settings(deadline=None)
@given(st.lists(_LINE, max_size=8).map("".join) | st.lists(_NASTY, max_size=30).map("".join))
@example("a:\n- b: 'c'\n  d:\n  - [e, {f: 1}] # g\n-\nh: ~\n")
def test_any_text_is_read_alike_or_declined(text: str) -> None:
    _assert_same_or_declined(text)


@settings(deadline=None)
@given(st.data())
def test_a_damaged_manifest_is_read_alike_or_declined(data: st.DataObject) -> None:
    lines = MANIFEST.splitlines(keepends=True)
    start = data.draw(st.integers(0, len(lines) - 1))
    text = "".join(lines[start : start + data.draw(st.integers(1, 10))])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        width = data.draw(st.integers(0, 3))
        text = text[:place] + data.draw(_PIECE | _NASTY | st.just("")) + text[place + width :]
    _assert_same_or_declined(text)


def _nest(kind: str, depth: int) -> str:
    if kind == "brackets":
        return f"a: {'[' * (depth - 1)}{']' * (depth - 1)}"
    opening = "a:" if kind == "mappings" else "-"
    return "".join(f"{' ' * indentation}{opening}\n" for indentation in range(depth))


@pytest.mark.parametrize("depth", [1, 2, 5, 64])
@pytest.mark.parametrize("kind", ["mappings", "lists", "brackets"])
def test_depth_is_limited_as_the_other_reader_limits_it(kind: str, depth: int) -> None:
    limits = ReadLimits(depth=depth)
    text, deeper = _nest(kind, depth), _nest(kind, depth + 1)
    assert quick_yaml(text, limits) == _slow(text, limits)
    with pytest.raises(ValueError, match="outside the subset"):
        quick_yaml(deeper, limits)
    root, faults = read_yaml(deeper, limits)
    assert (root, [fault.code for fault in faults]) == (None, ["too-deep"])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("-", id="an empty item"),
        pytest.param("a:", id="an empty value"),
        pytest.param("- a: b", id="a list and a mapping on the only line"),
        pytest.param("- a: [b]", id="brackets on the only line"),
        pytest.param("- a: {b: [c, d], e: [[]]}", id="brackets in braces on the only line"),
        pytest.param("-\n" * 9, id="empty items"),
        pytest.param("-\r" * 9, id="empty items on lines that end with CR"),
        pytest.param("a: {b: {c: {d: {e: {f: g}}}}}", id="braces in braces"),
        pytest.param("- a:\n  -\n" * 3, id="a list and a mapping on a line"),
        pytest.param(f"a: [{'1,' * 6}1]", id="a list in brackets"),
        pytest.param("a: [[], [[]], {b: {}}]", id="brackets in brackets"),
    ],
)
def test_no_text_holds_more_values_than_the_limit(text: str) -> None:
    for nodes in range(1, 40):
        limits = ReadLimits(nodes=nodes)
        root, _ = read_yaml(text, limits)
        try:
            data = quick_yaml(text, limits)
        except ValueError:
            continue
        assert root is not None
        assert data == to_plain(root)


def test_a_large_text_of_few_values_is_read() -> None:
    text = f"# a comment\na: b\nc: {'d' * 200_000}\n"
    assert quick_yaml(text) == {"a": "b", "c": "d" * 200_000}


def test_a_large_text_of_many_values_is_declined() -> None:
    with pytest.raises(ValueError, match="outside the subset"):
        quick_yaml("- a\n" * 100_000)


@pytest.mark.parametrize(
    ("beginning", "piece", "ending"),
    [
        pytest.param("a: b\n", "# c\n", "", id="comments"),
        pytest.param("a:\n", "- b\n", "", id="items"),
        pytest.param("a: b\n", "k<number>: v\n", "", id="keys"),
        pytest.param("", "- a:\n    b:\n      c: d\n", "", id="mappings that open and close"),
        pytest.param("a: [", "b, ", "b]", id="a list in brackets"),
        pytest.param("a: [", "{b: c}, ", "[]]", id="braces in brackets"),
    ],
)
def test_twice_the_text_takes_twice_the_calls(beginning: str, piece: str, ending: str) -> None:
    pieces = [piece.replace("<number>", f"{number:04}") for number in range(1000)]
    few = _count_calls(f"{beginning}{''.join(pieces[:500])}{ending}")
    many = _count_calls(f"{beginning}{''.join(pieces)}{ending}")
    assert few <= many < 2.01 * few  # blank lines and comments cost no call at all


def _count_calls(text: str) -> int:
    """Count every call of a function, in Python or C, while a text is read."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        quick_yaml(text)
    finally:
        sys.setprofile(before)
    return calls


# A pattern that could match one stretch in two ways would not come to an end with these.
_REPEATED = (
    *(" ", "a", "-", "- ", ":", ": ", "'", "''", '"', '""', "[", "]", "{", "[]", "#", " #"),
    *(", ", "a ", "a:", "a: ", "a  ", "a - ", "[a", "[a, ", "{a: ", "'a' ", "@", "~", "\r"),
)


@pytest.mark.parametrize("ending", ["", "!", " !", "\n"], ids=["", "mark", "space mark", "break"])
@pytest.mark.parametrize("beginning", ["", "- ", "a: ", "a: [", "a: '", 'a: "', "a: {b: "])
def test_no_repetition_of_a_piece_delays_the_reader(beginning: str, ending: str) -> None:
    for piece in _REPEATED:
        _quick(f"{beginning}{piece * 30_000}{ending}")
