"""Warnings that are left out or raised: by comments, by arguments, on the command line.

What the comments of a text do is shown by `ignores*` in tests/golden/diagnostics.
"""

from pathlib import Path
from typing import Any

import pytest
from tests.shell import assert_golden

from evalset import CheckResult, check, check_data, check_text, loads

TEXT = """\
schema: evalset/v1
name: sweep
packs: [p.yaml]
agents: [{deployment: a}]
limits: {budget_usd: 0}
"""
IGNORING = TEXT.replace("0}", "0}  # evalset: ignore[zero-budget]")
DATA: dict[str, Any] = {
    "schema": "evalset/v1",
    "name": "sweep",
    "packs": ["p.yaml"],
    "agents": [{"deployment": "a"}],
    "limits": {"budget_usd": 0},
}


def told(result: CheckResult) -> list[tuple[str, str]]:
    return [(each.code, str(each.severity)) for each in result.diagnostics]


FILE, BUDGET = ("looks-like-file", "warning"), ("zero-budget", "warning")


def test_a_warning_is_left_out_by_its_code() -> None:
    for ignore, left in (
        ((), [FILE, BUDGET]),
        (["zero-budget", "large-seed"], [FILE]),
        ({"zero-budget", "looks-like-file"}, []),
    ):
        assert told(check_text(TEXT, ignore=ignore)) == left
        assert sorted(told(check_data(DATA, ignore=ignore))) == left


def test_a_warning_is_raised_by_its_code() -> None:
    raised = [FILE, ("zero-budget", "error")]
    for result in (
        check_text(TEXT, error=["zero-budget"]),
        check_data(DATA, error=["zero-budget"]),
    ):
        assert sorted(told(result)) == raised
        assert not result.ok
        assert result.manifest == loads(TEXT)
    assert check_text(TEXT, error=["large-seed", "unknown-key"]).ok


def test_what_is_ignored_is_not_raised() -> None:
    assert told(check_text(IGNORING, error=["zero-budget"])) == [FILE]
    assert told(check_text(TEXT, ignore=["zero-budget"], error=["zero-budget"])) == [FILE]


def test_a_comment_is_not_idle_because_an_argument_ignores_the_same() -> None:
    assert told(check_text(IGNORING, ignore=["zero-budget"])) == [FILE]


def test_a_comment_of_a_warning_that_was_not_looked_for_is_not_idle() -> None:
    text = TEXT + "# evalset: ignore-file[not-pinned, kept-key, catalog-fallback, zero-budget]\n"
    assert told(check_text(text)) == [FILE]
    idle = [FILE, ("unused-ignore", "warning")]
    assert told(check_text(text, unknown="keep")) == idle
    assert told(check_text(text, pinned=True)) == [FILE]


def test_an_idle_comment_can_be_left_out_and_raised() -> None:
    text = "# evalset: ignore-file[large-seed]\n" + TEXT
    assert told(check_text(text))[0] == ("unused-ignore", "warning")
    assert told(check_text(text, ignore=["unused-ignore"])) == [FILE, BUDGET]
    assert told(check_text(text, error=["unused-ignore"]))[0] == ("unused-ignore", "error")


def test_an_error_is_neither_ignored_nor_does_a_comment_hide_it() -> None:
    text = TEXT + "repeat: 3  # evalset: ignore[unknown-key]\n"
    assert told(check_text(text)) == [
        FILE, BUDGET, ("unknown-key", "error"), ("bad-ignore", "warning")
    ]  # fmt: skip


def test_comments_count_before_the_list_is_cut() -> None:
    packs = "".join(f"  - p{number}.yaml\n" for number in range(300))
    text = TEXT.replace("[p.yaml]", f"\n{packs}") + "# evalset: ignore-file[looks-like-file]\n"
    assert told(check_text(text)) == [BUDGET]
    assert len(check_text(text, error=["zero-budget"]).diagnostics) == 1


def test_the_rest_of_a_long_list_is_an_error_if_one_of_it_is() -> None:
    scanners = "".join(f"  - s{number}\n" for number in range(300))
    text = f"{TEXT}scanners:\n{scanners}"
    result = check_text(text, error=["unknown-scanner"], ignore=["zero-budget"])
    assert told(result)[-1] == ("more-findings", "error")
    assert told(check_text(text))[-1] == ("more-findings", "warning")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param({"ignore": ["unknown-key"]},
                     "unknown-key is an error; only warnings can be ignored", id="an error"),
        pytest.param({"ignore": ["zero"]}, "'zero' is no code of the catalogue", id="ignore"),
        pytest.param({"error": ["zero"]}, "'zero' is no code of the catalogue", id="error"),
    ],
)  # fmt: skip
def test_a_code_that_can_not_be_chosen_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        check_text(TEXT, **options)
    with pytest.raises(ValueError, match=f"^{message}$"):
        check_data(DATA, **options)


@pytest.mark.parametrize("name", ["ignore", "error"])
def test_codes_are_a_list(name: str) -> None:
    options: dict[str, Any] = {name: "zero-budget"}
    with pytest.raises(TypeError, match=r"^codes are a list of names, not one text$"):
        check_text(TEXT, **options)


# The command line


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    comment = "# evalset: ignore-file[looks-like-file]\n"
    (tmp_path / "sweep.evalset.yaml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "ignoring.evalset.yaml").write_text(IGNORING + comment, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("name", "argv"),
    [
        pytest.param("both", ("--strict", "."), id="a text that ignores beside one that does not"),
        pytest.param("arguments", ("--ignore", "zero-budget", "--ignore", "looks-like-file", "."),
                     id="arguments"),
        pytest.param("raised", ("--error", "zero-budget", "."), id="raised"),
        pytest.param("raised-json", ("--error", "zero-budget", "--format", "json",
                                     "sweep.evalset.yaml"), id="raised, as JSON"),
        pytest.param("raised-no-code", ("--error", "zero-budgets", "."), id="no code"),
        pytest.param("pinned", ("--pinned", "--format", "concise", "."), id="pinned"),
        pytest.param("pinned-strict", ("--pinned", "--error", "not-pinned", "--format", "concise",
                                       "ignoring.evalset.yaml"), id="pinned, as errors"),
    ],
)  # fmt: skip
def test_warnings_are_chosen_on_the_command_line(name: str, argv: tuple[str, ...]) -> None:
    assert_golden(f"cli/choose-{name}", ("check", *argv))


def test_other_commands_heed_comments(work: Path) -> None:
    assert check(work / "ignoring.evalset.yaml").diagnostics == ()
    assert_golden("cli/choose-expand", ("expand", "--format", "keys", "ignoring.evalset.yaml"))
