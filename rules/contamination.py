"""Whether a document shares text with an evaluation set: runs of n words, normalised (``rules/text/grams.py``), as
numbers.

A text of fewer than n words is looked for as a whole if it has SHORTEST words; what is shorter still is looked for
nowhere, because it would be found everywhere.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rules.text.grams import LONGEST, gram_hashes, word_hashes, words

SHORTEST = 8
GRAM_WORDS = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class ContaminationConfig:
    """When a document counts as contaminated.

    Attributes:
        ngram: words of an n-gram.
        threshold: from 1 on how many different n-grams of a document a set must have; below 1 which share of them.

    Raises:
        ValueError: at construction, naming the value.
    """

    ngram: int = GRAM_WORDS
    threshold: float = 1

    def __post_init__(self) -> None:
        if not 1 <= self.ngram <= LONGEST:
            raise ValueError(f"an n-gram has 1 to {LONGEST} words, not {self.ngram}")
        if self.threshold <= 0 or self.threshold > 1 and self.threshold != int(self.threshold):
            raise ValueError("a threshold is a whole number of n-grams, or a share of them below 1, "
                             f"not {self.threshold}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contamination:
    """What was found: ``set`` is the number of the set, ``text`` an n-gram of it, ``shared`` how many of the document's
    ``of`` different n-grams it has."""

    set: int
    text: str
    shared: int
    of: int


def text_grams(text: str, ngram: int) -> tuple[np.ndarray, int]:
    """Returns the numbers of an evaluation text's n-grams and their length in words; none when it is too short."""
    hashes = word_hashes(words(text))
    length = min(ngram, len(hashes))
    if length < min(ngram, SHORTEST):
        return np.zeros(0, np.uint64), 0
    return gram_hashes(hashes, length), length


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GramIndex:
    """The n-grams of all sets: ``grams`` ascending, ``sets`` says whose each is; one in several sets stands several
    times. ``lengths`` are the lengths in words that occur."""

    grams: np.ndarray
    sets: np.ndarray
    lengths: tuple[int, ...]

    @classmethod
    def of(cls, grams: Iterable[np.ndarray], lengths: Iterable[int]) -> GramIndex:
        """Returns the index of sets, each given by its grams."""
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
        of = len(np.unique(gram_hashes(hashes, config.ngram))) or 1
        shared: dict[int, dict[int, tuple[int, int]]] = {}
        for start, length, place in sorted(hits):
            for entry in range(place, int(np.searchsorted(self.grams, self.grams[place], side="right"))):
                shared.setdefault(int(self.sets[entry]), {}).setdefault(place, (start, length))
        enough = config.threshold if config.threshold >= 1 else config.threshold * of
        for number, mine in sorted(shared.items()):
            if len(mine) >= enough:
                start, length = next(iter(mine.values()))
                return Contamination(set=number, text=" ".join(found[start:start + length]), shared=len(mine), of=of)
        return None
