"""Spooling: lines of a snapshot that cannot be read in parts are written into chunks, packed anew."""

from __future__ import annotations

import uuid
from typing import BinaryIO

import zstandard

from gistmill.core.records import Damage
from gistmill.transforms.io import create, join
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, range_key
from gistmill.transforms.sources.jsonl.lines import ZSTD, Line

_LEVEL = 1  # as small as gzip makes HTML, at many times its speed


class Spool:
    """Writes lines into chunks of the workspace, each of lines that follow on each other, and packed by zstd.

    Args:
        file: the file that has the lines.
        workspace: folder of the run.
        target: bytes of text of a chunk.
        cap: bytes that a line may have; one over it, whose bytes nobody has, is written as a longer line of blanks.

    Attributes:
        ranges: the chunks so far.
    """

    def __init__(self, file: InputFile, *, workspace: str, target: int, cap: int) -> None:
        self.ranges: list[FileRange] = []
        self._file, self._target, self._cap = file, target, cap
        # another attempt to plan the file may be writing, too
        self._stem = join(WorkspaceLayout(workspace).spool, f"{file.index:05d}-{uuid.uuid4().hex[:12]}")
        self._handle: BinaryIO | None = None
        self._writer: zstandard.ZstdCompressionWriter | None = None
        self._first = Line(b"", 0, 1)
        self._end = 0

    def add(self, line: Line) -> None:
        """Writes a line."""
        if self._writer is not None and (line.offset != self._end or self._end - self._first.offset >= self._target):
            self.close()
        writer = self._writer or self._begin(line)
        writer.write(b" " * (self._cap + 1) if line.oversized else line.data)
        if line.closed:
            writer.write(b"\n")
        self._end = line.offset + line.length + 1
        if line.oversized:
            self.close()

    def close(self, damage: Damage | None = None) -> None:
        """Ends the chunk at hand. A damage behind it belongs to it; where there is none, to an empty one."""
        if self._writer is None and damage is not None:
            self._begin(Line(b"", self._end, self._first.number))
        if self._writer is None or self._handle is None:
            return
        self._writer.close()
        self._handle.close()
        self._writer = self._handle = None
        self.ranges.append(
            FileRange(
                key=range_key(self._file.index, self._first.offset),
                file=self._file.path,
                path=self._path,
                kind=ZSTD,
                start=self._first.offset,
                end=self._end,
                size=self._end - self._first.offset,
                first_line=self._first.number,
                damage=(damage,) if damage else (),
            )
        )

    def _begin(self, first: Line) -> zstandard.ZstdCompressionWriter:
        self._first = first
        self._handle = create(self._path)
        self._writer = zstandard.ZstdCompressor(level=_LEVEL).stream_writer(self._handle, closefd=False)
        return self._writer

    @property
    def _path(self) -> str:
        return f"{self._stem}-{len(self.ranges):05d}.jsonl.zst"
