"""Pictures for notebooks: a matrix of packs and agents, and findings, as HTML.

Only inline styles, in the colour of the text around and in shades of it, so that they are
read on light and dark pages alike, and where a notebook takes style sheets away.
"""

from __future__ import annotations

import html
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, final

import attrs

from evalset.diagnostics import Diagnostic
from evalset.quoting import escape

__all__ = ["Matrix", "draw_findings", "draw_matrix"]

_ROWS, _COLUMNS = 20, 12  # what is drawn at most; the rest is counted
_SQUARES = 10  # repeats that have a square each; more are written as a number
_BORDER = "1px solid rgba(128,128,128,.35)"
# `pre`: names may differ in the number of their spaces alone.
_CELL = f"padding:4px 10px;border-bottom:{_BORDER};white-space:pre"
_SQUARE = "display:inline-block;width:.7em;height:.7em;margin-right:2px;border-radius:2px"
_FILLED = f"{_SQUARE};background:currentColor;border:1px solid currentColor"
_HOLLOW = f"{_SQUARE};border:1px solid currentColor;opacity:.35"
_FAINT = "opacity:.7"


@final
@attrs.frozen(kw_only=True)
class Matrix:
    """What is drawn of an expansion.

    Attributes:
        name: The manifest's.
        packs: References of the packs.
        agents: Label, or deployment, and deployment of each agent.
        models: References of the models, or none.
        repeats: How many there are.
        seeds: The seed of each repeat, or none.
        indices: The combinations that are here, by their places in the whole.
    """

    name: str
    packs: Sequence[str]
    agents: Sequence[tuple[str, str]]
    models: Sequence[str]
    repeats: int
    seeds: Sequence[int]
    indices: Container[int]

    @property
    def lines(self) -> int:
        """How many rows there are: agents, each with its models."""
        return len(self.agents) * max(1, len(self.models))

    def repeats_of(self, *, pack: int, line: int) -> list[bool]:
        """Tell for each repeat of a pack and a row whether it is here."""
        first = (pack * self.lines + line) * self.repeats
        return [first + repeat in self.indices for repeat in range(self.repeats)]


def draw_matrix(matrix: Matrix, *, count: int) -> str:
    """Draw a matrix: a column for each pack, a row for each agent and model.

    Args:
        matrix: What is drawn.
        count: How many combinations are here.

    Returns:
        HTML. A cell has a square for each repeat, filled where it is here.
    """
    return "".join(_draw(matrix, count))


def _draw(matrix: Matrix, count: int) -> Iterator[str]:
    packs = matrix.packs[:_COLUMNS]
    yield '<div style="font-size:13px;line-height:1.5">'
    yield f"<div><strong>{_text(matrix.name)}</strong> {_caption(matrix, count)}</div>"
    yield '<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:6px 0">'
    yield "<thead><tr>"
    titles = ["agent", *(["model"] if matrix.models else [])]
    yield from (_head(_text(title), f"{_FAINT};font-weight:normal") for title in titles)
    yield from (_head(_text(pack), "font-weight:600") for pack in packs)
    yield "</tr></thead><tbody>"
    for line in range(min(matrix.lines, _ROWS)):
        agent, model = divmod(line, max(1, len(matrix.models)))
        yield f"<tr>{_agent(*matrix.agents[agent])}"
        if matrix.models:
            yield _cell(_text(matrix.models[model]))
        for pack in range(len(packs)):
            yield _cell(_squares(matrix.repeats_of(pack=pack, line=line)))
        yield "</tr>"
    yield "</tbody></table></div>"
    yield from (f'<div style="{_FAINT}">{_text(note)}</div>' for note in _notes(matrix))
    yield "</div>"


def _caption(matrix: Matrix, count: int) -> str:
    sizes = [
        _count(len(matrix.packs), "pack"),
        _count(len(matrix.agents), "agent"),
        _count(max(1, len(matrix.models)), "model"),
        _count(matrix.repeats, "repeat"),
    ]
    whole = len(matrix.packs) * matrix.lines * matrix.repeats
    part = f"; {count:,} of them here" if count < whole else ""
    return f'<span style="{_FAINT}">{" x ".join(sizes)} = {whole:,}{part}</span>'


def _notes(matrix: Matrix) -> Iterator[str]:
    if len(matrix.packs) > _COLUMNS:
        yield f"{_count(len(matrix.packs) - _COLUMNS, 'more pack')} not drawn"
    if matrix.lines > _ROWS:
        yield f"{_count(matrix.lines - _ROWS, 'more row')} not drawn"
    if matrix.seeds:
        shown = ", ".join(map(str, matrix.seeds[:_SQUARES]))
        more = len(matrix.seeds) - _SQUARES
        yield f"seeds: {shown}{f' and {more:,} more' if more > 0 else ''}"


def _agent(label: str, deployment: str) -> str:
    title = "" if label == deployment else f' title="{_text(deployment)}"'
    style = f"{_CELL};text-align:left;font-weight:600"
    return f'<th scope="row"{title} style="{style}">{_text(label)}</th>'


def _head(content: str, style: str) -> str:
    return f'<th scope="col" style="{_CELL};text-align:left;{style}">{content}</th>'


def _cell(content: str) -> str:
    return f'<td style="{_CELL};text-align:left">{content}</td>'


def _squares(repeats: Sequence[bool]) -> str:
    here = [str(number) for number, is_here in enumerate(repeats, 1) if is_here]
    told = f"repeat {', '.join(here)}" if here else "nothing here"
    if len(repeats) > _SQUARES:
        return (
            f"{len(here):,} of {len(repeats):,}" if len(here) < len(repeats) else f"{len(here):,}"
        )
    squares = "".join(f'<span style="{_FILLED if each else _HOLLOW}"></span>' for each in repeats)
    return f'<span role="img" aria-label="{told}" title="{told}">{squares}</span>'


def draw_findings(diagnostics: Iterable[Diagnostic]) -> str:
    """Draw findings as a list, each with its place, its hint and the other places.

    Returns:
        HTML.
    """
    return "".join(_findings(list(diagnostics)))


def _findings(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    yield '<div style="font-size:13px;line-height:1.5">'
    if not diagnostics:
        yield "<div>no findings</div>"
    for found in diagnostics:
        # No one colour of text is read on white and on dark; a stripe needs less contrast.
        colour = "#da3633" if found.is_error else "#b58407"
        place = found.span or found.pointer or ""
        yield f'<div style="margin:6px 0;padding-left:10px;border-left:3px solid {colour}">'
        yield f"<div><strong>{found.severity}</strong> "
        yield f"<code>{_text(found.code)}</code> "
        yield f'<span style="{_FAINT}">{_text(place)}</span></div>'
        yield f"<div>{_text(found.message)}</div>"
        notes = [
            *(f"{note}" for note in found.related),
            *([f"hint: {found.hint}"] if found.hint else []),
        ]
        yield from (f'<div style="{_FAINT}">{_text(note)}</div>' for note in notes)
        yield "</div>"
    yield "</div>"


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _text(value: Any) -> str:  # noqa: ANN401 (what has a text)
    return html.escape(escape(str(value)))
