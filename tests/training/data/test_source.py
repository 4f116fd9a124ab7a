"""Datasets that are broken, missing or not what was asked for."""

import dataclasses
import itertools
import os
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gistmill.core.statistics import ID_COLUMN
from gistmill.published.dataset import Dataset
from gistmill.training.data import source as module
from gistmill.training.data.source import Source
from gistmill.training.errors import SettingsError, TrainingError
from tests.manifests import made_manifest, write_manifest
from tests.training.data.made import publish, published_file, rows, stream

SHARD = "full/parquet/train-00001-of-00002.parquet"


@pytest.fixture
def place(tmp_path):
    return publish(tmp_path / "set", {"train": rows(60), "test": []}, shards=2)


def opened(place, **wanted):
    return Source(place, **wanted).open()


def change(folder, path, data):
    """Writes other bytes, and a manifest that agrees with them."""
    (folder / path).write_bytes(data)
    manifest = Dataset(folder).manifest
    files = [
        dataclasses.replace(published_file(folder, path, rows=f.rows), rows=f.rows) if f.path == path else f
        for f in manifest.files
    ]
    write_manifest(folder, dataclasses.replace(manifest, files=tuple(files)))


def test_a_split_in_order(place):
    split = opened(place)
    assert list(split.in_order()) == rows(60) and split.rows == 60
    assert [b.rows for b in split.blocks] == [10] * 6


def test_what_is_asked_for_is_read(place):
    assert list(opened(place, columns=("words", "id"), config="full").in_order())[2] == {
        "words": ["w", "w"],
        "id": "00000002",
    }


def test_what_a_dataset_does_not_have(place):
    for wanted, said in [
        ({"config": "balanced"}, "has no configuration 'balanced'; its configurations are full"),
        ({"split": "validation"}, "full has no rows in split 'validation'; its splits are: train"),
        ({"split": "test"}, "full has no rows in split 'test'"),
        ({"columns": ("inputs", "targets")}, "full has no column 'targets'; its columns are id, inputs, words, number"),
        ({"columns": ("input",)}, "full has no column 'input'; did you mean inputs?; its columns are"),
    ]:
        with pytest.raises(SettingsError, match=f"^{re.escape(place)}[: ].*{re.escape(said)}") as error:
            opened(place, **wanted)
        assert "\n" not in str(error.value), wanted


def test_what_is_not_a_dataset(place, tmp_path):
    for path, said in (("nothing", "no files found there"), ("set/full", "not a dataset yet")):
        with pytest.raises(SettingsError, match=said):
            opened(str(tmp_path / path))
    os.remove(f"{place}/manifest.json")
    with pytest.raises(SettingsError, match="not a dataset yet"):
        opened(place)
    (tmp_path / "set" / "manifest.json").write_text("{")
    with pytest.raises(SettingsError, match="manifest.json is not JSON"):
        opened(place)


def test_a_dataset_without_rows_or_of_texts_only(tmp_path):
    write_manifest(tmp_path, made_manifest())
    with pytest.raises(SettingsError, match="contains no rows"):
        opened(str(tmp_path))
    (tmp_path / "full" / "tsv").mkdir(parents=True)
    (tmp_path / "full" / "tsv" / "train-00000-of-00001.tsv").write_text("id\n1\n")
    file = published_file(tmp_path, "full/tsv/train-00000-of-00001.tsv", rows=1)
    write_manifest(tmp_path, made_manifest(columns={"full": (ID_COLUMN,)}, files=(file,)))
    with pytest.raises(SettingsError, match="requires Parquet, but full is only available as tsv; .* --formats"):
        opened(str(tmp_path))


def test_a_shard_that_is_missing_or_not_that_of_the_manifest(place, tmp_path):
    folder, path = tmp_path / "set", tmp_path / "set" / SHARD
    whole, table = path.read_bytes(), pq.read_table(path)

    def refused(said, **wanted):
        with pytest.raises(TrainingError, match=said) as error:
            opened(place, **wanted)
        assert not isinstance(error.value, SettingsError) and "\n" not in str(error.value)

    path.unlink()
    refused(f"{SHARD} is missing; copy or publish the dataset again")
    path.write_bytes(whole[:-10])
    refused(rf"{SHARD} is [\d,]+ bytes long, but should be [\d,]+ bytes long; .* validate")
    change(folder, SHARD, whole[:-10])  # it was cut off before publishing
    refused(f"{SHARD} cannot be read: ")
    rewrite(folder, table.slice(0, 1))
    refused(f"{SHARD} contains 1 rows, but the manifest says 30")
    rewrite(folder, table.drop_columns(["words"]))
    refused(f"{SHARD} has no column 'words' of list<string>; copy")
    assert opened(place, columns=("inputs",)).rows == 60
    rewrite(folder, table.set_column(1, "inputs", pa.array(range(30))))
    refused(f"{SHARD} has no column 'inputs' of string")
    rewrite(folder, table.set_column(2, "words", pa.array([[1]] * 30)))
    refused(f"{SHARD} has no column 'words' of list<string>")
    rewrite(folder, table)
    path.write_bytes(flipped(path))
    opened(place)
    refused(f"{SHARD} has changed: its SHA-256 differs from that in the manifest", verify=True)


def rewrite(folder, table):
    pq.write_table(table, folder / SHARD)
    change(folder, SHARD, (folder / SHARD).read_bytes())


def flipped(path):
    """The bytes of a shard with a fault in the middle of its rows."""
    data = bytearray(path.read_bytes())
    data[60:200] = bytes(140)
    return bytes(data)


def test_the_batches_before_a_broken_row_group_come(place, tmp_path):
    path = tmp_path / "set" / SHARD
    path.write_bytes(flipped(path))
    found, batches = stream(place, shuffle=0), []
    with pytest.raises(TrainingError, match=f"{SHARD} cannot be read: ") as error:
        batches.extend(found)
    assert "\n" not in str(error.value)
    state = found.state()
    path.write_bytes(flipped(path))
    again = stream(place, shuffle=0)
    again.restore(state)


def test_a_shard_that_goes_away_while_it_is_read(place):
    found = stream(place, shuffle=0)
    os.remove(f"{place}/{SHARD}")
    with pytest.raises(TrainingError, match=f"{SHARD} is missing"):
        list(itertools.islice(found, 100))


class Failing:
    """Fails so many times with an error, and then has content."""

    def __init__(self, times, error):
        self.calls, self.times, self.error = 0, times, error

    def __call__(self):
        self.calls += 1
        if self.calls <= self.times:
            raise self.error
        return "content"


def test_a_store_is_asked_again_for_a_while(monkeypatch):
    monkeypatch.setattr(module, "WAITS", (0.0,) * 6)
    for place, failures, error, asked in (
        ("gs://bucket/set", 2, OSError("busy"), 3),
        ("gs://bucket/set", 7, OSError("busy"), 7),
        ("/data/set", 2, OSError("torn"), 1),  # a place of this machine is asked once
        ("s3://bucket/set", 2, FileNotFoundError("none"), 1),  # what is not there is not waited for
    ):
        call = Failing(failures, error)
        if failures < asked:
            assert module.patiently(call, place) == "content"
        else:
            with pytest.raises(type(error), match=str(error)):
                module.patiently(call, place)
        assert call.calls == asked, place
