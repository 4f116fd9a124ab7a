import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.sampling import Estimated, Sample, chances, draw, t_bound

SIZES = st.lists(st.floats(0.01, 1000), min_size=1, max_size=40)


@given(SIZES, st.floats(0.01, 0.99))
def test_a_sample_has_the_share_that_was_asked_for_on_average(sizes, share):
    found = chances(sizes, share=share)
    assert ((found > 0) & (found <= 1)).all()
    assert (found * sizes).sum() == pytest.approx(share * sum(sizes), rel=1e-3)


@given(SIZES, st.integers(1, 60))
def test_a_sample_has_the_units_that_were_asked_for(sizes, units):
    assert chances(sizes, units=units).sum() == pytest.approx(min(units, len(sizes)), rel=1e-3)


def test_chances_grow_with_the_root_of_the_size():
    assert chances([1.0, 4.0, 9.0], units=1).tolist() == pytest.approx([1 / 6, 2 / 6, 3 / 6])


def test_what_cannot_be_drawn_is_said():
    for asked in {}, {"share": 0.1, "units": 2}:
        with pytest.raises(ValueError, match="a share of the size, or a number"):
            chances([1.0], **asked)
    with pytest.raises(ValueError, match="above 0"):
        chances([1.0, 0.0], units=1)


def test_units_are_drawn_as_often_as_their_chances_say():
    sizes = np.arange(1.0, 31.0).tolist()
    chance = chances(sizes, share=0.2)
    drawn = [draw(sizes, chance, seed=seed) for seed in range(4000)]
    often = np.bincount(np.concatenate(drawn), minlength=30) / 4000
    assert often == pytest.approx(chance, abs=0.03)
    lengths = {len(found) for found in drawn}
    assert max(lengths) - min(lengths) <= 1


def test_the_seed_alone_decides_the_draw():
    sizes = [1.0] * 50
    chance = chances(sizes, units=5)
    assert draw(sizes, chance, seed=3).tolist() == draw(sizes, chance, seed=3).tolist()
    assert len({tuple(draw(sizes, chance, seed=seed)) for seed in range(20)}) > 10


def test_what_is_certain_is_drawn_and_something_always_is():
    sizes = [10_000.0, 1.0, 1.0, 1.0, 1.0]
    chance = chances(sizes, units=2)
    assert chance[0] == 1
    assert all(0 in draw(sizes, chance, seed=seed) for seed in range(20))
    assert len(draw([1.0, 1.0], np.array([1e-9, 1e-9]), seed=1)) == 1


def test_values_in_proportion_to_sizes_are_known_from_any_sample():
    sizes = [3.0, 1.0, 7.0, 2.0, 5.0]
    chance = chances(sizes, units=2)
    chosen = draw(sizes, chance, seed=0)
    sample = Sample(sum(sizes), np.array(sizes)[chosen], chance[chosen])
    found = sample.estimate([2 * sizes[i] for i in chosen])
    assert (found.value, found.low, found.high) == pytest.approx((36, 36, 36))


def test_a_sample_of_everything_is_exact():
    sample = Sample(3.0, np.array([1.0, 2.0]), np.ones(2))
    assert sample.estimate([5, 0]) == Estimated(5, 5, 5)


def test_one_unit_by_chance_has_no_upper_bound():
    found = Sample(10.0, np.array([1.0]), np.array([0.1])).estimate([4])
    assert (found.value, found.low, found.high) == (40, 4, math.inf)


def test_an_interval_never_ends_below_what_was_found():
    found = Sample(100.0, np.array([10.0, 1.0, 1.0]), np.array([0.3, 0.1, 0.1])).estimate([0, 9, 0])
    assert found.low >= 9 and found.high > found.value


@pytest.mark.parametrize("units", [6, 12, 40])
def test_intervals_hold_the_truth_in_nine_of_ten_samples(units):
    generator = np.random.default_rng(5)
    sizes = generator.lognormal(0, 1, 300)
    values = sizes * generator.gamma(6, 1 / 6, 300)
    chance = chances(sizes.tolist(), units=units)
    held, errors = 0, []
    for seed in range(600):
        chosen = draw(sizes.tolist(), chance, seed=seed)
        found = Sample(float(sizes.sum()), sizes[chosen], chance[chosen]).estimate(values[chosen])
        held += found.low <= values.sum() <= found.high
        errors.append(found.value / values.sum() - 1)
    assert held >= 0.9 * 600
    assert abs(np.mean(errors)) < 0.03


def test_bounds_of_students_t_are_those_of_scipy():
    freedom = [*range(1, 60), 100, 1000, 100_000]
    assert [t_bound(n) for n in freedom] == pytest.approx(scipy.stats.t.ppf(0.975, freedom), rel=4e-6)


def test_a_bound_cuts_an_estimate_and_its_interval():
    assert Estimated(50, 40, 60).at_most(45) == Estimated(45, 40, 45)
    assert Estimated(50, 40, 60).times(2) == Estimated(100, 80, 120)
