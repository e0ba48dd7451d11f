"""Expansions, comparisons and progress as Markdown of GitHub: for summaries and comments.

Texts of a manifest stand in code spans, where nothing of them is obeyed: no markup, no
link, no mention of a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from evalset.columns import count_of
from evalset.combination import Combination
from evalset.expansion import Expansion
from evalset.quoting import escape

if TYPE_CHECKING:
    from evalset.comparing import Difference
    from evalset.resuming import Reconciliation

__all__ = [
    "MAX_COMMENT",
    "code_span",
    "write_markdown",
    "write_markdown_diff",
    "write_markdown_status",
]

MAX_COMMENT = 65_536
"""The most characters of a comment on GitHub; longer texts are cut, and say so."""

_ROOM = 200  # characters for saying that a text was cut
_DASH = "-"
# All ASCII punctuation but what means nothing inside a word; `.:@` begin links and mentions.
_MARKUP = frozenset("!\"#$%&'()*+.:;<=>?@[\\]^_`{|}~")


def code_span(text: str) -> str:
    """Write a text as code, in a paragraph or in a cell of a table.

    Guarantees:
        A reader of GitHub's Markdown shows the very text, hidden characters as escapes.

    Example:
        >>> code_span("catalog/code-review")
        '`catalog/code-review`'
    """
    shown = escape(text)
    if not any(char in shown for char in "|`\\"):
        return f"`{shown}`"
    # Backslashes mean one thing in a table and another in a code span; references neither.
    parts = (f"&#{ord(char)};" if char in _MARKUP else char for char in shown)
    return f"<code>{''.join(parts)}</code>"


def write_markdown(expansion: Expansion, *, limit: int = MAX_COMMENT) -> str:
    """Write an expansion: the arithmetic, a grid of agents and packs, a table of all rows.

    Args:
        expansion: The expansion, or a selection.
        limit: The most characters; what does not fit is counted.
    """
    manifest = expansion.manifest
    title = f"### {code_span(manifest.name)}: {count_of(len(expansion), 'combination')}"
    return _fit([title, "", *_grid(expansion), "", _seeds(expansion), "", *_rows(expansion)], limit)


def _grid(expansion: Expansion) -> Iterator[str]:
    """Count combinations: a row for each agent and model, a column for each pack."""
    packs = list(dict.fromkeys(each.pack_ref for each in expansion))
    counts: dict[tuple[str, str | None], dict[str, int]] = {}
    for each in expansion:
        row = counts.setdefault((_agent(each), each.model_ref), {})
        row[each.pack_ref] = row.get(each.pack_ref, 0) + 1
    models = [model for _, model in counts if model is not None]
    titles = ["agent", *(["model"] if models else []), *map(code_span, packs)]
    yield from _table_head(titles, numbers=len(packs))
    for (agent, model), row in counts.items():
        names = [code_span(agent), *([] if model is None else [code_span(model)])]
        cells = [f"{row[pack]:,}" if pack in row else _DASH for pack in packs]
        yield _row([*names, *cells])


def _agent(each: Combination) -> str:
    return each.agent_label or each.agent.deployment


def _seeds(expansion: Expansion) -> str:
    seeds = expansion.manifest.seeds.seeds
    if not seeds:
        return "Seeds: auto, the harness picks one for each run."
    told = [f"{seed} for repeat {repeat}" for repeat, seed in enumerate(seeds, 1)]
    more = f" and {len(told) - 5:,} more" if len(told) > 5 else ""  # noqa: PLR2004 (enough)
    return f"Seeds: {', '.join(told[:5])}{more}."


def _rows(expansion: Expansion) -> Iterator[str]:
    yield from _table_head(["#", "matrix key", "id", "seed"], numbers=0)
    for each in expansion:
        seed = _DASH if each.seed is None else str(each.seed)
        yield _row([str(each.index + 1), code_span(each.matrix_key), code_span(each.id), seed])


def write_markdown_diff(found: Difference, *, limit: int = MAX_COMMENT) -> str:
    """Write a comparison: the verdict with its reasons, the changes, the combinations.

    Args:
        found: The comparison.
        limit: As for `write_markdown`.
    """
    return _fit(_diff(found), limit)


def _diff(found: Difference) -> Iterator[str]:
    if found.is_empty:
        yield f"### The same: {count_of(len(found.kept), 'combination')}"
        return
    yield f"### {found.verdict.capitalize()}"
    yield ""
    yield from (f"- {_prose(reason)}" for reason in found.reasons)
    if found.changes:
        yield from ("", "| field | change |", "| --- | --- |")
        for change in found.changes:
            yield _row([code_span(change.field), _prose(change.message)])
    for title, part in (
        ("removed", found.removed),
        ("added", found.added),
        ("changed", found.changed),
    ):
        if part:
            yield from ("", f"**{len(part):,} {title}**", "")
            yield from (f"- {code_span(each.matrix_key)}" for each in part)
    yield ""
    yield f"{len(found.kept):,} in both."


def write_markdown_status(found: Reconciliation, *, limit: int = MAX_COMMENT) -> str:
    """Write the progress of a run: a row for each pack and agent, and what is left.

    Args:
        found: The reconciliation.
        limit: As for `write_markdown`.
    """
    return _fit(_status(found), limit)


def _status(found: Reconciliation) -> Iterator[str]:
    whole = len(found.expansion)
    yield f"### {len(found.done):,} of {whole:,} done"
    yield ""
    yield from _table_head(["pack", "agent", "done", "failed", "stale", "missing"], numbers=4)
    parts = (found.done, found.failed, found.stale, found.missing)
    rows: dict[tuple[str, str], list[int]] = {}
    for each in found.expansion:
        rows.setdefault((each.pack_ref, _agent(each)), [0] * len(parts))
    for place, part in enumerate(parts):
        for each in part:
            rows[each.pack_ref, _agent(each)][place] += 1
    for (pack, agent), counts in rows.items():
        yield _row([code_span(pack), code_span(agent), *(f"{count:,}" for count in counts)])
    if found.unknown:
        yield ""
        yield f"{count_of(len(found.unknown), 'record')} of no combination of this manifest."
        if found.explanation:
            yield _prose(found.explanation)


def _table_head(titles: Sequence[str], *, numbers: int) -> Iterator[str]:
    yield _row(titles)
    texts = len(titles) - numbers
    yield _row(["---"] * texts + ["---:"] * numbers)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _prose(text: str) -> str:
    """Write our own words, in which texts of a manifest stand in double quotes."""
    return code_span(text) if any(char in text for char in '"|`\\<>*_[]@&') else text


def _fit(lines: Iterable[str], limit: int) -> str:
    """Keep whole lines as long as there is room, and count the rest."""
    kept: list[str] = []
    size, left = 0, 0
    for line in lines:
        size += len(line) + 1
        if left or size > limit - _ROOM:
            left += 1
        else:
            kept.append(line)
    if left:
        kept += ["", f"*Cut here: {count_of(left, 'more line')} would not fit.*"]
    return "".join(f"{line}\n" for line in kept)
