"""croissant.json of a dataset: read by mlcroissant, whatever the formats, columns and rights."""

from __future__ import annotations

import dataclasses
import json
import logging
from collections import Counter
from datetime import timedelta
from typing import Any

import mlcroissant
import pyarrow.parquet as pq
import pytest

from gistmill.core.manifest import DumpEntry, Manifest, PublishedFile
from gistmill.core.statistics import Column, ConfigSchema, DatasetSchema
from gistmill.pipelines.reporting.croissant import CROISSANT, croissant
from tests.commands import make
from tests.pipelines.publishing.made import INFO, build
from tests.samples import PAIRS


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A published dataset of two configurations in every format."""
    return build(tmp_path_factory.mktemp("made") / "demo")


def opened(folder, caplog):
    """The dataset as mlcroissant reads it; it has nothing to say."""
    with caplog.at_level(logging.WARNING):
        read = mlcroissant.Dataset(jsonld=str(folder / CROISSANT))
    issues = read.metadata.ctx.issues
    assert (issues.errors, issues.warnings) == (set(), set())
    assert [r.getMessage() for r in caplog.records] == []
    return read


def content_of(folder):
    return json.loads((folder / CROISSANT).read_text(encoding="utf-8"))


def test_mlcroissant_has_nothing_to_say_and_reads_the_rows(made, caplog):
    read = opened(made.folder, caplog)
    for config, of in made.manifest.columns.items():
        records = list(read.records(config))
        assert Counter(r[f"{config}/split"].decode() for r in records) == made.manifest.counts[f"rows/{config}"]
        plain = {r[f"{config}/id"].decode(): {c.name: _plain(r[f"{config}/{c.name}"]) for c in of} for r in records}
        shards = sorted((made.folder / config / "parquet").iterdir())
        rows = [row for shard in shards for row in pq.read_table(shard).to_pylist()]
        assert plain == {row["id"]: row for row in rows} and len(rows) == len(plain) > 0
    assert [r.getMessage() for r in caplog.records] == []


def _plain(value):
    """A value without the types of mlcroissant: texts are bytes, numbers NumPy's."""
    if isinstance(value, list):
        return [_plain(v) for v in value]
    return value.decode() if isinstance(value, bytes) else value.item() if hasattr(value, "item") else value


def test_every_shard_is_a_file_with_its_checksum(made):
    listed = {f["contentUrl"]: f for f in content_of(made.folder)["distribution"] if f["@type"] == "cr:FileObject"}
    shards = {f.path: f for f in made.manifest.files if f.format}
    assert {path: (f["sha256"], f["contentSize"]) for path, f in listed.items()} == {
        path: (f.sha256, f"{f.bytes} B") for path, f in shards.items()
    }
    assert {f.format for f in shards.values()} == {"parquet", "tfrecord", "tsv", "jsonl"}


@pytest.mark.slow
def test_it_says_where_rows_come_from_and_under_which_licence(tmp_path, caplog):
    make(f"lead-bias --source jsonl --input {PAIRS} --text-field document --output {tmp_path}/out")
    opened(tmp_path / "out", caplog)
    content = content_of(tmp_path / "out")
    (source,) = content["prov:wasDerivedFrom"]
    assert source["prov:label"] == PAIRS.name and source["contentSize"] == f"{PAIRS.stat().st_size} B"
    assert content["prov:wasGeneratedBy"]["prov:label"] == "gistmill lead-bias"
    unknown = {"@type": "sc:CreativeWork", "name": "unknown: README.md says where the text comes from"}
    assert content["license"] == unknown
    assert "arxiv.org/abs/1912.11602" in content["citeAs"]
    (page,) = (r["annotation"] for r in content["recordSet"] if "annotation" in r)
    assert page["equivalentProperty"] == "prov:wasDerivedFrom"
    assert {f["name"]: (f["equivalentProperty"], f["source"]["extract"]["column"]) for f in page["subField"]} == {
        "document_id": ("sc:identifier", "document_id"),
        "title": ("sc:name", "title"),
        "url": ("sc:url", "url"),
        "revision": ("sc:version", "revision"),
    }


def described(manifest: Manifest, *columns: Column, **changes):
    """What is written of a manifest with changes, for a configuration ``rows`` of these columns and some shards."""
    config = ConfigSchema(name="rows", columns=columns)
    shard: dict[str, Any] = {"bytes": 1, "sha256": "ab" * 32, "rows": 1, "config": "rows", "format": "parquet"}
    splits = ("train", "dev-1", "dev")
    files = [PublishedFile(path=f"rows/parquet/{s}-00000-of-00001.parquet", split=s, **shard) for s in splits]
    changed = dataclasses.replace(manifest, **{"files": tuple(files), **changes})
    return croissant(changed, run=INFO, schema=DatasetSchema(configs=(config,)))


def test_awkward_names_of_columns_and_splits_are_told_apart(made, tmp_path, caplog):
    columns = [Column(name, "string", "a | b\nc") for name in ("split", "a b/c", "naïve", 'qu"ote#?%', "page")]
    content = described(made.manifest, *columns)
    (tmp_path / CROISSANT).write_text(json.dumps(content))
    opened(tmp_path, caplog)
    (records,) = (r for r in content["recordSet"] if r["@id"] == "rows")
    names = [f["name"] for f in records["field"]]
    assert names == ["split of the dataset", "id", "split", "a b/c", "naïve", 'qu"ote#?%', "page"]
    assert len({f["@id"] for f in records["field"]}) == len(names)


def test_a_dump_is_named_with_its_address(made):
    (source,) = made.manifest.sources
    dump = DumpEntry(file=source.name, wiki="enwiki", date="20260101", url="https://dumps.example/x", sha1="00")
    assert "prov:atLocation" not in described(made.manifest)["prov:wasDerivedFrom"][0]
    (entity,) = described(made.manifest, dumps=(dump,))["prov:wasDerivedFrom"]
    assert entity["prov:atLocation"] == "https://dumps.example/x" and entity["sha256"] == source.sha256
    assert "prov:wasDerivedFrom" not in described(made.manifest, sources=())


def test_datasets_without_parquet_and_without_a_row_have_files_and_no_tables(tmp_path, caplog):
    for name, options in (("tsv", {"formats": ("tsv",)}), ("empty", {"stream": [], "allow_empty": True})):
        made = build(tmp_path / name, **options)
        opened(made.folder, caplog)
        content = content_of(made.folder)
        assert content["recordSet"] == [] and {f["@type"] for f in content["distribution"]} == {"cr:FileObject"}


def test_of_the_times_of_a_run_only_the_day_of_its_start_is_in_it(made):
    later = dataclasses.replace(made.manifest, end=made.manifest.end + timedelta(days=2), runner="another")
    assert described(later) == described(made.manifest) and described(later)["datePublished"] == "2026-01-01"
