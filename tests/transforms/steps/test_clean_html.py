"""Web pages and plain news through the Clean stage: articles, languages, hostile pages."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import pytest

from gistmill.core.records import Metadata, Origin, Reject, Verdict
from gistmill.rules.documents import CleanDocument, CleanReason, RawDocument, ReadReason
from gistmill.rules.news.article import PageCaps, check_page
from gistmill.rules.news.html import extract_article
from gistmill.rules.text.charset import decode_html
from gistmill.transforms.steps.clean import CleanConfig, CleanDocuments, Cleaner
from tests.samples import CRAWLS, NEWS, Crawl
from tests.transforms.sources.warc.warcs import read_file

STORY = (
    "The mayor opened the new bridge on Tuesday, saying that it would change the town for good.",
    "Thousands came to watch the ceremony in the rain, and many of them crossed the river on foot.",
    "Work on the bridge began in 1999 and cost twelve million dollars, officials said.",
)
PROSE = "".join(f"<p>{p}</p>" for p in STORY)


def raw(text: str, *, markup: str = "html", url: str = "https://example.com/a") -> RawDocument:
    page = Metadata(url=url, record="urn:uuid:1", fetched="2020-01-01T00:00:00Z")
    origin = Origin("warc-a", "warc", file="a.warc.gz", offset=12, range_key="r0", metadata=page)
    return RawDocument(origin, text, markup)


@pytest.fixture(scope="module")
def cleaner() -> Iterator[Cleaner]:
    cleaner = Cleaner()
    yield cleaner
    cleaner.close()


def paragraphs(found: CleanDocument | Reject) -> tuple[str, ...]:
    assert isinstance(found, CleanDocument), found
    assert len(found.sections) == 1 and (found.sections[0].title, found.sections[0].level) == ("", 1)
    return found.sections[0].paragraphs


def test_a_page_becomes_an_article(cleaner: Cleaner) -> None:
    page = f"""<html lang="en"><head><title>Mayor opens bridge | The Town Crier</title>
        <meta property="og:site_name" content="The Town Crier"><meta name="author" content="Jane Roe">
        <meta property="og:title" content="Mayor opens bridge | The Town Crier">
        <meta property="article:published_time" content="2018-05-10T10:00:00Z">
        <link rel="canonical" href="https://example.com/bridge"></head><body><nav><a href="/">Home</a> <a href="/n">News</a></nav>
        <article><h1>Mayor opens bridge</h1><p>By Jane Roe, 10 May 2018</p><figure><img src="a.jpg"><figcaption>The mayor smiles at
        the bridge on Tuesday.</figcaption></figure><p>LONDON, May 10 (AP) — {STORY[0]}</p><h2>Rain all day</h2><p>{STORY[1]}</p>
        <ul><li>The bridge is 300 metres long.</li></ul><table><tr><td>Length of the bridge is given here.
        </td><td>300</td></tr></table><p>{STORY[2]}</p><pre>print("This is code.")</pre><p>Sign up for our newsletter.</p></article>
        <footer>© 2018 The Town Crier. All rights reserved.</footer></body></html>"""
    found = cleaner.clean(raw(page))
    assert paragraphs(found) == STORY
    assert isinstance(found, CleanDocument)
    written = {"site": "The Town Crier", "author": "Jane Roe", "published": "2018-05-10", "language": "en"}
    fetched = {"record": "urn:uuid:1", "fetched": "2020-01-01T00:00:00Z", "extraction": "strict"}
    metadata = Metadata(url="https://example.com/bridge", **written, **fetched)
    place: dict[str, Any] = {"file": "a.warc.gz", "offset": 12, "range_key": "r0"}
    assert found.origin == Origin("warc-a", "warc", "Mayor opens bridge", **place, metadata=metadata)


def test_the_whole_article_keeps_its_headings_and_lists() -> None:
    items = "<ul><li>Steel</li><li>Oak</li></ul>"
    page = f"<p>Town</p><p>{STORY[0]}</p><h2>Made of</h2>{items}<p>{STORY[1]}</p><p>{STORY[2]}</p><p>Share</p>"
    cleaner = Cleaner(CleanConfig(page_text="whole"))
    found = paragraphs(cleaner.clean(raw(f"<html><body><article>{page}</article></body></html>")))
    plain = paragraphs(cleaner.clean(raw("\n\n".join((*STORY, "Made of")), markup="plain")))
    cleaner.close()
    assert (found, plain) == ((STORY[0], "Made of", "Steel", "Oak", *STORY[1:]), STORY)


def test_markdown_keeps_its_sections_and_the_lines_that_news_would_lose() -> None:
    text = "LONDON (Reuters) - It rained.\n\n## By *Jane Roe*\n\n" + "\n\n".join(STORY)
    for languages, accepted in (("en",), True), (("any",), True), (("de",), False):
        cleaner = Cleaner(CleanConfig(languages=languages))
        found, nothing = (cleaner.clean(raw(each, markup="markdown")) for each in (text, "# Title\n\n---\n"))
        cleaner.close()
        if accepted:
            assert isinstance(found, CleanDocument)
            by_title = [(section.title, section.level, section.paragraphs) for section in found.sections]
            assert by_title == [("", 1, ("LONDON (Reuters) - It rained.",)), ("By Jane Roe", 2, STORY)]
            assert found.origin.metadata.language == "en"
        else:
            assert isinstance(found, Reject) and found.reason is CleanReason.LANGUAGE
        assert isinstance(nothing, Reject) and nothing.reason is CleanReason.NO_PROSE
    cleaner = Cleaner(CleanConfig(languages=("any",)))
    line = "Reporting by Jane Roe; editing by John Doe."
    assert isinstance(cleaner.clean(raw(line, markup="plain")), Reject)
    assert paragraphs(cleaner.clean(raw(line, markup="markdown"))) == (line,)
    cleaner.close()


def test_what_the_source_knew_stays_where_the_page_is_silent(cleaner: Cleaner) -> None:
    document = raw(f"<html><body><article>{PROSE}</article></body></html>")
    known = dataclasses.replace(document.origin.metadata, author="A B", published="2001-01-01", site="Crier")
    origin = dataclasses.replace(document.origin, title="Known", metadata=known)
    found = cleaner.clean(dataclasses.replace(document, origin=origin))
    assert isinstance(found, CleanDocument)
    page = found.origin.metadata
    assert (found.origin.title, page.url, page.author) == ("Known", "https://example.com/a", "A B")
    assert page.published == "2001-01-01"


def test_the_sites_name_and_soft_hyphens_go(cleaner: Cleaner) -> None:
    hyphenated = STORY[1].replace("ceremony", "cer\u00ade\u00admo\u00adny\u200b")
    page = f"""<html><head><meta property="og:site_name" content="TownCrier.Net"><title>The mayor\u00ads bridge</title></head><body>
        <article><p>TownCrier.Net - {STORY[0]}</p><p>{hyphenated}</p><p>{STORY[2]}</p></article></body></html>"""
    found = cleaner.clean(raw(page))
    assert paragraphs(found) == STORY and found.origin.title == "The mayors bridge"
    plain = cleaner.clean(raw("\n\n".join((STORY[0], hyphenated, STORY[2])), markup="plain"))
    assert paragraphs(plain) == STORY


def test_line_breaks_lists_drop_caps_and_inline_code() -> None:
    capital = "<span class='cap'>T</span><p>he mayor opened the bridge on Tuesday, and it rained all day.</p>"
    lines = "It is called<br>the <code>long</code> bridge by the people of the town, he said."
    items = "<ul><li>The bridge is 300 metres long.</li></ul>"
    page = f"<div>{capital}</div><p>{STORY[1]}<br><br>{STORY[2]}</p><p>{lines}</p>{items}"
    cleaner = Cleaner(CleanConfig(keep_lists=True))
    found = paragraphs(cleaner.clean(raw(f"<html><body><article>{page}</article></body></html>")))
    cleaner.close()
    assert found == (
        "The mayor opened the bridge on Tuesday, and it rained all day.",
        *STORY[1:],
        "It is called the long bridge by the people of the town, he said.",
        "The bridge is 300 metres long.",
    )


@pytest.mark.slow
def test_languages_are_chosen() -> None:
    said = "<p>Der Bürgermeister hat am Dienstag die neue Brücke eröffnet, und {} Menschen kamen.</p>"
    texts = {"de": "".join(map(said.format, range(5))), "en": PROSE}
    for languages in ("en",), ("de", "en"), ("any",):
        cleaner = Cleaner(CleanConfig(languages=languages))
        for language, text in texts.items():
            found = cleaner.clean(raw(f"<html><body><article>{text}</article></body></html>"))
            if language in languages or languages == ("any",):
                assert isinstance(found, CleanDocument)
            else:
                assert isinstance(found, Reject) and (found.detail, found.stage) == (language, "clean")
                assert found.reason is CleanReason.LANGUAGE
        cleaner.close()
    with pytest.raises(ValueError, match="languages"):
        CleanDocuments(CleanConfig(languages=("english",)))


def test_plain_news_is_cleaned_too(cleaner: Cleaner) -> None:
    text = f"By Jane Roe\nLONDON (AP) — {STORY[0]}\nShare\n\n{STORY[1]}\n{STORY[2]}"
    assert paragraphs(cleaner.clean(raw(text, markup="plain"))) == STORY
    kept = Cleaner(CleanConfig(keep_boilerplate=True))
    found = paragraphs(kept.clean(raw(text, markup="plain")))
    kept.close()
    assert found[0].startswith("By Jane Roe LONDON (AP) — The mayor")
    nothing = cleaner.clean(raw("Share\n\nHome\n\nNews", markup="plain"))
    assert isinstance(nothing, Reject) and nothing.reason is CleanReason.NO_PROSE


NO_PROSE = CleanReason.NO_PROSE
ARTICLE = f"<article>{PROSE}</article>"
SCRIPTS = "<script>var a = '<p>It is not prose at all.</p>'</script><style>p {}</style>"
ADDRESSES = '<link rel="canonical" href="http://[::1"><meta property="og:url" content="javascript:1">'
BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><html><body>&b;</body></html>'
HOSTILE = {
    "50 MB": ("<html><body>" + PROSE + "x" * 50_000_000, ReadReason.TOO_LARGE),
    "100,000 tags deep": ("<html><body>" + "<div>" * 100_000 + PROSE + "</div>" * 100_000, CleanReason.TOO_DEEP),
    "100,000 unclosed tags": ("<html><body>" + "<x-a>" * 100_000 + PROSE, CleanReason.TOO_DEEP),
    "100,000 cells": ("<html><body><table><tr>" + "<td>x" * 100_000 + "</table>" + PROSE, ReadReason.TOO_LARGE),
    "900 tags deep": ("<html><body>" + "<div>" * 900 + PROSE + "</div>" * 900, NO_PROSE),
    "colspan": (f"<table><tr><td colspan=1000000000 rowspan=1000000000>x</td></tr></table>{ARTICLE}", None),
    "empty": ("", NO_PROSE),
    "white space": (" \n\t", NO_PROSE),
    "scripts": (f"<html>{SCRIPTS}</html>", NO_PROSE),
    "no markup": ("just words", NO_PROSE),
    "garbage": ("<<<>>><![CDATA[ <!DOCTYPE \ufffd &#xD800; &#0; " * 500, NO_PROSE),
    "entities": (BOMB, NO_PROSE),
    "bad references": (f"<article><p>&#xD800;&#0;&#x1F600; was the sign that they all saw.</p>{PROSE}</article>", None),
    "deep JSON": (f'<head><script type="application/ld+json">{"[" * 100_000}</script></head><body>{PROSE}', None),
    "long title": (f"<html><head><title>{'a ' * 500_000}</title></head><body>{ARTICLE}", None),
    "frames": ("<frameset>" * 900, NO_PROSE),
    "bad addresses": (f"<html><head>{ADDRESSES}</head><body>{PROSE}", None),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_end_as_rejects_or_are_read_rightly(name: str, cleaner: Cleaner) -> None:
    page, reason = HOSTILE[name]
    found = cleaner.clean(raw(page))
    if reason is None:
        assert paragraphs(found)[-3:] == STORY
        assert str(found).encode()
    else:
        assert isinstance(found, Reject) and found.reason is reason, found
        assert (found.stage, found.origin) == ("clean", raw(page).origin)


def test_odd_bytes_are_read_rightly(cleaner: Cleaner) -> None:
    page = f"<html><body>{ARTICLE}</body></html>"
    zeros = page.replace("<body><article", "\0<body><art\0icle").replace("bridge", "bri\0dge")
    for body in page.encode("utf-16"), page.encode("utf-16-be"), zeros.encode():
        assert paragraphs(cleaner.clean(raw(decode_html(body, "text/html; charset=utf-8")))) == STORY
    assert check_page("<p>" * 5000).accepted and check_page("<div></div><div/>" * 5000).accepted
    assert check_page("<div>" * 11, PageCaps(depth=10)).accepted is False
    with pytest.raises(ValueError, match="tags must be at least 1, not 0"):
        PageCaps(tags=0)


@pytest.mark.slow
def test_deadline_and_memory_become_rejects() -> None:
    slow = raw("<html><body><p " + " ".join(f"a{i}=1" for i in range(40_000)) + f">{PROSE}")
    cleaner = Cleaner(CleanConfig(parse_deadline=0.5))
    found = cleaner.clean(slow)
    assert isinstance(found, Reject) and found.reason is CleanReason.DEADLINE and "twice" in found.detail
    assert isinstance(cleaner.clean(raw(f"<html><body><article>{PROSE}</article>")), CleanDocument)
    cleaner.close()
    cleaner = Cleaner(memory_limit=160 << 20)
    found = cleaner.clean(raw("<html><body><article><p>" + " ".join(STORY) * 30_000))
    cleaner.close()
    assert isinstance(found, Reject) and found.reason is CleanReason.PARSER_DIED


def test_an_error_of_the_extractor_is_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("gistmill.rules.news.html.extract_content", fail)
    found = extract_article((PROSE, ""))
    assert isinstance(found, Verdict)
    assert (found.reason, found.detail) == (CleanReason.EXTRACTOR_FAILED, "RecursionError: too deep")


def pages_of(crawl: Crawl) -> list[RawDocument]:
    return [element for element in read_file(crawl.path)[0] if isinstance(element, RawDocument)]


# Beginnings that no story has; the pages were read by a person too.
_NO_STORY = re.compile(
    r"(?:By [A-Z]\w+ [A-Z]|Share|Tweet|Sign up|Subscribe|Read more|Follow us|Image|Photo|Advertisement|Updated|Published|Posted|Copyright"
    r"|©|This (?:article|story|post) (?:was|first|orig|has)|We use cookies)\b|.{0,60}\([A-Z][\w ]+\)\s*[-—–]|[A-Z][A-Z, ]{3,30} [-—–]|\W*\w+ \d{1,2}, \d{4}"
)


@pytest.mark.parametrize("crawl", CRAWLS)
def test_the_stories_of_a_crawl(crawl: Crawl, cleaner: Cleaner) -> None:
    found = [cleaner.clean(document) for document in pages_of(crawl)]
    used = [f for f in found if isinstance(f, CleanDocument)]
    rejects = [f for f in found if isinstance(f, Reject)]
    assert len(used) == crawl.stories
    assert {r.detail for r in rejects if r.reason is CleanReason.LANGUAGE} == {"de", "es", "it"}
    assert {r.reason for r in rejects} <= {CleanReason.LANGUAGE, CleanReason.NO_PROSE}
    for document in used:
        origin = document.origin
        assert origin.metadata.language == "en" and origin.metadata.url.startswith("http") and origin.title
        for text in document.sections[0].paragraphs:
            assert text == " ".join(text.split()) and not re.search(r"[\x00-\x1f]|</?(?:p|a|div|span|br)\b", text)
        for text in document.sections[0].paragraphs[:3]:
            assert not _NO_STORY.match(text), (origin.metadata.url, text)
    heads = " ".join(text for document in used for text in document.sections[0].paragraphs[:2])
    stations, places = ("(KGO)", "(KTRK)", "(KTMB)"), ("AUSTIN (", "KHAN YOUNIS", "TAYLORVILLE —")
    people = "via JTA", "Torres-Guillén,", "Max Lee", "By Dora", "riverdog"
    notes = "originally appeared", "Estimated reading", "Advertisement", "first published"
    for gone in (*stations, *places, *people, *notes):
        assert gone not in heads
    pages = [document.origin.metadata for document in used]
    assert sum(bool(p.author) for p in pages) >= 0.75 * crawl.stories
    assert sum(bool(p.published) for p in pages) >= 0.94 * crawl.stories


def test_results_do_not_depend_on_earlier_pages(cleaner: Cleaner) -> None:
    some = pages_of(NEWS)[::4]
    first = [cleaner.clean(document) for document in some]
    again = [cleaner.clean(document) for document in reversed(some)]
    assert first == again[::-1]
    fresh = Cleaner()
    assert fresh.clean(some[-1]) == first[-1]
    fresh.close()
    assert [cleaner.clean(some[0]) for _ in range(5)] == [first[0]] * 5  # no memory of duplicates
