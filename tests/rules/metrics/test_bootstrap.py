"""Intervals and paired tests: seeded, of the right size, and sure or unsure where they should be."""

import math

import numpy as np
import pytest

from gistmill.rules.metrics import scores
from gistmill.rules.metrics.sari import per_row, total
from gistmill.rules.metrics.scores import Measurement, compare, intervals

RANDOM = np.random.default_rng(7)


def shares(chance, rows=400, seed=1):
    return Measurement.mean(np.random.default_rng(seed).random(rows) < chance)


def test_the_score_is_a_ratio_of_sums_in_per_cent():
    assert Measurement.mean(np.array([1, 0, 0, 1])).score() == 50
    assert Measurement(np.array([[1.0, 4.0], [2.0, 2.0]])).score() == 50
    assert math.isnan(Measurement(np.zeros((3, 2))).score())
    assert Measurement.mean(np.array([1, 0, 0, 1])).of([True, True, False, False]).score() == 50


def test_an_interval_has_about_the_width_of_the_normal_one():
    measured = shares(0.3)
    ((low, high),) = intervals([measured], samples=2000, seed=0)
    p = measured.score() / 100
    assert high - low == pytest.approx(200 * 1.96 * math.sqrt(p * (1 - p) / 400), rel=0.08)
    assert low < measured.score() < high


def test_the_same_seed_gives_the_same_figures_and_parts_change_nothing(monkeypatch):
    one, other = shares(0.3), shares(0.4, seed=2)
    first = intervals([one, other], samples=300, seed=5), compare(one, other, samples=300, seed=5)
    assert first == (intervals([one, other], samples=300, seed=5), compare(one, other, samples=300, seed=5))
    assert first[0] != intervals([one, other], samples=300, seed=6)
    monkeypatch.setattr(scores, "_CELLS", 1 << 12)  # ten samples at once
    assert np.array(intervals([one, other], samples=300, seed=5)) == pytest.approx(np.array(first[0]))
    assert compare(one, other, samples=300, seed=5) == pytest.approx(first[1])


def test_a_clear_difference_is_sure_and_none_is_not():
    low, high, same = shares(0.2), shares(0.5, seed=2), shares(0.2, seed=3)
    found = compare(low, high, samples=1000, seed=0)
    assert found.difference == high.score() - low.score() and found.low > 0
    assert found.bootstrap < 0.01 and found.randomisation < 0.01
    found = compare(low, same, samples=1000, seed=0)
    assert found.bootstrap > 0.1 and found.randomisation > 0.1 and found.low < 0 < found.high
    assert compare(low, low, samples=100, seed=0)[:] == (0, 0, 0, 1, 1)
    one, other = compare(low, high, samples=500, seed=0), compare(high, low, samples=500, seed=0)
    assert (one.difference, one.low, one.high) == pytest.approx((-other.difference, -other.high, -other.low))
    assert one[3:] == other[3:]


def test_under_no_difference_few_tests_are_sure():
    found = [compare(shares(0.3, 100, 2 * s), shares(0.3, 100, 2 * s + 1), samples=200, seed=s) for s in range(200)]
    for name in ("bootstrap", "randomisation"):
        assert 0.005 <= np.mean([getattr(d, name) <= 0.05 for d in found]) <= 0.12


def test_a_score_of_sums_is_resampled_as_a_whole():
    texts = [" ".join(RANDOM.choice(list("abcde"), 8)) for _ in range(60)]
    rows = per_row("easse", texts, texts[1:] + texts[:1], [[t] for t in texts])
    measured = Measurement(rows, lambda sums: 100 * total("easse", sums).mean(axis=-1))
    ((low, high),) = intervals([measured], samples=200, seed=0)
    assert low < measured.score() < high


def test_nothing_to_sample_and_other_rows():
    assert all(map(math.isnan, intervals([Measurement(np.zeros((0, 2)))], samples=10, seed=0)[0]))
    assert all(map(math.isnan, intervals([shares(0.5)], samples=0, seed=0)[0]))
    with pytest.raises(ValueError, match="400 rows with 300 rows"):
        compare(shares(0.3), shares(0.3, rows=300), samples=10, seed=0)
