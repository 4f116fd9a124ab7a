"""Back references: words of a second sentence that it does not explain itself.

A pair that no rule matches is the control class PAIR_NONE. A pair whose second sentence refers back is not one: some
rule would match if it were sure what is meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.anaphora.places_of_links import LIKELY
from gistmill.rules.discofuse.nouns.agreement import agrees, heads
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.repeated_nouns import DEMONSTRATIVES
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, Parse
from gistmill.rules.documents import Mention

_RANKS = frozenset(("former", "latter"))
# "This year" and "this article" point to the reader's time and page.
_TIMES = frozenset(("DATE", "TIME"))


def find(links: Links, first: Parse, second: Parse, index: int) -> int | None:
    """Returns the position of the first back reference of the second sentence to the first; None if there is none.

    These refer back: a pronoun of the third person that the second sentence does not explain; a demonstrative, alone or
    with a noun; a definite noun that coreference links to a phrase of the first sentence with another noun.

    Args:
        links: coreference of the document.
        first, second: the sentences.
        index: position of ``first`` in the document, as the links count.
    """
    clusters = links.within(index, index + 1)
    for position in range(len(second)):
        token = second.tokens[position]
        if token.tag in ("PRP", "PRP$"):
            if _is_pronoun_back(second, position, clusters, index + 1):
                return position
        elif token.tag == "DT" and second.lower[position] in DEMONSTRATIVES:
            if _is_demonstrative_back(second, position):
                return position
        elif token.pos in ("NOUN", "ADJ") and second.lower[position] in _RANKS:
            return position
    return _nominal(first, second, clusters, index)


def _is_pronoun_back(second: Parse, position: int, clusters: Sequence[Sequence[Mention]], sentence: int) -> bool:
    """Whether the second sentence does not say itself what a pronoun of the third person means: by a name or noun of
    its cluster, or, where coreference leaves it open, by a subject before it."""
    word = second.lower[position]
    gender = lexicon.PRONOUNS.get(word)
    if gender is None or word in lexicon.REFLEXIVES or is_empty(second, position):
        return False
    for cluster in clusters:
        here = [m for m in cluster if m.sentence == sentence]
        own = next((m for m in here if m.head == position and m.kind == "pronoun"), None)
        if own is not None and own.confidence >= LIKELY:
            return all(m.kind == "pronoun" for m in here)
    # coreference knows none before an "it" that is not empty
    return word == "it" or not _has_subject(second, position, gender)


def _has_subject(second: Parse, position: int, gender: str) -> bool:
    """Whether a subject before the pronoun agrees with it, and not as the subject of its own verb."""
    verb, owns = second.tokens[position].head, second.tokens[position].dep == "poss"
    return any(
        agrees(second, k, gender)
        and second.tokens[k].dep in NOMINAL_SUBJECTS
        and (owns or second.tokens[k].head != verb)
        for k in heads(second, 0, position)
    )


def _is_demonstrative_back(second: Parse, position: int) -> bool:
    """Whether "this" or "this mill" refers back: not "that of the mill", "those who left", "this year"."""
    token = second.tokens[position]
    if token.dep == "det":
        return second.tokens[token.head].entity[2:] not in _TIMES and not _is_explained(second, token.head)
    return token.dep not in ("mark", "advmod") and not _is_explained(second, position)


def _is_explained(parse: Parse, head: int) -> bool:
    """Whether a restrictive part behind a demonstrative says which is meant."""
    return any(
        k > head and (parse.tokens[k].dep in ("relcl", "acl") or parse.tokens[k].dep == "prep" and k == head + 1)
        for k in parse.children(head)
    )


def _nominal(first: Parse, second: Parse, clusters: Sequence[Sequence[Mention]], index: int) -> int | None:
    """The first definite noun that stands for a phrase with another head in the first sentence."""
    for cluster in clusters:
        there = [m for m in cluster if m.sentence == index and m.kind != "pronoun"]
        here = [m for m in cluster if m.sentence == index + 1]
        if not there or not here or here[0].kind != "nominal":
            continue
        lemma = second.tokens[here[0].head].lemma.lower()
        if second.lower[here[0].start] == "the" and all(first.tokens[m.head].lemma.lower() != lemma for m in there):
            return here[0].head
    return None
