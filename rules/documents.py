"""The document classes, one per stage: RawDocument -> CleanDocument -> AnnotatedDocument (or SegmentedDocument).

All are records (see ``core/records.py``); a recipe turns the last one into an Outcome.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from gistmill.core.records import FromDocument, Reason
from gistmill.core.text_output import short_repr


@dataclass(frozen=True, slots=True)
class RawDocument(FromDocument):
    """A document as read from its source.

    Attributes:
        text: the text, including markup.
        markup: ``wikitext``, ``parsoid``, ``html``, ``plain`` or ``markdown``.
        namespaces: numbers and names of the wiki's namespaces for files, categories and media.
    """

    __repr__ = short_repr

    text: str
    markup: str
    namespaces: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A titled run of paragraphs; the lead section's title is "" and its level 1."""

    title: str
    level: int
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CleanDocument(FromDocument):
    """A document divided into sections, which consist of plain prose paragraphs.

    Attributes:
        sections: the sections, in order.
        earlier: the annotated document from an older dataset; identical paragraphs need not be parsed again.
    """

    __repr__ = short_repr

    sections: tuple[Section, ...]
    earlier: AnnotatedDocument | None = None

    @property
    def text(self) -> str:
        """The paragraphs of all sections, separated by blank lines."""
        return "\n\n".join(paragraph for section in self.sections for paragraph in section.paragraphs)


class Token(NamedTuple):
    """One token. It is a NamedTuple because a document contains tens of thousands; creation is three times as fast.

    Attributes:
        text: the characters, never empty.
        space: whether white space follows in the original text.
        tag: fine (Penn Treebank) tag.
        pos: coarse (Universal) tag.
        dep: dependency label (ClearNLP labels, as spaCy's English models give them).
        head: index of the head in the same sentence; the token's own index for the root.
        lemma: lemma.
        entity: ``B-TYPE`` or ``I-TYPE`` (OntoNotes types), or "" outside entities.
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
    """A mention of an entity, consisting of the tokens [start, end) of a sentence.

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
        sentences: all sentences, in order.
        clusters: the document's coreference clusters, with mentions in text order.
        section_titles: the titles of the sections; that of the lead section is empty.
        paragraph_digests: a hash of each paragraph's text, used by later runs to recognise unchanged paragraphs.
    """

    __repr__ = short_repr

    sentences: tuple[Sentence, ...]
    clusters: tuple[tuple[Mention, ...], ...] = ()
    section_titles: tuple[str, ...] = ()
    paragraph_digests: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TextSentence:
    """A sentence as plain text; ``section`` and ``paragraph`` count from 0 over the document."""

    text: str
    section: int = 0
    paragraph: int = 0


@dataclass(frozen=True, slots=True)
class SegmentedDocument(FromDocument):
    """A document divided into plain-text sentences, for recipes that need no parse."""

    __repr__ = short_repr

    sentences: tuple[TextSentence, ...]
    section_titles: tuple[str, ...] = ()


class ReadReason(Reason):
    """Reasons why a source rejects a page, a response or a line."""

    BAD_XML = "the page is not well-formed XML"
    BAD_PAGE = "the page has no id or no title"
    EMPTY_PAGE = "the page has no text"
    NAMESPACE = "the page is not in a selected namespace"
    NOT_WIKITEXT = "the page contains not wikitext but, for example, JSON or CSS"
    REDIRECT = "the page is a redirect"
    DISAMBIGUATION = "the page is a disambiguation page"
    OLD_VERSION = (
        "another line of the snapshot contains a newer version of the page, or an earlier line the same version"
    )
    TOO_LARGE = "the document exceeds the size limit"
    BAD_RECORD = "the WARC record is malformed or does not contain an HTTP response"
    HTTP_STATUS = "the response status is not 200"
    NOT_HTML = "the response is not an HTML page"
    BAD_CODING = "the page's transfer or content coding cannot be decoded"
    BAD_LINE = "the line is not a JSON object with the required fields"
    NOT_TEXT = "the file is not UTF-8 text, or is truncated"


class PairReason(Reason):
    """Reasons why a source of pairs rejects a row."""

    BAD_ROW = "the row cannot be read, or a field has the wrong type"
    NO_TEXT = "the pair has no inputs or no targets"
    NO_ID = "the row has no ID, unlike others in its dataset"


class CleanReason(Reason):
    """Reasons why cleaning rejects a document."""

    TOO_MANY_OPENERS = "too many unclosed markup openers for the parser to handle in time"
    TOO_DEEP = "markup is nested deeper than the limit"
    DEADLINE = "the parser or the rules did not finish before the deadline"
    PARSER_DIED = "the parser process died on this document"
    EXTRACTOR_FAILED = "the article extractor raised an error on this page"
    NO_PROSE = "no prose paragraph is left after cleaning"
    LANGUAGE = "the text is not in a selected language"


class DuplicateReason(Reason):
    """Reasons why deduplication or decontamination rejects a document."""

    EXACT_DUPLICATE = "the document has the same words as another one"
    NEAR_DUPLICATE = "the document is nearly the same as another one"
    CONTAMINATED = "the document shares text with an evaluation set"


class DocumentReason(Reason):
    """Reasons for rejecting a document that several recipes share."""

    TOO_FEW_SENTENCES = "the document has too few sentences"


def meanings(*kinds: type[Reason]) -> dict[str, str]:
    """Returns the meaning of each reason in the enumerations, by name."""
    return {reason.name: str(reason.value) for kind in kinds for reason in kind}
