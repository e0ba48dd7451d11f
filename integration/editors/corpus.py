"""The documents on which the library, the validators and the editors are compared.

Most are four good lines with one line changed or added, so that a name and a line tell
the whole case. Where the engines do not all agree, the case says why.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

import attrs

__all__ = ["BASE", "CASES", "Case"]

BASE = {
    "schema": "schema: evalset/v1",
    "name": "name: sweep",
    "packs": "packs: [catalog/swe-bug-fix]",
    "agents": "agents: [{deployment: gpt-5-default}]",
}
_DATA = {
    "schema": "evalset/v1",
    "name": "sweep",
    "packs": ["catalog/swe-bug-fix"],
    "agents": [{"deployment": "gpt-5-default"}],
}

# Why verdicts differ. First what only the library can check: its answer is no, the schema's yes.
_COUNT = "how many seeds there must be depends on repeats, which a schema can't compare"
_PRODUCT = "a schema can't multiply"
_KEYS = "whether keys are unique depends on normalization"
_CHARACTERS = (
    "the schema asks only that a text is not blank; the library, that all of it can be shown"
)
_EXTENSION = "what stands below an x- key is free to the schema"
_TWICE = "most readers keep the last of two equal keys and say nothing"
_TEXT = "the library refuses what some readers only pass over"
# Then what readers make of one text, before any schema is asked.
_NUMBER_FORM = "readers disagree on what number this is, if any; the library wants JSON's form"
_YAML11 = "YAML 1.1, which PyYAML reads, takes this for another type than YAML 1.2 does"
_FINITE = "infinity and NaN are numbers to some readers and schemas, to others not"
_DOUBLE = "JavaScript holds numbers above 2**53 as the nearest double"
_FLOAT = "VS Code's JSON server takes no number with a point or an exponent for an integer"
_MERGE = "`<<` belongs to YAML 1.1; the npm package yaml reads it only on demand"
_DOCUMENTS = "an editor judges each document of a text by itself"
_EMPTY = "an editor says nothing of a text without a document"
_ALIAS = "an alias without its anchor is passed over by yaml-language-server"
_SURROGATE = "half a surrogate pair is no character; check-jsonschema ends with a traceback"


@attrs.frozen(kw_only=True)
class Case:
    """A document with a name, and why its verdicts differ if they do."""

    name: str
    text: str
    format: Literal["yaml", "json"] = "yaml"
    differs: str | None = None

    @property
    def slug(self) -> str:
        """The name as a file can have it."""
        return self.name.replace(" ", "-").replace("$", "").lower()


def _case(name: str, *lines: str, without: str = "", differs: str | None = None) -> Case:
    """Change or add lines of the good manifest; a line's key says which one it replaces."""
    manifest = {key: line for key, line in BASE.items() if key != without}
    for line in lines:
        manifest[line.partition(":")[0]] = line
    return Case(name=name, text="\n".join(manifest.values()) + "\n", differs=differs)


def _raw(name: str, text: str, *, differs: str | None = None) -> Case:
    return Case(name=name, text=text, differs=differs)


def _json(name: str, text: str = "", *, differs: str | None = None, **changes: object) -> Case:
    text = text or json.dumps({**_DATA, **changes}, indent=2) + "\n"
    return Case(name=name, text=text, format="json", differs=differs)


def _good() -> Iterator[Case]:
    yield _case("minimal")
    yield _raw(
        "the specification's example",
        """\
schema: evalset/v1
name: nightly-coding-sweep

packs:
  - catalog/code-review

agents:
  - deployment: claude-opus-default
  - deployment: gpt-default

models: []          # empty = harness default model axis (one implicit slot)
repeats: 3
seeds:
  strategy: auto
limits:
  max_concurrent_runs: 20
  budget_usd: 50
case_fanout: true
# scanners:
#   - reward-hacking
#   - tool-misuse
""",
    )
    yield _raw(
        "everything there is",
        """\
schema: evalset/v1
name: everything
packs: [catalog/text-to-sql, our-regressions, 33333333-3333-3333-3333-333333333333]
agents:
  - {deployment: claude-opus-5-default, label: opus}
  - {deployment: gpt-5-default, label: null, x-owner: team}
models: [anthropic/claude-haiku-4, gpt-4.1-mini]
repeats: 2
seeds: {strategy: explicit, seeds: [11, 22], x-note: fixed}
limits: {max_concurrent_runs: 4, budget_usd: 12.5, x-note: soft}
case_fanout: false
scanners: [reward-hacking, tool-misuse, instruction-injection, sandbox-escape-attempt]
x-team: search
""",
    )
    yield _case(
        "optional fields null",
        *(f"{key}:" for key in ("models", "repeats", "seeds", "limits", "case_fanout", "scanners")),
    )
    yield _case("inner fields null", "seeds: {strategy: null, seeds: null}",
                "limits: {max_concurrent_runs: null, budget_usd: ~}")  # fmt: skip
    yield _case("limits zero", "limits: {max_concurrent_runs: 0, budget_usd: 0}")
    yield _case("limits empty", "limits: {}")
    yield _case("seeds empty", "seeds: {}")
    yield _case("auto with an empty list", "seeds: {strategy: auto, seeds: []}")
    yield _case("explicit seed", "seeds: {strategy: explicit, seeds: [11]}")
    yield _case("largest seed", "seeds: {strategy: explicit, seeds: [9223372036854775807]}")
    yield _case("most repeats", "repeats: 2000")
    yield _case("budget with an exponent", "limits: {budget_usd: 1.5e2}", differs=_YAML11)
    yield _case("extension with any value", "x-any: {a: [1, null, {b: c}]}", "x-: 1")
    yield _case("editor's schema", "$schema: ./evalset-v1.json")
    yield _case("unknown scanner", "scanners: [mine]")
    yield _case("name in any script", "name: сборка 評価 \U0001f600")
    yield _case("name of a zero-width space", 'name: "\\u200b"')
    yield _case("name with a byte order mark", 'name: "\\ufeff"')
    yield _case("padded name", 'name: " \\u3000sweep\\n"')
    yield _case("name with a colon and quotes", "name: 'it''s: a name'")
    yield _raw("folded name", "name: >-\n  a long\n  name\n" + "\n".join(
        line for key, line in BASE.items() if key != "name") + "\n")  # fmt: skip
    yield _raw("carriage returns", "\r\n".join(BASE.values()) + "\r\n")
    yield _raw("document marker", "---\n" + "\n".join(BASE.values()) + "\n")
    yield _case("tag of the core", "name: !!str sweep")
    yield _case("anchor and alias", "name: &it sweep", "scanners: [*it]")
    yield _json("JSON minimal")
    yield _json("JSON stored by a server", models=None, repeats=1, seeds={"strategy": "auto"},
                limits={"max_concurrent_runs": 0, "budget_usd": 0}, case_fanout=False,
                agents=[{"deployment": "33333333-3333-3333-3333-333333333333", "label": "gpt"}],
                )  # fmt: skip
    yield _json("JSON editor's schema", **{"$schema": "./evalset-v1.json"})
    yield _json("JSON escapes", json.dumps({**_DATA, "name": "\u8bc4\U0001f600/\\"}))


def _missing() -> Iterator[Case]:
    for key in BASE:
        yield _case(f"no {key}", without=key)
    yield _case("no deployment", "agents: [{label: gpt}]")
    yield _case("empty agent", "agents: [{}]")
    yield _raw("empty mapping", "{}\n")
    yield _raw("only a name", "name: sweep\n")
    yield _json("JSON empty mapping", "{}")


def _shapes() -> Iterator[Case]:
    yield _raw("a list", "- schema: evalset/v1\n")
    yield _raw("a text", "evalset/v1\n")
    for key in BASE:
        yield _case(f"{key} null", f"{key}: null")
    for key in ("name", "packs", "agents"):
        yield _case(f"{key} a mapping", f"{key}: {{a: b}}")
    yield _case("name a list", "name: [sweep]")
    yield _case("packs a text", "packs: catalog/swe-bug-fix")
    yield _case("agents a text", "agents: gpt-5-default")
    yield _case("models a text", "models: openai/gpt-4.1-mini")
    yield _case("scanners a text", "scanners: reward-hacking")
    yield _case("packs empty", "packs: []")
    yield _case("agents empty", "agents: []")
    yield _case("agents of texts", "agents: [gpt-5-default]")
    yield _case("agents of lists", "agents: [[gpt-5-default]]")
    for key in ("packs", "agents", "models", "scanners"):
        yield _case(f"{key} with a null item", f"{key}: [~]")
    yield _case("pack a mapping", "packs: [{slug: swe-bug-fix}]")
    yield _case("deployment null", "agents: [{deployment: }]")
    yield _case("seeds a list", "seeds: [11]")
    yield _case("seeds a text", "seeds: auto")
    yield _case("limits a list", "limits: [20, 50]")
    yield _case("limits a number", "limits: 50")
    yield _case("editor's schema a number", "$schema: 1")
    yield _case("editor's schema null", "$schema: null")
    yield _case("too many packs", f"packs: [{', '.join(['p'] * 2001)}]")
    yield _case("too many scanners", f"scanners: [{', '.join(['tool-misuse'] * 2001)}]")


def _texts() -> Iterator[Case]:
    for number in ("4.10", "3", "true", "-1"):
        yield _case(f"name {number}", f"name: {number}")
    yield _case("name 1e3", "name: 1e3", differs=_YAML11)
    yield _case("pack 4.10", "packs: [4.10]")
    yield _case("label 3", "agents: [{deployment: gpt-5-default, label: 3}]")
    yield _case("model 4.1", "models: [4.1]")
    yield _case("scanner true", "scanners: [true]")
    for name, text in (("empty", ""), ("a space", " "), ("an ideographic space", "\\u3000"),
                       ("next line", "\\u0085"), ("all that is trimmed", "\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000\\u2028\\u2029\\u202f\\u205f\\u3000")):  # fmt: skip  # noqa: E501
        yield _case(f"name of {name}", f'name: "{text}"')
    yield _case("blank pack", "packs: [' ']")
    yield _case("blank label", "agents: [{deployment: gpt-5-default, label: ' '}]")
    yield _case("blank deployment", "agents: [{deployment: ''}]")
    yield _case("blank model", "models: ['']")
    yield _case("blank scanner", "scanners: [mine, '']")
    for name, text in (("evalset/v2", "evalset/v2"), ("in capitals", "EVALSET/V1"),
                       ("a number", "1"), ("with a space", '" evalset/v1"'),
                       ("with a line break", '"evalset/v1\\n"')):  # fmt: skip
        yield _case(f"schema {name}", f"schema: {text}")
    for name, text in (("unit separator", "\\u001f"), ("bell", "a\\u0007b"), ("DEL", "a\\u007f"),
                       ("line break", "a\\nb"), ("noncharacter", "a\\ufdd0")):  # fmt: skip
        yield _case(f"name with a {name}", f'name: "{text}"', differs=_CHARACTERS)
    for word in ("yes", "off"):
        yield _case(f"name {word}", f"name: {word}", differs=_YAML11)
    yield _case("name a time", "name: 12:30", differs=_YAML11)
    yield _case("name a date", "name: 2026-12-01", differs=_YAML11)


def _numbers() -> Iterator[Case]:
    for number in ("0", "-1", "2001", "3.5", '"3"', "many", "true", "[3]", "{}"):
        yield _case(f"repeats {number}", f"repeats: {number}")
    yield _case("repeats 3.0", "repeats: 3.0", differs=_FLOAT)
    for number in ("010", "0x10", "0o10", "1_000", "+3", "3."):
        yield _case(f"repeats {number}", f"repeats: {number}", differs=_NUMBER_FORM)
    yield _case("repeats 1e1", "repeats: 1e1", differs=_YAML11)
    yield _case("repeats without end", "repeats: .inf")
    for number in ("-1", "'50'", "$50", "true", "[50]"):
        yield _case(f"budget {number}", f"limits: {{budget_usd: {number}}}")
    for number in (".5", "5.", "1_000.5"):
        yield _case(f"budget {number}", f"limits: {{budget_usd: {number}}}", differs=_NUMBER_FORM)
    for number in (".inf", ".nan"):
        yield _case(f"budget {number}", f"limits: {{budget_usd: {number}}}", differs=_FINITE)
    for number in ("-1", "1.5", "'20'", "18446744073709551616"):
        yield _case(f"concurrency {number}", f"limits: {{max_concurrent_runs: {number}}}")
    yield _case("concurrency one too large", "limits: {max_concurrent_runs: 9223372036854775808}",
                differs=_DOUBLE)  # fmt: skip
    for word in ("1", "0", '"true"', "maybe", "[true]"):
        yield _case(f"fan-out {word}", f"case_fanout: {word}")
    for word in ("yes", "On"):
        yield _case(f"fan-out {word}", f"case_fanout: {word}", differs=_YAML11)
    yield _json("JSON repeats 3.0", repeats=3.0, differs=_FLOAT)
    yield _json("JSON repeats 1e1", json.dumps(_DATA)[:-1] + ', "repeats": 1e1}')
    yield _json("JSON budget without end", json.dumps(_DATA)[:-1]
                + ', "limits": {"budget_usd": 1e999}}', differs=_FINITE)  # fmt: skip


def _seeds() -> Iterator[Case]:
    explicit = "seeds: {strategy: explicit, seeds: %s}"
    yield _case("explicit without seeds", "seeds: {strategy: explicit}")
    yield _case("explicit with no seeds", explicit % "[]")
    yield _case("explicit with null", explicit % "null")
    yield _case("explicit with one number", explicit % "11")
    yield _case("auto with seeds", "seeds: {strategy: auto, seeds: [11]}")
    yield _case("seeds without a strategy", "seeds: {seeds: [11]}")
    yield _case("null strategy with seeds", "seeds: {strategy: null, seeds: [11]}")
    for word in ("Auto", "random", '""', "[auto]", "1"):
        yield _case(f"strategy {word}", f"seeds: {{strategy: {word}}}")
    yield _case("equal seeds", "repeats: 2", explicit % "[11, 11]")
    yield _case("equal seeds in two forms", "repeats: 2", explicit % "[11, 11.0]")
    for seed in ("0", "-1", "1.5", '"11"', "null", "true", "18446744073709551616"):
        yield _case(f"seed {seed}", explicit % f"[{seed}]")
    yield _case("seed one too large", explicit % "[9223372036854775808]", differs=_DOUBLE)
    yield _case("seeds that doubles can't tell apart", "repeats: 2",
                explicit % "[9007199254740992, 9007199254740993]", differs=_DOUBLE)  # fmt: skip
    yield _case("fewer seeds than repeats", "repeats: 3", explicit % "[11, 22]", differs=_COUNT)
    yield _case("more seeds than repeats", "repeats: 2", explicit % "[11, 22, 33]", differs=_COUNT)
    yield _case("two seeds and no repeats", explicit % "[11, 22]", differs=_COUNT)


def _keys() -> Iterator[Case]:
    for line in ("repeat: 5", "budget_usd: 50", "strategy: auto", "X-team: search", "ax-team: a"):
        yield _case(f"unknown {line.partition(':')[0]}", line)
    yield _case("unknown agent key", "agents: [{deployment: gpt-5-default, lable: gpt}]")
    yield _case("unknown seeds key", "seeds: {strategie: auto}")
    yield _case("unknown limits key", "limits: {budget: 50}")
    yield _case("editor's schema in an agent", 'agents: [{deployment: g, "$schema": s}]')
    yield _case("same pack twice", "packs: [p, p]", differs=_KEYS)
    yield _case("labels that collide", "agents: [{deployment: a, label: gpt 5}, "
                "{deployment: b, label: gpt-5}]", differs=_KEYS)  # fmt: skip
    yield _case("label equal to a deployment", "agents: [{deployment: a}, "
                "{deployment: b, label: a}]", differs=_KEYS)  # fmt: skip
    yield _case("slashes that collide", "packs: [p, p/x]", "agents: [{deployment: x/a}, "
                "{deployment: a}]", differs=_KEYS)  # fmt: skip
    yield _case("too many combinations", "packs: [p, q]", "repeats: 1001", differs=_PRODUCT)
    yield _case("extension that JSON has not", "x-any: .nan", differs=_EXTENSION)


def _readers() -> Iterator[Case]:
    good = "\n".join(BASE.values()) + "\n"
    yield _raw("comments only", "# nothing yet\n", differs=_EMPTY)
    yield _raw("not YAML", good + "models: [a\n")
    yield _raw("tab as indentation", good + "limits:\n\tbudget_usd: 5\n")
    yield _raw("key twice", good + "name: again\n", differs=_TWICE)
    yield _raw("two documents", f"{good}---\n{good}", differs=_DOCUMENTS)
    yield _raw("version directive", f"%YAML 1.1\n---\n{good}", differs=_TEXT)
    yield _raw("merge key", f"x-base: &base {{label: gpt}}\n{good}".replace(
        "[{deployment", "[{<<: *base, deployment"), differs=_MERGE)  # fmt: skip
    yield _case("foreign tag", "name: !mine sweep", differs=_TEXT)
    yield _case("alias to nothing", "name: *nowhere", differs=_ALIAS)
    yield _case("number as a key", "1: one")
    yield _json("JSON key twice", json.dumps(_DATA)[:-1] + ', "name": "again"}', differs=_TWICE)
    yield _json("JSON comma at the end", json.dumps(_DATA)[:-1] + ",}")
    yield _json("JSON comment", json.dumps(_DATA) + " // why\n")
    yield _json("JSON NaN", json.dumps(_DATA)[:-1] + ', "limits": {"budget_usd": NaN}}',
                differs=_FINITE)  # fmt: skip
    yield _json("JSON unknown key", repeat=5)
    yield _json("JSON lone surrogate", json.dumps(_DATA).replace("sweep", "\\ud800"),
                differs=_SURROGATE)  # fmt: skip


CASES: tuple[Case, ...] = tuple(
    case
    for group in (_good, _missing, _shapes, _texts, _numbers, _seeds, _keys, _readers)
    for case in group()
)
"""Every document, in groups: good ones, then a group for each kind of fault."""
