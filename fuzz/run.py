"""Look for bytes that break what `tests/fuzzing.py` says of any bytes.

    python fuzz/run.py subset --seconds 600 --corpus /tmp/subset

atheris guides the search by coverage, starting from `tests/corpus/fuzz/NAME/`. It ends at the
first finding, which it writes as `crash-...` into the corpus; once that is mended it belongs
beside the others in `tests/corpus/fuzz/NAME/`, where every run of the tests looks at it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import atheris

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

with atheris.instrument_imports(include=["evalset", "ruamel"]):
    from tests.fuzzing import TARGETS

LONGEST = 4096  # bytes of an input
SLOWEST = 20  # seconds for one


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz one target for a while."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path, required=True, help="a folder for what is found")
    options = parser.parse_args(arguments)
    options.corpus.mkdir(parents=True, exist_ok=True)
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={options.seconds}",
            f"-max_len={LONGEST}",
            f"-timeout={SLOWEST}",
            "-print_final_stats=1",
            f"-artifact_prefix={options.corpus}/",
            str(options.corpus),
            str(ROOT / "tests" / "corpus" / "fuzz" / options.target),
        ],
        TARGETS[options.target],
    )
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
