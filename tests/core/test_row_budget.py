"""The rows that a budget keeps: as many as asked for, by salt and ids alone."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.row_budget import UNLIMITED, Cut, RowBudget, last_of, left_out_lines, order_key

IDS = st.lists(st.text(max_size=6).map(str.encode), unique=True, max_size=60)


def kept(ids, count, salt="s"):
    cut = RowBudget.of([count], salt=salt).cut("train", lambda: iter(ids), rows=len(ids))
    return [i for i in ids if cut is None or cut.keeper()(i)]


def by_definition(ids, count, salt="s"):
    def key(row_id):
        return hashlib.blake2b(row_id, digest_size=8, key=f"rows {salt}".encode()).digest(), row_id

    return set(sorted(ids, key=key)[:count])


@given(ids=IDS, count=st.integers(1, 70))
def test_exactly_the_rows_with_the_smallest_hashes_stay_in_their_order(ids, count):
    found = kept(ids, count)
    assert set(found) == by_definition(ids, count) and len(found) == min(count, len(ids))
    assert found == [i for i in ids if i in set(found)]


@given(ids=IDS, counts=st.tuples(st.integers(1, 70), st.integers(1, 70)))
def test_a_smaller_budget_keeps_a_part_of_what_a_larger_one_keeps(ids, counts):
    small, large = (set(kept(ids, count)) for count in sorted(counts))
    assert small <= large


@given(data=st.data(), ids=IDS, count=st.integers(1, 70))
def test_the_order_of_the_input_does_not_matter(data, ids, count):
    assert set(kept(data.draw(st.permutations(ids)), count)) == set(kept(ids, count))


def test_many_rows_in_few_bins_are_counted_right():
    ids = [f"document-{n}".encode() for n in range(5000)]
    assert all(set(kept(ids, count)) == by_definition(ids, count) for count in (1, 17, 2500, 4999))


def test_rows_with_one_hash_are_told_apart_by_their_ids(monkeypatch):
    monkeypatch.setattr("gistmill.core.row_budget.order_key", lambda salt: lambda row_id: b"12345678" + row_id)
    ids = [b"b", b"", b"c", b"a"]
    assert [last_of(lambda: ids, n, salt="")[8:] for n in (1, 2, 3, 4)] == [b"", b"a", b"b", b"c"]


def test_the_salt_chooses_other_rows():
    ids = [f"{n}".encode() for n in range(200)]
    assert set(kept(ids, 50)) != set(kept(ids, 50, salt="t"))
    assert order_key("s")(b"7") == Cut("s", order_key("s")(b"7")).last != order_key("t")(b"7")


def test_there_is_no_row_before_the_first_or_behind_the_last():
    for number in 0, 4:
        with pytest.raises(ValueError, match=f"no row has the number {number}"):
            last_of(lambda: [b"a", b"b", b"c"], number, salt="s")


def test_a_split_without_a_number_keeps_all_rows():
    budget = RowBudget.of([3], salt="s")
    assert (budget.kept("train", 5), budget.kept("validation", 5), budget.kept("dev", 5)) == (3, 5, 5)
    assert budget.cut("validation", pytest.fail, rows=5) is None and budget.cut("train", pytest.fail, rows=3) is None
    assert UNLIMITED.cut("train", pytest.fail, rows=5) is None


def test_counts_tell_rows_that_stay_from_those_left_out():
    counts = {"documents/read": 9, "rows/full/train": 5, "rows/full/validation": 2, "rows/small/train": 3}
    applied = RowBudget.of([4, 0], salt="s").applied(counts)
    assert applied == {
        "documents/read": 9,
        "rows/full/train": 4,
        "rows/small/train": 3,
        "rows_left_out/full/train": 1,
        "rows_left_out/full/validation": 2,
    }
    assert UNLIMITED.applied(counts) == counts


def test_a_split_with_fewer_rows_than_asked_for_is_told_of():
    budget = RowBudget.of([4, 1, 0], salt="s")
    assert budget.short({"rows/full/train": 4, "rows/full/validation": 1}, ["full"]) == []
    assert budget.short({"rows/full/train": 3}, ["full"]) == [
        "rows of full/train: 3, fewer than the 4 of --rows",
        "rows of full/validation: 0, fewer than the 1 of --rows",
    ]


def test_a_description_tells_what_was_left_out_split_by_split():
    assert left_out_lines({"rows/full": {"train": 4}}) == []
    first, second = left_out_lines({"rows_left_out/full": {"test": 2, "train": 1000}})
    assert first == "Rows of `full` that `--rows` left out, by hashes of their ids: 1,000 of train, 2 of test."
    assert "before that" in second
