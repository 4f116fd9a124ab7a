"""The "it" that means nothing: "it rains", "it is clear that ...", "it seems"."""

from __future__ import annotations

from rules.coreference import lexicon
from rules.coreference.mentions import Candidate
from rules.coreference.syntax import AGENT, OF, POSSESSIVE, SUBJECTS, Syntax

# Values of ``pleonastic`` that hardly ever have an antecedent.
EMPTY = frozenset({3, 5, 6, 7})


def pleonastic(pronoun: Candidate, syntax: Syntax) -> int:
    """Says how much an "it" looks like a subject without reference.

    Returns 0: not at all (or another pronoun), 1: object, 2: subject of "be", 3: of "be" with a clause after it
        ("it is clear that"), 4: of
    a cleft or passive report ("it is said that"), 5: of a verb of seeming, 6: weather, 7: a time ("it was noon").
    """
    if pronoun.gender != lexicon.NEUTER or pronoun.role == POSSESSIVE or pronoun.role == OF or pronoun.role == AGENT:
        return 0
    tokens = syntax.tokens
    head = tokens[pronoun.head].head
    verb = tokens[head]
    if pronoun.role not in SUBJECTS:
        return 1
    if verb.lemma in lexicon.WEATHER_LEMMAS:
        return 6
    if verb.lemma in lexicon.RAISING_LEMMAS:
        return 5
    labels = {t.dep for t in tokens[head + 1 :] if t.head == head}
    clausal = bool(labels & {"ccomp", "xcomp", "csubj", "advcl", "relcl"})
    if verb.lemma == "be":
        for index in range(head + 1, len(tokens)):
            token = tokens[index]
            if token.head == head and token.dep in ("attr", "acomp"):
                if token.entity[2:] in ("DATE", "TIME"):
                    return 7
                clausal = clausal or any(
                    t.head == index and t.dep in ("ccomp", "xcomp", "relcl", "acl", "csubj")
                    for t in tokens[index + 1 :]
                )
        return 3 if clausal else 2
    return 4 if clausal and pronoun.role != 0 else 0
