"""Output files whose bytes are counted and hashed on the way, and gzip without time or name."""
from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator

from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems

_CHUNK = 1024 * 1024


class HashingFile(io.RawIOBase):
    """A new file for writing; ``size`` and ``sha256`` tell what was written to ``path``."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self._file = FileSystems.create(path, compression_type=CompressionTypes.UNCOMPRESSED)
        self._hash = hashlib.sha256()
        self.size = 0

    @property
    def sha256(self) -> str:
        """SHA-256 of everything written, in hexadecimal digits."""
        return self._hash.hexdigest()

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.size

    def write(self, data: bytes) -> int:
        """Writes all of ``data``."""
        view = memoryview(data).cast("B")
        self._file.write(view)
        self._hash.update(view)
        self.size += len(view)
        return len(view)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def open_gzip(file: io.RawIOBase) -> gzip.GzipFile:
    """Returns a gzip stream onto ``file``: no name, no time, so that the same content gives the same bytes."""
    return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0)


def read_chunks(path: str) -> Iterator[bytes]:
    """Yields the bytes of a file."""
    with FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED) as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def gunzip_chunks(path: str) -> Iterator[bytes]:
    """Yields the content of a gzip file.

    Raises:
        ValueError: it is not one whole gzip stream.
    """
    inflate = zlib.decompressobj(wbits=31)
    try:
        for chunk in read_chunks(path):
            yield inflate.decompress(chunk)
    except zlib.error as error:
        raise ValueError(f"{path}: {error}") from None
    if not inflate.eof or inflate.unused_data:
        raise ValueError(f"{path} is not one whole gzip stream")


def sha256_of(path: str) -> str:
    """Returns the SHA-256 of a file."""
    digest = hashlib.sha256()
    for chunk in read_chunks(path):
        digest.update(chunk)
    return digest.hexdigest()
