"""Words that a text mentions and does not use: what is said of a word or a name is not said of its thing.

"Ludo is a name of many games . It is played by four" is about a game, and no name is played (use and mention: Quine,
Mathematical Logic, 1940, section 4).
"""

from __future__ import annotations

from gistmill.rules.discofuse.parse import QUOTES, Parse
from gistmill.rules.documents import Mention

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
_LANGUAGE = _WORDS | frozenset(
    """
    combination compound contraction corruption derivation description designation diminutive form label loan loanword
    metaphor misnomer neologism oxymoron portmanteau reference rendering slang slur title transcription transliteration
    variant variation version
    """.split()
)
# Whose they are: "its meaning".
_OF_A_WORD = frozenset("definition etymology meaning origin pronunciation root sense spelling use usage".split())
_PLACES_OF_THINGS = frozenset(("around", "near", "along", "across", "beneath", "under", "above"))
_ARTICLES = frozenset(("a", "an"))
# A title in quotation marks is shorter.
_LONGEST_TITLE = 8
_LONG_WORD = 4


def is_only_mentioned(first: Parse, antecedent: Mention) -> bool:
    """Whether the text only says that something is called so: "the name of Welsh Terrier", "is called a Terrier"."""
    head = antecedent.head
    token = first.tokens[head]
    if antecedent.kind != "name":
        return False
    if token.dep == "oprd":
        return first.lower[min(antecedent.start, first.left_edge(head))] in _ARTICLES
    if token.dep != "pobj" or first.lower[token.head] != "of" or token.head != first.left_edge(head) - 1:
        return False
    return first.tokens[first.tokens[token.head].head].lemma == "name"


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
    if second.tokens[at].lemma == "be":
        return not _is_said_of_words(second, at)
    somewhere = any(second.lower[k] in _PLACES_OF_THINGS for k in second.children(at))
    return second.tokens[at].lemma not in _OF_WORDS or somewhere


def _is_said_of_words(second: Parse, verb: int) -> bool:
    """Whether the predicate of "be" is a noun of language or an adjective; a noun of another kind says what a thing
    is."""
    noun = second.child(verb, "attr")
    return noun is None or second.tokens[noun].pos != "NOUN" or second.tokens[noun].lemma in _LANGUAGE


def is_cut_from_title(first: Parse, start: int, end: int) -> bool:
    """Whether tokens [start, end) are a piece of a title in quotation marks: "Next" of "Thank U , Next"."""
    opening = next((k for k in range(start - 1, -1, -1) if first.lower[k] in QUOTES), None)
    closing = next((k for k in range(end, len(first)) if first.lower[k] in QUOTES), None)
    if opening is None or closing is None or not first.in_quotation(start):
        return False
    inside = first.tokens[opening + 1 : closing]
    words = [t.text for t in inside if t.text[0].isalnum()]
    titled = all(w[0].isupper() or w[0].isdigit() or len(w) < _LONG_WORD for w in words)
    rest = [t for t in (*inside[: start - opening - 1], *inside[end - opening - 1 :]) if t.pos != "PUNCT"]
    return bool(rest) and titled and len(inside) <= _LONGEST_TITLE
