"""Opening, listing and hashing files, with names that mean something to globs or decompressors, and torn JSON."""

import gzip
import hashlib
import json
import shutil
import threading
from pathlib import Path

import pytest
from apache_beam.io.filesystems import FileSystems
from apache_beam.options.pipeline_options import PipelineOptions

from gistmill.transforms.io import (
    create,
    escaped,
    exists,
    is_url,
    list_files,
    matching,
    open_input,
    read_json,
    sha256_of,
    size_of,
    write_json,
)
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.range_files import Heartbeat
from tests.stores import BUCKET, S3, s3_server


def test_what_is_a_url(tmp_path):
    paths = {"gs://bucket/a": True, "s3://b": True, "a://": True, "/a/b": False, "a:b": False, tmp_path: False}
    assert {path: is_url(path) for path in paths} == paths


def test_bytes_come_back_as_they_were_written(tmp_path):
    data = gzip.compress(bytes(range(256)) * 10_000, 0)
    for name in "a.gz", "a.bz2", "a.zst", "plain", "a[1]*?.xml":
        path = str(tmp_path / "new" / name)
        with create(path) as file:
            file.write(data)
        with open_input(path) as file:
            assert file.read() == data
            file.seek(1)
            assert file.read(1) == data[1:2]
        assert size_of(path) == len(data) and exists(path)
        assert sha256_of(path) == hashlib.sha256(data).hexdigest()


def test_a_workspace_that_is_gone_is_not_brought_back(tmp_path):
    workspace = tmp_path / "workspace"
    with pytest.raises(FileNotFoundError):
        create(str(workspace / "spills" / "a.spill"))
    with pytest.raises(FileNotFoundError):
        write_json(str(workspace / "ranges" / "a.json"), {})
    Heartbeat.of(WorkspaceLayout(str(workspace))).update(documents=1)
    assert not workspace.exists()
    workspace.mkdir()
    create(str(workspace / "spills" / "a.spill")).close()
    Heartbeat.of(WorkspaceLayout(str(workspace))).update(documents=1)
    assert sorted(p.name for p in workspace.iterdir()) == ["progress", "spills"]


def test_what_is_missing(tmp_path):
    missing = str(tmp_path / "missing")
    assert size_of(missing) is None and not exists(missing) and list_files(missing) == {} and matching(missing) == {}
    for read in (open_input, read_json, sha256_of):
        with pytest.raises(OSError):
            read(missing)


def test_a_folder_is_not_a_file(tmp_path):
    (tmp_path / "folder").mkdir()
    assert size_of(str(tmp_path / "folder")) is None
    assert list_files(str(tmp_path)) == {} and matching(f"{tmp_path}/*") == {}
    (tmp_path / "file").write_bytes(b"x")
    assert list_files(str(tmp_path / "file")) == {}


def test_a_name_that_looks_like_a_glob(tmp_path):
    for name in "out[1]", "a*", "b?", "plain":
        folder = tmp_path / name
        (folder / "below").mkdir(parents=True)
        for file in ("x.json", "y.json", "z.txt", "below/x.json"):
            (folder / file).write_bytes(b"12345")
        (tmp_path / "out1").mkdir(exist_ok=True)
        (tmp_path / "out1" / "x.json").write_bytes(b"")
        assert list_files(str(folder), ".json") == {str(folder / "x.json"): 5, str(folder / "y.json"): 5}
        assert matching(escaped(str(folder / "x.json"))) == {str(folder / "x.json"): 5}
        assert len(matching(escaped(str(folder)) + "/**")) == 4


def test_files_that_vanish_while_they_are_listed(tmp_path):
    for number in range(200):
        (tmp_path / f"{number}.json").write_bytes(b"1")
    (tmp_path / "stays.json").write_bytes(b"1")
    vanish = threading.Thread(target=lambda: [(tmp_path / f"{n}.json").unlink() for n in range(200)])
    vanish.start()
    while vanish.is_alive():
        assert str(tmp_path / "stays.json") in list_files(str(tmp_path), ".json")
    assert list_files(str(tmp_path)) == {str(tmp_path / "stays.json"): 1}


def test_json_comes_back_and_what_is_none_leaves_the_old_file(tmp_path):
    path = str(tmp_path / "a.json")
    write_json(path, {"old": 1})
    for value in {"b": [1, None], "a": "é\u2028"}, [], "x\udc80", {"path": "/a/\udcff.xml"}:
        write_json(path, value, indent=1)
        assert read_json(path) == value
        assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    with pytest.raises(TypeError):
        write_json(path, object())
    assert read_json(path) == value
    (tmp_path / "torn.json").write_bytes(b'{"a": ')
    with pytest.raises(ValueError):
        read_json(str(tmp_path / "torn.json"))


def test_a_glob_without_a_folder_finds_files_of_the_current_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a-1.gz", "a-2.gz", "b"):
        (tmp_path / name).write_bytes(b"1")
    (tmp_path / "a-3.gz").mkdir()
    assert matching("a-*.gz") == {"a-1.gz": 1, "a-2.gz": 1} and matching("c*") == {}
    assert matching("./a-*.gz") == {"./a-1.gz": 1, "./a-2.gz": 1} and matching("b") == {"b": 1}


def test_a_file_in_s3_is_written_even_if_it_is_empty():
    pytest.importorskip("moto")
    with s3_server() as port:
        store = S3(port)
        FileSystems.set_options(PipelineOptions([*store.options]))
        for content in b"text", b"":
            with create(f"s3://{BUCKET}/a") as file:
                file.write(content)
            assert store.get("a") == content and size_of(f"s3://{BUCKET}/a") == len(content)


def read(folder: Path) -> list[dict[str, int]]:
    return [json.loads(f.read_text()) for f in sorted(folder.glob("*.json"))]


def test_updates_add_up(tmp_path):
    beat = Heartbeat(tmp_path / "progress", interval=0)
    beat.update(documents=1, rows=3)
    beat.update(documents=1, rejects=1)
    beat.update(ranges=7, compared=5)
    assert read(tmp_path / "progress") == [{"compared": 5, "documents": 2, "rows": 3, "rejects": 1, "ranges": 7}]


def test_the_file_is_rewritten_at_most_once_an_interval_and_on_flush(tmp_path):
    beat = Heartbeat(tmp_path, interval=60)
    for _ in range(1000):
        beat.update(documents=1)
    assert read(tmp_path)[0]["documents"] == 1
    beat.flush()
    assert read(tmp_path)[0]["documents"] == 1000


def test_two_writers_of_one_process_keep_files_of_their_own_and_none_without_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in tmp_path, tmp_path, None:
        beat = Heartbeat(folder)
        beat.update(documents=1)
        beat.flush()
    assert [beat["documents"] for beat in read(tmp_path)] == [1, 1]


def test_a_folder_removed_under_its_feet_is_neither_an_error_nor_made_again(tmp_path):
    folder = tmp_path / "progress"
    beat = Heartbeat(folder, interval=0)
    shutil.rmtree(folder)
    beat.update(documents=1)
    assert not folder.exists()
