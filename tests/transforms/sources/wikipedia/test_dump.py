"""What lies beside a dump: the note of its download, which has its checksum, and the index of its streams."""

from __future__ import annotations

import bz2
import hashlib
import json
import os
from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to

from gistmill.transforms.io import sha256_of
from gistmill.transforms.sources import base as plan
from gistmill.transforms.sources.base import Checksums
from gistmill.transforms.sources.files.ranges import UNREAD, InputFile, SourceFile, expand_inputs
from gistmill.transforms.sources.wikipedia.dump import BadIndex, find_index, noted_sha256, stream_of

CONTENT = b"an export"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
ANY = {"file": "a.xml.bz2", "wiki": "enwiki", "date": "20260901", "url": "https://dumps.example.org/a.xml.bz2"}


def put(folder: Path, **note: object) -> InputFile:
    path = folder / "a.xml.bz2"
    path.write_bytes(CONTENT)
    if note:
        (folder / "a.xml.bz2.dump.json").write_text(json.dumps({**ANY, **note}))
    return expand_inputs(str(path))[0]


def test_a_note_of_the_same_size_has_the_checksum_unless_the_file_is_newer(tmp_path: Path) -> None:
    file = put(tmp_path, size=len(CONTENT), sha256=SHA256)
    assert noted_sha256(file) == SHA256
    later = os.stat(f"{file.path}.dump.json").st_mtime_ns + 1
    os.utime(file.path, ns=(later, later))
    assert noted_sha256(file) == UNREAD


def test_a_note_that_says_less_or_other_things_is_no_checksum(tmp_path: Path) -> None:
    assert noted_sha256(put(tmp_path)) == UNREAD
    sums: list[dict[str, object]] = [{"sha256": ""}, {"sha256": SHA256.upper()}, {"sha256": None}, {"sha1": "0" * 40}]
    notes: list[dict[str, object]] = [{"sha256": SHA256}, {"size": 10**6, "sha256": SHA256}]
    for note in [*notes, *({"size": len(CONTENT), **one} for one in sums)]:
        assert noted_sha256(put(tmp_path, **note)) == UNREAD, note
    file = put(tmp_path)
    for content in "", "[1]", "{", '"x"':
        Path(f"{file.path}.dump.json").write_text(content)
        assert noted_sha256(file) == UNREAD, content


def test_only_files_without_a_checksum_are_read_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def recorded(path: str) -> str:
        read.append(path)
        return sha256_of(path)

    monkeypatch.setattr(plan, "sha256_of", recorded)
    path = put(tmp_path).path
    sources = [
        SourceFile(path, 9, UNREAD, "bz2"),
        SourceFile("b", 9, SHA256[::-1], "bz2"),
        SourceFile("c", 9, None, ""),
    ]
    with beam.Pipeline(runner="FnApiRunner") as pipeline:
        found = pipeline | beam.Create(sources) | Checksums() | beam.Map(lambda source: source.sha256)
        assert_that(found, equal_to([SHA256, SHA256[::-1], None]))
    assert read == [path]


def test_the_index_beside_a_dump_is_found(tmp_path: Path) -> None:
    date = "enwiki-20260101-pages-articles-multistream"
    for dump, index in (
        (f"{date}.xml.bz2", f"{date}-index.txt.bz2"),
        (f"{date}1.xml-p1p41242.bz2", f"{date}-index1.txt-p1p41242.bz2"),
        ("x-multistream.xml.bz2", "x-multistream-index.txt"),
    ):
        assert find_index(str(tmp_path / dump)) is None
        (tmp_path / index).write_bytes(b"1:2:3\n")
        assert find_index(str(tmp_path / dump)) == str(tmp_path / index)
        assert find_index(str(tmp_path / "other.xml.bz2")) is None


def offset_of(folder: Path, page: str, content: bytes) -> int | None:
    (folder / "index").write_bytes(content)
    return stream_of(str(folder / "index"), page)


def test_the_stream_of_a_page_is_found(tmp_path: Path) -> None:
    content = "597:10:AccessibleComputing\n597:12:A:B\n700:13:É\n999:14:last".encode()
    for packed in content, bz2.compress(content):
        found = [offset_of(tmp_path, page, packed) for page in ("10", "12", "13", "14", "1", "A")]
        assert found == [597, 597, 700, 999, None, None]
    assert offset_of(tmp_path, "1", b"x\n\nx:1:a\n-3:1:a\n") is None  # lines that are none of an index


def test_a_damaged_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadIndex, match="too long"):
        offset_of(tmp_path, "1", b"\0" * 10**7)
    with pytest.raises(BadIndex, match="cut off"):
        offset_of(tmp_path, "2", bz2.compress(b"5:1:a\n" * 100)[:-5])
