"""What is said of rows that a dataset has no longer, has now, or has otherwise."""

from tests.changed_rows import changes, moved_counts, types_of
from tests.published.comparison.made import row, write_dataset

OLD = {
    "train": [row("a-1", discourse_type="A"), row("a-2", discourse_type="A"), row("b-1", discourse_type="B")],
    "test": [row("c-1", discourse_type="B", inputs="one")],
}
NEW = {
    "train": [
        row("a-1", discourse_type="A"),
        row("a-3", discourse_type="A", inputs="new words"),
        row("b-1", discourse_type="A"),
    ],
    "test": [row("c-1", discourse_type="B", inputs="one two")],
}


def published(folder):
    for name, rows in (("old", OLD), ("new", NEW)):
        write_dataset(folder / name, rows)
    return folder / "old", folder / "new"


def test_rows_are_shown_by_type_with_examples(tmp_path):
    old, new = published(tmp_path)
    lines = list(changes(old, new))
    assert lines[:2] == [
        "default A: 1 went, 2 came, 0 changed, 1 stayed",
        "default B: 1 went, 0 came, 1 changed, 0 stayed",
    ]
    assert [line.split(":")[0] for line in lines[2:]] == ["  - a-2", "  + a-3", "  ~ b-1", "  ~ c-1"]
    assert "new words" in lines[3] and lines[4:] == [
        "  ~ b-1: discourse_type: B -> A",
        "  ~ c-1: inputs: one -> one two",
    ]
    assert list(changes(old, old)) == []


def test_types_of_which_there_are_more_or_fewer_are_named(tmp_path):
    old, new = published(tmp_path)
    before, now = types_of(old), types_of(new)
    assert before == {"default": {"A": 2, "B": 2}} and list(moved_counts(before, before)) == []
    assert list(moved_counts(before, now)) == ["default A: 2 rows before, 3 now", "default B: 2 rows before, 1 now"]
    assert list(moved_counts({}, {"new": {"": 1200}})) == ["new: 0 rows before, 1,200 now"]
