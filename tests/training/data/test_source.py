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
from gistmill.training.data import shards
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
        ({"config": "balanced"}, "has no configuration 'balanced'; it has full"),
        ({"split": "validation"}, "full has no rows in a split 'validation'; it has train"),
        ({"split": "test"}, "full has no rows in a split 'test'"),
        ({"columns": ("inputs", "targets")}, "full has no column 'targets'; it has id, inputs, words, number"),
        ({"columns": ("input",)}, "full has no column 'input'; did you mean inputs?; it has"),
    ]:
        with pytest.raises(SettingsError, match=f"^{re.escape(place)}[: ].*{re.escape(said)}") as error:
            opened(place, **wanted)
        assert "\n" not in str(error.value), wanted


def test_what_is_not_a_dataset(place, tmp_path):
    for path, said in (("nothing", "nothing is there"), ("set/full", "not a dataset yet")):
        with pytest.raises(SettingsError, match=said):
            opened(str(tmp_path / path))
    os.remove(f"{place}/manifest.json")
    with pytest.raises(SettingsError, match="not a dataset yet"):
        opened(place)
    (tmp_path / "set" / "manifest.json").write_text("{")
    with pytest.raises(SettingsError, match="manifest.json is not JSON"):
        opened(place)


def test_a_dataset_without_rows(tmp_path):
    write_manifest(tmp_path, made_manifest())
    with pytest.raises(SettingsError, match="has no rows"):
        opened(str(tmp_path))


def test_a_dataset_of_texts_only(tmp_path):
    (tmp_path / "full" / "tsv").mkdir(parents=True)
    (tmp_path / "full" / "tsv" / "train-00000-of-00001.tsv").write_text("id\n1\n")
    file = published_file(tmp_path, "full/tsv/train-00000-of-00001.tsv", rows=1)
    write_manifest(tmp_path, made_manifest(columns={"full": (ID_COLUMN,)}, files=(file,)))
    with pytest.raises(SettingsError, match="reads Parquet or TFRecord, and full has tsv only; .* --formats parquet"):
        opened(str(tmp_path))


def test_a_missing_shard(place):
    os.remove(f"{place}/{SHARD}")
    with pytest.raises(TrainingError, match=f"{SHARD} is missing; copy or publish the dataset again") as error:
        opened(place)
    assert not isinstance(error.value, SettingsError) and "\n" not in str(error.value)


def test_a_shard_that_is_cut_off(place, tmp_path):
    path = tmp_path / "set" / SHARD
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(TrainingError, match=rf"{SHARD} has [\d,]+ bytes, and the manifest says [\d,]+; .* validate"):
        opened(place)


def test_a_shard_that_was_cut_off_before_publishing(place, tmp_path):
    change(tmp_path / "set", SHARD, (tmp_path / "set" / SHARD).read_bytes()[:-10])
    with pytest.raises(TrainingError, match=f"{SHARD} cannot be read: ") as error:
        opened(place)
    assert "\n" not in str(error.value)


def rewrite(folder, table):
    pq.write_table(table, folder / SHARD)
    change(folder, SHARD, (folder / SHARD).read_bytes())


def test_a_shard_with_other_rows(place, tmp_path):
    rewrite(tmp_path / "set", pq.read_table(tmp_path / "set" / SHARD).slice(0, 1))
    with pytest.raises(TrainingError, match=f"{SHARD} has 1 rows, and the manifest says 30"):
        opened(place)


def test_a_shard_with_other_columns_than_the_manifest(place, tmp_path):
    table = pq.read_table(tmp_path / "set" / SHARD)
    rewrite(tmp_path / "set", table.drop_columns(["words"]))
    with pytest.raises(TrainingError, match=f"{SHARD} has no column 'words' of list<string>; copy"):
        opened(place)
    assert opened(place, columns=("inputs",)).rows == 60
    rewrite(tmp_path / "set", table.set_column(1, "inputs", pa.array(range(30))))
    with pytest.raises(TrainingError, match=f"{SHARD} has no column 'inputs' of string"):
        opened(place)
    rewrite(tmp_path / "set", table.set_column(2, "words", pa.array([[1]] * 30)))
    with pytest.raises(TrainingError, match=f"{SHARD} has no column 'words' of list<string>"):
        opened(place)


def flipped(path):
    """The bytes of a shard with a fault in the middle of its rows."""
    data = bytearray(path.read_bytes())
    data[60:200] = bytes(140)
    return bytes(data)


def test_a_changed_byte_is_seen_when_asked_for(place, tmp_path):
    path = tmp_path / "set" / SHARD
    path.write_bytes(flipped(path))
    opened(place)
    with pytest.raises(TrainingError, match=f"{SHARD} has changed: its SHA-256 is not that of the manifest"):
        opened(place, verify=True)


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


def test_a_place_of_this_machine_is_asked_once():
    calls = []

    def call():
        calls.append(1)
        raise OSError("torn")

    with pytest.raises(OSError, match="torn"):
        shards.patiently(call, "/data/set")
    assert len(calls) == 1


@pytest.mark.parametrize(("failures", "done"), [(2, True), (7, False)])
def test_a_store_is_asked_again_for_a_while(monkeypatch, failures, done):
    monkeypatch.setattr(shards, "WAITS", (0.0,) * 6)
    calls = []

    def call():
        calls.append(1)
        if len(calls) <= failures:
            raise OSError("busy")
        return "content"

    if done:
        assert shards.patiently(call, "gs://bucket/set") == "content" and len(calls) == 3
    else:
        with pytest.raises(OSError, match="busy"):
            shards.patiently(call, "gs://bucket/set")
        assert len(calls) == 7


def test_what_is_not_there_is_not_waited_for():
    calls = []

    def call():
        calls.append(1)
        raise FileNotFoundError("none")

    with pytest.raises(FileNotFoundError):
        shards.patiently(call, "s3://bucket/set")
    assert len(calls) == 1
