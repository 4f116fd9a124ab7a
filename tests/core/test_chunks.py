"""Content-defined chunks: they are the stream, whatever its pieces, and an insertion changes few of them."""

import random
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.chunks import _GEAR, LEAST, MOST, chunks

DATA = random.Random(7).randbytes(2_000_000)


def in_pieces(data, size):
    return [data[i : i + size] for i in range(0, len(data), size)]


def test_the_chunks_are_the_stream():
    found = list(chunks([DATA]))
    assert sum(size for _, size in found) == len(DATA)
    assert all(LEAST <= size <= MOST for _, size in found[:-1])
    assert 32_000 < len(DATA) / len(found) < 128_000


def test_the_ends_are_those_of_a_plain_gear_hash():
    data, gear = DATA[:600_000], [int(n) for n in _GEAR]
    ends, start, rolling = [], 0, 0
    for place, byte in enumerate(data, start=1):
        rolling = ((rolling << 1) + gear[byte]) & 0xFFFF_FFFF
        if place - start >= MOST or (place - start >= LEAST and rolling >> 16 == 0) or place == len(data):
            ends.append(place)
            start = place
    assert [*accumulate(size for _, size in chunks([data]))] == ends and len(ends) > 5


@pytest.mark.parametrize("size", [1_000, 65_537, 1 << 20])
def test_the_pieces_of_the_stream_do_not_matter(size):
    assert list(chunks(in_pieces(DATA, size))) == list(chunks([DATA]))


@pytest.mark.slow
@given(st.integers(0, len(DATA)), st.binary(min_size=1, max_size=50))
def test_an_insertion_changes_few_chunks(place, inserted):
    known = {name for name, _ in chunks([DATA])}
    changed = [size for name, size in chunks([DATA[:place] + inserted + DATA[place:]]) if name not in known]
    assert 0 < sum(changed) <= 4 * MOST


def test_a_stream_that_repeats_itself_is_cut_at_the_greatest_size():
    assert [size for _, size in chunks([bytes(3 * MOST + 5)])] == [MOST, MOST, MOST, 5]


def test_short_streams_are_one_chunk_and_empty_ones_none():
    assert list(chunks([])) == list(chunks([b""])) == []
    assert [size for _, size in chunks([b"a", b"b" * 100])] == [101]
    assert list(chunks([b"ab"])) != list(chunks([b"ba"]))
