"""What the server does with a request, apart from HTTP."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from serving.articles import Extractor, Source, of_sections, of_text, to_article
from serving.batching import Batcher
from serving.config import ENGLISH, ServingConfig
from serving.engines import Article, Fusions, SentencePair, Summary
from serving.opening import Engines
from serving.problems import Problem
from serving.schemas import FuseRequest, HtmlRequest, SectionsRequest, SplitRequest, TextRequest
from serving.translating import Translating

_TOKEN = re.compile(r"\w+|[^\w\s]")


class Service:
    """Answers requests with the engines of a worker.

    Args:
        config: the options.
        engines: opened.
        translating: the translators, opened.
    """

    def __init__(self, config: ServingConfig, engines: Engines, translating: Translating) -> None:
        self._config, self._engines, self._translating = config, engines, translating
        self._split = Batcher[SentencePair, list[dict[str, Any]]]("split", engines.splitter.split, config)
        self._fuse = Batcher[SentencePair, Fusions]("fuse", engines.fuser.fuse, config) if engines.fuser else None
        self._summarize = Batcher[Article, Summary]("summarize", engines.summarizer.summarize, config)
        self._extractor = Extractor(config.timeout / 2)
        self._pages = asyncio.Semaphore(1)  # the extractor has one process

    @property
    def batchers(self) -> list[Batcher[Any, Any]]:
        """The batchers of all engines."""
        return [b for b in (self._split, self._fuse, self._summarize) if b is not None]

    def start(self) -> None:
        """Begins to work; called in the event loop."""
        for batcher in self.batchers:
            batcher.start()

    async def stop(self) -> None:
        """Ends the work and what was started for it."""
        for batcher in self.batchers:
            await batcher.stop()
        self._extractor.close()

    def busy_since(self) -> float | None:
        """When the batch began that is worked on for the longest time; None where no engine works."""
        return min((b.busy_since for b in self.batchers if b.busy_since is not None), default=None)

    async def split(self, request: SplitRequest) -> dict[str, Any]:
        """Returns the answer of /v1/split."""
        pairs = [
            SentencePair(first=pair.first.strip(), second=pair.second.strip(), tokenized=request.tokenized)
            for pair in request.pairs
        ]
        self._check(pairs)
        found = await self._split.answers(pairs)
        return {"results": [{"first": p.first, "second": p.second, "examples": each} for p, each in zip(pairs, found)]}

    async def fuse(self, request: FuseRequest) -> dict[str, Any]:
        """Returns the answer of /v1/fuse.

        Raises:
            Problem: 501, nothing here can fuse.
        """
        if self._fuse is None or self._engines.fuser is None:
            raise Problem(501, f"this server fuses no sentences: {self._engines.no_fuser}")
        pairs = [
            SentencePair(
                first=pair.first.strip(),
                second=pair.second.strip(),
                discourse_type=request.discourse_type,
                connective=request.connective,
                n=request.n,
                tokenized=request.tokenized,
            )
            for pair in request.pairs
        ]
        self._check(pairs)
        found = await self._fuse.answers(pairs)
        return {
            "model": self._engines.fuser.name,
            "results": [
                {"first": p.first, "second": p.second, "fusions": [asdict(f) for f in each.fusions], "why": each.why}
                for p, each in zip(pairs, found)
            ],
        }

    async def summarize(self, request: TextRequest | HtmlRequest | SectionsRequest) -> dict[str, Any]:
        """Returns the answer of /v1/summarize.

        Raises:
            Problem: 422, an article in a language that nothing translates, or with too many sentences.
        """
        language = request.language or (request.market.split("-")[0] if request.market else ENGLISH)
        if language not in self._config.languages:
            raise Problem(
                422,
                f"no translator is configured for the language {language!r}; there are "
                f"{', '.join(self._config.languages)}",
            )
        source = await self._source(request)
        sentences = sum(map(len, source.paragraphs))
        if sentences > self._config.max_sentences:
            raise Problem(422, f"the article has {sentences} sentences; at most {self._config.max_sentences} are read")
        summary, article = Summary((), 0), None
        if source.paragraphs:
            article = to_article(source)
            if language != ENGLISH:
                article = await asyncio.to_thread(self._translating.to_english, language, article)
            if article.paragraphs:
                (summary,) = await self._summarize.answers([article])
        said = summary.sentences
        if language != ENGLISH and said:
            said = tuple(await asyncio.to_thread(self._translating.from_english, language, said))
        engine = self._engines.summarizer
        return {
            "model": engine.name,
            "baseline": engine.is_baseline,
            "language": language,
            "market": request.market,
            "title": source.title,
            "summary": " ".join(said),
            "sentences": list(said),
            "read": reading(source, article, summary),
            "paragraphs": [" ".join(paragraph) for paragraph in source.paragraphs],
            "why": source.why,
        }

    async def _source(self, request: TextRequest | HtmlRequest | SectionsRequest) -> Source:
        title = " ".join(request.title.split())
        if isinstance(request, TextRequest):
            return of_text(request.text, title)
        if isinstance(request, SectionsRequest):
            return of_sections([(section.title, section.paragraphs) for section in request.sections], title)
        async with self._pages:
            return await asyncio.to_thread(self._extractor.extract, request.html, request.url, title)

    def _check(self, pairs: Sequence[SentencePair]) -> None:
        """Raises Problem for too many pairs or too long sentences."""
        config = self._config
        if len(pairs) > config.max_pairs:
            raise Problem(422, f"pairs: there are {len(pairs)}; at most {config.max_pairs} can be sent at once")
        for number, pair in enumerate(pairs):
            for name, text in (("first", pair.first), ("second", pair.second)):
                if len(text) > config.max_characters:
                    found = f"it has {len(text)} characters; at most {config.max_characters} are read"
                elif (tokens := token_count(text)) > config.max_tokens:
                    found = f"it has {tokens} tokens; at most {config.max_tokens} are read"
                else:
                    continue
                raise Problem(422, f"pairs.{number}.{name}: {found}")


def token_count(text: str) -> int:
    """Returns the words and punctuation marks of a text."""
    return sum(1 for _ in _TOKEN.finditer(text))


def reading(source: Source, article: Article | None, summary: Summary) -> Mapping[str, Any]:
    """Returns how much of an article the model has read, in numbers and words."""
    there = sum(map(len, source.paragraphs))
    given = article.sentences if article else ()
    characters = len(article.text) if article else 0
    read, end = 0, 0
    for sentence in given:
        end += len(sentence) + (1 if read else 0)
        if end > summary.read:
            break
        read += 1
    complete = read == there and summary.read >= characters
    note = None
    if not complete:
        note = f"The model has read the first {read} of {there} sentences; the others have no part in the summary."
    return {
        "complete": complete,
        "sentences": read,
        "of_sentences": there,
        "characters": min(summary.read, characters),
        "of_characters": characters,
        "note": note,
    }
