"""Plain data into models, strictly: the one owner of cattrs.

cattrs by itself repairs what it can (`"5"` becomes 5, `"abc"` a tuple of letters). The
hooks here take JSON's types as they are and refuse the rest, without a word: explaining
is for others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin

import attrs
from cattrs import Converter

from evalset.extensions import PREFIX, Extensions

__all__ = ["Mismatch", "structure"]

_Model = TypeVar("_Model")


class Mismatch(ValueError):  # noqa: N818 (never leaves the library)
    """The data is not of the model's shape."""


def structure(data: object, model: type[_Model], *, keep_unknown: bool = False) -> _Model:
    """Build a model, and the models inside it, from plain data.

    An optional field that is null counts as absent. Keys that no field has go to the
    field `extensions`.

    Raises:
        Mismatch: The data is not of the model's shape. The model's own refusals pass
            through.
    """
    return _converter(keep_unknown).structure(data, model)


@cache
def _converter(keep_unknown: bool) -> Converter:  # noqa: FBT001 (a cache key)
    converter = Converter(detailed_validation=False)
    converter.register_structure_hook(str, _take_text)
    converter.register_structure_hook(bool, _take_boolean)
    converter.register_structure_hook(int, _take_integer)
    converter.register_structure_hook(float, _take_number)
    converter.register_structure_hook_func(lambda cls: get_origin(cls) is Literal, _take_literal)
    converter.register_structure_hook_factory(
        lambda cls: get_origin(cls) is tuple,
        lambda cls: _list_hook(get_args(cls)[0], converter),
    )
    converter.register_structure_hook_factory(
        attrs.has, lambda cls: _model_hook(cls, converter, keep_unknown=keep_unknown)
    )
    return converter


def _take_text(value: object, _: Any) -> str:  # noqa: ANN401
    if not isinstance(value, str):
        raise Mismatch(str)
    return value


def _take_boolean(value: object, _: Any) -> bool:  # noqa: ANN401
    if not isinstance(value, bool):
        raise Mismatch(bool)
    return value


def _take_integer(value: object, _: Any) -> int:  # noqa: ANN401
    if isinstance(value, float) and value.is_integer() and abs(value) <= 2**53:
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Mismatch(int)
    return value


def _take_number(value: object, _: Any) -> float:  # noqa: ANN401
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise Mismatch(float)
    return value


def _take_literal(value: object, literal: Any) -> Any:  # noqa: ANN401
    if value not in get_args(literal):
        raise Mismatch(literal)
    return value


def _list_hook(item: Any, converter: Converter) -> Callable[[object, Any], tuple[Any, ...]]:  # noqa: ANN401
    def take_list(value: object, _: Any) -> tuple[Any, ...]:  # noqa: ANN401
        if not isinstance(value, list):
            raise Mismatch(tuple)
        return tuple(converter.structure(each, item) for each in value)

    return take_list


def _model_hook(
    model: Any,  # noqa: ANN401
    converter: Converter,
    *,
    keep_unknown: bool,
) -> Callable[[object, Any], Any]:
    attrs.resolve_types(model)
    fields = {field.name: field for field in attrs.fields(model) if field.init}
    fields.pop("extensions")

    def take_model(data: object, _: Any) -> Any:  # noqa: ANN401
        if not isinstance(data, dict):
            raise Mismatch(model)
        known = {
            name: converter.structure(data[name], field.type)
            for name, field in fields.items()
            if name in data and (data[name] is not None or field.default is attrs.NOTHING)
        }
        if any(f.default is attrs.NOTHING and name not in known for name, f in fields.items()):
            raise Mismatch(model)
        rest = {name: value for name, value in data.items() if name not in fields}
        if keep_unknown:
            return model(**known, extensions=_kept(rest))
        if not all(name.startswith(PREFIX) for name in rest):
            raise Mismatch(model)
        return model(**known, extensions=rest)

    return take_model


def _kept(values: dict[str, Any]) -> Extensions:
    try:
        return Extensions.keep(values)
    except ValueError as error:
        raise Mismatch(str(error)) from error
