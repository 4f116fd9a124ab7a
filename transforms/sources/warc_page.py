"""One WARC record to a document or a reject. fastwarc reads the headers; the record was framed before."""
from __future__ import annotations

import hashlib
import io
import re
from dataclasses import dataclass

from fastwarc.warc import ArchiveIterator, WarcRecord

from rules.records import Metadata, RawDocument, Reject
from rules.text.charset import decode_html
from rules.verdict import Reason
from transforms.sources.http_body import BodyError, BodyTooLarge, decode_body
from transforms.sources.ranges import Range
from transforms.sources.warc_records import Framed

SOURCE = "warc"
RESPONSE, UNKNOWN = "response", "unknown"
_TYPES = frozenset(("warcinfo", RESPONSE, "resource", "request", "metadata", "revisit", "conversion", "continuation"))
_HTML = frozenset(("text/html", "application/xhtml+xml"))
_UUID = re.compile(r"<?urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>?", re.IGNORECASE)
_BEGINS_AS_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b",
                             re.IGNORECASE | re.DOTALL)
_SNIFFED = 1 << 11
_CONTROLS = re.compile(r"[\x00-\x20\x7f]+")
_LONGEST = 4096  # characters of a URL that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class PageConfig:
    """What a page may be: ``max_page_bytes`` of a record and of its decoded body."""

    max_page_bytes: int = 16 << 20

    def __post_init__(self) -> None:
        if self.max_page_bytes < 1:
            raise ValueError(f"max_page_bytes must be positive, not {self.max_page_bytes}")


def record_type(framed: Framed) -> str:
    """Returns the WARC-Type: ``response``, ``request`` ...; UNKNOWN for another type and for a header nobody can read."""
    record = _parsed(framed.head)
    kind = (record.headers.get("WARC-Type") or "").strip().lower() if record is not None else ""
    return kind if kind in _TYPES else UNKNOWN


def is_document(framed: Framed) -> bool:
    """Whether a record counts as a document: a response, or a broken record that may have been one."""
    kind = record_type(framed)
    return kind == RESPONSE or bool(framed.problem) and kind == UNKNOWN


def parse_record(framed: Framed, place: Range, config: PageConfig, *, label: str) -> RawDocument | Reject | None:
    """Parses one record, alone, so that a bad one harms no other.

    Args:
        framed: the record.
        place: the range that it was read from.
        config: caps.
        label: the file's name, unique among the inputs; ids derive from it.

    Returns:
        The page; a Reject of stage ``read``: TOO_LARGE, BAD_RECORD, HTTP_STATUS, NOT_HTML, BAD_CODING or EMPTY_PAGE, the
        first that applies; or None where the record is no document (is_document).
    """
    if not is_document(framed):
        return None
    record = _parsed(framed.head + framed.block)
    page = _Page(framed, place, "" if record is None else record.headers.get("WARC-Record-ID") or "", label)
    if framed.problem:
        return page.reject(Reason.TOO_LARGE if framed.oversized else Reason.BAD_RECORD, framed.problem)
    http = record.http_headers
    if http is None or http.status_code is None:
        return page.reject(Reason.BAD_RECORD, "the response has no HTTP header")
    if http.status_code != 200:
        return page.reject(Reason.HTTP_STATUS, http.status_line)
    content_type = http.get("Content-Type") or ""
    body = record.reader.read()
    media_type = content_type.partition(";")[0].partition(",")[0].strip().lower()
    if media_type and media_type not in _HTML:
        return page.reject(Reason.NOT_HTML, content_type)
    try:
        body = decode_body(body, transfer=http.get("Transfer-Encoding") or "", content=http.get("Content-Encoding") or "",
                           cap=config.max_page_bytes)
    except BodyTooLarge as error:
        return page.reject(Reason.TOO_LARGE, str(error))
    except BodyError as error:
        return page.reject(Reason.BAD_CODING, str(error))
    if not media_type and body and not _BEGINS_AS_HTML.match(body[:_SNIFFED]):
        return page.reject(Reason.NOT_HTML, "no Content-Type, and the body does not begin as HTML")
    text = decode_html(body, content_type)
    if not text.strip():
        return page.reject(Reason.EMPTY_PAGE, "no text")
    return page.document(text, url=record.headers.get("WARC-Target-URI") or "", fetched=record.headers.get("WARC-Date") or "")


def _parsed(data: bytes) -> WarcRecord | None:
    """The record with its HTTP header read; None if it has no header that can be read."""
    try:
        return next(iter(ArchiveIterator(io.BytesIO(data), stream_detect=False, quirks_mode=True)), None)
    except OSError:
        return None


class _Page:
    """Identity and lineage of a page."""

    def __init__(self, framed: Framed, place: Range, record_id: str, label: str) -> None:
        self._place, self._offset = place, framed.offset
        where = f"{framed.offset}+{framed.inner}" if framed.inner else str(framed.offset)
        self._unnamed = f"{place.file}#{where}"
        # The same record may lie in two inputs, or twice in one: its own id alone would not be unique.
        digest = hashlib.sha256(f"{label}#{where}".encode("utf-8", "surrogateescape")).hexdigest()
        uuid = _UUID.fullmatch(record_id.strip())
        self._record = uuid.group(1).lower() if uuid else ""
        self._id = f"news-{self._record}-{digest[:8]}" if uuid else f"news-{digest[:24]}"

    def reject(self, reason: Reason, detail: str) -> Reject:
        broken = reason is Reason.BAD_RECORD and not self._record
        return Reject(id=self._unnamed if broken else self._id, reason=reason, stage="read",
                      detail=" ".join(detail.split())[:200], file=self._place.file, offset=self._offset,
                      range_key=self._place.key)

    def document(self, text: str, *, url: str, fetched: str) -> RawDocument:
        url = _CONTROLS.sub("", url).removeprefix("<").removesuffix(">")[:_LONGEST]
        fetched = _CONTROLS.sub("", fetched)[:40]
        return RawDocument(
            id=self._id, source=SOURCE, title="", text=text, markup="html", timestamp=fetched, file=self._place.file,
            offset=self._offset, range_key=self._place.key,
            metadata=Metadata(url=url, record=self._record, fetched=fetched))
