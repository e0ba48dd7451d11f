"""Expansions and findings as text: tables for people, CSV and JSON lines for programs.

Pure functions: nothing here prints, or asks a terminal or the locale. What is for people
shows control, bidirectional and invisible characters as escapes; what is for programs
holds every text exactly as it is.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from evalset.canonical import number
from evalset.cells import guard_cell
from evalset.columns import count_of as _count
from evalset.columns import cut as _cut
from evalset.columns import pad as _pad
from evalset.columns import width_of as _width
from evalset.expansion import Expansion
from evalset.manifest import Manifest
from evalset.parts import Agent, Limits
from evalset.quoting import escape

if TYPE_CHECKING:
    from evalset.diagnostics import Diagnostic
    from evalset.resolution import Resolution, Resolved

__all__ = [
    "write_csv",
    "write_json",
    "write_jsonl",
    "write_keys",
    "write_resolution",
    "write_summary",
    "write_table",
]

_WIDTH = 80
_GAP = "  "  # between the columns of a table
_TITLE = len("case_fanout") + len(_GAP)  # the width of a title in its head
_LISTED = 8  # lines of one entry there
_NARROWEST = 8  # columns that a reference keeps, however little room there is
# Ids are there to be copied; the others are short.
_WHOLE = frozenset({"", "ID", "FOUND"})
_NUMBERS = frozenset({"#", "REPEAT", "SEED"})

# Controls, format characters (bidirectional, joining, soft hyphen), lone surrogates, line
# and paragraph separators (Unicode Standard, 4.5).
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})

_CSV_COLUMNS = (
    "index",
    "id",
    "fingerprint",
    "matrix_key",
    "pack_ref",
    "agent_ref",
    "agent_label",
    "model_ref",
    "repeat",
    "seed",
    "case_fanout",
)


def write_summary(files: Sequence[Sequence[Diagnostic]]) -> str:
    r"""Count findings in one line.

    Args:
        files: The findings of each file.

    Example:
        >>> write_summary([[], []])
        'no findings in 2 files\n'
    """
    found = [diagnostic for diagnostics in files for diagnostic in diagnostics]
    errors = sum(diagnostic.is_error for diagnostic in found)
    counts = [(errors, "error"), (len(found) - errors, "warning")]
    told = ", ".join(_count(count, noun) for count, noun in counts if count)
    where = _count(len(files), "file")
    concerned = sum(1 for diagnostics in files if diagnostics)
    if told and concerned < len(files):
        where = f"{concerned:,} of {where}"
    return f"{told or 'no findings'} in {where}\n"


def write_csv(expansion: Expansion) -> str:
    """Write one row for each combination, as `Expansion.rows` has them, after RFC 4180.

    Returns:
        A header and the rows, each ended by CR LF. What there is none of is empty;
        booleans are `true` and `false`. A text that a spreadsheet would take for a formula
        has `'` before it, which `read_cell` takes away; the `id` needs no guard.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(_CSV_COLUMNS)
    for row in expansion.rows():
        writer.writerow([_csv_value(row[column]) for column in _CSV_COLUMNS])
    return file.getvalue()


def _csv_value(value: Any) -> Any:  # noqa: ANN401 (a value of plain data)
    if isinstance(value, bool):
        return json.dumps(value)
    return guard_cell(value) if isinstance(value, str) else value


def write_json(expansion: Expansion) -> str:
    """Write the report of `Expansion.to_dict` as JSON, indented by two."""
    return expansion.to_json(indent=2) + "\n"


def write_jsonl(expansion: Expansion) -> str:
    """Write one line of JSON for each combination, as `Expansion.rows` has them."""
    return "".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
        for row in expansion.rows()
    )


def write_keys(expansion: Expansion) -> str:
    """Write each combination's matrix key on a line of its own."""
    return "".join(f"{combination.matrix_key}\n" for combination in expansion)


def write_table(expansion: Expansion, *, rows: int | None = None, width: int = _WIDTH) -> str:
    """Write an expansion for people: the arithmetic, what holds for all rows, and the rows.

    Args:
        expansion: The expansion.
        rows: How many rows to show at most, from the first; None: all. Where rows are
            left out, the head lists every axis.
        width: Columns of the terminal. References that do not fit are cut in the middle,
            with `…`; East Asian wide characters take two columns.
    """
    shown = expansion[:rows]
    more = len(expansion) - len(shown)
    lines = [
        _cut(escape(expansion.manifest.name), width),
        *_arithmetic(expansion),
        "",
        *_head(expansion, width, is_whole=not more),
        "",
        *_rows(shown, width),
        *([f"… and {more:,} more"] if more else []),
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _arithmetic(expansion: Expansion) -> Iterator[str]:
    manifest = expansion.manifest
    models = _count(max(1, len(manifest.models)), "model")
    axes = [
        _count(len(manifest.packs), "pack"),
        _count(len(manifest.agents), "agent"),
        models if manifest.models else f"{models} (default)",
        _count(manifest.repeats, "repeat"),
    ]
    yield f"{' x '.join(axes)} = {_count(manifest.count, 'combination')}"
    if len(expansion) < manifest.count:
        yield f"{len(expansion):,} of them here"


def _head(expansion: Expansion, width: int, *, is_whole: bool) -> Iterator[str]:
    manifest = expansion.manifest
    has_labels = any(agent.label for agent in manifest.agents)
    room = width - _TITLE
    entries: dict[str, Sequence[str]] = {
        "packs": () if is_whole else manifest.packs,
        "agents": _legend(manifest.agents) if has_labels or not is_whole else (),
        "models": () if is_whole else manifest.models,
        "seeds": [_seeds(manifest)],
        "limits": [_limits(manifest.limits)],
        "case_fanout": [_fanout(manifest)],
        "scanners": _one_line(manifest.scanners or ("none",), room),
        "matrix_key": [f"by {expansion.key_by}: {each.matrix_key}" for each in expansion[:1]],
    }
    for name, values in entries.items():
        lines = [_cut(escape(value), room) for value in values[:_LISTED]]
        if more := len(values) - len(lines):
            lines.append(f"and {more:,} more")
        yield from (f"{'' if index else name:{_TITLE}}{line}" for index, line in enumerate(lines))


def _legend(agents: Sequence[Agent]) -> list[str]:
    """Say which deployments the labels stand for."""
    labels = [escape(agent.label or "") for agent in agents]
    longest = max(map(_width, labels))
    return [
        f"{_pad(label, longest)} = {agent.deployment}" if label else agent.deployment
        for label, agent in zip(labels, agents, strict=True)
    ]


def _seeds(manifest: Manifest) -> str:
    if manifest.seeds.strategy == "explicit":
        return "explicit: one for each repeat, in the last column"
    return "auto: the harness picks one for each run"


def _limits(limits: Limits) -> str:
    runs, budget = limits.max_concurrent_runs, limits.budget_usd
    told = [
        *([] if runs is None else [f"{_count(runs, 'run')} at once"]),
        *([] if budget is None else [f"{number(budget):,} USD in all"]),
    ]
    return f"{', '.join(told)} (soft)" if told else "none"


def _fanout(manifest: Manifest) -> str:
    return (
        "true: native packs prefer an activity for each case" if manifest.case_fanout else "false"
    )


def _one_line(texts: Sequence[str], room: int) -> Sequence[str]:
    line = ", ".join(texts)
    return [line] if _width(line) <= room else texts


def write_resolution(resolution: Resolution, *, width: int = _WIDTH) -> str:
    """Write what the references of a manifest stand for, for people.

    Args:
        resolution: The resolution.
        width: As for `write_table`.
    """
    packs, agents = resolution.packs, resolution.agents
    both = [*packs, *agents]
    columns = {
        "": ["pack"] * len(packs) + ["agent"] * len(agents),
        "REFERENCE": [escape(each.ref) for each in both],
        "ID": [escape(each.id or "") for each in both],
        "FOUND": [_how(each) for each in both],
    }
    lines = [
        _cut(escape(resolution.manifest.name), width),
        f"{_count(len(packs), 'pack')}, {_count(len(agents), 'agent')}",
        "",
        *_table(columns, width),
    ]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _how(resolved: Resolved) -> str:
    told = {
        "written": "as written",
        "workspace": "workspace",
        "catalog": "made from catalog",
        "pending": "to be made from catalog",
    }[resolved.how]
    return told if resolved.version is None else f"{told}, version {resolved.version}"


def _rows(expansion: Expansion, width: int) -> Iterator[str]:
    """Give a header and a line for each combination; numbers stand on the right."""
    yield from _table(_columns(expansion), width)


def _table(columns: dict[str, list[str]], width: int) -> Iterator[str]:
    widths = _fit({name: max(map(_width, [name, *cells])) for name, cells in columns.items()},
                  width)  # fmt: skip
    for cells in zip(*([name, *cells] for name, cells in columns.items()), strict=True):
        yield _GAP.join(
            _pad(_cut(cell, widths[name]), widths[name], is_number=name in _NUMBERS)
            for name, cell in zip(columns, cells, strict=True)
        )


def _columns(expansion: Expansion) -> dict[str, list[str]]:
    manifest, by_label = expansion.manifest, expansion.key_by == "label"
    agents = [(by_label and each.agent.label) or each.agent.deployment for each in expansion]
    columns = {
        "#": [str(each.index + 1) for each in expansion],
        "PACK": [escape(each.pack_ref) for each in expansion],
        "AGENT": [escape(agent) for agent in agents],
        "MODEL": [escape(each.model_ref or "") for each in expansion],
        "REPEAT": [str(each.repeat) for each in expansion],
        "SEED": [str(each.seed) for each in expansion],
    }
    is_empty = {"MODEL": not manifest.models, "SEED": not manifest.seeds.seeds}
    return {name: cells for name, cells in columns.items() if not is_empty.get(name)}


def _fit(widths: dict[str, int], width: int) -> dict[str, int]:
    """Narrow the widest texts until a row fits, or nothing more can be taken away."""
    fitted = dict(widths)
    over = sum(fitted.values()) + len(_GAP) * (len(fitted) - 1) - width
    for _ in range(over):
        widest = max(fitted.keys() - _NUMBERS - _WHOLE, key=lambda name: (fitted[name], name))
        if fitted[widest] > _NARROWEST:
            fitted[widest] -= 1
    return fitted
