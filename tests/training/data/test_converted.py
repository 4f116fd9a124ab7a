"""Datasets that have TFRecord files only."""

import dataclasses
import gzip
import itertools
import os
import subprocess
import sys

import pytest

from gistmill.published.dataset import Dataset
from gistmill.training.data.batching import Batching
from gistmill.training.data.source import Source
from gistmill.training.data.stream import Stream
from gistmill.training.errors import TrainingError
from tests.manifests import write_manifest
from tests.training.data.made import COLUMNS, published_file, row

pytest.importorskip("apache_beam")  # the writer's

SHARD = "full/tfrecord/train-00000-of-00001.tfrecord.gz"


@pytest.fixture
def place(tmp_path):
    """A dataset of 25 rows as the publisher writes them."""
    from gistmill.core.tf_example import records_of
    from tests.manifests import made_manifest

    folder = tmp_path / "set"
    (folder / SHARD).parent.mkdir(parents=True)
    records = records_of(COLUMNS)([list(row(number).values()) for number in range(25)])
    (folder / SHARD).write_bytes(gzip.compress(records))
    file = published_file(folder, SHARD, rows=25)
    write_manifest(folder, made_manifest(columns={"full": COLUMNS}, files=(file,)))
    return str(folder)


def amend(folder, rows=25):
    manifest = Dataset(folder).manifest
    file = published_file(folder, SHARD, rows=rows)
    write_manifest(folder, dataclasses.replace(manifest, files=(file,)))


def copies(cache):
    return sorted(cache.rglob("*.parquet"))


def test_its_rows_are_read_and_its_copy_is_made_once(place, tmp_path):
    cache = tmp_path / "cache"
    split = Source(place, cache=cache).open()
    assert list(split.in_order()) == [row(number) for number in range(25)]
    (copy,) = copies(cache)
    before = os.stat(copy)
    assert Source(place, cache=cache).open().fingerprint == split.fingerprint
    after = os.stat(copy)
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_its_default_place(place, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    Source(place).open()
    assert len(copies(tmp_path / "user" / "gistmill")) == 1


def test_it_is_streamed_and_resumed(place, tmp_path):
    def opened():
        source = Source(place, columns=("number",), cache=tmp_path / "cache")
        return Stream([source], seed=0, batching=Batching(rows=3), length=lambda r: 1)

    first, second = opened(), opened()
    batches = list(itertools.islice(first, 4))
    second.restore(first.state())
    assert next(iter(first)) == next(iter(second)) not in batches


def test_another_dataset_has_another_copy(place, tmp_path):
    Source(place, cache=tmp_path / "cache").open()
    manifest = Dataset(place).manifest
    write_manifest(tmp_path / "set", dataclasses.replace(manifest, licence="cc0-1.0"))
    Source(place, cache=tmp_path / "cache").open()
    assert len(copies(tmp_path / "cache")) == 2


def test_a_torn_shard_and_one_with_too_few_rows(place, tmp_path):
    path, whole, cache = tmp_path / "set" / SHARD, (tmp_path / "set" / SHARD).read_bytes(), tmp_path / "cache"
    amend(tmp_path / "set", rows=26)
    with pytest.raises(TrainingError, match=f"{SHARD} has 25 rows, and the manifest says 26"):
        Source(place, cache=cache).open()
    path.write_bytes(whole[:-9])
    with pytest.raises(TrainingError, match=f"{SHARD} has .* bytes"):
        Source(place, cache=cache).open()
    amend(tmp_path / "set")
    with pytest.raises(TrainingError, match=f"{SHARD} is not one whole gzip stream; copy or publish") as error:
        Source(place, cache=cache).open()
    assert "\n" not in str(error.value) and not list(cache.rglob("*.parquet*"))


def test_a_broken_copy_and_a_cache_that_cannot_be_written(place, tmp_path):
    Source(place, cache=tmp_path / "cache").open()
    (copy,) = copies(tmp_path / "cache")
    copy.write_bytes(b"torn")
    with pytest.raises(TrainingError, match=f"{copy} cannot be read: .*; remove it, so that it is made again"):
        Source(place, cache=tmp_path / "cache").open()
    (tmp_path / "file").write_text("a file")
    with pytest.raises(TrainingError, match="cannot be turned into Parquet in .*; name another folder by --cache"):
        Source(place, cache=tmp_path / "file").open()


@pytest.mark.slow
def test_processes_may_make_the_same_copy_at_once(place, tmp_path):
    code = (
        "import sys, pathlib\nfrom gistmill.training.data.source import Source\n"
        "split = Source(sys.argv[1], cache=pathlib.Path(sys.argv[2])).open()\n"
        "assert [row['number'] for row in split.in_order()] == list(range(25))\n"
    )
    command = [sys.executable, "-c", code, place, str(tmp_path / "cache")]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for process in processes:
        assert process.communicate(timeout=240)[1] == "" and process.returncode == 0
    assert [path.name for path in (tmp_path / "cache").rglob("*.parquet*")] == ["train-00000-of-00001.parquet"]
