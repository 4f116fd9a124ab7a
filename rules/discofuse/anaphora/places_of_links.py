"""What the places of two mentions add to the probability of their link.

A subject goes on about the subject of the half before (Grosz, Joshi and Weinstein, 1995), a definite noun about the
same noun there.
"""

from __future__ import annotations

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.anaphora import continued_subjects
from gistmill.rules.discofuse.nouns.agreement import agrees, heads
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.nouns.repeated_nouns import DEMONSTRATIVES
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, QUOTES, SUBORDINATE, Parse
from gistmill.rules.documents import Mention

# Links less sure than this say nothing for a subject that goes on.
LIKELY = 0.5
# What a parallel place adds to the probability of a link, by reading (the wrong ones below 0.65 are a quarter), and
# what it adds where the half before has no other topic (one of twenty is wrong from 0.45 on).
_PARALLEL_SUBJECTS = 0.1
# "They" gets no more than in any parallel place: of 16 links below 0.9 four were wrong.
_TOPIC = 0.3
# The same for "he" where the text before has one person.
_ONLY_PERSON = 0.25
# The same for "the mill" and "this mill" behind "an old mill", where no other mill is: below 0.7 a quarter is wrong,
# from there on one in twenty.
_SAME_NOUN = 0.2
_PLURAL_TAGS = ("NNS", "NNPS")
_MODIFIERS = frozenset(("amod", "compound", "nmod"))


def support(first: Parse, antecedent: Mention, second: Parse, mention: Mention, start: int) -> float:
    """Returns what the places of both mentions add to the probability of their link.

    Args:
        first, antecedent: the first text, and the antecedent in it.
        second, mention: the second text, and the mention in it.
        start: where the second half begins in the second text.
    """
    end = start if first is second else len(first)
    end = start if first is second else len(first)
    if mention.kind == "nominal" and _is_same_noun(first, antecedent, second, mention, end):
        return _SAME_NOUN
    if mention.kind != "pronoun":
        return 0.0
    if mention.confidence >= LIKELY:
        place = continued_subjects.find(first, second, range(end), range(start, len(second)))
        if place == (antecedent.head, mention.head):
            return max(_PARALLEL_SUBJECTS, continued_subjects.CONFIDENCE - mention.confidence)
    parallel = _of_parallel_subject(first, antecedent, second, mention, start)
    return parallel or (_ONLY_PERSON if _is_only_person(first, antecedent, second, mention, start) else 0.0)


def _of_parallel_subject(first: Parse, antecedent: Mention, second: Parse, mention: Mention, start: int) -> float:
    """What it adds that both are main subjects."""
    if not opens(second, mention, start) or not is_main_subject(first, antecedent.head):
        return 0.0
    end = start if first is second else len(first)
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    plurals = [k for k in heads(first, 0, end) if is_plural(first, k)]
    if _is_topic(first, antecedent, gender, end) and _is_first_subject(second, mention, start):
        return _PARALLEL_SUBJECTS if gender == lexicon.PLURAL else _TOPIC
    return _PARALLEL_SUBJECTS if gender != lexicon.PLURAL or plurals in ([], [antecedent.head]) else 0.0


def opens(second: Parse, mention: Mention, start: int = 0) -> bool:
    """Whether a pronoun, or the noun that it possesses, is the main subject, and no noun before it agrees with it."""
    top = second.tokens[mention.head].head if second.tokens[mention.head].dep == "poss" else mention.head
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    return is_main_subject(second, top) and not any(
        agrees(second, k, gender) for k in heads(second, start, mention.head)
    )


def is_main_subject(parse: Parse, position: int) -> bool:
    """Whether the token is the subject of a verb of the main line."""
    token = parse.tokens[position]
    return token.dep in NOMINAL_SUBJECTS and parse.on_main_line(token.head)


def _is_topic(first: Parse, antecedent: Mention, gender: str, end: int) -> bool:
    """Whether the half before, [0, end), is about its subject and nothing else that the pronoun can mean.

    A thing that belongs to another ("its length", "the length of a snake") is a property, and what comes next is about
    its owner. "They" are a plural subject. "It" is the subject of the half's only clause.
    """
    head = antecedent.head
    if _has_owner(first, antecedent):
        return False
    if gender in (lexicon.MALE, lexicon.FEMALE):
        return is_personal(first, head)
    plural = first.tokens[head].tag in _PLURAL_TAGS
    if gender == lexicon.PLURAL:
        return plural
    if plural or first.tokens[head].entity.endswith("PERSON"):
        return False
    # within a sentence the second clause may be about what the first one says
    return end == len(first) and _is_only_clause(first, head, end)


def _is_first_subject(second: Parse, mention: Mention, start: int) -> bool:
    """Whether no clause joined to the pronoun's has a subject before it: "French is taught , and it is"."""
    return not any(is_main_subject(second, k) for k in range(start, mention.start))


def _has_owner(parse: Parse, noun: Mention) -> bool:
    """Whether a noun has a possessor or a complement with "of", outside of its name: "Church of Scotland" has none."""
    return any(
        parse.tokens[k].dep == "poss" or parse.lower[k] == "of" and k >= noun.end for k in parse.children(noun.head)
    )


def _is_only_clause(first: Parse, head: int, end: int) -> bool:
    """Whether the half has no finite verb below its subject's or joined to it, and names no object."""
    verb = first.tokens[head].head
    for k in range(end):
        token = first.tokens[k]
        if token.dep == "dobj" and token.head == verb and (token.pos == "PROPN" or token.entity):
            return False
        if k != verb and first.is_verb(k) and (token.dep in SUBORDINATE or token.dep == "conj") and first.finite(k):
            return False
    return True


def _is_only_person(first: Parse, antecedent: Mention, second: Parse, mention: Mention, start: int) -> bool:
    """Whether the text before a "he" or "she" has one person whom it can mean, and nobody is quoted."""
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    if gender not in (lexicon.MALE, lexicon.FEMALE) or antecedent.kind != "name":
        return False
    end = start if first is second else len(first)
    if not is_personal(first, antecedent.head) or not QUOTES.isdisjoint(first.lower[:end]):
        return False
    there = [k for k in heads(first, 0, end) if agrees(first, k, gender)]
    return there == [antecedent.head] and not any(
        agrees(second, k, gender) or second.tokens[k].pos == "PROPN" for k in heads(second, start, mention.head)
    )


def _is_same_noun(first: Parse, antecedent: Mention, second: Parse, mention: Mention, end: int) -> bool:
    """Whether "the mill" or "these mills" repeats the head of the antecedent, and no other mill stands before it."""
    opening = second.lower[mention.start]
    noun, head = second.tokens[mention.head], first.tokens[antecedent.head]
    if mention.end - mention.start != 2 or opening != "the" and opening not in DEMONSTRATIVES:
        return False
    lemma = noun.lemma.lower()
    if lemma != head.lemma.lower() or (noun.tag in _PLURAL_TAGS) != (head.tag in _PLURAL_TAGS):
        return False
    if sum(t.lemma.lower() == lemma for t in first.tokens[:end]) > 1:
        return False
    # "the early and the late periods" are several
    return not any(
        first.tokens[k].dep in _MODIFIERS and first.child(k, "conj") is not None
        for k in first.children(antecedent.head)
    )
