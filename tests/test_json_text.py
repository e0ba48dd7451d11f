"""JSON read with places, JSON read quickly, and JSON written for readers of YAML too."""

import json
import math
from typing import Any

import pytest

from evalset.faults import Fault
from evalset.json_quick import quick_json
from evalset.json_text import read_json, write_json
from evalset.nodes import ReadLimits
from evalset.tree import ListNode, MappingNode, Node, to_plain

LIMITS = ReadLimits()


def _read(text: str, limits: ReadLimits = LIMITS) -> object:
    root, faults = read_json(text, limits)
    assert faults == []
    assert root is not None
    return to_plain(root)


NOTHING: list[object] = []
GOOD = [
    pytest.param("null", None, id="null"),
    pytest.param(" \t\r\n true ", True, id="white space around"),
    pytest.param("false", False, id="false"),
    pytest.param("-0", 0, id="minus zero"),
    pytest.param("1.50", 1.5, id="a fraction"),
    pytest.param("1E+2", 100.0, id="an exponent"),
    pytest.param("1e999", math.inf, id="too large a float"),
    pytest.param("9" * 5000, math.inf, id="5,000 digits"),
    pytest.param("-" + "9" * 5000, -math.inf, id="-5,000 digits"),
    pytest.param('""', "", id="empty text"),
    pytest.param(r'"\ud83d\ude00\/\"\\\b\f\n\r\t\u00e9"', '😀/"\\\b\f\n\r\té', id="escapes"),
    pytest.param('"\ud800"', "\ud800", id="a raw surrogate"),
    pytest.param(r'"\ud800"', "\ud800", id="an escaped surrogate"),
    pytest.param('"\x7f\u2028\ufeff"', "\x7f\u2028\ufeff", id="what YAML would not take"),
    pytest.param("[]", [], id="an empty list"),
    pytest.param("[ ]", [], id="an empty list with a space"),
    pytest.param("{}", {}, id="an empty mapping"),
    pytest.param("{\n}", {}, id="an empty mapping with a line"),
    pytest.param('[1,"a" ,[ ],{"b":null}]', [1, "a", NOTHING, {"b": None}], id="a list"),
    pytest.param('{"b":1,"a":{"b":[2]},"":3}', {"b": 1, "a": {"b": [2]}, "": 3}, id="a mapping"),
    pytest.param("[" * 64 + "]" * 64, json.loads("[" * 64 + "]" * 64), id="64 deep"),
]


@pytest.mark.parametrize(("text", "data"), GOOD)
def test_json_is_read_alike_with_places_and_quickly(text: str, data: object) -> None:
    for read in (_read(text), quick_json(text)):
        assert repr(read) == repr(data)


def _tree(node: Node) -> object:
    if isinstance(node, ListNode):
        return (node.start, node.end, [_tree(item) for item in node.items])
    if isinstance(node, MappingNode):
        entries = {
            key: (entry.start, entry.end, _tree(entry.value)) for key, entry in node.entries.items()
        }
        return (node.start, node.end, entries)
    return (node.start, node.end, node.source)


def test_every_value_and_key_knows_its_place() -> None:
    root, faults = read_json(' {"a": [1.0, "é"],\n"b": {}}', LIMITS)
    assert faults == []
    assert root is not None
    assert _tree(root) == (
        1,
        27,
        {"a": (2, 5, (7, 17, [(8, 11, "1.0"), (13, 16, None)])), "b": (19, 22, (24, 26, {}))},
    )


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        pytest.param("{a: 1}", 1, "a key in double quotes was expected", id="a bare key"),
        pytest.param('{"a" 1}', 5, "a `:` was expected behind the key", id="no colon"),
        pytest.param('{"a": 1 "b": 2}', 7, "a `,` or `}` was expected here", id="no comma"),
        pytest.param('["a" "b"]', 4, "a `,` or `]` was expected here", id="no comma in a list"),
        pytest.param('{"a": [1}', 8, "a `,` or `]` was expected here", id="closed by another"),
        pytest.param("[1", 2, "the text ends where a `,` or `]` was expected", id="not closed"),
        pytest.param("[", 1, "a value was expected, not the end of the text", id="opened only"),
        pytest.param(
            "{", 1, "a key or `}` was expected, not the end of the text", id="opened a mapping"
        ),
        pytest.param('{"a":', 5, "a value was expected, not the end of the text", id="no value"),
        pytest.param("[1,,2]", 3, 'a value was expected, not ","', id="two commas"),
        pytest.param("[1,]", 2, "a `,` before `]`", id="a comma before the end of a list"),
        pytest.param('{"a": 1,}', 7, "a `,` before `}`", id="a comma before the end"),
        pytest.param('{"a": 1} {}', 9, "text behind the end of the document", id="two documents"),
        pytest.param("[True]", 1, '"True" is no JSON value', id="a word of Python's"),
        pytest.param("[010]", 1, '"010" is no JSON value', id="a zero in front"),
        pytest.param("[NaN]", 1, '"NaN" is no JSON value', id="not a number"),
        pytest.param("['a']", 1, "\"'a'\" is no JSON value", id="single quotes"),
        pytest.param("[\u00a01]", 1, 'a value was expected, not "\u00a0"', id="a foreign space"),
        pytest.param('["a]', 1, "a text that is not closed", id="an open quote"),
        pytest.param(
            '["a\nb"]',
            3,
            "a line break or control character inside a text",
            id="a line break in a text",
        ),
        pytest.param(r'["\x"]', 2, "an escape that JSON does not have", id="a foreign escape"),
        pytest.param(r'["\u12"]', 3, "an escape that JSON does not have", id="a short escape"),
    ],
)
def test_what_is_no_json_is_told_at_its_place(text: str, place: int, message: str) -> None:
    _, faults = read_json(text, LIMITS)
    assert [(fault.code, fault.start, fault.message) for fault in faults] == [
        ("json-syntax", place, message)
    ]
    with pytest.raises(ValueError, match=r"."):
        quick_json(text)


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        *[
            pytest.param(f"[{word}]", f'"{word}" is no JSON value', hint, id=word)
            for word, hint in [
                ("True", "write true"),
                ("FALSE", "write false"),
                ("None", "write null"),
                ("undefined", "write null"),
                ("010", "write 10, or 8 if it was meant as octal"),
                ("1_000", "write 1000"),
                ("+3", "write 3"),
                (".5", "write 0.5"),
                ("0x1F", "write 31"),
                ("Infinity", "JSON has finite numbers only"),
                ("NaN", "JSON has finite numbers only"),
                ("nan", "text stands in double quotes; the words are true, false and null"),
                (".inf", "JSON has finite numbers only"),
                ("'a b é'", 'write "a b é"'),
            ]
        ],
        *[
            pytest.param(text, "JSON has no comments",
                         "remove it, or write the manifest in YAML", id=f"comment {text}")
            for text in ("{// a\n}", "[/* a */]", '{"a": 1 # b\n}', "[# a\n]", "[/* a")
        ],
        pytest.param("{name: 1}", "a key in double quotes was expected", 'write "name"',
                     id="a bare key"),
        pytest.param("{'a_b': 1}", "a key in double quotes was expected", 'write "a_b"',
                     id="a key in single quotes"),
        pytest.param("{@: 1}", "a key in double quotes was expected", None, id="no key at all"),
        pytest.param("{,}", "a key in double quotes was expected", None, id="a comma for a key"),
    ],
)  # fmt: skip
def test_the_hint_says_what_to_write_instead(text: str, message: str, hint: str | None) -> None:
    _, faults = read_json(text, LIMITS)
    assert [(fault.message, fault.hint) for fault in faults] == [(message, hint)]


@pytest.mark.parametrize(
    ("text", "meant", "places"),
    [
        pytest.param("[1,]", [1], [2], id="a comma too many"),
        pytest.param('["a" "b" [1] 2]', ["a", "b", [1], 2], [4, 8, 12], id="no commas in a list"),
        pytest.param('{"a": 1 "b": 2}', {"a": 1, "b": 2}, [7], id="no comma in a mapping"),
        pytest.param("{a: 1, 'b': 2}", {"a": 1, "b": 2}, [1, 7], id="bare keys"),
        pytest.param(
            "['a b', True, NULL, 010, .5, abc]",
            ["a b", True, None, 10, 0.5, "abc"],
            [1, 8, 14, 20, 25, 29],
            id="words of others",
        ),
        pytest.param("[ // a\n 1 /* * / */, # b\r2]", [1, 2], [2, 10, 21], id="comments"),
        pytest.param('{"a": 1} {}', {"a": 1}, [9], id="another document"),
    ],
)
def test_a_text_is_read_on_where_it_is_certain_what_was_meant(
    text: str, meant: object, places: list[int]
) -> None:
    root, faults = read_json(text, LIMITS)
    assert root is not None
    assert to_plain(root) == meant
    assert [(fault.code, fault.start) for fault in faults] == [("json-syntax", p) for p in places]
    with pytest.raises(ValueError, match=r"."):
        quick_json(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('["a" b"]', id="a quote is missing"),
        pytest.param('{"a": 1 b: 2}', id="a comma and quotes are missing"),
        pytest.param('{"a" 1}', id="a colon is missing"),
        pytest.param("[.inf]", id="no finite number"),
        pytest.param('["a', id="a text is open"),
        pytest.param("[1, /* 2]", id="a comment is open"),
        pytest.param("{a b: 1}", id="two words for a key"),
        pytest.param("['a]", id="a single quote is open"),
    ],
)
def test_a_text_is_not_read_on_where_it_could_mean_several_things(text: str) -> None:
    root, _ = read_json(text, LIMITS)
    assert root is None


def test_a_text_that_is_wrong_all_over_is_not_read_on_for_ever() -> None:
    root, faults = read_json("[" + "//\n" * 100_000 + "]", LIMITS)
    assert root is None
    assert len(faults) == 1001


@pytest.mark.parametrize("text", ["", " \n\t\r"])
def test_nothing_is_no_document(text: str) -> None:
    root, faults = read_json(text, LIMITS)
    assert root is None
    assert [fault.code for fault in faults] == ["empty-document"]
    with pytest.raises(ValueError, match=r"."):
        quick_json(text)


def test_a_key_that_stands_again_is_told_and_its_first_value_counts() -> None:
    text = '{"a": 1, "b": [{"c": 1, "c": 2}], "a": 2, "a": 3}'
    root, faults = read_json(text, LIMITS)
    assert root is not None
    assert to_plain(root) == {"a": 1, "b": [{"c": 1}]}
    message, hint = 'the key "{}" stands twice in this mapping', "keep one of the two"
    first = "it stands here first"
    assert faults == [
        Fault("duplicate-key", message.format("c"), 24, 27, ("b", 0, "c"), hint,
              ((first, 16, 19),)),
        Fault("duplicate-key", message.format("a"), 34, 37, ("a",), hint, ((first, 1, 4),)),
        Fault("duplicate-key", message.format("a"), 42, 45, ("a",), hint, ((first, 1, 4),)),
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"."):
        quick_json(text)


@pytest.mark.parametrize(
    ("text", "limits", "place", "code"),
    [
        pytest.param("[" * 65 + "]" * 65, LIMITS, 64, "too-deep", id="65 deep"),
        pytest.param('{"a":[1]}', ReadLimits(depth=1), 5, "too-deep", id="2 deep for 1"),
        pytest.param("[1,2,3]", ReadLimits(nodes=3), 5, "too-many-nodes", id="4 values for 3"),
        pytest.param("[" * 100_000, LIMITS, 64, "too-deep", id="100,000 brackets"),
    ],
)
def test_a_text_beyond_the_limits_is_refused_where_it_goes_beyond(
    text: str, limits: ReadLimits, place: int, code: str
) -> None:
    root, faults = read_json(text, limits)
    assert root is None
    assert [(fault.code, fault.start) for fault in faults] == [(code, place)]


def test_the_quick_way_declines_what_only_deep_recursion_reads() -> None:
    with pytest.raises(ValueError, match=r"recursion"):
        quick_json("[" * 100_000 + "]" * 100_000)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param({}, "{}\n", id="nothing"),
        pytest.param({"b": 1, "a": [1.5, None]}, None, id="in order"),
        pytest.param({"a": "é 夜 🚀 /"}, '{\n  "a": "é 夜 🚀 /"\n}\n', id="characters as they are"),
        pytest.param(
            {"a": "\x7f\x85\u2028\u2029\ufeff\ufffe\uffff"},
            '{\n  "a": "\\u007f\\u0085\\u2028\\u2029\\ufeff\\ufffe\\uffff"\n}\n',
            id="what a reader of YAML refuses is escaped",
        ),
        pytest.param({"\x7f": "\n"}, '{\n  "\\u007f": "\\n"\n}\n', id="in keys too"),
    ],
)
def test_json_is_written_for_readers_of_yaml_too(data: dict[str, Any], text: str | None) -> None:
    written = write_json(data)
    assert text is None or written == text
    assert json.loads(written) == data
    assert list(json.loads(written)) == list(data)


def test_json_has_no_infinity() -> None:
    with pytest.raises(ValueError, match=r"JSON"):
        write_json({"a": math.inf})
