"""Sphinx configuration; built with `-n -W` by `nox -s docs`."""

import re

from sphinx.application import Sphinx

project = "evalset"
copyright = "the evalset contributors"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "evalset"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
# The default underlines names of modules, which then look like links.
pygments_dark_style = "a11y-high-contrast-dark"

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
# The house's own sections, beside Google's; and Returns, where napoleon takes what stands
# before a colon for a type, which our signatures have.
napoleon_custom_sections = [
    ("Guarantees", "notes_style"),
    ("Source", "notes_style"),
    ("Returns", "notes_style"),
]

# The build reads no other project's inventory, so only our own names can be checked; and
# what stays inside the library has no page: type variables, faults of readers, corrections.
nitpick_ignore_regex = [
    ("py:.*", r"(?!evalset\b).*"),
    ("py:class", r"evalset\.matching\._Item"),
    ("py:class", r"evalset\.parts\._Model"),
    ("py:class", r"evalset\.faults\.Fault"),
    ("py:class", r"evalset\.edits\.\w+"),
]


def setup(app: Sphinx) -> None:
    """Read backticks in docstrings as code, and name the files of pages."""
    # As people write them; before napoleon does.
    app.connect("autodoc-process-docstring", _read_backticks, priority=400)
    app.connect("source-read", _name_files)


def _name_files(_app: Sphinx, _page: str, source: list[str]) -> None:
    """Show the names of files, by which tests know blocks, above these blocks."""
    source[0] = re.sub(
        r"^<!-- file: (\S+) -->\n+```(\w+)\n",
        r"```{code-block} \2\n:caption: \1\n\n",
        source[0],
        flags=re.MULTILINE,
    )


def _read_backticks(
    _app: Sphinx, _what: str, _name: str, _value: object, _options: object, lines: list[str]
) -> None:
    lines[:] = [re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", line) for line in lines]
