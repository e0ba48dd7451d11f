"""What a plain YAML scalar means: YAML 1.2's core schema, and where other readers differ."""

from __future__ import annotations

import re
from typing import TypeAlias

from evalset.canonical import MAX_DIGITS
from evalset.nodes import OddNumber

__all__ = [
    "MAY_BE_NUMBER",
    "WORDS",
    "Scalar",
    "changes_in_yaml11",
    "is_json_number",
    "json_number",
    "may_be_octal",
    "octal_hint",
    "resolve",
]

Scalar: TypeAlias = str | int | float | bool | OddNumber | None

# RFC 8259, section 6.
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")

# YAML 1.2.2, section 10.3.2, tag resolution.
WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
"""The plain scalars that are null or boolean."""
_NUMBER = re.compile(
    r"""(?x:
      (?P<decimal> [-+]?[0-9]+ )
    | (?P<based> 0 (?: o[0-7]+ | x[0-9a-fA-F]+ ) )
    | (?P<float> [-+]? (?: \.[0-9]+ | [0-9]+ (?: \.[0-9]* )? ) (?: [eE][-+]?[0-9]+ )? )
    | (?P<infinite> [-+]? \. (?: inf | Inf | INF ) )
    | (?P<nan> \. (?: nan | NaN | NAN ) )
    )"""
)
MAY_BE_NUMBER = frozenset("0123456789+-.")
"""What the first character of a number may be."""

# YAML 1.1's type repository: bool, int, float, timestamp, merge and value. Compiled on
# demand: only warnings and the writer ask.
_YAML11 = r"""(?x:
      [yYnN] | yes | Yes | YES | no | No | NO | on | On | ON | off | Off | OFF
    | [-+]? 0b [01_]+ | [-+]? 0 [0-7_]+ | [-+]? (?: 0 | [1-9] [0-9_]* ) | [-+]? 0x [0-9a-fA-F_]+
    | [-+]? [0-9] [0-9_]* (?: : [0-5]? [0-9] )+ (?: \. [0-9_]* )?
    | [-+]? (?: [0-9] [0-9_]* )? \. [0-9_]* (?: [eE] [-+] [0-9]+ )?
    | [0-9]{4} - [0-9]{2} - [0-9]{2}
    | [0-9]{4} - [0-9]{1,2} - [0-9]{1,2} (?: [Tt] | [ \t]+ ) [0-9]{1,2} : [0-9]{2} : [0-9]{2}
      (?: \. [0-9]* )? (?: [ \t]* (?: Z | [-+] [0-9]{1,2} (?: : [0-9]{2} )? ) )?
    | << | =
    )"""
_MAY_CHANGE = frozenset("0123456789+-.yYnNoO<=")


def is_json_number(source: str) -> bool:
    """Tell whether a text is a number by JSON's grammar."""
    return _JSON_NUMBER.fullmatch(source) is not None


def json_number(source: str) -> int | float:
    """Read a number of JSON's grammar; an integer of over 400 digits is infinite."""
    match = _JSON_NUMBER.fullmatch(source)
    if match and not match[1] and not match[2]:
        return _integer(source)
    return float(source)


def resolve(source: str) -> Scalar:
    """Read a plain scalar as YAML 1.2 does.

    Returns:
        Null, boolean, text, or a number; a number that JSON's grammar does not have is
        an `OddNumber`.
    """
    if source[:1] not in MAY_BE_NUMBER:
        return WORDS.get(source, source)
    match = _NUMBER.fullmatch(source)
    if not match:
        return source
    if is_json_number(source):
        return json_number(source)
    return OddNumber(source, _yaml_number(source, str(match.lastgroup)))


def may_be_octal(source: str) -> bool:
    """Tell whether a whole number is another one to YAML 1.1, which takes `010` for 8."""
    octal = re.fullmatch("[-+]?0[0-7]{1,20}", source)
    return octal is not None and int(source, 8) != int(source)


def changes_in_yaml11(source: str) -> bool:
    """Tell whether a plain scalar that is text to YAML 1.2 is something else to YAML 1.1."""
    return (
        source[:1] in _MAY_CHANGE
        and isinstance(resolve(source), str)
        and re.fullmatch(_YAML11, source) is not None
    )


def octal_hint(source: str) -> str:
    """Say what else a leading zero may have meant: YAML 1.1 reads such numbers as octal.

    Returns:
        What to add to a hint that gives the decimal number, or nothing.
    """
    return f", or {int(source, 8)} if it was meant as octal" if may_be_octal(source) else ""


def _yaml_number(source: str, kind: str) -> int | float:
    if kind == "decimal":
        return _integer(source)
    if kind == "based":
        digits = source[2:]
        return int(digits, 8 if source[1] == "o" else 16) if len(digits) <= MAX_DIGITS else _INF
    return float(source if kind == "float" else source.replace(".", ""))


def _integer(source: str) -> int | float:
    if len(source) > MAX_DIGITS:
        return -_INF if source[0] == "-" else _INF
    return int(source)


_INF = float("inf")
