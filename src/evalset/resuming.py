"""What is left to run: an expansion held against the records of earlier runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, final

import attrs

from evalset.combination import Combination
from evalset.errors import ManifestError
from evalset.expansion import Expansion, expand
from evalset.keys import Fingerprint, KeyBy, normalize_label
from evalset.quoting import quote
from evalset.records import Record
from evalset.shapes import demand

__all__ = ["Reconciliation", "reconcile"]

_LOOKED_AT = 20  # records that are enough to see that an agent was renamed
_OTHER: dict[KeyBy, KeyBy] = {"label": "deployment", "deployment": "label"}


@final
@attrs.frozen(kw_only=True)
class Reconciliation:
    """What became of each combination. Only `reconcile` makes one.

    `done`, `failed`, `stale` and `missing` part the expansion.

    Attributes:
        expansion: What was asked about.
        done: There is a result of this very work.
        failed: It ran, and there is no result.
        stale: There are records under this key, all of other work: another seed,
            deployment, pack or model, by their fingerprints.
        missing: There is no record.
        unknown: Records of no combination of the whole expansion, each once, in order.
        explanation: Why there are unknown records, as far as it shows; None: there are
            none, or nothing shows.
    """

    expansion: Expansion
    done: Expansion
    failed: Expansion
    stale: Expansion
    missing: Expansion
    unknown: tuple[Record, ...]
    explanation: str | None

    @property
    def to_run(self) -> Expansion:
        """Everything that is not done, in order."""
        return self.expansion.take(
            each.index for part in (self.failed, self.stale, self.missing) for each in part
        )

    @property
    def is_complete(self) -> bool:
        """Whether everything is done."""
        return len(self.done) == len(self.expansion)

    def to_dict(self) -> dict[str, Any]:
        """Give counts, and what is to run, as plain data."""
        return {
            "count": len(self.expansion),
            "done": len(self.done),
            "failed": len(self.failed),
            "stale": len(self.stale),
            "missing": len(self.missing),
            "unknown": [record.key for record in self.unknown],
            "explanation": self.explanation,
            "to_run": [each.matrix_key for each in self.to_run],
        }


def reconcile(expansion: Expansion, records: Iterable[Record | str]) -> Reconciliation:
    """Hold an expansion against what is known of earlier runs.

    Args:
        expansion: The expansion, or a selection or shard: records of what is outside of it
            but in the whole are passed over.
        records: Records in any order; a text stands for a done one. Of several records of
            one combination the best counts: done, then failed, then stale.

    Guarantees:
        The order of records and their number does not matter. Shards and selections
        commute: the same is done in a shard as in the whole.

    Raises:
        TypeError: One is neither a Record nor text.

    Example:
        >>> from evalset import Agent, Manifest
        >>> expansion = expand(Manifest("n", packs=["p"], agents=[Agent("a")], repeats=3))
        >>> found = reconcile(expansion, ["p/a/2", Record("p/a/1", outcome="failed")])
        >>> [each.matrix_key for each in found.to_run]
        ['p/a/1', 'p/a/3']
    """
    whole = demand(expansion, Expansion, "expansion").whole
    best = [_MISSING] * len(whole)
    unknown: dict[Record, None] = {}
    prints: list[Fingerprint] = []
    for each in records:
        record = Record(each) if isinstance(each, str) else demand(each, Record, "a record")
        if record.fingerprint is not None and not prints:
            prints = whole.fingerprints()
        index = whole.find(record.key)
        if index is None:
            unknown[record] = None
        else:
            best[index] = min(best[index], _rank(record, prints, index))
    ranked: list[list[int]] = [[], [], [], []]
    for index, rank in enumerate(best):
        ranked[rank].append(index)
    done, failed, stale, missing = map(expansion.take, ranked)
    return Reconciliation(
        expansion=expansion,
        done=done,
        failed=failed,
        stale=stale,
        missing=missing,
        unknown=tuple(unknown),
        explanation=_explain(whole, tuple(unknown)) if unknown else None,
    )


_DONE, _FAILED, _STALE, _MISSING = range(4)


def _rank(record: Record, prints: Sequence[Fingerprint], index: int) -> int:
    if record.fingerprint is not None and record.fingerprint != prints[index]:
        return _STALE
    return _DONE if record.outcome == "done" else _FAILED


def _explain(whole: Expansion, unknown: tuple[Record, ...]) -> str | None:
    """Say what the unknown records may be, the surest guess first."""
    for reason in (_other_dialect, _same_work, _other_agent):
        for told in reason(whole, unknown):
            return told
    return None


def _other_dialect(whole: Expansion, unknown: tuple[Record, ...]) -> Iterator[str]:
    key_by = _OTHER[whole.key_by]
    try:
        other = expand(whole.manifest, key_by=key_by)
    except ManifestError:
        return
    if count := sum(record.key in other for record in unknown):
        yield f"{_of(count, unknown)} made under the other dialect: expand with key_by={key_by!r}"


def _same_work(whole: Expansion, unknown: tuple[Record, ...]) -> Iterator[str]:
    if not any(record.fingerprint for record in unknown):
        return
    works: dict[str, str] = dict(zip(whole.fingerprints(), whole.matrix_keys(), strict=True))
    known = [works[r.fingerprint] for r in unknown if r.fingerprint in works]
    if known:
        yield (
            f"{_of(len(known), unknown)} of work that has another key now, such as "
            f"{quote(known[0])}: a label was changed"
        )


def _other_agent(whole: Expansion, unknown: tuple[Record, ...]) -> Iterator[str]:
    """Look for keys that differ from known ones in the agent's part alone."""
    frames = {_frame(each): None for each in whole}
    for record in unknown[:_LOOKED_AT]:
        for start, end in frames:
            agent = record.key.removeprefix(start).removesuffix(end)
            if record.key == f"{start}{agent}{end}" and agent:
                yield (
                    f"the record {quote(record.key)} is of an agent {quote(agent)}, which is not "
                    "in the manifest: a label or deployment was renamed"
                )


def _frame(each: Combination) -> tuple[str, str]:
    """Give what stands before and behind the agent's part of a key."""
    start = f"{normalize_label(each.pack_ref)}/"
    model = "" if each.model_ref is None else f"/{normalize_label(each.model_ref)}"
    return start, f"{model}/{each.repeat}"


def _of(count: int, unknown: tuple[Record, ...]) -> str:
    return f"{count:,} of {len(unknown):,} unknown records {'is' if count == 1 else 'are'}"
