"""A file that is being downloaded in pieces: which of them are there, across processes that were killed.

Until it is whole, ``NAME.part`` with its bytes and ``NAME.pieces``, a line for each piece, lie in its place.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from pathlib import Path

PIECE_BYTES = 8 << 20


class Partial:
    """The pieces of a file that are there. Threads may share it.

    Args:
        place: where the whole file will be.
        size: its bytes.
        identity: what has to be equal for earlier pieces to be of this file, such as its SHA-1.
        piece_bytes: bytes of each piece but the last.

    Raises:
        OSError: the folder cannot be written.
    """

    def __init__(self, place: Path, *, size: int, identity: str, piece_bytes: int = PIECE_BYTES) -> None:
        self.place, self.size, self.piece_bytes = place, size, piece_bytes
        self.count = -(-size // piece_bytes)
        self._path, self._log = paths_of(place)
        self._changed = threading.Condition()
        self._taken: set[int] = set()
        header = json.dumps({"size": size, "identity": identity, "piece_bytes": piece_bytes})
        self._done = self._earlier(header)
        if not self._done:
            self._log.write_text(f"{header}\n", encoding="utf-8")
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        os.ftruncate(self._file, size)
        self._marks = os.open(self._log, os.O_WRONLY | os.O_APPEND)

    def _earlier(self, header: str) -> set[int]:
        """The pieces that an earlier process has finished; a line that it could not finish does not count."""
        try:
            first, *lines = self._log.read_text(encoding="utf-8", errors="replace").split("\n")
            if first != header or not self._path.is_file() or self._path.stat().st_size != self.size:
                return set()
        except FileNotFoundError:
            return set()
        return {int(line) for line in lines[:-1] if line.isdigit() and int(line) < self.count}

    @property
    def missing(self) -> int:
        """How many bytes are not there yet."""
        with self._changed:
            return sum(self.bounds(i)[1] - self.bounds(i)[0] for i in range(self.count) if i not in self._done)

    def bounds(self, piece: int) -> tuple[int, int]:
        """Returns the bytes of a piece: [start, end)."""
        return piece * self.piece_bytes, min(self.size, (piece + 1) * self.piece_bytes)

    def take(self) -> int | None:
        """Returns the first piece that nobody has taken; None when there is none."""
        with self._changed:
            free = (i for i in range(self.count) if i not in self._done and i not in self._taken)
            piece = next(free, None)
            if piece is not None:
                self._taken.add(piece)
            return piece

    def give_back(self, piece: int) -> None:
        """Lets others take a piece that could not be finished."""
        with self._changed:
            self._taken.discard(piece)
            self._changed.notify_all()

    def write(self, data: bytes, start: int) -> None:
        """Writes bytes of the file. Raises OSError: the disk is full."""
        view = memoryview(data)
        while view:
            written = os.pwrite(self._file, view, start)
            view, start = view[written:], start + written

    def finish(self, piece: int) -> None:
        """Says that a piece is written."""
        with self._changed:
            self._taken.discard(piece)
            if piece not in self._done:
                os.write(self._marks, f"{piece}\n".encode())
                self._done.add(piece)
            self._changed.notify_all()

    def has(self, piece: int) -> bool:
        """Whether a piece is there."""
        with self._changed:
            return piece in self._done

    def wait_for(self, piece: int, seconds: float) -> bool:
        """Waits until a piece is there; returns whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: piece in self._done, seconds)

    def read(self, piece: int) -> bytes:
        """Returns the bytes of a piece."""
        start, end = self.bounds(piece)
        return os.pread(self._file, end - start, start)

    def close(self) -> None:
        """Ends the use of the files; what is there stays."""
        os.close(self._file)
        os.close(self._marks)

    def keep(self) -> None:
        """Puts the whole file in its place, on the disk."""
        os.fsync(self._file)
        os.replace(self._path, self.place)
        folder = os.open(self.place.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
        self._log.unlink()

    def discard(self) -> None:
        """Removes what is there."""
        for path in (self._log, self._path):
            with contextlib.suppress(FileNotFoundError):
                path.unlink()


def paths_of(place: Path) -> tuple[Path, Path]:
    """Returns the names that a file has while it is downloaded: of its bytes, and of the list of its pieces."""
    return place.with_name(f"{place.name}.part"), place.with_name(f"{place.name}.pieces")
