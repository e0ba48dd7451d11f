"""A manifest is a field of pydantic's models, and a body and an answer of FastAPI."""

import asyncio
import copy
import json
from typing import Annotated, Any

import httpx
import pytest
from fastapi import Body, FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter, ValidationError

import evalset
from evalset import Agent, Diagnostic, Extensions, Limits, Manifest, ManifestError, json_schema
from evalset.schemas import schema_errors
from evalset.testing import manifest_data

MANIFEST = Manifest(
    "nightly",
    packs=["catalog/swe-bug-fix"],
    agents=[Agent("gpt-5-default", label="gpt")],
    repeats=3,
    limits=Limits(budget_usd=50),
    extensions=Extensions({"x-team": "search"}),
)
PLAIN = MANIFEST.to_dict()
FAULTY = {
    "schema": "evalset/v1",
    "packs": ["p", "p/~q", 4.5],
    "agents": [{"deployment": "a"}, {"deployment": "b", "label": ""}],
    "repeat": 3,
    "x-note": {"a/b": {1, 2}},
}


class Request(BaseModel):
    workspace: str
    manifest: Manifest
    before: list[Manifest] = []
    after: Manifest | None = None


def found(data: object) -> list[Any]:
    with pytest.raises(ValidationError) as caught:
        Request.model_validate(data)
    return caught.value.errors()


# Reading


def test_a_manifest_is_taken_as_it_is() -> None:
    request = Request(workspace="acme", manifest=MANIFEST)
    assert request.manifest is MANIFEST


def test_plain_data_is_read() -> None:
    request = Request.model_validate({"workspace": "acme", "manifest": PLAIN, "before": [PLAIN]})
    assert request == Request(workspace="acme", manifest=MANIFEST, before=[MANIFEST])


def test_json_is_read() -> None:
    text = json.dumps({"workspace": "acme", "manifest": PLAIN, "after": PLAIN})
    request = Request.model_validate_json(text)
    assert request == Request(workspace="acme", manifest=MANIFEST, after=MANIFEST)


def test_all_findings_come_at_once_beside_those_of_other_fields() -> None:
    errors = found({"manifest": FAULTY})
    assert [(error["type"], error["loc"]) for error in errors] == [
        ("missing", ("workspace",)),
        ("missing-key", ("manifest",)),
        ("blank-text", ("manifest", "agents", 1, "label")),
        ("text-not-quoted", ("manifest", "packs", 2)),
        ("unknown-key", ("manifest", "repeat")),
        ("extension-not-json", ("manifest", "x-note", "a/b")),
    ]


def test_an_error_holds_the_message_the_hint_the_value_and_the_finding() -> None:
    error = found({"workspace": "acme", "manifest": {**PLAIN, "repeats": "3"}})[0]
    [finding] = evalset.check_data({**PLAIN, "repeats": "3"}).diagnostics
    assert error == {
        "type": "number-quoted",
        "loc": ("manifest", "repeats"),
        "msg": f"{finding.message} ({finding.hint})",
        "input": "3",
        "ctx": {"diagnostic": finding.to_dict()},
    }


def test_an_error_without_a_hint_is_its_message() -> None:
    [error] = found({"workspace": "acme", "manifest": ["p"]})
    assert error["msg"] == "the manifest is a list; a mapping is wanted"
    assert error["input"] == ["p"]


def test_a_key_with_marks_of_pointers_is_found() -> None:
    [error] = found({"workspace": "acme", "manifest": {**PLAIN, "a/b~c": 1}})
    assert error["loc"] == ("manifest", "a/b~c")
    assert error["input"] == 1


def test_half_a_surrogate_in_a_key_is_told_too() -> None:
    [error] = found({"workspace": "acme", "manifest": {**PLAIN, "\ud800": 1}})
    assert error["type"] == "unknown-key"


def test_words_that_look_like_a_place_of_a_template_stay_as_they_are() -> None:
    [error] = found({"workspace": "acme", "manifest": {**PLAIN, "{message}": 1}})
    assert error["msg"].startswith('"{message}" is no key of the manifest')


def test_whoever_prints_the_error_sees_every_finding() -> None:
    with pytest.raises(ValidationError) as caught:
        Request.model_validate({"workspace": "acme", "manifest": FAULTY})
    shown = str(caught.value)
    assert shown.startswith("5 validation errors for Request\n")
    assert "manifest.repeat\n" in shown
    assert '"repeat" is no key of the manifest (did you mean repeats?)' in shown


def reasons(data: dict[str, Any]) -> tuple[Diagnostic, ...]:
    try:
        Manifest.from_dict(data)
    except ManifestError as error:
        return error.diagnostics
    return ()


@settings(deadline=None)
@given(manifest_data())
def test_what_the_library_takes_pydantic_takes(data: dict[str, Any]) -> None:
    assert TypeAdapter(Manifest).validate_python(data) == Manifest.from_dict(data)


@settings(deadline=None)
@given(
    manifest_data(),
    st.sampled_from(["name", "packs", "agents", "repeats", "seeds", "limits", "x", "x-y"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
        max_leaves=5,
    ),
)
def test_what_the_library_refuses_pydantic_refuses_for_the_same_reasons(
    data: dict[str, Any], key: str, value: object
) -> None:
    spoilt = {**data, key: value}
    expected = [finding.to_dict() for finding in reasons(spoilt)]
    try:
        assert TypeAdapter(Manifest).validate_python(spoilt) == Manifest.from_dict(spoilt)
        told = []
    except ValidationError as error:
        told = [each.get("ctx", {})["diagnostic"] for each in error.errors()]
    assert told == expected


# Writing


def test_it_is_written_as_plain_data() -> None:
    request = Request(workspace="acme", manifest=MANIFEST)
    plain: dict[str, Any] = {"workspace": "acme", "manifest": PLAIN, "before": [], "after": None}
    assert request.model_dump() == plain
    assert json.loads(request.model_dump_json()) == plain


def test_what_was_written_is_read_back() -> None:
    request = Request(workspace="acme", manifest=MANIFEST, before=[MANIFEST])
    assert Request.model_validate_json(request.model_dump_json()) == request


def test_a_model_is_copied_with_its_manifest() -> None:
    request = Request(workspace="acme", manifest=MANIFEST)
    assert copy.deepcopy(request) == request


# JSON Schema


def test_the_schema_is_the_published_one_and_stands_there_once() -> None:
    for mode in ("validation", "serialization"):
        schema = Request.model_json_schema(mode=mode)
        assert schema["properties"]["manifest"] == {"$ref": "#/$defs/Manifest"}
        assert schema["properties"]["before"]["items"] == {"$ref": "#/$defs/Manifest"}
        published = json_schema()
        del published["$schema"], published["$id"]
        assert schema["$defs"] == {"Manifest": published}


def test_what_is_written_fits_the_schema() -> None:
    assert schema_errors(Request(workspace="a", manifest=MANIFEST).model_dump()["manifest"]) == []


# FastAPI


class Answer(BaseModel):
    manifest: Manifest


application = FastAPI()


@application.post("/wrap")
def wrap(request: Request) -> Answer:
    return Answer(manifest=request.manifest)


@application.post("/echo")
def echo(manifest: Annotated[Manifest, Body()]) -> Manifest:
    return manifest


def ask(method: str, path: str, data: object = None) -> httpx.Response:
    async def run() -> httpx.Response:
        transport = httpx.ASGITransport(application)
        async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
            return await client.request(method, path, json=data)

    return asyncio.run(run())


def test_a_manifest_inside_a_body_goes_in_and_out() -> None:
    answer = ask("POST", "/wrap", {"workspace": "acme", "manifest": PLAIN})
    assert (answer.status_code, answer.json()) == (200, {"manifest": PLAIN})


def test_a_manifest_that_is_the_body_goes_in_and_out() -> None:
    answer = ask("POST", "/echo", PLAIN)
    assert (answer.status_code, answer.json()) == (200, PLAIN)


def test_a_client_is_told_every_finding() -> None:
    data = {**PLAIN, "repeat": 3, "name": ""}
    answer = ask("POST", "/wrap", {"workspace": "acme", "manifest": data})
    assert answer.status_code == 422
    assert [(error["loc"], error["ctx"]["diagnostic"]) for error in answer.json()["detail"]] == [
        (["body", "manifest", "name"], evalset.check_data(data).diagnostics[0].to_dict()),
        (["body", "manifest", "repeat"], evalset.check_data(data).diagnostics[1].to_dict()),
    ]


def test_the_description_of_the_service_refers_to_one_schema() -> None:
    description = ask("GET", "/openapi.json").json()
    schemas = description["components"]["schemas"]
    reference = {"$ref": "#/components/schemas/Manifest"}
    operation = description["paths"]["/echo"]["post"]
    for content in (operation["requestBody"], operation["responses"]["200"]):
        assert content["content"]["application/json"]["schema"] == reference
    assert schemas["Answer"]["properties"]["manifest"] == reference
    assert sorted(schemas) == [
        "Answer", "HTTPValidationError", "Manifest", "Request", "ValidationError",
    ]  # fmt: skip
    assert schemas["Manifest"]["required"] == ["schema", "name", "packs", "agents"]
