"""The lines of a snapshot: a file of JSON Lines, or a tar archive of such files, packed or not.

Nothing of an archive is written anywhere under a name that it gives: members are text that follows on other text.
"""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from typing import NamedTuple

from gistmill.core.records import Damage
from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.files.streams import Piece
from gistmill.transforms.sources.jsonl.lines import PLAIN, Line, begins, cut, kind_of, lines_of, pieces_of

_BLOCK = tarfile.BLOCKSIZE
_MAGIC = slice(257, 262)
_MOST_ABOUT_NEXT = 1 << 20  # bytes of a long name or of attributes
_SIZE = re.compile(rb"(?:^|\n)\d+ size=(\d{1,18})\n")
_FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
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
    number, said = 1, None  # what attributes say of the size of the next member
    while header := text.take(_BLOCK):
        if not header.strip(b"\0"):
            yield from text.rest()
            return
        try:
            member = tarfile.TarInfo.frombuf(header, "utf-8", "replace")
        except tarfile.HeaderError as error:
            yield text.damage(f"the archive is damaged before here: {error}")
            return
        if member.type in _ABOUT_NEXT:
            if not 0 <= member.size <= _MOST_ABOUT_NEXT:
                raise SourceError(
                    f"{text.path}: the archive has a header of {member.size} bytes; the cap is {_MOST_ABOUT_NEXT}"
                )
            found = _SIZE.search(text.take(_padded(member.size)))
            said = int(found[1]) if found and member.type in _ATTRIBUTES else said
            continue
        size, said = member.size if said is None else said, None
        if size < 0:
            yield text.damage(f"the archive is damaged before here: a file of {size} bytes")
            return
        if member.type not in _FILES:
            text.skip(_padded(size))
            continue
        for line in cut(text.pieces(size), start=text.position, first=number, cap=cap):
            yield line
            if isinstance(line, Damage):
                return
            number += 1
        text.skip(_padded(size) - size)
    if text.problem:
        yield text.problem
    else:
        yield text.damage("the archive ends without its last block")


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
        self._held = b""

    def damage(self, message: str) -> Damage:
        """Returns a damage at this position."""
        return Damage(self.path, self.position, f"{message} (offset in the decompressed text)")

    def pieces(self, size: int) -> Iterator[Piece | Damage]:
        """Yields the next ``size`` bytes, or fewer and a Damage."""
        while size > 0:
            if not self._held and not self._fill():
                yield self.problem or self.damage("the archive ends inside a file")
                return
            data, self._held = self._held[:size], self._held[size:]
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
        while self._held or self._fill():
            if self._held.strip(b"\0"):
                yield self.damage("the archive goes on behind its end")
                return
            self.position += len(self._held)
            self._held = b""
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
                    self._held = piece.data
                    return True
        return False
