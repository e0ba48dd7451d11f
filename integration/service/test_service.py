"""The service of examples/service answers as it should, over real HTTP."""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from hypothesis import given, settings
from integration.service.server import serving
from tests.test_reference_cases import CASES, INVALID, VALID

import evalset
from evalset import Combination, Manifest, TokenPrices
from evalset.keys import KeyBy
from evalset.pricing import Range
from evalset.testing import expansions

ROOT = Path(__file__).parents[2]
README = ROOT / "examples/service/README.md"
PRICES = json.loads((ROOT / "examples/service/prices.json").read_text(encoding="utf-8"))
ACME = "3f0c6d1e-8a54-4c1b-9d2f-5b7a9e0c4d21"
OTHER = "3f0c6d1e-8a54-4c1b-9d2f-5b7a9e0c4d22"
MANIFEST: dict[str, Any] = {
    "schema": "evalset/v1",
    "name": "nightly",
    "packs": ["catalog/swe-bug-fix"],
    "agents": [{"deployment": "gpt-5-default", "label": "gpt"}],
    "models": ["openai/gpt-4.1"],
    "repeats": 3,
}
EXPAND, SETS = "/v1/eval-sets/expand", "/v1/eval-sets"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service") / "sets.sqlite"


@pytest.fixture(scope="module")
def client(store: Path) -> Iterator[httpx.Client]:
    with serving(store=store, costs=TokenPrices.from_dict(PRICES)) as client:
        yield client


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    """Give the problem that an answer holds, of which the body says the status, too."""
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["status"] == status
    if body["type"] != "about:blank":
        validator: Any = jsonschema.Draft7Validator(evalset.json_schema("diagnostics"))
        validator.validate(body)
    return body


def codes(answer: httpx.Response, status: int = 422) -> list[str]:
    return [each["code"] for each in problem(answer, status)["diagnostics"]]


def post(client: httpx.Client, path: str, manifest: object, **options: object) -> httpx.Response:
    return client.post(path, json={"workspace_id": ACME, "manifest": manifest, **options})


# Expanding


class ReferenceCosts:
    """What the reference takes every combination to cost."""

    def __init__(self, per_case: float) -> None:
        self._usd = Range(per_case * 0.5, per_case, per_case * 1.5)

    def cost(self, combination: Combination, /) -> Range:
        return self.cases(combination).times(self._usd)

    def cases(self, _: Combination, /) -> Range:
        return Range.exactly(10)


def reference_answer(case: dict[str, Any], key_by: KeyBy) -> dict[str, Any]:
    """Give the report of the reference, with the keys of a dialect and limits always there."""
    report = case["key_by_deployment"]["report"]
    others = case[f"key_by_{key_by}"]["report"]["combinations"]
    combinations = [
        {**each, "matrix_key": other["matrix_key"]}
        for each, other in zip(report["combinations"], others, strict=True)
    ]
    no_limits = {"max_concurrent_runs": 0, "budget_usd": 0}
    return {**no_limits, **report, "combinations": combinations}


@pytest.mark.parametrize("key_by", ["label", "deployment"])
@pytest.mark.parametrize("per_case", [0.0135, 0.0045])
def test_it_answers_as_the_reference_does(tmp_path: Path, key_by: KeyBy, per_case: float) -> None:
    cases = [
        case
        for case in map(CASES.__getitem__, VALID)
        if case["key_by_deployment"]["estimate"]["per_case_usd"] == per_case
    ]
    assert cases
    costs = ReferenceCosts(per_case)
    with serving(store=tmp_path / "sets", costs=costs, key_by=key_by) as client:
        for case in cases:
            manifest = evalset.loads(case["manifest"]).to_dict()
            answer = post(client, EXPAND, manifest).json()
            told = answer.pop("estimate")
            estimate = case["key_by_deployment"]["estimate"]
            exceeds = "estimated_cost_exceeds_budget" if estimate["exceeds_budget"] else None
            assert answer.pop("warning", None) == exceeds
            assert answer == reference_answer(case, key_by)
            # The reference rounds to cents.
            assert told["estimated_usd"] == pytest.approx(estimate["estimated_usd"], abs=0.00501)
            fields = set(estimate) - {"heuristic", "estimated_usd"}
            assert {field: told[field] for field in fields} == {
                field: estimate[field] for field in fields
            }


@pytest.mark.parametrize("name", [name for name in INVALID if CASES[name]["manifest"][0] == "{"])
def test_it_refuses_what_the_reference_refuses(client: httpx.Client, name: str) -> None:
    body = f'{{"workspace_id": "{ACME}", "manifest": {CASES[name]["manifest"]}}}'
    assert codes(client.post(EXPAND, content=body))


@settings(deadline=None, max_examples=20)
@given(expansion=expansions(key_by="label"))
def test_it_takes_every_good_manifest(client: httpx.Client, expansion: evalset.Expansion) -> None:
    answer = post(client, EXPAND, expansion.manifest.to_dict()).json()
    assert answer["combinations"] == expansion.to_dict()["combinations"]


def test_it_warns_when_the_estimate_exceeds_the_budget(client: httpx.Client) -> None:
    answer = post(client, EXPAND, {**MANIFEST, "limits": {"budget_usd": 0.01}}).json()
    assert answer["estimate"]["estimated_usd"] == 0.24
    assert answer["warning"] == "estimated_cost_exceeds_budget"


def test_a_price_that_is_not_known_is_not_zero(client: httpx.Client) -> None:
    answer = post(client, EXPAND, {**MANIFEST, "models": ["m", "openai/gpt-4.1"]}).json()
    assert (answer["estimate"]["unknown"], answer["estimate"]["unpriced"]) == (3, ['model "m"'])


def test_a_client_may_ask_for_a_smaller_cap(client: httpx.Client) -> None:
    found = problem(post(client, EXPAND, MANIFEST, max_combinations=2), 422)
    [diagnostic] = found["diagnostics"]
    assert (diagnostic["code"], diagnostic["pointer"]) == (
        "too-many-combinations", "/manifest/repeats",
    )  # fmt: skip
    assert diagnostic["span"]["path"] == "body"


@pytest.mark.parametrize("cap", [2001, 0, -1, "3", 1.5, True])
def test_no_client_raises_the_cap(client: httpx.Client, cap: object) -> None:
    found = problem(post(client, EXPAND, MANIFEST, max_combinations=cap), 422)
    assert [error["place"] for error in found["errors"]] == ["/max_combinations"]


# Bodies


@pytest.mark.parametrize("path", [EXPAND, SETS])
def test_a_key_that_stands_twice_is_found_with_both_places(client: httpx.Client, path: str) -> None:
    text = json.dumps(MANIFEST)[:-1] + ', "repeats": 5}'
    body = f'{{"workspace_id": "{ACME}",\n"manifest": {text}}}'
    [found] = problem(client.post(path, content=body), 422)["diagnostics"]
    assert (found["code"], found["pointer"]) == ("duplicate-key", "/manifest/repeats")
    assert [found["span"]["line"], found["related"][0]["span"]["line"]] == [2, 2]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param(b"", "empty-document", id="nothing"),
        pytest.param(b"{", "json-syntax", id="no JSON"),
        pytest.param(b"manifest: {}", "json-syntax", id="YAML"),
        pytest.param(b"\xff\xfe", "not-utf8", id="UTF-16"),
        pytest.param(b'{"workspace_id": 1}', "pointer-not-found", id="no manifest"),
        pytest.param(b"[]", "pointer-not-found", id="a list"),
        pytest.param(b'{"manifest": 1}', "wrong-type", id="a number"),
        pytest.param(b'{"manifest": {"\\ud800": NaN}}', "json-syntax", id="not a number"),
        pytest.param(b"[" * 100_000, "too-deep", id="deep"),
    ],
)
def test_a_body_that_holds_no_manifest_is_explained(
    client: httpx.Client, body: bytes, code: str
) -> None:
    assert codes(client.post(EXPAND, content=body))[0] == code


def test_half_a_surrogate_has_an_answer(client: httpx.Client) -> None:
    answer = client.post(EXPAND, content=b'{"manifest": {"\\ud800": 1}}')
    assert codes(answer)[-1] == "unknown-key"


def test_other_keys_of_a_body_are_looked_at_too(client: httpx.Client) -> None:
    answer = client.post(EXPAND, json={"workspace_id": "acme", "manifest": MANIFEST, "max": 3})
    places = [error["place"] for error in problem(answer, 422)["errors"]]
    assert places == ["/workspace_id", "/max"]


@pytest.mark.parametrize("path", [EXPAND, SETS])
def test_a_body_of_one_mebibyte_is_taken_and_a_larger_one_is_not(
    client: httpx.Client, path: str
) -> None:
    text = json.dumps({"workspace_id": ACME, "manifest": MANIFEST})
    fitting = text + " " * (1024 * 1024 - len(text))
    assert client.post(path, content=fitting).is_success
    problem(client.post(path, content=fitting + " "), 413)
    # In parts, without a length that announces it.
    problem(client.post(path, content=iter([fitting.encode(), b" " * 1024])), 413)


def test_what_the_service_does_not_have_is_a_problem_too(client: httpx.Client) -> None:
    assert problem(client.get("/v2"), 404)["title"] == "Not Found"
    answer = client.delete(SETS)
    problem(answer, 405)
    assert answer.headers["allow"] == "POST"


# Storing


def test_what_was_stored_is_given_back(client: httpx.Client) -> None:
    answer = post(client, SETS, {**MANIFEST, "models": None, "x-team": {"a": [1]}})
    assert answer.status_code == 201
    again = client.get(answer.headers["location"])
    assert again.status_code == 200
    assert again.json() == answer.json()
    manifest = Manifest.from_dict(again.json()["manifest"])
    assert manifest.digest() == again.json()["digest"]
    assert manifest.extensions.to_dict() == {"x-team": {"a": [1]}}


def test_the_same_manifest_has_the_same_place(client: httpx.Client) -> None:
    first = post(client, SETS, MANIFEST)
    second = post(client, SETS, {**dict(reversed(MANIFEST.items())), "name": " nightly "})
    assert first.headers["location"] == second.headers["location"]


def test_many_clients_at_once_are_all_answered(client: httpx.Client) -> None:
    manifests = [{**MANIFEST, "name": f"set {number % 10}"} for number in range(80)]
    with ThreadPoolExecutor(8) as clients:
        waiting = [clients.submit(post, client, SETS, manifest) for manifest in manifests]
        answers = [each.result() for each in waiting]
    assert {answer.status_code for answer in answers} == {201}
    expected = [Manifest.from_dict(manifest).digest() for manifest in manifests]
    assert [answer.json()["digest"] for answer in answers] == expected


def test_a_manifest_that_does_not_expand_is_not_stored(client: httpx.Client) -> None:
    agents = [{"deployment": "a", "label": "x y"}, {"deployment": "b", "label": "x-y"}]
    assert codes(post(client, SETS, {**MANIFEST, "agents": agents})) == ["duplicate-agent"]


def test_nobody_sees_the_sets_of_another_workspace(client: httpx.Client) -> None:
    digest = post(client, SETS, MANIFEST).json()["digest"]
    problem(client.get(f"{SETS}/{digest}", params={"workspace_id": OTHER}), 404)


@pytest.mark.parametrize(
    ("path", "places"),
    [
        pytest.param(f"/abc?workspace_id={ACME}", ["/path/digest"], id="no digest"),
        pytest.param(f"/{'0' * 64}", ["/query/workspace_id"], id="no workspace"),
    ],
)
def test_a_place_that_is_none_is_explained(
    client: httpx.Client, path: str, places: list[str]
) -> None:
    found = problem(client.get(SETS + path), 422)
    assert [error["place"] for error in found["errors"]] == places


def read_back(client: httpx.Client, store: Path, text: str) -> httpx.Response:
    """Read what another release has stored."""
    digest = "ab" * 32
    connection = sqlite3.connect(store)
    with connection:
        connection.execute("INSERT OR REPLACE INTO eval_sets VALUES (?, ?, ?)",
                           (ACME, digest, text))  # fmt: skip
    connection.close()
    return client.get(f"{SETS}/{digest}", params={"workspace_id": ACME})


def test_what_the_reference_has_stored_is_read(client: httpx.Client, store: Path) -> None:
    stored = {
        **MANIFEST,
        "models": None,
        "repeats": 1,
        "limits": {"max_concurrent_runs": 0, "budget_usd": 0},
        "case_fanout": False,
        "agents": [{"deployment": "11111111-1111-1111-1111-111111111111", "label": "gpt"}],
    }
    answer = read_back(client, store, json.dumps(stored)).json()
    assert Manifest.from_dict(answer["manifest"]) == Manifest.from_dict(stored)
    assert [each["code"] for each in answer["diagnostics"]] == ["zero-budget"]


def test_what_a_newer_release_has_stored_is_kept_and_warned_of(
    client: httpx.Client, store: Path
) -> None:
    agents = [{"deployment": "a", "tier": "gold"}]
    newer = {**MANIFEST, "agents": agents, "priority": {"class": "high"}}
    answer = read_back(client, store, json.dumps(newer)).json()
    assert answer["manifest"] == newer
    assert [(each["code"], each["severity"]) for each in answer["diagnostics"]] == [
        ("kept-key", "warning"),
        ("kept-key", "warning"),
    ]


def test_equal_labels_of_current_servers_are_read(client: httpx.Client, store: Path) -> None:
    agents = [{"deployment": "a", "label": "x"}, {"deployment": "b", "label": "x"}]
    answer = read_back(client, store, json.dumps({**MANIFEST, "agents": agents}))
    assert answer.status_code == 200
    assert [each["code"] for each in answer.json()["diagnostics"]] == ["duplicate-agent"]


def test_for_what_can_not_be_read_no_client_is_blamed(client: httpx.Client, store: Path) -> None:
    found = problem(read_back(client, store, json.dumps({**MANIFEST, "packs": []})), 500)
    assert [each["code"] for each in found["diagnostics"]] == ["empty-list"]


# As a whole


def test_its_description_holds_for_whatever_is_sent(client: httpx.Client, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{client.base_url}/openapi.json"),
            *("--phases", "coverage,fuzzing", "--max-examples", "20", "--workers", "2"),
            "--generation-deterministic",
            "--no-color",
            # A schema can't say everything, so what fits it may be refused; and `expand` stands
            # where GET has digests.
            *("--checks", "all", "--exclude-checks", "positive_data_acceptance,unsupported_method"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]


def test_the_program_of_the_readme_answers_what_the_readme_says(tmp_path: Path) -> None:
    readme = README.read_text(encoding="utf-8")
    [command] = re.findall(r"^python -m (examples\.service\.app .*)$", readme, re.MULTILINE)
    blocks = re.findall(r"^```json\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)
    request, expected = map(json.loads, blocks)
    arguments = command.replace("evalsets.sqlite", str(tmp_path / "sets")).replace("8000", "0")
    with subprocess.Popen(
        [sys.executable, "-m", *arguments.split()], cwd=ROOT, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        [url] = next(filter(None, (re.findall(r"http://\S+", line) for line in process.stderr)))
        answer = httpx.post(url + EXPAND, json=request, timeout=60).json()
        process.terminate()
    for parts in ("packs", "agents", "models"):
        assert answer["estimate"].pop(parts)
    assert answer == expected
