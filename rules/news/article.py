"""The article that an extractor finds on a news page, and the limits of a page that is given to an extractor.

This module is light on purpose: the parent of the extractor's process imports it, and not the extractor.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from gistmill.core.records import ACCEPTED, Verdict
from gistmill.rules.documents import CleanReason, ReadReason

# A tag of an element whose end tag must be written, so that a start tag without it opens another level.
_NESTING = re.compile(
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|d[td]|t[drh]|thead|tbody|tfoot"
    r"|caption|colgroup|option|optgroup|html|head|body|rp|rt|path|use|circle|rect|polygon|line|stop)[\s/>])[a-z][^<>]*>",
    re.I,
)


STRICT, FALLBACK = "strict", "fallback"
PROSE, WHOLE = "prose", "whole"  # the two views of an article


class Block(NamedTuple):
    """A text of an article, and its kind: "" for a paragraph, else "heading", "item", "row" or "code"."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """The main text of a page as blocks, and the page's metadata; "" for missing fields.

    Attributes:
        title: headline, without the site's name.
        blocks: the main text in order; NFC, single spaces. The cells of a row are separated by " | ".
        extraction: STRICT, or FALLBACK where a second extractor found much more than the first.
        url: canonical URL.
        site: name of the publication.
        author: authors, separated by semicolons.
        published: ISO 8601 date.
    """

    title: str = ""
    blocks: tuple[Block, ...] = ()
    extraction: str = ""
    url: str = ""
    site: str = ""
    author: str = ""
    published: str = ""

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """The texts of the blocks."""
        return tuple(block.text for block in self.blocks)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCaps:
    """Limits on a page's content; crawlers cut pages at one to five million bytes, and real pages nest 50 elements.

    Attributes:
        characters: of the whole page.
        tags: opening and closing ones; the extractor is quadratic in them.
        depth: nesting of elements; parsers drop anything below some hundreds of levels.
    """

    characters: int = 8 * 1024 * 1024
    tags: int = 50_000
    depth: int = 2000

    def __post_init__(self) -> None:
        for name in ("characters", "tags", "depth"):
            if getattr(self, name) < 1:
                raise ValueError(f"page limits: {name} is {getattr(self, name)}; it must be at least 1")


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
