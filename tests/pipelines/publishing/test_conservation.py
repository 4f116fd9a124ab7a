"""Conservation of documents and of those of each profile, and what is said of a dataset without rows."""

import pytest

from gistmill.pipelines.publication import (
    ConservationError,
    EmptyDatasetError,
    check_conservation,
    check_rows,
)
from gistmill.transforms.sinks.results import NO_SAMPLES, Results, Samples
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


def said(results, formats=("parquet",), unit=""):
    try:
        check_conservation(results, formats=formats, unit=unit)
    except ConservationError as error:
        return str(error)
    return ""


def problem(**changes):
    """What is wrong with the counts, or ""."""
    counts = {**COUNTS, **{k.replace("__", "/"): n for k, n in changes.items()}}
    return said(Results(shards=(), counts=counts, sources=(), damage=()), formats=(), unit="profiles")


def test_sums_have_to_add_up():
    assert problem() == problem(rows__a__train=2, rows_left_out__a__train=1) == ""
    for changes, wrong in [
        ({"documents__read": 6}, "6 documents read, but 3 used and 2 rejected"),
        ({"profiles__b__rejected__ORACLE_TOO_LOW": 0}, "4 profiles/b read, but 0 used and 3 rejected"),
        ({"profiles__a__read": 5}, "5 profiles/a read, but 3 used and 1 rejected"),
        ({"rows__a__train": 2}, "3 documents used by profiles/a, but 2 rows made from them"),
        ({"rows_left_out__a__train": 1}, "3 documents used by profiles/a, but 4 rows made from them"),
        ({"rows__b__test": 1}, "0 documents used by profiles/b, but 1 rows made from them"),
    ]:
        assert wrong in problem(**changes)


def shards(*places, of=2):
    """What is wrong with shards of one row each side: their index, first and last id."""
    common = {"config": "a", "split": "train", "format": "parquet", "of": of, "rows": 2, "bytes": 9, "sha256": "00"}
    files = [
        ShardFile(index=index, path=f"/shards/{index}", first_id=first, last_id=last, **common)
        for index, first, last in places
    ]
    return said(Results(shards=files, counts={"rows/a/train": 2 * len(files)}, sources=(), damage=()))


ORDER, NUMBERS = "the parquet shards of a/train are not sorted by id", "of a/train are not numbered 0 to 1"


def test_shards_are_all_there_and_in_the_order_of_their_ids():
    for said, *places in [
        ("", (0, "a", "b"), (1, "c", "d")),
        ("", (1, "c", "d"), (0, "a", "b")),  # as they were finished
        ("", (0, "a-9", "b-10"), (1, "b-2", "é")),  # bytes decide, not numbers
        ("", (0, "a", "\uffff"), (1, "\U00010000", "\U00010001")),  # nor the surrogates of UTF-16
        ("", (0, "a", "a"), (1, "b", "b")),
        (ORDER, (0, "a", "c"), (1, "c", "d")),  # one id in two shards
        (ORDER, (0, "a", "d"), (1, "c", "e")),
        (ORDER, (0, "c", "d"), (1, "a", "b")),
        *((NUMBERS, place) for place in ((0, "a", "b"), (1, "a", "b"))),
        *((NUMBERS, (0, "a", "b"), (number, "c", "d")) for number in (0, 2)),
    ]:
        found = shards(*places)
        assert said in found and bool(found) == bool(said), places


SOURCES = ({"path": "/data/a.xml"}, {"path": "/data/b.xml"}, {"path": "/data/c.xml"})


def reject(reason, place, detail="", *, index=-1):
    where = {"id": f"id-{place}", "file": "a.xml", "offset": place, "index": index}
    return {**where, "reason": reason, "text": f"what {reason} means", "detail": detail}


def why_empty(counts, samples=NO_SAMPLES, *, sources=SOURCES, reads="documents"):
    with pytest.raises(EmptyDatasetError) as raised:
        check_rows(Results((), counts, (), sources), samples, reads=reads)
    text = str(raised.value)
    assert text.startswith("no rows were produced: ") and "\n" not in text
    return text.removeprefix("no rows were produced: ").partition("; nothing was published. Use --allow-empty")[0]


def test_a_row_is_enough():
    check_rows(Results((), {"rows/full/test": 1, "documents/read": 9}, (), ()), NO_SAMPLES, reads="documents")


def test_reasons_of_documents_come_before_those_of_sentences():
    counts = {
        "documents/read": 7_000,
        "documents/used": 3,
        "rejects/recipe/sentence/NO_VERB": 90_000,
        "rejects/recipe/pair/NO_LINK": 100_000,
        "documents/rejected/REDIRECT": 6,
        "documents/rejected/NO_PROSE": 6,
        "documents/rejected/NAMESPACE": 2,
        "rejects/read/document/REDIRECT": 5,
        "rejects/clean/document/REDIRECT": 1,
        "rejects/clean/document/NO_PROSE": 6,
    }
    assert why_empty(counts) == "3 of 7,000 documents were used, but yielded none; NO_PROSE 6; REDIRECT 6; NAMESPACE 2"
    del counts["documents/rejected/NAMESPACE"], counts["documents/rejected/NO_PROSE"]
    assert why_empty(counts).endswith("; REDIRECT 6; NO_LINK 100,000; NO_VERB 90,000")


def test_the_example_is_the_first_of_those_drawn_and_is_cut():
    counts = {"documents/read": 9, "documents/rejected/SHORT": 9}
    drawn = {"SHORT": [reject("SHORT", 30, "late"), reject("SHORT", 4, "x" * 5000), reject("SHORT", 5, "later")]}
    assert why_empty(counts, Samples({}, drawn)) == (
        f"0 of 9 documents were used; SHORT 9: what SHORT means (id-4: {'x' * 360}…)"
    )
    assert why_empty(counts, Samples({}, {"SHORT": [reject("SHORT", 4)]})).endswith("SHORT 9: what SHORT means (id-4)")


def test_an_input_without_documents_or_rows_is_named_with_what_it_holds():
    left_out = {"documents/read": 5, "documents/used": 5, "rows_left_out/a/train": 1_000, "rows_left_out/b/test": 2}
    assert why_empty(left_out) == "--rows left out all 1,002 rows made"
    nothing = {"documents/read": 4, "documents/used": 4}
    assert why_empty(nothing, reads="pairs") == "4 of 4 pairs were used, but yielded none"
    assert why_empty({}) == "the input contains no documents (/data/a.xml and 2 more files)"
    assert why_empty({}, sources=SOURCES[:1], reads="pairs") == "the input contains no pairs (/data/a.xml)"
    assert why_empty({}, sources=()) == "the input contains no documents"
    records = {"records/request": 1_000, "records/metadata": 7, "records/warcinfo": 1, "records/revisit": 9}
    assert why_empty(records, sources=SOURCES[:1]) == (
        "the input contains no documents (/data/a.xml), but records of other types: 1,000 request, 9 revisit, 7 metadata"
    )
