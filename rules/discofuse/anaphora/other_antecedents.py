"""Antecedents that a pronoun does not mean, or not alone, by their own place in the text before."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.noun_kinds import Kind, kinds_of_noun
from gistmill.rules.discofuse.clauses.assertion import REPORTING
from gistmill.rules.discofuse.morphology import is_word
from gistmill.rules.discofuse.nouns.agreement import agrees, heads
from gistmill.rules.discofuse.nouns.binding import commands
from gistmill.rules.discofuse.nouns.mentioned_words import is_only_mentioned, means_no_word
from gistmill.rules.discofuse.parse import FINITE, NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.documents import Mention

_OPENERS = frozenset(("when", "whenever", "if", "where", "wherever"))
# Before "of the mills" they mean not all of them; before a noun, not all of its kind.
_SOME = frozenset("some many most few several half certain".split())
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
_WORKS = frozenset(
    "album book comic episode film game magazine movie musical novel opera play series show song".split()
)
# What passes is time.
_PASSING = frozenset(("pass", "elapse"))


def is_another(first: Parse, antecedent: Mention, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a pronoun means something else than the noun phrase that the links give it, or more, or less."""
    gender = lexicon.PRONOUNS.get(second.lower[mention.head], "")
    return (
        _is_not_a_thing(first, antecedent)
        or means_no_word(first, antecedent.head, second, mention.head)
        or gender == lexicon.NEUTER
        and _is_not_a_source(first, antecedent.head, second, mention)
        or gender in (lexicon.MALE, lexicon.FEMALE)
        and (_is_not_a_name(first, antecedent) or _is_said_to_be_thing(first, antecedent, gender))
        or _is_barred(first, antecedent, cluster)
        or _is_joined(first, antecedent, gender)
        or _is_restricted(first, antecedent.head)
        or gender == lexicon.PLURAL
        and (_is_whole(first, antecedent.head) or _has_opposite(first, antecedent.head))
        or first is not second
        and _is_speaker(first, antecedent.head, second, mention, gender)
    )


def _is_not_a_thing(first: Parse, antecedent: Mention) -> bool:
    """Whether the antecedent is time that passes, or what something is called: "some call this fair"."""
    token = first.tokens[antecedent.head]
    if antecedent.kind == "name":
        return is_only_mentioned(first, antecedent)
    passes = token.dep == "nsubj" and first.tokens[token.head].lemma in _PASSING
    return token.dep == "oprd" or passes and Kind.MEASURE in kinds_of_noun(token.lemma)


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
    if antecedent.kind == "name" and any(_is_thing(first, k) for k in first.children(antecedent.head)):
        return True
    if antecedent.kind != "name" or token.dep != "nsubj" or first.tokens[token.head].lemma != "be":
        return False
    predicate = first.child(token.head, "attr")
    if predicate is None or first.tokens[antecedent.start].text in lexicon.FIRST_NAMES:
        return False
    lemma = first.tokens[predicate].lemma
    found = kinds_of_noun(lemma) if first.tokens[predicate].tag == "NN" else frozenset()
    ship = gender == lexicon.FEMALE and Kind.THING in found
    return bool(found) and found.isdisjoint(_LIVING) and not ship and lemma not in _SAID_OF_PERSONS


def _is_thing(parse: Parse, modifier: int) -> bool:
    """Whether a noun before a name says that it is a work."""
    token = parse.tokens[modifier]
    before = token.pos == "NOUN" and token.dep in ("compound", "nmod") and modifier < token.head
    return before and token.lemma in _WORKS


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


def _is_restricted(first: Parse, head: int) -> bool:
    """Whether a bare plural is the subject of what is so in some cases only, and so means not all of its kind: "in some
    cases women must leave", "when grown in a pot , plants need little" (quantification by adverbs: Lewis, 1975)."""
    token = first.tokens[head]
    bare = token.tag == "NNS" and token.dep in NOMINAL_SUBJECTS and first.left_edge(head) == head
    return (
        bare
        and not first.past(token.head)
        and any(_restricts(first, k) for k in first.children(token.head) if k < head)
    )


def _restricts(parse: Parse, opening: int) -> bool:
    """Whether a clause or phrase before the subject says in which cases its verb holds."""
    if parse.tokens[opening].dep == "advcl":
        return any(parse.lower[k] in _OPENERS for k in parse.children(opening))
    noun = parse.child(opening, "pobj") if parse.tokens[opening].dep == "prep" else None
    return noun is not None and any(parse.lower[k] in _SOME for k in parse.children(noun))


def _is_whole(first: Parse, head: int) -> bool:
    """Whether the antecedent is a whole of which only some are spoken of: "Some of the mills are old , but they"."""
    token = first.tokens[head]
    if token.dep != "pobj" or first.lower[token.head] != "of":
        return False
    part = first.tokens[token.head].head
    return first.lower[part] in _SOME or first.tokens[part].tag == "CD" and first.lower[part] != "one"


def _has_opposite(first: Parse, head: int) -> bool:
    """Whether the text has the antecedent's noun once more with other adjectives, for others: "black sheep fled so fast
    that white sheep stayed"."""
    own = _adjectives(first, head)
    return bool(own) and any(
        i != head
        and first.lower[i] == first.lower[head]
        and first.tokens[i].dep in (*NOMINAL_SUBJECTS, "dobj")
        and _adjectives(first, i)
        and own.isdisjoint(_adjectives(first, i))
        for i in heads(first, 0, len(first))
    )


def _adjectives(parse: Parse, noun: int) -> set[str]:
    return {parse.lower[k] for k in parse.children(noun) if parse.tokens[k].dep == "amod"}


def _is_not_a_source(first: Parse, head: int, second: Parse, mention: Mention) -> bool:
    """Whether the pronoun adds to what some source says, and the antecedent says nothing: "Acme will close . It adds
    that"."""
    token = second.tokens[mention.head]
    adds = token.dep == "nsubj" and second.tokens[token.head].lemma == "add"
    if not adds or second.child(token.head, "ccomp") is None:
        return False
    return (
        first.tokens[head].dep not in NOMINAL_SUBJECTS or first.tokens[first.tokens[head].head].lemma not in REPORTING
    )


def _is_speaker(first: Parse, head: int, second: Parse, mention: Mention, gender: str) -> bool:
    """Whether the antecedent only reports, at the end, on another whom the pronoun can mean: "Ada was ill , Bea said .
    She left". One who goes on to report is the speaker: "She added that"."""
    verb = first.tokens[head].head
    token = first.tokens[verb]
    if first.tokens[head].dep != "nsubj" or token.lemma not in REPORTING or token.tag not in FINITE:
        return False
    said = [k for k in first.children(verb) if first.tokens[k].dep in ("ccomp", "parataxis")]
    if not said or said[-1] > head or second.tokens[second.tokens[mention.head].head].lemma in REPORTING:
        return False
    return any(
        first.tokens[k].dep in NOMINAL_SUBJECTS
        and not first.in_quotation(k)
        and agrees(first, k, gender, named=first.tokens[k].pos == "PROPN")
        for k in heads(first, 0, first.left_edge(head))
    )
