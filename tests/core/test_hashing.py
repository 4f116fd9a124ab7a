import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.hashing import unit_interval


@pytest.mark.slow
@given(st.text(max_size=80), st.text(max_size=80))
def test_is_in_the_unit_interval_and_repeatable(salt, key):
    value = unit_interval(salt, key)
    assert 0 <= value < 1
    assert value == unit_interval(salt, key)


def test_is_uniform_enough_and_depends_on_the_salt():
    values = [unit_interval("a", f"wikipedia-{i}") for i in range(20_000)]
    for lower in (0.0, 0.25, 0.5, 0.75):
        assert abs(sum(lower <= v < lower + 0.25 for v in values) / len(values) - 0.25) < 0.01
    assert values[:10] != [unit_interval("b", f"wikipedia-{i}") for i in range(10)]


def test_is_fixed_for_ever():
    # published splits depend on it
    assert unit_interval("gistmill-split", "wikipedia-12") == 0.2817434944967707
