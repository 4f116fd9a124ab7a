"""Chance: a pure function of names, document and place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gistmill.rules.synthetic.draws import Stream, Widths
from gistmill.rules.synthetic.recipe import chi_square_tail
from tests.rules.synthetic.helpers import draws

RECORD = ([316, 276, 238, 716, 894], ["qjd", "dch", "gwf", "tie"])
WORDS = tuple(f"w{i}" for i in range(1000))


def stream(*names, widths=Widths(12, 20)):  # noqa: B008, frozen
    return Stream(*names, widths=widths, vocabulary=WORDS)


def drawn(of, number, count=90):
    found = of.draws(number)
    return [found.below(1000) for _ in range(count)] + found.words(count)


@given(st.lists(st.integers(0, 10**12 - 1), min_size=1, max_size=20))
def test_a_documents_draws_do_not_depend_on_others(numbers):
    together = stream(7, "a")
    assert [drawn(together, n) for n in numbers] == [drawn(stream(7, "a"), n) for n in numbers]


def test_draws_on_record():
    """A seed gives the same documents for ever: NumPy promises the stream of Philox."""
    found = draws(12345, 1, "ensemble")
    assert [found.below(1000) for _ in range(5)] == RECORD[0] and found.words(4) == RECORD[1]
    made = [drawn(stream(*names), n) for names in [(1, "a"), (2, "a"), (1, "b"), (1, "a", "b")] for n in range(4)]
    assert len(set(map(tuple, made))) == len(made)


def test_rows_go_on_where_they_end():
    found = stream(1).draws(0)
    assert len(set(found.words(1000))) > 500  # fifty rows, none of which repeats another
    assert found.drawn == 1000 and [WORDS[i] for i in found.places(990, 10)] == stream(1).draws(0).words(1000)[-10:]


def test_numbers_are_uniform():
    found = stream(3, widths=Widths(4000, 4000)).draws(5)
    for n in (2, 7, 100):
        counts = [0] * n
        for _ in range(200 * n):
            counts[found.below(n)] += 1
        assert chi_square_tail(sum((c - 200) ** 2 / 200 for c in counts), n - 1) > 0.001


@pytest.mark.slow
def test_a_sample_has_no_number_twice():
    found = draws(1)
    for n in range(1, 12):
        for count in range(n + 1):
            made = found.sample(n, count)
            assert len(set(made)) == count and set(made) <= set(range(n))
    orders = {tuple(found.sample(3, 3)) for _ in range(200)}
    assert len(orders) == 6
    assert {found.between(5, 8) for _ in range(200)} == {5, 6, 7, 8}
    assert {found.one("abc") for _ in range(100)} == set("abc")


def test_tails_of_chi_square_are_those_of_scipy():
    for degrees in (1, 2, 5, 24, 49):
        for statistic in (0, 0.1, 1.0, 20.0, 60.0, 200.0, 1e6):
            assert chi_square_tail(statistic, degrees) == pytest.approx(stats.chi2.sf(statistic, degrees), rel=1e-9)
