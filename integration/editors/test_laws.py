"""Laws over generated manifests: all engines take the good ones, none takes a violation.

The documents are JSON, which all engines read alike; what readers of YAML make of a text
is in the table of test_verdicts. Seeds that doubles can't tell apart are left out, as the
table explains.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import attrs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from integration.editors.engines import Ajv, check_jsonschema, in_process
from integration.editors.lsp import Json

import evalset
from evalset.keys import TRIMMED
from evalset.testing import manifest_data

IN_PROCESS = ("library", "jsonschema", "jsonschema-rs")
KEYWORDS = {
    "additionalProperties", "const", "else", "enum", "maxItems", "maximum", "minItems", "minimum",
    "pattern", "required", "then", "type", "uniqueItems",
}  # fmt: skip
# What annotates, what only holds other schemas, and `anyOf`, which refuses no more than
# the `type` beside it.
OTHERS = {
    "$comment", "$id", "$schema", "anyOf", "default", "description", "examples", "if", "items",
    "patternProperties", "properties", "title",
}  # fmt: skip

Where: TypeAlias = tuple[str, ...]
# Takes a good manifest, which it may change, and gives a bad one.
Break: TypeAlias = Callable[[Json, st.DataObject], object]


@attrs.frozen
class Text:
    """A JSON document."""

    text: str
    format: Literal["yaml", "json"] = "json"


@attrs.frozen
class Violation:
    """One keyword of the schema at one place, and how to break it."""

    keyword: str
    where: Where
    breaks: Break

    def __str__(self) -> str:
        return " ".join([*(step for step in self.where if step != "items"), self.keyword])


def violations() -> Iterator[Violation]:
    yield from _in(evalset.json_schema(), ())


def _in(schema: Json, where: Where) -> Iterator[Violation]:
    assert schema.keys() <= KEYWORDS | OTHERS
    for keyword in sorted(KEYWORDS.intersection(schema)):
        for values in _values(keyword, schema[keyword], schema):
            yield Violation(keyword, where, _setting(where, values))
    if "additionalProperties" in schema:
        yield Violation("additionalProperties", where, _adding(where))
    for key in schema.get("required", ()):
        yield Violation(f"required {key}", where, _removing((*where, key)))
    if "if" in schema:
        yield Violation("then", where, _replacing(seeds={"strategy": "explicit"}))
        yield Violation(
            "then seeds", where, _replacing(seeds={"strategy": "explicit", "seeds": []})
        )
        yield Violation("else", where, _replacing(seeds={"seeds": [11]}))
        yield Violation("else auto", where, _replacing(seeds={"strategy": "auto", "seeds": [11]}))
        yield Violation("uniqueItems", where, _replacing(
            seeds={"strategy": "explicit", "seeds": [11, 11]}, repeats=2))  # fmt: skip
    for key, value in schema.get("properties", {}).items():
        yield from _in(value, (*where, key))
    if "items" in schema:
        yield from _in(schema["items"], (*where, "items"))


def _values(keyword: str, wanted: Any, schema: Json) -> Iterator[st.SearchStrategy[Any]]:  # noqa: ANN401
    if keyword == "type":
        yield st.sampled_from(_OF_TYPES).map(deepcopy).filter(lambda value: not _is(value, wanted))
    elif keyword in {"const", "enum"}:
        known = wanted if keyword == "enum" else [wanted]
        yield st.text(max_size=12).filter(lambda text: text not in known)
        yield st.sampled_from([f"{word}{end}" for word in known for end in ("\n", " ", "x")])
    elif keyword == "pattern":
        yield st.text(st.sampled_from(TRIMMED), max_size=5)
    elif keyword == "minItems":
        yield st.builds(list)
    elif keyword == "maxItems":
        example = {"deployment": "a"} if schema["items"]["type"] == "object" else "a"
        yield st.just([example] * (wanted + 1))
    elif keyword == "minimum":
        yield st.integers(max_value=wanted - 1)
        yield st.floats(max_value=wanted - 0.5, allow_infinity=False, allow_nan=False)
    elif keyword == "maximum":
        # The next double, since JavaScript rounds to one.
        beyond = wanted + 1 if wanted < 2**53 else 2 * wanted
        yield st.integers(min_value=beyond, max_value=10**30)


_OF_TYPES: tuple[Any, ...] = (
    None, True, False, 0, 1, 3, 1.5, -2, "", "3", "auto", "true", [], ["a"], [None], {}, {"a": 1},
)  # fmt: skip


def _is(value: object, wanted: str | Sequence[str]) -> bool:
    kinds = [wanted] if isinstance(wanted, str) else wanted
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return any(
        {
            "null": value is None,
            "boolean": isinstance(value, bool),
            "integer": is_number and value == int(str(value).partition(".")[0]),
            "number": is_number,
            "string": isinstance(value, str),
            "array": isinstance(value, list),
            "object": isinstance(value, dict),
        }[kind]
        for kind in kinds
    )


def _setting(where: Where, values: st.SearchStrategy[Any]) -> Break:
    def put(manifest: Json, data: st.DataObject) -> object:
        value = data.draw(values)
        if not where:
            return value
        holder, step = _reach(manifest, where)
        holder[step] = value
        return manifest

    return put


def _adding(where: Where) -> Break:
    unknown = st.text(max_size=6).filter(
        lambda key: not key.startswith("x-") and key not in _known(where)
    )

    def add(manifest: Json, data: st.DataObject) -> object:
        holder, _ = _reach(manifest, (*where, ""))
        holder[data.draw(unknown | st.sampled_from(["repeat", "X-a", "ax-", "x_a"]))] = 1
        return manifest

    return add


def _removing(where: Where) -> Break:
    def remove(manifest: Json, _: st.DataObject) -> object:
        holder, step = _reach(manifest, where)
        holder.pop(step, None)
        return manifest

    return remove


def _replacing(**parts: object) -> Break:
    return lambda manifest, _: {**manifest, **deepcopy(parts)}


def _known(where: Where) -> Json:
    schema = evalset.json_schema()
    for step in where:
        schema = schema["items"] if step == "items" else schema["properties"][step]
    known: Json = schema["properties"]
    return known


def _reach(manifest: Json, where: Where) -> tuple[Any, Any]:
    """Give the holder of a place and its last step; on the way lay what is not there."""
    if where[:2] == ("seeds", "seeds"):
        manifest.update(seeds={"strategy": "explicit", "seeds": [11]}, repeats=1)
    holder: Any = manifest
    for step, following in pairwise(where):
        empty: Any = ["a"] if following == "items" else {}
        if step == "items":
            holder = holder[0]
        else:
            holder[step] = holder.get(step) or empty
            holder = holder[step]
    return holder, 0 if where[-1] == "items" else where[-1]


def _are_doubles(manifest: Json) -> bool:
    holder: Json = manifest.get("seeds") or {}
    seeds: list[float] = holder.get("seeds") or []
    return len({*map(float, seeds)}) == len(seeds)


VIOLATIONS = [pytest.param(each, id=f"{number} {each}") for number, each in enumerate(violations())]


def test_every_keyword_is_broken_somewhere() -> None:
    broken = {each.keyword.partition(" ")[0] for each in violations()}
    assert broken == KEYWORDS
    assert len(VIOLATIONS) > 60


@given(manifest=manifest_data())
def test_all_engines_take_a_good_manifest(manifest: Json, ajv: Ajv) -> None:
    assume(_are_doubles(manifest))
    document = Text(json.dumps(manifest))
    verdicts = {engine: in_process(engine, document) for engine in IN_PROCESS}
    assert {**verdicts, "ajv": ajv(document)} == dict.fromkeys([*IN_PROCESS, "ajv"], True)


@pytest.mark.parametrize("violation", VIOLATIONS)
@settings(max_examples=10)
@given(manifest=manifest_data(), data=st.data())
def test_no_engine_takes_a_violation(
    violation: Violation, manifest: Json, data: st.DataObject, ajv: Ajv
) -> None:
    document = Text(json.dumps(violation.breaks(deepcopy(manifest), data)))
    verdicts = {engine: in_process(engine, document) for engine in IN_PROCESS}
    assert {**verdicts, "ajv": ajv(document)} == dict.fromkeys([*IN_PROCESS, "ajv"], False)


@settings(max_examples=3)
@given(manifests=st.lists(manifest_data(), min_size=40, max_size=40), data=st.data())
def test_check_jsonschema_agrees(
    manifests: list[Json], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chosen = st.sampled_from([*violations()])
    broken = [data.draw(chosen).breaks(deepcopy(manifest), data) for manifest in manifests]
    documents = [Text(json.dumps(each)) for each in [*manifests, *broken]]
    verdicts = check_jsonschema(documents, tmp_path_factory.mktemp("files"))
    assert verdicts == [in_process("library", document) for document in documents]
