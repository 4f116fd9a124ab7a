"""Text and date of a document, whatever its class."""

import dataclasses
from itertools import pairwise

from gistmill.core.records import Metadata, Origin
from gistmill.rules.documents import CleanDocument, Section, SegmentedDocument, TextSentence
from gistmill.rules.duplicates import UNDATED, moment, text_of
from gistmill.rules.text.grams import words
from tests.testing import document, plain

ORIGIN = Origin("d1", "jsonl", "Title")
CLEAN = CleanDocument(ORIGIN, (Section("", 1, ("One two. Three?",)), Section("Heading", 2, ("Four.", "Five."))))


def test_the_same_text_in_every_class():
    parsed = document([plain("One two ."), plain("Three ?"), plain("Four ."), plain("Five .")])
    segmented = SegmentedDocument(ORIGIN, tuple(map(TextSentence, ("One two.", "Three?", "Four.", "Five."))))
    assert [words(text_of(d)) for d in (CLEAN, parsed, segmented)] == [["one", "two", "three", "four", "five"]] * 3


def dated(published="", timestamp="", fetched=""):
    page = Metadata(published=published, fetched=fetched)
    return moment(CleanDocument(dataclasses.replace(ORIGIN, timestamp=timestamp, metadata=page), ()))


def test_dates_are_in_order():
    order = [
        "1969-07-20",
        "2018-05-09T23:59:59Z",
        "2018-05-10",
        "2018-05-10T08:00:00+02:00",
        "2018-05-10T08:00:00Z",
        "2018-05-10 08:00:00.5",
    ]
    assert all(a < b for a, b in pairwise([*map(dated, order), UNDATED]))


def test_what_is_not_a_date():
    for text in ["", "yesterday", "2018", "10 May 2018", "2018-13-01"]:
        assert dated(published=text) == UNDATED, text
        assert dated(published=text, fetched="2020-01-01") == dated("2020-01-01"), text


def test_the_date_of_publication_goes_first():
    assert dated("2019-01-01", "2018-01-01", "2020-01-01") == dated("2019-01-01")
    assert dated("", "2018-01-01", "2020-01-01") == dated("2018-01-01")
