"""Cataphora: a participle phrase becomes a clause with the main clause's subject (paper, Table 14, row 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gistmill.rules.discofuse import operations
from gistmill.rules.discofuse.checks import Check, Halves, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.nouns.noun_phrases import core, is_plural, person
from gistmill.rules.discofuse.nouns.references import is_empty, is_personal, quantified
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import AUXILIARIES, NOMINAL_SUBJECTS, PARTICIPLES, WORDS, Parse, Word, Words

# A participle joined inside a phrase with one of these labels belongs there: "for hunting and fishing".
_INNER = frozenset(("pobj", "pcomp", "prep", "relcl", "acl", "advcl"))


def main_subject(parse: Parse, *, after: int) -> int | None:
    """Returns the subject of the first clause after position ``after`` that is not subordinate."""
    for i in range(after + 1, len(parse)):
        if parse.tokens[i].dep not in NOMINAL_SUBJECTS:
            continue
        verb = parse.tokens[i].head
        if (
            parse.finite(verb)
            and parse.tokens[verb].dep not in ("relcl", "acl", "pcomp")
            and parse.child(verb, "mark") is None
            and parse.tokens[i].tag not in ("WP", "WDT")
            and parse.lower[max(parse.left_edge(i) - 1, 0)] not in ("with", "without")  # "with the lights turned off"
        ):
            return i
    return None


def _opening_participle(parse: Parse) -> int:
    """Returns the position of the participle that opens the sentence: "bought" in "Having bought"."""
    return parse.tokens[0].head if parse.tokens[0].dep in AUXILIARIES else 0


def _joined_participles(parse: Parse, end: int) -> list[int] | None:
    """Returns the present participles before ``end`` that a conjunction joins to the opening one, whatever head the
    parser gives them ("Looking upbeat and greeting guests"); None if they may have different subjects."""
    openings = (0, _opening_participle(parse))
    found = []
    for i in range(2, end):
        if parse.tokens[i].dep != "conj" or parse.tokens[i].tag not in PARTICIPLES:
            continue
        above = list(parse.ancestors(i))
        between = above[: next((n for n, k in enumerate(above) if k in openings), 0)]
        below = any(parse.tokens[k].dep in _INNER or parse.tokens[k].tag in PARTICIPLES for k in between)
        if below or not any(k in openings for k in above):
            continue
        if parse.lower[i - 1] not in ("and", "or", "but") or parse.tokens[i].tag != parse.tokens[openings[1]].tag:
            return None
        found.append(i)
    return found if openings[1] == 0 else []


def with_subject(
    parse: Parse, phrase: Sequence[Word], subject: int, *, past: bool | None = None, joined: Sequence[int] = ()
) -> Words | None:
    """Turns a participle phrase into a clause in the tense of the subject's clause.

    Args:
        parse: the sentence.
        phrase: the phrase; its first word is the participle (VBG or VBN).
        subject: position of the subject.
        past: the tense, if it differs from that of the subject's clause.
        joined: positions of further present participles in the phrase to make finite.

    Returns:
        The clause; None if the verb's inflection is unknown.
    """
    verb = phrase[0]
    if past is None:
        past = parse.tells_of_past(parse.tokens[subject].head)
    # Whether the subject takes a plural verb, judging by its own verb ("the US is") or else by the noun.
    number = parse.number(parse.tokens[subject].head) if person(parse, subject) == 3 else None
    plural, who = is_plural(parse, subject) if number is None else number == "plural", person(parse, subject)
    noun_phrase = core(parse, subject)
    if verb.tag == "VBN":
        be = operations.be(past=past, plural=plural, person=who)
        return join(noun_phrase, (be, verb._replace(text=verb.text.lower())), phrase[1:])
    out: list[Word] = []
    for word in phrase:
        if word is verb or word.position in joined:
            # The lemma from lemminflect's tables; the parser's is often not a word ("hop" for "hoping").
            from lemminflect import getLemma

            found = getLemma(word.text.lower(), upos="VERB")
            form = operations.finite(found[0] if found else word.lemma.lower(), past=past, plural=plural, person=who)
            if form is None:
                return None
            word = form if word is verb else word._replace(text=form.text, tag=form.tag, original="")
        out.append(word)
    return join(noun_phrase, out)


_THINGS = frozenset(("it", "this", "that", "there", "these", "those"))


class CataphoraMatch(NamedTuple):
    """A match: the comma at ``comma`` closes the participle phrase; ``subject`` is the main clause's, if found."""

    comma: int
    subject: int | None


def find(parse: Parse) -> CataphoraMatch | None:
    """Finds a sentence that opens with a present participle and contains a comma."""
    first, word = parse.tokens[0], parse.lower[0]
    commas = [c for c in parse.commas if 0 < c < len(parse) - 2]
    participle = word.endswith("ing") and word not in WORDS["not_participles"]
    if not participle or not commas or not operations.is_word(word, upos="VERB"):
        return None
    subject = main_subject(parse, after=commas[0])
    # one parsed as a second subject of the main verb is accepted: "Assuming the worst , they compared"
    other_part = first.dep in ("csubj", "csubjpass", "nsubj", "amod", "compound")
    if other_part and (subject is None or first.head != parse.tokens[subject].head):
        return None
    return CataphoraMatch(commas[0] if subject is None else _closing(parse, commas, subject), subject)


def find_all(parse: Parse) -> Iterator[CataphoraMatch]:
    """Yields the match found by ``find``, if any."""
    return filter(None, [find(parse)])


def _closing(parse: Parse, commas: list[int], subject: int) -> int:
    """Returns the first comma after the phrase and before the main subject."""
    before = [c for c in commas if c < parse.left_edge(subject)]
    participle = _opening_participle(parse)
    end = parse.right_edge(participle) if parse.tokens[participle].head != participle else 0
    return next((c for c in before if c > end), (before or commas[:1])[-1])


def apply(parse: Parse, match: CataphoraMatch) -> Halves:
    """Gives the phrase the main clause's subject and a finite verb; the main clause is the second half."""
    phrase, second = parse.words[: match.comma], parse.words[match.comma + 1 :]
    if match.subject is None:
        return Halves(first=phrase, second=second, boundary=match.comma + 1, problem=R.NO_SUBJECT)
    joined = _joined_participles(parse, match.comma)
    made = with_subject(parse, phrase, match.subject, joined=joined or ())
    problem = first_reason(CHECKS, parse, match.subject)
    problem = problem or (R.SHARED_PART if joined is None else R.NO_SUBJECT if made is None else None)
    return Halves(first=made or phrase, second=second, boundary=match.comma + 1, problem=problem)


def _is_of_nobody(parse: Parse, subject: int) -> bool:
    """Whether the participle has become a preposition, or the subject is generic, empty or quantified."""
    generic = parse.lower[0] in WORDS["prepositions"] or parse.lower[subject] in ("one", "you", "we", "there")
    return generic or quantified(parse, subject) or is_empty(parse, subject)


def _is_of_another(parse: Parse, subject: int) -> bool:
    """Whether the subject is a thing but the participle describes a person's action, or the other way round."""
    word, token = parse.lower[0], parse.tokens[subject]
    body = token.entity[2:] in ("ORG", "NORP", "GPE") or (token.pos == "PROPN" and not token.entity)
    person = is_personal(parse, subject) or (token.pos == "PRON" and parse.lower[subject] not in _THINGS)
    of_fact = word in WORDS["participles_of_facts"]
    return of_fact if body or person else not of_fact and word not in WORDS["of_things"]


CHECKS: tuple[Check[int], ...] = (
    # the subject begins or ends with an insertion that continues outside it: it contains only one of two commas
    Check("participle.cut", R.CLAUSE_CUT,
          lambda parse, subject: sum(word.text == "," for word in core(parse, subject)) % 2 == 1,
          "Leaving Leeds at night, Lee, with Ben and his men, met a clerk.", "Going home, Bob saw a dog."),
    Check("participle.of-nobody", R.DANGLING_PARTICIPLE, _is_of_nobody,
          "Walking through the hall, you see old mills on the left.", "Going home, Bob saw a dog."),
    Check("participle.of-another", R.DANGLING_PARTICIPLE, _is_of_another,
          "Heading far south, one gap closed last year.", "Stretching far south, one gap closed last year."),
)  # fmt: skip
