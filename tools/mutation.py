"""Change the source, one small thing at a time, and see whether the tests of its module notice.

    python tools/mutation.py keys rules --into /tmp/mutation

Each module is held to its own tests alone: that the rest of the suite would notice, too, says
nothing about what was written for it. mutmut works in a copy of what git knows of the tree. A
diff of each survivor and a table of counts are written into the folder that `--into` names.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent

# A module, and what was written for it.
TESTS = {
    "keys": (
        "tests/test_keys.py",
        "tests/test_rules_told.py",
        "tests/test_sharding.py",
        "tests/laws/test_keys.py",
    ),
    "rules": ("tests/test_rules.py", "tests/test_rules_told.py", "tests/test_strictness.py"),
    "collisions": ("tests/test_collisions.py", "tests/laws/test_product.py"),
    "expansion": (
        "tests/test_expansion.py",
        "tests/test_expansion_refusals.py",
        "tests/test_expansion_report.py",
        "tests/test_selecting.py",
        "tests/laws/test_sequence.py",
        "tests/laws/test_product.py",
    ),
    "axes": (
        "tests/test_expansion.py",
        "tests/test_selecting.py",
        "tests/test_sharding.py",
        "tests/laws/test_sequence.py",
        "tests/laws/test_product.py",
    ),
    "document": ("tests/test_document.py", "tests/test_document_told.py"),
    "yaml_subset": ("tests/test_yaml_subset.py",),
    "resolving": ("tests/test_resolving.py", "tests/test_resolving_fronts.py"),
    "inquiry": (
        "tests/test_inquiry.py",
        "tests/test_resolving.py",
        "tests/laws/test_resolution.py",
    ),
    "pinning": ("tests/test_pinning.py",),
    "editing": ("tests/test_editing.py", "tests/laws/test_editing.py"),
    "drafts": ("tests/test_editing.py", "tests/laws/test_editing.py"),
    "layout": ("tests/test_editing.py", "tests/laws/test_editing.py"),
}

SETTINGS = """\
[mutmut]
source_paths=src/
only_mutate=
    src/evalset/{module}.py
pytest_add_cli_args_test_selection=
    {tests}
pytest_add_cli_args=
    -q
    -p
    no:cacheprovider
also_copy=
    tests
    docs
    schema
    examples
"""

RESULT = re.compile(r"^ +(evalset\.\S+): (.+)$", re.MULTILINE)


def copy_tree(target: Path) -> None:
    """Copy every file that git knows or would add."""
    shutil.rmtree(target, ignore_errors=True)
    for name in run("git", "ls-files", "--cached", "--others", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)


def run(*command: str, folder: Path = ROOT) -> str:
    """Run a command and give what it wrote."""
    environment = {**os.environ, "EVALSET_HYPOTHESIS_PROFILE": "quick"}
    return subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout


def mutate(module: str, into: Path, children: int) -> Counter[str]:
    """Judge the mutants of one module, and write down each that no test noticed."""
    folder = into / module
    copy_tree(folder)
    settings = SETTINGS.format(module=module, tests="\n    ".join(TESTS[module]))
    (folder / "setup.cfg").write_text(settings, "utf-8")
    mutmut = (sys.executable, "-m", "mutmut")
    run(*mutmut, "run", "--max-children", str(children), folder=folder)
    results: list[tuple[str, str]] = RESULT.findall(
        run(*mutmut, "results", "--all", "True", folder=folder)
    )
    (into / f"{module}.diff").write_text("".join(survivors(results, folder)), "utf-8")
    return Counter(result for _, result in results)


def survivors(results: Sequence[tuple[str, str]], folder: Path) -> Iterator[str]:
    """Give the change of each mutant that lived."""
    for name, result in results:
        if result in {"survived", "no tests", "suspicious"}:
            shown = run(sys.executable, "-m", "mutmut", "show", name, folder=folder)
            yield f"{result}: {shown}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the modules that are asked for, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("modules", nargs="*", help=f"of {', '.join(TESTS)}; all by default")
    parser.add_argument("--into", type=Path, required=True, help="a folder for copies and results")
    parser.add_argument("--children", type=int, default=os.cpu_count() or 1, help="at a time")
    options = parser.parse_args(arguments)
    for module in options.modules or TESTS:
        counts = mutate(module, options.into.resolve(), options.children)
        noticed = counts["killed"] + counts["timeout"] + counts["segfault"]
        share = 100 * noticed / max(1, counts.total())
        print(f"{module}: {counts.total()} mutants, {share:.1f} % noticed: {dict(counts)}")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
