"""What must hold for any bytes at all, in one function for each surface of the library.

A fuzzer (`fuzz/run.py`) looks for bytes that break one; what it found is kept beside this file
in `corpus/fuzz/`, and every run of the tests looks at it again.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tests.laws.attempts import attempt
from tests.laws.test_any_text import check_whole
from tests.laws.ways import json_quickly, json_thoroughly

from evalset import (
    Expansion,
    Manifest,
    ManifestError,
    PackRef,
    RecordError,
    Resolution,
    ResolutionError,
    SelectionError,
    check_text,
    expand,
    loads,
    pin,
    reconcile,
    resolve,
)
from evalset.editing import set_repeats
from evalset.fixing import fix
from evalset.hosts import Found, NotFound
from evalset.nodes import ReadLimits
from evalset.records import RecordFormat, parse_records
from evalset.resolution import put_ids
from evalset.sharding import ShardBy
from evalset.sources import Format
from evalset.tree import to_plain
from evalset.yaml_subset import quick_yaml
from evalset.yaml_text import read_yaml

__all__ = ["TARGETS", "Target"]

Target = Callable[[bytes], None]

_FORMATS: Sequence[Format | None] = (None, "yaml", "json")
_RECORDS: Sequence[RecordFormat | None] = (None, "keys", "jsonl", "csv")
_WAYS: Sequence[ShardBy] = ("balanced", "stable", "pack")

_SWEEP = expand(
    loads(
        "schema: evalset/v1\nname: n\npacks: [p, catalog/q r]\n"
        "agents: [{deployment: a, label: A*}, {deployment: '[b]'}]\nmodels: [m, m/1]\nrepeats: 3\n"
    )
)


def _text(data: bytes) -> str:
    """Give text for any bytes, lone surrogates where they are no UTF-8."""
    return data.decode("utf-8", "surrogateescape")


def _choice(data: bytes) -> tuple[int, bytes]:
    """Part the first byte, by which something is chosen, from the rest."""
    return (data[0] if data else 0), data[1:]


def read_text(data: bytes) -> None:
    """Any text gives a manifest, or findings that can be shown."""
    choice, rest = _choice(data)
    check_whole(_text(rest), _FORMATS[choice % 3])


def read_bytes(data: bytes) -> None:
    """So do any bytes."""
    check_whole(data, None)


def read_json(data: bytes) -> None:
    """Both readers of JSON take the same texts and read the same from them."""
    text = _text(data)
    assert repr(json_quickly(text)) == repr(json_thoroughly(text))
    check_whole(text, "json")


def read_subset(data: bytes) -> None:
    """What the short way into YAML takes, ruamel.yaml takes and reads the same."""
    text = _text(data)
    try:
        quick = quick_yaml(text)
    except ValueError:
        return
    root, faults = read_yaml(text, ReadLimits())
    assert root is not None
    assert faults == []
    # `repr` tells 1, 1.0 and True apart, and the order of keys.
    assert repr(to_plain(root)) == repr(quick)


class _Host:
    """Knows what has an even length, in a way that depends on nothing but the text."""

    def find_pack(self, ref: PackRef, /) -> Found | NotFound:
        return self._find(ref.text)

    def find_agent(self, name: str, /) -> Found | NotFound:
        return self._find(name)

    def instantiate(self, slug: str, /) -> Found | NotFound:
        return self._find(f"{slug}+")

    def _find(self, text: str) -> Found | NotFound:
        if len(text) % 8 == 7:
            return NotFound()
        number = int.from_bytes(text.encode("utf-8", "surrogatepass")[-8:], "big")
        return Found(f"{number:032x}")


def edit(data: bytes) -> None:
    """Pinning gives a text that means the manifest with ids, or refuses; it changes no other."""
    text = _text(data)
    manifest = attempt(lambda: loads(text))
    if isinstance(manifest, ManifestError):
        return
    resolution = _resolved(manifest)
    if resolution is None:
        return
    pinned = attempt(lambda: pin(text, resolution))
    if isinstance(pinned, ManifestError):
        return
    meant = put_ids(manifest, resolution.packs, resolution.agents)
    assert loads(pinned) == meant
    assert meant != manifest or pinned == text


def _resolved(manifest: Manifest) -> Resolution | None:
    try:
        return resolve(manifest, _Host(), _Host())
    except ResolutionError:
        return None


def mend(data: bytes) -> None:
    """Fixes leave a text that needs no more of them; an edit gives what it was asked for."""
    text = _text(data)
    fixed = fix(text)
    assert fixed.result == check_text(fixed.text)
    assert fix(fixed.text).text == fixed.text
    edited = attempt(lambda: set_repeats(text, 7))
    if not isinstance(edited, ManifestError):
        assert loads(edited) == loads(text).replace(repeats=7)


def select(data: bytes) -> None:
    """What is selected and what is left make up the whole, or nothing matches and that is told."""
    choice, rest = _choice(data)
    axis = ("pack", "agent", "model", "keys")[choice % 4]
    named: dict[str, Any] = {axis: [text for text in _text(rest).split("\n") if text]}
    cells = _SWEEP.shard(1 + choice % 2, 2, by=_WAYS[choice // 4 % 3]) if choice > 127 else _SWEEP
    try:
        chosen, left = cells.select(**named), cells.without(**named)
    except SelectionError as error:
        str(error)
        return
    assert _places(chosen) | _places(left) == _places(cells)
    assert not _places(chosen) & _places(left)


def _places(expansion: Expansion) -> set[int]:
    return {each.index for each in expansion}


def read_records(data: bytes) -> None:
    """Any bytes are records, each of a run, or a line is told that is none."""
    choice, rest = _choice(data)
    try:
        records = parse_records(rest, format=_RECORDS[choice % 4])
    except RecordError as error:
        str(error)
        return
    found = reconcile(_SWEEP, records)
    told = (found.done, found.failed, found.stale, found.missing)
    assert sum(map(len, told)) == len(_SWEEP)
    assert found.to_dict()


TARGETS: dict[str, Target] = {
    "text": read_text,
    "bytes": read_bytes,
    "json": read_json,
    "subset": read_subset,
    "edits": edit,
    "fixes": mend,
    "selectors": select,
    "records": read_records,
}
