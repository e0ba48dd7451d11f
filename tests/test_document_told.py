"""What a document says of its faults, to the word and the place; what it could not read."""

import pytest

from evalset import ReadLimits
from evalset.diagnostics import Diagnostic, Related, Span
from evalset.document import read_document
from evalset.faults import Fault
from evalset.nodes import Path
from evalset.sources import Source


def test_a_fault_is_told_with_every_place() -> None:
    document = read_document(Source(name="t", text="x:\n  a: 1\n  a: 2\n"))
    here = Span(path="t", line=3, column=3, end_line=3, end_column=4, offset=12, end_offset=13)
    first = Span(path="t", line=2, column=3, end_line=2, end_column=4, offset=5, end_offset=6)
    assert document.diagnostics() == [
        Diagnostic(
            code="duplicate-key",
            message='the key "a" stands twice in this mapping',
            pointer="/x/a",
            span=here,
            related=(Related(message="it stands here first", pointer="/x/a", span=first),),
            hint="keep one of the two",
        )
    ]


def test_a_text_that_is_too_large_is_told_what_may_be_larger() -> None:
    source = Source(name="t", text="a: &b c\n", limits=ReadLimits(yaml_size=7))
    document = read_document(source)
    assert document.root is None
    [fault] = document.faults
    assert (fault.message, fault.hint) == (
        "the text is larger than 7 bytes",
        "JSON, and YAML in plain block style, may be larger",
    )


def test_what_was_found_before_is_all_that_is_told() -> None:
    source, fault = Source(name="t", text="a: 1"), Fault("not-utf8", "no")
    document = read_document(source, fault)
    assert (document.source, document.root, document.base) == (source, None, ())
    assert document.faults == (fault,)


@pytest.mark.parametrize(
    ("text", "at", "paths"),
    [
        pytest.param("a: *b\nc: [!d e]\n", "", [("a",), ("c", 0)], id="of the whole"),
        pytest.param("a: *b\nc: [!d e]\n", "/c", [(0,)], id="of a part"),
        pytest.param("a: 1\na: 2\n", "", [], id="what was read all the same"),
    ],
)
def test_what_could_not_be_read_is_known_by_its_path(text: str, at: str, paths: list[Path]) -> None:
    assert read_document(Source(name="t", text=text, at=at)).unread() == paths


@pytest.mark.parametrize(
    ("text", "path", "is_flow"),
    [
        pytest.param("a: [1]", ("a",), False, id="a list in brackets is in a block"),
        pytest.param("a: [1]", ("a", 0), True, id="its item is in brackets"),
        pytest.param("a: {b: 1}", ("a", "b"), True, id="a value in braces"),
        pytest.param("a:\n- b: 1\n", ("a", 0, "b"), False, id="a value in blocks"),
        pytest.param("a:\n- b: [{c: 1}]\n", ("a", 0, "b", 0, "c"), True, id="deep in brackets"),
        pytest.param('{"a": [1]}', ("a", 0), True, id="JSON"),
    ],
)
def test_what_stands_in_brackets_is_told_apart(text: str, path: Path, *, is_flow: bool) -> None:
    assert read_document(Source(name="t", text=text)).is_flow(path) is is_flow


def test_a_place_is_that_of_the_value_where_nothing_else_is_asked() -> None:
    document = read_document(Source(name="t", text="a: bc\n"))
    places = [document.place(("a",)), document.place(("a",), "value")]
    assert [(place.start, place.end, place.source) for place in places] == [(3, 5, "bc")] * 2


@pytest.mark.parametrize(
    ("path", "alias"),
    [
        pytest.param(("y", 1, 0), (17, 19), id="below an alias in a list"),
        pytest.param(("y", 0), None, id="beside it"),
        pytest.param(("x", 0), None, id="below the anchor"),
        pytest.param(("z", "w", "v"), (28, 30), id="an alias below two keys"),
        pytest.param(("x", "nothing"), None, id="where no path leads"),
    ],
)
def test_the_alias_on_the_way_is_found(path: Path, alias: tuple[int, int] | None) -> None:
    text = "x: &a [1]\ny: [2, *a]\nz: {w: *a}\n"
    assert text[17:19] == "*a"
    assert read_document(Source(name="t", text=text)).alias(path) == alias
