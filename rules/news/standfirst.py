"""The summary that a page sets between headline and story, where an extractor does not look for the story."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lxml.etree import SubElement
from lxml.html import HtmlElement

from rules.text.prose import MIN_UNFINISHED_WORDS, is_prose

_BLOCKS = ("p", "h2", "h3", "h4", "div", "section", "span", "strong", "li")
_START = 60  # characters by which two texts are the same
_LONGEST = 900  # characters
_CLASS = re.compile(
    r"stand-?first|(?:^|[\s_-])(?:dec?k|lead|lede|intro(?:text|duction)?|teaser|excerpt|summary|abstract|sub-?title"
    r"|sub-?head(?:line)?|chapo|bajada|copete|sumario|vorspann|preamble|ingress|description)(?:$|[\s_-])",
    re.I,
)
_TAGS = re.compile("<[^<>]*>")


def standfirst(tree: HtmlElement, description: str) -> str:
    """Returns the standfirst of a page, or "".

    It is the text that begins like the description of the page, or else the first long one after the headline, if its
    class says what it is.
    """
    start = " ".join(_TAGS.sub(" ", description).split())[:_START]
    if len(start) == _START:
        for element in tree.iter(*_BLOCKS):
            if _begins(element, start) and _is_leaf(element):
                text = _text(element)
                if text.startswith(start) and len(text) <= _LONGEST:
                    return text
    for element in _after_headline(tree):
        text = _text(element)
        if len(text.split()) >= MIN_UNFINISHED_WORDS and is_prose(text):
            return text if len(text) <= _LONGEST and _is_named(element) else ""
    return ""


def put_first(body: Any, text: str) -> None:
    """Puts a text before the paragraphs of an extractor's tree that lacks it."""
    if text and text[:_START] not in " ".join("".join(body.itertext()).split()):
        paragraph = SubElement(body, "p")
        paragraph.text = text
        body.insert(0, paragraph)


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
    classes = [element.get("class", ""), parent.get("class", "") if parent is not None else ""]
    return any(_CLASS.search(name) for name in classes)


def _text(element: HtmlElement) -> str:
    return " ".join(element.text_content().split())
