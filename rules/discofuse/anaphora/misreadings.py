"""Replacements that would be misread where they stand, right as their links may be."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.discofuse.nouns.agreement import PERSONAL_WORDS
from gistmill.rules.discofuse.nouns.binding import commands
from gistmill.rules.discofuse.parse import AUXILIARIES, NAME_TAGS, NOMINAL_SUBJECTS, SUBJECTS, Parse
from gistmill.rules.discofuse.words import Words
from gistmill.rules.documents import Mention

# "In France Bea left" is clear.
_WHERE_AND_WHEN = frozenset(("DATE", "TIME", "GPE", "LOC", "FAC", "EVENT"))


def runs_together(words: Words, second: Parse, mention: Mention) -> bool:
    """Whether a noun in the place of a subject would seem to belong to the word right before it."""
    return _seems_object(second, mention) or _continues_name(words, second, mention)


def _seems_object(second: Parse, mention: Mention) -> bool:
    """Whether a noun in the place of a subject would seem the object of the verb or preposition right before it, which
    ends a clause: "when friends came to visit she wept"."""
    if second.tokens[mention.head].dep not in NOMINAL_SUBJECTS or not mention.start:
        return False
    verb, before = second.tokens[mention.head].head, mention.start - 1
    token = second.tokens[before]
    if second.is_verb(before) and token.dep not in AUXILIARIES or token.pos == "ADP" and token.dep in ("prep", "prt"):
        return token.head != verb and not second.left_edge(verb) > before and before not in _above(second, verb)
    return False


def _continues_name(words: Words, second: Parse, mention: Mention) -> bool:
    """Whether a name would seem one with the name right before it: "according to Bea Ada left"."""
    before = second.tokens[mention.start - 1] if mention.start else None
    named = before is not None and before.tag in NAME_TAGS and before.entity[2:] not in _WHERE_AND_WHEN
    return named and words[0].tag in NAME_TAGS and second.tokens[mention.head].dep in NOMINAL_SUBJECTS


def names_who_is_meant(first: Parse, words: Words, second: Parse, mention: Mention) -> bool:
    """Whether a noun gets a possessor whom a pronoun before it may mean, and no longer can: "he sold the mill" and "he
    sold Lee 's mill" (principle C). A name that is a person's once is so wherever the text has it."""
    if mention.kind != "nominal" or words[-1].tag == "POS" or all(w.tag != "POS" for w in words):
        return False
    persons = {t.text for t in first.tokens if t.entity.endswith("PERSON")}
    named = any(w.tag == "NNP" and (not w.entity or w.text in persons) for w in words)
    return named and any(
        second.lower[k] in PERSONAL_WORDS and second.tokens[k].dep in SUBJECTS for k in range(mention.start)
    )


def is_named_later(words: Words, second: Parse, mention: Mention, cluster: Sequence[Mention]) -> bool:
    """Whether a subject of the same clause says the name that would stand for the pronoun: "in their tongue , the
    Huns"."""
    own = {w.text.lower() for w in words if w.tag in NAME_TAGS}
    return any(
        m.kind == "name"
        and m.sentence == mention.sentence
        and m.start > mention.end
        and second.lower[m.head] in own
        and commands(second, m.head, mention.head)
        for m in cluster
    )


def _above(parse: Parse, position: int) -> set[int]:
    found: set[int] = set()
    while parse.tokens[position].head != position:
        position = parse.tokens[position].head
        found.add(position)
    return found
