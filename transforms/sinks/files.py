"""Output files whose bytes are counted and hashed on the way, and gzip without time or name."""

from __future__ import annotations

import gzip
import hashlib
import io
from collections.abc import Iterator
from typing import Any

from gistmill.core.framing import FramingError, gunzip
from gistmill.transforms.io import create, read_chunks


class HashingFile(io.RawIOBase):
    """A new file for writing; ``size`` and ``sha256`` tell what was written to ``path``."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self._file = create(path)
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

    def write(self, data: Any) -> int:
        """Writes all of ``data``, a bytes-like object."""
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


def gunzip_chunks(path: str) -> Iterator[bytes]:
    """Yields the content of a gzip file.

    Raises:
        ValueError: it is not one whole gzip stream.
    """
    try:
        yield from gunzip(read_chunks(path))
    except FramingError as error:
        raise ValueError(f"{path} {error}") from None
