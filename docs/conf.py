"""The documentation site, built by ``make docs`` from the repository's Markdown files and a notebook.

Links within pages are relative, so that they also work on GitHub. MyST warns of broken links and anchors, and ``make
docs`` treats warnings as errors.

Why Sphinx: Sphinx, MyST-NB and the PyData theme are maintained, and Sphinx generates the Python API page from
docstrings. MkDocs has had no release since August 2024. Material for MkDocs will reach its end of life in May 2027, and
Zensical, its successor, is at version 0.1.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

_PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = html_title = "Gistmill"
author = copyright = _PROJECT["authors"][0]["name"]
version = release = _PROJECT["version"]
language = "en"

root_doc = "docs/index"
include_patterns = ["*.md", "deploy/**.md", "docs/**.md", "docs/**.ipynb"]
include_patterns += [f"{name}/{files}" for name in ("benchmarks", "research") for files in ("*.md", "readings/*.md")]
exclude_patterns = [".*", "build", "dist", "out"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # notebooks are shown with their committed outputs
napoleon_custom_sections = [("Class attributes", "params_style")]
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True

smartquotes = False  # they would turn the two hyphens of an option into a dash

html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "navbar_align": "left",
    "navbar_center": [],  # all pages are in the sidebar
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "secondary_sidebar_items": ["page-toc"],
    "logo": {"text": "Gistmill"},
}
html_context = {
    "default_mode": "auto"
}  # follows the system's light or dark mode; without this setting, the theme logs an error
html_sidebars = {"**": ["globaltoc.html"]}
html_additional_pages = {"index": "redirect.html"}
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False


def setup(app: Sphinx) -> None:
    """Shows Mermaid diagrams, which GitHub renders, as text: rendering them here would fetch third-party scripts."""
    app.add_lexer("mermaid", TextLexer)
