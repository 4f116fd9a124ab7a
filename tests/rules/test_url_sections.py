import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.options import OptionError
from gistmill.core.records import FromDocument, Metadata, Origin
from gistmill.rules.url_sections import SectionReason, SectionsConfig
from tests.cases import by_heading

CASES = by_heading(__file__)


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


def test_what_is_not_a_word_is_refused():
    for wrong in ("", "-", "a/b", "sports,,news", "спорт", ["sports", ""], ["sports", 3]):
        with pytest.raises(OptionError, match="url_sections.*expected words such as sports"):
            SectionsConfig(url_sections=wrong)
