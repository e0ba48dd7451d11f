"""Which entries of a manifest would give two combinations one key, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalset.diagnostics import quote
from evalset.keys import KeyBy, KeyPart, normalize_label, trim
from evalset.nodes import Path
from evalset.rules import Data, Finding, Rule

__all__ = ["agent_part", "collision_rule", "find_collisions"]

_Agent = tuple[str, str | None]


def agent_part(deployment: str, label: str | None, key_by: KeyBy) -> KeyPart:
    """Give what stands for an agent in the key."""
    return normalize_label(deployment if key_by == "deployment" or label is None else label)


def collision_rule(key_by: KeyBy) -> Rule:
    """Give the rule that keys differ, for plain data."""

    def check(data: Data) -> Iterator[Finding]:
        agents = [
            (
                trim(agent["deployment"]),
                None if agent.get("label") is None else trim(agent["label"]),
            )
            for agent in data["agents"]
        ]
        packs, models = map(trim, data["packs"]), map(trim, data.get("models") or ())
        yield from find_collisions([*packs], agents, [*models], key_by=key_by)

    return Rule(("packs", "agents", "models"), check)


def find_collisions(
    packs: Sequence[str], agents: Sequence[_Agent], models: Sequence[str], *, key_by: KeyBy
) -> list[Finding]:
    """Find every entry whose key part repeats one before it, then keys that slashes make equal.

    Args:
        packs: References of the packs.
        agents: Deployment and label of each agent.
        models: References of the models.
        key_by: The dialect.

    Returns:
        One finding for each repeated entry, against the first that it repeats; nothing
        else when the axes alone prove that all keys differ.
    """
    parts = {
        "packs": [normalize_label(pack) for pack in packs],
        "agents": [agent_part(*agent, key_by) for agent in agents],
        "models": [normalize_label(model) for model in models],
    }
    findings = [
        *_repeated("pack", parts["packs"], packs),
        *_repeated_agents(parts["agents"], agents, key_by),
        *_repeated("model", parts["models"], models),
    ]
    # Where at most one axis varies in its number of slashes, a key can be split again
    # in one way only, so keys are equal only where parts are.
    varying = sum(len({part.count("/") for part in axis}) > 1 for axis in parts.values())
    if varying > 1:
        findings += _ambiguous(parts)
    return findings


def _repeated(kind: str, parts: list[KeyPart], texts: Sequence[str]) -> Iterator[Finding]:
    for index, first in _repeats(parts):
        axis = f"{kind}s"
        is_same = texts[index] == texts[first]
        reason = "" if is_same else f"; {quote(texts[first])} is too, since spaces become dashes"
        message = (
            f"the {kind} {quote(texts[index])} stands twice"
            if is_same
            else f"the {kind} {quote(texts[index])} is {quote(parts[index])} in the matrix key{reason}"
        )
        yield Finding(f"duplicate-{kind}", message, (axis, index), hint="remove one of the two",
                      related=(("the first of the two", (axis, first)),))  # fmt: skip


def _repeated_agents(
    parts: list[KeyPart], agents: Sequence[_Agent], key_by: KeyBy
) -> Iterator[Finding]:
    def place(index: int) -> Path:
        has_label = key_by == "label" and agents[index][1] is not None
        return ("agents", index, "label" if has_label else "deployment")

    def name(index: int) -> str:
        deployment, label = agents[index]
        has_label = key_by == "label" and label is not None
        return (
            f"the label {quote(label)}"
            if has_label and label
            else (f"the deployment {quote(deployment)}")
        )

    for index, first in _repeats(parts):
        if name(index) == name(first):
            message = f"{name(index)} stands twice"
        else:
            message = f"{name(index)} and {name(first)} are both {quote(parts[index])}"
        hint = (
            "give each agent a label of its own"
            if key_by == "label"
            else ('remove one, or expand with key_by="label"')
        )
        yield Finding("duplicate-agent", f"{message} in the matrix key", place(index), hint=hint,
                      related=(("the first of the two", place(first)),))  # fmt: skip


def _repeats(parts: list[KeyPart]) -> Iterator[tuple[int, int]]:
    """Give the index of each part that stood before, and of the first it repeats."""
    firsts: dict[KeyPart, int] = {}
    for index, part in enumerate(parts):
        first = firsts.setdefault(part, index)
        if first != index:
            yield index, first


def _ambiguous(parts: dict[str, list[KeyPart]]) -> Iterator[Finding]:
    """Find combinations of different entries whose keys slashes make equal, a pair of packs once."""
    packs, agents = dict.fromkeys(parts["packs"]), dict.fromkeys(parts["agents"])
    models = [f"/{model}" for model in dict.fromkeys(parts["models"])] or [""]
    firsts: dict[str, tuple[KeyPart, str]] = {}
    told: set[tuple[KeyPart, KeyPart]] = set()
    for pack in packs:
        for agent in agents:
            for model in models:
                rest = f"{agent}{model}"
                first_pack, first_rest = firsts.setdefault(f"{pack}/{rest}", (pack, rest))
                if (first_pack, first_rest) != (pack, rest) and (first_pack, pack) not in told:
                    told.add((first_pack, pack))
                    yield _ambiguity(parts, (first_pack, first_rest), (pack, rest))


def _ambiguity(
    parts: dict[str, list[KeyPart]], first: tuple[KeyPart, str], second: tuple[KeyPart, str]
) -> Finding:
    key = f"{second[0]}/{second[1]}"
    message = (
        f"{quote(first[0])} with {quote(first[1])} and {quote(second[0])} with "
        f"{quote(second[1])} both have the key {quote(key)}"
    )
    return Finding(
        "ambiguous-key",
        message,
        ("packs", parts["packs"].index(second[0])),
        hint="give one of the agents a label without a slash",
        related=(("the pack of the first", ("packs", parts["packs"].index(first[0]))),),
    )
