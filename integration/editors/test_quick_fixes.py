"""One click mends a typo: a misspelt key, another strategy, another version.

yaml-language-server offers every key that is free and every value that is possible; the
right one must be among them, and taking it must leave nothing to complain of there.
"""

from pathlib import Path

import pytest
from integration.editors.corpus import BASE
from integration.editors.lsp import Server, apply

import evalset

TYPOS = [
    pytest.param("repeat: 3", "repeats", id="repeat"),
    pytest.param("model: [a]", "models", id="model"),
    pytest.param("seed: {strategy: auto}", "seeds", id="seed"),
    pytest.param("limit: {budget_usd: 50}", "limits", id="limit"),
    pytest.param("casefanout: true", "case_fanout", id="casefanout"),
    pytest.param("scanner: [tool-misuse]", "scanners", id="scanner"),
    pytest.param("schema: evalset/v2", "evalset/v1", id="version"),
    pytest.param("schema: Evalset/v1", "evalset/v1", id="capital in schema"),
    pytest.param("agents: [{deploymant: a}]", "deployment", id="deploymant"),
    pytest.param("agents: [{deployment: a, lable: b}]", "label", id="lable"),
    pytest.param("seeds: {strategie: auto}", "strategy", id="strategie"),
    pytest.param("seeds: {strategy: explicit, seed: [1]}", "seeds", id="seed in seeds"),
    pytest.param("seeds: {strategy: Auto}", "auto", id="capital in strategy"),
    pytest.param("seeds: {strategy: explict, seeds: [1]}", "explicit", id="explict"),
    pytest.param("limits: {max_concurrent_run: 4}", "max_concurrent_runs", id="concurrency"),
    pytest.param("limits: {budget: 50}", "budget_usd", id="budget"),
]


@pytest.mark.parametrize(("line", "title"), TYPOS)
def test_a_typo_is_mended_by_one_click(
    line: str, title: str, yaml_editor: Server, tmp_path: Path
) -> None:
    text = "\n".join({**BASE, line.partition(":")[0]: line}.values()) + "\n"
    uri = yaml_editor.open(tmp_path / "typo.evalset.yaml", text, language="yaml")
    fixes = yaml_editor.fixes(uri, yaml_editor.diagnostics(uri))
    [fix] = [fix for fix in fixes if fix["title"] == title]
    mended = apply(text, fix["edit"]["changes"][uri])
    assert (evalset.check_text(text).ok, evalset.check_text(mended).ok) == (False, True)
