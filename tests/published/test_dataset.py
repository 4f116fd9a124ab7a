"""``Dataset``: what it tells and reads, and what it says where there is no dataset."""

from __future__ import annotations

import json
import shutil

import pyarrow.parquet as pq
import pytest

from gistmill.core.manifest import Manifest, ManifestError
from gistmill.core.statistics import StatisticsError
from gistmill.published.dataset import Dataset, NotADataset
from gistmill.published.files import DatasetError, LocalFolder
from tests.manifests import made_manifest, write_manifest
from tests.pipelines.publishing.made import build
from tests.transforms.sinks.made import SCHEMA


def expected(folder, split, config="full"):
    files = sorted((folder / config / "parquet").glob(f"{split}-*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def test_it_tells_what_it_is(published):
    dataset = Dataset(published)
    assert dataset.place == str(published)
    assert dataset.manifest == Manifest.from_json(json.loads((published / "manifest.json").read_text()))
    assert dataset.configs == ("full", "balanced")
    assert dataset.splits() == dataset.splits("balanced") == ("train", "validation", "test")
    assert dataset.columns() == SCHEMA["full"].columns
    assert dataset.stats.distributions["types"]["full"][0].value == "PAIR_CONN"
    assert [dataset.num_rows(s, c) for s in ("train", "test", "dev") for c in ("full", "balanced")] == [
        60,
        20,
        18,
        6,
        0,
        0,
    ]
    assert repr(dataset) == f"Dataset({str(published)!r}, discofuse, rows of balanced: 32, full: 96)"


@pytest.mark.parametrize("place", [str, lambda p: p, lambda p: f"{p}/", lambda p: f"file://{p}"])
def test_a_place_is_a_path_or_a_url_of_one(published, place):
    assert Dataset(place(published)).configs == ("full", "balanced")


@pytest.mark.parametrize("split", ["train", "validation", "test"])
@pytest.mark.parametrize("config", [None, "full", "balanced"])
def test_rows_come_in_order_of_their_ids(published, split, config):
    rows = list(Dataset(published).rows(split, config))
    assert rows == expected(published, split, config or "full") and len(rows) > 5
    ids = [r["id"].encode() for r in rows]
    assert ids == sorted(set(ids))


def test_columns_come_as_asked_for(published):
    rows = list(Dataset(published).rows("train", columns=["targets", "inputs"]))
    assert [list(r) for r in rows[:2]] == [["targets", "inputs"]] * 2
    assert [r["inputs"] for r in rows] == [r["inputs"] for r in expected(published, "train")]
    assert next(Dataset(published).rows("train", columns=[])) == {}


def test_rows_are_read_as_they_are_asked_for(published):
    opened = []

    class Watched(LocalFolder):
        def open(self, path):
            opened.append(path)
            return super().open(path)

    rows = Dataset(published, folder=Watched(published)).rows("train")
    assert opened == ["manifest.json"]
    first = next(rows)
    assert opened[1:] == ["full/parquet/train-00000-of-00002.parquet"]
    assert [first, *rows] == expected(published, "train")
    assert opened[2:] == ["full/parquet/train-00001-of-00002.parquet"]


def test_a_split_as_a_table(published):
    dataset = Dataset(published)
    assert dataset.table("train").to_pylist() == expected(published, "train")
    assert dataset.table("test", "balanced", ["inputs"]).column_names == ["inputs"]
    with pytest.raises(DatasetError, match="no column 'nix'"):
        dataset.table("train", columns=["nix"])


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("train", "fulll"), "has no configuration 'fulll'; it has full, balanced"),
        (("dev",), "full has no rows in a split 'dev'; it has train, validation, test"),
        (("train", None, ["id", "nix"]), "full has no column 'nix'; it has id, inputs, targets, length"),
    ],
)
def test_what_is_not_there_is_said_at_once(published, arguments, said):
    with pytest.raises(DatasetError, match=said):
        Dataset(published).rows(*arguments)  # before any row is asked for


def test_a_dataset_without_parquet_names_what_it_has(tmp_path):
    build(tmp_path / "demo", formats=("tfrecord", "tsv"))
    dataset = Dataset(tmp_path / "demo")
    assert dataset.splits() == ("train", "validation", "test") and dataset.validate() == []
    with pytest.raises(
        DatasetError, match="full has tfrecord, tsv only; a building job writes Parquet files with --formats"
    ):
        dataset.rows("train")


def test_a_dataset_without_rows(tmp_path):
    build(tmp_path / "demo", stream=[], allow_empty=True)
    dataset = Dataset(tmp_path / "demo")
    assert dataset.splits() == () and dataset.validate() == [] and "rows of nothing" in repr(dataset)
    with pytest.raises(DatasetError, match="no rows in a split 'train'; it has none"):
        dataset.rows("train")


class TestNotADataset:
    def test_a_folder_of_datasets_names_them(self, published, tmp_path):
        for name in ("leads", "fusion"):
            shutil.copytree(published, tmp_path / "20260901-1" / name)
        with pytest.raises(NotADataset, match="is not a dataset: name one of those in it, fusion, leads$"):
            Dataset(tmp_path / "20260901-1")
        for number in range(4):
            shutil.copytree(published, tmp_path / f"d{number}")
        with pytest.raises(NotADataset, match="in it, 20260901-1/fusion, 20260901-1/leads, d0, d1 and 2 more$"):
            Dataset(tmp_path)

    def test_nothing_is_there(self, tmp_path):
        with pytest.raises(NotADataset, match=f"^{tmp_path}/nix is not a dataset: nothing is there$"):
            Dataset(tmp_path / "nix")

    def test_a_folder_of_something_else(self, tmp_path):
        (tmp_path / "thesis.txt").write_text("")
        with pytest.raises(NotADataset, match="is not a dataset: it has no manifest.json$"):
            Dataset(tmp_path)

    def test_a_file(self, tmp_path):
        (tmp_path / "x").write_text("")
        with pytest.raises(NotADataset, match="is not a dataset"):
            Dataset(tmp_path / "x")

    @pytest.mark.parametrize("prefix", ["", "data-20260101T000000-0123abcd/"])
    def test_a_half_published_folder(self, tmp_path, prefix):
        place = tmp_path / f"{prefix}full/parquet"
        place.mkdir(parents=True)
        (place / "train-00000-of-00001.parquet").write_bytes(b"")
        with pytest.raises(NotADataset, match="is not a dataset yet: .* no manifest.json, which is written last"):
            Dataset(tmp_path)

    def test_a_store_that_nobody_knows(self):
        with pytest.raises(DatasetError, match="^ftp://a/b: known are folders, gs:// and s3://"):
            Dataset("ftp://a/b")


@pytest.mark.parametrize(
    "content, said",
    [
        ("{", "manifest.json is not JSON"),
        (b"\xff", "manifest.json is not JSON"),
        ("[]", "manifest.json must be an object"),
        (
            '{"manifest_version": 3}',
            r"manifest.json was written by a newer gistmill \(manifest version 3; this one reads 1 to 2\); upgrade",
        ),
    ],
)
def test_a_manifest_that_cannot_be_read_is_one_line(tmp_path, content, said):
    (tmp_path / "manifest.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ManifestError, match=f"^{tmp_path}: {said}[^\n]*$"):
        Dataset(tmp_path)


def test_statistics_that_cannot_be_read_are_one_line(copy, tmp_path):
    (copy / "stats.json").write_text('{"stats_version": 9}')
    with pytest.raises(StatisticsError, match=f"^{copy}: stats.json was written by a newer gistmill"):
        _ = Dataset(copy).stats
    (tmp_path / "bare").mkdir()
    write_manifest(tmp_path / "bare", made_manifest())
    with pytest.raises(DatasetError, match="stats.json cannot be read"):
        _ = Dataset(tmp_path / "bare").stats
