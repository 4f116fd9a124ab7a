"""A dataset against its manifest: what holds, and every way in which something does not."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gistmill.core.framing import tfrecord
from gistmill.core.manifest import ManifestError
from gistmill.core.statistics import Column
from gistmill.core.tf_example import Example
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from tests.manifests import made_manifest, shard, write_manifest

TRAIN = "full/parquet/train-00000-of-00002.parquet"


def test_what_was_published_is_valid(published):
    assert Dataset(published).validate() == []


def amend(folder, path, **changes):
    """Makes the manifest agree with the bytes of a file that was changed."""
    manifest = Dataset(folder).manifest
    data = (folder / path).read_bytes()
    changes = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), **changes}
    files = tuple(dataclasses.replace(f, **changes) if f.path == path else f for f in manifest.files)
    write_manifest(folder, dataclasses.replace(manifest, files=files))


def rewrite(folder, path, change):
    pq.write_table(change(pq.read_table(folder / path)), folder / path)
    amend(folder, path)


def test_one_changed_byte_is_seen_in_any_file(copy):
    for path in sorted(p for p in copy.rglob("*") if p.is_file() and p.name != "manifest.json"):
        before = path.read_bytes()
        path.write_bytes(before[:-1] + bytes([before[-1] ^ 1]))
        name = path.relative_to(copy).as_posix()
        assert Dataset(copy).validate() == [f"{name} has changed: its bytes do not match the manifest"]
        path.write_bytes(before)


def test_missing_and_foreign_files_are_seen(copy):
    (copy / TRAIN).rename(copy / "elsewhere.parquet")
    assert Dataset(copy).validate() == [f"{TRAIN} is missing", "elsewhere.parquet is not in the manifest"]


def test_a_wrong_number_of_rows_is_seen(copy):
    kinds = {"parquet": "parquet", "tfrecord": "tfrecord.gz", "tsv": "tsv"}
    paths = [f"full/{form}/train-00000-of-00002.{ending}" for form, ending in kinds.items()]
    for path in *paths, "rejects/part-00000-of-00001.jsonl.gz":
        before = (copy / "manifest.json").read_bytes()
        amend(copy, path, rows=7)
        assert Dataset(copy).validate() == [f"{path} does not contain 7 rows"]
        (copy / "manifest.json").write_bytes(before)


def test_a_file_that_was_torn_before_the_manifest_is_a_fault(copy):
    records, texts = "full/tfrecord/test-00000-of-00002.tfrecord.gz", "full/tsv/test-00000-of-00002.tsv"
    rejects = "rejects/part-00000-of-00001.jsonl.gz"
    for path, content, said in (
        (records, gzip.compress(b"123"), "ends within a record"),
        (records, b"123", "is not gzip"),
        (texts, b"a\nb", "ends within a line"),
        (rejects, gzip.compress(b"{}\n")[:-1], "is not a single complete gzip stream"),
        (TRAIN, (copy / TRAIN).read_bytes()[:-9], ""),
    ):
        whole, manifest = (copy / path).read_bytes(), (copy / "manifest.json").read_bytes()
        (copy / path).write_bytes(content)
        amend(copy, path)
        problem, *others = Dataset(copy).validate()
        assert problem.startswith(f"{path} cannot be read: ") and said in problem and (path == TRAIN or not others)
        (copy / path).write_bytes(whole)
        (copy / "manifest.json").write_bytes(manifest)


def test_ids_out_of_order_and_repeated_are_seen(copy):
    for first in 1, 0:  # the second of two rows comes first, or twice
        rewrite(copy, TRAIN, lambda t, first=first: t.take(pa.array([1, 1 - first, *range(2, t.num_rows)])))
        (problem,) = Dataset(copy).validate()
        assert problem.startswith(f"{TRAIN}: id ") and problem.endswith("is out of order or repeated")


def test_a_document_in_two_splits_is_seen(copy):
    for split, document in (("test", "b"), ("train", "a"), ("validation", "a")):
        for number in range(2):
            path = f"full/parquet/{split}-{number:05d}-of-00002.parquet"
            rewrite(copy, path, lambda t, d=document: t.append_column("document_id", pa.array([d] * t.num_rows)))
    found = Dataset(copy).validate()
    assert found and {f.partition(": ")[2] for f in found} == {"document 'a' is also in train"}


def test_a_path_out_of_the_folder_is_not_followed(copy):
    (copy.parent / "secret.txt").write_text("x")
    value = json.loads((copy / "manifest.json").read_text())
    value["files"].append({"path": "../secret.txt", "bytes": 1, "sha256": hashlib.sha256(b"x").hexdigest()})
    (copy / "manifest.json").write_text(json.dumps(value))
    with pytest.raises(ManifestError, match=r"files\[\d+\].path must be a path below the dataset"):
        Dataset(copy)


def with_edits(table, edits):
    """The table with the columns of sentences that edits fuse."""
    values = {
        "incoherent_first_sentence": "He won .",
        "incoherent_second_sentence": "He left .",
        "coherent_first_sentence": "He won , but he left .",
        "coherent_second_sentence": "",
        "inputs": "He won. He left.",
        "targets": "He won, but he left.",
        "edits": edits,
    }
    kept = table.drop_columns([name for name in values if name in table.column_names])
    for name, value in values.items():
        kind = pa.list_(pa.string()) if name == "edits" else pa.string()
        kept = kept.append_column(name, pa.array([value] * table.num_rows, kind))
    return kept


def test_a_shard_without_a_column_of_the_manifest_is_seen(copy):
    rewrite(copy, TRAIN, lambda table: table.drop_columns(["score"]))
    assert Dataset(copy).validate() == [f"{TRAIN} has no column 'score' of float64"]
    with pytest.raises(DatasetError, match=f"{TRAIN} has no column 'score' of float64; run gistmill validate"):
        list(Dataset(copy).rows("train"))


def test_edits_that_do_not_make_the_text_are_seen(copy):
    rewrite(copy, TRAIN, lambda t: with_edits(t, ["2 delete", "3 before , but", "3 lower"]))
    assert Dataset(copy).validate() == []
    rewrite(copy, TRAIN, lambda t: with_edits(t.slice(0, 1), ["2 delete", "3 before , but"]))
    amend(copy, TRAIN, rows=1)
    (problem,) = Dataset(copy).validate()
    assert problem.startswith(f"{TRAIN}: row ") and problem.endswith("the edits do not produce the tokens of the text")


TYPES_OF_DOCUMENTS = dict.fromkeys(("id", "inputs", "targets", "task"), "string") | {"tasks": "list<string>"}


def documents(count, wrong):
    """A table of synthetic documents, of which the first ``wrong`` have other targets than they should."""
    targets = ["cd ." if n < wrong else "ab ." for n in range(count)]
    columns = {"inputs": ["ab . cd ."] * count, "targets": targets, "task": ["copy-first-sentence"] * count}
    columns["tasks"] = [["copy-first-sentence"]] * count
    return pa.table({"id": [f"{n:04d}" for n in range(count)], **columns})


def test_targets_that_the_interpreter_does_not_read_are_seen(copy):
    columns = tuple(Column(name, kind, "") for name, kind in TYPES_OF_DOCUMENTS.items())
    write_manifest(copy, dataclasses.replace(Dataset(copy).manifest, columns={"full": columns}))
    for wrong in (0, 1, 7):
        pq.write_table(documents(9, wrong), copy / TRAIN)
        amend(copy, TRAIN, rows=9)
        found = [f for f in Dataset(copy).validate() if f.startswith(TRAIN)]
        said = f"copy-first-sentence requires {'ab .'!r}, not {'cd .'!r}"
        assert found[: min(wrong, 5)] == [f"{TRAIN}: row '{n:04d}': {said}" for n in range(min(wrong, 5))]
        assert found[5:] == ([f"{TRAIN}: 7 rows in total violate this constraint"] if wrong == 7 else [])


def test_rows_are_read_from_tfrecord_where_that_is_all_there_is(tmp_path):
    path = "full/tfrecord/train-00000-of-00001.tfrecord.gz"
    types = TYPES_OF_DOCUMENTS
    records = []
    for row in documents(3, 1).to_pylist():
        record = Example()
        for name, value in row.items():
            values = value if isinstance(value, list) else [value]
            record.features.feature[name].bytes_list.value.extend(v.encode() for v in values)
        records.append(tfrecord(record.SerializeToString()))
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_bytes(gzip.compress(b"".join(records)))
    files = (shard(tmp_path, path, rows=3),)
    columns = tuple(Column(name, kind, "") for name, kind in types.items())
    write_manifest(tmp_path, made_manifest(columns={"full": columns}, files=files))
    (problem,) = Dataset(tmp_path).validate()
    assert problem.startswith(f"{path}: row '0000': copy-first-sentence requires 'ab .'")
    columns = tuple(Column(name, "int64" if name == "task" else kind, "") for name, kind in types.items())
    write_manifest(tmp_path, made_manifest(columns={"full": columns}, files=files))
    assert Dataset(tmp_path).validate() == [f"{path} contains a row whose column 'task' is not int64"]
