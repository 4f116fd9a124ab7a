"""Two sentences as the integers that the tagger's encoder reads, and edits as the numbers of their labels.

The encoder reads ``[CLS] first [SEP] second [SEP]``. Beside its number each word piece has a code of its word: its
capitals, how it is repeated in the other sentence, and whether both sentences begin with it. An encoder whose
vocabulary has no capitals learns of them from these codes only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gistmill.rules.fusion.edits import Edits
from gistmill.rules.fusion.labels import Labels

_CAPITALS, _REPEATED = 4, 4
_MOST_PIECES = 12  # of one word; a longer one is an address or a formula
CODES = _CAPITALS * _REPEATED * 2

IntArray = npt.NDArray[np.int64]


class TooLongError(ValueError):
    """The sentences have more word pieces than the encoder can read."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Two sentences of ``n`` and ``m`` tokens.

    Attributes:
        ids, types, codes: of each piece, of shape (pieces,): its number, its sentence (0 or 1), its code.
        places: of shape (n + m + 2,): the piece of [CLS], the first piece of each token, the last [SEP].
        n, m: the numbers of tokens.
    """

    ids: IntArray
    types: IntArray
    codes: IntArray
    places: IntArray
    n: int
    m: int


@dataclass(frozen=True, slots=True)
class Target:
    """The labels of a row, as numbers.

    Attributes:
        plan: the plan.
        move: 0 if the second sentence stays behind; else 1 + the token that it goes before.
        operations: of shape (n + m,).
        phrases: of shape (n + m + 1,).
    """

    plan: int
    move: int
    operations: IntArray
    phrases: IntArray


class Codec:
    """Turns rows into integers.

    Args:
        pieces: cuts a word into the numbers of its pieces, at least one.
        opening, separator: the numbers of [CLS] and [SEP].
        longest: the most pieces that the encoder reads.
    """

    def __init__(
        self, pieces: Callable[[str], Sequence[int]], *, opening: int, separator: int, longest: int = 512
    ) -> None:
        self._pieces, self._opening, self._separator, self.longest = pieces, opening, separator, longest

    def encode(self, first: Sequence[str], second: Sequence[str]) -> Encoded:
        """Returns two sentences as integers.

        Raises:
            TooLongError: they have too many pieces.
        """
        codes_of = word_codes(first, second)
        ids, types, codes, places = [self._opening], [0], [0], [0]
        for number, sentence in enumerate((first, second)):
            for word, code in zip(sentence, codes_of[number], strict=True):
                pieces = self._pieces(word)[:_MOST_PIECES]
                places.append(len(ids))
                ids.extend(pieces)
                codes.extend([code] * len(pieces))
            ids.append(self._separator)
            codes.append(0)
            types.extend([number] * (len(ids) - len(types)))
        places.append(len(ids) - 1)
        if len(ids) > self.longest:
            raise TooLongError(f"the sentences have {len(ids)} word pieces; the encoder reads {self.longest}")
        return Encoded(
            ids=np.array(ids, np.int64),
            types=np.array(types, np.int64),
            codes=np.array(codes, np.int64),
            places=np.array(places, np.int64),
            n=len(first),
            m=len(second),
        )


def target(labels: Labels, plan: str, edits: Edits) -> Target:
    """Returns the numbers of a plan and edits that the labels cover.

    Raises:
        ValueError: the labels do not cover them.
    """
    operation = {name: number for number, name in enumerate(labels.operations)}
    phrase = {name: number for number, name in enumerate(labels.phrases)}
    try:
        return Target(
            plan=labels.plans.index(plan),
            move=0 if edits.move is None else 1 + edits.move,
            operations=np.array([operation[o] for o in edits.operations], np.int64),
            phrases=np.array([phrase[p] for p in edits.phrases], np.int64),
        )
    except KeyError as error:
        raise ValueError(f"{error.args[0]!r} is not a label") from None


def word_codes(first: Sequence[str], second: Sequence[str]) -> tuple[list[int], list[int]]:
    """Returns the code of each word, below CODES: capitals, repetition, common beginning."""
    small = [w.lower() for w in first], [w.lower() for w in second]
    shared = 0
    while shared < min(len(first), len(second)) and small[0][shared] == small[1][shared]:
        shared += 1
    return (_codes(first, small[0], small[1], shared), _codes(second, small[1], small[0], shared))


def _codes(words: Sequence[str], own: Sequence[str], other: Sequence[str], shared: int) -> list[int]:
    repeated = _repeated(own, other)
    return [(_capitals(word) * _REPEATED + repeated[i]) * 2 + (i < shared) for i, word in enumerate(words)]


def _repeated(own: Sequence[str], other: Sequence[str]) -> list[int]:
    """Of each word: how long a run of words it is in that the other sentence has too, 0 to 3 (or more)."""
    found = [0] * len(own)
    for size in range(1, _REPEATED):
        grams = {tuple(other[j : j + size]) for j in range(len(other) - size + 1)}
        for i in range(len(own) - size + 1):
            if tuple(own[i : i + size]) in grams:
                found[i : i + size] = [size] * size
    return found


def _capitals(word: str) -> int:
    """0: none; 1: the first letter; 2: all letters; 3: others."""
    if word == word.lower():
        return 0
    if len(word) > 1 and word == word.upper():
        return 2
    return 1 if word[1:] == word[1:].lower() else 3
