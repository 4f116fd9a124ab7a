"""Articles of requests: text, a web page or sections become sentences. Those in other languages are translated into
English, and their summaries back (the lead-bias paper, section 4.9)."""

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

_MARKS, _MOST_MARKS = ".!?…。", 10  # of a sentence, in the mean: "U.S.", "1.5"
_MEMORY = 2 << 30  # bytes of address space of the extractor's process


@dataclass(frozen=True, slots=True, kw_only=True)
class Html:
    """A web page, where it was fetched, and the title of its article, if that is known."""

    html: str
    url: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An article as it was found, in its language; without sentences, ``why`` there are none."""

    title: str = ""
    paragraphs: tuple[tuple[str, ...], ...] = ()
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """An article as plain text with blank lines between paragraphs; ``is_news``: bylines and credits may be in it."""

    text: str
    title: str = ""
    is_news: bool = False


class TooLongError(Exception):
    """An article has more sentences than are read."""


def read(articles: Sequence[Plain], *, most: int) -> list[Source | Exception]:
    """Returns each article with its sentences, or TooLongError for one with more than ``most``."""
    answers: list[Source | Exception] = []
    for article in articles:
        found = news_paragraphs(article.text)
        prose = clean_news(found, title=article.title) if article.is_news else ()
        answers.append(_of_paragraphs(prose or found, article.title, most))
    return answers


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
    # counted first: splitting takes some microseconds for each mark that might end a sentence
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
    """Sentences that are to be translated into or out of English.

    Attributes:
        language: the other language.
        sentences: them.
        back: whether they are English.
    """

    language: str
    sentences: tuple[str, ...]
    back: bool = False


Translators = Mapping[str, tuple[Translator, Translator]]  # by language: into English, and out of it


def translate(translators: Translators, wanted: Sequence[Translation]) -> list[list[str] | Exception]:
    """Returns the translations of sentences, "" where the translator cannot read one; for sentences that it cannot
    handle at all, the TranslationError.
    """
    answers: list[list[str] | Exception] = []
    for each in wanted:
        try:
            found = hypotheses(translators[each.language][each.back], each.sentences, count=1)
            answers.append([texts[0] if texts else "" for texts in found])
        except TranslationError as error:
            answers.append(error)
    return answers


def open_translators(config: ServingConfig) -> Translators:
    """Returns the translators that the options name.

    Raises:
        TranslationError: there is no such function.
    """
    if not config.foreign:
        return {}
    from gistmill.transforms.translation.opening import call  # loaded where it is needed: it loads Beam

    assert config.translator is not None
    name = config.translator
    return {code: (call(name, code, ENGLISH), call(name, ENGLISH, code)) for code in config.foreign}
