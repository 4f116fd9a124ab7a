"""Detection of a file's type from its first bytes, for error messages about input of the wrong type."""

from __future__ import annotations

import bz2
import csv
import io
import json
import posixpath
import re
import zlib
from itertools import islice
from shlex import quote

from gistmill.transforms.io import is_url

HEAD_BYTES = 1 << 16
BZ2_MAGIC, GZIP_MAGIC, ZSTD_MAGIC, XZ_MAGIC = b"BZh", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00"
JSON_LINES, PARQUET, WARC, EXPORT = "JSON Lines", "a Parquet file", "a WARC file", "a MediaWiki export"
_TEXT = "plain text"
_SNAPSHOT = "a Wikimedia Enterprise snapshot"
_TAR_MAGIC = slice(257, 262)
_SHOWN, _UNPACKED = 40, 512  # bytes of a file quoted in a message; bytes of text needed to recognize a tar archive
_UNPACK = "unpack it ({command} {{path}} > {{unpacked}}) and specify {{unpacked}}"
# The first bytes of files, their types, and advice for those that no source reads.
_FORMS = (
    (b"PK\x03\x04", "a zip archive", "unpack it (unzip {path}) and specify the files in it"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it (7z x {path}) and specify the files in it"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it (unrar x {path}) and specify the files in it"),
    (XZ_MAGIC, "an xz file", _UNPACK.format(command="xz --decompress --stdout")),
    (ZSTD_MAGIC, "a zstd file", _UNPACK.format(command="zstd --decompress --stdout")),
    (b"\x04\x22\x4d\x18", "an lz4 file", _UNPACK.format(command="lz4 --decompress --stdout")),
    (b"PAR1", PARQUET, "did you mean --source table?"),
    (b"ARROW1", "an Arrow file", "write its rows as JSON Lines, one object per line, and use --source jsonl"),
    (b"SQLite format 3\x00", "an SQLite database", "write its rows as JSON Lines and use --source jsonl"),
    (b"%PDF-", "a PDF file", "extract its text as JSON Lines and use --source jsonl"),
    (b"\xff\xfe", "UTF-16", ""),
    (b"\xfe\xff", "UTF-16", ""),
    (GZIP_MAGIC, "a gzip file", ""),
    (BZ2_MAGIC, "a bz2 file", ""),
)
_TAR = (
    "a tar archive",
    "unpack it (tar --extract --file {path}) and specify the files in it; only --source wikipedia-html reads tar "
    "archives",
)
_MARKED = (
    (re.compile(r"WARC/\d"), WARC),
    (re.compile(r"(?:<[?!][^>]*>\s*)*<mediawiki[\s>]"), EXPORT),
    (re.compile(r"(?:<[?!][^>]*>\s*)*<html[\s>]|<!doctype html", re.IGNORECASE), "HTML"),
    (re.compile(r"<[?!/\w]"), "XML or HTML"),
    (re.compile(r"\["), "a JSON array"),
)
_TABLES = (("\t", "TSV"), (",", "CSV"), (";", "CSV with semicolons"))
_SOURCES = {  # the source that reads each type
    WARC: "warc",
    EXPORT: "wikipedia",
    JSON_LINES: "jsonl",
    _TEXT: "text",
    _SNAPSHOT: "wikipedia-html",
    PARQUET: "table",
    **{name: "table" for _, name in _TABLES},
}
_ROWS, _LONGEST_NAME = 5, 64
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")


def foreign_form(head: bytes, path: str) -> str:
    """Returns a file's type and advice on it, such as "a zip archive; unpack it ...", or "" if it may be text.

    Args:
        head: the first 512 bytes of the file, or all of it if it is shorter.
        path: path of the file, for the command that unpacks it; only the file name is used for a file in a store.
    """
    name, remedy = _form_of(head)
    here = posixpath.basename(path) if is_url(path) else path
    root, suffix = posixpath.splitext(here)
    unpacked_path = root if suffix else f"{here}.unpacked"
    return f"{name}; {remedy.format(path=quote(here), unpacked=quote(unpacked_path))}" if remedy else ""


def _form_of(head: bytes) -> tuple[str, str]:
    """Returns the type of a file with these first bytes, and advice, or ("", "")."""
    if unpacked(head, _UNPACKED)[_TAR_MAGIC] == b"ustar":
        return _TAR
    return next(((name, remedy) for magic, name, remedy in _FORMS if head.startswith(magic)), ("", ""))


def shown(data: bytes) -> str:
    """Returns the beginning of a file for a message: text in quotes, binary data as hexadecimal digits."""
    text = data[:_SHOWN].decode("utf-8", "replace")
    if "\ufffd" in text[:-4] or not all(c.isprintable() or c in "\t\r\n" for c in text.replace("\ufeff", "")):
        return f"the bytes {data[:8].hex(' ')}"
    return repr(text)


def unpacked(head: bytes, most: int) -> bytes:
    """Returns up to ``most`` bytes from the beginning of a gzip or bz2 file's text, b"" if the file is damaged, or
    ``head`` itself if it is not compressed."""
    try:
        if head.startswith(GZIP_MAGIC):
            return zlib.decompressobj(wbits=31).decompress(head, most)
        if head.startswith(BZ2_MAGIC):
            return bz2.BZ2Decompressor().decompress(head, most)
    except (OSError, zlib.error):
        return b""
    return head


def looks_like(head: bytes) -> str:
    """Returns the apparent type of a file, such as "CSV", or "" if unknown.

    Args:
        head: the first HEAD_BYTES of the file, decompressed, or all of it if it is shorter.
    """
    if known := _form_of(head)[0]:
        return known
    text = head.decode("utf-8-sig", "replace").lstrip()
    if marked := next((name for mark, name in _MARKED if mark.match(text)), ""):
        return marked
    if text.startswith("{"):
        if not _has_object_a_line(text):
            return "JSON over several lines"
        return _SNAPSHOT if '"article_body"' in text else JSON_LINES
    if len(head) == HEAD_BYTES:
        text = text.rpartition("\n")[0]  # drop the last line, which may be incomplete
    if table := next((name for mark, name in _TABLES if _is_table(text, mark)), ""):
        return table
    return _TEXT if text and not _NO_TEXT.search(text) else ""


def looks_like_hint(head: bytes, *, asked: str = "") -> str:
    """Returns the end of a message that gives the apparent type, followed by hint_of, or "" if the type is unknown."""
    found, text = looks_like(head), unpacked(head, HEAD_BYTES)
    inner = looks_like(text) if text not in (head, b"") else ""
    hint = hint_of(inner or found, asked=asked)
    return f"; it looks like {found}{f' containing {inner}' if inner else ''}{hint}" if found else ""


def hint_of(form: str, *, asked: str) -> str:
    """Returns the end of a message that suggests the source for a file type from ``looks_like``, or "" if that source
    was ``asked`` for or no source reads the type."""
    source = _SOURCES.get(form, asked)
    return f"; did you mean --source {source}?" if source != asked else ""


def _has_object_a_line(text: str) -> bool:
    """Whether the first line is a complete JSON value, or the second also begins an object."""
    first, _, rest = text.partition("\n")
    if not rest.strip() or rest.lstrip().startswith("{"):
        return True
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def _is_table(text: str, delimiter: str) -> bool:
    """Whether all rows have the same length and the first contains names, which are short and end no sentence."""
    try:
        rows = list(islice(csv.reader(io.StringIO(text), delimiter=delimiter), _ROWS))
    except csv.Error:
        return False
    names = [name.strip() for name in rows[0]] if rows else []
    return (
        len(rows) > 1
        and len(names) > 1
        and {len(row) for row in rows if row} == {len(names)}
        and all(0 < len(name) <= _LONGEST_NAME and name[-1] not in ".!?" for name in names)
    )
