"""Text of zstd and xz files, decompressed with bounded memory, as ``streams.py`` has that of gzip files."""

from __future__ import annotations

import lzma
from collections.abc import Iterator

import zstandard

from gistmill.core.records import Damage
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.files.streams import Piece

ZSTD_MAGIC, XZ_MAGIC = b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00"
_MAX_WINDOW = 1 << 27  # bytes that zstd may look back
_MAX_MEMORY = 1 << 28  # bytes of the dictionary of xz; `xz -9` asks for a quarter
_FEED = 1 << 10  # compressed bytes at once; zstd gives all their text at once, 32 MB at most
_OUTPUT = 1 << 20  # text that is asked of xz at once
_MOST_TEXT_PER_BYTE, _ALWAYS_ALLOWED = 1000, 1 << 28  # both find more repetition than gzip


def zstd_pieces(path: str) -> Iterator[Piece | Damage]:
    """Yields the text of a zstd file; nothing after a damage. Raises SourceError: a decompression bomb."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MAX_WINDOW)
    with open_input(path) as handle:
        frame, taken, given, data = None, 0, 0, b""
        while data := data or handle.read(_FEED):
            frame = frame or decompressor.decompressobj()
            taken += len(data)
            try:
                text = frame.decompress(data)
            except zstandard.ZstdError as error:
                yield Damage(path, taken, f"the zstd frame is damaged before here: {error}")
                return
            data = frame.unused_data
            taken -= len(data)
            if frame.eof:
                frame = None
            given += len(text)
            _check_ratio(path, taken, given)
            yield Piece(text, 0, given - len(text))
        if frame is not None:
            yield Damage(path, taken, "the file ends inside a zstd frame")


def xz_pieces(path: str) -> Iterator[Piece | Damage]:
    """Yields the text of an xz file of one or more streams; nothing after a damage. Raises SourceError: a decompression
    bomb."""
    with open_input(path) as handle:
        stream, taken, given, data = None, 0, 0, b""
        while data := data or handle.read(_FEED):
            taken += len(data)
            if stream is None and not (data := data.lstrip(b"\0")):  # padding between streams
                continue
            stream = stream or lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_MEMORY)
            while True:
                try:
                    text = stream.decompress(data, _OUTPUT)
                except lzma.LZMAError as error:
                    yield Damage(path, taken, f"the xz stream is damaged before here: {error}")
                    return
                data, given = b"", given + len(text)
                _check_ratio(path, taken, given)
                yield Piece(text, 0, given - len(text))
                if stream.eof or stream.needs_input:
                    break
            if stream.eof:
                data, stream = stream.unused_data, None
                taken -= len(data)
        if stream is not None:
            yield Damage(path, taken, "the file ends inside an xz stream")


def _check_ratio(path: str, taken: int, given: int) -> None:
    if given > _ALWAYS_ALLOWED + _MOST_TEXT_PER_BYTE * taken:
        raise SourceError(f"{path}: far more text than its bytes can honestly hold; refused as a decompression bomb")
