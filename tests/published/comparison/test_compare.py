"""What a comparison counts, against the same counted by plain dictionaries; laws; what cannot be compared."""

from __future__ import annotations

import dataclasses
import json
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.published.comparison import compare as lengths_module
from gistmill.published.comparison import rows as windows
from gistmill.published.comparison.compare import compare, counted
from gistmill.published.comparison.comparison import CHANGES, DOCUMENTS
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from tests.published.comparison.made import COLUMNS, row, write_dataset

SPLITS = ("train", "validation", "test")
IDS = [f"{document}{rest}" for document in ("a", "a-b", "ab", "é", "z") for rest in ("-1", "-2", "-10")]
VALUES = {
    "split": SPLITS,
    "inputs": ["one", "one two"],
    "score": [0.0, None, float("nan")],
    "items": [[], [1], None],
    "discourse_type": ["A", "B"],
    "revision": ["1", "2"],
    "file": ["dump-1", "dump-2"],
}
cells = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in VALUES.items()})
contents = st.dictionaries(st.sampled_from(IDS), cells)


def changes(**counts):
    return dict.fromkeys(CHANGES, 0) | counts


def documents(**counts):
    return dict.fromkeys(DOCUMENTS, 0) | counts


def rows_of(content):
    found = {}
    for id, values in content.items():
        found.setdefault(values["split"], []).append(row(id, **{k: v for k, v in values.items() if k != "split"}))
    return dict(sorted(found.items()))


def text(value):
    return repr(value)  # NaN is NaN


def expected(old, new, group):
    """What became of the rows of each value of ``group``, found without any order or window."""
    found = {}

    def count(value, what):
        found.setdefault(value, Counter())[what] += 1

    for id in {*old, *new}:
        before, now = old.get(id), new.get(id)
        if before is None or now is None:
            count((now or before)[group], "added" if before is None else "removed")
            count((now or before)[group], "new" if before is None else "old")
            continue
        count(before[group], "old")
        count(now[group], "new")
        if before[group] != now[group]:
            count(before[group], "left")
            count(now[group], "came")
            continue
        differing = {k for k in before if k != "split" and text(before[k]) != text(now[k])}
        what = "same" if not differing else "found_elsewhere" if differing <= {"file", "revision"} else "changed"
        count(now[group], what)
    return {value: changes(**counts) for value, counts in found.items()}


@pytest.mark.slow
@given(contents, contents, st.integers(1, 3))
def test_what_became_of_the_rows_is_what_plain_dictionaries_say(old, new, shards):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as constants:
        constants.setattr(windows, "_BATCH_ROWS", 2)
        sides = [write_dataset(Path(folder, n), rows_of(c), shards=shards) for n, c in (("old", old), ("new", new))]
        found = compare(*sides).content
    changed = found.rows["default"]
    assert changed.splits == expected(old, new, "split")
    assert changed.types == expected(old, new, "discourse_type")
    whole = expected(*({i: {**v, "all": ""} for i, v in side.items()} for side in (old, new)), "all")
    assert changed.all == whole.get("", changes())
    both = old.keys() & new.keys()
    differing = Counter(k for i in both for k in old[i] if k != "split" and text(old[i][k]) != text(new[i][k]))
    assert changed.columns == differing
    assert found.documents == expected_documents(old, new)
    words = [sum(len(values["inputs"].split()) for values in side.values()) for side in (old, new)]
    (lengths,) = found.lengths
    assert [round(s.mean * s.rows) for s in (lengths.old, lengths.new)] == words


def expected_documents(old, new):
    def by_document(side):
        made = {}
        for id, values in side.items():
            made.setdefault(id.partition("-")[0], {})[id] = {k: v for k, v in values.items() if k != "split"}
        return made

    before, now = by_document(old), by_document(new)
    both = before.keys() & now.keys()

    def revisions(rows):
        return {row["revision"] for row in rows.values()}

    revised = {d for d in both if revisions(before[d]) != revisions(now[d])}

    def said(rows):
        return {i: {k: text(v) for k, v in r.items() if k not in ("file", "revision")} for i, r in rows.items()}

    remade = {d for d in both - revised if said(before[d]) != said(now[d])}
    return documents(
        old=len(before),
        new=len(now),
        added=len(now.keys() - both),
        removed=len(before.keys() - both),
        revised=len(revised),
        remade=len(remade),
        same=len(both - revised - remade),
    )


@given(contents)
@settings(max_examples=20, deadline=None)
def test_nothing_differs_from_itself(content):
    with tempfile.TemporaryDirectory() as folder:
        sides = [write_dataset(Path(folder, n), rows_of(content)) for n in ("old", "new")]
        found = compare(*sides)
    rows, total = found.content.rows["default"], len(content)
    assert rows.all == changes(old=total, new=total, same=total) and rows.columns == {}
    assert found.content.documents["same"] == found.content.documents["new"]
    moved = found.transfer["bytes"] - found.transfer["same_path"]
    assert found.causes == () and (found.transfer["same_content"], found.transfer["moved_files"]) == (0, moved)
    assert all(m.drift.distance == 0 for m in (*found.distributions, *(e.moved for e in found.content.lengths)))


@pytest.mark.slow
@given(contents, contents)
@settings(max_examples=30, deadline=None)
def test_added_and_removed_change_places_with_the_datasets(old, new):
    with tempfile.TemporaryDirectory() as folder:
        sides = [write_dataset(Path(folder, n), rows_of(c)) for n, c in (("old", old), ("new", new))]
        there, back = compare(*sides), compare(*reversed(sides))
    for one, other in (
        (there.content.rows["default"].all, back.content.rows["default"].all),
        (there.content.documents, back.content.documents),
    ):
        opposite = {"old": "new", "new": "old", "added": "removed", "removed": "added", "came": "left", "left": "came"}
        assert one == {name: other[opposite.get(name, name)] for name in other}


def pair(tmp_path, old, new, **options):
    return [write_dataset(tmp_path / name, {"train": rows}, **options) for name, rows in (("old", old), ("new", new))]


def test_equal_shards_are_counted_without_being_compared(tmp_path):
    rows = [row(f"d{n:03d}-1") for n in range(40)]
    old, new = pair(tmp_path, rows, [*rows[:39], row("d039-1", inputs="three more words")], shards=4)
    found = compare(old, new)
    assert found.content.rows["default"].all == changes(old=40, new=40, same=39, changed=1)
    assert found.content.documents == documents(old=40, new=40, added=0, removed=0, revised=0, remade=1, same=39)
    (lengths,) = found.content.lengths
    assert (lengths.old.most, lengths.new.most, lengths.new.rows) == (2, 3, 40)
    assert found.transfer["same_path"] == sum(f.bytes for f in new.manifest.files[:3])


def test_a_row_that_goes_to_another_document_changes_both(tmp_path):
    rows = [row("a-1"), row("b-1"), row("c-1"), row("x", document_id="a")]
    old, new = pair(tmp_path, rows, [*rows[:3], row("x", document_id="b")])
    found = compare(old, new).content.documents
    assert found == documents(old=3, new=3, added=0, removed=0, revised=0, remade=2, same=1)


def test_a_column_that_one_dataset_has_is_not_a_change_of_rows(tmp_path):
    lacking = {k: v for k, v in COLUMNS.items() if k != "items"} | {"score": "string"}
    old = write_dataset(tmp_path / "old", {"train": [row("a-1", score="x")]}, columns=lacking)
    new = write_dataset(tmp_path / "new", {"train": [row("a-1")]})
    change = compare(old, new).content.rows["default"]
    assert change.all["same"] == 1
    assert (change.new_columns, change.lost_columns) == (("score", "items"), ("score",))


def test_a_configuration_that_one_dataset_has_is_new(tmp_path):
    old = write_dataset(tmp_path / "old", {"train": [row("a-1")]}, config="full")
    new = write_dataset(tmp_path / "new", {"train": [row("a-1"), row("b-1")]}, config="other")
    rows = compare(old, new).content.rows
    assert (rows["full"].all["removed"], rows["other"].all["added"]) == (1, 2)


def test_rows_are_counted_by_any_column(tmp_path):
    old, new = pair(tmp_path, [row("a-1"), row("b-1")], [row("a-1"), row("b-1", revision="2")])
    change = compare(old, new, by="revision").content.rows["default"]
    assert change.by == "revision"
    assert change.types == {"1": changes(old=2, new=1, same=1, left=1), "2": changes(new=1, came=1)}
    numbers = compare(*pair(tmp_path / "n", [row("a-1"), row("b-1")], [row("a-1", score=None), row("b-1")]), by="score")
    assert numbers.content.rows["default"].types == {
        "0.5": changes(old=2, new=1, same=1, left=1),
        "": changes(new=1, came=1),
    }
    with pytest.raises(DatasetError, match="no configuration contains the column 'colour'"):
        compare(old, new, by="colour")
    with pytest.raises(DatasetError, match="the column 'items' contains lists"):
        compare(old, new, by="items")


def test_a_quick_comparison_reads_no_rows(tmp_path):
    old, new = pair(tmp_path, [row("a-1")], [row("a-1"), row("b-1")])
    for dataset in (old, new):
        for file in dataset.manifest.files:
            Path(dataset.place, file.path).unlink()
    found = compare(old, new, rows=False)
    assert found.content is None and found.unread
    assert (found.old.rows, found.new.rows) == ({"default": 1}, {"default": 2})


def test_datasets_without_parquet_files_are_compared_by_their_counts(tmp_path):
    old, new = pair(tmp_path, [row("a-1")], [row("a-1")])
    files = tuple(dataclasses.replace(f, format="tsv") for f in old.manifest.files)
    old.manifest = dataclasses.replace(old.manifest, files=files)
    found = compare(old, new)
    assert found.content is None and "contains no Parquet files for default/train" in found.unread


def test_datasets_of_different_recipes_are_not_compared(tmp_path):
    old = write_dataset(tmp_path / "old", {"train": [row("a-1")]})
    new = write_dataset(tmp_path / "new", {"train": [row("a-1")]}, recipe="headline")
    with pytest.raises(DatasetError, match="was made by headline, and .* by discofuse"):
        compare(old, new)


def test_a_torn_file_and_rows_out_of_order_are_errors(tmp_path):
    old, new = pair(tmp_path, [row("a-1"), row("b-1")], [row("a-1"), row("c-1")])
    path = Path(new.place, new.manifest.files[0].path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with pytest.raises(DatasetError, match=r"train-00000-of-00001.parquet cannot be read: "):
        compare(old, new)
    path.write_bytes(whole.replace(b"a-1", b"z-1"))
    with pytest.raises(DatasetError, match="not unique or not sorted"):
        compare(old, Dataset(new.place))


def test_everything_is_json(tmp_path):
    old, new = pair(tmp_path, [row("a-1")], [row("b-1")])
    value = compare(old, new).to_json()
    assert json.loads(json.dumps(value))["content"]["documents"]["added"] == 1
    assert value["diff_version"] == 2


texts = st.text(alphabet="ab é\t\n\x0b.", max_size=12)
columns = st.lists(texts | st.none()).map(lambda values: pa.array(values, pa.string()))
lists = st.lists(st.lists(st.integers(0, 9)) | st.none()).map(lambda values: pa.array(values, pa.list_(pa.int64())))


@given(st.lists(columns) | st.lists(lists))
def test_words_are_counted_as_python_splits_them_and_lists_by_their_items(arrays):
    counts = np.zeros(1, int)
    for array in arrays:
        counts = counted(counts, pa.chunked_array([array]))
    values = [value for array in arrays for value in array.to_pylist() if value is not None]
    expected = Counter(len(value.split() if isinstance(value, str) else value) for value in values)
    assert {n: count for n, count in enumerate(counts.tolist()) if count} == expected


def test_very_long_texts_are_counted_as_the_longest(monkeypatch):
    monkeypatch.setattr(lengths_module, "_MOST", 3)
    assert counted(np.zeros(1, int), pa.chunked_array([["a b", "a b c d e"]])).tolist() == [0, 0, 1, 1]


def test_lengths_are_counted_of_columns_with_texts(tmp_path):
    kinds = {"id": "string", "inputs": "string", "text": "list<int64>", "targets": "float64", "title": "string"}
    values = {"text": [1], "targets": 0.5, "title": "a"}
    sides = pair(tmp_path, [row("a-1", **values)], [row("a-1", **values)], columns=kinds)
    assert [entry.column for entry in compare(*sides).content.lengths] == ["inputs"]
