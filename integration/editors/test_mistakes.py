"""The page of ten common mistakes, written from what author and reviewer really see.

The texts around are here, the manifests, too; the rest is the editor's and the command's
own. EVALSET_UPDATE_GOLDEN=1 writes docs/howto/mistakes.md anew; tests/test_docs.py runs
its commands once more.
"""

import shlex
import textwrap
from io import StringIO
from pathlib import Path

import attrs
import pytest
from integration.editors.golden import assert_golden
from integration.editors.lsp import HERE, Place, Server

from evalset import cli

PAGE = HERE.parents[1] / "docs/howto/mistakes.md"

INTRODUCTION = """\
# Ten common mistakes

What an editor [that knows the schema](editor.md) says, where, and what `evalset check` says. An
editor speaks while you write; the command knows more, namely [what only the library
checks](../reference/manifest.md#what-only-the-library-checks). Each code is explained in
[Codes](../reference/codes.md).
"""


@attrs.frozen
class Mistake:
    """A mistake in a manifest, and what there is to know of it."""

    title: str
    file: str
    text: str
    why: str


def _mistake(title: str, why: str, *lines: str) -> Mistake:
    """Change or add entries of a good manifest; an entry's key says which one it replaces."""
    manifest = {
        "schema": "schema: evalset/v1",
        "name": "name: nightly",
        "packs": "packs: [catalog/swe-bug-fix]",
        "agents": "agents:\n  - deployment: gpt-5-default",
        **{line.partition(":")[0]: line for line in lines},
    }
    text = "\n".join(manifest.values()) + "\n"
    return Mistake(title, f"{title.lower().replace(' ', '-')}.yaml", text, why)


MISTAKES = [
    _mistake(
        "A misspelt key",
        "Keys that the format does not have are never passed over: `repeat: 5` would run once, "
        "and nobody would know why. Keys of your own start with `x-`.",
        "repeat: 5",
    ),
    _mistake(
        "Agents without a key",
        "An agent is a mapping, since it may have a label.",
        "agents:\n  - gpt-5-default\n  - claude-opus-5-default",
    ),
    _mistake(
        "A list that is none",
        "Lists are lists, also those of one item.",
        "packs: catalog/swe-bug-fix",
    ),
    _mistake(
        "A name that is a number",
        "To YAML `4.10` is the number 4.1. Quotes make it a text.",
        "name: 4.10",
    ),
    _mistake(
        "Labels that collide",
        "In keys spaces become dashes, so these two would be one agent. Which entries collide, "
        "only the library can tell.",
        "agents:\n  - deployment: gpt-5-default\n    label: gpt 5\n"
        "  - deployment: gpt-5-mini\n    label: gpt-5",
    ),
    _mistake(
        "Too few seeds",
        "Explicit seeds are one for each repeat. A schema can't count that.",
        "repeats: 3",
        "seeds:\n  strategy: explicit\n  seeds: [11, 22]",
    ),
    _mistake(
        "Seeds without a strategy",
        "Without `strategy: explicit` the harness picks the seeds and would pass over a list.",
        "seeds:\n  seeds: [11]",
    ),
    _mistake(
        "A limit at the top",
        "`budget_usd` and `max_concurrent_runs` stand under `limits`.",
        "budget_usd: 50",
    ),
    _mistake(
        "Yes for true",
        "`yes` and `on` are booleans to readers of YAML 1.1 and texts to those of YAML 1.2.",
        "case_fanout: yes",
    ),
    _mistake(
        "Too many combinations",
        "Every axis multiplies all others, and 2000 is the most. The arithmetic is the library's.",
        "agents:\n  - deployment: gpt-5-default\n  - deployment: gpt-5-mini",
        "models: [openai/gpt-4.1, openai/gpt-4.1-mini]",
        "repeats: 600",
    ),
]


def test_the_page_says_what_an_author_sees(
    yaml_editor: Server, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(MISTAKES) == 10
    parts = [_section(mistake, _seen(mistake, yaml_editor, work)) for mistake in MISTAKES]
    assert_golden(PAGE, "".join([INTRODUCTION, *parts]))


def _section(mistake: Mistake, seen: list[str]) -> str:
    told = "\n".join(seen) or "The editor says nothing.\n"
    return f"""
## {mistake.title}

{textwrap.fill(mistake.why, 100)}

<!-- file: {mistake.file} -->
```yaml
{mistake.text}```

{told}
```console
{_checked(mistake)}```
"""


def _seen(mistake: Mistake, server: Server, work: Path) -> list[str]:
    """Write what the editor underlines, and what it says when the cursor is there."""
    path = (work / mistake.file).with_suffix(".evalset.yaml")
    uri = server.open(path, mistake.text, language="yaml")
    seen: list[str] = []
    for diagnostic in server.diagnostics(uri):
        start, end = (
            Place(**diagnostic["range"][side]).offset(mistake.text) for side in ("start", "end")
        )
        line = diagnostic["range"]["start"]["line"] + 1
        seen.append(f"The editor underlines `{mistake.text[start:end]}` in line {line}:\n\n"
                    f"> {diagnostic['message']}\n")  # fmt: skip
    return seen


def _checked(mistake: Mistake) -> str:
    """Run the command, as a terminal shows it."""
    Path(mistake.file).write_text(mistake.text, encoding="utf-8")
    argv = ["check", mistake.file]
    terminal = StringIO()
    assert cli.main(argv, StringIO(), terminal, terminal) == 1
    return f"$ {shlex.join(['evalset', *argv])}\n{terminal.getvalue()}"
