"""What a stranger may send, and what comes of it: one process for each attack, within limits.

`python tests/attacks.py --document` measures every attack and writes the table of
`docs/explanation/security.md` anew; the tests ask only that each ends as it must, within bounds
that no machine should need.
"""

import json
import os
import re
import resource
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import attrs

import evalset
from evalset import check_text, expand, loads
from evalset.findings import write_concise, write_github, write_sarif, write_text
from evalset.formats import write_csv, write_keys, write_table
from evalset.markdown import write_markdown
from evalset.quoting import escape
from evalset.records import RecordFormat, parse_records
from evalset.reports import write_github_matrix

__all__ = ["ATTACKS", "DOCS", "MARK", "MEMORY", "SECONDS", "Outcome", "run", "table"]

MEMORY = 512 * 1024 * 1024
"""Bytes of address space that an attack may have; the interpreter alone takes a tenth."""

SECONDS = 60
"""Seconds of processor time that an attack may have, on any machine."""

HEAD = "schema: evalset/v1\nname: nightly\npacks: [p]\nagents: [{deployment: a}]\n"
JSON = '{"schema": "evalset/v1", "name": "nightly", "packs": ["p"], "agents": [{"deployment": "a"}]'
MARK = "<!-- attacks -->"
DOCS = Path(__file__).parent.parent / "docs" / "explanation" / "security.md"


@attrs.frozen
class Outcome:
    """What an attack took: seconds of the processor, bytes of memory at most, and its end."""

    seconds: float
    memory: int
    status: int
    error: str


# Texts that are made to cost much: each is refused for one code, or read (None).


def bomb(levels: int, fan: int) -> str:
    """Give aliases to lists of aliases."""
    lines = [
        f"  a{level}: &a{level} [{', '.join([f'*a{level - 1}' if level else 'lol'] * fan)}]\n"
        for level in range(levels)
    ]
    return f"{HEAD}x-bomb:\n{''.join(lines)}"


def merges(levels: int, fan: int) -> str:
    """Give mappings that merge lists of mappings."""
    pairs = ", ".join(f"k{key}: {{n: 1}}" for key in range(fan))
    lines = [f"  a0: &a0 {{{pairs}}}\n"]
    for level in range(1, levels):
        merged = ", ".join([f"*a{level - 1}"] * fan)
        pairs = ", ".join(f"m{level}-{key}: *a{level - 1}" for key in range(fan))
        lines.append(f"  a{level}: &a{level} {{<<: [{merged}], {pairs}}}\n")
    return f"{HEAD}x-bomb:\n{''.join(lines)}"


def in_json(value: str) -> str:
    """Put a value below an extension key of a manifest in JSON."""
    return f'{JSON}, "x-a": {value}}}'


_QUOTED = "', '".join(["[" * 65] * 9)
_FULL = 250_000  # bytes, nearly as many as YAML may have
TEXTS: dict[str, tuple[Callable[[], str | bytes], str | None]] = {
    "alias bomb, 9 levels of 9": (lambda: bomb(9, 9), "too-many-nodes"),
    "alias bomb, 200 levels of 40": (lambda: bomb(200, 40), "too-many-nodes"),
    "merge bomb, 9 levels of 9": (lambda: merges(9, 9), "too-many-nodes"),
    "25,000 merges of one mapping": (
        lambda: f"{HEAD}x-a: &a {{k: 1}}\nx-b:\n" + "- <<: *a\n" * 25_000, "too-many-nodes",
    ),
    "a value that holds itself": (lambda: HEAD + "x-a: &a [*a]\n", "recursive-alias"),
    "250,000 of [ in YAML": (lambda: HEAD + "x-a: " + "[" * _FULL, "too-deep"),
    "60,000 of {a: in YAML": (lambda: HEAD + "x-a: " + "{a: " * 60_000, "too-deep"),
    "deep brackets behind quoted ones": (
        lambda: f"{HEAD}x-a: ['{_QUOTED}', {'[' * 200_000}",
        "too-deep",
    ),
    "lists 50 deep, side by side": (
        lambda: f"{HEAD}x-a: [{', '.join(['[' * 50 + ']' * 50] * 2400)}]\n",
        "too-many-nodes",
    ),
    "the same, with quoted brackets": (
        lambda: f"{HEAD}x-a: [{', '.join(['[' * 50 + ']' * 50] * 2400)}, '{_QUOTED}']\n",
        "too-many-nodes",
    ),
    "120,000 dashes in a row": (lambda: "- " * 120_000, "too-deep"),
    "120,000 question marks in a row": (lambda: "? " * 120_000, "too-deep"),
    "500,000 of [ in JSON": (lambda: in_json("[" * 500_000), "too-deep"),
    '100,000 of {"a": in JSON': (lambda: in_json('{"a":' * 100_000), "too-deep"),
    "300,000 empty lists in JSON": (lambda: in_json(f"[{'[],' * 300_000}[]]"), "too-many-nodes"),
    "a number of 200,000 digits": (
        lambda: f"{HEAD}x-a: {'1' * 200_000}\n", "extension-not-json",
    ),
    "a hexadecimal one of 200,000": (
        lambda: f"{HEAD}x-a: 0x{'f' * 200_000}\n", "extension-not-json",
    ),
    "JSON with 1,000,000 digits": (lambda: in_json("9" * 1_000_000), "extension-not-json"),
    "repeats: 1e999999999": (lambda: HEAD + "repeats: 1e999999999\n", "not-finite"),
    "repeats: 10**18": (lambda: f"{HEAD}repeats: {10**18}\n", "too-many-combinations"),
    "a budget of 400 digits": (
        lambda: f"{HEAD}limits: {{budget_usd: {'9' * 400}}}\n", "not-finite",
    ),
    "a key of 1,000,000 bytes in JSON": (
        lambda: f'{JSON}, "{"k" * 1_000_000}": 1}}', "unknown-key",
    ),
    "a bare key of 1,000,000 bytes": (lambda: "{" + "k" * 1_000_000, "too-large"),
    "50,000 equal keys": (lambda: HEAD + "a: 1\n" * 50_000, "duplicate-key"),
    "90,000 equal keys in JSON": (
        lambda: in_json("1" + ', "a": 1' * 90_000), "duplicate-key",
    ),
    "45,000 unknown keys in JSON": (
        lambda: JSON + "".join(f', "repeat{at}": 1' for at in range(45_000)) + "}", "unknown-key",
    ),
    "80,000 undefined aliases": (lambda: f"{HEAD}x-a: [{'*a,' * 80_000}]\n", "undefined-alias"),
    "48,000 foreign tags": (lambda: f"{HEAD}x-a: [{'!a b,' * 48_000}]\n", "foreign-tag"),
    "60,000 equal packs": (
        lambda: JSON.replace('["p"]', json.dumps(["p"] * 60_000)) + "}", "too-many-combinations",
    ),
    "60,000 nulls": (
        lambda: JSON.replace('["p"]', json.dumps([None] * 60_000)) + "}", "too-many-combinations",
    ),
    "2,000 packs that collide": (
        lambda: JSON.replace('["p"]', json.dumps([f"p{' -'[at % 2]}{at // 2}" for at in range(
            2000)])) + "}", "duplicate-pack",
    ),
    "2,000 labels that look alike": (
        lambda: JSON.replace('[{"deployment": "a"}]', json.dumps(
            [{"deployment": f"d{at}", "label": "Ab" * 50 + f"{at:b}"} for at in range(2000)]))
        + "}", None,
    ),
    "200,001 single quotes": (lambda: HEAD + "x-a: " + "'" * 200_001, "yaml-syntax"),
    "60,000 escapes in quotes": (lambda: HEAD + 'x-a: "' + "\\x41" * 60_000 + '"\n', None),
    "a quoted text over 120,000 lines": (
        lambda: HEAD + 'x-a: "' + "a\n\n " * 60_000 + '"\n', None,
    ),
    "an open quote before 250,000 bytes": (lambda: HEAD + 'x-a: "' + "a " * 120_000,
                                           "yaml-syntax"),
    "a name of 1:1:1:...": (lambda: HEAD.replace("nightly", "1" + ":1" * 120_000), None),
    "a name of 1_1_1_...x": (lambda: HEAD.replace("nightly", "1" + "_1" * 120_000 + "x"), None),
    "a name of 000...x": (lambda: HEAD.replace("nightly", "0" * _FULL + "x"), None),
    "a name of blanks": (
        lambda: HEAD.replace("nightly", '"' + "\\_" * 120_000 + 'x"'), None,
    ),
    "a pack of 250,000 slashes": (lambda: HEAD.replace("[p]", f"[{'/' * 240_000}]"), None),
    "a scanner nearly right, 800 KB": (
        lambda: f'{JSON}, "scanners": ["{"reward-hacking" * 60_000}"]}}', None,
    ),
    "120,000 comments": (lambda: HEAD + "#\n" * 120_000, None),
    "20,000 anchors": (
        lambda: HEAD + "x-a:\n" + "".join(f"- &a{at} b\n" for at in range(20_000)), None,
    ),
    "%TAG 20,000 times": (lambda: "%TAG !a! b\n" * 20_000 + HEAD, "yaml-syntax"),
    "%YAML 1.1": (lambda: "%YAML 1.1\n---\n" + HEAD, "yaml-directive"),
    "60,000 documents": (lambda: HEAD + "---\n" * 60_000, "several-documents"),
    "!!python/object/apply": (
        lambda: HEAD + "x-a: !!python/object/apply:os.system ['true']\n", "foreign-tag",
    ),
    "20 MB": (lambda: b"a" * 20_000_000, "too-large"),
    "1 MB of 0xFF": (lambda: b"\xff" * 1_000_000, "not-utf8"),
    "250,000 times NUL": (lambda: HEAD + 'x-a: "' + "\0" * 240_000 + '"', "forbidden-character"),
    "lone surrogates in JSON": (lambda: in_json('"\\ud800"'), "extension-not-json"),
    "UTF-16": (lambda: HEAD.encode("utf-16"), "not-utf8"),
}  # fmt: skip


def refused(kind: type[Exception], call: Callable[[], object]) -> str:
    """Give what a refusal says; empty where there is none."""
    try:
        call()
    except kind as error:
        return str(error)
    return ""


def attack_with_text(name: str) -> None:
    """Check a text; where it is read, load and expand it, and write the report."""
    make, code = TEXTS[name]
    text = make()
    result = check_text(text)
    assert len(result.diagnostics) <= 201
    told = sum(len(each.message) + len(each.hint or "") for each in result.diagnostics)
    assert told < 300 * 201
    if code is None:
        assert result.ok
        assert expand(loads(text)).to_json()
        return
    assert code in {each.code for each in result.diagnostics}
    assert len(str(evalset.ManifestError(result.diagnostics))) < 10_000


# Names that are made to be taken for something else where they are shown.

BAD = {
    "escapes of terminals": "\\u001b]0;owned\\u0007\\u001b[31m",
    "right-to-left overrides": "a\\u202ecba\\u2066",
    "breaks of lines": "a\\n::error::b\\r\\u2028c",
    "NUL and C1": "a\\u0000b\\u0085\\u009b31m",
    "lone surrogates": "a\\ud800b\\udfff",
}
FIELDS = ("schema", "name", "packs", "deployment", "label", "models", "strategy", "scanners", "key")
NAMES = {
    "formulas of spreadsheets": '=HYPERLINK("http://a")',
    "a formula behind a tab": "@SUM(1+1)*cmd|' /C calc'!A0",
    "HTML": "<img src=x onerror=alert(1)>&\"'</td>",
    "commands of GitHub": "::set-output name=a::b%0A::error::c",
    "expressions of GitHub": "${{ secrets.TOKEN }}",
    "Markdown": "|`![a](b)` <b>`` [c](javascript:d)",
    "paths": "../../etc/passwd",
    "a long path": "../" * 60 + "a",
    "a name of a device": "CON",
}


def attack_with_characters(text: str) -> None:
    """Put characters that are not shown into every field, and show the findings in every way."""
    for field in FIELDS:
        values: dict[str, Any] = dict.fromkeys(FIELDS, '"a"')
        values |= {"schema": '"evalset/v1"', "strategy": '"auto"', "key": '"x-a"'}
        values[field] = f'"{text}"'
        body = (
            '{{"schema": {schema}, "name": {name}, "packs": [{packs}], "agents": [{{"deployment":'
            ' {deployment}, "label": {label}}}], "models": [{models}], "seeds": {{"strategy":'
            ' {strategy}}}, "scanners": [{scanners}], {key}: 1}}'
        ).format(**values)
        result = check_text(body)
        assert result.diagnostics
        shown = [
            write_text([result]), write_concise([result]), write_github([result]),
            *map(str, result.diagnostics),
        ]  # fmt: skip
        for line in "\n".join(shown).split("\n"):
            assert escape(line) == line
        commands = [line for line in write_github([result]).split("\n") if line.startswith("::")]
        assert len(commands) == len(result.diagnostics)
        json.loads(write_sarif([result]))
        picture = result._repr_html_()  # pyright: ignore[reportPrivateUsage] # what a notebook calls
        ET.fromstring(f"<div>{picture}</div>")  # noqa: S314 (our own text)


def attack_with_name(text: str) -> None:
    """Name everything so, and look at every way to show an expansion."""
    manifest = evalset.Manifest(
        text, packs=[text], agents=[evalset.Agent(text, label=text)], models=[text], repeats=2
    )
    expansion = expand(manifest)
    for cell in expansion:
        assert re.fullmatch(r"[a-z][a-z0-9-]{0,62}", cell.safe_name())
        assert re.fullmatch(r"c[a-z2-7]{25}", cell.id)
    for row in write_csv(expansion).splitlines()[1:]:
        assert not re.search(r'(?:^|,)"?[=+@-]', row)
    for line in write_table(expansion).split("\n"):
        assert escape(line) == line
    picture = expansion._repr_html_()  # pyright: ignore[reportPrivateUsage] # as above
    page = ET.fromstring(f"<div>{picture}</div>")  # noqa: S314 (our own text)
    assert {each.tag for each in page.iter()}.isdisjoint({"img", "script", "b", "a"})
    markdown = write_markdown(expansion)
    assert "<img" not in re.sub(r"`+[^`]*`+", "", markdown)
    json.loads(write_github_matrix(expansion, shards=2))
    assert loads(evalset.dumps(manifest)) == manifest
    records = parse_records(write_keys(expansion), format="keys")
    assert evalset.reconcile(expansion, records).is_complete


def attack_with_records(text: str) -> None:
    """Give what is no record of a run, and ask for what matches nothing."""
    formats: tuple[RecordFormat, ...] = ("keys", "jsonl", "csv")
    for format in formats:
        told = refused(evalset.RecordError, partial(parse_records, text, format=format))
        assert len(told) < 500


def attack_with_pattern(text: str) -> None:
    """Select by a pattern from keys that it nearly matches."""
    cells = expand(evalset.Manifest("n", packs=["a" * 5000], agents=[evalset.Agent("a" * 5000)]))
    assert len(refused(evalset.SelectionError, lambda: cells.select(keys=text, pack=text))) < 6000


ATTACKS: dict[str, Callable[[], None]] = {
    **{name: partial(attack_with_text, name) for name in TEXTS},
    **{f"{name}, in every field": partial(attack_with_characters, BAD[name]) for name in BAD},
    **{f"{name} as names": partial(attack_with_name, NAMES[name]) for name in NAMES},
    "records of 1,000,000 brackets": lambda: attack_with_records("[" * 1_000_000),
    "records of an open quote": lambda: attack_with_records('id,outcome\n"' + "a\n" * 300_000),
    "records of 4,301 digits": lambda: attack_with_records('{"id": ' + "9" * 4301 + "}"),
    "a pattern of 2,000 stars": lambda: attack_with_pattern("*a" * 2000 + "b"),
    "a pattern of open brackets": lambda: attack_with_pattern("[" * 5000 + "a-z]"),
}


def run(name: str) -> Outcome:
    """Run an attack in a process of its own, within the limits."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            ATTACKS[name]()
            os._exit(0)
        except BaseException:  # noqa: BLE001 (whatever it is, the parent must know)
            os.write(write_end, traceback.format_exc().encode()[-4000:])
        finally:
            os._exit(1)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        error = pipe.read().decode()
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    return Outcome(seconds, usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status), error)


def table(outcomes: dict[str, Outcome]) -> str:
    """Write what was measured as a table of Markdown, in an order that does not change."""
    lines = ["| Attack | Comes to | Seconds | MB |", "| --- | --- | --- | --- |"]
    for name, outcome in outcomes.items():
        code = TEXTS[name][1] if name in TEXTS else None
        end = f"`{code}`" if code else "read" if name in TEXTS else "shown as text"
        seconds, memory = f"{outcome.seconds:.1f}", outcome.memory // 1_000_000
        shown = name.replace("|", "\\|")
        lines.append(f"| {shown} | {end} | {seconds} | {memory} |")
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Measure those that are named, as one line of JSON each, or all into the documentation."""
    outcomes: dict[str, Outcome] = {}
    is_document = arguments == ["--document"]
    for name in ATTACKS if is_document else arguments:
        outcomes[name] = run(name)
        print(json.dumps([name, *attrs.astuple(outcomes[name])]), flush=True)  # noqa: T201
    if is_document:
        text = DOCS.read_text("utf-8")
        before, behind = text.split(MARK)[0], text.split(MARK)[2]
        DOCS.write_text(f"{before}{MARK}\n{table(outcomes)}\n{MARK}{behind}", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
