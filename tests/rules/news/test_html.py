"""The extractor gives what ``trafilatura.bare_extraction`` gives, but for what that takes for the article's."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from trafilatura import bare_extraction, load_html

from gistmill.rules.documents import RawDocument
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
    """What is the library's alone: what a page says of itself is judged here, and glued blocks are parted."""
    if found is None:
        return None
    return (text_of(found.body),)


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


STORY = "https://crier.example/news/bridge-opens-at-last"
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
