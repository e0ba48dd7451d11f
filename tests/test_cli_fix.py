"""`evalset check --fix` and `--diff`, as recorded in tests/golden/fix."""

import io
import json
from pathlib import Path

import pytest
from tests.shell import assert_golden, run

from evalset import cli

# Comments, both kinds of quotes, an anchor, and one fault of each kind.
FAULTY = """\
# nightly, see the wiki
schema: evalset/v1
name: 4.10            # the release
packs:
  - 'catalog/swe-bug-fix'
  - &all yes
agents:
  - gpt-5-default     # the name alone
  - {deployment: opus, label: ""}
repeat: 3
x_team: {lead: ada}
limits: {max_concurrent_runs: 1_000, budget_usd: "50"}
case_fanout: on
"""
FLAWLESS = "schema: evalset/v1\nname: sweep\npacks: [p]\nagents: [{deployment: a}]\n"


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "faulty.yaml": FAULTY,
        "crlf.yaml": "\ufeff" + FAULTY.replace("\n", "\r\n").removesuffix("\r\n"),
        "flawless.yaml": FLAWLESS,
        "a.json": '{\n  "schema": "evalset/v1",\n  "name": 5,\n  "packs": ["p",],\n'
        '  "agents": [{"deployment": "a"}],\n}\n',
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        ("fix", ("--fix", "faulty.yaml")),
        ("fix-unsafe", ("--fix", "--unsafe-fixes", "faulty.yaml")),
        ("fix-several", ("--fix", "--format", "concise", ".", "a.json", "flawless.yaml")),
        ("fix-nothing", ("--fix", "flawless.yaml")),
        ("fix-ignored", ("--fix", "--ignore", "yaml11-text", "--format", "concise", "faulty.yaml")),
        ("fix-json", ("--fix", "--format", "json", "a.json")),
        ("diff", ("--diff", "faulty.yaml")),
        ("diff-unsafe", ("--diff", "--unsafe-fixes", "faulty.yaml", "a.json")),
        ("diff-crlf", ("--diff", "--fix", "--format", "concise", "crlf.yaml")),
        ("diff-nothing", ("--diff", "flawless.yaml")),
        ("unsafe-alone", ("--unsafe-fixes", "faulty.yaml")),
        ("stdin-among-others", ("--fix", "-", "faulty.yaml")),
    ],
)
def test_what_is_mended_is_as_recorded(work: Path, name: str, argv: tuple[str, ...]) -> None:
    (work / "crlf.evalset.yaml").write_bytes((work / "crlf.yaml").read_bytes())
    assert_golden(f"fix/{name}", ("check", *argv))


def test_the_text_of_stdin_goes_to_stdout_and_findings_to_stderr() -> None:
    assert_golden("fix/fix-stdin", ("check", "--fix", "-"), stdin=FAULTY)
    assert_golden("fix/diff-stdin", ("check", "--diff", "-"), stdin=FAULTY)
    assert run("check", "--fix", "-", stdin=FLAWLESS) == (0, FLAWLESS, "no findings in 1 file\n")


def test_only_what_is_mended_changes_in_a_file(work: Path) -> None:
    path = work / "crlf.yaml"
    before = path.read_bytes()
    assert run("check", "--diff", "crlf.yaml")[0] == 1
    assert path.read_bytes() == before
    assert run("check", "--fix", "crlf.yaml")[0] == 1
    assert path.read_bytes() == (
        before.replace(b"4.10", b'"4.10"')
        .replace(b"&all yes", b'&all "yes"')
        .replace(b', label: ""', b"")
        .replace(b"x_team", b"x-team")
        .replace(b"1_000", b"1000")
        .replace(b"case_fanout: on", b"case_fanout: true")
    )
    mended = path.read_bytes()
    run("check", "--fix", "crlf.yaml")
    assert path.read_bytes() == mended


def test_a_file_that_needs_nothing_is_not_written(work: Path) -> None:
    path = work / "flawless.yaml"
    path.chmod(0o444)
    before = path.stat().st_mtime_ns
    assert run("check", "--fix", "flawless.yaml")[0] == 0
    assert path.stat().st_mtime_ns == before


def test_what_is_no_utf_8_or_too_large_stays_as_it_is(work: Path) -> None:
    latin = FAULTY.replace("ada", "\xe4da").encode("latin-1")
    (work / "latin.yaml").write_bytes(latin)
    code, out, err = run("check", "--fix", "--format", "concise", "latin.yaml")
    assert (code, err) == (1, "1 error in 1 file\n")
    assert out.startswith("latin.yaml:11:16: error[not-utf8]")
    assert (work / "latin.yaml").read_bytes() == latin
    huge = io.TextIOWrapper(io.BytesIO(FAULTY.encode() + b"#" * 2**21), encoding="utf-8")
    stdout, stderr = io.StringIO(), io.StringIO()
    assert cli.main(["check", "--fix", "-"], huge, stdout, stderr) == 1
    assert stdout.getvalue() == ""
    assert "error[too-large]" in stderr.getvalue()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_no_control_character_of_a_difference(work: Path) -> None:
    text = FLAWLESS.replace("sweep", "4.10 # \u202e").replace("\n", "\r\n")
    (work / "odd.yaml").write_text(text, encoding="utf-8", newline="")
    stdout = Terminal()
    assert cli.main(["check", "--diff", "odd.yaml"], io.StringIO(), stdout, io.StringIO()) == 0
    assert '+name: "4.10" # \\u202e\n' in stdout.getvalue()
    assert "\r" not in stdout.getvalue()


def test_json_and_sarif_carry_the_fixes() -> None:
    _, out, _ = run("check", "--format", "json", "faulty.yaml")
    [title] = {
        found["fix"]["title"]
        for found in json.loads(out)["diagnostics"]
        if found["code"] == "boolean-form"
    }
    assert title == "write true"
    _, out, _ = run("check", "--format", "sarif", "faulty.yaml")
    fixes = [each["fixes"] for each in json.loads(out)["runs"][0]["results"] if "fixes" in each]
    assert len(fixes) == 9
    place = {"startLine": 3, "startColumn": 7, "endLine": 3, "endColumn": 11}
    region = {**place, "charOffset": 49, "charLength": 4}
    replacement = {"deletedRegion": region, "insertedContent": {"text": '"4.10"'}}
    change = {"artifactLocation": {"uri": "faulty.yaml"}, "replacements": [replacement]}
    assert fixes[0] == [
        {
            "description": {"text": 'write "4.10"'},
            "artifactChanges": [change],
            "properties": {"isSafe": True},
        }
    ]
