"""What a violation of the schema means to the writer: code, message and hint."""

import math
from typing import Any

import pytest

from evalset import check_data, check_text
from evalset.nodes import Path
from evalset.rules import Finding
from evalset.schemas import SchemaError
from evalset.shapes import is_mapping
from evalset.wording import finding_for

GOOD: dict[str, Any] = {
    "schema": "evalset/v1",
    "name": "n",
    "packs": ["p"],
    "agents": [{"deployment": "a"}],
}


def _words(data: Any) -> list[tuple[str, str, str | None]]:  # noqa: ANN401 (plain data)
    whole: Any = {**GOOD, **data} if is_mapping(data) else data
    return [(each.code, each.message, each.hint) for each in check_data(whole).diagnostics]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(
            {"name": True},
            ("text-not-quoted", "name is true, which is read as a boolean; text is wanted",
             'write "true", with quotes'),
            id="a boolean for text",
        ),
        pytest.param(
            {"packs": ["p", 4.5]},
            ("text-not-quoted", "packs[1] is 4.5, which is read as a number; text is wanted",
             'write "4.5", with quotes'),
            id="a number for text",
        ),
        pytest.param(
            {"name": b"n"},
            ("wrong-type", "name is a value of the type bytes; text is wanted", None),
            id="another type for text",
        ),
        pytest.param(
            {"name": []}, ("wrong-type", "name is a list; text is wanted", None), id="a list"
        ),
        pytest.param(
            {"name": ["n"]},
            ("wrong-type", "name is a list; text is wanted",
             'write "n", without brackets or a dash'),
            id="a list of one text",
        ),
        pytest.param(
            {"packs": [{"slug": "p"}]},
            ("wrong-type", "packs[0] is a mapping; text is wanted", 'write "p", without a key'),
            id="a mapping around a text",
        ),
        pytest.param(
            {"packs": [["p" * 61]]},
            ("wrong-type", "packs[0] is a list; text is wanted", None),
            id="a list around a long text",
        ),
        pytest.param(
            {"repeats": True},
            ("wrong-type", "repeats is the boolean true; a whole number is wanted", None),
            id="a boolean for a number",
        ),
        pytest.param(
            {"repeats": 2.5},
            ("not-an-integer", "repeats is 2.5; a whole number is wanted", None),
            id="a fraction",
        ),
        pytest.param(
            {"repeats": " 3 "},
            ("number-quoted", 'repeats is the text " 3 "; a whole number is wanted',
             "write 3, without quotes"),
            id="a quoted number",
        ),
        pytest.param(
            {"limits": {"budget_usd": "fifty"}},
            ("wrong-type", 'limits.budget_usd is the text "fifty"; a number is wanted', None),
            id="a word for a number",
        ),
        pytest.param(
            {"limits": {"budget_usd": {}}},
            ("wrong-type", "limits.budget_usd is a mapping; a number is wanted", None),
            id="a mapping for a number",
        ),
        pytest.param(
            {"limits": {"budget_usd": -5}},
            ("out-of-range", "limits.budget_usd is -5; the least is 0", None),
            id="below the least",
        ),
        pytest.param(
            {"limits": {"max_concurrent_runs": 2**63}},
            ("out-of-range", f"limits.max_concurrent_runs is {2**63}; the most is {2**63 - 1}",
             None),
            id="above the most",
        ),
        *[
            pytest.param(
                {"case_fanout": word},
                ("boolean-form", f'case_fanout is the text "{word}"; true or false is wanted',
                 f"write {boolean}, without quotes"),
                id=f"{word} for {boolean}",
            )
            for word, boolean in [
                ("Yes", "true"), ("ON", "true"), ("y", "true"), ("true", "true"), ("1", "true"),
                ("no", "false"), ("Off", "false"), ("n", "false"), ("FALSE", "false"),
                ("0", "false"),
            ]
        ],
        pytest.param(
            {"case_fanout": 0},
            ("boolean-form", "case_fanout is the number 0; true or false is wanted",
             "write false, without quotes"),
            id="0 for false",
        ),
        pytest.param(
            {"case_fanout": 0.5},
            ("wrong-type", "case_fanout is the number 0.5; true or false is wanted", None),
            id="a fraction for a boolean",
        ),
        pytest.param(
            {"case_fanout": "maybe"},
            ("wrong-type", 'case_fanout is the text "maybe"; true or false is wanted', None),
            id="a word for a boolean",
        ),
        pytest.param(
            {"limits": {"budget_usd": math.inf}},
            (
                "not-finite",
                "limits.budget_usd is infinite or no number; a finite number is wanted",
                None,
            ),
            id="an infinite budget",
        ),
        pytest.param(
            {"limits": {"budget_usd": 10**309}},
            (
                "not-finite",
                "limits.budget_usd has over 300 digits; the most is about 1.8e308",
                None,
            ),
            id="a budget that no double holds",
        ),
        *[
            pytest.param(
                {"limits": {"budget_usd": text}},
                ("wrong-type", f'limits.budget_usd is the text "{text}"; a number is wanted', hint),
                id=f"a budget of {text}",
            )
            for text, hint in [
                ("$50", "write 50"), ("50 USD", "write 50"), ("1,000", "write 1000"),
                ("$ 1,234,567.50", "write 1234567.50"), ("1,5", None), ("50 EUR", None),
                ("$", None), ("$010", None),
            ]
        ],
        pytest.param(
            {"schema": 1},
            ("wrong-schema", "the schema is 1, not evalset/v1", "write evalset/v1"),
            id="a schema that is a number",
        ),
        pytest.param(
            {"seeds": [1, 2]},
            ("wrong-type", "seeds is a list; a mapping is wanted",
             'write {"strategy": "explicit", "seeds": [1, 2]}, and repeats: 2'),
            id="seeds one level too high",
        ),
        pytest.param(
            {"seeds": list(range(1, 99))},
            ("wrong-type", "seeds is a list; a mapping is wanted", None),
            id="too many seeds one level too high",
        ),
        pytest.param(
            {"limits": 5},
            ("wrong-type", "limits is the number 5; a mapping is wanted", None),
            id="a number for a mapping",
        ),
        pytest.param(
            {"packs": "p"},
            ("wrong-type", 'packs is the text "p"; a list is wanted', 'write ["p"]'),
            id="one pack for a list",
        ),
        pytest.param(
            {"packs": "-p"},
            ("wrong-type", 'packs is the text "-p"; a list is wanted',
             "write - p, with a space behind the dash"),
            id="no space behind the dash",
        ),
        pytest.param(
            {"packs": {}}, ("wrong-type", "packs is a mapping; a list is wanted", None),
            id="a mapping for a list",
        ),
        pytest.param(
            {"agents": "gpt-default"},
            ("wrong-type", 'agents is the text "gpt-default"; a list is wanted',
             'write [{"deployment": "gpt-default"}]'),
            id="one agent for a list",
        ),
        pytest.param(
            {"packs": [None]},
            ("null-value", "packs[0] is null; text is required", "write the item, or remove it"),
            id="null in a list",
        ),
        pytest.param(
            {"$schema": None},
            ("null-value", "$schema is null; text is required",
             "write a value, or remove the key"),
            id="null for a key that may be absent",
        ),
        pytest.param(
            {"name": None},
            ("null-value", "name is null; text is required",
             'write a name for people, as in "name": "nightly-sweep"'),
            id="null for a required key",
        ),
        pytest.param(
            {"schema": "evalset/v1 "},
            ("wrong-schema", 'the schema is "evalset/v1 "', "write exactly evalset/v1"),
            id="a schema with a space",
        ),
        pytest.param(
            {"schema": "evalset"},
            ("wrong-schema", 'the schema is "evalset", not evalset/v1', "write evalset/v1"),
            id="another schema",
        ),
        pytest.param(
            {"schema": "evalset/v1.1"},
            ("unsupported-version", 'the schema is "evalset/v1.1"; this library reads evalset/v1',
             "write evalset/v1, or use a release of evalset that reads this version"),
            id="another version",
        ),
        pytest.param(
            {"seeds": {"strategy": " AUTO"}},
            ("unknown-strategy", 'the strategy is " AUTO"; it is auto or explicit', "write auto"),
            id="a strategy in another case",
        ),
        pytest.param(
            {"seeds": {"strategy": "none"}},
            ("unknown-strategy", 'the strategy is "none"; it is auto or explicit',
             "write auto, or explicit with seeds"),
            id="an unknown strategy",
        ),
        pytest.param(
            {"seeds": {"strategy": "explicit"}},
            ("missing-seeds", "the strategy is explicit, but no seeds are given",
             "add seeds: [1, 2, ...], one for each repeat"),
            id="no seeds",
        ),
        pytest.param(
            {"seeds": {"seeds": [1]}},
            ("seeds-without-explicit", "seeds are given, but the strategy is auto",
             "set the strategy to explicit, or remove the seeds"),
            id="seeds with auto",
        ),
        pytest.param(
            {"packs": []},
            ("empty-list", "packs is empty; at least one item is required", None),
            id="an empty list",
        ),
        pytest.param(
            {"scanners": ["tool-misuse"] * 2001},
            ("too-many-items", "scanners has over 2000 items; that is the most", None),
            id="too many scanners",
        ),
        pytest.param(
            {"name": "\u3000"},
            ("blank-text", "name is blank; it needs at least one character", None),
            id="blank text",
        ),
        pytest.param(
            {"agents": ["gpt 5"]},
            ("wrong-type", 'agents[0] is the text "gpt 5"; a mapping is wanted',
             'write {"deployment": "gpt 5"}'),
            id="a bare name for an agent",
        ),
        pytest.param(
            {"agents": ["a\u202e"]},
            ("wrong-type", 'agents[0] is the text "a\\u202e"; a mapping is wanted', None),
            id="a bare name that can't be shown as it is",
        ),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told_in_these_words(
    data: dict[str, Any], words: tuple[str, str, str | None]
) -> None:
    assert _words(data) == [words]


@pytest.mark.parametrize(
    ("key", "place", "hint"),
    [
        pytest.param("repeat", {}, "did you mean repeats?", id="a near key"),
        pytest.param("budget_usd", {}, "budget_usd belongs under limits", id="a key of limits"),
        pytest.param("strategy", {}, "strategy belongs under seeds", id="a key of seeds"),
        pytest.param("label", {}, "label belongs in an item of agents", id="a key of agents"),
        pytest.param("X-Team", {}, 'extension keys start with x-: "x-Team"', id="a capital"),
        pytest.param("x_team", {}, 'extension keys start with x-: "x-team"', id="an underscore"),
        pytest.param(
            "zzz",
            {},
            "known are schema, name, packs, agents, models, repeats, seeds, limits, case_fanout, "
            "scanners; your own start with x-",
            id="no key at all like it",
        ),
        pytest.param(
            "matrix",
            {},
            "packs, agents, models and repeats are the axes; each is a key of the manifest",
            id="the matrix of other tools",
        ),
        *[
            pytest.param(
                word,
                {},
                "every combination of the axes runs; for others write a second manifest",
                id=word,
            )
            for word in ("include", "exclude")
        ],
        pytest.param(
            "repeats:3",
            {},
            "write repeats: 3, with a space behind the colon",
            id="no space behind the colon",
        ),
        pytest.param(
            "\u00a0\u00a0repeats",
            {},
            "write repeats with plain spaces around it; U+00A0 is none",
            id="other spaces before",
        ),
        pytest.param(
            "repeats \u3000",
            {},
            "write repeats with plain spaces around it; U+3000 is none",
            id="other spaces behind",
        ),
        pytest.param(" repeats", {}, "did you mean repeats?", id="a plain space before"),
    ],
)
def test_an_unknown_key_is_answered_with_the_likely_one(
    key: str, place: dict[str, Any], hint: str
) -> None:
    message = f'"{key}" is no key of the manifest'
    assert _words({**place, key: 1}) == [("unknown-key", message, hint)]


def test_an_unknown_key_inside_names_its_mapping() -> None:
    agents = [{"deployment": "a"}, {"deployment": "b", "name": "c", "zzz": 1}]
    assert _words({"agents": agents, "limits": {"repeats": 1}}) == [
        ("unknown-key", '"name" is no key of agents[1]', "did you mean label?"),
        (
            "unknown-key",
            '"zzz" is no key of agents[1]',
            "known are deployment, label; your own start with x-",
        ),
        ("unknown-key", '"repeats" is no key of limits', "repeats belongs at the top level"),
    ]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param([], "the manifest is a list; a mapping is wanted", id="a list"),
        pytest.param("t", 'the manifest is the text "t"; a mapping is wanted', id="text"),
        pytest.param(5, "the manifest is the number 5; a mapping is wanted", id="a number"),
        pytest.param(True, "the manifest is the boolean true; a mapping is wanted", id="true"),
        pytest.param(None, "the manifest is null; a mapping is required", id="null"),
    ],
)
def test_the_whole_may_be_of_the_wrong_type(data: object, message: str) -> None:
    assert [words[1] for words in _words(data)] == [message]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param("4.10", ("not-an-integer", "repeats is 4.10; a whole number is wanted", None),
                     id="as it was written"),
        pytest.param("+3", ("number-form",
                            "repeats is +3, which not every reader takes for the same number",
                            "write 3"), id="a plus"),
        pytest.param("1_000", ("number-form",
                               "repeats is 1_000, which not every reader takes for a number",
                               "write 1000"), id="an underscore"),
        pytest.param(".inf", ("not-finite", "repeats is .inf; a finite number is wanted", None),
                     id="infinity"),
        pytest.param("'3'", ("number-quoted", 'repeats is the text "3"; a whole number is wanted',
                             "write 3, without quotes"), id="quotes"),
        pytest.param("TRUE", ("wrong-type", "repeats is the boolean TRUE; a whole number is wanted",
                              None), id="a boolean"),
        pytest.param("three", ("wrong-type",
                               'repeats is the text "three"; a whole number is wanted', None),
                     id="a word"),
    ],
)  # fmt: skip
def test_a_value_in_a_text_is_shown_as_it_was_written(
    source: str, words: tuple[str, str, str | None]
) -> None:
    text = "{schema: evalset/v1, name: t, packs: [p], agents: [{deployment: a}], repeats: %s}"
    result = check_text(text % source)
    assert [(each.code, each.message, each.hint) for each in result.diagnostics] == [words]


@pytest.mark.parametrize(
    ("path", "key", "message", "hint"),
    [
        pytest.param((), "schema", "the manifest has no schema", 'add "schema": "evalset/v1"',
                     id="schema"),
        pytest.param((), "name", "the manifest has no name",
                     'add a name for people, as in "name": "nightly-sweep"', id="name"),
        pytest.param((), "packs", "the manifest has no packs",
                     'add a list of packs, as in "packs": ["text-to-sql"]', id="packs"),
        pytest.param((), "agents", "the manifest has no agents",
                     'add a list of agents, as in "agents": [{"deployment": "gpt-5-default"}]',
                     id="agents"),
        pytest.param(("agents", 3), "deployment", "agents[3] has no deployment",
                     "add the deployment's UUID or exact name, as in "
                     '"deployment": "gpt-5-default"', id="deployment"),
    ],
)  # fmt: skip
def test_a_missing_key_is_told_at_its_mapping(
    path: Path, key: str, message: str, hint: str
) -> None:
    error = SchemaError("required", (*path, key), {}, [key], None)
    assert finding_for(error, None) == Finding("missing-key", message, path, "mapping", hint)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param(math.inf, "name is infinite or no number", id="infinity"),
        pytest.param(10**5000, "name is a number of over 400 digits", id="5,001 digits"),
        pytest.param(10**60, "1" + "0" * 19 + "…", id="61 digits"),
    ],
)
def test_a_huge_number_is_shown_shortly(value: float, shown: str) -> None:
    error = SchemaError("type", ("name",), value, "string", None)
    message = finding_for(error, None).message
    assert shown in message
    assert len(message) < 150
