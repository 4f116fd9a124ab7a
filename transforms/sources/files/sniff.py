"""Guesses the type of a file from its first bytes, for messages about input of the wrong type."""

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
_SNAPSHOT = "a snapshot of Wikimedia Enterprise"
_TAR_MAGIC = slice(257, 262)
_SHOWN, _UNPACKED = 40, 512  # bytes: of a file in a message; of text in which a tar archive shows
_UNPACK = "unpack it ({command} {{path}} > {{unpacked}}) and name {{unpacked}}"
# The first bytes of files, their types, and advice for those that no source reads.
_FORMS = (
    (b"PK\x03\x04", "a zip archive", "unpack it (unzip {path}) and name the files in it"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it (7z x {path}) and name the files in it"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it (unrar x {path}) and name the files in it"),
    (XZ_MAGIC, "an xz file", _UNPACK.format(command="xz --decompress --stdout")),
    (ZSTD_MAGIC, "a zstd file", _UNPACK.format(command="zstd --decompress --stdout")),
    (b"\x04\x22\x4d\x18", "an lz4 file", _UNPACK.format(command="lz4 --decompress --stdout")),
    (b"PAR1", PARQUET, "did you mean --source table?"),
    (b"ARROW1", "an Arrow file", "write its rows as JSON Lines, an object a line, and read them by --source jsonl"),
    (b"SQLite format 3\x00", "an SQLite database", "write its rows as JSON Lines and read them by --source jsonl"),
    (b"%PDF-", "a PDF file", "extract its text, as JSON Lines, and read it by --source jsonl"),
    (b"\xff\xfe", "UTF-16", ""),
    (b"\xfe\xff", "UTF-16", ""),
    (GZIP_MAGIC, "a gzip file", ""),
    (BZ2_MAGIC, "a bz2 file", ""),
)
_TAR = (
    "a tar archive",
    "unpack it (tar --extract --file {path}) and name the files in it; --source wikipedia-html reads snapshots as they "
    "are",
)
_MARKED = (
    (re.compile(r"WARC/\d"), WARC),
    (re.compile(r"(?:<[?!][^>]*>\s*)*<mediawiki[\s>]"), EXPORT),
    (re.compile(r"(?:<[?!][^>]*>\s*)*<html[\s>]|<!doctype html", re.IGNORECASE), "HTML"),
    (re.compile(r"<[?!/\w]"), "XML or HTML"),
    (re.compile(r"\["), "a JSON array"),
)
_TABLES = (("\t", "TSV"), (",", "CSV"), (";", "CSV with semicolons"))
_SOURCES = {  # what reads a form
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
    """Returns the type of a file and advice, such as "a zip archive; unpack it ...", or "" if it may be text.

    Args:
        head: its first bytes, 512 of them if it has as many.
        path: where it is, for the command that unpacks it; of a place in a store the name alone is used.
    """
    name, remedy = _form_of(head)
    here = posixpath.basename(path) if is_url(path) else path
    root, suffix = posixpath.splitext(here)
    unpacked_path = root if suffix else f"{here}.unpacked"
    return f"{name}; {remedy.format(path=quote(here), unpacked=quote(unpacked_path))}" if remedy else ""


def _form_of(head: bytes) -> tuple[str, str]:
    """The name of a form by its first bytes and what to do, or ("", "")."""
    if unpacked(head, _UNPACKED)[_TAR_MAGIC] == b"ustar":
        return _TAR
    return next(((name, remedy) for magic, name, remedy in _FORMS if head.startswith(magic)), ("", ""))


def shown(data: bytes) -> str:
    """Returns the beginning of a file for a message: text in quotes; bytes that are not text in hexadecimal digits."""
    text = data[:_SHOWN].decode("utf-8", "replace")
    if "\ufffd" in text[:-4] or not all(c.isprintable() or c in "\t\r\n" for c in text.replace("\ufeff", "")):
        return f"the bytes {data[:8].hex(' ')}"
    return repr(text)


def unpacked(head: bytes, most: int) -> bytes:
    """Returns the beginning of the text of a file that gzip or bzip2 may have packed, as far as these bytes tell it:
    ``most`` bytes at most; ``head`` itself where nothing is packed."""
    try:
        if head.startswith(GZIP_MAGIC):
            return zlib.decompressobj(wbits=31).decompress(head, most)
        if head.startswith(BZ2_MAGIC):
            return bz2.BZ2Decompressor().decompress(head, most)
    except (OSError, zlib.error):
        return b""
    return head


def looks_like(head: bytes) -> str:
    """Returns the apparent type of a file with this beginning, such as "CSV"; "" if unknown.

    Args:
        head: the beginning, decompressed: HEAD_BYTES, or less where the file ends.
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
        text = text.rpartition("\n")[0]  # the last line may be cut off
    if table := next((name for mark, name in _TABLES if _is_table(text, mark)), ""):
        return table
    return _TEXT if text and not _NO_TEXT.search(text) else ""


def looks_like_hint(head: bytes, *, asked: str = "") -> str:
    """Returns the same as the end of a message, with what to do about it: see hint_of; "" where nothing can be said."""
    found, text = looks_like(head), unpacked(head, HEAD_BYTES)
    inner = looks_like(text) if text not in (head, b"") else ""
    hint = hint_of(inner or found, asked=asked)
    return f"; it looks like {found}{f' of {inner}' if inner else ''}{hint}" if found else ""


def hint_of(form: str, *, asked: str) -> str:
    """Returns the end of a message that names the source of a form of ``looks_like``, if it is not the one that was
    ``asked``; "" where no source reads the form."""
    source = _SOURCES.get(form, asked)
    return f"; did you mean --source {source}?" if source != asked else ""


def _has_object_a_line(text: str) -> bool:
    """Whether the first line is whole, or the second one begins an object too."""
    first, _, rest = text.partition("\n")
    if not rest.strip() or rest.lstrip().startswith("{"):
        return True
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def _is_table(text: str, delimiter: str) -> bool:
    """Whether there are rows of equal length below one of names, which are short and end no sentence."""
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
