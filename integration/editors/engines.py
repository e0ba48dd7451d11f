"""The seven engines that judge a document, each as a person would use it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol, Self

import jsonschema
import jsonschema_rs
import yaml
from integration.editors.lsp import HERE, Server
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

import evalset

__all__ = ["ENGINES", "Ajv", "Document", "as_json", "check_jsonschema", "editor", "in_process"]

SCHEMAS = HERE.parents[1] / "schema"
ENGINES = (
    "library",
    "jsonschema",
    "check-jsonschema",
    "jsonschema-rs",
    "ajv",
    "yaml-language-server",
    "VS Code JSON",
)


class Document(Protocol):
    """A text in a format."""

    @property
    def text(self) -> str: ...
    @property
    def format(self) -> Literal["yaml", "json"]: ...


def in_process(engine: str, document: Document) -> bool:
    """Ask the library, or a validator of Python that is given plain data.

    PyYAML reads YAML for the validators, as it does for most who use them.
    """
    if engine == "library":
        return evalset.check_text(document.text, format=document.format).ok
    try:
        data = _read(document)
        return _judges()[engine](data)
    except (ValueError, TypeError, yaml.YAMLError):
        return False


@cache
def _judges() -> dict[str, Callable[[Any], bool]]:
    schema = evalset.json_schema()
    validator: Any = jsonschema.Draft7Validator(schema)  # its types are partial
    return {
        "jsonschema": validator.is_valid,
        "jsonschema-rs": jsonschema_rs.Draft7Validator(schema).is_valid,
    }


def _read(document: Document) -> Any:  # noqa: ANN401 (any plain data)
    return json.loads(document.text) if document.format == "json" else yaml.safe_load(document.text)


def as_json(document: Document) -> str | None:
    """Write a document as JSON, as YAML 1.2 reads it; None if JSON can't hold it."""
    if document.format == "json":
        return document.text
    try:
        reader: Any = YAML(typ="safe", pure=True)  # its types are partial
        data = reader.load(document.text)
        return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    except (YAMLError, ValueError, TypeError):
        return None


def check_jsonschema(documents: Sequence[Document], work: Path) -> list[bool]:
    """Ask the command check-jsonschema about many documents at once, files in a directory."""
    paths = [work / f"{number}.{each.format}" for number, each in enumerate(documents)]
    for path, document in zip(paths, documents, strict=True):
        path.write_bytes(document.text.encode("utf-8", "surrogatepass"))
    good = _clean(paths)
    return [path in good for path in paths]


def _clean(paths: Sequence[Path]) -> set[Path]:
    """Give the files in which check-jsonschema finds nothing."""
    schema = SCHEMAS / "evalset-v1.json"
    command = [sys.executable, "-m", "check_jsonschema", "--output-format", "json"]
    done = subprocess.run(
        [*command, "--schemafile", schema, *paths], capture_output=True, check=False, text=True
    )
    if not done.stdout:  # it crashed over one of them, which is a no to that one
        half = len(paths) // 2
        return _clean(paths[:half]) | _clean(paths[half:]) if half else set()
    report = json.loads(done.stdout)
    findings = [*report["errors"], *report.get("parse_errors", [])]
    return {*paths} - {Path(finding["filename"]) for finding in findings}


class Ajv:
    """ajv in strict mode, with the npm package yaml as its reader."""

    def __init__(self, schema: Path = SCHEMAS / "evalset-v1.json") -> None:
        self._process = subprocess.Popen(
            ["node", HERE / "judge.mjs", schema],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=10)

    def __call__(self, document: Document) -> bool:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(
            json.dumps({"text": document.text, "format": document.format}) + "\n"
        )
        self._process.stdin.flush()
        verdict: bool = json.loads(self._process.stdout.readline())
        return verdict


def editor(server: Server, texts: Sequence[str | None], path: Path) -> list[bool | None]:
    """Ask an editor's server, of which an error or a warning is a no.

    Args:
        server: The server, to which the editor schema is known.
        texts: The documents; None where a document can't be shown to it.
        path: What a document is called; its stem is numbered.
    """
    language = path.suffix[1:]
    uris = [
        None
        if text is None
        else server.open(path.with_stem(f"{n}.{path.stem}"), text, language=language)
        for n, text in enumerate(texts)
    ]
    verdicts = [
        None if uri is None else all(each["severity"] > 2 for each in server.diagnostics(uri))
        for uri in uris
    ]
    for uri in filter(None, uris):
        server.close(uri)
    return verdicts
