"""What docs/howto/editor.md and pre-commit.md tell people to write works, as it stands there."""

import json
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import lupa
import pytest
import yaml
from integration.editors.corpus import BASE
from integration.editors.engines import SCHEMAS
from integration.editors.lsp import HERE, Json, Server, json_server, yaml_server

from evalset import cli

PAGE = HERE.parents[1] / "docs/howto/editor.md"
PRE_COMMIT = HERE.parents[1] / "docs/howto/pre-commit.md"
EDITOR = "evalset-v1.editor.json"
TYPO = "schema: evalset/v1\nrepeat: 3\n"
FOUND = "Property repeat is not allowed."

_BLOCK = r"<!-- file: (\S+) -->\n```\w+\n(.*?)```\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Lay the files of the pages and both schemas into a directory."""
    project = tmp_path.resolve()
    for schema in SCHEMAS.iterdir():
        (project / schema.name).write_bytes(schema.read_bytes())
    pages = PAGE.read_text(encoding="utf-8") + PRE_COMMIT.read_text(encoding="utf-8")
    for name, text in re.findall(_BLOCK, pages, re.DOTALL):
        path = project / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    good = "\n".join(BASE.values()) + "\n"
    (project / "sweep.evalset.yaml").write_text(good, encoding="utf-8")
    return project


def test_settings_of_vs_code_find_the_schema(project: Path) -> None:
    settings = json.loads((project / ".vscode/settings.json").read_text(encoding="utf-8"))
    _assert_found_by(settings["yaml.schemas"], project)
    # VS Code makes the paths absolute itself before it gives them to its server.
    [entry] = settings["json.schemas"]
    with json_server({_absolute(entry["url"], project): entry["fileMatch"]}) as server:
        data = json.dumps({"schema": "evalset/v1", "repeat": 3})
        uri = server.open(project / "any.evalset.json", data, language="json")
        assert FOUND in _messages(server, uri)


def test_settings_of_neovim_find_the_schema(project: Path) -> None:
    configured: dict[str, Json] = {}
    enabled: list[str] = []

    def configure(name: str, table: object) -> None:
        configured[name] = _plain(table)

    runtime: Any = lupa.LuaRuntime(unpack_returned_tuples=True)
    lsp = runtime.table_from({"config": configure, "enable": enabled.append})
    runtime.globals().vim = runtime.table_from({"lsp": lsp})
    runtime.execute((project / "init.lua").read_text(encoding="utf-8"))
    assert enabled == [*configured]
    [config] = configured.values()
    assert config["cmd"] == ["yaml-language-server", "--stdio"]
    _assert_found_by(config["settings"]["yaml"]["schemas"], project)


def test_settings_of_helix_find_the_schema(project: Path) -> None:
    settings = tomllib.loads((project / ".helix/languages.toml").read_text(encoding="utf-8"))
    server = settings["language-server"]["yaml-language-server"]
    _assert_found_by(server["config"]["yaml"]["schemas"], project)


def test_the_comment_of_jetbrains_and_the_key_of_json_name_the_schema(project: Path) -> None:
    with yaml_server() as server:
        text = (project / "jetbrains.evalset.yaml").read_text(encoding="utf-8") + "repeat: 3\n"
        uri = server.open(project / "any.yaml", text, language="yaml")
        assert _messages(server, uri) == [FOUND]
    with json_server() as server:
        data = json.loads((project / "sweep.evalset.json").read_text(encoding="utf-8"))
        text = json.dumps({**data, "repeat": 3})
        uri = server.open(project / "any.json", text, language="json")
        assert _messages(server, uri) == [FOUND]


def test_the_configuration_of_pre_commit_is_one(project: Path) -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config", ".pre-commit-config.yaml"]
    subprocess.run(command, cwd=project, check=True)
    config = yaml.safe_load((project / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    [hook] = config["repos"][0]["hooks"]
    hooks = yaml.safe_load((HERE.parents[1] / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert [each["id"] for each in hooks] == [hook["id"]]


def test_the_commands_of_the_page_pass(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    [commands] = re.findall(r"```sh\n(.*?)```\n", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for program, *argv in map(str.split, commands.splitlines()):
        if program == "evalset":
            assert cli.main(argv, sys.stdin, sys.stdout, sys.stderr) == 0
        else:
            module = program.replace("-", "_")
            subprocess.run([sys.executable, "-m", module, *argv], check=True)


def test_the_program_for_ajv_judges(project: Path) -> None:
    (project / "node_modules").symlink_to(HERE / "node_modules")
    (project / "bad.json").write_text("{}", encoding="utf-8")
    done = subprocess.run(
        ["node", "check.mjs", "sweep.evalset.json", "bad.json"],
        cwd=project, capture_output=True, check=True, text=True,
    )  # fmt: skip
    assert done.stdout.startswith("sweep.evalset.json is valid\nbad.json [\n")


def test_the_entry_for_schemastore_finds_manifests(project: Path) -> None:
    entry = json.loads((project / "catalog.json").read_text(encoding="utf-8"))
    assert Path(entry["url"]).name == "evalset-v1.json"
    here = {**entry, "url": (project / "evalset-v1.json").as_uri()}
    with (
        _serving({"version": 1, "schemas": [here]}) as url,
        yaml_server(schemaStore={"enable": True, "url": url}) as server,
    ):
        for name in ("nightly.evalset.yaml", "n.evalset.yml", "agentclash.evalset.yaml"):
            uri = server.open(project / "deep" / name, TYPO, language="yaml")
            assert FOUND in _messages(server, uri), name
        uri = server.open(project / "other.yaml", TYPO, language="yaml")
        assert _messages(server, uri) == []


def _assert_found_by(schemas: dict[str, list[str]], project: Path) -> None:
    """Let the server find the schema of two manifests by names, from the project's root."""
    with yaml_server(schemas, root=project) as server:
        for name in ("nightly.evalset.yaml", "sweeps/gate.evalset.yml"):
            uri = server.open(project / name, TYPO, language="yaml")
            assert FOUND in _messages(server, uri), name
        uri = server.open(project / "other.yaml", TYPO, language="yaml")
        assert _messages(server, uri) == []


def _messages(server: Server, uri: str) -> list[str]:
    return [each["message"] for each in server.diagnostics(uri)]


def _absolute(path: str, project: Path) -> str:
    return (project / path).as_uri()


def _plain(table: Any) -> Any:  # noqa: ANN401 (what Lua gives)
    """Turn a table of Lua into plain data; one that counts from 1 is a list."""
    if lupa.lua_type(table) != "table":
        return table
    entries = {key: _plain(value) for key, value in table.items()}
    return [*entries.values()] if [*entries] == [*range(1, len(entries) + 1)] else entries


@contextmanager
def _serving(answer: object) -> Generator[str]:
    """Serve one answer on this machine, and give its address."""
    body = json.dumps(answer).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/catalog.json"
        server.shutdown()
