"""What else than its antecedent a pronoun goes on about, by what the text before and its own clause say."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.kinds import COUNTRIES
from gistmill.rules.coreference.noun_kinds import Kind
from gistmill.rules.discofuse.nouns.agreement import agrees, kinds
from gistmill.rules.discofuse.parse import SUBJECTS, Parse
from gistmill.rules.documents import Mention

_ACTORS = frozenset((Kind.PERSON, Kind.GROUP, Kind.ANIMAL))
# Only somebody does these.
_WILLED = frozenset(
    "agree believe decide elect feel hire hope intend know learn marry plan refuse think try vote want wish".split()
)
_HAPPENING = frozenset("culminate ensue happen occur result".split())
_CORRECT = frozenset("accurate confirmed correct proven so true".split())
_BODIES = frozenset((Kind.PERSON, Kind.GROUP, Kind.ANIMAL, Kind.PLACE))
_LIFELESS = frozenset((Kind.THING, Kind.EVENT, Kind.STATE, Kind.MEASURE, Kind.IDEA))
# A name of one word without an article may be a person's, whatever it was taken for.
_MISTAKEN = frozenset(("", "PERSON", "ORG", "GPE", "PRODUCT", "WORK_OF_ART"))
# Measures that only bodies and places have.
_OF_BODIES = frozenset("height width length depth diameter circumference thickness wingspan weight".split())
# What is done to buildings and other things, never to those who meet there.
_BUILDING = frozenset("build demolish erect construct".split())


def has_rival_topic(
    first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]
) -> bool:
    """Whether the pronoun rather means another noun, or cannot mean its antecedent."""
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    return (
        _is_willing(first, antecedent, second, mention)
        or first is not second
        and (
            _is_of_agent(first, antecedent, second, mention, gender)
            or gender in lexicon.GENDERED
            and _is_one_of_two(first, antecedent, cluster, gender)
        )
        or gender == lexicon.NEUTER
        and (
            _is_body(second, mention)
            and _is_only_group(first, antecedent.head)
            or _happens(first, antecedent.head, second, mention)
            or _may_be_correct(second, mention)
        )
    )


def _is_willing(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether the pronoun decides or wants something, and the antecedent cannot: "The works began . They decided"."""
    token = second.tokens[mention.head]
    if (
        token.dep != "nsubj"
        or second.tokens[token.head].lemma not in _WILLED
        or first.tokens[antecedent.head].pos != "NOUN"
    ):
        return False
    own = kinds(first, antecedent.head)
    return bool(own) and own <= _LIFELESS


def _is_of_agent(first: Parse, antecedent: Mention, second: Parse, mention: Mention, gender: str) -> bool:
    """Whether the antecedent is what somebody has done, and the pronoun does something to another thing: "Works were
    carried out by the firm . They tested the walls"."""
    token, doer = first.tokens[antecedent.head], second.tokens[mention.head]
    own = kinds(first, antecedent.head)
    if token.dep != "nsubjpass" or doer.dep != "nsubj" or not own or not own.isdisjoint(_ACTORS):
        return False
    agent = first.child(token.head, "agent")
    by = first.child(agent, "pobj") if agent is not None else None
    acts = second.child(doer.head, "dobj") is not None and second.tokens[doer.head].lemma != "have"
    return by is not None and acts and agrees(first, by, gender)


def _is_one_of_two(first: Parse, antecedent: Mention, cluster: Sequence[Mention], gender: str) -> bool:
    """Whether another name is the subject of a clause that is joined to the antecedent's: "Lee bought mills , but Fox
    sold them . He"."""
    token = first.tokens[antecedent.head]
    known = {m.head for m in cluster if m.sentence == antecedent.sentence}
    if token.dep not in SUBJECTS:
        return False
    for verb in first.children(token.head):
        subject = first.subject(verb) if first.tokens[verb].dep == "conj" and verb > token.head else None
        if subject is None or subject in known or first.tokens[subject].pos != "PROPN":
            continue
        alone = first.left_edge(subject) == subject == first.right_edge(subject)
        personal = alone and first.tokens[subject].entity[2:] in _MISTAKEN and (first.lower[subject],) not in COUNTRIES
        if personal and agrees(first, subject, gender, named=True):
            return True
    return False


def _is_body(second: Parse, mention: Mention) -> bool:
    """Whether the pronoun has a measure that only bodies and buildings have, or is built: "It had a seating capacity",
    "Its height"."""
    token = second.tokens[mention.head]
    if token.dep == "poss":
        return _is_bodily(second, token.head)
    if token.dep == "nsubjpass":
        return second.tokens[token.head].lemma in _BUILDING
    thing = second.child(token.head, "dobj") if token.dep == "nsubj" else None
    return thing is not None and second.tokens[token.head].lemma == "have" and _is_bodily(second, thing)


def _happens(first: Parse, head: int, second: Parse, mention: Mention) -> bool:
    """Whether the pronoun came about or had a result, and the antecedent is a body, a place or a person: "The fleet was
    led by Lee . It resulted in a victory"."""
    token = second.tokens[mention.head]
    own = kinds(first, head)
    happening = token.dep == "nsubj" and second.tokens[token.head].lemma in _HAPPENING
    return happening and bool(own) and own <= _BODIES


def _may_be_correct(second: Parse, mention: Mention) -> bool:
    """Whether the pronoun rather means what was said before: "If correct , it"."""
    opening = second.lower[:2]
    return mention.start in (2, 3) and opening[:1] == ["if"] and opening[-1] in _CORRECT


def _is_bodily(parse: Parse, noun: int) -> bool:
    if parse.lower[noun] in _OF_BODIES:
        return True
    return parse.lower[noun] == "capacity" and any(parse.lower[k] == "seating" for k in parse.children(noun))


def _is_only_group(first: Parse, head: int) -> bool:
    """Whether a common noun names people and nothing else: "the team"."""
    return first.tokens[head].pos == "NOUN" and kinds(first, head) in (
        frozenset((Kind.GROUP,)),
        frozenset((Kind.PERSON,)),
        frozenset((Kind.GROUP, Kind.PERSON)),
    )
