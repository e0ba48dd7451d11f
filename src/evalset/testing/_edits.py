"""Single edits: each spoils good plain data, or a good text, in one way and says where.

What an edit of data takes for granted, such as one agent, good data has.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Literal, TypeAlias, final

import attrs

from evalset.keys import trim
from evalset.nodes import Path
from evalset.rules import KEYS
from evalset.testing._dice import Dice
from evalset.testing._styles import Raw, Span, Written

__all__ = [
    "OPEN",
    "Data",
    "Edit",
    "Put",
    "Rewrite",
    "add_bad_ignore",
    "add_bad_merge",
    "add_directive",
    "add_document",
    "add_odd_key",
    "add_unknown_key",
    "add_unused_ignore",
    "alias_itself",
    "borrow_label",
    "change_case",
    "drop_key",
    "empty",
    "fill",
    "give_auto_seeds",
    "give_large_seed",
    "grow",
    "label_alike",
    "leave_seeds_out",
    "make_ambiguous",
    "miscount_seeds",
    "raw",
    "repeat_agent",
    "repeat_key",
    "repeat_model",
    "repeat_pack",
    "repeat_seed",
    "repeat_too_often",
    "respell_uuid",
    "spoil_utf8",
]

Data: TypeAlias = dict[Any, Any]
OPEN = "x-fault agents/*/x-fault seeds/x-fault limits/x-fault"
"""Paths where any value may stand."""


@final
@attrs.frozen
class Edit:
    """What was changed in the data: the place of its finding, and where that points.

    `inside` is a stretch of the place; `pointer` is given where it is not the path.
    """

    path: Path
    at: Literal["value", "key", "mapping"] = "value"
    inside: Span | None = None
    pointer: Path | None = None

    def span(self, written: Written) -> Span:
        is_key = self.at == "key" or (self.at == "mapping" and self.path in written.keys)
        if is_key and isinstance(self.path[-1], str):
            return written.keys[self.path]
        if self.at == "mapping":
            return written.first_key(self.path)
        start, end = written.values[self.path]
        return (start + self.inside[0], start + self.inside[1]) if self.inside else (start, end)


Put: TypeAlias = Callable[[Data, Dice], Edit]
"""Spoils data, and gives the place where that is to be found."""

Rewrite: TypeAlias = Callable[[Written, Dice], tuple[str | bytes, Span]]
"""Spoils a text, and gives the stretch of it where that is to be found."""


# Values


def fill(
    paths: str, *values: object, inside: Span | None = None, pointer: Path | None = None
) -> Put:
    """Put one of the values at one of the paths; `*` is an item of a list."""

    def put(data: Data, dice: Dice) -> Edit:
        path, owner = _reach(data, dice.pick(*paths.split()), dice)
        owner[path[-1]] = dice.pick(*values)
        return Edit(path, inside=inside, pointer=pointer)

    return put


def _reach(data: Data, pattern: str, dice: Dice) -> tuple[Path, Any]:
    """Find a path and what holds its last step, and make what is missing on the way."""
    if pattern.startswith("seeds/seeds"):
        data["seeds"] = {**(data.get("seeds") or {}), "strategy": "explicit"}
    owner: Any = data
    path: list[str | int] = []
    steps = pattern.split("/")
    for step, following in zip(steps, [*steps[1:], ""], strict=True):
        path.append(_index(owner, dice, is_new=not following) if step == "*" else step)
        if following:
            kind = list if following == "*" else dict
            here = owner[path[-1]] if step == "*" else owner.get(step)
            owner[path[-1]] = here if isinstance(here, kind) else kind()
            owner = owner[path[-1]]
    if pattern == "seeds/seeds/*":
        data["repeats"] = len(owner)
    return tuple(path), owner


def _index(items: list[Any], dice: Dice, *, is_new: bool) -> int:
    """Choose an item, or if it may be new, append one."""
    if is_new and (not items or dice.sometimes()):
        items.append(None)
        return len(items) - 1
    chosen: int = dice.pick(*range(len(items)))
    return chosen


def raw(text: str) -> tuple[Raw, ...]:
    return tuple(map(Raw, text.split()))


# Keys


def _mapping(data: Data, dice: Dice) -> tuple[str, Path, Data]:
    """Choose a mapping of the format: its level in `KEYS`, its path, itself."""
    level = dice.pick("", "agents", "seeds", "limits")
    if not level:
        return level, (), data
    if level == "agents":
        index = dice.pick(*range(len(data["agents"])))
        return level, ("agents", index), data["agents"][index]
    data[level] = data.get(level) or {}
    return level, (level,), data[level]


def drop_key(data: Data, dice: Dice) -> Edit:
    key = dice.pick("schema", "name", "packs", "agents", "deployment")
    if key == "deployment":
        index = dice.pick(*range(len(data["agents"])))
        del data["agents"][index][key]
        return Edit(("agents", index), "mapping")
    del data[key]
    return Edit((), "mapping")


def add_unknown_key(data: Data, dice: Dice) -> Edit:
    level, path, mapping = _mapping(data, dice)
    names = ["repeat", "Name", "budget_usd", "x_team", "seeds ", "", "deployment", "no.such/~key"]
    key = dice.pick(*[name for name in names if name not in KEYS[level]])
    values: tuple[Any, ...] = (5, None, "a", [], {"a": 1})
    mapping[key] = dice.pick(*values)
    return Edit((*path, key), "key")


def repeat_key(data: Data, dice: Dice) -> Edit:
    level, path, mapping = _mapping(data, dice)
    mapping.setdefault("x-twice", 1)
    key = dice.pick(*[name for name in (*KEYS[level], "x-twice") if name in mapping])
    again = Raw(json.dumps(key))
    mapping[again] = deepcopy(mapping[key])
    return Edit((*path, again.text), "key", pointer=(*path, key))


def add_odd_key(data: Data, dice: Dice) -> Edit:
    _, path, mapping = _mapping(data, dice)
    key = dice.pick(*raw("3 true ~ null [a] 1.5 {a}"))
    mapping[key] = "a"
    return Edit((*path, key.text), "key", pointer=path)


def alias_itself(data: Data, dice: Dice) -> Edit:
    path, owner = _reach(data, dice.pick(*OPEN.split()), dice)
    if dice.sometimes():
        owner[path[-1]] = Raw("&me {a: *me}")
        return Edit(path, inside=(8, 11), pointer=(*path, "a"))
    owner[path[-1]] = Raw("&me [*me]")
    return Edit(path, inside=(5, 8), pointer=(*path, 0))


def add_bad_merge(data: Data, dice: Dice) -> Edit:
    _, path, mapping = _mapping(data, dice)
    mapping[Raw("<<")] = dice.pick(3, "a", Raw("null"), 2.5)
    return Edit((*path, "<<"), pointer=path)


# Seeds, counts and equal entries


def _seeds(data: Data, seeds: object, *, repeats: int = 1, strategy: str = "explicit") -> None:
    data["repeats"] = repeats
    data["seeds"] = {"strategy": strategy, "seeds": seeds}


def leave_seeds_out(data: Data, dice: Dice) -> Edit:
    _seeds(data, None if dice.sometimes() else [])
    if dice.sometimes():
        return Edit(("seeds", "seeds"))
    del data["seeds"]["seeds"]
    return Edit(("seeds",), "mapping")


def miscount_seeds(data: Data, dice: Dice) -> Edit:
    _seeds(data, dice.pick([1], [3, 2, 1]), repeats=2)
    return Edit(("seeds", "seeds"), "key")


def give_auto_seeds(data: Data, dice: Dice) -> Edit:
    _seeds(data, dice.pick([1], [1, 2]), strategy="auto")
    if dice.sometimes():
        del data["seeds"]["strategy"]
    return Edit(("seeds", "seeds"))


def repeat_seed(data: Data, dice: Dice) -> Edit:
    seeds: list[float] = dice.pick([5, 5], [1, 2, 1], [2**63 - 1] * 2, [1, 1.0])
    _seeds(data, seeds, repeats=len(seeds))
    return Edit(("seeds", "seeds", len(seeds) - 1))


def give_large_seed(data: Data, dice: Dice) -> Edit:
    _seeds(data, [dice.pick(2**53, 2**63 - 1)])
    return Edit(("seeds", "seeds", 0))


def repeat_too_often(data: Data, dice: Dice) -> Edit:
    data.pop("seeds", None)
    data["repeats"] = dice.pick(2001, 10**18, 10**100, 1e18)
    return Edit(("repeats",))


def repeat_pack(data: Data, dice: Dice) -> Edit:
    data["packs"].append(_alike(dice.pick(*data["packs"]), dice))
    return Edit(("packs", len(data["packs"]) - 1))


def repeat_model(data: Data, dice: Dice) -> Edit:
    models = data["models"] = data.get("models") or ["m"]
    models.append(_alike(dice.pick(*models), dice))
    return Edit(("models", len(models) - 1))


def repeat_agent(data: Data, dice: Dice) -> Edit:
    agent = dice.pick(*data["agents"])
    part = _alike(agent.get("label") or agent["deployment"], dice)
    field = dice.pick("deployment", "label")
    data["agents"].append({"deployment": "another", field: part})
    return Edit(("agents", len(data["agents"]) - 1, field))


def _alike(text: str, dice: Dice) -> str:
    """Give a text that is the same in a matrix key."""
    text = trim(text)
    spaced = text if text.strip("-") != text else text.replace("-", " ")
    return dice.pick(text, f"\u3000{text} ", spaced)


def make_ambiguous(data: Data, dice: Dice) -> Edit:
    data.pop("models", None)
    data["packs"] = ["p", "p/x"]
    data["agents"] = [{"deployment": "x/a"}, {"deployment": dice.pick("a", " a ")}]
    return Edit(("packs", 1))


def label_alike(data: Data, dice: Dice) -> Edit:
    label = dice.pick("LIKE THIS", "\uff4cike this")
    data["agents"] += [{"deployment": "like 1", "label": "like this"},
                       {"deployment": "like 2", "label": label}]  # fmt: skip
    return Edit(("agents", len(data["agents"]) - 1, "label"))


def borrow_label(data: Data, dice: Dice) -> Edit:
    label = dice.pick("the lender", "the-lender ")
    data["agents"] += [{"deployment": "the lender", "label": "a lender"},
                       {"deployment": "a borrower", "label": label}]  # fmt: skip
    return Edit(("agents", len(data["agents"]) - 1, "label"))


def change_case(data: Data, dice: Dice) -> Edit:
    axis = dice.pick("packs", "models")
    items = data[axis] = [*(data.get(axis) or ()), "Only/Case", dice.pick("only/case", "ONLY/CASE")]
    return Edit((axis, len(items) - 1))


def respell_uuid(data: Data, dice: Dice) -> Edit:
    uuid = "0f0f0f0f-1111-4222-8333-444444444444"
    again = dice.pick(uuid.upper(), uuid.replace("-", ""), f"{{{uuid}}}", f"urn:uuid:{uuid}")
    if dice.sometimes():
        data["packs"] += [uuid, again]
        return Edit(("packs", len(data["packs"]) - 1))
    data["agents"] += [{"deployment": uuid, "label": "uuid 1"},
                       {"deployment": again, "label": "uuid 2"}]  # fmt: skip
    return Edit(("agents", len(data["agents"]) - 1, "deployment"))


# Texts


def add_unused_ignore(written: Written, dice: Dice) -> tuple[str, Span]:
    return _add_comment(written, dice.pick("ignore", "ignore-file"), "nearly-uuid")


def add_bad_ignore(written: Written, dice: Dice) -> tuple[str, Span]:
    return _add_comment(written, "ignore", dice.pick("wrong-type", "zero-budgets", "E101"))


def _add_comment(written: Written, mark: str, code: str) -> tuple[str, Span]:
    before = f"{written.body}\n# evalset: {mark}["
    text = written.text.removesuffix(written.body)
    return f"{text}{before}{code}]", (len(before), len(before) + len(code))


def spoil_utf8(written: Written, dice: Dice) -> tuple[str | bytes, Span]:
    text, offset = written.text, len(written.text) - len(written.body)
    place = dice.pick(offset, len(text), len(text) // 2 + offset)
    raw = text[:place].encode() + dice.pick(b"\xff", b"\x80") + text[place:].encode()
    return raw, (place - offset, place - offset + 1)


def grow(written: Written, _: Dice) -> tuple[str, Span]:
    grown = "\n#" if written.format == "yaml" else ""
    return written.text + grown + " " * 2**20, (0, 0)


def empty(written: Written, dice: Dice) -> tuple[str, Span]:
    comment = "# nothing" if written.format == "yaml" else " "
    return dice.pick("", " \n", comment), (0, 0)


def add_document(written: Written, dice: Dice) -> tuple[str, Span]:
    start = len(written.body) + 1
    added = dice.pick("---", "--- a", "---\na: b")
    return f"{written.text}\n{added}\n", (start, start + 3)


def add_directive(written: Written, dice: Dice) -> tuple[str, Span]:
    before = dice.pick("", "\n", "# 100%\n")
    directive = dice.pick("%YAML 1.2", "%YAML 1.1", "%TAG !e! tag:example.com,2000:")
    has_marker = any(line.startswith("---") for line in written.body.splitlines())
    marker = "" if has_marker else "---\n"
    place = (len(before), len(before) + len(directive))
    return f"{before}{directive}\n{marker}{written.body}", place
