"""The same work with msgspec, whose YAML is PyYAML's C loader, and itertools.product.

Structs for the manifest, the combinations and the report; unknown keys refused. msgspec
can't trim text, so that is done when the structs are there.
"""

from __future__ import annotations

from itertools import product
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

CAP = 2000

Text = Annotated[str, Meta(min_length=1)]
Seed = Annotated[int, Meta(ge=1, le=2**63 - 1)]


class Agent(Struct, forbid_unknown_fields=True):
    deployment: Text
    label: Text | None = None


class Seeds(Struct, forbid_unknown_fields=True):
    strategy: Literal["auto", "explicit"] = "auto"
    seeds: list[Seed] | None = None


class Limits(Struct, forbid_unknown_fields=True):
    max_concurrent_runs: Annotated[int, Meta(ge=0)] | None = None
    budget_usd: Annotated[int, Meta(ge=0)] | Annotated[float, Meta(ge=0)] | None = None


class Manifest(Struct, forbid_unknown_fields=True):
    schema: Literal["evalset/v1"]
    name: Text
    packs: Annotated[list[Text], Meta(min_length=1)]
    agents: Annotated[list[Agent], Meta(min_length=1)]
    models: list[Text] | None = None
    repeats: Annotated[int, Meta(ge=1)] = 1
    seeds: Seeds | None = None
    limits: Limits | None = None
    case_fanout: bool = False
    scanners: list[Text] | None = None


class Combination(Struct, omit_defaults=True):
    matrix_key: str
    pack_ref: str
    agent_ref: str
    agent_label: str | None = None
    model_ref: str | None = None
    repeat: int = 0  # never, so that it is always written; so is case_fanout's default
    seed: int | None = None
    case_fanout: bool | None = None


class Report(Struct, omit_defaults=True):
    name: str
    combinations: list[Combination]
    count: int
    pack_count: int
    agent_count: int
    model_count: int
    repeats: int
    max_concurrent_runs: int | None = None
    budget_usd: int | float | None = None
    case_fanout: bool | None = None


def read(text: str, format: str) -> Manifest:
    decode: Any = msgspec.json.decode if format == "json" else msgspec.yaml.decode
    manifest: Manifest = decode(text, type=Manifest)
    manifest.name = trim(manifest.name)
    manifest.packs = [trim(pack) for pack in manifest.packs]
    manifest.models = [trim(model) for model in manifest.models or ()]
    manifest.scanners = [trim(scanner) for scanner in manifest.scanners or ()]
    for agent in manifest.agents:
        agent.deployment = trim(agent.deployment)
        if agent.label is not None:
            agent.label = trim(agent.label)
    seeds = (manifest.seeds and manifest.seeds.seeds) or []
    is_explicit = manifest.seeds is not None and manifest.seeds.strategy == "explicit"
    if len(seeds) != (manifest.repeats if is_explicit else 0) or len(set(seeds)) != len(seeds):
        raise ValueError("explicit needs one seed for each repeat, each once; auto none")
    count = len(manifest.packs) * len(manifest.agents) * (len(manifest.models) or 1)
    if count * manifest.repeats > CAP:
        raise ValueError(f"{count * manifest.repeats} combinations; at most {CAP} are allowed")
    return manifest


def trim(text: str) -> str:
    text = text.strip()
    if not text:
        raise ValueError("a text is blank")
    return text


def normalize(text: str) -> str:
    return text.replace(" ", "-")


def expand(manifest: Manifest) -> list[Combination]:
    seeds = (manifest.seeds and manifest.seeds.seeds) or None
    combinations: list[Combination] = []
    keys: set[str] = set()
    for pack, agent, model in product(manifest.packs, manifest.agents, manifest.models or [None]):
        agent_ref = normalize(agent.deployment)
        start = f"{normalize(pack)}/{normalize(agent.label or agent.deployment)}"
        if model is not None:
            start = f"{start}/{normalize(model)}"
        for repeat in range(1, manifest.repeats + 1):
            key = f"{start}/{repeat}"
            if key in keys:
                raise ValueError(f"two combinations have the key {key!r}")
            keys.add(key)
            combinations.append(
                Combination(
                    key,
                    pack,
                    agent_ref,
                    agent.label,
                    model,
                    repeat,
                    None if seeds is None else seeds[repeat - 1],
                    manifest.case_fanout,
                )
            )
    return combinations


def report(text: str, format: str) -> str:
    manifest = read(text, format)
    combinations = expand(manifest)
    limits = manifest.limits or Limits()
    result = Report(
        name=manifest.name,
        combinations=combinations,
        count=len(combinations),
        pack_count=len(manifest.packs),
        agent_count=len(manifest.agents),
        model_count=len(manifest.models or ()),
        repeats=manifest.repeats,
        max_concurrent_runs=limits.max_concurrent_runs or None,
        budget_usd=limits.budget_usd or None,
        case_fanout=manifest.case_fanout,
    )
    return msgspec.json.encode(result).decode()
