"""trafilatura's extraction of an article, without what an article does not need.

``trafilatura.bare_extraction`` with metadata also looks for categories, tags and a license, copies the whole page to
find an author that it may not name, and walks through the page once for each path that is to be pruned. Here the
functions are called that it calls itself, so that the answers are the same. Another trafilatura than 2.3 may have
others; this module is the one that leans on them.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

from courlan import extract_domain
from htmldate import find_date
from lxml.etree import ElementDefaultClassLookup, ElementNamespaceClassLookup, XPath
from lxml.html import (
    FormElement,
    HtmlComment,
    HtmlElement,
    HtmlEntity,
    HtmlProcessingInstruction,
    InputElement,
    LabelElement,
    SelectElement,
    TextareaElement,
)
from trafilatura import load_html, metadata
from trafilatura.core import trafilatura_sequence
from trafilatura.settings import Document, Extractor
from trafilatura.utils import HTML_PARSER

from gistmill.rules.news.initials import join_initials
from gistmill.rules.news.inline import resolve
from gistmill.rules.news.standfirst import put_first, standfirsts

# Text on the page that is not the article's own: code, captions, and other people's posts.
_PRUNED = ("pre", "figcaption", "textarea", "template", "button")
_POSTS = re.compile("twitter-|instagram-|tiktok-")
_CAPTIONS = XPath("/descendant::*[contains(@class, 'wp-caption-text')]")
_CLASSES = {
    "form": FormElement,
    "input": InputElement,
    "label": LabelElement,
    "select": SelectElement,
    "textarea": TextareaElement,
}
_BLANKS = re.compile("[ \t\r\n]+")
# Only dates that the page states; neither guesses from its text nor today's date.
_DATES: dict[str, Any] = {"extensive_search": False, "original_date": True, "max_date": "2100-01-01"}
# Every expression by which trafilatura finds an author wants one of these attributes to hold one of these words, or one
# of these elements.
_AUTHOR_ATTRIBUTES = ("class", "id", "itemprop", "rel", "data-component", "data-testid")
_AUTHOR = re.compile(
    "author|byl|username|bbl|zuozhe|bianji|xiaobian|channel-name|submitted-by|posted-by|journalist-name|screenname|writer",
    re.I,
)
_AUTHOR_ELEMENTS = ("author", "rel")
_VALUES = [XPath(f"//@{name}", smart_strings=False) for name in _AUTHOR_ATTRIBUTES]


def extracted(page: str, url: str, language: str = "") -> Document | None:
    """Returns the ``body`` of a page's main text, and what the page says of itself; None without main text.

    Args:
        page: HTML.
        url: where it was fetched, or "".
        language: code of the wanted language, by whose words text is told from boilerplate; "" for those of any.

    Raises:
        Exception: whatever trafilatura raises.
    """
    options = Extractor(output_format="txt", comments=False, tables=False, url=url or None, lang=language or None)
    try:
        tree = load_html(page, options.max_file_size)
        if tree is None:
            return None
        found = page_metadata(tree, url)
        resolve(tree)
        join_initials(tree)
        prune(tree)
        first = standfirsts(tree, found.description or "")
        found.body, text, _, _ = trafilatura_sequence(tree, options, url or found.url)
        put_first(found.body, first)
    except (TypeError, ValueError):  # trafilatura's own sign of a page that it cannot read
        return None
    return found if len(text) >= options.min_output_size else None


def page_metadata(tree: HtmlElement, url: str) -> Document:
    """Returns what ``trafilatura.extract_metadata`` does, without categories, tags and license; the tree stays."""
    found = metadata.examine_meta(tree)
    if found.author and " " not in found.author:
        found.author = None
    with suppress(Exception):  # faults of JSON cost what it says and nothing else, as in trafilatura
        found = metadata.extract_meta_json(tree, found)
    found.title = found.title or metadata.extract_title(tree)
    if not found.author:
        found.author = metadata.extract_author(tree) if _may_name_author(tree) else None
    found.url = found.url or metadata.extract_url(tree, url or None)
    if found.url:
        found.hostname = extract_domain(found.url, fast=True)
    found.date = find_date(tree, url=found.url, **_DATES)
    found.sitename = _sitename(found.sitename or metadata.extract_sitename(tree), found.url)
    found.clean_and_trim()
    return found


def _may_name_author(tree: HtmlElement) -> bool:
    if next(tree.iter(*_AUTHOR_ELEMENTS), None) is not None:
        return True
    return any(_AUTHOR.search("\n".join(values(tree))) for values in _VALUES)


def _sitename(name: str | None, url: str | None) -> str | None:
    """Returns a site's name without the sign of an account, with a capital; else the host."""
    if name:
        name = name.lstrip("@")
        return name if not name or "." in name or name[0].isupper() else name.title()
    host = metadata.META_URL.match(url) if url else None
    return host[1] if host else name


def prune(tree: HtmlElement) -> None:
    """Takes out elements that hold no text of the article, and leaves what stands after them."""
    posts = (e for e in tree.iter("blockquote") if _POSTS.search(e.get("class", "")))
    captions = (e for e in _CAPTIONS(tree) if "wp-caption-text" in _BLANKS.split(e.get("class")))
    for element in [*tree.iter(*_PRUNED), *posts, *captions]:
        if element.getparent() is not None:
            element.drop_tree()


def _look_up_classes_in_c() -> None:
    """Gives trafilatura's parser the classes of elements that it has, by a table of lxml: a call of Python for each
    element that is touched takes a twentieth of the time.
    """
    fallback = ElementDefaultClassLookup(
        element=HtmlElement, comment=HtmlComment, pi=HtmlProcessingInstruction, entity=HtmlEntity
    )
    lookup = ElementNamespaceClassLookup(fallback)
    lookup.get_namespace(None).update(_CLASSES)
    HTML_PARSER.set_element_class_lookup(lookup)


_look_up_classes_in_c()
