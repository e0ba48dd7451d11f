"""What README.md says of the project is so: its matrix, its numbers, its sentences on size."""

import os
import re
import tomllib
from pathlib import Path

import evalset
from evalset.diagnostics import CODES

UPDATE = bool(os.environ.get("EVALSET_UPDATE_GOLDEN"))
ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def matrix() -> str:
    """Write the combinations of an example as a table: agents down, packs across."""
    expansion = evalset.expand(evalset.load(ROOT / "examples/labels.yaml"))
    packs, agents = expansion.manifest.packs, expansion.manifest.agents
    lines = [
        f"| | {' | '.join(f'`{pack}`' for pack in packs)} |",
        f"| ---{' | ---' * len(packs)} |",
    ]
    for agent in agents:
        cells = [expansion.select(pack=pack, agent=agent.label) for pack in packs]
        keys = ["<br>".join(f"`{key}`" for key in cell.matrix_keys()) for cell in cells]
        lines.append(f"| `{agent.label}` | {' | '.join(keys)} |")
    return "\n".join(lines) + "\n"


def test_the_matrix_of_the_readme_is_that_of_the_example() -> None:
    made = f"<!-- matrix -->\n\n{matrix()}\n<!-- end -->"
    told = re.compile(r"<!-- matrix -->\n.*?<!-- end -->", re.DOTALL)
    readme = README.read_text(encoding="utf-8")
    if UPDATE:
        README.write_text(readme := told.sub(made, readme), encoding="utf-8")
    assert told.findall(readme) == [made]


def test_the_readme_counts_the_codes() -> None:
    made = f"<!-- codes -->{len(CODES)}<!-- end -->"
    told = re.compile(r"<!-- codes -->\d+<!-- end -->")
    readme = README.read_text(encoding="utf-8")
    if UPDATE:
        README.write_text(readme := told.sub(made, readme), encoding="utf-8")
    assert told.findall(readme) == [made]


def test_the_ratios_of_the_readme_are_those_of_the_page_on_performance() -> None:
    measured = (ROOT / "docs/explanation/performance.md").read_text(encoding="utf-8")
    different = README.read_text("utf-8").partition("## What makes")[2].partition("\n## ")[0]
    ratios = re.findall(r"\b\d\.\d\d\b", different)
    assert ratios
    assert [ratio for ratio in ratios if f"| {ratio} |" not in measured] == []


def test_the_readme_names_every_dependency_and_the_version() -> None:
    readme = README.read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [re.split("[<>=]", each)[0] for each in project["dependencies"]]
    assert f"Four dependencies: {', '.join(names[:-1])} and {names[-1]}." in readme
    assert f"This is {evalset.__version__}, " in readme


def test_every_page_is_linked_from_the_readme_or_the_index() -> None:
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    readme = README.read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    lost = [
        str(page)
        for page in pages
        if page.name != "index.md" and f"{page.with_suffix('')}\n" not in index
    ]
    assert lost == []
    assert "docs/index.md" in readme
