"""Findings as text with carets, one line each, JSON, GitHub's annotations and SARIF."""

import io
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

import evalset
from evalset import CheckResult, Diagnostic, Related, check_data, check_text, cli, json_schema
from evalset.diagnostics import CODES
from evalset.findings import (
    JSON_VERSION,
    write_concise,
    write_github,
    write_report_json,
    write_sarif,
    write_text,
)
from evalset.quoting import escape

TEXT = """\
schema: evalset/v1
name: nightly
packs: [p, q, p]
agents:
  - deployment: a
repeat: 3
scanners: [reward-hackin]
"""
RESULT = check_text(TEXT, name="a.yaml")
CLEAN = check_text("{schema: evalset/v1, name: nightly, packs: [p], agents: [{deployment: a}]}")
SHOWN = """\
a.yaml:3:15: error[duplicate-pack] the pack "p" stands twice
3 | packs: [p, q, p]
  |               ^
  note: a.yaml:3:9: the first pack of this form
3 | packs: [p, q, p]
  |         -
  hint: remove one of the two

a.yaml:6:1: error[unknown-key] "repeat" is no key of the manifest
6 | repeat: 3
  | ^^^^^^
  hint: did you mean repeats?

a.yaml:7:12: warning[unknown-scanner] the scanner "reward-hackin" is not built in
7 | scanners: [reward-hackin]
  |            ^^^^^^^^^^^^^
  hint: did you mean reward-hacking?

"""


def test_text_shows_each_finding_with_its_line_its_notes_and_a_hint() -> None:
    assert write_text([CLEAN, RESULT]) == SHOWN


def test_colours_change_nothing_else() -> None:
    colored = write_text([RESULT], color=True)
    assert "\x1b[1;31merror[unknown-key]\x1b[0m" in colored
    assert "\x1b[1;33m^^^^^^^^^^^^^\x1b[0m" in colored
    for style in ("0", "1;31", "1;33", "1;34"):
        colored = colored.replace(f"\x1b[{style}m", "")
    assert colored == SHOWN


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(
            'packs: ["夜間🚀", 5]\n', ['1 | packs: ["夜間🚀", 5]', "  |                   ^"],
            id="wide",
        ),
        pytest.param(
            'packs: ["e\u0301", 5]\n', ['1 | packs: ["e\u0301", 5]', "  |              ^"],
            id="a combining mark",
        ),
        pytest.param(
            '{"packs":\t[5]}', ['1 | {"packs":    [5]}', "  |               ^"], id="a tab"
        ),
        pytest.param(
            'packs: ["\u202e", 5]\n',
            ['1 | packs: ["\\u202e", 5]', "  |                   ^"],
            id="what would turn the line around",
        ),
        pytest.param(
            'packs: ["\nname: 5\n', ['1 | packs: ["', "  |         ^"], id="an open quote"
        ),
        pytest.param("name: 5\r\n", ["1 | name: 5", "  |       ^"], id="CR LF"),
        pytest.param(
            "schema: [a,\n b]\n", ["1 | schema: [a,", "  |         ^^^"], id="a span over lines"
        ),
        pytest.param("", [], id="nothing"),
    ],
)  # fmt: skip
def test_marks_stand_below_what_they_mark(text: str, lines: list[str]) -> None:
    result = check_text(text, name="t")
    found = [each for each in result.diagnostics if each.code != "missing-key"]
    only = CheckResult(manifest=None, diagnostics=tuple(found[-1:]), source=result.source)
    assert [line for line in write_text([only]).splitlines() if " | " in line] == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(
            '{"name": "' + "a" * 200 + '", "x": 5}',
            ['1 | …aaaaaaaaaaaaaaaaa", "x": 5}', "  |                      ^^^"],
            id="before",
        ),
        pytest.param(
            '{"x": 5, "name": "' + "a" * 200 + '"}',
            ['1 | {"x": 5, "name": "aaaaaaaaaaaaaaaaa…', "  |  ^^^"],
            id="behind",
        ),
        pytest.param(
            '{"' + "x" * 200 + '": 5}',
            ['1 | {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…', "  |  " + "^" * 35],
            id="the marked part itself",
        ),
    ],
)
def test_a_long_line_is_cut_around_the_finding(text: str, lines: list[str]) -> None:
    result = check_text(text, name="t")
    found = [each for each in result.diagnostics if each.code == "unknown-key"]
    only = CheckResult(manifest=None, diagnostics=tuple(found), source=result.source)
    shown = write_text([only], columns=40).splitlines()
    assert [line for line in shown if "| " in line] == lines
    assert max(map(len, lines)) <= 40


def test_a_finding_without_a_text_has_no_line() -> None:
    agents = [{"deployment": "a"}]
    data = {"schema": "evalset/v1", "name": "n", "packs": ["p", "p"], "agents": agents}
    assert write_text([check_data(data)]) == (
        'error[duplicate-pack] /packs/1: the pack "p" stands twice\n'
        "  note: /packs/0: the first pack of this form\n"
        "  hint: remove one of the two\n\n"
    )


def test_concise_is_one_line_for_each_finding() -> None:
    assert write_concise([RESULT, CLEAN]) == "".join(f"{each}\n" for each in RESULT.diagnostics)


def test_json_is_versioned_and_holds_every_finding() -> None:
    report = json.loads(write_report_json([RESULT, CLEAN]))
    assert report == {
        "version": JSON_VERSION,
        "errors": 2,
        "warnings": 1,
        "diagnostics": [each.to_dict() for each in RESULT.diagnostics],
    }
    assert write_report_json([CLEAN]).isascii()


def test_json_holds_findings_as_their_published_schema_says() -> None:
    schema = json_schema("diagnostics")
    validator: Any = Draft7Validator({**schema, "$ref": "#/definitions/diagnostic"})
    for found in json.loads(write_report_json([RESULT]))["diagnostics"]:
        assert validator.is_valid(found)


def test_github_gets_the_text_and_then_errors_before_warnings() -> None:
    text = write_github([RESULT])
    assert text.startswith(SHOWN)
    assert text.removeprefix(SHOWN) == (
        "::error file=a.yaml,line=3,col=15,endColumn=15,endLine=3,title=evalset%3A duplicate-pack"
        '::the pack "p" stands twice%0Ahint: remove one of the two\n'
        "::error file=a.yaml,line=6,col=1,endColumn=6,endLine=6,title=evalset%3A unknown-key"
        '::"repeat" is no key of the manifest%0Ahint: did you mean repeats?\n'
        "::warning file=a.yaml,line=7,col=12,endColumn=24,endLine=7,"
        'title=evalset%3A unknown-scanner::the scanner "reward-hackin" is not built in'
        "%0Ahint: did you mean reward-hacking?\n"
    )


@pytest.mark.parametrize(
    ("number", "last"),
    [
        pytest.param(10, "::error title=evalset%3A blank-text::5% of it\n", id="ten"),
        pytest.param(11, "::error title=evalset::and 2 more errors; see the log\n", id="eleven"),
    ],
)
def test_github_is_told_how_many_it_would_drop(number: int, last: str) -> None:
    found = Diagnostic(code="blank-text", message="5% of it")
    result = CheckResult(manifest=None, diagnostics=(found,) * number)
    log = write_github([result]).splitlines(keepends=True)
    annotations = [line for line in log if line.startswith("::")]
    assert len(annotations) == 10
    assert annotations[-1] == last.replace("5%", "5%25")


def test_github_gets_no_columns_of_a_span_over_lines() -> None:
    text = "schema: evalset/v1\nname: [a,\n  b]\npacks: [p]\nagents: [{deployment: a}]\n"
    log = write_github([check_text(text, name="a.yaml")])
    assert log.splitlines()[-1] == (
        "::error file=a.yaml,line=2,endLine=3,title=evalset%3A wrong-type"
        "::name is a list; text is wanted"
    )


def test_github_can_not_be_commanded_by_a_manifest() -> None:
    text = "schema: evalset/v1\nname: ::x ##[error]x\n::error::x\n"
    log = write_github([check_text(text, name="::error::a,b\n.yaml")]).splitlines()
    commands = [line for line in log if line.lstrip().startswith("::")]
    assert "##[" not in "".join(log)
    assert [line.split(",title=")[0] for line in commands] == [
        "::error file=%3A%3Aerror%3A%3Aa%2Cb%0A.yaml,line=3,col=1,endColumn=10,endLine=3"
    ]


def test_sarif_names_the_rules_the_places_and_the_related_places() -> None:
    log = json.loads(write_sarif([RESULT, CLEAN]))
    [run] = log["runs"]
    assert log["version"] == "2.1.0"
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["duplicate-pack", "unknown-key", "unknown-scanner"]
    assert [rule["shortDescription"]["text"] for rule in rules] == [
        CODES[rule["id"]].summary for rule in rules
    ]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 1, 2]
    assert [result["level"] for result in run["results"]] == ["error", "error", "warning"]
    region = {
        "startLine": 3,
        "startColumn": 15,
        "endLine": 3,
        "endColumn": 16,
        "charOffset": 47,
        "charLength": 1,
    }
    first = run["results"][0]
    assert first["message"]["text"] == 'the pack "p" stands twice\nhint: remove one of the two'
    [location] = first["locations"]
    assert location == {
        "physicalLocation": {"artifactLocation": {"uri": "a.yaml"}, "region": region}
    }
    [related] = first["relatedLocations"]
    assert related["message"] == {"text": "the first pack of this form"}
    assert related["physicalLocation"]["region"]["startColumn"] == 9


@pytest.mark.parametrize(
    ("name", "uri"),
    [
        pytest.param("a b/é.yaml", "a%20b/%C3%A9.yaml", id="spaces and letters"),
        pytest.param("/tmp/a.yaml", "file:///tmp/a.yaml", id="absolute"),  # noqa: S108 (no file)
        pytest.param("<stdin>", "%3Cstdin%3E", id="stdin"),
        pytest.param("a\udcff.yaml", "a%FF.yaml", id="a name that is not UTF-8"),
    ],
)
def test_sarif_writes_a_path_as_a_uri(name: str, uri: str) -> None:
    log = json.loads(write_sarif([check_text("", name=name)]))
    [found] = log["runs"][0]["results"]
    assert found["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_sarif_has_no_place_where_there_is_none() -> None:
    note = Related(message="there", pointer="/a")
    found = Diagnostic(code="blank-text", message="m", pointer="/name", related=(note,))
    log = json.loads(write_sarif([CheckResult(manifest=None, diagnostics=(found,))]))
    [result] = log["runs"][0]["results"]
    assert result == {
        "ruleId": "blank-text", "ruleIndex": 0, "level": "error", "message": {"text": "m"}
    }  # fmt: skip


WRITERS: dict[str, Callable[[list[CheckResult]], str]] = {
    "text": write_text,
    "concise": write_concise,
    "json": write_report_json,
    "github": write_github,
    "sarif": partial(write_sarif, version=evalset.__version__),
}


@pytest.mark.parametrize("format", WRITERS)
def test_no_format_lets_control_characters_through(format: str) -> None:
    text = "schema: \x1b[31m\u202e\nna\u200bme: 5\nx-\u2066: \x00\n"
    written = WRITERS[format]([check_text(text, name="\x1b.yaml")])
    assert escape(written.replace("\n", "")) == written.replace("\n", "")


# The command line


class Terminal(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def _check(*options: str, stdout: io.StringIO | None = None) -> tuple[int, str, str]:
    out, err = stdout or io.StringIO(), io.StringIO()
    code = cli.main(["check", *options, "a.yaml"], io.StringIO(), out, err)
    return code, out.getvalue(), err.getvalue()


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.yaml").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("format", WRITERS)
def test_check_writes_the_format_that_is_asked_for(format: str) -> None:
    summary = "2 findings can be fixed with --fix --unsafe-fixes\n2 errors, 1 warning in 1 file\n"
    assert _check("--format", format) == (1, WRITERS[format]([RESULT]), summary)


@pytest.mark.parametrize("format", WRITERS)
def test_check_writes_findings_to_a_file(work: Path, format: str) -> None:
    summary = "2 findings can be fixed with --fix --unsafe-fixes\n2 errors, 1 warning in 1 file\n"
    assert _check("--format", format, "--output", "found") == (1, "", summary)
    assert (work / "found").read_text(encoding="utf-8") == WRITERS[format]([RESULT])


@pytest.mark.usefixtures("work")
def test_a_file_that_can_not_be_written_is_told() -> None:
    message = "evalset: cannot write none/found: No such file or directory\n"
    assert _check("--output", "none/found") == (3, "", message)


@pytest.mark.usefixtures("work")
def test_a_workflow_of_github_gets_its_format_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert _check()[1] == write_github([RESULT])
    assert _check("--format", "text")[1] == SHOWN


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("stdout", "variables", "is_colored"),
    [
        pytest.param(io.StringIO, {}, False, id="no terminal"),
        pytest.param(Terminal, {}, True, id="a terminal"),
        pytest.param(Terminal, {"NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param(Terminal, {"NO_COLOR": ""}, True, id="NO_COLOR that is empty"),
        pytest.param(io.StringIO, {"FORCE_COLOR": "1"}, True, id="FORCE_COLOR"),
        pytest.param(Terminal, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, id="both of the two"),
    ],
)
def test_colours_are_for_terminals(
    stdout: type[io.StringIO],
    variables: dict[str, str],
    is_colored: bool,  # noqa: FBT001 (a case)
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert _check(stdout=stdout())[1] == write_text([RESULT], color=is_colored)
