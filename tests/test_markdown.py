"""Markdown of GitHub: texts that nobody obeys, and honest cuts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalset import Agent, Expansion, Manifest, Record, Seeds, diff, expand, reconcile
from evalset.markdown import (
    MAX_COMMENT,
    code_span,
    write_markdown,
    write_markdown_diff,
    write_markdown_status,
)
from evalset.reports import write_diff, write_github_matrix, write_status
from evalset.testing import expansions

WIDE = Manifest("n", packs=[f"p{n}" for n in range(20)], agents=[Agent("a" * 40)], repeats=100)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("catalog/x", "`catalog/x`", id="plain"),
        pytest.param("*a* _b_ [c](d) <b> @e", "`*a* _b_ [c](d) <b> @e`", id="markup"),
        pytest.param("a|b", "<code>a&#124;b</code>", id="a pipe"),
        pytest.param("`a`@b", "<code>&#96;a&#96;&#64;b</code>", id="backticks"),
        pytest.param("\\|<i> www.x", "<code>&#92;&#124;&#60;i&#62; www&#46;x</code>", id="both"),
        pytest.param("a\u202eb", "<code>a&#92;u202eb</code>", id="hidden"),
        pytest.param("評価", "`評価`", id="other scripts"),
    ],
)
def test_a_text_is_shown_and_not_obeyed(text: str, shown: str) -> None:
    assert code_span(text) == shown


@given(st.text(min_size=1))
def test_no_text_ends_its_cell_or_its_code(text: str) -> None:
    shown = code_span(text)
    assert "|" not in shown
    assert shown.count("`") in {0, 2}
    assert shown.splitlines() == [shown]


def test_seeds_are_told_but_not_all() -> None:
    seeds = Seeds("explicit", seeds=[11, 12, 13, 14, 15, 16, 17])
    text = write_markdown(expand(WIDE.replace(packs=["p"], repeats=7, seeds=seeds)))
    assert (
        "Seeds: 11 for repeat 1, 12 for repeat 2, 13 for repeat 3, 14 for repeat 4, "
        "15 for repeat 5 and 2 more.\n"
    ) in text
    assert text.splitlines()[-1].endswith("| 17 |")


def test_a_long_text_is_cut_where_a_line_ends_and_says_so() -> None:
    old, new = expand(WIDE), expand(WIDE.replace(packs=["other"]))
    texts = [
        write_markdown(old),
        write_markdown_diff(diff(old, new)),
        write_markdown_status(reconcile(old, []), limit=800),
    ]
    for text in texts:
        assert text.splitlines()[-1].startswith("*Cut here: ")
        assert "would not fit.*" in text.splitlines()[-1]
    assert [
        len(text) <= limit for text, limit in zip(texts, [MAX_COMMENT] * 2 + [800], strict=True)
    ]
    assert MAX_COMMENT - 400 < len(texts[0]) <= MAX_COMMENT
    kept = sum(line.startswith("| ") for line in texts[0].splitlines())
    cut = int(texts[0].splitlines()[-1].split()[2].replace(",", ""))
    assert kept + cut == 2000 + 2 + 2 + 1  # rows, heads and the row of the grid


@given(expansions())
def test_a_table_has_a_row_for_each_combination(expansion: Expansion) -> None:
    lines = write_markdown(expansion, limit=10**9).splitlines()
    start = lines.index("| # | matrix key | id | seed |")
    assert len(lines[start + 2 :]) == len(expansion)
    assert {line.count(" | ") for line in lines[start:]} == {3}


def test_unknown_records_are_counted_also_without_an_explanation() -> None:
    found = reconcile(expand(WIDE)[:1], [Record("x")])
    assert write_markdown_status(found).splitlines()[-1] == (
        "1 record of no combination of this manifest."
    )
    assert write_status(found).splitlines()[-1] == "  x"


def test_of_nothing_there_is_nothing_to_run() -> None:
    found = reconcile(expand(WIDE)[:0], [])
    assert write_status(found).splitlines()[0] == "0 combinations: nothing to run"


def test_there_are_no_more_jobs_than_a_matrix_may_have() -> None:
    expansion = expand(WIDE)
    assert write_github_matrix(expansion, shards=256).count('"index"') == 256
    with pytest.raises(ValueError, match=r"^257 shards; a matrix has at most 256 jobs$"):
        write_github_matrix(expansion, shards=257)
    with pytest.raises(ValueError, match=r"^the count of shards is 0; it is 1 or more$"):
        write_github_matrix(expansion, shards=0)


def test_parts_of_one_expansion_differ_without_a_change() -> None:
    expansion = expand(WIDE)
    found = diff(expansion[:2], expansion[:1])
    assert write_diff(found) == (
        "partly comparable\n"
        "  1 of 2 is only in the old one\n"
        "\n"
        "1 in both, 1 removed, 0 added, 0 changed\n"
        f"- {expansion[1].matrix_key}\n"
    )
    assert "| field |" not in write_markdown_diff(found)
