"""Files and texts become manifests, manifests become files and texts."""

import io
import json
import os
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

import evalset
from evalset import (
    Agent,
    CheckResult,
    Diagnostic,
    Extensions,
    Limits,
    Manifest,
    ManifestError,
    ReadLimits,
    Seeds,
    check,
    check_data,
    check_text,
    dump,
    dumps,
    load,
    loads,
)

YAML = "schema: evalset/v1\nname: nächtlich 夜 🚀\npacks: [p]\nagents: [{deployment: a}]\n"
JSON = (
    '{"schema": "evalset/v1", "name": "nächtlich 夜 🚀", "packs": ["p"], '
    '"agents": [{"deployment": "a"}]}'
)
MANIFEST = Manifest("nächtlich 夜 🚀", packs=["p"], agents=[Agent("a")])


def _refusal(read: Callable[[], object]) -> list[str]:
    with pytest.raises(ManifestError) as caught:
        read()
    return [str(each) for each in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("a.yaml", YAML.encode(), id="YAML"),
        pytest.param("a.yml", YAML.encode(), id="YAML by its short suffix"),
        pytest.param("a.YAML", JSON.encode(), id="JSON that is called YAML"),
        pytest.param("a.json", JSON.encode(), id="JSON"),
        pytest.param("a.JSON", b" \n" + JSON.encode(), id="JSON behind white space"),
        pytest.param("a.txt", YAML.encode(), id="YAML without a suffix that is known"),
        pytest.param("a", JSON.encode(), id="JSON without a suffix"),
        pytest.param("é 夜.yaml", YAML.encode(), id="a name beyond ASCII"),
        pytest.param("bom.yaml", b"\xef\xbb\xbf" + YAML.encode(), id="YAML with a BOM"),
        pytest.param("bom.json", b"\xef\xbb\xbf" + JSON.encode(), id="JSON with a BOM"),
        pytest.param("crlf.yaml", YAML.replace("\n", "\r\n").encode(), id="YAML with CR LF"),
        pytest.param("crlf.json", JSON.replace(" ", "\r\n", 1).encode(), id="JSON with CR LF"),
    ],
)
def test_a_file_is_read_however_it_is_given(tmp_path: pathlib.Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    for source in (path, str(path)):
        assert load(source) == MANIFEST
        assert check(source) == CheckResult(manifest=MANIFEST, diagnostics=())
        manifest = load(source)
        assert manifest.source is not None
        assert manifest.source.name == os.fspath(path)
    with path.open("rb") as binary:
        assert load(binary) == MANIFEST
        assert not binary.closed
    with path.open(encoding="utf-8", newline="") as text:
        assert check(text).manifest == MANIFEST
        assert not text.closed
    assert loads(data) == MANIFEST
    assert loads(data.decode()) == MANIFEST
    assert check_text(data) == CheckResult(manifest=MANIFEST, diagnostics=())


@pytest.mark.parametrize("read", [load, check])
def test_a_file_that_is_not_there_is_an_os_error(
    tmp_path: pathlib.Path, read: Callable[[object], object]
) -> None:
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "missing.yaml")
    with pytest.raises(IsADirectoryError):
        read(str(tmp_path))


def test_the_suffix_decides_what_the_text_must_be(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("a: 1\n", encoding="utf-8")
    assert _refusal(lambda: load(path))[0].endswith(': error[json-syntax] "a" is no JSON value')
    assert {each.code for each in check(path, format="yaml").diagnostics} == {
        "missing-key", "unknown-key",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("file", "name"),
    [
        pytest.param(io.StringIO("[]"), "<file>", id="text without a name"),
        pytest.param(io.BytesIO(b"[]"), "<file>", id="bytes without a name"),
    ],
)
def test_diagnostics_call_a_file_by_its_name(file: Any, name: str) -> None:  # noqa: ANN401
    [refusal] = _refusal(lambda: load(file))
    assert refusal.startswith(f"{name}:1:1: error[wrong-type] ")


def test_a_file_that_is_open_by_its_number_has_no_name(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("[]", encoding="utf-8")
    with open(os.open(path, os.O_RDONLY), encoding="utf-8") as file:  # noqa: PTH123
        assert _refusal(lambda: load(file))[0].startswith("<file>:1:1: ")
    with path.open(encoding="utf-8") as file:
        assert _refusal(lambda: load(file))[0].startswith(f"{path}:1:1: ")


def test_no_more_of_a_file_is_read_than_shows_that_it_is_too_large() -> None:
    for endless in (io.BytesIO(b" " * 10_000), io.StringIO(" " * 10_000)):
        [refusal] = _refusal(lambda file=endless: load(file, limits=ReadLimits(size=100)))  # type: ignore[misc]
        assert refusal == "<file>:1:1: error[too-large] the text is larger than 100 bytes"
        assert endless.tell() < 200


def test_a_bom_does_not_count_against_the_limit(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"\xef\xbb\xbf" + JSON.encode())
    limits = ReadLimits(size=len(JSON.encode()) + 3)
    assert load(path, limits=limits) == MANIFEST


@pytest.mark.parametrize(
    ("text", "at"),
    [
        pytest.param(f'{{"manifest": {JSON}}}', "/manifest", id="JSON"),
        pytest.param(f'{{"a/b": [1, {{"~": {JSON}}}]}}', "/a~1b/1/~0", id="JSON with escapes"),
        pytest.param("spec:\n- 1\n- " + YAML.replace("\n", "\n  "), "/spec/1", id="YAML"),
        pytest.param(f"a: {JSON}\n", "/a", id="JSON in YAML"),
        pytest.param(f"a: &x {JSON}\nb: *x\n", "/b", id="an alias"),
        pytest.param(YAML, "", id="the whole"),
    ],
)
def test_a_manifest_inside_a_larger_body_is_found(text: str, at: str) -> None:
    assert loads(text, at=at) == MANIFEST
    assert check_text(text, at=at) == CheckResult(manifest=MANIFEST, diagnostics=())
    manifest = loads(text.encode(), at=at)
    assert manifest.source is not None
    assert manifest.source.at == at


def test_what_stands_around_the_manifest_is_not_judged() -> None:
    body = f'{{"budget_usd": "5", "x": [null], "manifest": {JSON}}}'
    assert loads(body, at="/manifest") == MANIFEST
    [refusal] = _refusal(lambda: loads(body, at="/x/0"))
    assert refusal == "<text>:1:27: error[null-value] the manifest is null; a mapping is required"
    assert _refusal(lambda: loads(body, at="/y")) == [
        '<text>:1:1: error[pointer-not-found] the document has no value at "/y"'
    ]


def test_unknown_keys_are_refused_or_kept() -> None:
    text = YAML + "priority: high\nlimits: {max_tokens: 5}\n"
    assert [each.split("] ")[0] for each in _refusal(lambda: loads(text))] == [
        "<text>:5:1: error[unknown-key",
        "<text>:6:10: error[unknown-key",
    ]
    manifest = loads(text, unknown="keep")
    assert manifest.extensions.to_dict() == {"priority": "high"}
    assert manifest.limits.extensions.to_dict() == {"max_tokens": 5}
    result = check_text(text, unknown="keep")
    assert (result.ok, result.manifest) == (True, manifest)
    assert [each.code for each in result.diagnostics] == ["kept-key", "kept-key"]
    assert loads(dumps(manifest), unknown="keep") == manifest
    with pytest.raises(ManifestError):
        loads(dumps(manifest))


def test_a_check_looks_at_keys_caps_and_scanners_as_the_caller_asks() -> None:
    text = YAML.replace(
        "[{deployment: a}]", "[{deployment: a, label: x}, {deployment: b, label: x}]"
    )
    text += "repeats: 3\nscanners: [mine]\n"
    manifest = loads(text)

    def codes(**options: Any) -> list[str]:  # noqa: ANN401
        result = check_text(text, **options)
        assert result.manifest == manifest
        assert result.ok is not any(each.is_error for each in result.diagnostics)
        return [each.code for each in result.diagnostics]

    assert codes() == ["duplicate-agent", "unknown-scanner"]
    assert codes(key_by="deployment") == ["unknown-scanner"]
    assert codes(key_by="deployment", scanners=["mine"]) == []
    assert codes(key_by="deployment", max_combinations=5, scanners=["mine"]) == [
        "too-many-combinations"
    ]


@pytest.mark.parametrize(
    ("read", "error"),
    [
        pytest.param(lambda: check_text(YAML, max_combinations=0), ValueError, id="a cap of 0"),
        pytest.param(lambda: check_text(YAML, max_combinations=2001), ValueError, id="2001"),
        pytest.param(lambda: check_data({}, max_combinations=0), ValueError, id="data, 0"),
        pytest.param(lambda: check_data({}, at="a"), ValueError, id="data, no pointer"),
        pytest.param(lambda: check_text(YAML, at="a"), ValueError, id="no pointer"),
        pytest.param(lambda: loads(YAML, at="a"), ValueError, id="no pointer to load"),
        pytest.param(lambda: ReadLimits(size=0), ValueError, id="no size"),
        pytest.param(lambda: ReadLimits(depth=65), ValueError, id="a depth of 65"),
        pytest.param(lambda: ReadLimits(yaml_values=0), ValueError, id="no values of YAML"),
        pytest.param(lambda: ReadLimits(nodes=2.5), ValueError, id="half a value"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        pytest.param(lambda: dumps(MANIFEST, format="toml"), ValueError, id="toml"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        pytest.param(lambda: dumps({}), TypeError, id="a dict to dump"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        pytest.param(lambda: check_text(5), TypeError, id="a number for a text"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    ],
)
def test_misuse_is_no_finding(read: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        read()
    assert type(caught.value) is error


@pytest.mark.parametrize(
    ("data", "at", "manifest"),
    [
        pytest.param(json.loads(JSON), "", MANIFEST, id="data"),
        pytest.param({"a": ({"b": json.loads(JSON)},)}, "/a/0/b", MANIFEST, id="data inside"),
        pytest.param({**json.loads(JSON), "packs": ("p",)}, "", MANIFEST, id="a tuple"),
    ],
)
def test_plain_data_is_checked_as_a_text_is(data: Any, at: str, manifest: Manifest) -> None:  # noqa: ANN401
    assert check_data(data, at=at) == CheckResult(manifest=manifest, diagnostics=())
    assert Manifest.from_dict(data, at=at) == manifest


def test_findings_in_plain_data_have_pointers_and_no_places() -> None:
    data = {"a": {**json.loads(JSON), "name": 5, 6: 7}}
    result = check_data(data, at="/a", scanners=())
    assert (result.ok, result.manifest) == (False, None)
    assert [str(each) for each in result.diagnostics] == [
        'error[key-not-text] /a: the key "6" is not text',
        "error[text-not-quoted] /a/name: name is 5, which is read as a number; text is wanted",
    ]
    assert check_data({}, at="/b").diagnostics == (
        Diagnostic(code="pointer-not-found", message='the data has no value at "/b"'),
    )


FULL = Manifest(
    "all of it",
    packs=["catalog/swe-bug-fix", "our regressions"],
    agents=[
        Agent("a", label="opus"),
        Agent("b", extensions=Extensions({"x-owner": {"team": ["t", 1.5, True]}})),
    ],
    models=["openai/gpt-4.1-mini"],
    repeats=2,
    seeds=Seeds("explicit", seeds=[2**63 - 1, 1], extensions=Extensions({"x-from": "dice"})),
    limits=Limits(max_concurrent_runs=20, budget_usd=12.5),
    case_fanout=True,
    scanners=["reward-hacking"],
    extensions=Extensions({"x-note": "é 夜 🚀", "x-empty": [{}, []]}),
)
FULL_YAML = """\
schema: evalset/v1
name: all of it
packs:
  - catalog/swe-bug-fix
  - our regressions
agents:
  - deployment: a
    label: opus
  - deployment: b
    x-owner:
      team:
        - t
        - 1.5
        - true
models:
  - openai/gpt-4.1-mini
repeats: 2
seeds:
  strategy: explicit
  seeds:
    - 9223372036854775807
    - 1
  x-from: dice
limits:
  max_concurrent_runs: 20
  budget_usd: 12.5
case_fanout: true
scanners:
  - reward-hacking
x-note: é 夜 🚀
x-empty:
  - {}
  - []
"""


def test_a_manifest_is_written_in_the_order_of_the_specification() -> None:
    assert dumps(FULL) == FULL_YAML
    assert dumps(FULL, format="json") == (
        json.dumps(FULL.to_dict(), ensure_ascii=False, indent=2) + "\n"
    )
    assert dumps(MANIFEST) == (
        "schema: evalset/v1\nname: nächtlich 夜 🚀\npacks:\n  - p\nagents:\n  - deployment: a\n"
    )


def test_no_line_that_is_written_ends_in_a_space() -> None:
    extensions = Extensions({"x-a": [None, {"b": None, "c": [None]}], "x-d": None, "x-e": "a "})
    manifest = MANIFEST.replace(extensions=extensions)
    written = dumps(manifest)
    assert [line for line in written.splitlines() if line != line.rstrip()] == []
    assert loads(written) == manifest


@pytest.mark.parametrize("manifest", [MANIFEST, FULL])
@pytest.mark.parametrize("name", ["a.json", "a.JSON", "a.yaml", "a.yml", "a", "é 夜.json"])
def test_a_file_is_written_by_its_suffix(
    tmp_path: pathlib.Path, manifest: Manifest, name: str
) -> None:
    path = tmp_path / name
    is_json = name.lower().endswith("json")
    text = dumps(manifest, format="json" if is_json else "yaml")
    for target in (path, str(path)):
        dump(manifest, target)
        assert path.read_bytes() == text.encode()
        assert load(path) == manifest
    dump(manifest, path, format="yaml")
    assert path.read_bytes() == dumps(manifest).encode()


def test_an_open_file_is_written_as_text_or_bytes_and_left_open(tmp_path: pathlib.Path) -> None:
    text, binary = io.StringIO(), io.BytesIO()
    dump(FULL, text)
    dump(FULL, binary, format="json")
    assert text.getvalue() == FULL_YAML
    assert binary.getvalue() == dumps(FULL, format="json").encode()
    path = tmp_path / "a.json"
    with path.open("wb") as file:
        dump(FULL, file)
        assert not file.closed
    assert path.read_bytes() == dumps(FULL, format="json").encode()


def test_a_file_that_can_not_be_written_is_an_os_error(tmp_path: pathlib.Path) -> None:
    with pytest.raises(OSError, match=r"."):
        dump(MANIFEST, tmp_path / "missing" / "a.yaml")
    with pytest.raises(io.UnsupportedOperation), (tmp_path / "a").open("xb") as file:
        dump(MANIFEST, io.BufferedReader(io.FileIO(file.fileno(), closefd=False)))


NASTY = (
    "yes", "4.10", "~", "null", "010", "1_000", "12:30", "2026-12-01", ".inf", "<<", "=", "- a",
    "a: b", "a #b", "#a", "&a", "*a", "!a", "%a", "@a", "`a", "|", ">", "[a]", "{a}", "'a'",
    '"a"', "a\\b", "it's", 'say "hi"', "---", "...", "? a", ": a", "a:", ",", "\u200b",
    "a\u00adb", "\ufeffa", "a\u2028b", "a\u2029b", "é", "e\u0301", "夜間", "🚀", "\u202ea",
    "http://a/b?c#d", "a\u00a0b", "0x1F", "0o17", "1e3", "+3", "-", "--", "$schema", "x-",
    "\U000e0041a", "true", "No", "NaN", "nan", "a" * 3000, "a " * 3000 + "a", "C:\\work",
    "a/b//c", "${A}", "{{ a }}", "<%= a %>",
)  # fmt: skip


@pytest.mark.parametrize("format", ["yaml", "json"])
@pytest.mark.parametrize("text", NASTY)
def test_any_text_is_written_such_that_it_is_read_back(text: str, format: Any) -> None:  # noqa: ANN401
    extensions = Extensions({"x-a": {text: [text]}}) if len(text) < 1000 else Extensions()
    manifest = Manifest(
        text,
        packs=[text],
        agents=[Agent(text, label=text, extensions=extensions)],
        models=[text],
        scanners=[text],
        extensions=extensions,
    )
    written = dumps(manifest, format=format)
    assert loads(written) == manifest
    assert loads(written, format=format) == manifest
    names = ["looks-like-file", "long-key", "path-in-key"]
    result = check_text(written, scanners=[text], ignore=names)
    assert result == CheckResult(manifest=manifest, diagnostics=())


def test_the_default_limits_are_those_of_the_design() -> None:
    assert evalset.ReadLimits() == ReadLimits(
        size=1024 * 1024, yaml_size=256 * 1024, yaml_values=25_000, depth=64, nodes=100_000
    )


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        pytest.param(ReadLimits(depth=3), "too-deep", id="depth"),
        pytest.param(ReadLimits(nodes=9), "too-many-nodes", id="values"),
        pytest.param(ReadLimits(size=50), "too-large", id="size"),
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(JSON[:-1] + ', "x-a": [[[1]], 2, 3]}', id="JSON"),
        pytest.param(YAML + "x-a: [[[1]], 2, 3]\n", id="YAML"),
        pytest.param(YAML + "x-a:\n  - - - 1\n  - 2\n  - 3\n", id="YAML in block style"),
        pytest.param(YAML + "x-a: &a [[[1]], 2, 3]\n", id="YAML beyond the subset"),
    ],
)
def test_every_way_of_reading_keeps_to_the_limits_of_the_caller(
    text: str, limits: ReadLimits, code: str
) -> None:
    assert loads(text).name == MANIFEST.name
    with pytest.raises(ManifestError) as caught:
        loads(text, limits=limits)
    assert [each.code for each in caught.value.diagnostics] == [code]
    assert [each.code for each in check_text(text, limits=limits).diagnostics] == [code]


def test_yaml_in_plain_block_style_may_be_larger_than_other_yaml() -> None:
    plain = YAML.replace("[p]", "\n  - p").replace("[{deployment: a}]", "\n  - deployment: a")
    limits = ReadLimits(yaml_size=20)
    assert loads(plain, limits=limits) == MANIFEST
    assert check_text(plain, limits=limits).manifest == MANIFEST
    assert loads(JSON, limits=limits) == MANIFEST
    anchored = plain.replace("- p", "- &p p")
    assert [each.code for each in check_text(anchored, limits=limits).diagnostics] == ["too-large"]


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param(ReadLimits(yaml_size=20), id="of many bytes"),
        pytest.param(ReadLimits(yaml_values=5), id="of many values"),
    ],
)
def test_a_fault_in_a_large_text_of_block_style_is_told_by_its_pointer(limits: ReadLimits) -> None:
    text = YAML.replace("[p]", "\n  - p").replace("name: ", "name: 5\nx-name: ")
    for diagnostics in (
        check_text(text, limits=limits).diagnostics,
        tuple(_diagnostics(lambda: loads(text, limits=limits))),
    ):
        assert [(each.code, each.pointer) for each in diagnostics] == [("text-not-quoted", "/name")]


def _diagnostics(read: Callable[[], object]) -> tuple[Diagnostic, ...]:
    with pytest.raises(ManifestError) as caught:
        read()
    return caught.value.diagnostics


@pytest.mark.parametrize("seeds", [[7, 7.0], [7.0, 7], [7.0, 7.0]], ids=["second", "first", "both"])
def test_a_seed_that_stands_again_with_a_point_is_refused(seeds: list[float]) -> None:
    text = YAML + f"repeats: 2\nseeds: {{strategy: explicit, seeds: {seeds}}}\n"
    for diagnostics in (_diagnostics(lambda: loads(text)), check_text(text).diagnostics):
        assert [(each.code, each.pointer) for each in diagnostics] == [
            ("duplicate-seed", "/seeds/seeds/1")
        ]


class _Trickle(io.RawIOBase):
    """A pipe that gives little at a time."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def read(self, size: int = -1, /) -> bytes:
        part, self.data = self.data[: min(size, 7)], self.data[min(size, 7) :]
        return part


def test_a_pipe_is_read_to_its_end() -> None:
    text = "schema: evalset/v1\nname: n1\npacks: [p]\nagents: [{deployment: a}]\nrepeats: 5\n"
    pipe: Any = _Trickle(text.encode())
    assert evalset.load(pipe).repeats == 5


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_an_open_text_file_that_is_no_utf8_is_refused_as_a_text(encoding: str) -> None:
    file = io.TextIOWrapper(io.BytesIO(b"name: caf\xe9\n"), encoding=encoding)
    assert [each.code for each in evalset.check(file).diagnostics] == ["not-utf8"]


@pytest.mark.parametrize("source", [5, None, ["x.yaml"]])
def test_what_is_neither_path_nor_file_is_misuse(source: Any) -> None:  # noqa: ANN401 (all kinds)
    with pytest.raises(TypeError, match=r"^a path or an open file is wanted, not "):
        evalset.load(source)


def test_json_in_a_yaml_file_is_read_as_json(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "sweep.yaml"
    rest = '"packs": ["p"], "agents": [{"deployment": "a"}]'
    text = '{"schema": "evalset/v1", "name": "\\ud83d\\ude00", ' + rest + "}"
    path.write_text(text, encoding="utf-8")
    assert evalset.load(path) == evalset.loads(text)


@pytest.mark.parametrize("key", ["source", "extensions", "future"])
@pytest.mark.parametrize("level", ["", "agents", "seeds", "limits"])
def test_any_key_of_a_newer_writer_can_be_kept(key: str, level: str) -> None:
    data: dict[str, Any] = {
        "schema": "evalset/v1",
        "name": "n1",
        "packs": ["p"],
        "agents": [{"deployment": "a"}],
        "seeds": {"strategy": "explicit", "seeds": [7]},
        "limits": {},
    }
    owner = {"": data, "agents": data["agents"][0]}.get(level) or data.get(level, {})
    owner[key] = {"of": "a newer writer"}
    manifest = evalset.Manifest.from_dict(data, unknown="keep")
    assert evalset.check_data(data, unknown="keep").ok
    assert manifest.to_dict() == {name: value for name, value in data.items() if value}
    again = evalset.loads(evalset.dumps(manifest), unknown="keep")
    assert again == manifest


def test_kept_keys_do_not_hide_a_wrong_number_of_seeds() -> None:
    data = {
        "schema": "evalset/v1",
        "name": "n1",
        "packs": ["p"],
        "agents": [{"deployment": "a"}],
        "seeds": {"strategy": "explicit", "seeds": [1, 2]},
        "future": 1,
    }
    codes = [each.code for each in evalset.check_data(data, unknown="keep").diagnostics]
    assert codes == ["kept-key", "seeds-count"]
