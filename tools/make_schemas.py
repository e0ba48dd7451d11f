"""Make the published manifest schemas from their one source, the editor schema in the package.

`python tools/make_schemas.py` writes what is stale; with `--check` it writes nothing, and exits 1
if anything is.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

__all__ = ["main", "portable", "published"]

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src/evalset/schemas/evalset-v1.editor.json"

# What the library gives, and records of runs; written by hand in the package, and copied.
OUTPUTS = ("diagnostics-v1.json", "expansion-report-v1.json", "run-record-v1.json")

# Known to the editors' language servers only; ajv in strict mode refuses each unknown keyword.
EDITOR_KEYWORDS = frozenset(
    {
        "defaultSnippets",
        "doNotSuggest",
        "enumDescriptions",
        "errorMessage",
        "markdownDescription",
        "patternErrorMessage",
    }
)


def portable(editor: dict[str, Any]) -> dict[str, Any]:
    """Return the schema that every validator compiles: the editor's one, with its own `$id`."""
    return {**_without_editor_keywords(editor), "$id": "urn:evalset:v1"}


def published(source: bytes) -> dict[Path, bytes]:
    """Return what each generated file must hold, given the bytes of the source."""
    # ASCII on purpose: the pattern of blank text holds U+2028 and its like, which must reach
    # regex engines as themselves, and which no editor or diff shows. JSON's own escapes do both.
    text = json.dumps(portable(json.loads(source)), indent=2, ensure_ascii=True) + "\n"
    return {
        SOURCE.with_name("evalset-v1.json"): text.encode(),
        ROOT / "schema/evalset-v1.json": text.encode(),
        ROOT / "schema/evalset-v1.editor.json": source,
        **{ROOT / "schema" / name: SOURCE.with_name(name).read_bytes() for name in OUTPUTS},
    }


def main(argv: list[str] | None = None) -> int:
    """Write the stale files, or with `--check` only name them; return the exit code."""
    parser = argparse.ArgumentParser(
        description="Make the published schemas from the editor schema."
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, exit 1 if a file is stale"
    )
    check = parser.parse_args(argv).check
    files = published(SOURCE.read_bytes())
    stale = {path: content for path, content in files.items() if not _holds(path, content)}
    for path, content in stale.items():
        print("stale" if check else "wrote", path.relative_to(ROOT))
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    return 1 if check and stale else 0


def _without_editor_keywords(schema: dict[str, Any]) -> dict[str, Any]:
    return {
        keyword: _subschemas(keyword, value)
        for keyword, value in schema.items()
        if keyword not in EDITOR_KEYWORDS
    }


def _subschemas(keyword: str, value: Any) -> Any:  # noqa: ANN401  (a keyword's value is any JSON)
    """Go down into schemas only: a property, an example or a default may have any name."""
    if keyword in {"properties", "patternProperties"}:
        return {name: _without_editor_keywords(schema) for name, schema in value.items()}
    if keyword in {"items", "if", "then", "else"}:
        return _without_editor_keywords(value)
    if keyword == "anyOf":
        return [_without_editor_keywords(schema) for schema in value]
    return value


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


if __name__ == "__main__":
    raise SystemExit(main())
