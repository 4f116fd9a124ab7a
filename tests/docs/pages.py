"""The pages of the documentation: what the site is made of, and what is in its pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
_PLACES = "*.md docs/**/*.md deploy/**/*.md benchmarks/*.md benchmarks/readings/*.md research/*.md".split()
PAGES = sorted(page for place in _PLACES for page in ROOT.glob(place))


def name(page: Path) -> str:
    """The path of a page in the repository."""
    return str(page.relative_to(ROOT))


def tokens(page: Path) -> Iterator[Token]:
    """Yields the tokens of a page, those within lines too."""
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        yield token
        yield from token.children or ()
