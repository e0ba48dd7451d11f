"""The commands that work with expansions: exact output in tests/golden/commands."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.shell import assert_golden, run

import evalset
from evalset.reports import MAX_JOBS

EXAMPLES = Path(__file__).parents[1] / "examples"
MANIFEST = """\
schema: evalset/v1
name: sweep
packs: [catalog/swe-bug-fix, "team,ui|`a", "@scope/p"]
agents:
  - {deployment: claude-opus, label: opus}
  - {deployment: gpt-5-default}
models: [openai/gpt-4.1, local/llama]
repeats: 4
limits: {budget_usd: 1.5}
"""
SEEDED = """\
schema: evalset/v1
name: sweep 2
packs: [catalog/swe-bug-fix, other]
agents:
  - {deployment: claude-opus-5, label: opus}
  - {deployment: gpt-5-default, label: gpt}
models: [openai/gpt-4.1, local/llama]
repeats: 6
seeds: {strategy: explicit, seeds: [1, 2, 3, 4, 5, 6]}
"""
PRICES = {
    "as_of": "2026-11-01",
    "models": {"openai/gpt-4.1": {"input": 2, "output": {"low": 4, "expected": 8, "high": 16}}},
    "pack_cases": {"@scope/p": 100},
}


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a directory with manifests, records and prices."""
    keys = run("expand", "-", "--format", "keys", stdin=MANIFEST)[1].splitlines()
    lines = run("expand", "-", "--format", "jsonl", stdin=MANIFEST)[1].split("\n")[:-1]
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    outcomes = [
        {**row, "outcome": "failed" if row["repeat"] == 4 else "done"} for row in rows[8:16]
    ]
    stale = {**rows[16], "fingerprint": "fother"}
    files = {
        "sweep.yaml": MANIFEST,
        "seeded.yaml": SEEDED,
        "faulty.yaml": "a: 1",
        "done.txt": "".join(f"{key}\n" for key in keys[:6]),
        "more.jsonl": "".join(f"{json.dumps(row)}\n" for row in [*outcomes, stale]),
        "unknown.txt": "".join(f"catalog/swe-bug-fix/old/local/llama/{n}\n" for n in range(1, 13)),
        "late.jsonl": '{"id": "x"}\n{"id": "y", "outcome": "late"}\n',
        "bare.yaml": "{schema: evalset/v1, name: bare, packs: [p], agents: [{deployment: a}]}",
        "prices.json": json.dumps(PRICES),
        "wrong.json": json.dumps({"models": {}, "currency": "EUR"}),
        "broken.json": "{",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param("help-diff", "diff --help", id="help of diff"),
        pytest.param("help-status", "status --help", id="help of status"),
        pytest.param("help-estimate", "estimate --help", id="help of estimate"),
        pytest.param("only", "expand sweep.yaml --only pack=catalog/* --only repeat=2-9 --all",
                     id="only"),
        pytest.param("only-several", "expand sweep.yaml --format keys --only agent=opus --only "
                     "repeat=1,3-4 --only model=local/llama --only pack=@scope/p --only "
                     "pack=catalog/*", id="several of an axis"),
        pytest.param("except", "expand sweep.yaml --format keys --except agent=opus,repeat=2 "
                     "--except pack=team,ui|`a --except model=local/*", id="except"),
        pytest.param("keys-from", "expand sweep.yaml --format keys --keys-from done.txt "
                     "--keys-from more.jsonl --only repeat=4", id="keys of files"),
        pytest.param("shard", "expand sweep.yaml --format keys --shard 3/8", id="shard"),
        pytest.param("shard-stable", "expand sweep.yaml --format keys --shard 3/8 --shard-by "
                     "stable --only agent=opus", id="stable shard"),
        pytest.param("shard-empty", "expand sweep.yaml --format keys --shard 9/9 --shard-by pack",
                     id="empty shard"),
        pytest.param("skip-done", "expand sweep.yaml --format keys --only model=openai/* "
                     "--skip-done done.txt more.jsonl", id="skip done"),
        pytest.param("skip-unknown", "expand sweep.yaml --format keys --only repeat=1 --only "
                     "agent=opus --skip-done unknown.txt", id="skip what is unknown"),
        pytest.param("markdown", "expand sweep.yaml --format markdown --only repeat=1",
                     id="Markdown"),
        pytest.param("markdown-bare", "expand bare.yaml --format markdown", id="bare Markdown"),
        pytest.param("matrix", "expand sweep.yaml --format github-matrix --shards 3", id="matrix"),
        pytest.param("matrix-few", "expand sweep.yaml --format github-matrix --shards 4 --only "
                     "pack=@scope/p --only repeat=1 --shard-by pack", id="matrix of few"),
        pytest.param("diff", "diff sweep.yaml seeded.yaml", id="diff"),
        pytest.param("diff-json", "diff sweep.yaml seeded.yaml --format json", id="diff as JSON"),
        pytest.param("diff-markdown", "diff sweep.yaml seeded.yaml --format markdown",
                     id="diff as Markdown"),
        pytest.param("diff-same", "diff sweep.yaml sweep.yaml --exit-code", id="diff of one"),
        pytest.param("diff-same-markdown", "diff sweep.yaml sweep.yaml --format markdown",
                     id="diff of one as Markdown"),
        pytest.param("diff-exit-code", "diff bare.yaml sweep.yaml --exit-code", id="exit code"),
        pytest.param("status", "status sweep.yaml done.txt more.jsonl", id="status"),
        pytest.param("status-json", "status sweep.yaml done.txt more.jsonl --only repeat=4 "
                     "--format json", id="status as JSON"),
        pytest.param("status-markdown", "status sweep.yaml more.jsonl unknown.txt --format "
                     "markdown", id="status as Markdown"),
        pytest.param("status-unknown", "status sweep.yaml unknown.txt --only repeat=1",
                     id="unknown"),
        pytest.param("status-done", "status sweep.yaml done.txt --only "
                     "pack=catalog/* --only agent=opus --only model=openai/*", id="complete"),
        pytest.param("estimate", "estimate sweep.yaml --prices prices.json", id="estimate"),
        pytest.param("estimate-over", "estimate sweep.yaml --prices prices.json --only "
                     "model=openai/* --max-usd 0.5", id="over the maximum"),
        pytest.param("estimate-unknown", "estimate sweep.yaml --prices prices.json --max-usd 50",
                     id="unknown under a maximum"),
        pytest.param("estimate-fits", "estimate sweep.yaml --prices prices.json --only "
                     "model=openai/* --only pack=catalog/* --max-usd 50 --skip-done done.txt",
                     id="fits"),
        pytest.param("estimate-json", "estimate sweep.yaml bare.yaml --prices prices.json "
                     "--format json --only repeat=1", id="estimate as JSON"),
        pytest.param("estimate-several", "estimate sweep.yaml bare.yaml --prices prices.json",
                     id="estimates"),
    ],
)  # fmt: skip
def test_a_command_is_as_recorded(name: str, command: str) -> None:
    assert_golden(f"commands/{name}", tuple(command.split(" ")))


def test_the_example_of_prices_prices_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    argv = ("estimate", "models-and-seeds.yaml", "--prices", "prices/made-up.json")
    assert_golden("commands/estimate-example", argv)


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        pytest.param("expand sweep.yaml --only pack=catlog/swe-bug-fix", 2,
                     'evalset: no pack matches "catlog/swe-bug-fix"; did you mean '
                     '"catalog/swe-bug-fix"?', id="a typo"),
        pytest.param("expand sweep.yaml --only repeat=5", 2,
                     "evalset: no repeat matches 5; repeats are 1 to 4", id="a repeat"),
        pytest.param("expand sweep.yaml --only pack=catalog/* --keys-from late.jsonl", 1,
                     'evalset: late.jsonl:2: the outcome is "late"; it is done or failed',
                     id="a record"),
        pytest.param("expand sweep.yaml --skip-done none.txt", 3,
                     "evalset: cannot read none.txt: No such file or directory", id="no records"),
        pytest.param("expand sweep.yaml --only packs=p", 2,
                     'evalset expand: error: argument --only: "packs=p" is not pack=, agent=, '
                     "model=, repeat= or key= and what is wanted of it", id="no axis"),
        pytest.param("expand sweep.yaml --only pack=", 2,
                     'evalset expand: error: argument --only: "pack=" is not pack=, agent=, '
                     "model=, repeat= or key= and what is wanted of it", id="nothing wanted"),
        pytest.param("expand sweep.yaml --except repeat=1-", 2,
                     'evalset expand: error: argument --except: "1-" is not a repeat such as 2, or '
                     "several such as 1-3", id="half a range"),
        pytest.param("expand sweep.yaml --shard 0/8", 2,
                     "evalset expand: error: argument --shard: the index of a shard is 0; shards "
                     "count from 1, so it is 1 to 8", id="shard 0"),
        pytest.param("expand sweep.yaml --shard 1:8", 2,
                     'evalset expand: error: argument --shard: "1:8" is not a shard such as 2/8',
                     id="no shard"),
        pytest.param("expand sweep.yaml --shards 8", 2,
                     "evalset: --shards goes with --format github-matrix; one shard is --shard I/N",
                     id="shards without a matrix"),
        pytest.param("expand sweep.yaml --format github-matrix", 2,
                     "evalset: --format github-matrix needs --shards N, the number of jobs",
                     id="a matrix of how many"),
        pytest.param("expand sweep.yaml --format github-matrix --shards 2 --shard 1/2", 2,
                     "evalset: a matrix has every shard; --shard is for its jobs",
                     id="a matrix of a shard"),
        pytest.param("expand sweep.yaml --format github-matrix --shards 257", 2,
                     'evalset expand: error: argument --shards: "257" is not a whole number of 1 '
                     "to 256", id="too many jobs"),
        pytest.param("expand faulty.yaml --shard 1/2", 1, None, id="a faulty manifest"),
        pytest.param("diff sweep.yaml none.yaml", 3,
                     "evalset: cannot read none.yaml: No such file or directory", id="no manifest"),
        pytest.param("diff faulty.yaml sweep.yaml", 1, None, id="a faulty manifest to compare"),
        pytest.param("status none.yaml done.txt", 3,
                     "evalset: cannot read none.yaml: No such file or directory", id="none"),
        pytest.param("status sweep.yaml late.jsonl", 1,
                     'evalset: late.jsonl:2: the outcome is "late"; it is done or failed',
                     id="a record of status"),
        pytest.param("status sweep.yaml none.txt", 3,
                     "evalset: cannot read none.txt: No such file or directory", id="no record"),
        pytest.param("estimate sweep.yaml --prices none.json", 3,
                     "evalset: cannot read none.json: No such file or directory", id="no prices"),
        pytest.param("estimate sweep.yaml --prices wrong.json", 1,
                     'evalset: wrong.json: "currency" is no key of prices; known are models, '
                     "agents, pack_cases, default_cases, input_tokens, output_tokens, as_of",
                     id="wrong prices"),
        pytest.param("estimate sweep.yaml --prices broken.json", 1, None, id="broken prices"),
        pytest.param("estimate sweep.yaml none.yaml --prices prices.json", 3,
                     "evalset: cannot read none.yaml: No such file or directory", id="one of two"),
        pytest.param("estimate sweep.yaml --prices prices.json --max-usd 1e3", 2,
                     'evalset estimate: error: argument --max-usd: "1e3" is not a number of '
                     "dollars", id="no dollars"),
    ],
)  # fmt: skip
def test_what_a_command_can_t_do_is_told(command: str, code: int, told: str | None) -> None:
    found, out, err = run(*command.split(" "))
    assert (found, out) == (code, "")
    assert err.splitlines()[-1] == told or told is None


def test_prices_need_no_date() -> None:
    Path("prices.json").write_text('{"models": {}}', encoding="utf-8")
    code, out, _ = run("estimate", "bare.yaml", "--prices", "prices.json")
    assert (code, out.splitlines()[-1]) == (0, "budget    none")


def test_help_fits_80_columns() -> None:
    texts = [run(name, "--help")[1] for name in ("diff", "status", "estimate", "expand")]
    assert [line for text in texts for line in text.splitlines() if len(line) > 80] == []


def test_the_schema_of_a_record_is_printed() -> None:
    assert run("schema", "record") == (0, evalset.schemas.schema_text("record"), "")


def test_a_matrix_runs_every_combination_once() -> None:
    matrix: Any = json.loads(
        run("expand", "sweep.yaml", "--format", "github-matrix", "--shards", "5")[1]
    )
    keys: list[str] = []
    for entry in matrix["include"]:
        shard = f"{entry['index']}/{entry['count']}"
        found = run("expand", "sweep.yaml", "--format", "keys", "--shard", shard)[1].splitlines()
        assert len(found) == entry["cells"]
        keys += found
    assert sorted(keys) == sorted(run("expand", "sweep.yaml", "--format", "keys")[1].splitlines())
    assert MAX_JOBS == 256


def test_a_job_that_is_run_again_takes_what_is_left_of_its_own() -> None:
    argv = ("expand", "sweep.yaml", "--format", "keys", "--shard", "2/3")
    before = run(*argv)[1].splitlines()
    after = run(*argv, "--skip-done", "done.txt", "more.jsonl")[1].splitlines()
    assert set(after) < set(before)


def test_csv_is_read_back_whatever_a_key_starts_with() -> None:
    text = run("expand", "sweep.yaml", "--format", "csv")[1]
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert rows[-1]["matrix_key"].startswith("'@scope/p/")
    Path("done.csv").write_bytes(text.encode())
    assert run("status", "sweep.yaml", "done.csv")[0] == 0
    with Path("keys.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["matrix_key"], *([row["matrix_key"]] for row in rows)])
    assert run("status", "sweep.yaml", "keys.csv")[0] == 0
