"""Lines of JSON: cut from files in bounded memory, read as objects, and made into documents or rejects."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from gistmill.core.options import HTML, Options, option
from gistmill.core.options import PLAIN as options_PLAIN
from gistmill.core.records import Damage, Metadata, Origin, Reason, Reject
from gistmill.core.values import TEXT, one_of
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.rules.languages.language import language_named
from gistmill.rules.text.prose import without_controls
from gistmill.transforms.io import open_input
from gistmill.transforms.sources.files.bz2_blocks import block_pieces
from gistmill.transforms.sources.files.ranges import FileRange
from gistmill.transforms.sources.files.sniff import HEAD_BYTES
from gistmill.transforms.sources.files.streams import (
    BZ2_MAGIC,
    GZIP_MAGIC,
    XZ_MAGIC,
    ZSTD_MAGIC,
    Piece,
    gzip_pieces,
    plain_pieces,
    xz_pieces,
    zstd_pieces,
)

PLAIN, GZIP, BZ2, ZSTD, XZ = "jsonl", "jsonl-gzip", "jsonl-bz2", "jsonl-zstd", "jsonl-xz"
_MAGIC = {GZIP_MAGIC: GZIP, BZ2_MAGIC: BZ2, ZSTD_MAGIC: ZSTD, XZ_MAGIC: XZ}


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


def pieces_of(path: str, kind: str, start: int = 0) -> Iterator[Piece | Damage]:
    """Yields the text of a file from ``start`` on, which is 0 for compressed files.

    Raises:
        SourceError: a decompression bomb.
    """
    if kind == PLAIN:
        return plain_pieces(path, start)
    return {GZIP: gzip_pieces, BZ2: block_pieces, ZSTD: zstd_pieces, XZ: xz_pieces}[kind](path)


def begins(path: str, kind: str) -> bytes:
    """Returns the beginning of the text of a file: HEAD_BYTES, or less where it ends or is damaged."""
    text = b""
    for piece in pieces_of(path, kind):
        if isinstance(piece, Damage) or len(text) >= HEAD_BYTES:
            break
        text += piece.data
    return text[:HEAD_BYTES]


def lines_of(
    path: str, kind: str, *, start: int = 0, end: int | None = None, first: int = 1, cap: int
) -> Iterator[Line | Damage]:
    """Yields the lines that begin in [start, end), in order; after a Damage, no more.

    Args:
        path: the file.
        kind: what kind_of said.
        start: where a line begins; 0 for compressed files.
        end: end of the range; None for the end of the file.
        first: number of the line at ``start``.
        cap: bytes that a line may have.

    Raises:
        SourceError: a decompression bomb.
    """
    return cut(pieces_of(path, kind, start), start=start, end=end, first=first, cap=cap)


def cut(
    pieces: Iterable[Piece | Damage], *, start: int, end: int | None = None, first: int = 1, cap: int
) -> Iterator[Line | Damage]:
    """Yields the lines of text that begins at ``start`` with line ``first``; the rest as ``lines_of``."""
    held, length, offset, number = bytearray(), 0, start, first
    for piece in pieces:
        if isinstance(piece, Damage):
            if length:
                yield _line(held, length, offset, number, cap, closed=False)
            yield piece
            return
        position = 0
        while (stop := piece.data.find(b"\n", position)) >= 0:
            length += stop - position
            if length <= cap:
                held += piece.data[position:stop]
            yield _line(held, length, offset, number, cap)
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
        yield _line(held, length, offset, number, cap, closed=False)


def _line(held: bytearray, length: int, offset: int, number: int, cap: int, *, closed: bool = True) -> Line:
    return Line(bytes(held) if length <= cap else b"", offset, number, length > cap, length, closed)


BOM = b"\xef\xbb\xbf"
_SHOWN, _MOST_FIELDS, _LONGEST_FIELD = 40, 8, 24


class NotAnObject(ValueError):
    """A line that does not hold a JSON object; the text says what is wrong."""


def object_of(line: Line) -> dict[str, Any]:
    """Returns the object that a line holds. Raises NotAnObject if it is not UTF-8, not JSON, or no object.

    A byte order mark before it does not count: files with one may have been joined.
    """
    try:
        text = line.data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotAnObject(f"not UTF-8: {error.reason} at byte {error.start}") from None
    try:
        values = json.loads(text)
    except RecursionError:
        raise NotAnObject("not JSON that can be read: nested too deep") from None
    except ValueError as error:
        problem = f"{error.msg} (character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else str(error)
        if not text.lstrip().startswith("{"):
            problem = f"it begins with {text.strip()[:_SHOWN]!r}"
        raise NotAnObject(f"not JSON: {problem}") from None
    if not isinstance(values, dict):
        raise NotAnObject(f"not a JSON object, but {type(values).__name__}")
    return values


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


def no_field(name: str, there: Iterable[str], *, flag: str) -> str:
    """Returns the message that an object lacks a field. It names the fields that are ``there``, of many or long names
    only a part, and the option that chooses."""
    names = list(there)
    shown = [repr(n if len(n) <= _LONGEST_FIELD else f"{n[: _LONGEST_FIELD - 1]}…") for n in names[:_MOST_FIELDS]]
    more = f" and {len(names) - _MOST_FIELDS} more" if len(names) > _MOST_FIELDS else ""
    fields = f"the fields are {', '.join(shown)}{more}" if names else "there are no fields"
    return f"no field {name!r}; {fields}; {flag} names another"


SOURCE = "jsonl"
MARKUPS = (options_PLAIN, HTML)
_ID = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,200}")
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_]|$)")
_LONGEST = 4096  # characters of a title or URL that are kept
_MOST_DETAIL = 320  # characters


class EmptyText(ValueError):
    """The text of a document is empty."""


@dataclass(frozen=True, kw_only=True)
class JsonlFields(Options):
    """Which keys of an object hold what."""

    GROUP: ClassVar[str] = "input"

    text_field: str = option(
        TEXT, default="text", metavar="KEY", help="key of the text, a string or a list of paragraphs"
    )
    text_markup: str = option(
        one_of(*MARKUPS),
        default=options_PLAIN,
        metavar="MARKUP",
        help="markup of that text: plain, or html, from which the article is extracted",
    )
    id_field: str = option(
        TEXT,
        default="id",
        metavar="KEY",
        help="key of an id that is unique over the input; a line without it gets one from its file's name and number",
    )
    title_field: str = option(TEXT, default="title", metavar="KEY", help="key of a title")
    url_field: str = option(TEXT, default="url", metavar="KEY", help="key of a URL")
    date_field: str = option(TEXT, default="date", metavar="KEY", help="key of the date of publication")
    language_field: str = option(
        TEXT, default="language", metavar="KEY", help="key of the code of the text's language, such as de or pt-BR"
    )


def parse_line(
    line: Line, place: FileRange, fields: JsonlFields, *, label: str, looks: Callable[[], str] = str
) -> RawDocument | Reject:
    """Returns the document of a line, or a Reject of stage ``read``: TOO_LARGE, BAD_LINE or EMPTY_PAGE.

    Args:
        line: the line; the detail of a Reject names it.
        place: the range that has it.
        fields: which keys hold what.
        label: the file's name, unique among the inputs.
        looks: what a detail adds where a line does not hold an object.
    """

    unnamed = Origin(f"{place.file}#{line.offset}", SOURCE, file=place.file, offset=line.offset, range_key=place.key)

    def reject(reason: Reason, detail: str) -> Reject:
        return unnamed.reject(reason, "read", f"line {line.number}: {' '.join(detail.split())[:_MOST_DETAIL]}")

    if line.oversized:
        return reject(ReadReason.TOO_LARGE, f"{line.length} bytes long")
    try:
        return to_document(object_of(line), unnamed, fields, otherwise=f"{SOURCE}-{label}-{line.number}")
    except EmptyText as error:
        return reject(ReadReason.EMPTY_PAGE, str(error))
    except NotAnObject as error:
        return reject(ReadReason.BAD_LINE, f"{error}{looks()}")
    except ValueError as error:
        return reject(ReadReason.BAD_LINE, str(error))


def to_document(values: Mapping[str, Any], unnamed: Origin, fields: JsonlFields, *, otherwise: str) -> RawDocument:
    """Returns the document that an object or a row holds.

    Args:
        values: its fields by name.
        unnamed: its origin, without what they say.
        fields: which of them hold what.
        otherwise: the id where they have none.

    Raises:
        EmptyText: the text is empty.
        ValueError: there is no text, or text or id cannot be used.
    """
    text = _text(values, fields)
    named = own_id(values.get(fields.id_field), fields.id_field)
    if not text.strip():
        raise EmptyText(f"{fields.text_field!r} is empty")
    known = {name: _short(values.get(getattr(fields, f"{name}_field"))) for name in ("title", "url", "date")}
    language = _LANGUAGE.match(_short(values.get(fields.language_field)))
    code = language_named(language[1]).code if language else ""  # without script and country
    origin = replace(
        unnamed,
        id=named or otherwise,
        title=known["title"],
        metadata=Metadata(url=known["url"], published=known["date"], language=code),
    )
    return RawDocument(origin, text, fields.text_markup)


def _text(values: Mapping[str, Any], fields: JsonlFields) -> str:
    name = fields.text_field
    if name not in values:
        raise ValueError(no_field(name, values, flag="--text-field"))
    text = values[name]
    if isinstance(text, list) and all(isinstance(part, str) for part in text):
        text = "\n\n".join(text)
    if not isinstance(text, str):
        raise ValueError(f"{name!r} is neither a string nor a list of strings")
    return without_controls(text)


def own_id(value: Any, name: str) -> str:
    """Returns an id as text, "" for None and for blank text, which is what tables have in a cell without a value.

    Raises:
        ValueError: ``value``, of the field ``name``, cannot be an id.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)) or not _ID.fullmatch(str(value).strip()):
        raise ValueError(
            f"{name!r} is not an id: a whole number, or a string of at most 200 characters without control characters"
        )
    return str(value).strip()


def _short(value: Any) -> str:
    """A value for a person, on one line."""
    plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return " ".join(without_controls(str(value)[:_LONGEST]).split()) if plain else ""
