"""Pages read well and lead somewhere: links, headings, words, what stands in CONTRIBUTING.md.

Spelling is looked at by codespell (`nox -s lint`), links between the site's pages by Sphinx as
well (`nox -s docs`); here every Markdown file is held to it, as it is read in a clone.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import evalset

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
    *sorted((ROOT / "tests").rglob("*.md")),
]
CODES = sorted((Path(evalset.__file__).parent / "codes").glob("*.md"))

# What pages may name outside of this project: formats, tools, and the documents that rules cite.
HOSTS = {"diataxis.fr", "keepachangelog.com", "pre-commit.com", "www.schemastore.org"}

# Words that praise, hedge or talk down to the reader.
EMPTY = (
    "basically|blazing|clearly|convenient|easily|effortless|obviously|of course|powerful|"
    "robust|seamless|simply|please|world-class"
)

every_page = pytest.mark.parametrize(
    "page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES]
)
every_text = pytest.mark.parametrize(
    "page", [pytest.param(page, id=page.name) for page in (*PAGES, *CODES)]
)


def prose(page: Path) -> str:
    """Give a page without its blocks, comments and code."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^([ \t]*)(```+)[^\n]*\n.*?^\1\2$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    return re.sub(r"``.*?``|`[^`]*`", "`x`", text)


def headings(page: Path) -> Iterator[str]:
    """Give the anchor of each heading of a page, as GitHub and the site make them."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^([ \t]*)(```+)[^\n]*\n.*?^\1\2$", "", text, flags=re.DOTALL | re.MULTILINE)
    for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@every_page
def test_every_link_of_a_page_leads_to_a_file_and_a_heading_that_are_there(page: Path) -> None:
    lost: list[str] = []
    for link in re.findall(r"\]\((?!https?:)([^)\s]+)\)", prose(page)):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        is_lost = not target.exists() or (anchor and anchor not in headings(target))
        lost += [link] if is_lost else []
    assert lost == []


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=str(page.relative_to(ROOT)))
        for page in PAGES
        if page.name != "CHANGELOG.md"  # each release has the same headings
    ],
)
def test_no_two_headings_of_a_page_have_one_anchor(page: Path) -> None:
    assert [name for name, count in Counter(headings(page)).items() if count > 1] == []


@every_page
def test_a_page_names_no_host_but_those_that_are_known(page: Path) -> None:
    hosts = set(re.findall(r"https?://([^/\s)>\"'`]+)", prose(page)))
    assert hosts <= HOSTS


@every_text
def test_a_page_is_written_plainly(page: Path) -> None:
    text = prose(page)
    assert re.findall(r"\w+!", text) == []
    assert re.findall(rf"(?i)\b(?:{EMPTY})\b", text) == []
    assert re.findall(r"\b(\w{2,})[ \n]+\1\b", text) == []


def test_the_table_of_sessions_names_each_that_runs_by_default() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `(\w+)` \|", contributing, re.MULTILINE)
    noxfile = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    sessions = re.search(r"nox.options.sessions = \[(.*?)\]", noxfile, re.DOTALL)
    assert sessions
    assert sorted(told) == sorted(re.findall(r'"(\w+)"', sessions[1]))


def test_every_directory_that_contributing_names_is_there() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = contributing.partition("## Where things are")[2].partition("\n## ")[0]
    told = re.findall(r"`((?:docs|examples|schema|tests)/[\w/]*)`", table)
    assert len(told) > 5
    assert [name for name in told if not (ROOT / name).is_dir()] == []
