"""Says what the beginning of a file looks like, for messages about input that is not what its source reads."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import islice
from shlex import quote

from gistmill.transforms.sources.files.foreign import as_json_lines, foreign_name, unpacked

HEAD_BYTES = 1 << 16
JSON_LINES, PARQUET, WARC, EXPORT = "JSON Lines", "a Parquet file", "a WARC file", "a MediaWiki export"
_TEXT = "plain text"
_SNAPSHOT = "a snapshot of Wikimedia Enterprise"
_IN_SNAPSHOT = '"article_body"'
_PACKED = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"), (b"\x1f\x8b", "a gzip file"), (b"BZh", "a bz2 file"))
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
    _SNAPSHOT: "wikipedia-html",
    PARQUET: "table",
    **{name: "table" for _, name in _TABLES},
}
_ROWS, _LONGEST_NAME = 5, 64
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")


def looks_binary(head: bytes) -> str:
    """Returns what a file that begins so looks like if it is of a known binary kind or UTF-16, else ""."""
    return foreign_name(head) or next((name for magic, name in _PACKED if head.startswith(magic)), "")


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
        if not _has_object_a_line(text):
            return "JSON over several lines"
        return _SNAPSHOT if _IN_SNAPSHOT in text else JSON_LINES
    if len(head) == HEAD_BYTES:
        text = text.rpartition("\n")[0]  # the last line may be cut off
    if table := next((name for mark, name in _TABLES if _is_table(text, mark)), ""):
        return table
    return _TEXT if text and not _NO_TEXT.search(text) else ""


def and_looks(head: bytes, path: str, *, asked: str = "") -> str:
    """Returns the same of the file ``path`` as the end of a message, with what to do about it: see hint_of; "" where
    nothing can be said."""
    found, text = looks_like(head), unpacked(head, HEAD_BYTES)
    inner = looks_like(text) if text not in (head, b"") else ""
    hint = hint_of(inner, "", asked=asked) if inner else hint_of(found, path, asked=asked)
    return f"; it looks like {found}{f' of {inner}' if inner else ''}{hint}" if found else ""


def hint_of(form: str, path: str, *, asked: str) -> str:
    """Returns the end of a message that names the source of a form of ``looks_like``, if it is not the one that was
    ``asked``, or how text becomes JSON Lines; "" where no source reads the form.

    Args:
        form: what the file looks like.
        path: the file; "" for one that a command would have to unpack first.
        asked: the name of the source that was to read it.
    """
    if form == _TEXT and path:
        return f"; {as_json_lines(quote(path))}"
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
