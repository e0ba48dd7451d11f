"""Texts for people and for programs: what is shown, aligned, cut, counted and escaped."""

import csv
import io
import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalset import Agent, Diagnostic, Expansion, Limits, Manifest, Seeds, expand
from evalset.cells import guard_cell, read_cell
from evalset.formats import (
    write_csv,
    write_json,
    write_jsonl,
    write_keys,
    write_summary,
    write_table,
)
from evalset.quoting import escape
from evalset.testing import expansions

ERROR = Diagnostic(code="empty-list", message="packs is empty")
CLEAN: list[list[Diagnostic]] = [[], []]
WARNING = Diagnostic(code="unknown-scanner", message="the scanner is not built in")


def manifest(**changes: Any) -> Manifest:  # noqa: ANN401 (as replace)
    return Manifest("n", packs=["p"], agents=[Agent("a")]).replace(**changes)


def head(expansion: Expansion, *, rows: int | None = None, width: int = 80) -> list[str]:
    """Give the lines between the arithmetic and the rows."""
    return write_table(expansion, rows=rows, width=width).split("\n\n")[1].splitlines()


def table(expansion: Expansion, *, rows: int | None = None, width: int = 80) -> list[str]:
    """Give the header and the rows."""
    return write_table(expansion, rows=rows, width=width).split("\n\n")[2].splitlines()


def width_of(text: str) -> int:
    """Measure plain wide and narrow texts, in another way than the code does."""
    return len(text) + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("café 評価　東京", "café 評価　東京", id="letters and wide space"),
        pytest.param('"C:\\x"', '"C:\\x"', id="quotes and backslashes"),
        pytest.param("\x1b[31m\x7f\x9b", r"\u001b[31m\u007f\u009b", id="controls"),
        pytest.param("a\tb\r\n", r"a\tb\r\n", id="white space"),
        pytest.param("\u202e \u2066 \u200b \ufeff", r"\u202e \u2066 \u200b \ufeff", id="invisible"),
        pytest.param("\xad\u2028", r"\u00ad\u2028", id="soft hyphen and line separator"),
        pytest.param("\udcff\U000e0041", r"\udcff\U000e0041", id="surrogate and tag"),
        pytest.param("\xa0\u3000\u0301", "\xa0\u3000\u0301", id="spaces and marks"),
        pytest.param('\u200b"\\', r'\u200b"\\'[:-1], id="quote beside an escape"),
    ],
)  # fmt: skip
def test_what_a_terminal_would_obey_is_escaped(text: str, shown: str) -> None:
    assert escape(text) == shown
    assert escape(shown) == shown


@pytest.mark.parametrize(
    ("files", "line"),
    [
        pytest.param(CLEAN[:1], "no findings in 1 file", id="clean"),
        pytest.param(CLEAN, "no findings in 2 files", id="both clean"),
        pytest.param([[ERROR]], "1 error in 1 file", id="one error"),
        pytest.param([[WARNING, WARNING]], "2 warnings in 1 file", id="warnings alone"),
        pytest.param([[ERROR, WARNING], [ERROR]], "2 errors, 1 warning in 2 files", id="all files"),
        pytest.param([[ERROR], [], []], "1 error in 1 of 3 files", id="some files"),
        pytest.param([[ERROR]] * 1000, "1,000 errors in 1,000 files", id="thousands"),
    ],
)
def test_a_summary_counts_findings_and_files(files: list[list[Diagnostic]], line: str) -> None:
    assert write_summary(files) == f"{line}\n"


def test_csv_follows_rfc_4180() -> None:
    expansion = expand(manifest(packs=['say "hi", 評価'], seeds=Seeds("explicit", seeds=[7])))
    assert write_csv(expansion) == (
        "index,id,fingerprint,matrix_key,pack_ref,agent_ref,agent_label,model_ref,repeat,seed,"
        "case_fanout\r\n"
        f"0,{expansion[0].id},{expansion[0].fingerprint},"
        '"say-""hi"",-評価/a/1","say ""hi"", 評価",a,,,1,7,false\r\n'
    )


@given(expansions())
def test_csv_holds_the_rows(expansion: Expansion) -> None:
    read = list(csv.DictReader(io.StringIO(write_csv(expansion), newline="")))
    values = {None: "", True: "true", False: "false"}
    assert [{name: read_cell(cell) for name, cell in row.items()} for row in read] == [
        {
            name: values[value] if value is None or isinstance(value, bool) else str(value)
            for name, value in row.items()
        }
        for row in expansion.rows()
    ]


@given(expansions())
def test_json_is_the_report_and_its_lines_are_the_rows(expansion: Expansion) -> None:
    assert write_json(expansion) == expansion.to_json(indent=2) + "\n"
    assert [
        json.loads(line) for line in write_jsonl(expansion).split("\n")[:-1]
    ] == expansion.rows()
    assert write_keys(expansion).split("\n")[:-1] == [each.matrix_key for each in expansion]


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        pytest.param("=1+1", "'=1+1", id="a formula"),
        pytest.param("@scope/p", "'@scope/p", id="at"),
        pytest.param("-p", "'-p", id="minus"),
        pytest.param("+p", "'+p", id="plus"),
        pytest.param("\uff1d1", "'\uff1d1", id="full width"),
        pytest.param("'=1", "''=1", id="guarded before"),
        pytest.param("'p", "'p", id="a quote alone"),
        pytest.param("p=1", "p=1", id="not at the start"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_a_formula_is_guarded_and_read_back(text: str, guarded: str) -> None:
    assert guard_cell(text) == guarded
    assert read_cell(guarded) == text


@given(st.text("'=+-@\t\rp\uff1d ", max_size=5) | st.text())
def test_what_is_guarded_is_read_back(text: str) -> None:
    assert read_cell(guard_cell(text)) == text


def test_json_lines_are_short_and_not_escaped() -> None:
    line = write_jsonl(expand(manifest(packs=["評価/1"])))
    assert '"matrix_key":"評価/1/a/1","pack_ref":"評価/1"' in line


def test_of_nothing_there_is_a_header_only() -> None:
    nothing = expand(manifest())[:0]
    assert write_csv(nothing).count("\r\n") == 1
    assert (write_jsonl(nothing), write_keys(nothing)) == ("", "")
    assert write_table(nothing).splitlines()[1:] == [
        "1 pack x 1 agent x 1 model (default) x 1 repeat = 1 combination",
        "0 of them here",
        "",
        "seeds        auto: the harness picks one for each run",
        "limits       none",
        "case_fanout  false",
        "scanners     none",
        "",
        "#  PACK  AGENT  REPEAT",
    ]


def test_the_arithmetic_counts_the_manifest_and_the_slice() -> None:
    expansion = expand(manifest(packs=["p", "q"], models=["m"], repeats=1000))
    lines = write_table(expansion[5:1500], rows=1).splitlines()
    assert lines[:2] == ["n", "2 packs x 1 agent x 1 model x 1,000 repeats = 2,000 combinations"]
    assert lines[2] == "1,495 of them here"
    assert lines[-2:] == ["6  p     a      m           6", "… and 1,494 more"]


@pytest.mark.parametrize(
    ("limits", "line"),
    [
        pytest.param(Limits(), "none", id="none"),
        pytest.param(Limits(max_concurrent_runs=1), "1 run at once (soft)", id="one run"),
        pytest.param(Limits(budget_usd=0.015), "0.015 USD in all (soft)", id="cents"),
        pytest.param(
            Limits(max_concurrent_runs=2000, budget_usd=1234567.0),
            "2,000 runs at once, 1,234,567 USD in all (soft)",
            id="both",
        ),
    ],
)
def test_limits_are_told(limits: Limits, line: str) -> None:
    assert head(expand(manifest(limits=limits)))[1] == f"limits       {line}"


def test_the_head_says_what_holds_for_all_rows() -> None:
    expansion = expand(
        manifest(
            case_fanout=True,
            scanners=["reward-hacking", "mine\u202e"],
            seeds=Seeds("explicit", seeds=[7]),
            agents=[Agent("a b", label="x y"), Agent("c")],
        ),
        key_by="deployment",
    )
    assert head(expansion) == [
        "agents       x y = a b",
        "             c",
        "seeds        explicit: one for each repeat, in the last column",
        "limits       none",
        "case_fanout  true: native packs prefer an activity for each case",
        r"scanners     reward-hacking, mine\u202e",
        "matrix_key   by deployment: p/a-b/1",
    ]
    assert table(expansion)[1] == "1  p     a b         1     7"


def test_the_head_lists_every_axis_where_rows_are_left_out() -> None:
    expansion = expand(
        manifest(packs=[f"p{n}" for n in range(11)], models=["m"], scanners=["s" * 30] * 3)
    )
    assert head(expansion)[0] == "seeds        auto: the harness picks one for each run"
    assert head(expansion, rows=3) == [
        "packs        p0",
        *(f"             p{number}" for number in range(1, 8)),
        "             and 3 more",
        "agents       a",
        "models       m",
        "seeds        auto: the harness picks one for each run",
        "limits       none",
        "case_fanout  false",
        f"scanners     {'s' * 30}",
        *[f"             {'s' * 30}"] * 2,
        "matrix_key   by label: p0/a/m/1",
    ]


def test_columns_are_aligned_by_what_a_terminal_shows() -> None:
    texts = ["ｱｱ評ア１", "評価", "e\u0301e\u0301", "각", "\u1112\u1161\u11ab", "abc"]
    rows = table(expand(manifest(packs=texts, repeats=1)))
    assert rows == [
        "#  PACK      AGENT  REPEAT",
        "1  ｱｱ評ア１  a           1",
        "2  評価      a           1",
        "3  e\u0301e\u0301        a           1",
        "4  각        a           1",
        "5  \u1112\u1161\u11ab        a           1",
        "6  abc       a           1",
    ]


def test_only_a_text_that_does_not_fit_is_cut() -> None:
    whole, longer = "abcdefghij" * 6, "abcdefghij" * 6 + "k"
    assert table(expand(manifest(packs=[whole])), width=78)[1] == f"1  {whole}  a           1"
    cut = f"{longer[:30]}…{longer[-29:]}"
    assert table(expand(manifest(packs=[longer])), width=78)[1] == f"1  {cut}  a           1"


@pytest.mark.parametrize(
    ("pack", "shown"),
    [
        pytest.param("あ" * 20, "ああああああ…あああああ", id="wide"),
        pytest.param("あ" * 10 + "b" * 20, "ああああああ…bbbbbbbbbbb", id="mixed"),
        pytest.param("a" * 20 + "x\u0301" + "b" * 10, "a" * 12 + "…x\u0301" + "b" * 10, id="mark"),
        pytest.param("a" * 20 + "x\u0301" + "b" * 11, "a" * 12 + "…" + "b" * 11, id="mark cut off"),
        pytest.param("\u202e" * 9, r"\u202e\u202e…u202e\u202e", id="escapes"),
    ],
)
def test_a_long_reference_is_cut_in_the_middle(pack: str, shown: str) -> None:
    row = table(expand(manifest(packs=[pack])), width=24 + 18)[1]
    assert row.split("  ")[1] == shown


def test_the_widest_columns_give_way_first() -> None:
    expansion = expand(
        manifest(packs=["p" * 40], agents=[Agent("a" * 10)], models=["m" * 60], repeats=1)
    )
    row = table(expansion, width=80)[1]
    assert row == f"1  {'p' * 13}…{'p' * 13}  {'a' * 10}  {'m' * 14}…{'m' * 13}       1"
    narrow = table(expansion, width=10)[1]
    assert narrow == "1  pppp…ppp  aaaa…aaa  mmmm…mmm       1"


def test_a_column_that_is_narrow_stays_so_however_little_room_there_is() -> None:
    assert table(expand(manifest()), width=5) == [
        "#  PACK  AGENT  REPEAT",
        "1  p     a           1",
    ]


def test_the_head_fits_the_width() -> None:
    expansion = expand(
        manifest(
            name="n" * 99,
            packs=["p" * 99],
            agents=[Agent("a" * 99, label="評" * 50)],
            models=["m" * 99],
            scanners=["s" * 99],
            limits=Limits(budget_usd=1e300),
        )
    )
    lines = write_table(expansion, rows=0).splitlines()
    assert [line for line in lines if width_of(line) > 80] == []
    assert sum(width_of(line) == 80 for line in lines) == 6
    tiny = write_table(expansion, rows=0, width=1).split("\n\n")
    assert (tiny[0].splitlines()[0], tiny[1].splitlines()[0]) == ("…", "packs        …")


@given(expansions())
def test_no_table_can_disturb_a_terminal(expansion: Expansion) -> None:
    text = write_table(expansion)
    categories = {unicodedata.category(char) for char in text.replace("\n", "")}
    assert categories.isdisjoint({"Cc", "Cf", "Cs", "Zl", "Zp"})
    assert len(text.split("\n\n")[2].splitlines()) == len(expansion) + 1
