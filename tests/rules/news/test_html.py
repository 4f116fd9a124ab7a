"""The extractor gives what ``trafilatura.bare_extraction`` gives, but for what that takes for the article's."""

import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from trafilatura import bare_extraction, load_html
from trafilatura.xpaths import AUTHOR_XPATHS

from gistmill.rules.documents import RawDocument
from gistmill.rules.news import metadata
from gistmill.rules.news.article import Article
from gistmill.rules.news.html import extract_article, extracted, prune
from gistmill.rules.news.inline import join_initials, resolve
from gistmill.transforms.sources.files.ranges import InputFile
from gistmill.transforms.sources.warc.source import WarcConfig, plan_file, read_range
from tests.cases import by_heading
from tests.samples import CRAWLS, Crawl

CASES = by_heading(__file__)

PATHS = CASES["paths"]
PROSE = "The mayor opened the new bridge on Tuesday, saying that it would change the town for good, and left by boat."
HEADS = CASES["heads"]
BODIES = CASES["bodies"]
PAGES = st.tuples(st.lists(st.sampled_from(HEADS), max_size=5), st.lists(st.sampled_from(BODIES), max_size=12)).map(
    lambda parts: f"<html><head>{''.join(parts[0])}</head><body><article>{''.join(parts[1])}</article></body></html>"
)


def plainly(page: Any, url: str) -> tuple | None:
    found = bare_extraction(
        page,
        url=url or None,
        include_comments=False,
        include_tables=False,
        with_metadata=True,
        date_extraction_params={"extensive_search": False, "original_date": True, "max_date": "2100-01-01"},
        prune_xpath=PATHS,
    )
    return outcome(found)


def outcome(found: Any) -> tuple | None:
    """What is the library's alone: addresses and dates are judged here, and glued blocks are parted."""
    if found is None:
        return None
    return text_of(found.body), found.title, found.author


def text_of(body: Any) -> str:
    return "".join("".join(body.itertext()).split())


@pytest.mark.slow
@given(PAGES, st.sampled_from(["", "https://crier.example/a/2016/02/03/x", "crier"]))
@example("<p>no page", "")
@example("\x00", "")
@example(f"<pre><html><p>{PROSE * 5}</p>", "")
def test_it_is_the_whole_extraction_without_what_is_not_used(page: str, url: str) -> None:
    assert outcome(extracted(page, url)) == plainly(page, url)


@pytest.mark.parametrize("crawl", CRAWLS)
def test_the_same_on_pages_of_many_sites(crawl: Crawl) -> None:
    config = WarcConfig()
    file = InputFile(str(crawl.path), crawl.path.stat().st_size, 0)
    pages = [
        d
        for place in plan_file(file, config)[0]
        for d in read_range(place, config)
        if isinstance(d, RawDocument) and d.text.strip()
    ]
    assert len(pages) >= crawl.stories
    standfirsts = 0
    for page in pages:
        url = page.origin.metadata.url
        found, expected = extracted(page.text, url), plainly(page.text, url)
        tree = load_html(page.text)
        assert found is not None and expected is not None and tree is not None
        assert found.title == expected[1] and found.author in (expected[2], None), url
        resolve(tree)
        join_initials(tree)
        resolved = plainly(tree, url)
        assert resolved is not None
        if text_of(found.body) != resolved[0]:  # then the library lacks the standfirst, and nothing else
            standfirsts += 1
            first = found.body[0]
            assert first.tag == "p" and not len(first) and first.tail is None and len(first.text.split()) > 5, url
            found.body.remove(first)
        assert text_of(found.body) == resolved[0], url
    assert 0 < standfirsts < len(pages) / 2


def test_what_is_pruned_leaves_what_stands_after_it() -> None:
    tree = load_html(
        "<html><body><div>a<pre>b<button>c</button>d</pre>e<button>f</button>g</div><pre>h</pre>i</body></html>"
    )
    assert tree is not None
    prune(tree)
    assert tree.text_content() == "aegi"


def test_every_expression_for_authors_wants_a_word_that_is_looked_for() -> None:
    for path in (expression.path for expression in AUTHOR_XPATHS):
        attributes = set(re.findall(r"@([\w-]+)", path))
        assert attributes <= set(metadata._AUTHOR_ATTRIBUTES)
        words = [
            w for literal in re.findall(r"'([^']*)'", path) for w in re.sub(r"\[.(.)\]", r"\1", literal).split("|")
        ]
        assert [w for w in words if not metadata._AUTHOR.search(w)] == (["me"] if "rel='me'" in path else [])
        bare = set(re.findall(r"//(\w+)|(?<![@\w])(rel)=", path))
        assert {name for pair in bare for name in pair if name} <= set(metadata._AUTHOR_ELEMENTS)


STORY = "https://crier.example/news/bridge-opens-at-last"
LD = '<script type="application/ld+json">{"@context": "https://schema.org", %s}</script>'
QUOTED = f"<blockquote><p>{PROSE}</p><span class='author'>Otto Quoted</span></blockquote>"
COMMENT = (
    "<div class='comment-list'><div class='comment'><span class='author'>Rita Reader</span>"
    "<time datetime='2021-09-08'>8 September 2021</time><p>So good a bridge.</p></div></div>"
)


def said(head: str = "", body: str = "", url: str = STORY) -> Any:
    page = (
        f"<html><head>{head}</head><body><article><h1>Bridge</h1>{f'<p>{PROSE}</p>' * 4}</article>{body}</body></html>"
    )
    found = extracted(page, url)
    assert found is not None
    return found


def test_a_date_that_the_page_declares_is_before_that_in_its_address() -> None:
    for head in CASES["a date that the page declares is before that in its address"]:
        for url in (STORY, "https://crier.example/2014/05/06/bridge", "https://crier.example/2014-05-06-x"):
            assert said(head, url=url).date == "2019-01-02", (head, url)
            assert said(head, COMMENT, url=url).date == "2019-01-02", (head, url)


def test_of_several_articles_the_date_of_the_one_at_the_address_is_taken() -> None:
    other = LD % '"@type": "Article", "url": "https://crier.example/x", "datePublished": "2020-02-02"'
    assert (
        said(other + LD % f'"@type": "Article", "url": "{STORY}", "datePublished": "2019-01-02"').date == "2019-01-02"
    )


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


def test_the_author_is_who_wrote_the_page() -> None:
    for other in CASES["the author is who wrote the page"]:
        assert said(body=other).author is None, other
        assert said(body=f"{other}<span class='author'>Jane Roe</span>").author == "Jane Roe", other
        assert said('<meta name="author" content="Jane Roe">', other).author == "Jane Roe", other


def test_classes_that_say_how_a_page_is_set_do_not_hide_its_author() -> None:
    line = "<div class='meta has-comments comments-open'><span class='author'>Jane Roe</span></div>"
    assert said(body=line).author == "Jane Roe"


def test_an_address_of_a_site_is_not_the_articles() -> None:
    for address in CASES["an address of a site is not the articles, address"]:
        for head in ('<link rel="canonical" href="%s">', '<meta property="og:url" content="%s">', '<base href="%s">'):
            found = said(head % address)
            assert (found.url, found.hostname) == (STORY, "crier.example"), (address, head)
            assert said(head % address + '<link rel="canonical" href="https://crier.example/a/b">').url in (
                "https://crier.example/a/b",
                STORY if "canonical" in head else "",
            ), (address, head)
            if address.endswith("example/"):
                assert not said(head % address, url="").url, (address, head)


def test_a_canonical_address_of_an_article_is_taken() -> None:
    for address in CASES["a canonical address of an article is taken"]:
        for head in ('<link rel="canonical" href="%s">', '<meta property="og:url" content="%s">'):
            assert said(head % address).url == address, address
        assert said('<link rel="canonical" href="https://crier.example/">', url="https://crier.example/").url, address


SHORT = (
    "<h1>Bridge opens in Ayton</h1>{byline}"
    "<div>The mayor opened the new bridge on Tuesday. Ships may pass below it.</div>"
    "<div>It cost two million. Nobody was hurt when it was built, the town said.</div>{tags}"
)


def test_a_short_page_has_its_headline_byline_and_tags_apart() -> None:
    story = (
        "The mayor opened the new bridge on Tuesday. Ships may pass below it.",
        "It cost two million. Nobody was hurt when it was built, the town said.",
    )
    around = {"Bridge opens in Ayton", "By Jane Roe", "Jane Roe", "Politics", "Bridges"}
    for byline in ("<div class='x'>By Jane Roe</div>", "<p>By Jane Roe</p>", "<ul><li>Jane Roe</li></ul>"):
        for tags in ("<div>Politics</div><div>Bridges</div>", "<ul><li>Politics</li><li>Bridges</li></ul>"):
            for frame in ("<article>%s</article>", "<div>%s</div>", "%s"):
                page = f"<html><body>{frame % SHORT.format(byline=byline, tags=tags)}</body></html>"
                article = extract_article((page, STORY))
                assert isinstance(article, Article), (byline, tags, frame)
                assert tuple(p for p in article.paragraphs if p not in around) == story, (byline, tags, frame)


def test_a_drop_cap_in_a_block_of_its_own_stays_with_its_word() -> None:
    page = (
        "<article><div>T</div><p>he mayor opened the new bridge.</p><p>It cost two million, and nobody was hurt when it"
    )
    article = extract_article((f"<html><body>{page} was built, the town said.</p></article></body></html>", STORY))
    assert isinstance(article, Article) and "T" not in article.paragraphs
