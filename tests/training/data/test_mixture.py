from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gistmill.training.data.stream import Mixture

SIZES = st.lists(st.integers(1, 5000), min_size=1, max_size=4)


def test_without_weights_an_epoch_has_every_row():
    assert Mixture([7, 3000], [None, None], salt="").counts == (7, 3000)


def test_the_smallest_for_its_weight_is_whole():
    for sizes, weights, counts in [
        ((12_080_513, 4_581_352), (0.5, 0.5), (4_581_352, 4_581_352)),  # DiscoFuse: the larger is taken in part
        ((100, 100), (3, 1), (100, 33)),
        ((10, 1000), (0.9, 0.1), (10, 1)),
        ((1, 1), (1, 1000), (1, 1)),  # every split is in every epoch
        ((300, 300, 300), (0.1, 0.2, 0.3), (100, 200, 300)),
    ]:
        assert Mixture(sizes, weights, salt="").counts == counts, sizes


@given(SIZES, st.data())
def test_weights_hold_within_rounding(sizes, data):
    weights = data.draw(st.lists(st.integers(1, 9), min_size=len(sizes), max_size=len(sizes)))
    counts = Mixture(sizes, weights, salt="").counts
    unit = min(size / weight for size, weight in zip(sizes, weights))
    assert any(count == size for count, size in zip(counts, sizes))
    for count, size, weight in zip(counts, sizes, weights):
        assert 1 <= count <= size and (abs(count - unit * weight) <= 0.5 + 1e-9 or count == 1)


@given(SIZES, st.integers(0, 3))
def test_an_epoch_has_each_place_of_each_split_once(sizes, epoch):
    mixture = Mixture(sizes, [None] * len(sizes), salt="s")
    splits, places = mixture.stretch(epoch, 0, mixture.rows)
    for number, size in enumerate(sizes):
        assert places[splits == number].tolist() == list(range(size))


@given(SIZES, st.data())
def test_a_stretch_is_a_part_of_the_epoch(sizes, data):
    mixture = Mixture(sizes, [None] * len(sizes), salt="s")
    start = data.draw(st.integers(0, mixture.rows - 1))
    stop = data.draw(st.integers(start + 1, mixture.rows))
    whole, part = mixture.stretch(1, 0, mixture.rows), mixture.stretch(1, start, stop)
    assert all(np.array_equal(w[start:stop], p) for w, p in zip(whole, part))


def test_the_proportions_hold_everywhere():
    mixture = Mixture([20_000, 60_000], [1, 3], salt="s")
    splits, _ = mixture.stretch(0, 0, mixture.rows)
    for start in range(0, mixture.rows - 4096, 1000):
        assert abs(Counter(splits[start : start + 4096].tolist())[0] - 1024) < 130


def test_epochs_go_on_in_a_large_split_and_no_row_is_twice_in_one():
    mixture = Mixture([250, 100], [1, 1], salt="s")
    assert [mixture.turn(0, epoch) for epoch in range(5)] == [(0, 0), (0, 100), (1, 0), (1, 100), (2, 0)]
    assert [mixture.turn(1, epoch) for epoch in range(3)] == [(0, 0), (1, 0), (2, 0)]


def test_splits_take_turns_by_chance():
    first = Mixture([600, 600], [None, None], salt="1").stretch(0, 0, 1200)[0].tolist()
    assert first != Mixture([600, 600], [None, None], salt="2").stretch(0, 0, 1200)[0].tolist()
    assert first[:20] != sorted(first[:20])
    assert first != Mixture([600, 600], [None, None], salt="1").stretch(1, 0, 1200)[0].tolist()
