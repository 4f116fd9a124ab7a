"""Statements of a text, and its mentions resolved: what Python, the command line and the server call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Self

from gistmill.core.text_output import short_repr
from gistmill.pipelines.documents import annotate
from gistmill.rules.documents import AnnotatedDocument, natural_text
from gistmill.rules.propositions import resolution
from gistmill.rules.propositions.resolution import Places
from gistmill.rules.propositions.statements import (
    Divided,
    PropositionExtractor,
    PropositionsConfig,
    Statement,
    Unresolved,
)

_CONFIG = PropositionsConfig()


@dataclass(frozen=True, slots=True)
class Open:
    """Words that need the text around them.

    Attributes:
        kind: ``PRONOUN``, ``SPEAKER``, ``DEMONSTRATIVE``, ``DEFINITE``, ``OTHER``, ``TIME``, ``PLACE``,
            ``CONNECTIVE`` or ``NAMELESS``.
        why: what the kind means.
        text: the words; "" where all of the statement lacks something.
        start, end: where the text has them, in characters; -1 for words that a rule has written.
    """

    kind: str
    why: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Proposition:
    """A statement of a text.

    Attributes:
        text: the statement.
        sentence: the sentence that it is made of.
        start, end: where the text has the sentence, in characters (code points).
        pieces: where the text has each piece that the statement is made of: (start, end), in its own order.
        operations: what was done to the sentence, in order.
        resolved: whether nothing in it needs the text around it.
        unresolved: what does.
        quality: probability that splits and replacements are right, as far as they tell.
    """

    __repr__ = short_repr

    text: str
    sentence: str
    start: int
    end: int
    pieces: tuple[tuple[int, int], ...]
    operations: tuple[str, ...]
    resolved: bool
    unresolved: tuple[Open, ...]
    quality: float


@dataclass(frozen=True, slots=True)
class RejectedSentence:
    """A sentence of a text that gives no statement.

    Attributes:
        sentence: the sentence.
        start, end: where the text has it, in characters.
        reason: ``STATES_A_QUESTION`` or another reason for which ``gistmill propositions`` rejects a sentence.
        why: what the reason means.
    """

    sentence: str
    start: int
    end: int
    reason: str
    why: str


class Propositions(tuple[Proposition, ...]):
    """The statements of a text, in order.

    Attributes:
        rejected: the sentences that give none, in order.
    """

    rejected: tuple[RejectedSentence, ...]

    def __new__(cls, statements: Iterable[Proposition], rejected: Iterable[RejectedSentence] = ()) -> Self:
        made = super().__new__(cls, statements)
        made.rejected = tuple(rejected)
        return made


@dataclass(frozen=True, slots=True)
class ResolvedText:
    """A text with its mentions resolved.

    Attributes:
        text: it.
        replaced: the mentions that have given way, in order; see ``gistmill.rules.propositions.resolution.Resolved``.
        unresolved: what still needs the text around it.
    """

    __repr__ = short_repr

    text: str
    replaced: tuple[resolution.Resolved, ...]
    unresolved: tuple[Open, ...]


def propositions(
    text: str,
    *,
    title: str = "",
    config: PropositionsConfig = _CONFIG,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> Propositions:
    """Returns the statements of a text, in order. Its ``rejected`` has the sentences that give none, such as questions.

    Models are loaded at the first call and kept.

    Args:
        text: any number of sentences, in English; blank lines separate paragraphs.
        title: title of the text, whose subject is a likely antecedent.
        config: the options of the recipe.
        spacy_model: a package or a folder; None for the default.
        coref: name of the coreference resolver.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: the text is empty, or there is no such resolver.
    """
    document, places = _parsed(text, title, spacy_model, coref)
    statements: list[Proposition] = []
    rejected: list[RejectedSentence] = []
    for index, found in PropositionExtractor(config).sentences(document):
        if isinstance(found, Divided):
            statements += [_proposition(statement, index, document, places) for statement in found.statements]
        else:
            rejected.append(RejectedSentence(*_sentence(index, document, places), found.name, found.value))
    return Propositions(statements, rejected)


def resolve(
    text: str,
    *,
    title: str = "",
    config: PropositionsConfig = _CONFIG,
    spacy_model: str | None = None,
    coref: str = "sieve",
) -> ResolvedText:
    """Returns a text in which pronouns and short mentions have given way to what they mean, where that is sure.

    Args:
        text, title, config, spacy_model, coref: as for ``propositions``.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: the text is empty, or there is no such resolver.
    """
    document, places = _parsed(text, title, spacy_model, coref)
    made = resolution.resolve(document, PropositionExtractor(config), places)
    return ResolvedText(made.text, made.resolved, tuple(_open(u, index, places) for index, u in made.unresolved))


def as_json(found: Proposition | RejectedSentence | ResolvedText) -> dict[str, Any]:
    """Returns the values of a result as JSON has them."""
    return asdict(found)


def _parsed(text: str, title: str, spacy_model: str | None, coref: str) -> tuple[AnnotatedDocument, Places]:
    if not text.strip():
        raise ValueError("the text is empty")
    document = annotate(text, title=title, spacy_model=spacy_model, coref=coref)
    return document, Places(document, text)


def _proposition(statement: Statement, index: int, document: AnnotatedDocument, places: Places) -> Proposition:
    sentence, start, end = _sentence(index, document, places)
    return Proposition(
        text=statement.text,
        sentence=sentence,
        start=start,
        end=end,
        pieces=tuple(places.span(*piece) for piece in statement.pieces),
        operations=statement.operations,
        resolved=not statement.unresolved,
        unresolved=tuple(_open(u, index, places) for u in statement.unresolved),
        quality=statement.quality,
    )


def _sentence(index: int, document: AnnotatedDocument, places: Places) -> tuple[str, int, int]:
    """A sentence, and where the text has it."""
    tokens = document.sentences[index].tokens
    return natural_text(tokens), *places.span(index, 0, len(tokens))


def _open(found: Unresolved, index: int, places: Places) -> Open:
    start, end = places.span(index, found.start, found.end) if found.start >= 0 else (-1, -1)
    return Open(found.kind.name, found.kind.value, found.text, start, end)
