"""Headlines: what becomes of a title, and which documents give none."""

import unicodedata
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmill.core.records import Metadata, Origin
from gistmill.rules.documents import SegmentedDocument, TextSentence
from gistmill.rules.headline import COLUMNS, Headline, HeadlineConfig
from gistmill.rules.news.titles import Place, clean_title
from tests.cases import by_heading

CASES = by_heading(__file__)

TEXTS = CASES["texts"]
TIMES = Place("The Times", "https://www.thetimes.co.uk/uk/weather/storm-hits-coast-abc")
BBC = Place("BBC News", "https://www.bbc.co.uk/news/uk-123")


def document(title="Storm hits coast of Maine", texts=TEXTS, *, site="", url="", sections=(0, 0, 0, 1, 1)):
    page = Metadata(site=site, url=url, published="2020-01-02")
    origin = Origin("news-1", "warc", title=title, file="in/a.warc", offset=7, range_key="r", metadata=page)
    places = [*sections, *[1] * len(texts)]
    return SegmentedDocument(origin, tuple(TextSentence(t, places[i], i // 2) for i, t in enumerate(texts)))


def row(doc=None, **options):
    (made,) = Headline(HeadlineConfig(**options)).process(doc or document()).rows
    return made.values


def refused(doc, **options):
    outcome = Headline(HeadlineConfig(**options)).process(doc)
    assert bool(outcome.refused) != bool(outcome.rows)
    return outcome.refused.reason.name if outcome.refused else None


# Titles -----------------------------------------------------------------------------------------------------------


def test_the_documents_own_site_goes():
    for title in CASES["the documents own site goes"]:
        assert clean_title(title, TIMES) == "Storm hits coast", title


def test_the_address_proves_a_name():
    for part, url in CASES["the address proves a name"]:
        for title in (f"Storm hits coast | {part}", f"Storm hits coast - {part}"):
            assert clean_title(title, Place(url=url)) == "Storm hits coast", part
    assert clean_title("Storm hits coast | Oxie", Place(url="https://www.moxie.com/a")) == "Storm hits coast | Oxie"


def test_forms_of_outlets_and_sections_need_no_proof():
    for part in ["Auto News", "The Washington Post", "BBC News", "Reuters", "Sports", "Daily Mail Online"]:
        assert (
            clean_title(f"Storm hits coast - {part}") == clean_title(f"Storm hits coast | {part}") == "Storm hits coast"
        ), part


def test_labels_and_sections_before_and_after():
    for title in CASES["labels and sections before and after"]:
        assert clean_title(title, BBC) == "Storm hits coast", title
    place = Place("WSVN 7News | Miami News, Weather, Sports | Fort Lauderdale", "https://wsvn.com/a")
    title = "Driver killed in crash - WSVN 7News | Miami News, Weather, Sports | Fort Lauderdale"
    assert clean_title(title, place) == "Driver killed in crash"  # the name has separators of its own
    assert clean_title("Fish &amp;amp; chips &#8211; a &quot;history&quot;") == 'Fish & chips – a "history"'


def test_what_belongs_to_the_headline_stays():
    for title in CASES["what belongs to the headline stays"]:
        for place in (Place(), TIMES, BBC):
            assert clean_title(title, place) == title, title
            assert not place.leaves_doubt(title), title


def test_a_separator_that_proves_nothing_leaves_doubt():
    for title in CASES["a separator that proves nothing leaves doubt"]:
        assert clean_title(title, TIMES) == title, title
        assert TIMES.leaves_doubt(title), title


TITLES = st.lists(st.sampled_from(CASES["parts of titles"]), max_size=9).map(" ".join)


@given(TITLES | st.text(max_size=40), st.sampled_from([Place(), TIMES, BBC, Place("- News |", "http://[x")]))
@example("|" * 300, TIMES)
def test_cleaning_is_idempotent_and_only_shortens(title, place):
    cleaned = clean_title(title, place)
    assert clean_title(cleaned, place) == cleaned
    assert len(cleaned) <= len(unicodedata.normalize("NFC", title))
    assert len(cleaned.split()) <= len(title.split())


def test_hostile_titles_take_no_time():
    host = "a" * 60
    for title in (
        "a " * 2000,
        "- " * 2000,
        "a | " * 1000,
        f"x - {'a' * 500}",
        "Watch: " * 600,
        "&amp" + "amp;" * 900,
        "(" * 4000,
    ):
        cleaned = clean_title(title[:4096], Place("The Times", f"https://{host}.com/"))
        assert len(cleaned) <= 4096 and not cleaned.startswith("Watch")


# Documents --------------------------------------------------------------------------------------------------------


def test_a_row_has_the_clean_title_and_where_it_comes_from():
    values = row(document("Storm hits coast of Maine | The Times", site="The Times", url=TIMES.url))
    assert values["id"] == "news-1-headline"
    assert values["targets"] == "Storm hits coast of Maine"
    assert values["inputs"] == "\n".join((f"{TEXTS[0]} {TEXTS[1]}", TEXTS[2], TEXTS[3], TEXTS[4]))
    assert (values["title_words"], values["input_words"], values["title_overlap"]) == (5, 67, 1.0)
    assert values["title"] == "Storm hits coast of Maine | The Times"
    assert (values["site"], values["file"], values["offset"]) == ("The Times", "a.warc", 7)
    assert list(values) == [c.name for c in COLUMNS]


def test_inputs_are_whole_sentences():
    assert row(input_sentences=1)["inputs"] == TEXTS[0]
    assert row(input_sentences=2)["inputs"] == f"{TEXTS[0]} {TEXTS[1]}"
    assert row(input_sentences=99)["inputs"] == row()["inputs"]
    assert row(max_input_words=40)["inputs"] == f"{TEXTS[0]} {TEXTS[1]}"
    long = ("word " * 600 + "storm hits the coast of Maine.", *TEXTS)
    assert refused(document(texts=long)) == "INPUTS_TOO_SHORT"
    assert row(document(texts=long), max_input_words=0)["input_words"] == 673


def test_titles_that_give_nothing():
    for title, reason in CASES["titles that give nothing"]:
        assert refused(document(title, site="The Times", url="https://www.thetimes.co.uk/a")) == (reason or None), title


def test_every_bound_is_an_option():
    assert refused(document("Storm hits coast"), min_title_words=3) is None
    assert refused(document(), max_title_words=4) == "TITLE_TOO_LONG"
    assert refused(document("Is this the storm that hits Maine?"), question_headlines=True) is None
    assert refused(document("10 ways to survive a storm in Maine"), list_headlines=True) is None
    assert refused(document(texts=TEXTS[:2])) == "ARTICLE_TOO_SHORT"
    assert refused(document(texts=TEXTS[:2]), min_article_words=31) is None
    assert refused(document(texts=()), min_article_words=1) == "ARTICLE_TOO_SHORT"
    assert refused(document("Weather forces thousands of residents inland"), min_title_overlap=0.4) is None
    assert (
        refused(document("Weather forces thousands of residents inland"), min_title_overlap=0.5) == "LOW_TITLE_OVERLAP"
    )


def test_articles_that_break_off():
    for end in ["…", "...", "[…]", "[...]"]:
        cut = document(texts=(*TEXTS, f"Read the rest of the story {end}"))
        assert refused(cut) == "INPUTS_CUT", end
        assert refused(cut, input_sentences=1) is None, end


def test_a_title_may_quote_another_language_and_a_foreign_corpus_may_have_its_own():
    german = (
        "Der Sturm hat die Küste von Maine in der Nacht auf Montag mit 150 Stundenkilometern erreicht.",
        "Tausende Häuser sind ohne Strom, und die Schulen bleiben bis Mittwoch für alle Schüler geschlossen.",
        "Der Sturm trifft eine Region, die sich noch nicht von den Fluten im Frühling erholt hat.",
        "Niemand ist verletzt, und die Straßen werden geräumt, wie eine Sprecherin am Abend in Portland mitteilte.",
    )
    assert refused(document("Sturm erreicht die Küste von Maine", german)) is None
    assert refused(document("The storm of Maine: the Region ohne Strom", german)) == "TITLE_FOREIGN"
    assert refused(document("Storm 'El Niño' hits the coast of Maine")) is None


@given(TITLES, st.integers(0, 3), st.integers(1, 60))
def test_a_target_is_shorter_than_its_title_and_its_input(title, sentences, words):
    config = HeadlineConfig(
        input_sentences=sentences,
        min_title_words=1,
        min_title_overlap=0,
        min_article_words=words,
        question_headlines=True,
    )
    for text in (TEXTS, (title or "x", *TEXTS)):
        for made in Headline(config).process(document(title, text, site="The Times")).rows:
            values = made.values
            assert 0 < len(values["targets"]) <= len(unicodedata.normalize("NFC", title))
            assert values["targets"] != values["inputs"] and values["title_words"] < values["input_words"]
            assert 0 <= values["title_overlap"] <= 1


def test_figures_are_those_of_the_rows():
    recipe, totals = Headline(HeadlineConfig(min_title_overlap=0)), Counter()
    titles = ("Storm hits coast of Maine", "Homes of Maine lost power", "Photo gallery of the week in pictures")
    for title in titles:
        totals.update(recipe.process(document(title)).counts)
    groups: dict[str, dict[str, int]] = {}
    for key, number in totals.items():
        group, _, name = key.rpartition("/")
        groups.setdefault(group, {})[name] = number
    paper, words, overlap, compression = Headline.figures(groups)
    assert [r[1:] for r in paper.rows] == [(5.666667, 8.3), (17.0, 31.3), (pytest.approx(8 / 3, abs=1e-6), 4.6)]
    assert words.rows == [("5", 2, 0.666667), ("7", 1, 0.333333)]
    assert overlap.rows == [("0.00", 1, 0.333333), ("1.00", 2, 0.666667)]
    assert compression.rows == [("5", 1, 0.333333), ("10", 2, 0.666667)]
    assert Headline.figures({}) == ()
