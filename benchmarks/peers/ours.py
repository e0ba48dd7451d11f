"""The same work with evalset."""

from __future__ import annotations

from typing import Literal

import evalset


def report(text: str, format: Literal["json", "yaml"]) -> str:
    return evalset.expand(evalset.loads(text, format=format)).to_json()
