"""What somebody would write without evalset; each does all of the same work, and no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.peers import msgspec_structs, pydantic_yaml, ruamel_dicts

__all__ = ["PEERS"]

PEERS: dict[str, Callable[[str, Any], str]] = {
    "pydantic": pydantic_yaml.report,
    "msgspec": msgspec_structs.report,
    "ruamel.yaml, jsonschema, dicts": ruamel_dicts.report,
}
"""Each takes a text and its format, and gives the report as JSON."""
