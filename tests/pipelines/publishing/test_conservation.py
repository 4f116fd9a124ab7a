"""Conservation of documents, and of those of each profile."""

import pytest

from gistmill.pipelines.publishing.conservation import ConservationError, check_conservation
from gistmill.transforms.sinks.results import Results

COUNTS = {
    "documents/read": 5,
    "documents/used": 3,
    "documents/rejected/REDIRECT": 2,
    "profiles/a/read": 4,
    "profiles/a/used": 3,
    "profiles/a/rejected/ORACLE_TOO_LOW": 1,
    "rows/a/train": 3,
    "profiles/b/read": 4,
    "profiles/b/rejected/TOO_FEW_SENTENCES": 3,
    "profiles/b/rejected/ORACLE_TOO_LOW": 1,
}


def problem(**changes):
    """What is wrong with the counts, or ""."""
    counts = {**COUNTS, **{k.replace("__", "/"): n for k, n in changes.items()}}
    try:
        check_conservation(Results(shards=(), counts=counts, sources=(), damage=()), formats=(), unit="profiles")
    except ConservationError as error:
        return str(error)
    return ""


def test_sums_that_come_out():
    assert problem() == ""
    assert problem(rows__a__train=2, rows_left_out__a__train=1) == ""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"documents__read": 6}, "6 documents read, but 3 used and 2 rejected"),
        ({"profiles__b__rejected__ORACLE_TOO_LOW": 0}, "4 profiles/b read, but 0 used and 3 rejected"),
        ({"profiles__a__read": 5}, "5 profiles/a read, but 3 used and 1 rejected"),
        ({"rows__a__train": 2}, "3 documents used by profiles/a, but 2 rows made of them"),
        ({"rows_left_out__a__train": 1}, "3 documents used by profiles/a, but 4 rows made of them"),
        ({"rows__b__test": 1}, "0 documents used by profiles/b, but 1 rows made of them"),
    ],
)
def test_sums_that_do_not(changes, said):
    assert said in problem(**changes)
