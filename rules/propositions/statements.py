"""The statements of a document: each sentence split, and each part made to stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from gistmill.core import deadline
from gistmill.core.verdict import Reason
from gistmill.rules.discofuse import verdicts
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.splitter import LONGEST_SENTENCE, Splitter
from gistmill.rules.documents import AnnotatedDocument, Token, natural_text
from gistmill.rules.propositions import open_references
from gistmill.rules.propositions.antecedents import Antecedents
from gistmill.rules.propositions.config import PropositionsConfig
from gistmill.rules.propositions.naming import is_nameless, open_kind
from gistmill.rules.propositions.open_references import Kind
from gistmill.rules.propositions.reasons import PropositionsReason
from gistmill.rules.propositions.splitting import LEAST, Part, described, divided, quality
from gistmill.rules.propositions.standing_alone import Replaced, Standing, printed, stand_alone

_OF_VERDICTS: dict[Reason, PropositionsReason] = {
    DiscoFuseReason.TOO_SHORT: PropositionsReason.STATES_TOO_LITTLE,
    DiscoFuseReason.NO_END: PropositionsReason.STATES_NO_END,
    DiscoFuseReason.RESIDUE: PropositionsReason.STATES_RESIDUE,
}
_INITIAL = re.compile(r"[A-HJ-UWYZ]\.")  # not a number: "Charles V."
_BRACKETS = frozenset("()[]")
_FINITE_FORMS = frozenset(("VBD", "VBN", "VBZ"))


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Words of a statement that it does not explain.

    Attributes:
        kind: of what kind they are.
        text: the words, as the statement has them; "" where all of it lacks something.
        start, end: the tokens of the sentence in their place; -1 where a rule has written them.
    """

    kind: Kind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement made of a sentence.

    Attributes:
        text: it, as natural text.
        pieces: (sentence, start, end): the tokens that it is made of, in its order. Those of a mention that has given
            way are the antecedent's.
        operations: what was done, in order: "SPLIT SINGLE_RELATIVE", "DELETE however ,", "REPLACE she by Ada (0.97)".
        replaced: the mentions that have given way.
        unresolved: what does not stand alone.
        quality: probability that it has no fault, as far as links and splits tell.
    """

    text: str
    pieces: tuple[tuple[int, int, int], ...]
    operations: tuple[str, ...]
    replaced: tuple[Replaced, ...]
    unresolved: tuple[Unresolved, ...]
    quality: float


@dataclass(frozen=True, slots=True)
class Divided:
    """A sentence with its statements.

    Attributes:
        index: of the sentence in the document.
        whole: the sentence with all its splits.
        statements: in their order in the sentence.
    """

    index: int
    whole: Part
    statements: tuple[Statement, ...]


class Stater:
    """Makes the statements of documents. It keeps no state between them."""

    def __init__(self, config: PropositionsConfig) -> None:
        self._config = config
        self._splitter = Splitter(config.splits)

    def sentences(self, document: AnnotatedDocument) -> Iterator[tuple[int, Divided | Reason]]:
        """Yields each sentence's index, and its statements or the reason for which it states nothing.

        Args:
            document: parsed, with its coreference.
        """
        parses = [Parse(s) for s in document.sentences]
        antecedents = self.antecedents(document, parses)
        for index, parse in enumerate(parses):
            deadline.check()
            problem = _problem(parse)
            if problem is not None:
                yield index, problem
                continue
            whole = divided(parse, self._splitter)
            leaves = sorted(whole.leaves(), key=lambda leaf: _begins(leaf[0]))
            made = [self._statement(part, path, index, antecedents, document) for part, path in leaves]
            yield index, Divided(index, whole, tuple(made))

    def antecedents(self, document: AnnotatedDocument, parses: Sequence[Parse]) -> Antecedents:
        """Returns the antecedents of a document's mentions."""
        return Antecedents(
            document.clusters,
            parses,
            title=document.origin.title,
            max_tokens=self._config.max_antecedent_tokens,
            cut=self._config.coref_cut,
        )

    def _statement(
        self, part: Part, path: Sequence[Part], index: int, antecedents: Antecedents, document: AnnotatedDocument
    ) -> Statement:
        standing = stand_alone(part, index, antecedents)
        splits = sum(above.split is not None for above in path)
        return Statement(
            text=printed(standing.words),
            pieces=tuple(_pieces(part, standing, index)),
            operations=(*map(described, path), *(_replacement(r, part.parse) for r in standing.replaced)),
            replaced=standing.replaced,
            unresolved=unresolved(part, standing, document.origin.title),
            quality=round(quality(splits) * prod(r.antecedent.confidence for r in standing.replaced), 4),
        )


def _problem(parse: Parse) -> Reason | None:
    """The reason for which a sentence states nothing."""
    if len(parse) > LONGEST_SENTENCE:
        return PropositionsReason.STATES_WITHOUT_STOPS
    if any(text == "?" for text in parse.lower[-2:]):
        return PropositionsReason.STATES_A_QUESTION
    reason = verdicts.of_sentence(parse.words, min_tokens=LEAST, ascii_only=False, as_written=True, whole=False)
    if reason is not None:
        return _OF_VERDICTS[reason]
    if not _closes_brackets(parse):
        return PropositionsReason.STATES_RESIDUE
    if not any(t.pos in ("VERB", "AUX") for t in parse.tokens):
        return PropositionsReason.STATES_NO_VERB
    if _lacks_beginning(parse.tokens[0]):
        return PropositionsReason.STATES_NO_BEGINNING
    if parse.tokens[0].tag in _FINITE_FORMS and parse.root() == 0 and parse.subject(0) is None:
        return PropositionsReason.STATES_NO_SUBJECT
    return PropositionsReason.STATES_NO_LAST_PART if _lacks_end(parse) else None


def _lacks_beginning(opening: Token) -> bool:
    return opening.text.isalpha() and opening.text.islower() and opening.pos != "PROPN" and not opening.entity


def _lacks_end(parse: Parse) -> bool:
    """Whether the last word needs something after it, or is an initial: "by Jubal A." goes on."""
    if _INITIAL.fullmatch(parse.tokens[-1].text) and parse.tokens[-2].pos == "PROPN":
        return True
    # parsers miss the main verb of good sentences, so that the other checks of grammar say little of a whole one
    judged = verdicts.of_sentence(parse.words, min_tokens=LEAST, ascii_only=False, whole=False)
    return judged is DiscoFuseReason.DANGLING


def _closes_brackets(parse: Parse) -> bool:
    """Whether brackets nest, so that no end of a bracket stands alone: "c. 800) is a town". They may enclose several
    sentences."""
    brackets = [mark for text in parse.lower for mark in text if mark in _BRACKETS]  # some words have them: "218(b"
    if verdicts.balanced(brackets):
        return True
    opens, closes = parse.lower[0] == "(", parse.lower[-1] == ")"
    return opens and verdicts.balanced(brackets[1:]) or closes and verdicts.balanced(brackets[:-1])


def _begins(part: Part) -> int:
    """Where the sentence has the first word of a part: what a rule has cut out of a part comes behind it."""
    return min((origin for origin in part.origins if origin >= 0), default=0)


def unresolved(part: Part, standing: Standing, title: str) -> tuple[Unresolved, ...]:
    """Returns what of a part does not stand alone once its mentions are replaced, in order.

    Args:
        part: it.
        standing: the same with its mentions replaced.
        title: title of the document.
    """
    found = open_references.find(part.parse, standing.explained, title=title)
    left = [(o.start, _unresolved(part, o.kind, o.start, o.end)) for o in found]
    for made in standing.replaced:
        kind = open_kind(made.words)
        if kind is not None:
            own = _unresolved(part, kind, made.start, made.end)
            left.append((made.start, replace(own, text=printed(made.words))))
    if not left and is_nameless(standing.words, part.parse, title):
        left.append((0, replace(_unresolved(part, Kind.NAMELESS, 0, len(part.parse)), text="")))
    return tuple(each for _, each in sorted(left, key=lambda pair: pair[0]))


def _unresolved(part: Part, kind: Kind, start: int, end: int) -> Unresolved:
    text = natural_text(part.parse.sentence.tokens[start:end])
    there = [o for o in part.origins[start:end] if o >= 0]
    return Unresolved(kind, text, there[0] if there else -1, there[-1] + 1 if there else -1)


def _pieces(part: Part, standing: Standing, index: int) -> Iterator[tuple[int, int, int]]:
    """The runs of tokens that the statement is made of."""
    given = {r.start: r for r in standing.replaced}
    run: tuple[int, int] | None = None
    k = 0
    while k < len(part.origins):
        made, origin = given.get(k), part.origins[k]
        if made is None and run is not None and origin == run[1]:
            run = run[0], origin + 1
            k += 1
            continue
        if run is not None:
            yield index, *run
            run = None
        if made is not None:
            there = [w.position for w in made.antecedent.words if w.position >= 0]
            if there:
                yield made.antecedent.mention.sentence, min(there), max(there) + 1
            k = made.end
            continue
        run = (origin, origin + 1) if origin >= 0 else None
        k += 1
    if run is not None:
        yield index, *run


def _replacement(made: Replaced, parse: Parse) -> str:
    old = natural_text(parse.sentence.tokens[made.start : made.end])
    return f"REPLACE {old} by {printed(made.words)} ({made.antecedent.confidence:.2f})"
