"""Pictures for notebooks: well-formed, escaped, bounded, and true to what they show."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given

from evalset import Agent, Expansion, Manifest, Seeds, check_text, expand
from evalset.testing import expansions


class Page(HTMLParser):
    """Reads a picture; every element must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.labels: list[str] = []
        self.styles: list[str] = []
        self.counts: dict[str, int] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        assert {name for name, _ in attrs} <= {"style", "title", "scope", "role", "aria-label"}
        values = dict(attrs)
        self.labels += [values["aria-label"] or ""] if "aria-label" in values else []
        self.styles += [values["style"] or ""] if "style" in values else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def draw(value: Any) -> Page:  # noqa: ANN401 (what notebooks show)
    return Page(value._repr_html_())


MANIFEST = Manifest(
    "a < b",
    packs=["p&q", "<script>"],
    agents=[Agent("dep", label='"x"'), Agent("y\u202e")],
    repeats=3,
    seeds=Seeds("explicit", seeds=[7, 8, 9]),
)


def test_a_manifest_is_a_matrix_of_agents_and_packs() -> None:
    page = draw(MANIFEST)
    assert page.texts == [
        "a < b", " ", "2 packs x 2 agents x 1 model x 3 repeats = 12", "agent", "p&q",
        "<script>", '"x"', "y\\u202e", "seeds: 7, 8, 9",
    ]  # fmt: skip
    assert page.labels == ["repeat 1, 2, 3"] * 4
    assert sum("background:currentColor" in style for style in page.styles) == 12


def test_a_selection_shows_what_is_in_it() -> None:
    page = draw(expand(MANIFEST).select(repeat=[1, 3]).without(pack="p&q", agent="dep"))
    assert page.texts[2] == "2 packs x 2 agents x 1 model x 3 repeats = 12; 6 of them here"
    assert page.labels == ["nothing here", *["repeat 1, 3"] * 3]
    assert sum("background:currentColor" in style for style in page.styles) == 6


def test_what_would_not_fit_is_counted() -> None:
    wide = Manifest(
        "n",
        packs=[f"p{n}" for n in range(13)],
        agents=[Agent(f"a{n}") for n in range(7)],
        models=["m", "n", "o"],
        seeds=Seeds("explicit", seeds=[1]),
    )
    page = draw(wide)
    assert page.counts["tr"] == 21
    assert page.texts[-3:] == ["1 more pack not drawn", "1 more row not drawn", "seeds: 1"]
    long = MANIFEST.replace(repeats=11, seeds=Seeds("explicit", seeds=[*range(1, 12)]))
    assert draw(long).texts[-1] == "seeds: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 1 more"
    assert draw(long).texts[7] == "11"
    assert draw(expand(long)[1:]).texts[7] == "10 of 11"


@given(expansions())
def test_every_expansion_has_a_picture(expansion: Expansion) -> None:
    page = draw(expansion)
    squares = sum("background:currentColor" in style for style in page.styles)
    assert squares == len(expansion) or len(expansion.manifest.packs) > 12
    assert not any(re.search("[\x00-\x1f\u202a-\u202e\u2028]", text) for text in page.texts)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(
            "{schema: evalset/v1, name: x, packs: [p], agents: [{deployment: a}]}",
            ["no findings"],
            id="clean",
        ),
        pytest.param(
            "{schema: evalset/v1, name: x, packs: [<p>, <p>], agents: [{deployment: a}]}",
            ["error", " ", "duplicate-pack", " ", "<text>:1:44", 'the pack "<p>" stands twice',
             "<text>:1:39: the first pack of this form", "hint: remove one of the two"],
            id="an error",
        ),
        pytest.param(
            "{schema: evalset/v1, name: x, packs: [p], agents: [{deployment: a}], "
            "scanners: [reward-hackin]}",
            ["warning", " ", "unknown-scanner", " ", "<text>:1:81",
             'the scanner "reward-hackin" is not built in', "hint: did you mean reward-hacking?"],
            id="a warning",
        ),
    ],
)  # fmt: skip
def test_findings_are_a_list(text: str, shown: list[str]) -> None:
    assert draw(check_text(text)).texts == shown
