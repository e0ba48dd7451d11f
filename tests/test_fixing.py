"""Fixes: which there are, which are safe, and what becomes of a text."""

from functools import partial
from typing import Any

import pytest

from evalset import Diagnostic, Fix, Span, check_text
from evalset.fixing import fix
from evalset.sources import Format

HEAD = "schema: evalset/v1\nname: sweep\npacks: [p]\nagents: [{deployment: a}]\n"
JSON = '{"schema": "evalset/v1", "name": "sweep", "packs": ["p"], "agents": [{"deployment": "a"}]'

SAFE, UNSAFE = True, False


def fixes(text: str, format: Format = "yaml") -> list[tuple[str, str, bool]]:
    """Give the code, the mended text and the safety of each fix of a text."""
    found: list[tuple[str, str, bool]] = []
    for each in check_text(text, format=format).diagnostics:
        if each.fix:
            span = each.fix.span
            mended = text[: span.offset] + each.fix.text + text[span.end_offset :]
            found.append((each.code, mended, each.fix.is_safe))
    return found


@pytest.mark.parametrize(
    ("code", "before", "after", "is_safe"),
    [
        # Text that is read as something else: servers take the text as it is written.
        ("text-not-quoted", "scanners: [4.10]", 'scanners: ["4.10"]', SAFE),
        ("text-not-quoted", "scanners: [010]", 'scanners: ["010"]', SAFE),
        ("text-not-quoted", "scanners: [&a True]", 'scanners: [&a "True"]', SAFE),
        ("text-not-quoted", "scanners: [!!int 3]", None, None),  # the tag would be wrong
        ("text-not-quoted", "seeds: {strategy: 3}", None, None),
        ("yaml11-text", "models: [yes, m]", 'models: ["yes", m]', SAFE),
        ("yaml11-text", "models: [2026-12-01]", 'models: ["2026-12-01"]', SAFE),
        # Numbers
        ("number-form", "repeats: 0x10", "repeats: 16", SAFE),
        ("number-form", "repeats: 0o10 # octal", "repeats: 8 # octal", SAFE),
        ("number-form", "repeats: +3", "repeats: 3", SAFE),
        ("number-form", "repeats: 03", "repeats: 3", SAFE),  # 3 as octal, too
        ("number-form", "repeats: 08", "repeats: 8", SAFE),
        ("number-form", "repeats: 010", None, None),  # 8 or 10
        ("number-form", "repeats: 1.", "repeats: 1", SAFE),
        ("number-form", "repeats: .5", None, None),  # no whole number
        ("number-form", "limits: {budget_usd: .5}", "limits: {budget_usd: 0.5}", SAFE),
        ("number-form", "repeats: 1_000", "repeats: 1000", SAFE),
        ("number-form", "repeats: _3", "repeats: 3", UNSAFE),  # text to servers
        ("number-form", "repeats: '1_0'", "repeats: 10", UNSAFE),
        ("number-quoted", 'repeats: "3"', "repeats: 3", UNSAFE),
        ("number-quoted", 'repeats: "3.5"', None, None),
        ("number-quoted", "limits: {budget_usd: '3.5'}", "limits: {budget_usd: 3.5}", UNSAFE),
        ("number-quoted", "limits: {budget_usd: '1e999'}", None, None),
        # Booleans
        ("boolean-form", "case_fanout: yes", "case_fanout: true", SAFE),
        ("boolean-form", "case_fanout: 'off'", "case_fanout: false", SAFE),
        ("boolean-form", "case_fanout: On", "case_fanout: true", UNSAFE),
        ("boolean-form", 'case_fanout: "true"', "case_fanout: true", UNSAFE),
        ("boolean-form", "case_fanout: 0", "case_fanout: false", UNSAFE),
        # Words
        ("unknown-strategy", "seeds: {strategy: 'Auto'}", "seeds: {strategy: 'auto'}", SAFE),
        ("unknown-strategy", "seeds: {strategy: ' auto'}", "seeds: {strategy: 'auto'}", UNSAFE),
        ("unknown-strategy", "seeds: {strategy: explict}", "seeds: {strategy: explicit}", UNSAFE),
        ("unknown-strategy", "seeds: {strategy: random}", None, None),
        ("unknown-scanner", "scanners: [tool-misus]", "scanners: [tool-misuse]", UNSAFE),
        ("unknown-scanner", "scanners: [mine]", None, None),
        # Keys
        ("unknown-key", "repeat: 3", "repeats: 3", UNSAFE),
        ("unknown-key", '"Repeats": 3', '"repeats": 3', UNSAFE),
        ("unknown-key", '"repeats\\u00a0": 3', '"repeats": 3', UNSAFE),
        ("unknown-key", "limits: {budget: 3}", "limits: {budget_usd: 3}", UNSAFE),
        ("unknown-key", "x_team: [a]", "x-team: [a]", SAFE),
        ("unknown-key", "X-team: a\nx-team: b", None, None),  # it is taken
        ("unknown-key", "strategy: auto", None, None),  # it belongs elsewhere
        ("unknown-key", "matrix: 1", None, None),
        ("unknown-key", "&k repeat: 3", None, None),
        ("unknown-key", "x-a: &k 3\nrepeat: *k", None, None),
        ("unknown-key", "x-a: &k repeat\n*k : 3", None, None),
        # Shapes
        ("wrong-type", "models: m", "models: [m]", UNSAFE),
        ("wrong-type", "models: 'a, b'", "models: ['a, b']", UNSAFE),
        ("wrong-type", "models: a, b", None, None),
        ("wrong-type", "models: >-\n  m", None, None),
        ("wrong-type", "models: {a: b}", None, None),
        ("wrong-type", "models: 3", None, None),
        ("wrong-type", "seeds: [1]", "seeds: {strategy: explicit, seeds: [1]}", UNSAFE),
        ("wrong-type", "seeds:\n- 1", None, None),
        ("wrong-type", "seeds: explicit", None, None),
        (
            "wrong-type",
            "seeds: {strategy: explicit, seeds: 1}",
            "seeds: {strategy: explicit, seeds: [1]}",
            UNSAFE,
        ),
        ("wrong-type", "seeds: {strategy: explicit, seeds: a}", None, None),
        ("wrong-type", "repeats: many", None, None),
        ("wrong-type", "case_fanout: maybe", None, None),
        ("wrong-type", "limits: ''", None, None),
    ],
)
def test_what_is_certain_has_a_fix_and_servers_decide_whether_it_is_safe(
    code: str, before: str, after: str | None, *, is_safe: bool | None
) -> None:
    assert code in {each.code for each in check_text(HEAD + before).diagnostics}
    expected = [] if after is None else [(code, HEAD + after, is_safe)]
    assert [each for each in fixes(HEAD + before) if each[0] == code] == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("agents: a", "agents: [{deployment: a}]", id="one name"),
        pytest.param("agents: {deployment: a}", "agents: [{deployment: a}]", id="one agent"),
        pytest.param("agents:\n  deployment: a", "agents:\n  - deployment: a", id="in a line"),
        pytest.param("agents: ['a']", "agents: [{'deployment': 'a'}]", id="a name in brackets"),
        pytest.param("agents:\n- a # ours", "agents:\n- deployment: a # ours", id="below a dash"),
        pytest.param("agents:\n- deployment:a", "agents:\n- deployment: a", id="no space"),
        pytest.param("agents:\n  deployment: a\n  label: b", None, id="in lines"),
        pytest.param("agents: [[a]]", None, id="a list"),
        pytest.param("agents:\n- 'a'\n- x: y", "agents:\n- 'deployment': 'a'\n- x: y", id="first"),
    ],
)
def test_names_become_agents(before: str, after: str | None) -> None:
    head = "schema: evalset/v1\nname: sweep\npacks: [p]\n"
    found = [each for each in fixes(head + before) if each[0] == "wrong-type"]
    assert found == ([("wrong-type", head + after, UNSAFE)] if after else [])


def test_a_label_that_is_blank_goes_with_its_line() -> None:
    text = HEAD.replace("[{deployment: a}]", "\n- deployment: a\n  label: ' ' # none")
    mended = HEAD.replace("[{deployment: a}]", "\n- deployment: a")
    assert fixes(text) == [("blank-text", mended, SAFE)]
    assert fixes(HEAD.replace("name: sweep", "name: ''")) == []
    text = HEAD.replace("}", ", # \n label: '' # none\n}")
    assert fixes(text) == []  # that is more than one edit


def test_the_schema_is_written_exactly() -> None:
    text = HEAD.replace("evalset/v1", "' EvalSet/v1'")
    assert fixes(text) == [("wrong-schema", HEAD.replace("evalset/v1", "'evalset/v1'"), UNSAFE)]
    assert fixes(HEAD.replace("evalset/v1", "v1")) == []
    assert fixes("[1]") == []


@pytest.mark.parametrize(
    ("before", "after", "is_safe"),
    [
        ('"repeats": 1,}', '"repeats": 1}', SAFE),
        ('"models": ["m",]}', '"models": ["m"]}', SAFE),
        ('"case_fanout": True}', '"case_fanout": true}', SAFE),
        ('"seeds": None}', '"seeds": null}', UNSAFE),
        ('"seeds": NULL}', '"seeds": null}', SAFE),
        ('"repeats": +1}', '"repeats": 1}', SAFE),
        ('"repeats": 010}', None, None),
        ('"limits": {"budget_usd": .inf}}', None, None),
        ('"x-a": some}', None, None),
        ("\"x-a\": 'some text'}", '"x-a": "some text"}', SAFE),
        ("\"x-a\": 'a\\n'}", None, None),
        ("'x-a': 1}", '"x-a": 1}', SAFE),
        ("repeats: 1}", '"repeats": 1}', SAFE),
        ("repeats:1}", '"repeats":1}', UNSAFE),
        ("null: 1}", '"null": 1}', UNSAFE),
        ("1: 1}", None, None),
        ('"repeats": 1 "models": []}', '"repeats": 1, "models": []}', UNSAFE),
        ('"repeats": 1 2}', None, None),
    ],
)
def test_the_syntax_of_json_is_mended(
    before: str, after: str | None, *, is_safe: bool | None
) -> None:
    expected = [("json-syntax", f"{JSON}, {after}", is_safe)] if after else []
    assert fixes(f"{JSON}, {before}", "json") == expected


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("repeats:3\n", "repeats: 3\n", id="no space behind a colon"),
        pytest.param("models:\n  - a\n  -b\n", "models:\n  - a\n  - b\n", id="none behind a dash"),
        pytest.param("\u00a0repeats\n", " repeats\n", id="a space that can't indent"),
        pytest.param("\u3000repeats\n", None, id="a wide one"),
        pytest.param("limits:\n\tbudget_usd: 3\n", None, id="a tab"),
    ],
)
def test_the_syntax_of_yaml_is_mended_where_that_is_certain(before: str, after: str | None) -> None:
    expected = [("yaml-syntax", HEAD + after, UNSAFE)] if after else []
    assert fixes(HEAD + before) == expected


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("unused-ignore", "repeats: 3 # evalset: ignore[large-seed] ", "repeats: 3"),
        ("unused-ignore", "# evalset: ignore-file[large-seed]\nrepeats: 3", "repeats: 3"),
        ("unused-ignore", "repeats: 3 # evalset: ignore[large-seed] for now", None),
        ("unused-ignore", "repeats: 3 # evalset: ignore[large-seed, zero-budget]", None),
        ("unused-ignore", "repeats: 3 ## evalset: ignore[large-seed]", None),
        ("unused-ignore", "# evalset: ignore[large-seed]\nrepeats: 3", None),  # misplaced
        (
            "bad-ignore",
            "repeats: 3 # evalset: ignore[large-seeds]",
            "repeats: 3 # evalset: ignore[large-seed]",
        ),
        ("bad-ignore", "repeats: 3 # evalset: ignore[none-of-these]", None),
    ],
)
def test_comments_that_ignore_in_vain_are_mended(code: str, before: str, after: str | None) -> None:
    found = check_text(HEAD + before).diagnostics
    assert {each.code for each in found} == {code}
    assert fixes(HEAD + before) == ([(code, HEAD + after, SAFE)] if after else [])


# All of a text


def test_only_safe_fixes_are_made_unless_others_are_asked_for() -> None:
    text = "\ufeff" + HEAD.replace("sweep", "4.10 # ours").replace("[p]", "p") + "repeat: 3\n"
    text = text.replace("\n", "\r\n")
    safe = fix(text)
    assert safe.text == text.replace("4.10", '"4.10"')
    assert [found.code for found in safe.fixed] == ["text-not-quoted"]
    assert [found.code for found in safe.result.diagnostics] == ["wrong-type", "unknown-key"]
    both = fix(text, unsafe=True)
    assert both.text == safe.text.replace(": p", ": [p]").replace("repeat:", "repeats:")
    assert both.result.diagnostics == ()


def test_a_fault_that_shows_another_is_mended_further() -> None:
    text = f'{JSON}, "models": [\'m\',], "case_fanout": yes,}}'
    check = partial(check_text, format="json")
    mended = fix(text, check=check, unsafe=True)
    assert mended.text == f'{JSON}, "models": ["m"], "case_fanout": true}}'
    assert sorted(found.code for found in mended.fixed) == ["boolean-form", *["json-syntax"] * 3]


def test_what_stands_before_a_fault_that_can_not_be_mended_is() -> None:
    text = f'{HEAD}repeats: "3"\ncase_fanout: yes\nmodels: @\n'
    mended = fix(text, unsafe=True)
    assert mended.text == f"{HEAD}repeats: 3\ncase_fanout: true\nmodels: @\n"
    assert [found.code for found in mended.result.diagnostics] == ["yaml-syntax"]


def test_a_fix_that_would_show_an_error_is_not_made() -> None:
    text = f"{HEAD}x_team: a\nX-team: b\nrepeat: 3\nseeds: {{strategy: explicit, seeds: [1, 2]}}\n"
    mended = fix(text, unsafe=True)
    # One of two keys is free only once, and 3 repeats would need as many seeds.
    assert mended.text == text.replace("x_team", "x-team")
    assert [found.code for found in mended.result.diagnostics] == ["unknown-key", "unknown-key"]
    assert fix(mended.text, unsafe=True) == fix(mended.text)


def test_what_can_not_be_read_to_its_end_is_mended_as_far_as_it_is() -> None:
    text = f"{HEAD}limits: {{budget_usd: 1_000}}\ncase_fanout: yes\nrepeats: 1\n\tmodels: [m]\n"
    mended = fix(text)
    assert mended.text == text.replace("1_000", "1000").replace("yes", "true")
    assert [found.code for found in mended.result.diagnostics] == ["yaml-syntax"]


def test_more_faults_than_are_listed_are_mended() -> None:
    agents = "".join(f"- {{deployment: d{number}, label: {number}}}\n" for number in range(450))
    text = f"schema: evalset/v1\nname: sweep\npacks: [p]\nagents:\n{agents}"
    mended = fix(text)
    assert len(mended.fixed) == 450
    assert mended.result.ok


def test_after_a_hundred_rounds_the_rest_stays() -> None:
    agents = "".join(f"- deployment: d{number}\n  label:l{number}\n" for number in range(101))
    text = HEAD.replace(" [{deployment: a}]", f"\n{agents}")
    mended = fix(text, unsafe=True)
    assert mended.text == text.replace("label:", "label: ", 100)
    assert fix(mended.text, unsafe=True).text == text.replace("label:", "label: ")


def test_two_fixes_of_one_place_are_not_made_at_once() -> None:
    text = HEAD.replace("[{deployment: a}]", "[deployment:a, b]")
    mended = fix(text, unsafe=True)
    assert mended.text == HEAD.replace("[{deployment: a}]", "[{deployment: a}, {deployment: b}]")


def test_only_a_text_is_fixed() -> None:
    with pytest.raises(TypeError, match="a text is str, not bytes"):
        fix(HEAD.encode())  # type: ignore[arg-type] # the misuse under test


def test_a_fix_is_plain_data() -> None:
    span = Span(path="a", line=1, column=1, end_line=1, end_column=2, offset=0, end_offset=1)
    found = Diagnostic(
        code="boolean-form",
        message="m",
        fix=Fix(title="write true", span=span, text="true", is_safe=True),
    )
    data: dict[str, Any] = found.to_dict()
    assert data["fix"] == {
        "title": "write true",
        "is_safe": True,
        "span": span.to_dict(),
        "text": "true",
    }
