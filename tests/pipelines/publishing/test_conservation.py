"""Conservation of documents, and of those of each profile."""

import pytest

from gistmill.pipelines.publishing.publication import ConservationError, check_conservation
from gistmill.transforms.sinks.results import Results
from gistmill.transforms.sinks.shards import ShardFile

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


def shards(*places, of=2):
    """What is wrong with shards of one row each side: their index, first and last id."""
    files = [
        ShardFile(
            config="a",
            split="train",
            format="parquet",
            index=index,
            of=of,
            path=f"/shards/{index}",
            rows=2,
            bytes=9,
            sha256="00",
            first_id=first,
            last_id=last,
        )
        for index, first, last in places
    ]
    counts = {"rows/a/train": 2 * len(files)}
    try:
        check_conservation(Results(shards=files, counts=counts, sources=(), damage=()), formats=("parquet",))
    except ConservationError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "places",
    [
        [(0, "a", "b"), (1, "c", "d")],
        [(1, "c", "d"), (0, "a", "b")],  # as they were finished
        [(0, "a-9", "b-10"), (1, "b-2", "é")],  # bytes decide, not numbers
        [(0, "a", "\uffff"), (1, "\U00010000", "\U00010001")],  # nor the surrogates of UTF-16
        [(0, "a", "a"), (1, "b", "b")],
    ],
)
def test_shards_in_the_order_of_their_ids_pass(places):
    assert shards(*places) == ""


@pytest.mark.parametrize(
    "places",
    [
        [(0, "a", "c"), (1, "c", "d")],  # one id in two shards
        [(0, "a", "d"), (1, "c", "e")],
        [(0, "c", "d"), (1, "a", "b")],
    ],
)
def test_shards_whose_ids_overlap_do_not(places):
    assert "the parquet shards of a/train are not in order of their ids" in shards(*places)


@pytest.mark.parametrize(
    "places", [[(0, "a", "b")], [(1, "a", "b")], [(0, "a", "b"), (0, "c", "d")], [(0, "a", "b"), (2, "c", "d")]]
)
def test_a_shard_that_is_missing_or_there_twice_is_seen(places):
    assert "the parquet shards of a/train are not 0 to 1" in shards(*places)
