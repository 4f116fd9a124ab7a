"""Parsing and coreference without Beam, from CleanDocuments to AnnotatedDocuments; ``annotate.py`` adds Beam."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import NamedTuple

from gistmill.core.hashing import text_digest
from gistmill.core.manifest import PARSED, REUSED, REVISED
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, Sentence
from gistmill.transforms.coreference import Resolver
from gistmill.transforms.models import LoadedModel
from gistmill.transforms.parsing.fast import sentence_parser
from gistmill.transforms.parsing.plain import Passage, PlainParser

# Longer paragraphs are parsed in pieces: the parser's memory use grows with the longest text in a batch.
MAX_CHARACTERS = 10_000
_KNOWN_WORDS = 5  # the number of words that a cached paragraph adds to a batch

# A longer run without white space is not prose, and tokenizing it takes quadratic time. Only ASCII counts, because some
# other scripts are written without spaces.
_UNBROKEN = re.compile(r"[!-~]{300}(?=[!-~])")
_SENTENCE_GAP = re.compile(r"(?<=[.!?])\s")
_GAP = re.compile(r"\s")


def segment(paragraph: str, limit: int = MAX_CHARACTERS) -> list[str]:
    """Cuts a paragraph into pieces of at most ``limit`` characters: after a sentence, else at white space, else inside
    a word. Long runs of ASCII without white space are cut inside too. Only white space at the cuts is lost."""
    cuts = [0, *(m.end() for m in _UNBROKEN.finditer(paragraph)), len(paragraph)]
    return [piece for start, end in pairwise(cuts) for piece in _within(paragraph[start:end].strip(), limit)]


def _within(rest: str, limit: int) -> list[str]:
    pieces = []
    while len(rest) > limit:
        head = rest[:limit]
        stops = [m.start() for m in _SENTENCE_GAP.finditer(head)] or [m.start() for m in _GAP.finditer(head)] or [limit]
        pieces.append(rest[: stops[-1]].rstrip())
        rest = rest[stops[-1] :].lstrip()
    return [*pieces, rest] if rest else pieces


class Annotator:
    """Annotates documents with a loaded model and a resolver. Independent of Beam.

    Args:
        model: the model.
        resolver: the coreference resolver; None for none.
        parser: the parser for the model; None for the fastest one that supports it.
        same_resolver: whether the same resolver found the clusters in the documents' earlier forms.
    """

    def __init__(
        self,
        model: LoadedModel,
        resolver: Resolver | None,
        *,
        parser: PlainParser | None = None,
        same_resolver: bool = False,
    ) -> None:
        self._parser = parser or sentence_parser(model)
        self._resolver = resolver
        self._same_resolver = same_resolver

    def annotate(self, documents: Sequence[CleanDocument]) -> Iterator[AnnotatedDocument]:
        """Yields one AnnotatedDocument, with its clusters, per document, in order."""
        for document, parsed in zip(documents, self.parse(documents), strict=True):
            yield self.resolve(parsed, earlier=document.earlier)

    def parse(self, documents: Sequence[CleanDocument]) -> Iterator[AnnotatedDocument]:
        """Yields one AnnotatedDocument without clusters per document, in order. Sentences of paragraphs that are also
        in the document's earlier form are taken from there."""
        paragraphs = [paragraphs_of(document) for document in documents]
        passages = [
            [
                Passage(piece, p.section, number)
                for number, p in enumerate(of_document)
                if p.known is None
                for piece in segment(p.text)
            ]
            for of_document in paragraphs
        ]
        parsed = iter(self._parser.sentences(list(chain.from_iterable(passages))))
        for document, of_document, own in zip(documents, paragraphs, passages, strict=True):
            made = [[Sentence(s.tokens, p.section, n) for s in p.known or ()] for n, p in enumerate(of_document)]
            for passage in own:
                made[passage.paragraph].extend(next(parsed))
            yield AnnotatedDocument(
                document.origin,
                tuple(chain.from_iterable(made)),
                section_titles=tuple(s.title for s in document.sections),
                paragraph_digests=tuple(p.digest for p in of_document),
            )

    def resolve(self, document: AnnotatedDocument, *, earlier: AnnotatedDocument | None) -> AnnotatedDocument:
        """Returns the document with its clusters, copied from its earlier form if they would be the same."""
        title = document.origin.title
        known = earlier if self._same_resolver else None
        if known is not None and (document.sentences, title) == (known.sentences, known.origin.title):
            return replace(document, clusters=known.clusters)
        clusters = self._resolver.resolve(document.sentences, title=title) if self._resolver else ()
        return replace(document, clusters=clusters)


class Paragraph(NamedTuple):
    """A paragraph of a document.

    Attributes:
        text: its cleaned text.
        section: the number of its section.
        digest: a hash of the text.
        known: its sentences in the document's earlier form; None if that form lacks the paragraph.
    """

    text: str
    section: int
    digest: int
    known: Sequence[Sentence] | None


def work_for(document: CleanDocument) -> tuple[int, str]:
    """Returns the work that a document requires: the approximate number of words to parse, and the name of the count
    (see ``core/manifest.py``) to which it is added."""
    paragraphs = paragraphs_of(document)
    new = [p.text for p in paragraphs if p.known is None]
    # a known document takes memory too
    words = sum(text.count(" ") + 1 for text in new) + (len(paragraphs) - len(new)) * _KNOWN_WORDS
    return words, PARSED if len(new) == len(paragraphs) else REVISED if new else REUSED


def paragraphs_of(document: CleanDocument) -> list[Paragraph]:
    """Returns the paragraphs of a document, in order."""
    found: dict[int, list[Sentence]] = {}
    if document.earlier is not None:
        by_number: list[list[Sentence]] = [[] for _ in document.earlier.paragraph_digests]
        for sentence in document.earlier.sentences:
            by_number[sentence.paragraph].append(sentence)
        found = dict(zip(document.earlier.paragraph_digests, by_number, strict=True))
    return [
        Paragraph(text, section, digest := text_digest(text), found.get(digest))
        for section, content in enumerate(document.sections)
        for text in content.paragraphs
    ]
