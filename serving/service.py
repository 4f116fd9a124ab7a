"""Request processing, independent of HTTP."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from starlette.exceptions import HTTPException

from gistmill.serving.articles import (
    Extractor,
    Html,
    Plain,
    Source,
    Translation,
    Translators,
    read,
    translate,
)
from gistmill.serving.batching import Batcher
from gistmill.serving.config import ENGLISH, ServingConfig
from gistmill.serving.engines import (
    Article,
    Engines,
    SentencePair,
    Summary,
    WholeText,
    extracted,
    fuse,
    split,
    state,
)
from gistmill.serving.schemas import (
    FuseRequest,
    HtmlRequest,
    PropositionsRequest,
    ResolveRequest,
    SectionsRequest,
    SplitRequest,
    SummarizeRequest,
    TextRequest,
)

T = TypeVar("T")
R = TypeVar("R")
_TOKEN = re.compile(r"\w+|[^\w\s]")


class Service:
    """A service that answers requests with a worker's engines.

    Attributes:
        draining: whether the worker has been asked to stop.
    """

    def __init__(self, config: ServingConfig, engines: Engines, translators: Translators) -> None:
        self._config, self._engines = config, engines
        self.draining = False
        # one thread: JSON parsing holds the interpreter lock, so the event loop waits for at most one body
        self._parser = ThreadPoolExecutor(1, thread_name_prefix="parse")
        self._batchers: list[Batcher[Any, Any]] = []
        self._split = self._batcher("split", split, _pair_length)
        self._fuse = self._batcher("fuse", partial(fuse, engines.fuser), _pair_length) if engines.fuser else None
        # one batcher for propositions and resolved texts: their engine must be called from one thread
        self._state = self._batcher("propositions", state, _text_length)
        self._summarize = self._batcher("summarize", engines.summarizer.summarize, _text_length)
        self._extractor = Extractor(config.timeout / 2, most=config.max_sentences)
        self._extract = self._batcher("extract", self._extractor.extract, lambda page: len(page.html))
        self._read = self._batcher("read", partial(read, most=config.max_sentences), _text_length)
        self._translate = self._batcher(
            "translate", partial(translate, translators), lambda asked: sum(map(len, asked.sentences))
        )

    def _batcher(
        self, name: str, work: Callable[[Sequence[T]], Sequence[R | Exception]], length: Callable[[T], int]
    ) -> Batcher[T, R]:
        made = Batcher[T, R](name, work, self._config, length)
        self._batchers.append(made)
        return made

    def start(self) -> None:
        """Starts processing; must be called in the event loop."""
        for batcher in self._batchers:
            batcher.start()

    async def stop(self) -> None:
        """Stops processing and everything started for it."""
        for batcher in self._batchers:
            await batcher.stop()
        self._extractor.close()
        self._parser.shutdown(wait=False, cancel_futures=True)

    @asynccontextmanager
    async def quiet(self) -> AsyncIterator[None]:
        """Pauses all engines within the context, so that urgent work does not compete for the interpreter."""
        async with AsyncExitStack() as stack:
            for batcher in self._batchers:
                await stack.enter_async_context(batcher.free)
            yield

    def busy_since(self) -> float | None:
        """Returns the start time of the longest-running batch, or None if no engine is working."""
        return min((b.busy_since for b in self._batchers if b.busy_since is not None), default=None)

    async def parsed(self, parse: Callable[..., T], *arguments: Any) -> T:
        """Returns the result of parsing a body, outside the event loop and one body at a time.

        Raises:
            TimeoutError: too many bodies were ahead in the queue.
        """
        async with asyncio.timeout(self._config.timeout):
            return await asyncio.get_running_loop().run_in_executor(self._parser, parse, *arguments)

    async def split(self, body: SplitRequest) -> dict[str, Any]:
        """Splits sentences by the DiscoFuse rules; rejected candidates include the reason."""
        pairs = self._pairs(body)
        found = await self._split.answers(pairs, self._deadline())
        rows = zip(pairs, found, strict=True)
        return {"results": [{"first": p.first, "second": p.second, "examples": each} for p, each in rows]}

    async def fuse(self, body: FuseRequest) -> dict[str, Any]:
        """Fuses two sentences into one text.

        Raises:
            HTTPException: 501 if no model on this server can fuse.
        """
        if self._fuse is None or self._engines.fuser is None:
            raise HTTPException(501, f"this server does not fuse sentences: {self._engines.no_fuser}")
        pairs = self._pairs(body)
        found = await self._fuse.answers(pairs, self._deadline())
        results = [{"first": p.first, "second": p.second, **each} for p, each in zip(pairs, found, strict=True)]
        return {"model": self._engines.fuser.name, "results": results}

    async def propositions(self, body: PropositionsRequest) -> dict[str, Any]:
        """Cuts a text into propositions: statements that stand alone, or else list the words that need context."""
        found = await self._stated(body, resolve=False)
        kept = [each for each in found["propositions"] if each["resolved"] or not body.resolved_only]
        return {**found, "propositions": kept}

    async def resolve(self, body: ResolveRequest) -> dict[str, Any]:
        """Replaces pronouns and short mentions in a text with their antecedents, where these are certain."""
        return await self._stated(body, resolve=True)

    async def _stated(self, request: PropositionsRequest | ResolveRequest, *, resolve: bool) -> dict[str, Any]:
        """Processes a text; raises HTTPException if it is too long."""
        size, most = len(request.text), self._config.max_text
        if size > most:
            raise HTTPException(422, f"text: it has {size} characters; at most {most} are accepted (--max-text)")
        text = WholeText(
            text=request.text,
            title=" ".join(request.title.split()),
            precision=request.precision,
            grain="clause" if isinstance(request, ResolveRequest) else request.grain,
            resolve=resolve,
        )
        (found,) = await self._state.answers([text], self._deadline())
        return found

    async def summarize(self, body: SummarizeRequest) -> dict[str, Any]:
        """Summarizes an article, given as text, as a web page or as sections.

        Raises:
            HTTPException: 422 if no translator is configured for the article's language.
            TooLongError: the article has too many sentences.
        """
        language = body.language or (body.market.split("-")[0] if body.market else ENGLISH)
        if language not in self._config.languages:
            raise HTTPException(
                422,
                f"no translator is configured for the language {language!r}; available languages: "
                f"{', '.join(self._config.languages)}",
            )
        deadline = self._deadline()
        source = await self._source(body, deadline)
        sentences = sum(map(len, source.paragraphs))
        article = Article(title=source.title, paragraphs=source.paragraphs)
        if language != ENGLISH and sentences:
            article = await self._in_english(article, language, deadline)
        summary = Summary("", (), 0)
        if article.paragraphs:
            (summary,) = await self._summarize.answers([article], deadline)
        said, text = list(summary.sentences), summary.text
        if language != ENGLISH and said:
            wanted = Translation(language, summary.sentences, back=True)
            (found,) = await self._translate.answers([wanted], deadline)
            said = [each for each in found if each]
            text = " ".join(said)
        engine = self._engines.summarizer
        paragraphs = [" ".join(paragraph) for paragraph in source.paragraphs]
        more = {}
        if body.explain:
            more["explanation"] = await asyncio.to_thread(extracted, paragraphs, text)
        return {
            "model": engine.name,
            "baseline": engine.is_baseline,
            "language": language,
            "market": body.market,
            "title": source.title,
            "summary": text,
            "sentences": said,
            "read": reading(sentences, article, summary),
            "paragraphs": paragraphs,
            "why": source.why,
            **more,
        }

    async def _source(self, request: TextRequest | HtmlRequest | SectionsRequest, deadline: float) -> Source:
        title = " ".join(request.title.split())
        if isinstance(request, HtmlRequest):
            (found,) = await self._extract.answers([Html(html=request.html, url=request.url, title=title)], deadline)
            return found
        if isinstance(request, TextRequest):
            plain = Plain(text=request.text, title=title, is_news=True)
        else:  # the model reads no headings
            plain = Plain(text="\n\n".join(p for section in request.sections for p in section.paragraphs), title=title)
        (found,) = await self._read.answers([plain], deadline)
        return found

    async def _in_english(self, article: Article, language: str, deadline: float) -> Article:
        """Returns the article in English, without the sentences that the translator cannot read."""
        (found,) = await self._translate.answers([Translation(language, article.sentences)], deadline)
        texts = iter(found)
        paragraphs = [tuple(text for _ in paragraph if (text := next(texts))) for paragraph in article.paragraphs]
        return Article(title=article.title, paragraphs=tuple(filter(None, paragraphs)))

    def _deadline(self) -> float:
        return asyncio.get_running_loop().time() + self._config.timeout

    def _pairs(self, request: SplitRequest | FuseRequest) -> list[SentencePair]:
        """Returns the pairs; raises HTTPException if a sentence is too long."""
        config, wanted = self._config, request.model_dump(exclude={"pairs"})
        wanted["type"] = wanted.pop("discourse_type", None)
        pairs = [SentencePair(first=p.first.strip(), second=p.second.strip(), **wanted) for p in request.pairs]
        for number, pair in enumerate(pairs):
            for name, text in (("first", pair.first), ("second", pair.second)):
                if len(text) > config.max_characters:
                    found = (
                        f"it has {len(text)} characters; at most {config.max_characters} are read (--max-characters)"
                    )
                elif (tokens := sum(1 for _ in _TOKEN.finditer(text))) > config.max_tokens:
                    found = f"it has {tokens} tokens; at most {config.max_tokens} are read (--max-tokens)"
                else:
                    continue
                raise HTTPException(422, f"pairs.{number}.{name}: {found}")
        return pairs


def _pair_length(pair: SentencePair) -> int:
    return len(pair.first) + len(pair.second)


def _text_length(item: Article | Plain | WholeText) -> int:
    return len(item.text)


def reading(sentences: int, article: Article, summary: Summary) -> Mapping[str, Any]:
    """Returns the response's ``read`` field: how much of an article the model has read.

    Args:
        sentences: number of sentences in the original article.
        article: the article in English.
        summary: the summary of the article.
    """
    characters, given = len(article.text), article.sentences
    read, end = 0, 0
    for sentence in given:
        end += len(sentence) + (1 if read else 0)
        if end > summary.read:
            break
        read += 1
    untranslated = sentences - len(given)
    notes = []
    if untranslated:
        notes.append(f"{untranslated} of {sentences} sentences could not be translated.")
    if summary.read < characters:
        notes.append(f"The model has read the first {read} of {len(given)} sentences.")
    return {
        "complete": not notes,
        "sentences": read,
        "of_sentences": sentences,
        "characters": min(summary.read, characters),
        "of_characters": characters,
        "note": f"{' '.join(notes)} The others have no part in the summary." if notes else None,
    }
