"""Rows by id and by document, and documents by their titles, addresses and texts."""

from __future__ import annotations

import gzip
import json
import shutil

import pyarrow.parquet as pq
import pytest

from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.finding import documents_known_by, documents_with, has, rows_of_documents, rows_of_id
from gistmill.published.rejects import reject_parts, rejects_of
from tests.pipelines.publishing.made import build


def ids(dataset, config="full"):
    return [row["id"] for split in dataset.splits(config) for row in dataset.rows(split, config, ["id"])]


@pytest.mark.slow
def test_every_row_is_found_where_it_is(published):
    dataset = Dataset(published)
    for split in dataset.splits():
        for row in dataset.rows(split):
            found = rows_of_id(dataset, row["id"])
            assert next((f.config, f.split, f.values) for f in found) == ("full", split, row)
            for other in found:
                assert row["id"] in {r["id"] for r in dataset.rows(other.split, other.config, ["id"])}


def test_an_id_that_is_not_there_has_no_rows(published):
    dataset = Dataset(published)
    known = sorted(ids(dataset))
    for wanted in ("", known[0][:-1], known[3] + "x", "\U0010ffff", "\ud800"):
        assert rows_of_id(dataset, wanted) == rows_of_documents(dataset, [wanted]) == []


def small_groups(published, place, *, statistics):
    """A copy with three rows in a row group."""
    shutil.copytree(published, place)
    for shard in place.glob("*/parquet/*.parquet"):
        pq.write_table(pq.read_table(shard), shard, row_group_size=3, write_statistics=statistics)
    return Dataset(place)


@pytest.mark.parametrize("statistics", [True, False])
def test_rows_are_found_in_small_row_groups_and_without_statistics(statistics, published, tmp_path):
    dataset = small_groups(published, tmp_path / "demo", statistics=statistics)
    for config in dataset.configs:
        known = ids(dataset, config)
        found = [f for f in rows_of_documents(dataset, known) if f.config == config]  # these rows name no document
        assert [f.values["id"] for f in found] == known and max(f.group for f in found) > 2
        for row in found[:: max(1, len(found) // 9)]:
            assert row in rows_of_id(dataset, row.values["id"])
            held = pq.ParquetFile(tmp_path / "demo" / row.path).read_row_group(row.group, ["id"])
            assert row.values["id"] in held["id"].to_pylist()


def test_row_groups_that_cannot_have_an_id_are_not_read(published, tmp_path, monkeypatch):
    dataset, read = small_groups(published, tmp_path / "demo", statistics=True), []
    plain = pq.ParquetFile.iter_batches

    def watched(self, *arguments, **options):
        read.append(options["row_groups"])
        return plain(self, *arguments, **options)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", watched)
    (row,) = [f for f in rows_of_id(dataset, ids(dataset)[4]) if f.config == "full"]
    read.clear()
    found = rows_of_id(dataset, row.values["id"])
    splits = {(f.config, f.split) for f in dataset.manifest.files if f.split}
    assert row in found and len(read) <= len(splits) + len(found)  # the ids in each split, and the rows


def test_a_dataset_without_parquet_is_an_error(tmp_path):
    build(tmp_path / "demo", formats=("tsv",))
    for finding in (rows_of_id, documents_with):
        with pytest.raises(DatasetError, match="no Parquet files"):
            finding(Dataset(tmp_path / "demo"), "a")


def test_ids_of_kilobytes_are_found(published, tmp_path):
    place = shutil.copytree(published, tmp_path / "demo")
    shard = sorted(place.glob("full/parquet/train-*.parquet"))[0]
    rows = pq.read_table(shard)
    given = rows["id"].to_pylist()
    given[4] = f"{given[3]}-{'x' * 20_000}"
    pq.write_table(rows.set_column(0, "id", [given]), shard, row_group_size=3)
    for row_id in given:
        assert [f.values["id"] for f in rows_of_id(Dataset(place), row_id) if f.config == "full"] == [row_id]


def test_a_document_is_known_by_what_its_rejects_say(published):
    dataset = Dataset(published)
    for document_id, title in {(r["id"], r["title"]) for r in every_reject(published) if r["title"]}:
        assert document_id in documents_known_by(dataset, {"title": title.upper()})
    assert documents_known_by(dataset, {"title": "...", "url": "https://example.org/none"}) == []


SENTENCE = "They allied themselves with the sections of the International, who don’t overthrow “the state”."


@pytest.mark.parametrize(
    ("values", "there"),
    [
        ({"text": SENTENCE.upper()}, True),
        ({"text": "They allied\nthemselves with the sections of the International , who do n't overthrow"}, False),
        ({"inputs": "", "targets": SENTENCE.replace("don’t", "do n't").replace(",", " ,")}, True),
        ({"inputs": None, "targets": f"First. {SENTENCE} Last."}, True),
        ({"inputs": "", "targets": "", "text": SENTENCE}, False),  # what a model reads and writes counts alone
        ({"text": SENTENCE.split(), "sentence_length": [15]}, True),
        ({"proposition": "No.", "sentence": SENTENCE}, True),
        ({"detail": f"PAIR_NONE: {SENTENCE} | It was so."}, True),
        ({"title": SENTENCE}, False),
    ],
)
def test_texts_are_compared_by_letters_and_digits(values, there):
    assert has(values, SENTENCE) == there
    assert not has(values, "...")
    assert has({"text": "the Ｆｉrst ﬁnd of 12 Ängste"}, "FIRST FIND of 12 a\u0308ngste")
    assert not has({"text": "12 Ängste"}, "12 angste")


def every_reject(published):
    lines = gzip.decompress((published / reject_parts(Dataset(published))[0]).read_bytes()).splitlines()
    return [json.loads(line) for line in lines]


def test_the_rejects_of_a_document(published):
    dataset, every = Dataset(published), every_reject(published)
    assert every and len(reject_parts(dataset)) == 1
    for document_id in {reject["id"] for reject in every}:
        assert rejects_of(dataset, document_id) == [r for r in every if r["id"] == document_id]
    assert rejects_of(dataset, "") == rejects_of(dataset, "zzz") == []
