"""Participle phrases turned into clauses: "Stating that ... , Walker rejected" -> "Walker stated that ..."."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.discofuse import morphology
from gistmill.rules.discofuse.nouns.noun_phrases import core, is_plural, person
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import AUXILIARIES, NOMINAL_SUBJECTS, Parse
from gistmill.rules.discofuse.words import Word, Words

# What is joined inside a phrase with one of these labels is joined there: "for hunting and fishing".
_INNER = frozenset(("pobj", "pcomp", "prep", "relcl", "acl", "advcl"))
_PARTICIPLES = ("VBG", "VBN")


def main_subject(parse: Parse, *, after: int) -> int | None:
    """Returns the subject of the first clause behind position ``after`` that no conjunction or pronoun subordinates."""
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


def opening_participle(parse: Parse) -> int:
    """Returns the position of the participle that opens the sentence: "bought" of "Having bought"."""
    return parse.tokens[0].head if parse.tokens[0].dep in AUXILIARIES else 0


def joined_participles(parse: Parse, end: int) -> list[int] | None:
    """Returns the present participles before ``end`` that a conjunction joins to the one that opens the sentence.

    They count whatever the parser joins them to: "Looking upbeat and greeting guests".

    Returns:
        Their positions; None if it is not sure that they are participles of the same subject.
    """
    openings = (0, opening_participle(parse))
    found = []
    for i in range(2, end):
        if parse.tokens[i].dep != "conj" or parse.tokens[i].tag not in _PARTICIPLES:
            continue
        above = list(parse.ancestors(i))
        between = above[: next((n for n, k in enumerate(above) if k in openings), 0)]
        below = any(parse.tokens[k].dep in _INNER or parse.tokens[k].tag in _PARTICIPLES for k in between)
        if below or not any(k in openings for k in above):
            continue
        if parse.lower[i - 1] not in ("and", "or", "but") or parse.tokens[i].tag != parse.tokens[openings[1]].tag:
            return None
        found.append(i)
    return found if openings[1] == 0 else []


def with_subject(
    parse: Parse, phrase: Sequence[Word], subject: int, *, past: bool | None = None, joined: Sequence[int] = ()
) -> Words | None:
    """Makes a clause of a participle phrase, in the tense of the subject's clause.

    Args:
        parse: the sentence.
        phrase: the phrase; its first word is the participle (VBG or VBN).
        subject: position of the subject.
        past: the tense, where it is not that of the subject's clause.
        joined: positions of further present participles in the phrase that become finite too.

    Returns:
        The clause; None when the verb's inflection is unknown.
    """
    verb = phrase[0]
    if past is None:
        past = parse.tells_of_past(parse.tokens[subject].head)
    plural, who = _is_plural(parse, subject), person(parse, subject)
    noun_phrase = core(parse, subject)
    if verb.tag == "VBN":
        be = morphology.be(past=past, plural=plural, person=who)
        return join(noun_phrase, (be, verb._replace(text=verb.text.lower())), phrase[1:])
    out: list[Word] = []
    for word in phrase:
        if word is verb or word.position in joined:
            form = morphology.finite(_lemma(word), past=past, plural=plural, person=who)
            if form is None:
                return None
            word = form if word is verb else word._replace(text=form.text, tag=form.tag, original="")
        out.append(word)
    return join(noun_phrase, out)


def _is_plural(parse: Parse, subject: int) -> bool:
    """Whether the subject takes a plural verb: as its own verb shows, "the US is", or else as the noun is."""
    number = parse.number(parse.tokens[subject].head) if person(parse, subject) == 3 else None
    return is_plural(parse, subject) if number is None else number == "plural"


def _lemma(verb: Word) -> str:
    """The lemma by lemminflect's tables; the parser's is often not one ("hop" for "hoping")."""
    from lemminflect import getLemma

    found = getLemma(verb.text.lower(), upos="VERB")
    return found[0] if found else verb.lemma.lower()
