"""Says what the beginning of a file looks like, for messages about input that is not what its source reads."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import islice

from gistmill.transforms.sources.files.foreign import foreign_form

HEAD_BYTES = 1 << 16
JSON_LINES, PARQUET = "JSON Lines", "a Parquet file"
_PACKED = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\x1f\x8b", "a gzip file"), (b"BZh", "a bz2 file"))
_MARKED = (
    (re.compile(r"WARC/\d"), "a WARC file"),
    (re.compile(r"(?:<[?!][^>]*>\s*)*<mediawiki[\s>]"), "a MediaWiki export"),
    (re.compile(r"(?:<[?!][^>]*>\s*)*<html[\s>]|<!doctype html", re.IGNORECASE), "HTML"),
    (re.compile(r"<[?!/\w]"), "XML or HTML"),
    (re.compile(r"\["), "a JSON array"),
)
_TABLES = (("\t", "TSV"), (",", "CSV"), (";", "CSV with semicolons"))
_ROWS, _LONGEST_NAME = 5, 64
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")


def looks_binary(head: bytes) -> str:
    """Returns what a file that begins so looks like if it is of a known binary kind or UTF-16, else ""."""
    foreign = foreign_form(head).partition(";")[0]
    return foreign or next((name for magic, name in _PACKED if head.startswith(magic)), "")


def looks_like(head: bytes) -> str:
    """Returns what a file that begins so looks like, such as "CSV"; "" where nothing can be said.

    Args:
        head: the beginning, decompressed: HEAD_BYTES, or less where the file ends.
    """
    if binary := looks_binary(head):
        return binary
    text = head.decode("utf-8-sig", "replace").lstrip()
    if marked := next((name for mark, name in _MARKED if mark.match(text)), ""):
        return marked
    if text.startswith("{"):
        return JSON_LINES if _has_object_a_line(text) else "JSON over several lines"
    if len(head) == HEAD_BYTES:
        text = text.rpartition("\n")[0]  # the last line may be cut off
    if table := next((name for mark, name in _TABLES if _is_table(text, mark)), ""):
        return table
    return "plain text" if text and not _NO_TEXT.search(text) else ""


def and_looks(head: bytes) -> str:
    """Returns the same as the end of a message, or ""."""
    found = looks_like(head)
    return f"; it looks like {found}" if found else ""


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
