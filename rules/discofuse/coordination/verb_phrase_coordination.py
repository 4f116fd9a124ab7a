"""Verb-phrase coordination: the second predicate gets the first one's subject (paper, Table 14, row 7)."""

from __future__ import annotations

from collections.abc import Iterator

from gistmill.rules.discofuse import operations
from gistmill.rules.discofuse.checks import Check, Halves, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.coordination import conjunctions as copied_subjects
from gistmill.rules.discofuse.coordination.conjunctions import (
    Conjunct,
    conjunctions,
    in_frame,
    joined_verbs,
    label,
    shared_auxiliaries,
    subject_phrase,
    with_subject,
)
from gistmill.rules.discofuse.coordination.problems import problem_of_conjunct
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural, person
from gistmill.rules.discofuse.operations import delete, join, split
from gistmill.rules.discofuse.parse import NOMINAL, Parse, Word

# Subjects of either number.
_EITHER = frozenset("who which that all most some more none half majority number lot rest couple police staff".split())


def find(parse: Parse) -> Conjunct | None:
    """Finds a conjoined verb without a subject of its own; one that belongs to the main clause is preferred."""
    below = (match for match in _matches(parse) if parse.is_verb(parse.first_conjunct(match.verb)))
    return next(find_all(parse), None) or next(below, None)


def find_all(parse: Parse) -> Iterator[Conjunct]:
    """Finds every one that belongs to the main clause."""
    last = -1
    for match in _matches(parse):
        if match.cc != last and parse.on_main_line(match.verb):
            last = match.cc
            yield match


def _matches(parse: Parse) -> Iterator[Conjunct]:
    """Finds verbs of which neither they nor an auxiliary ("streets became illuminated") have a subject behind the
    conjunction."""
    for cc in conjunctions(parse):
        for verb in joined_verbs(parse, cc) if parse.lower[cc] not in ("so", "for") else ():
            if all(parse.subject(k, after=cc) is None for k in (verb, *parse.auxiliaries(verb))):
                yield Conjunct(cc, verb)


def apply(parse: Parse, match: Conjunct) -> Halves:
    """Splits at the conjunction, and puts the subject and shared auxiliaries before the second predicate, and a frame
    that holds for both before them."""
    first, second = split(parse.words, match.cc)
    second = delete(second, 0, 1)
    subject = parse.shared_subject(match.verb)
    problem = problem_of_conjunct(parse, match) or first_reason(CHECKS, parse, match)
    if subject is None or subject > match.cc or parse.tokens[subject].dep == "expl":
        problem = problem or R.NO_SUBJECT
    else:
        auxiliaries = shared_auxiliaries(parse, match)
        problem = problem or (R.SHARED_PART if auxiliaries is None else None)
        problem = problem or first_reason(copied_subjects.CHECKS, parse, subject)
        if auxiliaries == ():
            second = tuple(w._replace(tag="VBP") if _is_present(parse, match, w) else w for w in second)
        phrase = join(subject_phrase(parse, subject, match.cc, match.verb), auxiliaries or ())
        second = with_subject(parse, second, phrase, verb=match.verb, cc=match.cc)
        second = in_frame(parse, second, match, first=parse.tokens[subject].head)
    return Halves(first=first, second=second, connective=label(parse, match.cc), boundary=match.cc + 1, problem=problem)


def _is_present(parse: Parse, match: Conjunct, word: Word) -> bool:
    """Whether a base form without an auxiliary is a present tense, as it turns out."""
    return (
        word.position == match.verb and word.tag == "VB" and max(parse.auxiliaries(word.position), default=0) < match.cc
    )


def _is_inverted(parse: Parse, match: Conjunct) -> bool:
    """Whether an auxiliary stands before the subject, with what opens the sentence."""
    subject = parse.shared_subject(match.verb)
    return subject is not None and any(k < subject for k in parse.auxiliaries(parse.tokens[subject].head))


def _has_other_number(parse: Parse, match: Conjunct) -> bool:
    """Whether the second verb has another number than the first one, or than the subject where the first shows none."""
    subject, number = parse.shared_subject(match.verb), parse.number(match.verb)
    if subject is None or number is None:
        return False
    if person(parse, subject) != 3:
        carriers = (*parse.auxiliaries(match.verb), match.verb)
        return any(k > match.cc and parse.tokens[k].tag == "VBZ" for k in carriers)  # "we came and says"
    first = parse.number(parse.tokens[subject].head)
    # the name of a team may be plural, that of a person is not
    team = parse.tokens[subject].pos == "PROPN" and not parse.tokens[subject].entity.endswith("PERSON")
    if parse.lower[subject] in _EITHER or (first is None and team):
        return False
    return number != (first or ("plural" if is_plural(parse, subject) else "singular"))


def _is_no_verb(parse: Parse, match: Conjunct) -> bool:
    """Whether a noun was taken for a verb."""
    word, tag = parse.lower[match.verb], parse.tokens[match.verb].tag
    return tag in ("VB", "VBP", "VBD") and not word.endswith("ed") and not operations.is_word(word, upos="VERB")


def _has_foreign_noun(parse: Parse, match: Conjunct) -> bool:
    """Whether a noun that is no adverbial stands before the verb."""
    nouns = (k for k in parse.children(match.verb) if match.cc < k < match.verb and parse.tokens[k].pos in NOMINAL)
    return any(parse.tokens[k].dep != "npadvmod" and parse.tokens[k].entity[2:] not in ("DATE", "TIME") for k in nouns)


def _shares_object(parse: Parse, match: Conjunct) -> bool:
    """Whether the first verb would lose its object. A passive lacks none."""
    head, before = parse.tokens[match.verb].head, parse.last_before(match.cc)
    passive = parse.child(head, "auxpass") is not None
    if passive and any(k > match.cc for k in parse.auxiliaries(match.verb)):
        return False
    token = parse.tokens[before]
    row = parse.is_verb(before) and token.dep in ("conj", "advcl") and parse.subject(before) is None
    return before == head or token.dep == "prt" or (row and not passive)  # "co - wrote and produced the film"


CHECKS: tuple[Check[Conjunct], ...] = (
    Check("predicate.inverted", R.INVERSION, _is_inverted,
          "Only in May did the town recover from the flood and build a new bridge.", "A man came home and left it."),
    Check("predicate.number", R.NUMBER, _has_other_number,
          "The badlands are located in Alberta and features deep canyons.", "A man came home and left it."),
    Check("predicate.no-verb", R.VERB_FORM, _is_no_verb,
          "He won praise by his kindness and courtesy not only to her but also to them.",
          "A man came home and left it."),
    Check("predicate.foreign-noun", R.VERB_FORM, _has_foreign_noun,
          "Men were turning back and 200 dying in the snow.", "A man came home and left it."),
    Check("predicate.shared-object", R.SHARED_PART, _shares_object,
          "She wrote and produced the film in a single year.", "A man came home and left it."),
)  # fmt: skip
