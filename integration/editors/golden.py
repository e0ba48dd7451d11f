"""Files that record what editors and validators say, to be read by a person and compared."""

from __future__ import annotations

import os
from pathlib import Path

from integration.editors.lsp import HERE

__all__ = ["UPDATE", "assert_golden"]

UPDATE = bool(os.environ.get("EVALSET_UPDATE_GOLDEN"))


def assert_golden(name: str | Path, actual: str) -> None:
    """Compare a text with its record; EVALSET_UPDATE_GOLDEN=1 writes the record anew.

    Args:
        name: A name below `golden/`, or the whole path of a file elsewhere.
        actual: What was said now.
    """
    path = HERE / "golden" / name
    if UPDATE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(actual.encode())
    assert actual == path.read_bytes().decode()
