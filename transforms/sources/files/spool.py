"""The spool: text that can only be read from the beginning of its file, written into chunks that workers read alone."""

from __future__ import annotations

import uuid
from typing import Any, BinaryIO

import zstandard

from gistmill.core.records import Damage
from gistmill.transforms.io import create, join
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sources.files.ranges import FileRange, InputFile

_LEVEL = 1  # as small as gzip makes HTML, at many times its speed


class Spool:
    """Cuts the text of a file into ranges, and writes each into a chunk of the workspace, packed by zstd.

    Args:
        file: the file that has the text.
        workspace: folder of the run; None where the file itself is plain text, and nothing is to be written.
        kind: of the ranges.

    Attributes:
        ranges: the closed ones.
        start, end: of the open one; both are the end of the last one where none is open.
        is_open: whether one is open.
    """

    def __init__(self, file: InputFile, workspace: str | None, *, kind: str) -> None:
        self.ranges: list[FileRange] = []
        self.start = self.end = 0
        self.is_open = False
        self._file, self._kind = file, kind
        # another attempt to plan the file may be writing, too
        name = f"{file.index:05d}-{uuid.uuid4().hex[:12]}"
        self._stem = None if workspace is None else join(WorkspaceLayout(workspace).spool, name)
        self._handle: BinaryIO | None = None
        self._writer: zstandard.ZstdCompressionWriter | None = None
        self._first_line = 1

    def begin(self, offset: int, first_line: int = 1) -> None:
        """Begins a range at an offset of the text, and its line there."""
        self.start = self.end = offset
        self.is_open, self._first_line = True, first_line
        if self._stem is not None:
            self._handle = create(self._path)
            self._writer = zstandard.ZstdCompressor(level=_LEVEL).stream_writer(self._handle, closefd=False)

    def write(self, data: bytes, *, end: int | None = None) -> None:
        """Adds text to the range, and begins one if none is open. ``end``: where the text ends, if it is not as long as
        ``data``."""
        if not self.is_open:
            self.begin(self.end)
        if self._writer is not None:
            self._writer.write(data)
        self.end = self.end + len(data) if end is None else end

    def close(self, damage: Damage | None = None) -> None:
        """Ends the range. A damage behind it belongs to it; where none is open, to an empty one."""
        if damage is not None and not self.is_open:
            self.begin(self.end, self._first_line)
        if not self.is_open:
            return
        self.is_open = False
        more: dict[str, Any] = {"first_line": self._first_line, "damage": (damage,) if damage else ()}
        if self._writer is None or self._handle is None:
            self.end = min(self.end, self._file.size)
            more["last"] = self.end == self._file.size
        else:
            self._writer.close()
            self._handle.close()
            self._writer = self._handle = None
            more["path"] = self._path
        self.ranges.append(FileRange.part(self._file, self.start, self.end, kind=self._kind, **more))
        self.start = self.end

    @property
    def _path(self) -> str:
        return f"{self._stem}-{len(self.ranges):05d}.zst"
