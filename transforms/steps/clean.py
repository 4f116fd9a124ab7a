"""Cleaning of RawDocuments, which become CleanDocuments that contain only prose, or Rejects with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import apache_beam as beam
from typing_extensions import override

from gistmill.core.deadline import DeadlineExceeded
from gistmill.core.manifest import CLEAN, Part
from gistmill.core.options import HTML, MARKDOWN, PARSOID, PLAIN, WIKITEXT, option
from gistmill.core.records import Reject, Verdict
from gistmill.core.values import SWITCH, list_of, one_of
from gistmill.rules.documents import CleanDocument, CleanReason, RawDocument, Section
from gistmill.rules.languages.language import ENGLISH
from gistmill.rules.lineage import language_of
from gistmill.rules.news.article import PROSE, WHOLE, Article, Block, PageCaps, check_page
from gistmill.rules.news.story import clean_article, clean_news, news_paragraphs
from gistmill.rules.text.language import ANY, LANGUAGE, check_languages
from gistmill.rules.text.language import language_of as language_of_text
from gistmill.rules.text.markdown import markdown_sections
from gistmill.rules.text.prose import plain_paragraphs
from gistmill.rules.wiki.balance import Caps, check_caps
from gistmill.rules.wiki.page import Page
from gistmill.rules.wiki.wikitext import CleaningConfig
from gistmill.transforms.guard import ChildDied, Guard
from gistmill.transforms.reuse import LookUp, of_revision, part_of
from gistmill.transforms.sources.base import Source
from gistmill.transforms.steps.base import DeadlineConfig, Flow, Step

# Address space of the parser process; pages within the limits need far less.
MEMORY_LIMIT = 3 << 30
# Wikipedia pages contain more tags than news articles; the parser drops anything nested 2,048 levels deep.
_PARSOID_CAPS = PageCaps(characters=32 << 20, tags=1_000_000, depth=1000)
# Characters needed to identify the language of a text that is not prose.
_ENOUGH_TO_TELL = 200
_ENGLISH = frozenset((ENGLISH,))


@dataclass(frozen=True, kw_only=True)
class CleanConfig(DeadlineConfig):
    """The options for cleaning."""

    GROUP: ClassVar[str] = "cleaning"

    keep_lists: bool = option(
        SWITCH, default=False, markups=frozenset({WIKITEXT, PARSOID, HTML}), help="keep list items as paragraphs"
    )
    page_text: str = option(
        one_of(PROSE, WHOLE),
        default=PROSE,
        markups=frozenset({HTML}),
        help=f"parts of a web page to keep: `{PROSE}`, the paragraphs of its article, or `{WHOLE}`, its headings, "
        "lists, tables and code as well",
    )
    languages: tuple[str, ...] = option(
        list_of(LANGUAGE),
        default=("en",),
        metavar="CODES",
        markups=frozenset({HTML, PLAIN}),
        help=f"ISO 639-1 codes of the languages to keep, or `{ANY}`; the language is detected from "
        "the text if the document does not declare it",
    )
    keep_boilerplate: bool = option(
        SWITCH,
        default=False,
        markups=frozenset({HTML, PLAIN}),
        help="keep bylines, datelines, credits and a news site's own lines in the text",
    )

    def check(self) -> None:
        """Raises ValueError if ``any`` is combined with language codes."""
        check_languages(self.languages)


class Cleaner:
    """Cleans documents one by one: checks the limits first, then parses in a guarded process. Independent of Beam.

    Args:
        config: the options.
        caps: limits beyond which wikitext is rejected without parsing.
        page_caps: the same for web pages.
        memory_limit: the address space of each parser process, in bytes.
    """

    def __init__(
        self,
        config: CleanConfig = CleanConfig(),
        *,
        caps: Caps = Caps(),  # noqa: B008, frozen
        page_caps: PageCaps = PageCaps(),  # noqa: B008, frozen
        memory_limit: int | None = MEMORY_LIMIT,
    ) -> None:
        self._caps, self._page_caps, self._config = caps, page_caps, config
        self._wanted = frozenset(config.languages) - {ANY}
        limits: dict[str, Any] = {"deadline_s": config.parse_deadline, "memory_limit": memory_limit}
        wiki = {"config": CleaningConfig(keep_lists=config.keep_lists)}
        self._wikitext = Guard("gistmill.rules.wiki.wikitext:clean_page", keywords=wiki, **limits)
        self._parsoid = Guard("gistmill.rules.wiki.parsoid:clean_parsoid", keywords=wiki, **limits)
        target = min(self._wanted) if len(self._wanted) == 1 and self._wanted != _ENGLISH else ""
        news = {"view": config.page_text, "keep_lists": config.keep_lists, "language": target}
        self._html = Guard("gistmill.rules.news.html:extract_article", keywords=news, **limits)
        self._by_markup: dict[str, Callable[[RawDocument], CleanDocument | Reject]] = {
            WIKITEXT: self._clean_wiki,
            PARSOID: self._clean_wiki,
            HTML: self._clean_html,
            PLAIN: self._clean_plain,
            MARKDOWN: self._clean_markdown,
        }

    def clean(self, document: RawDocument) -> CleanDocument | Reject:
        """Returns the cleaned document, or a Reject from stage ``clean``.

        Raises:
            ValueError: the markup is not supported.
            RemoteError: the cleaning code itself failed; a note names the page.
        """
        cleaner = self._by_markup.get(document.markup)
        if cleaner is None:
            raise ValueError(
                f"document {document.id}: markup {document.markup!r} is not one of {', '.join(self._by_markup)}"
            )
        return cleaner(document)

    def close(self) -> None:
        """Stops the parser processes."""
        for guard in (self._wikitext, self._parsoid, self._html):
            guard.close()

    def _clean_wiki(self, document: RawDocument) -> CleanDocument | Reject:
        if document.markup == WIKITEXT:
            guard, verdict = self._wikitext, check_caps(document.text, self._caps)
        else:
            guard, verdict = self._parsoid, check_page(document.text, _PARSOID_CAPS)
        page = Page.of(document.origin.title, document.namespaces, language_of(document.origin))
        found = _guarded(guard, document, (document.text, page)) if verdict.accepted else verdict
        if found == ():
            found = Verdict(CleanReason.NO_PROSE)
        return _reject(document, found) if isinstance(found, Verdict) else CleanDocument(document.origin, found)

    def _clean_html(self, document: RawDocument) -> CleanDocument | Reject:
        verdict = check_page(document.text, self._page_caps)
        payload = (document.text, document.origin.metadata.url)
        article: Article | Verdict = _guarded(self._html, document, payload) if verdict.accepted else verdict
        if isinstance(article, Verdict):
            return _reject(document, article)
        # the page's own metadata takes precedence; the source's metadata fills the gaps
        known = document.origin.metadata
        told = {name: getattr(article, name) for name in ("url", "site", "author", "published", "extraction")}
        metadata = replace(known, **{name: value for name, value in told.items() if value})
        origin = replace(document.origin, title=article.title or document.origin.title, metadata=metadata)
        return self._finished(replace(document, origin=origin), article.blocks)

    def _clean_plain(self, document: RawDocument) -> CleanDocument | Reject:
        split = plain_paragraphs if self._config.keep_boilerplate else news_paragraphs
        return self._finished(document, tuple(map(Block, split(document.text))))

    def _clean_markdown(self, document: RawDocument) -> CleanDocument | Reject:
        sections = markdown_sections(document.text)
        return self._finished(document, tuple(Block(p) for section in sections for p in section.paragraphs), *sections)

    def _finished(self, document: RawDocument, blocks: tuple[Block, ...], *titled: Section) -> CleanDocument | Reject:
        """Finishes web pages and texts: detects the language if unknown, and finds the title lines if untitled."""
        origin, page = document.origin, document.origin.metadata
        paragraphs = tuple(block.text for block in blocks)
        language = page.language or (
            language_of_text("\n".join(paragraphs), self._wanted) if self._wanted != _ENGLISH else ""
        )
        known = {"title": origin.title, "author": page.author, "site": page.site, "language": language}
        if self._config.keep_boilerplate or titled:
            prose = paragraphs
        elif self._config.page_text == WHOLE and document.markup == HTML:
            prose = clean_article(blocks, **known)
        else:
            prose = clean_news(paragraphs, **known)
        text = "\n".join(prose or paragraphs)
        language = language or language_of_text(text, self._wanted)
        if self._wanted and language not in self._wanted and (prose or len(text) >= _ENOUGH_TO_TELL):
            return _reject(document, Verdict(CleanReason.LANGUAGE, language))
        if not prose:
            return _reject(document, Verdict(CleanReason.NO_PROSE))
        origin = replace(origin, metadata=replace(page, language=language))
        return CleanDocument(origin, titled or (Section("", 1, prose),))


def _guarded(guard: Guard, document: RawDocument, payload: Any) -> Any:
    """Returns the guarded code's result for a document, or a Verdict if it times out or the process dies."""
    try:
        return guard.call(payload)
    except DeadlineExceeded as error:
        return Verdict(CleanReason.DEADLINE, f"{error}; tried twice")
    except ChildDied as error:
        return Verdict(CleanReason.PARSER_DIED, f"{error}; tried twice")
    except Exception as error:
        error.add_note(f"while cleaning {document.id} ({document.origin.title or document.origin.metadata.url!r})")
        raise


def _reject(document: RawDocument, verdict: Verdict) -> Reject:
    assert verdict.reason is not None
    return document.origin.reject(verdict.reason, "clean", verdict.detail)


class CleanDocuments(beam.DoFn):
    """RawDocument -> CleanDocument or Reject; everything else passes through unchanged. Arguments as for Cleaner."""

    def __init__(self, config: CleanConfig = CleanConfig(), **limits: Any) -> None:
        self._config, self._limits = config, limits

    def setup(self) -> None:
        self._cleaner = Cleaner(self._config, **self._limits)

    def process(self, element: Any) -> Iterator[Any]:
        yield self._cleaner.clean(element) if isinstance(element, RawDocument) else element

    def teardown(self) -> None:
        self._cleaner.close()


class Clean(Step):
    """Cleans documents that are not yet parsed. It is costly, and a page may exceed its deadline in one pass only."""

    NAME = "Clean"
    CONFIG = CleanConfig
    REASONS = (CleanReason,)

    @classmethod
    @override
    def open(cls, config: CleanConfig, *, source: type[Source], wanted: type) -> Self | None:
        return cls(config) if source.DOCUMENT is RawDocument else None

    @override
    def apply(self, flow: Flow) -> Flow:
        if flow.store is not None and flow.store.cleaning:
            flow = flow.through("SkipCleaning", beam.ParDo(LookUp(flow.store, RawDocument, of_revision)))
        return flow.through(self.NAME, beam.ParDo(CleanDocuments(self._config)), costly=True)


def clean_parts(config: CleanConfig, markups: frozenset[str]) -> dict[str, Part]:
    """Returns the part of an annotation that determines the cleaned form of documents, by name.

    The revision determines that form only for wikitext: HTML also changes with the page's templates. The deadline does
    not affect pages that were cleaned.
    """
    if markups != {WIKITEXT}:
        return {}
    return {CLEAN: part_of((), ("mwparserfromhell",), keep_lists=config.keep_lists)}
