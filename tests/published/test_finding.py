"""Rows by id and by document, found without reading every file."""

from __future__ import annotations

import gzip
import json
import shutil

import pyarrow.parquet as pq
import pytest

from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, LocalFolder
from gistmill.published.finding import Finder
from gistmill.published.rejects import reject_parts, rejects_of
from tests.pipelines.publishing.made import build


class Watched(LocalFolder):
    """Knows which files were opened."""

    def __init__(self, place):
        super().__init__(place)
        self.opened = set()

    def open(self, path):
        self.opened.add(path)
        return super().open(path)


def ids(dataset, config="full"):
    return [row["id"] for split in dataset.splits(config) for row in dataset.rows(split, config, ["id"])]


@pytest.mark.slow
def test_every_row_is_found_where_it_is(published):
    dataset = Dataset(published)
    for split in dataset.splits():
        for row in dataset.rows(split):
            found = Finder(dataset).rows(row["id"])
            assert next((f.config, f.split, f.values) for f in found) == ("full", split, row)
            for other in found:
                assert row["id"] in {r["id"] for r in dataset.rows(other.split, other.config, ["id"])}


def test_an_id_that_is_not_there_has_neighbours(published):
    dataset = Dataset(published)
    known = sorted(ids(dataset))
    for wanted in ("", known[0][:-1], known[3] + "x", "\U0010ffff"):
        assert Finder(dataset).rows(wanted) == []
        assert Finder(dataset).neighbours(wanted)
    assert known[3] in Finder(dataset).neighbours(known[3] + "x")


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many") / "demo"
    build(folder, documents=200, formats=("parquet",), shards=16)
    return folder


@pytest.mark.slow
def test_few_files_are_opened(many):
    known = ids(Dataset(many))
    watched = Watched(many)
    assert len(Finder(Dataset(many, folder=watched)).rows(known[len(known) // 3])) >= 1
    shards = [f for f in Dataset(many).manifest.files if f.format == "parquet"]
    assert len(shards) > 60 and len(watched.opened) < 45  # a bisection of 16 for each configuration and split


@pytest.mark.slow
@pytest.mark.parametrize("statistics", [True, False])
def test_rows_are_found_in_small_row_groups_and_without_statistics(statistics, published, tmp_path):
    place = shutil.copytree(published, tmp_path / "demo")
    for shard in place.glob("*/parquet/*.parquet"):
        pq.write_table(pq.read_table(shard), shard, row_group_size=3, write_statistics=statistics)
    dataset = Dataset(place)
    groups = {(g.path, g.group): g.ids for g in Finder(dataset).groups()}
    assert len(groups) > 3 * len({path for path, _ in groups})
    for config in dataset.configs:
        for row_id in ids(dataset, config):
            (found,) = [f for f in Finder(dataset).rows(row_id) if f.config == config]
            first, last = groups[found.path, found.group]
            assert found.values["id"] == row_id and first <= row_id <= last
            assert found in list(Finder(dataset).of_document(row_id))


def test_the_rows_of_a_document_are_all_of_its_rows(many):
    dataset = Dataset(many)
    row_id = ids(dataset)[5]
    found = list(Finder(dataset).of_document(row_id))  # these rows name no document: each is one
    assert {f.values["id"] for f in found} == {row_id}
    assert {f.config for f in found} == {f.config for f in Finder(dataset).rows(row_id)}
    assert list(Finder(dataset).of_document("none")) == []


def test_a_dataset_without_parquet_is_an_error(tmp_path):
    build(tmp_path / "demo", formats=("tsv",))
    with pytest.raises(DatasetError, match="no Parquet files"):
        Finder(Dataset(tmp_path / "demo"))


def test_ids_of_kilobytes_are_found(published, tmp_path):
    place = shutil.copytree(published, tmp_path / "demo")
    shard = sorted(place.glob("full/parquet/train-*.parquet"))[0]
    rows = pq.read_table(shard)
    given = rows["id"].to_pylist()
    given[4] = f"{given[3]}-{'x' * 20_000}"
    pq.write_table(rows.set_column(0, "id", [given]), shard, row_group_size=3)
    for row_id in given:
        assert [f.values["id"] for f in Finder(Dataset(place)).rows(row_id) if f.config == "full"] == [row_id]


def test_the_rejects_of_a_document(published):
    dataset = Dataset(published)
    assert len(reject_parts(dataset)) == 1
    lines = gzip.decompress((published / reject_parts(dataset)[0]).read_bytes()).splitlines()
    every = [json.loads(line) for line in lines]
    assert every
    for document_id in {reject["id"] for reject in every}:
        assert rejects_of(dataset, document_id) == [r for r in every if r["id"] == document_id]
    assert rejects_of(dataset, "") == rejects_of(dataset, "zzz") == []
