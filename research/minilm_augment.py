"""Augmentation for the fit of the second tier: texts lose their title, their persons change first names or gender, or
all become of one gender.

The last makes hard examples out of easy ones: "Ann told Bob that she" becomes "Carl told Bob that he", with the same
answer, and only the meaning of the text is left to tell it (as KnowRef does, Emami et al. 2019).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from gistmill.rules.coreference import lexicon
from gistmill.transforms.coreference.minilm.pairs import BLOCKS, START
from research.minilm_data import Example

# Indicators of "none" below this one belong to "he" and "she".
_OF_PERSONS = START["pronoun"] + BLOCKS["pronoun"] // 3
# The indicators of a disagreement in gender with them, and those of agreement that would take their place.
AGREEING = {
    START["agreement"] + found * 2 + person: START["agreement"] + agreed * 2 + person
    for found, agreed in ((3, 1), (4, 0))
    for person in (0, 1)
}
SWAPPED_GENDER, RENAMED, UNTITLED = 0.5, 0.5, 0.3  # shares of the texts that are not made of one gender

_PAIRS = (
    "mr mrs;father mother;son daughter;brother sister;husband wife;uncle aunt;nephew niece;man woman;boy girl;"
    "king queen;prince princess;actor actress;boyfriend girlfriend;widower widow;dad mom;grandfather grandmother;"
    "grandson granddaughter;men women;boys girls;sons daughters;brothers sisters;sir lady;male female;"
    "gentleman lady;fathers mothers;duke duchess;hero heroine;host hostess;waiter waitress;monk nun;lord lady;"
    "himself herself;he she;husbands wives;boyfriends girlfriends;priest priestess;emperor empress;baron baroness;"
    "count countess;businessman businesswoman;chairman chairwoman;spokesman spokeswoman;stepfather stepmother;"
    "godfather godmother;bachelor spinster;uncles aunts;kings queens;princes princesses;half-brother half-sister"
)
_FEMALE_OF = dict(pair.split() for pair in reversed(_PAIRS.split(";")))
_MALE_OF = {female: male for male, female in reversed(_FEMALE_OF.items())}


class _Change(NamedTuple):
    """What becomes of each gender."""

    male: str
    female: str


_SWAPPED = _Change(lexicon.FEMALE, lexicon.MALE)
_TO_FEMALE, _TO_MALE = {1: 2, 5: 6, 9: 10}, {2: 1, 6: 5, 10: 9}


class Augmenter:
    """Changes examples at random.

    Args:
        known: whether a first name is a word of its own to the encoder; only such names are put in.
        seed: of the random choices.
        one_gender: share of the texts in which all persons become of one gender.
    """

    def __init__(self, known: Callable[[str], bool], seed: int, *, one_gender: float = 0.0) -> None:
        self._random = random.Random(seed)
        self._one_gender = one_gender
        self._names = {
            gender: sorted(n for n in names if len(n) > 2 and known(n))
            for gender, names in ((lexicon.MALE, lexicon.MALE_NAMES), (lexicon.FEMALE, lexicon.FEMALE_NAMES))
        }

    def __call__(self, example: Example) -> Example:
        """Returns the example, changed or as it is."""
        draw = self._random.random
        one_gender = draw() < self._one_gender and any(min(a.rows[0]) < _OF_PERSONS for a in example.asked)
        title = () if draw() < UNTITLED else example.title
        swapped, renamed = draw() < SWAPPED_GENDER, draw() < RENAMED
        if one_gender:
            gender = self._random.choice((lexicon.MALE, lexicon.FEMALE))
            asked = tuple(replace(a, rows=tuple(map(without_gender, a.rows))) for a in example.asked)
            example, change = replace(example, asked=asked), _Change(gender, gender)
        elif swapped:
            change = _SWAPPED
        elif renamed:
            change = _Change(lexicon.MALE, lexicon.FEMALE)
        else:
            return replace(example, title=title)
        names: dict[str, str] = {}
        codes = _TO_FEMALE if change.male == lexicon.FEMALE else {}
        if change.female == lexicon.MALE:
            codes = codes | _TO_MALE
        return replace(
            example,
            title=tuple(self._word(w, "NNP", change, names) for w in title),
            words=tuple(self._word(w, t, change, names) for w, t in zip(example.words, example.tags, strict=True)),
            codes=tuple(codes.get(c, c) for c in example.codes),
        )

    def _word(self, word: str, tag: str, change: _Change, names: dict[str, str]) -> str:
        name = word[:1].upper() + word[1:]
        male = name in lexicon.MALE_NAMES
        if tag in ("NNP", "NNPS") and (male or name in lexicon.FEMALE_NAMES):
            if name not in names:
                names[name] = self._random.choice(self._names[change.male if male else change.female])
            return names[name]
        return changed_word(word, tag, male=change.male, female=change.female)


def changed_word(word: str, tag: str, *, male: str, female: str) -> str:
    """Returns a word after male words became of gender ``male`` and female ones of gender ``female``."""
    lowered = word.lower()
    possessive = tag == "PRP$"
    if female == lexicon.MALE:
        special = {"her": "his" if possessive else "him", "hers": "his"}
        found = special.get(lowered) or _MALE_OF.get(lowered.rstrip("."))
        if found:
            return found
    if male == lexicon.FEMALE:
        special = {"his": "her" if possessive else "hers", "him": "her"}
        return special.get(lowered) or _FEMALE_OF.get(lowered.rstrip("."), word)
    return word


def without_gender(row: Sequence[int]) -> tuple[int, ...]:
    """Returns indicators in which every candidate agrees with "he" or "she" as well as the best."""
    return tuple(AGREEING.get(n, n) for n in row)
