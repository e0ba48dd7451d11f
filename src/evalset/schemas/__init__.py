"""The published JSON Schema, and the one owner of jsonschema.

The files beside this module are the source of truth; `schema/` at the top of the project
holds copies of them. jsonschema is imported only when a document has been refused and
its faults are to be told.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import Any, final

import attrs

from evalset.nodes import Path

__all__ = ["SchemaError", "json_schema", "record_schema_text", "schema_errors", "schema_text"]


@final
@attrs.frozen
class SchemaError:
    """One violation of the schema, in terms of ours.

    Attributes:
        keyword: The schema keyword that failed.
        path: The value that failed it; for `required` and `additionalProperties` the
            key that is missing or unknown is its last step.
        value: That value; for `required` and `additionalProperties` the mapping.
        expected: What the keyword demands.
        branch: `then` or `else` where the keyword stands in one, else None.
    """

    keyword: str
    path: Path
    value: Any
    expected: Any
    branch: str | None


def schema_text(*, editor: bool = False) -> str:
    """Give the schema file as it is published, byte for byte.

    Args:
        editor: The form for editors, with snippets and readable messages, instead of
            the portable one. Both give the same verdicts.
    """
    name = "evalset-v1.editor.json" if editor else "evalset-v1.json"
    data = pkgutil.get_data(__name__, name)  # works from a zip, and is cheap to import
    return (data or b"").decode()


def record_schema_text() -> str:
    """Give the schema file of a record of a run, `run-record-v1`, byte for byte."""
    return (pkgutil.get_data(__name__, "run-record-v1.json") or b"").decode()


def json_schema(*, editor: bool = False) -> dict[str, Any]:
    """Give the JSON Schema (draft-07) of a manifest as plain data, a new copy each time.

    Args:
        editor: As for `schema_text`.
    """
    schema: dict[str, Any] = json.loads(schema_text(editor=editor))
    return schema


def schema_errors(data: object) -> list[SchemaError]:
    """List every violation of the schema in plain data; keys must be text."""
    return [error for raw in _validator().iter_errors(data) for error in _translate(raw)]


@cache
def _validator() -> Any:  # noqa: ANN401 (jsonschema ships no types)
    from jsonschema import Draft7Validator, validators  # its types are partial

    # Equal seeds are found by a rule: in linear time, and with both places.
    extend: Any = getattr(validators, "extend")  # noqa: B009 (typed in part)
    return extend(Draft7Validator, {"uniqueItems": None})(json_schema())


def _translate(raw: Any) -> Iterator[SchemaError]:  # noqa: ANN401
    path, steps = tuple(raw.absolute_path), tuple(raw.absolute_schema_path)
    branch = next((step for step in steps if step in {"then", "else"}), None)
    keyword, expected, keys = raw.validator, raw.validator_value, [None]
    if keyword == "required":  # one error for each missing key, named in its message only
        keys = [key for key in expected if raw.message.startswith(f"{key!r} ")]
    elif keyword == "additionalProperties":  # one error for all the unknown keys
        expected = tuple(raw.schema["properties"])
        keys = [key for key in raw.instance if key not in expected and not key.startswith("x-")]
    for key in keys:
        whole = path if key is None else (*path, key)
        yield SchemaError(keyword, whole, raw.instance, expected, branch)
