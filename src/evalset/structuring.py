"""Plain data into models, strictly: the one owner of cattrs.

cattrs by itself repairs what it can (`"5"` becomes 5, `"abc"` a tuple of letters). The
hooks here take JSON's types as they are and refuse the rest, without a word: explaining
is for others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal, TypeAlias, TypeVar, get_args, get_origin

import attrs
from cattrs import Converter

from evalset.extensions import PREFIX, Extensions
from evalset.shapes import is_list, is_mapping

__all__ = ["Mismatch", "structure"]

_Model = TypeVar("_Model")
_Hook: TypeAlias = Callable[[object, Any], Any]


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

    def list_hook(annotation: Any) -> _Hook:  # noqa: ANN401
        item = get_args(annotation)[0]

        def take_list(value: object, _: Any) -> tuple[Any, ...]:  # noqa: ANN401
            if not is_list(value):
                raise Mismatch(annotation)
            return tuple([converter.structure(each, item) for each in value])

        return take_list

    def model_hook(model: Any) -> _Hook:  # noqa: ANN401
        attrs.resolve_types(model)
        fields = {field.name: field for field in attrs.fields(model) if field.init}
        fields.pop("extensions")
        required = {name for name, field in fields.items() if field.default is attrs.NOTHING}

        def take_model(data: object, _: Any) -> Any:  # noqa: ANN401
            if not is_mapping(data) or not required.issubset(data):
                raise Mismatch(model)
            known = {
                name: converter.structure(value, fields[name].type)
                for name, value in data.items()
                if name in fields and (value is not None or name in required)
            }
            rest = {name: value for name, value in data.items() if name not in fields}
            return model(**known, extensions=_extensions(rest, keep_unknown=keep_unknown))

        return take_model

    for scalar in _SCALARS:
        converter.register_structure_hook(scalar, _take_scalar)
    converter.register_structure_hook_func(_is_literal, _take_literal)
    converter.register_structure_hook_factory(_is_tuple, list_hook)
    converter.register_structure_hook_factory(attrs.has, model_hook)
    return converter


def _is_literal(annotation: Any) -> bool:  # noqa: ANN401
    return get_origin(annotation) is Literal


def _is_tuple(annotation: Any) -> bool:  # noqa: ANN401
    return get_origin(annotation) is tuple


# What of JSON a field of each type takes; its model brings it to its normal form.
_SCALARS: dict[type, tuple[type, ...]] = {
    str: (str,),
    bool: (bool,),
    int: (int, float),
    float: (int, float),
}


def _take_scalar(value: object, wanted: type) -> Any:  # noqa: ANN401
    if type(value) not in _SCALARS[wanted]:
        raise Mismatch(wanted)
    return value


def _take_literal(value: object, literal: Any) -> Any:  # noqa: ANN401
    if value not in get_args(literal):
        raise Mismatch(literal)
    return value


def _extensions(values: dict[str, Any], *, keep_unknown: bool) -> Extensions:
    if not keep_unknown and not all(name.startswith(PREFIX) for name in values):
        raise Mismatch(Extensions)
    try:
        return Extensions.keep(values) if keep_unknown else Extensions(values)
    except ValueError as error:
        raise Mismatch(str(error)) from error
