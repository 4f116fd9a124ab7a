"""Cataphora: a participle phrase before the main clause gets its subject (paper, Table 14, row 5)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.discofuse.halves import Halves
from rules.discofuse.parse import SUBJECTS, Parse
from rules.discofuse.participles import main_subject, with_subject
from rules.verdict import Reason

# Participles that have become prepositions, and nouns in -ing that open sentences.
_PREPOSITIONS = frozenset(
    """
    according during following regarding concerning depending owing notwithstanding pending barring excluding
    considering including beginning starting
    """.split()
)
_NOT_PARTICIPLES = frozenset(
    """
    king spring morning evening nothing something everything anything thing ring wing string during according
    regarding concerning depending owing notwithstanding following
    """.split()
)
# Without an agent of its own such a phrase says how something is done, by whomever.
_INSTRUMENTS = frozenset(
    ("using", "employing", "applying", "assuming", "given", "speaking", "judging", "looking", "taking")
)


@dataclass(frozen=True, slots=True)
class CataphoraMatch:
    """The comma at ``comma`` closes the participle phrase; the main clause's subject is at ``subject``, if any."""

    comma: int
    subject: int | None


def find(parse: Parse) -> CataphoraMatch | None:
    """Finds a sentence that opens with a present participle and has a comma later."""
    first = parse.tokens[0]
    word = parse.lower[0]
    if not word.endswith("ing") or word in _NOT_PARTICIPLES:
        return None
    if first.tag != "VBG" and (
        first.tag not in ("NN", "NNP", "JJ", "IN")
        or parse.tokens[first.head].dep in SUBJECTS
        or first.dep in SUBJECTS
        or first.entity
    ):
        return None
    if first.dep in ("csubj", "csubjpass", "nsubj", "amod", "compound"):
        return None
    commas = [c for c in parse.commas if 0 < c < len(parse) - 2]
    if not commas:
        return None
    subject = main_subject(parse, after=commas[0])
    return CataphoraMatch(_closing(parse, commas, subject), subject)


def _closing(parse: Parse, commas: list[int], subject: int | None) -> int:
    """The first comma behind the phrase, before the main subject."""
    if subject is not None:
        before = [c for c in commas if c < parse.left_edge(subject)]
        phrase_end = parse.right_edge(0) if parse.tokens[0].head != 0 else 0
        behind = [c for c in before if c > phrase_end]
        if behind:
            return behind[0]
        if before:
            return before[-1]
    return commas[0]


def apply(parse: Parse, match: CataphoraMatch) -> Halves:
    """Gives the phrase the main clause's subject and a finite verb; the main clause is the second half."""
    words = parse.words
    phrase, second = words[: match.comma], words[match.comma + 1 :]
    problem = _problem(parse, match)
    made = with_subject(parse, phrase, match.subject) if match.subject is not None else None
    if made is None:
        return Halves(first=phrase, second=second, boundary=match.comma + 1, problem=problem or Reason.NO_SUBJECT)
    return Halves(first=made, second=second, boundary=match.comma + 1, problem=problem)


def _problem(parse: Parse, match: CataphoraMatch) -> Reason | None:
    word = parse.lower[0]
    if match.subject is None:
        return Reason.NO_SUBJECT
    passive = parse.tokens[match.subject].dep == "nsubjpass"
    if word in _PREPOSITIONS or word in _INSTRUMENTS and passive:
        return Reason.DANGLING_PARTICIPLE
    if parse.lower[match.subject] in ("there", "it") and parse.tokens[match.subject].dep == "expl":
        return Reason.DANGLING_PARTICIPLE
    return None
