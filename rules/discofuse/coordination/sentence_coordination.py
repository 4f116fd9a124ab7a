"""Sentence coordination: a conjunction, then a clause with its own subject (paper, Table 14, row 6).

A second predicate with "be" and without a subject counts here too, as in the released data; it gets the subject of
the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.discofuse import morphology
from rules.discofuse.clauses.ellipses import problem_of_clause
from rules.discofuse.coordination.clause_doubts import problem_of_conjunct
from rules.discofuse.coordination.conjunctions import (
    conjunctions,
    in_frame,
    joined_verbs,
    joins_phrases,
    label,
    problem_of,
)
from rules.discofuse.coordination.copied_subjects import problem_of_subject, subject_phrase, with_subject
from rules.discofuse.halves import Halves
from rules.discofuse.operations import delete, split
from rules.discofuse.parse import AUXILIARIES, NOMINAL, SUBJECTS, Parse, may_be_past
from rules.discofuse.reasons import DiscoFuseReason
from rules.verdict import Reason

_OBJECTS = ("dobj", "attr", "acomp", "ccomp", "xcomp", "oprd")
# How far from the conjunction the subject may stand: "but when he saw that ... , he".
_REACH = 14
# Verbs that take a year for a subject.
_OF_YEARS = frozenset(("see", "witness", "mark", "bring"))
# Of several places or times.
_PARTS = frozenset("some many most certain several few".split())
_OTHERS = frozenset(("other", "others", "elsewhere"))
_MODIFYING = frozenset(("JJ", "VBN", "VBD", "VBG"))
# Verbs that take "there" for a subject.
_EXISTENCE = frozenset(("be", "exist", "remain", "come", "arise", "appear", "seem", "follow", "live", "stand"))


@dataclass(frozen=True, slots=True)
class ClauseMatch:
    """The conjunction stands at ``cc``; ``verb`` heads the second clause, with its ``subject`` (None if shared)."""

    cc: int
    verb: int
    subject: int | None


def find(parse: Parse) -> ClauseMatch | None:
    """Finds the first conjunction that is followed by a clause of its own."""
    found = conjunctions(parse)
    return next(_matches(parse, found), None) or _fragment(parse, found)


def find_all(parse: Parse) -> Iterator[ClauseMatch]:
    """Finds every such conjunction."""
    return _matches(parse, conjunctions(parse))


def _matches(parse: Parse, found: Sequence[int]) -> Iterator[ClauseMatch]:
    for cc in found:
        match = _clause(parse, cc) or _copula(parse, cc)
        if match is not None:
            yield match


def _clause(parse: Parse, cc: int) -> ClauseMatch | None:
    if joins_phrases(parse, cc):
        return None
    end = min(len(parse), cc + 1 + _REACH)
    for i in range(cc + 1, end):
        if parse.lower[i] in ("but", "yet", ";") and parse.tokens[i].dep in ("cc", "punct"):
            break
        if parse.tokens[i].dep not in SUBJECTS:
            continue
        verb = parse.tokens[i].head
        if parse.tokens[verb].dep in AUXILIARIES:
            verb = parse.tokens[verb].head  # "events are no longer observed" with the subject on "are"
        if verb < cc or not parse.finite(verb):
            continue
        if _opens_clause(parse, verb, cc):
            return ClauseMatch(cc, verb, i)
    return None


def _joins_nouns(parse: Parse, cc: int, verb: int) -> bool:
    """Whether the conjunction hangs on a noun that the verb is not joined to: "the old system , or the new system
    where the number is small"."""
    token = parse.tokens[cc]
    return (
        token.dep == "cc"
        and token.head < cc
        and parse.tokens[token.head].pos in NOMINAL
        and parse.tokens[verb].dep not in ("conj", "ROOT")
    )


def _opens_clause(parse: Parse, verb: int, cc: int) -> bool:
    """Whether the verb's clause hangs directly on what stands before the conjunction (or is the root)."""
    token = parse.tokens[verb]
    if token.dep in ("relcl", "acl", "csubj", "pcomp"):
        return False
    if (
        _mark(parse, verb, cc) is not None
    ):  # ", but only if he agreed" counts as a clause, "and that he agreed" does not
        return token.dep == "conj" and token.head < cc and parse.on_main_line(token.head)
    if token.head == verb or token.head < cc:
        return (
            token.dep in ("conj", "ROOT", "ccomp", "advcl", "dep")
            or token.dep == "parataxis"
            and parse.lower[cc + 1] != ","
        )
    return (
        token.dep in ("ccomp", "advcl", "conj", "parataxis")
        and parse.tokens[token.head].dep == "ROOT"
        and verb < token.head
        and parse.subject(token.head, after=cc) is None
    )


def _mark(parse: Parse, verb: int, cc: int) -> int | None:
    return next((k for k in parse.children(verb) if k > cc and parse.tokens[k].dep == "mark"), None)


def _is_whole(parse: Parse, cc: int, verb: int, subject: int) -> bool:
    """Whether all that stands between the conjunction and the subject belongs to the second clause."""
    for i in range(cc + 1, subject):
        at = i
        while at > cc and at != verb and parse.tokens[at].head != at:
            at = parse.tokens[at].head
        if at <= cc and parse.tokens[i].pos != "PUNCT":
            return False
    return True


def _copula(parse: Parse, cc: int) -> ClauseMatch | None:
    for verb in joined_verbs(parse, cc):
        if (
            parse.lower[verb] in ("is", "was", "are", "were", "be", "been")
            and parse.tokens[verb].pos == "AUX"
            and parse.subject(verb, after=cc) is None
            and parse.child(verb, "attr", "acomp", "prep", "oprd", "advmod") is not None
        ):
            return ClauseMatch(cc, verb, None)
    return None


def _fragment(parse: Parse, found: list[int]) -> ClauseMatch | None:
    """ ", but only if ..." and the like: a "but" after a comma with nothing that it joins."""
    for cc in found:
        if parse.lower[cc] == "but" and parse.lower[cc - 1] == "," and not joined_verbs(parse, cc):
            return ClauseMatch(cc, cc + 1, None)
    return None


def apply(parse: Parse, match: ClauseMatch) -> Halves:
    """Splits at the conjunction and deletes it; a shared subject is copied, and a frame that holds for both."""
    first, second = split(parse.words, match.cc)
    second = delete(second, 0, 1)
    own = match.subject is not None
    problem = problem_of(parse, match.cc, match.verb, own_subject=own) or _problem(parse, match)
    shared = parse.shared_subject(match.verb) if match.subject is None else None
    if shared is not None and shared < match.cc:
        phrase = subject_phrase(parse, shared, match.cc, match.verb)
        second = with_subject(parse, second, phrase, verb=match.verb, cc=match.cc)
    head = parse.tokens[match.verb].head
    if head < match.cc:
        bare = second
        second = in_frame(parse, second, first=head, verb=match.verb, cc=match.cc, own_subject=own)
        problem = problem or problem_of_clause(parse, head, match.verb, match.cc, framed=second is not bare)
    return Halves(first=first, second=second, connective=label(parse, match.cc), boundary=match.cc + 1, problem=problem)


def _problem(parse: Parse, match: ClauseMatch) -> Reason | None:
    """Returns the reason against the subject of the second clause."""
    if match.subject is None:
        shared = parse.shared_subject(match.verb)
        if shared is None or shared > match.cc:
            return DiscoFuseReason.NO_SUBJECT
        return problem_of_subject(parse, shared)
    if _mark(parse, match.verb, match.cc) is not None or _joins_nouns(parse, match.cc, match.verb):
        return DiscoFuseReason.WRONG_SCOPE
    if (
        parse.tokens[match.subject].tag in ("WDT", "WP")
        or parse.lower[match.subject] == "that"
        and any(parse.lower[i] == "that" and parse.tokens[i].tag == "WDT" for i in range(match.cc))
    ):
        return DiscoFuseReason.NO_SUBJECT  # "symptoms that are ... but that can affect"
    doubt = problem_of_conjunct(parse, match.cc, match.verb, match.subject)
    if doubt is not None:
        return doubt
    token = parse.tokens[match.subject]
    bare = token.tag == "NNS" and token.text.islower() and match.subject == match.cc + 1
    if bare and parse.number(match.verb) == "singular":
        return DiscoFuseReason.NUMBER  # "and stumbles into a closet": a verb that was taken for a noun
    if _shares_part_of(parse, match):
        return DiscoFuseReason.SHARED_PART
    if _parts_modifiers(parse, match):
        return DiscoFuseReason.NUMBER
    if _is_relative(parse, match) or not _is_whole(parse, match.cc, match.verb, match.subject):
        return DiscoFuseReason.WRONG_SCOPE
    if _is_adverbial(parse, match):
        return DiscoFuseReason.NO_SUBJECT
    if parse.tokens[match.subject].dep == "expl" and parse.tokens[match.verb].lemma not in _EXISTENCE:
        return DiscoFuseReason.NO_SUBJECT
    inverted = match.verb == match.cc + 1 and match.verb < match.subject  # "nor is it"
    if inverted or any(match.cc < k < match.subject for k in parse.auxiliaries(match.verb)):
        return DiscoFuseReason.INVERSION
    if _first_may_be_noun(parse, match):
        return DiscoFuseReason.VERB_FORM
    return DiscoFuseReason.SHARED_PART if _shares_object(parse, match) or _shares_auxiliary(parse, match) else None


def _shares_part_of(parse: Parse, match: ClauseMatch) -> bool:
    """Whether the sentence opens with some of several, which the second clause is about too: "In some towns mills
    closed , and there is no work"."""
    first = parse.tokens[match.verb].head
    return (
        parse.tokens[0].dep == "prep"
        and parse.tokens[0].head == first < match.cc
        and parse.lower[1] in _PARTS
        and parse.tokens[match.cc + 1].pos not in ("ADP", "SCONJ")
        and not _OTHERS.intersection(parse.lower[match.cc :])
    )


def _parts_modifiers(parse: Parse, match: ClauseMatch) -> bool:
    """Whether the conjunction joins two modifiers of the subject, which alone is too few for its verb: "has two mills
    and old and new cloth are sold"."""
    if match.subject is None or parse.tokens[match.subject].tag != "NN" or parse.number(match.verb) != "plural":
        return False
    before, after = parse.tokens[match.cc - 1], parse.tokens[match.cc + 1]
    return before.tag in _MODIFYING and after.tag in _MODIFYING and after.head == match.subject


def _first_may_be_noun(parse: Parse, match: ClauseMatch) -> bool:
    """Whether the first verb may be a noun, and the conjunction join two subjects: "gold rushes in the south and the
    north brought"."""
    first = parse.tokens[match.verb].head
    return (
        first < match.cc
        and parse.lower[match.cc - 1] != ","
        and parse.tokens[first].tag in ("VBZ", "VBP")
        and parse.past(match.verb)
        and parse.child(first, "dobj", "attr", "acomp", "ccomp", "xcomp", *AUXILIARIES) is None
        and morphology.is_word(parse.lower[first], upos="NOUN")
    )


def _is_relative(parse: Parse, match: ClauseMatch) -> bool:
    """Whether a relative pronoun opens the second clause ("and over which it has power") or stands in its subject ("and
    none of which can move")."""
    if match.subject is None:
        return False
    if parse.lower[match.subject + 1] == "of" and parse.lower[match.subject + 2] in ("which", "whom"):
        return True
    at = match.cc + 1 + (parse.tokens[match.cc + 1].pos == "ADP")
    return at < match.subject and parse.lower[at] in ("which", "whom", "whose")


def _is_adverbial(parse: Parse, match: ClauseMatch) -> bool:
    """Whether the subject is one by mistake: the object of a preposition ("and as a result suffers"), a date ("and on
    May 5 published a report"), or one of two ("and the skills the man has")."""
    if match.subject is None:
        return False
    before = parse.left_edge(match.subject) - 1
    if parse.tokens[before].pos == "ADP" and parse.lower[before] != "but":
        return True
    if parse.tokens[match.subject].entity.endswith("-DATE") and parse.tokens[match.verb].lemma not in _OF_YEARS:
        return parse.child(match.verb, "dobj") is not None
    subjects = [k for k in parse.children(match.verb) if parse.tokens[k].dep in SUBJECTS and match.cc < k < match.verb]
    return len(subjects) > 1


def _shares_object(parse: Parse, match: ClauseMatch) -> bool:
    """Whether the first verb may share the second one's object: "the council passed , and the mayor signed , a law"."""
    last = match.cc - 2
    return (
        parse.lower[match.cc - 1] == ","
        and parse.tokens[match.verb].head == last
        and not parse.auxiliaries(last)
        and parse.child(last, "dobj", "ccomp") is None
        and parse.child(match.verb, "dobj") is not None
    )


def _shares_auxiliary(parse: Parse, match: ClauseMatch) -> bool:
    """Whether the second verb may be a participle that shares the first one's auxiliary: "the mill was sold and the
    family displaced".

    Its form has to be that of both. It is tagged as a participle, or the first is a passive and nothing follows it or
    its tense would be another ("Dough is made and water added slowly"); an object tells that it is none.
    """
    verb, head = parse.tokens[match.verb], parse.tokens[match.verb].head
    if parse.auxiliaries(match.verb):
        return False
    if not may_be_past(parse.lower[match.verb]):
        return morphology.is_participle_only(parse.lower[match.verb])  # "and the family gone", taken for a past tense
    if verb.tag == "VBN":
        return parse.child(match.verb, *_OBJECTS) is None
    behind = [k for k in parse.children(match.verb) if k > match.verb and parse.tokens[k].pos != "PUNCT"]
    bare = all(parse.tokens[k].dep not in _OBJECTS or parse.tokens[k].dep == "xcomp" for k in behind)
    passive = head < match.cc and parse.child(head, "auxpass") is not None
    return passive and (not behind or bare and not parse.past(head))
