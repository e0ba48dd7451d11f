"""What the library gives obeys the schemas that it publishes of it."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

import evalset
from evalset.diagnostics import CODES
from evalset.findings import write_report_json
from evalset.keys import KeyBy
from evalset.schemas import SCHEMAS, SchemaName, schema_text
from evalset.shapes import is_list, is_mapping
from evalset.testing import BrokenManifest, ManifestText, broken_manifests, documents, expansions

PUBLISHED = Path(__file__).parent.parent / "schema"
OUTPUTS: list[SchemaName] = ["report", "diagnostics", "findings"]

FULL = evalset.Manifest(
    name="n",
    packs=["p", "q"],
    agents=[evalset.Agent("a", label="l"), evalset.Agent("b")],
    models=["m"],
    repeats=2,
    seeds=evalset.Seeds("explicit", seeds=[1, 2**63 - 1]),
    limits=evalset.Limits(max_concurrent_runs=1, budget_usd=0.5),
)
EMPTY: dict[str, object] = {}
BROKEN = (
    "schema: evalset/v1\nname: n\nname: m\npacks: [p, p]\nagents: [{deployment: a}]\n"
    "case_fanout: yes\n"
)


def errors(name: SchemaName, data: object) -> list[str]:
    validator: Any = Draft7Validator(evalset.json_schema(name))  # its types are partial
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(data)]


def refusal(text: str | bytes) -> evalset.ManifestError:
    with pytest.raises(evalset.ManifestError) as caught:
        evalset.loads(text)
    return caught.value


def good(name: SchemaName) -> dict[str, Any]:
    """Give an output that a schema describes."""
    found: dict[str, Any] = json.loads(write_report_json([evalset.check_text(BROKEN)]))
    outputs = {
        "report": evalset.expand(FULL).to_dict(),
        "diagnostics": refusal(BROKEN).to_dict(),
        "findings": found,
    }
    return outputs[name]


def paths(value: Any, path: str = "") -> Iterator[str]:  # noqa: ANN401 (any JSON)
    """Give every key of data, with the keys above it."""
    for each in value if is_list(value) else ():
        yield from paths(each, path)
    for key, each in value.items() if is_mapping(value) else ():
        yield f"{path}/{key}"
        yield from paths(each, f"{path}/{key}")


def described(schema: Mapping[str, Any], whole: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Give every key that a schema describes, in the same way."""
    if "$ref" in schema:
        schema = whole["definitions"][schema["$ref"].rpartition("/")[2]]
    if "items" in schema:
        yield from described(schema["items"], whole, path)
    for key, value in schema.get("properties", {}).items():
        yield f"{path}/{key}"
        yield from described(value, whole, f"{path}/{key}")


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_file_is_the_packaged_one(name: SchemaName) -> None:
    assert (PUBLISHED / SCHEMAS[name]).read_bytes() == schema_text(name).encode()


def test_all_published_files_are_packaged() -> None:
    names = [*SCHEMAS.values(), "evalset-v1.editor.json"]
    assert sorted(path.name for path in PUBLISHED.iterdir()) == sorted(names)


def test_each_schema_has_an_id_of_its_own() -> None:
    assert [evalset.json_schema(name)["$id"] for name in SCHEMAS] == [
        "urn:evalset:v1", "urn:evalset:report:v1", "urn:evalset:diagnostics:v1",
        "urn:evalset:run-record:v1", "urn:evalset:findings:v1",
    ]  # fmt: skip


@pytest.mark.parametrize("name", OUTPUTS)
def test_every_key_is_described(name: SchemaName) -> None:
    schema = evalset.json_schema(name)
    validator: Any = Draft7Validator
    validator.check_schema(schema)
    todo: list[Any] = [schema, *schema.get("definitions", {}).values()]
    while todo:
        each = todo.pop()
        assert {"title", "description"} <= each.keys() or each.keys() == {"$ref"}, each
        todo += [
            *each.get("properties", {}).values(),
            *([each["items"]] if "items" in each else []),
        ]


@pytest.mark.parametrize("key_by", ["label", "deployment"])
def test_a_report_has_every_key_that_the_schema_describes_and_no_other(key_by: KeyBy) -> None:
    report = evalset.expand(FULL, key_by=key_by).to_dict()
    schema = evalset.json_schema("report")
    assert errors("report", report) == []
    assert list(dict.fromkeys(paths(report))) == list(described(schema, schema))


def test_a_refusal_has_every_key_that_the_schema_describes_and_no_other() -> None:
    body = refusal(BROKEN).to_dict()
    schema = evalset.json_schema("diagnostics")
    assert errors("diagnostics", body) == []
    assert list(dict.fromkeys(paths(body))) == list(described(schema, schema))


@given(expansions())
def test_every_report_obeys_the_schema(expansion: evalset.Expansion) -> None:
    assert errors("report", expansion.to_dict()) == []
    assert errors("report", json.loads(expansion[1:].to_json())) == []


@given(broken_manifests())
def test_every_refusal_obeys_the_schema(broken: BrokenManifest) -> None:
    result = evalset.check_text(broken.text, format=broken.format)
    if not result.ok:
        body = json.loads(json.dumps(evalset.ManifestError(result.diagnostics).to_dict()))
        assert errors("diagnostics", body) == []


def test_other_refusals_obey_the_schema() -> None:
    alone = evalset.check_data({"schema": "evalset/v1"}).diagnostics
    many = refusal("schema: evalset/v1\n" + "".join(f"k{n}: 1\n" for n in range(300)))
    assert len(many.diagnostics) == 201
    for error in (evalset.EvalsetError("why"), evalset.ManifestError(alone), many):
        assert errors("diagnostics", error.to_dict()) == []


@given(st.lists(broken_manifests() | documents(), max_size=3))
def test_what_check_writes_as_json_obeys_the_schema(
    texts: list[BrokenManifest | ManifestText],
) -> None:
    results = [evalset.check_text(each.text, format=each.format) for each in texts]
    assert errors("findings", json.loads(write_report_json(results))) == []


def test_what_check_writes_has_every_key_that_the_schema_describes_and_no_other() -> None:
    report = json.loads(write_report_json([evalset.check_text(BROKEN)]))
    schema = evalset.json_schema("findings")
    assert {*paths(report)} == {*described(schema, schema)}


def test_a_finding_is_described_alike_in_both_schemas() -> None:
    definitions = evalset.json_schema("diagnostics")["definitions"]
    findings = evalset.json_schema("findings")
    if os.environ.get("EVALSET_UPDATE_GOLDEN"):
        text = json.dumps({**findings, "definitions": definitions}, indent=2) + "\n"
        packaged = Path(evalset.__file__).parent / "schemas"
        for directory in (PUBLISHED, packaged):
            (directory / SCHEMAS["findings"]).write_text(text, encoding="utf-8")
    assert definitions == evalset.json_schema("findings")["definitions"]


def test_every_code_and_severity_fits_the_schema() -> None:
    found = tuple(evalset.Diagnostic(code=code, message="m") for code in CODES)
    assert errors("diagnostics", evalset.ManifestError(found).to_dict()) == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        pytest.param("report", {"count": "3"}, id="count as text"),
        pytest.param("report", {"combinations": [EMPTY]}, id="empty combination"),
        pytest.param("report", {"budget_usd": 0}, id="budget of 0"),
        pytest.param("report", {"max_concurrent_runs": None}, id="null for absent"),
        pytest.param("diagnostics", {"diagnostics": []}, id="no diagnostic"),
        pytest.param("diagnostics", {"diagnostics": [EMPTY]}, id="empty diagnostic"),
        pytest.param("findings", {"version": 2}, id="another version"),
        pytest.param("findings", {"errors": -1}, id="fewer than none"),
        pytest.param("findings", {"diagnostics": [EMPTY]}, id="an empty finding"),
        pytest.param("diagnostics", {"type": "about:blank"}, id="foreign type"),
        pytest.param("diagnostics", {"status": "422"}, id="status as text"),
    ],
)
def test_a_schema_refuses_what_is_not_given(name: SchemaName, change: dict[str, object]) -> None:
    assert len(errors(name, {**good(name), **change})) > 0


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_schema_refuses_data_without_a_required_key(name: SchemaName) -> None:
    for key in evalset.json_schema(name)["required"]:
        rest = {each: value for each, value in good(name).items() if each != key}
        assert len(errors(name, rest)) > 0, key


def test_a_refusal_must_have_diagnostics() -> None:
    body = refusal(BROKEN).to_dict()
    del body["diagnostics"]
    assert errors("diagnostics", body) == ["$: 'diagnostics' is a required property"]


def test_only_the_manifest_s_schema_has_a_form_for_editors() -> None:
    with pytest.raises(ValueError, match="only the manifest's schema has a form for editors"):
        evalset.json_schema("report", editor=True)


def test_an_unknown_schema_is_refused() -> None:
    name: Any = "evalset"
    with pytest.raises(ValueError, match="'evalset'; it is one of manifest, report, diagnostics"):
        evalset.json_schema(name)
