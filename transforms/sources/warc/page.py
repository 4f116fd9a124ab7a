"""Conversion of one framed WARC record to a document or a reject."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace

from gistmill.core.records import Metadata, Origin, Reject
from gistmill.core.verdict import Reason
from gistmill.rules.documents import RawDocument
from gistmill.rules.reasons import ReadReason
from gistmill.rules.text.charset import decode_html
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.warc.headers import Header, parse_header, parse_response
from gistmill.transforms.sources.warc.http_body import BodyError, BodyTooLarge, decode_body
from gistmill.transforms.sources.warc.records import Framed

SOURCE = "warc"
RESPONSE, UNKNOWN = "response", "unknown"
_TYPES = frozenset(("warcinfo", RESPONSE, "resource", "request", "metadata", "revisit", "conversion", "continuation"))
_HTML = frozenset(("text/html", "application/xhtml+xml"))
_UUID = re.compile(r"<?urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>?", re.IGNORECASE)
_BEGINS_AS_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)
_SNIFFED = 1 << 11
_CONTROLS = re.compile(r"[\x00-\x20\x7f]+")
_LONGEST = 4096  # characters of a URL that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class PageConfig:
    """Limits on a page: ``max_page_bytes`` of a record and of its decoded body."""

    max_page_bytes: int = 16 << 20

    def __post_init__(self) -> None:
        if self.max_page_bytes < 1:
            raise ValueError(f"max_page_bytes must be positive, not {self.max_page_bytes}")


def record_type(framed: Framed) -> str:
    """Returns the WARC-Type: ``response``, ``request`` ...; UNKNOWN for other types and headers that cannot be read."""
    kind = parse_header(framed.head).get("warc-type").lower()
    return kind if kind in _TYPES else UNKNOWN


def is_document(framed: Framed) -> bool:
    """Whether a record counts as a document: a response, or a broken record that may have been one."""
    kind = record_type(framed)
    return kind == RESPONSE or bool(framed.problem) and kind == UNKNOWN


def parse_record(framed: Framed, place: FileRange, config: PageConfig, *, label: str) -> RawDocument | Reject | None:
    """Parses one record, alone, so that a bad one harms no other.

    Args:
        framed: the record.
        place: the range that it was read from.
        config: caps.
        label: the file's name, unique among the inputs; ids derive from it.

    Returns:
        The page; a Reject of stage ``read``: TOO_LARGE, BAD_RECORD, HTTP_STATUS, NOT_HTML, BAD_CODING or EMPTY_PAGE,
        the first that applies; or None where the record is not a document (is_document).
    """
    if not is_document(framed):
        return None
    origin = _origin(framed, place, parse_header(framed.head), label=label)

    def reject(reason: Reason, detail: str) -> Reject:
        named = origin.metadata.record or reason is not ReadReason.BAD_RECORD
        known = origin if named else replace(origin, id=f"{place.file}#{_where(framed)}")
        return known.reject(reason, "read", " ".join(detail.split())[:200])

    if framed.problem:
        return reject(ReadReason.TOO_LARGE if framed.oversized else ReadReason.BAD_RECORD, framed.problem)
    http, body = parse_response(framed.block)
    if http.status is None:
        return reject(ReadReason.BAD_RECORD, "the response has no HTTP header")
    if http.status != 200:
        return reject(ReadReason.HTTP_STATUS, http.first)
    content_type = http.get("content-type")
    media_type = content_type.partition(";")[0].partition(",")[0].strip().lower()
    if media_type and media_type not in _HTML:
        return reject(ReadReason.NOT_HTML, content_type)
    try:
        body = decode_body(
            body,
            transfer=http.get("transfer-encoding"),
            content=http.get("content-encoding"),
            cap=config.max_page_bytes,
        )
    except BodyTooLarge as error:
        return reject(ReadReason.TOO_LARGE, str(error))
    except BodyError as error:
        return reject(ReadReason.BAD_CODING, str(error))
    if not media_type and body and not _BEGINS_AS_HTML.match(body[:_SNIFFED]):
        return reject(ReadReason.NOT_HTML, "no Content-Type, and the body does not begin as HTML")
    text = decode_html(body, content_type)
    if not text.strip():
        return reject(ReadReason.EMPTY_PAGE, "no text")
    return RawDocument(origin, text, "html")


def _where(framed: Framed) -> str:
    return f"{framed.offset}+{framed.inner}" if framed.inner else str(framed.offset)


def _origin(framed: Framed, place: FileRange, header: Header, *, label: str) -> Origin:
    uuid = _UUID.fullmatch(header.get("warc-record-id"))
    name = uuid.group(1).lower() if uuid else ""
    # The same record may lie in two inputs, or twice in one: its own id alone would not be unique.
    digest = hashlib.sha256(f"{label}#{_where(framed)}".encode("utf-8", "surrogateescape")).hexdigest()
    url = _CONTROLS.sub("", header.get("warc-target-uri")).removeprefix("<").removesuffix(">")[:_LONGEST]
    fetched = _CONTROLS.sub("", header.get("warc-date"))[:40]
    return Origin(
        f"news-{name}-{digest[:8]}" if name else f"news-{digest[:24]}",
        SOURCE,
        timestamp=fetched,
        file=place.file,
        offset=framed.offset,
        range_key=place.key,
        metadata=Metadata(url=url, record=name, fetched=fetched),
    )
