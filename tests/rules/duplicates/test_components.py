"""Components of pairs against a union-find of a few lines."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.duplicates import Forest, pack

PAIRS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).filter(lambda p: p[0] != p[1]), max_size=80)


def packed(pairs):
    first, second = np.array([a for a, _ in pairs], np.int64), np.array([b for _, b in pairs], np.int64)
    return pack(first, second)


def found(pairs, *, cuts=(), documents=51):
    """The roots of all documents of the pairs, which come in several lots, and in blocks."""
    forest = Forest(documents)
    for lot in np.split(packed(pairs), [c % (len(pairs) + 1) for c in sorted(cuts)]):
        forest.join(lot)
    blocks = [(n.tolist(), r.tolist()) for n, r in forest.members([0, 7, 7, 30, documents])]
    return {number: root for numbers, roots in blocks for number, root in zip(numbers, roots, strict=True)}


def brute_force(pairs):
    parents = {n: n for pair in pairs for n in pair}
    for _ in parents:
        for a, b in pairs:
            parents[a] = parents[b] = min(parents[a], parents[b])
    return parents


@given(PAIRS, st.lists(st.integers(0, 80), max_size=5))
def test_components_equal_brute_force_also_of_pairs_that_come_in_lots(pairs, cuts):
    assert found(pairs, cuts=cuts) == brute_force(pairs)


@pytest.mark.parametrize("lots", [1, 60])
@pytest.mark.parametrize("order", ["up", "down", "mixed"])
def test_long_chains(order, lots):
    nodes = np.arange(50_000)
    if order == "mixed":
        nodes = np.random.default_rng(2).permutation(nodes)
    first, second = (nodes[:-1], nodes[1:]) if order != "down" else (nodes[::-1][:-1], nodes[::-1][1:])
    forest = Forest(50_001)
    for lot in np.array_split(pack(first, second), lots):
        forest.join(lot)
    ((numbers, roots),) = forest.members([0, 50_001])
    assert np.array_equal(numbers, np.arange(50_000)) and not roots.any()


def test_memory_is_five_bytes_a_document():
    tracemalloc.start()
    forest = Forest(2_000_000)
    forest.join(pack(np.arange(0, 200_000), np.arange(1_800_000, 2_000_000)))
    joined = sum(len(n) for n, _ in forest.members([*range(0, 2_000_000, 50_000), 2_000_000]))
    assert joined == 400_000
    assert tracemalloc.get_traced_memory()[1] < 8 * 2_000_000 + 100 * 200_000
    tracemalloc.stop()
