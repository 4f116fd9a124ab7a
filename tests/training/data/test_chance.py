import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gistmill.training.data.batching import permutation


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
