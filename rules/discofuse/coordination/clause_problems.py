"""Why a clause behind a conjunction cannot be split off: whose subject and verb it has, and what it shares."""

from __future__ import annotations

from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse import morphology
from gistmill.rules.discofuse.clauses.frames import OTHERS
from gistmill.rules.discofuse.coordination.copied_subjects import problem_of_subject
from gistmill.rules.discofuse.parse import NOMINAL, SUBJECTS, Parse, may_be_past
from gistmill.rules.discofuse.reasons import DiscoFuseReason

_OBJECTS = ("dobj", "attr", "acomp", "ccomp", "xcomp", "oprd")
# Verbs that take a year for a subject.
_OF_YEARS = frozenset(("see", "witness", "mark", "bring"))
# Of several places or times.
_PARTS = frozenset("some many most certain several few".split())
_MODIFYING = frozenset(("JJ", "VBN", "VBD", "VBG"))
# They open a clause as well: "after Lee and his son were seen".
_PREPOSITIONS = frozenset("after before since until".split())
# Verbs that take "there" for a subject.
_EXISTENCE = frozenset(("be", "exist", "remain", "come", "arise", "appear", "seem", "follow", "live", "stand"))


@dataclass(frozen=True, slots=True)
class ClauseMatch:
    """The conjunction stands at ``cc``; ``verb`` heads the second clause, with its ``subject`` (None if shared)."""

    cc: int
    verb: int
    subject: int | None


def problem_of_match(parse: Parse, match: ClauseMatch) -> Reason | None:
    """Returns the reason against the subject of the second clause."""
    if match.subject is None:
        shared = parse.shared_subject(match.verb)
        if shared is None or shared > match.cc:
            return DiscoFuseReason.NO_SUBJECT
        return problem_of_subject(parse, shared)
    if mark_of(parse, match.verb, match.cc) is not None or _joins_nouns(parse, match.cc, match.verb):
        return DiscoFuseReason.WRONG_SCOPE
    if (
        parse.tokens[match.subject].tag in ("WDT", "WP")
        or parse.lower[match.subject] == "that"
        and any(parse.lower[i] == "that" and parse.tokens[i].tag == "WDT" for i in range(match.cc))
    ):
        return DiscoFuseReason.NO_SUBJECT  # "symptoms that are ... but that can affect"
    if _joins_subjects(parse, match.cc) or _joins_phrases(parse, match.cc, match.subject):
        return DiscoFuseReason.WRONG_SCOPE
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
    return DiscoFuseReason.SHARED_PART if _shares_object(parse, match) or _shares_auxiliary(parse, match) else None


def _joins_subjects(parse: Parse, cc: int) -> bool:
    """Whether the noun before the conjunction rather begins the clause, as it is joined to another by "but" ("were sold
    to Leeds but Lee and his son stayed") or stands behind what opens a clause too ("after Lee and his son left")."""
    noun = cc - 1
    head = parse.tokens[noun].head
    if parse.tokens[noun].dep == "pobj" and parse.lower[head] in _PREPOSITIONS and parse.left_edge(noun) == head + 1:
        return parse.tokens[noun].pos == "PROPN" and parse.tokens[noun].entity[2:] not in ("DATE", "TIME", "EVENT")
    return parse.tokens[noun].dep == "conj" and any(
        parse.lower[k] == "but" and head < k < noun and parse.lower[k - 1] != "," for k in parse.children(head)
    )


def _joins_phrases(parse: Parse, cc: int, subject: int) -> bool:
    """Whether the conjunction rather joins two phrases with the same preposition, and a relative clause without a
    pronoun ends the second: "was known for its delays and for the money it was said to cost"."""
    last = parse.last_before(cc)
    start = parse.left_edge(subject)
    if parse.tokens[cc + 1].pos != "ADP" or "," in parse.lower[cc:start] or parse.tokens[start - 1].pos != "NOUN":
        return False
    return any(
        parse.lower[k] == parse.lower[cc + 1] and parse.tokens[k].pos == "ADP" and parse.right_edge(k) in (last, cc)
        for k in range(2, last)
    )


def _shares_part_of(parse: Parse, match: ClauseMatch) -> bool:
    """Whether the sentence opens with some of several, which the second clause is about too: "In some towns mills
    closed , and there is no work"."""
    first = parse.tokens[match.verb].head
    return (
        parse.tokens[0].dep == "prep"
        and parse.tokens[0].head == first < match.cc
        and parse.lower[1] in _PARTS
        and parse.tokens[match.cc + 1].pos not in ("ADP", "SCONJ")
        and not OTHERS.intersection(parse.lower[match.cc :])
    )


def _parts_modifiers(parse: Parse, match: ClauseMatch) -> bool:
    """Whether the conjunction joins two modifiers of the subject, which alone is too few for its verb: "has two mills
    and old and new cloth are sold"."""
    if match.subject is None or parse.tokens[match.subject].tag != "NN" or parse.number(match.verb) != "plural":
        return False
    before, after = parse.tokens[match.cc - 1], parse.tokens[match.cc + 1]
    return before.tag in _MODIFYING and after.tag in _MODIFYING and after.head == match.subject


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


def _is_whole(parse: Parse, cc: int, verb: int, subject: int) -> bool:
    """Whether all that stands between the conjunction and the subject belongs to the second clause."""
    for i in range(cc + 1, subject):
        at = i
        while at > cc and at != verb and parse.tokens[at].head != at:
            at = parse.tokens[at].head
        if at <= cc and parse.tokens[i].pos != "PUNCT":
            return False
    return True


def _is_relative(parse: Parse, match: ClauseMatch) -> bool:
    """Whether a relative pronoun opens the second clause ("and over which it has power") or stands in its subject ("and
    none of which can move")."""
    if match.subject is None:
        return False
    if parse.lower[match.subject + 1 : match.subject + 3] in (["of", "which"], ["of", "whom"]):
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
    its tense would be another ("Dough is made and water added slowly"); an object tells that it is not one.
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


def mark_of(parse: Parse, verb: int, cc: int) -> int | None:
    """Returns the subordinator ("if", "that") of the verb's clause behind the conjunction, or None."""
    return next((k for k in parse.children(verb) if k > cc and parse.tokens[k].dep == "mark"), None)
