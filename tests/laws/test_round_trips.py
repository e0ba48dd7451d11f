"""What is written comes back: as text of both formats, plain data, pickles and copies."""

import copy
import io
import json
import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.laws.attempts import attempt
from tests.laws.readers import read

from evalset import (
    Expansion,
    Manifest,
    ManifestError,
    check_data,
    check_text,
    dump,
    dumps,
    load,
    loads,
)
from evalset.sources import Format
from evalset.testing import expansions, manifest_data, manifests

FORMATS: st.SearchStrategy[Format] = st.sampled_from(["yaml", "json"])


@given(manifests(unique_keys=False), FORMATS)
def test_a_text_reads_back_to_an_equal_manifest(manifest: Manifest, format: Format) -> None:
    text = dumps(manifest, format=format)
    assert loads(text, format=format) == manifest
    assert loads(text) == manifest
    assert loads(text.encode()) == manifest
    assert dumps(loads(text), format=format) == text


@given(manifests())
def test_json_is_yaml_too(manifest: Manifest) -> None:
    # The reference reads JSON with a YAML parser.
    text = dumps(manifest, format="json")
    assert loads(text, format="yaml") == manifest


@given(manifests(), FORMATS)
def test_what_is_written_has_no_error_and_earns_no_warning_of_its_own(
    manifest: Manifest, format: Format
) -> None:
    of_text = check_text(dumps(manifest, format=format)).diagnostics
    of_data = check_data(manifest.to_dict()).diagnostics
    assert {(each.code, each.pointer) for each in of_text} == {
        (each.code, each.pointer) for each in of_data
    }
    assert not any(each.is_error for each in of_text)


@given(manifests())
def test_other_readers_see_the_same_data(manifest: Manifest) -> None:
    data = manifest.to_dict()
    assert read(dumps(manifest, format="json"), "json") == data
    assert read(dumps(manifest, format="json"), "yaml") == data
    assert read(dumps(manifest), "yaml") == data


@given(manifests(extensions=False))
def test_readers_of_yaml_1_1_see_the_same_data(manifest: Manifest) -> None:
    assert read(dumps(manifest), "yaml", version=(1, 1)) == manifest.to_dict()


@given(manifests(unique_keys=False), FORMATS)
def test_a_file_reads_back_to_an_equal_manifest(manifest: Manifest, format: Format) -> None:
    text, binary = io.StringIO(), io.BytesIO()
    dump(manifest, text, format=format)
    dump(manifest, binary, format=format)
    assert binary.getvalue().decode() == text.getvalue() == dumps(manifest, format=format)
    text.seek(0)
    binary.seek(0)
    assert load(text) == load(binary) == manifest


@given(manifests(unique_keys=False))
def test_plain_data_reads_back_to_an_equal_manifest(manifest: Manifest) -> None:
    assert Manifest.from_dict(manifest.to_dict()) == manifest
    assert Manifest.from_dict(json.loads(json.dumps(manifest.to_dict()))) == manifest
    assert [type(each).from_dict(each.to_dict()) for each in manifest.agents] == [*manifest.agents]
    assert type(manifest.seeds).from_dict(manifest.seeds.to_dict()) == manifest.seeds
    assert type(manifest.limits).from_dict(manifest.limits.to_dict()) == manifest.limits


@given(manifest_data(), st.sampled_from(["new", "repeat", "\u00e9/~"]), FORMATS)
def test_what_a_newer_writer_stored_is_kept(data: dict[str, Any], key: str, format: Format) -> None:
    agents = [{**agent, key: {"a": [1.5, None]}} for agent in data["agents"]]
    limits: dict[str, Any] = data.get("limits") or {}
    newer: dict[str, Any] = {**data, "agents": agents, "limits": {**limits, key: True}, key: []}
    manifest = Manifest.from_dict(newer, unknown="keep")
    text = dumps(manifest, format=format)
    assert loads(text, unknown="keep") == manifest
    assert Manifest.from_dict(manifest.to_dict(), unknown="keep") == manifest
    assert manifest.to_dict()[key] == []
    assert manifest.agents[0].extensions[key]["a"] == (1.5, None)
    assert pickle.loads(pickle.dumps(manifest)) == manifest  # noqa: S301
    assert manifest.replace(name="n").limits.extensions[key] is True


@given(manifests(unique_keys=False))
def test_built_again_from_its_own_values_it_is_equal(manifest: Manifest) -> None:
    again = Manifest(
        manifest.name,
        packs=manifest.packs,
        agents=manifest.agents,
        models=manifest.models,
        repeats=manifest.repeats,
        seeds=manifest.seeds,
        limits=manifest.limits,
        case_fanout=manifest.case_fanout,
        scanners=manifest.scanners,
        extensions=manifest.extensions,
    )
    assert again == manifest.replace() == manifest


@given(manifests(unique_keys=False), st.integers(0, pickle.HIGHEST_PROTOCOL))
def test_pickles_and_copies_of_a_manifest_are_equal(manifest: Manifest, protocol: int) -> None:
    for same in (
        pickle.loads(pickle.dumps(manifest, protocol)),  # noqa: S301 (our own)
        copy.copy(manifest),
        copy.deepcopy(manifest),
    ):
        assert same == manifest
        assert hash(same) == hash(manifest)
        assert repr(same) == repr(manifest)


@given(expansions(), st.data())
def test_pickles_and_copies_of_an_expansion_are_equal(
    expansion: Expansion, data: st.DataObject
) -> None:
    which = data.draw(st.slices(len(expansion)))
    for each in (expansion, expansion[which], expansion[0], expansion[0].group):
        for same in (pickle.loads(pickle.dumps(each)), copy.copy(each), copy.deepcopy(each)):  # noqa: S301
            assert same == each
            assert hash(same) == hash(each)


@given(manifests(unique_keys=False), st.integers(1, 9))
def test_pickles_and_copies_of_an_error_are_equal(manifest: Manifest, extra: int) -> None:
    data = {**manifest.to_dict(), "packs": [""] * extra}
    error = attempt(lambda: Manifest.from_dict(data))
    assert isinstance(error, ManifestError)
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301
        assert same == error
        assert (str(same), same.to_dict()) == (str(error), error.to_dict())
