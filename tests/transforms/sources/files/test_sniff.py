"""What the beginning of a file looks like, and what a source says of a file that is another's."""

import bz2
import gzip
import io
import itertools
import json
import lzma
import os
import re
import shutil
import subprocess
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from gistmill.transforms.sources.documents import DocumentsConfig, JsonlSource
from gistmill.transforms.sources.files import sniff
from gistmill.transforms.sources.files.ranges import SourceError, expand_inputs
from gistmill.transforms.sources.files.sniff import looks_like, looks_like_hint, shown
from gistmill.transforms.sources.warc.source import WarcConfig, WarcSource
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from tests.snapshots import archive

SOURCES = {
    "jsonl": (JsonlSource, DocumentsConfig),
    "warc": (WarcSource, WarcConfig),
    "wikipedia": (WikipediaSource, WikipediaConfig),
}
ROWS = [{"id": n, "text": "He came, saw, and left.\nAll of them did; too."} for n in range(50)]
LINES = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
QUOTED = b'id,body\n1,"He came, saw.\nThen left."\n2,"She, too."\n'
WARC = b"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n"
EXPORT = b"<mediawiki><siteinfo></siteinfo></mediawiki>"
SNAPSHOT = b'{"name": "A", "article_body": {"html": "<p>A</p>"}}\n'
TAR = archive([LINES])
TABLE = b'id,text\n1,"It rained, and they left."\n2,"It snowed, and they stayed."\n'


def zipped():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("lines.jsonl", LINES)
    return made.getvalue()


def parquet():
    made = io.BytesIO()
    pq.write_table(pa.table({"text": ["a"]}), made)
    return made.getvalue()


FORMS = {
    "tar archive": TAR,
    "tar archive, gzip": gzip.compress(TAR),
    "tar archive, bzip2": bz2.compress(TAR),
    "zip archive": zipped(),
    "7z archive": b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(100),
    "Parquet file": parquet(),
    "PDF file": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
}
LOOKS = [
    (LINES, "JSON Lines"),
    (LINES[:30], "JSON Lines"),  # cut off
    (b"\xef\xbb\xbf" + LINES, "JSON Lines"),
    (b"\n\n" + LINES, "JSON Lines"),
    (b'{"text": "broken\n' + LINES, "JSON Lines"),
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
    (WARC, "a WARC file"),
    (b"He came, saw, and left.\nShe came, saw, and stayed.\n", "plain text"),
    (b"body\nHe came.\n", "plain text"),
    (b"a,b\n", "plain text"),  # one row tells nothing
    ("Caf\u00e9\n".encode(), "plain text"),
    (parquet(), "a Parquet file"),
    (zipped(), "a zip archive"),
    (TAR, "a tar archive"),
    (b"%PDF-1.7\n", "a PDF file"),
    (LINES.decode().encode("utf-16"), "UTF-16"),
    (gzip.compress(LINES), "a gzip file"),
    (bz2.compress(LINES), "a bz2 file"),
    (zstandard.compress(LINES), "a zstd file"),
    *((nothing, "") for nothing in (b"\x00\x01\x02", b"\xff\xff\xff", b"", b"\n")),
]


def put(folder, content, name="input"):
    (folder / name).write_bytes(content)
    return str(folder / name)


def opened(source, path):
    kind, config = SOURCES[source]
    return [file.path for file in kind.open([path], config()).files]


def refusal(source, path):
    """What a source says of a file that it does not read; it can be printed."""
    with pytest.raises(SourceError) as caught:
        opened(source, path)
    assert str(caught.value).isprintable()
    return str(caught.value)


def command_in(message):
    """The command of a message, which stands in brackets."""
    return re.search(r"unpack it \((.*)\) and ", message)[1]


def test_what_a_file_looks_like():
    for head, expected in LOOKS:
        said = looks_like_hint(head)
        assert looks_like(head) == expected, head[:50]
        assert said.startswith(f"; it looks like {expected}") if expected else not said, head[:50]


def test_what_is_packed_is_looked_into():
    said = "; it looks like {} containing JSON Lines; did you mean --source jsonl?"
    assert looks_like_hint(gzip.compress(LINES)) == said.format("a gzip file")
    assert looks_like_hint(bz2.compress(LINES)) == said.format("a bz2 file")
    assert looks_like_hint(gzip.compress(LINES)[:10]) == "; it looks like a gzip file"  # too little to tell


def test_a_last_line_that_is_cut_off_does_not_hide_a_table():
    table = b"a,b\n1," + b"x" * (sniff.HEAD_BYTES - 8) + b"\n22,3\n"  # the second row ends within its first cell
    assert len(table) > sniff.HEAD_BYTES and looks_like(table[: sniff.HEAD_BYTES]) == "CSV"


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_nothing_is_an_error(head):
    assert isinstance(looks_like(head), str)


def test_the_beginning_of_a_text_is_quoted_and_bytes_are_numbers():
    assert shown("Die Brücke\n".encode()) == r"'Die Brücke\n'"
    assert shown("é".encode() * 40)[1:20] == "é" * 19  # the cut may go through a letter
    assert shown(b"\x1b[2Jx") == "the bytes 1b 5b 32 4a 78"
    assert shown(b"\xff\xfe\x00") == "the bytes ff fe 00"


def test_a_file_of_another_form_is_named_with_what_to_do(tmp_path):
    for (name, content), source in itertools.product(FORMS.items(), SOURCES):
        path = put(tmp_path, content)
        message = refusal(source, path)
        assert f"{path}: not " in message and name.partition(",")[0] in message and ";" in message, (name, source)
        assert ("did you mean --source table?" in message) == name.startswith("Parquet"), (name, source)


@pytest.mark.parametrize(("pack", "suffix"), [(zstandard.compress, "zst"), (lzma.compress, "xz")])
@pytest.mark.parametrize(("source", "content"), [("warc", WARC), ("wikipedia", EXPORT)])
def test_what_is_not_read_packed_says_how_to_unpack_it(tmp_path, monkeypatch, source, content, pack, suffix):
    monkeypatch.chdir(tmp_path)
    for path, unpacked in (f"my input.{suffix}", "my input"), ("input", "input.unpacked"):
        put(tmp_path, pack(content), path)
        message = refusal(source, path)
        assert re.search(r"a zstd file; unpack it \(zstd|an xz file; unpack it \(xz", message)
        command = command_in(message)
        if shutil.which(command.split()[0]) is None:
            pytest.skip(f"{command.split()[0]} is not installed")
        subprocess.run(command, shell=True, check=True)
        assert opened(source, unpacked) == [unpacked]
        assert (tmp_path / path).read_bytes() == pack(content)  # what was there stays


def test_another_source_is_named_by_what_a_file_holds(tmp_path):
    contents = {"jsonl": LINES, "warc": WARC, "wikipedia": EXPORT, "wikipedia-html": SNAPSHOT, "table": TABLE}
    packs = bytes, gzip.compress, bz2.compress
    for (source, content), asked, pack in itertools.product(contents.items(), SOURCES, packs):
        path = put(tmp_path, pack(content))
        if (source, asked, pack) == ("warc", "warc", bz2.compress):
            assert refusal(asked, path).endswith("it looks like a bz2 file containing a WARC file")
        elif source == asked or (asked, source) == ("jsonl", "wikipedia-html"):  # its lines are JSON, too
            opened(asked, path)
        else:
            message = refusal(asked, path)
            assert message.endswith(f"; did you mean --source {source}?") and "it looks like" in message, (asked, pack)


def test_lines_are_of_no_other_form(tmp_path):
    for pack in bytes, gzip.compress, bz2.compress, zstandard.compress, lzma.compress:
        opened("jsonl", put(tmp_path, pack(LINES)))
    opened("jsonl", put(tmp_path, b"a,b\n1,2\n" + LINES))  # a header before them is a line that is rejected
    assert not any(sniff.foreign_form(head, "a") for head in (LINES, b"", b"PK is it", gzip.compress(LINES), b"PAR"))
    wikitext = EXPORT.replace(b"<siteinfo>", b"<siteinfo>\n{{Infobox\n{| class=x\n")
    said = refusal("jsonl", put(tmp_path, wikitext))
    assert said.endswith("a MediaWiki export; did you mean --source wikipedia?")


def test_bytes_never_reach_a_message(tmp_path):
    for source in SOURCES:
        assert "\ufffd" not in refusal(source, put(tmp_path, bytes(range(256)) * 4))


def test_texts_point_to_their_source(tmp_path):
    put(tmp_path, b"It rained all day. They stayed at home.\n", "a.txt")
    for pack in bytes, gzip.compress:
        path = put(tmp_path, pack((tmp_path / "a.txt").read_bytes()), "b.MD")
        assert all(refusal(source, path).endswith("plain text; did you mean --source text?") for source in SOURCES)
    with pytest.raises(SourceError, match=r"is a folder of texts; did you mean --source text\?"):
        expand_inputs(str(tmp_path))
    (tmp_path / "c.jsonl").write_text("{}")
    with pytest.raises(SourceError, match="is a folder; specify its files, for example"):
        expand_inputs(str(tmp_path))


def test_a_dataset_points_to_the_source_that_reads_some(tmp_path):
    put(tmp_path, b"{}", "manifest.json")
    said = "is a published dataset; --source annotated reads datasets made by gistmill annotate"
    with pytest.raises(SourceError, match=said):
        expand_inputs(str(tmp_path))


def test_standard_input_is_said_to_need_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError, match=r"standard input is not a file; .*: write it to a file first \(cat > input"):
        expand_inputs("-")
    os.mkfifo("pipe")
    with pytest.raises(SourceError, match=r"'pipe' is not a regular file; .*: write it to a file first \(cat > input"):
        expand_inputs("pipe")
    put(tmp_path, b"a file of this name is a file", "-")
    assert [file.path for file in expand_inputs("-")] == ["-"]
