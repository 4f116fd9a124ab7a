"""The section source of the page: documents that come from no file, on one worker and on two."""

import pytest

from gistmill import Dataset
from tests.commands import data_checksums

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_a_source_may_read_no_files(tree):
    example = tree.add("source")
    assert {e.path for e in example.edits if e.line is not None} == {"transforms/sources/registry.py"}
    tree.shell(example.commands)
    one, two = tree.root / "one", tree.root / "two"
    assert data_checksums(one) == data_checksums(two) != {}
    dataset = Dataset(one)
    assert dataset.manifest.counts["documents"] == {"read": 250, "used": 250}
    assert dataset.manifest.sources == () and dataset.manifest.licence == "cc0-1.0" and dataset.validate() == []
    assert sum(dataset.num_rows(split) for split in dataset.splits()) == 250
    job = ["gap-sentences", "--source", "phrases", "--output", "three"]
    shown, bad, other, limited = tree.several(
        ["gap-sentences", "--help"],
        [*job, "--input", "texts.jsonl"],
        ["gap-sentences", "--input", "texts.jsonl", "--source", "jsonl", "--output", "three", "--articles", "5"],
        [*job, "--limit", "7"],
    )
    assert "--articles N" in shown[1] and "with --source phrases, nothing" in " ".join(shown[1].split())
    assert (
        bad[0] == 2
        and "--input has no effect with --source phrases, only with wikipedia or wikipedia-html or warc" in bad[2]
    )
    assert other[0] == 2 and "--articles has no effect with --source jsonl, only with phrases" in other[2]
    assert limited[0] == 0 and Dataset(tree.root / "three").manifest.counts["documents"]["read"] == 7
