"""The how-to of pydantic and FastAPI does what it says, as tests/test_docs.py holds other pages."""

from pathlib import Path

import pytest
from tests.test_docs import ELSEWHERE, run_page


@pytest.mark.parametrize("page", [pytest.param(page, id=page.stem) for page in ELSEWHERE])
def test_every_block_of_the_page_does_what_the_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_page(page, tmp_path, monkeypatch)
