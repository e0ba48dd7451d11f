"""What type checkers make of the public face. Checked, never run."""

from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Literal, assert_type

import evalset
from evalset import (
    Agent,
    CheckResult,
    Code,
    Combination,
    Diagnostic,
    EvalsetError,
    Expansion,
    Extensions,
    Group,
    Limits,
    Manifest,
    ManifestError,
    ReadLimits,
    Related,
    Seeds,
    Severity,
    Span,
)
from evalset.keys import CombinationId, KeyPart, MatrixKey
from evalset.pricing import Range
from evalset.sources import Source


def reading(path: Path, text: str, data: dict[str, Any]) -> None:
    assert_type(evalset.load("a.yaml"), Manifest)
    assert_type(evalset.load(path, at="/manifest", unknown="keep"), Manifest)
    assert_type(evalset.load(StringIO(text), format="yaml", limits=ReadLimits(depth=8)), Manifest)
    assert_type(evalset.load(BytesIO(), format=None), Manifest)
    assert_type(evalset.loads(text, format="json", name="body"), Manifest)
    assert_type(evalset.loads(b"{}"), Manifest)
    assert_type(Manifest.from_dict(data, at="/m", unknown="error"), Manifest)
    assert_type(Manifest.from_dict({"schema": "evalset/v1", "packs": ("p",)}), Manifest)
    assert_type(evalset.check(path, scanners=["mine"]), CheckResult)
    assert_type(evalset.check_text(text, key_by="deployment"), CheckResult)
    result = evalset.check_data(data, max_combinations=10)
    assert_type(result, CheckResult)
    assert_type(result.ok, bool)
    assert_type(result.manifest, Manifest | None)
    assert_type(result.diagnostics, tuple[Diagnostic, ...])


def writing(manifest: Manifest, path: Path) -> None:
    assert_type(evalset.dumps(manifest), str)
    assert_type(evalset.dumps(manifest, format="json"), str)
    evalset.dump(manifest, path)
    evalset.dump(manifest, "a.json", format="json")
    evalset.dump(manifest, StringIO())
    evalset.dump(manifest, BytesIO())


def building() -> None:
    # Lists, and None for what is optional, are what a constructor takes.
    manifest = Manifest(
        "n",
        packs=["p"],
        agents=[Agent("a", label="b"), Agent("c", extensions=Extensions({"x-a": 1}))],
        models=None,
        repeats=2,
        seeds=Seeds("explicit", seeds=[1, 2]),
        limits=Limits(max_concurrent_runs=20, budget_usd=50),
        case_fanout=True,
        scanners=("tool-misuse",),
    )
    assert_type(manifest.name, str)
    assert_type(manifest.packs, tuple[str, ...])
    assert_type(manifest.agents, tuple[Agent, ...])
    assert_type(manifest.agents[0].label, str | None)
    assert_type(manifest.models, tuple[str, ...])
    assert_type(manifest.repeats, int)
    assert_type(manifest.seeds, Seeds)
    assert_type(manifest.seeds.strategy, Literal["auto", "explicit"])
    assert_type(manifest.seeds.seeds, tuple[int, ...])
    assert_type(manifest.limits, Limits)
    assert_type(manifest.limits.budget_usd, float | None)
    assert_type(manifest.limits.max_concurrent_runs, int | None)
    assert_type(manifest.case_fanout, bool)
    assert_type(manifest.scanners, tuple[str, ...])
    assert_type(manifest.extensions, Extensions)
    assert_type(manifest.extensions.to_dict(), dict[str, Any])
    assert_type(manifest.source, Source | None)
    assert_type(manifest.count, int)
    assert_type(manifest.replace(repeats=3), Manifest)
    assert_type(manifest.digest(), str)
    assert_type(manifest.to_dict(), dict[str, Any])
    assert_type(Agent.from_dict({"deployment": "a"}), Agent)
    assert_type(Seeds.from_dict({}), Seeds)
    assert_type(Limits.from_dict({}), Limits)


def plain_extensions() -> None:
    # As at run time, a plain mapping does.
    Agent("a", extensions={"x-tier": "gold"})
    Seeds(extensions={"x-pool": [1, 2]})
    Limits(extensions=None)
    Manifest("n", packs=["p"], agents=[Agent("a")], extensions={"x-owner": {"team": "agents"}})


def expanding(manifest: Manifest) -> Expansion:
    expansion = evalset.expand(manifest, max_combinations=10, key_by="label")
    assert_type(expansion, Expansion)
    assert_type(len(expansion), int)
    assert_type(expansion[0], Combination)
    assert_type(expansion["p/a/1"], Combination)
    assert_type(expansion[1:3], Expansion)
    assert_type(iter(expansion), Iterator[Combination])
    assert_type(expansion.index("p/a/1"), int)
    assert_type(expansion.count(expansion[0]), int)
    assert_type("p/a/1" in expansion, bool)
    assert_type(expansion[0].id in expansion, bool)
    assert_type(expansion.manifest, Manifest)
    assert_type(expansion.key_by, Literal["label", "deployment"])
    assert_type(expansion.to_dict(), dict[str, Any])
    assert_type(expansion.to_json(indent=2), str)
    assert_type(expansion.rows(), list[dict[str, Any]])
    return expansion


def combining(combination: Combination) -> None:
    assert_type(combination.matrix_key, MatrixKey)
    assert_type(combination.id, CombinationId)
    assert_type(combination.agent_ref, KeyPart)
    assert_type(combination.safe_name(max_length=52), str)
    assert_type(combination.agent, Agent)
    assert_type(combination.agent_label, str | None)
    assert_type(combination.model_ref, str | None)
    assert_type(combination.seed, int | None)
    assert_type(combination.group, Group)
    assert_type(combination.group.model, str | None)
    assert_type(combination.to_dict(), dict[str, Any])


def keys() -> None:
    key = evalset.matrix_key("p", agent="a", model=None, repeat=1)
    assert_type(key, MatrixKey)
    assert_type(evalset.combination_id(key), CombinationId)
    assert_type(evalset.combination_id("p/a/1"), CombinationId)
    assert_type(evalset.safe_name(key, max_length=40), str)
    assert_type(evalset.normalize_label("a b"), KeyPart)
    text: str = key  # a key is text
    assert_type(text.split("/"), list[str])


def explaining(diagnostic: Diagnostic) -> None:
    assert_type(diagnostic.severity, Severity)
    assert_type(diagnostic.is_error, bool)
    assert_type(diagnostic.span, Span | None)
    assert_type(diagnostic.related, tuple[Related, ...])
    assert_type(diagnostic.hint, str | None)
    if diagnostic.span:
        assert_type(diagnostic.span.line, int)
    Code(name="a", severity=Severity.ERROR, summary="A")
    try:
        evalset.loads("")
    except ManifestError as error:
        assert_type(error.diagnostics, tuple[Diagnostic, ...])
        assert_type(error.to_dict(), dict[str, Any])
    except EvalsetError as error:
        assert_type(error.to_dict(), dict[str, Any])


def the_rest() -> None:
    assert_type(evalset.json_schema(editor=True), dict[str, Any])
    assert_type(evalset.__version__, str)
    assert_type(evalset.keys.trim("a"), str)


class Measured:
    """A host's costs, without a base class."""

    def cost(self, combination: Combination, /) -> Range | None:
        return Range.exactly(combination.repeat)

    def cases(self, combination: Combination, /) -> Range:
        return Range.exactly(combination.index)


def working(expansion: Expansion, path: Path) -> None:
    assert_type(expansion.select(pack="p", agent=["a", "b*"], repeat=range(1, 3)), Expansion)
    assert_type(expansion.without(keys={"p/a/1"}, model=("m",), repeat=2), Expansion)
    assert_type(expansion.shard(1, 8, by="stable"), Expansion)
    assert_type(expansion.groups()[0].combinations, Expansion)
    assert_type(expansion.find("p/a/1"), int | None)
    assert_type(evalset.diff(expansion, expansion[1:]), evalset.Difference)
    records = evalset.read_records(path, format="csv")
    assert_type(records, tuple[evalset.Record, ...])
    assert_type(evalset.reconcile(expansion, records).to_run, Expansion)
    assert_type(evalset.reconcile(expansion, ["p/a/1", evalset.Record("x")]).is_complete, bool)
    assert_type(evalset.estimate(expansion, Measured(), budget_usd=5), evalset.Estimate)
    prices = evalset.TokenPrices.from_dict({"models": {}})
    assert_type(evalset.estimate(expansion, prices).total.usd, Range)
