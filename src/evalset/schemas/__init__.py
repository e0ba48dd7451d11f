"""The published JSON Schemas, and the one owner of jsonschema.

The files beside this module are the source of truth; `schema/` at the top of the project
holds copies of them. jsonschema is imported only when a document has been refused and
its faults are to be told.
"""

from __future__ import annotations

import json
import math
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, TypeAlias, final

import attrs

from evalset.nodes import Path
from evalset.shapes import is_number

__all__ = ["SCHEMAS", "SchemaError", "SchemaName", "json_schema", "schema_errors", "schema_text"]

SchemaName: TypeAlias = Literal["manifest", "report", "diagnostics", "record", "findings"]
"""Of what is read, the manifest and records of runs; and of what is given."""

SCHEMAS: dict[SchemaName, str] = {
    "manifest": "evalset-v1.json",
    "report": "expansion-report-v1.json",
    "diagnostics": "diagnostics-v1.json",
    "record": "run-record-v1.json",
    "findings": "findings-v1.json",
}
"""The files of the schemas: of what is read, and of what is given."""

_EDITOR = "evalset-v1.editor.json"


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

    @property
    def target(self) -> tuple[Path, Literal["value", "key", "mapping"]]:
        """What is pointed at: the mapping that lacks a key, an unknown key, or the value."""
        if self.keyword == "required":
            return self.path[:-1], "mapping"
        return self.path, "key" if self.keyword == "additionalProperties" else "value"


def schema_text(name: SchemaName = "manifest", *, editor: bool = False) -> str:
    """Give a schema file as it is published, byte for byte.

    Args:
        name: `manifest`: what is read; `report`: what `Expansion.to_dict` gives;
            `diagnostics`: what `EvalsetError.to_dict` gives; `record`: what says that a
            combination ran; `findings`: what `evalset check --format json` writes.
        editor: The form of the manifest's schema for editors, with snippets and readable
            messages, instead of the portable one. Both give the same verdicts.

    Raises:
        ValueError: There is no such schema, or no form of it for editors.
    """
    if name not in SCHEMAS:
        raise ValueError(f"name is {name!r}; it is one of {', '.join(SCHEMAS)}")
    if editor and name != "manifest":
        raise ValueError("only the manifest's schema has a form for editors")
    file = _EDITOR if editor else SCHEMAS[name]
    data = pkgutil.get_data(__name__, file)  # works from a zip, and is cheap to import
    return (data or b"").decode()


def json_schema(name: SchemaName = "manifest", *, editor: bool = False) -> dict[str, Any]:
    """Give a JSON Schema (draft-07) as plain data, a new copy each time.

    Args:
        name: As for `schema_text`.
        editor: As for `schema_text`.

    Raises:
        ValueError: As for `schema_text`.
    """
    schema: dict[str, Any] = json.loads(schema_text(name, editor=editor))
    return schema


def schema_errors(data: object) -> list[SchemaError]:
    """List every violation of the schema in plain data; keys must be text."""
    return [error for raw in _validator().iter_errors(data) for error in _translate(raw)]


@cache
def _validator() -> Any:  # noqa: ANN401 (jsonschema ships no types)
    from jsonschema import Draft7Validator, validators  # its types are partial

    # Equal seeds are found by a rule: in linear time, and with both places.
    extend: Any = getattr(validators, "extend")  # noqa: B009 (typed in part)
    types = Draft7Validator.TYPE_CHECKER.redefine("number", _is_number)
    validator = extend(Draft7Validator, {"uniqueItems": None}, type_checker=types)
    return validator(json_schema())


def _is_number(_: object, value: object) -> bool:
    """Tell numbers from Python's others, such as infinite or complex ones."""
    return is_number(value) and (isinstance(value, int) or math.isfinite(value))


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
