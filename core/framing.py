"""Records in byte streams: gzip, TFRecord, lines. Chunks may have any size; memory holds one chunk and one record."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

_MASK_DELTA = 0xA282EAD8
_LENGTH = struct.Struct("<Q")
_CRC = struct.Struct("<I")
_HEAD = _LENGTH.size + _CRC.size
_MOST_RECORD = 256 << 20  # bytes
_PIECE = 1 << 20  # bytes decompressed at a time


class FramingError(ValueError):
    """A stream is truncated or damaged; the message is meant to follow the file name, as in "is damaged"."""


def gunzip(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the content of a gzip file.

    Raises:
        FramingError: the file is not a single complete gzip stream.
    """
    inflate = zlib.decompressobj(wbits=31)
    try:
        for chunk in chunks:
            yield inflate.decompress(chunk, _PIECE)
            while inflate.unconsumed_tail:
                yield inflate.decompress(inflate.unconsumed_tail, _PIECE)
        yield inflate.flush()
    except zlib.error as error:
        raise FramingError(f"is not gzip or is damaged: {error}") from None
    if not inflate.eof or inflate.unused_data:
        raise FramingError("is not a single complete gzip stream")


def tfrecord(data: bytes) -> bytes:
    """Returns a record in TFRecord framing: length and checksum, then data and checksum."""
    length = _LENGTH.pack(len(data))
    return length + _masked_crc(length) + data + _masked_crc(data)


def tfrecords(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the records of a TFRecord stream.

    Raises:
        FramingError: the stream is truncated, a checksum does not match, or a record exceeds 256 MiB.
    """
    buffer = bytearray()
    for chunk in chunks:
        buffer += chunk
        start = 0
        while len(buffer) - start >= _HEAD:
            (size,) = _LENGTH.unpack_from(buffer, start)
            stop = start + _HEAD + size + _CRC.size
            if _masked_crc(bytes(buffer[start : start + _LENGTH.size])) != buffer[start + _LENGTH.size : start + _HEAD]:
                raise FramingError("is damaged")
            if size > _MOST_RECORD:
                raise FramingError(f"contains a record of {size:,} bytes; the limit is {_MOST_RECORD:,}")
            if stop > len(buffer):
                break
            data = bytes(buffer[start + _HEAD : stop - _CRC.size])
            if _masked_crc(data) != buffer[stop - _CRC.size : stop]:
                raise FramingError("is damaged")
            yield data
            start = stop
        del buffer[:start]
    if buffer:
        raise FramingError("ends within a record")


def count_records(chunks: Iterable[bytes]) -> int:
    """Returns the number of records in a TFRecord stream; raises the same errors as ``tfrecords``."""
    return sum(1 for _ in tfrecords(chunks))


def count_lines(chunks: Iterable[bytes]) -> int:
    """Returns the number of lines.

    Raises:
        FramingError: the last line is incomplete.
    """
    lines, last = 0, b"\n"
    for chunk in chunks:
        lines += chunk.count(b"\n")
        last = chunk[-1:] or last
    if last != b"\n":
        raise FramingError("ends within a line")
    return lines


def _masked_crc(data: bytes) -> bytes:
    import google_crc32c  # imported here because datasets without TFRecord files do not need it

    crc = google_crc32c.value(data)
    return _CRC.pack((((crc >> 15) | (crc << 17)) + _MASK_DELTA) & 0xFFFFFFFF)
