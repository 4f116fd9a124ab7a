"""Augmentation for the fit of the second tier: texts whose persons change gender, or first names, or lose the title."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from benchmarks.minilm_data import Example
from rules.coreference import lexicon

SWAPPED_GENDER, RENAMED, UNTITLED = 0.5, 0.5, 0.3  # shares of the texts

_PAIRS = (
    "mr mrs;father mother;son daughter;brother sister;husband wife;uncle aunt;nephew niece;man woman;boy girl;"
    "king queen;prince princess;actor actress;boyfriend girlfriend;widower widow;dad mom;grandfather grandmother;"
    "grandson granddaughter;men women;boys girls;sons daughters;brothers sisters;sir lady;male female;"
    "gentleman lady;fathers mothers;duke duchess;hero heroine;host hostess;waiter waitress;monk nun;lord lady;"
    "himself herself;he she;husbands wives;boyfriends girlfriends;priest priestess;emperor empress;baron baroness;"
    "count countess;businessman businesswoman;chairman chairwoman;spokesman spokeswoman;stepfather stepmother;"
    "godfather godmother;bachelor spinster;uncles aunts;kings queens;princes princesses;half-brother half-sister"
)
_OTHER: dict[str, str] = {}
for _pair in _PAIRS.split(";"):
    _one, _two = _pair.split()
    _OTHER.setdefault(_one, _two)
    _OTHER.setdefault(_two, _one)
_OTHER_CODE = {1: 2, 2: 1, 5: 6, 6: 5, 9: 10, 10: 9}


class Augmenter:
    """Changes examples at random.

    Args:
        known: whether a first name is a word of its own to the encoder; only such names are put in.
        seed: of the random choices.
    """

    def __init__(self, known: Callable[[str], bool], seed: int) -> None:
        self._random = random.Random(seed)
        self._names = {
            gender: sorted(n for n in names if len(n) > 2 and known(n))
            for gender, names in ((lexicon.MALE, lexicon.MALE_NAMES), (lexicon.FEMALE, lexicon.FEMALE_NAMES))
        }

    def __call__(self, example: Example) -> Example:
        """Returns the example, changed or as it is."""
        swapped, renamed = self._random.random() < SWAPPED_GENDER, self._random.random() < RENAMED
        title = () if self._random.random() < UNTITLED else example.title
        if not swapped and not renamed:
            return replace(example, title=title)
        names: dict[str, str] = {}
        return replace(
            example,
            title=tuple(self._word(w, "NNP", swapped, names) for w in title),
            words=tuple(
                self._word(w, t, swapped, names) for w, t in zip(example.words, example.tags, strict=True)
            ),
            codes=tuple(_OTHER_CODE.get(c, c) for c in example.codes) if swapped else example.codes,
        )

    def _word(self, word: str, tag: str, swapped: bool, names: dict[str, str]) -> str:
        capitalised = word[:1].upper() + word[1:]
        if tag in ("NNP", "NNPS") and (
            capitalised in lexicon.MALE_NAMES or capitalised in lexicon.FEMALE_NAMES
        ):
            if capitalised not in names:
                male = (capitalised in lexicon.MALE_NAMES) != swapped
                names[capitalised] = self._random.choice(self._names[lexicon.MALE if male else lexicon.FEMALE])
            return names[capitalised]
        return other_gender(word, tag) if swapped else word


def other_gender(word: str, tag: str) -> str:
    """Returns the word of the other gender ("her" by its tag), or the word itself."""
    lowered = word.lower()
    possessive = tag == "PRP$"
    special = {
        "his": "her" if possessive else "hers",
        "her": "his" if possessive else "him",
        "him": "her",
        "hers": "his",
    }
    return special.get(lowered) or _OTHER.get(lowered.rstrip("."), word)


def without_title(examples: Sequence[Example]) -> list[Example]:
    """Returns the examples without their titles."""
    return [replace(e, title=()) for e in examples]
