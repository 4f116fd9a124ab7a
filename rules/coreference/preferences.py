"""The context of a pronoun or noun: the class it prefers, whether it indicates a person, and whether an "it" is empty.

``research/preferences.py`` counts how often each class occurs in each context, and writes ``data/preferences.txt``: a
line for each context, such as "p population" (role, lemma), with a digit for each class.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gistmill.rules.coreference import lexicon, markables
from gistmill.rules.coreference.lexicon import ReferentKind, kinds_of_noun, main_kind
from gistmill.rules.coreference.markables import NAME, SUBJECTS, Markable, Syntax
from gistmill.rules.documents import Token

# The classes of referents: kinds of common nouns, then countries and towns (whose governments act), then all others.
_KINDS = {kind: number for number, kind in enumerate(ReferentKind)}
STATES, OTHERS = len(_KINDS), len(_KINDS) + 1
CLASSES: int = len(_KINDS) + 2
_ENTITIES = {
    "PERSON": ReferentKind.PERSON,
    "ORG": ReferentKind.GROUP,
    "NORP": ReferentKind.GROUP,
    "LOC": ReferentKind.PLACE,
    "FAC": ReferentKind.PLACE,
    "PRODUCT": ReferentKind.THING,
    "WORK_OF_ART": ReferentKind.WORK,
    "LAW": ReferentKind.WORK,
    "EVENT": ReferentKind.EVENT,
}
# How much likelier a class is in a context than in its role overall, from 0 to 4.
UNKNOWN: int = 5
BUCKETS: int = 6
LIMITS = (0.3, 0.7, 1.4, 3.0)
_PREPOSITIONS = frozenset(
    {markables.AGENT, markables.OF, markables.WITH, markables.TO, markables.PLACE, markables.PREPOSITION}
)
# Relations of a predicate noun to a candidate: no predicate; same noun; same kind; another that fits; none that does.
NO_PREDICATE, SAME_NOUN, SAME_KIND, FITTING, APART = range(5)
PREDICATES = 5


def _contexts(name: str) -> dict[tuple[str, str], str]:
    """Returns the value of each context in a data file with lines of the form role, lemma, value."""
    lines = (line.split(" ") for line in lexicon.read(name).split("\n") if line)
    return {(role, lemma): value for role, lemma, value in lines}


_CONTEXTS = _contexts("preferences.txt")
_PERSON_CONTEXTS = {context: int(bucket) for context, bucket in _contexts("person_contexts.txt").items()}


def class_of(mention: Markable) -> int:
    """Returns the class of a name's or nominal's referent, from 0 to CLASSES - 1; its cluster must be complete."""
    if mention.person or mention.cluster.person:
        return _KINDS[ReferentKind.PERSON]
    if mention.kind == markables.GROUP:
        return OTHERS
    if mention.kind == NAME:
        entity = mention.cluster.entity or mention.entity
        if entity == "GPE":
            return STATES
        kind = _ENTITIES.get(entity)
    else:
        kind = ReferentKind.GROUP if mention.words[-1] in lexicon.GROUP_NOUNS else main_kind(mention.words[0])
    return OTHERS if kind is None else _KINDS[kind]


def context_of(mention: Markable, syntax: Syntax) -> tuple[str, str] | None:
    """Returns the context of a mention as (role, lemma), or None.

    The roles are: s, subject of a verb; o, its object, or its subject in the passive; b, subject of "be" with an
    adjective or noun, which is the lemma; p, owner of a noun; r, after a preposition, which is the lemma.
    """
    governor = syntax.tokens[syntax.base(mention.head)].head
    lemma = syntax.tokens[governor].lemma.lower()
    if mention.role == markables.PASSIVE:
        return "o", lemma
    if mention.role in SUBJECTS and lemma == "be":
        predicate = predicate_of(governor, syntax)
        return None if predicate is None else ("b", syntax.tokens[predicate].lemma.lower())
    return ("r", lemma) if mention.role in _PREPOSITIONS else person_context(mention, syntax)


def predicate_of(verb: int, syntax: Syntax) -> int | None:
    """Returns the predicate noun or adjective of a form of "be", or None."""
    below = (k for k, t in enumerate(syntax.tokens) if t.head == verb != k)
    return next((k for k in below if syntax.tokens[k].dep in ("attr", "acomp")), None)


def preferences_of(context: tuple[str, str] | None) -> str | None:
    """Returns a digit for each class, from "0" (hardly ever) to "4" (preferred); None if the context is too rare."""
    return None if context is None else _CONTEXTS.get(context)


def predicate_noun(pronoun: Markable, syntax: Syntax) -> str:
    """Returns the lemma of a pronoun's predicate noun ("it is a ship"), or ""."""
    verb = syntax.tokens[pronoun.head].head
    if pronoun.role not in SUBJECTS or syntax.tokens[verb].lemma not in ("be", "become", "remain"):
        return ""
    predicate = predicate_of(verb, syntax)
    noun = predicate is not None and syntax.tokens[predicate].pos == "NOUN"
    return syntax.tokens[predicate].lemma.lower() if noun and predicate is not None else ""


def predicate_fit(noun: str, mention: Markable, referent: int) -> int:
    """Returns how a candidate of class ``referent`` fits the pronoun's predicate noun."""
    if not noun:
        return NO_PREDICATE
    if mention.kind != NAME and mention.words[0] == noun:
        return SAME_NOUN
    kinds = {_KINDS[kind] for kind in kinds_of_noun(noun)}
    if not kinds or referent == OTHERS:
        return FITTING
    if referent == STATES:
        referent = _KINDS[ReferentKind.PLACE]
    main = main_kind(noun)
    if main is not None and referent == _KINDS[main]:
        return SAME_KIND
    return FITTING if referent in kinds else APART


def person_context(mention: Markable, syntax: Syntax) -> tuple[str, str] | None:
    """Returns a mention's context as subject or object of a verb or owner of a noun; None in other roles."""
    role = mention.role
    owner = "p" if role == markables.POSSESSIVE else ""
    letter = "s" if role in SUBJECTS else "o" if role in markables.OBJECTS else owner
    governor = syntax.tokens[syntax.tokens[syntax.base(mention.head)].head]
    return (letter, governor.lemma.lower()) if letter else None


def personhood(mention: Markable, syntax: Syntax) -> int:
    """Returns 0 if the context is uninformative, else 1 (hardly ever a person) to 4 (nearly always)."""
    context = person_context(mention, syntax)
    return 0 if context is None else _PERSON_CONTEXTS.get(context, 0)


_CONTENT = frozenset({"ccomp", "csubj"})
_CLAUSES = _CONTENT | {"xcomp", "advcl", "relcl"}
# Values of ``pleonastic`` for an "it" that hardly ever has an antecedent.
EMPTY = frozenset({3, 5, 6, 7, 8, 9})
# Nouns for the cost of an action: "it takes time to learn".
_TAKEN = frozenset("time effort courage patience practice".split())
_CLOCK = re.compile(r"[0-9]{1,2}(:[0-9]{2})?([ap]\.?m\.?)?")
_EXPLETIVE_VERBS = frozenset("make find consider think believe deem render feel keep take leave see hold".split())
# The lemmatiser turns "hoped" into "hop".
_SAID = lexicon.SPEECH_LEMMAS.union(
    "know hope hop expect estimate assume propose show understand establish rumor rumour document".split()
)


def pleonastic(pronoun: Markable, syntax: Syntax) -> int:
    """Returns the kind of construction that contains an "it" and may leave it without a referent.

    0: none, or another pronoun; 1: an object; 2: the subject of "be"; 3: of "be" with a clause after it ("it is clear
    that", "it was in 1901 that"); 4: of a passive with a clause; 5: of a verb of seeming; 6: of a weather verb; 7: of a
    time ("it was noon"); 8: an object in place of a clause ("made it possible to"); 9: the subject of a report ("it is
    said that").
    """
    if pronoun.gender != lexicon.NEUTER or pronoun.role in (markables.POSSESSIVE, markables.OF, markables.AGENT):
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
    taken = [t for t in tokens if t.head == head and t.dep in ("dobj", "npadvmod")] if lemma == "take" else ()
    if any(t.entity[2:] in ("DATE", "TIME") or t.lemma in _TAKEN for t in taken):
        return 7
    if pronoun.role != markables.PASSIVE:
        return 0
    if with_content and lemma in _SAID:
        return 9
    return 4 if labels & _CLAUSES else 0


def _with_be(head: int, labels: set[str], tokens: Sequence[Token]) -> int:
    """Returns the kind for a subject of "be". A noun with a relative clause ("it is a town that ...") is no cleft."""
    if labels & _CLAUSES:
        return 3
    for index in range(head + 1, len(tokens)):
        token = tokens[index]
        if token.head != head or token.dep not in ("attr", "acomp", "prep", "advmod"):
            continue
        if token.dep == "attr" and (token.entity[2:] in ("DATE", "TIME") or _CLOCK.fullmatch(token.text.lower())):
            return 7
        for verb in (t for t in tokens[index + 1 :] if t.head == index):  # a clause anticipated by "it"?
            infinitive = verb.dep in ("xcomp", "acl") and token.dep != "prep" and verb.tag == "VB"
            if infinitive or verb.dep in _CONTENT or (verb.dep == "relcl" and token.pos == "PROPN"):
                return 3
    return 2


def _is_expletive(pronoun: Markable, tokens: Sequence[Token]) -> bool:
    """Whether an object anticipates a clause after an adjective or noun: "made it possible to", "finds it hard"."""
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
