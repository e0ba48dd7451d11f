"""The identity of a combination: the matrix key, and short forms of it that fit anywhere.

The rules below never change within evalset/v1: finished work is found again by these
texts. Nothing here depends on Unicode tables, locale or the version of Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Literal, NewType, get_args

__all__ = [
    "DIALECTS",
    "ID_LENGTH",
    "TRIMMED",
    "CombinationId",
    "Fingerprint",
    "GroupId",
    "KeyBy",
    "KeyPart",
    "MatrixKey",
    "combination_id",
    "combination_number",
    "fingerprint",
    "fingerprints",
    "group_id",
    "is_blank",
    "matrix_key",
    "normalize_label",
    "number_of_id",
    "safe_name",
    "trim",
]

KeyPart = NewType("KeyPart", str)
"""A text in the form that it has inside a matrix key; only `normalize_label` makes one."""

MatrixKey = NewType("MatrixKey", str)
"""The identity of a combination; only `matrix_key` makes one."""

CombinationId = NewType("CombinationId", str)
"""26 characters, `c` and lower-case base32; only `combination_id` makes one."""

Fingerprint = NewType("Fingerprint", str)
"""26 characters, `f` and lower-case base32; only `fingerprint` makes one."""

GroupId = NewType("GroupId", str)
"""26 characters, `g` and lower-case base32; only `group_id` makes one."""

KeyBy = Literal["label", "deployment"]
"""The dialect: which part of an agent stands in the key."""

DIALECTS: tuple[str, ...] = get_args(KeyBy)
"""Every dialect."""

# The reference trims what Go calls white space: an explicit set, because str.strip()
# without one removes U+001C to U+001F as well.
TRIMMED = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""The characters that `trim` removes at both ends of a text."""

ID_LENGTH = 26
"""The length of every combination id."""

_ID_PREFIX = b"evalset/v1 combination\0"
_FINGERPRINT_PREFIX = b"evalset/v1 fingerprint\0"
_GROUP_PREFIX = b"evalset/v1 group\0"
_ID_BYTES = 16  # 25 base32 characters hold 125 of their 128 bits
_UNUSED_BITS = 3
_ID = re.compile("c[a-z2-7]{25}")
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"  # RFC 4648, in lower case
# What int(text, 32) takes; bytes are translated four times as fast as text.
_DIGITS = bytes.maketrans(_ALPHABET.encode(), b"0123456789abcdefghijklmnopqrstuv")
_UNREADABLE = re.compile("[^a-z0-9]+")


def trim(text: str) -> str:
    """Remove the reference's white space, `TRIMMED`, at both ends.

    Source: `strings.TrimSpace` of the reference. Zero-width characters stay.
    """
    return text.strip(TRIMMED)


def is_blank(text: str) -> bool:
    """Tell whether nothing is left of a text when it is trimmed."""
    return not trim(text)


def normalize_label(text: str) -> KeyPart:
    """Give a text the form that it has inside a matrix key.

    Trims the text, then turns every space (U+0020) into `-`. Runs of spaces are not
    collapsed; other white space, slashes and case stay.

    Guarantees:
        Pure, total over text, idempotent, and never changed within evalset/v1.

    Example:
        >>> normalize_label("  GPT 5 (mini) ")
        'GPT-5-(mini)'

    Raises:
        TypeError: The text is no str.

    Source: the specification, "Agent labels"; the frozen vectors of the test suite.
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is str, not {type(text).__name__}")
    return KeyPart(text.strip(TRIMMED).replace(" ", "-"))


def matrix_key(pack: str, *, agent: str, model: str | None = None, repeat: int) -> MatrixKey:
    """Compose the identity of one combination.

    Args:
        pack: The pack's reference, in any spelling that `normalize_label` takes.
        agent: What stands for the agent: its label or its deployment.
        model: The model's reference, or None for the implicit slot.
        repeat: The number of the repeat, from 1.

    Returns:
        `pack/agent/repeat` or `pack/agent/model/repeat`, each text normalized. A key is
        looked up, never taken apart: packs and models hold slashes.

    Raises:
        TypeError: A text is no str, or `repeat` no int.
        ValueError: A text is blank, or `repeat` is below 1.

    Example:
        >>> matrix_key("catalog/code-review", agent="Claude Opus", repeat=1)
        'catalog/code-review/Claude-Opus/1'
    """
    texts = (pack, agent) if model is None else (pack, agent, model)
    parts = [normalize_label(text) for text in texts]
    if type(repeat) is not int:
        raise TypeError(f"repeat is an int, not {type(repeat).__name__}")
    if not all(parts):
        raise ValueError(
            "a pack, agent or model is blank; each stands in the key with at least one character"
        )
    if repeat < 1:
        raise ValueError(f"repeat is {repeat}; repeats count from 1")
    return MatrixKey("/".join([*parts, str(repeat)]))


def combination_id(key: MatrixKey | str) -> CombinationId:
    """Give the short form of a matrix key that fits where a key does not.

    Returns:
        `c` and 25 lower-case base32 characters (125 bits) of SHA-256 over a versioned
        prefix and the key's UTF-8. It fits file names, Kubernetes labels, workflow ids,
        artifact names and URLs, and no YAML reader takes it for a number.

    Raises:
        TypeError: The key is no str.
        ValueError: The key holds a lone surrogate, which no manifest can.

    Example:
        >>> combination_id("catalog/code-review/opus/1")
        'cafqcbhgupk5lo5okkx4nem6m5'
    """
    return CombinationId("c" + _short(_ID_PREFIX + str.encode(key)))


def combination_number(key: MatrixKey | str) -> int:
    """Give the number, of 125 bits, that a combination id writes in base 32.

    Many of them are made much faster than ids. Raises as `combination_id`.
    """
    return _number(_ID_PREFIX + str.encode(key))


def number_of_id(text: str) -> int | None:
    """Give the number that a combination id writes, or None if the text is no id.

    Example:
        >>> key = "catalog/code-review/opus/1"
        >>> number_of_id(combination_id(key)) == combination_number(key)
        True
    """
    return int(text[1:].encode().translate(_DIGITS), 32) if _ID.fullmatch(text) else None


def group_id(key: MatrixKey | str) -> GroupId:
    """Give the id that the repeats of one combination share.

    Args:
        key: The matrix key of any of them.

    Returns:
        `g` and 25 characters made as those of `combination_id`, with another prefix, of the
        key up to its last slash.

    Raises:
        TypeError: The key is no str.
        ValueError: The key has no slash, or holds a lone surrogate, which no manifest can.

    Example:
        >>> group_id("catalog/code-review/opus/1") == group_id("catalog/code-review/opus/2")
        True
    """
    start, slash, _ = str.rpartition(key, "/")  # no repeat holds a slash
    if not slash:
        raise ValueError(f"{key!r} is no matrix key; each holds a slash")
    return GroupId("g" + _short(_GROUP_PREFIX + start.encode()))


def fingerprint(
    pack: str, *, deployment: str, model: str | None, repeat: int, seed: int | None
) -> Fingerprint:
    """Give the short form of what one combination runs, whatever it is called.

    Args:
        pack: The pack's reference, trimmed.
        deployment: The agent's deployment, trimmed.
        model: The model's reference, trimmed, or None for the implicit slot.
        repeat: The number of the repeat, from 1.
        seed: Its seed, or None where the harness picks one.

    Returns:
        `f` and 25 characters made as those of `combination_id`, with another prefix, of the
        JSON list of the five, without white space and without needless escapes.

    Raises:
        ValueError: A text holds a lone surrogate, which no manifest can.

    Example:
        >>> fingerprint("catalog/code-review", deployment="gpt", model=None, repeat=1, seed=None)
        'fd4lwtngrmzyz2r5wyxhtkqd46'
    """
    return Fingerprint("f" + _short(_work(pack, deployment, model) + _run(repeat, seed)))


def fingerprints(
    works: Iterable[tuple[str, str, str | None]], seeds: Sequence[int | None]
) -> list[Fingerprint]:
    """Give the fingerprints of a product, each of its texts encoded once.

    Args:
        works: Pack, deployment and model, as `fingerprint` takes them.
        seeds: The seed of each repeat, in order, or None.

    Returns:
        For each of the works, in order, one fingerprint for each seed.
    """
    runs = [_run(repeat, seed) for repeat, seed in enumerate(seeds, 1)]
    starts = [_work(*work) for work in works]
    return [Fingerprint("f" + _short(start + run)) for start in starts for run in runs]


def _work(pack: str, deployment: str, model: str | None) -> bytes:
    from json.encoder import encode_basestring as quoted  # what json.dumps calls

    name = "null" if model is None else quoted(model)
    return _FINGERPRINT_PREFIX + f"[{quoted(pack)},{quoted(deployment)},{name}".encode()


def _run(repeat: int, seed: int | None) -> bytes:
    return f",{repeat},{'null' if seed is None else seed}]".encode()


def _short(data: bytes) -> str:
    """Give 125 bits of SHA-256 in base 32: 25 characters, the first of them of 5 bits."""
    number, two = _number(data), _pairs()
    high, low = number >> 60, number & 0xFFF_FFFF_FFFF_FFFF
    # Written out, and from small integers: this takes half the time of a loop.
    return (
        f"{two[high >> 60][1]}{two[high >> 50 & 1023]}{two[high >> 40 & 1023]}"
        f"{two[high >> 30 & 1023]}{two[high >> 20 & 1023]}{two[high >> 10 & 1023]}"
        f"{two[high & 1023]}{two[low >> 50]}{two[low >> 40 & 1023]}{two[low >> 30 & 1023]}"
        f"{two[low >> 20 & 1023]}{two[low >> 10 & 1023]}{two[low & 1023]}"
    )


def _number(data: bytes) -> int:
    return int.from_bytes(_sha256()(data).digest()[:_ID_BYTES], "big") >> _UNUSED_BITS


@cache
def _sha256() -> Callable[[bytes], Any]:
    import hashlib  # loads OpenSSL: 3 ms

    return hashlib.sha256


@cache
def _pairs() -> list[str]:
    """Give two characters for each 10 bits: three times as fast as base64.b32encode."""
    return [first + second for first in _ALPHABET for second in _ALPHABET]


def safe_name(key: MatrixKey | str, *, max_length: int = 63) -> str:
    """Give a readable name that always ends in the combination's id.

    Args:
        key: The matrix key.
        max_length: At most so many characters, 26 or more. 63 fits Kubernetes labels and
            Jobs, 52 a CronJob.

    Returns:
        `[a-z][a-z0-9-]*`: what is readable of the key in ASCII, `-`, the id. Where
        nothing is readable, or no room is left, the id alone.

    Raises:
        TypeError: The key is no str, or `max_length` no number.
        ValueError: `max_length` is below 26, the length of an id; or as for `combination_id`.

    Example:
        >>> safe_name("catalog/code-review/opus/1")
        'catalog-code-review-opus-1-cafqcbhgupk5lo5okkx4nem6m5'
    """
    if max_length < ID_LENGTH:
        raise ValueError(f"max_length is {max_length}; an id alone has {ID_LENGTH} characters")
    identity = combination_id(key)
    readable = _UNREADABLE.sub("-", str.translate(key, _LOWER)).lstrip("-0123456789")
    readable = readable[: max(0, max_length - ID_LENGTH - 1)].rstrip("-")
    return f"{readable}-{identity}" if readable else identity


# str.lower() follows Unicode tables, which change with the version of Python.
_LOWER = {ord(upper): ord(upper) + 32 for upper in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
