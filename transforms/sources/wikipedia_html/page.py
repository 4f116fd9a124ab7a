"""Conversion of one line of a snapshot to a document or a reject."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from gistmill.core.options import PARSOID
from gistmill.core.records import NO_METADATA, Metadata, Origin, Reject
from gistmill.core.verdict import Reason
from gistmill.rules.documents import RawDocument
from gistmill.rules.reasons import ReadReason
from gistmill.rules.text.marks import without_controls
from gistmill.rules.wiki.page import language_of_wiki
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.jsonl.lines import Line
from gistmill.transforms.sources.jsonl.objects import NotAnObject, object_of
from gistmill.transforms.sources.wikipedia.address import page_address
from gistmill.transforms.sources.wikipedia.disambiguation import is_disambiguation_page
from gistmill.transforms.sources.wikipedia.export import SOURCE
from gistmill.transforms.sources.wikipedia_html.config import SnapshotConfig

_LONGEST = 4096  # characters of a title or URL that are kept
_MOST_DETAIL = 320  # characters
_REDIRECT = re.compile(r'<link\b[^>]*\brel="mw:PageProp/redirect"[^>]*')
_TARGET = re.compile(r'href="(?:\./)?([^"]*)"')


class Identity(NamedTuple):
    """Which page of which wiki a line has, in which version; 0 where the line does not say."""

    wiki: str
    page: int
    version: int


def identity_of(line: Line) -> Identity | None:
    """Returns what page a line has; None where no page can be told."""
    try:
        values = object_of(line)
    except NotAnObject:
        return None
    page = _number(values.get("identifier"))
    wiki = _inside(values, "is_part_of", "identifier")
    version = _number(_inside(values, "version", "identifier"))
    return Identity(wiki if isinstance(wiki, str) else "", int(page), int(version or 0)) if page else None


def parse_line(
    line: Line, place: FileRange, config: SnapshotConfig, *, looks: Callable[[], str] = str
) -> RawDocument | Reject | None:
    """Returns the document of a line; None for a page outside the wanted namespaces; or a Reject of stage ``read``:
    TOO_LARGE, BAD_LINE, BAD_PAGE, OLD_VERSION, REDIRECT, EMPTY_PAGE or DISAMBIGUATION, the first that applies.

    A document has the id, title, revision, time and URL that it has in an export. The id of a Reject is the
    document's, but FILE#OFFSET where no page can be read, and of an OLD_VERSION.

    Args:
        line: the line; its offset counts from the beginning of the range's file.
        place: the range that has it.
        config: what a page may be.
        looks: what a detail adds where a line does not hold an object.
    """
    unnamed = Origin(f"{place.file}#{line.offset}", SOURCE, file=place.file, offset=line.offset, range_key=place.key)

    def reject(origin: Origin, reason: Reason, detail: str) -> Reject:
        return origin.reject(reason, "read", f"line {line.number}: {' '.join(detail.split())[:_MOST_DETAIL]}")

    if line.oversized:
        return reject(unnamed, ReadReason.TOO_LARGE, f"over {config.max_line_bytes} bytes long")
    try:
        values = object_of(line)
        html = _html(values)
        namespace = _namespace(values)
    except NotAnObject as error:
        return reject(unnamed, ReadReason.BAD_LINE, f"{error}{looks()}")
    except ValueError as error:
        return reject(unnamed, ReadReason.BAD_LINE, str(error))
    page, title = _number(values.get("identifier")), _text(values.get("name"))
    if not page or not title:
        detail = f"identifier {str(values.get('identifier'))[:40]!r}, name {title[:80]!r}"
        return reject(unnamed, ReadReason.BAD_PAGE, detail)
    origin = _described(unnamed, values, page, title)
    if line.offset in place.superseded:
        return reject(replace(origin, id=unnamed.id), ReadReason.OLD_VERSION, f"version {origin.revision}")
    if namespace not in config.namespaces:
        return None
    if redirect := _REDIRECT.search(html):
        target = _TARGET.search(redirect[0])
        return reject(origin, ReadReason.REDIRECT, target[1] if target else "")
    if not html.strip():
        return reject(origin, ReadReason.EMPTY_PAGE, "no HTML")
    if sign := is_disambiguation_page(title, html, language_of_wiki(origin.metadata.url)):
        return reject(origin, ReadReason.DISAMBIGUATION, sign)
    return RawDocument(origin, html, PARSOID)


def _described(unnamed: Origin, values: Mapping[str, Any], page: str, title: str) -> Origin:
    """The origin of a page, as an export would have it."""
    revision = _number(_inside(values, "version", "identifier"))
    url = _address(_text(values.get("url")), title, revision)
    return replace(
        unnamed,
        id=f"{SOURCE}-{page}",
        title=title,
        revision=revision,
        timestamp=_text(values.get("date_modified")),
        metadata=Metadata(url=url) if url else NO_METADATA,
    )


def _html(values: Mapping[str, Any]) -> str:
    """The HTML of a page, "" where there is none. Raises ValueError where it is not said or is no text."""
    body = values.get("article_body", "")
    if body is None:
        return ""
    if not isinstance(body, Mapping) or "html" not in body:
        raise ValueError("no field 'article_body' with a field 'html'")
    if not isinstance(body["html"], str | None):
        raise ValueError("'html' of 'article_body' is not a string")
    return body["html"] or ""


def _namespace(values: Mapping[str, Any]) -> int:
    """The number of the namespace; 0, articles, where a line says nothing. Raises ValueError if it is no number."""
    if values.get("namespace") is None:
        return 0
    number = _inside(values, "namespace", "identifier")
    if isinstance(number, bool) or not isinstance(number, int):
        raise ValueError("'identifier' of 'namespace' is not a whole number")
    return number


def _inside(values: Mapping[str, Any], outer: str, inner: str) -> Any:
    within = values.get(outer)
    return within.get(inner) if isinstance(within, Mapping) else None


def _number(value: Any) -> str:
    """A positive number as digits; "" for anything else."""
    digits = str(value) if isinstance(value, (int, str)) and not isinstance(value, bool) else ""
    return digits.lstrip("0") if digits.isascii() and digits.isdigit() and len(digits) < 19 else ""


def _text(value: Any) -> str:
    """A value on one line; "" for anything but a string."""
    return " ".join(without_controls(value[:_LONGEST]).split()) if isinstance(value, str) else ""


def _address(url: str, title: str, revision: str) -> str:
    """The URL of the version of a page, as it is made for a page of an export of the same wiki."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return page_address(f"{parts.scheme}://{parts.netloc}/wiki/", title, revision) if parts.netloc else ""
