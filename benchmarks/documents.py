"""The documents that are measured: what people write, and the largest that they may."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

__all__ = ["DOCUMENTS", "FILES", "JSON", "YAML", "broken", "outside"]

FILES = Path(__file__).parent / "documents"


def _large(packs: int, agents: int) -> str:
    """Write a manifest as a program would: UUIDs, no comments."""
    lines = ["schema: evalset/v1", f"name: {packs} packs", "packs:"]
    for number in range(packs):
        spread = (number + 1) * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128
        lines.append(f"  - {uuid.UUID(int=spread, version=4)}")
    lines.append("agents:")
    for number in range(agents):
        lines += [f"  - deployment: deployment-{number}-default", f"    label: agent-{number}"]
    return "\n".join([*lines, "limits:", "  budget_usd: 500", ""])


YAML = {
    "small": (FILES / "small.yaml").read_text(encoding="utf-8"),
    "typical": (FILES / "typical.yaml").read_text(encoding="utf-8"),
    "500 x 4": _large(500, 4),
    "2000 x 1": _large(2000, 1),
}
"""The size of each is its name or in it; all are in the subset that has a short way."""


def _json(text: str) -> str:
    from yaml import CSafeLoader, load

    return json.dumps(load(text, CSafeLoader), ensure_ascii=False, indent=2)


JSON = {name: _json(text) for name, text in YAML.items()}
"""The same documents as JSON, as a program would send them."""

outside = (FILES / "outside.yaml").read_text(encoding="utf-8")
"""As large as the typical one, with anchors, block scalars and flow over several lines."""

_SLIPS = {
    "repeats:": "repeat:",
    "case_fanout: true": "case_fanout: yes",
    "label: haiku": "label: 4.10",
    "budget_usd:": "budget:",
    "catalog/text-to-sql": "catalog/swe-bug-fix",
}


def _broken(text: str) -> str:
    for right, wrong in _SLIPS.items():
        text = text.replace(right, wrong, 1)
    return text


broken = _broken(YAML["typical"])
"""The typical document with five slips of the hand."""

DOCUMENTS = {
    **{f"{name}, YAML": (text, "yaml") for name, text in YAML.items()},
    **{f"{name}, JSON": (text, "json") for name, text in JSON.items()},
    "outside the subset, YAML": (outside, "yaml"),
}
"""Every document with its format."""
