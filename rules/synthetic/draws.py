"""Random numbers for synthetic documents, as a pure function of seed, configuration, document and position.

The generator is Philox, which is counter-based: J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random
numbers: as easy as 1, 2, 3", SC 2011. Each configuration uses its own key, and each document its own counter range.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")
_STEP = 8  # 32-bit numbers per step of the counter
_BITS = 32


class Widths(NamedTuple):
    """The numbers of draws generated at a time for a document: ``choices`` for choices, ``words`` for words. When one
    kind is used up, the same numbers of both kinds are generated again."""

    choices: int
    words: int

    @property
    def steps(self) -> int:
        """Number of counter steps needed for these draws."""
        return -(-(self.choices + self.words) // _STEP)


class _Row(NamedTuple):
    """Draws for a document: numbers below 2 ** 32, words, and the words' indices in the vocabulary."""

    choices: list[int]
    words: list[str]
    places: NDArray[np.uint64]


class Stream:
    """The draws for a configuration's documents.

    Args:
        names: other values that the draws depend on: the seed, the configuration, ...
        widths: numbers of draws per row.
        vocabulary: words to draw from, with equal probability; empty if no words are drawn.
    """

    def __init__(self, *names: object, widths: Widths, vocabulary: Sequence[str] = ()) -> None:
        text = "\0".join(map(str, names)).encode("utf-8", "surrogatepass")
        self._key = int.from_bytes(hashlib.blake2b(text, digest_size=16, person=b"synthetic").digest(), "little")
        self._widths, self._vocabulary = widths, np.array(vocabulary, dtype=object)

    def draws(self, document: int) -> Draws:
        """Returns the draws for document number ``document``, counted from 0."""
        return Draws(self, document)

    def row(self, document: int, chunk: int) -> _Row:
        """Returns a row of draws for a document; ``chunk`` is the number of the row, from 0."""
        (split, words), steps = self._widths, self._widths.steps
        generator = np.random.Philox(key=self._key, counter=(chunk << 64) + document * steps)
        numbers = generator.random_raw(steps * _STEP // 2).astype("<u8", copy=False).view("<u4")
        places = numbers[split : split + words].astype(np.uint64) * np.uint64(len(self._vocabulary)) >> np.uint64(_BITS)
        found = self._vocabulary[places.astype(np.int64)].tolist() if len(self._vocabulary) else []
        return _Row(numbers[:split].tolist(), found, places)


class Draws:
    """The draws for one document, in the order of the calls.

    A number below n is n times a 32-bit number, without the last 32 bits of the product. The probabilities of any two
    results therefore differ by a factor of at most about 1 + n / 2 ** 32.
    """

    __slots__ = ("_chunk", "_document", "_next", "_row", "_stream", "_used")

    def __init__(self, stream: Stream, document: int) -> None:
        self._stream, self._document, self._row = stream, document, stream.row(document, 0)
        self._next = self._used = self._chunk = 0

    def below(self, n: int) -> int:
        """Returns a number from 0 to n - 1."""
        if self._next == len(self._row.choices):
            self._extend()
        number = self._row.choices[self._next]
        self._next += 1
        return number * n >> _BITS

    def between(self, low: int, high: int) -> int:
        """Returns a number from ``low`` to ``high``, inclusive."""
        return low + self.below(high - low + 1)

    def one(self, items: Sequence[Item]) -> Item:
        """Returns one of the items."""
        return items[self.below(len(items))]

    def sample(self, n: int, count: int) -> list[int]:
        """Returns ``count`` distinct numbers below n, in random order."""
        numbers = list(range(n))
        for i in range(count):
            j = i + self.below(n - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        return numbers[:count]

    def words(self, count: int) -> list[str]:
        """Returns ``count`` words from the vocabulary."""
        end = self._used + count
        while end > len(self._row.words):
            self._extend()
        found = self._row.words[self._used : end]
        self._used = end
        return found

    @property
    def drawn(self) -> int:
        """The number of words drawn so far."""
        return self._used

    def places(self, first: int, count: int) -> NDArray[np.uint64]:
        """Returns the vocabulary indices of ``count`` words drawn so far, beginning with word ``first``."""
        return self._row.places[first : first + count]

    def _extend(self) -> None:
        self._chunk += 1
        row, more = self._row, self._stream.row(self._document, self._chunk)
        places = np.concatenate([row.places, more.places])
        self._row = _Row(row.choices + more.choices, row.words + more.words, places)
