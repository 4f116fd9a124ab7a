"""The lines of a snapshot: a file of JSON Lines, or a tar archive of such files, packed or not.

Nothing of an archive is written anywhere under a name that it gives: members are text that follows on other text.
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
_MAX_ATTRIBUTES = 1 << 20  # bytes of a long name or of attributes, which tarfile keeps in memory
_ATTRIBUTES = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)


class Form(NamedTuple):
    """The form of a file: its compression, as ``kind_of`` says, and whether it is an archive."""

    packing: str
    is_archive: bool

    @property
    def is_plain(self) -> bool:
        """Whether lines can be read from any place of the file on."""
        return self.packing == PLAIN and not self.is_archive

    @property
    def name(self) -> str:
        """Its name in the manifest, such as ``tar-gzip``."""
        return kind_in_manifest("tar" if self.is_archive else JSONL, self.packing)


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
        SourceError: a decompression bomb.
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
                    raise tarfile.ReadError(f"it has {kind}; pack it again without it")
                if not member.isreg() and member.type in tarfile.SUPPORTED_TYPES:
                    continue  # a member of unknown type is a file, as POSIX says
                for line in cut(_content(archive, member), start=position, first=number, cap=cap):
                    if isinstance(line, Damage):
                        raise tarfile.ReadError(line.message)
                    yield line
                    position, number = line.offset + line.length, number + 1
            while data := _next_bytes(archive, BLOCK):
                if data.strip(b"\0"):
                    raise tarfile.ReadError("it continues after its end")
    except SourceError:
        raise
    except (tarfile.TarError, ValueError, RecursionError) as error:
        problem = f"the archive cannot be read after here: {error} (offset in the decompressed text)"
        yield text.problem or Damage(path, position, problem)
    else:
        if text.problem:
            yield text.problem


class _Member(tarfile.TarInfo):
    """A member of an archive. A header that is damaged, which tarfile would take for the end, is an error."""

    @classmethod
    @override
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Raises ReadError for a header that is damaged, or that tarfile would fill the memory with."""
        if len(buf) == tarfile.BLOCKSIZE and not buf.strip(b"\0"):
            return super().frombuf(buf, encoding, errors)  # which says that the archive ends
        try:
            member = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(f"{error}" if buf else "it ends without its last block") from None
        if member.size < 0:
            raise tarfile.ReadError(f"it has a file of {member.size} bytes")
        if member.type in _ATTRIBUTES and member.size > _MAX_ATTRIBUTES:
            raise tarfile.ReadError(f"it has a header of {member.size} bytes; the limit is {_MAX_ATTRIBUTES}")
        return member


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[Piece | Damage]:
    """Yields the bytes of a file; a Damage where there are fewer than its header says."""
    position, end = member.offset_data, member.offset_data + member.size
    while position < end:
        if not (data := _next_bytes(archive, min(end - position, BLOCK))):
            yield Damage("", position, "it ends inside a file")
            return
        yield Piece(data, position, 0)
        position += len(data)


def _next_bytes(archive: tarfile.TarFile, size: int) -> bytes:
    """Reads on after tarfile has stopped; its own files lose the bytes before the end of a truncated archive."""
    return cast(BinaryIO, archive.fileobj).read(size)


class _Text:
    """Pieces of text as the file that tarfile reads.

    Attributes:
        problem: damage after the text, once all of it has been read.
    """

    def __init__(self, pieces: Iterator[Piece | Damage]) -> None:
        self.problem: Damage | None = None
        self._pieces, self._held = pieces, b""

    def read(self, size: int) -> bytes:
        """Returns the next ``size`` bytes, fewer only at the end."""
        while len(self._held) < size and self.problem is None and (piece := next(self._pieces, None)):
            if isinstance(piece, Damage):
                self.problem = piece
            else:
                self._held += piece.data
        data, self._held = self._held[:size], self._held[size:]
        return data
