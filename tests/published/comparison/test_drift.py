"""Drift against scipy, and the laws that a measure of it has."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import chi2, chi2_contingency

from gistmill.published.comparison.compare import classes, quantile, spread
from gistmill.published.comparison.drift import chi_square_tail, drift

counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 10_000), min_size=1)
histograms = st.lists(st.integers(0, 50), min_size=1, max_size=60).map(np.array)


@given(counts, counts)
def test_the_distance_is_that_of_scipy(old, new):
    values = sorted({*old, *new})
    shares = [[side.get(v, 0) for v in values] for side in (old, new)]
    if not all(map(sum, shares)):
        assert drift(old, new).distance == 0
    else:
        assert drift(old, new).distance == pytest.approx(jensenshannon(*shares, base=2), abs=1e-7)


@given(st.floats(0.001, 3000), st.integers(1, 400))
def test_the_tail_is_that_of_scipy(statistic, freedom):
    assert chi_square_tail(statistic, freedom) == pytest.approx(chi2.sf(statistic, freedom), rel=1e-9, abs=1e-290)


def test_the_test_is_that_of_scipy():
    old, new = {"a": 500, "b": 300, "c": 90}, {"a": 510, "b": 390, "c": 60}
    found = drift(old, new)
    expected = chi2_contingency([list(old.values()), list(new.values())], correction=False)
    assert (found.chi_square, found.freedom) == (pytest.approx(expected.statistic), expected.dof)
    assert found.probability == pytest.approx(expected.pvalue)


@given(counts, counts)
def test_drift_is_the_same_both_ways_and_none_to_itself(old, new):
    there, back = drift(old, new), drift(new, old)
    assert there.distance == pytest.approx(back.distance, abs=1e-9) and 0 <= there.distance <= 1
    assert there.probability == pytest.approx(back.probability, abs=1e-9) and 0 <= there.probability <= 1
    assert drift(old, old).distance == 0 and not drift(old, old).significant


@given(counts, st.integers(2, 50))
def test_the_number_of_rows_is_not_drift(old, times):
    assert drift(old, {value: n * times for value, n in old.items()}).distance == pytest.approx(0, abs=1e-7)


def test_the_examples_of_the_docstring():
    assert drift({"a": 50, "b": 50}, {"a": 45, "b": 55}).distance == pytest.approx(0.0425, abs=0.001)
    assert drift({"a": 100}, {"a": 98, "b": 2}).distance == pytest.approx(0.1, abs=0.001)


def test_nothing_in_common_is_the_largest_distance():
    found = drift({"a": 100}, {"b": 100})
    assert found.distance == 1 and found.significant


def test_chance_in_few_rows_is_not_significant_and_the_same_shares_in_many_are():
    old, new = {"a": 7, "b": 3}, {"a": 5, "b": 5}
    assert not drift(old, new).significant
    assert drift({k: 1000 * v for k, v in old.items()}, {k: 1000 * v for k, v in new.items()}).significant


def test_rare_values_are_put_together():
    rare = {f"r{n}": 1 for n in range(400)}
    found = drift({"a": 1000, **rare}, {"a": 1000, **{f"s{n}": 1 for n in range(400)}})
    assert found.freedom == 1 and not found.significant


def test_what_is_empty_has_not_moved():
    for old, new in (({}, {}), ({}, {"a": 3}), ({"a": 3}, {"b": 0})):
        found = drift(old, new)
        assert (found.distance, found.probability, found.freedom) == (0, 1, 0)


@given(histograms)
def test_quantiles_are_those_of_the_sorted_lengths(counts):
    lengths = [length for length, n in enumerate(counts) for _ in range(n)]
    found = spread(counts)
    if not lengths:
        assert (found.rows, found.most) == (0, 0)
        return
    for per_cent, value in ((10, found.p10), (50, found.median), (90, found.p90), (99, found.p99), (100, found.most)):
        assert value == lengths[max(1, math.ceil(per_cent * len(lengths) / 100)) - 1]
    assert found.mean == pytest.approx(sum(lengths) / len(lengths), abs=0.001)


@given(histograms, histograms)
def test_classes_hold_every_row(old, new):
    before, now = classes(old, new)
    assert sum(before.values()) == sum(old) and sum(now.values()) == sum(new)


def test_classes_are_tenths_of_the_old_rows():
    before, now = classes(np.ones(100, int), np.array([0] * 95 + [7] * 10))
    assert before == {"0 to 9": 10, **{f"{n}0 to {n}9": 10 for n in range(1, 9)}, "90 or more": 10}
    assert now == {"90 or more": 70}
    assert quantile(np.array([0, 0, 3]), 500) == 2
    assert classes(np.array([0, 0, 5]), np.array([1, 1])) == [{"0 to 2": 5}, {"0 to 2": 2}]
