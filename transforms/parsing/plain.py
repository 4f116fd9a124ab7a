"""Sentences from spaCy's Docs, as ``nlp.pipe`` makes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from spacy.language import Language
from spacy.tokens import Doc, Span

from gistmill.rules.documents import Sentence, Token

PIPE_BATCH = 64


class Passage(NamedTuple):
    """A text to parse, and where it stands in its document."""

    text: str
    section: int = 0
    paragraph: int = 0


class SentenceParser(Protocol):
    """Parses passages. The sentences of a passage depend on its text alone."""

    def sentences(self, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """Returns the sentences of each passage; none for white space."""

    def whole(self, texts: Sequence[str | Sequence[str]]) -> list[Sentence]:
        """Returns each text as one sentence, whatever the parser would think. A text is given as it is, or as its
        tokens; it has something else than white space, and no white space but single spaces."""


class PlainParser:
    """Parses by ``nlp.pipe``, with any model."""

    def __init__(self, nlp: Language) -> None:
        self._nlp = nlp

    def sentences(self, passages: Sequence[Passage]) -> list[list[Sentence]]:
        """See SentenceParser.sentences. spaCy's memory is freed after the last passage."""
        with self._nlp.memory_zone():
            docs = self._nlp.pipe((p.text for p in passages), batch_size=PIPE_BATCH)
            return [
                sentences_of(doc, section=p.section, paragraph=p.paragraph)
                for doc, p in zip(docs, passages, strict=True)
            ]

    def whole(self, texts: Sequence[str | Sequence[str]]) -> list[Sentence]:
        """See SentenceParser.whole."""
        with self._nlp.memory_zone():
            docs = self._nlp.pipe((one_sentence(self._nlp, text) for text in texts), batch_size=PIPE_BATCH)
            found = [sentence_of(doc[:]) for doc in docs]
        return [sentence for sentence in found if sentence is not None]


def one_sentence(nlp: Language, text: str | Sequence[str]) -> Doc:
    """Returns a text, or its tokens, as a Doc in which the parser will find no second sentence."""
    doc = nlp.make_doc(text) if isinstance(text, str) else Doc(nlp.vocab, words=list(text))
    for token in doc:
        token.is_sent_start = token.i == 0
    return doc


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
