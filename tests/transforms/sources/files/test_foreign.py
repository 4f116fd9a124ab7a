import bz2
import gzip
import io
import json
import lzma
import os
import re
import shutil
import subprocess
import tarfile
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from gistmill.transforms.sources.files.ranges import SourceError, expand_inputs
from gistmill.transforms.sources.files.sniff import foreign_form, foreign_name, shown
from gistmill.transforms.sources.jsonl.source import JsonlConfig, JsonlSource
from gistmill.transforms.sources.warc.source import WarcConfig, WarcSource
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource

SOURCES = {
    "jsonl": (JsonlSource, JsonlConfig),
    "warc": (WarcSource, WarcConfig),
    "wikipedia": (WikipediaSource, WikipediaConfig),
}
LINES = b'{"text": "The council met on Monday."}\n' * 50
WARC = b"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n"
EXPORT = b"<mediawiki><siteinfo></siteinfo></mediawiki>"
SNAPSHOT = b'{"name": "A", "article_body": {"html": "<p>A</p>"}}\n'
TABLE = b'id,text\n1,"It rained, and they left."\n2,"It snowed, and they stayed."\n'


def tar():
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        member = tarfile.TarInfo("lines.ndjson")
        member.size = len(LINES)
        archive.addfile(member, io.BytesIO(LINES))
    return made.getvalue()


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
    "tar archive": tar(),
    "tar archive, gzip": gzip.compress(tar()),
    "tar archive, bzip2": bz2.compress(tar()),
    "zip archive": zipped(),
    "7z archive": b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(100),
    "Parquet file": parquet(),
    "PDF file": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
}


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", FORMS)
def test_a_file_of_another_form_is_named_with_what_to_do(tmp_path, source, name):
    path = tmp_path / "input.dat"
    path.write_bytes(FORMS[name])
    kind, config = SOURCES[source]
    with pytest.raises(SourceError) as caught:
        kind.open([str(path)], config())
    message = str(caught.value)
    assert f"{path}: not " in message and name.partition(",")[0] in message and ";" in message
    assert ("did you mean --source table?" in message) == name.startswith("Parquet")
    assert message.isprintable()


def command_in(error):
    """The command of a message, which stands in brackets."""
    return re.search(r"(?:unpack it|make JSON Lines of it) \((.*)\) and ", str(error.value))[1]


@pytest.mark.parametrize(("name", "unpacked"), [("my crawl.warc.{}", "my crawl.warc"), ("crawl", "crawl.unpacked")])
@pytest.mark.parametrize(("pack", "suffix"), [(zstandard.compress, "zst"), (lzma.compress, "xz")])
def test_what_web_pages_are_not_read_from_says_how_to_unpack_it(tmp_path, monkeypatch, pack, suffix, name, unpacked):
    monkeypatch.chdir(tmp_path)
    path = name.format(suffix)
    (tmp_path / path).write_bytes(pack(WARC))
    with pytest.raises(SourceError, match=r"a zstd file; unpack it \(zstd|an xz file; unpack it \(xz") as caught:
        WarcSource.open([path], WarcConfig())
    command = command_in(caught)
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"{command.split()[0]} is not installed")
    subprocess.run(command, shell=True, check=True)
    assert [file.path for file in WarcSource.open([unpacked], WarcConfig()).files] == [unpacked]
    assert (tmp_path / path).read_bytes() == pack(WARC)  # what was there stays


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize(
    ("content", "source"),
    [(LINES, "jsonl"), (WARC, "warc"), (EXPORT, "wikipedia"), (SNAPSHOT, "wikipedia-html"), (TABLE, "table")],
)
@pytest.mark.parametrize("asked", SOURCES)
def test_another_source_is_named_by_what_a_file_holds(tmp_path, content, source, asked, pack):
    path = tmp_path / "input"
    path.write_bytes(pack(content))
    kind, config = SOURCES[asked]
    if (source, asked, pack) == ("warc", "warc", bz2.compress):
        with pytest.raises(SourceError, match="it looks like a bz2 file of a WARC file$"):
            kind.open([str(path)], config())
        return
    if source == asked or (asked, source) == ("jsonl", "wikipedia-html"):  # its lines are JSON, too
        kind.open([str(path)], config())
        return
    with pytest.raises(SourceError, match=rf"; did you mean --source {source}\?$") as caught:
        kind.open([str(path)], config())
    assert str(caught.value).isprintable() and "it looks like" in str(caught.value)


def test_lines_with_another_beginning_are_still_lines(tmp_path):
    path = tmp_path / "input"
    path.write_bytes(b"a,b\n1,2\n" + LINES)
    assert [file.path for file in JsonlSource.open([str(path)], JsonlConfig()).files] == [str(path)]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, zstandard.compress, lzma.compress])
def test_lines_are_of_no_other_form(tmp_path, pack):
    (tmp_path / "lines").write_bytes(pack(LINES))
    JsonlSource.open([str(tmp_path / "lines")], JsonlConfig())
    assert not foreign_name(LINES) and not foreign_name(b"") and not foreign_form(b"PK is a text", "PK")


@pytest.mark.parametrize("source", SOURCES)
def test_bytes_never_reach_a_message(tmp_path, source):
    path = tmp_path / "input.dat"
    path.write_bytes(bytes(range(256)) * 4)
    kind, config = SOURCES[source]
    with pytest.raises(SourceError) as caught:
        kind.open([str(path)], config())
    assert str(caught.value).isprintable() and "\ufffd" not in str(caught.value)


def test_the_beginning_of_a_text_is_quoted_and_bytes_are_numbers():
    assert shown("Die Brücke\n".encode()) == r"'Die Brücke\n'"
    assert shown("é".encode() * 40)[1:20] == "é" * 19  # the cut may go through a letter
    assert shown(b"\x1b[2Jx") == "the bytes 1b 5b 32 4a 78"
    assert shown(b"\xff\xfe\x00") == "the bytes ff fe 00"


def test_a_folder_of_texts_is_told_from_others(tmp_path):
    for name in ("a.txt", "b.TXT"):
        (tmp_path / name).write_text("text")
    with pytest.raises(SourceError, match=r"is a folder of \.txt files; make JSON Lines of it \(python3 -c "):
        expand_inputs(str(tmp_path))
    (tmp_path / "c.jsonl").write_text("{}")
    with pytest.raises(SourceError, match="is a folder; name its files, such as"):
        expand_inputs(str(tmp_path))


def texts(folder):
    """Three texts in a folder: with quotation marks, of more bytes than characters, and not in UTF-8."""
    folder.mkdir()
    (folder / "a.txt").write_text('Text "a" isn\'t long.\n\n\tIt is short.\n')
    (folder / "b c.TXT").write_text("Die Brücke.\n")
    (folder / "d.txt").write_bytes(b"A caf\xe9 in Nice, which was closed.\n")
    return ["a.txt", "b c.TXT", "d.txt"]


def lines_by(command, folder):
    subprocess.run(command, shell=True, cwd=folder, check=True)
    return [json.loads(line) for line in (folder / "texts.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", ["texts", "my texts", "it's"])
def test_the_command_for_a_folder_of_texts_makes_lines(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    names = texts(tmp_path / name)
    with pytest.raises(SourceError) as caught:
        expand_inputs(name)
    made = lines_by(command_in(caught), tmp_path)
    assert [line["id"] for line in made] == names
    assert [line["text"] for line in made] == [(tmp_path / name / file).read_text(errors="replace") for file in names]
    assert len(JsonlSource.open(["texts.jsonl"], JsonlConfig()).files) == 1


@pytest.mark.parametrize("source", SOURCES)
def test_a_text_says_how_lines_are_made_of_it(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    texts(tmp_path / "my texts")
    kind, config = SOURCES[source]
    with pytest.raises(SourceError, match="it looks like plain text; make JSON Lines of it") as caught:
        kind.open(["my texts/a.txt"], config())
    assert str(caught.value).isprintable()
    assert lines_by(command_in(caught), tmp_path)[0]["text"] == (tmp_path / "my texts/a.txt").read_text()


@pytest.mark.parametrize("source", SOURCES)
def test_of_a_text_that_is_packed_no_command_is_given(tmp_path, source):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"It rained all day. They stayed at home.\n"))
    kind, config = SOURCES[source]
    if source == "jsonl":  # each line is rejected
        kind.open([str(path)], config())
        return
    with pytest.raises(SourceError, match="plain text$"):
        kind.open([str(path)], config())


def test_wikitext_is_not_taken_for_lines(tmp_path):
    (tmp_path / "input").write_bytes(EXPORT.replace(b"<siteinfo>", b"<siteinfo>\n{{Infobox\n{| class=x\n"))
    with pytest.raises(SourceError, match=r"a MediaWiki export; did you mean --source wikipedia\?$"):
        JsonlSource.open([str(tmp_path / "input")], JsonlConfig())


def test_a_dataset_points_to_the_source_that_reads_some(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(
        SourceError, match="is a published dataset; --source annotated reads those of gistmill annotate"
    ):
        expand_inputs(str(tmp_path))


def test_standard_input_is_said_to_need_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError, match=r"standard input is not a file; .*: write it to a file first \(cat > input"):
        expand_inputs("-")
    os.mkfifo("pipe")
    with pytest.raises(SourceError, match=r"'pipe' is not a regular file; .*: write it to a file first \(cat > input"):
        expand_inputs("pipe")
    (tmp_path / "-").write_text("a file of this name is a file")
    assert [file.path for file in expand_inputs("-")] == ["-"]
