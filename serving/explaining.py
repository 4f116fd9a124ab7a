"""Answers explained: what was done to sentences, and what a summary copies from its article.

Texts cut into propositions, or with their mentions resolved.

Articles in other languages: translated into English and their summaries back (the lead-bias paper, section 4.9).

Articles of requests: text, a web page or sections become sentences in English.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import gistmill
from gistmill.core.deadline import DeadlineExceeded
from gistmill.core.records import Verdict
from gistmill.fusion import Explanation, explain_fusion
from gistmill.rules.augmentation.round_trip import TranslationError, Translator, hypotheses
from gistmill.rules.extractive import copied
from gistmill.rules.news.article import Article as Page
from gistmill.rules.news.article import check_page
from gistmill.rules.news.story import clean_news, news_paragraphs
from gistmill.rules.propositions.statements import PropositionsConfig
from gistmill.rules.text.sentences import splitter_of
from gistmill.serving.config import ENGLISH, ServingConfig
from gistmill.serving.engines import Fuser, Fusions, SentencePair, WholeText
from gistmill.transforms.guard import Guard, GuardError

# Words of the article times words of the summary; beyond it a hostile text would take too long.
_MOST_COMPARED = 4_000_000


def fuse(fuser: Fuser, pairs: Sequence[SentencePair]) -> list[Fusions]:
    """Returns the fusions of each pair, explained where that is wanted."""
    return [
        _with_explanations(pair, found) if pair.explain else found
        for pair, found in zip(pairs, fuser.fuse(pairs), strict=True)
    ]


def _with_explanations(pair: SentencePair, found: Fusions) -> Fusions:
    made = [explain_fusion(pair.first, pair.second, fused, tokenized=pair.tokenized) for fused in found.fusions]
    return dataclasses.replace(found, explanations=tuple(made))


def explained(how: Explanation) -> dict[str, Any]:
    """Returns an explanation as answers have it."""
    return {
        "steps": [{"name": operation.name, "detail": operation.detail} for operation in how.operations],
        "source": [asdict(piece) for piece in how.source],
        "result": [asdict(piece) for piece in how.result],
    }


def extracted(paragraphs: Sequence[str], summary: str) -> dict[str, Any] | None:
    """Returns what a summary copies from an article as answers have it; None for texts that are too long for it."""
    text = "\n".join(paragraphs)
    if len(text.split()) * len(summary.split()) > _MOST_COMPARED:
        return None
    runs, measured = copied(text, summary)
    return {
        "coverage": measured.coverage,
        "density": measured.density,
        "copied": [
            {
                "words": run.words,
                "source_start": run.document_start,
                "source_end": run.document_end,
                "summary_start": run.summary_start,
                "summary_end": run.summary_end,
            }
            for run in runs
        ],
    }


def state(texts: Sequence[WholeText]) -> list[dict[str, Any] | Exception]:
    """Returns the answer to each text: its propositions or it resolved, as Python has them. A text that fails has the
    exception, so that the others of its batch have their answers."""
    return [_stated(text) for text in texts]


def _stated(wanted: WholeText) -> dict[str, Any] | Exception:
    config = PropositionsConfig(precision=wanted.precision)
    try:
        if wanted.resolve:
            return asdict(gistmill.resolve(wanted.text, title=wanted.title, config=config))
        found = gistmill.propositions(wanted.text, title=wanted.title, config=config)
    except Exception as error:
        return error
    return {"propositions": [asdict(each) for each in found], "rejected": [asdict(each) for each in found.rejected]}


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

    @property
    def length(self) -> int:
        """Their characters."""
        return sum(map(len, self.sentences))


@dataclass(frozen=True, slots=True)
class Translating:
    """The translators of each language: into English, and out of it."""

    ways: Mapping[str, tuple[Translator, Translator]]

    def translate(self, wanted: Sequence[Translation]) -> list[list[str] | Exception]:
        """Returns the translations of sentences, "" where the translator cannot read one; for what it cannot do at all,
        the TranslationError."""
        return [self._translated(each) for each in wanted]

    def _translated(self, wanted: Translation) -> list[str] | Exception:
        translator = self.ways[wanted.language][wanted.back]
        try:
            return [found[0] if found else "" for found in hypotheses(translator, wanted.sentences, count=1)]
        except TranslationError as error:
            return error


def open_translating(config: ServingConfig) -> Translating:
    """Returns the translators that the options name.

    Raises:
        TranslationError: there is no such function.
    """
    if not config.foreign:
        return Translating({})
    from gistmill.transforms.translation.opening import call  # loaded where it is needed: it loads Beam

    assert config.translator is not None
    name = config.translator
    return Translating({code: (call(name, code, ENGLISH), call(name, ENGLISH, code)) for code in config.foreign})


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
        prose = clean_news(page.paragraphs, title=title, author=page.author, site=page.site) or page.paragraphs
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
