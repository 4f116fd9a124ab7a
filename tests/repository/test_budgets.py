"""The sizes of packages; see tests/budgets.py."""

from tests.budgets import problems


def test_no_package_is_above_its_budget():
    assert problems() == []
