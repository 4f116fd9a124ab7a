"""Words that a text mentions and does not use: what is said of a word or a name is not said of its thing.

"Ludo is a name of many games . It is played by four" is about a game, and no name is played (use and mention: Quine,
Mathematical Logic, 1940, section 4).
"""

from __future__ import annotations

from gistmill.rules.discofuse.parse import Parse

_WORDS = frozenset(
    """
    abbreviation acronym adjective adverb consonant epithet etymology expression idiom initialism name nickname noun
    phrase pronoun pronunciation proverb pseudonym spelling surname synonym term translation verb vowel word
    """.split()
)
# What words do, and what is done with them.
_OF_WORDS = frozenset(
    """
    abandon adopt appear apply assign associate attest bear become borrow carry cause change choose coin come combine
    connote contain convey cover define denote derive describe designate develop differ disappear drop employ encompass
    enter evoke evolve exist extend fall find give go identify imply include indicate introduce invent keep know lack
    lose mark mean mention occur originate popularise popularize predate prefer pronounce propose record
    reflect refer register relate remain render replace represent retain revive see shorten signify spell spread stand
    start stem stick suggest survive take trace transcribe translate use vary write
    """.split()
)
# Whose they are: "its meaning".
_OF_A_WORD = frozenset("definition etymology meaning origin pronunciation root sense spelling use usage".split())
_PLACES_OF_THINGS = frozenset(("around", "near", "along", "across", "beneath", "under", "above"))


def means_no_word(first: Parse, head: int, second: Parse, pronoun: int) -> bool:
    """Whether the antecedent is a word or a name, and what is said of the pronoun cannot be said of one: "The term is
    old . It is played by four"."""
    if first.tokens[head].pos != "NOUN" or first.tokens[head].lemma not in _WORDS:
        return False
    token = second.tokens[pronoun]
    if token.dep == "poss":
        return second.tokens[token.head].lemma not in _OF_A_WORD
    at = token.head
    while not second.is_verb(at) and second.tokens[at].head != at:
        at = second.tokens[at].head
    somewhere = any(second.lower[k] in _PLACES_OF_THINGS for k in second.children(at))
    return second.tokens[at].lemma not in _OF_WORDS or somewhere
