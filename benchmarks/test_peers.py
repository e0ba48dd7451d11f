"""What is compared does the same work: every peer gives the same report of every document."""

from __future__ import annotations

import json

import pytest
from benchmarks.documents import DOCUMENTS, YAML, broken, outside
from benchmarks.peers import PEERS
from benchmarks.peers.ours import report as ours

from evalset import check_text


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.parametrize("peer", PEERS)
def test_every_peer_gives_the_report_that_evalset_gives(peer: str, document: str) -> None:
    text, format = DOCUMENTS[document]
    assert PEERS[peer](text, format) == ours(text, format)


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("repeats: 3", "repeat: 3", id="an unknown key"),
        pytest.param("repeats: 3", "repeats: three", id="text for a number"),
        pytest.param("repeats: 3", "repeats: 3000", id="too many combinations"),
        pytest.param("catalog/text-to-sql", '" "', id="a blank text"),
        pytest.param("strategy: auto", "strategy: explicit", id="seeds that are missing"),
        pytest.param("gpt-default", "claude-opus-default", id="equal keys"),
    ],
)
def test_every_peer_refuses_what_evalset_refuses(peer: str, old: str, new: str) -> None:
    faulty = YAML["small"].replace(old, new)
    for report in (PEERS[peer], ours):
        with pytest.raises(Exception):  # noqa: B017, PT011 (each has exceptions of its own)
            report(faulty, "yaml")


def test_the_documents_are_as_large_as_they_say() -> None:
    counts = {name: json.loads(ours(text, "yaml"))["count"] for name, text in YAML.items()}
    lines = {name: len(text.splitlines()) for name, text in YAML.items()}
    assert counts == {"small": 12, "typical": 240, "500 x 4": 2000, "2000 x 1": 2000}
    assert (lines["small"], lines["typical"]) == (21, 100)
    assert ours(outside, "yaml") == ours(YAML["typical"], "yaml")


def test_the_broken_document_has_five_faults() -> None:
    assert len(check_text(broken).diagnostics) == 5
