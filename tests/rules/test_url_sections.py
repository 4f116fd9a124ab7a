import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.options import OptionError
from gistmill.core.records import Metadata, Origin
from gistmill.rules.url_sections import SectionReason, SectionsConfig


def verdict(url, *sections):
    config = SectionsConfig(url_sections=sections or ("sports",))
    return config.verdict(Origin("d", "warc", metadata=Metadata(url=url)))


@pytest.mark.parametrize(
    "url",
    [
        "https://www.example.com/sport/2022/jul/09/a-match-report",
        "https://www.example.com/news/SPORTS/5-1/index.html",
        "https://sports.example.com/a-trade-of-players-153014884.html",
        "https://www.nba.com/news/a-trade",
        "http://news.example.co.uk/sport1/hi/6149210.stm",
        "https://www.example.com/college-football/story/_/id/3",
        "https://www.example.com/us/rugby-league/3",
        "https://www.example.com/football-news/3",
        "https://www.example.com/formula-1/3",
        "https://www.example.com/more%20sports/3",
        "https://www.cricketworld.com/a-win/32216.htm",
        "https://www.totalscottishfootball.com/post/more-respect",
        "https://en.example.football/2022/more-respect",
        "https://example.com:8080/sport/3?page=2#top",
        "//example.com/sport/3",
        "https://user:word@example.com/sport/3",
    ],
)
def test_sections_and_sites_of_sports(url):
    assert verdict(url).accepted


@pytest.mark.parametrize(
    "url",
    [
        "https://www.example.com/news/a-match-report",
        "https://www.example.com/news/football",  # the article's own name
        "https://www.example.com/news/football/",
        "https://www.example.com/news/3?section=sport",
        "https://www.example.com/news/3#/sport/",
        "https://www.example.com/transport/3",
        "https://www.transports.example.com/news/3",
        "https://passports.example.gov/news/3",
        "https://www.example.com/esports/3",
        "https://www.example.com/football-boots/3",
        "https://www.example.com/how-we-all-came-to-love-football/3",  # a headline
        "https://www.example.com/news/2022/3",
        "https://192.0.2.1/news/3",
    ],
)
def test_other_sections(url):
    assert verdict(url).reason is SectionReason.OTHER_SECTION
    assert verdict(url).detail == url


@pytest.mark.parametrize(
    "url", ["", " ", "sport/football", "/sport/3", "mailto:sport@example.com", "http://[1::/sport/3", "http:///sport/3"]
)
def test_without_a_host_a_url_says_nothing(url):
    assert verdict(url).reason is SectionReason.NO_URL


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


@pytest.mark.parametrize("wrong", ["", "-", "a/b", "sports,,news", "спорт", ["sports", ""], ["sports", 3]])
def test_what_is_not_a_word_is_refused(wrong):
    with pytest.raises(OptionError, match="url_sections.*expected words such as sports"):
        SectionsConfig(url_sections=wrong)
