"""Conversion of WARC records, whose HTTP responses are decoded, to documents or rejects."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import zstandard
from fastwarc.stream_io import BrotliReader

from gistmill.core.json_value import JsonError, JsonValue
from gistmill.core.manifest import CrawlEntry
from gistmill.core.records import Metadata, Origin, Reason, Reject
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.rules.text.charset import decode_html
from gistmill.transforms.io import exists, is_url, read_json, write_json
from gistmill.transforms.sources.files.ranges import FileRange, SourceError, is_listing, split_commas
from gistmill.transforms.sources.warc.records import Framed, Header

_MOST_CODINGS = 4  # nested
_MAX_SIZE_LINE = 1 << 10
_MAX_WINDOW = 1 << 27
_SIZE_LINE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
_MARKUP = re.compile(rb"\s*+(?:(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)\s*+)?\0?<")
_TAG = re.compile(rb"<[A-Za-z!]")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BEGINNING = 1 << 12
_GZIP = re.compile(rb"\x1f\x8b")
_ZSTD = re.compile(rb"(?:\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18)")
_NEVER = re.compile(rb"(?!)")
_Decoder = Callable[[bytes, int], bytes]


class BodyError(ValueError):
    """The body does not match the coding in its header, or is truncated; the message gives details."""


class BodyTooLarge(ValueError):
    """The decoded body is over the cap."""


def decode_body(body: bytes, *, transfer: str, content: str, cap: int) -> bytes:
    """Removes the codings of a body.

    Crawlers often keep the headers of codings that they have already removed. A coding that does not match is therefore
    ignored if the body is plainly markup, or text followed by markup.

    Args:
        body: the body as it was sent.
        transfer, content: values of the headers Transfer-Encoding and Content-Encoding, or "".
        cap: maximum bytes of the result and of each intermediate form.

    Raises:
        BodyError: a coding is unknown or does not match.
        BodyTooLarge: the body is over the cap.
    """
    names = (part.strip().lower().removeprefix("x-") for part in f"{content},{transfer}".split(","))
    codings = [name for name in names if name not in ("", "identity", "none")]
    if len(codings) > _MOST_CODINGS:
        raise BodyError(f"more than {_MOST_CODINGS} codings")
    for name in reversed(codings):
        try:
            decode = _DECODERS.get(name)
            if decode is None:
                raise BodyError(f"unknown coding {name[:40]!r}")
            if body or name == "chunked":  # even an empty chunked body contains a chunk
                body = decode(body, cap)
        except BodyError:
            if not _is_markup(body):
                raise
    if len(body) > cap:
        raise BodyTooLarge(f"the body is {len(body)} bytes long")
    return body


def _is_markup(body: bytes) -> bool:
    """Whether a body is plainly not encoded: it is markup, perhaps after lines of text such as a server notice, and
    does not begin with a chunk size, as a truncated chunked body does."""
    beginning = body[:_BEGINNING]
    if _MARKUP.match(beginning):
        return True
    return bool(_TAG.search(beginning)) and not _CONTROLS.search(beginning) and not _SIZE_LINE.match(beginning)


def _dechunk(body: bytes, cap: int) -> bytes:
    parts: list[bytes] = []
    position = 0
    while True:
        line = _SIZE_LINE.match(body, position, position + _MAX_SIZE_LINE)
        if line is None:
            raise BodyError(f"the chunked body has no chunk at byte {position}")
        size, begin = int(line.group(1), 16), line.end()
        if not size:
            return b"".join(parts)
        if begin + size > len(body):
            raise BodyError(f"the chunked body is truncated in the chunk at byte {position}")
        parts.append(body[begin : begin + size])
        position = begin + size
        position += 2 if body[position : position + 2] == b"\r\n" else body[position : position + 1] == b"\n"


def _streams(begin: Callable[[], Any], magic: re.Pattern[bytes], feed: int) -> _Decoder:
    """Returns a decoder for consecutive streams; other data that some servers send after them is ignored.

    Args:
        begin: returns a decompressor for one stream.
        magic: pattern for the beginning of another stream.
        feed: bytes decompressed at once; few enough to yield at most some megabytes.
    """

    def decode(body: bytes, cap: int) -> bytes:
        stream, position, text = begin(), 0, bytearray()
        while piece := body[position : position + feed]:
            try:
                text += stream.decompress(piece)
            except (zlib.error, zstandard.ZstdError) as error:
                raise BodyError(str(error)) from None
            _check(text, cap)
            position += len(piece)
            if stream.eof:
                position -= len(stream.unused_data)
                if not magic.match(body, position):
                    return bytes(text)
                stream = begin()
        raise BodyError("the compressed body is truncated")

    return decode


def _deflate(body: bytes, cap: int) -> bytes:
    try:
        return _streams(zlib.decompressobj, _NEVER, 1 << 12)(body, cap)
    except BodyError:  # many servers omit the zlib header
        return _streams(lambda: zlib.decompressobj(wbits=-15), _NEVER, 1 << 12)(body, cap)


def _unbrotli(body: bytes, cap: int) -> bytes:
    try:
        text = BrotliReader(io.BytesIO(body)).read(cap + 1)
    except OSError as error:
        raise BodyError(f"the brotli stream is damaged or truncated: {error}") from None
    _check(text, cap)
    return text


def _check(text: bytes | bytearray, cap: int) -> None:
    if len(text) > cap:
        raise BodyTooLarge(f"the decoded body is over {cap} bytes")


_DECODERS: dict[str, _Decoder] = {
    "chunked": _dechunk,
    "gzip": _streams(lambda: zlib.decompressobj(wbits=31), _GZIP, 1 << 12),
    "deflate": _deflate,
    "br": _unbrotli,
    "zstd": _streams(lambda: zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW).decompressobj(), _ZSTD, 1 << 8),
}


SOURCE = "warc"
_HTML = frozenset(("text/html", "application/xhtml+xml"))
_UUID = re.compile(r"<?urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>?", re.IGNORECASE)
_BEGINS_AS_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--(?>.*?-->)\s*+)*+<(?:!doctype\s++html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_SNIFFED = 1 << 11
_BLANKS = re.compile(r"[\x00-\x20\x7f]+")
_LONGEST = 4096  # maximum characters of a URL


def parse_record(framed: Framed, place: FileRange, *, cap: int, label: str) -> RawDocument | Reject | None:
    """Parses one record independently, so that a bad record does not affect others.

    Args:
        framed: the record.
        place: the range that the record was read from.
        cap: maximum bytes of the decoded body.
        label: a label for the file, unique among the inputs; ids are derived from it.

    Returns:
        The page; a Reject in stage ``read`` with the first reason that applies of TOO_LARGE, BAD_RECORD, HTTP_STATUS,
        NOT_HTML, BAD_CODING and EMPTY_PAGE; or None if the record is not a document (Framed.is_document).
    """
    if not framed.is_document:
        return None
    origin = _origin(framed, place, label)

    def reject(reason: Reason, detail: str) -> Reject:
        named = origin.metadata.record or reason is not ReadReason.BAD_RECORD
        known = origin if named else replace(origin, id=f"{place.file}#{_where(framed)}")
        return known.reject(reason, "read", " ".join(detail.split())[:200])

    if framed.problem:
        return reject(ReadReason.TOO_LARGE if framed.oversized else ReadReason.BAD_RECORD, framed.problem)
    head, body = framed.response()
    try:
        http = Header(head)
    except OSError as error:
        return reject(ReadReason.BAD_RECORD, f"the HTTP header cannot be read: {error}")
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
            cap=cap,
        )
    except BodyTooLarge as error:
        return reject(ReadReason.TOO_LARGE, str(error))
    except BodyError as error:
        return reject(ReadReason.BAD_CODING, str(error))
    if not media_type and body and not _BEGINS_AS_HTML.match(body[:_SNIFFED]):
        return reject(ReadReason.NOT_HTML, "no Content-Type, and the body does not begin as HTML")
    text = decode_html(body, content_type)
    if not text or text.isspace():
        return reject(ReadReason.EMPTY_PAGE, "no text")
    return RawDocument(origin, text, "html")


def _where(framed: Framed) -> str:
    return f"{framed.offset}+{framed.inner}" if framed.inner else str(framed.offset)


def _origin(framed: Framed, place: FileRange, label: str) -> Origin:
    header = Header(framed.head)
    uuid = _UUID.fullmatch(header.get("warc-record-id"))
    name = uuid.group(1).lower() if uuid else ""
    # The same record may occur in two inputs, or twice in one, so its own id is not necessarily unique.
    digest = hashlib.sha256(f"{label}#{_where(framed)}".encode("utf-8", "surrogateescape")).hexdigest()
    url = _BLANKS.sub("", header.get("warc-target-uri")).removeprefix("<").removesuffix(">")[:_LONGEST]
    fetched = _BLANKS.sub("", header.get("warc-date"))[:40]
    return Origin(
        f"news-{name}-{digest[:8]}" if name else f"news-{digest[:24]}",
        SOURCE,
        timestamp=fetched,
        file=place.file,
        offset=framed.offset,
        range_key=place.key,
        metadata=Metadata(url=url, record=name, fetched=fetched),
    )


_ENDING = ".crawls.json"


def write_note(listing: str, entries: Iterable[CrawlEntry]) -> None:
    """Writes the note on the crawl months of a listing."""
    write_json(f"{listing}{_ENDING}", [dataclasses.asdict(entry) for entry in entries], indent=1)


def crawl_entries(patterns: Iterable[str]) -> list[CrawlEntry]:
    """Returns the distinct entries in the notes on all local listings in ``patterns``.

    Raises SourceError if a note cannot be read.
    """
    found: list[CrawlEntry] = []
    listings = (p for p in split_commas(patterns) if is_listing(p) and not is_url(p))
    for note in (f"{listing}{_ENDING}" for listing in listings):
        if exists(note):
            try:
                found += (CrawlEntry.from_json(entry) for entry in JsonValue(read_json(note), note).items())
            except (ValueError, JsonError) as error:
                raise SourceError(f"{note} is not a valid note on crawl months: {error}") from None
    return [*dict.fromkeys(found)]
