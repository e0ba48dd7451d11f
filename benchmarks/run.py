"""Measure evalset beside what somebody would use instead, and write `RESULTS.md`.

    python -m benchmarks.run [--quick] [--only WORD]

Needs Linux or macOS, and the packages of the group `bench`; `nox -s bench` brings them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

import ruamel.yaml
from benchmarks.documents import DOCUMENTS, FILES, JSON, YAML, broken, outside
from benchmarks.measure import Pair, calls, memory, processes, waits
from benchmarks.peers import PEERS, ours
from jsonschema import Draft7Validator

import evalset

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"

MODELS = """\
import evalset
evalset.Manifest, evalset.Agent, evalset.Seeds, evalset.Limits, evalset.Extensions
evalset.Expansion, evalset.Combination, evalset.Group"""
COLD = """\
from {peer} import report
with open({path!r}, encoding="utf-8") as file:
    print(report(file.read(), "yaml"))"""
COMMAND = """\
import sys
from evalset.cli import main
main(["expand", {path!r}, "--format", "json"], sys.stdin, sys.stdout, sys.stderr)"""

_ROUNDS = 50
_FAULTS = 50_000
_Measure: TypeAlias = Callable[..., Pair]  # takes `rounds`


class Row(NamedTuple):
    """One comparison. Without a goal it is told for what it is worth."""

    what: str
    goal: float | None
    measure: _Measure
    show: Callable[[float], str]


class Cell(NamedTuple):
    """A combination as somebody would write it who needs no more than its values."""

    matrix_key: str
    pack: str
    agent: evalset.Agent
    model: str | None
    repeat: int
    seed: int | None
    case_fanout: bool
    index: int


def rows(cache: str) -> Iterator[Row]:
    """Give every row: those that have a goal, then what else is good to know."""

    def start(what: str, goal: float | None, first: str, second: str) -> Row:
        path = str(HERE / "peers")
        return Row(what, goal, partial(processes, first, second, cache=cache, path=path), _time)

    typical = str(FILES / "typical.yaml")
    cold = partial(COLD.format, path=typical)
    yield start("process `import evalset` / process `pass`", 1.15, "import evalset", "pass")
    yield start("process with all model classes / `import attrs`", 1.3, MODELS, "import attrs")
    yield start(
        "cold process, typical / pydantic", 0.45, cold(peer="ours"), cold(peer="pydantic_yaml")
    )
    yield start(
        "process `evalset expand typical --format json` / the interpreter, attrs and argparse",
        None,
        COMMAND.format(path=typical),
        "import attrs, argparse",
    )
    yield _report("typical", "YAML", "pydantic", 0.2)
    for name in ("500 x 4", "2000 x 1"):
        yield _report(name, "YAML", "pydantic", 0.4)
    for name in ("typical", "500 x 4", "2000 x 1"):
        yield _report(name, "YAML", "msgspec", 0.9)
    for name in ("500 x 4", "2000 x 1"):
        yield _list(name)
    few, many = _expand("small"), _expand("500 x 4")
    yield _calls("`len(expansion)` at 2000 / at 12", 1.5, partial(len, many), partial(len, few))
    yield _calls("`expansion[i]` at 2000 / at 12", 1.5, lambda: many[-1], lambda: few[-1])
    for name in ("500 x 4", "2000 x 1"):
        yield _peak(name)
    own_load = ruamel.yaml.YAML(typ="safe", pure=True).load
    loads = partial(evalset.loads, outside)
    yield _calls(
        "`loads`, outside the subset / ruamel.yaml's load", 1.5, loads, partial(own_load, outside)
    )
    yield _calls(
        "`check_text`, typical with 5 faults / ruamel.yaml's compose, jsonschema's iter_errors",
        1.5,
        partial(evalset.check_text, broken),
        _judging(broken),
    )
    yield Row("`resolve_async`, 2000 refs, 50 out / only waiting", 1.5, _resolving(), _time)
    for name in ("500 x 4", "2000 x 1"):
        yield from _working(name)
    yield from _further_rows()


def _working(name: str) -> Iterator[Row]:
    """Give what is done with combinations, each with a new expansion, so that nothing is there."""
    whole, manifest = _expand(name), _expand(name).manifest
    ids = [each.id for each in whole]
    other = evalset.expand(manifest.replace(packs=[*manifest.packs[::2], "another"]))
    records = [evalset.Record(each.id, fingerprint=each.fingerprint) for each in whole]
    works: dict[str, Callable[[evalset.Expansion], object]] = {
        "select by pattern": lambda new: new.select(pack="*1*"),
        "select by 2000 ids": lambda new: new.select(keys=ids),
        "shard": lambda new: new.shard(2, 8),
        "diff": lambda new: evalset.diff(new, other),
        "reconcile 2000 ids with fingerprints": lambda new: evalset.reconcile(new, records),
    }
    for what, work in works.items():
        yield _calls(
            f"{what}, {name} / list of combinations",
            3,
            lambda work=work: work(evalset.expand(manifest)),
            lambda: list(evalset.expand(manifest)),
        )


def _further_rows() -> Iterator[Row]:
    yield _calls(
        "`check_text` of what is good, typical / `loads`",
        None,
        partial(evalset.check_text, YAML["typical"]),
        partial(evalset.loads, YAML["typical"]),
    )
    faults = _calls(
        f"`check_text` of {_FAULTS:,} faults / of {_FAULTS // 10:,}",
        None,
        partial(evalset.check_text, _faulty(_FAULTS)),
        partial(evalset.check_text, _faulty(_FAULTS // 10)),
    )
    yield faults._replace(measure=lambda rounds: faults.measure(rounds=min(5, rounds)))
    yield _report("small", "YAML", "pydantic")
    yield _report("outside the subset", "YAML", "pydantic")
    for name, peer in product(JSON, ("pydantic", "msgspec")):
        yield _report(name, "JSON", peer)
    for name in ("typical", "500 x 4"):
        yield _report(name, "YAML", "ruamel.yaml, jsonschema, dicts")
    some = _expand("typical")
    many = evalset.expand(some.manifest.replace(packs=[f"pack-{n}" for n in range(80)]))
    yield _each("combination listed, of 1920 / of 240", partial(list, many), partial(list, some))
    yield _each("combination in a report, of 1920 / of 240", many.to_json, some.to_json)


def _faulty(count: int) -> str:
    """Write a manifest, as JSON, with so many keys that the format does not have."""
    return json.dumps({**json.loads(JSON["small"]), **{f"k{n}": n for n in range(count)}})


def _calls(
    what: str, goal: float | None, first: Callable[[], object], second: Callable[[], object]
) -> Row:
    return Row(what, goal, partial(calls, first, second), _time)


def _report(name: str, format: str, peer: str, goal: float | None = None) -> Row:
    text, kind = DOCUMENTS[f"{name}, {format}"]
    what = f"text to report, {name}, {format} / {peer}"
    return _calls(what, goal, partial(ours.report, text, kind), partial(PEERS[peer], text, kind))


def _expand(name: str) -> evalset.Expansion:
    return evalset.expand(evalset.loads(YAML[name]))


def _list(name: str) -> Row:
    expansion = _expand(name)
    what = f"list of combinations, {name} / NamedTuples, same keys"
    return _calls(what, 2.6, partial(list, expansion), partial(_cells, expansion.manifest))


def _peak(name: str) -> Row:
    first, second = (
        partial(report, YAML[name], "yaml") for report in (ours.report, PEERS["pydantic"])
    )
    what = f"peak memory, text to report, {name}, YAML / pydantic"
    return Row(what, 0.4, partial(memory, first, second), _memory)


def _judging(text: str) -> Callable[[], object]:
    """Compose a text, and hold its data, which is ready, to the schema, which is compiled."""
    data = ruamel.yaml.YAML(typ="safe", pure=True).load(text)
    validator = Draft7Validator(evalset.json_schema())

    def judge() -> object:
        ruamel.yaml.YAML(typ="safe", pure=True).compose(text)
        return list(validator.iter_errors(data))

    return judge


def _resolving() -> _Measure:
    """Resolve as many references as there can be, against a host that takes 50 ms for each."""

    class Host:
        async def find_pack(self, ref: evalset.PackRef, /) -> str:
            await asyncio.sleep(0.05)
            return ref.slug

        async def find_agent(self, name: str, /) -> str:
            await asyncio.sleep(0.05)
            return name

    packs = [f"pack-{number}" for number in range(1999)]
    manifest = evalset.Manifest("n", packs=packs, agents=[evalset.Agent("gpt")])

    async def wait() -> None:
        for _ in range(2000 // 50):
            await asyncio.gather(*(asyncio.sleep(0.05) for _ in range(50)))

    def resolve() -> object:
        return asyncio.run(evalset.resolve_async(manifest, Host(), concurrency=50))

    return partial(waits, resolve, lambda: asyncio.run(wait()))


def _each(what: str, many: Callable[[], object], some: Callable[[], object]) -> Row:
    def measure(rounds: int) -> Pair:
        first, second = calls(many, some, rounds=rounds)
        return first / 1920, second / 240

    return Row(what, None, measure, _time)


def _cells(manifest: evalset.Manifest) -> list[Cell]:
    """Give the combinations as NamedTuples, with the keys that an expansion has."""
    cells: list[Cell] = []
    seeds, repeats = manifest.seeds.seeds, range(manifest.repeats)
    for pack, agent, model in product(manifest.packs, manifest.agents, manifest.models or (None,)):
        parts = [pack, agent.label or agent.deployment, *([model] if model else [])]
        start = "/".join(part.replace(" ", "-") for part in parts)
        for repeat in repeats:
            key, seed = f"{start}/{repeat + 1}", seeds[repeat] if seeds else None
            cells.append(
                Cell(key, pack, agent, model, repeat + 1, seed, manifest.case_fanout, len(cells))
            )
    return cells


def main() -> None:
    """Measure, show, and write the results unless only a part was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds; nothing is written")
    parser.add_argument("--only", default="", metavar="WORD", help="rows that hold this text")
    options = parser.parse_args()
    lines: list[str] = []
    with TemporaryDirectory() as cache:
        for row in rows(cache):
            if options.only in row.what:
                lines.append(_line(row, row.measure(rounds=5 if options.quick else _ROUNDS)))
                print(lines[-1], flush=True)
    if not options.quick and not options.only:
        RESULTS.write_text(_page(lines), encoding="utf-8")


def _line(row: Row, pair: Pair) -> str:
    ratio = pair[0] / pair[1]
    goal = "" if row.goal is None else f"<= {row.goal}"
    verdict = "" if row.goal is None else "yes" if ratio <= row.goal else "**no**"
    first, second = map(row.show, pair)
    return f"| {row.what} | {first} | {second} | {ratio:.2f} | {goal} | {verdict} |"


def _time(seconds: float) -> str:
    for unit, factor in {"s": 1, "ms": 1e3, "µs": 1e6}.items():
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _memory(size: float) -> str:
    return f"{size / 2**20:.2f} MiB"


def _page(lines: list[str]) -> str:
    packages = ("evalset", "attrs", "ruamel.yaml", "jsonschema", "pydantic", "msgspec", "PyYAML")
    facts = {
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "System": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        **{package: version(package) for package in packages},
    }
    return "\n".join(
        [
            "# Results",
            "",
            "Written by `nox -s bench`. Each row compares two things that ran in turns in one run:",
            "evalset or a part of it first, what it is measured against second. Figures are the",
            f"least CPU time of {_ROUNDS} rounds, or the peak of what Python allocates.",
            "",
            "| what | evalset | the other | ratio | goal | reached |",
            "| --- | ---: | ---: | ---: | ---: | --- |",
            *lines,
            "",
            "| environment | |",
            "| --- | --- |",
            *(f"| {name} | {value} |" for name, value in facts.items()),
            "",
        ]
    )


if __name__ == "__main__":
    main()
