"""A reader for the lines of a snapshot: a JSON Lines file, or a tar archive of such files, possibly compressed.

Members of an archive are never extracted to disk; they are read in sequence, as one text.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, Self, cast

from typing_extensions import override

from gistmill.core.records import Damage
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.files.streams import BLOCK, Piece
from gistmill.transforms.sources.lines import (
    JSONL,
    PLAIN,
    Line,
    begins,
    cut,
    kind_in_manifest,
    kind_of,
    lines_of,
    pieces_of,
)

_MAGIC = slice(257, 262)
_MAX_ATTRIBUTES = 1 << 20  # bytes in a long name or in attributes, which tarfile holds in memory
_ATTRIBUTES = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)


class Form(NamedTuple):
    """The form of a file: its compression, as returned by ``kind_of``, and whether it is an archive."""

    packing: str
    is_archive: bool

    @property
    def is_plain(self) -> bool:
        """Whether lines can be read starting at any position in the file."""
        return self.packing == PLAIN and not self.is_archive

    @property
    def name(self) -> str:
        """The form's name in the manifest, such as ``tar-gzip``."""
        return kind_in_manifest("tar" if self.is_archive else JSONL, self.packing)


def form_of(path: str) -> Form:
    """Returns the form of a file, according to its content. Raises SourceError for a decompression bomb."""
    packing = kind_of(path)
    return Form(packing, begins(path, packing)[_MAGIC] == b"ustar")


def lines_of_snapshot(path: str, form: Form, *, cap: int) -> Iterator[Line | Damage]:
    """Yields the lines of a file, or of all regular files in an archive, and stops after a Damage.

    Offsets are bytes in the decompressed text, including an archive's headers; lines are numbered across its files.
    ``cap`` is the maximum number of bytes in a line. Raises SourceError if the file is a decompression bomb.
    """
    if not form.is_archive:
        yield from lines_of(path, form.packing, cap=cap)
        return
    text, number, position = _Text(pieces_of(path, form.packing)), 1, 0
    try:
        with tarfile.open(fileobj=cast(BinaryIO, text), mode="r|", bufsize=BLOCK, tarinfo=_Member) as archive:
            for member in archive:
                position = member.offset_data
                if member.issparse() or member.type == b"M":
                    kind = "a sparse file" if member.issparse() else "a file continued from another volume"
                    raise tarfile.ReadError(f"it contains {kind}; recreate the archive without it")
                if not member.isreg() and member.type in tarfile.SUPPORTED_TYPES:
                    continue  # POSIX: a member of unknown type is a file
                for line in cut(_content(archive, member), start=position, first=number, cap=cap):
                    if isinstance(line, Damage):
                        raise tarfile.ReadError(line.message)
                    yield line
                    position, number = line.offset + line.length, number + 1
            while data := _next_bytes(archive, BLOCK):
                if data.strip(b"\0"):
                    raise tarfile.ReadError("data follows its end")
    except SourceError:
        raise
    except (tarfile.TarError, ValueError, RecursionError) as error:
        problem = f"the archive cannot be read beyond this point: {error} (offset in the decompressed text)"
        yield text.problem or Damage(path, position, problem)
    else:
        if text.problem:
            yield text.problem


class _Member(tarfile.TarInfo):
    """A member of an archive. A damaged header, which tarfile would treat as the end of the archive, is an error."""

    @classmethod
    @override
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Raises ReadError for a header that is damaged or too large to hold in memory."""
        if len(buf) == tarfile.BLOCKSIZE and not buf.strip(b"\0"):
            return super().frombuf(buf, encoding, errors)  # an empty block marks the end of the archive
        try:
            member = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(f"{error}" if buf else "it ends before its last block") from None
        if member.size < 0:
            raise tarfile.ReadError(f"it contains a file of {member.size} bytes")
        if member.type in _ATTRIBUTES and member.size > _MAX_ATTRIBUTES:
            raise tarfile.ReadError(f"it contains a header of {member.size} bytes; the limit is {_MAX_ATTRIBUTES}")
        return member


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[Piece | Damage]:
    """Yields the bytes of a file, and a Damage if there are fewer than its header says."""
    position, end = member.offset_data, member.offset_data + member.size
    while position < end:
        if not (data := _next_bytes(archive, min(end - position, BLOCK))):
            yield Damage("", position, "it ends inside a file")
            return
        yield Piece(data, position, 0)
        position += len(data)


def _next_bytes(archive: tarfile.TarFile, size: int) -> bytes:
    """Reads from the archive itself, because tarfile's file objects lose the last bytes of a truncated archive."""
    return cast(BinaryIO, archive.fileobj).read(size)


class _Text:
    """A file object, for tarfile, that reads pieces of text; ``problem`` is damage after it, set at its end."""

    def __init__(self, pieces: Iterator[Piece | Damage]) -> None:
        self.problem: Damage | None = None
        self._pieces, self._held = pieces, b""

    def read(self, size: int) -> bytes:
        """Returns the next ``size`` bytes, or fewer at the end."""
        while len(self._held) < size and self.problem is None and (piece := next(self._pieces, None)):
            if isinstance(piece, Damage):
                self.problem = piece
            else:
                self._held += piece.data
        data, self._held = self._held[:size], self._held[size:]
        return data
