"""Clauses behind an inner connective that the text does not say to be true, or that are not clauses."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.parse import SUBJECTS, Parse, may_be_past
from gistmill.rules.discofuse.reasons import DiscoFuseReason

# What these verbs have for their clause is only a sign of it, or a guess.
_SIGNS = frozenset(
    """
    indicate imply hint rumor rumour calculate caution conjecture figure forecast infer opine presume reckon surmise
    """.split()
)
# Nouns of what is told: "Rumours spread that".
_TALES = frozenset("rumor rumour report allegation accusation suspicion speculation gossip legend myth story".split())
# What somebody does by another's word: a reason behind it may be the other's as well.
_BLAMING = frozenset("accuse blame charge criticise criticize condemn denounce fault suspect".split())
_OF_DEEDS = frozenset(("of", "for", "with"))
_PRO_FORMS = frozenset(("so", "this", "that", "it"))


def problem_of(parse: Parse, text: str, verb: int, start: int) -> Reason | None:
    """Returns the reason against the clause of a connective as a sentence, or None.

    Args:
        parse: the sentence.
        text: the connective.
        verb: of the clause.
        start: where the clause begins, behind the connective.
    """
    head = parse.tokens[verb].head
    if _is_told(parse, head) or text == "because" and _is_blame(parse, head, start):
        return DiscoFuseReason.NOT_ASSERTED
    if text == "because" and _is_pro_verb(parse, head):
        return DiscoFuseReason.DANGLING
    if _is_concession(parse, verb):
        return DiscoFuseReason.CLAUSE_CUT
    if _is_participle(parse, verb, start):
        return DiscoFuseReason.NO_SUBJECT
    return DiscoFuseReason.NO_VERB if _is_time(parse, verb, start) else None


def _is_told(parse: Parse, verb: int) -> bool:
    """Whether the clause of ``verb`` is what signs or tales say: "Tests indicate that it is old , meaning that", "A
    rumour spread that he left because"."""
    at = verb
    while parse.tokens[at].head != at:
        above = parse.tokens[at].head
        if parse.tokens[at].dep in ("ccomp", "acl") and above < at:
            subject = parse.subject(above)
            tale = subject is not None and subject < at and parse.tokens[subject].lemma.lower() in _TALES
            told = parse.tokens[above].lemma.lower()
            if tale or told in _SIGNS or parse.tokens[at].dep == "acl" and told in _TALES:
                return True
        at = above
    return False


def _is_pro_verb(parse: Parse, verb: int) -> bool:
    """Whether the first part says no more than how often, or mainly, something has that reason: "They usually do so
    because"."""
    words = {parse.lower[k] for k in parse.children(verb)}
    adverb = any(parse.tokens[k].dep == "advmod" and parse.lower[k] != "so" for k in parse.children(verb) if k < verb)
    return parse.tokens[verb].lemma == "do" and not words.isdisjoint(_PRO_FORMS) and adverb


def _is_blame(parse: Parse, verb: int, start: int) -> bool:
    """Whether the first part says what somebody is blamed for: "They accuse Lee of leaving because he was afraid"."""
    return parse.tokens[verb].lemma in _BLAMING and any(
        verb < k < start and parse.lower[k] in _OF_DEEDS and parse.child(k, "pcomp") is not None
        for k in parse.children(verb)
    )


def _is_concession(parse: Parse, verb: int) -> bool:
    """Whether a comma alone joins a clause with a subject of its own to that of the connective, which it follows as its
    main clause: "and although it was old , many came"."""
    children = parse.children(verb)
    for k in children:
        subject = parse.subject(k) if k > verb and parse.tokens[k].dep == "conj" else None
        if subject is None or parse.tokens[subject].dep not in SUBJECTS:
            continue
        begin = parse.left_edge(k)
        joined = any(parse.tokens[c].dep == "cc" for c in (*children, *parse.children(k)) if verb < c < k)
        if not joined and parse.lower[begin - 1] == ",":
            return True
    return False


def _is_participle(parse: Parse, verb: int, start: int) -> bool:
    """Whether the clause is only what its subject does besides, and a participle at its end was taken for its verb:
    "while watching the time elapsed"."""
    gerund = parse.tokens[start].tag == "VBG" and parse.tokens[start].dep in ("csubj", "csubjpass")
    behind = [k for k in parse.children(verb) if k > verb and parse.tokens[k].pos != "PUNCT"]
    return gerund and not behind and not parse.auxiliaries(verb) and may_be_past(parse.lower[verb])


def _is_time(parse: Parse, verb: int, start: int) -> bool:
    """Whether the clause is only the time of another that is missing: "although by the time most had left"."""
    if parse.lower[start : start + 3] != ["by", "the", "time"]:
        return False
    time = start + 2
    subject = parse.subject(verb, after=time)
    return (
        parse.child(time, "relcl", "acl", "ccomp") is None
        and subject is not None
        and parse.left_edge(subject) == time + 1
    )
