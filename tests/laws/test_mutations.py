"""Real manifests, mutated one step at a time: every refusal is placed, short and in plain words.

Where `test_any_text` draws texts, these go through all of them: a manifest cut at every
byte, each of its lines deleted, repeated, swapped and indented otherwise, each value of
another type. So what a slip of the hand does to a manifest is seen, whatever is drawn.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest
from tests.laws.test_any_text import hold

from evalset import CheckResult, check_text
from evalset.catalogue import explain_code
from evalset.findings import write_text
from evalset.sources import Format

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.*"))
TEXTS = [
    pytest.param(path.read_text(encoding="utf-8"), id=path.name)
    for path in EXAMPLES
    if path.suffix in {".json", ".yaml"}
]
VALUES = (
    "", "~", "true", "010", "4.10", "-1", "0", "1e999", ".inf", "yes", "''", "a: b", "- a", "[",
    "]", "[[a]]", "{a: b}", '"', "'", "*a", "&a", "!a", "|", ">", "%", "@", "#", "\t", "\u00a0",
    "\x00", "2026-12-01", "夜間🚀", "a" * 1000, "null", "[null]", "{}", "[]", "1,000", "$5",
)  # fmt: skip
# What Python shows of its own values, and no message may.
_REPR = re.compile(
    r"\{'|\['|\('|\bNone\b|\bTrue\b|\bFalse\b|<[\w.]+ object|0x[0-9a-f]{6}|Traceback"
)


def refuse(text: str | bytes, format: Format | None = None) -> CheckResult:
    """Check a text, and hold what is said of it to the laws of every refusal."""
    result = check_text(text, format=format)
    hold(text, result)
    for each in result.diagnostics:
        shown = [each.message, each.hint or "", *(related.message for related in each.related)]
        assert [line for line in shown if _REPR.search(line)] == []
        assert explain_code(each.code)
    assert result.manifest or any(each.is_error for each in result.diagnostics)
    lines = write_text([result]).splitlines()
    assert [line for line in lines if len(line) > 600] == []
    return result


@pytest.mark.parametrize("text", TEXTS)
def test_a_manifest_cut_at_any_byte_is_refused_with_a_place(text: str) -> None:
    data = text.encode()
    whole = check_text(data)
    for end in range(len(data)):
        cut = refuse(data[:end])
        assert cut.manifest is None or cut.ok == whole.ok


def lines_of(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def deleted(lines: list[str], place: int) -> list[str]:
    return lines[:place] + lines[place + 1 :]


def repeated(lines: list[str], place: int) -> list[str]:
    return lines[: place + 1] + lines[place:]


def swapped(lines: list[str], place: int) -> list[str]:
    return [*lines[:place], *lines[place : place + 2][::-1], *lines[place + 2 :]]


def indented(by: str) -> Callable[[list[str], int], list[str]]:
    return lambda lines, place: [*lines[:place], by + lines[place], *lines[place + 1 :]]


def dedented(lines: list[str], place: int) -> list[str]:
    return [*lines[:place], lines[place].lstrip(" "), *lines[place + 1 :]]


def ended(by: str) -> Callable[[list[str], int], list[str]]:
    return lambda lines, place: [
        *lines[:place], lines[place].rstrip("\n") + by + "\n", *lines[place + 1 :]
    ]  # fmt: skip


STEPS: dict[str, Callable[[list[str], int], list[str]]] = {
    "deleted": deleted,
    "repeated": repeated,
    "swapped with the next": swapped,
    "indented by one": indented(" "),
    "indented by two": indented("  "),
    "indented by a tab": indented("\t"),
    "indented by a wide space": indented("\u3000"),
    "dedented": dedented,
    "ended by a colon": ended(":"),
    "ended by a comma": ended(","),
    "ended by a bracket": ended("]"),
    "ended by CR": ended("\r"),
}


@pytest.mark.parametrize("step", [pytest.param(step, id=name) for name, step in STEPS.items()])
@pytest.mark.parametrize("text", TEXTS)
def test_any_line_of_a_manifest_may_be_mangled(
    text: str, step: Callable[[list[str], int], list[str]]
) -> None:
    lines = lines_of(text)
    for place in range(len(lines)):
        refuse("".join(step(lines, place)))


def values(text: str) -> Iterator[tuple[int, int]]:
    """Give where the values of a manifest are, as far as a pattern tells."""
    for match in re.finditer(r"(?:: |- |\[)([^\s\[{#][^\n#\]}]*)", text):
        yield match.span(1)


@pytest.mark.parametrize("text", TEXTS)
def test_any_value_of_a_manifest_may_be_of_another_type(text: str) -> None:
    for place, (start, end) in enumerate(values(text)):
        for value in VALUES[place % 3 :: 3]:
            refuse(text[:start] + value + text[end:])


# How much work a text makes, counted in calls, not in seconds.

HEAD = "schema: evalset/v1\nname: sweep\nagents: [{deployment: a}]\n"
UUID = "0f0f0f0f-1111-4222-8333-44444444444"
GROWING: dict[str, Callable[[int], str]] = {
    "unknown keys": lambda count: HEAD + "".join(f"key{n}: 1\n" for n in range(count)),
    "one key again and again": lambda count: HEAD + "name: sweep\n" * count,
    "numbers for packs": lambda count: f"{HEAD}packs: [{'5, ' * count}]\n",
    "one pack again and again": lambda count: f"{HEAD}packs: [{'p, ' * count}]\n",
    "packs that are files": lambda count: (
        f"{HEAD}packs: [{', '.join(f'p{n}.yaml' for n in range(count))}]\n"
    ),
    "packs that are nearly UUIDs": lambda count: (
        f"{HEAD}packs:\n" + "".join(f"  - {UUID}-{n:04}\n" for n in range(count))
    ),
    "agents that are texts": lambda count: (
        "packs: [p]\nagents:\n" + "".join(f"  - a{n}\n" for n in range(count))
    ),
    "agents with other keys": lambda count: (
        "packs: [p]\nagents:\n" + "".join(f"  - name: a{n}\n" for n in range(count))
    ),
    "comments that ignore": lambda count: (
        f"{HEAD}packs:\n"
        + "".join(f"  - p{n}.yaml # evalset: ignore[looks-like-file]\n" for n in range(count))
    ),
    "comments that ignore nothing": lambda count: (
        f"{HEAD}packs: [p]\n" + "# evalset: ignore[zero-budget, zero]\n" * count
    ),
    "odd numbers as keys": lambda count: f"{HEAD}limits: {{budget_usd: 1{',000' * count}}}\n",
    "brackets that are not closed": lambda count: f"{HEAD}packs: {'[' * count}\n",
    "quotes that are not closed": lambda count: HEAD + "name: 'a\n" * count,
    "a long line": lambda count: f"{HEAD}packs: p {'p ' * count}: [\n",
    "trailing commas": lambda count: '{"packs": [' + '"p",, ' * count + "]}",
    "comments in JSON": lambda count: '{"packs": [' + '"p", // p\n' * count + "]}",
}


def count_calls(text: str) -> int:
    """Give how many functions are called, C's among them, to say all of a text."""
    calls = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        write_text([check_text(text)])
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("kind", GROWING)
def test_twice_as_many_faults_make_about_twice_the_work(kind: str) -> None:
    make = GROWING[kind]
    count_calls(make(2))  # what is loaded once
    few, many = count_calls(make(400)), count_calls(make(800))
    assert many <= 2.2 * few + 1000
