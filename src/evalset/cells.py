"""Texts in the cells of a spreadsheet: guarded against formulas, and read back as they were."""

from __future__ import annotations

import re

__all__ = ["guard_cell", "read_cell"]

# What spreadsheets take for the start of a formula (OWASP, "CSV Injection"), the full-width
# forms too, and behind quotes what was guarded before, so that reading takes away just one.
_FORMULA = re.compile("'*[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]")


def guard_cell(text: str) -> str:
    """Put `'` before a text that a spreadsheet would take for a formula.

    Guarantees:
        `read_cell` gives the text back, whatever it is.

    Example:
        >>> guard_cell("@scope/p/a/1"), guard_cell("p/a/1")
        ("'@scope/p/a/1", 'p/a/1')
    """
    return f"'{text}" if _FORMULA.match(text) else text


def read_cell(text: str) -> str:
    """Give back what `guard_cell` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
