"""Pages shown by a real browser: what it makes of them, and how they look."""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["NOTEBOOKS", "Notebook", "measure", "photograph"]

PROGRAM = "chromium"
FLAGS = (
    "--headless",
    "--no-sandbox",  # root, as in containers, can have none
    "--disable-gpu",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
)


class Notebook(NamedTuple):
    """How a notebook surrounds what it shows."""

    background: str
    colour: str
    scheme: str


NOTEBOOKS = {
    "JupyterLab, light": Notebook("#ffffff", "rgba(0, 0, 0, 0.87)", "light"),
    "JupyterLab, dark": Notebook("#111111", "#ffffff", "dark"),
    "VS Code, light": Notebook("#ffffff", "#3b3b3b", "light"),
    "VS Code, dark": Notebook("#1f1f1f", "#cccccc", "dark"),
}


def measure(pictures: dict[str, str], notebook: Notebook, work: Path) -> dict[str, Any]:
    """Show pictures in a notebook, and give what `measure.js` says of each."""
    page = _write(pictures, notebook, work)
    dumped = _run(page, "--dump-dom", "--window-size=1000,4000")
    [told] = re.findall(r'<pre id="measured">(.*?)</pre>', dumped, re.DOTALL)
    measured: dict[str, Any] = json.loads(html.unescape(told))
    return measured


def photograph(pictures: dict[str, str], notebook: Notebook, work: Path, *, file: Path) -> None:
    """Show pictures in a notebook, and write what is seen as PNG."""
    page = _write(pictures, notebook, work)
    _run(page, f"--screenshot={file}", "--window-size=1000,1800")


def _write(pictures: dict[str, str], notebook: Notebook, work: Path) -> Path:
    shown = "\n".join(
        f'<section data-name="{html.escape(name)}">{picture}</section>'
        for name, picture in pictures.items()
    )
    script = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")
    page = work / "page.html"
    page.write_text(
        f"""<!doctype html><meta charset="utf-8"><title>notebook</title>
<style>
:root {{ color-scheme: {notebook.scheme} }}
body {{ background: {notebook.background}; color: {notebook.colour}; font-family: sans-serif }}
section {{ margin: 16px 8px }}
</style>
{shown}
<script>{script}</script>
""",
        encoding="utf-8",
    )
    return page


def _run(page: Path, *flags: str) -> str:
    done = subprocess.run(
        [PROGRAM, *FLAGS, f"--user-data-dir={page.parent / 'profile'}", *flags, page.as_uri()],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    return done.stdout
