"""Good plain data or a good text with one fault, and what must be found where.

The tables name, for each code of the catalogue, the single edits that earn it. What a
single edit can't do is not here: `pointer-not-found` and `kept-key` depend on how a
text is read, `more-findings` needs 200 others.
"""

from __future__ import annotations

from copy import deepcopy
from typing import final

import attrs

from evalset.nodes import to_pointer
from evalset.sources import Format
from evalset.testing._dice import Dice
from evalset.testing._edits import (
    OPEN,
    Data,
    Put,
    Rewrite,
    add_bad_ignore,
    add_bad_merge,
    add_directive,
    add_document,
    add_odd_key,
    add_unknown_key,
    add_unused_ignore,
    alias_itself,
    borrow_label,
    change_case,
    drop_key,
    empty,
    fill,
    give_auto_seeds,
    give_large_seed,
    grow,
    label_alike,
    leave_seeds_out,
    make_ambiguous,
    miscount_seeds,
    raw,
    repeat_agent,
    repeat_key,
    repeat_model,
    repeat_pack,
    repeat_seed,
    repeat_too_often,
    respell_uuid,
    spoil_utf8,
)
from evalset.testing._styles import Raw, write

__all__ = ["FAULTS", "BrokenManifest", "break_manifest"]


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
class _Way:
    """One way to earn a code, in one format or in both."""

    put: Put
    formats: tuple[Format, ...] = ("yaml", "json")


def break_manifest(data: Data, code: str, dice: Dice) -> BrokenManifest:
    """Put one fault into a good manifest's data, which is not changed, and write it."""
    if code in _TEXT_EDITS:
        formats, rewrite = _TEXT_EDITS[code]
        format: Format = dice.pick(*formats)
        text, (start, end) = rewrite(write(data, format, dice), dice)
        pointer = ""
    else:
        way = dice.pick(*_EDITS[code])
        format = dice.pick(*way.formats)
        data = deepcopy(data)
        edit = way.put(data, dice)
        written = write(data, format, dice, apart=edit.path)
        text, (start, end) = written.text, edit.span(written)
        pointer = to_pointer(edit.path if edit.pointer is None else edit.pointer)
    return BrokenManifest(
        text=text, format=format, code=code, pointer=pointer, offset=start, end_offset=end
    )


def _both(*puts: Put) -> tuple[_Way, ...]:
    return tuple(map(_Way, puts))


def _yaml(*puts: Put) -> tuple[_Way, ...]:
    return tuple(_Way(put, ("yaml",)) for put in puts)


def _json(*puts: Put) -> tuple[_Way, ...]:
    return tuple(_Way(put, ("json",)) for put in puts)


_TEXT_EDITS: dict[str, tuple[tuple[Format, ...], Rewrite]] = {
    "not-utf8": (("yaml", "json"), spoil_utf8),
    "too-large": (("yaml", "json"), grow),
    "empty-document": (("yaml", "json"), empty),
    "several-documents": (("yaml",), add_document),
    "yaml-directive": (("yaml",), add_directive),
    "unused-ignore": (("yaml",), add_unused_ignore),
    "bad-ignore": (("yaml",), add_bad_ignore),
}

_UUID = "0f0f0f0f-1111-4222-8333-444444444444"
_TEXTS = "name packs/* agents/*/deployment agents/*/label models/* scanners/*"
_WHOLE = "repeats seeds/seeds/* limits/max_concurrent_runs"

# Each list holds the one before it ten times.
_LISTS = [
    f"&l{level} [{', '.join([f'*l{level - 1}' if level else '1'] * 10)}]" for level in range(5)
]
_BOMB = f"[{', '.join(_LISTS)}]"
_LAST = (_BOMB.index(_LISTS[-1]), _BOMB.index(_LISTS[-1]) + 1)

_EDITS: dict[str, tuple[_Way, ...]] = {
    # The text
    "forbidden-character": (
        *_both(fill(_TEXTS, "a\x07b", "\ufdd0", "a\x7fb", "a\nb", "\U0001ffff")),
        *_yaml(fill(OPEN, Raw('"a\x07b"'), Raw("'b\u2028'"), inside=(2, 3), pointer=())),
    ),
    "too-deep": _both(fill("x-fault", Raw("[" * 70 + "]" * 70), inside=(63, 64), pointer=())),
    "too-many-nodes": _yaml(fill("x-fault", Raw(_BOMB), inside=_LAST, pointer=())),
    "yaml-syntax": _yaml(
        fill(OPEN, *raw("@a `a %a"), inside=(0, 1), pointer=()),
        fill(OPEN, Raw('"\\q"'), inside=(1, 3), pointer=()),
        fill(OPEN, Raw("[a, , b]"), inside=(4, 5), pointer=()),
    ),
    "json-syntax": _json(
        fill(OPEN, *raw("NaN True 'x' 01 +1 .5 yes /**/1"), inside=(0, 1), pointer=()),
        fill(OPEN, Raw('"\\q"'), Raw("{a: 1}"), Raw("1 2"), inside=(1, 2), pointer=()),
        fill(OPEN, Raw("[1,]"), Raw("[1 2]"), Raw('"a\tb"'), inside=(2, 3), pointer=()),
    ),
    "foreign-tag": _yaml(
        fill(f"{OPEN} {_TEXTS}", Raw("!a b"), Raw("!a 'b'"), inside=(0, 2)),
        fill(f"{OPEN} {_TEXTS}", Raw("!!int b"), Raw("!!set b"), inside=(0, 5)),
        fill(OPEN, Raw("!!python/object:os.system b"), inside=(0, 25)),
        fill(OPEN, Raw("!a [b]"), Raw("!a {b: c}"), Raw("!a &b c"), inside=(0, 2)),
        fill(OPEN, Raw("&b !a c"), Raw("&b !a [c]"), inside=(3, 5)),
    ),
    "undefined-alias": _yaml(fill(f"{OPEN} {_TEXTS} seeds limits", Raw("*nowhere"))),
    "recursive-alias": _yaml(alias_itself),
    "duplicate-key": _both(repeat_key),
    "key-not-text": _yaml(add_odd_key),
    "bad-merge": _yaml(add_bad_merge),
    # The shape
    "missing-key": _both(drop_key),
    "unknown-key": _both(add_unknown_key),
    "wrong-type": _both(
        fill("packs models scanners", "a", {"a": "b"}, 3, Raw("true")),
        fill("agents", "a", {"deployment": "a"}, 3),
        fill("agents/*", "a", ["a"], 3),
        fill(_TEXTS, ["a"], {"a": "b"}),
        fill("seeds limits", [1, 2], "auto", 7, Raw("true")),
        fill(f"{_WHOLE} limits/budget_usd", "many", Raw("true"), [3], {}),
        fill("seeds/seeds", 7, "7", {"a": 1}),
        fill("case_fanout", "maybe", [True], 2, 1.0),
        fill("schema seeds/strategy $schema", ["auto"], {}),
    ),
    "null-value": _both(
        fill("schema name packs agents packs/* agents/* agents/*/deployment models/*", None),
        fill("scanners/* seeds/seeds/*", None),
    ),
    "text-not-quoted": (
        *_both(fill(f"{_TEXTS} seeds/strategy", 3, Raw("true"), 1.5, Raw("4.10"))),
        *_yaml(fill(_TEXTS, *raw("010 0x10 .inf +3"))),
    ),
    "number-quoted": _both(fill(f"{_WHOLE} limits/budget_usd", "3", " 1e3 ", "-1")),
    "number-form": (
        *_both(fill(_WHOLE, "1_000")),
        *_yaml(
            fill(_WHOLE, *raw("010 0x3 0o7 +3 1_000 3.")),
            fill("limits/budget_usd", *raw(".5 5. +1.5 1_000.5")),
        ),
    ),
    "not-an-integer": _both(
        fill(_WHOLE, 1.5, 1e-3, Raw("12.50")), fill("limits/max_concurrent_runs", 1e17)
    ),
    "boolean-form": (
        *_both(fill("case_fanout", "yes", "true", "OFF", "0", 1, 0)),
        *_yaml(fill("case_fanout", *raw("yes on y No"))),
    ),
    "wrong-schema": _both(
        fill("schema", 3, Raw("true"), Raw("4.10")),
        fill("schema", "evalset", "EVALSET/V1", " evalset/v1", "evalset/v1\n", "", "v1"),
    ),
    "unsupported-version": _both(fill("schema", "evalset/v2", "evalset/v1.1", "evalset/v10")),
    "unknown-strategy": _both(fill("seeds/strategy", "Auto", "EXPLICIT", "random", "", " auto")),
    "blank-text": _both(fill(_TEXTS, "", " ", "\u3000\t\n")),
    "empty-list": _both(fill("packs agents", [])),
    "too-many-items": _json(fill("scanners", ["tool-misuse"] * 2001)),
    "out-of-range": _both(
        fill("repeats", 0, -1, 0.0),
        fill("seeds/seeds/*", 0, -5, 2**63),
        fill("limits/max_concurrent_runs limits/budget_usd", -1, -2.0),
        fill("limits/max_concurrent_runs", 2**63),
    ),
    "not-finite": (
        *_both(fill(f"{_WHOLE} limits/budget_usd", *raw("1e999 9e400"))),
        *_both(fill("limits/budget_usd", 10**350, Raw("9" * 500))),
        *_yaml(fill(f"{_WHOLE} limits/budget_usd", *raw(".inf -.INF .nan"))),
    ),
    "extension-not-json": (
        *_both(fill(OPEN, Raw("1e999"), Raw('"\\ud800"'), Raw("9" * 500))),
        *_yaml(fill(OPEN, *raw(".nan -.inf"))),
    ),
    # The rules
    "missing-seeds": _both(leave_seeds_out),
    "seeds-count": _both(miscount_seeds),
    "seeds-without-explicit": _both(give_auto_seeds),
    "duplicate-seed": _both(repeat_seed),
    "too-many-combinations": _both(repeat_too_often),
    "duplicate-pack": _both(repeat_pack),
    "duplicate-agent": _both(repeat_agent),
    "duplicate-model": _both(repeat_model),
    "ambiguous-key": _both(make_ambiguous),
    # Warnings
    "unknown-scanner": _both(fill("scanners/*", "reward-hackin", "mine")),
    "similar-labels": _both(label_alike),
    "similar-refs": _both(change_case),
    "misleading-label": _both(borrow_label),
    "looks-like-file": _both(fill("packs/* agents/*/deployment", "a.yaml", "~/a", "C:\\a")),
    "nearly-uuid": _both(
        fill("packs/* agents/*/deployment", f"{_UUID}0", _UUID[:-1], _UUID.replace("0", "o", 1))
    ),
    "respelled-uuid": _both(respell_uuid),
    "path-in-key": _both(fill("packs/* models/*", "..", "a/../b", "/a", "a//b", "a/.")),
    "long-key": _both(fill("packs/* agents/*/label models/*", "a" * 256, "\u591c" * 86)),
    "zero-budget": _both(fill("limits/budget_usd", 0, 0.0, -0.0)),
    "large-seed": _both(give_large_seed),
    "yaml11-text": _yaml(fill("name scanners/*", *raw("yes off 12:30 2026-12-01"))),
}

FAULTS: tuple[str, ...] = tuple(sorted([*_EDITS, *_TEXT_EDITS]))
"""The codes that a single fault can earn."""
