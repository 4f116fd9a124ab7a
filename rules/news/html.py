"""A web page becomes an article: trafilatura's main text as paragraphs, and what the page says of itself.

This runs in a process that can be killed (``gistmill.transforms.guard``): the parser and the extractor are C and
heuristics over unvetted pages. The result depends on nothing but the page: no cache of earlier pages, no clock.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from gistmill.core.records import Verdict
from gistmill.rules.documents import CleanReason
from gistmill.rules.news.article import Article
from gistmill.rules.news.extractor import extracted
from gistmill.rules.news.inline import whole_sentences
from gistmill.rules.text.prose import MIN_UNFINISHED_WORDS, joined_lines, without_controls, without_invisible

_DETAIL = 200  # characters
_MIN_SENTENCE_WORDS = 7
_SENTENCE = re.compile(r"^[^a-z].*[.!?][\"”’“»«)]*$")
_JOINTS = "-–—|·•:»"
# Elements of the extractor's tree that hold no running text.
_DROPPED = frozenset(("table", "graphic", "figure"))
_KINDS = {"head": "head", "list": "item", "item": "item"}
_BLOCKS = frozenset(("p", "quote", "list", "item", "div", "head", "table", "body", "main"))

logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
logging.getLogger("htmldate").setLevel(logging.CRITICAL)


def extract_article(page: tuple[str, str], *, keep_lists: bool = False, language: str = "") -> Article | Verdict:
    """Returns the article of a page, given as its text and the URL at which it was fetched, or "".

    Without main text the article has no paragraphs. ``keep_lists`` makes list items paragraphs; else they go. A page on
    which the extractor itself fails gives a Verdict, EXTRACTOR_FAILED. ``language``: as for ``extracted``.
    """
    text, url = page
    try:
        found = extracted(text, url, language) if text.strip() else None
    except MemoryError:
        raise
    except Exception as error:  # code that is not ours, over unvetted pages
        return Verdict(CleanReason.EXTRACTOR_FAILED, f"{type(error).__name__}: {error}"[:_DETAIL])
    if found is None:
        return Article()
    site = _line(found.sitename)
    title = _line(found.title)
    if site == title:
        site = ""
    return Article(
        title=_without_site(title, site),
        paragraphs=tuple(whole_sentences(_paragraphs(found.body, keep_lists))),
        url=found.url if found.url and found.url.startswith(("http://", "https://")) else "",
        site=site or _line(found.hostname),
        author=_line(found.author),
        published=found.date or "",
    )


def _line(value: str | None) -> str:
    return unicodedata.normalize("NFC", " ".join(without_invisible(without_controls(value or "")).split()))


def _without_site(title: str, site: str) -> str:
    if site and title.casefold().endswith(site.casefold()):
        rest = title[: len(title) - len(site)].rstrip()
        return rest.rstrip(_JOINTS).rstrip() or title if rest.endswith(tuple(_JOINTS)) else title
    if site and title.casefold().startswith(site.casefold()):
        rest = title[len(site) :].lstrip()
        return rest.lstrip(_JOINTS).lstrip() or title if rest.startswith(tuple(_JOINTS)) else title
    return title


def _paragraphs(body: Any, keep_lists: bool) -> Iterator[str]:
    for kind, block in _blocks(body):
        for text in joined_lines(without_controls(block)):
            if not kind or (kind == "item" and keep_lists) or _is_paragraph(text):
                yield text


def _is_paragraph(text: str) -> bool:
    """Whether a heading or an item of a list is long enough, such as a standfirst, or a whole sentence."""
    words = len(text.split())
    return words >= MIN_UNFINISHED_WORDS or (words >= _MIN_SENTENCE_WORDS and _SENTENCE.search(text) is not None)


def _blocks(body: Any) -> Iterator[tuple[str, str]]:
    """Yields the kind of each block, "head", "item" or "", and its text, with "\\n" for a line break.

    Iterative: trees may be deep.
    """
    pieces: list[str] = []
    kinds: list[str] = []
    stack: list[tuple[Any, bool]] = [(body, True)]
    while stack:
        element, opening = stack.pop()
        block = element.tag in _BLOCKS
        if block and pieces:
            yield kinds[-1] if kinds else "", "".join(pieces)
            pieces = []
        if block and element.tag in _KINDS:
            if opening:
                kinds.append(_KINDS[element.tag])
            else:
                kinds.pop()
        if opening:
            if element.tag in _DROPPED:
                pieces.append(_folded(element.tail))
                continue
            if element.tag == "lb":
                pieces.append("\n")
            pieces.append(_folded(element.text))
            stack.append((element, False))
            stack.extend((child, True) for child in reversed(element))
        elif element is not body:
            pieces.append(_folded(element.tail))
    if pieces:
        yield "", "".join(pieces)


def _folded(text: str | None) -> str:
    return " ".join(text.split("\n")) if text else ""
