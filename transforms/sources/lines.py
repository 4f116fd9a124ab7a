"""The text of files, plain or packed, cut into lines in bounded memory, and the JSON that these hold."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from gistmill.core.records import Damage
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.base import FilesConfig
from gistmill.transforms.sources.files.bz2_blocks import block_pieces
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceError
from gistmill.transforms.sources.files.sniff import (
    BZ2_MAGIC,
    GZIP_MAGIC,
    HEAD_BYTES,
    JSON_LINES,
    XZ_MAGIC,
    ZSTD_MAGIC,
    foreign_form,
    looks_like,
    looks_like_hint,
    shown,
)
from gistmill.transforms.sources.files.streams import Piece, plain_pieces, unpacked_pieces

JSONL = "jsonl"
PLAIN, GZIP, BZ2, ZSTD, XZ = "plain", "gzip", "bz2", "zstd", "xz"
_MAGIC = {GZIP_MAGIC: GZIP, BZ2_MAGIC: BZ2, ZSTD_MAGIC: ZSTD, XZ_MAGIC: XZ}
T = TypeVar("T")
BOM = b"\xef\xbb\xbf"
_CONTROL = re.compile(rb"[\s\S]{0,3}[\x00-\x08\x0e-\x1f\x7f]")
_SHOWN = 40  # characters
_MOST_TEXT = 1 << 30  # bytes of a line of a file that is read as a whole


@dataclass(frozen=True, kw_only=True)
class LinesConfig(FilesConfig):
    """How files of lines are read; a compressed file is one range.

    Attributes (not options):
        max_line_bytes: a line over this size is rejected as TOO_LARGE and never held in memory.
        shared: names that more than one input file has, in different folders.
    """

    max_line_bytes: int = 16 << 20
    shared: frozenset[str] = frozenset()


class Line(NamedTuple):
    """A line without its end.

    Attributes:
        data: its bytes; b"" if ``oversized``.
        offset: where it begins: in the file, or for compressed files in the text.
        number: counted from 1 over the file.
        oversized: whether it is over the cap.
        length: how many bytes it has, not counting its end.
        closed: whether a line end follows.
    """

    data: bytes
    offset: int
    number: int
    oversized: bool = False
    length: int = 0
    closed: bool = True


def kind_of(path: str) -> str:
    """Returns PLAIN, GZIP, BZ2, ZSTD or XZ, by the file's first bytes, whatever its name."""
    with open_input(path) as handle:
        head = handle.read(len(XZ_MAGIC))
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), PLAIN)


def kind_in_manifest(form: str, packing: str) -> str:
    """Returns the manifest's name for a form of file, such as ``csv-gzip``."""
    return form if packing == PLAIN else f"{form}-{packing}"


def pieces_of(path: str, kind: str, start: int = 0, *, known: int = 0) -> Iterator[Piece | Damage]:
    """Yields the text of a file from ``start`` on, 0 for compressed files; ``known`` as in CompressionRatioLimit.

    Raises:
        SourceError: a decompression bomb.
    """
    if kind == PLAIN:
        return plain_pieces(path, start)
    return block_pieces(path) if kind == BZ2 else unpacked_pieces(path, kind, known=known)


def begins(path: str, kind: str) -> bytes:
    """Returns the beginning of the text of a file: HEAD_BYTES, or less where it ends or is damaged."""
    text = b""
    for piece in pieces_of(path, kind):
        if isinstance(piece, Damage) or len(text) >= HEAD_BYTES:
            break
        text += piece.data
    return text[:HEAD_BYTES]


def check_text(file: InputFile, what: str = "JSON Lines") -> tuple[str, bytes]:
    """Returns the kind of a file and the beginning of its text. ``what`` is the expected kind, for messages.

    Raises:
        SourceError: binary, or UTF-16; the message names it. A bad line alone is not an error.
    """
    kind = kind_of(file.path)
    text = begins(file.path, kind)
    if form := foreign_form(text, file.path):
        raise SourceError(f"{file.path}: not {what}, but {form}")
    if _CONTROL.match(text) or text[:4].decode("utf-8", "replace").startswith("\ufffd"):
        raise SourceError(f"{file.path}: not {what} in UTF-8: it begins with {shown(text)}{looks_like_hint(text)}")
    return kind, text


def check_lines(file: InputFile, what: str = "JSON Lines") -> tuple[str, bytes]:
    """Returns the same of a file of JSON Lines. Raises SourceError as check_text, or if it holds one JSON array."""
    kind, text = check_text(file, what)
    if text.removeprefix(BOM).lstrip()[:1] == b"[":
        raise SourceError(
            f"{file.path}: a JSON array, not JSON Lines, which contain one object per line; "
            "convert it, for example with: jq --compact-output '.[]'"
        )
    return kind, text


def cut(
    pieces: Iterable[Piece | Damage], *, start: int = 0, end: int | None = None, first: int = 1, cap: int
) -> Iterator[Line | Damage]:
    """Yields the lines of text that begin in [start, end), in order; after a Damage, no more.

    Args:
        pieces: the text from ``start`` on.
        start: where a line begins.
        end: end of the range; None for the end of the file.
        first: number of the line at ``start``.
        cap: bytes that a line may have.
    """
    held, length, offset, number, damage = bytearray(), 0, start, first, None

    def line(closed: bool) -> Line:
        return Line(bytes(held) if length <= cap else b"", offset, number, length > cap, length, closed)

    for piece in pieces:
        if isinstance(piece, Damage):
            damage = piece
            break
        position = 0
        while (stop := piece.data.find(b"\n", position)) >= 0:
            length += stop - position
            if length <= cap:
                held += piece.data[position:stop]
            yield line(closed=True)
            offset, number, position = offset + length + 1, number + 1, stop + 1
            held.clear()
            length = 0
            if end is not None and offset >= end:
                return
        length += len(piece.data) - position
        if length <= cap:
            held += piece.data[position:]
        else:
            held.clear()
    if length:
        yield line(closed=False)
    if damage:
        yield damage


def lines_of(
    path: str, kind: str, *, start: int = 0, end: int | None = None, first: int = 1, cap: int
) -> Iterator[Line | Damage]:
    """Yields the lines of a file as ``cut`` does; ``kind`` is what kind_of said, and ``start`` 0 for compressed files.

    Raises:
        SourceError: a decompression bomb.
    """
    return cut(pieces_of(path, kind, start), start=start, end=end, first=first, cap=cap)


def lines_in(place: FileRange, config: LinesConfig) -> Iterator[Line | Damage]:
    """Yields the lines of a range that are not blank, and damage."""
    end = place.end if place.kind == PLAIN else None
    known = place.end - place.start if place.path != place.file else 0  # a chunk of text that was spooled
    pieces = pieces_of(place.path, place.kind, place.start, known=known)
    for line in cut(pieces, start=place.start, end=end, first=place.first_line, cap=config.max_line_bytes):
        if isinstance(line, Damage) or line.oversized or line.data.removeprefix(BOM).strip():
            yield line


class NotAnObject(ValueError):
    """A line that is not a JSON object; the message names the problem."""


def text_of(line: Line) -> str:
    """Returns the text of a line. Raises NotAnObject if it is not UTF-8.

    A byte order mark before it does not count: files with one may have been joined.
    """
    try:
        return line.data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotAnObject(f"not UTF-8: {error.reason} at byte {error.start}") from None


def value_of(line: Line) -> Any:
    """Returns the JSON value that a line holds. Raises NotAnObject if it is not UTF-8, or not JSON."""
    text = text_of(line)
    try:
        return json.loads(text)
    except RecursionError:
        raise NotAnObject("unreadable JSON: nested too deeply") from None
    except ValueError as error:
        problem = f"{error.msg} (character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else str(error)
        if not text.lstrip().startswith("{"):
            problem = f"it begins with {text.strip()[:_SHOWN]!r}"
        raise NotAnObject(f"not JSON: {problem}") from None


def object_of(line: Line) -> dict[str, Any]:
    """Returns the object that a line holds. Raises NotAnObject as value_of, or if it holds another value."""
    values = value_of(line)
    if not isinstance(values, dict):
        raise NotAnObject(f"not a JSON object, but {type(values).__name__}")
    return values


def read_lines(path: str, read: Callable[[Line], T]) -> Iterator[T]:
    """Yields the result of ``read``, a function of this module, for every line of a file that is not blank.

    Raises:
        SourceError: the file is damaged, or a line cannot be read; the message names it.
    """
    for line in lines_of(path, kind_of(path), cap=_MOST_TEXT):
        if isinstance(line, Damage):
            raise SourceError(f"{path} cannot be read: {line.message}")
        if line.oversized:
            raise SourceError(f"{path}, line {line.number}: {line.length} bytes long")
        if line.data.removeprefix(BOM).strip():
            try:
                yield read(line)
            except NotAnObject as error:
                raise SourceError(f"{path}, line {line.number}: {error}") from None


def breaks_off(line: Line) -> bool:
    """Whether a file seems to end inside a line: it has no end, and begins an object that has none, or is too long to
    tell."""
    if line.closed or line.oversized:
        return not line.closed
    try:
        object_of(line)
    except NotAnObject:
        return line.data.removeprefix(BOM).lstrip().startswith(b"{")
    return False


def looks_of(place: FileRange) -> Callable[[], str]:
    """Returns what says, as the end of a message, what the file of a range looks like if not JSON Lines; the file is
    looked at when that is first asked."""

    @functools.cache
    def looks() -> str:
        found = looks_like(begins(place.path, place.kind))
        return f"; the file looks like {found}" if found not in ("", JSON_LINES) else ""

    return looks
