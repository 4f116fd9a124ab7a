"""Cataphora: a participle phrase before the main clause gets its subject (paper, Table 14, row 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gistmill.rules.discofuse import morphology
from gistmill.rules.discofuse.checks import Check, first_reason
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.noun_phrases import core
from gistmill.rules.discofuse.nouns.references import is_personal, quantified
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason as R
from gistmill.rules.discofuse.subordination.participles import (
    joined_participles,
    main_subject,
    opening_participle,
    with_subject,
)

# Prepositions and nouns in -ing that open sentences.
_NOT_PARTICIPLES = frozenset(
    """
    king spring morning evening nothing something everything anything thing ring wing string during according
    regarding concerning depending owing notwithstanding following
    """.split()
)
# Participles that have become prepositions, or are about who tells it: "Judging by the price".
_PREPOSITIONS = frozenset(
    """
    pending barring excluding considering including beginning starting leading counting excepting allowing judging
    """.split()
)
# What a thing may do without anybody acting. Another participle before a thing is about who reads or acts: "Heading
# south , the gap is ten miles wide".
_OF_THINGS = frozenset(
    """
    being having becoming containing comprising consisting covering spanning extending stretching measuring weighing
    standing lying rising running flowing falling dating belonging remaining lasting opening closing featuring bearing
    holding carrying serving facing overlooking bordering surrounding connecting linking ranging reaching growing
    ending occurring appearing forming representing costing numbering totaling totalling scoring winning
    losing selling entering leaving debuting peaking premiering arriving departing originating emerging developing
    operating working reducing increasing making giving causing providing
    """.split()
)
# What these say is mostly said of a fact or an event, not of a person: "Reflecting the split , Ann and Bob left".
_OF_FACTS = frozenset(
    """
    adding capping completing complicating compounding confirming contrasting demonstrating echoing emphasizing
    exemplifying highlighting illustrating indicating marking mirroring proving reflecting rounding showing signaling
    signalling suggesting symbolizing underlining underscoring stemming resulting arising deriving ensuing
    """.split()
)
_OTHER_PARTS = frozenset(("csubj", "csubjpass", "nsubj", "amod", "compound"))
_GENERIC = frozenset(("one", "you", "we", "there"))
_THINGS = frozenset(("it", "this", "that", "there", "these", "those"))


@dataclass(frozen=True, slots=True)
class CataphoraMatch:
    """The comma at ``comma`` closes the participle phrase; the main clause's subject is at ``subject``, if it is
    found."""

    comma: int
    subject: int | None


def find(parse: Parse) -> CataphoraMatch | None:
    """Finds a sentence that opens with a present participle and has a comma later."""
    first, word = parse.tokens[0], parse.lower[0]
    commas = [c for c in parse.commas if 0 < c < len(parse) - 2]
    if not word.endswith("ing") or word in _NOT_PARTICIPLES or not commas or not morphology.is_word(word, upos="VERB"):
        return None
    subject = main_subject(parse, after=commas[0])
    # one taken for a second subject of the main verb may pass: "Assuming the worst , they compared"
    if first.dep in _OTHER_PARTS and (subject is None or first.head != parse.tokens[subject].head):
        return None
    return CataphoraMatch(commas[0] if subject is None else _closing(parse, commas, subject), subject)


def find_all(parse: Parse) -> Iterator[CataphoraMatch]:
    """As ``find``: there is one at most."""
    match = find(parse)
    if match is not None:
        yield match


def _closing(parse: Parse, commas: list[int], subject: int) -> int:
    """The first comma behind the phrase, before the main subject."""
    before = [c for c in commas if c < parse.left_edge(subject)]
    participle = opening_participle(parse)
    end = parse.right_edge(participle) if parse.tokens[participle].head != participle else 0
    return next((c for c in before if c > end), (before or commas[:1])[-1])


def apply(parse: Parse, match: CataphoraMatch) -> Halves:
    """Gives the phrase the main clause's subject and a finite verb; the main clause is the second half."""
    phrase, second = parse.words[: match.comma], parse.words[match.comma + 1 :]
    if match.subject is None:
        return Halves(first=phrase, second=second, boundary=match.comma + 1, problem=R.NO_SUBJECT)
    joined = joined_participles(parse, match.comma)
    made = with_subject(parse, phrase, match.subject, joined=joined or ())
    problem = first_reason(CHECKS, parse, match.subject)
    problem = problem or (R.SHARED_PART if joined is None else R.NO_SUBJECT if made is None else None)
    return Halves(first=made or phrase, second=second, boundary=match.comma + 1, problem=problem)


def _is_cut(parse: Parse, subject: int) -> bool:
    """Whether the subject ends, or begins, with an insertion that goes on: it has one comma of two."""
    return sum(word.text == "," for word in core(parse, subject)) % 2 == 1


def _is_of_nobody(parse: Parse, subject: int) -> bool:
    """Whether the participle has become a preposition, or the subject is anybody, or none, or one of many."""
    if parse.lower[0] in _PREPOSITIONS or parse.lower[subject] in _GENERIC:
        return True
    return quantified(parse, subject) or is_empty(parse, subject)


def _is_of_another(parse: Parse, subject: int) -> bool:
    """Whether the subject is a thing and the participle is of one who acts, or the other way round."""
    word, token = parse.lower[0], parse.tokens[subject]
    body = token.entity[2:] in ("ORG", "NORP", "GPE") or token.pos == "PROPN" and not token.entity
    person = is_personal(parse, subject) or token.pos == "PRON" and parse.lower[subject] not in _THINGS
    return word in _OF_FACTS if body or person else word not in _OF_THINGS | _OF_FACTS


CHECKS: tuple[Check[int], ...] = (
    Check("participle.cut", R.CLAUSE_CUT, _is_cut,
          "Leaving Leeds at night, Lee, with Ben and his men, met a clerk.", "Going home, Bob saw a dog."),
    Check("participle.of-nobody", R.DANGLING_PARTICIPLE, _is_of_nobody,
          "Walking through the hall, you see old mills on the left.", "Going home, Bob saw a dog."),
    Check("participle.of-another", R.DANGLING_PARTICIPLE, _is_of_another,
          "Heading far south, one gap closed last year.", "Stretching far south, one gap closed last year."),
)  # fmt: skip
