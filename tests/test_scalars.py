"""What a plain YAML scalar means, by YAML 1.2's core schema; and who would differ."""

import math

import pytest

from evalset.nodes import OddNumber
from evalset.scalars import changes_in_yaml11, is_json_number, json_number, resolve


@pytest.mark.parametrize(
    ("source", "value"),
    [
        *[pytest.param(each, None, id=f"null as {each!r}") for each in ("", "~", "null", "NULL")],
        pytest.param("Null", None, id="null as 'Null'"),
        *[pytest.param(each, True, id=each) for each in ("true", "True", "TRUE")],
        *[pytest.param(each, False, id=each) for each in ("false", "False", "FALSE")],
        *[
            pytest.param(each, each, id=f"text {each}")
            for each in (
                "nUll", "tRUE", "yes", "No", "on", "off", "y", "-", "+", ".", "..", "1_000",
                "12:30", "2026-12-01", "0b1", "1,000", "1.2.3", "--1", "1e", "e5", ".e5", "0x",
                "0o",
                "0o8", "0xg", "-0x10", ".INf", "+.nan", "inf", "nan", "\u0661\u0662",
                "\uff11\uff12", "<<", "=", "3 4", "1 ",
            )
        ],
        pytest.param("0", 0, id="0"),
        pytest.param("-0", 0, id="-0"),
        pytest.param("42", 42, id="42"),
        pytest.param("-42", -42, id="-42"),
        pytest.param("4.10", 4.1, id="4.10"),
        pytest.param("1e3", 1000.0, id="1e3"),
        pytest.param("-1.5E-2", -0.015, id="-1.5E-2"),
        pytest.param("1e999", math.inf, id="1e999"),
        pytest.param("-1e999", -math.inf, id="-1e999"),
        pytest.param("9" * 400, 10**400 - 1, id="400 digits"),
        pytest.param("9" * 401, math.inf, id="401 digits"),
        pytest.param("-" + "9" * 401, -math.inf, id="-401 digits"),
    ],
)  # fmt: skip
def test_a_plain_scalar_is_read_by_yaml_12(source: str, value: object) -> None:
    resolved = resolve(source)
    assert resolved == value
    assert type(resolved) is type(value)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("010", 10, id="a zero in front"),
        pytest.param("-010", -10, id="a sign and a zero in front"),
        pytest.param("08", 8, id="08"),
        pytest.param("+3", 3, id="a plus"),
        pytest.param("0x1F", 31, id="hexadecimal"),
        pytest.param("0o17", 15, id="octal"),
        pytest.param(".5", 0.5, id="no digit before the point"),
        pytest.param("5.", 5.0, id="no digit behind the point"),
        pytest.param("+.5e+1", 5.0, id="all of it"),
        pytest.param("00.5", 0.5, id="a fraction with two zeros"),
        pytest.param(".inf", math.inf, id="infinity"),
        pytest.param("+.Inf", math.inf, id="plus infinity"),
        pytest.param("-.INF", -math.inf, id="minus infinity"),
        pytest.param("0" * 401, math.inf, id="401 zeros"),
        pytest.param("0x" + "f" * 401, math.inf, id="hexadecimal of 401 digits"),
        pytest.param("0x" + "0" * 400, 0, id="hexadecimal of 400 digits"),
    ],
)
def test_a_number_that_json_does_not_have_is_odd(source: str, value: float) -> None:
    odd = resolve(source)
    assert odd == OddNumber(source, value)
    assert isinstance(odd, OddNumber)
    assert type(odd.value) is type(value)


@pytest.mark.parametrize("source", [".nan", ".NaN", ".NAN"])
def test_not_a_number_is_odd(source: str) -> None:
    odd = resolve(source)
    assert isinstance(odd, OddNumber)
    assert odd.source == source
    assert math.isnan(odd.value)


@pytest.mark.parametrize(
    ("source", "is_one"),
    [
        *[pytest.param(each, True, id=each) for each in ("0", "-0", "10", "1.0", "1e5", "1E+05")],
        *[
            pytest.param(each, False, id=f"not {each!r}")
            for each in (
                "",
                "01",
                "+1",
                ".1",
                "1.",
                "1e",
                "0x1",
                "1_0",
                " 1",
                "1\n",
                "NaN",
                "\u0661",
            )
        ],
    ],
)
def test_a_number_of_json_is_known_by_its_grammar(source: str, *, is_one: bool) -> None:
    assert is_json_number(source) is is_one


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("-0", 0, id="minus zero"),
        pytest.param("3.0", 3.0, id="a whole float"),
        pytest.param("1e2", 100.0, id="an exponent makes a float"),
        pytest.param("9" * 401, math.inf, id="401 digits"),
        pytest.param("1" + "0" * 399, 10**399, id="400 digits"),
    ],
)
def test_a_number_of_json_is_read_exactly(source: str, value: float) -> None:
    assert json_number(source) == value
    assert type(json_number(source)) is type(value)


@pytest.mark.parametrize(
    "source",
    [
        "y", "N", "yes", "Yes", "YES", "no", "on", "Off", "OFF", "0b101", "1_000", "0_7", "0x1_F",
        "+0b1", "-0x1_0", "12:30", "1:2:3", "190:20:30.15", "-1:30", "1_0.5", "6.8_5", ".", "._1",
        "1_0.e+3", "2026-12-01", "2026-12-01T10:00:00Z",
        "2026-1-1 1:00:00.5 +2:00", "2026-12-01 10:00:00", "<<", "=",
    ],
)  # fmt: skip
def test_text_that_readers_of_yaml_11_change_is_known(source: str) -> None:
    assert resolve(source) == source
    assert changes_in_yaml11(source)


@pytest.mark.parametrize(
    "source",
    [
        "", "true", "~", "10", "010", ".5", "0x1F", ".inf", "gpt-5", "yEs", "onward", "12:60",
        "1:2:60", "2026-12-1", "2026-12", "v1.2.3", "catalog/swe-bug-fix", "1e3", "n/a", "-", "0b",
        "11111111-1111-1111-1111-111111111111",
    ],
)  # fmt: skip
def test_what_readers_of_yaml_11_take_alike_or_is_no_text_is_left_alone(source: str) -> None:
    assert not changes_in_yaml11(source)
