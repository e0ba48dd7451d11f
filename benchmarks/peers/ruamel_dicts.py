"""The same work with ruamel.yaml, jsonschema on the published schema, and dicts.

The validator is made once for the process, as somebody who reads the documentation does.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator
from ruamel.yaml import YAML

CAP = 2000
SCHEMA = Path(__file__).parents[2] / "schema" / "evalset-v1.json"


@cache
def validator() -> Draft7Validator:
    return Draft7Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def read(text: str, format: str) -> dict[str, Any]:
    data = json.loads(text) if format == "json" else YAML(typ="safe", pure=True).load(text)
    for error in validator().iter_errors(data):
        raise error
    manifest = {
        **data,
        "name": data["name"].strip(),
        "packs": [pack.strip() for pack in data["packs"]],
        "models": [model.strip() for model in data.get("models") or ()],
        "agents": [
            {key: text.strip() for key, text in agent.items() if text is not None}
            for agent in data["agents"]
        ],
        "repeats": data.get("repeats") or 1,
        "seeds": (data.get("seeds") or {}).get("seeds") or [],
        "limits": data.get("limits") or {},
        "case_fanout": data.get("case_fanout") or False,
    }
    if manifest["seeds"] and len(manifest["seeds"]) != manifest["repeats"]:
        raise ValueError("explicit needs one seed for each repeat")
    count = len(manifest["packs"]) * len(manifest["agents"]) * (len(manifest["models"]) or 1)
    if count * manifest["repeats"] > CAP:
        raise ValueError(f"{count * manifest['repeats']} combinations; at most {CAP} are allowed")
    return manifest


def normalize(text: str) -> str:
    return text.replace(" ", "-")


def expand(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    combinations: list[dict[str, Any]] = []
    keys: set[str] = set()
    for pack, agent, model in product(
        manifest["packs"], manifest["agents"], manifest["models"] or [None]
    ):
        deployment, label = agent["deployment"], agent.get("label")
        parts = [normalize(pack), normalize(label or deployment)]
        if model is not None:
            parts.append(normalize(model))
        start = "/".join(parts)
        for repeat in range(1, manifest["repeats"] + 1):
            key = f"{start}/{repeat}"
            if key in keys:
                raise ValueError(f"two combinations have the key {key!r}")
            keys.add(key)
            values = {
                "matrix_key": key,
                "pack_ref": pack,
                "agent_ref": normalize(deployment),
                "agent_label": label,
                "model_ref": model,
                "repeat": repeat,
                "seed": manifest["seeds"][repeat - 1] if manifest["seeds"] else None,
                "case_fanout": manifest["case_fanout"],
            }
            combinations.append(
                {name: value for name, value in values.items() if value is not None}
            )
    return combinations


def report(text: str, format: str) -> str:
    manifest = read(text, format)
    combinations = expand(manifest)
    limits = {key: limit for key, limit in manifest["limits"].items() if limit}
    result = {
        "name": manifest["name"],
        "combinations": combinations,
        "count": len(combinations),
        "pack_count": len(manifest["packs"]),
        "agent_count": len(manifest["agents"]),
        "model_count": len(manifest["models"]),
        "repeats": manifest["repeats"],
        **{key: limits[key] for key in ("max_concurrent_runs", "budget_usd") if key in limits},
        "case_fanout": manifest["case_fanout"],
    }
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"))
