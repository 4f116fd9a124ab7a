"""The whole slice of the English Wikipedia: no residue, and the prose kept."""

import bz2
import re
from xml.etree import ElementTree

import pytest

from benchmarks.slice import slice_path
from gistmill.rules.documents import Section
from gistmill.rules.wiki.wikitext import clean_wikitext

RESIDUE = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|'''|<ref|thumb\||\|-|__[A-Z]+__|\( ?\)"
    r"|\[ ?\]|\(\s*[;,:]|[,;]\s*\)|</?[a-zA-Z][^<>]*>|&[a-z]+;|\s[,.;](\s|$)|  "
)


@pytest.fixture(scope="module")
def pages() -> list[tuple[str, str]]:
    """Returns (title, wikitext) of all 206 pages."""
    found = []
    with bz2.open(slice_path()) as stream:
        for _, element in ElementTree.iterparse(stream):
            if element.tag.endswith("}page"):
                parts = {part.tag.rpartition("}")[2]: part.text or "" for part in element.iter()}
                found.append((parts["title"], parts["text"]))
                element.clear()
    return found


@pytest.fixture(scope="module")
def articles(pages: list[tuple[str, str]]) -> dict[str, tuple[str, tuple[Section, ...]]]:
    """Returns wikitext and sections by title, of the pages that are not redirects."""
    return {title: (text, clean_wikitext(text)) for title, text in pages if not text.upper().startswith("#REDIRECT")}


def paragraphs(sections: tuple[Section, ...]) -> list[str]:
    return [paragraph for section in sections for paragraph in section.paragraphs]


@pytest.mark.slow
def test_no_residue(articles: dict[str, tuple[str, tuple[Section, ...]]]) -> None:
    bad = [(title, p) for title, (_, sections) in articles.items() for p in paragraphs(sections) if RESIDUE.search(p)]
    assert bad == []


def test_prose_is_kept(articles: dict[str, tuple[str, tuple[Section, ...]]]) -> None:
    counts = {title: sum(len(p.split()) for p in paragraphs(sections)) for title, (_, sections) in articles.items()}
    assert sum(count > 0 for count in counts.values()) >= 103  # without pages that are a list and its introduction
    assert sum(counts.values()) > 403_000
    assert counts["Albert Einstein"] > 8_000
