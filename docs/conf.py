"""Sphinx configuration; built with `-n -W` by `nox -s docs`."""

project = "evalset"
copyright = "the evalset contributors"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "evalset"

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
# The house's own sections, beside Google's.
napoleon_custom_sections = [("Guarantees", "notes_style"), ("Source", "notes_style")]

# The build reads no other project's inventory, so only our own names can be checked.
nitpick_ignore_regex = [("py:.*", r"(?!evalset\b).*")]
