"""What is said of a dataset without rows."""

import pytest

from gistmill.pipelines.publishing.publication import EmptyDatasetError, check_rows
from gistmill.transforms.sinks.results import NO_SAMPLES, Results, Samples

SOURCES = ({"path": "/data/a.xml"}, {"path": "/data/b.xml"}, {"path": "/data/c.xml"})


def reject(reason, place, detail="", *, index=-1):
    return {
        "id": f"id-{place}",
        "reason": reason,
        "text": f"what {reason} means",
        "file": "a.xml",
        "offset": place,
        "index": index,
        "detail": detail,
    }


def said(counts, samples=NO_SAMPLES, *, sources=SOURCES, reads="documents"):
    with pytest.raises(EmptyDatasetError) as raised:
        check_rows(Results((), counts, (), sources), samples, reads=reads)
    text = str(raised.value)
    assert text.startswith("there are no rows: ") and "\n" not in text
    return text.removeprefix("there are no rows: ").partition("; nothing was published; --allow-empty")[0]


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
    assert said(counts) == ("3 of 7,000 documents were used, and gave none; NO_PROSE 6; REDIRECT 6; NAMESPACE 2")
    del counts["documents/rejected/NAMESPACE"], counts["documents/rejected/NO_PROSE"]
    assert said(counts).endswith("; REDIRECT 6; NO_LINK 100,000; NO_VERB 90,000")


def test_the_example_is_the_first_of_those_drawn_and_is_cut():
    counts = {"documents/read": 9, "documents/rejected/SHORT": 9}
    drawn = {"SHORT": [reject("SHORT", 30, "late"), reject("SHORT", 4, "x" * 5000), reject("SHORT", 5, "later")]}
    assert said(counts, Samples({}, drawn)) == (
        f"0 of 9 documents were used; SHORT 9: what SHORT means (id-4: {'x' * 360}…)"
    )
    assert said(counts, Samples({}, {"SHORT": [reject("SHORT", 4)]})).endswith("SHORT 9: what SHORT means (id-4)")


def test_documents_that_give_nothing_and_are_not_rejected():
    assert said({"documents/read": 4, "documents/used": 4}, reads="pairs") == "4 of 4 pairs were used, and gave none"


def test_an_input_without_documents_is_named_with_what_it_holds():
    assert said({}) == "the input holds no documents (/data/a.xml and 2 more files)"
    assert said({}, sources=SOURCES[:1], reads="pairs") == "the input holds no pairs (/data/a.xml)"
    assert said({}, sources=()) == "the input holds no documents"
    records = {"records/request": 1_000, "records/metadata": 7, "records/warcinfo": 1, "records/revisit": 9}
    assert said(records, sources=SOURCES[:1]) == (
        "the input holds no documents (/data/a.xml), but records of other types: 1,000 request, 9 revisit, 7 metadata"
    )


def test_rows_that_were_left_out():
    counts = {"documents/read": 5, "documents/used": 5, "rows_left_out/a/train": 1_000, "rows_left_out/b/test": 2}
    assert said(counts) == "--rows leaves out all 1,002 that were made"
