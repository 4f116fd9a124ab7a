"""Pairs of documents with equal numbers, and how many of them there are."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rules.duplicates.candidates import CAP, band_pairs, equal_pairs, pack, stars, united, unpack

KEYS = st.lists(st.integers(0, 6), max_size=60)


def as_set(pairs):
    assert np.array_equal(pairs, np.unique(pairs))
    return set(zip(*(a.tolist() for a in unpack(pairs))))


def groups(keys):
    found = {}
    for number, key in enumerate(keys):
        found.setdefault(key, []).append(number)
    return found.values()


@given(KEYS)
def test_small_groups_are_compared_each_with_each(keys):
    pairs, large = equal_pairs(np.array(keys, np.uint64), np.arange(len(keys)), cap=60)
    assert as_set(pairs) == {pair for g in groups(keys) for pair in combinations(g, 2)}
    assert not len(large)


@given(KEYS, st.integers(2, 8))
def test_large_groups_are_stars_and_chains(keys, cap):
    pairs, large = equal_pairs(np.array(keys, np.uint64), np.arange(len(keys)), cap=cap)
    expected = set()
    for g in groups(keys):
        expected |= set(combinations(g, 2)) if len(g) <= cap else {(g[0], n) for n in g[1:]} | set(zip(g, g[1:]))
    assert as_set(pairs) == expected
    assert large.tolist() == sorted(n for g in groups(keys) if len(g) > cap for n in g)


@given(KEYS)
def test_stars(keys):
    assert as_set(stars(np.array(keys, np.uint64), np.arange(len(keys)))) == {
        (g[0], n) for g in groups(keys) for n in g[1:]
    }


def test_numbers_of_documents_are_used():
    pairs, _ = equal_pairs(np.array([5, 1, 5], np.uint64), np.array([10, 11, 4_000_000_000]))
    assert (
        as_set(pairs)
        == {(10, 4_000_000_000)}
        == as_set(stars(np.array([5, 1, 5], np.uint64), np.array([10, 11, 4_000_000_000])))
    )


def test_a_number_that_all_have_makes_few_pairs():
    bands = np.zeros((6, 20_000), np.uint64)
    assert len(band_pairs(bands, 0, np.arange(20_000))) < 2 * 20_000


def test_a_template_does_not_hide_the_copies_in_it():
    """400 documents share band 0; copies, far apart, share the next bands too."""
    numbers = np.random.default_rng(1)
    bands = numbers.integers(0, 2**60, (6, 400), dtype=np.uint64)
    bands[0] = 7
    bands[2, 399] = bands[2, 100]
    assert (100, 399) in as_set(band_pairs(bands, 0, np.arange(400)))
    bands[2, 399] += np.uint64(1)
    assert (100, 399) not in as_set(band_pairs(bands, 0, np.arange(400)))


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)), max_size=20))
def test_pairs_are_packed_and_unpacked(pairs):
    first, second = np.array([a for a, _ in pairs], np.int64), np.array([b for _, b in pairs], np.int64)
    assert as_set(united([pack(first, second)])) == {(min(p), max(p)) for p in pairs}


def test_nothing_in_nothing_out():
    nothing = np.zeros(0, np.uint64)
    assert not len(equal_pairs(nothing, nothing)[0]) and not len(stars(nothing, nothing)) and not len(united([]))
    assert CAP > 1
