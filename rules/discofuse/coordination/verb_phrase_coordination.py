"""Verb-phrase coordination: the second predicate gets the first one's subject (paper, Table 14, row 7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse import morphology
from gistmill.rules.discofuse.clauses.own_frames import tells_time
from gistmill.rules.discofuse.coordination.conjunctions import (
    conjunctions,
    has_foreign_phrase,
    in_frame,
    joined_verbs,
    label,
    problem_of,
)
from gistmill.rules.discofuse.coordination.copied_subjects import problem_of_subject, subject_phrase, with_subject
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural, person
from gistmill.rules.discofuse.operations import delete, join, split
from gistmill.rules.discofuse.parse import FINITE, MODALS, Parse, may_be_past
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.words import Words

_BE, _HAVE = frozenset(("be", "is", "are", "was", "were", "am", "been", "being", "'s", "'re")), frozenset(("have",))
# Subjects of either number.
_EITHER = frozenset("who which that all most some more none half majority number lot rest couple police staff".split())
_OBJECTS = ("dobj", "ccomp", "attr", "acomp", "oprd")
# Verbs whose own subject does what the infinitive says; the others need a passive: "was treated and observed to grow".
_CONTROL = frozenset(
    """
    want try attempt decide begin start continue seek need hope plan refuse fail manage agree aim choose intend tend
    learn help seem appear come go prepare offer threaten vow promise proceed cease serve struggle strive work wish
    """.split()
)
# What they make of a thing follows the passive too: "was built and made permanent".
_RESULTATIVE = frozenset("make render declare deem keep leave consider".split())
# They have no passive: "was born in Rome and graduated there".
_INTRANSITIVE = frozenset(("graduate", "arrive", "arise", "emerge", "die"))
_NEGATIONS = frozenset(("not", "n't", "never"))


@dataclass(frozen=True, slots=True)
class PredicateMatch:
    """The conjunction at ``cc`` joins the predicate of ``verb`` to that of ``head``."""

    cc: int
    verb: int
    head: int


def find(parse: Parse) -> PredicateMatch | None:
    """Finds a conjoined verb without a subject of its own; one that belongs to the main clause is preferred."""
    fallback = None
    for cc in conjunctions(parse):
        for verb in _candidates(parse, cc):
            if parse.subject(verb, after=cc) is not None:
                continue
            head = parse.tokens[verb].head
            if parse.on_main_line(head):
                return PredicateMatch(cc, verb, head)
            if fallback is None and parse.is_verb(parse.first_conjunct(head)):
                fallback = PredicateMatch(cc, verb, head)
            break
    return fallback


def find_all(parse: Parse) -> Iterator[PredicateMatch]:
    """Finds every one that belongs to the main clause."""
    for cc in conjunctions(parse):
        for verb in _candidates(parse, cc):
            head = parse.tokens[verb].head
            if _lacks_subject(parse, verb, cc) and parse.on_main_line(head):
                yield PredicateMatch(cc, verb, head)
                break


def _lacks_subject(parse: Parse, verb: int, cc: int) -> bool:
    """Whether neither the verb nor an auxiliary of it ("streets became illuminated") has a subject behind ``cc``."""
    return all(parse.subject(k, after=cc) is None for k in (verb, *parse.auxiliaries(verb)))


def _candidates(parse: Parse, cc: int) -> list[int]:
    if parse.lower[cc] in ("so", "for"):
        return []
    return joined_verbs(parse, cc)


def apply(parse: Parse, match: PredicateMatch) -> Halves:
    """Splits at the conjunction, and puts the subject and shared auxiliaries before the second predicate, and a frame
    that holds for both before them."""
    first, second = split(parse.words, match.cc)
    second = delete(second, 0, 1)
    subject = parse.shared_subject(match.head)
    problem = problem_of(parse, match.cc, match.verb, own_subject=False) or _shared(parse, match)
    if subject is None or subject > match.cc or parse.tokens[subject].dep == "expl":
        problem = problem or DiscoFuseReason.NO_SUBJECT
    else:
        auxiliaries = _auxiliaries(parse, match)
        if auxiliaries is None:
            problem = problem or DiscoFuseReason.SHARED_PART
        present = auxiliaries == () and not any(k > match.cc for k in parse.auxiliaries(match.verb))
        if present and parse.tokens[match.verb].tag == "VB":  # a present tense, as it turns out
            second = tuple(w._replace(tag="VBP") if w.position == match.verb else w for w in second)
        problem = problem or problem_of_subject(parse, subject)
        phrase = join(subject_phrase(parse, subject, match.cc, match.verb), auxiliaries or ())
        second = with_subject(parse, second, phrase, verb=match.verb, cc=match.cc)
        first_verb = parse.tokens[subject].head
        second = in_frame(parse, second, first=first_verb, verb=match.verb, cc=match.cc, own_subject=False)
    return Halves(first=first, second=second, connective=label(parse, match.cc), boundary=match.cc + 1, problem=problem)


def _auxiliaries(parse: Parse, match: PredicateMatch) -> Words | None:
    """Returns the auxiliaries that the second verb needs from the first; None when it cannot do with them."""
    token = parse.tokens[match.verb]
    own = [k for k in parse.auxiliaries(match.verb) if k > match.cc]
    if any(parse.tokens[k].tag == "TO" for k in own):
        return None
    if any(parse.tokens[k].tag in FINITE for k in own):
        return ()
    if token.lemma in _INTRANSITIVE and may_be_past(parse.lower[match.verb]) and parse.past(match.head) and not own:
        return _perfect(parse, match) if token.tag == "VBD" else ()
    participle = morphology.is_participle_only(parse.lower[match.verb])  # whatever the tagger took it for
    if token.tag in FINITE and not participle:
        modal = any(parse.tokens[k].tag == "MD" for k in parse.auxiliaries(match.head))
        if modal and token.tag == "VBD" and may_be_past(parse.lower[match.verb]):
            return None  # "could have ended in an orbit or flung off"
        return None if _may_be_passive(parse, match) else _perfect(parse, match)
    carrier = match.head
    while not parse.auxiliaries(carrier) and parse.tokens[carrier].dep == "conj" and parse.subject(carrier) is None:
        carrier = parse.tokens[carrier].head
    shared = [k for k in parse.auxiliaries(carrier) if k < match.cc and parse.tokens[k].tag != "TO"]
    if token.tag in ("VB", "VBP") and _follows_infinitive(parse, match):
        return None
    if not shared and not own and parse.lower[carrier] in _BE and _fits(parse, carrier, match.verb):
        if token.tag == "VBG" and parse.child(carrier, "attr") is not None:
            return None  # "is a mill that lives by spinning yarn and weaving it"
        dated = any(parse.tokens[k].entity[2:] == "DATE" for k in parse.subtree(match.verb))
        if token.tag == "VBN" and parse.tokens[carrier].tag != "VBD" and dated:
            return None  # "is a mill and built in 1920"
        told = parse.tokens[carrier].tag == "VBD" and may_be_past(parse.lower[match.verb])
        if told and parse.child(carrier, "attr") is not None and parse.child(match.verb, "agent", "neg") is None:
            return None  # "was a player and signed with"
        return (parse.words[carrier]._replace(space=True),)  # "was in the country and not allowed to leave"
    if not shared:
        # "was closed ... and razed" has an auxiliary; "closed and raced" is a past tense read as a participle
        past = token.tag == "VBN" and parse.tokens[carrier].tag == "VBD" and not own and not participle
        return () if past else None
    if any(parse.lower[k] in _NEGATIONS for k in parse.children(carrier) if k < carrier):
        return None
    if not _fits(parse, shared[-1], match.verb):
        return () if _is_present(parse, match) else None
    words = parse.words
    return tuple(words[k]._replace(space=True) for k in shared)


def _perfect(parse: Parse, match: PredicateMatch) -> Words:
    """The form of "have" that a past tense shares with the first verb, if it may be a participle: "has grown and lost".

    With a time of its own it is a past tense.
    """
    own_time = any(tells_time(parse, k) for k in range(match.cc + 1, parse.right_edge(match.verb) + 1))
    own_time = own_time and "since" not in parse.lower[match.cc :]
    if parse.tokens[match.verb].tag != "VBD" or not may_be_past(parse.lower[match.verb]) or own_time:
        return ()
    shared = [k for k in parse.auxiliaries(match.head) if k < match.cc and parse.tokens[k].dep == "aux"]
    if len(shared) != 1 or parse.tokens[shared[0]].lemma not in _HAVE or parse.tokens[match.head].tag != "VBN":
        return ()
    return (parse.words[shared[0]]._replace(space=True),)


def _may_be_passive(parse: Parse, match: PredicateMatch) -> bool:
    """Whether a past tense behind a form of "be" may be one more participle: "was confiscated and handed over", "was in
    position , and undetected", "was named to a team and named the best"; behind a present one also before what it is
    called: "is old and called the Low Mill".
    """
    carrier = match.head
    while (
        parse.child(carrier, "auxpass") is None
        and parse.tokens[carrier].dep == "conj"
        and parse.subject(carrier) is None
    ):
        carrier = parse.tokens[carrier].head
    carrier_is_present = parse.tokens[carrier].tag in ("VBZ", "VBP")
    return (
        parse.tokens[match.verb].tag == "VBD"
        and may_be_past(parse.lower[match.verb])
        and (parse.child(carrier, "auxpass") is not None or parse.lower[carrier] in _BE)
        and (
            parse.child(match.verb, *_OBJECTS) is None
            or parse.tokens[match.verb].lemma == parse.tokens[carrier].lemma
            or parse.tokens[match.verb].lemma in _RESULTATIVE
            and parse.child(match.verb, "dobj", "ccomp", "attr") is None
            or carrier_is_present
            and parse.child(match.verb, "oprd") is not None
        )
        and (parse.child(match.verb, "xcomp") is None or parse.tokens[match.verb].lemma not in _CONTROL)
    )


def _follows_infinitive(parse: Parse, match: PredicateMatch) -> bool:
    """Whether a base form may continue an infinitive instead: "would love to eat and sleep"."""
    return any(parse.tokens[k].tag == "TO" and parse.tokens[k].dep == "aux" for k in range(match.head + 1, match.cc))


def _fits(parse: Parse, auxiliary: int, verb: int) -> bool:
    """Whether the verb's form can follow the auxiliary."""
    tag, word = parse.tokens[verb].tag, parse.lower[auxiliary]
    participle = tag == "VBN" or morphology.is_participle_only(parse.lower[verb])
    if word in _BE:
        # "was elected and served two terms": a participle with an object is a past tense
        passive = participle and parse.child(verb, "dobj", "ccomp", "attr") is None
        return (passive or tag == "VBG") and morphology.is_word(parse.lower[verb], upos="VERB")
    if parse.tokens[auxiliary].lemma in _HAVE or word in ("has", "had", "'ve"):
        return participle
    return tag in ("VB", "VBP") and not participle


def _is_present(parse: Parse, match: PredicateMatch) -> bool:
    """Whether a base form behind an auxiliary that it cannot follow is a present tense: "cells are found and send".

    Behind a modal it may as well be the modal's: "can be set up , or simply appear".
    """
    subject = parse.shared_subject(match.head)
    modal = any(parse.tokens[k].tag == "MD" for k in range(match.head))
    return not modal and parse.tokens[match.verb].tag == "VB" and subject is not None and is_plural(parse, subject)


def _shared(parse: Parse, match: PredicateMatch) -> Reason | None:
    """ "He wrote and produced the film": the first verb would lose its object."""
    subject = parse.shared_subject(match.head)
    if subject is not None and _numbers_differ(parse, match, subject):
        return DiscoFuseReason.NUMBER  # "The badlands are located ... and features": not the badlands, or not a verb
    if parse.lower[match.verb] in MODALS:
        return DiscoFuseReason.VERB_FORM  # a noun, or a modal without its verb
    word, tag = parse.lower[match.verb], parse.tokens[match.verb].tag
    listed = tag in ("VB", "VBP") or tag == "VBD" and not word.endswith("ed")
    if listed and not morphology.is_word(word, upos="VERB"):
        return DiscoFuseReason.VERB_FORM  # "by his kindness and courtesy"
    if has_foreign_phrase(parse, match.verb, match.cc):
        return DiscoFuseReason.VERB_FORM
    before = parse.last_before(match.cc)
    bare = parse.is_verb(before) and parse.tokens[before].dep in ("conj", "advcl") and parse.subject(before) is None
    bare = bare and parse.child(match.head, "auxpass") is None  # "co - wrote and produced the film"
    if before != match.head and parse.tokens[before].dep != "prt" and not bare:
        return None
    own = any(k > match.cc for k in parse.auxiliaries(match.verb))
    if own and parse.child(match.head, "auxpass") is not None:
        return None  # "was not imprisoned , but was fined": a passive lacks no object
    return DiscoFuseReason.SHARED_PART


def _numbers_differ(parse: Parse, match: PredicateMatch, subject: int) -> bool:
    """Whether the second verb has another number than the first one, or than the subject where the first shows none."""
    number = parse.number(match.verb)
    if number is not None and person(parse, subject) != 3:
        carriers = (*parse.auxiliaries(match.verb), match.verb)
        return any(k > match.cc and parse.tokens[k].tag == "VBZ" for k in carriers)  # "we came and says"
    if number is None or parse.lower[subject] in _EITHER:
        return False
    first = parse.number(parse.tokens[subject].head)
    if first is not None:
        return first != number
    # the name of a team may be plural, that of a person is not
    team = parse.tokens[subject].pos == "PROPN" and not parse.tokens[subject].entity.endswith("PERSON")
    return not team and is_plural(parse, subject) != (number == "plural")
