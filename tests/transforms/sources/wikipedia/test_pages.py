import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.transforms.sources.files.ranges import SourceError
from gistmill.transforms.sources.wikipedia.pages import PageSplitter
from tests.transforms.sources.wikipedia.exports import export, page, segments

CAPS = {"max_page_bytes": 1 << 20, "max_gap_bytes": 1 << 22}


def split(parts, **caps):
    splitter, found, position = PageSplitter(**{**CAPS, **caps}), [], 0
    for part in parts:
        for one in splitter.feed(part, position, 0):
            found.append((one.data, one.origin + one.inner, one.end, one.closed, one.oversized))
        position += len(part)
    return found, splitter


def test_pages_come_out_whole_with_their_places():
    data = export([page(1), page(2, text="é" * 10)])
    found, splitter = split([data])
    assert [one[0] for one in found] == re.findall(rb"<page>.*?</page>", data, re.DOTALL)
    assert all(data[start:end] == text for text, start, end, *_ in found)
    assert splitter.complete and splitter.in_page is None and splitter.begun is None


# Tags, halves of tags, and what looks like them, in any order.
ALPHABET = st.sampled_from(
    b"<page>|</page>|</mediawiki>|<page/>|<page |<pages>|<pag|e>|<|>|/page>|text|\n|</medi|awiki>|<<page>|<page".split(
        b"|"
    )
)


@given(st.lists(ALPHABET, max_size=30).map(b"".join), st.data())
def test_any_cutting_into_pieces_gives_the_same_pages(data, chosen):
    cuts = chosen.draw(st.lists(st.integers(0, len(data)), max_size=40))
    whole, one = split([data])
    pieces, other = split(segments(data, cuts))
    assert pieces == whole
    assert (one.in_page is None, one.complete) == (other.in_page is None, other.complete)


@given(st.lists(ALPHABET, max_size=30).map(b"".join))
def test_every_begin_tag_is_a_page_or_the_unfinished_one(data):
    found, splitter = split([data])
    tags = [match.start() for match in re.finditer(rb"<page[\s/>]", data)]
    unfinished = [sum(splitter.in_page)] if splitter.in_page else []
    assert [start for _, start, *_ in found] + unfinished == tags


def test_an_unclosed_page_ends_before_the_next_one_or_the_end_of_the_export():
    found, _ = split([b"<page>a<page>b</page><page>c</mediawiki>"])
    assert [(one[0], one[3]) for one in found] == [(b"<page>a", False), (b"<page>b</page>", True), (b"<page>c", False)]


def test_text_before_the_first_tag_belongs_to_another_reader():
    found, splitter = split([b"rest of a page</page>\n<page>1</page><pag"])
    assert [one[0] for one in found] == [b"<page>1</page>"]
    assert splitter.begun == 0, "what may become a tag is still open"


def test_a_page_over_the_cap_is_given_once_and_not_held():
    data = b"<page>1</page><page><title>T</title>" + b"x" * 3000 + b"</page><page>3</page></mediawiki>"
    for size in 1, 7, 100, 5000:
        found, splitter = split(segments(data, range(size, len(data), size)), max_page_bytes=1000)
        assert [one[4] for one in found] == [False, True, False]
        assert found[1][0].startswith(b"<page><title>T</title>") and found[2][0] == b"<page>3</page>"
        assert splitter.complete


def test_text_without_a_page_is_refused_at_the_cap():
    with pytest.raises(SourceError, match="5000"):
        split([b"\0" * 1000] * 6, max_page_bytes=1000, max_gap_bytes=5000)
    with pytest.raises(SourceError, match="5000"):
        split([b"<page>"] + [b"\0" * 1000] * 6, max_page_bytes=1000, max_gap_bytes=5000)


def test_reset_forgets_the_page_at_hand():
    splitter = PageSplitter(**CAPS)
    assert not list(splitter.feed(b"<page>lost", 0, 0)) and splitter.in_page == (0, 0)
    splitter.reset()
    assert splitter.in_page is None
    (found,) = splitter.feed(b" tail</page><page>2</page>", 500, 7)
    assert (found.data, found.origin, found.inner) == (b"<page>2</page>", 500, 7 + 12)


def test_the_place_of_a_tag_cut_by_a_stream_is_where_it_begins():
    splitter = PageSplitter(**CAPS)
    assert not list(splitter.feed(b"xx<pa", 100, 40))
    assert splitter.begun == 100
    (found,) = splitter.feed(b"ge>1</page>", 200, 0)
    assert (found.origin, found.inner) == (100, 42)
