"""Where manifests are kept: one table of SQLite, with the text of each."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

_TABLE = """
CREATE TABLE IF NOT EXISTS eval_sets (
    workspace_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    manifest TEXT NOT NULL,
    PRIMARY KEY (workspace_id, digest)
)
"""


class Store:
    """Manifests by workspace and digest; each call has a connection of its own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._connected() as connection:
            connection.execute(_TABLE)

    def add(self, workspace_id: UUID, digest: str, manifest: str) -> None:
        """Keep a manifest, unless it is there already."""
        with self._connected() as connection:
            connection.execute(
                "INSERT INTO eval_sets VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (str(workspace_id), digest, manifest),
            )

    def find(self, workspace_id: UUID, digest: str) -> str | None:
        """Give the text of a manifest, as it was stored."""
        with self._connected() as connection:
            found: tuple[str] | None = connection.execute(
                "SELECT manifest FROM eval_sets WHERE workspace_id = ? AND digest = ?",
                (str(workspace_id), digest),
            ).fetchone()
            return None if found is None else found[0]

    @contextmanager
    def _connected(self) -> Generator[sqlite3.Connection]:
        connection = sqlite3.connect(self._path)
        try:
            with connection:
                yield connection
        finally:
            connection.close()
