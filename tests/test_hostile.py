"""Texts that are made to cost much: refused or accepted as they should be, in bounded work.

Whatever comes in, only ManifestError comes out, and no message is long. How long it takes is
measured only for the texts of `AT_ONCE`, which must be refused in half a second; the others
are held to counts, since a clock measures the machine.
"""

import json
import time
from collections.abc import Callable

import pytest

from evalset import Diagnostic, Manifest, ManifestError, check_text, loads
from evalset.explaining import MAX_DIAGNOSTICS

GOOD = "schema: evalset/v1\nname: nightly\npacks: [p]\nagents: [{deployment: a}]\n"
JSON = '{"schema": "evalset/v1", "name": "nightly", "packs": ["p"], "agents": [{"deployment": "a"}]'
LONGEST_MESSAGE = 300


def _in_json(text: str) -> str:
    return f'{JSON}, "x-a": {text}}}'


def _alias_bomb(levels: int = 9, fan: int = 9) -> str:
    lines = [
        f"  a{level}: &a{level} [{', '.join([f'*a{level - 1}' if level else 'lol'] * fan)}]\n"
        for level in range(levels)
    ]
    return f"{GOOD}x-bomb:\n{''.join(lines)}"


def _merge_bomb(levels: int = 9, fan: int = 9) -> str:
    pairs = ", ".join(f"k{key}: {{n: 1}}" for key in range(fan))
    lines = [f"  a0: &a0 {{{pairs}}}\n"]
    for level in range(1, levels):
        merged = ", ".join([f"*a{level - 1}"] * fan)
        pairs = ", ".join(f"m{level}-{key}: *a{level - 1}" for key in range(fan))
        lines.append(f"  a{level}: &a{level} {{<<: [{merged}], {pairs}}}\n")
    return f"{GOOD}x-bomb:\n{''.join(lines)}"


def _ladder(columns: int, depth: int) -> str:
    step = columns // depth
    return GOOD + "x-a:\n" + "".join(" " * (step * level) + "a:\n" for level in range(1, depth))


def _findings(text: str | bytes) -> tuple[Diagnostic, ...]:
    """Load and check a text; hold both to the same verdict, and the messages to their length."""
    result = check_text(text)
    manifest, refused = _load(text)
    assert manifest == result.manifest
    assert manifest or (refused and not result.ok)
    assert len(result.diagnostics) <= MAX_DIAGNOSTICS + 1
    for each in result.diagnostics:
        shown = [each.message, each.hint or "", *(related.message for related in each.related)]
        assert max(map(len, shown)) < LONGEST_MESSAGE
        assert len(each.pointer) < 2 * len(text)
    return result.diagnostics


def _load(text: str | bytes) -> tuple[Manifest | None, tuple[Diagnostic, ...]]:
    try:
        return loads(text), ()
    except ManifestError as error:
        shown, diagnostics = str(error), error.diagnostics
    assert len(shown) < 11 * (LONGEST_MESSAGE + 100)
    return None, diagnostics


# Half a second each, as the project promises.
AT_ONCE = [
    pytest.param(lambda: f"{GOOD}repeats: {10**18}\n", "too-many-combinations", id="10**18"),
    pytest.param(lambda: f'{JSON}, "repeats": {10**18}}}', "too-many-combinations", id="JSON's"),
    pytest.param(_alias_bomb, "too-many-nodes", id="an alias bomb, 9 levels of 9"),
    *[
        pytest.param(
            lambda each=each: GOOD + "x-a: " + each * (100_000 // len(each)),
            "too-deep",
            id=f"100,000 of {each} below a key",
        )
        for each in ("[", "{", "[{", "{[", '[{"a":', "[\n", "[ ", "{a: ")
    ],
    pytest.param(lambda: "[" * 100_000 + "]" * 100_000, "too-deep", id="100,000 of [, closed"),
    pytest.param(lambda: "[" * 100_000, "too-deep", id="100,000 of [ alone"),
    pytest.param(lambda: "[" * 100_000 + "]" * 50_000, "too-deep", id="100,000 of [, half closed"),
    pytest.param(lambda: _in_json("[" * 100_000 + "]" * 100_000), "too-deep", id="JSON's [ closed"),
    pytest.param(lambda: _in_json("[" * 100_000), "too-deep", id="JSON's ["),
    pytest.param(lambda: _in_json('[{"a":' * 16_000), "too-deep", id="JSON's [{"),
    pytest.param(lambda: _in_json('{"a":' * 20_000 + "1" + "}" * 20_000), "too-deep", id="JSON {"),
    pytest.param(lambda: GOOD + "x-a: " + "a" * 20_000_000, "too-large", id="a text of 20 MB"),
    pytest.param(lambda: _in_json(f'"{"a" * 20_000_000}"'), "too-large", id="JSON's 20 MB"),
    pytest.param(lambda: b"a" * 20_000_000, "too-large", id="20 MB of bytes"),
    pytest.param(lambda: "é" * 600_000, "too-large", id="1.2 MB of two bytes each"),
    pytest.param(lambda: GOOD.encode("utf-16"), "not-utf8", id="UTF-16"),
    pytest.param(lambda: GOOD.encode("utf-16-be"), "not-utf8", id="UTF-16, no BOM"),
    pytest.param(lambda: GOOD.encode("utf-32"), "not-utf8", id="UTF-32"),
    pytest.param(lambda: GOOD + "x-a: \0\n", "forbidden-character", id="NUL"),
    pytest.param(lambda: _in_json('"\0"'), "forbidden-character", id="NUL in JSON"),
    pytest.param(lambda: GOOD + "x-a: \ud800\n", "forbidden-character", id="a raw surrogate"),
    pytest.param(lambda: GOOD + 'x-a: "\\ud800"\n', "extension-not-json", id="an escaped one"),
    pytest.param(lambda: _in_json('"\ud800"'), "extension-not-json", id="a raw one in JSON"),
    pytest.param(lambda: _in_json('"\\udfff"'), "extension-not-json", id="an escaped one in JSON"),
    pytest.param(
        lambda: JSON.replace("nightly", "\\ud800") + "}", "forbidden-character", id="one in a name"
    ),
    pytest.param(
        lambda: GOOD + "x-a: !!python/object/apply:os.system ['true']\n",
        "foreign-tag",
        id="!!python/object",
    ),
    pytest.param(lambda: "!!python/name:os.system\n", "foreign-tag", id="!!python/name"),
]  # fmt: skip

REFUSED = [
    pytest.param(lambda: GOOD + 'x-a: "' + "\0" * 100_000 + '"', "forbidden-character", id="NULs"),
    pytest.param(_merge_bomb, "too-many-nodes", id="a merge bomb, 9 levels of 9"),
    pytest.param(lambda: GOOD + "x-a: " + "]" * 100_000, "yaml-syntax", id="100,000 of ]"),
    pytest.param(lambda: GOOD + "x-a: " + "[}" * 50_000, "yaml-syntax", id="50,000 of [}"),
    pytest.param(lambda: _in_json("]" * 100_000), "json-syntax", id="JSON's ]"),
    pytest.param(lambda: "- " * 100_000, "too-deep", id="100,000 dashes"),
    pytest.param(lambda: GOOD + "x-a:\n  " + "- " * 100_000, "too-deep", id="dashes below a key"),
    pytest.param(lambda: "? " * 100_000, "too-deep", id="100,000 question marks"),
    pytest.param(lambda: "a: " * 80_000, "yaml-syntax", id="80,000 keys on a line"),
    pytest.param(lambda: _ladder(4000, 100), "too-deep", id="a ladder of 100 steps"),
    pytest.param(lambda: b"\xff" * 1_000_000, "not-utf8", id="1 MB of 0xFF"),
    pytest.param(
        lambda: b"\xef\xbb\xbf" + "é".encode() * 3 + b"\xff", "not-utf8", id="0xFF behind a BOM"
    ),
    pytest.param(lambda: f"%YAML 1.1\n---\n{GOOD}", "yaml-directive", id="%YAML"),
    pytest.param(lambda: "%TAG !a! b\n" * 20_000 + GOOD, "yaml-syntax", id="20,000 times %TAG"),
    pytest.param(lambda: GOOD + f"repeats: {'9' * 5000}\n", "not-finite", id="5,000 digits"),
    pytest.param(lambda: f'{JSON}, "repeats": {"9" * 5000}}}', "not-finite", id="JSON's digits"),
    pytest.param(lambda: GOOD + f"repeats: 0x{'f' * 5000}\n", "not-finite", id="hexadecimal"),
    pytest.param(lambda: GOOD + "repeats: 1e999999999\n", "not-finite", id="a huge exponent"),
    pytest.param(lambda: f'{JSON}, "repeats": 1e999999999}}', "not-finite", id="JSON's exponent"),
    pytest.param(lambda: GOOD + "repeats: 1e300\n", "too-many-combinations", id="1e300"),
    pytest.param(lambda: GOOD + f"x-a: {'1' * 200_000}\n", "extension-not-json", id="x- digits"),
    pytest.param(lambda: GOOD + f"x-a: 0x{'f' * 200_000}\n", "extension-not-json", id="x- hex"),
    pytest.param(lambda: GOOD + "---\n" * 60_000, "several-documents", id="60,000 documents"),
    pytest.param(lambda: GOOD + "x-a: " + "'" * 200_001, "yaml-syntax", id="200,001 quotes"),
    pytest.param(lambda: GOOD + "x-" + "k" * 200_000 + ": 1\n", "yaml-syntax", id="a long key"),
    pytest.param(lambda: GOOD + "\t" * 200_000, "yaml-syntax", id="200,000 tabs"),
    pytest.param(lambda: GOOD + "&a " * 80_000, "yaml-syntax", id="80,000 anchors in a row"),
    pytest.param(lambda: GOOD + "x-a: *" + "a" * 200_000, "undefined-alias", id="a long alias"),
    pytest.param(lambda: GOOD + "x-a: !" + "a" * 200_000, "foreign-tag", id="a long tag"),
    pytest.param(lambda: f'{JSON}, "{"repeats" * 100_000}": 1}}', "unknown-key", id="a huge key"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "code"), AT_ONCE)
def test_a_text_that_is_made_to_cost_much_is_refused_at_once(
    make: Callable[[], str | bytes], code: str
) -> None:
    text = make()
    _load(GOOD + "x-a: &a 1\n")  # imports are not what is measured
    start = time.process_time()
    manifest, refused = _load(text)
    took = time.process_time() - start
    assert manifest is None
    assert code in {each.code for each in refused}
    assert took < 0.5
    assert code in {each.code for each in _findings(text)}


@pytest.mark.parametrize(("make", "code"), REFUSED)
def test_a_text_beyond_any_use_is_refused(make: Callable[[], str | bytes], code: str) -> None:
    assert code in {each.code for each in _findings(make())}


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda: GOOD + "x-a: " + "a" * 200_000, id="a long text"),
        pytest.param(lambda: GOOD + "x-a: " + "a " * 30_000, id="a text of many words"),
        pytest.param(lambda: GOOD + "x-a: a" + "\n  b" * 15_000, id="a plain text over lines"),
        pytest.param(lambda: GOOD + 'x-a: "a' + "\n  b" * 15_000 + '"', id="a quoted one"),
        pytest.param(lambda: GOOD + "x-a: |" + "\n  b" * 15_000, id="a block text"),
        pytest.param(lambda: GOOD + "x-a: >-" + "\n  b" * 15_000, id="a folded text"),
        pytest.param(lambda: GOOD + "# c\n" * 20_000, id="20,000 comments"),
        pytest.param(lambda: "# c\n" * 20_000 + GOOD, id="20,000 comments before"),
        pytest.param(lambda: GOOD + "\n" * 50_000, id="50,000 empty lines"),
        pytest.param(lambda: GOOD + "\r" * 50_000, id="50,000 times CR"),
        pytest.param(lambda: GOOD + " " * 200_000, id="200,000 spaces"),
        pytest.param(lambda: GOOD + "# " + "[" * 100_000 + "\n", id="brackets in a comment"),
        pytest.param(lambda: GOOD + 'x-a: "' + "[" * 100_000 + '"\n', id="brackets in a text"),
        pytest.param(lambda: _in_json(f'"{"[" * 100_000}"'), id="brackets in a text of JSON"),
        pytest.param(lambda: GOOD + "x-a:\n" + " " * 99_999 + "- a\n", id="100,000 columns"),
        pytest.param(lambda: _ladder(6000, 60), id="a ladder of 60 steps"),
        pytest.param(
            lambda: GOOD + "x-a:\n" + "".join(f"- &a{each} b\n" for each in range(2000)),
            id="2,000 anchors",
        ),
        pytest.param(
            lambda: GOOD + "x-b: &b 1\nx-a: [" + "*b, " * 5000 + "]\n", id="5,000 aliases"
        ),
        pytest.param(lambda: GOOD + "x-a: [" + '"", ' * 5000 + "]\n", id="10,000 quotes"),
        pytest.param(lambda: GOOD + 'x-a: "' + "\\n" * 50_000 + '"\n', id="50,000 escapes"),
        pytest.param(
            lambda: _in_json('"' + "\\u0041" * 100_000 + '"'), id="100,000 escapes in JSON"
        ),
        pytest.param(lambda: _in_json("[" + "1, " * 40_000 + "1]"), id="40,000 values in JSON"),
        pytest.param(lambda: GOOD.replace("nightly", "1" + ":1" * 60_000), id="1:1:1"),
        pytest.param(lambda: GOOD.replace("nightly", "1" + "_1" * 60_000 + "x"), id="1_1_1x"),
        pytest.param(lambda: GOOD.replace("nightly", "0" * 120_000 + ".x"), id="000.x"),
        pytest.param(lambda: GOOD.replace("nightly", '"' + "\\_" * 60_000 + 'x"'), id="spaces"),
        pytest.param(
            lambda: JSON + ', "scanners": ["' + "reward-hacking" * 60_000 + '"]}', id="a scanner"
        ),
        pytest.param(lambda: GOOD + f"x-a: {'[' * 59}{']' * 59}\n", id="59 deep below an x- key"),
        pytest.param(lambda: GOOD + f"x-a: {'[' * 60}{']' * 60}\n", id="60 deep below an x- key"),
        pytest.param(lambda: _in_json("[" * 60 + "]" * 60), id="60 deep below an x- key of JSON"),
    ],
)
def test_what_only_looks_hostile_is_read(make: Callable[[], str | bytes]) -> None:
    assert [each for each in _findings(make()) if each.is_error] == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param(_in_json("[" * 61 + "]" * 61), "too-deep", id="61 below an x- key"),
        pytest.param(_in_json("[" * 63 + "]" * 63), "too-deep", id="64 deep in all"),
        pytest.param(_in_json("[" * 64 + "]" * 64), "too-deep", id="65 deep in all"),
        pytest.param(GOOD + f"x-a: {'[' * 61}{']' * 61}\n", "too-deep", id="61 in YAML"),
        pytest.param(GOOD + f"x-a: {'[' * 64}{']' * 64}\n", "too-deep", id="65 in YAML"),
        pytest.param(_in_json("[" + "1, " * 100_000 + "1]"), "too-many-nodes", id="100,000 values"),
        pytest.param(GOOD + "x-a: [" + "1, " * 5000 + "1]\n", None, id="5,000 values"),
    ],
)
def test_depth_and_number_of_values_have_their_limit(text: str, code: str | None) -> None:
    assert [each.code for each in _findings(text)] == ([code] if code else [])


@pytest.mark.parametrize(
    ("make", "code"),
    [
        pytest.param(lambda: GOOD + "a: 1\n" * 2000, "duplicate-key", id="2,000 keys of YAML"),
        pytest.param(
            lambda: _in_json("1" + ', "x-a": 1' * 5000), "duplicate-key", id="5,000 of JSON"
        ),
        pytest.param(
            lambda: JSON.replace('["p"]', json.dumps([None] * 2000)) + "}",
            "null-value",
            id="2,000 nulls",
        ),
        pytest.param(
            lambda: JSON.replace('["p"]', json.dumps(["p"] * 2000)) + "}",
            "duplicate-pack",
            id="2,000 equal packs",
        ),
        pytest.param(
            lambda: JSON + "".join(f', "repeat{each}": 1' for each in range(2000)) + "}",
            "unknown-key",
            id="2,000 unknown keys",
        ),
        pytest.param(
            lambda: GOOD + "x-a: [" + "!a b, " * 2000 + "]\n", "foreign-tag", id="2,000 tags"
        ),
        pytest.param(
            lambda: GOOD + "x-a: [" + "*a, " * 2000 + "]\n", "undefined-alias", id="2,000 aliases"
        ),
        pytest.param(
            lambda: JSON + f', "scanners": {json.dumps([f"s{each}" for each in range(2000)])}}}',
            "unknown-scanner",
            id="2,000 unknown scanners",
        ),
    ],
)
def test_of_very_many_findings_200_are_listed_and_the_rest_counted(
    make: Callable[[], str], code: str
) -> None:
    found = _findings(make())
    assert len(found) == MAX_DIAGNOSTICS + 1
    assert found[-1].code == "more-findings"
    assert code in {each.code for each in found[:-1]}


def test_many_more_nulls_than_a_manifest_can_have_are_refused_as_a_few_are() -> None:
    found = _findings(JSON.replace('["p"]', json.dumps([None] * 5000)) + "}")
    assert len(found) == MAX_DIAGNOSTICS + 1
    assert {each.code for each in found} <= {"null-value", "too-many-combinations", "more-findings"}


def test_merges_are_bounded_by_what_they_copy() -> None:
    keys = "".join(f"  k{number}: 1\n" for number in range(200))
    merges = "".join("  - <<: *a\n" for _ in range(501))
    result = check_text(f"x-a: &a\n{keys}x-b:\n{merges}")
    assert [each.code for each in result.diagnostics] == ["too-many-nodes"]
