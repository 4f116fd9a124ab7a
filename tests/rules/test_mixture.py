from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.mixture import counts_of


def test_the_dataset_that_is_smallest_for_its_weight_is_whole():
    assert counts_of([100, 40], [0.5, 0.5]) == (40, 40)
    assert counts_of([100, 40], [3, 1]) == (100, 33)
    assert counts_of([100, 40, 7], [1, 1, 0.1]) == (40, 40, 4)


def test_without_weights_all_rows_are_there():
    assert counts_of([100, 40], None) == (100, 40)


def test_a_small_weight_has_a_row_at_least():
    assert counts_of([1000, 5], [1000, 0.001]) == (1000, 1)


def test_only_the_proportions_of_weights_count():
    for factor in [0.1, 2, 1000]:
        assert counts_of([300, 200], [0.3 * factor, 0.6 * factor]) == counts_of([300, 200], [1, 2]), factor


@given(st.lists(st.tuples(st.integers(1, 10**9), st.integers(1, 100)), min_size=1, max_size=5))
def test_counts_fit_in_the_splits_and_one_is_whole(parts):
    sizes, weights = [size for size, _ in parts], [weight for _, weight in parts]
    counts = counts_of(sizes, weights)
    assert all(1 <= count <= size for count, size in zip(counts, sizes, strict=True))
    assert any(count == size for count, size in zip(counts, sizes, strict=True))
    unit = min(size / weight for size, weight in zip(sizes, weights, strict=True))
    assert all(abs(c - unit * w) <= 1 for c, w in zip(counts, weights, strict=True))
