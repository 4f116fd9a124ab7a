"""Buckets: equal sizes, the easiest rows first."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.curriculum.ranked import bucket_of, buckets_for


@given(st.integers(1, 3000), st.integers(1, 40) | st.none())
def test_buckets_have_equal_sizes_and_keep_the_order(rows, wanted):
    buckets = buckets_for(rows, wanted)
    found = [bucket_of(rank, rows, buckets) for rank in range(rows)]
    assert found == sorted(found)
    sizes = Counter(found)
    assert set(sizes) == set(range(buckets))
    assert max(sizes.values()) - min(sizes.values()) <= 1


def test_the_usual_number_of_buckets_is_that_of_the_paper():
    for rows, buckets in [(1, 1), (2, 2), (10, 2), (99, 2), (100, 5), (999, 5), (1000, 10), (10**6, 10)]:
        assert buckets_for(rows) == buckets, rows


def test_there_are_no_more_buckets_than_rows():
    assert buckets_for(3, 5) == 3 and buckets_for(5, 5) == 5 and buckets_for(1000, 7) == 7
