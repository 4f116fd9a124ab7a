"""Contamination: text that a document shares with an evaluation set, as runs of n normalised words
(``rules/text/grams.py``).

A text of fewer than n words counts as a whole if it has SHORTEST words. A shorter one is ignored, because it would be
found everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from gistmill.core.options import Options, option
from gistmill.core.values import POSITIVE, whole
from gistmill.rules.text.grams import LONGEST, Numbers, gram_hashes, word_hashes, words

SHORTEST = 8
GRAM_WORDS = 13


@dataclass(frozen=True, kw_only=True)
class ContaminationConfig(Options):
    """Decides when a document counts as contaminated."""

    GROUP: ClassVar[str] = "duplicates"

    decontaminate_ngram: int = option(
        whole(1, LONGEST),
        default=GRAM_WORDS,
        unit="words",
        help=f"words of an n-gram; shorter texts of at least {SHORTEST} words are looked for whole",
    )
    decontaminate_threshold: float = option(
        POSITIVE,
        default=1.0,
        help="if 1 or more, the number of different n-grams that a document must share with a file; if less, the share "
        "of the document's n-grams",
    )

    def check(self) -> None:
        """Raises ValueError for a threshold that is neither a share nor a number of n-grams."""
        threshold = self.decontaminate_threshold
        if threshold > 1 and threshold != int(threshold):
            raise ValueError(
                "decontaminate_threshold: expected a whole number of n-grams, or a share of them below 1, "
                f"not {threshold}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contamination:
    """A finding.

    Attributes:
        set: number of the evaluation set.
        text: an n-gram of it that the document has.
        shared, of: how many of the document's different n-grams the set has, and how many there are.
    """

    set: int
    text: str
    shared: int
    of: int


def text_grams(text: str, ngram: int) -> tuple[Numbers, int]:
    """Returns the numbers of an evaluation text's n-grams, of shape (n-grams,), uint64, and their length in words.

    Both are empty or 0 for a text that is too short.
    """
    hashes = word_hashes(words(text))
    length = min(ngram, len(hashes))
    if length < min(ngram, SHORTEST):
        return np.zeros(0, np.uint64), 0
    return gram_hashes(hashes, length), length


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GramIndex:
    """The n-grams of all sets.

    Attributes:
        grams: their numbers in ascending order, of shape (n-grams,), uint64; an n-gram of several sets stands several
            times.
        sets: the number of the set of each, of shape (n-grams,), uint16.
        lengths: the lengths in words that occur.
    """

    grams: Numbers
    sets: npt.NDArray[np.uint16]
    lengths: tuple[int, ...]

    @classmethod
    def of(cls, grams: Iterable[Numbers], lengths: Iterable[int]) -> GramIndex:
        """Returns the index of sets.

        Args:
            grams: the n-grams of each set, of shape (n-grams,), uint64, in any order.
            lengths: their lengths in words.
        """
        sets = [np.unique(g) for g in grams]
        together = np.concatenate(sets) if sets else np.zeros(0, np.uint64)
        owners = np.repeat(np.arange(len(sets), dtype=np.uint16), [len(s) for s in sets])
        order = np.argsort(together, kind="stable")
        return cls(grams=together[order], sets=owners[order], lengths=tuple(sorted(set(lengths))))

    def look(self, text: str, config: ContaminationConfig) -> Contamination | None:
        """Returns what a document shares with the first set with which it shares enough."""
        found = words(text)
        hashes = word_hashes(found)
        hits: list[tuple[int, int, int]] = []  # place in the text, length, place in the index
        for length in self.lengths:  # none when there are no grams
            grams = gram_hashes(hashes, length)
            places = np.searchsorted(self.grams, grams)
            there = np.flatnonzero(self.grams[np.minimum(places, len(self.grams) - 1)] == grams)
            hits += [(int(i), length, int(places[i])) for i in there]
        if not hits:
            return None
        of = len(np.unique(gram_hashes(hashes, config.decontaminate_ngram))) or 1
        shared: dict[int, dict[int, tuple[int, int]]] = {}
        for start, length, place in sorted(hits):
            for entry in range(place, int(np.searchsorted(self.grams, self.grams[place], side="right"))):
                shared.setdefault(int(self.sets[entry]), {}).setdefault(place, (start, length))
        threshold = config.decontaminate_threshold
        enough = threshold if threshold >= 1 else threshold * of
        for number, mine in sorted(shared.items()):
            if len(mine) >= enough:
                start, length = next(iter(mine.values()))
                return Contamination(set=number, text=" ".join(found[start : start + length]), shared=len(mine), of=of)
        return None
