"""How a document finds its schema: the modeline, `$schema` in JSON, and names of files."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from integration.editors.engines import SCHEMAS
from integration.editors.lsp import Server, json_server, yaml_server

from evalset import cli

EDITOR = SCHEMAS / "evalset-v1.editor.json"
TYPO = "schema: evalset/v1\nrepeat: 3\n"
FOUND = "Property repeat is not allowed."


@pytest.fixture(scope="module")
def yaml_alone() -> Iterator[Server]:
    """Run the server without any setting, as a fresh editor does."""
    with yaml_server() as server:
        yield server


@pytest.fixture(scope="module")
def json_alone() -> Iterator[Server]:
    """Run the server without any setting."""
    with json_server() as server:
        yield server


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a directory with schemas in several places, some with odd names."""
    for directory in (".", "schema", "sweeps", "a dir"):
        (tmp_path / directory).mkdir(exist_ok=True)
        (tmp_path / directory / EDITOR.name).write_bytes(EDITOR.read_bytes())
    return tmp_path.resolve()


@pytest.mark.parametrize(
    "reference",
    [
        pytest.param("evalset-v1.editor.json", id="beside"),
        pytest.param("./evalset-v1.editor.json", id="beside with a dot"),
        pytest.param("../evalset-v1.editor.json", id="above"),
        pytest.param("../schema/evalset-v1.editor.json", id="in another directory"),
        pytest.param("../a%20dir/evalset-v1.editor.json", id="space as %20"),
        pytest.param("{project}/schema/evalset-v1.editor.json", id="absolute"),
        pytest.param("file://{project}/schema/evalset-v1.editor.json", id="URL of a file"),
    ],
)
def test_a_modeline_names_the_schema(reference: str, project: Path, yaml_alone: Server) -> None:
    modeline = f"# yaml-language-server: $schema={reference.format(project=project)}\n"
    uri = yaml_alone.open(project / "sweeps/any.yaml", modeline + TYPO, language="yaml")
    assert FOUND in _messages(yaml_alone, uri)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# yaml-language-server: $schema=evalset-v1.editor.json\n\n", id="blank line"),
        pytest.param("# A sweep\n# yaml-language-server: $schema=evalset-v1.editor.json\n",
                     id="below another comment"),
        pytest.param("# yaml-language-server: $schema=evalset-v1.editor.json\n---\n",
                     id="before a document marker"),
        pytest.param("# $schema: evalset-v1.editor.json\n", id="JetBrains' form"),
    ],
)  # fmt: skip
def test_a_modeline_may_stand_in_several_ways(text: str, project: Path, yaml_alone: Server) -> None:
    uri = yaml_alone.open(project / "any.yaml", text + TYPO, language="yaml")
    assert FOUND in _messages(yaml_alone, uri)


def test_a_modeline_that_leads_nowhere_is_said_to(project: Path, yaml_alone: Server) -> None:
    text = "# yaml-language-server: $schema=none.json\n" + TYPO
    uri = yaml_alone.open(project / "any.yaml", text, language="yaml")
    [message] = _messages(yaml_alone, uri)
    assert message.startswith("Unable to load schema from")
    assert str(project / "none.json") in message


def test_without_a_modeline_or_a_setting_nothing_is_known(
    project: Path, yaml_alone: Server
) -> None:
    uri = yaml_alone.open(project / "any.evalset.yaml", TYPO, language="yaml")
    assert _messages(yaml_alone, uri) == []


@pytest.mark.parametrize(
    "reference",
    [
        pytest.param("evalset-v1.editor.json", id="beside"),
        pytest.param("./evalset-v1.editor.json", id="beside with a dot"),
        pytest.param("../schema/evalset-v1.editor.json", id="in another directory"),
        pytest.param("file://{project}/schema/evalset-v1.editor.json", id="URL of a file"),
    ],
)
def test_a_key_names_the_schema_in_json(reference: str, project: Path, json_alone: Server) -> None:
    data = {"$schema": reference.format(project=project), "schema": "evalset/v1", "repeat": 3}
    uri = json_alone.open(project / "sweeps/any.json", json.dumps(data), language="json")
    assert FOUND in _messages(json_alone, uri)


def test_what_init_writes_works_at_once(tmp_path: Path, yaml_alone: Server) -> None:
    path = tmp_path.resolve() / "sweep.yaml"
    assert cli.main(["init", str(path)], io.StringIO(), io.StringIO(), io.StringIO()) == 0
    text = path.read_text(encoding="utf-8")
    assert _messages(yaml_alone, yaml_alone.open(path, text, language="yaml")) == []
    mistaken = text.replace("\nrepeats:", "\nrepeat:")
    other = yaml_alone.open(path.with_name("other.yaml"), mistaken, language="yaml")
    assert _messages(yaml_alone, other) == [FOUND]


def _messages(server: Server, uri: str) -> list[str]:
    return [each["message"] for each in server.diagnostics(uri)]
