"""Numbers as a person reads them."""

import pytest

from gistmill.pipelines.reporting.diff_text import duration


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0 s"),
        (0.25, "0.25 s"),
        (8.676, "8.68 s"),  # not "0.00241 hours"
        (59.94, "59.9 s"),
        (59.96, "60 s"),
        (60, "1 min"),
        (754, "12.6 min"),
        (3_596, "59.9 min"),
        (3_598, "60 min"),
        (3_600, "1 h"),
        (36_000 * 3, "30 h"),
        (359_900, "100 h"),
        (874_800_000, "243,000 h"),
    ],
)
def test_a_time_has_the_unit_that_fits(seconds, shown):
    assert duration(seconds) == shown
