"""A headless editor: starts a language server, opens documents, asks what an author would see.

Only what the tests need of the Language Server Protocol over stdio: one process, one
reader thread. What the server asks is answered as a plain editor would; what it says of
itself is kept for the error message when it goes silent.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Self, TypeAlias

import attrs

from evalset.shapes import is_list, is_mapping

__all__ = ["Json", "Place", "Server", "apply", "cursor", "json_server", "yaml_server"]

Json: TypeAlias = dict[str, Any]
HERE = Path(__file__).parent
_PATIENCE = 60.0  # seconds; a server that is silent for so long has died or was never asked

_CAPABILITIES: Json = {
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}},
        "completion": {
            "completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}
        },
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {"relatedInformation": True},
    },
    "workspace": {"configuration": True},
}


@attrs.frozen
class Place:
    """A point of a text as the protocol counts it: lines from 0, columns in UTF-16 units."""

    line: int
    character: int

    @classmethod
    def of(cls, text: str, offset: int) -> Self:
        """Give the place of an offset in code points."""
        lines = text[:offset].split("\n")
        return cls(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)

    def offset(self, text: str) -> int:
        """Give the offset of this place in a text, in code points."""
        lines = text.split("\n")
        before = lines[self.line].encode("utf-16-le")[: 2 * self.character].decode("utf-16-le")
        return sum(len(line) + 1 for line in lines[: self.line]) + len(before)


def cursor(text: str) -> tuple[str, Place]:
    """Take the mark `|` out of a text and give the text and the mark's place."""
    offset = text.index("|")
    return text[:offset] + text[offset + 1 :], Place.of(text, offset)


def apply(text: str, edits: Sequence[Json]) -> str:
    """Make the edits of a completion or a quick fix, the last place first."""

    def span(edit: Json) -> tuple[int, int]:
        start, end = edit["range"]["start"], edit["range"]["end"]
        return Place(**start).offset(text), Place(**end).offset(text)

    for edit in sorted(edits, key=span, reverse=True):
        start, end = span(edit)
        text = text[:start] + edit["newText"] + text[end:]
    return text


class Server:
    """A language server in a process of its own."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        settings: Mapping[str, Any],
        options: Json | None = None,
        root: Path | None = None,
    ) -> None:
        """Start the server and introduce the editor to it.

        Args:
            command: The program and its arguments.
            settings: The editor's configuration, by section.
            options: `initializationOptions`.
            root: The directory that is open in the editor.
        """
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._settings = dict(settings)
        self._news = threading.Condition()
        self._answers: dict[int, Json] = {}
        self._diagnostics: dict[str, list[Json]] = {}
        self._said: list[str] = []
        self._requests = self._documents = 0
        self._threads = [
            threading.Thread(target=listen, daemon=True)
            for listen in (self._listen, self._overhear)
        ]
        for thread in self._threads:
            thread.start()
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": root.as_uri() if root else None,
                "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}] if root else None,
                "capabilities": _CAPABILITIES,
                "initializationOptions": options or {},
            },
        )
        self.notify("initialized", {})
        self.configure(settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.request("shutdown", None)
        self.notify("exit", None)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            thread.join(10)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            _pipe(pipe).close()

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Change the editor's configuration."""
        self._settings = dict(settings)
        self.notify("workspace/didChangeConfiguration", {"settings": self._settings})

    def open(self, path: Path | str, text: str, *, language: str) -> str:
        """Show a document, which need not be on disk, and give its URI."""
        uri = Path(path).as_uri()
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def close(self, uri: str) -> None:
        """Close a document and forget what was said of it."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str) -> list[Json]:
        """Wait for what the server finds in an open document, in order of place."""
        with self._news:
            if not self._news.wait_for(lambda: uri in self._diagnostics, _PATIENCE):
                raise self._silent(f"diagnostics of {uri}")
            return sorted(self._diagnostics[uri], key=_order)

    def complete(self, uri: str, place: Place) -> list[Json]:
        """Give the proposals at a place, in the order of the editor's list."""
        answer = self._ask("completion", uri, place)
        items: list[Json] = answer["items"] if is_mapping(answer) else answer or []
        return sorted(items, key=lambda item: (item.get("sortText", item["label"]), item["label"]))

    def hover(self, uri: str, place: Place) -> str:
        """Give the text that appears over a place, as Markdown."""
        contents = (self._ask("hover", uri, place) or {"contents": ""})["contents"]
        parts = contents if is_list(contents) else [contents]
        return "\n\n".join(part["value"] if is_mapping(part) else part for part in parts)

    def fixes(self, uri: str, diagnostics: Sequence[Json]) -> list[Json]:
        """Give the quick fixes for some diagnostics of a document."""
        found: list[Json] = []
        for diagnostic in diagnostics:
            found += self.request(
                "textDocument/codeAction",
                {
                    "textDocument": {"uri": uri},
                    "range": diagnostic["range"],
                    "context": {"diagnostics": [diagnostic]},
                },
            ) or []  # fmt: skip
        return [fix for fix in found if fix.get("kind") == "quickfix"]

    def request(self, method: str, params: object) -> Any:  # noqa: ANN401 (any JSON)
        """Ask something and wait for the answer."""
        with self._news:
            self._requests += 1
            number = self._requests
        self._send({"id": number, "method": method, "params": params})
        with self._news:
            if not self._news.wait_for(lambda: number in self._answers, _PATIENCE):
                raise self._silent(method)
            answer = self._answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def notify(self, method: str, params: object) -> None:
        """Tell something that has no answer."""
        self._send({"method": method, "params": params})

    def _ask(self, what: str, uri: str, place: Place) -> Any:  # noqa: ANN401
        position = {"line": place.line, "character": place.character}
        return self.request(
            f"textDocument/{what}", {"textDocument": {"uri": uri}, "position": position}
        )

    def _send(self, message: Json) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self._news:
            stdin = _pipe(self._process.stdin)
            stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            stdin.flush()

    def _listen(self) -> None:
        stdout = _pipe(self._process.stdout)
        while header := stdout.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                header = stdout.readline()
            self._hear(json.loads(stdout.read(length)))

    def _hear(self, message: Json) -> None:
        method = message.get("method")
        if method and "id" in message:
            self._send({"id": message["id"], "result": self._answer(method, message["params"])})
            return
        with self._news:
            if method == "textDocument/publishDiagnostics":
                params = message["params"]
                self._diagnostics[params["uri"]] = params["diagnostics"]
            elif method:
                self._said.append(json.dumps(message.get("params"))[:500])
            else:
                self._answers[message["id"]] = message
            self._news.notify_all()

    def _answer(self, method: str, params: Json) -> object:
        if method != "workspace/configuration":
            return None
        return [self._settings.get(item.get("section", "")) for item in params["items"]]

    def _overhear(self) -> None:
        for line in _pipe(self._process.stderr):
            self._said.append(line.decode(errors="replace").rstrip())

    def _silent(self, what: str) -> TimeoutError:
        said = "\n".join(self._said[-20:])
        return TimeoutError(f"no answer to {what}; exit code {self._process.poll()}; said:\n{said}")


def yaml_server(
    schemas: Mapping[str, Sequence[str]] | None = None,
    *,
    root: Path | None = None,
    **settings: object,
) -> Server:
    """Start yaml-language-server.

    Args:
        schemas: File patterns by the URL of their schema, as in the setting `yaml.schemas`.
        root: The directory that is open in the editor.
        settings: Further settings of the section `yaml`.
    """
    yaml = {"schemas": dict(schemas or {}), "schemaStore": {"enable": False}, **settings}
    return Server(_command("yaml-language-server"), settings={"yaml": yaml}, root=root)


def json_server(schemas: Mapping[str, Sequence[str]] | None = None) -> Server:
    """Start VS Code's JSON server.

    Args:
        schemas: File patterns by the URL of their schema, as in the setting `json.schemas`.
    """
    listed = [{"url": url, "fileMatch": [*patterns]} for url, patterns in (schemas or {}).items()]
    return Server(
        _command("vscode-json-language-server"),
        settings={"json": {"schemas": listed, "validate": {"enable": True}}},
        options={"handledSchemaProtocols": ["file"], "provideFormatter": False},
    )


def _command(name: str) -> list[str]:
    return [str(HERE / "node_modules" / ".bin" / name), "--stdio"]


def _order(diagnostic: Json) -> tuple[int, int, str]:
    start = diagnostic["range"]["start"]
    return start["line"], start["character"], diagnostic["message"]


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise TypeError("the process has no such pipe")
    return stream
