"""What a violation of the schema means to the writer: a code, a message, a hint."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from evalset.canonical import is_holdable
from evalset.canonical import number as canonical_number
from evalset.keys import trim
from evalset.misspelling import key_hint
from evalset.nodes import OddNumber, Path, to_name
from evalset.quoting import printable, quote
from evalset.rules import Finding
from evalset.scalars import is_json_number, octal_hint
from evalset.schemas import SchemaError
from evalset.shapes import is_list, is_mapping

__all__ = ["finding_for"]

_SCHEMA = "evalset/v1"
_SHORT = 60  # characters of the writer's text that a hint repeats
_Words: TypeAlias = tuple[str, str, str | None]  # code, message, hint

_TRUE_WORDS = frozenset({"y", "yes", "on", "true", "1"})
_FALSE_WORDS = frozenset({"n", "no", "off", "false", "0"})


def finding_for(
    error: SchemaError, source: str | None, *, is_flow: bool = True, root: object = None
) -> Finding:
    """Explain one violation.

    Args:
        error: The violation.
        source: The value as it stands in the text, if it was written plain.
        is_flow: Whether it stands in brackets or braces, so that hints are written as JSON,
            which YAML reads there too.
        root: The whole of the data.
    """
    if error.keyword == "required":
        return _missing(error, is_flow=is_flow)
    if error.keyword == "additionalProperties":
        return _unknown(error, root if is_mapping(root) else {})
    code, message, hint = _explain_value(error, source, is_flow=is_flow)
    return Finding(code, message, *error.target, hint)


# What each required key holds, and an example in block style and in JSON.
_EXAMPLES = {
    "schema": ("", "schema: evalset/v1", '"schema": "evalset/v1"'),
    "name": ("a name for people", "name: nightly-sweep", '"name": "nightly-sweep"'),
    "packs": ("a list of packs", "packs: [text-to-sql]", '"packs": ["text-to-sql"]'),
    "agents": (
        "a list of agents",
        "agents: [{deployment: gpt-5-default}]",
        '"agents": [{"deployment": "gpt-5-default"}]',
    ),
    "deployment": (
        "the deployment's UUID or exact name",
        "deployment: gpt-5-default",
        '"deployment": "gpt-5-default"',
    ),
}


def _example(verb: str, key: str, *, is_flow: bool) -> str:
    what, in_block, in_flow = _EXAMPLES[key]
    return f"{verb} {what}{what and ', as in '}{in_flow if is_flow else in_block}"


def _missing(error: SchemaError, *, is_flow: bool) -> Finding:
    *owner, key = error.path
    if error.branch:
        return Finding(
            "missing-seeds",
            "the strategy is explicit, but no seeds are given",
            *error.target,
            "add seeds: [1, 2, ...], one for each repeat",
        )
    message = f"{to_name(tuple(owner))} has no {key}"
    hint = _example("add", str(key), is_flow=is_flow)
    return Finding("missing-key", message, *error.target, hint)


def _unknown(error: SchemaError, root: Mapping[str, Any]) -> Finding:
    *owner, last = error.path
    key = str(last)
    message = f"{quote(key)} is no key of {to_name(tuple(owner))}"
    return Finding("unknown-key", message, *error.target, key_hint(error, root))


def _explain_value(error: SchemaError, source: str | None, *, is_flow: bool) -> _Words:
    if error.branch == "then":
        return "missing-seeds", "the strategy is explicit, but there are no seeds", None
    if error.branch == "else":
        return (
            "seeds-without-explicit",
            "seeds are given, but the strategy is auto",
            "set the strategy to explicit, or remove the seeds",
        )
    if error.keyword == "type":
        return _explain_type(error, source, is_flow=is_flow)
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
        hint = f"write {_SCHEMA}, or use a release of evalset that reads this version"
        return "unsupported-version", message, hint
    return "wrong-schema", f"the schema is {quote(value)}, not {_SCHEMA}", f"write {_SCHEMA}"


def _explain_strategy(value: str) -> _Words:
    word = trim(value).casefold()
    hint = f"write {word}" if word in {"auto", "explicit"} else "write auto, or explicit with seeds"
    message = f"the strategy is {quote(value)}; it is auto or explicit"
    return "unknown-strategy", message, hint


def _explain_type(error: SchemaError, source: str | None, *, is_flow: bool) -> _Words:
    wanted = error.expected if isinstance(error.expected, str) else error.expected[0]
    value, name = error.value, to_name(error.path)
    kind = _KINDS[wanted]
    if value is None:
        what = "empty" if source == "" else "null"
        hint = _null_hint(error.path, is_flow=is_flow)
        return "null-value", f"{name} is {what}; {kind} is required", hint
    is_scalar = not isinstance(value, (dict, list))
    if error.path == ("schema",) and is_scalar:
        message = f"the schema is {_show(value, source)}, not {_SCHEMA}"
        return "wrong-schema", message, f"write {_SCHEMA}"
    explain = {
        "string": _explain_text,
        "integer": _explain_number,
        "number": _explain_number,
        "boolean": _explain_boolean,
    }.get(wanted)
    if explain and is_scalar:
        return explain(name, value, source, kind)
    message = f"{name} is {_kind_of(value, source)}; {kind} is wanted"
    return "wrong-type", message, _shape_hint(error.path, value, wanted, is_flow=is_flow)


def _null_hint(path: Path, *, is_flow: bool) -> str:
    if not path:
        return "`evalset init` writes a manifest to start from"
    if isinstance(path[-1], int):
        return "write the item, or remove it"
    if path[-1] in _EXAMPLES:
        return _example("write", path[-1], is_flow=is_flow)
    return "write a value, or remove the key"


_KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}


def _explain_text(name: str, value: Any, source: str | None, kind: str) -> _Words:  # noqa: ANN401
    if not isinstance(value, (bool, int, float, OddNumber)) or (source is None and _is_odd(value)):
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
        return "number-form", message, f"write {_plain_number(number)}{octal_hint(value.source)}"
    if isinstance(value, float):
        return "not-an-integer", f"{name} is {shown}; a whole number is wanted", None
    if isinstance(value, str):
        return _explain_number_as_text(name, value, source, kind)
    return "wrong-type", f"{name} is {_kind_of(value, source)}; {kind} is wanted", None


# A number as people write it, with groups of thousands and a currency.
_HUMAN_NUMBER = re.compile(
    r"(?i:\$|usd)? ?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)"
    r" ?(?i:\$|usd|us dollars|dollars)?"
)


def _explain_number_as_text(name: str, value: str, source: str | None, kind: str) -> _Words:
    digits = trim(value).replace("_", "")
    if source is None and is_json_number(trim(value)):
        hint = f"write {trim(value)}, without quotes"
        return "number-quoted", f"{name} is the text {quote(value)}; {kind} is wanted", hint
    if is_json_number(digits):
        message = f"{name} is {_show(value, source)}, which not every reader takes for a number"
        return "number-form", message, f"write {digits}"
    message = f"{name} is the text {quote(value)}; {kind} is wanted"
    human = _HUMAN_NUMBER.fullmatch(trim(value))
    number = human[1].replace(",", "") if human else ""
    return "wrong-type", message, f"write {printable(number)}" if is_json_number(number) else None


def _explain_boolean(name: str, value: Any, source: str | None, kind: str) -> _Words:  # noqa: ANN401
    word = trim(str(value)).casefold() if isinstance(value, (str, int)) else ""
    hint = {
        **dict.fromkeys(_TRUE_WORDS, "write true, without quotes"),
        **dict.fromkeys(_FALSE_WORDS, "write false, without quotes"),
    }.get(word)
    code = "boolean-form" if hint else "wrong-type"
    return code, f"{name} is {_kind_of(value, source)}; {kind} is wanted", hint


def _text_hint(value: Any) -> str | None:  # noqa: ANN401
    """Say what to write for a list or mapping around a single text."""
    around, items = "brackets or a dash", list(value) if is_list(value) else []
    if is_mapping(value):
        around, items = "a key", list(value.values())
    is_single = len(items) == 1 and isinstance(items[0], str) and printable(items[0]) == items[0]
    return f"write {quote(items[0])}, without {around}" if is_single else None


def _shape_hint(path: Path, value: Any, wanted: str, *, is_flow: bool) -> str | None:  # noqa: ANN401
    text = trim(value) if isinstance(value, str) and value.isprintable() else ""
    if wanted == "string":
        is_pack = path[:1] == ("packs",) and is_mapping(value)
        return _text_hint(value) or (
            "a pack is one text: a UUID, slug, slug@version or catalog/<slug>" if is_pack else None
        )
    if wanted == "object":
        return _mapping_hint(path, value, text, is_flow=is_flow)
    if path == ("agents",) and is_mapping(value) and not is_flow:
        return "write `- ` before the first key of each agent"
    return _list_hint(path, text, is_flow=is_flow) if wanted == "array" else None


def _mapping_hint(path: Path, value: Any, text: str, *, is_flow: bool) -> str | None:  # noqa: ANN401
    if path[:1] == ("agents",) and 0 < len(text) <= _SHORT:
        return _agent_hint(text, is_flow=is_flow)
    if path == ("seeds",) and is_list(value):
        seeds = json.dumps({"strategy": "explicit", "seeds": value}, default=str)
        fitting = f", and repeats: {len(value)}"
        return f"write {seeds}{fitting}" if len(seeds) <= 2 * _SHORT else None
    if path[:1] == ("agents",) and isinstance(value, list) and not is_flow:
        return "write one dash, as in - deployment: gpt-5-default"
    return "write keys below it, as in key: value" if path and not is_flow else None


def _list_hint(path: Path, text: str, *, is_flow: bool) -> str | None:
    if match := re.match(r"-(\w\S{,40})", text):
        return f"write - {match[1]}, with a space behind the dash"
    if not 0 < len(text) <= _SHORT:
        return None if is_flow else "write each item on a line of its own, behind `- `"
    texts = [trim(each) for each in text.split(",") if trim(each)]
    if len(texts) == 1 and " " in text and not is_flow:
        return "write each item on a line of its own, behind `- `"
    items = [{"deployment": each} for each in texts] if path == ("agents",) else texts
    return f"write {json.dumps(items, ensure_ascii=False)}"


def _agent_hint(text: str, *, is_flow: bool) -> str:
    if is_flow:
        return f"write {json.dumps({'deployment': text}, ensure_ascii=False)}"
    name = text.removeprefix("deployment:")
    return f"write - deployment: {name}{', with a space behind the colon' if name != text else ''}"


def _kind_of(value: Any, source: str | None) -> str:  # noqa: ANN401
    if isinstance(value, str):
        return f"the text {quote(value)}"
    if isinstance(value, bool):
        return f"the boolean {_show(value, source)}"
    if isinstance(value, (int, float, OddNumber)):
        shown = _show(value, source)
        return shown if source is None and _is_odd(value) else f"the number {shown}"
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "a mapping"
    return f"a value of the type {printable(type(value).__name__)}"


def _show(value: Any, source: str | None) -> str:  # noqa: ANN401
    """Show a scalar as the writer wrote it, or as JSON would."""
    if source is not None:
        return printable(source)
    if _is_odd(value):
        return "a number of over 400 digits" if isinstance(value, int) else "infinite or no number"
    return printable(json.dumps(value, default=str))


def _is_odd(value: object) -> bool:
    """Tell whether no JSON can show a number, which only code can give."""
    return isinstance(value, (int, float)) and not is_holdable(value)


def _plain_number(number: float) -> str:
    """Write a number in JSON's grammar."""
    return printable(json.dumps(canonical_number(number)))
