"""The summary that a page sets between headline and story, where an extractor does not look for the story."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lxml.etree import SubElement
from lxml.html import HtmlElement

from gistmill.rules.text.prose import MIN_UNFINISHED_WORDS, is_prose

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
            if _begins(element, start) and _is_leaf(element):
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


def _begins(element: HtmlElement, start: str) -> bool:
    """Whether an element may begin so: the answer for most, at little cost."""
    text = (element.text or "").lstrip()
    return not text or text[0] == start[0]


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
