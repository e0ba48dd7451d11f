"""`evalset resolve`: exact output in tests/golden/cli, exit codes, hosts by name."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.test_cli import assert_golden, run

from evalset import loads
from evalset.hosting import import_host

SWEEP = """\
schema: evalset/v1
name: nightly
packs:
  - support  # the newest
  - catalog/text-to-sql
  - 11111111-1111-1111-1111-111111111111
agents:
  - deployment: gpt-default
  - deployment: claude-default
    label: opus
"""
WORKSPACE = """\
packs:
  - {id: 0f0f0f0f-1111-2222-3333-444444444444, slug: support, version: 7}
  - {id: 0f0f0f0f-1111-2222-3333-555555555555, slug: text-to-sql, version: 1}
agents:
  gpt-default: aaaaaaaa-1111-2222-3333-444444444444
  claude-default: bbbbbbbb-1111-2222-3333-444444444444
"""
HOSTS = """\
from evalset.testing.hosts import AsyncFakeHost, FakeHost

AGENTS = {"gpt-default": "a1", "claude-default": "a2"}
full = FakeHost(packs={"support": "p1"}, agents=AGENTS, catalog=["text-to-sql"])
waiting = AsyncFakeHost(packs={"support": "p1"}, agents=AGENTS, catalog=["text-to-sql"])
empty = FakeHost()
down = FakeHost(
    agents=AGENTS,
    packs={"support": "p1"},
    script={("find_pack", "catalog/text-to-sql"): TimeoutError("no answer in 30 s")},
)
failing = FakeHost(
    agents=AGENTS, catalog=["support"], script={("instantiate", "text-to-sql"): OSError("503")}
)


def make():
    return full


class Nested:
    class Host:
        def find_pack(self, ref, /):
            return None

        def find_agent(self, name, /):
            return None


number = 5


def broken():
    raise RuntimeError("no token")
"""


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "sweep.yaml").write_text(SWEEP, encoding="utf-8")
    (tmp_path / "bad.yaml").write_text("name: n\n", encoding="utf-8")
    aliased = SWEEP.replace("- support", "- &s support") + "x-first: *s\n"
    (tmp_path / "aliased.yaml").write_text(aliased, encoding="utf-8")
    (tmp_path / "workspace.yaml").write_text(WORKSPACE, encoding="utf-8")
    (tmp_path / "odd.yaml").write_text("packs: 5\n", encoding="utf-8")
    (tmp_path / "ourhosts.py").write_text(HOSTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield
    sys.modules.pop("ourhosts", None)


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        pytest.param("help-resolve", ("--help",), id="help"),
        pytest.param("resolve-table", ("--workspace", "workspace.yaml"), id="a table"),
        pytest.param(
            "resolve-json", ("--workspace", "workspace.yaml", "--format", "json"), id="json"
        ),
        pytest.param("resolve-pin", ("--workspace", "workspace.yaml", "--pin"), id="pinned"),
        pytest.param("resolve-host", ("--resolver", "ourhosts:full"), id="a host"),
        pytest.param("resolve-async", ("--resolver", "ourhosts:waiting"), id="one to be awaited"),
        pytest.param("resolve-factory", ("--resolver", "ourhosts:make"), id="what makes a host"),
        pytest.param("resolve-dry", ("--resolver", "ourhosts:full", "--dry-run"), id="dry run"),
        pytest.param("resolve-empty", ("--resolver", "ourhosts:Nested.Host"), id="nothing there"),
        pytest.param("resolve-down", ("--resolver", "ourhosts:down"), id="no answer"),
        pytest.param("resolve-failing", ("--resolver", "ourhosts:failing"), id="half made"),
        pytest.param(
            "resolve-no-fallback", ("--resolver", "ourhosts:failing", "--no-fallback"),
            id="no fallback",
        ),
        pytest.param("resolve-no-module", ("--resolver", "nowhere:x"), id="no such module"),
        pytest.param("resolve-no-object", ("--resolver", "ourhosts:x"), id="no such object"),
        pytest.param("resolve-no-colon", ("--resolver", "ourhosts"), id="no object"),
        pytest.param("resolve-broken", ("--resolver", "ourhosts:broken"), id="a host that fails"),
        pytest.param("resolve-odd-host", ("--resolver", "builtins:dict"), id="no host"),
        pytest.param("resolve-no-file", ("--workspace", "none.yaml"), id="no workspace"),
        pytest.param("resolve-odd-file", ("--workspace", "odd.yaml"), id="an odd workspace"),
        pytest.param("resolve-nobody", (), id="nobody to ask"),
    ],
)  # fmt: skip
def test_resolve_says(name: str, argv: tuple[str, ...]) -> None:
    assert_golden(name, ("resolve", "sweep.yaml", *argv))


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        pytest.param("resolve-bad", ("bad.yaml",), id="a manifest with errors"),
        pytest.param("resolve-missing", ("none.yaml",), id="no manifest"),
        pytest.param("resolve-aliased", ("aliased.yaml", "--pin"), id="what can't be pinned"),
    ],
)
def test_resolve_refuses(name: str, argv: tuple[str, ...]) -> None:
    assert_golden(name, ("resolve", *argv, "--workspace", "workspace.yaml"))


def test_what_is_pinned_reads_as_what_was_resolved() -> None:
    _, pinned, _ = run("resolve", "sweep.yaml", "--workspace", "workspace.yaml", "--pin")
    _, report, _ = run("resolve", "sweep.yaml", "--workspace", "workspace.yaml", "--format", "json")
    assert loads(pinned).to_dict() == json.loads(report)["manifest"]


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["without a mark", "with a mark"])
def test_files_and_stdin_are_pinned_to_the_byte(mark: str) -> None:
    Path("sweep.yaml").write_text(mark + SWEEP, encoding="utf-8")
    argv = ("--workspace", "workspace.yaml", "--pin")
    pinned = run("resolve", "sweep.yaml", *argv)
    assert run("resolve", "-", *argv, stdin=mark + SWEEP) == pinned
    assert pinned[1].count("\ufeff") == len(mark)
    assert pinned[1].startswith(f"{mark}schema")


def test_importing_a_host_leaves_the_path_as_it_was() -> None:
    before = list(sys.path)
    import_host("ourhosts:full")
    with pytest.raises(ValueError, match="gives no host: RuntimeError: no token"):
        import_host("ourhosts:broken")
    assert sys.path == before
