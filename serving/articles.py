"""Articles of requests: text, a web page or sections become sentences in English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gistmill.core.deadline import DeadlineExceeded
from gistmill.core.records import Verdict
from gistmill.rules.news.article import Article as Page
from gistmill.rules.news.article import check_page
from gistmill.rules.news.story import clean_news, news_paragraphs
from gistmill.rules.text.sentences import splitter_of
from gistmill.transforms.guard import Guard, GuardError

_MARKS, _MOST_MARKS = ".!?…。", 10  # of a sentence, in the mean: "U.S.", "1.5"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """An article as plain text, whose paragraphs blank lines separate.

    Attributes:
        text: it.
        title: its headline, or "".
        is_news: whether bylines, credits and the like may be in it.
    """

    text: str
    title: str = ""
    is_news: bool = False

    @property
    def length(self) -> int:
        """Its characters."""
        return len(self.text)


class TooLongError(Exception):
    """An article has more sentences than are read."""


def read(articles: Sequence[Plain], *, most: int) -> list[Source | Exception]:
    """Returns each article with its sentences, or TooLongError for one with more than ``most``."""
    return [_read(article, most) for article in articles]


def _read(article: Plain, most: int) -> Source | TooLongError:
    found = news_paragraphs(article.text)
    prose = clean_news(found, title=article.title) if article.is_news else ()
    return _of_paragraphs(prose or found, article.title, most)


class Extractor:
    """Finds the article on a web page, in a process of its own that is killed when it takes too long.

    Args:
        deadline: seconds.
        most: sentences of an article.
    """

    def __init__(self, deadline: float, *, most: int) -> None:
        self._most = most
        self._guard = Guard(
            "gistmill.rules.news.html:extract_article", deadline_s=deadline, retries=0, memory_limit=_MEMORY
        )

    def extract(self, pages: Sequence[Html]) -> list[Source | Exception]:
        """Returns the article of each page, or TooLongError."""
        return [self._extract(page.html, page.url, page.title) for page in pages]

    def _extract(self, html: str, url: str, title: str) -> Source | TooLongError:
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
        prose = clean_news(page.paragraphs, title=title, author=page.author) or page.paragraphs
        return _of_paragraphs(prose, title, self._most)

    def close(self) -> None:
        """Ends the process."""
        self._guard.close()


def _said(verdict: Verdict) -> str:
    assert verdict.reason is not None
    return f"the page could not be read: {verdict.reason.value}"


def _of_paragraphs(paragraphs: Sequence[str], title: str, most: int) -> Source | TooLongError:
    # counted first: splitting takes some microseconds for each mark that might end a sentence
    marks = sum(text.count(mark) for text in paragraphs for mark in _MARKS)
    if marks > _MOST_MARKS * most or len(paragraphs) > most:
        return TooLongError(
            f"the article has {len(paragraphs)} paragraphs and {marks} marks that may end a sentence; at most {most} "
            f"and {_MOST_MARKS * most} are read"
        )
    split = splitter_of(paragraphs)
    found = tuple(sentences for text in paragraphs if (sentences := tuple(split(text))))
    if (count := sum(map(len, found))) > most:
        return TooLongError(f"the article has {count} sentences; at most {most} are read")
    return Source(title=title, paragraphs=found, why=None if found else "no prose was found")
