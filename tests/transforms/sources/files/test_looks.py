"""What the beginning of a file looks like."""

import bz2
import gzip
import io
import json
import tarfile
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from gistmill.transforms.sources.files.sniff import HEAD_BYTES, JSON_LINES, and_looks, looks_binary, looks_like

ROWS = [{"id": n, "body": "He came, saw, and left.\nAll of them did; too."} for n in range(3)]
JSONL = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
QUOTED = b'id,body\n1,"He came, saw.\nThen left."\n2,"She, too."\n'


def parquet():
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), file)
    return file.getvalue()


def archive(kind):
    file = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(file, "w") as packed:
            packed.writestr("a.jsonl", JSONL)
    else:
        with tarfile.open(fileobj=file, mode="w") as packed:
            packed.addfile(tarfile.TarInfo("a.jsonl"))
    return file.getvalue()


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (JSONL, JSON_LINES),
        (JSONL[:30], JSON_LINES),  # cut off
        (b"\xef\xbb\xbf" + JSONL, JSON_LINES),
        (b"\n\n" + JSONL, JSON_LINES),
        (b'{"text": "broken\n' + JSONL, JSON_LINES),
        (json.dumps(ROWS[0], indent=1).encode(), "JSON over several lines"),
        (json.dumps(ROWS).encode(), "a JSON array"),
        (json.dumps(ROWS, indent=1).encode(), "a JSON array"),
        (QUOTED, "CSV"),
        (QUOTED.replace(b"\n", b"\r\n"), "CSV"),
        (b"id;body\n1;2\n", "CSV with semicolons"),
        (b"id\tbody, or text\n1\tHe came, saw.\n", "TSV"),
        (b"<!DOCTYPE html>\n<html>", "HTML"),
        (b"  <HTML lang=en>", "HTML"),
        (b'<?xml version="1.0"?>\n<!-- x -->\n<mediawiki xmlns="x">', "a MediaWiki export"),
        (b'<?xml version="1.0"?><rss>', "XML or HTML"),
        (b"WARC/1.0\r\nWARC-Type: warcinfo\r\n", "a WARC file"),
        (b"He came, saw, and left.\nShe came, saw, and stayed.\n", "plain text"),
        (b"body\nHe came.\n", "plain text"),
        (b"a,b\n", "plain text"),  # one row tells nothing
        ("Caf\u00e9\n".encode(), "plain text"),
        (parquet(), "a Parquet file"),
        (archive("zip"), "a zip archive"),
        (archive("tar"), "a tar archive"),
        (b"%PDF-1.7\n", "a PDF file"),
        (JSONL.decode().encode("utf-16"), "UTF-16"),
        (gzip.compress(JSONL), "a gzip file"),
        (bz2.compress(JSONL), "a bz2 file"),
        (zstandard.compress(JSONL), "a zstd file"),
        (b"\x00\x01\x02", ""),
        (b"\xff\xff\xff", ""),
        (b"", ""),
        (b"\n", ""),
    ],
)
def test_what_a_file_looks_like(head, expected):
    assert looks_like(head) == expected
    assert and_looks(head, "").startswith(f"; it looks like {expected}" if expected else "") and bool(expected) == bool(
        and_looks(head, "")
    )


def test_what_is_packed_is_looked_into():
    said = "; it looks like {} of JSON Lines; did you mean --source jsonl?"
    assert and_looks(gzip.compress(JSONL), "a") == said.format("a gzip file")
    assert and_looks(bz2.compress(JSONL), "a") == said.format("a bz2 file")
    assert and_looks(gzip.compress(JSONL)[:10], "a") == "; it looks like a gzip file"  # too little to tell


def test_a_last_line_that_is_cut_off_does_not_hide_a_table():
    table = b"a,b\n1," + b"x" * (HEAD_BYTES - 8) + b"\n22,3\n"  # the second row ends within its first cell
    assert len(table) > HEAD_BYTES and looks_like(table[:HEAD_BYTES]) == "CSV"


def test_text_is_not_binary():
    assert not any(map(looks_binary, (JSONL, QUOTED, b"", b"BZ", b"PAR")))


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_nothing_is_an_error(head):
    assert isinstance(looks_like(head), str)
