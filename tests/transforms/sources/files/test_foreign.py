import bz2
import gzip
import io
import json
import lzma
import shutil
import subprocess
import tarfile
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from gistmill.transforms.sources.files.foreign import foreign_form, shown
from gistmill.transforms.sources.files.ranges import SourceError, expand_inputs
from gistmill.transforms.sources.jsonl.source import JsonlConfig, JsonlSource
from gistmill.transforms.sources.warc.source import WarcConfig, WarcSource
from gistmill.transforms.sources.wikipedia.config import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource

SOURCES = {
    "jsonl": (JsonlSource, JsonlConfig),
    "warc": (WarcSource, WarcConfig),
    "wikipedia": (WikipediaSource, WikipediaConfig),
}
LINES = b'{"text": "The council met on Monday."}\n' * 50


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


@pytest.mark.parametrize("pack, name", [(zstandard.compress, "a zstd file"), (lzma.compress, "an xz file")])
def test_what_web_pages_are_not_read_from_says_how_to_unpack_it(tmp_path, pack, name):
    path = tmp_path / "input"
    path.write_bytes(pack(LINES))
    with pytest.raises(SourceError, match=f"{name}; unpack it"):
        WarcSource.open([str(path)], WarcConfig())


WARC = b"WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n"
EXPORT = b"<mediawiki><siteinfo></siteinfo></mediawiki>"
SNAPSHOT = b'{"name": "A", "article_body": {"html": "<p>A</p>"}}\n'
TABLE = b'id,text\n1,"It rained, and they left."\n2,"It snowed, and they stayed."\n'


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize(
    "content, source",
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
    assert not foreign_form(LINES) and not foreign_form(b"") and not foreign_form(b"PK is a text")


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
    with pytest.raises(SourceError, match=r"is a folder of \.txt files; write each as a line of JSON \(for f in"):
        expand_inputs(str(tmp_path))
    (tmp_path / "c.jsonl").write_text("{}")
    with pytest.raises(SourceError, match="is a folder; name its files, such as"):
        expand_inputs(str(tmp_path))


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_the_command_for_a_folder_of_texts_makes_lines(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(f'Text "{name}".\n\nIt is short.\n')
    with pytest.raises(SourceError) as caught:
        expand_inputs(str(tmp_path))
    command = str(caught.value).partition("(")[2].rpartition(")")[0]
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    lines = (tmp_path / "texts.jsonl").read_text().splitlines()
    assert [json.loads(line)["text"] for line in lines] == [f'Text "{n}".\n\nIt is short.\n' for n in "ab"]


def test_a_dataset_points_to_the_source_that_reads_some(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(
        SourceError, match="is a published dataset; --source annotated reads those of gistmill annotate"
    ):
        expand_inputs(str(tmp_path))


def test_standard_input_is_said_to_need_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError, match=r"standard input cannot be read in parts: write it to a file"):
        expand_inputs("-")
    (tmp_path / "-").write_text("a file of this name is a file")
    assert [file.path for file in expand_inputs("-")] == ["-"]
