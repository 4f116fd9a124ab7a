"""Sources ``jsonl`` and ``table`` (one document per row of JSON Lines, CSV, TSV or Parquet) and ``text`` (one document
per plain text or Markdown file)."""

from __future__ import annotations

import functools
import os
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar, Self

from typing_extensions import override

from gistmill.core.options import HTML, MARKDOWN, PLAIN, option
from gistmill.core.records import Damage, Metadata, Origin, RangeEnd, Reason, Reject
from gistmill.core.values import TEXT, one_of
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.rules.languages.language import language_named
from gistmill.rules.text.prose import without_controls
from gistmill.transforms.io import escaped, exists, is_url, join, matching, open_input
from gistmill.transforms.sources import lines
from gistmill.transforms.sources.base import FilesSource, Provenance, SourceConfig, with_end
from gistmill.transforms.sources.files.ranges import (
    UNREAD,
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_inputs,
    public_label,
    shared_names,
    split_commas,
)
from gistmill.transforms.sources.files.sniff import HEAD_BYTES, foreign_form, hint_of, looks_like, looks_like_hint
from gistmill.transforms.sources.lines import (
    JSONL,
    LinesConfig,
    begins,
    check_text,
    kind_in_manifest,
    kind_of,
    pieces_of,
)
from gistmill.transforms.sources.rows import (
    CSV,
    MAGIC,
    PARQUET,
    Row,
    RowFile,
    RowRange,
    csv_header,
    joined,
    no_field,
    origin_of,
    own_id,
    plan_file,
    range_of,
    read_range,
    reject_of,
    schema_of,
)

TABLE, TEXTS = "table", "text"
_OBJECT = re.compile(rb'^(?:\xef\xbb\xbf)?[ \t]*\{\s*["}]', re.MULTILINE)
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_]|$)")
_TEXT_NAME = re.compile(r"(?<=[^/\s])\.(txt|md)(?:\.(?:gz|bz2|xz|zst))?$", re.IGNORECASE)
_LONGEST = 4096  # maximum characters of a title or URL


@dataclass(frozen=True, kw_only=True)
class DocumentsConfig(LinesConfig):
    """Options for the fields of a row and for reading files."""

    GROUP: ClassVar[str] = "input"

    text_field: str = option(
        TEXT, default="text", metavar="KEY", help="key of the text: a string or list of paragraphs"
    )
    text_markup: str = option(
        one_of(PLAIN, HTML),
        default=PLAIN,
        metavar="MARKUP",
        help="markup of the text: plain, or html, from which the article is extracted",
    )
    id_field: str = option(
        TEXT,
        default="id",
        metavar="KEY",
        help="key of an ID that is unique across the input; a line without one gets an ID from its file name "
        "and line number",
    )
    title_field: str = option(TEXT, default="title", metavar="KEY", help="key of the title")
    url_field: str = option(TEXT, default="url", metavar="KEY", help="key of the URL")
    date_field: str = option(TEXT, default="date", metavar="KEY", help="key of the publication date")
    language_field: str = option(
        TEXT, default="language", metavar="KEY", help="key of the text's language code, such as de or pt-BR"
    )

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields, without duplicates."""
        of_metadata = (self.title_field, self.url_field, self.date_field, self.language_field)
        return tuple(dict.fromkeys((self.text_field, self.id_field, *of_metadata)))


def jsonl_file(file: InputFile, config: DocumentsConfig) -> RowFile:
    """Returns a JSON Lines file as a RowFile.

    Raises:
        SourceError: it looks like another kind of file; the message gives advice. Bad lines are not errors.
    """
    packing, text = check_text(file)
    if not _OBJECT.search(text) and (hint := hint_of(found := looks_like(text), asked=JSONL)):
        raise SourceError(f"{file.path}: not JSON Lines; it looks like {found}{hint}")
    return RowFile(file.path, file.size, file.index, form=JSONL, packing=packing)


def table_file(file: InputFile, config: DocumentsConfig) -> RowFile:
    """Returns a CSV, TSV or Parquet file, recognized by its beginning, not its name, as a RowFile.

    Raises:
        SourceError: it is not a table, or has no text column; the message names its columns.
    """
    path, text_field = file.path, config.text_field
    with open_input(path) as handle:
        is_parquet = handle.read(len(MAGIC)) == MAGIC
    if is_parquet:
        columns: Sequence[str] = schema_of(path).names
        if text_field in columns:
            names = tuple(name for name in config.fields if name in columns)
            return RowFile(path, file.size, file.index, form=PARQUET, names=names)
        raise SourceError(f"{path}: {no_field(text_field, columns, flag='--text-field')}")
    packing = kind_of(path)
    head = begins(path, packing)
    if form := foreign_form(head, path):
        raise SourceError(f"{path}: not a table (CSV, TSV or Parquet), but {form}")
    found = {delimiter: csv_header(head, delimiter) for delimiter in (",", "\t", ";")}
    for delimiter, names in found.items():
        if text_field in names:
            return RowFile(path, file.size, file.index, form=CSV, packing=packing, names=names, delimiter=delimiter)
    columns = max(found.values(), key=len)
    if len(columns) < 2 or hint_of(looks_like(head), asked=TABLE):
        raise SourceError(f"{path}: not a table (CSV, TSV or Parquet){looks_like_hint(head, asked=TABLE)}")
    raise SourceError(f"{path}: {no_field(text_field, columns, flag='--text-field')}")


def document_of(row: Row, place: RowRange, config: DocumentsConfig) -> RawDocument | Reject:
    """Returns the document in a row, or a Reject: TOO_LARGE, BAD_LINE or EMPTY_PAGE."""
    source = JSONL if place.of.form == JSONL else TABLE

    def reject(reason: Reason, detail: str) -> Reject:
        return reject_of(row, place, source, reason, detail)

    if row.problem:
        return reject(ReadReason.TOO_LARGE if row.oversized else ReadReason.BAD_LINE, row.problem)
    # datetime is a subclass of date
    values = {name: v.isoformat() if isinstance(v, date) else v for name, v in row.values.items()}
    try:
        text = _text(values, config.text_field)
        row_id = own_id(values.get(config.id_field), config.id_field)
    except ValueError as error:
        return reject(ReadReason.BAD_LINE, str(error))
    if not text.strip():
        return reject(ReadReason.EMPTY_PAGE, f"{config.text_field!r} is empty")
    row_id = row_id or f"{source}-{public_label(place.file, config.shared)}-{row.number}"
    language = _LANGUAGE.match(_short(values.get(config.language_field)))
    metadata = Metadata(
        url=_short(values.get(config.url_field)),
        published=_short(values.get(config.date_field)),
        language=language_named(language[1]).code if language else "",  # drops script and country
    )
    title = _short(values.get(config.title_field))
    origin = replace(origin_of(row, place, source, row_id), title=title, metadata=metadata)
    return RawDocument(origin, text, config.text_markup)


def _text(values: Mapping[str, Any], name: str) -> str:
    if name not in values:
        raise ValueError(no_field(name, values, flag="--text-field"))
    text = joined(values[name], "\n\n")
    if not isinstance(text, str):
        raise ValueError(f"{name!r} is neither a string nor a list of strings")
    return without_controls(text)


def _short(value: Any) -> str:
    """Returns a value as one line of text; "" for anything but a string or number."""
    plain = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    return " ".join(without_controls(str(value)[:_LONGEST]).split()) if plain else ""


class JsonlSource(FilesSource[DocumentsConfig]):
    """A source that reads JSON Lines."""

    NAME = JSONL
    HELP = "JSON Lines (plain, gz, bz2, zst, xz)"
    CONFIG = DocumentsConfig
    MARKUPS = frozenset({PLAIN, HTML})
    PROVENANCE = Provenance(
        "", "The text comes from the source files below, with whatever rights their owners have in it."
    )
    FILE: ClassVar[Callable[[InputFile, DocumentsConfig], RowFile]] = jsonl_file
    PLAN = plan_file
    READ = functools.partial(read_range, element_of=document_of)

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: DocumentsConfig) -> Self:
        files = [cls.FILE(file, config) for file in expand_inputs(patterns)]
        return cls(files, replace(config, shared=shared_names(files)))

    @override
    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """Returns the range of a line in a plain file; its line number, which ids may contain, is unknown."""
        assert isinstance(file, RowFile)
        is_plain = file.form == JSONL and file.packing == lines.PLAIN
        return range_of(file, offset, offset + 1) if is_plain else None


class TableSource(JsonlSource):
    """A source that reads tables with one text per row."""

    NAME = TABLE
    HELP = "CSV, TSV (plain, gz, bz2, zst, xz) or Parquet, with one text per row"
    FILE = table_file


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile(InputFile):
    """A text file, with the id of its document."""

    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRange(FileRange):
    """A range that covers the whole text file ``of``."""

    of: TextFile


def texts_of(patterns: Sequence[str]) -> list[TextFile]:
    """Returns the text files matched by paths, globs, folders and comma-separated lists of them, sorted by path.

    For a folder, these are all ``.txt`` and ``.md`` files below it except hidden ones. An id is the file's path without
    suffix, relative to that folder or, for a glob, to the folder before its first wildcard.

    Raises:
        SourceError: no file is found, or two files would get the same id.
    """
    found: dict[str, tuple[int, str]] = {}
    for pattern in split_commas(patterns):
        folder, base = pattern.rstrip("/"), posixpath.dirname(re.split(r"[*?\[]", pattern)[0])
        is_folder = not matching(folder) if is_url(folder) else os.path.isdir(folder)
        if is_folder or exists(pattern):  # a file name may contain glob characters
            base = folder if is_folder else posixpath.dirname(pattern)
        for file in expand_inputs([join(escaped(folder), "**") if is_folder else pattern], take_empty=True):
            below = posixpath.relpath(file.path, base or ".")
            if not is_folder or (_TEXT_NAME.search(below) and "/." not in f"/{below}"):
                found.setdefault(file.path, (file.size, _short(_TEXT_NAME.sub("", below))))
    if not found:
        raise SourceError(f"no .txt or .md files in {', '.join(patterns)}")
    paths: dict[str, str] = {}
    for path, (_, id_) in sorted(found.items()):
        if (other := paths.setdefault(id_, path)) != path:
            raise SourceError(
                f"{other!r} and {path!r} would both get the id {id_!r}; specify their common folder, or rename one"
            )
    return [TextFile(path, found[path][0], index, id=id_) for index, (id_, path) in enumerate(paths.items())]


def plan_text(
    file: TextFile, config: SourceConfig, *, workspace: str = "", limit: int | None = None
) -> tuple[list[TextRange], SourceFile, int]:
    """Returns the single range of a file, its manifest entry, and 1, its number of documents."""
    kind, sha256 = kind_of(file.path), UNREAD if limit is None else None
    place = TextRange.part(file, 0, file.size, kind=kind, of=file)
    return [place], SourceFile(file.path, file.size, sha256, kind_in_manifest(TEXTS, kind)), 1


def read_text(place: TextRange, config: SourceConfig) -> Iterator[RawDocument | Reject | RangeEnd]:
    """Yields the document in a text file, or a Reject (TOO_LARGE, NOT_TEXT or EMPTY_PAGE); then a RangeEnd."""
    yield from with_end(place, _elements(place))


def _elements(place: TextRange) -> Iterator[RawDocument | Reject | Damage]:
    origin = Origin(place.of.id, TEXTS, posixpath.basename(place.of.id), file=place.file, range_key=place.key)
    data, problem, most = bytearray(), "", LinesConfig.max_line_bytes
    for piece in pieces_of(place.path, place.kind):
        if isinstance(piece, Damage):
            yield piece
            problem = piece.message
            break
        data += piece.data
        if len(data) > most:
            yield origin.reject(ReadReason.TOO_LARGE, "read", f"over {most:,} bytes")
            return
    try:
        text, bad = without_controls(data.decode().removeprefix("\ufeff")), data.find(b"\0")
    except UnicodeDecodeError as error:
        text, bad = "", error.start
    if bad >= 0 and not problem:
        line, looks = data.count(b"\n", 0, bad) + 1, looks_like_hint(bytes(data[:HEAD_BYTES]), asked=TEXTS)
        problem = f"line {line} contains the byte {data[bad]:02x}{looks}"
    named = _TEXT_NAME.search(place.file)
    if problem or not text.strip():
        yield origin.reject(ReadReason.NOT_TEXT if problem else ReadReason.EMPTY_PAGE, "read", problem)
    else:
        yield RawDocument(origin, text, MARKDOWN if named and named[1].lower() == "md" else PLAIN)


class TextSource(FilesSource[SourceConfig]):
    """A source that reads plain text and Markdown."""

    NAME = TEXTS
    HELP = "text files, one document per file (.txt, .md; plain, gz, bz2, zst, xz), or folders of such files"
    MARKUPS = frozenset({PLAIN, MARKDOWN})
    PROVENANCE = JsonlSource.PROVENANCE
    PLAN = plan_text
    READ = read_text

    @classmethod
    @override
    def open(cls, patterns: Sequence[str], config: SourceConfig) -> Self:
        return cls(texts_of(patterns), config)
