"""The section synthetic-task of the page: an entry of the interpreter's table."""

import pytest

from gistmill import Dataset

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_a_task_is_an_entry(tree):
    example = tree.add("synthetic-task")
    assert [edit.path for edit in example.edits] == ["rules/synthetic/interpreter.py"]
    tree.shell(example.commands)
    dataset = Dataset(tree.root / "tallied")
    assert list(dataset.manifest.columns) == ["tally-keywords", "copy-quoted"]
    told = {row["targets"] for split in dataset.splits() for row in dataset.rows(split)}
    assert told == {f"there are {n} keywords ." for n in (1, 2, 3, 4)}
    for split in dataset.splits():
        for row in dataset.rows(split):
            count = sum(token.startswith("__d22__keyword_") for token in row["inputs"].split())
            assert row["targets"] == f"there are {count} keywords ."
    shown, ensemble, bad = tree.several(
        ["synthetic", "--help"],
        ["synthetic", "--documents", "300", "--splits", "1,0,0", "--output", "ensemble"],
        ["synthetic", "--tasks", "elementary:taly-keywords", "--output", "x"],
    )
    assert "elementary, all 22 of them" in " ".join(shown[1].split())
    assert ensemble[0] == 0
    assert "tally-keywords" not in {
        name for row in Dataset(tree.root / "ensemble").rows("train") for name in row["tasks"]
    }
    assert bad[0] == 2 and "did you mean tally-keywords" in bad[2]
