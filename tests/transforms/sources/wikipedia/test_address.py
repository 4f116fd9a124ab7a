from urllib.parse import parse_qs, unquote, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from gistmill.transforms.sources.wikipedia.address import base_of_dump, page_address

BASE = "https://en.wikipedia.org/wiki/Main_Page"


def test_the_address_of_a_revision():
    assert page_address(BASE, "Anarchism", "717941405") == "https://en.wikipedia.org/wiki/Anarchism?oldid=717941405"
    assert page_address("http://de.wikipedia.org/wiki/Wikipedia:Hauptseite", "Aal", "7") == (
        "http://de.wikipedia.org/wiki/Aal?oldid=7"
    )


def test_a_title_is_written_as_mediawiki_writes_it():
    for title, shown in {
        "A Serious Man": "A_Serious_Man",
        "AC/DC": "AC/DC",
        "Who's Afraid? (film)": "Who%27s_Afraid%3F_(film)",
        "R&B": "R%26B",
        "C+ #1 100%": "C%2B_%231_100%25",
        "Łódź": "%C5%81%C3%B3d%C5%BA",
    }.items():
        assert page_address(BASE, title, "7") == f"https://en.wikipedia.org/wiki/{shown}?oldid=7"


def test_a_wiki_may_name_its_pages_in_the_query():
    index = "https://wiki.example.org/w/index.php"
    assert page_address(f"{index}?title=Main_Page", "Aal", "7") == f"{index}?title=Aal&oldid=7"
    assert page_address(f"{index}/Main_Page", "Aal", "7") == f"{index}/Aal?oldid=7"


def test_a_page_without_a_revision_has_its_own_address():
    assert page_address(BASE, "Aal") == page_address(BASE, "Aal", "x") == "https://en.wikipedia.org/wiki/Aal"


def test_what_is_not_an_address_of_a_wiki_gives_none():
    scheme, host = ("", "Main_Page", "javascript:alert(1)"), ("https://", "https://[/x", "https://a b.org/x")
    for base in (*scheme, *host, "https://a.org/\n"):
        assert page_address(base, "Aal", "7") == "", base
    assert page_address(BASE, "", "7") == ""


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.integers(0, 2**40).map(str))
def test_title_and_revision_can_be_read_out_of_every_address(title, revision):
    parts = urlsplit(page_address(BASE, title, revision))
    assert unquote(parts.path) == "/wiki/" + title.replace(" ", "_")
    assert parse_qs(parts.query) == {"oldid": [revision]}


def test_the_name_of_a_dump_may_name_the_wiki():
    assert base_of_dump("enwiki-latest-pages-articles1.xml.bz2") == "https://en.wikipedia.org/wiki/"
    assert page_address(base_of_dump("zh_min_nanwiki-20260901.xml"), "A", "7") == (
        "https://zh-min-nan.wikipedia.org/wiki/A?oldid=7"
    )
    assert base_of_dump("small.xml") == ""
