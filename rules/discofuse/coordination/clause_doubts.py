"""Doubts whether what stands behind a conjunction is a clause that the sentence states."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.parse import Parse, may_be_past
from gistmill.rules.discofuse.reasons import DiscoFuseReason

_TIMES_AND_CONDITIONS = frozenset("when if where once while unless until".split())
# "This happens because": what follows is all the reason.
_EXPLAINED = frozenset("be occur happen arise".split())
_REASONS = frozenset(("because", "when", "if", "since"))
_DEMONSTRATIVES = frozenset("this that it these those".split())
# They open a clause as well: "after Lee and his son were seen".
_PREPOSITIONS = frozenset("after before since until".split())
_OPENINGS = frozenset("The This That These It He She They".split())
_OBJECTS = ("dobj", "attr", "acomp", "ccomp", "xcomp")


def doubt_of_clause(parse: Parse, cc: int, verb: int, subject: int) -> Reason | None:
    """Returns the reason against a clause with a subject of its own behind a conjunction, or None.

    Args:
        parse: the sentence.
        cc: position of the conjunction.
        verb: the clause's verb.
        subject: of the clause.
    """
    if _is_condition(parse, subject):
        return DiscoFuseReason.NO_SUBJECT
    if _joins_subjects(parse, cc) or _explains(parse, cc, verb) or _asks(parse, cc, verb):
        return DiscoFuseReason.WRONG_SCOPE
    if _joins_phrases(parse, cc, subject) or _joins_adverbs(parse, cc):
        return DiscoFuseReason.WRONG_SCOPE
    if _says_what_to_do(parse, cc, verb):
        return DiscoFuseReason.NOT_ASSERTED
    return DiscoFuseReason.SHARED_PART if _shares_verb(parse, cc, verb) else None


def runs_on(parse: Parse, cc: int) -> bool:
    """Whether another sentence begins behind a quotation, without a mark before it: 'called it " a mess " The mayor
    agreed , but left'."""
    return any(
        parse.tokens[k].text in _OPENINGS and parse.lower[k - 1] in ('"', "''", "``") and not parse.in_quotation(k)
        for k in range(2, cc)
    )


def _is_condition(parse: Parse, subject: int) -> bool:
    """Whether a clause of time was taken for the subject: "and when opened are dangerous"."""
    return parse.tokens[subject].dep in ("csubj", "csubjpass") and any(
        parse.lower[k] in _TIMES_AND_CONDITIONS for k in parse.children(subject) if k < subject
    )


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


def _joins_adverbs(parse: Parse, cc: int) -> bool:
    """Whether the conjunction joins two adverbs that open a clause: "but officially and legally it is"."""
    adverbs = parse.tokens[cc - 1].pos == "ADV" == parse.tokens[cc + 1].pos
    return adverbs and cc > 1 and parse.lower[cc - 2] in ("and", "but", "or", ",")


def _asks(parse: Parse, cc: int, verb: int) -> bool:
    """Whether the clause is a question that the first part asks too: "asked whether it held , and whether or not it
    would"."""
    return parse.lower[cc + 1] == "whether" and "," not in parse.lower[cc + 2 : verb]


def _explains(parse: Parse, cc: int, verb: int) -> bool:
    """Whether the first part says why something is so, up to the conjunction and on: "This happens because the walls
    are thick , but the roof is thin"."""
    head = parse.tokens[verb].head
    subject = parse.subject(head) if head < cc else None
    if subject is None or parse.lower[subject] not in _DEMONSTRATIVES or parse.tokens[head].lemma not in _EXPLAINED:
        return False
    last = parse.last_before(cc)
    return any(
        parse.tokens[k].dep == "advcl"
        and parse.right_edge(k) == last
        and parse.past(k) == parse.past(verb)
        and any(parse.lower[c] in _REASONS for c in parse.children(k) if c < k)
        for k in parse.children(head)
    )


def _says_what_to_do(parse: Parse, cc: int, verb: int) -> bool:
    """Whether the second clause tells what comes of doing as the first one says: "All you need to do is call , and the
    walls light up"."""
    head = parse.tokens[verb].head
    subject = parse.subject(head) if head < cc else None
    if subject is None or parse.tokens[head].lemma != "be" or parse.lower[cc] != "and":
        return False
    reader = any(parse.lower[k] in ("you", "one") for k in parse.subtree(subject))
    return reader and parse.lower[parse.left_edge(subject)] in ("all", "what")


def _shares_verb(parse: Parse, cc: int, verb: int) -> bool:
    """Whether the second verb may be a participle that says, as the one before does, what somebody was left or found:
    "left him ill and his son opposed to it"."""
    head = parse.tokens[verb].head
    if head > cc or parse.child(head, "oprd") is None or parse.child(head, "dobj") is None:
        return False
    bare = not parse.auxiliaries(verb) and parse.child(verb, *_OBJECTS) is None
    return bare and parse.tokens[verb].tag in ("VBD", "VBN") and may_be_past(parse.lower[verb])
