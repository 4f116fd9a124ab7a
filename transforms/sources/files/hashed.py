"""A file that is hashed while it is read."""

from __future__ import annotations

import hashlib
import io
from typing import BinaryIO

_BLOCK = 1 << 20


class Hashed:
    """Wraps an open file at its beginning; every byte is hashed once, in order, whatever is read again or skipped."""

    def __init__(self, handle: BinaryIO) -> None:
        self._handle = handle
        self._digest = hashlib.sha256()
        self._hashed = self._position = 0

    def read(self, size: int, /) -> bytes:
        """As a file's; what was skipped before is hashed first."""
        if self._position > self._hashed:
            position = self._position
            self.seek(self._hashed)
            while self._position < position and self.read(min(_BLOCK, position - self._position)):
                pass
            self.seek(position)
        data = self._handle.read(size)
        if self._hashed >= self._position and self._position + len(data) > self._hashed:
            self._digest.update(memoryview(data)[self._hashed - self._position :])
            self._hashed = self._position + len(data)
        self._position += len(data)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """As a file's."""
        self._handle.seek(offset, whence)
        self._position = self._handle.tell()
        return self._position

    def tell(self) -> int:
        """As a file's."""
        return self._position

    def hexdigest(self) -> str:
        """Reads to the end of the file and returns its SHA-256."""
        self.seek(self._hashed)
        while self.read(_BLOCK):
            pass
        return self._digest.hexdigest()
