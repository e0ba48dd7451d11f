"""Hold the short way into YAML against the authoritative one, on as many texts as wanted.

    python fuzz/yaml_subset.py --texts 5000000 --mutations 200000 --seed 1

Three parts: every text up to a length, over small alphabets; random texts of up to 30
characters, over a nasty alphabet; manifests, whole and in part, with random damage. The
authoritative way is asked only where the short way accepts: to decline is never wrong.
Any difference is printed, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import attrs

from evalset.nodes import ReadLimits
from evalset.tree import to_plain
from evalset.yaml_subset import quick_yaml
from evalset.yaml_text import read_yaml

LIMITS = ReadLimits()

# Every text over these, up to the length behind them.
EXHAUSTIVE = (
    ("a1-: #\n", 7),
    ("a-:\n ", 9),
    ("a: \n[]{},", 6),
    ("a:\n '\"#", 7),
    ("a1-:?, \n[]{}\"'#&*!|>%@`~.0+_\r\t\\", 3),
)

CHARACTERS = (
    "ab1-: #,[]{}\"'\n\t&*!|>%@?~.0+_\r\ufeff\u0085\xa0\\`=<$x\u2028\u0663\u00e9\u3000\x00/"
)
PIECES = (
    *CHARACTERS,
    *("- ", ": ", " #", "\n", "\n  ", "\n- ", "\n  - ", "\n    ", "  ", "\r\n", "a: ", "a:\n"),
    *("b: ", "- a: ", "- - ", "? ", "---", "--- ", "---\n", "...", "...\n", "''", '""', '\\"'),
    *("a", "b", "c", "key", "null", "true", "False", "~", "yes", "12", "-1", "1.5", "1e3", ".5"),
    *("0x1", "010", "+1", ".inf", ".nan", "<<", "<<: ", "$a", "x-a: ", "a b", "a:b", "a#b", "[]"),
    *("{}", "[a, b]", "{a: b}", "{a: b, c: d}", "[[a], {b: c}]", '"a": ', "'a': ", '"a"', "'a'"),
    *("&a ", "*a", "!a ", "!!str ", "|\n", ">\n", "%YAML 1.2\n", ", ", "# c\n", "1-1-1", "\u0661"),
)
SEEDS = (
    """\
schema: evalset/v1
name: nightly
packs:
  - catalog/code-review
agents:
  - deployment: claude-opus-default
    label: opus  # the old one
  - deployment: gpt-default

models: []  # none
repeats: 3
seeds:
  strategy: auto
limits:
  max_concurrent_runs: 20
  budget_usd: 50.5
case_fanout: true
# end
""",
    """\
---
packs:
- a
- 'it''s'
-
agents:
- {deployment: a, label: "b c"}
-   deployment: b
    x-more:
      - 1
      -
        - deep
      - k:
        - v
seeds: {strategy: explicit, seeds: [1, 2, -3]}
models: [qwen2.5:72b, "m: n", 'o', ~, [], {}]
""",
    """\
schema: "evalset/v1"
"name": "Sweep 7: baseline"
limits:

  budget_usd: 1e3
scanners:
  # which
  - tool-misuse
x-notes:
  a.b/c@d: http://x/y#z
  n: -0
""".replace("\n", "\r\n"),
)


@attrs.define
class Count:
    """What became of the texts."""

    accepted: int = 0
    declined: int = 0
    differences: int = 0

    def look(self, text: str) -> None:
        """Read one text both ways."""
        try:
            quick = quick_yaml(text)
        except ValueError:
            self.declined += 1
            return
        self.accepted += 1
        root, faults = read_yaml(text, LIMITS)
        # `repr` tells 1, 1.0 and True apart, and the order of keys.
        slow = None if root is None or faults else to_plain(root)
        if root is None or faults or repr(slow) != repr(quick):
            self.differences += 1
            found = [fault.code for fault in faults] or slow
            print(f"DIFFERENCE {text!r}\n  quick: {quick!r}\n  slow: {found!r}", flush=True)


def exhaustive() -> Iterator[str]:
    """Give every short text over the small alphabets."""
    for alphabet, longest in EXHAUSTIVE:
        for length in range(longest + 1):
            yield from map("".join, itertools.product(alphabet, repeat=length))


def random_texts(count: int, rng: random.Random) -> Iterator[str]:
    """Give texts of up to 30 characters: of single characters, of pieces, of whole lines."""
    for index in range(count):
        if index % 4 == 0:
            yield "".join(rng.choices(CHARACTERS, k=rng.randint(1, 30)))
        elif index % 4 == 1:
            yield "".join(rng.choices(PIECES, k=rng.randint(1, 12)))[:30]
        else:
            yield "".join(random_line(rng) for _ in range(rng.randint(1, 6)))[:30]


def random_line(rng: random.Random) -> str:
    """Give a line that has the shape of YAML."""
    return "".join((
        " " * rng.choice((0, 0, 0, 1, 2, 2, 3, 4)),
        rng.choice(("", "", "- ", "-", "-  ", "- - ")),
        rng.choice(("", "a: ", "b:", "c: ", "d:  ", '"e": ', "f : ", "'g':")),
        "".join(rng.choices(PIECES, k=rng.choice((0, 1, 1, 1, 2, 3)))),
        rng.choice(("", "", "", " ", " #c", "#c")),
        rng.choice(("\n", "\n", "\n", "\r\n", "\r", "\n\n", "")),
    ))  # fmt: skip


def mutations(count: int, manifests: Sequence[str], rng: random.Random) -> Iterator[str]:
    """Give manifests, half of them only a few lines of one, with one to four faults."""
    for index in range(count):
        lines = rng.choice(manifests).splitlines(keepends=True)
        if index % 8:
            start = rng.randrange(len(lines))
            lines = lines[start : start + rng.randint(2, 8)]
        for _ in range(rng.randint(1, 4)):
            lines = damage(lines, rng) or lines
        yield "".join(lines)


def damage(lines: list[str], rng: random.Random) -> list[str]:
    """Change one thing, anywhere."""
    place = rng.randrange(len(lines))
    line = lines[place]
    at = rng.randint(0, len(line))
    match rng.randrange(8):
        case 0:
            return [*lines[:place], *lines[place + 1 :]]
        case 1:
            return [*lines[:place], line, *lines[place:]]
        case 2:  # another indentation
            line = " " * rng.randint(0, 6) + line.lstrip(" ")
        case 3:
            line = line[:at] + line[at + rng.randint(1, 3) :]
        case 4:
            other = rng.choice(lines)
            line = line[:at] + other[rng.randint(0, len(other)) :]
        case 5:
            line = line.rstrip("\r\n") + rng.choice(("\r", "\r\n", "", "\n\n", " \n"))
        case _:
            line = line[:at] + rng.choice(PIECES) + line[at:]
    return [*lines[:place], line, *lines[place + 1 :]]


def read_manifests(paths: Sequence[Path]) -> list[str]:
    """Give the seeds, and every YAML manifest in the files: itself, or in JSON lines."""
    texts: list[str] = [*SEEDS]
    for path in paths:
        text = path.read_text("utf-8")
        if path.suffix == ".jsonl":
            texts += [json.loads(line)["manifest"] for line in text.splitlines()]
        else:
            texts.append(text)
    return [text for text in texts if not text.startswith("{")]


def run(name: str, texts: Iterable[str]) -> int:
    """Look at texts, and tell how many were accepted and declined."""
    count, start = Count(), time.perf_counter()
    for text in texts:
        count.look(text)
    print(
        f"{name}: {count.accepted:,} accepted, {count.declined:,} declined, "
        f"{count.differences:,} differences, {time.perf_counter() - start:,.0f} s",
        flush=True,
    )
    return count.differences


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--texts", type=int, default=100_000, help="random texts")
    parser.add_argument("--mutations", type=int, default=10_000, help="damaged manifests")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--exhaustive", action="store_true", help="every short text, too")
    parser.add_argument("manifests", nargs="*", type=Path, help="more manifests to damage")
    options = parser.parse_args(arguments)
    manifests = read_manifests(options.manifests)
    rng = random.Random(options.seed)  # noqa: S311 (nothing secret)
    differences = run("manifests", manifests)
    differences += run("random", random_texts(options.texts, rng))
    differences += run("mutated", mutations(options.mutations, manifests, rng))
    if options.exhaustive:
        differences += run("exhaustive", exhaustive())
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
