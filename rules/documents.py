"""A document at each stage: RawDocument -> CleanDocument -> AnnotatedDocument (or SegmentedDocument).

Each is a record of ``core/records.py`` and made by a stage of its own; a recipe turns the last into an Outcome.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from gistmill.core.records import FromDocument
from gistmill.core.short_repr import short_repr


@dataclass(frozen=True, slots=True)
class RawDocument(FromDocument):
    """A document as its source gives it.

    Attributes:
        text: it, in the markup.
        markup: ``wikitext``, ``parsoid``, ``html`` or ``plain``.
        namespaces: numbers and names of the namespaces of files, categories and media, as the wiki of a page has them.
    """

    __repr__ = short_repr

    text: str
    markup: str
    namespaces: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A titled run of paragraphs; the lead section has the title "" and level 1."""

    title: str
    level: int
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CleanDocument(FromDocument):
    """A document as sections of paragraphs of plain prose.

    Attributes:
        sections: them, in order.
        earlier: the document as an older dataset has it, whose equal paragraphs need not be parsed again.
    """

    __repr__ = short_repr

    sections: tuple[Section, ...]
    earlier: AnnotatedDocument | None = None


class Token(NamedTuple):
    """One token. A NamedTuple, because a document holds tens of thousands and it is three times as fast to make.

    Attributes:
        text: the characters, never empty.
        space: whether white space follows in the original text.
        tag: fine (Penn Treebank) tag.
        pos: coarse (Universal) tag.
        dep: dependency label (ClearNLP labels, as spaCy's English models give them).
        head: index of the head in the same sentence; its own index for the root.
        lemma: lemma.
        entity: "" outside entities, else ``B-TYPE`` or ``I-TYPE`` (OntoNotes types).
    """

    text: str
    space: bool
    tag: str
    pos: str
    dep: str
    head: int
    lemma: str
    entity: str = ""


Spaced = tuple[str, bool, *tuple[Any, ...]]  # a Token, or another tuple that begins with its text and space


def natural_text(tokens: Iterable[Spaced]) -> str:
    """Returns the tokens' text with its original spacing and no space at the end."""
    return "".join([t[0] + " " if t[1] else t[0] for t in tokens]).rstrip()


def tokenised_text(tokens: Iterable[Spaced]) -> str:
    """Returns the tokens joined by single spaces."""
    return " ".join([t[0] for t in tokens])


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; ``section`` and ``paragraph`` count from 0 over the document."""

    tokens: tuple[Token, ...]
    section: int = 0
    paragraph: int = 0


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of an entity: tokens [start, end) of a sentence.

    Attributes:
        sentence: index of the sentence in the document.
        start, end, head: token indices in that sentence.
        kind: ``name``, ``pronoun`` or ``nominal``.
        confidence: probability in [0, 1] of the link to the cluster; 1.0 for the mention that opens it.
    """

    sentence: int
    start: int
    end: int
    head: int
    kind: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class AnnotatedDocument(FromDocument):
    """A parsed document.

    Attributes:
        sentences: all of them, in order.
        clusters: the coreference clusters over the whole document, mentions in text order.
        section_titles: the titles of the sections; the lead section has an empty one.
        paragraph_digests: a hash of the text of each paragraph, by which a later run knows it again.
    """

    __repr__ = short_repr

    sentences: tuple[Sentence, ...]
    clusters: tuple[tuple[Mention, ...], ...] = ()
    section_titles: tuple[str, ...] = ()
    paragraph_digests: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownDocument(FromDocument):
    """A document whose text has not changed since an older dataset parsed it: there it is ``earlier``."""

    earlier: AnnotatedDocument


@dataclass(frozen=True, slots=True)
class TextSentence:
    """A sentence as plain text; ``section`` and ``paragraph`` count from 0 over the document."""

    text: str
    section: int = 0
    paragraph: int = 0


@dataclass(frozen=True, slots=True)
class SegmentedDocument(FromDocument):
    """A document as sentences of plain text, for recipes that need no parse."""

    __repr__ = short_repr

    sentences: tuple[TextSentence, ...]
    section_titles: tuple[str, ...] = ()
