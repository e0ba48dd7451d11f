"""The same text gives the same answer in every process, whatever its environment."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import Phase, given, settings
from tests.laws.spoiling import mutated_texts

from evalset.testing import broken_manifests, documents

# What a process answers for a list of texts: everything that anyone could keep.
ANSWER = """
import json, sys
import evalset

def answer(text):
    result = evalset.check_text(text, name="t")
    told = [diagnostic.to_dict() for diagnostic in result.diagnostics]
    if not result.ok:
        return told
    expansion = evalset.expand(result.manifest)
    names = [(each.matrix_key, each.id, each.safe_name()) for each in expansion]
    texts = [evalset.dumps(result.manifest, format=format) for format in ("yaml", "json")]
    loaded = evalset.loads(text) == result.manifest
    return told, result.manifest.digest(), names, texts, expansion.to_json(), loaded

json.dump([answer(text) for text in json.load(sys.stdin)], sys.stdout)
"""
ENVIRONMENTS = {
    "another hash seed": {"PYTHONHASHSEED": "1"},
    "a third hash seed, far east": {"PYTHONHASHSEED": "4242", "TZ": "Asia/Tokyo"},
    "the C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "a Turkish locale": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Europe/Istanbul"},
}


def batch() -> list[str]:
    """Collect good, broken and mutated texts, the same in every run."""
    texts: list[str] = []

    @settings(max_examples=60, derandomize=True, database=None, phases=[Phase.generate])
    @given(
        documents().map(lambda each: each.text)
        | broken_manifests().map(lambda each: each.text).filter(lambda text: isinstance(text, str))
        | mutated_texts()
    )
    def collect(text: str) -> None:
        texts.append(text)

    collect()
    return texts


def answers(texts: list[str], environment: dict[str, str]) -> str:
    finished = subprocess.run(
        [sys.executable, "-c", ANSWER],
        input=json.dumps(texts),
        env={**os.environ, "PYTHONHASHSEED": "0", "TZ": "UTC", **environment},
        capture_output=True,
        check=True,
        text=True,
    )
    return finished.stdout


@pytest.fixture(scope="module")
def first() -> tuple[list[str], str]:
    texts = batch()
    return texts, answers(texts, {})


@pytest.mark.parametrize(
    "environment", [pytest.param(each, id=name) for name, each in ENVIRONMENTS.items()]
)
def test_another_process_gives_the_same_answers(
    first: tuple[list[str], str], environment: dict[str, str]
) -> None:
    texts, expected = first
    assert answers(texts, environment) == expected
    assert len(json.loads(expected)) == len(texts) >= 60
