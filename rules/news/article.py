"""The article that an extractor finds on a news page, and the limits on the pages passed to an extractor.

This module is deliberately light: the parent of the extractor process imports it without importing the extractor.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from gistmill.core.records import ACCEPTED, Verdict
from gistmill.rules.documents import CleanReason, ReadReason

# A tag of an element whose end tag is required: a start tag without one opens another level.
_NESTING = re.compile(
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|d[td]|t[drh]|thead|tbody|tfoot"
    r"|caption|colgroup|option|optgroup|html|head|body|rp|rt|path|use|circle|rect|polygon|line|stop)[\s/>])[a-z][^<>]*>",
    re.I,
)


STRICT, FALLBACK = "strict", "fallback"
PROSE, WHOLE = "prose", "whole"  # the two views of an article


class Block(NamedTuple):
    """A block of an article's text, and its kind: "" (a paragraph), "heading", "item", "row" or "code"."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """The main text of a page as blocks, and the page's metadata; missing fields are "".

    Attributes:
        title: headline, without the site's name.
        blocks: the main text in order, in NFC with single spaces; the cells of a row are separated by " | ".
        extraction: STRICT, or FALLBACK if a second extractor found much more text than the first.
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
    """Limits on a page's content; crawlers truncate pages at 1 to 5 million bytes, and real pages are 50 levels deep.

    Attributes:
        characters: maximum length of the page.
        tags: maximum number of opening and closing tags; the extractor takes quadratic time in this number.
        depth: maximum nesting depth of elements; parsers drop anything below a few hundred levels.
    """

    characters: int = 8 * 1024 * 1024
    tags: int = 50_000
    depth: int = 2000

    def __post_init__(self) -> None:
        for name in ("characters", "tags", "depth"):
            if getattr(self, name) < 1:
                raise ValueError(f"page limits: {name} must be at least 1, not {getattr(self, name)}")


def check_page(page: str, caps: PageCaps = PageCaps()) -> Verdict:
    """Returns ACCEPTED if ``page`` may be passed to an extractor, otherwise TOO_LARGE or TOO_DEEP."""
    if len(page) > caps.characters:
        return Verdict(ReadReason.TOO_LARGE, f"{len(page)} characters; the limit is {caps.characters}")
    tags = page.count("<")
    if tags > caps.depth and tags - page.count("</") > caps.depth and _is_deeper(page, caps.depth):
        return Verdict(CleanReason.TOO_DEEP, f"elements nested more than {caps.depth} deep")
    if tags > caps.tags:
        return Verdict(ReadReason.TOO_LARGE, f"{tags} tags; the limit is {caps.tags}")
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
