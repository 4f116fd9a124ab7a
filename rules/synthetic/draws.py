"""Chance for synthetic documents: numbers that are a pure function of seed, configuration, document and place.

The generator is Philox, which is counter-based: J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random
numbers: as easy as 1, 2, 3", SC 2011. Each configuration has a key, and each document a part of the counter of its
own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")
_STEP = 8  # numbers of 32 bits that a step of the counter gives
_BITS = 32


class Widths(NamedTuple):
    """How many numbers a document gets at a time: ``choices`` for choices, ``words`` for words. When one kind is used
    up, it gets as many of both again."""

    choices: int
    words: int

    @property
    def steps(self) -> int:
        """Steps of the counter that hold them."""
        return -(-(self.choices + self.words) // _STEP)


class _Row(NamedTuple):
    """The draws for a document: numbers below 2 ** 32, words, and the words' indices in the vocabulary."""

    choices: list[int]
    words: list[str]
    places: NDArray[np.uint64]


class Stream:
    """The draws of a configuration's documents.

    Args:
        names: the other things that the draws depend on: the seed, the configuration, ...
        widths: numbers of a document.
        vocabulary: what words are drawn from, each with the same probability; empty if none are drawn.
    """

    def __init__(self, *names: object, widths: Widths, vocabulary: Sequence[str] = ()) -> None:
        text = "\0".join(map(str, names)).encode("utf-8", "surrogatepass")
        self._key = int.from_bytes(hashlib.blake2b(text, digest_size=16, person=b"synthetic").digest(), "little")
        self._widths, self._vocabulary = widths, np.array(vocabulary, dtype=object)

    def draws(self, document: int) -> Draws:
        """Returns the draws of a document, counted from 0."""
        return Draws(self, document)

    def row(self, document: int, chunk: int) -> _Row:
        """Returns a row of numbers of a document; ``chunk`` counts its rows from 0."""
        (split, words), steps = self._widths, self._widths.steps
        generator = np.random.Philox(key=self._key, counter=(chunk << 64) + document * steps)
        numbers = generator.random_raw(steps * _STEP // 2).astype("<u8", copy=False).view("<u4")
        places = numbers[split : split + words].astype(np.uint64) * np.uint64(len(self._vocabulary)) >> np.uint64(_BITS)
        found = self._vocabulary[places.astype(np.int64)].tolist() if len(self._vocabulary) else []
        return _Row(numbers[:split].tolist(), found, places)


class Draws:
    """The draws of one document, in the order in which they are asked for.

    A number below n is n times a number of 32 bits, without its last 32 bits. So no result is likelier than another by
    more than n in 2 ** 32 parts.
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
        """Returns a number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def one(self, items: Sequence[Item]) -> Item:
        """Returns one of the items."""
        return items[self.below(len(items))]

    def sample(self, n: int, count: int) -> list[int]:
        """Returns ``count`` different numbers below n, in random order."""
        numbers = list(range(n))
        for i in range(count):
            j = i + self.below(n - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        return numbers[:count]

    def words(self, count: int) -> list[str]:
        """Returns words of the vocabulary."""
        end = self._used + count
        while end > len(self._row.words):
            self._extend()
        found = self._row.words[self._used : end]
        self._used = end
        return found

    @property
    def drawn(self) -> int:
        """The number of words that were drawn so far."""
        return self._used

    def places(self, first: int, count: int) -> NDArray[np.uint64]:
        """Returns the places in the vocabulary of some of the words that were drawn so far."""
        return self._row.places[first : first + count]

    def _extend(self) -> None:
        self._chunk += 1
        row, more = self._row, self._stream.row(self._document, self._chunk)
        places = np.concatenate([row.places, more.places])
        self._row = _Row(row.choices + more.choices, row.words + more.words, places)
