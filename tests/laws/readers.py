"""Readers and judges that are not ours: the standard library, ruamel.yaml, jsonschema."""

import json
from functools import cache
from typing import Any, NoReturn

from jsonschema import Draft7Validator
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from evalset import json_schema
from evalset.sources import Format

__all__ = ["is_valid", "read"]


def read(text: str, format: Format, *, version: tuple[int, int] = (1, 2)) -> Any:  # noqa: ANN401
    """Read a text as an editor would; `Ellipsis` where it can't be read."""
    yaml: Any = YAML(typ="safe", pure=True)
    yaml.version = version
    try:
        if format == "json":
            return json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse)
        return yaml.load(text.removeprefix("\ufeff"))
    except (ValueError, YAMLError):
        return ...


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def is_valid(data: object, *, editor: bool = False) -> bool:
    """Tell whether plain data obeys the published schema."""
    return bool(_validator(editor=editor).is_valid(data))


@cache
def _validator(*, editor: bool) -> Any:  # noqa: ANN401 (its types are partial)
    schema = json_schema(editor=editor)
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)
