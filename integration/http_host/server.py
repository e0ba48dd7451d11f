"""A small real HTTP server on loopback, which misbehaves when it is told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

import attrs

from evalset.testing.contracts import World

PAGE = 20
STATUSES = {
    "forbidden": 403,
    "unauthorized": 401,
    "not-here": 404,
    "rate-limit": 429,
    "server-error": 500,
    "unavailable": 503,
}
TROUBLES = (*STATUSES, "timeout", "refused", "cut-off", "no-json", "other-json", "second-page")
"""What the server can do wrong; `second-page` answers the first page of a list well."""


class Service(ThreadingHTTPServer):
    """The server, and what it holds."""

    daemon_threads = True

    def __init__(self, world: World) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.world = world
        self.made: list[str] = []
        self.requests: list[str] = []
        self.stopping = threading.Event()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def stop(self) -> None:
        """End it, with everything that still waits."""
        self.stopping.set()
        self.shutdown()
        self.server_close()


def start(world: World) -> Service:
    """Start a server; `stop` ends it."""
    service = Service(world)
    threading.Thread(target=service.serve_forever, args=(0.01,), daemon=True).start()
    return service


@contextmanager
def serving(world: World) -> Generator[Service]:
    """Serve a world for a while."""
    service = start(world)
    try:
        yield service
    finally:
        service.stop()


class _Handler(BaseHTTPRequestHandler):
    @property
    def service(self) -> Service:
        return cast("Service", self.server)

    def do_GET(self) -> None:
        self.service.requests.append(self.path)
        url = urlsplit(self.path)
        cursor = parse_qs(url.query).get("cursor", ["0"])[0]
        trouble = self.service.world.trouble
        if trouble == "second-page":
            trouble = "server-error" if cursor != "0" else None
        if self.misbehaves(trouble):
            return
        world = self.service.world
        lists: dict[str, Sequence[Any]] = {"/packs": world.packs, "/deployments": world.agents}
        items = lists[url.path]
        start = int(cursor)
        more = start + PAGE < len(items) or self.service.world.trouble == "second-page"
        page = [attrs.asdict(item) for item in items[start : start + PAGE]]
        self.answer(200, {"items": page, "next": str(start + PAGE) if more else None})

    def do_POST(self) -> None:
        self.service.requests.append(self.path)
        trouble = self.service.world.trouble
        if self.misbehaves("server-error" if trouble == "second-page" else trouble):
            return
        slug = unquote(self.path.split("/")[2])
        if slug not in self.service.world.catalog:
            self.answer(404, {"code": "no-such-slug"})
            return
        self.service.made.append(slug)
        self.answer(201, {"id": f"made-{len(self.service.made)}"})

    def misbehaves(self, trouble: str | None) -> bool:
        if trouble is None:
            return False
        if trouble in STATUSES:
            self.answer(STATUSES[trouble], {"code": trouble})
        elif trouble == "timeout":
            self.service.stopping.wait(10)
        elif trouble == "cut-off":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"items": [')
        elif trouble == "no-json":
            self.answer_text(200, "<html>Please log in</html>")
        elif trouble == "other-json":
            self.answer(200, {"error": "quota exceeded"})
        self.close_connection = True  # `refused`: without a word
        return True

    def answer(self, status: int, body: object) -> None:
        self.answer_text(status, json.dumps(body))

    def answer_text(self, status: int, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        if status in {429, 503}:
            self.send_header("Retry-After", "30")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
