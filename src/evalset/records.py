"""Records of runs: which combinations are done, as lines of keys, JSON lines or CSV."""

# A path is opened as it was given, pathlib's or not.
# ruff: noqa: PTH123

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias, final

import attrs

from evalset.cells import read_cell
from evalset.errors import EvalsetError
from evalset.keys import combination_id
from evalset.quoting import quote
from evalset.shapes import is_mapping

__all__ = ["Outcome", "Record", "RecordError", "RecordFormat", "parse_records", "read_records"]

Outcome: TypeAlias = Literal["done", "failed"]
"""How a run ended: with a result, or without one."""

RecordFormat: TypeAlias = Literal["keys", "jsonl", "csv"]
"""Lines of keys or ids, JSON lines, or CSV with a header."""

_OUTCOMES = ("done", "failed")
_SUFFIXES: dict[str, RecordFormat] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}


@final
class RecordError(EvalsetError, ValueError):
    """What should hold records does not.

    Attributes:
        name: The file.
        line: The line, from 1.
        message: What is wrong there.
    """

    name: str
    line: int
    message: str

    def __init__(self, name: str, line: int, message: str) -> None:
        """Take where it is, and what is wrong."""
        self.name, self.line, self.message = name, line, message
        super().__init__(name, line, message)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordError):
            return NotImplemented
        return self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)

    def __str__(self) -> str:
        return f"{self.name}:{self.line}: {self.message}"

    def to_dict(self) -> dict[str, Any]:
        """Give the body of an HTTP answer (RFC 9457)."""
        return {
            "type": "urn:evalset:problem:invalid-record",
            "title": "A record of a run is not valid",
            "status": 422,
            "detail": str(self),
        }


@final
@attrs.frozen
class Record:
    """That one combination ran.

    Attributes:
        key: The combination: its matrix key, id or safe name.
        outcome: `done`: there is a result, whatever it says; `failed`: there is none.
        fingerprint: What ran, as `Combination.fingerprint` said then, or None: unknown.

    Raises:
        TypeError: A text is no str.
        ValueError: `key` is empty, or `outcome` neither of the two.
    """

    key: str
    outcome: Outcome = attrs.field(default="done", kw_only=True)
    fingerprint: str | None = attrs.field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.key, str) or not isinstance(self.fingerprint, str | None):
            raise TypeError("key and fingerprint of a record are text")
        if not self.key:
            raise ValueError("a record has no key")
        if self.outcome not in _OUTCOMES:
            raise ValueError(f"the outcome is {self.outcome!r}; it is 'done' or 'failed'")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Record:
        """Build a record from plain data, as its JSON Schema (`run-record-v1`) describes it.

        Args:
            data: `id` or `matrix_key` or both; `outcome` and `fingerprint`, or null;
                whatever else there is, is passed over.

        Raises:
            ValueError: It is no record.
        """
        key, identity = _text(data, "matrix_key"), _text(data, "id")
        record = _record(identity or key, _text(data, "outcome"), _text(data, "fingerprint"))
        if key and identity and identity != combination_id(key):
            raise ValueError(f"the id is not that of the matrix_key {quote(key)}")
        return record

    def to_dict(self) -> dict[str, Any]:
        """Give plain data; what names the combination is its `matrix_key` or its `id`."""
        data = {
            "matrix_key" if "/" in self.key else "id": self.key,
            "outcome": self.outcome,
            "fingerprint": self.fingerprint,
        }
        return {name: value for name, value in data.items() if value is not None}


def read_records(
    path: str | os.PathLike[str], *, format: RecordFormat | None = None
) -> tuple[Record, ...]:
    """Read the records of a file; see `parse_records`.

    Args:
        path: The file.
        format: None: by the suffix `.csv`, `.jsonl` or `.ndjson`, else by the text.

    Raises:
        RecordError: A line is no record.
        OSError: The file can't be read.
    """
    name = os.fspath(path)
    suffix = os.path.splitext(name)[1].lower()  # noqa: PTH122
    with open(path, "rb") as file:
        return parse_records(file.read(), format=format or _SUFFIXES.get(suffix), name=name)


def parse_records(
    text: str | bytes, *, format: RecordFormat | None = None, name: str = "<text>"
) -> tuple[Record, ...]:
    r"""Read records from a text.

    Args:
        text: The text; bytes are UTF-8. Lines end at LF or CR LF only, since a key may
            hold U+2028 and its like. Blank lines are passed over.
        format: `keys`: a matrix key, id or safe name on each line, all done. `jsonl`: an
            object on each line, as `Record.from_dict` takes it. `csv`: a header with `id`,
            `matrix_key` or both, of which `id` counts, and perhaps `outcome` and
            `fingerprint`; what guards a key against formulas is taken away. None: `jsonl`
            if the text starts with `{`, `csv` if its first line has such a name among
            commas, else `keys`.
        name: What errors call the text.

    Raises:
        RecordError: A line is no record, or the bytes are not UTF-8.

    Example:
        >>> parse_records("p/a/1\n")
        (Record(key='p/a/1', outcome='done', fingerprint=None),)
    """
    decoded = _decode(text, name)
    chosen = format or _format_of(decoded)
    if chosen not in _READERS:
        raise ValueError(f"format is {format!r}; it is 'keys', 'jsonl' or 'csv'")
    return tuple(_READERS[chosen](decoded, name))


def _decode(text: str | bytes, name: str) -> str:
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise RecordError(name, line, "the bytes are not UTF-8") from None


def _format_of(text: str) -> RecordFormat:
    if _JSON_START.match(text):
        return "jsonl"
    header = text.partition("\n")[0].rstrip("\r").split(",")
    names = {column.strip('"') for column in header}
    return "csv" if names & {"id", "matrix_key"} else "keys"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.removesuffix("\r")
        if stripped.strip(" \t"):
            yield number, stripped


# An object of JSON begins so; a key may begin with a brace alone. What a keys file is,
# its caller can say.
_JSON_START = re.compile(r'\s*\{\s*(?:"[a-z_]+"\s*:|\})')


def _read_keys(text: str, name: str) -> Iterator[Record]:
    del name  # nothing can be wrong with a line
    yield from (Record(line) for _, line in _lines(text))


def _read_json(text: str, name: str) -> Iterator[Record]:
    for number, line in _lines(text):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise RecordError(name, number, "the line is not JSON") from None
        if not is_mapping(data):
            raise RecordError(name, number, "the line is not a JSON object")
        try:
            yield Record.from_dict(data)
        except ValueError as error:
            raise RecordError(name, number, str(error)) from None


def _read_csv(text: str, name: str) -> Iterator[Record]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        names = reader.fieldnames or ()
        if not {"id", "matrix_key"}.intersection(names):
            message = "the header has neither id nor matrix_key"
            raise RecordError(name, 1, message)
        for row in reader:
            cells = {column: row.get(column) or "" for column in _COLUMNS}
            key = cells["id"] or read_cell(cells["matrix_key"])
            yield _record(key, cells["outcome"], cells["fingerprint"])
    except csv.Error as error:
        raise RecordError(name, reader.line_num + 1, f"the line is not CSV: {error}") from None
    except ValueError as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(name, reader.line_num, str(error)) from None


_COLUMNS = ("id", "matrix_key", "outcome", "fingerprint")
_READERS = {"keys": _read_keys, "jsonl": _read_json, "csv": _read_csv}


def _text(data: Mapping[str, Any], field: str) -> str:
    value = data.get(field)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{field} is text, not {type(value).__name__}")
    return value or ""


def _record(key: str, outcome: str, fingerprint: str) -> Record:
    if not key:
        raise ValueError("neither id nor matrix_key is there")
    ended: Any = outcome or "done"
    if ended not in _OUTCOMES:
        raise ValueError(f"the outcome is {quote(ended)}; it is done or failed")
    return Record(key, outcome=ended, fingerprint=fingerprint or None)
