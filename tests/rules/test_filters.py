"""The filters of documents: by day, by the sections of their URL, and by n-grams of evaluation texts."""

import datetime

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gistmill.core.records import FromDocument, Metadata, Origin
from gistmill.rules.filters import (
    ContaminationConfig,
    DateReason,
    DatesConfig,
    GramIndex,
    SectionReason,
    SectionsConfig,
    day_of,
    text_grams,
)
from gistmill.rules.text.grams import words
from tests.cases import by_heading

CASES = by_heading(__file__)


def origin(published="", timestamp=""):
    return Origin("d", "warc", timestamp=timestamp, metadata=Metadata(published=published))


def test_the_day_of_a_document():
    for published, timestamp, day in CASES["the day of a document"]:
        assert day_of(origin(published, timestamp)) == day, published


def test_both_days_count():
    for day, reason in (
        ("2016-05-31", DateReason.TOO_OLD),
        ("2016-06-01", None),
        ("2018-02-03", None),
        ("2019-06-30T23:59:59Z", None),
        ("2019-07-01", DateReason.TOO_NEW),
        ("", DateReason.NO_DATE),
    ):
        config = DatesConfig(since="2016-06-01", until="2019-06-30")
        assert config.verdict(FromDocument(origin(day))).reason is reason, day


@given(st.dates(), st.dates() | st.none(), st.dates() | st.none())
def test_a_document_is_kept_if_its_day_is_within(day, since, until):
    if since and until and since > until:
        since, until = until, since
    config = DatesConfig(since=since, until=until)
    within = (since is None or since <= day) and (until is None or day <= until)
    assert config.verdict(FromDocument(origin(day.isoformat()))).accepted == within


def test_a_day_of_yaml_is_a_date():
    config = DatesConfig(since=datetime.date(2016, 6, 1), until="2016-06-01")
    assert config.to_values() == {"since": "2016-06-01", "until": "2016-06-01"}


# Sections


def verdict(url, *sections):
    config = SectionsConfig(url_sections=sections or ("sports",))
    return config.verdict(FromDocument(Origin("d", "warc", metadata=Metadata(url=url))))


def test_sections_and_sites_of_sports():
    for url in CASES["sections and sites of sports"]:
        assert verdict(url).accepted, url


def test_other_sections():
    for url in CASES["other sections"]:
        assert verdict(url).reason is SectionReason.OTHER_SECTION, url
        assert verdict(url).detail == url, url


def test_without_a_host_a_url_says_nothing():
    for url in CASES["without a host a url says nothing"]:
        assert verdict(url).reason is SectionReason.NO_URL, url


def test_other_words_stand_for_themselves():
    url = "https://www.example.com/real-estate/3"
    assert verdict(url, "real-estate").accepted
    assert verdict(url, "Real_Estate").accepted
    assert verdict(url, "sports", "estate").accepted
    assert not verdict(url, "real").accepted
    assert verdict("https://www.example.com/news/3", "news").accepted
    assert verdict("https://theathletic.com/3372343/2022/rights", "theathletic").accepted
    assert not verdict("https://www.example.com/football/3", "sport").accepted  # only "sports" is a topic


@given(st.text(max_size=60) | st.from_regex(r"https?://[a-z.\[\]:%]{0,12}/[a-z/%\-_?#]{0,30}", fullmatch=True))
def test_any_text_has_one_answer_that_case_does_not_change(url):
    assert verdict(url).reason in (None, *SectionReason)
    if url.isascii():
        assert verdict(url.upper()).reason is verdict(url).reason


@given(st.sampled_from(["sport", "nfl", "tennis", "premier-league"]), st.lists(st.sampled_from(["news", "us", "2022"])))
def test_a_section_counts_at_any_depth(section, others):
    for place in range(len(others) + 1):
        folders = "/".join([*others[:place], section, *others[place:]])
        assert verdict(f"https://www.example.com/{folders}/3.html").accepted


# Contamination


THIRTEEN = "one two three four five six seven eight nine ten eleven twelve thirteen"


def index(*sets, ngram=13):
    made = [[text_grams(t, ngram) for t in texts] for texts in sets]
    return GramIndex.of([np.concatenate([g for g, _ in s]) for s in made], [n for s in made for g, n in s if n])


def look(text, *sets, **config):
    chosen = ContaminationConfig(**{f"decontaminate_{name}": value for name, value in config.items()})
    return index(*sets, ngram=chosen.decontaminate_ngram).look(text, chosen)


def test_thirteen_words_in_a_row():
    found = look(f"Before it, “{THIRTEEN.title()}” and after", [f"Some {THIRTEEN}, more."])
    assert (found.set, found.text, found.shared, found.of) == (0, THIRTEEN, 1, 5)
    assert look(THIRTEEN.replace("seven", "7"), [THIRTEEN]) is None
    assert look(" ".join(THIRTEEN.split()[:12]), [THIRTEEN]) is None


def test_the_first_set_that_has_enough_is_named():
    assert look(THIRTEEN, ["x " * 20], [f"a {THIRTEEN}"], [THIRTEEN]).set == 1


def test_short_texts_are_looked_for_whole():
    eight = "a short but not too short evaluation text"
    assert look(f"Here is {eight} indeed.", [eight]).text == eight
    assert look("Here is a short but not too short evaluation.", [eight]) is None
    assert look("Too short to matter in any document", ["Too short to matter"]) is None
    assert look("Too short to matter in any document", ["short to matter"], ngram=3).text == "short to matter"
    assert look("Too short to matter in any document", ["short to"], ngram=3) is None


def test_a_number_of_ngrams():
    text = f"{THIRTEEN} fourteen fifteen"
    assert look(text, [f"{THIRTEEN} fourteen"], threshold=3) is None
    assert look(text, [f"{THIRTEEN} fourteen"], [text], threshold=3).set == 1
    assert look(f"{THIRTEEN} {THIRTEEN}", [THIRTEEN], threshold=2) is None  # the same one twice


def test_a_share_of_ngrams():
    text = f"{THIRTEEN} fourteen fifteen sixteen"  # 4 n-grams
    assert look(text, [f"{THIRTEEN} fourteen"], threshold=0.5).shared == 2
    assert look(text, [f"{THIRTEEN} fourteen"], threshold=0.51) is None


def test_nothing_to_look_for():
    assert look(THIRTEEN, ["too short"]) is None
    assert GramIndex.of([], []).look(THIRTEEN, ContaminationConfig()) is None


TEXTS = st.lists(st.sampled_from("abc"), max_size=25).map(" ".join)


@settings(deadline=None)
@example("b a a b", ["a b b a"], 4)
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4), st.integers(2, 9))
def test_it_equals_a_search_in_the_text(text, evaluation, ngram):
    def grams(found, n):
        return {tuple(found[i : i + n]) for i in range(len(found) - n + 1)}

    shared = set()
    for other in map(words, evaluation):
        length = min(ngram, len(other))
        if length >= min(ngram, 8):
            shared |= grams(words(text), length) & grams(other, length)
    found = look(text, evaluation, ngram=ngram)
    assert (found.shared if found else 0) == len(shared)
    assert found is None or tuple(found.text.split()) in shared
