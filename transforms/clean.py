"""Cleaning: RawDocuments become CleanDocuments of plain prose, or Rejects with a reason."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import apache_beam as beam

from rules.records import CleanDocument, Metadata, RawDocument, Reject, Section
from rules.text.article import Article, PageCaps, check_page
from rules.text.caps import Caps, check_caps
from rules.text.language import ANY, check_languages, language_of
from rules.text.news import clean_news, news_paragraphs
from rules.text.prose import plain_paragraphs
from rules.text.wikitext import CleaningConfig
from rules.verdict import Reason, Verdict
from transforms.guard import ChildDied, DeadlineExceeded, Guard

# Far above the slowest honest page (half a second) and above what a page just under the caps takes.
DEADLINE_S = 60.0
# Address space of the parser's process; a page just under the caps stays far below.
MEMORY_LIMIT = 3 << 30
# Characters from which the language of what is no prose can be told.
_ENOUGH_TO_TELL = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsConfig:
    """What becomes of web pages and plain text; wikitext has neither bylines nor the wrong language.

    Attributes:
        languages: ISO 639-1 codes of what is wanted, or ``any`` alone.
        keep_boilerplate: whether bylines, datelines, credits and the site's own lines stay.
    """

    languages: tuple[str, ...] = ("en",)
    keep_boilerplate: bool = False

    def __post_init__(self) -> None:
        check_languages(self.languages)


class Cleaner:
    """Cleans documents one by one: caps first, then the parser behind a guard. Not bound to Beam.

    Args:
        config: what cleaning keeps.
        news: what becomes of web pages and plain text.
        caps: what wikitext is refused before the parser sees it.
        page_caps: what web pages are.
        deadline_s: seconds for one page; a page that needs longer is tried once more, then refused.
        memory_limit: bytes of address space for each parser's process.
    """

    def __init__(
        self, *, config: CleaningConfig = CleaningConfig(), news: NewsConfig = NewsConfig(), caps: Caps = Caps(),
        page_caps: PageCaps = PageCaps(), deadline_s: float = DEADLINE_S, memory_limit: int | None = MEMORY_LIMIT,
    ) -> None:
        self._caps, self._page_caps, self._news = caps, page_caps, news
        self._wanted = frozenset(news.languages) - {ANY}
        limits = {"deadline_s": deadline_s, "memory_limit": memory_limit}
        self._wikitext = Guard("rules.text.wikitext:clean_wikitext", keywords={"config": config}, **limits)
        self._html = Guard(
            "rules.text.html:extract_article", keywords={"keep_lists": config.keep_lists}, **limits)
        self._by_markup: dict[str, Callable[[RawDocument], CleanDocument | Reject]] = {
            "wikitext": self._clean_wikitext, "html": self._clean_html, "plain": self._clean_plain}

    def clean(self, document: RawDocument) -> CleanDocument | Reject:
        """Returns the cleaned document, or a Reject of stage ``clean``.

        Raises:
            ValueError: a markup that nothing here can clean.
            RemoteError: the cleaning code itself failed; the page is named in a note.
        """
        cleaner = self._by_markup.get(document.markup)
        if cleaner is None:
            raise ValueError(
                f"document {document.id}: markup {document.markup!r} is not one of {', '.join(self._by_markup)}")
        return cleaner(document)

    def close(self) -> None:
        """Ends the parsers' processes."""
        self._wikitext.close()
        self._html.close()

    def _clean_wikitext(self, document: RawDocument) -> CleanDocument | Reject:
        verdict = check_caps(document.text, self._caps)
        sections = _guarded(self._wikitext, document, document.text) if verdict.accepted else verdict
        if isinstance(sections, Verdict):
            return _reject(document, sections)
        return _cleaned(document, sections) if sections else _reject(document, Verdict(Reason.NO_PROSE))

    def _clean_html(self, document: RawDocument) -> CleanDocument | Reject:
        verdict = check_page(document.text, self._page_caps)
        payload = (document.text, document.metadata.url)
        article = _guarded(self._html, document, payload) if verdict.accepted else verdict
        if isinstance(article, Verdict):
            return _reject(document, article)
        return self._finished(_described(document, article), article.paragraphs)

    def _clean_plain(self, document: RawDocument) -> CleanDocument | Reject:
        split = plain_paragraphs if self._news.keep_boilerplate else news_paragraphs
        return self._finished(document, split(document.text))

    def _finished(self, document: RawDocument, paragraphs: tuple[str, ...]) -> CleanDocument | Reject:
        """The common end of web pages and plain text: language, then the article's own lines."""
        prose = paragraphs if self._news.keep_boilerplate else clean_news(
            paragraphs, title=document.title, author=document.metadata.author,
            site=document.metadata.site)
        text = "\n".join(prose or paragraphs)
        language = language_of(text, self._wanted)
        if self._wanted and language not in self._wanted and (prose or len(text) >= _ENOUGH_TO_TELL):
            return _reject(document, Verdict(Reason.LANGUAGE, language))
        if not prose:
            return _reject(document, Verdict(Reason.NO_PROSE))
        document = replace(document, metadata=replace(document.metadata, language=language))
        return _cleaned(document, (Section("", 1, prose),))


def _guarded(guard: Guard, document: RawDocument, payload: Any) -> Any:
    """Returns what the guarded code makes of a document, or a Verdict when it is not done in time or dies."""
    try:
        return guard.call(payload)
    except DeadlineExceeded as error:
        return Verdict(Reason.DEADLINE, f"{error}; tried twice")
    except ChildDied as error:
        return Verdict(Reason.PARSER_DIED, f"{error}; tried twice")
    except Exception as error:
        error.add_note(f"while cleaning {document.id} ({document.title or document.metadata.url!r})")
        raise


def _described(document: RawDocument, article: Article) -> RawDocument:
    """Returns the document with what its page says of itself; what the source knew stays where the page is silent."""
    known = document.metadata
    return replace(document, title=article.title or document.title, metadata=Metadata(
        url=article.url or known.url, site=article.site or known.site, author=article.author or known.author,
        published=article.published or known.published, language=known.language, record=known.record,
        fetched=known.fetched,
    ))


def _cleaned(document: RawDocument, sections: tuple[Section, ...]) -> CleanDocument:
    return CleanDocument(
        id=document.id, source=document.source, title=document.title, sections=sections, revision=document.revision,
        timestamp=document.timestamp, file=document.file, offset=document.offset, range_key=document.range_key,
        metadata=document.metadata,
    )


def _reject(document: RawDocument, verdict: Verdict) -> Reject:
    assert verdict.reason is not None
    return Reject(
        id=document.id, reason=verdict.reason, stage="clean", detail=verdict.detail, title=document.title,
        file=document.file, offset=document.offset, range_key=document.range_key,
    )


class _CleanFn(beam.DoFn):
    def __init__(self, **options: Any) -> None:
        self._options = options
        self._cleaner: Cleaner | None = None

    def setup(self) -> None:
        self._cleaner = Cleaner(**self._options)

    def process(self, element: Any) -> Iterator[Any]:
        assert self._cleaner is not None
        yield self._cleaner.clean(element) if isinstance(element, RawDocument) else element

    def teardown(self) -> None:
        if self._cleaner is not None:
            self._cleaner.close()


class CleanDocuments(beam.PTransform):
    """RawDocument -> CleanDocument or Reject; everything else passes unchanged. Arguments as for Cleaner."""

    def __init__(
        self, config: CleaningConfig = CleaningConfig(), news: NewsConfig = NewsConfig(), caps: Caps = Caps(),
        page_caps: PageCaps = PageCaps(), deadline_s: float = DEADLINE_S, memory_limit: int | None = MEMORY_LIMIT,
    ) -> None:
        super().__init__()
        self._options = {"config": config, "news": news, "caps": caps, "page_caps": page_caps, "deadline_s": deadline_s,
                         "memory_limit": memory_limit}
        Cleaner(**self._options).close()  # fails at construction when an option is bad

    def expand(self, documents: beam.PCollection) -> beam.PCollection:
        """Applies the cleaner to every element."""
        return documents | "Clean" >> beam.ParDo(_CleanFn(**self._options))
