"""What `write_sarif` writes passes a real validator: Microsoft's Multitool, all of its rules."""

import json
import os
import stat
import subprocess
from collections.abc import Callable

import pytest
from integration.editors.lsp import HERE

from evalset import CheckResult, __version__, check, check_text
from evalset.findings import write_sarif

GOLDEN = HERE.parents[1] / "tests/golden/diagnostics"
INPUTS = [path for path in sorted(GOLDEN.iterdir()) if path.suffix != ".txt"]
TEXT = "schema: evalset/v1\nname: 夜間🚀 \u202e, 5\npacks: [p, p]\nrepeat: 3\n"


@pytest.fixture(scope="module")
def validate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[str]]:
    """Give what the validator says of a log, a line for each finding."""
    [tool] = [
        path
        for path in HERE.glob("node_modules/@microsoft/sarif-multitool-*/Sarif.Multitool*")
        if path.name in {"Sarif.Multitool", "Sarif.Multitool.exe"}
    ]
    # npm runs no script of a package here, so nothing has made it executable.
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    log = tmp_path_factory.mktemp("sarif") / "log.sarif"
    environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}

    def say(text: str) -> list[str]:
        log.write_text(text, encoding="utf-8")
        command = [str(tool), "validate", str(log)]
        done = subprocess.run(command, capture_output=True, check=True, env=environment, text=True)
        assert "Analysis completed successfully." in done.stdout
        return [line for line in done.stdout.splitlines() if line.startswith(f"{log}(")]

    return say


# There is no page of the project to name.
ALLOWED = " warning SARIF2005: runs[0].tool.driver: The tool 'evalset' does not provide "


def held(said: list[str]) -> list[str]:
    return [line for line in said if ALLOWED + "'informationUri'" not in line]


def test_the_findings_of_all_golden_texts_are_valid(validate: Callable[[str], list[str]]) -> None:
    results = [check(path, format="json" if path.suffix == ".json" else "yaml") for path in INPUTS]
    log = write_sarif(results, version=__version__)
    assert len(json.loads(log)["runs"][0]["results"]) > 300
    assert held(validate(log)) == []


def test_any_name_of_a_file_is_valid(validate: Callable[[str], list[str]]) -> None:
    names = [
        "a b/é.yaml",
        "/work/a.yaml",
        "<stdin>",
        "a%b#c?d.yaml",
        "C:\\work\\a.yaml",
        "a\udcff.yaml",
    ]
    results = [check_text(TEXT, name=name) for name in names]
    assert held(validate(write_sarif(results, version="1.2.3"))) == []


def test_a_log_without_findings_is_valid(validate: Callable[[str], list[str]]) -> None:
    clean = CheckResult(manifest=None, diagnostics=())
    assert held(validate(write_sarif([clean], version=__version__))) == []


def test_the_validator_finds_what_is_wrong(validate: Callable[[str], list[str]]) -> None:
    log = write_sarif([check_text(TEXT, name="a.yaml")])
    broken = log.replace('"startLine": 1', '"startLine": 0').replace("2.1.0", "9.9")
    found = validate(broken)
    assert any("JSON1008" in line and "startLine" in line for line in found)
    assert any("JSON1019" in line for line in found)
