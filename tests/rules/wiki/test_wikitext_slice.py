"""The whole slice of the English Wikipedia: no residue, the prose and its numbers kept."""

import bz2
import itertools
import re
from xml.etree import ElementTree

import mwparserfromhell
import pytest
from mwparserfromhell.nodes import Heading, Template

from benchmarks.slice import slice_path
from gistmill.rules.documents import Section
from gistmill.rules.wiki.balance import check_caps
from gistmill.rules.wiki.page import DROPPED_SECTIONS
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


def test_no_page_of_a_real_dump_is_over_a_cap(pages: list[tuple[str, str]]) -> None:
    assert len(pages) == 206
    assert [title for title, text in pages if not check_caps(text).accepted] == []


@pytest.mark.slow
def test_no_residue(articles: dict[str, tuple[str, tuple[Section, ...]]]) -> None:
    bad = [(title, p) for title, (_, sections) in articles.items() for p in paragraphs(sections) if RESIDUE.search(p)]
    assert bad == []


def test_prose_is_kept(articles: dict[str, tuple[str, tuple[Section, ...]]]) -> None:
    counts = {title: sum(len(p.split()) for p in paragraphs(sections)) for title, (_, sections) in articles.items()}
    assert sum(count > 0 for count in counts.values()) >= 103  # without pages that are a list and its introduction
    assert sum(counts.values()) > 403_000
    assert counts["Albert Einstein"] > 8_000


def stated_quantities(text: str) -> list[list[str]]:
    """Returns the numbers of each ``{{convert}}`` in prose: outside tables, files, lists, dropped sections."""
    found, dropped, line = [], False, ""
    for node in mwparserfromhell.parse(text).nodes:
        if isinstance(node, Heading):
            dropped = str(node.title).strip().lower() in DROPPED_SECTIONS
        in_prose = not dropped and not line.lstrip().startswith(("*", ":", ";", "#"))
        if in_prose and isinstance(node, Template) and str(node.name).strip().lower() in ("convert", "cvt"):
            values = [str(p.value).strip() for p in node.params if not p.showkey]
            more = [b for a, b in itertools.pairwise(values) if a in ("to", "-", "and", "by")]
            found.append(values[:1] + more)
        line = (line + str(node)).rpartition("\n")[2]
    return found


@pytest.mark.slow
def test_numbers_of_convert_are_kept(articles: dict[str, tuple[str, tuple[Section, ...]]]) -> None:
    total = kept = 0
    for text, sections in articles.values():
        body = " ".join(paragraphs(sections)).replace(",", "").replace("−", "-")
        for numbers in stated_quantities(text):
            total += 1
            bare = (re.escape(number.replace(",", "")) for number in numbers)
            kept += all(re.search(rf"(?<![\d.]){number}[ –-]", body) is not None for number in bare)
    print(f"convert: {kept} of {total}")
    assert total > 200
    assert kept >= 0.97 * total
