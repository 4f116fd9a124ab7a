"""Windows over long documents, and the union of what is found in them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.transforms.coreference.spans import united, windows


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ([], []),
        ([5], [(0, 1)]),
        ([4, 6], [(0, 2)]),
        ([4, 6, 1], [(0, 2), (2, 3)]),  # what would be repeated is longer than the overlap
        ([4, 3, 3, 4, 3], [(0, 3), (2, 5)]),
        ([4, 3, 3, 9], [(0, 3), (3, 4)]),  # nothing fits in front of the next sentence
        ([2, 11, 2, 2], [(0, 1), (2, 4)]),  # no window takes the second
        ([11, 12], []),
    ],
)
def test_windows(lengths, expected):
    assert windows(lengths, limit=10, overlap=4) == expected


@given(st.lists(st.integers(0, 12), max_size=30), st.integers(1, 10), st.integers(0, 12))
def test_windows_cover_everything_that_fits_and_go_on(lengths, limit, overlap):
    found = windows(lengths, limit=limit, overlap=overlap)
    assert {i for a, b in found for i in range(a, b)} == {i for i, n in enumerate(lengths) if n <= limit}
    assert all(a < b and sum(lengths[a:b]) <= limit for a, b in found)
    for (a, b), (c, d) in itertools.pairwise(found):
        assert a < c and b < d
        assert sum(lengths[c:b]) <= overlap


@pytest.mark.parametrize(("limit", "overlap"), [(0, 0), (5, -1)])
def test_windows_that_cannot_be(limit, overlap):
    with pytest.raises(ValueError, match=str(limit)):
        windows([1, 2], limit=limit, overlap=overlap)


def test_clusters_with_a_span_in_common_are_one():
    a, b, c, d, e = ((i, i + 1) for i in range(5))
    assert united([[a, b], [c, d], [e, c], [d, b]]) == [[a, b, c, d, e]]
    assert united([[e, d], [a, c], [b]]) == [[a, c], [b], [d, e]]
    assert united([[a, a], []]) == [[a]]


@given(st.lists(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=4), max_size=8))
def test_union_is_a_partition_that_keeps_clusters_together(clusters):
    joined = united(clusters)
    spans = [span for group in joined for span in group]
    assert sorted(spans) == sorted({span for cluster in clusters for span in cluster})
    for cluster in clusters:
        assert not cluster or any(set(cluster) <= set(group) for group in joined)
    assert united(joined) == joined == united(reversed(clusters))
    # nothing joins without a reason: every split of a group cuts some cluster
    for group in joined:
        assert all({span} == set(group) or any(span in c and set(c) - {span} for c in clusters) for span in group)
