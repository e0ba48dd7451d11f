"""What can be mended without asking: the fixes of findings, made and proven."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, cast, final

import attrs

from evalset.diagnostics import Diagnostic, Fix
from evalset.edits import Edit, apply_edits
from evalset.reading import CheckResult, check_text

__all__ = ["Check", "Fixed", "fix"]

Check: TypeAlias = Callable[[str], CheckResult]
"""Checks a text; `evalset.check_text` with its options."""

_ROUNDS = 100
_SYNTAX = frozenset({"yaml-syntax", "json-syntax"})


@final
@attrs.frozen(kw_only=True)
class Fixed:
    """A text that was mended.

    Attributes:
        text: The text, mended as far as that goes.
        fixed: The findings whose fixes were made, in the order in which they were. Their places
            are those of the text as it was then.
        result: What there is to say of the text now.
    """

    text: str
    fixed: tuple[Diagnostic, ...]
    result: CheckResult


def fix(text: str, *, check: Check = check_text, unsafe: bool = False) -> Fixed:
    r"""Make the fixes of what is found in a text, until there are no more.

    Args:
        text: The text of a manifest, in YAML or JSON, with all its faults.
        check: How it is checked; such as `partial(check_text, format="json")`.
        unsafe: Whether to make those as well that current servers read in another way than
            what was there; see `Fix.is_safe`.

    Returns:
        The text, what was fixed, and what is left. A text with nothing to fix stays as it is.

    Guarantees:
        Only what the fixes replace changes: comments, order, quotes, line breaks and a byte
        order mark stay. Each fix is proven: it is made only if its finding is gone
        afterwards and no error is there that was not there before, unless it stands where
        the text could not be read until then. Fixing again changes nothing, unless 100
        rounds were not enough: YAML tells one fault of its syntax at a time.

    Raises:
        TypeError: `text` is no str.

    Example:
        >>> text = "schema: evalset/v1\nname: 4.10 # ours\npacks: [p]\nagents: [{deployment: a}]"
        >>> fix(text).text.splitlines()[1]
        'name: "4.10" # ours'
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is str, not {type(text).__name__}")
    state = _State(text, check(text))
    for _ in range(_ROUNDS):
        found = list(_fixable(state.result, unsafe=unsafe))
        if not found or not (state.take(found, check) or _fix_each(state, found, check)):
            break
    return Fixed(text=state.text, fixed=tuple(state.fixed), result=state.result)


@attrs.define
class _State:
    text: str
    result: CheckResult
    fixed: list[Diagnostic] = attrs.field(factory=list[Diagnostic])

    def take(self, found: Sequence[Diagnostic], check: Check) -> bool:
        """Make some fixes, if the text is the better for it."""
        body = self.text.removeprefix("\ufeff")
        mark = self.text[: len(self.text) - len(body)]
        text = mark + apply_edits(body, [_edit(each) for each in found])
        result = check(text)
        is_better = _is_better(self.result, result, found)
        if is_better:
            self.text, self.result = text, result
            self.fixed += found
        return is_better


def _fixable(result: CheckResult, *, unsafe: bool) -> Iterator[Diagnostic]:
    """Give what can be fixed at one time: no two fixes overlap."""
    end = -1
    for found in result.diagnostics:
        if found.fix and (unsafe or found.fix.is_safe) and found.fix.span.offset > end:
            end = found.fix.span.end_offset
            yield found


def _fix_each(state: _State, found: Sequence[Diagnostic], check: Check) -> bool:
    """Make those fixes that are good by themselves."""
    taken = 0
    for wanted in found if len(found) > 1 else ():
        now = [each for each in state.result.diagnostics if _is_same(each, wanted)]
        taken += bool(now) and state.take(now[:1], check)
    return taken > 0


def _is_same(found: Diagnostic, other: Diagnostic) -> bool:
    """Tell whether a finding is the same in a text that was mended elsewhere."""
    return found.fix is not None and all(
        getattr(found, name) == getattr(other, name) for name in ("code", "pointer", "message")
    )


def _edit(found: Diagnostic) -> Edit:
    fix = cast("Fix", found.fix)
    return Edit(fix.span.offset, fix.span.end_offset, fix.text)


def _is_better(before: CheckResult, after: CheckResult, fixed: Sequence[Diagnostic]) -> bool:
    """Tell whether what was fixed is gone, and no error has come."""
    if _unread(before) != _unread(after):  # what is read now may hold other errors
        return _unread(after) < _unread(before)
    if _total(before) > len(before.diagnostics):  # not all is listed
        return _total(after) <= _total(before) - len(fixed)
    gone = Counter(each.code for each in before.diagnostics)
    gone.subtract(each.code for each in fixed)
    counted = {each.code for each in fixed}
    now = Counter(each.code for each in after.diagnostics if each.is_error or each.code in counted)
    return now <= gone


def _unread(result: CheckResult) -> int:
    """Count the characters of a text that can't be read, from where it goes wrong to its end."""
    places = [each.span.offset for each in result.diagnostics if each.span and each.code in _SYNTAX]
    if not result.is_unread or result.source is None or not places:
        return 0
    return 1 + len(result.source.text) - max(places)


def _total(result: CheckResult) -> int:
    """Count the findings, with those that are only counted."""
    last = result.diagnostics[-1:]
    is_cut = [each.code for each in last] == ["more-findings"]
    more = int(re.sub(r"\D", "", last[0].message)) - 1 if is_cut else 0
    return len(result.diagnostics) + more
