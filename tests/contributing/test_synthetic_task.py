"""The page synthetic-task.md: a generator, an entry, and a reading that checks it."""

import pytest

from gistmill import Dataset

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_a_task_is_a_class_and_an_entry(tree):
    example = tree.add("synthetic-task")
    own = [e for e in example.edits if e.path.startswith("rules/synthetic/tasks/")]
    assert [e.line is None for e in own] == [True, False, False] and all(e.text.count("\n") == 1 for e in own[1:])
    tree.shell(example.commands)
    dataset = Dataset(tree.root / "tallied")
    assert list(dataset.manifest.columns) == ["tally-keyword", "copy-quoted"]
    told = {row["targets"] for split in dataset.splits() for row in dataset.rows(split)}
    assert told == {f"the keyword occurred {n} times ." for n in (1, 2, 3, 4)}
    for split in dataset.splits():
        for row in dataset.rows(split):
            count = sum(token.startswith("__d22__keyword_") for token in row["inputs"].split())
            assert row["targets"] == f"the keyword occurred {count} times ."
    shown, ensemble, bad = tree.several(
        ["synthetic", "--help"],
        ["synthetic", "--documents", "300", "--splits", "1,0,0", "--output", "ensemble"],
        ["synthetic", "--tasks", "elementary:taly-keyword", "--output", "x"],
    )
    assert "elementary for all 22 of them" in " ".join(shown[1].split())
    assert ensemble[0] == 0
    assert "tally-keyword" not in {
        name for row in Dataset(tree.root / "ensemble").rows("train") for name in row["tasks"]
    }
    assert bad[0] == 2 and "did you mean tally-keyword" in bad[2]
