"""Antecedents that a pronoun does not mean, or not alone, by what the text before and its own clause say."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.noun_kinds import Kind, kinds_of_noun
from gistmill.rules.discofuse.morphology import is_word
from gistmill.rules.discofuse.nouns.agreement import agrees, kinds
from gistmill.rules.discofuse.nouns.binding import commands
from gistmill.rules.discofuse.nouns.references import is_personal
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.documents import Mention

# Before "of the mills" they mean not all of them; before a noun, not all of its kind.
_SOME = frozenset("some many most few several half certain".split())
# Only somebody does these.
_WILLED = frozenset(
    "agree believe decide elect feel hire hope intend know learn marry plan refuse think try vote want wish".split()
)
_LIFELESS = frozenset((Kind.THING, Kind.EVENT, Kind.STATE, Kind.MEASURE, Kind.IDEA))
_OPPOSITE = {
    lexicon.PLURAL: lexicon.NEUTER,
    lexicon.NEUTER: lexicon.PLURAL,
    lexicon.MALE: lexicon.FEMALE,
    lexicon.FEMALE: lexicon.MALE,
}
_JOINTS = frozenset(("and", "or", "&"))
_LIVING = frozenset((Kind.PERSON, Kind.ANIMAL, Kind.GROUP))
# Nouns of things, works and events that are said of persons too.
_SAID_OF_PERSONS = frozenset(
    """
    addition brain choice comeback delight diamond discovery embodiment epitome exception eye face failure figure
    find force gem hand head heart icon influence inspiration joy legend mouthpiece name one part phenomenon power
    presence product pupil rarity sensation source success symbol talent threat voice
    """.split()
)


def is_another(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a pronoun means something else than the noun phrase that the links give it, or more, or less."""
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    return (
        gender in (lexicon.MALE, lexicon.FEMALE)
        and (_is_not_a_name(first, antecedent) or _is_said_to_be_thing(first, antecedent, gender))
        or _is_barred(first, antecedent, cluster)
        or _is_joined(first, antecedent, gender)
        or gender == lexicon.PLURAL
        and _is_whole(first, antecedent.head)
        or first is not second
        and _follows_subject(second, mention, cluster, gender)
        or _is_one_and_many(first, antecedent, cluster, gender, end=mention.start if first is second else len(first))
        or _is_willing(first, antecedent, second, mention)
    )


def _is_not_a_name(first: Parse, antecedent: Mention) -> bool:
    """Whether a common noun was taken for a name because it opens the sentence: "Mind made up , he left".

    What somebody is or does is many a surname: "Rider left".
    """
    token = first.tokens[antecedent.head]
    return (
        antecedent.kind == "name"
        and (antecedent.start, antecedent.end) == (0, 1)
        and not token.entity
        and token.text not in lexicon.FIRST_NAMES
        and token.text.lower() not in lexicon.PERSON_NOUNS
        and is_word(token.text.lower(), upos="NOUN")
    )


def _is_said_to_be_thing(first: Parse, antecedent: Mention, gender: str) -> bool:
    """Whether a name is said not to be a person's: "Uno is a game . He", "the game Uno . He". A ship may be "she"."""
    token = first.tokens[antecedent.head]
    if antecedent.kind != "name" or token.dep != "nsubj" or first.tokens[token.head].lemma != "be":
        return False
    predicate = first.child(token.head, "attr")
    if predicate is None or first.tokens[antecedent.start].text in lexicon.FIRST_NAMES:
        return False
    lemma = first.tokens[predicate].lemma
    found = kinds_of_noun(lemma) if first.tokens[predicate].tag == "NN" else frozenset()
    ship = gender == lexicon.FEMALE and Kind.THING in found
    return bool(found) and found.isdisjoint(_LIVING) and not ship and lemma not in _SAID_OF_PERSONS


def _is_barred(first: Parse, antecedent: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a pronoun beside the antecedent is said to be the same and cannot be, so that the links are wrong.

    A subject before it rules over it ("he praised the clerk": principle C), and an object is not what stands beside it
    in a prepositional phrase ("put saucers under them": principle B).
    """
    token = first.tokens[antecedent.head]
    for m in cluster:
        if m.kind != "pronoun" or m.sentence != antecedent.sentence:
            continue
        pronoun = first.tokens[m.head]
        above = first.tokens[pronoun.head].head
        if pronoun.dep == "pobj" and token.dep == "dobj" and above in (token.head, antecedent.head):
            return True
        before = pronoun.dep in NOMINAL_SUBJECTS and m.head < antecedent.head
        if before and token.dep != "attr" and commands(first, m.head, antecedent.head):
            return True
    return False


def _is_joined(first: Parse, antecedent: Mention, gender: str) -> bool:
    """Whether the antecedent is joined to another noun that the pronoun can mean as well, or with it: "Fox and Lee came
    . He", "prams or carts are allowed . They"."""
    head = antecedent.head
    token = first.tokens[head]
    others = [k for k in first.children(head) if k >= antecedent.end and _is_joined_behind(first, antecedent, k)]
    if token.dep == "conj":
        others.append(token.head)
    return any(
        first.tokens[k].pos in NOUNS and agrees(first, k, gender, named=first.tokens[k].pos == "PROPN") for k in others
    )


def _is_joined_behind(first: Parse, antecedent: Mention, other: int) -> bool:
    """Whether a noun follows right behind the antecedent and more than a comma joins them: "Ada , Bea and Lee"."""
    behind = first.lower[antecedent.end]
    joined = behind in _JOINTS or behind == "," and first.child(other, "cc") is not None
    return joined and first.tokens[other].dep == "conj"


def _is_whole(first: Parse, head: int) -> bool:
    """Whether the antecedent is a whole of which only some are spoken of: "Some of the mills are old , but they"."""
    token = first.tokens[head]
    if token.dep != "pobj" or first.lower[token.head] != "of":
        return False
    part = first.tokens[token.head].head
    return first.lower[part] in _SOME or first.tokens[part].tag == "CD" and first.lower[part] != "one"


def _follows_subject(second: Parse, mention: Mention, cluster: Sequence[Mention], gender: str) -> bool:
    """Whether the clause that the pronoun's is joined to has another noun for its subject: "The law failed . The tax
    rose , but it". The number of one that looks like a plural shows in its verb alone: "Rabies can be cured , but it".
    """
    token = second.tokens[mention.head]
    above = second.tokens[token.head].head
    if token.dep not in NOMINAL_SUBJECTS or second.tokens[token.head].dep != "conj" or not second.is_verb(above):
        return False
    subject = second.subject(above)
    if subject is None or subject > mention.head or second.tokens[subject].pos not in NOUNS:
        return False
    if any(m.head == subject and m.sentence == mention.sentence for m in cluster):
        return False
    unclear = gender == lexicon.NEUTER and second.number(above) is None and second.child(subject, "det") is None
    return agrees(second, subject, gender) or unclear and not is_personal(second, subject)


def _is_one_and_many(first: Parse, antecedent: Mention, cluster: Sequence[Mention], gender: str, *, end: int) -> bool:
    """Whether the antecedent is "they" where it stands, before position ``end``, and "it" now, or the other way round:
    "the band sold their album . It"; or "he" there and "she" now."""
    other = _OPPOSITE.get(gender)
    return other is not None and any(
        m.kind == "pronoun"
        and m.sentence == antecedent.sentence
        and antecedent.head < m.head < end
        and lexicon.PRONOUNS.get(first.lower[m.head]) == other
        for m in cluster
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
