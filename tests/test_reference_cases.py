"""220 manifests give what the Go implementation gives, in the dialects of its two versions."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evalset import Manifest, ManifestError, check_text, dumps, expand, loads
from evalset.keys import KeyBy
from evalset.sources import Format

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in map(
        json.loads,
        (Path(__file__).parent / "data" / "reference.jsonl").read_text("utf-8").splitlines(),
    )
}
VALID = [case_id for case_id in CASES if case_id.startswith("v")]
INVALID = [case_id for case_id in CASES if case_id.startswith("i")]

# The part of an id behind the first dash, and the codes that say this fault.
CODES = {
    "agents-empty": {"empty-list"},
    "agents-missing": {"missing-key"},
    "budget-neg": {"out-of-range"},
    "conc-neg": {"out-of-range"},
    "deployment-blank": {"blank-text"},
    "deployment-missing": {"missing-key"},
    "dup-agent": {"duplicate-agent"},
    "dup-pack": {"duplicate-pack"},
    "name-blank": {"blank-text"},
    "name-missing": {"missing-key"},
    "over-cap": {"too-many-combinations"},
    "pack-blank": {"blank-text"},
    "packs-empty": {"empty-list"},
    "packs-missing": {"missing-key"},
    "repeats-neg": {"out-of-range"},
    "schema-missing": {"missing-key"},
    "schema-wrong": {"wrong-schema", "unsupported-version"},
    "seeds-dup": {"duplicate-seed"},
    "seeds-len": {"seeds-count"},
    "seeds-missing": {"missing-seeds"},
    "seeds-neg": {"out-of-range"},
    "seeds-with-auto": {"seeds-without-explicit"},
    "seeds-zero": {"out-of-range"},
    "strategy-unknown": {"unknown-strategy"},
}


@cache
def _manifest(case_id: str) -> Manifest:
    return loads(CASES[case_id]["manifest"], name=case_id)


def _keys(report: dict[str, Any]) -> list[str]:
    return [combination["matrix_key"] for combination in report["combinations"]]


def _without_keys(report: dict[str, Any]) -> str:
    """Give a report's text without its keys; the order of all other fields counts."""
    combinations: Iterable[dict[str, Any]] = report["combinations"]
    rest = [
        {field: value for field, value in each.items() if field != "matrix_key"}
        for each in combinations
    ]
    return json.dumps({**report, "combinations": rest})


def test_every_case_is_run() -> None:
    assert (len(CASES), len(VALID), len(INVALID)) == (220, 120, 100)
    assert {case_id.split("-", 1)[1] for case_id in INVALID} == set(CODES)


@pytest.mark.parametrize("case_id", VALID)
def test_by_deployment_the_report_is_that_of_the_current_version(case_id: str) -> None:
    expected = json.dumps(CASES[case_id]["key_by_deployment"]["report"])
    expansion = expand(_manifest(case_id), key_by="deployment")
    assert json.dumps(expansion.to_dict()) == expected
    assert json.dumps(json.loads(expansion.to_json())) == expected


@pytest.mark.parametrize("case_id", VALID)
def test_by_label_the_keys_are_those_of_the_label_version(case_id: str) -> None:
    case = CASES[case_id]
    report = expand(_manifest(case_id)).to_dict()
    assert _keys(report) == _keys(case["key_by_label"]["report"])
    assert _without_keys(report) == _without_keys(case["key_by_deployment"]["report"])


@pytest.mark.parametrize("case_id", VALID)
def test_a_valid_case_survives_writing_and_reading(case_id: str) -> None:
    manifest = _manifest(case_id)
    assert Manifest.from_dict(manifest.to_dict()) == manifest
    assert loads(dumps(manifest, format="yaml")) == manifest
    assert loads(dumps(manifest, format="json")) == manifest


@pytest.mark.parametrize("case_id", VALID)
def test_a_valid_case_has_no_error(case_id: str) -> None:
    result = check_text(CASES[case_id]["manifest"], name=case_id)
    assert (result.ok, result.manifest) == (True, _manifest(case_id))


@pytest.mark.parametrize("key_by", ["label", "deployment"])
@pytest.mark.parametrize("case_id", INVALID)
def test_an_invalid_case_is_refused_for_its_fault(case_id: str, key_by: KeyBy) -> None:
    with pytest.raises(ManifestError) as caught:
        expand(_manifest(case_id), key_by=key_by)
    fitting = CODES[case_id.split("-", 1)[1]]
    diagnostics = caught.value.diagnostics
    assert {diagnostic.code for diagnostic in diagnostics} <= fitting
    assert [diagnostic.span is not None for diagnostic in diagnostics] == [True] * len(diagnostics)
    errors = [d for d in check_text(CASES[case_id]["manifest"], name=case_id, key_by=key_by)
              .diagnostics if d.is_error]  # fmt: skip
    assert tuple(errors) == diagnostics


@pytest.mark.parametrize(
    ("text", "format"),
    [
        pytest.param(
            "schema: evalset/v1\nname: stored\npacks: [p]\n"
            "agents: [{deployment: a, label: same}, {deployment: b, label: same}]\n",
            "yaml",
            id="yaml",
        ),
        pytest.param(
            '{"schema": "evalset/v1", "name": "stored", "packs": ["p"], "agents": ['
            '{"deployment": "a", "label": "same"}, {"deployment": "b", "label": "same"}]}',
            "json",
            id="json",
        ),
    ],
)
def test_equal_labels_load_and_fail_only_under_the_label_dialect(text: str, format: Format) -> None:
    manifest = loads(text, format=format)
    assert [each.matrix_key for each in expand(manifest, key_by="deployment")] == ["p/a/1", "p/b/1"]
    assert check_text(text, format=format, key_by="deployment").ok
    with pytest.raises(ManifestError) as caught:
        expand(manifest, key_by="label")
    assert [(d.code, d.pointer) for d in caught.value.diagnostics] == [
        ("duplicate-agent", "/agents/1/label")
    ]
    assert not check_text(text, format=format).ok


def test_what_the_reference_stores_loads() -> None:
    text = (
        '{"schema":"evalset/v1","name":"n","packs":["p"],"agents":[{"deployment":'
        '"11111111-1111-1111-1111-111111111111","label":"opus"}],"models":null,"repeats":1,'
        '"seeds":{"strategy":"auto"},"limits":{"max_concurrent_runs":0,"budget_usd":0},'
        '"case_fanout":false}'
    )
    assert expand(loads(text)).to_json() == (
        '{"name":"n","combinations":[{"matrix_key":"p/opus/1","pack_ref":"p",'
        '"agent_ref":"11111111-1111-1111-1111-111111111111","agent_label":"opus","repeat":1,'
        '"case_fanout":false}],"count":1,"pack_count":1,"agent_count":1,"model_count":0,'
        '"repeats":1,"case_fanout":false}'
    )
