"""YAML 1.2 read into a tree that knows its places, and written without needless quotes."""

import math
from typing import Any

import pytest

from evalset import check_text
from evalset.faults import Fault
from evalset.nodes import ReadLimits
from evalset.syntax import Complaint, explain_syntax
from evalset.tree import ListNode, MappingNode, Node, to_plain
from evalset.yaml_text import read_yaml, write_yaml

LIMITS = ReadLimits()


def _plain(text: str) -> object:
    root, faults = read_yaml(text, LIMITS)
    assert faults == []
    assert root is not None
    return to_plain(root)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        pytest.param(
            "a: 1\nb:\n  - c\n  - d: [e, {f: g}]\n",
            {"a": 1, "b": ["c", {"d": ["e", {"f": "g"}]}]},
            id="all styles",
        ),
        pytest.param("b:\n- a\n- b\n", {"b": ["a", "b"]}, id="a list in the column of its key"),
        pytest.param("---\na: 1\n", {"a": 1}, id="a start marker"),
        pytest.param("a: 1\n...\n", {"a": 1}, id="an end marker"),
        pytest.param("a: 1\n...\n# more\n", {"a": 1}, id="a comment behind the end"),
        pytest.param("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}, id="CR LF"),
        pytest.param("a: 1\rb: 2\r", {"a": 1, "b": 2}, id="CR"),
        pytest.param(
            "a: 'it''s'\nb: \"\\u00e9\\n\\x41\\U0001f680\"\n",
            {"a": "it's", "b": "é\nA🚀"},
            id="quotes",
        ),
        pytest.param(
            "a: |\n  b\n  c\nd: >-\n  e\n  f\n", {"a": "b\nc\n", "d": "e f"}, id="block texts"
        ),
        pytest.param("a: b\n  c\n\n  d\n", {"a": "b c\nd"}, id="a plain text over lines"),
        pytest.param("? a\n: b\n? c\n", {"a": "b", "c": None}, id="explicit keys"),
        pytest.param("a: [b: c, d]\n", {"a": [{"b": "c"}, "d"]}, id="a pair in a list"),
        pytest.param(
            "a: !!str 5\nb: !!int 5\nc: !!float 5\nd: !!float 5.5\n"
            "e: !!bool true\nf: !!null ~\ng: ! 5\n",
            {"a": "5", "b": 5, "c": 5, "d": 5.5, "e": True, "f": None, "g": "5"},
            id="core tags",
        ),
        pytest.param(
            "a: !!seq [b]\nc: !!map {d: e}\nf: ! [g]\nh: ! {i: j}\n",
            {"a": ["b"], "c": {"d": "e"}, "f": ["g"], "h": {"i": "j"}},
            id="core tags on lists and mappings",
        ),
        pytest.param("!!str a: !!str b\n", {"a": "b"}, id="a tag on a key"),
        pytest.param("a: !!str\n", {"a": ""}, id="a tag on nothing"),
        pytest.param(
            "a: &x [b]\nc: *x\nd: &y 5\ne: *y\n",
            {"a": ["b"], "c": ["b"], "d": 5, "e": 5},
            id="aliases",
        ),
        pytest.param(
            "a: &x b\nc: &x d\ne: *x\n",
            {"a": "b", "c": "d", "e": "d"},
            id="an anchor that is defined again",
        ),
        pytest.param("a: &x b\n*x : c\n", {"a": "b", "b": "c"}, id="an alias for a key"),
        pytest.param(
            "a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n",
            {"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 3}},
            id="a merge key",
        ),
        pytest.param(
            "a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne: {<<: [*x, *y]}\n",
            {"a": {"b": 1}, "c": {"b": 2, "d": 3}, "e": {"b": 1, "d": 3}},
            id="a merge of several",
        ),
        pytest.param('a: {"<<": 5}\n', {"a": {"<<": 5}}, id="a quoted << is a key like any other"),
        pytest.param("a: 010\nx-b: [0x1F, .inf, 010]\n", None, id="odd numbers"),
        pytest.param("text\n", "text", id="text alone"),
        pytest.param("- a\n-\n- - b\n", ["a", None, ["b"]], id="a list alone"),
        pytest.param(
            "a: '\u00a0\u3000é夜🚀'\n", {"a": "\u00a0\u3000é夜🚀"}, id="characters beyond ASCII"
        ),
    ],
)
def test_yaml_is_read_as_plain_data(text: str, data: object) -> None:
    plain = _plain(text)
    if data is None:
        assert isinstance(plain, dict)
        assert plain["a"] is not None
        assert plain["x-b"] == [31, math.inf, 10]
    else:
        assert repr(plain) == repr(data)


def _tree(text: str, node: Node | None) -> object:
    """Show the text of every key and value."""
    if isinstance(node, MappingNode):
        entries = {
            text[entry.start : entry.end]: _tree(text, entry.value)
            for entry in node.entries.values()
        }
        return (text[node.start : node.end], entries)
    if isinstance(node, ListNode):
        return (text[node.start : node.end], [_tree(text, item) for item in node.items])
    return text[node.start : node.end] if node else None


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        pytest.param("# c\na:  b # c\n\n", ("a:  b", {"a": "b"}), id="a plain text"),
        pytest.param("'a': \"b\"\n", ("'a': \"b\"", {"'a'": '"b"'}), id="quotes are part of it"),
        pytest.param(
            "a:\n  - b\n\n  # c\nd: [ e ] # f\n",
            ("a:\n  - b\n\n  # c\nd: [ e ]", {"a": ("- b", ["b"]), "d": ("[ e ]", ["e"])}),
            id="a list ends with its last item",
        ),
        pytest.param(
            "a: |\n  b\n  c\n\nd: e\n",
            ("a: |\n  b\n  c\n\nd: e", {"a": "|\n  b\n  c", "d": "e"}),
            id="a block text ends with its last line",
        ),
        pytest.param("a:\nb: ~\n", ("a:\nb: ~", {"a": "", "b": "~"}), id="nothing has no width"),
        pytest.param("-\n- b\n", ("-\n- b", ["-", "b"]), id="an empty item is its dash"),
        pytest.param(
            "a: &x b\nc: *x\n",
            ("a: &x b\nc: *x", {"a": "&x b", "c": "&x b"}),
            id="an alias is where its anchor stands",
        ),
    ],
)
def test_every_key_and_value_knows_its_place(text: str, tree: object) -> None:
    root, faults = read_yaml(text, LIMITS)
    assert faults == []
    assert _tree(text, root) == tree


def _faults(text: str, limits: ReadLimits = LIMITS) -> list[tuple[str, str]]:
    """Give each code, and the text that it is about."""
    return [(fault.code, text[fault.start : fault.end]) for fault in read_yaml(text, limits)[1]]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        pytest.param("", [("empty-document", "")], id="nothing"),
        pytest.param("# c\n", [("empty-document", "")], id="a comment"),
        pytest.param("a: b\n---\nc: d\n", [("several-documents", "---")], id="two documents"),
        pytest.param("a: b\n...\n---\n", [("several-documents", "---")], id="an empty second one"),
        pytest.param(
            "%YAML 1.2  # c\n---\na: b\n", [("yaml-directive", "%YAML 1.2  # c")], id="%YAML"
        ),
        pytest.param(
            "# c\n%TAG !a! b\n---\na: b\n", [("yaml-directive", "%TAG !a! b")], id="%TAG"
        ),
        pytest.param("a: !b c\n", [("foreign-tag", "!b")], id="a local tag"),
        pytest.param("a: !!int b\n", [("foreign-tag", "!!int")], id="a tag that does not fit"),
        pytest.param('a: !!int "5"\n', [("foreign-tag", "!!int")], id="a tag against quotes"),
        pytest.param("a: !!bool 5\n", [("foreign-tag", "!!bool")], id="no boolean"),
        pytest.param("a: !!float b\n", [("foreign-tag", "!!float")], id="no float"),
        pytest.param("a: !!null b\n", [("foreign-tag", "!!null")], id="not null"),
        pytest.param("a: !!binary aGk=\n", [("foreign-tag", "!!binary")], id="binary"),
        pytest.param("a: *b\n", [("undefined-alias", "*b")], id="an alias of nothing"),
        pytest.param("a: &b [c, *b]\n", [("recursive-alias", "*b")], id="an alias of itself"),
        pytest.param("a: &b {c: *b}\n", [("recursive-alias", "*b")], id="a mapping of itself"),
        pytest.param("a: {<<: 5}\n", [("bad-merge", "5")], id="a merge of a number"),
        pytest.param("a: {<<: [{}, b]}\n", [("bad-merge", "b")], id="a merge of a text in a list"),
        pytest.param("a: 1\nb: 2\na: 3\n", [("duplicate-key", "a")], id="a key twice"),
        pytest.param("a: 1\n'a': 3\n", [("duplicate-key", "'a'")], id="a key twice, quoted"),
        pytest.param("1: a\n", [("key-not-text", "1")], id="a number for a key"),
        pytest.param("true: a\n", [("key-not-text", "true")], id="a boolean for a key"),
        pytest.param("010: a\n", [("key-not-text", "010")], id="an odd number for a key"),
        pytest.param(": a\n", [("key-not-text", "")], id="nothing for a key"),
        pytest.param("[a]: b\n", [("key-not-text", "[a]")], id="a list for a key"),
        pytest.param("a: \x07\n", [("forbidden-character", "\x07")], id="a control character"),
        pytest.param("a: \ud800\n", [("forbidden-character", "\ud800")], id="a surrogate"),
        pytest.param("a: b\x85\u2028\n", [("forbidden-character", "\x85")], id="foreign breaks"),
        pytest.param("a: \ufeffb\n", [("forbidden-character", "\ufeff")], id="a BOM inside"),
        pytest.param("a: [b\n", [("yaml-syntax", "")], id="a list that is not closed"),
        pytest.param(
            "a: {b, *c, b: [*d]}\n",
            [("undefined-alias", "*c"), ("key-not-text", "*c"), ("duplicate-key", "b"),
             ("undefined-alias", "*d")],
            id="several at once",
        ),
    ],
)  # fmt: skip
def test_every_fault_is_told_with_the_text_it_is_about(
    text: str, faults: list[tuple[str, str]]
) -> None:
    assert sorted(_faults(text)) == sorted(faults)


def test_a_forbidden_character_is_told_once_and_the_rest_counted() -> None:
    root, faults = read_yaml("a: \x07b\nc: \0\x1b\n", LIMITS)
    assert root is not None
    assert to_plain(root) == {"a": "\ufffdb", "c": "\ufffd\ufffd"}
    assert [(fault.message, fault.start) for fault in faults] == [
        ("the character U+0007 can't stand in a YAML text (and 2 more in this text)", 3)
    ]


def test_a_key_that_stands_again_is_told_with_its_first_place() -> None:
    _, faults = read_yaml("x:\n  - a: 1\n    a: 2\n", LIMITS)
    assert faults == [
        Fault(
            "duplicate-key",
            'the key "a" stands twice in this mapping',
            16,
            17,
            ("x", 0, "a"),
            "keep one of the two",
            (("it stands here first", 7, 8),),
        )
    ]


def test_faults_name_the_path_to_the_value_they_are_about() -> None:
    text = "a:\n  - *x\n  - {b: !t c, 5: d}\n  - <<: 5\n"
    assert [(fault.code, fault.path) for fault in read_yaml(text, LIMITS)[1]] == [
        ("undefined-alias", ("a", 0)),
        ("foreign-tag", ("a", 1, "b")),
        ("key-not-text", ("a", 1)),
        ("bad-merge", ("a", 2)),
    ]


def _ladder(depth: int) -> str:
    return "".join(f"{' ' * level}a:\n" for level in range(depth))


@pytest.mark.parametrize(
    ("text", "limits", "code"),
    [
        pytest.param("[" * 65 + "]" * 65, LIMITS, "too-deep", id="65 brackets"),
        pytest.param("- " * 65, LIMITS, "too-deep", id="65 dashes"),
        pytest.param(_ladder(65), LIMITS, "too-deep", id="a ladder of 65"),
        pytest.param("a: [[]]\n", ReadLimits(depth=2), "too-deep", id="3 deep for 2"),
        pytest.param(
            "a: &x [[]]\nb: [*x]\n", ReadLimits(depth=3), "too-deep", id="too deep by an alias"
        ),
        pytest.param("[a, b, c]", ReadLimits(nodes=3), "too-many-nodes", id="4 values for 3"),
        pytest.param(
            "- &a [x, x]\n- [*a, *a]\n", ReadLimits(nodes=10), "too-many-nodes", id="aliases count"
        ),
        pytest.param("[a, b, c]", ReadLimits(yaml_values=3), "too-many-nodes", id="4 for 3"),
        pytest.param(
            "a: &b c\nd: *b\n", ReadLimits(yaml_values=4), "too-many-nodes", id="as written"
        ),
        pytest.param(
            "['" + "', '".join(["[" * 65] * 9) + "'" + ", []" * 25_000,
            LIMITS,
            "too-many-nodes",
            id="brackets in quotes before",
        ),
        pytest.param("'" + "[" * 65 + "' [" + "[" * 65, LIMITS, "yaml-syntax", id="wrong before"),
    ],
)
def test_a_text_beyond_the_limits_is_refused(text: str, limits: ReadLimits, code: str) -> None:
    root, faults = read_yaml(text, limits)
    assert root is None
    assert [fault.code for fault in faults] == [code]


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        pytest.param("[" * 64 + "]" * 64, LIMITS, id="64 brackets"),
        pytest.param("- " * 64 + "a", LIMITS, id="64 dashes"),
        pytest.param(_ladder(64), LIMITS, id="a ladder of 64"),
        pytest.param("a: '" + "[" * 100 + "'\n", LIMITS, id="100 brackets in quotes"),
        pytest.param("# " + "[" * 100 + "\na: b\n", LIMITS, id="100 brackets in a comment"),
        pytest.param("[" + "[]," * 100 + "]", LIMITS, id="100 brackets side by side"),
        pytest.param("a: b]]\n", LIMITS, id="closing brackets in a text"),
        pytest.param("[a, b, c]", ReadLimits(nodes=4), id="4 values for 4"),
        pytest.param("a: &b c\nd: *b\n", ReadLimits(yaml_values=5), id="5 keys and values for 5"),
        pytest.param("- &a [x, x]\n- [*a, *a]\n", ReadLimits(nodes=11), id="11 values for 11"),
        pytest.param("a: &x [[]]\nb: [*x]\n", ReadLimits(depth=4), id="4 deep for 4"),
    ],
)
def test_a_text_within_the_limits_is_read(text: str, limits: ReadLimits) -> None:
    root, faults = read_yaml(text, limits)
    assert faults == []
    assert root is not None


@pytest.mark.parametrize(
    ("value", "written"),
    [
        *[
            pytest.param(each, each, id=f"plain {each}")
            for each in (
                "nightly", "catalog/swe-bug-fix", "gpt 5 (mini)", "claude-opus-5", "a:b", "a#b",
                "it's", 'say "hi"', "é", "夜間", "🚀", "v1.2.3", "1.2.3", "a, b", "http://x/y?z#f",
                "-a", ".a", "nan", "11111111-1111-1111-1111-111111111111", "a\u00a0b", "true-ish",
            )
        ],
        *[
            pytest.param(each, f'"{each}"', id=f"quoted {each}")
            for each in (
                "", "~", "null", "Null", "true", "False", "yes", "NO", "on", "y", "n", "5", "-5",
                "010", "0x1F", "4.10", "1e3", ".inf", ".nan", "+3", ".5", "5.", "1_000", "12:30",
                "2026-12-01", "<<", "=",
            )
        ],
        *[
            pytest.param(each, None, id=f"either way {each!r}")
            for each in (
                " a", "a ", "- a", "-", "? a", "a: b", "a:", "a #b", "#a", "&a", "*a", "!a", "%a",
                "@a", "`a", "|", ">", "[a]", "{a}", "'a'", '"a"', ",a", "a\nb", "a\n", "\na", "\ta",
                "a\tb", "---", "...", "--- a", "a\\b", "\x07", "\x7f", "\x85", "\u2028", "\u2029",
                "\ufeff", "\ufffe", "\ufdd0", "a" * 5000, "a " * 2000 + "a", "0o17", "0b1", "1:2",
                "[", "]", "{", "}", ",", ":", "?", "!", "-1_0", "\u3000a", "= ", "00", "-.INF",
            )
        ],
    ],
)  # fmt: skip
def test_text_is_quoted_only_where_a_reader_would_change_it(
    value: str, written: str | None
) -> None:
    for data in ({"a": value}, {"a": [value]}, {"x-a": {"b": [{"c": value}]}}, {value: "a"}):
        text = write_yaml(data)
        root, faults = read_yaml(text, LIMITS)
        if len(value) < 1024 or value not in data:
            assert faults == []
            assert root is not None
            assert to_plain(root) == data
    if written is not None:
        assert write_yaml({"a": value}) == f"a: {written}\n"
        assert write_yaml({"a": [value]}) == f"a:\n  - {written}\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(
            {"a": [{"b": 1, "c": 2}]}, "a:\n  - b: 1\n    c: 2\n", id="a list of mappings"
        ),
        pytest.param({"a": {"b": {"c": 1}}}, "a:\n  b:\n    c: 1\n", id="nested mappings"),
        pytest.param({"a": [], "b": {}}, "a: []\nb: {}\n", id="nothing inside"),
        pytest.param({"b": True, "a": None}, None, id="in order"),
        pytest.param({"a": [50, 12.5, 1e300, 2**63]}, None, id="numbers"),
        pytest.param({"a": [[1, [2]], [[3]]]}, None, id="lists of lists"),
        pytest.param({"a": 1e-07, "b": 1e22, "c": -0.5}, None, id="floats"),
    ],
)
def test_data_is_written_in_block_style(data: dict[str, Any], text: str | None) -> None:
    written = write_yaml(data)
    assert text is None or written == text
    root, faults = read_yaml(written, LIMITS)
    assert faults == []
    assert root is not None
    assert repr(to_plain(root)) == repr(data)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('a: "\\U00110000"\n', id="an escape beyond Unicode"),
        pytest.param(f"%YAML 1{'9' * 5000}.1\n---\na: b\n", id="a version of 5,000 digits"),
    ],
)
def test_what_the_parser_itself_stumbles_over_is_a_fault(text: str) -> None:
    root, faults = read_yaml(text, LIMITS)
    assert root is None
    assert [(fault.code, fault.message) for fault in faults] == [
        ("yaml-syntax", "the YAML parser can't read the text behind this place")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "x: !a &b c",
        "a: !!seq &x # !",
        "!t &a x-a: !<tag:x> ? <<: |",
        "a: &q !z v",
        "{a: !x &y , b: c}",
    ],
)
def test_a_tag_beside_an_anchor_is_found(text: str) -> None:
    codes = {each.code for each in check_text(text).diagnostics}
    assert codes & {"foreign-tag", "yaml-syntax"}


def test_a_second_merge_in_one_mapping_is_a_duplicate_key() -> None:
    text = "x-a: &a {k: 1}\nx-b: {<<: *a, <<: *a}\n"
    found = [each for each in check_text(text).diagnostics if each.code == "duplicate-key"]
    assert [(each.pointer, each.hint) for each in found] == [
        ("/x-b/<<", "merge a list: <<: [*one, *other]")
    ]


def test_a_complaint_that_nobody_knows_is_still_told_at_its_place() -> None:
    complaint = Complaint(text="a: b\n", problem="news", place=3, opened=0, previous=0)
    fault = explain_syntax(complaint)
    assert (fault.message, fault.start, fault.end, fault.hint, fault.related) == (
        "this can't be read as YAML", 3, 4, None, (("it starts here", 0, 1),)
    )  # fmt: skip


def test_merged_keys_count_as_often_as_they_are_copied() -> None:
    text = "a: &a {b: 1, c: 2}\nd: {<<: [*a, *a, *a]}\n"
    _, faults = read_yaml(text, ReadLimits(nodes=5))
    assert [fault.code for fault in faults] == ["too-many-nodes"]
