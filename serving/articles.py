"""Articles of requests: text, a web page or sections become sentences in English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gistmill.core.deadline import DeadlineExceeded
from gistmill.core.verdict import Verdict
from gistmill.rules.news.article import Article as Page
from gistmill.rules.news.article import check_page
from gistmill.rules.news.story import clean_news, news_paragraphs
from gistmill.rules.text.tokenised import splitter_of
from gistmill.transforms.guard import Guard, GuardError

_MEMORY = 2 << 30  # bytes of address space of the extractor's process


@dataclass(frozen=True, slots=True, kw_only=True)
class Html:
    """A web page, where it was fetched, and the title of its article, if that is known."""

    html: str
    url: str = ""
    title: str = ""

    @property
    def length(self) -> int:
        """Its characters."""
        return len(self.html)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An article as it was found, in its language; without sentences, ``why`` there are none."""

    title: str = ""
    paragraphs: tuple[tuple[str, ...], ...] = ()
    why: str | None = None


def of_text(text: str, title: str) -> Source:
    """Returns the article of a plain text."""
    found = news_paragraphs(text)
    return _of_paragraphs(clean_news(found, title=title) or found, title)


def of_sections(sections: Sequence[tuple[str, Sequence[str]]], title: str) -> Source:
    """Returns the article of sections, each a heading and paragraphs; the model reads no headings."""
    paragraphs = [text for _, section in sections for text in section]
    return _of_paragraphs([p for text in paragraphs for p in news_paragraphs(text)], title)


class Extractor:
    """Finds the article on a web page, in a process of its own that is killed when it takes too long.

    Args:
        deadline: seconds.
    """

    def __init__(self, deadline: float) -> None:
        self._guard = Guard(
            "gistmill.rules.news.html:extract_article", deadline_s=deadline, retries=0, memory_limit=_MEMORY
        )

    def extract(self, pages: Sequence[Html]) -> list[Source]:
        """Returns the article of each page."""
        return [self._extract(page.html, page.url, page.title) for page in pages]

    def _extract(self, html: str, url: str, title: str) -> Source:
        verdict = check_page(html)
        if not verdict.accepted:
            return Source(why=_said(verdict))
        try:
            page: Page | Verdict = self._guard.call((html, url))
        except (GuardError, DeadlineExceeded) as error:
            return Source(why=f"the page could not be read: {error}")
        if isinstance(page, Verdict):
            return Source(why=_said(page))
        title = title or page.title
        prose = clean_news(page.paragraphs, title=title, author=page.author, site=page.site) or page.paragraphs
        return _of_paragraphs(prose, title)

    def close(self) -> None:
        """Ends the process."""
        self._guard.close()


def _said(verdict: Verdict) -> str:
    assert verdict.reason is not None
    return f"the page could not be read: {verdict.reason.value}"


def _of_paragraphs(paragraphs: Sequence[str], title: str) -> Source:
    split = splitter_of(paragraphs)
    found = tuple(sentences for text in paragraphs if (sentences := tuple(split(text))))
    return Source(title=title, paragraphs=found, why=None if found else "no prose was found")
