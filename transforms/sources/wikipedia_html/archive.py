"""The lines of a snapshot: a file of JSON Lines, or a tar archive of such files, packed or not.

Nothing of an archive is written anywhere under a name that it gives: members are text that follows on other text.
"""

from __future__ import annotations

import re
import tarfile
import uuid
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

import zstandard

from gistmill.core.records import Damage
from gistmill.transforms.io import create, join
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceError, range_key
from gistmill.transforms.sources.files.streams import Piece
from gistmill.transforms.sources.lines import PLAIN, ZSTD, Line, begins, cut, kind_of, lines_of, pieces_of

_BLOCK = tarfile.BLOCKSIZE
_MAGIC = slice(257, 262)
_MOST_ABOUT_NEXT = 1 << 20  # bytes of a long name or of attributes
_SIZE = re.compile(rb"(?:^|\n)\d+ size=(\d{1,18})\n")
# Members without a content. What is of no known type is a file, as POSIX says.
_EMPTY = (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, b"V")
_PARTS = {tarfile.GNUTYPE_SPARSE: "a sparse file", b"M": "a file that goes on from another volume"}
_SPARSE = b" GNU.sparse."  # how attributes of the newer sparse files begin
_ATTRIBUTES = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
_ABOUT_NEXT = (*_ATTRIBUTES, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)


class Form(NamedTuple):
    """How a file holds its lines: how it is packed, as ``kind_of`` says, and whether it is an archive."""

    packing: str
    is_archive: bool

    @property
    def is_plain(self) -> bool:
        """Whether lines can be read from any place of the file on."""
        return self.packing == PLAIN and not self.is_archive

    @property
    def name(self) -> str:
        """What the manifest calls it, such as ``tar-gzip``."""
        return self.packing.replace(PLAIN, "tar") if self.is_archive else self.packing


def form_of(path: str) -> Form:
    """Returns the form of a file, by its content, whatever its name.

    Raises:
        SourceError: a decompression bomb.
    """
    packing = kind_of(path)
    return Form(packing, begins(path, packing)[_MAGIC] == b"ustar")


def lines_of_snapshot(path: str, form: Form, *, cap: int) -> Iterator[Line | Damage]:
    """Yields the lines of a file, or of all regular files of an archive; after a Damage, no more.

    Offsets count bytes of the text, of an archive with its headers; numbers count lines over all files in it.

    Args:
        path: the file.
        form: its form.
        cap: bytes that a line may have.

    Raises:
        SourceError: a decompression bomb, or a header of an archive that is one.
    """
    if form.is_archive:
        return _lines_of_archive(_Text(path, form.packing), cap)
    return lines_of(path, form.packing, cap=cap)


def _lines_of_archive(text: _Text, cap: int) -> Iterator[Line | Damage]:
    number, said, part = 1, None, None  # what attributes say of the next member: its size, and whether it is a part
    while header := text.take(_BLOCK):
        if not header.strip(b"\0"):
            yield from text.rest()
            return
        try:
            member = tarfile.TarInfo.frombuf(header, "utf-8", "replace")
            if member.size < 0:
                raise tarfile.HeaderError(f"a file of {member.size} bytes")
        except tarfile.HeaderError as error:
            yield text.damage(f"the archive is damaged before here: {error}")
            return
        if member.type in _ABOUT_NEXT:
            if member.size > _MOST_ABOUT_NEXT:
                raise SourceError(
                    f"{text.path}: the archive has a header of {member.size} bytes; the cap is {_MOST_ABOUT_NEXT}"
                )
            about = text.take(_padded(member.size))
            if member.type in _ATTRIBUTES:
                said = int(found[1]) if (found := _SIZE.search(about)) else said
                part = _PARTS[tarfile.GNUTYPE_SPARSE] if _SPARSE in about else part
            continue
        if member.type in _EMPTY:
            said = part = None
            continue
        if part := part or _PARTS.get(member.type):
            yield text.damage(f"the archive has {part} before here, and is not read further; pack it again without it")
            return
        size, said = member.size if said is None else said, None
        for line in cut(text.pieces(size), start=text.position, first=number, cap=cap):
            yield line
            if isinstance(line, Damage):
                return
            number += 1
        text.skip(_padded(size) - size)
    yield text.problem or text.damage("the archive ends without its last block")


def _padded(size: int) -> int:
    return size + -size % _BLOCK


class _Text:
    """The text of an archive, which is taken little by little.

    Attributes:
        position: how much was taken.
        problem: what is damaged behind it, once everything before was taken.
    """

    def __init__(self, path: str, kind: str) -> None:
        self.path, self.position = path, 0
        self.problem: Damage | None = None
        self._pieces = pieces_of(path, kind)
        self._held, self._taken = b"", 0  # a piece, and how much of it was taken

    def damage(self, message: str) -> Damage:
        """Returns a damage at this position."""
        return Damage(self.path, self.position, f"{message} (offset in the decompressed text)")

    def pieces(self, size: int) -> Iterator[Piece | Damage]:
        """Yields the next ``size`` bytes, or fewer and a Damage."""
        while size > 0:
            if self._taken == len(self._held) and not self._fill():
                yield self.problem or self.damage("the archive ends inside a file")
                return
            data = self._held[self._taken : self._taken + size]
            self._taken += len(data)
            size -= len(data)
            self.position += len(data)
            yield Piece(data, self.position - len(data), 0)

    def take(self, size: int) -> bytes:
        """Returns the next ``size`` bytes; b"" where there are fewer."""
        data = b"".join(piece.data for piece in self.pieces(size) if isinstance(piece, Piece))
        return data if len(data) == size else b""

    def skip(self, size: int) -> None:
        """Passes over the next bytes, as many as there are."""
        for _ in self.pieces(size):
            pass

    def rest(self) -> Iterator[Damage]:
        """Yields a Damage if anything but zeros follows the end of the archive."""
        while self._taken < len(self._held) or self._fill():
            if self._held[self._taken :].strip(b"\0"):
                yield self.damage("the archive goes on behind its end")
                return
            self.position += len(self._held) - self._taken
            self._taken = len(self._held)
        if self.problem:
            yield self.problem

    def _fill(self) -> bool:
        """Holds the next piece; returns whether there is one."""
        if self.problem is None:
            for piece in self._pieces:
                if isinstance(piece, Damage):
                    self.problem = piece
                    break
                if piece.data:
                    self._held, self._taken = piece.data, 0
                    return True
        return False


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
