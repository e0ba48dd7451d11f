"""A text is decoded, bounded and read; its tree finds every place again."""

import pytest

from evalset import ReadLimits, Span
from evalset.document import At, read_document
from evalset.nodes import Path, to_pointer
from evalset.sources import Format, Source, decode, descend, parse_pointer, quick_data
from evalset.tree import to_plain

LIMITS = ReadLimits()


def _source(text: str, *, format: Format | None = None, at: str = "") -> Source:
    return Source(name="t", text=text, format=format, at=at)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param("a: é", "a: é", id="text"),
        pytest.param("\ufeffa", "a", id="text with a BOM"),
        pytest.param("a: é".encode(), "a: é", id="bytes"),
        pytest.param("\ufeffa".encode(), "a", id="bytes with a BOM"),
        pytest.param("\ud800", "\ud800", id="a surrogate in text"),
        pytest.param(b"", "", id="nothing"),
    ],
)
def test_utf8_is_decoded_without_its_byte_order_mark(data: str | bytes, text: str) -> None:
    assert decode(data, LIMITS) == (text, None)


_WIDE = "the text is UTF-16 or UTF-32; a manifest is UTF-8"


@pytest.mark.parametrize(
    ("data", "message", "place"),
    [
        pytest.param("a: b".encode("utf-16-le"), _WIDE,
                     0, id="UTF-16 without a BOM"),
        pytest.param("a: b".encode("utf-16-be"), _WIDE,
                     0, id="UTF-16BE without a BOM"),
        pytest.param("a: b".encode("utf-32-be"), _WIDE,
                     0, id="UTF-32BE without a BOM"),
        pytest.param(b"a\0bc", None, None, id="one NUL"),
        pytest.param(b"\xff\xfea\x00", "the text is UTF-16; a manifest is UTF-8", 0, id="UTF-16"),
        pytest.param(b"\xfe\xff\x00a", "the text is UTF-16; a manifest is UTF-8", 0, id="UTF-16BE"),
        pytest.param(b"ab\xe9", "the byte 0xe9 can't stand here in UTF-8", 2, id="Latin-1"),
        pytest.param("é夜\ud800".encode("utf-8", "surrogatepass"),
                     "the byte 0xed can't stand here in UTF-8", 2, id="a surrogate"),
        pytest.param("\ufeffé".encode()[:-1], "the byte 0xc3 can't stand here in UTF-8", 0,
                     id="cut off behind a BOM"),
        pytest.param("\ufeffééé".encode() + b"\xff", "the byte 0xff can't stand here in UTF-8", 3,
                     id="behind a BOM and characters of two bytes"),
        pytest.param("a: b".encode("utf-32"), "the text is UTF-32; a manifest is UTF-8", 0,
                     id="UTF-32"),
    ],
)  # fmt: skip
def test_what_is_not_utf8_is_told_at_its_character(
    data: bytes, message: str | None, place: int | None
) -> None:
    _, fault = decode(data, LIMITS)
    assert (fault and (fault.code, fault.message, fault.start)) == (
        message and ("not-utf8", message, place)
    )


@pytest.mark.parametrize(
    ("data", "is_read"),
    [
        pytest.param("é" * 5, True, id="10 bytes of text"),
        pytest.param("é" * 5 + "a", False, id="11 bytes of text"),
        pytest.param("a" * 11, False, id="11 characters"),
        pytest.param("🚀" * 2, True, id="8 bytes of text"),
        pytest.param(b"a" * 10, True, id="10 bytes"),
        pytest.param(b"a" * 11, False, id="11 bytes"),
        pytest.param("\ud800" * 3 + "a", True, id="surrogates count as three bytes"),
    ],
)
def test_a_text_has_its_limit_in_bytes(data: str | bytes, *, is_read: bool) -> None:
    text, fault = decode(data, ReadLimits(size=10))
    assert (fault is None) is is_read
    if fault:
        assert text == ""
        assert (fault.code, fault.message) == ("too-large", "the text is larger than 10 bytes")


@pytest.mark.parametrize(
    ("pointer", "path"),
    [
        pytest.param("", (), id="the whole"),
        pytest.param("/", ("",), id="an empty key"),
        pytest.param("/a/0/b c", ("a", "0", "b c"), id="three steps"),
        pytest.param("/a~1b/~0~01", ("a/b", "~~1"), id="escapes"),
        pytest.param("/é\n", ("é\n",), id="any character"),
    ],
)
def test_a_json_pointer_is_split_into_its_steps(pointer: str, path: Path) -> None:
    assert parse_pointer(pointer) == path
    assert to_pointer(path) == pointer


@pytest.mark.parametrize("pointer", ["a", "#/a", "/~", "/a~2b", " /a", "a/b"])
def test_what_is_no_json_pointer_is_misuse(pointer: str) -> None:
    with pytest.raises(ValueError, match=r" is no JSON Pointer; write it as in '/manifest'$"):
        parse_pointer(pointer)


@pytest.mark.parametrize(
    ("data", "pointer", "value"),
    [
        pytest.param({"a": 1}, "", {"a": 1}, id="the whole"),
        pytest.param({"a": [5, {"b/c": 6}]}, "/a/1/b~1c", 6, id="deep"),
        pytest.param({"0": "a"}, "/0", "a", id="a key that looks like an index"),
        pytest.param((1, 2), "/1", 2, id="a tuple"),
        pytest.param({"": None}, "/", None, id="null"),
    ],
)
def test_a_pointer_leads_to_a_value_in_plain_data(
    data: object, pointer: str, value: object
) -> None:
    assert descend(data, pointer) == value


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        pytest.param({"a": 1}, "/b", id="no such key"),
        pytest.param([1], "/1", id="behind the end"),
        pytest.param([1], "/-1", id="a negative index"),
        pytest.param([1], "/00", id="an index with a zero in front"),
        pytest.param([1], "/-", id="the item behind the last"),
        pytest.param("abc", "/0", id="a letter of a text"),
        pytest.param(None, "/a", id="null has nothing below it"),
        pytest.param({5: 1}, "/5", id="a key that is not text"),
    ],
)
def test_a_pointer_to_nothing_is_a_lookup_error(data: object, pointer: str) -> None:
    with pytest.raises(LookupError, match=r"^the data has no value at "):
        descend(data, pointer)


@pytest.mark.parametrize(
    ("source", "data"),
    [
        pytest.param(_source('{"a": 1}'), {"a": 1}, id="JSON by its brace"),
        pytest.param(_source('\n {"a": 1}'), {"a": 1}, id="JSON behind white space"),
        pytest.param(_source("[1]", format="json"), [1], id="JSON by its format"),
        pytest.param(_source("a: 1\n"), {"a": 1}, id="YAML"),
        pytest.param(_source('{"a": 1}', format="yaml"), None, id="JSON as YAML"),
    ],
)
def test_a_text_is_read_quickly_as_with_places(source: Source, data: object) -> None:
    document = read_document(source)
    assert document.faults == ()
    assert document.root is not None
    if data is not None:
        assert quick_data(source) == to_plain(document.root) == data


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(_source("[1]"), id="a list, which may be YAML"),
        pytest.param(_source("a: &b 1\n"), id="YAML beyond the subset"),
        pytest.param(_source("a: 1\n", format="json"), id="YAML that is called JSON"),
        pytest.param(_source("{a: 1}"), id="YAML that starts with a brace"),
    ],
)
def test_the_quick_way_declines_what_is_not_its_own(source: Source) -> None:
    with pytest.raises(ValueError, match=r"."):
        quick_data(source)


@pytest.mark.parametrize(
    ("text", "format", "codes"),
    [
        pytest.param("{a: 1,}", None, [], id="YAML in braces"),
        pytest.param('{"a": 1,}', None, [], id="JSON with a comma too many is YAML"),
        pytest.param('{"a": 1,}', "json", ["json-syntax"], id="but not if it is called JSON"),
        pytest.param('{"a": [}', None, ["json-syntax"], id="what is neither, and meant as JSON"),
        pytest.param("{a: [}", None, ["yaml-syntax"], id="what is neither, and meant as YAML"),
        pytest.param('{"a": 1, "a": 2}', None, ["duplicate-key"], id="JSON with another fault"),
        pytest.param('{"a": 010}', None, [], id="a number of YAML's"),
        pytest.param('{"a": 1}\n---\n', None, ["several-documents"], id="a second document"),
        pytest.param("", "json", ["empty-document"], id="no JSON"),
        pytest.param("", None, ["empty-document"], id="nothing at all"),
    ],
)
def test_a_text_that_starts_with_a_brace_is_tried_as_json_then_as_yaml(
    text: str, format: Format | None, codes: list[str]
) -> None:
    document = read_document(_source(text, format=format))
    assert [fault.code for fault in document.faults] == codes


def test_yaml_has_a_limit_of_its_own() -> None:
    limits = ReadLimits(yaml_size=10)
    source = Source(name="t", text="[abcdefghi]", limits=limits)
    document = read_document(source)
    assert document.root is None
    [diagnostic] = document.diagnostics()
    assert str(diagnostic) == "t:1:1: error[too-large] the text is larger than 10 bytes"
    assert read_document(Source(name="t", text="[abcdefgh]", limits=limits)).faults == ()
    assert read_document(Source(name="t", text='{"a": "bcdefg"}', limits=limits)).faults == ()


@pytest.mark.parametrize("text", ['{"a": [5, {"b/c": 6}]}', "a:\n  - 5\n  - b/c: 6\n"])
def test_a_value_inside_the_document_is_found_by_its_pointer(text: str) -> None:
    document = read_document(_source(text, at="/a/1/b~1c"))
    assert document.root is not None
    assert (to_plain(document.root), document.base) == (6, ("a", 1, "b/c"))
    for pointer in ("/b", "/a/2", "/a/01", "/a/-1", "/a/0/x", "/a/1/b"):
        document = read_document(_source(text, at=pointer))
        assert (document.root, document.base) == (None, ())
        [diagnostic] = document.diagnostics()
        assert diagnostic.code == "pointer-not-found"
        assert diagnostic.message == f'the document has no value at "{pointer}"'


def test_what_decode_found_is_all_that_is_told() -> None:
    text, fault = decode(b"\xff", LIMITS)
    document = read_document(_source(text), fault)
    assert (document.root, document.faults) == (None, (fault,))


TEXT = "a:\n  b: 5\r\n  c:\n  d: [6, '7']\rlist:\n  -\n  - e: 8\n  - {}\n"


@pytest.mark.parametrize(
    ("path", "at", "shown", "source"),
    [
        pytest.param((), "value", TEXT.rstrip(), None, id="the root"),
        pytest.param((), "key", TEXT.rstrip(), None, id="the root has no key"),
        pytest.param((), "mapping", "a", None, id="the root's first key"),
        pytest.param(("a",), "key", "a", None, id="a key"),
        pytest.param(("a",), "mapping", "a", None, id="a mapping by its key"),
        pytest.param(("a", "b"), "value", "5", "5", id="a number"),
        pytest.param(("a", "b"), "key", "b", "5", id="the key of a number"),
        pytest.param(("a", "c"), "value", "c", "", id="a value that is not written"),
        pytest.param(("a", "d"), "value", "[6, '7']", None, id="a list"),
        pytest.param(("a", "d", 0), "value", "6", "6", id="an item"),
        pytest.param(("a", "d", 1), "value", "'7'", None, id="a quoted item"),
        pytest.param(("a", "d", 1), "key", "'7'", None, id="an item has no key"),
        pytest.param(("list", 0), "value", "-", "", id="an item that is not written"),
        pytest.param(("list", 1), "mapping", "e", None, id="an item's first key"),
        pytest.param(("list", 2), "mapping", "{}", None, id="an item without keys"),
        pytest.param(("list", 1, "e"), "value", "8", "8", id="a value in an item"),
        pytest.param(("list", 1, "f"), "value", "e: 8", None, id="as far as the path leads"),
        pytest.param(("x", "y"), "mapping", "a", None, id="a path that leads nowhere"),
    ],
)
def test_a_path_is_found_in_the_text(path: Path, at: At, shown: str, source: str | None) -> None:
    place = read_document(_source(TEXT)).place(path, at)
    assert (TEXT[place.start : place.end], place.source) == (shown, source)


def test_a_document_that_was_not_read_has_its_start_only() -> None:
    place = read_document(_source("[")).place(("a",))
    assert (place.start, place.end) == (0, 0)


@pytest.mark.parametrize(
    ("start", "end", "lines"),
    [
        pytest.param(0, 1, (1, 1, 1, 2), id="the first character"),
        pytest.param(2, 3, (1, 3, 2, 1), id="a line break belongs to its line"),
        pytest.param(8, 11, (2, 6, 3, 1), id="CR LF is one line break"),
        pytest.param(12, 12, (3, 2, 3, 2), id="no width"),
        pytest.param(5, 0, (2, 3, 2, 3), id="an end before its start is its start"),
        pytest.param(30, 31, (5, 1, 5, 2), id="CR is a line break"),
        pytest.param(len(TEXT), len(TEXT), (9, 1, 9, 1), id="the end"),
    ],
)
def test_an_offset_has_a_line_and_a_column(
    start: int, end: int, lines: tuple[int, int, int, int]
) -> None:
    line, column, end_line, end_column = lines
    assert read_document(_source(TEXT)).span(start, end) == Span(
        path="t",
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        offset=start,
        end_offset=max(start, end),
    )


def test_columns_count_code_points() -> None:
    document = read_document(_source("é夜🚀: e\u0301x\u2028y"))
    assert [document.span(offset, offset).column for offset in range(11)] == list(range(1, 12))


@pytest.mark.parametrize(
    ("path", "alias"),
    [
        pytest.param(("b", 1), (15, 17), id="an item"),
        pytest.param(("c",), (22, 24), id="a value"),
        pytest.param(("c", "d"), (22, 24), id="what is inside of a value"),
        pytest.param(("e", "d"), (33, 35), id="a merged key"),
        pytest.param(("b", 0), None, id="an item that is none"),
        pytest.param((), None, id="the whole"),
        pytest.param(("b", 0, "d", "x"), None, id="what is not there"),
    ],
)
def test_a_value_knows_the_alias_that_it_comes_by(
    path: Path, alias: tuple[int, int] | None
) -> None:
    document = read_document(_source("b: [&a {d: 5}, *a]\nc: *a\ne: {<<: *a}\n"))
    assert document.alias(path) == alias
