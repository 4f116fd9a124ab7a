"""Bodies of HTTP responses as the server meant them: transfer and content codings undone, under a cap of size."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable

import brotli
import zstandard

_MOST_CODINGS = 4  # one on top of the other
_MAX_SIZE_LINE = 1 << 10
_MAX_WINDOW = 1 << 27
_SIZE_LINE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]*)?\r?\n")
_MARKUP = re.compile(rb"\s*(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*\0?<")
_TAG = re.compile(rb"<[A-Za-z!]")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BEGINNING = 1 << 12


class BodyError(ValueError):
    """The body is not in the coding that its header names, or breaks off; the text says how."""


class BodyTooLarge(ValueError):
    """The body is over the cap once it is decoded."""


def decode_body(body: bytes, *, transfer: str, content: str, cap: int) -> bytes:
    """Returns a body without its codings.

    Crawlers often keep the headers of codings that they undid themselves. So a body that plainly is markup, or text
    before markup, is taken as it is wherever a coding does not fit it.

    Args:
        body: as it was sent.
        transfer, content: values of the headers Transfer-Encoding and Content-Encoding, or "".
        cap: bytes that the result, and whatever lies between, may have.

    Raises:
        BodyError: a coding is unknown, or does not fit.
        BodyTooLarge: it is over the cap.
    """
    codings = [name for header in (content, transfer) for name in _names(header)]
    if len(codings) > _MOST_CODINGS:
        raise BodyError(f"more than {_MOST_CODINGS} codings")
    for name in reversed(codings):
        try:
            decode = _DECODERS.get(name)
            if decode is None:
                raise BodyError(f"unknown coding {name[:40]!r}")
            body = decode(body, cap)
        except BodyError:
            if not _is_markup(body):
                raise
    if len(body) > cap:
        raise BodyTooLarge(f"the body is {len(body)} bytes long")
    return body


def _is_markup(body: bytes) -> bool:
    """Whether a body plainly is in no coding: markup, or lines of text (such as a notice of the server's) before it.

    A chunked body that breaks off begins with the size of a chunk. It is in its coding.
    """
    beginning = body[:_BEGINNING]
    if _MARKUP.match(beginning):
        return True
    return bool(_TAG.search(beginning)) and not _CONTROLS.search(beginning) and not _SIZE_LINE.match(beginning)


def _names(header: str) -> list[str]:
    names = (part.strip().lower().removeprefix("x-") for part in header.split(","))
    return [name for name in names if name not in ("", "identity", "none")]


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
            raise BodyError(f"the chunked body breaks off in the chunk at byte {position}")
        parts.append(body[begin : begin + size])
        position = begin + size
        position += 2 if body[position : position + 2] == b"\r\n" else body[position : position + 1] == b"\n"


def _gunzip(body: bytes, cap: int) -> bytes:
    parts, left = [], cap
    while body:
        text, body = _inflate(body, left, 31)
        parts.append(text)
        left -= len(text)
        if not body.startswith(b"\x1f\x8b"):  # what some servers send after the end is not text
            break
    return b"".join(parts)


def _inflate(body: bytes, cap: int, wbits: int) -> tuple[bytes, bytes]:
    """Returns the text of a stream and what follows it."""
    stream = zlib.decompressobj(wbits=wbits)
    try:
        text = stream.decompress(body, cap + 1)
    except zlib.error as error:
        raise BodyError(str(error)) from None
    _check(text, cap)
    if not stream.eof:
        raise BodyError("the compressed body breaks off")
    return text, stream.unused_data


def _deflate(body: bytes, cap: int) -> bytes:
    try:
        return _inflate(body, cap, 15)[0]
    except BodyError:  # many servers leave zlib's header out
        return _inflate(body, cap, -15)[0]


def _unbrotli(body: bytes, cap: int) -> bytes:
    stream = brotli.Decompressor()
    try:
        parts = [stream.process(body, output_buffer_limit=cap + 1)]
        size = len(parts[0])
        while size <= cap and not stream.is_finished() and not stream.can_accept_more_data():
            parts.append(stream.process(b"", output_buffer_limit=cap + 1 - size))
            size += len(parts[-1])
    except brotli.error as error:
        raise BodyError(str(error) or "no brotli stream") from None
    text = b"".join(parts)
    _check(text, cap)
    if not stream.is_finished():
        raise BodyError("the compressed body breaks off")
    return text


def _unzstd(body: bytes, cap: int) -> bytes:
    reader = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW).stream_reader(
        io.BytesIO(body), read_across_frames=True
    )
    try:
        text = reader.read(cap + 1)
    except zstandard.ZstdError as error:
        raise BodyError(str(error)) from None
    _check(text, cap)
    return text


def _check(text: bytes, cap: int) -> None:
    if len(text) > cap:
        raise BodyTooLarge(f"the body is over {cap} bytes once it is decoded")


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "chunked": _dechunk,
    "gzip": _gunzip,
    "deflate": _deflate,
    "br": _unbrotli,
    "zstd": _unzstd,
}
