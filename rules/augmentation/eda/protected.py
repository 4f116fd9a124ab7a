"""The words that EDA never touches: entities, numbers, stop words, and what may be a name that the parser missed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gistmill.rules.coreference.lexicon import FIRST_NAMES
from gistmill.rules.discofuse.morphology import is_word
from gistmill.rules.documents import Token
from gistmill.rules.text.content_words import STOP_WORDS

_OPEN_TAGS = frozenset("NN NNS JJ JJR JJS RB RBR RBS VB VBD VBG VBN VBP VBZ".split())
_NUMBERS = frozenset(
    "zero nil one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
    "billion trillion hundreds thousands millions billions trillions dozen dozens score scores tens twenties thirties "
    "forties fifties sixties seventies eighties nineties first second third fourth fifth sixth seventh eighth ninth "
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth "
    "thirtieth fortieth fiftieth hundredth thousandth millionth billionth seconds thirds fourths fifths sixths "
    "sevenths eighths ninths tenths half halves quarter quarters once twice thrice single double triple quadruple "
    "doubled tripled halved couple pair pairs twin twins trio quartet several percent percentage firstly secondly "
    "thirdly".split()
)
_DATES = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday "
    "thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays today yesterday "
    "tomorrow tonight".split()
)
_NEGATIVE = frozenset(
    "never none nothing nobody nowhere neither nor without hardly scarcely barely rarely seldom cannot unless".split()
)
_PRONOUNS = frozenset(
    "anyone anybody anything anywhere everyone everybody everything everywhere someone somebody something somewhere "
    "else another next last multiple various numerous certain many much less least enough whether though although "
    "however therefore thus yet even ever also would could may might must shall us let lot lots ago".split()
)
_NAMES = frozenset(name.lower() for name in FIRST_NAMES)  # of texts in lower case
_KEPT = STOP_WORDS | _NUMBERS | _DATES | _NEGATIVE | _PRONOUNS
_OPENERS = frozenset("( [ { \" ' ` `` “ ‘ « - – —".split())


def is_number(token: Token) -> bool:
    """Whether a token is a number, in digits or in words."""
    return token.tag == "CD" or token.text.lower() in _NUMBERS or any(c.isdigit() for c in token.text)


def free_words(tokens: Sequence[Token]) -> list[bool]:
    """Returns for each token of a sentence whether EDA may touch it.

    It is a word of an open class, with all its letters and a space or punctuation on either side. No entity, number,
    date, negation or stop word is free. Neither is a word that is not English in lower case, which may be a name.
    """
    first = next((i for i, t in enumerate(tokens) if t.text[0].isalnum()), 0)
    return [
        t.tag in _OPEN_TAGS
        and t.pos != "AUX"
        and not t.entity
        and (t.text.islower() or i == first and t.text[1:].islower())
        and _is_usual(t.text.lower(), noun=t.tag.startswith("NN"))
        and _stands_alone(tokens, i)
        and not is_number(tokens[t.head])  # "nearly" of "nearly ten" belongs to the number
        for i, t in enumerate(tokens)
    ]


@lru_cache(maxsize=65536)
def _is_usual(word: str, *, noun: bool) -> bool:
    if len(word) < 2 or not word.isalpha() or word in _KEPT or noun and word in _NAMES:
        return False
    return is_word(word)


def _stands_alone(tokens: Sequence[Token], index: int) -> bool:
    """Whether no other word is glued to a word, as in "well-known" and "dog's"."""
    before, own = tokens[index - 1] if index else None, tokens[index]
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    begins = before is None or before.space or before.text in _OPENERS and not _joins(tokens, index - 1)
    ends = (
        own.space or after is None or not (after.text[0].isalnum() or after.text[0] in "'’-–—/_" or after.tag == "POS")
    )
    return begins and ends and (after is None or after.tag not in ("POS", "HYPH")) and not (after and _is_clitic(after))


def _joins(tokens: Sequence[Token], index: int) -> bool:
    """Whether a mark has a word on its left without a space between, as a hyphen in a compound has."""
    return index > 0 and not tokens[index - 1].space


def _is_clitic(token: Token) -> bool:
    """Whether it is the second part of a contraction, which a tokenised text may set apart: "dogs 're"."""
    return token.text.startswith(("'", "’")) and token.text[1:].isalpha() or token.text.lower() in ("n't", "n’t")
