"""What the service's OpenAPI says, where the framework can't know it by itself."""

import json
from typing import Any

from fastapi import FastAPI

from evalset.schemas import SchemaName, schema_text


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


REQUEST: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["workspace_id", "manifest"],
                    "additionalProperties": False,
                    "properties": {
                        "workspace_id": {"type": "string", "format": "uuid"},
                        "manifest": _ref("Manifest"),
                        "max_combinations": {"type": "integer", "minimum": 1, "maximum": 2000},
                    },
                }
            }
        },
    }
}

_PROBLEM: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "diagnostics": {"type": "array", "items": _ref("diagnostic")},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["place", "detail"],
                "properties": {"place": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}

_ESTIMATE: dict[str, Any] = {
    "type": "object",
    "required": ["estimated_usd", "combinations", "budget_usd", "exceeds_budget", "unknown"],
    "properties": {
        "estimated_usd": {"type": "number", "minimum": 0},
        "combinations": {"type": "integer", "minimum": 1, "maximum": 2000},
        "budget_usd": {"type": "number", "minimum": 0},
        "exceeds_budget": {"type": "boolean"},
        "unknown": {"type": "integer", "minimum": 0, "maximum": 2000},
    },
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Say which refusals an operation answers."""
    content = {"application/problem+json": {"schema": _ref("Problem")}}
    return {
        status: {"description": "A problem after RFC 9457", "content": content}
        for status in statuses
    }


def answers() -> dict[int | str, dict[str, Any]]:
    """Say what an expansion answers."""
    content = {"application/json": {"schema": _ref("Answer")}}
    return {200: {"description": "What the manifest stands for", "content": content}}


def describe(app: FastAPI) -> None:
    """Put into the description of a service what it refers to: the library's own schemas."""
    _, findings = _components("diagnostics")
    parts = {"Problem": _PROBLEM, "Estimate": _ESTIMATE, "Answer": _answer()}
    app.openapi()["components"]["schemas"].update({**parts, **findings})


def _answer() -> dict[str, Any]:
    """Give the schema of the report, with limits that are 0 where there are none."""
    report, _ = _components("report")
    for name in ("max_concurrent_runs", "budget_usd"):
        kind = report["properties"][name]["type"]
        report["properties"][name] = {"type": kind, "minimum": 0}
        report["required"].append(name)
    report["properties"]["estimate"] = _ref("Estimate")
    report["properties"]["warning"] = {"const": "estimated_cost_exceeds_budget"}
    report["required"].append("estimate")
    return report


def _components(name: SchemaName) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give one of the library's schemas, and what it refers to, for OpenAPI."""
    text = schema_text(name).replace("#/definitions/", "#/components/schemas/")
    schema: dict[str, Any] = json.loads(text)
    definitions = schema.pop("definitions", {})
    return {key: value for key, value in schema.items() if not key.startswith("$")}, definitions
