"""Spooling: the text of a gzip, zstd or xz file, which cannot be read in parts, is written once into chunks of whole
pages.

A marker is written when a file is completely spooled; a later run over the same workspace reuses its chunks.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from gistmill.core.records import Damage
from gistmill.transforms.io import create, exists, join, read_json, size_of, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceError, range_key
from gistmill.transforms.sources.files.streams import Piece
from gistmill.transforms.sources.wikipedia.config import WikipediaConfig
from gistmill.transforms.sources.wikipedia.detect import pieces_of
from gistmill.transforms.sources.wikipedia.pages import PageSplitter

_SMALLEST_CHUNK = 1 << 16
_LARGEST_CHUNK = 8  # times range_bytes
_RATIO = 4  # text per compressed byte
_WANTED_CHUNKS = 48  # a small input is cut finer, so that it too keeps many workers busy


@dataclass(frozen=True, slots=True)
class Chunk:
    """A file of the workspace that holds bytes [start, end) of an input's text, ``documents`` pages."""

    path: str
    start: int
    end: int
    documents: int
    damage: tuple[Damage, ...] = ()


@dataclass(frozen=True, slots=True)
class Spooled:
    """All chunks of an input; ``complete`` unless a limit ended them before the end of the file."""

    chunks: tuple[Chunk, ...]
    complete: bool

    @property
    def documents(self) -> int:
        """Number of pages in the chunks."""
        return sum(chunk.documents for chunk in self.chunks)

    def ranges(self, file: InputFile) -> tuple[FileRange, ...]:
        """Returns a range for each chunk."""
        final = self.chunks[-1]
        return tuple(
            FileRange(
                key=range_key(file.index, chunk.start),
                file=file.path,
                path=chunk.path,
                kind="chunk",
                start=chunk.start,
                end=chunk.end,
                size=chunk.end - chunk.start,
                damage=chunk.damage,
                last=chunk is final and self.complete,
                max_documents=None if self.complete or chunk is not final else chunk.documents,
            )
            for chunk in self.chunks
        )


def spool(file: InputFile, kind: str, *, workspace: str, config: WikipediaConfig, limit: int | None = None) -> Spooled:
    """Writes the chunks of a file, or finds them already written.

    Args:
        file, kind: the file, and what ``detect_kind`` says of it.
        workspace: folder of the run; the chunks go to ``spool/`` in it.
        limit: stop after this many pages.

    Raises:
        SourceError: the file is a decompression bomb.
    """
    folder = WorkspaceLayout(workspace).spool
    upper = _LARGEST_CHUNK * config.most_range_bytes
    target = min(max(file.size * _RATIO // _WANTED_CHUNKS, min(_SMALLEST_CHUNK, upper)), upper)
    most = None if limit is None else -(-limit // _WANTED_CHUNKS)  # pages a chunk
    request = {
        "path": file.path,
        "size": file.size,
        "target": target,
        "limit": limit,
        "caps": [config.max_page_bytes, config.max_gap_bytes],
    }
    name = f"{file.index:05d}-{hashlib.blake2b(json.dumps(request).encode(), digest_size=8).hexdigest()}"
    marker = join(folder, name + ".json")
    if (found := _read_marker(marker, request)) is not None:
        return found
    stem = join(folder, f"{name}-{uuid.uuid4().hex[:12]}")
    writer = _ChunkWriter(
        stem, target, most, PageSplitter(max_page_bytes=config.max_page_bytes, max_gap_bytes=config.max_gap_bytes)
    )
    try:
        complete = _fill(writer, pieces_of(file.path, kind), file.path, limit)
    finally:
        writer.close()
    spooled = Spooled(tuple(writer.chunks), complete)
    write_json(marker, {"request": request, **dataclasses.asdict(spooled)})
    return spooled


def _fill(writer: _ChunkWriter, pieces: Iterator[Piece | Damage], path: str, limit: int | None) -> bool:
    """Returns whether the file was read to its end."""
    for piece in pieces:
        if isinstance(piece, Damage):
            writer.break_off(piece)
            continue
        try:
            writer.write(piece.data, limit)
        except SourceError as error:
            raise SourceError(f"{path}: {error}") from None
        if limit is not None and writer.documents >= limit:
            return False
    if not writer.chunks and not writer.is_open:
        writer.break_off(None)
    return True


class _ChunkWriter:
    """Writes text into chunks; each ends with a page's end tag, the last with the text."""

    def __init__(self, stem: str, target: int, most: int | None, splitter: PageSplitter) -> None:
        self.chunks: list[Chunk] = []
        self.documents = 0
        self._stem, self._target, self._most, self._splitter = stem, target, most, splitter
        self._handle: BinaryIO | None = None
        self._path, self._start, self._position, self._before = "", 0, 0, 0

    @property
    def is_open(self) -> bool:
        return self._handle is not None

    def write(self, data: bytes, limit: int | None) -> None:
        """Writes text that follows; a piece ends with the page that fills it, and the last one with page ``limit``."""
        begin, written = self._position, 0
        for page in self._splitter.feed(data, begin, 0):
            self.documents += 1
            if limit is not None and self.documents == limit:
                break
            full = page.end - self._start >= self._target or self.documents - self._before == self._most
            if page.closed and full:
                self._append(data[written : page.end - begin])
                written = page.end - begin
                self.close()
        self._append(data[written:])

    def break_off(self, damage: Damage | None) -> None:
        """Ends the chunk at hand, even inside a page, because the text does not go on."""
        self._open()
        self._splitter.reset()
        self.close((damage,) if damage else ())

    def close(self, damage: tuple[Damage, ...] = ()) -> None:
        """Ends the chunk at hand, if one is open."""
        if self._handle is None:
            return
        self._handle.close()
        self._handle = None
        self.chunks.append(Chunk(self._path, self._start, self._position, self.documents - self._before, damage))
        self._start, self._before = self._position, self.documents

    def _append(self, data: bytes) -> None:
        if data:
            self._open().write(data)
            self._position += len(data)

    def _open(self) -> BinaryIO:
        if self._handle is None:
            self._path = f"{self._stem}-{len(self.chunks):05d}.xml"
            self._handle = create(self._path)
        return self._handle


def _read_marker(path: str, request: dict) -> Spooled | None:
    """Returns what a marker says, None unless it fits the request and all its chunks are there, whole."""
    if not exists(path):
        return None
    content = read_json(path)
    if content["request"] != request:
        return None
    chunks = tuple(
        Chunk(**{**entry, "damage": tuple(Damage(**damage) for damage in entry["damage"])})
        for entry in content["chunks"]
    )
    if any(size_of(chunk.path) != chunk.end - chunk.start for chunk in chunks):
        return None
    return Spooled(chunks, content["complete"])
