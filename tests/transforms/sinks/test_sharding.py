"""Laws of the shard plan."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.transforms.sinks.shards import SHARD_BYTES, bounds_near, shard_count, shard_ranks


@given(rows=st.integers(0, 10**9), raw_bytes=st.integers(0, 10**12), wanted=st.none() | st.integers(1, 5000))
def test_never_more_shards_than_rows_and_none_without_rows(rows, raw_bytes, wanted):
    count = shard_count(rows=rows, raw_bytes=raw_bytes, wanted=wanted)
    assert count <= rows
    assert (count == 0) == (rows == 0)
    if wanted is None and count < rows:
        assert raw_bytes / max(count, 1) <= SHARD_BYTES


@given(rows=st.integers(1, 10**7), shards=st.integers(1, 300))
def test_sizes_differ_by_at_most_one(rows, shards):
    shards = min(rows, shards)
    starts = [0, *shard_ranks(rows, shards)[0], rows]
    sizes = [b - a for a, b in pairwise(starts)]
    assert sum(sizes) == rows and max(sizes) - min(sizes) <= 1 and min(sizes) >= 1


@given(keys=st.sets(st.binary(max_size=4), min_size=1), data=st.data())
def test_bounds_stand_at_their_ranks_where_keys_differ(keys, data):
    ordered = sorted(keys)
    ranks = sorted(data.draw(st.sets(st.integers(0, len(ordered) - 1), min_size=1)))
    assert bounds_near(iter(ordered), ranks) == [(r, ordered[r]) for r in ranks]


@given(keys=st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), min_size=1), data=st.data())
def test_equal_keys_stay_on_one_side_of_a_bound(keys, data):
    ordered = sorted(keys)
    ranks = sorted(data.draw(st.sets(st.integers(1, len(ordered)), min_size=1)) - {len(ordered)})
    found = bounds_near(iter(ordered), ranks) if ranks else []
    assert found == sorted(set(found))
    for rank, key in found:
        assert ordered[rank] == key != ordered[rank - 1]
    for rank in ranks:  # no bound is lost but where no other key follows
        assert any(at >= rank for at, _ in found) or len(set(ordered[rank - 1 :])) == 1


@given(rows=st.integers(1, 3000), shards=st.integers(2, 20))
def test_sizes_differ_by_a_tenth_at_most(rows, shards):
    shards = min(rows, shards)
    keys = sorted(str(n).encode() for n in range(rows))
    ranks, reach = shard_ranks(rows, shards)
    bounds = bounds_near(iter(keys), ranks, reach=reach)
    starts = [0, *(rank for rank, _ in bounds), rows]
    sizes = [b - a for a, b in pairwise(starts)]
    assert all(keys[rank] == key for rank, key in bounds)
    assert len(sizes) == shards and max(sizes) - min(sizes) <= 1 + 4 * reach <= 1 + 0.2 * rows / shards


@pytest.mark.parametrize(("removed", "added"), [(1, 0), (0, 1), (40, 25)])
def test_a_few_rows_more_or_less_leave_most_bounds(removed, added):
    rng = random.Random(7)
    before = [f"wikipedia-{n}" for n in range(20_000)]
    after = [*rng.sample(before, len(before) - removed), *(f"wikipedia-{n}" for n in range(20_000, 20_000 + added))]

    def bounds(ids, *, stable):
        ranks, reach = shard_ranks(len(ids), 10)
        keys = sorted(i.encode() for i in ids)
        return {key for _, key in bounds_near(keys, ranks, reach=reach if stable else 0)}

    assert len(bounds(before, stable=True) & bounds(after, stable=True)) >= 8
    if removed + added > 1:
        assert len(bounds(before, stable=False) & bounds(after, stable=False)) <= 2  # as it was


def test_a_rank_without_a_row_is_named():
    with pytest.raises(ValueError, match="rank 2"):
        bounds_near([b"a", b"b"], [0, 2])
