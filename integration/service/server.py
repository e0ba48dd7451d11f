"""The service of examples/service under uvicorn, on loopback."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn
from examples.service.app import create_app

from evalset.costing import CostModel
from evalset.keys import KeyBy


@contextmanager
def serving(*, store: Path, costs: CostModel, key_by: KeyBy = "label") -> Generator[httpx.Client]:
    """Serve for a while, and give a client of the service."""
    app = create_app(store=store, costs=costs, key_by=key_by)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join()
