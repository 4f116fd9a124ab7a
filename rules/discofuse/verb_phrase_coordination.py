"""Verb-phrase coordination: the second predicate is given the first one's subject (paper, Table 14, row 7)."""

from __future__ import annotations

from collections.abc import Iterator

from gistmill.rules.discofuse import coordination, operations
from gistmill.rules.discofuse.checks import Check, Halves, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.clauses.assertion import Conjunct
from gistmill.rules.discofuse.clauses.frames import tells_time
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural, person
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, NOMINAL, TIME_ENTITIES, WORDS, Parse, Words, may_be_past


def find(parse: Parse) -> Conjunct | None:
    """Finds a conjoined verb without its own subject, preferably one in the main clause."""
    below = (match for match in _matches(parse) if parse.is_verb(parse.first_conjunct(match.verb)))
    return next(find_all(parse), None) or next(below, None)


def find_all(parse: Parse) -> Iterator[Conjunct]:
    """Finds every such verb in the main clause."""
    last = -1
    for match in _matches(parse):
        if match.cc != last and parse.on_main_line(match.verb):
            last = match.cc
            yield match


def _matches(parse: Parse) -> Iterator[Conjunct]:
    """Finds verbs without a subject after the conjunction, even on an auxiliary ("streets became illuminated")."""
    for cc in coordination.conjunctions(parse):
        for verb in coordination.joined_verbs(parse, cc) if parse.lower[cc] not in ("so", "for") else ():
            if all(parse.subject(k, after=cc) is None for k in (verb, *parse.auxiliaries(verb))):
                yield Conjunct(cc, verb)


def apply(parse: Parse, match: Conjunct) -> Halves:
    """Splits at the conjunction and adds the subject, shared auxiliaries and a shared frame to the second predicate."""
    first, second = parse.words[: match.cc], parse.words[match.cc + 1 :]
    subject = parse.shared_subject(match.verb)
    problem = coordination.problem_of_conjunct(parse, match) or first_reason(CHECKS, parse, match)
    if subject is None or subject > match.cc or parse.tokens[subject].dep == "expl":
        problem = problem or R.NO_SUBJECT
    else:
        auxiliaries = _shared_auxiliaries(parse, match)
        problem = problem or (R.SHARED_PART if auxiliaries is None else None)
        problem = problem or first_reason(coordination.SUBJECT_CHECKS, parse, subject)
        verb = parse.words[match.verb]
        if auxiliaries == () and verb.tag == "VB" and max(parse.auxiliaries(match.verb), default=0) < match.cc:
            # a base form without an auxiliary turns out to be a present tense
            second = tuple(w._replace(tag="VBP") if w.position == match.verb else w for w in second)
        phrase = join(coordination.subject_phrase(parse, subject, match.cc, match.verb), auxiliaries or ())
        second = coordination.with_subject(parse, second, phrase, verb=match.verb, cc=match.cc)
        second = coordination.in_frame(parse, second, match, first=parse.tokens[subject].head)
    word = coordination.label(parse, match.cc)
    return Halves(first=first, second=second, connective=word, boundary=match.cc + 1, problem=problem)


_BE = frozenset(("be", "is", "are", "was", "were", "am", "been", "being", "'s", "'re"))


def _shared_auxiliaries(parse: Parse, part: Conjunct) -> Words | None:
    """Returns the auxiliaries that the second verb needs from the first; None if they do not fit it."""
    token, head = parse.tokens[part.verb], parse.tokens[part.verb].head
    if any(parse.tokens[k].tag in FINITE for k in _own(parse, part)):
        return ()
    if token.tag not in FINITE or operations.is_participle_only(parse.lower[part.verb]):  # regardless of its tag
        return _of_participle(parse, part)
    modal = any(parse.tokens[k].tag == "MD" for k in parse.auxiliaries(head))
    if modal and token.tag == "VBD" and may_be_past(parse.lower[part.verb]):
        return None  # "could have ended in an orbit or flung off"
    return None if _may_be_passive(parse, part) else _perfect(parse, part)


def _own(parse: Parse, part: Conjunct) -> list[int]:
    return [k for k in parse.auxiliaries(part.verb) if k > part.cc]


def _of_participle(parse: Parse, part: Conjunct) -> Words | None:
    """Returns the auxiliaries for a participle or a base form."""
    carrier = _carrier(parse, part, *AUXILIARIES)
    shared = [k for k in parse.auxiliaries(carrier) if k < part.cc and parse.tokens[k].tag != "TO"]
    # Whether the first verb is a "be" needed by the second: "was in the country and not allowed to leave".
    if not shared and (parse.lower[carrier] in _BE and not _own(parse, part) and _fits(parse, carrier, part.verb)):
        shared = [carrier]
    if not shared:
        # Whether a participle may be a past tense like the first verb: "closed and raced", not "closed and taken".
        tags = (parse.tokens[carrier].tag, parse.tokens[part.verb].tag)
        participle = operations.is_participle_only(parse.lower[part.verb])
        return () if tags == ("VBD", "VBN") and not participle and not _own(parse, part) else None
    if any(parse.lower[k] in ("not", "n't", "never") for k in parse.children(carrier) if k < carrier):
        return None
    if not _fits(parse, shared[-1], part.verb):
        # a base form that cannot follow the auxiliary, which is not a modal: "cells are found and send"
        subject, modal = parse.shared_subject(part.verb), any(t.tag == "MD" for t in parse.tokens[: part.cc])
        present = not modal and parse.tokens[part.verb].tag == "VB" and subject is not None
        return () if present and subject is not None and is_plural(parse, subject) else None
    return tuple(parse.words[k]._replace(space=True) for k in shared)


def _carrier(parse: Parse, part: Conjunct, *labels: str) -> int:
    """Returns the nearest earlier verb with a shared auxiliary of these kinds, or else the first conjunct."""
    at = parse.tokens[part.verb].head
    while parse.child(at, *labels) is None and parse.tokens[at].dep == "conj" and parse.subject(at) is None:
        at = parse.tokens[at].head
    return at


def _perfect(parse: Parse, part: Conjunct) -> Words:
    """Returns the "have" shared by a past tense that may be a participle: "has grown and lost".

    With a time expression of its own it is a past tense.
    """
    head = parse.tokens[part.verb].head
    if parse.tokens[part.verb].tag != "VBD" or not may_be_past(parse.lower[part.verb]):
        return ()
    own_time = any(tells_time(parse, k) for k in range(part.cc + 1, parse.right_edge(part.verb) + 1))
    shared = [k for k in parse.auxiliaries(head) if k < part.cc and parse.tokens[k].dep == "aux"]
    if (own_time and "since" not in parse.lower[part.cc :]) or len(shared) != 1 or parse.tokens[head].tag != "VBN":
        return ()
    return (parse.words[shared[0]]._replace(space=True),) if parse.tokens[shared[0]].lemma == "have" else ()


def _may_be_passive(parse: Parse, part: Conjunct) -> bool:
    """Whether a past tense after a form of "be" may be another participle: "was confiscated and handed over", "was in
    position , and undetected", "was named to a team and named the best"; after a present form also if a name follows:
    "is old and called the Low Mill"."""
    token, carrier = parse.tokens[part.verb], _carrier(parse, part, "auxpass")
    if token.tag != "VBD" or not may_be_past(parse.lower[part.verb]):
        return False
    if parse.child(carrier, "auxpass") is None and parse.lower[carrier] not in _BE:
        return False
    infinitive = parse.child(part.verb, "xcomp") is not None and token.lemma not in WORDS["seen"]
    if infinitive or token.lemma in WORDS["intransitive"]:
        return False
    complement = parse.child(part.verb, "dobj", "ccomp", "attr", "acomp", "oprd")
    bare = complement is None or token.lemma == parse.tokens[carrier].lemma
    present = parse.tokens[carrier].tag in ("VBZ", "VBP")
    return bare or (present and parse.child(part.verb, "oprd") is not None)


def _fits(parse: Parse, auxiliary: int, verb: int) -> bool:
    tag, word = parse.tokens[verb].tag, parse.lower[auxiliary]
    participle = tag == "VBN" or operations.is_participle_only(parse.lower[verb])
    if word in _BE:
        # "was elected and served two terms": a participle with an object is a past tense
        passive = participle and parse.child(verb, "dobj", "ccomp", "attr") is None
        return (passive or tag == "VBG") and operations.is_word(parse.lower[verb], upos="VERB")
    return participle if parse.tokens[auxiliary].lemma == "have" else tag in ("VB", "VBP") and not participle


def _is_inverted(parse: Parse, match: Conjunct) -> bool:
    """Whether an auxiliary precedes the subject, as after some opening phrases."""
    subject = parse.shared_subject(match.verb)
    return subject is not None and any(k < subject for k in parse.auxiliaries(parse.tokens[subject].head))


def _has_other_number(parse: Parse, match: Conjunct) -> bool:
    """Whether the second verb differs in number from the first, or from the subject if the first shows none."""
    subject, number = parse.shared_subject(match.verb), parse.number(match.verb)
    if subject is None or number is None:
        return False
    if person(parse, subject) != 3:
        carriers = (*parse.auxiliaries(match.verb), match.verb)
        return any(k > match.cc and parse.tokens[k].tag == "VBZ" for k in carriers)  # "we came and says"
    first = parse.number(parse.tokens[subject].head)
    # a team's name may be plural, a person's may not
    team = parse.tokens[subject].pos == "PROPN" and not parse.tokens[subject].entity.endswith("PERSON")
    if parse.lower[subject] in WORDS["either_number"] or (first is None and team):
        return False
    return number != (first or ("plural" if is_plural(parse, subject) else "singular"))


def _is_no_verb(parse: Parse, match: Conjunct) -> bool:
    word, tag = parse.lower[match.verb], parse.tokens[match.verb].tag
    return tag in ("VB", "VBP", "VBD") and not word.endswith("ed") and not operations.is_word(word, upos="VERB")


def _has_foreign_noun(parse: Parse, match: Conjunct) -> bool:
    """Whether a noun that is not an adverbial precedes the verb."""
    nouns = (k for k in parse.children(match.verb) if match.cc < k < match.verb and parse.tokens[k].pos in NOMINAL)
    return any(parse.tokens[k].dep != "npadvmod" and parse.tokens[k].entity[2:] not in TIME_ENTITIES for k in nouns)


def _shares_object(parse: Parse, match: Conjunct) -> bool:
    """Whether the first verb would lose its object; passives need none."""
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
