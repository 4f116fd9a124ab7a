import numpy as np
import pytest

from benchmarks.fusion_caution import Outcomes, at_share, separation

# Four unchanged pairs, and four rows that should be fused; one of the latter counts three times.
FOUND = Outcomes(
    type=np.array(["PAIR_NONE"] * 4 + ["PAIR_CONN"] * 4),
    weight=np.array([0.5] * 4 + [1.0, 1.0, 1.0, 3.0]),
    unchanged=np.array([True] * 4 + [False] * 4),
    odds=np.array([3.0, 1.0, 0.5, -2.0, 2.0, 0.0, -1.0, -3.0]),
    fused=np.array([[0.0, 0.4]] * 4 + [[1.0, 1.0]] * 4),
    copied=np.array([[1.0, 1.0]] * 4 + [[0.0, 0.3]] * 4),
)
ONCE = np.ones(8)


@pytest.mark.parametrize(
    ("share", "caution", "others", "exact"),
    [(0.25, -3.0, 0, 6.5 / 8), (0.5, -1.0, 1 / 6, 6 / 8), (0.75, -0.5, 1 / 6, 6.5 / 8), (1.0, 2.0, 0.5, 5 / 8)],
)
def test_a_share_of_the_unchanged_pairs_has_its_caution_and_scores(share, caution, others, exact):
    found = at_share(FOUND, share, ONCE)
    assert found[:3] == pytest.approx([caution, 100 * others, 100 * exact])
    assert found[3] == pytest.approx(100 * (1 - (0.6 * (1 - share) * 2 + 0.7 * 6 * others) / 8))


def test_a_row_that_counts_twice_is_two_rows():
    twice = np.array([1, 2, 1, 1, 1, 2, 1, 1], np.float64)
    of_all = Outcomes(**{name: np.repeat(value, twice.astype(int), axis=0) for name, value in vars(FOUND).items()})
    assert at_share(FOUND, 0.6, twice) == pytest.approx(at_share(of_all, 0.6, np.ones(10)))
    assert separation(FOUND, twice) == pytest.approx(separation(of_all, np.ones(10)))


def test_the_separation_is_the_weighted_share_of_pairs_in_order():
    above = (6 + 5 + 5 + 3) / 4 / 6
    assert separation(FOUND, ONCE) == pytest.approx(100 * above)
