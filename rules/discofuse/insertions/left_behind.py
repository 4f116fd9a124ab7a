"""What an insertion leaves behind: words of the rest that mean a noun which stands only in the insertion.

The insertion becomes the second sentence, so that they would point forward.
"""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import NEUTER, PLURAL, PRONOUNS, REFLEXIVES
from gistmill.rules.discofuse.nouns.agreement import agrees, heads
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.parse import Parse

_DEFINITE = frozenset(("the", "this", "that", "these", "those", "such"))


def refers_inside(parse: Parse, opening: int, closing: int, *, personal: bool) -> bool:
    """Whether a pronoun or definite noun behind an insertion may mean a noun that only the insertion has.

    "Lee , a student at Leeds University , left the university"; "Ann , a reader of Kant and Hegel , praised their
    work".

    Args:
        parse: the sentence.
        opening, closing: the commas around the insertion.
        personal: whether the insertion says that its antecedent is a person.
    """
    return any(
        _is_definite_inside(parse, k, opening, closing) or _is_pronoun_inside(parse, k, opening, closing, personal)
        for k in range(closing + 1, len(parse))
    )


def _is_definite_inside(parse: Parse, noun: int, opening: int, closing: int) -> bool:
    """Whether "the university" repeats a noun of the insertion that nothing before it has."""
    token = parse.tokens[noun]
    if token.pos != "NOUN" or token.entity or parse.lower[parse.left_edge(noun)] not in _DEFINITE:
        return False
    if _is_explained(parse, noun):
        return False
    word = parse.lower[noun]
    if word in parse.lower[:opening]:
        return False
    return any(parse.lower[k] == word and _introduces(parse, k) for k in range(opening + 1, closing))


def _is_explained(parse: Parse, noun: int) -> bool:
    """Whether the phrase itself tells which one it means: "the university of the town"."""
    return parse.tokens[noun].dep == "compound" or any(
        k > noun and parse.tokens[k].dep in ("prep", "relcl", "acl") for k in parse.children(noun)
    )


def _introduces(parse: Parse, noun: int) -> bool:
    """Whether a noun is said for the first time: in a name, or not as a definite one."""
    token = parse.tokens[noun]
    if token.pos == "PROPN":  # "Leeds University", but not "Leeds City Council"
        return token.dep != "compound" or parse.tokens[token.head].pos != "PROPN"
    if token.pos != "NOUN":
        return False
    known = any(parse.tokens[k].dep == "poss" or parse.lower[k] in _DEFINITE for k in parse.children(noun))
    return not known and token.dep != "compound"


def _is_pronoun_inside(parse: Parse, position: int, opening: int, closing: int, personal: bool) -> bool:
    """Whether "it" or "they" agrees with a noun of the insertion, and with none of the rest before it."""
    gender = PRONOUNS.get(parse.lower[position])
    if parse.tokens[position].tag not in ("PRP", "PRP$") or gender not in (NEUTER, PLURAL):
        return False
    if parse.lower[position] in REFLEXIVES or is_empty(parse, position):
        return False
    if gender in map(PRONOUNS.get, (*parse.lower[:opening], *parse.lower[closing:position])):
        return False
    rest = (*heads(parse, 0, opening), *heads(parse, closing, position))
    own = opening - 1
    return not any(_may_be_meant(parse, k, gender, personal and k == own) for k in rest) and any(
        agrees(parse, k, gender) or gender == PLURAL and is_plural(parse, k) for k in heads(parse, opening, closing)
    )


def _may_be_meant(parse: Parse, noun: int, gender: str, person: bool) -> bool:
    """Whether the pronoun may mean the noun; one person is neither "it" nor "they"."""
    plural = is_plural(parse, noun)
    if person and not plural:
        return False
    return agrees(parse, noun, gender) or gender == PLURAL and plural
