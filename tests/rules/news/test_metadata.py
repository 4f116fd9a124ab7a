"""What a page says of its article: headline, authors, date, address and site."""

import json
from typing import Any

import pytest
from lxml.html import tostring
from trafilatura import load_html

from gistmill.rules.news.article import Article
from gistmill.rules.news.html import extract_article
from gistmill.rules.news.metadata import page_metadata
from tests.cases import by_heading

CASES = by_heading(__file__)

PROSE = "The mayor opened the new bridge on Tuesday, saying that it would change the town for good, and left by boat."
STORY = "https://crier.example/news/bridge-opens-at-last"
COMMENT = (
    "<div class='comment-list'><div class='comment'><span class='author'>Rita Reader</span>"
    "<time datetime='2021-09-08'>8 September 2021</time><p>So good a bridge.</p></div></div>"
)


def ld(*values: Any) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(value)}</script>' for value in values)


def article(**fields: Any) -> dict[str, Any]:
    return {"@context": "https://schema.org", "@type": "NewsArticle", **fields}


def said(head: str = "", body: str = "", url: str = STORY, heading: str = "Bridge") -> Any:
    tree = load_html(
        f"<html><head>{head}</head><body><article><h1>{heading}</h1>{f'<p>{PROSE}</p>' * 4}</article>{body}</body></html>"
    )
    assert tree is not None
    before = tostring(tree)
    found = page_metadata(tree, url)
    assert tostring(tree) == before
    return found


# Headlines ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("declared", "heading", "headline"), CASES["headlines"])
def test_the_headline_is_what_the_article_shows(declared: str, heading: str, headline: str) -> None:
    head = f'<meta property="og:site_name" content="The Town Crier"><meta property="og:title" content="{declared}">'
    assert said(head, heading=heading).title == headline


def test_the_headline_of_json_is_that_of_the_article_at_the_address() -> None:
    other = article(headline="Ferry sinks at last", url="https://crier.example/news/ferry")
    mine = article(headline="New bridge opens at last", url=STORY)
    assert said(ld(other, mine)).title == said(ld({**article(), "@graph": [other, mine]})).title == mine["headline"]


# Authors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stated", "people"), CASES["authors"])
def test_authors_are_people_without_their_offices(stated: Any, people: str) -> None:
    site = '<meta property="og:site_name" content="The Town Crier">'
    assert (said(site + ld(article(author=stated))).author or "") == people


def test_an_author_in_json_may_be_a_reference() -> None:
    person = {"@type": "Person", "@id": "#jane", "name": "Jane Roe"}
    graph = [article(author={"@id": "#jane"}), {"@type": "Person", "@id": "#otto", "name": "Otto Owner"}, person]
    assert said(ld({**article(), "@graph": graph})).author == "Jane Roe"
    assert said(ld({**article(), "@graph": graph[:2]})).author is None


def test_other_articles_and_works_in_json_give_no_author() -> None:
    mine = article(url=STORY, author="Jane Roe", comment={"author": "Rita Reader"})
    other = article(url="https://crier.example/x", author="Ann Other")
    book = {"@type": "Book", "author": "Emma Writes"}
    assert said(ld(other, mine, book)).author == "Jane Roe"
    assert said(ld(book, {"@type": "Comment", "author": "Rita Reader"})).author is None


def test_a_person_may_have_a_site_of_that_name() -> None:
    site = '<meta property="og:site_name" content="Emma Roe">'
    assert said(site + ld(article(author="Emma Roe"))).author == "Emma Roe"
    assert said(site + ld(article(author="Emma Roe Team"))).author is None


def test_a_name_that_is_turned_round_for_citations_is_left_out() -> None:
    byline = "<p class='author'>Jane Roe</p>"
    assert said('<meta name="citation_author" content="Roe, Jane A.">', byline).author == "Jane Roe"


def test_metas_that_repeat_an_author_of_json_add_others() -> None:
    metas = '<meta name="author" content="%s"><meta property="article:author" content="https://x.example/j">'
    assert said(metas % "Jane Roe, John Doe" + ld(article(author="Jane Roe"))).author == "Jane Roe; John Doe"
    assert said(metas % "Northern Press" + ld(article(author="Jane Roe"))).author == "Jane Roe"
    assert said(metas % "John Doe" + ld(article(author="Town Crier Staff"))).author == "John Doe"


@pytest.mark.parametrize(("byline", "people"), CASES["bylines"])
def test_a_byline_is_in_an_element_of_its_own_or_below_the_headline(byline: str, people: str) -> None:
    declared = '<meta property="og:title" content="Bridge opens at last">'
    assert (said(declared, heading=f"Bridge opens at last</h1>{byline}<h1>").author or "") == people


def test_the_author_is_who_wrote_the_page() -> None:
    for other in CASES["the author is who wrote the page"]:
        assert said(body=other).author is None, other
        assert said(body=f"{other}<span class='author'>Jane Roe</span>").author == "Jane Roe", other
        assert said('<meta name="author" content="Jane Roe">', other).author == "Jane Roe", other


def test_classes_that_say_how_a_page_is_set_do_not_hide_its_author() -> None:
    line = "<div class='meta has-comments comments-open'><span class='author'>Jane Roe</span></div>"
    assert said(body=line).author == "Jane Roe"


# Dates -------------------------------------------------------------------------------------------------------------


def test_a_date_that_the_page_declares_is_before_that_in_its_address() -> None:
    for head in CASES["a date that the page declares is before that in its address"]:
        for url in (STORY, "https://crier.example/2014/05/06/bridge", "https://crier.example/2014-05-06-x"):
            assert said(head, url=url).date == "2019-01-02", (head, url)
            assert said(head, COMMENT, url=url).date == "2019-01-02", (head, url)


def test_an_element_may_declare_the_date() -> None:
    for time in CASES["an element may declare the date"]:
        assert said(body=time, url="https://crier.example/2014/05/06/bridge").date == "2019-01-02", time


def test_digits_in_an_address_are_a_date_only_if_they_are_one_by_themselves() -> None:
    for path, date in CASES["digits in an address are a date only if they are one by themselves"]:
        assert said(url=f"https://crier.example/{path}").date == (date or None), path


def test_the_date_of_a_comment_is_not_the_articles() -> None:
    assert said(body=COMMENT).date is None
    assert said(body=f"<div class='date'>3 March 2019</div>{COMMENT}").date == "2019-03-03"
    for comment in CASES["the date of a comment is not the articles"]:
        assert said(body=comment % "<time class='date' datetime='2021-09-08'>8 September 2021</time>").date is None
    marked = "<div itemscope itemtype='https://schema.org/Comment'><meta itemprop='datePublished' content='2021-09-08'></div>"
    assert said(body=marked).date is None


def test_the_date_in_json_is_that_of_the_article_at_the_address() -> None:
    other = article(url="https://crier.example/x", datePublished="2020-02-02")
    book = {"@type": "Book", "datePublished": "1999-09-09"}
    for mine in (article(url=STORY), article(mainEntityOfPage=STORY), article(mainEntityOfPage={"@id": STORY + "/"})):
        mine["datePublished"] = "2019-01-02"
        assert said(ld(other, mine)).date == said(ld({**article(), "@graph": [book, other, mine]})).date == "2019-01-02"
    assert said(ld(book)).date is None


@pytest.mark.parametrize(("stated", "day"), CASES["dates"])
def test_a_day_is_taken_as_the_page_writes_it(stated: str, day: str) -> None:
    assert (said(ld(article(datePublished=stated))).date or "") == day


@pytest.mark.parametrize(("line", "day"), CASES["dates below the headline"])
def test_a_date_below_the_headline_is_before_that_of_a_change(line: str, day: str) -> None:
    head = '<meta property="og:title" content="Bridge opens at last">'
    changed = '<meta property="article:modified_time" content="2021-09-08">'
    assert (said(head, heading=f"Bridge opens at last</h1><p>{line}</p><h1>").date or "") == day
    assert said(head + changed, heading=f"Bridge opens at last</h1><p>{line}</p><h1>").date == (day or "2021-09-08")


# Addresses and sites -----------------------------------------------------------------------------------------------


def test_an_address_of_a_site_is_not_the_articles() -> None:
    for address in CASES["an address of a site is not the articles"]:
        for head in ('<link rel="canonical" href="%s">', '<meta property="og:url" content="%s">', '<base href="%s">'):
            found = said(head % address)
            assert (found.url, found.hostname) == (STORY, "crier.example"), (address, head)
            if address.endswith("example/"):
                assert not said(head % address, url="").url, (address, head)
    home = '<link rel="canonical" href="https://crier.example/">'
    assert (
        said(f'{home}<meta property="og:url" content="https://crier.example/a/b">').url == "https://crier.example/a/b"
    )
    assert said(home, url="https://crier.example/").url == "https://crier.example/"


@pytest.mark.parametrize(("stated", "address"), CASES["addresses"])
def test_the_address_is_the_canonical_one_of_the_article(stated: str, address: str) -> None:
    assert said(f'<link rel="canonical" href="{stated}">').url == address
    if stated.startswith("https"):
        assert said(f'<meta property="og:url" content="{stated}">').url == address


def test_a_canonical_link_is_before_other_statements() -> None:
    link = '<link rel="canonical" href="https://crier.example/news/bridge-1">'
    assert said('<meta property="og:url" content="https://crier.example/news/bridge-2">' + link).url.endswith("-1")


@pytest.mark.parametrize(("head", "site"), CASES["sites"])
def test_the_site_is_what_the_page_calls_it_or_its_host(head: str, site: str) -> None:
    assert said(head, url="https://www.crier.example/news/bridge-opens").sitename == site


# Damage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("json_ld", CASES["odd JSON"])
def test_odd_json_costs_only_what_it_says(json_ld: str) -> None:
    head = f'<script type="application/ld+json">{json_ld}</script><meta name="author" content="Jane Roe">'
    found = said(head + '<meta property="article:published_time" content="2019-01-02">')
    assert (found.author, found.date, found.title, found.url) == ("Jane Roe", "2019-01-02", "Bridge", STORY)


def test_json_with_tags_that_break_it_is_read() -> None:
    text = '{"@type": "Article", "description": "<a href="/x">x</a>\n", "author": "Jane Roe"}'
    assert said(f'<script type="application/ld+json">{text}</script>').author == "Jane Roe"


def test_huge_values_end_soon_and_are_no_names() -> None:
    for name in ("by " * 100_000, "Jane Roe, " * 50_000, "a" * 1_000_000, "@" * 1_000_000, "by " * 300 + "x"):
        assert said(ld(article(author=name))).author is None
        assert said(f'<meta name="author" content="{name}">', f"<p class='author'>{name}</p>").author is None
    graph = [article(author={"@id": f"#{n}"}) for n in range(20_000)]
    assert said(ld({**article(), "@graph": graph})).author is None


def test_half_a_character_in_json_is_left_out() -> None:
    head = ld(article(headline="\ud83d Bridge opens", author="Jane \ud83d Roe", datePublished="2019-01-02\ud83d"))
    page = f"<html><head>{head}</head><body><article>{f'<p>{PROSE}</p>' * 4}</article></body></html>"
    found = extract_article((page, STORY))
    assert isinstance(found, Article) and str(found).encode() and "Bridge opens" in found.title
