"""The places of a sentence where an operation leaves it grammatical, by its parse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from gistmill.rules.augmentation.eda.parse import Parse
from gistmill.rules.documents import Token

_INDEFINITE = frozenset({"a", "an"})
_ROLES = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj"})
_LOOSE_MODIFIERS = {"amod": ("JJ", "VBG", "VBN"), "compound": ("NN", "NNS")}  # the tags of what stands before a noun
_LOOSE_ADVERBS = frozenset("also still already perhaps maybe often always again soon later quite rather almost".split())
_COPULAS = frozenset("be become seem appear remain stay feel look sound behave treat act".split())
_OF_NOUN = frozenset({"relcl", "acl", "ccomp", "appos", "conj", "cc", "compound", "nmod", "nummod"})


def deletable(parse: Parse) -> list[int]:
    """Returns the free words that a sentence can lose: modifiers on which nothing hangs."""
    return [i for i in parse.free if not parse.children(i) and _is_loose(parse, i)]


def _is_loose(parse: Parse, index: int) -> bool:
    token = parse.tokens[index]
    head = parse.tokens[token.head]
    if _between_marks(parse.tokens, index) or head.entity:
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


def _between_marks(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word stands alone between marks or the edges of the sentence, as "however" in ", however ,"."""
    before = index == 0 or not tokens[index - 1].text[-1].isalnum()
    after = index + 1 == len(tokens) or not tokens[index + 1].text[0].isalnum()
    return before and after


def exchangeable(parse: Parse) -> list[list[int]]:
    """Returns classes of free words; two words of a class can change places."""
    classes: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for index in parse.free:
        kind = _kind(parse, index)
        if kind:
            classes[kind].append(index)
    return list(classes.values())


def _kind(parse: Parse, index: int) -> tuple[object, ...]:
    """Returns what two words have to have in common; empty where a word has to stay."""
    token, labels = parse.tokens[index], parse.labels(index)
    if token.tag in ("JJ", "VBG", "VBN") and token.dep == "amod" and index < token.head and not labels:
        return ("amod",)
    if token.tag == "RB" and token.dep == "advmod" and token.text.endswith("ly") and not labels:
        return ("advmod", parse.tokens[token.head].tag[0])
    if token.tag in ("NN", "NNS") and token.dep in _ROLES and not _OF_NOUN & set(labels):
        determiner = parse.determiner(index)
        if token.tag == "NN" and not determiner or _governs(parse, index, "of"):
            return ()
        return (token.tag, determiner in _INDEFINITE)
    return ()


def _governs(parse: Parse, index: int, preposition: str) -> bool:
    return any(parse.tokens[child].text.lower() == preposition for child in parse.children(index))


def insertions(parse: Parse, kind: str) -> list[int]:
    """Returns the places before which a new word can stand.

    Args:
        parse: the sentence.
        kind: first letter of the tag of the new word: J, N or R. Adjectives and nouns stand before nouns, adverbs
            before verbs.
    """
    found = _before_verb if kind == "R" else _before_noun
    return [i for i in parse.free if i and parse.tokens[i - 1].space and found(parse, i)]


def _before_noun(parse: Parse, index: int) -> bool:
    token, before = parse.tokens[index], parse.tokens[index - 1]
    labels = parse.labels(index)
    if token.tag not in ("NN", "NNS") or token.dep not in _ROLES or before.entity or {"compound", "nmod"} & set(labels):
        return False
    if _governs(parse, index, "of") or token.tag == "NN" and not parse.determiner(index):
        return False  # as in "a number of"
    return before.tag in ("DT", "PRP$", "POS", "JJ", "CC", "IN", "VBD", "VBZ", "VBP", "VB", "VBG")


def _before_verb(parse: Parse, index: int) -> bool:
    token = parse.tokens[index]
    if token.pos != "VERB" or token.dep in ("amod", "compound", "aux", "auxpass"):
        return False
    return token.tag in ("VBD", "VBZ") and "advmod" not in parse.labels(index)
