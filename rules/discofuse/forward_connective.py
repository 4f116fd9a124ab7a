"""Forward connectives: "Although A , B" (paper, Table 14, row 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gistmill.rules.coreference.lexicon import PLURAL, PRONOUNS
from gistmill.rules.discofuse.cataphora import main_subject, with_subject
from gistmill.rules.discofuse.checks import Check, Halves, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.connectives import FORWARD, MORE_INNER, Connective, by_first_word, match_at
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import agrees
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import NOUNS, PARTICIPLES, SUBJECTS, Parse, Words

_TABLE = by_first_word(*FORWARD)
_EXTENDED = by_first_word(*FORWARD, *MORE_INNER)


class ForwardMatch(NamedTuple):
    """A connective, words [0, end), whose clause is closed by the comma at ``comma``."""

    end: int
    comma: int
    text: str


def find(parse: Parse, table: dict[str, tuple[Connective, ...]] = _TABLE) -> ForwardMatch | None:
    """Finds a sentence that opens with a forward connective in the table and contains a later comma."""
    connective = match_at(table, parse.lower, 0)
    end = len(connective.words) if connective is not None else 0
    commas = [c for c in parse.commas if end < c < len(parse) - 2]
    if connective is None or not commas or parse.lower[end] == ",":
        return None
    return ForwardMatch(end, _closing(parse, commas), connective.text)


def find_all(parse: Parse) -> Iterator[ForwardMatch]:
    """Yields the match found by ``find`` among more connectives than those in C_f, if any."""
    return filter(None, [find(parse, _EXTENDED)])


def _closing(parse: Parse, commas: list[int]) -> int:
    """Returns the comma before the main subject, or else the first: "Although born in Bath , England , she ..."."""
    root = parse.root()
    subject = parse.subject(root)
    openings = (k for k in parse.children(root) if parse.left_edge(k) == 0)
    clause = next((k for k in openings if parse.tokens[k].dep in ("advcl", "prep")), None)
    if subject is None or clause is None:
        return commas[0]
    return next((c for c in commas if parse.right_edge(clause) < c < parse.left_edge(subject)), commas[0])


def apply(parse: Parse, match: ForwardMatch) -> Halves:
    """Splits at the comma; a first half with only a participle gets the main clause's subject and tense."""
    first, second = parse.words[match.end : match.comma], parse.words[match.comma + 1 :]
    problem = first_reason(CHECKS, parse, match)
    # in "Although building projects cost much" the participle belongs to the subject
    participle = bool(first) and first[0].tag in PARTICIPLES and first[0].dep not in ("csubj", "csubjpass")
    if participle and not any(w.dep in SUBJECTS and w.head == first[0].position for w in first):
        made = _with_main_subject(parse, match, first)
        problem = problem or (R.NO_SUBJECT if made is None else None)
        first = made or first
    return Halves(first=first, second=join(second), connective=match.text, boundary=match.comma + 1, problem=problem)


def _with_main_subject(parse: Parse, match: ForwardMatch, phrase: Words) -> Words | None:
    """Returns the participle phrase with the main clause's subject, in the past in cases such as "Since becoming a
    province , it has seen" and "In addition to writing , she has sung"."""
    subject = main_subject(parse, after=match.comma)
    if subject is None or parse.in_quotation(subject):
        return None
    perfect = parse.perfect(parse.tokens[subject].head) and not match.text.endswith("though")
    return with_subject(parse, phrase, subject, past=True if match.text == "since" or perfect else None)


def _opens_no_clause(parse: Parse, match: ForwardMatch) -> bool:
    if parse.tokens[0].dep == "prep" and parse.child(0, "pobj") is not None:
        return match.end == 1  # "Since 1945 , the mill"
    with_clause = match.text in ("although", "though", "even though", "since")
    return with_clause and not 0 < parse.tokens[match.end - 1].head < match.comma


def _points_forward(parse: Parse, match: ForwardMatch) -> bool:
    """Whether a pronoun in the clause may refer to the main clause's subject or its possessor ("Although he lost ,
    Lincoln", "Since he came , Lincoln's fame"), unless the clause mentions a possible antecedent before it."""
    noun = main_subject(parse, after=match.comma)
    if noun is None or parse.lower[noun] in PRONOUNS:
        return False
    owners = (k for k in parse.children(noun) if parse.tokens[k].dep == "poss" and parse.lower[k] not in PRONOUNS)
    meant = (noun, *owners)
    return any(_may_mean(parse, k, meant, match) for k in range(match.end, match.comma))


def _may_mean(parse: Parse, position: int, nouns: Sequence[int], match: ForwardMatch) -> bool:
    """Whether the word is a pronoun that agrees with one of the nouns, and with no earlier noun in its own clause."""
    gender = PRONOUNS.get(parse.lower[position])
    if gender is None:
        return False
    before = (k for k in range(match.end, position) if parse.tokens[k].pos in NOUNS)
    meant, nearer = (
        any(agrees(parse, k, gender) or (gender == PLURAL and is_plural(parse, k)) for k in group)
        for group in (nouns, before)
    )
    return meant and not nearer


CHECKS: tuple[Check[ForwardMatch], ...] = (
    Check("forward.no-clause", R.NO_VERB, _opens_no_clause,
          "Since the war, Lee ran it, now it is low.", "Although the plan was old, the mills were new."),
    Check("forward.cut", R.CLAUSE_CUT, lambda parse, match: parse.crossings(match.comma, match.comma + 1) > 1,
          "Although trade served debts, rights, denial failed: it hurt us.",
          "Although the plan was old, the mills were new."),
    Check("forward.pronoun", R.AMBIGUOUS, _points_forward,
          "Although he was praised for his early work, Einstein became isolated in his last years.",
          "Although he was praised for his early work, he became isolated in his last years."),
)  # fmt: skip
