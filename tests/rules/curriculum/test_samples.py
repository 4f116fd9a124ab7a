"""The orders by chance that samples are drawn from."""

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.curriculum.ranked import Sample, chance, stratified_chance


def test_a_sample_is_named_by_its_rows_and_seed():
    assert Sample(rows=1000, seed=3).name == "sample-1000-seed-3"


def test_seeds_give_different_orders():
    ids = [f"row-{n}" for n in range(200)]
    one, other = (sorted(ids, key=lambda i: chance(seed, i)) for seed in (1, 2))
    assert one != other and len(set(one[:20]) & set(other[:20])) < 10


@given(st.lists(st.integers(1, 60), min_size=1, max_size=6), st.integers(0, 5), st.data())
def test_a_beginning_has_the_same_share_of_every_stratum(sizes, seed, data):
    order = sorted(
        (stratified_chance(seed, f"s{place}", rank, rows), place)
        for place, rows in enumerate(sizes)
        for rank in range(rows)
    )
    assert all(0 <= value < 1 for value, _ in order)
    end = data.draw(st.integers(0, len(order)))
    share = order[end][0] if end < len(order) else 1.0
    for place, rows in enumerate(sizes):
        assert abs(sum(p == place for _, p in order[:end]) - share * rows) <= 1 + 1e-9


def test_the_stratum_of_the_first_row_is_chosen_by_chance():
    first = {min("abcd", key=lambda s: stratified_chance(seed, s, 0, 10)) for seed in range(40)}
    assert first == set("abcd")
