"""The page of real mistakes, written from what the author and the reviewer really see.

The texts around are here, the manifests, too, and what the reference says, which was
recorded (tests/test_mistakes_page.py holds it to the records); the rest is the editor's
and the command's own. EVALSET_UPDATE_GOLDEN=1 writes docs/howto/mistakes.md anew;
tests/test_docs.py runs its commands once more.
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
# Real mistakes

For each: what the reference implementation says, what an editor [that knows the
schema](editor.md) says, and what `evalset check` says. The reference stops at the first fault,
names no line, and passes over much; an editor speaks while you write; the command knows more,
namely [what only the library
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
    reference: str


def _mistake(title: str, why: str, reference: str, *lines: str, without: str = "") -> Mistake:
    """Change or add entries of a good manifest; an entry's key says which one it replaces.

    `reference` is its message, or what it does, which starts with "It ".
    """
    manifest = {
        "schema": "schema: evalset/v1",
        "name": "name: nightly",
        "packs": "packs: [catalog/swe-bug-fix]",
        "agents": "agents:\n  - deployment: gpt-5-default",
        **{line.partition(":")[0]: line for line in lines},
    }
    manifest.pop(without, None)
    text = "\n".join(manifest.values()) + "\n"
    return Mistake(title, f"{title.lower().replace(' ', '-')}.yaml", text, why, reference)


_DROPPED = "It drops keys that it does not know, without a word"
_TAKEN = "It accepts this"

MISTAKES = [
    # Keys
    _mistake(
        "A misspelt key",
        "Keys that the format does not have are never passed over: `repeat: 5` would run once, "
        "and nobody would know why. Keys of your own start with `x-`.",
        f"{_DROPPED}, and runs once.",
        "repeat: 5",
    ),
    _mistake(
        "A misspelt key that is required",
        "Told once, at the key that is there.",
        "packs must contain at least one pack ref",
        "pack: [catalog/swe-bug-fix]",
        without="packs",
    ),
    _mistake(
        "A limit at the top",
        "`budget_usd` and `max_concurrent_runs` stand under `limits`.",
        f"{_DROPPED}, and runs without a budget.",
        "budget_usd: 50",
    ),
    _mistake(
        "A name for a deployment",
        "An agent has a `deployment` and may have a `label`; nothing else names it.",
        "agents[0].deployment is required",
        "agents:\n  - name: gpt-5-default",
    ),
    _mistake(
        "A matrix with exclude",
        "Every combination of the axes runs. For others there is a second manifest.",
        f"{_DROPPED}, and runs what was to be left out.",
        "exclude:\n  - {pack: catalog/swe-bug-fix}",
    ),
    _mistake(
        "A key twice",
        "Most readers of YAML take the last one. Which one was meant, only the writer knows.",
        "",
        "repeats: 3\nlimits: {budget_usd: 5}\nrepeats: 5",
    ),
    _mistake(
        "No schema",
        "The first key says what the file is.",
        "schema is required (want evalset/v1)",
        without="schema",
    ),
    _mistake(
        "A schema in capitals",
        "The schema is exact, so that every tool finds it.",
        'unsupported schema "evalset/V1" (want evalset/v1)',
        "schema: evalset/V1",
    ),
    _mistake("No name", "A set has a name for people.", "name is required", without="name"),
    # Lists
    _mistake(
        "Agents without a key",
        "An agent is a mapping, since it may have a label.",
        "",
        "agents:\n  - gpt-5-default\n  - claude-opus-5-default",
    ),
    _mistake(
        "A list that is none",
        "Lists are lists, also those of one item.",
        "",
        "packs: catalog/swe-bug-fix",
    ),
    _mistake(
        "An empty list",
        "Without a pack there is nothing to run.",
        "packs must contain at least one pack ref",
        "packs: []",
    ),
    _mistake(
        "A dash too many",
        "An item without a value is null, and no pack.",
        "It drops null items, without a word.",
        "packs:\n  - catalog/swe-bug-fix\n  -",
    ),
    _mistake(
        "A blank pack",
        "Blank text names nothing.",
        "packs[1] is empty",
        'packs: [catalog/swe-bug-fix, " "]',
    ),
    _mistake(
        "An agent without a deployment",
        "A label alone names no agent.",
        "agents[1].deployment is required",
        "agents:\n  - deployment: gpt-5-default\n  - label: gpt",
    ),
    # Equal entries
    _mistake(
        "Labels that collide",
        "In keys spaces become dashes, so these two would be one agent. Which entries collide, "
        "only the library can tell.",
        'duplicate matrix_key "catalog/swe-bug-fix/gpt-5/1" (check agent labels and refs)',
        "agents:\n  - deployment: gpt-5-default\n    label: gpt 5\n"
        "  - deployment: gpt-5-mini\n    label: gpt-5",
    ),
    _mistake(
        "A pack twice",
        "The two would have one key, so one would overwrite the other.",
        'duplicate matrix_key "catalog/swe-bug-fix/gpt-5-default/1" '
        "(check agent deployments and refs)",
        "packs: [catalog/swe-bug-fix, catalog/swe-bug-fix]",
    ),
    # Seeds and numbers
    _mistake(
        "Too few seeds",
        "Explicit seeds are one for each repeat. A schema can't count that.",
        "seeds.seeds length 2 must match repeats 3",
        "repeats: 3",
        "seeds:\n  strategy: explicit\n  seeds: [11, 22]",
    ),
    _mistake(
        "Seeds without a strategy",
        "Without `strategy: explicit` the harness picks the seeds and would pass over a list.",
        "seeds.seeds must be empty when strategy is auto",
        "seeds:\n  seeds: [11]",
    ),
    _mistake(
        "No seeds",
        "Explicit means that you write them.",
        "seeds.seeds required when strategy is explicit",
        "seeds:\n  strategy: explicit",
    ),
    _mistake(
        "A seed twice",
        "Two repeats of one seed are one measurement.",
        "duplicate seed 7",
        "repeats: 2",
        "seeds:\n  strategy: explicit\n  seeds: [7, 7]",
    ),
    _mistake(
        "A seed of zero",
        "Seeds are 1 to 2**63-1.",
        "seeds.seeds[1] must be a positive integer",
        "repeats: 2",
        "seeds:\n  strategy: explicit\n  seeds: [7, 0]",
    ),
    _mistake(
        "Another strategy",
        "There are two.",
        'unsupported seeds.strategy "fixed" (want auto or explicit)',
        "seeds:\n  strategy: fixed",
    ),
    _mistake(
        "A strategy in capitals",
        "Words of the format are exact.",
        f"{_TAKEN}.",
        "seeds:\n  strategy: Auto",
    ),
    _mistake(
        "A leading zero",
        "To readers of YAML 1.1 `010` is 8, to those of YAML 1.2 it is 10.",
        "It runs 8 times.",
        "repeats: 010",
    ),
    _mistake("A fraction of a repeat", "Nothing is rounded.", "It runs 3 times.", "repeats: 3.7"),
    _mistake(
        "No repeats at all",
        "What should not run is not in the manifest.",
        "It runs once.",
        "repeats: 0",
    ),
    _mistake(
        "Fewer repeats than none", "Repeats are at least 1.", "repeats must be >= 1", "repeats: -1"
    ),
    _mistake("A quoted number", "Text is no number.", f"{_TAKEN}.", 'repeats: "3"'),
    _mistake(
        "A thousand with a comma",
        "In braces the comma ends the value.",
        "",
        "limits: {budget_usd: 1,000}",
    ),
    _mistake(
        "A budget below zero",
        "A budget is 0 or more.",
        "limits.budget_usd must be >= 0",
        "limits:\n  budget_usd: -5",
    ),
    _mistake(
        "A budget that is no number",
        "What is compared with nothing never stops anything.",
        f"{_TAKEN}.",
        "limits:\n  budget_usd: .nan",
    ),
    _mistake(
        "A budget of zero",
        "Zero is *not set*, as current servers write it.",
        "It runs without a budget.",
        "limits:\n  budget_usd: 0",
    ),
    _mistake(
        "Too many combinations",
        "Every axis multiplies all others, and 2000 is the most. The arithmetic is the library's.",
        "combination count 2400 exceeds max 2000 (packs=1 agents=2 models=2 repeats=600)",
        "agents:\n  - deployment: gpt-5-default\n  - deployment: gpt-5-mini",
        "models: [openai/gpt-4.1, openai/gpt-4.1-mini]",
        "repeats: 600",
    ),
    # Scalars and texts
    _mistake(
        "A name that is a number",
        "To YAML `4.10` is the number 4.1. Quotes make it a text.",
        f"{_TAKEN}.",
        "name: 4.10",
    ),
    _mistake(
        "Yes for true",
        "`yes` and `on` are booleans to readers of YAML 1.1 and texts to those of YAML 1.2.",
        f"{_TAKEN}.",
        "case_fanout: yes",
    ),
    _mistake(
        "A blank label",
        "A label that is there says something.",
        f"{_TAKEN}, as no label.",
        'agents:\n  - deployment: gpt-5-default\n    label: ""',
    ),
    _mistake(
        "A misspelt scanner",
        "A scanner that nobody knows finds nothing.",
        "It loses the scanners on submit, whatever they are.",
        "scanners: [reward-hackin]",
    ),
    _mistake(
        "Two documents",
        "What stands behind `---` would never run.",
        "It reads the first, and passes over the rest.",
        "---\nname: another",
    ),
    _mistake(
        "A colon inside a name",
        "In YAML `: ` ends a key, unless the text is in quotes.",
        "",
        "name: nightly: coding",
    ),
]


def test_the_page_says_what_an_author_sees(
    yaml_editor: Server, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len([mistake for mistake in MISTAKES if mistake.reference]) >= 30
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

{_said(mistake.reference)}{told}
```console
{_checked(mistake)}```
"""


def _said(reference: str) -> str:
    """Write what the reference says or does; of what was not recorded nothing."""
    if reference.startswith("It "):
        return f"The reference{reference.removeprefix('It')}\n\n"
    return f"The reference says:\n\n> {reference}\n\n" if reference else ""


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
    cli.main(argv, StringIO(), terminal, terminal)
    assert " in 1 file" in terminal.getvalue()
    return f"$ {shlex.join(['evalset', *argv])}\n{terminal.getvalue()}"
