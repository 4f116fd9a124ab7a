"""The documentation site: ``make docs``. Its pages are Markdown files and a notebook, where they lie in the repository.

The links of a page are relative, so that they hold on GitHub too. MyST warns of a link or an anchor that leads nowhere,
and ``make docs`` takes warnings for errors.

Why Sphinx: Sphinx, MyST-NB and the PyData theme are maintained, and Sphinx makes the page of the Python interface from
docstrings. MkDocs had no release since August 2024. The end of life of Material for MkDocs is announced for May 2027,
and Zensical, its successor, is at version 0.1.
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
include_patterns += [f"{room}/{files}" for room in ("benchmarks", "research") for files in ("*.md", "readings/*.md")]
exclude_patterns = [".*", "build", "dist", "out"]

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # a notebook is shown with the outputs that are committed
napoleon_custom_sections = [("Class attributes", "params_style")]
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True

smartquotes = False  # they make one dash of the two before an option

html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "navbar_align": "left",
    "navbar_center": [],  # all pages stand in the sidebar
    "navigation_with_keys": False,
    "show_nav_level": 1,
    "secondary_sidebar_items": ["page-toc"],
    "logo": {"text": "Gistmill"},
}
html_context = {"default_mode": "auto"}  # light or dark as the system has it; without it the theme logs an error
html_sidebars = {"**": ["globaltoc.html"]}
html_additional_pages = {"index": "redirect.html"}
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False


def setup(app: Sphinx) -> None:
    """Shows drawings in Mermaid, which GitHub draws, as text: what draws them on a site fetches scripts of others."""
    app.add_lexer("mermaid", TextLexer)
