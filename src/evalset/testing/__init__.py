"""Hypothesis strategies for manifests, their texts and their faults; needs `evalset[testing]`.

For the tests of hosts: what `documents` gives must be taken, what `broken_manifests` gives
must be refused, and both are as varied as what people and servers write.

    from hypothesis import given
    from evalset.testing import manifests

    @given(manifests())
    def test_every_combination_is_scheduled(manifest): ...
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from itertools import product
from typing import Any, final

import attrs
from hypothesis import assume
from hypothesis import strategies as st

from evalset.expansion import Expansion, expand
from evalset.keys import TRIMMED, KeyBy, normalize_label, trim
from evalset.manifest import SCHEMA, Manifest
from evalset.rules import BUILT_IN_SCANNERS, MAX_SEED
from evalset.sources import Format
from evalset.testing._dice import Dice
from evalset.testing._faults import FAULTS, BrokenManifest, break_manifest
from evalset.testing._styles import write

__all__ = [
    "FAULTS",
    "BrokenManifest",
    "ManifestText",
    "broken_manifests",
    "documents",
    "expansions",
    "manifest_data",
    "manifest_texts",
    "manifests",
    "texts",
]

_Data = dict[str, Any]

# Realistic names, names that share one form in keys, and what YAML may take for syntax,
# for another type, or (YAML 1.1) for a boolean, a time or a number.
_NAMES = (
    "p", "gpt", "GPT", "catalog/code-review", "team/support@v3", "anthropic/claude-haiku-4",
    "11111111-1111-1111-1111-111111111111", "a b", "a-b", "a  b", "a/b", "b/a", "b", "x", "x/a",
    "p/x", "\u0441\u0431\u043e\u0440", "\u8bc4\u4f30", "e\u0301", "\u00e9", "\U0001f600", "\u200b",
    "yes", "off", "y", "null", "~", "true", "010", "0x10", "1_000", "4.10", "1e3", ".inf", "12:30",
    "2026-12-01", "a: b", "a #b", "#", "- x", "-", "--- x", '"', "'", "it's", "*a", "&a", "!a",
    "%a", "@a", "`a", "|", ">", "?", "? a", "a:", "{a}", "[a", "a, b", "<<", "=", "\\", "\\n", "$x",
    "a=b",
)  # fmt: skip
# The noncharacters; what else a text may not hold are the categories Cc and Cs.
_NONCHARACTERS = "".join(
    map(chr, [*range(0xFDD0, 0xFDF0), *(p + n for p in range(0, 0x110000, 0x10000)
                                        for n in (0xFFFE, 0xFFFF))])
)  # fmt: skip
_COLLIDING = ("a b", "a-b", "a", "b", "a/b", "b/a", "x", "x/a")
_DIALECTS: tuple[KeyBy, ...] = ("label", "deployment")
_MOST = 64  # combinations of a generated manifest


def texts(*, padded: bool = True) -> st.SearchStrategy[str]:
    """Give free texts as a manifest may hold them: names, references, labels.

    Args:
        padded: Whether some stand between white space that a manifest trims.
    """
    return _padded_texts() if padded else _texts()


def manifest_data(
    *, unique_keys: bool = True, extensions: bool = True
) -> st.SearchStrategy[dict[str, Any]]:
    """Give good manifests as plain data, as people and servers write them.

    Optional fields are absent, null or there; whole numbers may be floats, limits 0, texts
    padded; `$schema` may stand at the top. At most 64 combinations.

    Args:
        unique_keys: Whether all combinations have keys of their own, under both dialects.
            Without it, equal and colliding entries occur often.
        extensions: Whether `x-` keys may be there, at every level.
    """
    return _manifest_data(unique_keys=unique_keys, extensions=extensions)


def manifests(*, unique_keys: bool = True, extensions: bool = True) -> st.SearchStrategy[Manifest]:
    """Give manifests of at most 64 combinations.

    Args:
        unique_keys: As for `manifest_data`.
        extensions: As for `manifest_data`.
    """
    return manifest_data(unique_keys=unique_keys, extensions=extensions).map(Manifest.from_dict)


@st.composite
def expansions(draw: st.DrawFn, *, key_by: KeyBy | None = None) -> Expansion:
    """Give whole expansions of at most 64 combinations.

    Args:
        draw: Given by Hypothesis.
        key_by: The dialect of the keys; None: either.
    """
    manifest = draw(manifests())
    dialects: list[KeyBy] = ["label", "deployment"] if key_by is None else [key_by]
    return expand(manifest, key_by=draw(st.sampled_from(dialects)))


@final
@attrs.frozen
class ManifestText:
    """A text that holds a good manifest.

    Attributes:
        text: The text.
        format: `json` or `yaml`.
        data: The plain data that it means.
    """

    text: str
    format: Format
    data: Mapping[str, Any]


@st.composite
def manifest_texts(
    draw: st.DrawFn, data: Mapping[str, Any], *, format: Format | None = None
) -> ManifestText:
    """Give texts, in many styles, that all mean the same plain data.

    JSON; YAML in block, flow and mixed style, with every kind of quotes, comments, anchors,
    aliases, merge keys, core tags, byte order mark, LF, CR LF and CR; keys in any order.

    Args:
        draw: Given by Hypothesis.
        data: The plain data; it is not changed.
        format: The format; None: either.
    """
    formats: list[Format] = ["yaml", "json"] if format is None else [format]
    written = write(dict(data), draw(st.sampled_from(formats)), draw(_dice()))
    return ManifestText(written.text, written.format, data)


def documents(
    *, format: Format | None = None, unique_keys: bool = True, extensions: bool = True
) -> st.SearchStrategy[ManifestText]:
    """Give texts of good manifests, in many styles.

    Args:
        format: As for `manifest_texts`.
        unique_keys: As for `manifest_data`.
        extensions: As for `manifest_data`.
    """
    data = manifest_data(unique_keys=unique_keys, extensions=extensions)
    return data.flatmap(lambda each: manifest_texts(each, format=format))


@st.composite
def broken_manifests(draw: st.DrawFn, *, code: str | None = None) -> BrokenManifest:
    """Give texts of good manifests into which one fault was put.

    Read in its format, `check_text` gives exactly one error for it: the expected code at
    the expected place. For the code of a warning there is no error, and that warning.

    Args:
        draw: Given by Hypothesis.
        code: What is to be found, one of `FAULTS`; None: any of them.
    """
    chosen = draw(st.sampled_from(FAULTS)) if code is None else code
    return break_manifest(draw(manifest_data()), chosen, draw(_dice()))


def _dice() -> st.SearchStrategy[Dice]:
    return st.binary(min_size=16, max_size=16).map(Dice)


@st.composite
def _manifest_data(draw: st.DrawFn, *, unique_keys: bool, extensions: bool) -> _Data:
    data = draw(_axes(unique_keys=unique_keys, extensions=extensions))
    dialects = [_cells(data, key_by=key_by) for key_by in _DIALECTS]
    assume(not unique_keys or all(len(set(cells)) == len(cells) for cells in dialects))
    repeats = draw(st.integers(1, min(_MOST // len(dialects[0]), 4)))
    return {**data, **draw(_repeats(repeats, extensions=extensions))}


# Strategies are costly to make, so each is made once.


@cache
def _texts() -> st.SearchStrategy[str]:
    characters = st.characters(exclude_categories=("Cc", "Cs"), exclude_characters=_NONCHARACTERS)
    free = st.text(characters, min_size=1, max_size=8).map(trim).filter(bool)
    return st.sampled_from(_NAMES) | free


@cache
def _padded_texts() -> st.SearchStrategy[str]:
    padding = st.text(st.sampled_from(TRIMMED), max_size=2)
    return st.one_of(_texts(), _texts(), st.builds("{}{}{}".format, padding, _texts(), padding))


@cache
def _axes(*, unique_keys: bool, extensions: bool) -> st.SearchStrategy[_Data]:
    """Give all of a manifest but `repeats` and `seeds`."""
    extra = _extensions() if extensions else _nothing()
    names = texts() if unique_keys else st.sampled_from(_COLLIDING) | texts()
    refs = st.lists(names, max_size=3, unique_by=normalize_label if unique_keys else None)
    scanners = st.lists(st.sampled_from(BUILT_IN_SCANNERS) | names, max_size=2)
    required = {
        "schema": st.just(SCHEMA),
        "name": texts(),
        "packs": refs.filter(bool),
        "agents": _agents(names, extra, is_unique=unique_keys),
    }
    optional = {
        "models": st.none() | refs,
        "limits": st.none() | _limits(extra),
        "case_fanout": st.none() | st.booleans(),
        "scanners": st.none() | scanners,
        "$schema": st.just("./evalset-v1.json"),
    }
    return st.builds(_joined, st.fixed_dictionaries(required, optional=optional), extra)


def _agents(
    names: st.SearchStrategy[str], extra: st.SearchStrategy[_Data], *, is_unique: bool
) -> st.SearchStrategy[list[_Data]]:
    agent = st.fixed_dictionaries({"deployment": names}, optional={"label": st.none() | names})
    open_agent = st.builds(_joined, agent, extra)
    # Differing under each dialect by itself.
    unique_by = tuple(partial(_agent_part, key_by=key_by) for key_by in _DIALECTS)
    return st.lists(open_agent, min_size=1, max_size=3, unique_by=unique_by if is_unique else None)


def _agent_part(agent: _Data, *, key_by: KeyBy) -> str:
    label = agent.get("label") if key_by == "label" else None
    return normalize_label(label or agent["deployment"])


def _cells(data: _Data, *, key_by: KeyBy) -> list[str]:
    """Write out the key of every cell, but for the repeat; slashes can make two equal."""
    axes: list[list[str]] = [
        [normalize_label(pack) for pack in data["packs"]],
        [_agent_part(agent, key_by=key_by) for agent in data["agents"]],
        [normalize_label(model) for model in data.get("models") or [""]],
    ]
    return ["/".join(cell) for cell in product(*axes)]


def _limits(extra: st.SearchStrategy[_Data]) -> st.SearchStrategy[_Data]:
    zero = st.sampled_from([0, 0.0, -0.0])
    runs = st.integers(1, MAX_SEED) | st.integers(1, 99).map(float)
    budget = st.integers(1, 10**9) | st.floats(0, allow_infinity=False, allow_nan=False)
    optional = {
        "max_concurrent_runs": st.none() | zero | runs,
        "budget_usd": st.none() | zero | budget,
    }
    return st.builds(_joined, st.fixed_dictionaries({}, optional=optional), extra)


@cache
def _repeats(count: int, *, extensions: bool) -> st.SearchStrategy[_Data]:
    """Give `repeats` and `seeds`, which must fit together; what is default may be absent."""
    extra = _extensions() if extensions else _nothing()
    seed = st.integers(1, MAX_SEED) | st.integers(1, 999).map(float)
    explicit = st.lists(seed, min_size=count, max_size=count, unique=True)
    auto: dict[str, st.SearchStrategy[Any]] = {
        "strategy": st.sampled_from([None, "auto"]),
        "seeds": st.sampled_from([None, []]),
    }
    seeds = st.fixed_dictionaries({}, optional=auto) | st.fixed_dictionaries(
        {"strategy": st.just("explicit"), "seeds": explicit}
    )
    optional = {"seeds": st.none() | st.builds(_joined, seeds, extra)}
    repeats = st.sampled_from([count, float(count)])
    if count > 1:
        return st.fixed_dictionaries({"repeats": repeats}, optional=optional)
    return st.fixed_dictionaries({}, optional={"repeats": st.none() | repeats, **optional})


@cache
def _extensions() -> st.SearchStrategy[_Data]:
    """Give `x-` keys with values of JSON, which are as free as JSON is."""
    number = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    scalar = st.none() | st.booleans() | number | st.text(max_size=4) | texts()
    nested = scalar | st.lists(scalar, max_size=2)
    value = nested | st.dictionaries(st.text(max_size=3) | texts(), nested, max_size=2)
    key = st.sampled_from(["x-team", "x-", "x-a/~b"]) | st.text(max_size=3).map("x-{}".format)
    return _nothing() | st.dictionaries(key, value, max_size=2)


def _nothing() -> st.SearchStrategy[_Data]:
    return st.builds(_Data)


def _joined(first: _Data, second: _Data) -> _Data:
    return {**first, **second}
