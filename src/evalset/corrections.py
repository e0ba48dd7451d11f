"""Which findings have one certain correction, as an edit, and whether it is safe.

Certain is what can only have been meant so. Safe is, of that, what current servers read
after the edit just as before. They read YAML as Go's yaml.v3 does, into typed fields, pass
over keys that they do not know, and refuse what does not fit. So quotes around `4.10` are
safe, and `repeats` in the place of `repeat` is not: until then it ran once.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias, cast, final

from evalset.canonical import number as canonical_number
from evalset.document import Document
from evalset.drafts import Draft, NotEditableError, Spot
from evalset.edits import Correction, Edit
from evalset.extensions import PREFIX
from evalset.keys import trim
from evalset.nodes import OddNumber, Path
from evalset.quoting import printable
from evalset.rules import BUILT_IN_SCANNERS, KEYS, Finding
from evalset.scalars import is_json_number, may_be_octal
from evalset.tree import ListNode, MappingNode, ScalarNode

__all__ = ["Corrector"]

_Correct: TypeAlias = Callable[[Draft, Spot, Path], Correction | None]
_Written: TypeAlias = tuple[str, bool] | None  # what to write, and whether that is safe

_SCHEMA = "evalset/v1"
_NEAR = 0.7  # as for hints
_BOOLEANS = {
    **dict.fromkeys(("y", "yes", "on", "true", "1"), "true"),
    **dict.fromkeys(("n", "no", "off", "false", "0"), "false"),
}
# What yaml.v3 takes for a boolean where one is wanted, beyond the words of YAML 1.2.
_READ_AS_BOOLEANS = frozenset({"y", "Y", "yes", "on", "n", "N", "no", "off"})
# Text without quotes that is one name, between brackets, too.
_NAME = re.compile(r"[\w.][\w./@ -]*(?<! )")
_KEY_AND_NAME = re.compile(r"(deployment):([\w.][\w./@-]*)")


@final
class Corrector:
    """Corrects what was found in one document."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _draft(self) -> Draft:
        return Draft(self._document)

    def correct(self, finding: Finding) -> Correction | None:
        """Give the correction of a finding, if there is one that is certain."""
        correct = _CORRECT.get(finding.code)
        if correct is None:
            return None
        try:
            return correct(self._draft, self._draft.own(finding.path), finding.path)
        except NotEditableError:
            return None


def _write(draft: Draft, spot: Spot, text: str, *, is_safe: bool = False) -> Correction:
    """Put another text in the place of a value, behind its anchor and its tag."""
    edit = Edit(draft.layout.content(spot.node), spot.node.end, text)
    return Correction(f"write {printable(text)}", edit, is_safe=is_safe)


# Scalars


def _scalar(meant: Callable[[ScalarNode, Path], _Written], *, is_text: bool = False) -> _Correct:
    """Correct a scalar, in the quotes that it has if text is meant."""

    def correct(draft: Draft, spot: Spot, path: Path) -> Correction | None:
        found = meant(spot.node, path) if isinstance(spot.node, ScalarNode) else None
        if found is None:
            return None
        text, is_safe = found
        like = draft.text[draft.layout.content(spot.node)]
        return _write(
            draft, spot, draft.write(text, like=like) if is_text else text, is_safe=is_safe
        )

    return correct


def _quoted(node: ScalarNode, path: Path) -> _Written:
    if node.source is None or path[0] == "seeds":  # a strategy is not just any text
        return None
    return json.dumps(node.source, ensure_ascii=False), True


def _number(node: ScalarNode, path: Path) -> _Written:
    value = node.value
    if isinstance(value, OddNumber):
        is_certain, number, is_safe = not may_be_octal(value.source), value.value, True
    else:
        digits = trim(str(value)).replace("_", "")
        is_certain = is_json_number(digits)
        number = json.loads(digits) if is_certain else 0
        is_safe = node.source is not None and not node.source.startswith("_")
    if not is_certain or not math.isfinite(number):
        return None
    number = canonical_number(number)
    is_fit = isinstance(number, int) or path[-1] == "budget_usd"
    return (json.dumps(number), is_safe) if is_fit else None


def _boolean(node: ScalarNode, _: Path) -> _Written:
    word = _BOOLEANS.get(trim(str(node.value)).casefold())
    return (word, node.value in _READ_AS_BOOLEANS) if word else None


def _schema(node: ScalarNode, _: Path) -> _Written:
    is_meant = trim(str(node.value)).casefold() == _SCHEMA
    return (_SCHEMA, False) if is_meant else None


def _strategy(node: ScalarNode, _: Path) -> _Written:
    word = str(node.value).casefold()
    near = _near(trim(word), ("auto", "explicit"))
    return (near, near == word) if near else None  # servers read it in any case


def _scanner(node: ScalarNode, _: Path) -> _Written:
    near = _near(trim(str(node.value)), BUILT_IN_SCANNERS)
    return (near, False) if near else None


def _near(text: str, known: tuple[str, ...]) -> str | None:
    """Give the one word that is near to a text."""
    from difflib import get_close_matches

    near = get_close_matches(text, known, 2, _NEAR)
    return near[0] if len(near) == 1 else None


# Keys


def _blank(draft: Draft, _: Spot, path: Path) -> Correction | None:
    """Take out a blank label, which servers take for none."""
    edits = draft.remove(path) if path[-1] == "label" else []
    return Correction("remove the label", edits[0], is_safe=True) if len(edits) == 1 else None


def _key(draft: Draft, spot: Spot, path: Path) -> Correction | None:
    key, level = str(path[-1]), str(path[0]) if path[1:] else ""
    mapping = cast("MappingNode", spot.holder)
    known, is_safe = _known_key(key, KEYS[level]), False
    if known is None and re.match("[xX][-_]", key):
        known, is_safe = f"{PREFIX}{key[2:]}", True  # servers pass over both
    start, end = spot.key.start, spot.key.end
    is_written = draft.text[start] not in "&!?" and draft.layout.behind_colon(spot.key) > end
    if known is None or known in mapping.entries or not is_written:
        return None
    edit = Edit(start, end, draft.write(known, like=draft.text[start]))
    return Correction(f"write {known}", edit, is_safe=is_safe)


def _known_key(key: str, known: tuple[str, ...]) -> str | None:
    if trim(key) in known:
        return trim(key)
    is_elsewhere = any(key in keys for keys in KEYS.values())  # at another level
    return None if is_elsewhere else _near(key, known)


# Shapes


def _shape(draft: Draft, spot: Spot, path: Path) -> Correction | None:
    """Put what is alone, and in one line, into the list or mapping that is wanted."""
    text = draft.text[draft.layout.content(spot.node) : spot.node.end]
    if not path or re.search(r"[\r\n]", text):
        return None
    if isinstance(spot.node, ScalarNode):
        written = _single(draft, spot, path, text) if text else None
    elif path == ("agents",) and isinstance(spot.node, MappingNode):
        written = f"[{text}]" if draft.layout.is_flow(spot.node) else f"- {text}"
    elif path == ("seeds",) and isinstance(spot.node, ListNode) and draft.layout.is_flow(spot.node):
        strategy, seeds = (_named(draft, spot, key) for key in KEYS["seeds"])
        explicit = draft.write("explicit", like=draft.text[spot.key.start])
        written = f"{{{strategy}{explicit}, {seeds}{text}}}"
    else:
        written = None
    return _write(draft, spot, written) if written else None


def _single(draft: Draft, spot: Spot, path: Path, text: str) -> str | None:
    """Write what a scalar is as the one item of a list, or the deployment of an agent."""
    value = cast("ScalarNode", spot.node).value
    is_name = text[0] in {"'", '"'} or _NAME.fullmatch(text)
    if path == ("seeds", "seeds"):
        return f"[{text}]" if type(value) is int else None
    if path[0] == "agents" and (match := _KEY_AND_NAME.fullmatch(text)):
        text, is_name = match[2], True
    if not isinstance(value, str) or not is_name:
        return None
    if path in {("packs",), ("models",), ("scanners",)}:
        return f"[{text}]"
    if path == ("agents",):
        return f"[{{{_named(draft, spot, 'deployment')}{text}}}]"
    if path[0] == "agents" and len(path) == 2:  # noqa: PLR2004 (an item of it)
        pair = f"{_named(draft, spot, 'deployment')}{text}"
        return f"{{{pair}}}" if draft.layout.is_flow(spot.holder) else pair
    return None


def _named(draft: Draft, spot: Spot, key: str) -> str:
    quote = draft.text[spot.node.start if isinstance(spot.holder, ListNode) else spot.key.start]
    return f"{draft.write(key, like=quote)}: "


_CORRECT: dict[str, _Correct] = {
    "text-not-quoted": _scalar(_quoted),
    "yaml11-text": _scalar(_quoted),
    "number-form": _scalar(_number),
    "number-quoted": _scalar(_number),
    "boolean-form": _scalar(_boolean),
    "wrong-schema": _scalar(_schema, is_text=True),
    "unknown-strategy": _scalar(_strategy, is_text=True),
    "unknown-scanner": _scalar(_scanner, is_text=True),
    "blank-text": _blank,
    "unknown-key": _key,
    "wrong-type": _shape,
}
