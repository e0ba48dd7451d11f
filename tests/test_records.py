"""Records of runs: every form they come in, and what is no record."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from evalset import Record, RecordError, combination_id, read_records
from evalset.records import RecordFormat, parse_records
from evalset.schemas import schema_text

KEY = "p/a/1"
ID = combination_id(KEY)
SCHEMA: Any = Draft7Validator(json.loads(schema_text("record")))


@pytest.mark.parametrize(
    ("text", "records"),
    [
        pytest.param("", (), id="nothing"),
        pytest.param("\n \n\t\r\n", (), id="blank lines"),
        pytest.param("p/a/1\np/a/2", (Record(KEY), Record("p/a/2")), id="keys"),
        pytest.param("\ufeffp/a/1\r\n", (Record(KEY),), id="a byte order mark and CR LF"),
        pytest.param("p/a\u2028b/1\np/\x85/1\n", (Record("p/a\u2028b/1"), Record("p/\x85/1")),
                     id="what splitlines would split"),
        pytest.param(b"p/\xe8\xa9\x95/1\n", (Record("p/\u8a55/1"),), id="bytes"),
        pytest.param(f'{{"id": "{ID}"}}\n\n{{"matrix_key": "{KEY}", "outcome": "failed", "x": 1}}',
                     (Record(ID), Record(KEY, outcome="failed")), id="JSON lines"),
        pytest.param(f'{{"id": "{ID}", "matrix_key": "{KEY}", "outcome": null, '
                     '"fingerprint": "f"}', (Record(ID, fingerprint="f"),), id="both names"),
        pytest.param(f"id\n{ID}\n", (Record(ID),), id="CSV of ids"),
        pytest.param(f"matrix_key,outcome\r\n{KEY},failed\r\n'@p/a/1,\r\n",
                     (Record(KEY, outcome="failed"), Record("@p/a/1")), id="CSV of guarded keys"),
        pytest.param('"x","id","matrix_key"\n1,,"a,""b""/a/1"\n2,ididid,other\n',
                     (Record('a,"b"/a/1'), Record("ididid")), id="CSV with quotes"),
        pytest.param(f"id,fingerprint\n{ID},f\n{ID}\n",
                     (Record(ID, fingerprint="f"), Record(ID)), id="CSV with a short row"),
        pytest.param("id/a/1\n", (Record("id/a/1"),), id="a key that looks like a header"),
    ],
)  # fmt: skip
def test_records_are_read_in_every_form(
    text: str | bytes, records: tuple[Record, ...], tmp_path: Path
) -> None:
    assert parse_records(text) == records
    path = tmp_path / "done"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert read_records(path) == records


@pytest.mark.parametrize(
    ("text", "format", "told"),
    [
        pytest.param(b"p/a/1\n\xff", None, "2: the bytes are not UTF-8", id="no UTF-8"),
        pytest.param('{"id": "i"}\n{', None, "2: the line is not JSON", id="no JSON"),
        pytest.param('{"id": "i"}\n\n[]', None, "3: the line is not a JSON object", id="a list"),
        pytest.param("{}", None, "1: neither id nor matrix_key is there", id="no name"),
        pytest.param('{"id": 5}', None, "1: id is text, not int", id="a number"),
        pytest.param('{"id": "i", "outcome": "ok"}', None,
                     '1: the outcome is "ok"; it is done or failed', id="another outcome"),
        pytest.param(f'{{"id": "{ID}", "matrix_key": "p/a/2"}}', None,
                     '1: the id is not that of the matrix_key "p/a/2"', id="names that differ"),
        pytest.param("[" * 100_000, "jsonl", "1: the line is not JSON", id="brackets"),
        pytest.param("a,b\n1,2\n", "csv", "1: the header has neither id nor matrix_key",
                     id="no column"),
        pytest.param("", "csv", "1: the header has neither id nor matrix_key", id="empty CSV"),
        pytest.param("id,outcome\ni,\nj,late\n", None,
                     '3: the outcome is "late"; it is done or failed', id="outcome in CSV"),
        pytest.param("id,matrix_key\n,\n", None, "2: neither id nor matrix_key is there",
                     id="nothing in CSV"),
        pytest.param('id\n"x"y\n', None,
                     "2: the line is not CSV: ',' expected after '\"'", id="quotes in CSV"),
    ],
)  # fmt: skip
def test_what_is_no_record_is_told_with_its_line(
    text: str | bytes, format: RecordFormat | None, told: str
) -> None:
    with pytest.raises(RecordError) as caught:
        parse_records(text, format=format, name="done.txt")
    assert str(caught.value) == f"done.txt:{told}"


@pytest.mark.parametrize(
    ("name", "text", "records"),
    [
        pytest.param("a.csv", "matrix_key\np/a/1\n", (Record(KEY),), id="CSV"),
        pytest.param("a.JSONL", '{"id":"i"}', (Record("i"),), id="JSON lines"),
        pytest.param("a.ndjson", "", (), id="no JSON line"),
        pytest.param("a.txt", "matrix_key\n", (), id="a header in another file"),
    ],
)
def test_the_suffix_tells_the_form(
    name: str, text: str, records: tuple[Record, ...], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert read_records(str(path)) == records


def test_a_form_that_there_is_not_is_refused() -> None:
    form: Any = "xml"
    with pytest.raises(ValueError, match=r"^format is 'xml'; it is 'keys', 'jsonl' or 'csv'$"):
        parse_records("", format=form)


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        pytest.param({"key": ""}, ValueError, "a record has no key", id="no key"),
        pytest.param({"key": 1}, TypeError, "key and fingerprint of a record are text", id="a key"),
        pytest.param({"key": "k", "fingerprint": b"f"}, TypeError,
                     "key and fingerprint of a record are text", id="a fingerprint"),
        pytest.param({"key": "k", "outcome": "ok"}, ValueError,
                     "the outcome is 'ok'; it is 'done' or 'failed'", id="an outcome"),
    ],
)  # fmt: skip
def test_a_record_is_checked(arguments: dict[str, Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error) as caught:
        Record(**arguments)
    assert str(caught.value) == told


TEXTS = st.none() | st.sampled_from(["", KEY, ID, "p/a/2", "done", "failed"]) | st.text()
RECORD_DATA = st.fixed_dictionaries(
    {},
    optional={
        "matrix_key": TEXTS | st.integers(),
        "id": TEXTS,
        "outcome": st.sampled_from([None, "", "done", "failed", "ok", 1]),
        "fingerprint": TEXTS | st.booleans(),
        "x": st.integers(),
    },
)


@given(RECORD_DATA)
def test_the_schema_and_the_library_take_the_same(data: dict[str, Any]) -> None:
    def is_taken() -> bool:
        try:
            record = Record.from_dict(data)
        except ValueError as error:
            return "is not that of the matrix_key" in str(error)
        assert Record.from_dict(record.to_dict()) == record
        return True

    assert is_taken() == SCHEMA.is_valid(data)


def test_the_published_schema_is_the_packaged_one() -> None:
    published = Path(__file__).parents[1] / "schema" / "run-record-v1.json"
    assert published.read_text(encoding="ascii") == schema_text("record")
    schema = json.loads(schema_text("record"))
    Draft7Validator.check_schema(schema)
    for example in schema["examples"]:
        assert Record.from_dict(example).to_dict() == example
    assert schema["properties"]["id"]["examples"] == [
        combination_id(schema["properties"]["matrix_key"]["examples"][0])
    ]


def test_a_record_error_is_an_answer_to_a_caller() -> None:
    error = RecordError("done.csv", 3, "wrong")
    restored = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert (restored, hash(restored), str(restored)) == (error, hash(error), "done.csv:3: wrong")
    assert error != RecordError("done.csv", 4, "wrong")
    assert error != "done.csv:3: wrong"
    assert error.to_dict() == {
        "type": "urn:evalset:problem:invalid-record",
        "title": "A record of a run is not valid",
        "status": 422,
        "detail": "done.csv:3: wrong",
    }
