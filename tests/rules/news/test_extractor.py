"""The extractor gives what ``trafilatura.bare_extraction`` gives, on any page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml.html import HtmlElementClassLookup, HTMLParser, fromstring, tostring
from trafilatura import bare_extraction, load_html
from trafilatura.utils import HTML_PARSER
from trafilatura.xpaths import AUTHOR_XPATHS

from gistmill.rules.documents import RawDocument
from gistmill.rules.news import extractor
from gistmill.rules.news.extractor import extracted, prune
from gistmill.rules.news.initials import join_initials
from gistmill.rules.news.inline import resolve
from gistmill.transforms.sources.files.ranges import FileRange, InputFile
from gistmill.transforms.sources.warc.source import WarcConfig, plan_files, read_range
from tests.samples import CRAWLS, Crawl

PATHS = [
    "//pre",
    "//figcaption",
    "//textarea",
    "//template",
    "//button",
    "//blockquote[contains(@class, 'twitter-') or contains(@class, 'instagram-') or contains(@class, 'tiktok-')]",
    "//*[contains(concat(' ', normalize-space(@class), ' '), ' wp-caption-text ')]",
]
PROSE = "The mayor opened the new bridge on Tuesday, saying that it would change the town for good, and left by boat."
HEADS = (
    "<title>Bridge opens | The Crier</title>",
    "<title>Bridge – crier.com</title>",
    '<meta property="og:title" content="A bridge">',
    '<meta property="og:site_name" content="@crier">',
    '<meta name="author" content="Jane Roe">',
    '<meta name="author" content="admin">',
    '<meta name="twitter:site" content="@Crier">',
    '<meta property="og:url" content="https://crier.example/2020/05/04/bridge">',
    '<link rel="canonical" href="/bridge">',
    '<link rel="canonical" href="https://crier.example/bridge">',
    '<meta property="article:published_time" content="2018-05-10T10:00:00Z">',
    '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "A", "author": {"@type": "Person", '
    '"name": "Ann Poe"}, "datePublished": "2019-01-02", "publisher": {"name": "Crier &amp; Co"}}</script>',
    '<script type="application/ld+json">{"@type": "NewsArticle", "author": [}</script>',
)
BODIES = (
    f"<p>{PROSE}</p>",
    f"<h1>Bridge opens</h1><p>{PROSE}</p> tail",
    '<p class="byline">By Jane Roe</p>',
    '<span class="author-name">Ann Poe and John Doe</span>',
    "<author>Ann Poe</author>",
    "<a>Jane Roe<rel>me</rel></a>",
    '<div data-component="BylineBlock">Jane Roe</div>',
    '<div class="comments"><span class="author">No One</span></div>',
    '<p itemprop="author name">Ann Poe</p>',
    "<time datetime='2017-03-04'>4 March</time>",
    f"<pre>{PROSE}</pre>after it",
    f"<figure><figcaption>{PROSE}</figcaption></figure>",
    f"<p class='x\twp-caption-text y'>{PROSE}</p>and more",
    f"<p class='wp-caption-texts'>{PROSE}</p>",
    f"<blockquote class='twitter-tweet'><pre>a</pre>b<p>{PROSE}</p></blockquote>c",
    f"<blockquote>{PROSE}<button>Share</button> end</blockquote>",
    "<textarea>text</textarea><template><p>t</p></template>",
    f"<form><label>l</label><input value=1><select><option>o</select>{PROSE}</form>",
    "<a rel='license' href='https://creativecommons.org/licenses/by/4.0/'>CC</a>",
    "<div class='postmeta'><a href='/category/town/'>Town</a></div>",
    "<ul><li>One thing that is long enough to stay.</li><li>Another one</li></ul>",
    "<o:p>odd</o:p>",
)
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
    if found is None:
        return None
    return tostring(found.body), found.title, found.url, found.sitename, found.hostname, found.author, found.date


@settings(max_examples=80, deadline=None)
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
    ranges = [p for p in plan_files([file], config=config) if isinstance(p, FileRange)]
    pages = [d for place in ranges for d in read_range(place, config) if isinstance(d, RawDocument) and d.text.strip()]
    assert len(pages) >= crawl.stories
    standfirsts = 0
    for page in pages:
        url = page.origin.metadata.url
        found, expected = extracted(page.text, url), plainly(page.text, url)
        tree = load_html(page.text)
        assert found is not None and expected is not None and tree is not None
        assert (found.title, found.url, found.sitename, found.hostname, found.author, found.date) == expected[1:], url
        resolve(tree)
        join_initials(tree)
        resolved = plainly(tree, url)
        assert resolved is not None
        if tostring(found.body) != resolved[0]:  # then the library lacks the standfirst, and nothing else
            standfirsts += 1
            first = found.body[0]
            assert first.tag == "p" and not len(first) and first.tail is None and len(first.text.split()) > 5, url
            found.body.remove(first)
        assert tostring(found.body) == resolved[0], url
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
        assert attributes <= set(extractor._AUTHOR_ATTRIBUTES)
        words = [
            w for literal in re.findall(r"'([^']*)'", path) for w in re.sub(r"\[.(.)\]", r"\1", literal).split("|")
        ]
        assert [w for w in words if not extractor._AUTHOR.search(w)] == (["me"] if "rel='me'" in path else [])
        bare = set(re.findall(r"//(\w+)|(?<![@\w])(rel)=", path))
        assert {name for pair in bare for name in pair if name} <= set(extractor._AUTHOR_ELEMENTS)


def test_elements_have_the_classes_that_they_have_elsewhere() -> None:
    assert {name: type(fromstring(f"<{name}>")) for name in extractor._CLASSES} == extractor._CLASSES
    assert HtmlElementClassLookup._default_element_classes == extractor._CLASSES
    page = "<html><!-- c --><?pi p?><body><FORM><input><x:y>&e;</x:y><svg:path></form><p>t</body></html>"
    kinds = [[type(e) for e in fromstring(page, parser=p).iter()] for p in (HTMLParser(), HTML_PARSER)]
    assert [k for k in kinds[0] if k.__name__ not in ("HtmlComment", "HtmlProcessingInstruction")] == kinds[1]
