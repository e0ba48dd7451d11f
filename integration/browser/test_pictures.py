"""What notebooks show of manifests, expansions and findings, in Chromium, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from integration.browser.chromium import NOTEBOOKS, Notebook, measure, photograph

from evalset import Agent, Manifest, Seeds, check_text, expand
from evalset.quoting import escape

# Where the pictures are left, for people to look at.
LOOK = Path(__file__).parent / "pictures"

PLAIN = Manifest(
    "nightly-coding-sweep",
    packs=["catalog/code-review", "catalog/swe-bug-fix", "text-to-sql"],
    agents=[Agent("claude-opus-default", label="opus"), Agent("gpt-default")],
    models=["openai/gpt-5", "anthropic/opus-4"],
    repeats=3,
    seeds=Seeds("explicit", seeds=[7, 11, 13]),
)
HOSTILE = Manifest(
    '<b onclick="hacked=1">name</b>',
    packs=[
        "<script>hacked=1</script>",
        "<img src=x onerror=hacked=1>",
        "</th></tr></table><h1>out",
        "&lt;i&gt;&amp;",
        "-->{{7*7}}<!--",
        "\u202egnp.exe",
        "\u2067right to left\u2069",
        "\u05e9\u05dc\u05d5\u05dd/\u05e2\u05d5\u05dc\u05dd",
        "two  spaces",
        "line\u2028break",
    ],
    agents=[
        Agent('" onmouseover="hacked=1', label='"><svg onload=hacked=1>'),
        Agent("\u0627\u0644\u0639\u0631\u0628\u064a\u0629"),
        Agent("a\u200bb"),
    ],
    repeats=2,
)
WIDE = Manifest(
    "wide",
    packs=[f"a pack with a rather long name, number {number}" for number in range(12)],
    agents=[Agent(f"agent-{number}") for number in range(30)],
    repeats=5,
)
FAULTY = """\
schema: evalset/v1
name: "<script>hacked=1</script>"
packs: [p, "<img src=x onerror=hacked=1>", "<img src=x onerror=hacked=1>"]
agents: [{deployment: "\\u202e<b>", label: "\\u05e9"}, {deployment: b, label: "\\u05e9"}]
scanners: ["<i>reward-hackin</i>"]
repeat: 3
"""
SHOWN: dict[str, Any] = {
    "a manifest": PLAIN,
    "a selection": expand(PLAIN)
    .without(agent="opus", repeat=2)
    .without(model="openai/*", repeat=3),
    "nothing": expand(PLAIN)[:0],
    "hostile names": HOSTILE,
    "wide": expand(WIDE),
    "findings": check_text(FAULTY),
    "no findings": check_text(
        "schema: evalset/v1\nname: nightly\npacks: [p]\nagents:\n- deployment: a\n"
    ),
}
PICTURES = {name: each._repr_html_() for name, each in SHOWN.items()}
TAGS = {"code", "div", "span", "strong", "table", "tbody", "td", "th", "thead", "tr"}


@pytest.fixture(scope="module", params=NOTEBOOKS)
def notebook(request: pytest.FixtureRequest) -> Notebook:
    """Give each notebook."""
    return NOTEBOOKS[request.param]


@pytest.fixture(scope="module")
def seen(notebook: Notebook, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Give what the browser made of all pictures."""
    return measure(PICTURES, notebook, tmp_path_factory.mktemp("page"))


def test_nothing_of_a_name_is_run(seen: dict[str, Any]) -> None:
    assert seen[""]["hacked"] is None
    for name in PICTURES:
        assert set(seen[name]["tags"]) <= TAGS, name
        assert seen[name]["handlers"] == [], name


def test_names_stay_the_text_that_they_are(seen: dict[str, Any]) -> None:
    matrix = seen["hostile names"]
    assert matrix["columns"] == ["agent", *map(escape, HOSTILE.packs)]
    assert matrix["rows"] == [escape(agent.label or agent.deployment) for agent in HOSTILE.agents]
    assert matrix["titles"] == [HOSTILE.agents[0].deployment, "", ""]
    assert matrix["texts"][0] == HOSTILE.name
    told = "\n".join(seen["findings"]["texts"])
    assert "<img src=x onerror=hacked=1>" in told
    assert not set(told) & set("\u202e\u2067\u2069")


def test_columns_and_rows_stand_in_order_whatever_the_script(seen: dict[str, Any]) -> None:
    for name in ("a manifest", "hostile names", "wide"):
        for places in (seen[name]["lefts"], seen[name]["tops"]):
            assert places == sorted(set(places)), name


def test_text_and_squares_are_seen_on_any_ground(seen: dict[str, Any]) -> None:
    # WCAG 2.2: 4.5 for text (1.4.3), 3 for graphics (1.4.11).
    for name in PICTURES:
        assert seen[name]["faintest"] >= 4.5, name
        assert all(contrast >= 3 for contrast in seen[name]["filled"]), name
        # What is not there is seen to be a place, and is not taken for what is.
        assert all(contrast >= 1.5 for contrast in seen[name]["hollow"]), name
        assert max(seen[name]["hollow"], default=0) < min(seen[name]["filled"], default=9) / 2
        assert all(contrast >= 3 for contrast in seen[name]["stripes"]), name
        assert all(width > 5 and height > 5 for width, height in seen[name]["sizes"]), name


def test_a_stripe_tells_errors_from_warnings(seen: dict[str, Any]) -> None:
    errors = [found.is_error for found in check_text(FAULTY).diagnostics]
    assert set(errors) == {True, False}
    colours = seen["findings"]["colours"]
    pairs = {*zip(errors, colours, strict=True)}
    assert len(pairs) == len({*colours}) == 2


def test_there_is_a_square_for_each_repeat(seen: dict[str, Any]) -> None:
    counts = {
        name: (len(seen[name]["filled"]), len(seen[name]["hollow"]))
        for name in ("a manifest", "a selection", "nothing", "wide")
    }
    part = len(SHOWN["a selection"])
    assert counts == {
        "a manifest": (36, 0),
        "a selection": (part, 36 - part),
        "nothing": (0, 36),
        "wide": (20 * 12 * 5, 0),
    }


def test_a_wide_matrix_is_scrolled_in_its_own_place(seen: dict[str, Any]) -> None:
    assert not seen[""]["isWider"]
    assert not any(seen[name]["isWider"] for name in PICTURES)


def test_a_picture_is_left_for_people(notebook: Notebook, tmp_path: Path) -> None:
    LOOK.mkdir(exist_ok=True)
    [name] = [name for name, each in NOTEBOOKS.items() if each is notebook]
    file = LOOK / f"{name}.png"
    photograph(PICTURES, notebook, tmp_path, file=file)
    assert file.read_bytes().startswith(b"\x89PNG")
