"""What is looked for in a manifest, beyond what every manifest must obey."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Literal, TypeAlias, final

import attrs

from evalset.collisions import collision_rule
from evalset.keys import DIALECTS, KeyBy
from evalset.rules import MAX_COMBINATIONS, Data, Rule, demand_cap, rules, text_fields, warnings
from evalset.scalars import changes_in_yaml11

__all__ = ["Checks", "Unknown", "may_hold_ignores"]

Unknown: TypeAlias = Literal["error", "keep"]
"""What becomes of keys that the format does not have."""


# Warnings that no look at a text gives.
_NOT_OF_TEXTS = {"catalog-fallback", "unused-ignore", "bad-ignore"}


def _codes(codes: Collection[str]) -> frozenset[str]:
    if isinstance(codes, str):
        raise TypeError("codes are a list of names, not one text")
    if not codes:
        return frozenset()
    from evalset.diagnostics import CODES

    for code in codes:
        if code not in CODES:
            raise ValueError(f"{code!r} is no code of the catalogue")
    return frozenset(codes)


@final
@attrs.frozen(kw_only=True)
class Checks:
    """What is looked for beyond what every manifest must obey.

    Attributes:
        unknown: `keep` lets unknown keys pass, with a warning.
        max_combinations: The caller's own cap, 1 to 2000.
        key_by: The dialect whose keys must differ, or None: keys are not looked at.
        scanners: The scanners that the host knows, or None: no warnings at all.
        pinned: Whether references that are no UUIDs earn a warning.
        ignore: Codes of warnings that are left out.
        error: Codes of warnings that are errors.

    Raises:
        ValueError: A value is not one of these.
    """

    unknown: Unknown = "error"
    max_combinations: int = MAX_COMBINATIONS
    key_by: KeyBy | None = None
    scanners: Sequence[str] | None = None
    pinned: bool = False
    ignore: frozenset[str] = attrs.field(default=frozenset[str](), converter=_codes)
    error: frozenset[str] = attrs.field(default=frozenset[str](), converter=_codes)

    def __attrs_post_init__(self) -> None:
        demand_cap(self.max_combinations)
        if self.key_by is not None and self.key_by not in DIALECTS:
            raise ValueError(f"key_by is {self.key_by!r}; it is 'label' or 'deployment'")
        if isinstance(self.scanners, str):
            raise TypeError("scanners are a list of names, not one text")
        if self.unknown not in {"error", "keep"}:
            raise ValueError(f"unknown is {self.unknown!r}; it is 'error' or 'keep'")
        if self.ignore:
            from evalset.diagnostics import CODES

            for code in sorted(self.ignore):
                if CODES[code].severity == "error":
                    raise ValueError(f"{code} is an error; only warnings can be ignored")

    def rules(self) -> Iterator[Rule]:
        """Give the rules that look for it."""
        keep = self.unknown == "keep"
        yield from rules(cap=self.max_combinations, keep_unknown=keep)
        if self.key_by is not None:
            yield collision_rule(self.key_by)
        if self.scanners is not None:
            from evalset.naming import naming_rules

            yield from warnings(self.scanners, keep_unknown=keep)
            yield from naming_rules(self.key_by or "label", pinned=self.pinned)

    def may_find(self, data: Data, text: str) -> bool:
        """Tell whether there may be something to say of data that makes a manifest.

        False is certain. True is not: text that YAML 1.1 reads as something else is only
        warned of where it was written without quotes, which the data does not tell; and
        where the text has a comment that ignores warnings, it may be idle.
        """
        return (
            may_hold_ignores(text)
            or any(changes_in_yaml11(text) for _, text in text_fields(data))
            or any(True for rule in self.rules() for _ in rule(data))
        )

    def looks_for(self, code: str) -> bool:
        """Tell whether a warning of this code is found where there is reason for it."""
        return {"not-pinned": self.pinned, "kept-key": self.unknown == "keep"}.get(
            code, code not in _NOT_OF_TEXTS
        )


def may_hold_ignores(text: str) -> bool:
    """Tell whether a text may have a comment `# evalset: ignore[code]`; False is certain."""
    return "ignore" in text and "evalset:" in text
