"""Sentence splitting of requested articles (plain text, web pages or sections), and translation: articles in other
languages are translated into English, and their summaries back (the lead-bias paper, section 4.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gistmill.core.deadline import DeadlineExceeded
from gistmill.core.records import Verdict
from gistmill.rules.augmentation.round_trip import TranslationError, Translator, hypotheses
from gistmill.rules.news.article import Article as Page
from gistmill.rules.news.article import check_page
from gistmill.rules.news.story import clean_news, news_paragraphs
from gistmill.rules.text.sentences import splitter_of
from gistmill.serving.config import ENGLISH, ServingConfig
from gistmill.transforms.guard import Guard, GuardError

_MARKS, _MOST_MARKS = ".!?…。", 10  # per sentence on average, counting "U.S." and "1.5"
_MEMORY = 2 << 30  # bytes of address space for the extractor process


@dataclass(frozen=True, slots=True, kw_only=True)
class Html:
    """A web page with its URL and, if known, the title of its article."""

    html: str
    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An extracted article in its own language; if it has no sentences, ``why`` gives the reason."""

    title: str = ""
    paragraphs: tuple[tuple[str, ...], ...] = ()
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A plain-text article, with blank lines between paragraphs; if ``is_news``, it may contain bylines and credits."""

    text: str
    title: str = ""
    is_news: bool = False


class TooLongError(Exception):
    """An article has too many sentences."""


def read(articles: Sequence[Plain], *, most: int) -> list[Source | Exception]:
    """Splits each article into sentences; the result is a TooLongError for an article with more than ``most``."""
    answers: list[Source | Exception] = []
    for article in articles:
        found = news_paragraphs(article.text)
        prose = clean_news(found, title=article.title) if article.is_news else ()
        answers.append(_of_paragraphs(prose or found, article.title, most))
    return answers


class Extractor:
    """An extractor of articles from web pages, run in a separate process that is killed if it takes too long.

    Args:
        deadline: time limit in seconds.
        most: maximum number of sentences per article.
    """

    def __init__(self, deadline: float, *, most: int) -> None:
        self._most = most
        self._guard = Guard(
            "gistmill.rules.news.html:extract_article", deadline_s=deadline, retries=0, memory_limit=_MEMORY
        )

    def extract(self, pages: Sequence[Html]) -> list[Source | Exception]:
        """Returns the article on each page, or a TooLongError."""
        return [self._extract(page) for page in pages]

    def _extract(self, asked: Html) -> Source | TooLongError:
        page: Page | Verdict
        page = verdict = check_page(asked.html)
        try:
            if verdict.accepted:
                page = self._guard.call((asked.html, asked.url))
        except (GuardError, DeadlineExceeded) as error:
            return Source(why=f"the page could not be read: {error}")
        if isinstance(page, Verdict):
            assert page.reason is not None
            return Source(why=f"the page could not be read: {page.reason.value}")
        title = asked.title or page.title
        prose = clean_news(page.paragraphs, title=title, author=page.author, site=page.site) or page.paragraphs
        return _of_paragraphs(prose, title, self._most)

    def close(self) -> None:
        """Ends the process."""
        self._guard.close()


def _of_paragraphs(paragraphs: Sequence[str], title: str, most: int) -> Source | TooLongError:
    # checked first, because splitting takes a few microseconds per possible sentence end
    marks = sum(text.count(mark) for text in paragraphs for mark in _MARKS)
    if marks > _MOST_MARKS * most or len(paragraphs) > most:
        return TooLongError(
            f"the article has {len(paragraphs)} paragraphs and {marks} marks that may end a sentence; at most {most} "
            f"and {_MOST_MARKS * most} are read (--max-sentences {most})"
        )
    split = splitter_of(paragraphs)
    found = tuple(sentences for text in paragraphs if (sentences := tuple(split(text))))
    if (count := sum(map(len, found))) > most:
        return TooLongError(f"the article has {count} sentences; at most {most} are read (--max-sentences)")
    return Source(title=title, paragraphs=found, why=None if found else "no prose was found")


@dataclass(frozen=True, slots=True)
class Translation:
    """Sentences to translate into or out of English.

    Attributes:
        language: the other language.
        sentences: the sentences.
        back: whether they are in English.
    """

    language: str
    sentences: tuple[str, ...]
    back: bool = False


Translators = Mapping[str, tuple[Translator, Translator]]  # by language: into and out of English


def translate(translators: Translators, wanted: Sequence[Translation]) -> list[list[str] | Exception]:
    """Returns the translations, with "" for each sentence that the translator cannot read, or a TranslationError
    instead of the list if the translation failed."""
    answers: list[list[str] | Exception] = []
    for each in wanted:
        try:
            found = hypotheses(translators[each.language][each.back], each.sentences, count=1)
            answers.append([texts[0] if texts else "" for texts in found])
        except TranslationError as error:
            answers.append(error)
    return answers


def open_translators(config: ServingConfig) -> Translators:
    """Returns the translators named in the options.

    Raises:
        TranslationError: the function does not exist.
    """
    if not config.foreign:
        return {}
    from gistmill.transforms.translation.opening import call  # imported here because it loads Beam

    assert config.translator is not None
    name = config.translator
    return {code: (call(name, code, ENGLISH), call(name, ENGLISH, code)) for code in config.foreign}
