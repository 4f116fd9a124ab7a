"""The checksums of dumps, and the index of their streams."""

from __future__ import annotations

import bz2
import hashlib
from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to

from gistmill.transforms.io import sha256_of
from gistmill.transforms.sources import base as plan
from gistmill.transforms.sources.base import Checksums
from gistmill.transforms.sources.files.ranges import UNREAD, SourceFile
from gistmill.transforms.sources.wikipedia.dump import BadIndex, find_index, stream_of

CONTENT = b"an export"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def test_only_files_without_a_checksum_are_read_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def recorded(path: str) -> str:
        read.append(path)
        return sha256_of(path)

    monkeypatch.setattr(plan, "sha256_of", recorded)
    path = str(tmp_path / "a.xml.bz2")
    Path(path).write_bytes(CONTENT)
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
