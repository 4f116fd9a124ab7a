"""The article that an extractor finds on a news page, and the limits of a page that is given to an extractor.

This module is light on purpose: the parent of the extractor's process imports it, and not the extractor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lxml.etree import SubElement
from lxml.html import HtmlElement

from gistmill.core.records import ACCEPTED, Verdict
from gistmill.rules.documents import CleanReason, ReadReason
from gistmill.rules.text.prose import MIN_UNFINISHED_WORDS, is_prose

# A tag of an element whose end tag must be written, so that a start tag without it opens another level.
_NESTING = re.compile(
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|d[td]|t[drh]|thead|tbody|tfoot"
    r"|caption|colgroup|option|optgroup|html|head|body|rp|rt|path|use|circle|rect|polygon|line|stop)[\s/>])[a-z][^<>]*>",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """The main text of a page as paragraphs, and what the page says of itself; "" where it says nothing.

    Attributes:
        title: headline, without the site's name.
        paragraphs: prose and lines of the main text in order, without short headings, captions, tables.
        url: canonical URL.
        site: name of the publication.
        author: authors, separated by semicolons.
        published: ISO 8601 date.
    """

    title: str = ""
    paragraphs: tuple[str, ...] = ()
    url: str = ""
    site: str = ""
    author: str = ""
    published: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCaps:
    """Limits on what a page may hold; crawlers cut pages at one to five million bytes, and real ones nest 50 elements.

    Attributes:
        characters: of the whole page.
        tags: opening and closing ones; the extractor is quadratic in them.
        depth: elements that are open at one place; parsers drop what is nested deeper than some hundreds.
    """

    characters: int = 8 * 1024 * 1024
    tags: int = 50_000
    depth: int = 2000

    def __post_init__(self) -> None:
        for name in ("characters", "tags", "depth"):
            if getattr(self, name) < 1:
                raise ValueError(f"page caps: {name} is {getattr(self, name)}; it must be at least 1")


def check_page(page: str, caps: PageCaps = PageCaps()) -> Verdict:
    """Returns whether an extractor may see ``page``; else TOO_LARGE or TOO_DEEP."""
    if len(page) > caps.characters:
        return Verdict(ReadReason.TOO_LARGE, f"{len(page)} characters; the cap is {caps.characters}")
    tags = page.count("<")
    if tags > caps.depth and tags - page.count("</") > caps.depth and _is_deeper(page, caps.depth):
        return Verdict(CleanReason.TOO_DEEP, f"elements nested more than {caps.depth} deep")
    if tags > caps.tags:
        return Verdict(ReadReason.TOO_LARGE, f"{tags} tags; the cap is {caps.tags}")
    return ACCEPTED


def _is_deeper(page: str, cap: int) -> bool:
    depth = 0
    for tag in _NESTING.finditer(page):
        if tag[1]:
            depth = max(depth - 1, 0)
        elif page[tag.end() - 2] != "/":
            depth += 1
            if depth > cap:
                return True
    return False


_BLOCKS = ("p", "h2", "h3", "h4", "div", "section", "span", "strong", "li")
_HEADINGS = frozenset(("h2", "h3", "h4"))
_START = 60  # characters by which two texts are the same
_LONGEST = 900  # characters
_CLASS = re.compile(
    r"stand-?first|(?:^|[\s_-])(?:dec?k|lead|lede|intro(?:text|duction)?|teaser|excerpt|summary|abstract|sub-?title"
    r"|sub-?head(?:line)?|chapo|bajada|copete|sumario|vorspann|preamble|ingress|description)(?:$|[\s_-])",
    re.I,
)
_TAGS = re.compile("<[^<>]*>")


def standfirsts(tree: HtmlElement, description: str) -> tuple[str, ...]:
    """Returns the texts of a page that may be its standfirst, the likeliest first.

    They are the text that begins like the description of the page, and the first long one after the headline, if its
    class says so or it is a heading beside the headline.
    """
    return tuple(text for text in (_described(tree, description), _named(tree)) if 0 < len(text) <= _LONGEST)


def put_first(body: Any, texts: Iterable[str]) -> None:
    """Puts the first of some texts that an extractor's tree lacks before its paragraphs."""
    held = " ".join("".join(body.itertext()).split())
    text = next((text for text in texts if text[:_START] not in held), None)
    if text is not None:
        paragraph = SubElement(body, "p")
        paragraph.text = text
        body.insert(0, paragraph)


def _described(tree: HtmlElement, description: str) -> str:
    start = " ".join(_TAGS.sub(" ", description).split())[:_START]
    if len(start) == _START:
        for element in tree.iter(*_BLOCKS):
            begin = (element.text or "").lstrip()[:1]
            if begin in ("", start[0]) and _is_leaf(element):  # most elements begin otherwise: little cost
                text = _text(element)
                if text.startswith(start) and len(text) <= _LONGEST:
                    return text
    return ""


def _named(tree: HtmlElement) -> str:
    for element in _after_headline(tree):
        text = _text(element)
        if len(text.split()) >= MIN_UNFINISHED_WORDS and is_prose(text):
            return text if _is_named(element) else ""
    return ""


def _after_headline(tree: HtmlElement) -> Iterator[HtmlElement]:
    headline = next(tree.iter("h1"), None)
    if headline is not None:
        after = False
        for element in tree.iter("h1", *_BLOCKS):
            after = after or element is headline
            if after and element.tag != "h1" and _is_leaf(element):
                yield element


def _is_leaf(element: HtmlElement) -> bool:
    return next(element.iterchildren(*_BLOCKS), None) is None


def _is_named(element: HtmlElement) -> bool:
    parent = element.getparent()
    if element.tag in _HEADINGS and parent is not None and parent.tag in ("header", "hgroup"):
        return True
    classes = [element.get("class", ""), parent.get("class", "") if parent is not None else ""]
    return any(_CLASS.search(name) for name in classes)


def _text(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())
