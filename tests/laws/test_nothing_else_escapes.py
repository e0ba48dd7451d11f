"""For any content, nothing escapes a public function but what it says that it raises.

That is a refusal of ours, `OSError` from files, `TypeError` or `ValueError` for misuse, and what
its own docstring lists under `Raises`.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.laws.effort import few
from tests.laws.spoiling import odd_values
from tests.laws.surfaces import Surface, arguments, surfaces

SURFACES = list(surfaces())


@pytest.fixture(autouse=True, scope="module")
def _a_folder_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the functions that read and write files do so where nothing else is."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("surfaces"))
    yield
    os.chdir(before)


@few(8, least=5)
@given(data=st.data())
@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_nothing_escapes_but_what_is_documented(surface: Surface, data: st.DataObject) -> None:
    positional, named = data.draw(arguments(surface))
    with contextlib.suppress(*surface.raises):
        surface(positional, named)


def test_what_is_public_is_found() -> None:
    names = {surface.name for surface in SURFACES}
    assert names >= {
        "reading.loads", "reading.check_text", "expansion.expand", "resolving.resolve_async",
        "expansion.Expansion.select", "manifest.Manifest", "manifest.Manifest.from_dict",
        "pinning.pin", "records.read_records", "markdown.write_markdown", "keys.safe_name",
        "resolution.ResolutionError.retry_after",
    }  # fmt: skip
    assert len(names) == len(SURFACES) > 150


@few(8, least=5)
@given(data=st.data())
@pytest.mark.parametrize("surface", [each for each in SURFACES if each.is_function], ids=str)
def test_a_wrong_argument_is_told(surface: Surface, data: st.DataObject) -> None:
    positional, named = data.draw(arguments(surface))
    places = [*range(len(positional)), *named]
    place = data.draw(st.sampled_from(places)) if places else None
    if isinstance(place, int):
        positional[place] = data.draw(odd_values())
    elif place is not None:
        named[place] = data.draw(odd_values())
    with contextlib.suppress(*surface.raises):
        surface(positional, named)
