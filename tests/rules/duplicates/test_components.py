"""Components of pairs against a union-find of a few lines, and which document stays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.duplicates.candidates import pack, united
from rules.duplicates.components import components, keepers

PAIRS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).filter(lambda p: p[0] != p[1]), max_size=80)


def found(pairs):
    first, second = np.array([a for a, _ in pairs], np.int64), np.array([b for _, b in pairs], np.int64)
    numbers, roots = components(united([pack(first, second)]))
    return dict(zip(numbers.tolist(), roots.tolist()))


def brute_force(pairs):
    parents = {n: n for pair in pairs for n in pair}
    for _ in parents:
        for a, b in pairs:
            parents[a] = parents[b] = min(parents[a], parents[b])
    return parents


@given(PAIRS)
def test_components_equal_brute_force(pairs):
    assert found(pairs) == brute_force(pairs)


@given(PAIRS, st.randoms())
def test_the_order_of_pairs_makes_no_difference(pairs, chosen):
    shuffled = [(b, a) if chosen.random() < 0.5 else (a, b) for a, b in chosen.sample(pairs, len(pairs))]
    assert found(shuffled) == found(pairs)


@pytest.mark.parametrize("order", ["up", "down", "mixed"])
def test_long_chains(order):
    nodes = np.arange(50_000)
    if order == "mixed":
        nodes = np.random.default_rng(2).permutation(nodes)
    first, second = (nodes[:-1], nodes[1:]) if order != "down" else (nodes[::-1][:-1], nodes[::-1][1:])
    _, roots = components(united([pack(first, second)]))
    assert not roots.any()


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=40))
def test_the_lowest_rank_stays(documents):
    roots, ranks = np.array([r for r, _ in documents], np.int64), np.array([r for _, r in documents], np.int64)
    kept = keepers(roots, ranks)
    for index, (root, _) in enumerate(documents):
        mine = [(rank, i) for i, (other, rank) in enumerate(documents) if other == root]
        assert kept[index] == min(mine)[1]
