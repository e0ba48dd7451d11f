"""What is looked for in a manifest, beyond what every manifest must obey."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias, final

import attrs

from evalset.collisions import collision_rule
from evalset.keys import DIALECTS, KeyBy
from evalset.rules import MAX_COMBINATIONS, Data, Rule, demand_cap, rules, text_fields, warnings
from evalset.scalars import changes_in_yaml11

__all__ = ["Checks", "Unknown"]

Unknown: TypeAlias = Literal["error", "keep"]
"""What becomes of keys that the format does not have."""


@final
@attrs.frozen(kw_only=True)
class Checks:
    """What is looked for beyond what every manifest must obey.

    Attributes:
        unknown: `keep` lets unknown keys pass, with a warning.
        max_combinations: The caller's own cap, 1 to 2000.
        key_by: The dialect whose keys must differ, or None: keys are not looked at.
        scanners: The scanners that the host knows, or None: no warnings at all.

    Raises:
        ValueError: A value is not one of these.
    """

    unknown: Unknown = "error"
    max_combinations: int = MAX_COMBINATIONS
    key_by: KeyBy | None = None
    scanners: Sequence[str] | None = None

    def __attrs_post_init__(self) -> None:
        demand_cap(self.max_combinations)
        if self.key_by is not None and self.key_by not in DIALECTS:
            raise ValueError(f"key_by is {self.key_by!r}; it is 'label' or 'deployment'")
        if isinstance(self.scanners, str):
            raise TypeError("scanners are a list of names, not one text")
        if self.unknown not in {"error", "keep"}:
            raise ValueError(f"unknown is {self.unknown!r}; it is 'error' or 'keep'")

    def rules(self) -> Iterator[Rule]:
        """Give the rules that look for it."""
        keep = self.unknown == "keep"
        yield from rules(cap=self.max_combinations, keep_unknown=keep)
        if self.key_by is not None:
            yield collision_rule(self.key_by)
        if self.scanners is not None:
            yield from warnings(self.scanners, keep_unknown=keep)

    def may_find(self, data: Data) -> bool:
        """Tell whether there may be something to say of data that makes a manifest.

        False is certain. True is not: text that YAML 1.1 reads as something else is only
        warned of where it was written without quotes, which the data does not tell.
        """
        return any(changes_in_yaml11(text) for _, text in text_fields(data)) or any(
            True for rule in self.rules() for _ in rule(data)
        )
