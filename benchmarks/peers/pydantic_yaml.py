"""The same work with pydantic v2, PyYAML's C loader and itertools.product.

Strict models, unknown keys refused, text trimmed. The report is dicts and json.dumps: with
models for the report and its combinations it was slower.
"""

from __future__ import annotations

import json
from itertools import product
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

CAP = 2000

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Seed = Annotated[int, Field(ge=1, le=2**63 - 1)]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Agent(Model):
    deployment: Text
    label: Text | None = None


class Seeds(Model):
    strategy: Literal["auto", "explicit"] = "auto"
    seeds: list[Seed] | None = None


class Limits(Model):
    max_concurrent_runs: int | None = Field(default=None, ge=0)
    budget_usd: int | float | None = Field(default=None, ge=0, allow_inf_nan=False)


class Manifest(Model):
    schema_: Literal["evalset/v1"] = Field(alias="schema")
    name: Text
    packs: list[Text] = Field(min_length=1)
    agents: list[Agent] = Field(min_length=1)
    models: list[Text] | None = None
    repeats: int = Field(default=1, ge=1)
    seeds: Seeds | None = None
    limits: Limits | None = None
    case_fanout: bool = False
    scanners: list[Text] | None = None

    @model_validator(mode="after")
    def check(self) -> Self:
        seeds = (self.seeds and self.seeds.seeds) or []
        is_explicit = self.seeds is not None and self.seeds.strategy == "explicit"
        if len(seeds) != (self.repeats if is_explicit else 0) or len(set(seeds)) != len(seeds):
            raise ValueError("explicit needs one seed for each repeat, each once; auto none")
        count = len(self.packs) * len(self.agents) * (len(self.models or ()) or 1) * self.repeats
        if count > CAP:
            raise ValueError(f"{count} combinations; at most {CAP} are allowed")
        return self


def read(text: str, format: str) -> Manifest:
    if format == "json":
        return Manifest.model_validate_json(text)
    return Manifest.model_validate(yaml.load(text, yaml.CSafeLoader))


def normalize(text: str) -> str:
    return text.replace(" ", "-")


def expand(manifest: Manifest) -> list[dict[str, Any]]:
    seeds = (manifest.seeds and manifest.seeds.seeds) or None
    combinations: list[dict[str, Any]] = []
    keys: set[str] = set()
    for pack, agent, model in product(manifest.packs, manifest.agents, manifest.models or [None]):
        parts = [normalize(pack), normalize(agent.label or agent.deployment)]
        if model is not None:
            parts.append(normalize(model))
        start = "/".join(parts)
        for repeat in range(1, manifest.repeats + 1):
            key = f"{start}/{repeat}"
            if key in keys:
                raise ValueError(f"two combinations have the key {key!r}")
            keys.add(key)
            combination: dict[str, Any] = {
                "matrix_key": key,
                "pack_ref": pack,
                "agent_ref": normalize(agent.deployment),
            }
            if agent.label is not None:
                combination["agent_label"] = agent.label
            if model is not None:
                combination["model_ref"] = model
            combination["repeat"] = repeat
            if seeds is not None:
                combination["seed"] = seeds[repeat - 1]
            combination["case_fanout"] = manifest.case_fanout
            combinations.append(combination)
    return combinations


def report(text: str, format: str) -> str:
    manifest = read(text, format)
    combinations = expand(manifest)
    result: dict[str, Any] = {
        "name": manifest.name,
        "combinations": combinations,
        "count": len(combinations),
        "pack_count": len(manifest.packs),
        "agent_count": len(manifest.agents),
        "model_count": len(manifest.models or ()),
        "repeats": manifest.repeats,
    }
    if manifest.limits and manifest.limits.max_concurrent_runs:
        result["max_concurrent_runs"] = manifest.limits.max_concurrent_runs
    if manifest.limits and manifest.limits.budget_usd:
        result["budget_usd"] = manifest.limits.budget_usd
    result["case_fanout"] = manifest.case_fanout
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"))
