"""Whether the phrase of an antecedent says more than its mention."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference.lexicon import FIRST_NAMES
from gistmill.rules.discofuse.nouns.agreement import NOT_THINGS
from gistmill.rules.discofuse.nouns.repeated_nouns import DEMONSTRATIVES, names_a_thing, says_more
from gistmill.rules.discofuse.parse import ARTICLES, Parse
from gistmill.rules.discofuse.words import Words
from gistmill.rules.documents import Mention

# "That" before a noun is too often a conjunction.
_POINTING = DEMONSTRATIVES - {"that"}
_DETERMINERS = frozenset(("DT", "PRP$"))
_POSSESSIVE_MARKS = frozenset(("'s", "'"))


def is_fuller(first: Parse, antecedent: Mention, second: Parse, mention: Mention, words: Words) -> bool:
    """Whether the phrase says more than the mention: a pronoun gives way to anything, a nominal to a name or to its own
    noun with more words, a name to a longer form of itself (which begins or ends like it: "Monterrey" is not "the
    Battle of Monterrey")."""
    if mention.kind == "pronoun":
        return True
    # "the new mill", of which only "mill" is the mention, is not "the new the mill"
    inside = words[0].pos == "DET" and second.left_edge(mention.head) < mention.start - 1
    if inside or "PRP$" in [w.tag for w in words]:
        return False
    own = plain(second.lower[mention.start : mention.end])
    text = plain([w.text.lower() for w in words])
    if antecedent.kind != "name":
        if not _is_repeated(first, antecedent, second, mention):
            return False
        return _points_on(first, antecedent, second, mention) if text == own else _has_more(text, own)
    if plain([w.text.lower() for w in words if 0 <= w.position < antecedent.start]):
        return False  # "the mysterious Plesiorycteropus" is more than its name
    if mention.kind == "nominal":
        return text != own
    return not _is_quoted(first, antecedent) and _is_fuller_name(antecedent, second, mention, words)


def _has_more(text: Sequence[str], own: Sequence[str]) -> bool:
    return set(text).issuperset(own) and len(text) > len(own)


def _points_on(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    return second.lower[mention.start] in _POINTING and says_more(first, antecedent)


def _is_fuller_name(antecedent: Mention, second: Parse, mention: Mention, words: Words) -> bool:
    """Whether a name stands for another name: "The Rock" for "Rock", whose article is a part of it."""
    if second.lower[mention.end : mention.end + 1] == ["of"]:
        return False  # "the Compromise of 1850" is not "the Missouri Compromise"
    own, text = plain(second.lower[mention.start : mention.end]), plain([w.text.lower() for w in words])
    if len(text) > len(own):
        return bool(own) and _is_longer_name(antecedent, second, mention, words)
    named = words[0].text == "The" and words[0].position > 0
    return named and text == own and not determiner_before(second, mention)


def _is_longer_name(antecedent: Mention, second: Parse, mention: Mention, words: Words) -> bool:
    """Whether a name is a longer form of another: it ends like it, or begins like it and is of its kind.

    "Sullivan" is not "the Sullivan Expedition". A person goes by the surname or a first name: "Dolby" is not "Dolby
    Vision".
    """
    own, text = plain(second.lower[mention.start : mention.end]), plain([w.text.lower() for w in words])
    head = next((w.text.lower() for w in words if w.position == antecedent.head), text[-1])
    if own[-1] == head or own[0] != text[0]:
        return own[-1] == head
    if any(w.entity == "B-PERSON" for w in words):
        return not FIRST_NAMES.isdisjoint(t.text for t in second.tokens[mention.start : mention.end])
    return second.tokens[mention.head].entity[2:] in ("", words[-1].entity[2:])


def _is_quoted(first: Parse, antecedent: Mention) -> bool:
    """Whether a name opens a quotation, and so is what something is called there: her dog " Mr. Bell "."""
    return [t.tag for t in first.tokens[max(antecedent.start - 1, 0) : antecedent.start]] == ["``"]


def _is_repeated(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether both are the same noun in the same number, and the second one a bare "the mill" or "this mill"."""
    a, b = first.tokens[antecedent.head], second.tokens[mention.head]
    if not mention.kind == antecedent.kind == "nominal":
        return False
    if a.entity[2:] in NOT_THINGS or b.entity[2:] in NOT_THINGS or not names_a_thing(first, antecedent.head):
        return False
    pointing = second.lower[mention.start]
    return (
        (a.lemma.lower(), a.tag) == (b.lemma.lower(), b.tag)
        and (pointing == "the" or pointing in _POINTING)
        and mention.end - mention.start == 2
    )


def determiner_before(second: Parse, mention: Mention) -> bool:
    """Whether a determiner stands right before a mention that has none itself: "this" of "this Mill".

    The "that" of "said that the mill" is not one, whatever the tagger took it for.
    """
    return (
        mention.start > 0
        and second.tokens[mention.start - 1].tag in _DETERMINERS
        and second.tokens[mention.start].tag not in _DETERMINERS
    )


def plain(lower: Sequence[str]) -> list[str]:
    """The words without a leading article or demonstrative and a final possessive mark."""
    words = list(lower)
    if len(words) > 1 and words[0] in DEMONSTRATIVES or words and words[0] in ARTICLES:
        words = words[1:]
    if words and words[-1] in _POSSESSIVE_MARKS:
        words = words[:-1]
    return words
