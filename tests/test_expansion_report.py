"""The report of an expansion is the reference's, field for field; rows are for tables."""

import json
from typing import Any

from evalset import Agent, Limits, Manifest, Seeds, expand


def _manifest(**fields: object) -> Manifest:
    arguments: dict[str, Any] = {"name": "n", "packs": ["p"], "agents": [Agent("a")], **fields}
    return Manifest(arguments.pop("name"), **arguments)


FULL = _manifest(
    packs=["catalog/one", "my pack"],
    agents=[Agent("dep 1", label="opus 4"), Agent("dep-2")],
    models=["openai/gpt 5", "m"],
    repeats=3,
    seeds=Seeds("explicit", seeds=[7, 5, 2**63 - 1]),
    limits=Limits(max_concurrent_runs=20, budget_usd=50),
    case_fanout=True,
)


def test_the_report_has_the_reference_s_order() -> None:
    expansion = expand(_manifest(agents=[Agent("d e", label=" l ")], models=["m"], repeats=1,
                                 limits=Limits(budget_usd=0.5), case_fanout=True))  # fmt: skip
    assert expansion.to_json() == (
        '{"name":"n","combinations":[{"matrix_key":"p/l/m/1","pack_ref":"p","agent_ref":"d-e",'
        '"agent_label":"l","model_ref":"m","repeat":1,"case_fanout":true}],"count":1,'
        '"pack_count":1,"agent_count":1,"model_count":1,"repeats":1,"budget_usd":0.5,'
        '"case_fanout":true}'
    )
    report = expand(FULL).to_dict()
    assert list(report) == [
        "name", "combinations", "count", "pack_count", "agent_count", "model_count", "repeats",
        "max_concurrent_runs", "budget_usd", "case_fanout",
    ]  # fmt: skip
    assert list(report["combinations"][0]) == [
        "matrix_key", "pack_ref", "agent_ref", "agent_label", "model_ref", "repeat", "seed",
        "case_fanout",
    ]  # fmt: skip
    assert (type(report["budget_usd"]), report["budget_usd"]) == (int, 50)


def test_the_report_is_new_plain_data_each_time() -> None:
    expansion = expand(FULL)
    first = expansion.to_dict()
    first["combinations"].clear()
    assert len(expansion.to_dict()["combinations"]) == 24
    assert json.loads(expansion.to_json()) == expansion.to_dict()
    assert expansion.to_json(indent=2) == json.dumps(expansion.to_dict(), indent=2)
    assert expansion[2:5].to_dict()["count"] == 3


def test_the_report_keeps_text_unescaped() -> None:
    text = expand(_manifest(name="評価 🚀", packs=["a/é"])).to_json()
    assert '"name":"評価 🚀"' in text
    assert '"matrix_key":"a/é/a/1"' in text


def test_rows_have_one_set_of_columns() -> None:
    rows = expand(FULL)[:1].rows() + expand(_manifest()).rows()
    assert json.dumps(rows) == json.dumps(
        [
            {"index": 0, "id": expand(FULL)[0].id, "fingerprint": expand(FULL)[0].fingerprint,
             "matrix_key": "catalog/one/opus-4/openai/gpt-5/1",
             "pack_ref": "catalog/one", "agent_ref": "dep-1", "agent_label": "opus 4",
             "model_ref": "openai/gpt 5", "repeat": 1, "seed": 7, "case_fanout": True},
            {"index": 0, "id": expand(_manifest())[0].id,
             "fingerprint": expand(_manifest())[0].fingerprint,
             "matrix_key": "p/a/1", "pack_ref": "p",
             "agent_ref": "a", "agent_label": None, "model_ref": None, "repeat": 1, "seed": None,
             "case_fanout": False},
        ]
    )  # fmt: skip
