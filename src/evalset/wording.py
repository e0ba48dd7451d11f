"""What a violation of the schema means to the writer: a code, a message, a hint."""

from __future__ import annotations

import json
import math
import re
from typing import Any, TypeAlias, cast

from evalset.canonical import is_holdable
from evalset.canonical import number as canonical_number
from evalset.keys import trim
from evalset.nodes import OddNumber, Path, to_name
from evalset.quoting import printable, quote
from evalset.rules import KEYS, Finding
from evalset.scalars import is_json_number
from evalset.schemas import SchemaError

__all__ = ["finding_for"]

_SCHEMA = "evalset/v1"
_Words: TypeAlias = tuple[str, str, str | None]  # code, message, hint

# Where each key of the format belongs, for keys that are written at another level.
_HOMES = {
    key: {"": "at the top level", "agents": "in an item of agents"}.get(level, f"under {level}")
    for level, keys in KEYS.items()
    for key in keys
}

_TRUE_WORDS = frozenset({"y", "yes", "on", "true", "1"})
_FALSE_WORDS = frozenset({"n", "no", "off", "false", "0"})


def finding_for(error: SchemaError, source: str | None) -> Finding:
    """Explain one violation.

    Args:
        error: The violation.
        source: The value as it stands in the text, if it was written plain.
    """
    if error.keyword == "required":
        return _missing(error)
    if error.keyword == "additionalProperties":
        return _unknown(error)
    code, message, hint = _explain_value(error, source)
    return Finding(code, message, *error.target, hint)


def _missing(error: SchemaError) -> Finding:
    *owner, key = error.path
    if error.branch:
        return Finding(
            "missing-seeds",
            "the strategy is explicit, but no seeds are given",
            *error.target,
            "add seeds: [1, 2, ...], one for each repeat",
        )
    message = f"{to_name(tuple(owner))} has no {key}"
    examples = {
        "schema": f"add schema: {_SCHEMA}",
        "name": "add name: and a name that people recognise",
        "packs": "add packs: and a list of packs",
        "agents": "add agents: and a list of items such as - deployment: NAME",
        "deployment": "add deployment: and the agent's UUID or exact name",
    }
    return Finding("missing-key", message, *error.target, examples[str(key)])


def _unknown(error: SchemaError) -> Finding:
    from difflib import get_close_matches

    *owner, last = error.path
    key, known = str(last), error.expected
    message = f"{quote(key)} is no key of {to_name(tuple(owner))}"
    near = get_close_matches(key, cast("tuple[str, ...]", known), 1, 0.7)
    if home := _HOMES.get(key):
        hint = f"{key} belongs {home}"
    elif near:
        hint = f"did you mean {near[0]}?"
    elif re.match(r"[xX][-_]", key):
        hint = f"extension keys start with x-: {quote('x-' + key[2:])}"
    else:
        hint = f"known are {', '.join(k for k in known if k != '$schema')}; your own start with x-"
    return Finding("unknown-key", message, *error.target, hint)


def _explain_value(error: SchemaError, source: str | None) -> _Words:
    if error.branch == "then":
        return "missing-seeds", "the strategy is explicit, but there are no seeds", None
    if error.branch == "else":
        return (
            "seeds-without-explicit",
            "seeds are given, but the strategy is auto",
            "write strategy: explicit, or remove the seeds",
        )
    if error.keyword == "type":
        return _explain_type(error, source)
    if error.keyword == "const":
        return _explain_schema(str(error.value))
    if error.keyword == "enum":
        return _explain_strategy(str(error.value))
    return _explain_size(error, source)


def _explain_size(error: SchemaError, source: str | None) -> _Words:
    name, bound = to_name(error.path), error.expected
    code, message = {
        "pattern": ("blank-text", f"{name} is blank; it needs at least one character"),
        "minItems": ("empty-list", f"{name} is empty; at least one item is required"),
        "maxItems": ("too-many-items", f"{name} has over {bound} items; that is the most"),
        "minimum": (
            "out-of-range",
            f"{name} is {_show(error.value, source)}; the least is {bound}",
        ),
        "maximum": ("out-of-range", f"{name} is {_show(error.value, source)}; the most is {bound}"),
    }[error.keyword]
    return code, message, None


def _explain_schema(value: str) -> _Words:
    if trim(value).casefold() == _SCHEMA:
        return "wrong-schema", f"the schema is {quote(value)}", f"write exactly {_SCHEMA}"
    if re.fullmatch(r"evalset/v[0-9.]+", trim(value)):
        message = f"the schema is {quote(value)}; this library reads {_SCHEMA}"
        return "unsupported-version", message, "use a release of evalset that reads this version"
    return "wrong-schema", f"the schema is {quote(value)}, not {_SCHEMA}", f"write {_SCHEMA}"


def _explain_strategy(value: str) -> _Words:
    word = trim(value).casefold()
    hint = f"write {word}" if word in {"auto", "explicit"} else "write auto, or explicit with seeds"
    message = f"the strategy is {quote(value)}; it is auto or explicit"
    return "unknown-strategy", message, hint


def _explain_type(error: SchemaError, source: str | None) -> _Words:
    wanted = error.expected if isinstance(error.expected, str) else error.expected[0]
    value, name = error.value, to_name(error.path)
    kind = _KINDS[wanted]
    if value is None:
        what = (
            f"{name} is empty"
            if error.path and isinstance(error.path[-1], int)
            else f"{name} is null"
        )
        return "null-value", f"{what}; {kind} is required", "write it, or remove the line"
    explain = {
        "string": _explain_text,
        "integer": _explain_number,
        "number": _explain_number,
        "boolean": _explain_boolean,
    }.get(wanted)
    if explain and not isinstance(value, (dict, list)):
        return explain(name, value, source, kind)
    message = f"{name} is {_kind_of(value, source)}; {kind} is wanted"
    return "wrong-type", message, _shape_hint(error.path, value, wanted)


_KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}


def _explain_text(name: str, value: Any, source: str | None, kind: str) -> _Words:  # noqa: ANN401
    if not isinstance(value, (bool, int, float, OddNumber)):
        return "wrong-type", f"{name} is {_kind_of(value, source)}; {kind} is wanted", None
    read = "a boolean" if isinstance(value, bool) else "a number"
    shown = _show(value, source)
    message = f"{name} is {shown}, which is read as {read}; text is wanted"
    return "text-not-quoted", message, f'write "{shown}", with quotes'


def _explain_number(name: str, value: Any, source: str | None, kind: str) -> _Words:  # noqa: ANN401
    shown = _show(value, source)
    number = value.value if isinstance(value, OddNumber) else value
    if isinstance(number, float) and not math.isfinite(number):
        return "not-finite", f"{name} is {shown}; a finite number is wanted", None
    if isinstance(value, OddNumber):
        message = f"{name} is {shown}, which not every reader takes for the same number"
        return "number-form", message, f"write {_plain_number(number)}{_octal(value.source)}"
    if isinstance(value, float):
        return "not-an-integer", f"{name} is {shown}; a whole number is wanted", None
    if isinstance(value, str):
        return _explain_number_as_text(name, value, source, kind)
    return "wrong-type", f"{name} is {_kind_of(value, source)}; {kind} is wanted", None


def _explain_number_as_text(name: str, value: str, source: str | None, kind: str) -> _Words:
    digits = trim(value).replace("_", "")
    if source is None and is_json_number(trim(value)):
        hint = f"write {trim(value)}, without quotes"
        return "number-quoted", f"{name} is the text {quote(value)}; {kind} is wanted", hint
    if is_json_number(digits):
        message = f"{name} is {_show(value, source)}, which not every reader takes for a number"
        return "number-form", message, f"write {digits}"
    return "wrong-type", f"{name} is the text {quote(value)}; {kind} is wanted", None


def _explain_boolean(name: str, value: Any, source: str | None, kind: str) -> _Words:  # noqa: ANN401
    word = trim(str(value)).casefold() if isinstance(value, (str, int)) else ""
    hint = {
        **dict.fromkeys(_TRUE_WORDS, "write true, without quotes"),
        **dict.fromkeys(_FALSE_WORDS, "write false, without quotes"),
    }.get(word)
    code = "boolean-form" if hint else "wrong-type"
    return code, f"{name} is {_kind_of(value, source)}; {kind} is wanted", hint


def _shape_hint(path: Path, value: Any, wanted: str) -> str | None:  # noqa: ANN401
    if wanted == "object" and path[:1] == ("agents",) and isinstance(value, str):
        return f"write - deployment: {trim(value)[:60]}" if trim(value).isprintable() else None
    if wanted == "array":
        return "write each item on a line of its own, behind `- `"
    return "write keys below it, as in key: value" if wanted == "object" else None


def _kind_of(value: Any, source: str | None) -> str:  # noqa: ANN401
    if isinstance(value, str):
        return f"the text {quote(value)}"
    if isinstance(value, bool):
        return f"the boolean {_show(value, source)}"
    if isinstance(value, (int, float, OddNumber)):
        return f"the number {_show(value, source)}"
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "a mapping"
    return f"a value of the type {printable(type(value).__name__)}"


def _show(value: Any, source: str | None) -> str:  # noqa: ANN401
    """Show a scalar as the writer wrote it, or as JSON would."""
    if source is not None:
        return printable(source)
    if isinstance(value, (int, float)) and not is_holdable(value):
        return "infinite, not a number or over 400 digits long"
    return printable(json.dumps(value, default=str))


def _octal(source: str) -> str:
    """Say what else a leading zero may have meant: YAML 1.1 reads such numbers as octal."""
    is_octal = re.fullmatch("-?0[0-7]{1,20}", source) and int(source, 8) != int(source)
    return f", or {int(source, 8)} if it was meant as octal" if is_octal else ""


def _plain_number(number: float) -> str:
    """Write a number in JSON's grammar."""
    return printable(json.dumps(canonical_number(number)))
