"""The support that the positions of two mentions add to the probability of their link.

A subject tends to continue the subject of the half before (Grosz, Joshi and Weinstein, 1995), and a definite noun the
same noun there. If nothing else agrees with a pronoun, its position alone shows its referent: "Angola scored poorly .
It was ranked 39 of 52 ."
"""

from __future__ import annotations

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.lexicon import ReferentKind
from gistmill.rules.discofuse.nouns.noun_phrases import DEMONSTRATIVES, is_plural
from gistmill.rules.discofuse.nouns.references import agreeing, agrees, heads, is_empty, is_personal, kinds_at
from gistmill.rules.discofuse.parse import NOMINAL, NOMINAL_SUBJECTS, NOUNS, PLURAL_TAGS, QUOTES, SUBORDINATE, Parse
from gistmill.rules.documents import Mention

# Kinds of referents that a later noun may repeat: "It is a town . The town". Not, for example, a success.
_NAMING = frozenset(
    (ReferentKind.PERSON, ReferentKind.GROUP, ReferentKind.PLACE, ReferentKind.THING, ReferentKind.WORK)
)
# Probability that such a pronoun refers to that subject: nine of ten in a reading, less a margin.
CONFIDENCE = 0.8


def find(first: Parse, second: Parse, antecedents: range, anaphors: range) -> tuple[int, int] | None:
    """Finds a pronoun in the second half that continues the subject of the first.

    The pronoun is the second half's subject or its possessor, and no possible antecedent precedes it there. One subject
    on the first half's main line agrees with it, and its phrase contains no other noun that does. No other subject is
    such a pronoun, and for a plural there is no other plural noun at all ("The mills hit the markets . They"). If the
    subject is a pronoun, its predicate noun counts ("He was a captain . He").

    Args:
        first, second: the sentences of the two halves; the same object for the halves of one sentence.
        antecedents, anaphors: the positions of the halves.

    Returns:
        The positions of the noun and of the pronoun; None if there is no such pronoun.
    """
    pronoun = _opening(second, anaphors)
    if pronoun is None:
        return None
    gender = lexicon.PRONOUNS[second.lower[pronoun]]
    found: list[int] = []
    for k in antecedents:
        token = first.tokens[k]
        if token.dep not in NOMINAL_SUBJECTS or not _heads(first, token.head, antecedents):
            continue
        if lexicon.PRONOUNS.get(first.lower[k]) == gender:
            found.append(_predicate(first, k, gender))
        elif agrees(first, k, gender):
            found.append(k)
    if len(found) != 1 or not _is_alone(first, found[0], gender):
        return None
    rivals = heads(first, antecedents.start, antecedents.stop) if gender == lexicon.PLURAL else ()
    return None if any(k != found[0] and is_plural(first, k) for k in rivals) else (found[0], pronoun)


def _opening(second: Parse, anaphors: range) -> int | None:
    """Returns the pronoun that is, or possesses, the second half's subject, if no possible antecedent precedes it."""
    for k in anaphors:
        token = second.tokens[k]
        if token.tag in ("PRP", "PRP$") and second.lower[k] in lexicon.PRONOUNS:
            top = token.head if token.dep == "poss" else k
            fits = second.tokens[top].dep in NOMINAL_SUBJECTS and _heads(second, second.tokens[top].head, anaphors)
            return k if fits and not is_empty(second, k) else None
        if token.pos in NOMINAL and (token.dep in NOMINAL_SUBJECTS or token.dep == "expl"):
            return None
    return None


def _heads(parse: Parse, verb: int, half: range) -> bool:
    """Whether the verb heads the half: its head, or that of its first conjunct, is outside."""
    at = verb
    while parse.tokens[at].dep == "conj" and parse.tokens[at].head in half:
        at = parse.tokens[at].head
    return at == parse.tokens[at].head or parse.tokens[at].head not in half


def _predicate(parse: Parse, subject: int, gender: str) -> int:
    """Returns the noun that describes a pronoun, or the pronoun if there is none: "He was a captain . The captain"."""
    noun = parse.child(parse.tokens[subject].head, "attr")
    if noun is None or noun < subject or parse.tokens[noun].pos not in NOUNS or not agrees(parse, noun, gender):
        return subject
    return noun if gender in lexicon.GENDERED or not _NAMING.isdisjoint(kinds_at(parse, noun)) else subject


def _is_alone(parse: Parse, subject: int, gender: str) -> bool:
    """Whether a subject certainly agrees and nothing else in its phrase does: not "the shape of the badge" or "its
    tail"."""
    if parse.tokens[subject].pos not in NOUNS or parse.child(subject, "conj") is not None:
        return False
    plural, personal = is_plural(parse, subject), is_personal(parse, subject)
    if plural != (gender == lexicon.PLURAL) or (not plural and personal == (gender == lexicon.NEUTER)):
        return False
    inside = parse.subtree(subject)
    if any(parse.tokens[k].tag == "PRP$" and parse.tokens[k].head == subject for k in inside):
        return False
    name = parse.tokens[subject].entity
    others = (k for k in agreeing(parse, inside[0], inside[-1] + 1, gender) if k in inside and k != subject)
    return all(name and parse.tokens[k].entity for k in others)


# Links below this confidence are ignored when a subject continues.
LIKELY = 0.5
# Added to the probability of a link for parallel positions (when read, a quarter were wrong below 0.65), and if the
# previous half has no other topic (one in twenty was wrong from 0.45 on). "They" gets at most the former, since four of
# 16 links below 0.9 were wrong.
_PARALLEL_SUBJECTS, _TOPIC = 0.1, 0.3
# The same for "he" if the preceding text mentions only one person.
_ONLY_PERSON = 0.25
# The same for "the mill" and "this mill" after "an old mill", if no other mill is mentioned: a quarter were wrong below
# 0.7, one in twenty from there on.
_SAME_NOUN = 0.2


def support(first: Parse, antecedent: Mention, second: Parse, mention: Mention, start: int) -> float:
    """Returns the amount that the positions of both mentions add to the probability of their link.

    Args:
        first, antecedent: the first text, and the antecedent in it.
        second, mention: the second text, and the mention in it.
        start: where the second half begins in the second text.
    """
    end = start if first is second else len(first)
    if mention.kind == "nominal" and _is_same_noun(first, antecedent, second, mention, end):
        return _SAME_NOUN
    if mention.kind != "pronoun":
        return 0.0
    if mention.confidence >= LIKELY:
        place = find(first, second, range(end), range(start, len(second)))
        if place == (antecedent.head, mention.head):
            return max(_PARALLEL_SUBJECTS, CONFIDENCE - mention.confidence)
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    if list(agreeing(second, start, mention.head, gender)):
        return 0.0
    parallel = _of_parallel_subject(first, antecedent, second, mention, start, gender)
    # one possible person for "he" or "she" in the previous half, none in the pronoun's half, and no quotation
    named = any(second.tokens[k].pos == "PROPN" for k in heads(second, start, mention.head))
    person = gender in lexicon.GENDERED and antecedent.kind == "name" and is_personal(first, antecedent.head)
    if parallel or named or not person or not QUOTES.isdisjoint(first.lower[:end]):
        return parallel
    return _ONLY_PERSON if list(agreeing(first, 0, end, gender)) == [antecedent.head] else 0.0


def _of_parallel_subject(
    first: Parse, antecedent: Mention, second: Parse, mention: Mention, start: int, gender: str
) -> float:
    """Returns the support if both are main subjects: the pronoun itself, or the noun that it possesses."""
    top = second.tokens[mention.head].head if second.tokens[mention.head].dep == "poss" else mention.head
    if not second.is_main_subject(top) or not first.is_main_subject(antecedent.head):
        return 0.0
    end = start if first is second else len(first)
    # Whether no clause coordinated with the pronoun's has an earlier subject: "French is taught , and it is".
    own = not any(map(second.is_main_subject, range(start, mention.start)))
    if own and _is_topic(first, antecedent, gender, end):
        return _PARALLEL_SUBJECTS if gender == lexicon.PLURAL else _TOPIC
    plurals = [k for k in heads(first, 0, end) if is_plural(first, k)]
    return _PARALLEL_SUBJECTS if gender != lexicon.PLURAL or plurals in ([], [antecedent.head]) else 0.0


def _is_topic(first: Parse, antecedent: Mention, gender: str, end: int) -> bool:
    """Whether the previous half, [0, end), is about its subject and nothing else that the pronoun could refer to.

    A property of something ("its length", "the length of a snake") is not a topic: the next text is about the owner.
    "They" requires a plural subject, "it" the subject of the half's only clause.
    """
    head = antecedent.head
    below = first.children(head)
    # outside its name: "Church of Scotland" has no owner
    if any(first.tokens[k].dep == "poss" or (first.lower[k] == "of" and k >= antecedent.end) for k in below):
        return False
    if gender in lexicon.GENDERED:
        return is_personal(first, head)
    plural = first.tokens[head].tag in PLURAL_TAGS
    # within a sentence the second clause may refer to the first clause as a whole
    if gender == lexicon.PLURAL or plural or first.tokens[head].entity.endswith("PERSON") or end != len(first):
        return gender == lexicon.PLURAL and plural
    # its verb has no subordinate or coordinated finite verb, and no named object
    verb = first.tokens[head].head
    for k, token in enumerate(first.tokens):
        if token.dep == "dobj" and token.head == verb and (token.pos == "PROPN" or token.entity):
            return False
        if k != verb and first.is_verb(k) and (token.dep in SUBORDINATE or token.dep == "conj") and first.finite(k):
            return False
    return True


def _is_same_noun(first: Parse, antecedent: Mention, second: Parse, mention: Mention, end: int) -> bool:
    """Whether a phrase like "these mills" repeats the antecedent's head, with no other mill mentioned before it."""
    opening = second.lower[mention.start]
    noun, head = second.tokens[mention.head], first.tokens[antecedent.head]
    if mention.end - mention.start != 2 or (opening != "the" and opening not in DEMONSTRATIVES):
        return False
    lemma = noun.lemma.lower()
    if lemma != head.lemma.lower() or (noun.tag in PLURAL_TAGS) != (head.tag in PLURAL_TAGS):
        return False
    if sum(t.lemma.lower() == lemma for t in first.tokens[:end]) > 1:
        return False
    # "the early and the late periods" are several
    modifiers = (k for k in first.children(antecedent.head) if first.tokens[k].dep in ("compound", "nmod", "amod"))
    return all(first.child(k, "conj") is None for k in modifiers)
