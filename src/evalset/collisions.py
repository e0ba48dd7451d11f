"""Which entries of a manifest would give two combinations one key, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from typing import TypeAlias

from evalset.keys import KeyBy, KeyPart, is_blank, normalize_label, trim
from evalset.nodes import Path
from evalset.quoting import printable, quote
from evalset.rules import MAX_COMBINATIONS, Data, Finding, Rule
from evalset.shapes import is_list, is_mapping

__all__ = ["AgentTexts", "agent_part", "are_surely_distinct", "collision_rule", "find_collisions"]

AgentTexts: TypeAlias = tuple[str, str | None]
"""Deployment and label of an agent."""

_Parts: TypeAlias = list[KeyPart | None]  # None: an entry that is no entry


def agent_part(agent: AgentTexts, key_by: KeyBy) -> KeyPart:
    """Give what stands for an agent in the key."""
    deployment, label = agent
    return normalize_label(deployment if key_by == "deployment" or label is None else label)


def collision_rule(key_by: KeyBy) -> Rule:
    """Give the rule that keys differ, for plain data; what is no entry it leaves out."""
    return partial(_check, key_by=key_by)


def _check(data: Data, *, key_by: KeyBy) -> Iterator[Finding]:
    packs, agents, models = (
        items[:MAX_COMBINATIONS] if is_list(items := data.get(axis)) else []
        for axis in ("packs", "agents", "models")
    )
    yield from find_collisions(
        [_text(pack) for pack in packs],
        [_agent(agent) for agent in agents],
        [_text(model) for model in models],
        key_by=key_by,
    )


def _text(item: object) -> str | None:
    return trim(item) if isinstance(item, str) and not is_blank(item) else None


def _agent(item: object) -> AgentTexts | None:
    agent: Data = item if is_mapping(item) else {}
    deployment, label = _text(agent.get("deployment")), _text(agent.get("label"))
    if deployment is None or (label is None and agent.get("label") is not None):
        return None
    return deployment, label


def find_collisions(
    packs: Sequence[str | None],
    agents: Sequence[AgentTexts | None],
    models: Sequence[str | None],
    *,
    key_by: KeyBy,
) -> list[Finding]:
    """Find every entry whose key part repeats one before it, then keys that slashes make equal.

    Args:
        packs: References of the packs, trimmed; None: an entry to leave out.
        agents: Deployment and label of each agent.
        models: References of the models.
        key_by: The dialect.

    Returns:
        One finding for each repeated entry, against the first that it repeats; nothing
        else when the axes alone prove that all keys differ.
    """
    pack_parts = [None if pack is None else normalize_label(pack) for pack in packs]
    agent_parts = [None if agent is None else agent_part(agent, key_by) for agent in agents]
    model_parts = [None if model is None else normalize_label(model) for model in models]
    findings = [
        *_repeated_texts("pack", pack_parts, packs),
        *_repeated_agents(agent_parts, agents, key_by),
        *_repeated_texts("model", model_parts, models),
    ]
    axes = (pack_parts, agent_parts, model_parts)
    # A product beyond the cap is refused for its size.
    is_beyond = len(packs) * len(agents) * max(1, len(models)) > MAX_COMBINATIONS
    if _split_in_one_way(axes) or is_beyond:
        return findings
    return [*findings, *_ambiguous(*axes, key_by)]


def are_surely_distinct(*axes: Sequence[str]) -> bool:
    """Tell whether the parts of the axes alone prove that all keys differ."""
    return all(len(set(axis)) == len(axis) for axis in axes) and _split_in_one_way(axes)


def _split_in_one_way(axes: Sequence[Sequence[str | None]]) -> bool:
    """Tell whether a key can be split again in one way only: equal keys have equal parts.

    That is so where at most one axis varies in its number of slashes.
    """
    varying = sum(len({part.count("/") for part in axis if part}) > 1 for axis in axes)
    return varying <= 1


def _repeats(parts: _Parts) -> Iterator[tuple[int, int, KeyPart]]:
    """Give the index of each part that stood before, of the first it repeats, and the part."""
    firsts: dict[KeyPart, int] = {}
    for index, part in enumerate(parts):
        if part is not None and firsts.setdefault(part, index) != index:
            yield index, firsts[part], part


def _repeated_texts(kind: str, parts: _Parts, texts: Sequence[str | None]) -> Iterator[Finding]:
    for index, first, part in _repeats(parts):
        text, before = str(texts[index]), str(texts[first])
        message = (
            f"the {kind} {quote(text)} stands twice"
            if text == before
            else f"the {kind}s {quote(before)} and {quote(text)} are both {quote(part)} in the "
            "matrix key, where spaces become dashes"
        )
        yield Finding(
            f"duplicate-{kind}",
            message,
            (f"{kind}s", index),
            hint="remove one of the two",
            related=((f"the first {kind} of this form", (f"{kind}s", first)),),
        )


def _repeated_agents(
    parts: _Parts, agents: Sequence[AgentTexts | None], key_by: KeyBy
) -> Iterator[Finding]:
    def describe(index: int) -> tuple[str, str, Path]:
        deployment, label = agents[index] or ("", None)
        if key_by == "label" and label is not None:
            return label, f"the label {quote(label)}", ("agents", index, "label")
        return deployment, f"the deployment {quote(deployment)}", ("agents", index, "deployment")

    for index, first, part in _repeats(parts):
        text, name, place = describe(index)
        first_text, before, first_place = describe(first)
        if name != before:
            message = f"{before} and {name} are both {quote(part)} in the matrix key"
        elif key_by == "deployment":
            message = f"two agents have {name}, which alone stands in the matrix key here"
        elif place[-1] == "label":
            message = f"two agents have {name}, so their matrix keys would be equal"
        else:
            message = f"two agents have {name} and no label, so their matrix keys would be equal"
        if text != first_text:
            message += ", where spaces become dashes"
        yield Finding(
            "duplicate-agent",
            message,
            place,
            hint=f"give this agent a label of its own, such as {printable(_free(part, parts))}"
            if key_by == "label"
            else "remove one of the two; labels do not count under the deployment dialect",
            related=(("the first agent of this form", first_place),),
        )


def _free(part: KeyPart, parts: _Parts) -> str:
    """Give a label that no other agent has."""
    taken = set(parts)
    numbered = (f"{part}-{number}" for number in count(2))
    return next(label for label in numbered if label not in taken)


def _ambiguous(packs: _Parts, agents: _Parts, models: _Parts, key_by: KeyBy) -> Iterator[Finding]:
    """Find combinations of different entries with one key; tell each pair of entries once."""
    firsts: dict[str, tuple[KeyPart, KeyPart]] = {}
    told: set[tuple[str, KeyPart, KeyPart]] = set()
    for pack in dict.fromkeys(filter(None, packs)):
        for agent in dict.fromkeys(filter(None, agents)):
            for model in dict.fromkeys(filter(None, models)) or ("",):
                start = f"{pack}/{agent}{model and '/'}{model}"
                before, before_agent = firsts.setdefault(start, (pack, agent))
                if (before, before_agent) == (pack, agent):
                    continue  # this very one: with one pack and one agent, models differ
                axis, axes, first, second = (
                    ("packs", packs, before, pack)
                    if before != pack
                    else ("agents", agents, before_agent, agent)
                )
                if (axis, first, second) in told:
                    continue
                told.add((axis, first, second))
                yield Finding(
                    "ambiguous-key",
                    f"slashes make keys equal: with {quote(first)} and with {quote(second)} there "
                    f"is a combination whose key starts with {quote(start)}",
                    (axis, axes.index(second)),
                    hint="give an agent a label that keeps the two apart"
                    if key_by == "label"
                    else "remove one of the two",
                    related=((f"the first of the two {axis}", (axis, axes.index(first))),),
                )
