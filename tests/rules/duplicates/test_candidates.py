"""Pairs of documents with equal numbers, and how many of them there are."""

import dataclasses
from itertools import combinations, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Metadata, Origin
from gistmill.rules.documents import CleanDocument, Section, SegmentedDocument, TextSentence
from gistmill.rules.duplicates import (
    CAP,
    REFINEMENTS,
    UNDATED,
    equal_pairs,
    finer,
    moment,
    pack,
    refinements,
    stars,
    text_of,
    united,
    unpack,
)
from gistmill.rules.text.grams import words
from tests.testing import document, plain

KEYS = st.lists(st.integers(0, 6), max_size=60)


def as_set(pairs):
    assert np.array_equal(pairs, np.unique(pairs))
    return set(zip(*(a.tolist() for a in unpack(pairs))))


def groups(keys):
    found = {}
    for number, key in enumerate(keys):
        found.setdefault(key, []).append(number)
    return found.values()


@given(KEYS)
def test_small_groups_are_compared_each_with_each(keys):
    pairs, large = equal_pairs(np.array(keys, np.uint64), np.arange(len(keys)), cap=60)
    assert as_set(pairs) == {pair for g in groups(keys) for pair in combinations(g, 2)}
    assert not len(large)


@given(KEYS, st.integers(2, 8))
def test_large_groups_are_stars_and_chains(keys, cap):
    pairs, large = equal_pairs(np.array(keys, np.uint64), np.arange(len(keys)), cap=cap)
    expected = set()
    for g in groups(keys):
        expected |= set(combinations(g, 2)) if len(g) <= cap else {(g[0], n) for n in g[1:]} | set(pairwise(g))
    assert as_set(pairs) == expected
    assert large.tolist() == sorted(n for g in groups(keys) if len(g) > cap for n in g)


@given(KEYS)
def test_a_star_pairs_the_first_of_a_group_with_the_others(keys):
    assert as_set(stars(np.array(keys, np.uint64), np.arange(len(keys)))) == {
        (g[0], n) for g in groups(keys) for n in g[1:]
    }


def test_numbers_of_documents_are_used():
    pairs, _ = equal_pairs(np.array([5, 1, 5], np.uint64), np.array([10, 11, 4_000_000_000]))
    assert (
        as_set(pairs)
        == {(10, 4_000_000_000)}
        == as_set(stars(np.array([5, 1, 5], np.uint64), np.array([10, 11, 4_000_000_000])))
    )


def test_a_number_that_all_have_makes_few_pairs():
    pairs, large = equal_pairs(np.zeros(20_000, np.uint64), np.arange(20_000))
    assert len(pairs) < 2 * 20_000 and len(large) == 20_000


def test_no_document_is_the_second_of_many_pairs():
    pairs, _ = equal_pairs(np.zeros(20_000, np.uint64), np.arange(20_000))
    assert np.unique(unpack(pairs)[1], return_counts=True)[1].max() == 2
    pairs, _ = equal_pairs(np.arange(20_000, dtype=np.uint64) // CAP, np.arange(20_000))
    assert np.unique(unpack(pairs)[1], return_counts=True)[1].max() == CAP - 1


def test_a_template_does_not_hide_the_copies_in_it():
    """400 documents share a band; of those, two share another one as well."""
    others = np.random.default_rng(1).integers(0, 2**60, 400, dtype=np.uint64)
    others[399] = others[100]
    template = np.full(400, 7, np.uint64)
    assert as_set(equal_pairs(finer(template, others), np.arange(400))[0]) == {(100, 399)}
    assert not len(equal_pairs(finer(others, template)[:399], np.arange(399))[0])


@given(st.integers(1, 40), st.data())
def test_a_band_is_refined_by_some_others(count, data):
    band = data.draw(st.integers(0, count - 1))
    others = refinements(band, count)
    assert len(others) == len({*others} - {band}) == min(REFINEMENTS, count - 1)
    assert all(0 <= other < count for other in others)


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)), max_size=20))
def test_pairs_are_packed_and_unpacked(pairs):
    first, second = np.array([a for a, _ in pairs], np.int64), np.array([b for _, b in pairs], np.int64)
    assert as_set(united([pack(first, second)])) == {(min(p), max(p)) for p in pairs}


def test_nothing_in_nothing_out():
    nothing = np.zeros(0, np.uint64)
    assert not len(equal_pairs(nothing, nothing)[0]) and not len(stars(nothing, nothing)) and not len(united([]))
    assert CAP > 1


# Text and date of a document, whatever its class.


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
