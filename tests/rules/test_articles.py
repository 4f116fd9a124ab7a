"""The recipe of plain text, on documents made by hand."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Metadata, Origin
from gistmill.core.statistics import item_type
from gistmill.rules.articles import COLUMNS, Articles, ArticlesConfig, ArticlesReason, laid_out
from gistmill.rules.documents import CleanDocument, Section
from tests.cases import by_heading

CASES = by_heading(__file__)

PAGE = Origin(
    "wikipedia-12",
    "wikipedia",
    "Otter",
    "716551092",
    "2016-04-22T09:01:00Z",
    "enwiki.xml.bz2",
    9,
    metadata=Metadata(url="https://en.wikipedia.org/wiki/Otter?oldid=716551092"),
)
STORY = Origin(
    "news-7",
    "warc",
    "Otters return",
    timestamp="2019-09-01T06:00:00Z",
    metadata=Metadata(url="https://example.org/a?oldid=7", published="2019-08-31T23:00:00+02:00", language="de"),
)
SECTIONS = (
    Section("", 1, ("Otters swim.", "They eat fish. They sleep.")),
    Section("Range", 2, ("They live in rivers.",)),
    Section("Europe", 3, ("There are few in the Alps.", "More live in Scotland.")),
)


def outcome(origin=PAGE, sections=SECTIONS, **options):
    return Articles(ArticlesConfig(**options)).process(CleanDocument(origin, sections))


def values(*arguments, **options):
    (row,) = outcome(*arguments, **options).rows
    assert row.id == row.values["id"]
    return row.values


def test_the_first_columns_are_those_of_the_dataset_whose_place_it_takes():
    assert [column.name for column in COLUMNS][:4] == ["id", "url", "title", "text"]
    assert all(column.type == "string" for column in COLUMNS[:4])
    assert {item_type(column.type)[0] for column in COLUMNS} == {"string", "int64"}  # which all formats hold
    assert {column.name for column in COLUMNS} == values().keys()
    found = values()
    assert {name: found[name] for name in ("id", "url", "title", "text")} == {
        "id": "12",
        "url": "https://en.wikipedia.org/wiki/Otter",
        "title": "Otter",
        "text": "Otters swim.\nThey eat fish. They sleep.\nThey live in rivers.\nThere are few in the Alps.\n"
        "More live in Scotland.",
    }


def test_a_page_has_its_revision_date_language_and_lineage():
    found = values()
    assert (found["revision"], found["date"], found["language"]) == ("716551092", "2016-04-22", "en")
    assert (found["document_id"], found["file"], found["offset"]) == ("wikipedia-12", "enwiki.xml.bz2", 9)


def test_a_story_keeps_its_address_and_has_the_day_of_publication():
    found = values(STORY, SECTIONS[:1])
    assert (found["id"], found["document_id"], found["url"]) == ("news-7", "news-7", "https://example.org/a?oldid=7")
    assert (found["date"], found["language"], found["revision"]) == ("2019-08-31", "de", "")


def test_the_address_of_a_page_is_without_its_revision_and_tells_the_language():
    for url, revision, address, language in CASES[
        "the address of a page is without its revision and tells the language"
    ]:
        origin = Origin("wikipedia-1", "wikipedia", "A", revision, metadata=Metadata(url=url))
        found = values(origin)
        assert (found["url"], found["language"]) == (address, language), url


def test_only_ids_of_a_wiki_are_those_of_its_pages():
    assert values(Origin("wikipedia-3", "jsonl"))["id"] == "wikipedia-3"
    assert values(Origin("wikipedia-3", "wikipedia-html"))["id"] == "3"


def test_sections_are_found_by_their_offsets():
    found = values()
    cut = [found["text"][s:e] for s, e in zip(found["section_starts"], found["section_ends"], strict=True)]
    assert cut == ["\n".join(section.paragraphs) for section in SECTIONS]
    assert (found["section_titles"], found["section_levels"]) == (["", "Range", "Europe"], [1, 2, 3])
    found = values(headings=True)  # they are outside the offsets
    assert found["text"].split("\n")[2:5] == ["Range", "They live in rivers.", "Europe"]
    assert cut == [found["text"][s:e] for s, e in zip(found["section_starts"], found["section_ends"], strict=True)]
    assert found["paragraphs"] == values()["paragraphs"] == 5
    found = values(PAGE, (SECTIONS[0], Section("Empty", 2, ()), SECTIONS[2]), headings=True)
    assert found["section_titles"] == ["", "Europe"] and "Empty" not in found["text"]


def test_lengths_are_those_of_the_text():
    found = values()
    assert found["characters"] == len(found["text"]) and found["words"] == 21
    assert (found["sentences"], found["paragraphs"]) == (6, 5)
    assert outcome().counts == {
        "text/characters": found["characters"],
        "text/words": 21,
        "text/sentences": 6,
        "text/paragraphs": 5,
    }


def test_a_text_that_is_too_short_is_rejected_and_one_of_the_least_length_is_not():
    size = values()["characters"]
    assert outcome(min_characters=size).refused is None
    refused = outcome(min_characters=size + 1).refused
    assert (refused.reason, refused.stage, refused.detail) == (
        ArticlesReason.TEXT_TOO_SHORT,
        "recipe",
        f"{size} characters",
    )
    assert outcome(min_characters=size + 1).rows == ()


def test_a_document_without_a_paragraph_is_rejected():
    for sections in ((), (Section("", 1, ()),), (Section("Only a heading", 2, ()),)):
        for headings in (True, False):
            assert outcome(PAGE, sections, headings=headings).refused.reason is ArticlesReason.TEXT_TOO_SHORT, sections


# right to left, combining marks, and characters beyond the first 65,536
AWKWARD = ("السلام عليكم.", "cafe\u0301 \u0928\u093f", "😀 🇩🇪 👩‍👩‍👧", "שלום\u200f!", "x", "한국어 문장이다.")


def test_offsets_count_code_points():
    found = values(PAGE, tuple(Section(f"{text}", 2, (text, text)) for text in AWKWARD), headings=True)
    cut = [found["text"][s:e] for s, e in zip(found["section_starts"], found["section_ends"], strict=True)]
    assert cut == [f"{text}\n{text}" for text in AWKWARD]
    assert found["characters"] == sum(3 * len(text) + 3 for text in AWKWARD) - 1
    assert unicodedata.normalize("NFD", found["text"]) != found["text"]


LINES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1) | st.sampled_from(AWKWARD)


@given(
    st.lists(
        st.builds(Section, LINES | st.just(""), st.integers(1, 6), st.lists(LINES, min_size=1, max_size=4).map(tuple)),
        max_size=6,
    ),
    st.booleans(),
)
def test_the_text_between_the_offsets_is_the_section_and_the_rest_is_headings(sections, headings):
    made = laid_out(sections, headings=headings)
    cut = [made.text[start:end] for start, end in zip(made.starts, made.ends, strict=True)]
    assert cut == ["\n".join(section.paragraphs) for section in sections]
    places = zip([-1, *made.ends], [*made.starts, len(made.text) + 1])
    between = [made.text[end + 1 : start] for end, start in places]
    titles = [f"{section.title}\n" if headings and section.title else "" for section in sections]
    assert between == [*titles, ""]
