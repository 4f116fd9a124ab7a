"""Conversion of a page element in a MediaWiki export (any schema version) to a document or a reject.

Disambiguation pages are recognized by the templates used in the English Wikipedia and in the wiki's language.
"""

from __future__ import annotations

import re
from dataclasses import replace
from xml.parsers import expat

from gistmill.core.records import NO_METADATA, Metadata, Origin, Reason, Reject
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.rules.languages.language import english_words
from gistmill.rules.wiki.page import Local, language_of_wiki, local_of
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.wikipedia.addresses import page_address
from gistmill.transforms.sources.wikipedia.pages import Page, WikipediaConfig

SOURCE = "wikipedia"
_WANTED = frozenset(
    (
        "page/title",
        "page/ns",
        "page/id",
        "page/revision/id",
        "page/revision/timestamp",
        "page/revision/model",
        "page/revision/text",
    )
)
_MODELS = ("", "wikitext")  # old export versions give no model
_MAX_DEPTH = 32
_LONGEST_NAME = 64
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
# The beginning of a page in an export.
_PAGE = re.compile(rb"<page>\s*<title>[^<]+</title>\s*<ns>(-?[0-9]{1,9})</ns>")
_REDIRECT = re.compile(r"(?<!\s)\s*+[#＃]([^\s#:\[\]{}|]{1,40})\s*+(?::\s*+)?\[\[")
# Exports before version 0.6 lack <ns>, so the title's prefix is used. Each namespace number is followed by that of its
# talk pages.
_SUBJECTS = {2: "user", 4: "wikipedia", 6: "file", 8: "mediawiki", 10: "template", 12: "help", 14: "category"}
_SUBJECTS[100] = "portal"
_PREFIXES = {"talk": 1, "media": -2, "special": -1, "image": 6, "image talk": 7}
_PREFIXES |= {name: n for n, name in _SUBJECTS.items()} | {f"{name} talk": n + 1 for n, name in _SUBJECTS.items()}


class _Elements:
    """The elements needed from a page; if there are several revisions, those of the last, which is the newest."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self.redirect: str | None = None
        self._path = ""
        self._depth = 0
        self._parts: list[str] | None = None
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.buffer_size = 1 << 16
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end

    def parse(self, data: bytes, *, final: bool) -> str:
        """Parses a page; returns its problem, or ""."""
        try:
            self._parser.Parse(data, final)
        except (expat.ExpatError, UnicodeDecodeError, ValueError) as error:
            return str(error)
        return ""

    def get(self, path: str) -> str:
        return self.values.get(path, "").strip()

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ValueError(f"elements are nested deeper than {_MAX_DEPTH}")
        if len(name) > _LONGEST_NAME:  # limits the memory for paths
            raise ValueError(f"an element name is longer than {_LONGEST_NAME} characters")
        self._path = path = f"{self._path}/{name}" if self._path else name
        if path == "page/revision":
            self.values = {key: value for key, value in self.values.items() if not key.startswith("page/revision/")}
        elif path == "page/redirect":
            self.redirect = attributes.get("title", "")
        elif path in _WANTED:
            self._parts = []
            self._parser.CharacterDataHandler = self._parts.append

    def _end(self, name: str) -> None:
        if self._parts is not None and self._path in _WANTED:
            self.values[self._path] = "".join(self._parts)
            self._parts = self._parser.CharacterDataHandler = None
        self._path = self._path.rpartition("/")[0]
        self._depth -= 1


def parse_page(page: Page, place: FileRange, config: WikipediaConfig) -> RawDocument | Reject | None:
    """Parses one page independently, so that a bad page does not affect others.

    Args:
        page: the page element.
        place: the range that the page was read from.
        config: limits on pages.

    Returns:
        The document; None for a page in an excluded namespace; or a Reject in stage ``read`` with the first reason that
        applies of TOO_LARGE, BAD_XML, BAD_PAGE, NOT_WIKITEXT, REDIRECT, EMPTY_PAGE and DISAMBIGUATION. A Reject has the
        document's id, or FILE#OFFSET for BAD_XML, BAD_PAGE or if no page id can be read.
    """
    # content file exports include all namespaces; most pages can be excluded by their beginning, without parsing them
    begin = None if page.oversized else _PAGE.match(page.data)
    return None if begin and int(begin[1]) not in config.namespaces else _parsed(page, place, config)


def _parsed(page: Page, place: FileRange, config: WikipediaConfig) -> RawDocument | Reject | None:
    elements = _Elements()
    problem = elements.parse(page.data, final=not page.oversized)
    origin, unnamed = _origin(elements, page, place)
    known, title = origin.id != unnamed, origin.title

    def reject(reason: Reason, detail: str) -> Reject:
        return origin.reject(reason, "read", " ".join(detail.split())[:200])

    if page.oversized:
        return reject(ReadReason.TOO_LARGE, f"the page is over {config.max_page_bytes} bytes")
    if not problem and _DECLARATION.search(page.data):
        problem = "a DOCTYPE or ENTITY declaration"
    if problem or not known or not title:
        origin = replace(origin, id=unnamed)  # the page's id cannot be trusted here
    if problem:
        return reject(ReadReason.BAD_XML, problem)
    if not known or not title:
        return reject(ReadReason.BAD_PAGE, f"id {elements.get('page/id')[:40]!r}, title {title[:80]!r}")
    if _namespace(elements, title) not in config.namespaces:
        return None
    text = elements.values.get("page/revision/text", "")
    if refused := _no_article(elements, title, text, language_of_wiki(place.base)):
        return reject(*refused)
    return RawDocument(origin, text, "wikitext", place.namespaces)


def _origin(elements: _Elements, page: Page, place: FileRange) -> tuple[Origin, str]:
    """Returns the origin of a page, and the id to use if the page's own cannot be read or trusted."""
    page_id, title = elements.get("page/id"), elements.get("page/title")
    known = page_id.isascii() and page_id.isdigit()
    offset = page.origin if place.kind == "bz2" else page.origin + page.inner
    unnamed = f"{place.file}#{page.origin}+{page.inner}" if place.kind == "bz2" else f"{place.file}#{offset}"
    revision = elements.get("page/revision/id")
    url = page_address(place.base, title, revision)
    origin = Origin(
        f"{SOURCE}-{page_id.lstrip('0') or '0'}" if known else unnamed,
        SOURCE,
        title,
        revision=revision,
        timestamp=elements.get("page/revision/timestamp"),
        file=place.file,
        offset=offset,
        range_key=place.key,
        metadata=Metadata(url=url) if url else NO_METADATA,
    )
    return origin, unnamed


def _no_article(elements: _Elements, title: str, text: str, language: str) -> tuple[ReadReason, str] | None:
    """Returns the reason and detail if a page is not an article with text, else None; ``language`` is the wiki's."""
    if (model := elements.get("page/revision/model")) not in _MODELS:
        return ReadReason.NOT_WIKITEXT, model
    if elements.redirect is not None or _is_redirect(text, language):
        return ReadReason.REDIRECT, elements.redirect or text[:200]
    if not text.strip():
        return ReadReason.EMPTY_PAGE, "no text"
    sign = is_disambiguation(title, text, language)
    return (ReadReason.DISAMBIGUATION, sign) if sign else None


def _is_redirect(text: str, language: str) -> bool:
    """Whether a text begins with the redirect keyword in English or the wiki's language (for exports without tags)."""
    match = _REDIRECT.match(text)
    word = match[1].lower().replace("\u0307", "") if match else ""  # the dot of a Turkish capital I
    return word == "redirect" or word in local_of(language).redirects


def _namespace(elements: _Elements, title: str) -> int | str:
    given = elements.get("page/ns")
    if not given:
        return _PREFIXES.get(title.partition(":")[0].replace("_", " ").lower(), 0) if ":" in title else 0
    return int(given) if re.fullmatch(r"-?[0-9]{1,9}", given) else given


TEMPLATES = english_words("wiki", "disambiguation")

_TEMPLATE = re.compile(r"\{\{\s{0,20}(?:template\s{0,20}:)?([^{}|<>\[\]]{2,60})[|}]", re.IGNORECASE)
_INERT = re.compile(r"<!--.*?(?:-->|\Z)|<nowiki>.*?(?:</nowiki>|\Z)", re.DOTALL | re.IGNORECASE)
_MAGIC_WORD = "__DISAMBIG__"
_PARSOID_TEMPLATE = re.compile(
    r'(?:"|&quot;)target(?:"|&quot;):\s*\{(?:"|&quot;)wt(?:"|&quot;):\s*(?:"|&quot;)([^"&\\]{2,60})'
)
_PARSOID_SIGNS = ('property="mw:PageProp/disambiguation"', "dmbox-disambig", 'id="disambigbox"')


def is_disambiguation(title: str, text: str, language: str = "") -> str:
    """Returns the title's ending or the template in the text that marks a page as a disambiguation page, or "".

    ``language`` is the code of the wiki's language; "" means English.
    """
    local = local_of(language)
    if sign := _in_title(title, local):
        return sign
    if sign := _find_sign(text, local):
        # Confirm with the slower search, which ignores comments and nowiki.
        return sign if "<" not in text else _find_sign(_INERT.sub("", text), local)
    return ""


def _in_title(title: str, local: Local) -> str:
    if title.endswith("(disambiguation)"):
        return "(disambiguation)"
    return next((end for end in local.disambiguation_titles if title.lower().endswith(end)), "")


def _find_sign(text: str, local: Local) -> str:
    if _MAGIC_WORD in text:
        return _MAGIC_WORD
    for match in _TEMPLATE.finditer(text):
        name = _name(match.group(1))
        if _is_listed(name, local):
            return "{{" + name + "}}"
    return ""


def _is_listed(name: str, local: Local) -> bool:
    return name.lower() in TEMPLATES or name.lower() in local.disambiguation


def is_disambiguation_page(title: str, html: str, language: str = "") -> str:
    """Does the same as is_disambiguation for Parsoid HTML, which records the templates and magic words used."""
    local = local_of(language)
    if sign := _in_title(title, local):
        return sign
    if sign := next((sign for sign in _PARSOID_SIGNS if sign in html), ""):
        return sign
    return next(
        (f"{{{{{name}}}}}" for name in map(_name, _PARSOID_TEMPLATE.findall(html)) if _is_listed(name, local)), ""
    )


def _name(written: str) -> str:
    return " ".join(written.replace("_", " ").split())
