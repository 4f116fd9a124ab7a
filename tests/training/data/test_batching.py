import gc
import itertools
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.training.data.stream import Batching, by_length, prefetch
from gistmill.training.errors import SettingsError

LENGTHS = st.lists(st.integers(0, 60), min_size=1, max_size=300)


def cut(batching, lengths, world=1, key="k"):
    return [batch.tolist() for batch in batching.cut(len(lengths), lengths, world=world, key=key)]


def test_without_a_pool_batches_are_as_the_rows_come():
    found = [batch.tolist() for batch in Batching(rows=3).cut(8, None, world=1, key="")]
    assert found == [[0, 1, 2], [3, 4, 5], [6, 7]]


@given(LENGTHS, st.integers(1, 9))
def test_every_row_is_in_one_batch(lengths, rows):
    batches = cut(Batching(rows=rows, pool=50), lengths)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert len(batches) == -(-len(lengths) // rows) and max(map(len, batches)) <= rows


@given(LENGTHS, st.integers(1, 9))
def test_no_other_row_is_between_the_lengths_of_a_batch(lengths, rows):
    bounds = sorted(
        (min(lengths[i] for i in b), max(lengths[i] for i in b)) for b in cut(Batching(rows=rows, pool=50), lengths)
    )
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(bounds))


@given(LENGTHS, st.integers(1, 4), st.integers(20, 200), st.none() | st.integers(1, 9))
def test_batches_by_tokens(lengths, world, tokens, rows):
    lengths = lengths * world
    batches = cut(Batching(rows=rows, tokens=tokens, pool=50), lengths, world)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    assert len(batches) % world == 0
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= tokens
        assert rows is None or len(batch) <= rows


@given(LENGTHS, st.integers(2, 4))
def test_the_batches_of_a_step_have_like_lengths(lengths, world):
    batches = cut(Batching(tokens=100, pool=50), lengths * world, world)
    longest = [max((lengths * world)[i] for i in batch) for batch in batches]
    steps = sorted(sorted(longest[i : i + world]) for i in range(0, len(longest), world))
    assert all(a[-1] <= b[0] for a, b in itertools.pairwise(steps))


def test_a_long_row_is_a_batch_of_its_own():
    assert sorted(cut(Batching(tokens=10, pool=8), [5, 5, 500])) == [[0, 1], [2]]


def test_the_limit_holds_to_the_token():
    for tokens, batches in [(9, 4), (10, 2), (14, 2), (15, 2), (20, 1)]:
        assert len(cut(Batching(tokens=tokens, pool=8), [5, 5, 5, 5])) == batches, tokens


def test_batches_do_not_come_in_order_of_length():
    batches = cut(Batching(rows=2, pool=50), list(range(40)))
    assert batches != sorted(batches) and batches != cut(Batching(rows=2, pool=50), list(range(40)), key="other")


def test_what_is_not_a_batch():
    for values, said in [
        ({}, "a maximum number of rows or tokens"),
        ({"rows": 0}, "batch rows: expected at least 1, not 0"),
        ({"rows": 2, "pool": -1}, "at least 0, not -1"),
        ({"tokens": 100}, "a pool above 0"),
        ({"tokens": 0, "pool": 8}, "batch tokens: expected at least 1, not 0"),
    ]:
        with pytest.raises(SettingsError, match=said):
            Batching(**values)


@given(LENGTHS, st.integers(1, 9), st.integers(20, 200))
def test_rows_that_are_only_read_are_in_batches_of_like_lengths(lengths, rows, tokens):
    batches = [batch.tolist() for batch in by_length(lengths, rows=rows, tokens=tokens)]
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) <= rows
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= tokens
    longest = [max(lengths[i] for i in batch) for batch in batches]
    assert longest == sorted(longest, reverse=True)  # what does not fit fails at once
    assert all(min(lengths[i] for i in a) >= max(lengths[i] for i in b) for a, b in itertools.pairwise(batches))


def test_items_are_made_before_they_are_asked_for_and_come_in_order():
    made = []
    items = prefetch((made.append(n) or n for n in range(100)), 2)
    assert next(items) == 0
    while len(made) < 3:
        time.sleep(0.01)
    assert list(items) == list(range(1, 100)) and made == list(range(100))


def test_an_error_comes_in_its_place_and_a_consumer_that_leaves_ends_the_thread():
    def items():
        yield 1
        raise ValueError("broken")

    found = prefetch(items(), 5)
    assert next(found) == 1
    with pytest.raises(ValueError, match="broken"):
        next(found)
    for _ in prefetch(range(1_000_000), 1):
        break
    gc.collect()
    for _ in range(100):
        if not any(thread.name.startswith("prefetch") for thread in threading.enumerate()):
            break
        time.sleep(0.05)
    else:
        raise AssertionError("the thread goes on")
