"""What names look like: each rule alone, on plain data."""

from pathlib import Path
from typing import Any

import pytest
from tests.shell import run

import evalset
from evalset.keys import KeyBy
from evalset.naming import naming_rules
from evalset.rules import Finding

UUID = "0f0f0f0f-1111-4222-8333-444444444444"
Told = list[tuple[str, tuple[str | int, ...]]]


def find(data: Any, *, key_by: KeyBy = "label", pinned: bool = False) -> list[Finding]:  # noqa: ANN401 (any shape)
    return [each for rule in naming_rules(key_by, pinned=pinned) for each in rule(data)]


def told(findings: list[Finding]) -> Told:
    return [(each.code, each.path) for each in findings]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"packs": 5, "agents": "a", "models": {}, "repeats": "b"}, id="other shapes"),
        pytest.param(
            {"packs": [None, "", " "], "agents": [None, 5, {}, {"deployment": 5}], "models": [""]},
            id="items of other shapes",
        ),
        pytest.param({"agents": [{"deployment": "a", "label": 5}]}, id="a label that is no text"),
        pytest.param({"packs": ["a", "catalog/b", "c@2", UUID]}, id="good packs"),
        pytest.param({"packs": ["a-yaml", "yaml", "a.yaml.b", "...", "a..b", "a.b/c"]}, id="dots"),
        pytest.param({"models": ["a.yaml", UUID[:-1]]}, id="models, which are anybody's"),
        pytest.param(
            {"packs": ["0" * 28, "0" * 36, "-".join("0f" * 16), "f" * 31, f"0{'x' * 31}"]},
            id="what is not near enough to a UUID",
        ),
        pytest.param({"packs": [UUID, "1" + UUID[1:]], "agents": [{"deployment": UUID}]},
                     id="one UUID as a pack and as a deployment"),
        pytest.param(
            {"agents": [{"deployment": UUID, "label": "a"}, {"deployment": UUID, "label": "b"}]},
            id="one UUID twice in one spelling",
        ),
        pytest.param({"agents": [{"deployment": "a b", "label": "a-b"}]}, id="a label of its own"),
        pytest.param({"packs": ["a", "b"], "agents": [{"deployment": "A"}], "models": ["B"]},
                     id="case across axes"),
        pytest.param({"packs": ["p" * 251], "agents": [{"deployment": "a"}], "repeats": 9},
                     id="255 bytes"),
    ],
)  # fmt: skip
def test_there_is_nothing_to_say_of_most_names(data: dict[str, Any]) -> None:
    assert told(find(data)) == []


def test_a_label_that_names_another_agent_s_deployment_is_told_by_dialect() -> None:
    agents = [{"deployment": "a", "label": "b"}, {"deployment": "b"}]
    found = ("misleading-label", ("agents", 0, "label"))
    assert told(find({"agents": agents})) == []  # the two keys are equal, which is an error
    assert told(find({"agents": agents}, key_by="deployment")) == [found]
    agents[1]["label"] = "c"
    assert told(find({"agents": agents})) == [found]


def test_case_is_told_of_what_stands_in_the_key() -> None:
    agents = [{"deployment": "a", "label": "x"}, {"deployment": "A", "label": "y"}]
    assert told(find({"agents": agents})) == []
    found = ("similar-refs", ("agents", 1, "deployment"))
    assert told(find({"agents": agents}, key_by="deployment")) == [found]
    labels = [{"deployment": "a", "label": "x"}, {"deployment": "b", "label": "X"}]
    assert told(find({"agents": labels})) == []  # which similar-labels tells


@pytest.mark.parametrize(
    ("data", "path"),
    [
        pytest.param({"packs": ["q", "p" * 252]}, ("packs", 1), id="a pack"),
        pytest.param({"models": ["é" * 126]}, ("models", 0), id="a model, in bytes"),
        pytest.param({"agents": [{"deployment": "d", "label": "a" * 252}]},
                     ("agents", 0, "label"), id="a label"),
        pytest.param({"packs": ["p" * 249], "repeats": 10**9}, ("packs", 0), id="many repeats"),
    ],
)  # fmt: skip
def test_a_key_of_more_bytes_than_a_file_name_is_told_once(
    data: dict[str, Any], path: tuple[str | int, ...]
) -> None:
    whole = {"packs": ["p"], "agents": [{"deployment": "a"}], **data}
    assert told(find(whole)) == [("long-key", path)]


def test_a_lone_surrogate_in_a_name_breaks_nothing() -> None:
    assert told(find({"packs": ["\ud800" * 90]})) == [("long-key", ("packs", 0))]


def test_only_who_wants_uuids_is_told_of_names() -> None:
    data = {
        "packs": ["p", UUID, " "],
        "agents": [{"deployment": f"urn:uuid:{UUID}"}],
        "models": ["m"],
    }
    assert told(find(data)) == []
    assert told(find(data, pinned=True)) == [("not-pinned", ("packs", 0))]


@pytest.mark.parametrize("pinned", [False, True])
def test_check_looks_at_names_of_texts_and_of_data(pinned: bool) -> None:  # noqa: FBT001
    data = {
        "schema": "evalset/v1",
        "name": "sweep",
        "packs": ["p"],
        "agents": [{"deployment": "a"}],
    }
    text = evalset.dumps(evalset.Manifest.from_dict(data))
    codes = ["not-pinned", "not-pinned"] if pinned else []
    for result in (
        evalset.check_data(data, pinned=pinned),
        evalset.check_text(text, pinned=pinned),
    ):
        assert [each.code for each in result.diagnostics] == codes
        assert result.ok


EXAMPLE = Path(__file__).parents[1] / "examples" / "nightly-coding-sweep.yaml"


def test_there_is_nothing_to_say_of_the_specification_s_example_and_of_what_init_writes() -> None:
    for text in (EXAMPLE.read_text(encoding="utf-8"), run("init", "-")[1]):
        for key_by in ("label", "deployment"):
            assert evalset.check_text(text, key_by=key_by).diagnostics == ()
