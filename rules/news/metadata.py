"""The metadata that a web page gives for its article: title, address, site, authors and date.

Comments, quotations and links to other articles are ignored. Versions of trafilatura other than 2.3 may differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any

from courlan import extract_domain, fix_relative_urls, validate_url
from htmldate import find_date
from lxml.etree import XPath
from lxml.html import HtmlElement
from lxml.html.builder import E
from trafilatura import metadata
from trafilatura.baseline import block_text
from trafilatura.htmlprocessing import prune_unwanted_nodes
from trafilatura.json_metadata import normalize_authors, normalize_json
from trafilatura.settings import Document
from trafilatura.utils import as_list
from trafilatura.xpaths import AUTHOR_DISCARD_XPATHS, AUTHOR_XPATHS

from gistmill.rules.coreference.lexicon import FIRST_NAMES
from gistmill.rules.languages.language import COMMON
from gistmill.rules.news.heads import BYLINE_WORDS, DATE, UPPER
from gistmill.rules.news.titles import Place, clean_title
from gistmill.rules.text.words import words_of

# Use only dates that the page states, neither guesses from its text nor today's date.
_DATES: dict[str, Any] = {"extensive_search": False, "original_date": True, "max_date": "2100-01-01", "url": ""}
_LINES = {key: "".join(pieces) for key, pieces in COMMON["bylines"].items()}
# Elements whose date and author are not those of the page.
_CANDIDATES = XPath("/descendant::*[self::blockquote or self::q or @class or @id or @itemtype or @itemprop]")
_TYPES_OF_OTHERS = re.compile("/(?:UserComments|Comment|Review|Quotation|Answer)$")
_OTHERS = re.compile(rf"(?:^|[-_])(?:{_LINES['others']})(?:$|[-_])", re.I)
_SETTING = re.compile("^(?:has|no|with|without|is|show|hide)[-_]|[-_](?:open|closed|enabled|disabled|on|off)$", re.I)
_HOME = re.compile(r"(?:index|home|default|main)(?:\.[a-z]{2,5})?|[a-z]{2}(?:[-_][a-z]{2})?", re.I)
_FRONT = re.compile(r"[^\d-]+")  # the name of a section or an account; an article has a number or several words
# Attribute names that declare dates, and JSON-LD types other than articles.
_MODIFIED = re.compile("modif|update|last|moddate|revision|og:url|copyrightyear|expir|utime", re.I)
_PUBLISHED = re.compile("publi(?:sh|cation)|pubdate|issued", re.I)
_NOT_ARTICLES = re.compile("comment|review$|answer|quotation|image|video|audio|person|organi|list|book|movie|music")
_TIMES = XPath("(//time[@pubdate or contains(@class, 'published')] | //*[@itemprop='datePublished'])[1]")
_DATE_IN_PATH = re.compile(  # rejects a 30th or 31st that does not exist
    r"(?<![0-9A-Za-z])(?<!\d[-_])(199[5-9]|20\d\d)([/_-])(?!0?2\2[3]|(?:0?[469]|11)\2[3]1)(0?[1-9]|1[0-2])\2"
    r"(0?[1-9]|[12]\d|3[01])(?=$|[^0-9A-Za-z]|[Tt]\d)"
)
_SHOWN_DATE = re.compile(rf"(?!.*(?:{_LINES['changed']})).{{0,40}}(?:19|20)\d\d.{{0,25}}", re.I)
_NOT_XML = re.compile("[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BELOW = XPath("following::text()[normalize-space() and not(parent::script or parent::style)]", smart_strings=False)
_META_AUTHORS = (metadata.METANAME_AUTHOR | metadata.PROPERTY_AUTHOR | metadata.OG_AUTHOR) - {"citation_author"}
_LONGEST_BYLINE, _LONGEST_STATEMENT = 120, 1000  # characters
_BYLINE = re.compile(rf"^(?i:{_LINES['by']})((?:[{UPPER}][\w.'’-]*(?: |$)){{2,4}})$", re.M)
_GROUP, _NOT_PEOPLE, _NOT_NAMES = (re.compile(_LINES[key], re.I) for key in ("group", "not_people", "not_names"))
_OFFICE = re.compile(rf"^(?:(?:{_LINES['office']})[\s:]+)++|(?:(?:^|\s+)(?:{_LINES['office']}))++$")
_BETWEEN = re.compile(rf"{DATE}|[·•●]")


def page_metadata(tree: HtmlElement, url: str) -> Document:
    """Returns the article metadata of a page fetched from ``url`` (or ""), without changing the tree.

    The title is the headline as shown in the article; the date is the day of publication in the time zone used by the
    page; authors are people, without job titles, separated by semicolons; the address is that of an article.
    """
    found, own = metadata.examine_meta(tree), _without_others(tree)
    scripts = {e: _json(e.text or "") for e in own.iter("script") if "json" in e.get("type", "")}
    nodes = _nodes(list(scripts.values()))
    found.url = _address(tree, found.url, url)
    found.hostname = extract_domain(found.url, fast=True) if found.url else None
    articles = _articles(nodes, (found.url or "", url))
    titles = (found.title, *(node.get("headline") for node in articles), metadata.extract_title(tree))
    found.title = next((title for title in titles if title and isinstance(title, str)), "")
    found.sitename = _sitename(tree, nodes, found)
    place = Place(found.sitename or "", found.url or "")
    found.title, lines = clean_title(found.title, place), []
    if (heading := _heading(own, found.title, place)) is not None:
        shown = block_text(heading)
        if not (shown.casefold().endswith(found.title.casefold()) or _BETWEEN.search(shown)):  # no kicker, no byline
            found.title = shown
        lines = [" ".join(line.split()) for line in _BELOW(heading)[:12]]  # byline and date
    for script in (script for script, value in scripts.items() if value is not None):
        script.drop_tree()
    found.date = _date(own, articles, lines, (found.url or "", url))
    known = {str(node["@id"]): node for node in nodes if "@id" in node}
    stated = _stated_authors(own, (_names(node, known) for node in articles), lines)
    found.author = next((people for names in stated if (people := _people(names, place))), None)
    found.clean_and_trim()
    return found


def _without_others(tree: HtmlElement) -> HtmlElement:
    """Returns a copy of a page without comments, quotations and teasers for other articles."""
    own = deepcopy(tree)
    for element in [e for e in _CANDIDATES(own) if _is_of_others(e) and e.getparent() is not None]:
        element.drop_tree()
    return own


def _is_of_others(element: HtmlElement) -> bool:
    names = f"{element.get('class', '')} {element.get('id', '')}".split()
    named = (
        element.tag in ("blockquote", "q")
        or element.get("itemprop") in ("comment", "review", "citation")
        or _TYPES_OF_OTHERS.search(element.get("itemtype", "")) is not None
        or any(_OTHERS.search(name) and not _SETTING.search(name) for name in names)
    )
    return named and element.tag not in ("html", "head", "body", "main") and next(element.iter("h1"), None) is None


def _address(tree: HtmlElement, stated: str | None, url: str) -> str | None:
    """Returns the article address given on a page, or else the address from which the page was fetched."""
    link = tree.find('.//head//link[@rel="canonical"]')
    for place in (link.get("href") if link is not None else None, stated):
        with suppress(ValueError):
            is_valid, parts = validate_url(fix_relative_urls(url, place or ""))
            if place and is_valid and parts and _is_article(address := parts.geturl(), url):
                return address
    return url or None


def _is_article(address: str, url: str) -> bool:
    """Whether an address may be that of the article at ``url``, here or at an agency, and not of a site or section."""
    given, fetched = (_segments(each) for each in (address, url))
    is_near = not url or extract_domain(address, fast=True) == extract_domain(url, fast=True)
    is_section = len(given) == 1 and (not is_near or given == fetched[:1]) and _FRONT.fullmatch(given[0])
    return (bool(given) and not is_section) or (is_near and bool(url) and given == fetched)


def _segments(address: str) -> list[str]:
    """Returns the parts of an address that identify a page within its site; none for a home page in any language."""
    place, _, fields = address.partition("#")[0].partition("?")
    names = [name for name in place.partition("//")[2].split("/")[1:] if name]
    query = [f"?{field}" for field in fields.split("&") if field and not field.startswith("utm_")]
    return [] if not query and len(names) < 2 and all(map(_HOME.fullmatch, names)) else names + query


def _sitename(tree: HtmlElement, nodes: list[dict[str, Any]], found: Document) -> str | None:
    """Returns a site's name, capitalised and without the "@" of an account, or else the host."""
    sites = [node for node in nodes if node.get("@type") == "WebSite"]
    sites += [publisher for node in nodes if isinstance(publisher := node.get("publisher"), dict)]
    sites += [node for node in nodes if "Organization" in str(node.get("@type"))]
    names = (metadata.extract_opengraph(tree)["sitename"], *(site.get("name") for site in sites))
    titles = (found.title, metadata.examine_title_element(tree)[0])
    for name in (*names, found.sitename, metadata.extract_sitename(tree)):
        name = name.strip("@ ") if isinstance(name, str) and name not in titles else ""
        if name and not name.startswith("http") and not Place().has_section(name):
            return name if "." in name or name[0].isupper() else name.title()
    return (found.url or "").partition("//")[2].partition("/")[0].removeprefix("www.") or None


def _heading(tree: HtmlElement, title: str, place: Place) -> HtmlElement | None:
    """Returns the headline: the first heading with at least half of the words in the page's title or address."""
    known = (title, *_segments(place.url)[-1:])
    names = [name for each in known if len(name := set(words_of(each.replace("-", " ")))) > 2]
    for heading in tree.iter("h1"):
        text = block_text(heading)
        words = set(words_of(text))
        if any(2 * len(words & name) >= len(name) for name in names) and not place.names(text):
            return heading
    return None


def _date(tree: HtmlElement, articles: list[dict[str, Any]], lines: list[str], addresses: Iterable[str]) -> str | None:
    """Returns the date that a page declares, or else the date in its address, or else any other date on the page."""
    paths = (address.partition("?")[0].partition("#")[0] for address in addresses)
    in_paths = ("-".join(match.group(1, 3, 4)) for path in paths for match in _DATE_IN_PATH.finditer(path))
    texts = (*in_paths, *filter(_SHOWN_DATE.fullmatch, lines))
    pages = (E.html(E.head(), E.body(E.time(_NOT_XML.sub("", text)))) for text in texts)
    return next(filter(None, (find_date(page, **_DATES) for page in (_declaring(tree, articles), *pages, tree))), None)


def _declaring(tree: HtmlElement, articles: list[dict[str, Any]]) -> HtmlElement:
    """Returns an empty page whose head declares the publication dates in ``tree``, the most reliable first."""
    metas = [e for e in tree.iter("meta") if not _MODIFIED.search(_named(e))]
    published = (e for e in metas if _PUBLISHED.search(_named(e)))
    in_json = (node.get("datePublished") or node.get("dateCreated") for node in articles)
    times = (e.get("datetime") or e.get("content") or e.text_content() for e in _TIMES(tree))
    stated = (_NOT_XML.sub("", text) for text in (*in_json, *times) if isinstance(text, str))
    made = (E.meta(property="article:published_time", content=text) for text in stated)
    return E.html(E.head(*map(deepcopy, published), *made, *map(deepcopy, metas)), E.body())


def _named(element: HtmlElement) -> str:
    return " ".join(element.get(name, "") for name in ("name", "property", "itemprop", "http-equiv"))


def _json(text: str) -> Any:
    """Returns the value of a JSON text, repaired by trafilatura if necessary; None if it is not JSON."""
    for form in (text, normalize_json(metadata.JSON_MINIFY.sub(r"\1", text))):
        with suppress(ValueError, RecursionError):
            return json.loads(form, strict=False)
    return None


def _nodes(values: list[Any]) -> list[dict[str, Any]]:
    """Returns the objects that JSON-LD describes, in order, without nested parts such as comments and reviews."""
    stack, nodes = values[::-1], []
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, dict):
            nodes.append(value)
            stack += [value[key] for key in ("mainEntity", "@graph") if key in value]
    return nodes


def _articles(nodes: list[dict[str, Any]], addresses: Iterable[str]) -> list[dict[str, Any]]:
    """Returns candidates for the page's article: objects at one of the addresses, then articles, then the rest."""
    pages = [page for address in addresses if (page := _segments(address))]

    def rank(node: dict[str, Any]) -> int:
        page = node.get("mainEntityOfPage")
        about = (node.get("url"), page.get("@id") if isinstance(page, dict) else page)
        if any(isinstance(place, str) and _segments(place) in pages for place in about):
            return 0
        return 1 if re.search("article|posting", str(node.get("@type")), re.I) else 2

    return sorted((node for node in nodes if not _NOT_ARTICLES.search(str(node.get("@type")).lower())), key=rank)


def _names(article: dict[str, Any], known: dict[str, dict[str, Any]]) -> list[str]:
    """Returns the authors of a JSON-LD article, which may be given as strings, as persons or as references to them."""
    names = []
    for author in as_list(article.get("author")):
        if isinstance(author, dict):
            author = {**known.get(str(author.get("@id")), {}), **author}
            author = author.get("name") if "person" in str(author.get("@type", "person")).lower() else None
        names += [name for name in as_list(author) if isinstance(name, str)]
    return names


def _stated_authors(tree: HtmlElement, in_json: Iterable[list[str]], lines: list[str]) -> Iterator[list[str]]:
    """Yields the authors stated on a page, the most reliable first; prunes elements without authors from ``tree``."""
    metas = [(_named(e).lower().split(), e.get("content", "")) for e in tree.iterfind(".//head//meta")]
    in_metas = [text for named, text in metas if not _META_AUTHORS.isdisjoint(named) and " " in text.strip()]
    yield from (names + [text for text in in_metas if any(name in text for name in names)] for names in in_json)
    yield in_metas
    page = prune_unwanted_nodes(tree, AUTHOR_DISCARD_XPATHS)
    for element in (element for path in AUTHOR_XPATHS for element in path(page)):
        text = " ".join(" ".join(element.itertext()).split())
        if len(text) < _LONGEST_BYLINE and _OFFICE.sub("", text) and not _NOT_PEOPLE.search(element.get("class", "")):
            yield [text]
            break
    yield _BYLINE.findall("\n".join(lines))


def _people(stated: list[str], place: Place) -> str:
    """Returns the people among the stated authors, separated by semicolons."""
    names = None
    for text in stated:
        if len(text) <= _LONGEST_STATEMENT:
            names = normalize_authors(names, _BETWEEN.sub(";", _NOT_NAMES.sub("", text)))
    return "; ".join(dict.fromkeys(person for name in (names or "").split("; ") if (person := _person(name, place))))


def _person(name: str, place: Place) -> str:
    """Returns a person's name without job titles; "" if it is the name of a group or of the site."""
    name = " ".join(name.split())  # runs of blanks would slow the pattern down
    person = _OFFICE.sub("", name)
    words, has_office = person.split(), person != name
    is_lower = any(word.islower() and word not in BYLINE_WORDS for word in words[2:])
    if _GROUP.search(name) or len(words) < 1 + has_office or len(person) < 3 or is_lower:
        return ""
    is_site = place.names(person) and (has_office or len(words) < 2 or words[0] not in FIRST_NAMES)
    return "" if is_site else person
