"""A manifest as a field of pydantic's models, and so as a body or an answer of FastAPI.

pydantic is no dependency. It is what calls these functions, so it is there when they run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar

from evalset.diagnostics import Diagnostic
from evalset.errors import ManifestError
from evalset.nodes import Path
from evalset.schemas import json_schema
from evalset.shapes import is_mapping, is_sequence
from evalset.sources import parse_pointer

__all__ = ["field_json_schema", "field_schema"]


class _Readable(Protocol):
    @classmethod
    def from_dict(cls, data: Mapping[str, Any], /) -> Self: ...

    def to_dict(self) -> dict[str, Any]: ...


_Model = TypeVar("_Model", bound=_Readable)


def field_schema(model: type[_Model]) -> Any:  # noqa: ANN401 (pydantic_core may be absent)
    """Give pydantic's schema of a model: an instance as it is, or read from plain data.

    A model that is refused gives one error of pydantic's for each finding: `type` is its
    code, `loc` its place, and `ctx` holds it whole.
    """
    from pydantic_core import core_schema

    def validate(value: Any) -> _Model:  # noqa: ANN401
        return value if isinstance(value, model) else _read(model, value)

    return core_schema.no_info_plain_validator_function(
        validate,
        # pydantic's own form of a name for what stands once in a JSON Schema and is referred to.
        ref=f"{model.__module__}.{model.__qualname__}:{id(model)}",
        serialization=core_schema.plain_serializer_function_ser_schema(model.to_dict),
    )


def field_json_schema() -> dict[str, Any]:
    """Give the JSON Schema of a manifest as a part of another one, such as of OpenAPI.

    It is the published one, without what only a document of its own may have: what begins
    with another `$id` in the middle of a document is looked up elsewhere.
    """
    schema = json_schema()
    return {key: value for key, value in schema.items() if key not in {"$schema", "$id"}}


def _read(model: type[_Model], data: Any) -> _Model:  # noqa: ANN401
    from pydantic_core import ValidationError

    try:
        return model.from_dict(data)
    except ManifestError as error:
        lines: list[Any] = [_line(diagnostic, data) for diagnostic in error.diagnostics]
        raise ValidationError.from_exception_data(model.__name__, lines) from None


def _line(diagnostic: Diagnostic, data: object) -> dict[str, Any]:
    from pydantic_core import PydanticCustomError

    hint = f" ({diagnostic.hint})" if diagnostic.hint else ""
    template: Any = f"{diagnostic.message}{hint}"  # wanted is a literal
    code: Any = diagnostic.code
    place, value = _follow(diagnostic.pointer, data)
    error = PydanticCustomError(code, template, {"diagnostic": diagnostic.to_dict()})
    return {"type": error, "loc": place, "input": value}


def _follow(pointer: str, data: Any) -> tuple[Path, Any]:  # noqa: ANN401
    """Give what a JSON Pointer into data says as a place of pydantic's, and the value there."""
    place: list[str | int] = []
    for step in map(str, parse_pointer(pointer)):
        if is_sequence(data):
            place.append(int(step))
            data = data[int(step)]
        else:
            place.append(step)
            data = data.get(step) if is_mapping(data) else data
    return tuple(place), data
