"""Of the caller's stack little is needed, and a caller without that gets no wrong answer."""

import json
import subprocess
import sys

import pytest

HEAD = "schema: evalset/v1\nname: nightly\npacks: [p]\nagents: [{deployment: a}]\n"
JSON = '{"schema": "evalset/v1", "name": "n", "packs": ["p"], "agents": [{"deployment": "a"}], '

# Everything is done once, with the whole stack, then again with ever more frames left to it,
# and what came of it is held against the first. Frames are those of Python.
PROGRAM = """
import copy, json, pickle, sys
import evalset

def work(text):
    result = evalset.check_text(text)
    codes = [each.code for each in result.diagnostics]
    if result.ok:
        manifest = result.manifest
        again = pickle.loads(pickle.dumps(manifest))
        assert copy.deepcopy(again) == evalset.loads(evalset.dumps(again)) == manifest
        assert hash(again) == hash(manifest) and repr(again) == repr(manifest)
        assert evalset.check_data(manifest.to_dict()).manifest == manifest
        return codes, manifest.digest(), evalset.expand(manifest).to_json()
    try:
        evalset.loads(text)
    except evalset.ManifestError as error:
        return codes, str(error)

def depth():
    frame, count = sys._getframe(), 0
    while frame:
        frame, count = frame.f_back, count + 1
    return count

text, limit = json.load(sys.stdin), sys.getrecursionlimit()
expected = work(text)
answers = {}
for free in [*range(20, 300, 3), 300]:
    try:
        sys.setrecursionlimit(depth() + free)
        answer = work(text) == expected
    except RecursionError:
        answer = None
    finally:
        sys.setrecursionlimit(limit)
    answers[free] = answer
print(json.dumps([expected[0], answers[300], sum(each is False for each in answers.values())]))
"""


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param(f'{JSON}"x-a": {"[" * 60}{"]" * 60}}}', [], id="JSON as deep as may be"),
        pytest.param(f"{HEAD}x-a: {'[{a: ' * 30}1{'}]' * 30}\n", [], id="YAML as deep as may be"),
        pytest.param(f'{JSON}"y": {"[" * 62}{"]" * 62}}}', ["unknown-key"], id="deep and refused"),
        pytest.param(f"{JSON}{'[' * 5000}", ["json-syntax"], id="JSON that is no JSON"),
        pytest.param(f'{JSON}"x-a": {"[" * 5000}', ["too-deep"], id="JSON too deep"),
        pytest.param(f"{HEAD}x-a: {'[' * 5000}", ["too-deep"], id="YAML too deep"),
        pytest.param(f"{HEAD}x-a: [1, 2\n", ["yaml-syntax"], id="YAML that is no YAML"),
    ],
)
def test_300_frames_are_enough_and_fewer_give_no_other_answer(text: str, codes: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps(text), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == [codes, True, 0]
