"""Parsed sentences for EDA, with their dependency trees and the words that may be changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property, lru_cache

from gistmill.rules.coreference.lexicon import FIRST_NAMES
from gistmill.rules.discofuse.operations import is_word
from gistmill.rules.documents import Sentence, Token
from gistmill.rules.languages.language import english_words
from gistmill.rules.text.words import STOP_WORDS

_OPEN_TAGS = frozenset("NN NNS JJ JJR JJS RB RBR RBS VB VBD VBG VBN VBP VBZ".split())
_NUMBERS = english_words("augmentation", "numbers")
_DATES = english_words("augmentation", "dates")
_NEGATIVE = frozenset(
    "never none nothing nobody nowhere neither nor without hardly scarcely barely rarely seldom cannot unless".split()
)
_PRONOUNS = english_words("augmentation", "pronouns")
_NAMES = frozenset(name.lower() for name in FIRST_NAMES)  # for texts in lower case
_KEPT = STOP_WORDS | _NUMBERS | _DATES | _NEGATIVE | _PRONOUNS
_OPENERS = frozenset("( [ { \" ' ` `` “ ‘ « - – —".split())


def is_number(token: Token) -> bool:
    """Whether a token is a number, in digits or in words."""
    return token.tag == "CD" or token.text.lower() in _NUMBERS or any(c.isdigit() for c in token.text)


def free_words(tokens: Sequence[Token]) -> list[bool]:
    """Returns, for each token of a sentence, whether EDA may change it.

    Free words belong to an open class, consist of letters, and have a space or punctuation on either side. Entities,
    numbers, dates, negations and stop words are not free, nor are words missing from the lower-case English vocabulary,
    since they may be names.
    """
    first = next((i for i, t in enumerate(tokens) if t.text[0].isalnum()), 0)
    return [
        t.tag in _OPEN_TAGS
        and t.pos != "AUX"
        and not t.entity
        and (t.text.islower() or (i == first and t.text[1:].islower()))
        and _is_usual(t.text.lower(), noun=t.tag.startswith("NN"))
        and _stands_alone(tokens, i)
        and not is_number(tokens[t.head])  # "nearly" in "nearly ten" belongs to the number
        for i, t in enumerate(tokens)
    ]


@lru_cache(maxsize=65536)
def _is_usual(word: str, *, noun: bool) -> bool:
    if len(word) < 2 or not word.isalpha() or word in _KEPT or (noun and word in _NAMES):
        return False
    return is_word(word)


def _stands_alone(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word is not attached to another one, as in "well-known" and "dog's"."""
    before, own = tokens[index - 1] if index else None, tokens[index]
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    begins = before is None or before.space or (before.text in _OPENERS and (index == 1 or tokens[index - 2].space))
    ends = (
        own.space or after is None or not (after.text[0].isalnum() or after.text[0] in "'’-–—/_" or after.tag == "POS")
    )
    return begins and ends and (after is None or after.tag not in ("POS", "HYPH")) and not (after and _is_clitic(after))


def _is_clitic(token: Token) -> bool:
    """Whether a token is the second part of a contraction, possibly separated by tokenisation, as in "dogs 're"."""
    return (token.text.startswith(("'", "’")) and token.text[1:].isalpha()) or token.text.lower() in ("n't", "n’t")


_DETERMINERS = frozenset({"det", "poss"})


class Parse:
    """A parsed sentence."""

    def __init__(self, sentence: Sentence) -> None:
        self.tokens: Sequence[Token] = sentence.tokens

    @cached_property
    def free(self) -> list[int]:
        """The indices of the words that may be changed."""
        return [i for i, free in enumerate(free_words(self.tokens)) if free]

    @cached_property
    def words(self) -> int:
        """The number of words: tokens that start with a letter or digit, which excludes parts such as "'re"."""
        return sum(t.text[0].isalnum() for t in self.tokens)

    @cached_property
    def _children(self) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in self.tokens]
        for i, token in enumerate(self.tokens):
            if token.head != i:
                found[token.head].append(i)
        return found

    def within(self, index: int) -> bool:
        """Whether a token and the one before it are part of the same entity or number."""
        before, token = self.tokens[index - 1], self.tokens[index]
        return token.entity.startswith("I-") or (is_number(before) and is_number(token))

    def children(self, index: int) -> list[int]:
        """Returns the indices of a token's dependents, in order."""
        return self._children[index]

    def labels(self, index: int) -> list[str]:
        """Returns the dependency labels of a token's dependents, in order."""
        return [self.tokens[child].dep for child in self._children[index]]

    def determiner(self, index: int) -> str:
        """Returns a noun's determiner or possessor in lower case; "" if it has none."""
        found = (self.tokens[c].text.lower() for c in self._children[index] if self.tokens[c].dep in _DETERMINERS)
        return next(found, "")


_INDEFINITE = frozenset({"a", "an"})
_ROLES = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj"})
_LOOSE_MODIFIERS = {"amod": ("JJ", "VBG", "VBN"), "compound": ("NN", "NNS")}  # the tags of modifiers before a noun
_LOOSE_ADVERBS = frozenset("also still already perhaps maybe often always again soon later quite rather almost".split())
_COPULAS = frozenset("be become seem appear remain stay feel look sound behave treat act".split())
_OF_NOUN = frozenset({"relcl", "acl", "ccomp", "appos", "conj", "cc", "compound", "nmod", "nummod"})


def deletable(parse: Parse) -> list[int]:
    """Returns the free words that can be deleted: modifiers without dependents."""
    return [i for i in parse.free if not parse.children(i) and _is_loose(parse, i)]


def _is_loose(parse: Parse, index: int) -> bool:
    token = parse.tokens[index]
    head = parse.tokens[token.head]
    # Whether a word stands alone between punctuation or sentence boundaries, as "however" does in ", however ,".
    before = index == 0 or not parse.tokens[index - 1].text[-1].isalnum()
    after = index + 1 == len(parse.tokens) or not parse.tokens[index + 1].text[0].isalnum()
    if (before and after) or head.entity:
        return False
    if index < token.head and not parse.tokens[index + 1].text[0].isalnum():
        return False  # as in "a small, red car"
    if token.dep in _LOOSE_MODIFIERS:
        return index < token.head and head.tag in ("NN", "NNS") and token.tag in _LOOSE_MODIFIERS[token.dep]
    if token.dep == "advmod" and token.tag == "RB":
        text = token.text.lower()
        usual = text.endswith("ly") and not (head.lemma in _COPULAS and index > token.head)
        return usual or text in _LOOSE_ADVERBS
    return False


def exchangeable(parse: Parse) -> list[list[int]]:
    """Returns classes of free words; any two words of the same class can be swapped."""
    classes: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for index in parse.free:
        kind = _kind(parse, index)
        if kind:
            classes[kind].append(index)
    return list(classes.values())


def _kind(parse: Parse, index: int) -> tuple[object, ...]:
    """Returns a key that must be equal for two words to be swapped; empty if a word must stay in place."""
    token, labels = parse.tokens[index], parse.labels(index)
    if token.tag in ("JJ", "VBG", "VBN") and token.dep == "amod" and index < token.head and not labels:
        return ("amod",)
    if token.tag == "RB" and token.dep == "advmod" and token.text.endswith("ly") and not labels:
        return ("advmod", parse.tokens[token.head].tag[0])
    if token.tag in ("NN", "NNS") and token.dep in _ROLES and not _OF_NOUN & set(labels):
        determiner = parse.determiner(index)
        if (token.tag == "NN" and not determiner) or _governs(parse, index, "of"):
            return ()
        return (token.tag, determiner in _INDEFINITE)
    return ()


def _governs(parse: Parse, index: int, preposition: str) -> bool:
    return any(parse.tokens[child].text.lower() == preposition for child in parse.children(index))


def insertions(parse: Parse, kind: str) -> list[int]:
    """Returns the positions before which a new word can be inserted.

    ``kind`` is the first letter of its tag. Adjectives (J) and nouns (N) go before nouns, adverbs (R) before verbs.
    """
    found = _before_verb if kind == "R" else _before_noun
    return [i for i in parse.free if i and parse.tokens[i - 1].space and found(parse, i)]


def _before_noun(parse: Parse, index: int) -> bool:
    token, before = parse.tokens[index], parse.tokens[index - 1]
    labels = parse.labels(index)
    if token.tag not in ("NN", "NNS") or token.dep not in _ROLES or before.entity or {"compound", "nmod"} & set(labels):
        return False
    if _governs(parse, index, "of") or (token.tag == "NN" and not parse.determiner(index)):
        return False  # as in "a number of"
    return before.tag in ("DT", "PRP$", "POS", "JJ", "CC", "IN", "VBD", "VBZ", "VBP", "VB", "VBG")


def _before_verb(parse: Parse, index: int) -> bool:
    token = parse.tokens[index]
    if token.pos != "VERB" or token.dep in ("amod", "compound", "aux", "auxpass"):
        return False
    return token.tag in ("VBD", "VBZ") and "advmod" not in parse.labels(index)
