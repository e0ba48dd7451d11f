"""What each code means, at length: one packaged page of Markdown for each."""

from __future__ import annotations

import pkgutil

from evalset.diagnostics import CODES

__all__ = ["explain_code"]


def explain_code(code: str) -> str:
    r"""Give the page of a code: why it is found, an example, and what to write instead.

    Args:
        code: A name of `CODES`.

    Returns:
        Markdown, with the code as its heading.

    Raises:
        ValueError: There is no such code.

    Example:
        >>> explain_code("zero-budget").splitlines()[2]
        '*warning* · A budget of 0 means no budget.'
    """
    if code not in CODES:
        raise ValueError(f"{code!r} is no code of the catalogue")
    data = pkgutil.get_data("evalset", f"codes/{code}.md")  # works from a zip
    return (data or b"").decode()
