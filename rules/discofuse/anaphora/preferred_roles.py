"""Roles that speak against an antecedent: another noun of the text has the role that the pronoun's clause prefers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.nouns.agreement import agrees, heads
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.documents import Mention

# Behind these "because" says something of their object (implicit causality: Garvey and Caramazza, 1974; Ferstl,
# Garnham and Manouilidou, 2011).
_OF_OBJECTS = frozenset(
    """
    abandon abhor admire adore applaud appreciate avoid ban blame celebrate censure commend condemn congratulate
    criticize criticise decry denounce despise detest disapprove dislike distrust dread embrace envy esteem favor favour
    fear hate honor honour like loathe love miss mistrust mock notice oppose pity praise prefer prize prohibit
    punish reject rely resent respect reward ridicule scold support thank trust value want welcome worship
    """.split()
)
# Behind these it may as well tell how their object can do it.
_ENABLING = frozenset("enable allow permit let help".split())
_OBJECTS = frozenset(("dobj", "pobj"))


def is_unlikely(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether another noun has the role that the pronoun's place prefers.

    A passive subject goes on about the object of the clause before rather than about its agent ("The firm registered a
    mark , and it was granted in 2011"), the subject of a reason about what somebody opposes or likes ("The firm opposed
    the tax because it would cost jobs") or helps ("Reefs allow fish to hide because they are small"), and "they" in a
    clause below that of another subject about a plural there ("the rules help you to grow plants wherever they take
    root").
    """
    token = second.tokens[mention.head]
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    if first is second and first.tokens[antecedent.head].dep == "nsubj":
        verb = first.tokens[antecedent.head].head
        rivals = [
            k
            for k in _objects(first, verb)
            if antecedent.head < k < mention.start and _fits(first, k, gender) and not _is_known(k, mention, cluster)
        ]
        raised = second.child(token.head, "xcomp", "oprd", "ccomp") is not None  # "they are known to be"
        if rivals and token.dep == "nsubjpass" and second.on_main_line(token.head) and not raised:
            return True
        if rivals and first.tokens[verb].lemma in _OF_OBJECTS | _ENABLING and _opens_reason(second, mention):
            return True
    after = antecedent.head if first is second else -1
    return gender == lexicon.PLURAL and _has_nearer_object(second, mention, cluster, after=after)


def _objects(parse: Parse, verb: int) -> Iterator[int]:
    """The objects of a verb and of the infinitives below it: "filed to register the mark"."""
    for k in parse.children(verb):
        if parse.tokens[k].dep == "dobj":
            yield k
        elif parse.tokens[k].dep == "xcomp" and k > verb:
            yield from _objects(parse, k)


def _fits(parse: Parse, noun: int, gender: str) -> bool:
    return (
        any(noun == k for k in heads(parse, noun, noun + 1))
        and is_plural(parse, noun) == (gender == lexicon.PLURAL)
        and agrees(parse, noun, gender)
    )


def _is_known(head: int, mention: Mention, cluster: Sequence[Mention]) -> bool:
    return any(m.head == head and m.sentence == mention.sentence for m in cluster)


def _opens_reason(parse: Parse, mention: Mention) -> bool:
    return (
        mention.start > 0 and parse.lower[mention.start - 1] == "because" and parse.tokens[mention.head].dep == "nsubj"
    )


def _has_nearer_object(second: Parse, mention: Mention, cluster: Sequence[Mention], *, after: int) -> bool:
    """Whether a clause above the pronoun's has another subject, behind position ``after``, and a plural behind it."""
    at = second.tokens[mention.head].head
    start = second.left_edge(at)
    while second.tokens[at].head != at:
        above = second.tokens[at].head
        joined = second.tokens[at].dep == "conj" and second.is_verb(above) and second.finite(above)
        if joined and second.subject(at) is not None:
            return False  # a clause of its own; none is joined to a participle
        at = above
        subject = second.subject(at) if second.is_verb(at) else None
        if subject is None or not after < subject < mention.start or _is_known(subject, mention, cluster):
            continue
        return any(
            second.tokens[k].dep in _OBJECTS and is_plural(second, k) and not _is_known(k, mention, cluster)
            for k in heads(second, subject + 1, min(start, mention.start))
        )
    return False
