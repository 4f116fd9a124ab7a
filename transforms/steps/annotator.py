"""Parsing and coreference in plain Python: CleanDocuments in, AnnotatedDocuments out. ``annotate.py`` wires it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from spacy.tokens import Doc, Span

from rules.records import AnnotatedDocument, CleanDocument, Sentence, Token
from transforms.coreference import Resolver
from transforms.models import LoadedModel

# A paragraph beyond this is parsed in pieces: the parser's memory grows with the longest text of a batch.
MAX_CHARACTERS = 10_000
PIPE_BATCH = 64

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


def sentence_of(span: Span, *, section: int = 0, paragraph: int = 0) -> Sentence | None:
    """Turns a spaCy sentence into a Sentence; white-space tokens vanish. None when nothing else is left."""
    kept = [t for t in span if not t.is_space]
    if not kept:
        return None
    place = {t.i: k for k, t in enumerate(kept)}
    tokens = []
    for k, t in enumerate(kept):
        # a head that is white space or outside the sentence makes the token a root of its own
        head = place.get(t.head.i, k)
        space = bool(t.whitespace_) or (t.i + 1 < len(t.doc) and t.nbor().is_space)
        entity = f"{t.ent_iob_}-{t.ent_type_}" if t.ent_type_ else ""
        tokens.append(Token(t.text, space, t.tag_, t.pos_, t.dep_, head, t.lemma_, entity))
    return Sentence(tuple(tokens), section=section, paragraph=paragraph)


def sentences_of(doc: Doc, *, section: int = 0, paragraph: int = 0) -> list[Sentence]:
    """Turns a parsed spaCy Doc into Sentences."""
    made = (sentence_of(span, section=section, paragraph=paragraph) for span in doc.sents)
    return [s for s in made if s is not None]


class Annotator:
    """Annotates documents with one loaded model and one resolver. Not bound to Beam; ``split`` uses it too."""

    def __init__(self, model: LoadedModel, resolver: Resolver | None) -> None:
        self.model = model
        self._resolver = resolver

    def annotate(self, documents: Sequence[CleanDocument]) -> Iterator[AnnotatedDocument]:
        """Yields one AnnotatedDocument per document, in order. spaCy's memory is freed after the last."""
        texts = list(_texts(documents))
        nlp = self.model.nlp
        with nlp.memory_zone():
            parsed = nlp.pipe((text for text, *_ in texts), batch_size=PIPE_BATCH)
            sentences: list[list[Sentence]] = [[] for _ in documents]
            for doc, (_, number, section, paragraph) in zip(parsed, texts, strict=True):
                sentences[number].extend(sentences_of(doc, section=section, paragraph=paragraph))
        for document, found in zip(documents, sentences, strict=True):
            yield self._finish(document, tuple(found))

    def _finish(self, document: CleanDocument, sentences: tuple[Sentence, ...]) -> AnnotatedDocument:
        clusters = self._resolver.resolve(sentences, title=document.origin.title) if self._resolver else ()
        return AnnotatedDocument(document.origin, sentences, clusters, tuple(s.title for s in document.sections))


def _texts(documents: Iterable[CleanDocument]) -> Iterator[tuple[str, int, int, int]]:
    """Yields (text, document number, section, paragraph); paragraphs are numbered over the whole document."""
    for number, document in enumerate(documents):
        paragraph = 0
        for index, section in enumerate(document.sections):
            for text in section.paragraphs:
                for piece in segment(text):
                    yield piece, number, index, paragraph
                paragraph += 1
