"""Laws of the shard plan."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.sinks.sharding import SHARD_BYTES, keys_at, shard_count, shard_starts


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
    starts = [*shard_starts(rows, shards), rows]
    sizes = [b - a for a, b in zip(starts, starts[1:])]
    assert starts[0] == 0 and sum(sizes) == rows and max(sizes) - min(sizes) <= 1 and min(sizes) >= 1


@given(keys=st.sets(st.binary(max_size=4), min_size=1), data=st.data())
def test_keys_at_ranks(keys, data):
    ordered = sorted(keys)
    ranks = sorted(data.draw(st.sets(st.integers(0, len(ordered) - 1))))
    assert keys_at(iter(ordered), ranks) == [ordered[r] for r in ranks]


def test_bad_numbers_are_named():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        shard_count(rows=5, raw_bytes=1, wanted=0)
    with pytest.raises(ValueError, match="rank 2"):
        keys_at([b"a", b"b"], [0, 2])
