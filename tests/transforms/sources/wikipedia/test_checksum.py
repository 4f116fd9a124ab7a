"""The checksum of a file in the manifest comes from the note of its download, or from reading it beside the ranges."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to

from gistmill.transforms.io import sha256_of
from gistmill.transforms.sources.files import source as plan
from gistmill.transforms.sources.files.ranges import UNREAD, InputFile, SourceFile, expand_inputs
from gistmill.transforms.sources.files.source import Checksums
from gistmill.transforms.sources.wikipedia.dump import noted_sha256

CONTENT = b"an export"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
ANY = {"file": "a.xml.bz2", "wiki": "enwiki", "date": "20260901", "url": "https://dumps.example.org/a.xml.bz2"}


def put(folder: Path, **note: object) -> InputFile:
    path = folder / "a.xml.bz2"
    path.write_bytes(CONTENT)
    if note:
        (folder / "a.xml.bz2.dump.json").write_text(json.dumps({**ANY, **note}))
    return expand_inputs(str(path))[0]


def test_a_note_of_the_same_size_that_is_not_older_has_the_checksum(tmp_path: Path) -> None:
    assert noted_sha256(put(tmp_path, size=len(CONTENT), sha256=SHA256, wiki="enwiki")) == SHA256


@pytest.mark.parametrize(
    "note",
    [
        {},
        {"wiki": "enwiki", "sha1": "0" * 40},
        {"size": 10**6, "sha256": SHA256},
        {"sha256": SHA256},
        {"size": len(CONTENT), "sha256": ""},
        {"size": len(CONTENT), "sha256": SHA256.upper()},
        {"size": len(CONTENT), "sha256": None},
    ],
)
def test_a_note_that_says_less_or_other_things_is_no_checksum(tmp_path: Path, note: dict[str, object]) -> None:
    assert noted_sha256(put(tmp_path, **note)) == UNREAD


@pytest.mark.parametrize("content", ["", "[1]", "{", '"x"'])
def test_a_note_that_is_none_is_no_checksum(tmp_path: Path, content: str) -> None:
    file = put(tmp_path)
    Path(f"{file.path}.dump.json").write_text(content)
    assert noted_sha256(file) == UNREAD


def test_a_file_that_changed_since_its_note_is_read(tmp_path: Path) -> None:
    file = put(tmp_path, size=len(CONTENT), sha256=SHA256)
    later = os.stat(f"{file.path}.dump.json").st_mtime_ns + 1
    os.utime(file.path, ns=(later, later))
    assert noted_sha256(file) == UNREAD


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
