"""The short and the thorough ways, side by side.

The public face hides which way was taken, so laws about both must reach behind it. They
do so here and nowhere else.
"""

from typing import Any

from evalset import Diagnostic, Manifest
from evalset.checks import Checks
from evalset.explaining import explain as explain_data
from evalset.json_quick import quick_json
from evalset.json_text import read_json
from evalset.manifest import (
    _recognise,  # pyright: ignore[reportPrivateUsage]
    _structured,  # pyright: ignore[reportPrivateUsage]
)
from evalset.nodes import ReadLimits
from evalset.reading import (
    _read_quickly,  # pyright: ignore[reportPrivateUsage]
    _read_thoroughly,  # pyright: ignore[reportPrivateUsage]
)
from evalset.rules import rules
from evalset.sources import Format, Source, quick_data
from evalset.tree import to_plain

__all__ = [
    "breaks_a_rule",
    "data_quickly",
    "explain",
    "json_quickly",
    "json_thoroughly",
    "read_quickly",
    "read_thoroughly",
    "recognise",
    "structure",
]

_CHECKS = Checks()


def recognise(data: object) -> Manifest | None:
    """Build a manifest without cattrs, or decline."""
    return _recognise(data)


def structure(data: object) -> Manifest | None:
    """Build a manifest with cattrs, or decline."""
    return _structured(data, "error")


def explain(data: object) -> list[Diagnostic]:
    """Say what schema and rules find wrong in plain data."""
    return explain_data(data)


def breaks_a_rule(data: dict[str, Any]) -> bool:
    """Tell whether a rule beyond the schema has a finding; the data must obey the schema."""
    return any(True for rule in rules() for _ in rule(data))


def read_quickly(text: str, format: Format | None, checks: Checks = _CHECKS) -> Manifest | None:
    """Read a text without places, or decline."""
    return _read_quickly(Source(name="<text>", text=text, format=format), checks)


def read_thoroughly(
    text: str, format: Format | None, checks: Checks = _CHECKS
) -> tuple[Manifest | None, list[Diagnostic]]:
    """Read a text with places, and say what is wrong with it."""
    source = Source(name="<text>", text=text, format=format)
    manifest, found, _ = _read_thoroughly(source, None, checks)
    return manifest, found


def data_quickly(text: str, format: Format | None) -> object:
    """Give the plain data of a text without places; `Ellipsis` where this way declines."""
    try:
        return quick_data(Source(name="<text>", text=text, format=format))
    except ValueError:
        return ...


def json_quickly(text: str) -> object:
    """Give the plain data of JSON by the standard library; `Ellipsis` where it declines."""
    try:
        return quick_json(text)
    except ValueError:
        return ...


def json_thoroughly(text: str) -> object:
    """Give the plain data of JSON by the scanner with places; `Ellipsis` if it finds a fault."""
    root, faults = read_json(text, ReadLimits())
    return ... if root is None or faults else to_plain(root)
