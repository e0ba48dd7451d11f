"""The exceptions: a class where a caller would write another `except`, and no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evalset.diagnostics import Diagnostic

__all__ = ["EvalsetError", "ManifestError", "SelectionError"]

_SHOWN = 10  # diagnostics that str() lists


class EvalsetError(Exception):
    """Everything that this library raises for what a document or a host says.

    Misuse by the programmer is `TypeError` or `ValueError`; trouble with files is the
    `OSError` that the operating system gave.
    """

    def to_dict(self) -> dict[str, Any]:
        """Give the body of an HTTP answer (RFC 9457, application/problem+json)."""
        return {
            "type": "urn:evalset:problem:error",
            "title": "evalset error",
            "status": 500,
            "detail": str(self),
        }


@final
class ManifestError(EvalsetError, ValueError):
    """A manifest was refused.

    Attributes:
        diagnostics: Every finding, errors and warnings, in order of place.

    `str()` shows the first ten, each with its hint, and counts the rest.
    """

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take the findings.

        Raises:
            ValueError: None of them is an error.
        """
        self.diagnostics = tuple(diagnostics)
        if not any(diagnostic.is_error for diagnostic in self.diagnostics):
            raise ValueError("a manifest is refused for at least one error")
        super().__init__(self.diagnostics)

    def __reduce__(self) -> tuple[type[Self], tuple[tuple[Diagnostic, ...]], dict[str, Any]]:
        return type(self), (self.diagnostics,), self.__dict__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ManifestError):
            return NotImplemented
        return self.diagnostics == other.diagnostics

    def __hash__(self) -> int:
        return hash(self.diagnostics)

    def __str__(self) -> str:
        lines = [
            f"{diagnostic}\n    hint: {diagnostic.hint}" if diagnostic.hint else str(diagnostic)
            for diagnostic in self.diagnostics[:_SHOWN]
        ]
        if more := len(self.diagnostics) - _SHOWN:
            lines += [f"and {more} more"] if more > 0 else []
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Give the body of an HTTP answer (RFC 9457) with every diagnostic."""
        errors = sum(diagnostic.is_error for diagnostic in self.diagnostics)
        return {
            "type": "urn:evalset:problem:invalid-manifest",
            "title": "The manifest is not valid",
            "status": 422,
            "detail": f"{errors} error{'' if errors == 1 else 's'}; the first: "
            f"{next(d.message for d in self.diagnostics if d.is_error)}",
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
        }


@final
class SelectionError(EvalsetError, LookupError):
    """What was to be selected is not there: a typo, which must not run nothing in silence.

    Attributes:
        axis: `pack`, `agent`, `model`, `repeat` or `key`; `combination` where only all that
            was asked for together matches nothing.
        wanted: The text, pattern or number that matches nothing.
        message: What is told: it, and what comes near to it or what there is.
    """

    axis: str
    wanted: str
    message: str

    def __init__(self, axis: str, wanted: str, message: str) -> None:
        """Take what matches nothing, and what to say of it."""
        self.axis, self.wanted, self.message = axis, wanted, message
        super().__init__(axis, wanted, message)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SelectionError):
            return NotImplemented
        return self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)

    def __str__(self) -> str:
        return self.message

    def to_dict(self) -> dict[str, Any]:
        """Give the body of an HTTP answer (RFC 9457)."""
        return {
            "type": "urn:evalset:problem:nothing-selected",
            "title": "What was to be selected is not there",
            "status": 422,
            "detail": self.message,
        }
