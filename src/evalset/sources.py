"""Where a manifest comes from: a text, decoded, bounded, and read the short way."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, final

import attrs

from evalset.nodes import MAX_DEPTH, Path, ReadLimits
from evalset.quoting import quote
from evalset.shapes import demand, is_mapping, is_sequence

if TYPE_CHECKING:
    from evalset.faults import Fault

__all__ = [
    "Format",
    "Source",
    "decode",
    "descend",
    "mark_of",
    "parse_pointer",
    "quick_data",
    "size_of",
]

Format: TypeAlias = Literal["json", "yaml"]
"""How a text is written."""

# What UTF-16 and UTF-32 make of two or more characters of ASCII (RFC 4627, section 3).
_HALF_NULL = re.compile(rb"(?:\0[^\0]){2}|(?:[^\0]\0){2}|\0{3}[^\0]|[^\0]\0{3}")
_MARK = "\ufeff"
_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")


@final
@attrs.frozen(kw_only=True)
class Source:
    """Where a manifest came from, kept so that its places can be found again.

    Attributes:
        name: The path, or whatever the caller called the text.
        text: The text, without a byte order mark.
        mark: The byte order mark that stood before it, or nothing.
        format: `json` or `yaml`, or None: what starts with `{` may be either.
        at: JSON Pointer of the manifest inside the document; empty for the whole of it.
        limits: What the reader took.
    """

    name: str
    text: str
    format: Format | None = None
    at: str = ""
    limits: ReadLimits = ReadLimits()
    mark: str = ""

    @property
    def may_be_json(self) -> bool:
        """Whether the text is tried as JSON."""
        return self.format == "json" or (
            self.format is None and self.text.lstrip(" \t\r\n").startswith("{")
        )

    def __attrs_post_init__(self) -> None:
        if self.format not in {None, "json", "yaml"}:
            raise ValueError(f"format is {self.format!r}; it is 'json', 'yaml' or None")
        if self.at != "":
            parse_pointer(self.at)


def parse_pointer(pointer: str) -> Path:
    """Split a JSON Pointer (RFC 6901) into its steps.

    Raises:
        ValueError: The text is not a JSON Pointer: `/` and a step, any number of times.
    """
    if not _POINTER.fullmatch(pointer):
        raise ValueError(f"{pointer!r} is no JSON Pointer; write it as in '/manifest'")
    steps = pointer.split("/")[1:]
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)


def mark_of(data: str | bytes) -> str:
    """Give the byte order mark that a text begins with, or nothing."""
    begins = data.startswith(_MARK) if isinstance(data, str) else data.startswith(BOM_UTF8)
    return _MARK if begins else ""


def decode(data: str | bytes, limits: ReadLimits) -> tuple[str, Fault | None]:
    """Decode UTF-8, drop a byte order mark, and hold the text to its limit.

    Returns:
        The text, and what is wrong with it. A text that is too large is not decoded.

    Raises:
        TypeError: The data is neither str nor bytes, or the limits are none.
    """
    if not isinstance(data, (str, bytes)):
        raise TypeError(f"a text is str or bytes, not {type(data).__name__}")
    if size_of(data, demand(limits, ReadLimits, "limits").size) > limits.size:
        from evalset.faults import too_large

        return "", too_large(limits.size)
    if isinstance(data, str):
        return data.removeprefix(_MARK), None
    data = data.removeprefix(BOM_UTF8)
    if _HALF_NULL.match(data):
        return data.decode(errors="replace"), _not_utf8("the text is UTF-16 or UTF-32", 0)
    try:
        return data.decode(), None
    except UnicodeDecodeError as error:
        place = len(data[: error.start].decode())
        return data.decode(errors="replace"), _not_utf8(_encoding(data, error), place)


def size_of(data: str | bytes, limit: int) -> int:
    """Give the size in bytes of UTF-8, or, where that is certain, a number within the limit."""
    if isinstance(data, bytes) or len(data) > limit or 4 * len(data) <= limit:
        return len(data)
    return len(data.encode("utf-8", "surrogatepass"))


def _encoding(data: bytes, error: UnicodeDecodeError) -> str:
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "the text is UTF-32"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "the text is UTF-16"
    return f"the byte 0x{data[error.start]:02x} can't stand here in UTF-8"


def _not_utf8(problem: str, place: int) -> Fault:
    from evalset.faults import Fault

    message = problem if "byte" in problem else f"{problem}; a manifest is UTF-8"
    return Fault("not-utf8", message, place, place + 1, hint="save the file as UTF-8")


def quick_data(source: Source) -> Any:  # noqa: ANN401 (plain data)
    """Read a text the short way, without places.

    Raises:
        ValueError: The text is not such that this way is sure to agree with
            `read_document`, which must be asked.
    """
    # Each reader is loaded when it is needed: its patterns take a while to compile.
    if source.may_be_json:
        if not _is_surely_small(source):
            raise ValueError("the long way counts the values")
        from evalset.json_quick import quick_json

        data = quick_json(source.text)
    else:
        from evalset.yaml_subset import quick_yaml

        data = quick_yaml(source.text, source.limits)
    try:
        return descend(data, source.at)
    except LookupError as error:
        raise ValueError("the long way tells what is not there") from error


def _is_surely_small(source: Source) -> bool:
    """Tell whether JSON is within the limits on values and nesting, by a look at its marks.

    Below the keys of a manifest nothing nests but extensions, which have a bound of
    their own within the greatest depth; a larger body may nest anywhere.
    """
    opened = sum(map(source.text.count, "[{"))
    most_depth = opened if source.at or source.limits.depth < MAX_DEPTH else 0
    most_values = 1 + opened + source.text.count(",")
    return most_values <= source.limits.nodes and most_depth <= source.limits.depth


def descend(data: object, pointer: str) -> Any:  # noqa: ANN401 (plain data)
    """Give the value in plain data that a JSON Pointer names.

    Raises:
        LookupError: There is no such value.
    """
    for step in map(str, parse_pointer(pointer)):
        if is_mapping(data) and step in data:
            data = data[step]
        elif is_sequence(data) and step in map(str, range(len(data))):
            data = data[int(step)]
        else:
            raise LookupError(f"the data has no value at {quote(pointer)}")
    return data
