"""The servers and engines, each started once for all tests, and their place of work."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from integration.editors.engines import SCHEMAS, Ajv
from integration.editors.lsp import Server, json_server, yaml_server

_COMMON = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", _COMMON, max_examples=50)
settings.register_profile("ci", _COMMON, max_examples=200, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory that holds the published schemas, as an author's may."""
    directory = tmp_path_factory.mktemp("work").resolve()
    for schema in SCHEMAS.iterdir():
        shutil.copy(schema, directory)
    return directory


@pytest.fixture(scope="session")
def yaml_editor(work: Path) -> Iterator[Server]:
    """Run yaml-language-server as an editor that knows the editor schema by file names."""
    with yaml_server({_schema(work): ["*.evalset.yaml"]}) as server:
        yield server


@pytest.fixture(scope="session")
def json_editor(work: Path) -> Iterator[Server]:
    """Run VS Code's JSON server as an editor that knows the editor schema by file names."""
    with json_server({_schema(work): ["*.evalset.json"]}) as server:
        yield server


@pytest.fixture(scope="session")
def ajv() -> Iterator[Ajv]:
    """Run ajv with the portable schema."""
    with Ajv() as judge:
        yield judge


def _schema(work: Path) -> str:
    return (work / "evalset-v1.editor.json").as_uri()
