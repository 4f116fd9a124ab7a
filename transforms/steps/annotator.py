"""Parsing and coreference in plain Python: CleanDocuments in, AnnotatedDocuments out. ``annotate.py`` wires it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rules.records import AnnotatedDocument, CleanDocument, Sentence
from transforms.coreference import Resolver
from transforms.models import LoadedModel
from transforms.parsing.choice import sentence_parser
from transforms.parsing.plain import Passage, SentenceParser

# A paragraph beyond this is parsed in pieces: the parser's memory grows with the longest text of a batch.
MAX_CHARACTERS = 10_000

_SENTENCE_GAP = re.compile(r"(?<=[.!?])\s")
_GAP = re.compile(r"\s")


def segment(paragraph: str, limit: int = MAX_CHARACTERS) -> list[str]:
    """Cuts a paragraph into pieces of at most ``limit`` characters: after a sentence end, else at white space, else
    in the middle of a word. Joined by spaces, the pieces are the paragraph (white space at the cuts folded)."""
    pieces = []
    rest = paragraph.strip()
    while len(rest) > limit:
        head = rest[:limit]
        stops = [m.start() for m in _SENTENCE_GAP.finditer(head)] or [m.start() for m in _GAP.finditer(head)] or [limit]
        pieces.append(rest[: stops[-1]].rstrip())
        rest = rest[stops[-1] :].lstrip()
    return [*pieces, rest] if rest else pieces


class Annotator:
    """Annotates documents with one loaded model and one resolver. Not bound to Beam.

    Args:
        model: the model.
        resolver: finds coreference; None for none.
        parser: parses with the model; None for the fastest way that the model allows.
    """

    def __init__(self, model: LoadedModel, resolver: Resolver | None, *, parser: SentenceParser | None = None) -> None:
        self._parser = parser or sentence_parser(model)
        self._resolver = resolver

    def annotate(self, documents: Sequence[CleanDocument]) -> Iterator[AnnotatedDocument]:
        """Yields one AnnotatedDocument per document, in order."""
        numbered = list(_passages(documents))
        sentences: list[list[Sentence]] = [[] for _ in documents]
        parsed = self._parser.sentences([passage for _, passage in numbered])
        for (number, _), found in zip(numbered, parsed, strict=True):
            sentences[number].extend(found)
        for document, all_found in zip(documents, sentences, strict=True):
            yield self._finish(document, tuple(all_found))

    def _finish(self, document: CleanDocument, sentences: tuple[Sentence, ...]) -> AnnotatedDocument:
        clusters = self._resolver.resolve(sentences, title=document.origin.title) if self._resolver else ()
        return AnnotatedDocument(document.origin, sentences, clusters, tuple(s.title for s in document.sections))


def _passages(documents: Iterable[CleanDocument]) -> Iterator[tuple[int, Passage]]:
    """Yields the number of the document and the passage; paragraphs are numbered over the whole document."""
    for number, document in enumerate(documents):
        paragraph = 0
        for index, section in enumerate(document.sections):
            for text in section.paragraphs:
                for piece in segment(text):
                    yield number, Passage(piece, index, paragraph)
                paragraph += 1
