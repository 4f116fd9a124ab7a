"""The section format of the page: one more format, whose rows are those of Parquet."""

import gzip
import json

import pytest

from gistmill import Dataset

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_a_format_is_a_writer_and_an_entry(tree):
    example = tree.add("format")
    assert {e.path for e in example.edits if e.line is not None} == {"transforms/sinks/formats.py"}
    tree.shell(example.commands)
    (path,) = (tree.root / "gaps/default/jsonl").iterdir()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    dataset = Dataset(tree.root / "gaps")
    assert rows == [*dataset.rows("train")] != []
    (file,) = [f for f in dataset.manifest.files if f.path.startswith("default/jsonl/")]
    assert (file.format, file.rows, file.path) == ("jsonl", len(rows), "default/jsonl/train-00000-of-00001.jsonl.gz")
    path.write_bytes(path.read_bytes()[:-4])
    assert dataset.validate() == [f"{file.path} has changed: its bytes do not match the manifest"]
    shown, unable = tree.several(["gap-sentences", "--help"], ["annotate", "--formats", "jsonl"])
    assert "comma-separated: parquet, tfrecord, tsv, jsonl" in " ".join(shown[1].split())
    assert unable[0] == 2 and "annotate supports parquet, not jsonl" in unable[2]
