"""What a web page says of its article: title, address, site, author and date.

``trafilatura.extract_metadata`` also looks for categories, tags and a license, and copies the whole page to find an
author that it may not name. Here the functions are called that it calls itself, with the same answers, except for dates
and authors of other things than the article. Another trafilatura than 2.3 may have others.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from copy import deepcopy
from datetime import date
from typing import Any

from courlan import extract_domain
from htmldate import find_date
from lxml.etree import SubElement, XPath
from lxml.html import HtmlElement, fromstring
from trafilatura import metadata
from trafilatura.settings import Document
from trafilatura.utils import as_list

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
# Whose date and author are not the page's.
_CANDIDATES = XPath("/descendant::*[self::blockquote or self::q or @class or @id or @itemtype or @itemprop]")
_TYPES_OF_OTHERS = re.compile("/(?:UserComments|Comment|Review|Quotation|Answer)$")
_OTHERS = re.compile(
    "(?:^|[-_])(?:comments?|comment-?list|disqus|respond|repl(?:y|ies)|[ck]omm?entar(?:e|io)?s?|commentaires?|commenti"
    "|reacties|(?:pull|block)?-?quotes?|quotation|testimonials?|related|recommended|teasers?|trending|popular)(?:$|[-_])",
    re.I,
)
_SETTING = re.compile("^(?:has|no|with|without|is|show|hide)[-_]|[-_](?:open|closed|enabled|disabled|on|off)$", re.I)
_HOME = re.compile(r"(?:index|home|default|main)(?:\.[a-z]{2,5})?|[a-z]{2}(?:[-_][a-z]{2})?", re.I)
_FRONT = re.compile(r"[^\d-]+")  # the name of a section or an account; an article has a number or several words
# Of names and types of what declares a date.
_META_NAMES = ("name", "property", "itemprop", "http-equiv")
_MODIFIED = re.compile("modif|update|last|moddate|revision|og:url|copyrightyear|expir|utime", re.I)
_PUBLISHED = re.compile("publi(?:sh|cation)|pubdate|issued", re.I)
_NOT_ARTICLES = re.compile("comment|review$|answer|quotation|image|video|audio|person|organization|itemlist")
_DATE_IN_PATH = re.compile(
    r"(?<![0-9a-z])(?<!\d[-_])(199[5-9]|20\d\d)([/_-])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?=$|[^0-9a-z]|t\d)", re.I
)
_NOT_XML = re.compile("[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_VALUES = [XPath(f"//@{name}", smart_strings=False) for name in _AUTHOR_ATTRIBUTES]


def page_metadata(tree: HtmlElement, url: str) -> Document:
    """Returns what ``trafilatura.extract_metadata`` does, without categories, tags and license; the tree stays.

    Dates and authors are those of the page, not of its comments, of people it quotes or of articles that it links to. A
    date that the page declares is before one in its address. An address that is no article's is left out.
    """
    found = metadata.examine_meta(tree)
    if found.author and " " not in found.author:
        found.author = None
    with suppress(Exception):  # errors of JSON cost what it says and nothing else, as in trafilatura
        found = metadata.extract_meta_json(tree, found)
    found.title = found.title or metadata.extract_title(tree)
    own = _without_others(tree)
    if not found.author:
        found.author = metadata.extract_author(own) if _may_name_author(own) else None
    if not found.url or not _is_article(found.url, url):
        found.url = metadata.extract_url(tree) if tree.find('.//head//link[@rel="canonical"]') is not None else None
        if not found.url or not _is_article(found.url, url):
            found.url = url or None
    if found.url:
        found.hostname = extract_domain(found.url, fast=True)
    found.date = _date(own, found.url or "", url)
    found.sitename = _sitename(found.sitename or metadata.extract_sitename(tree), found.url)
    found.clean_and_trim()
    return found


def _without_others(tree: HtmlElement) -> HtmlElement:
    """Returns a page without comments, quotations and teasers of other articles; the tree itself where it has none."""
    if not any(_is_of_others(e) for e in _CANDIDATES(tree)):
        return tree
    own = deepcopy(tree)
    for element in [e for e in _CANDIDATES(own) if _is_of_others(e)]:
        if element.getparent() is not None:
            element.drop_tree()
    return own


def _is_of_others(element: HtmlElement) -> bool:
    named = (
        element.tag in ("blockquote", "q")
        or _TYPES_OF_OTHERS.search(element.get("itemtype", "")) is not None
        or element.get("itemprop") in ("comment", "review", "citation")
        or any(
            _OTHERS.search(name) and not _SETTING.search(name)
            for name in f"{element.get('class', '')} {element.get('id', '')}".split()
        )
    )
    return named and element.tag not in ("html", "head", "body", "main") and next(element.iter("h1"), None) is None


def _is_article(address: str, url: str) -> bool:
    """Whether the address that a page at ``url`` gives may be an article's, and not that of a site or a section."""
    given, fetched = (_segments(each) for each in (address, url))
    if len(given) > 1 or (not fetched and url and extract_domain(address, fast=True) == extract_domain(url, fast=True)):
        return True
    if not given:
        return False
    is_elsewhere = extract_domain(address, fast=True) != extract_domain(url, fast=True)
    return not _FRONT.fullmatch(given[0]) or not (is_elsewhere or (fetched[:1] == given and len(fetched) > 1))


def _segments(address: str) -> list[str]:
    """Returns the parts of an address that say which page of a site it is; none for a home page, in any language."""
    place, _, fields = address.partition("#")[0].partition("?")
    names = [name for name in place.partition("//")[2].split("/")[1:] if name]
    query = [f"?{field}" for field in fields.split("&") if field and not field.startswith("utm_")]
    return [] if not query and len(names) < 2 and all(map(_HOME.fullmatch, names)) else names + query


def _date(tree: HtmlElement, address: str, url: str) -> str | None:
    """Returns the date that a page declares, or else that in its address, or else another that is on it."""
    if found := find_date(_declaring(tree, {address, url} - {""}), url="", **_DATES):
        return found
    for place in (address, url):
        if found := _date_in(place):
            return found
    rest = deepcopy(tree)
    for script in [s for s in _json_scripts(rest) if _json_dates(s.text or "", set()) is not None]:
        script.drop_tree()
    return find_date(rest, url="", **_DATES)


def _json_scripts(tree: HtmlElement) -> list[HtmlElement]:
    return [script for script in tree.iter("script") if "json" in script.get("type", "")]


def _declaring(tree: HtmlElement, addresses: set[str]) -> HtmlElement:
    """Returns an empty page with the dates of publication that ``tree`` declares in its head, the surest first."""
    read = [dated for script in _json_scripts(tree) for dated in _json_dates(script.text or "", addresses) or ()]
    in_json = [stated for _, stated in sorted(read, key=lambda dated: dated[0])]
    metas = [e for e in tree.iter("meta") if not _MODIFIED.search(_named(e))]
    declared = fromstring("<html><head></head><body></body></html>")
    head = declared[0]
    head.extend(deepcopy(e) for e in metas if _PUBLISHED.search(_named(e)))
    times = (e for e in tree.iter("time") if "pubdate" in e.attrib or e.get("itemprop", "").lower() == "datepublished")
    for stated in [*in_json, *(e.get("datetime") or e.text_content() for e in times)]:
        SubElement(head, "meta", property="article:published_time", content=_NOT_XML.sub("", stated))
    head.extend(deepcopy(e) for e in metas)
    return declared


def _named(element: HtmlElement) -> str:
    return " ".join(element.get(name, "") for name in _META_NAMES)


def _date_in(address: str) -> str | None:
    """Returns the date in the path of an address; other digits, such as those of an id or a query, are not one."""
    for match in _DATE_IN_PATH.finditer(address.partition("?")[0].partition("#")[0]):
        with suppress(ValueError):
            return date(int(match[1]), int(match[3]), int(match[4])).isoformat()
    return None


def _json_dates(text: str, addresses: set[str]) -> list[tuple[int, str]] | None:
    """Returns the dates of publication in JSON-LD, each with a rank; None for what is not JSON.

    The article at one of the addresses is first, then other articles, then other things. Comments, reviews and other
    parts of an article are not looked into.
    """
    try:
        stack = [json.loads(text, strict=False)]
    except (ValueError, RecursionError):
        return None
    dates: list[tuple[int, str]] = []
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, dict):
            kind = " ".join(map(str, as_list(value.get("@type")))).lower()
            stated = value.get("datePublished") or value.get("dateCreated")
            if isinstance(stated, str) and not _NOT_ARTICLES.search(kind):
                page = value.get("mainEntityOfPage")
                about = (value.get("url"), page.get("@id") if isinstance(page, dict) else page)
                is_about = any(isinstance(place, str) and place in addresses for place in about)
                is_article = "article" in kind or "posting" in kind
                dates.append((0 if is_about else 1 if is_article else 2, stated))
            stack += [value[key] for key in ("mainEntity", "@graph") if key in value]
    return dates


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
