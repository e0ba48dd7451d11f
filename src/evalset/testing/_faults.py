"""Good plain data or a good text with one fault, and what must be found where.

The tables name, for each code of the catalogue, the single edits that earn it. What a
single edit can't do is not here: `pointer-not-found` and `kept-key` depend on how a
text is read, `more-findings` needs 200 others.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any, Literal, TypeAlias, final

import attrs

from evalset.document import Format
from evalset.keys import trim
from evalset.nodes import Path, to_pointer
from evalset.rules import KEYS
from evalset.testing._styles import Dice, Raw, Span, Written, write

__all__ = ["FAULTS", "BrokenManifest", "break_manifest"]

_Data: TypeAlias = dict[Any, Any]


@final
@attrs.frozen(kw_only=True)
class BrokenManifest:
    """The text of a good manifest with one fault, and what is to be found in it.

    Attributes:
        text: The text, or its bytes where it is not UTF-8.
        format: `json` or `yaml`.
        code: The code of the finding.
        pointer: Its JSON Pointer.
        offset: Where it starts, in code points without a byte order mark.
        end_offset: Where it ends, exclusive.
    """

    text: str | bytes
    format: Format
    code: str
    pointer: str
    offset: int
    end_offset: int


@attrs.frozen
class _Edit:
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


_Put: TypeAlias = Callable[[_Data, Dice], _Edit]


@attrs.frozen
class _Way:
    """One way to earn a code, in one format or in both."""

    put: _Put
    formats: tuple[Format, ...] = ("yaml", "json")


def break_manifest(data: _Data, code: str, dice: Dice) -> BrokenManifest:
    """Put one fault into a good manifest's data, which is not changed, and write it."""
    if code in _TEXT_EDITS:
        formats, rewrite = _TEXT_EDITS[code]
        format = dice.pick(*formats)
        text, (start, end) = rewrite(write(data, format, dice), dice)
        pointer = ""
    else:
        ways = _EDITS[code]
        format = dice.pick(*dict.fromkeys(format for way in ways for format in way.formats))
        data = deepcopy(data)
        edit = dice.pick(*[way.put for way in ways if format in way.formats])(data, dice)
        written = write(data, format, dice, apart=edit.path)
        text, (start, end) = written.text, edit.span(written)
        pointer = to_pointer(edit.path if edit.pointer is None else edit.pointer)
    return BrokenManifest(
        text=text, format=format, code=code, pointer=pointer, offset=start, end_offset=end
    )


# Values


def _fill(
    paths: str, *values: object, inside: Span | None = None, pointer: Path | None = None
) -> _Put:
    """Put one of the values at one of the paths; `*` is an item of a list."""

    def put(data: _Data, dice: Dice) -> _Edit:
        path, owner = _reach(data, dice.pick(*paths.split()), dice)
        owner[path[-1]] = dice.pick(*values)
        return _Edit(path, inside=inside, pointer=pointer)

    return put


def _reach(data: _Data, pattern: str, dice: Dice) -> tuple[Path, Any]:
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
    if is_new and (not items or dice.pick(False, True)):
        items.append(None)
        return len(items) - 1
    return dice.pick(*range(len(items)))


def _both(*puts: _Put) -> tuple[_Way, ...]:
    return tuple(map(_Way, puts))


def _yaml(*puts: _Put) -> tuple[_Way, ...]:
    return tuple(_Way(put, ("yaml",)) for put in puts)


def _json(*puts: _Put) -> tuple[_Way, ...]:
    return tuple(_Way(put, ("json",)) for put in puts)


def _raw(text: str) -> tuple[Raw, ...]:
    return tuple(map(Raw, text.split()))


# Keys


def _mapping(data: _Data, dice: Dice) -> tuple[str, Path, _Data]:
    """Choose a mapping of the format: its level in `KEYS`, its path, itself."""
    level = dice.pick("", "agents", "seeds", "limits")
    if not level:
        return level, (), data
    if level == "agents":
        index = dice.pick(*range(len(data["agents"])))
        return level, ("agents", index), data["agents"][index]
    data[level] = data.get(level) or {}
    return level, (level,), data[level]


def _drop_key(data: _Data, dice: Dice) -> _Edit:
    key = dice.pick("schema", "name", "packs", "agents", "deployment")
    if key == "deployment":
        index = dice.pick(*range(len(data["agents"])))
        del data["agents"][index][key]
        return _Edit(("agents", index), "mapping")
    del data[key]
    return _Edit((), "mapping")


def _add_unknown_key(data: _Data, dice: Dice) -> _Edit:
    level, path, mapping = _mapping(data, dice)
    names = ["repeat", "Name", "budget_usd", "x_team", "seeds ", "", "deployment", "no.such/~key"]
    key = dice.pick(*[name for name in names if name not in KEYS[level]])
    mapping[key] = dice.pick(5, None, "a", [], {"a": 1})
    return _Edit((*path, key), "key")


def _repeat_key(data: _Data, dice: Dice) -> _Edit:
    level, path, mapping = _mapping(data, dice)
    mapping.setdefault("x-twice", 1)
    key = dice.pick(*[name for name in (*KEYS[level], "x-twice") if name in mapping])
    again = Raw(json.dumps(key))
    mapping[again] = deepcopy(mapping[key])
    return _Edit((*path, again.text), "key", pointer=(*path, key))


def _add_odd_key(data: _Data, dice: Dice) -> _Edit:
    _, path, mapping = _mapping(data, dice)
    key = dice.pick(*_raw("3 true ~ null [a] 1.5 {a}"))
    mapping[key] = "a"
    return _Edit((*path, key.text), "key", pointer=path)


def _alias_itself(data: _Data, dice: Dice) -> _Edit:
    path, owner = _reach(data, dice.pick(*_OPEN.split()), dice)
    owner[path[-1]], step = dice.pick((Raw("&me [*me]"), 0), (Raw("&me {a: *me}"), "a"))
    inside = (5, 8) if step == 0 else (8, 11)
    return _Edit(path, inside=inside, pointer=(*path, step))


def _add_bad_merge(data: _Data, dice: Dice) -> _Edit:
    _, path, mapping = _mapping(data, dice)
    mapping[Raw("<<")] = dice.pick(3, "a", Raw("null"), True)
    return _Edit((*path, "<<"), pointer=path)


# Seeds, counts and equal entries


def _seeds(data: _Data, seeds: object, *, repeats: int = 1, strategy: str = "explicit") -> None:
    data["repeats"] = repeats
    data["seeds"] = {"strategy": strategy, "seeds": seeds}


def _leave_seeds_out(data: _Data, dice: Dice) -> _Edit:
    _seeds(data, dice.pick(None, []))
    if dice.pick(True, False):
        del data["seeds"]["seeds"]
        return _Edit(("seeds",), "mapping")
    return _Edit(("seeds", "seeds"))


def _miscount_seeds(data: _Data, dice: Dice) -> _Edit:
    seeds, repeats = dice.pick(([1], 2), ([1, 2], 1), ([3, 2, 1], 2))
    _seeds(data, seeds, repeats=repeats)
    return _Edit(("seeds", "seeds"), "key")


def _give_auto_seeds(data: _Data, dice: Dice) -> _Edit:
    _seeds(data, dice.pick([1], [1, 2]), strategy="auto")
    if dice.pick(False, True):
        del data["seeds"]["strategy"]
    return _Edit(("seeds", "seeds"))


def _repeat_seed(data: _Data, dice: Dice) -> _Edit:
    seeds, index = dice.pick(([5, 5], 1), ([1, 2, 1], 2), ([2**63 - 1] * 2, 1), ([1, 1.0], 1))
    _seeds(data, seeds, repeats=len(seeds))
    return _Edit(("seeds", "seeds", index))


def _give_large_seed(data: _Data, dice: Dice) -> _Edit:
    _seeds(data, [dice.pick(2**53, 2**63 - 1)])
    return _Edit(("seeds", "seeds", 0))


def _repeat_too_often(data: _Data, dice: Dice) -> _Edit:
    data.pop("seeds", None)
    data["repeats"] = dice.pick(2001, 10**18, 10**100, 1e18)
    return _Edit(("repeats",))


def _repeat_pack(data: _Data, dice: Dice) -> _Edit:
    data["packs"].append(_alike(dice.pick(*data["packs"]), dice))
    return _Edit(("packs", len(data["packs"]) - 1))


def _repeat_model(data: _Data, dice: Dice) -> _Edit:
    models = data["models"] = data.get("models") or ["m"]
    models.append(_alike(dice.pick(*models), dice))
    return _Edit(("models", len(models) - 1))


def _repeat_agent(data: _Data, dice: Dice) -> _Edit:
    agent = dice.pick(*data["agents"])
    part = _alike(agent.get("label") or agent["deployment"], dice)
    field = dice.pick("deployment", "label")
    data["agents"].append({"deployment": "another", field: part})
    return _Edit(("agents", len(data["agents"]) - 1, field))


def _alike(text: str, dice: Dice) -> str:
    """Give a text that is the same in a matrix key."""
    text = trim(text)
    spaced = text if text.strip("-") != text else text.replace("-", " ")
    return dice.pick(text, f"\u3000{text} ", spaced)


def _make_ambiguous(data: _Data, dice: Dice) -> _Edit:
    data.pop("models", None)
    data["packs"] = ["p", "p/x"]
    data["agents"] = [{"deployment": "x/a"}, {"deployment": dice.pick("a", " a ")}]
    return _Edit(("packs", 1))


def _label_alike(data: _Data, dice: Dice) -> _Edit:
    label = dice.pick("LIKE THIS", "\uff4cike this")
    data["agents"] += [{"deployment": "like 1", "label": "like this"},
                       {"deployment": "like 2", "label": label}]  # fmt: skip
    return _Edit(("agents", len(data["agents"]) - 1, "label"))


# Texts


def _spoil_utf8(written: Written, dice: Dice) -> tuple[str | bytes, Span]:
    text, offset = written.text, len(written.text) - len(written.body)
    place = dice.pick(offset, len(text), len(text) // 2 + offset)
    raw = text[:place].encode() + dice.pick(b"\xff", b"\x80") + text[place:].encode()
    return raw, (place - offset, place - offset + 1)


def _grow(written: Written, _: Dice) -> tuple[str, Span]:
    grown = "\n#" + "x" * 2**18 if written.format == "yaml" else " " * 2**20
    return written.text + grown, (0, 0)


def _empty(written: Written, dice: Dice) -> tuple[str, Span]:
    comment = "# nothing" if written.format == "yaml" else " "
    return dice.pick("", " \n", comment), (0, 0)


def _add_document(written: Written, dice: Dice) -> tuple[str, Span]:
    start = len(written.body) + 1
    added = dice.pick("---", "--- a", "---\na: b")
    return f"{written.text}\n{added}\n", (start, start + 3)


def _add_directive(written: Written, dice: Dice) -> tuple[str, Span]:
    before = dice.pick("", "\n", "# 100%\n")
    directive = dice.pick("%YAML 1.2", "%YAML 1.1", "%TAG !e! tag:example.com,2000:")
    has_marker = any(line.startswith("---") for line in written.body.splitlines())
    marker = "" if has_marker else "---\n"
    place = (len(before), len(before) + len(directive))
    return f"{before}{directive}\n{marker}{written.body}", place


_Rewrite: TypeAlias = Callable[[Written, Dice], tuple[str | bytes, Span]]

_TEXT_EDITS: dict[str, tuple[tuple[Format, ...], _Rewrite]] = {
    "not-utf8": (("yaml", "json"), _spoil_utf8),
    "too-large": (("yaml", "json"), _grow),
    "empty-document": (("yaml", "json"), _empty),
    "several-documents": (("yaml",), _add_document),
    "yaml-directive": (("yaml",), _add_directive),
}

_TEXTS = "name packs/* agents/*/deployment agents/*/label models/* scanners/*"
_OPEN = "x-fault agents/*/x-fault seeds/x-fault limits/x-fault"
_WHOLE = "repeats seeds/seeds/* limits/max_concurrent_runs"

# Each list holds the one before it ten times.
_LISTS = ["&l0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
_LISTS += [f"&l{level} [{', '.join([f'*l{level - 1}'] * 10)}]" for level in range(1, 5)]
_BOMB = f"[{', '.join(_LISTS)}]"
_LAST = (_BOMB.index(_LISTS[-1]), _BOMB.index(_LISTS[-1]) + 1)

_EDITS: dict[str, tuple[_Way, ...]] = {
    # The text
    "forbidden-character": (
        *_both(_fill(_TEXTS, "a\x07b", "\ufdd0", "a\x7fb", "a\nb", "\U0001ffff")),
        *_yaml(_fill(_OPEN, Raw('"a\x07b"'), Raw("'b\u2028'"), inside=(2, 3), pointer=())),
    ),
    "too-deep": _both(_fill("x-fault", Raw("[" * 70 + "]" * 70), inside=(63, 64), pointer=())),
    "too-many-nodes": _yaml(_fill("x-fault", Raw(_BOMB), inside=_LAST, pointer=())),
    "yaml-syntax": _yaml(
        _fill(_OPEN, *_raw("@a `a %a"), inside=(0, 1), pointer=()),
        _fill(_OPEN, Raw('"\\q"'), inside=(2, 3), pointer=()),
        _fill(_OPEN, Raw("[a, , b]"), inside=(4, 5), pointer=()),
    ),
    "json-syntax": _json(
        _fill(_OPEN, *_raw("NaN True 'x' 01 +1 .5 yes /**/1"), inside=(0, 1), pointer=()),
        _fill(_OPEN, Raw('"\\q"'), Raw("{a: 1}"), Raw("1 2"), inside=(1, 2), pointer=()),
        _fill(_OPEN, Raw("[1,]"), Raw("[1 2]"), Raw('"a\tb"'), inside=(2, 3), pointer=()),
    ),
    "foreign-tag": _yaml(
        _fill(
            f"{_OPEN} {_TEXTS}", Raw("!!python/object:os.system x"), Raw("!a 'b'"), Raw("!!int a")
        ),
        _fill(_OPEN, Raw("!a [b]"), Raw("!a {b: c}"), inside=(0, 2)),
    ),
    "undefined-alias": _yaml(_fill(f"{_OPEN} {_TEXTS} seeds limits", Raw("*nowhere"))),
    "recursive-alias": _yaml(_alias_itself),
    "duplicate-key": _both(_repeat_key),
    "key-not-text": _yaml(_add_odd_key),
    "bad-merge": _yaml(_add_bad_merge),
    # The shape
    "missing-key": _both(_drop_key),
    "unknown-key": _both(_add_unknown_key),
    "wrong-type": _both(
        _fill("packs models scanners", "a", {"a": "b"}, 3, True),
        _fill("agents", "a", {"deployment": "a"}, 3),
        _fill("agents/*", "a", ["a"], 3),
        _fill(_TEXTS, ["a"], {"a": "b"}),
        _fill("seeds limits", [1, 2], "auto", 7, True),
        _fill(f"{_WHOLE} limits/budget_usd", "many", True, [3], {}),
        _fill("seeds/seeds", 7, "7", {"a": 1}),
        _fill("case_fanout", "maybe", [True], 2, 1.0),
        _fill("schema seeds/strategy $schema", ["auto"], {}),
    ),
    "null-value": _both(
        _fill("schema name packs agents packs/* agents/* agents/*/deployment models/*", None),
        _fill("scanners/* seeds/seeds/*", None),
    ),
    "text-not-quoted": (
        *_both(_fill(f"{_TEXTS} schema seeds/strategy", 3, True, 1.5, Raw("4.10"))),
        *_yaml(_fill(_TEXTS, *_raw("010 0x10 .inf +3"))),
    ),
    "number-quoted": _both(_fill(f"{_WHOLE} limits/budget_usd", "3", " 1e3 ", "-1")),
    "number-form": (
        *_both(_fill(_WHOLE, "1_000")),
        *_yaml(
            _fill(_WHOLE, *_raw("010 0x3 0o7 +3 1_000 3.")),
            _fill("limits/budget_usd", *_raw(".5 5. +1.5 1_000.5")),
        ),
    ),
    "not-an-integer": _both(
        _fill(_WHOLE, 1.5, 1e-3, Raw("12.50")), _fill("limits/max_concurrent_runs", 1e17)
    ),
    "boolean-form": (
        *_both(_fill("case_fanout", "yes", "true", "OFF", "0", 1, 0)),
        *_yaml(_fill("case_fanout", *_raw("yes on y No"))),
    ),
    "wrong-schema": _both(
        _fill("schema", "evalset", "EVALSET/V1", " evalset/v1", "evalset/v1\n", "", "v1")
    ),
    "unsupported-version": _both(_fill("schema", "evalset/v2", "evalset/v1.1", "evalset/v10")),
    "unknown-strategy": _both(_fill("seeds/strategy", "Auto", "EXPLICIT", "random", "", " auto")),
    "blank-text": _both(_fill(_TEXTS, "", " ", "\u3000\t\n")),
    "empty-list": _both(_fill("packs agents", [])),
    "too-many-items": _json(_fill("scanners", ["tool-misuse"] * 2001)),
    "out-of-range": _both(
        _fill("repeats", 0, -1, 0.0),
        _fill("seeds/seeds/*", 0, -5, 2**63),
        _fill("limits/max_concurrent_runs limits/budget_usd", -1, -2.0),
        _fill("limits/max_concurrent_runs", 2**63),
    ),
    "not-finite": (
        *_both(_fill(f"{_WHOLE} limits/budget_usd", *_raw("1e999 9e400"))),
        *_both(_fill("limits/budget_usd", 10**350, Raw("9" * 500))),
        *_yaml(_fill(f"{_WHOLE} limits/budget_usd", *_raw(".inf -.INF .nan"))),
    ),
    "extension-not-json": (
        *_both(_fill(_OPEN, Raw("1e999"), Raw('"\\ud800"'), Raw("9" * 500))),
        *_yaml(_fill(_OPEN, *_raw(".nan -.inf"))),
    ),
    # The rules
    "missing-seeds": _both(_leave_seeds_out),
    "seeds-count": _both(_miscount_seeds),
    "seeds-without-explicit": _both(_give_auto_seeds),
    "duplicate-seed": _both(_repeat_seed),
    "too-many-combinations": _both(_repeat_too_often),
    "duplicate-pack": _both(_repeat_pack),
    "duplicate-agent": _both(_repeat_agent),
    "duplicate-model": _both(_repeat_model),
    "ambiguous-key": _both(_make_ambiguous),
    # Warnings
    "unknown-scanner": _both(_fill("scanners/*", "reward-hackin", "mine")),
    "similar-labels": _both(_label_alike),
    "zero-budget": _both(_fill("limits/budget_usd", 0, 0.0, -0.0)),
    "large-seed": _both(_give_large_seed),
    "yaml11-text": _yaml(_fill("name scanners/*", *_raw("yes off 12:30 2026-12-01"))),
}

FAULTS: tuple[str, ...] = tuple(sorted([*_EDITS, *_TEXT_EDITS]))
"""The codes that a single fault can earn."""
