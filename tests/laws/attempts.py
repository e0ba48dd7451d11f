"""What came of a call that may refuse."""

from collections.abc import Callable
from typing import TypeVar

from evalset import ManifestError

__all__ = ["attempt"]

_T = TypeVar("_T")


def attempt(call: Callable[[], _T]) -> _T | ManifestError:
    """Give what a call returns, or the error by which it refuses."""
    try:
        return call()
    except ManifestError as error:
        return error
