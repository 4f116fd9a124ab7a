import bz2
import gzip
import io
import lzma
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
    "xz file": lzma.compress(LINES),
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
    assert message.isprintable()


@pytest.mark.parametrize("source", ["warc", "wikipedia"])
def test_what_only_json_lines_are_read_from_is_refused_elsewhere(tmp_path, source):
    path = tmp_path / "input.zst"
    path.write_bytes(zstandard.compress(LINES))
    kind, config = SOURCES[source]
    with pytest.raises(SourceError, match="a zstd file; unpack it"):
        kind.open([str(path)], config())
    JsonlSource.open([str(path)], JsonlConfig())


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, zstandard.compress])
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
    with pytest.raises(SourceError, match=r"is a folder of \.txt files; write them as JSON Lines"):
        expand_inputs(str(tmp_path))
    (tmp_path / "c.jsonl").write_text("{}")
    with pytest.raises(SourceError, match="is a folder; name its files, such as"):
        expand_inputs(str(tmp_path))
