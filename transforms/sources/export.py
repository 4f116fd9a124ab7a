"""One page element of a MediaWiki export (any version of the schema) to a document or a reject."""
from __future__ import annotations

import re
from xml.parsers import expat

from rules.records import RawDocument, Reject
from rules.verdict import Reason
from transforms.sources.disambiguation import is_disambiguation
from transforms.sources.ranges import Range, WikipediaConfig

SOURCE = "wikipedia"
_WANTED = frozenset(("page/title", "page/ns", "page/id", "page/revision/id", "page/revision/timestamp",
                     "page/revision/text"))
_MAX_DEPTH = 32
_LONGEST_NAME = 64
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_REDIRECT = re.compile(r"\s*#redirect\s*:?\s*\[\[", re.IGNORECASE)
# Exports before version 0.6 have no <ns>; there the title's prefix tells.
_PREFIXES = {name: number for number, name in enumerate(
    ("talk", "user", "user talk", "wikipedia", "wikipedia talk", "file", "file talk", "mediawiki", "mediawiki talk",
     "template", "template talk", "help", "help talk", "category", "category talk"), start=1)
} | {"media": -2, "special": -1, "image": 6, "image talk": 7, "portal": 100, "portal talk": 101}


class _Elements:
    """The wanted elements of one page; of several revisions the last, which is the newest."""

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
        """Reads a page; returns what is wrong with it, or ""."""
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
        if len(name) > _LONGEST_NAME:  # paths would cost more than the page
            raise ValueError(f"the name of an element is longer than {_LONGEST_NAME}")
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


def parse_page(data: bytes, place: Range, config: WikipediaConfig, *, origin: int, inner: int,
               oversized: bool = False) -> RawDocument | Reject:
    """Parses one page, alone, so that a bad one harms no other.

    Args:
        data: bytes of the page element, or its beginning if ``oversized``.
        place: the range it was read from.
        origin, inner: where its tag stands, as in Piece.

    Returns:
        The document, or a Reject of stage ``read``: BAD_XML, TOO_LARGE, BAD_PAGE, NAMESPACE, REDIRECT, EMPTY_PAGE or
        DISAMBIGUATION, the first that applies. Its id is the document's, but FILE#OFFSET for BAD_XML, BAD_PAGE and
        where no page id can be read.
    """
    elements = _Elements()
    problem = elements.parse(data, final=not oversized)
    page_id, title = elements.get("page/id"), elements.get("page/title")
    known = page_id.isascii() and page_id.isdigit()
    offset = origin if place.kind == "bz2" else origin + inner
    unnamed = f"{place.file}#{origin}+{inner}" if place.kind == "bz2" else f"{place.file}#{offset}"
    name = f"{SOURCE}-{page_id.lstrip('0') or '0'}" if known else unnamed

    def reject(reason: Reason, detail: str) -> Reject:
        return Reject(id=name, reason=reason, stage="read", detail=" ".join(detail.split())[:200], title=title,
                      file=place.file, offset=offset, range_key=place.key)

    if oversized:
        return reject(Reason.TOO_LARGE, f"the page is over {config.max_page_bytes} bytes")
    if not problem and _DECLARATION.search(data):
        problem = "a DOCTYPE or ENTITY declaration"
    if problem or not known or not title:
        name = unnamed  # an id is not to be trusted here
    if problem:
        return reject(Reason.BAD_XML, problem)
    if not known or not title:
        return reject(Reason.BAD_PAGE, f"id {page_id[:40]!r}, title {title[:80]!r}")
    if (namespace := _namespace(elements, title)) not in config.namespaces:
        return reject(Reason.NAMESPACE, str(namespace))
    text = elements.values.get("page/revision/text", "")
    if elements.redirect is not None or _REDIRECT.match(text):
        return reject(Reason.REDIRECT, elements.redirect or text[:200])
    if not text.strip():
        return reject(Reason.EMPTY_PAGE, "no text")
    if sign := is_disambiguation(title, text):
        return reject(Reason.DISAMBIGUATION, sign)
    return RawDocument(id=name, source=SOURCE, title=title, text=text, markup="wikitext",
                       revision=elements.get("page/revision/id"), timestamp=elements.get("page/revision/timestamp"),
                       file=place.file, offset=offset, range_key=place.key)


def _namespace(elements: _Elements, title: str) -> int | str:
    given = elements.get("page/ns")
    if not given:
        return _PREFIXES.get(title.partition(":")[0].replace("_", " ").lower(), 0) if ":" in title else 0
    return int(given) if re.fullmatch(r"-?[0-9]{1,9}", given) else given
