"""The order of one split, and the permutations that it is made of."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.training.data.source import Block, InMemory
from gistmill.training.data.stream import Order, _windows, permutation
from tests.training.data.made import rows

MANY = InMemory(rows(10_000))  # ten blocks


def order(window, turn=0, salt="s", split=MANY):
    found = Order(split, window=window, salt=salt).rows(turn, np.arange(split.rows))
    return [row["number"] for row in found]


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 12_000), st.integers(0, 3))
def test_every_row_comes_once_a_pass(window, turn):
    assert sorted(order(window, turn)) == list(range(10_000))


def test_rows_at_some_positions_are_those_of_the_whole_pass():
    whole, found = order(2000), Order(MANY, window=2000, salt="s")
    for positions in ([0], [9_999], [5, 1_999, 2_000, 2_001, 7_777], [3]):
        assert [row["number"] for row in found.rows(0, np.array(positions))] == [whole[p] for p in positions]


def blocks_in_order(window, turn):
    """The blocks of the first window, and of each window the places of its rows in it."""
    found = order(window, turn)
    windows = [found[start : start + 2048] for start in range(0, 8 * 1024, 2048)]
    return [sorted({n // 1024 for n in w}) for w in windows], [np.argsort(w).tolist() for w in windows]


def test_blocks_are_dealt_anew_in_every_pass():
    assert blocks_in_order(2000, 0)[0] != blocks_in_order(2000, 1)[0]


def test_each_window_is_shuffled_in_its_own_way_in_every_pass():
    one = InMemory(rows(1024))
    assert order(5000, 0, split=one) != order(5000, 1, split=one)
    first, second = (w for w in _halves(order(1, 0, split=InMemory(rows(2048)))))
    assert [n % 1024 for n in first] != [n % 1024 for n in second]


def _halves(found):
    return found[: len(found) // 2], found[len(found) // 2 :]


def test_rows_of_a_block_are_spread_over_a_window():
    """Of 5 blocks in a window, the first 500 rows have about 100 of each."""
    even = InMemory(rows(8 * 1024))
    first = [n // 1024 for n in order(5 * 1024, split=even)[:500]]
    assert len(set(first)) == 5 and all(60 <= first.count(block) <= 140 for block in set(first))


def test_windows():
    for window, sizes in [(0, [1] * 6), (1, [1] * 6), (11, [2] * 3), (25, [3, 3]), (1000, [6])]:
        blocks = [Block(0, n, 10, 1) for n in range(6)]
        assert [len(w) for w in _windows(blocks, window)] == sizes, window


def test_a_window_is_not_larger_than_memory_allows():
    blocks = [Block(0, n, 10, 100 * 1024 * 1024) for n in range(5)] + [Block(1, 0, 1, 999 * 1024 * 1024)]
    assert [len(w) for w in _windows(blocks, 1000)] == [2, 2, 1, 1]


@given(st.integers(0, 500), st.text(max_size=8))
def test_every_number_comes_once(size, key):
    assert sorted(permutation(size, key)) == list(range(size))


def test_it_is_the_same_for_ever():
    assert permutation(10, "1/rows/0/0").tolist() == [6, 8, 9, 1, 3, 7, 4, 5, 0, 2]


def test_another_key_gives_another_order():
    assert permutation(50, "a").tolist() != permutation(50, "b").tolist()


def test_every_number_can_come_anywhere():
    """Over 2,000 keys each of 8 numbers stands in each of 8 places about 250 times (chi-square, 49 degrees, p > 1e-6)."""
    counts = np.zeros((8, 8))
    for key in range(2000):
        for place, number in enumerate(permutation(8, str(key))):
            counts[place, number] += 1
    assert ((counts - 250) ** 2 / 250).sum() < 117
