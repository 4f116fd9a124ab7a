"""The extractor gives what ``trafilatura.bare_extraction`` gives, but for what that takes for the article's."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from trafilatura import bare_extraction, load_html

from gistmill.rules.documents import RawDocument
from gistmill.rules.news.article import FALLBACK, WHOLE, Article, Block
from gistmill.rules.news.html import extract_article, extracted
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


def is_fallback(found: Any) -> bool:
    return found.body.get("extraction") == FALLBACK


def text_of(body: Any) -> str:
    return "".join("".join(body.itertext()).split())


@pytest.mark.slow
@given(PAGES, st.sampled_from(["", "https://crier.example/a/2016/02/03/x", "crier"]))
@example("<p>no page", "")
@example("\x00", "")
@example(f"<pre><html><p>{PROSE * 5}</p>", "")
def test_it_is_the_whole_extraction_without_what_is_not_used(page: str, url: str) -> None:
    found, expected = extracted(page, url), plainly(page, url)
    if found is not None and is_fallback(found):  # then the library may prefer another extractor, or find as much
        assert expected is not None and text_of(found.body)
    else:
        assert outcome(found) == expected


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
        if is_fallback(found):
            assert len(text_of(found.body)) >= len(resolved[0]), url
            continue
        if text_of(found.body) != resolved[0]:  # then the library lacks the standfirst, and nothing else
            standfirsts += 1
            first = found.body[0]
            assert first.tag == "p" and not len(first) and first.tail is None and len(first.text.split()) > 5, url
            found.body.remove(first)
        assert text_of(found.body) == resolved[0], url
    assert 0 < standfirsts < len(pages) / 2


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


def article_of(body: str, view: str) -> Article:
    found = extract_article((f"<html><body>{body}</body></html>", STORY), view=view)
    assert isinstance(found, Article)
    return found


def test_the_whole_article_has_what_is_no_prose_and_the_prose_has_not() -> None:
    prose, more = f"{PROSE} It cost two million.", f"{PROSE} Nobody was hurt."
    body = (
        f"<h1>Bridge</h1><p>{prose}</p><h2>What it is made of</h2><ul><li>Steel</li><li>Oak</li></ul>"
        "<table><tr><th>Part</th><th>Metres</th></tr><tr><td><p>Arch</p></td><td><p>300</p></td></tr></table>"
        f"<p>Run <code>open</code> to lift it:</p><pre><code>bridge.open(force=True)</code></pre><p>{more}</p>"
    )
    assert article_of(f"<article>{body}</article>", WHOLE).blocks[-8:] == (
        Block("What it is made of", "heading"),
        Block("Steel", "item"),
        Block("Oak", "item"),
        Block("Part | Metres", "row"),
        Block("Arch | 300", "row"),
        Block("Run open to lift it:"),
        Block("bridge.open(force=True)", "code"),
        Block(more),
    )
    assert article_of(f"<article>{body}</article>", "prose").paragraphs == (prose, "Run open to lift it:", more)


def test_a_long_text_that_is_repeated_is_there_once() -> None:
    again = "<li>Yes</li><li>Yes</li>"
    body = f"<article><p>{PROSE}</p><p>It rained.</p><ul>{again}</ul><p>{PROSE}</p><p>Then {PROSE}</p></article>"
    assert article_of(body, WHOLE).paragraphs == (PROSE, "It rained.", "Yes", "Yes", f"Then {PROSE}")


def test_where_the_first_extractor_misses_much_the_second_is_asked() -> None:
    parts = tuple(f"It was told as part {number}: {PROSE}" for number in range(20))
    first, rest = ("".join(f"<p>{part}</p>" for part in some) for some in (parts[:14], parts[14:]))
    found = article_of(f"<div><div class='article-body'>{first}</div><div>{rest}</div></div>", WHOLE)
    assert (found.extraction, found.paragraphs) == (FALLBACK, parts)
    found = article_of(f"<div><div class='article-body'>{first}</div><nav>{rest}</nav></div>", WHOLE)
    assert (found.extraction, found.paragraphs) == ("strict", parts[:14])
