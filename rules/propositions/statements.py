"""The statements of a document: each sentence is split, and each part made to stand alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import ClassVar

from gistmill.core import deadline
from gistmill.core.options import Options, option
from gistmill.core.records import Reason
from gistmill.core.values import SHARE, one_of, whole
from gistmill.rules.coreference.lexicon import kinds_of_noun
from gistmill.rules.discofuse import verdicts
from gistmill.rules.discofuse.checks import DiscoFuseReason
from gistmill.rules.discofuse.config import PRECISIONS, DiscoFuseConfig
from gistmill.rules.discofuse.nouns.references import NUMBERS
from gistmill.rules.discofuse.parse import NOUNS, Parse, Word, Words
from gistmill.rules.discofuse.splitter import LONGEST_SENTENCE, Splitter
from gistmill.rules.documents import AnnotatedDocument, natural_text
from gistmill.rules.languages.language import english_words
from gistmill.rules.propositions import open_references
from gistmill.rules.propositions.antecedents import Antecedents, Decontextualisation, printed, stand_alone
from gistmill.rules.propositions.completion import Replaced, names_its_subject
from gistmill.rules.propositions.facts import Fact, facts
from gistmill.rules.propositions.open_references import OpenKind
from gistmill.rules.propositions.splitting import LEAST, Part, described, divided, quality

GRAINS = ("sentence", "clause", "fact")


@dataclass(frozen=True, kw_only=True)
class PropositionsConfig(Options):
    """Options of the recipe. The levels of ``precision`` are those of ``discofuse``."""

    GROUP: ClassVar[str] = "recipe"

    grain: str = option(
        one_of(*GRAINS),
        default="clause",
        help="granularity of the statements: sentence, no splits; clause, splits by the discofuse rules; fact, "
        "also a separate fact for each modifier, list item, date and place",
    )
    precision: str = option(
        one_of(*PRECISIONS),
        default="balanced",
        help="strict: fewer but more reliable splits, facts and replacements; generous: more of them but more "
        "errors. Sets the default of --min-coref-confidence",
    )
    min_coref_confidence: float | None = option(
        SHARE,
        metavar="P",
        help="minimum confidence of a coreference link required to replace a mention (default: 0.92, 0.84 or "
        "0.7 depending on --precision)",
    )
    max_antecedent_tokens: int = option(
        whole(1), default=8, unit="tokens", help="maximum number of tokens in a mention's replacement"
    )

    @property
    def splits(self) -> DiscoFuseConfig:
        """Options of the splitting rules, which accept any text and keep its marks."""
        return DiscoFuseConfig(precision=self.precision, ascii_only=False, keep_marks=True)

    @property
    def coref_cut(self) -> float:
        """Minimum confidence of a link: ``min_coref_confidence``, or the default for the precision."""
        return self.splits.coref_cut if self.min_coref_confidence is None else self.min_coref_confidence


# Minimum quality of a fact. Recall and accuracy at each level: benchmarks/readings/propositions.md
LEAST_QUALITY = {"strict": 0.96, "balanced": 0.86, "generous": 0.0}


class PropositionsReason(Reason):
    """Why a sentence or document yields no proposition."""

    NO_PROPOSITIONS = "no sentence in the document states anything"
    STATES_TOO_LITTLE = "a sentence has too few tokens for a subject, a verb and a final mark"
    STATES_WITHOUT_STOPS = "a sentence is far too long: the text lacks full stops"
    STATES_A_QUESTION = "a question asserts nothing"
    STATES_NO_VERB = "a sentence has no verb"
    STATES_NO_SUBJECT = "a sentence begins with its verb, and its subject is elsewhere"
    STATES_NO_BEGINNING = "a sentence begins in lower case, unlike most of the text, so its beginning may be missing"
    STATES_NO_END = "a sentence has no final punctuation, so its end may be missing"
    STATES_RESIDUE = "a sentence contains leftover punctuation or markup"
    STATES_NO_LAST_PART = "the last word of a sentence requires a continuation"


_WORD = re.compile(r"\w+")


def is_nameless(words: Words, parse: Parse, title: str) -> bool:
    """Whether a statement does not name its document's subject, such as "Spring is short" in a document about Kent.
    Without a title, whether it names nothing and is in the past or gives a figure.

    Args:
        words: the words of the statement, after mentions were replaced.
        parse: the parse before.
        title: title of the document.
    """
    names = _WORD.findall(title.partition(" (")[0])
    subject = {name.lower() for name in names} - english_words("propositions", "title_words")
    if subject:
        said = [w for before, w in zip((None, *words), words, strict=False) if _is_said(before, w, subject)]
        return not said or _is_given_name(said, names)
    if any((w.pos == "PROPN" or w.entity) and w.entity[2:] not in NUMBERS for w in words):
        return False
    counted = any(w.tag == "CD" and w.text[0].isdigit() for w in words)
    return (counted or parse.past(parse.root())) and any(w.pos in NOUNS for w in words)


def _is_said(before: Word | None, word: Word, subject: Collection[str]) -> bool:
    """Whether a word is in the title and does not end another name, as in "Clare Island" or "Elsa Einstein"."""
    if word.text.lower() not in subject and word.lemma.lower() not in subject:
        return False
    if before is None or before.pos != "PROPN" or before.text.lower() in subject or not word.text[0].isupper():
        return True
    if kinds_of_noun(before.text.lower()) or before.text.endswith("."):
        return True  # "President Lincoln", "J. Lincoln"
    return not before.entity.endswith("PERSON") and not kinds_of_noun(word.text.lower())


def _is_given_name(said: Sequence[Word], names: Sequence[str]) -> bool:
    """Whether words of a title are only a person's first name: "Ada" for "Ada Lovelace", but not "Elizabeth" for
    "Elizabeth II" or "Leonardo" for "Leonardo da Vinci". Surnames that come first count as first names."""
    if len(names) < 2 or not all(name.istitle() for name in names):
        return False
    return all(w.text == names[0] and w.entity[2:] in ("", "PERSON") for w in said)


def open_kind(words: Words) -> OpenKind | None:
    """Returns why a phrase that replaces a mention does not itself stand alone: "the man" and "the head of the house"
    are definite, "her father" has a pronoun. None if it does: "the head of Kent".

    Args:
        words: the phrase.
    """
    if any(w.tag in ("PRP", "PRP$") and not any(v.pos == "PROPN" for v in words[:k]) for k, w in enumerate(words)):
        return OpenKind.PRONOUN
    if words[0].text.lower() != "the":
        return None
    if any(w.pos == "PROPN" or (w.entity and w.entity[2:] not in NUMBERS) for w in words):
        return None
    told = any(w.pos == "ADP" for w in words) and not any(w.text == "the" for w in words[1:])
    return None if told else OpenKind.DEFINITE


_OF_VERDICTS: dict[Reason, PropositionsReason] = {
    DiscoFuseReason.TOO_SHORT: PropositionsReason.STATES_TOO_LITTLE,
    DiscoFuseReason.NO_END: PropositionsReason.STATES_NO_END,
    DiscoFuseReason.RESIDUE: PropositionsReason.STATES_RESIDUE,
}
_INITIAL = re.compile(r"[A-HJ-UWYZ]\.")  # excludes Roman numerals: "Charles V."


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Words in a statement that it does not explain.

    Attributes:
        kind: their kind.
        text: the words as in the statement; "" if the whole statement lacks something.
        start, end: the corresponding tokens of the sentence; -1 for words written by a rule.
    """

    kind: OpenKind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement made from a sentence.

    Attributes:
        text: the statement as natural text.
        pieces: (sentence, start, end) of the tokens that make up the statement, in order. For a replaced mention they
            are the antecedent's.
        operations: the operations, in order: "SPLIT SINGLE_RELATIVE", "STATE participle", "DELETE however ,", "REPLACE
            she by Ada (0.97)".
        replaced: the mentions that were replaced.
        unresolved: the words that do not stand alone.
        with_title: whether it stands alone for a reader of the document's and section's titles.
        quality: probability that it contains no error, computed from its links and splits.
    """

    text: str
    pieces: tuple[tuple[int, int, int], ...]
    operations: tuple[str, ...]
    replaced: tuple[Replaced, ...]
    unresolved: tuple[Unresolved, ...]
    with_title: bool
    quality: float


@dataclass(frozen=True, slots=True)
class Divided:
    """A sentence with its statements.

    Attributes:
        index: index of the sentence in the document.
        whole: the sentence with all its splits.
        statements: its statements, in the order of the sentence.
    """

    index: int
    whole: Part
    statements: tuple[Statement, ...]


class PropositionExtractor:
    """Makes the statements of documents, without keeping state between them.

    Attributes:
        least_quality: minimum quality of a fact, depending on the precision.
    """

    def __init__(self, config: PropositionsConfig) -> None:
        self._config, self.least_quality = config, LEAST_QUALITY[config.precision]
        self._splitter = Splitter(config.splits)

    def sentences(self, document: AnnotatedDocument) -> Iterator[tuple[int, Divided | Reason]]:
        """Yields each sentence's index, and its statements or the reason why it has none.

        Args:
            document: the parsed document, with its coreference.
        """
        parses = [Parse(s) for s in document.sentences]
        antecedents = self.antecedents(document, parses)
        # Whether the text has no capitals, judging by the first words of most sentences: then a lower-case first word
        # does not show that the beginning of a sentence is missing.
        openings = [parse.tokens[0].text for parse in parses if parse.tokens and parse.tokens[0].text.isalpha()]
        lower_case = 2 * sum(text.islower() for text in openings) > len(openings)
        for index, parse in enumerate(parses):
            deadline.check()
            problem = _problem(parse, lower_case=lower_case)
            if problem is not None:
                yield index, problem
                continue
            unsplit = Part(parse, tuple(range(len(parse))))
            whole = unsplit if self._config.grain == "sentence" else divided(parse, self._splitter)
            # Sorted by the position of a part's first word, so that a part cut out of another follows it.
            leaves = sorted(
                whole.leaves(), key=lambda leaf: min((origin for origin in leaf[0].origins if origin >= 0), default=0)
            )
            stated = (fact for part, path in leaves for fact in self._facts(part, path))
            made = [self._statement(fact, index, antecedents, document) for fact in stated]
            # different facts may become identical when mentions are replaced
            unique = {statement.text: statement for statement in reversed(made)}
            yield index, Divided(index, whole, tuple(unique.values())[::-1])

    def _facts(self, part: Part, path: Sequence[Part]) -> Iterator[Fact]:
        """Yields the part, or its facts, with the operations on the sentence."""
        above = tuple(map(described, path))
        right = quality(sum(each.split is not None for each in path))
        for fact in facts(part, self.least_quality) if self._config.grain == "fact" else (Fact(part, ()),):
            yield fact._replace(operations=(*above, *fact.operations), quality=right * fact.quality)

    def antecedents(self, document: AnnotatedDocument, parses: Sequence[Parse]) -> Antecedents:
        """Returns the antecedents of a document's mentions."""
        return Antecedents(
            document.clusters,
            parses,
            title=document.origin.title,
            section_titles=document.section_titles,
            max_tokens=self._config.max_antecedent_tokens,
            cut=self._config.coref_cut,
        )

    def _statement(self, fact: Fact, index: int, antecedents: Antecedents, document: AnnotatedDocument) -> Statement:
        part = fact.part
        standing = stand_alone(part, index, antecedents)
        left = unresolved(part, standing, document.origin.title)
        of_title = {part.origins[k] for k in standing.of_title}
        section = section_title(document, index)
        replaced = (
            f"REPLACE {natural_text(part.parse.sentence.tokens[r.start : r.end])} by {printed(r.words)} "
            f"({r.antecedent.confidence:.2f})"
            for r in standing.replaced
        )
        return Statement(
            text=printed(standing.words),
            pieces=tuple(_pieces(part, standing, index)),
            operations=(*fact.operations, *replaced),
            replaced=standing.replaced,
            unresolved=left,
            with_title=all(
                u.start in of_title or antecedents.completion.subject.tells(u.kind, u.text, section) for u in left
            ),
            quality=round(fact.quality * prod(r.antecedent.confidence for r in standing.replaced), 4),
        )


def section_title(document: AnnotatedDocument, index: int) -> str:
    """Returns the title of a sentence's section; "" for the lead, and for documents without section titles."""
    section = document.sentences[index].section
    return document.section_titles[section] if section < len(document.section_titles) else ""


def _problem(parse: Parse, *, lower_case: bool) -> Reason | None:
    """Returns the reason why a sentence states nothing. ``lower_case``: whether its text has no capitals."""
    if len(parse) > LONGEST_SENTENCE:
        return PropositionsReason.STATES_WITHOUT_STOPS
    if any(text == "?" for text in parse.lower[-2:]):
        return PropositionsReason.STATES_A_QUESTION
    reason = verdicts.of_sentence(parse.words, min_tokens=LEAST, ascii_only=False, as_written=True, whole=False)
    if reason is not None:
        return _OF_VERDICTS[reason]
    if not _closes_brackets(parse) or "[citation needed]" in natural_text(parse.sentence.tokens):
        return PropositionsReason.STATES_RESIDUE
    if not any(t.pos in ("VERB", "AUX") for t in parse.tokens):
        return PropositionsReason.STATES_NO_VERB
    opening = parse.tokens[0]
    if (
        opening.text.isalpha()
        and opening.text.islower()
        and not (lower_case or opening.pos == "PROPN" or opening.entity)
    ):
        return PropositionsReason.STATES_NO_BEGINNING
    root = parse.root()
    refers = parse.lower[root] == "see" and parse.tokens[root].tag in ("VB", "VBP")  # "For more, see List of mills."
    if ((opening.tag in ("VBD", "VBN", "VBZ") and root == 0) or refers) and parse.subject(root) is None:
        return PropositionsReason.STATES_NO_SUBJECT
    return PropositionsReason.STATES_NO_LAST_PART if _lacks_end(parse) else None


def _lacks_end(parse: Parse) -> bool:
    """Whether the last word requires a continuation, or is an initial, as in "by Jubal A."."""
    if _INITIAL.fullmatch(parse.tokens[-1].text) and parse.tokens[-2].pos == "PROPN":
        return True
    # parsers often miss the main verb of good sentences, so other grammar checks say little about whole ones
    judged = verdicts.of_sentence(parse.words, min_tokens=LEAST, ascii_only=False, whole=False)
    return judged is DiscoFuseReason.DANGLING


def _closes_brackets(parse: Parse) -> bool:
    """Whether brackets are nested, without a stray one: "c. 800) is a town". They may enclose several sentences."""
    brackets = [mark for text in parse.lower for mark in text if mark in "()[]"]  # also inside tokens: "218(b"
    if verdicts.balanced(brackets):
        return True
    opens, closes = parse.lower[0] == "(", parse.lower[-1] == ")"
    return (opens and verdicts.balanced(brackets[1:])) or (closes and verdicts.balanced(brackets[:-1]))


def unresolved(part: Part, standing: Decontextualisation, title: str) -> tuple[Unresolved, ...]:
    """Returns the words in a part that do not stand alone after its mentions are replaced, in order.

    Args:
        part: the part.
        standing: the part with its mentions replaced.
        title: title of the document.
    """
    found = [*open_references.find(part.parse, standing.explained, title=title), *standing.open]
    left = [(o.start, _unresolved(part, o.kind, o.start, o.end)) for o in found]
    for made in standing.replaced:
        kind = open_kind(made.words)
        if kind is not None:
            own = _unresolved(part, kind, made.start, made.end)
            left.append((made.start, replace(own, text=printed(made.words))))
    if not (left or names_its_subject(standing.words, part.parse)) and is_nameless(standing.words, part.parse, title):
        left.append((0, replace(_unresolved(part, OpenKind.NAMELESS, 0, len(part.parse)), text="")))
    return tuple(each for _, each in sorted(left, key=lambda pair: pair[0]))


def _unresolved(part: Part, kind: OpenKind, start: int, end: int) -> Unresolved:
    text = natural_text(part.parse.sentence.tokens[start:end])
    there = [o for o in part.origins[start:end] if o >= 0]
    return Unresolved(kind, text, there[0] if there else -1, there[-1] + 1 if there else -1)


def _pieces(part: Part, standing: Decontextualisation, index: int) -> list[tuple[int, int, int]]:
    given = {r.start: r for r in standing.replaced}
    found: list[tuple[int, int, int]] = []
    goes_on = False  # whether the last piece may continue with the next token
    k = 0
    while k < len(part.origins):
        made, origin = given.get(k), part.origins[k]
        if made is not None:
            there = [w.position for w in made.antecedent.words if w.position >= 0]
            if made.mention.kind == "date":
                found.append((index, made.mention.start, made.mention.end))
            if made.antecedent.mention.sentence >= 0 and there:
                found.append((made.antecedent.mention.sentence, min(there), max(there) + 1))
            goes_on, k = False, made.end
            continue
        if goes_on and origin == found[-1][2]:
            found[-1] = index, found[-1][1], origin + 1
        elif origin >= 0:
            found.append((index, origin, origin + 1))
        goes_on = origin >= 0
        k += 1
    return found
