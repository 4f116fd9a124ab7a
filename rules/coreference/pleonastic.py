"""Pleonastic "it", which has no referent: "it rains", "it is clear that ...", "it seems"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.markables import Markable
from gistmill.rules.coreference.syntax import AGENT, OF, PASSIVE, POSSESSIVE, SUBJECTS, Syntax
from gistmill.rules.documents import Token

_CONTENT = frozenset({"ccomp", "csubj"})
_CLAUSES = _CONTENT | {"xcomp", "advcl", "relcl"}
# Values of ``pleonastic`` that hardly ever have an antecedent.
EMPTY = frozenset({3, 5, 6, 7, 8, 9})
# What a deed takes: "it takes time to learn".
_TAKEN = frozenset("time effort courage patience practice".split())
_CLOCK = re.compile(r"[0-9]{1,2}(:[0-9]{2})?([ap]\.?m\.?)?")
_EXPLETIVE_VERBS = frozenset("make find consider think believe deem render feel keep take leave see hold".split())
# The lemmatiser makes "hop" of "hoped".
_SAID = lexicon.SPEECH_LEMMAS.union(
    "know hope hop expect estimate assume propose show understand establish rumor rumour document".split()
)


def pleonastic(pronoun: Markable, syntax: Syntax) -> int:
    """Returns the kind of construction that an "it" stands in, as far as it may lack a referent.

    0: none, or another pronoun; 1: an object; 2: the subject of "be"; 3: of "be" with a clause after it ("it is clear
    that", "it was in 1901 that"); 4: of a passive with a clause; 5: of a verb of seeming; 6: of a verb of weather;
    7: of a time ("it was noon"); 8: an object in place of a clause ("made it possible to"); 9: the subject of a report
    ("it is said that").
    """
    if pronoun.gender != lexicon.NEUTER or pronoun.role in (POSSESSIVE, OF, AGENT):
        return 0
    if _is_expletive(pronoun, syntax.tokens):
        return 8
    return _as_subject(pronoun, syntax.tokens) if pronoun.role in SUBJECTS else 1


def _as_subject(pronoun: Markable, tokens: Sequence[Token]) -> int:
    head = tokens[pronoun.head].head
    lemma = tokens[head].lemma
    if lemma in lexicon.WEATHER_LEMMAS:
        return 6
    labels = {t.dep for t in tokens[head + 1 :] if t.head == head}
    with_content = not labels.isdisjoint(_CONTENT)
    if lemma in lexicon.RAISING_LEMMAS and with_content:
        return 5
    if lemma == "be":
        return _with_be(head, labels, tokens)
    if lemma == "take" and any(_is_time_taken(t) for t in tokens if t.head == head):
        return 7
    if pronoun.role != PASSIVE:
        return 0
    if with_content and lemma in _SAID:
        return 9
    return 4 if labels & _CLAUSES else 0


def _is_time_taken(token: Token) -> bool:
    return token.dep in ("dobj", "npadvmod") and (token.entity[2:] in ("DATE", "TIME") or token.lemma in _TAKEN)


def _with_be(head: int, labels: set[str], tokens: Sequence[Token]) -> int:
    """The answer for a subject of "be". A noun with a relative clause ("it is a town that ...") is not a cleft."""
    if labels & _CLAUSES:
        return 3
    for index in range(head + 1, len(tokens)):
        token = tokens[index]
        if token.head != head or token.dep not in ("attr", "acomp", "prep", "advmod"):
            continue
        if token.dep == "attr" and (token.entity[2:] in ("DATE", "TIME") or _CLOCK.fullmatch(token.text.lower())):
            return 7
        if any(below.head == index and _is_clause_of(token, below) for below in tokens[index + 1 :]):
            return 3
    return 2


def _is_clause_of(token: Token, verb: Token) -> bool:
    """Whether a verb under what follows "be" heads a clause that "it" stands for."""
    if verb.dep in ("xcomp", "acl"):
        return token.dep != "prep" and verb.tag == "VB"
    return verb.dep in _CONTENT or verb.dep == "relcl" and token.pos == "PROPN"


def _is_expletive(pronoun: Markable, tokens: Sequence[Token]) -> bool:
    """Whether an object stands for a clause after an adjective or noun: "made it possible to", "finds it hard that"."""
    if pronoun.start == 0 or tokens[pronoun.start - 1].lemma not in _EXPLETIVE_VERBS:
        return False
    after = tokens[pronoun.end : pronoun.end + 7]
    if not after or after[0].pos not in ("ADJ", "ADV", "DET", "NOUN", "VERB"):
        return False
    described = next((k for k, t in enumerate(after[:4]) if t.pos in ("ADJ", "NOUN") or t.tag == "VBN"), None)
    if described is None:
        return False
    marks = ("to", "that") if after[described].pos == "NOUN" else ("to", "that", "for")
    return any(t.text.lower() in marks for t in after[described + 1 :][:3])
