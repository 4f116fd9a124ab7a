"""Functions that split plain or compressed files into lines, in bounded memory, and parse the JSON in them."""

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
_MOST_TEXT = 1 << 30  # bytes per line in files read whole


@dataclass(frozen=True, kw_only=True)
class LinesConfig(FilesConfig):
    """Options for reading files of lines; a compressed file is a single range.

    Attributes (not options):
        max_line_bytes: maximum size of a line; longer ones are rejected as TOO_LARGE and never held in memory.
        shared: file names that occur more than once among the inputs, in different folders.
    """

    max_line_bytes: int = 16 << 20
    shared: frozenset[str] = frozenset()


class Line(NamedTuple):
    """A line, without its line end.

    Attributes:
        data: bytes of the line; b"" if ``oversized``.
        offset: where the line begins in the file, or in the decompressed text of a compressed file.
        number: line number in the file, from 1.
        oversized: whether the line exceeds the cap.
        length: number of bytes in the line.
        closed: whether a line end follows.
    """

    data: bytes
    offset: int
    number: int
    oversized: bool = False
    length: int = 0
    closed: bool = True


def kind_of(path: str) -> str:
    """Returns PLAIN, GZIP, BZ2, ZSTD or XZ, according to the file's first bytes, not its name."""
    with open_input(path) as handle:
        head = handle.read(len(XZ_MAGIC))
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), PLAIN)


def kind_in_manifest(form: str, packing: str) -> str:
    """Returns the name of a file type in the manifest, such as ``csv-gzip``."""
    return form if packing == PLAIN else f"{form}-{packing}"


def pieces_of(path: str, kind: str, start: int = 0, *, known: int = 0) -> Iterator[Piece | Damage]:
    """Yields the text of a file from ``start`` (0 for compressed files); ``known`` is as in CompressionRatioLimit.

    Raises SourceError if the file is a decompression bomb.
    """
    if kind == PLAIN:
        return plain_pieces(path, start)
    return block_pieces(path) if kind == BZ2 else unpacked_pieces(path, kind, known=known)


def begins(path: str, kind: str) -> bytes:
    """Returns the first HEAD_BYTES of a file's text, or less if it is shorter or damaged."""
    text = b""
    for piece in pieces_of(path, kind):
        if isinstance(piece, Damage) or len(text) >= HEAD_BYTES:
            break
        text += piece.data
    return text[:HEAD_BYTES]


def check_text(file: InputFile, what: str = "JSON Lines") -> tuple[str, bytes]:
    """Returns a file's compression and the beginning of its text. ``what`` is the expected file type, for messages.

    Raises:
        SourceError: the file is binary or UTF-16; the message names it. Bad lines are not errors.
    """
    kind = kind_of(file.path)
    text = begins(file.path, kind)
    if form := foreign_form(text, file.path):
        raise SourceError(f"{file.path}: not {what}, but {form}")
    if _CONTROL.match(text) or text[:4].decode("utf-8", "replace").startswith("\ufffd"):
        raise SourceError(f"{file.path}: not {what} in UTF-8: it begins with {shown(text)}{looks_like_hint(text)}")
    return kind, text


def check_lines(file: InputFile, what: str = "JSON Lines") -> tuple[str, bytes]:
    """Does the same as check_text; also raises SourceError if the file contains a JSON array instead of JSON Lines."""
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
    """Yields the lines that begin in [start, end), in order, and stops after a Damage.

    Args:
        pieces: the text from ``start``.
        start: offset of the beginning of a line.
        end: end of the range; None for the end of the file.
        first: number of the line at ``start``.
        cap: maximum number of bytes in a line.
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
    """Yields the lines of a file, like ``cut``; ``kind`` is from kind_of, and ``start`` is 0 for compressed files.

    Raises SourceError if the file is a decompression bomb.
    """
    return cut(pieces_of(path, kind, start), start=start, end=end, first=first, cap=cap)


def lines_in(place: FileRange, config: LinesConfig) -> Iterator[Line | Damage]:
    """Yields the non-blank lines of a range, and damage."""
    end = place.end if place.kind == PLAIN else None
    known = place.end - place.start if place.path != place.file else 0  # a spooled chunk of text
    pieces = pieces_of(place.path, place.kind, place.start, known=known)
    for line in cut(pieces, start=place.start, end=end, first=place.first_line, cap=config.max_line_bytes):
        if isinstance(line, Damage) or line.oversized or line.data.removeprefix(BOM).strip():
            yield line


class NotAnObject(ValueError):
    """The line is not a JSON object; the message states the problem."""


def text_of(line: Line) -> str:
    """Returns the text of a line, without a byte order mark, which concatenated files may contain in the middle. Raises
    NotAnObject if it is not UTF-8."""
    try:
        return line.data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotAnObject(f"not UTF-8: {error.reason} at byte {error.start}") from None


def value_of(line: Line) -> Any:
    """Returns the JSON value in a line. Raises NotAnObject if the line is not UTF-8 or not JSON."""
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
    """Returns the JSON object in a line. Raises NotAnObject like value_of, and if the value is not an object."""
    values = value_of(line)
    if not isinstance(values, dict):
        raise NotAnObject(f"not a JSON object, but {type(values).__name__}")
    return values


def read_lines(path: str, read: Callable[[Line], T]) -> Iterator[T]:
    """Yields the result of ``read``, one of the functions above, for every non-blank line of a file.

    Raises:
        SourceError: the file is damaged, or a line cannot be read; the message gives the file and line.
    """
    for line in lines_of(path, kind_of(path), cap=_MOST_TEXT):
        if isinstance(line, Damage):
            raise SourceError(f"{path} cannot be read: {line.message}")
        if line.oversized:
            raise SourceError(f"{path}, line {line.number}: too long ({line.length} bytes)")
        if line.data.removeprefix(BOM).strip():
            try:
                yield read(line)
            except NotAnObject as error:
                raise SourceError(f"{path}, line {line.number}: {error}") from None


def breaks_off(line: Line) -> bool:
    """Whether a file seems to end inside a line: it is not closed, and is an incomplete object or too long to check."""
    if line.closed or line.oversized:
        return not line.closed
    try:
        object_of(line)
    except NotAnObject:
        return line.data.removeprefix(BOM).lstrip().startswith(b"{")
    return False


def looks_of(place: FileRange) -> Callable[[], str]:
    """Returns a function that, reading a range's file on its first call, returns the end of a message with the file's
    apparent type, or "" for JSON Lines and unknown types."""

    @functools.cache
    def looks() -> str:
        found = looks_like(begins(place.path, place.kind))
        return f"; the file looks like {found}" if found not in ("", JSON_LINES) else ""

    return looks
