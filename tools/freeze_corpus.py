"""Write the frozen corpus of a release: manifests that it accepts, and what they expand to.

    PYTHONPATH=. python tools/freeze_corpus.py 0.1.0

A corpus is written once, at a release, and never again: `tests/corpus/README.md`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from hypothesis import Phase, given, settings
from tests.frozen import identity

from evalset.testing import ManifestText, documents

ROOT = Path(__file__).parent.parent
COUNT = 120  # generated manifests


def generated() -> list[bytes]:
    """Give manifests in every style that the generators know, the same in every run."""
    texts: list[bytes] = []

    @settings(max_examples=COUNT, derandomize=True, database=None, phases=[Phase.generate])
    @given(documents(unique_keys=False))
    def collect(document: ManifestText) -> None:
        texts.append(document.text.encode())

    collect()
    return list(dict.fromkeys(texts))


def main(version: str) -> None:
    """Write the corpus of one release."""
    folder = ROOT / "tests" / "corpus" / version
    folder.mkdir()  # and no `exist_ok`: what is there is frozen
    written = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.evalset.*"))]
    written += [path.read_bytes() for path in sorted((ROOT / "examples").glob("*s.yaml"))]
    expected = {}
    for number, raw in enumerate([*written, *generated()]):
        name = f"{number:03}.{'json' if raw.lstrip().startswith(b'{') else 'yaml'}"
        (folder / name).write_bytes(raw)
        expected[name] = identity(raw)
    (folder / "expected.json").write_text(f"{json.dumps(expected, indent=1)}\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
