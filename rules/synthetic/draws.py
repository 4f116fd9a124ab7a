"""Chance for synthetic documents: numbers that are a pure function of seed, configuration, document and place.

The generator is Philox, which is counter-based: J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random
numbers: as easy as 1, 2, 3", SC 2011. Each configuration has a key, and each document a part of the counter of its
own. So the numbers of many documents are drawn at once, and still do not depend on which documents are drawn together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Item = TypeVar("Item")
BLOCK = 128  # documents whose numbers are drawn together
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


class Stream:
    """The draws of a configuration's documents.

    Args:
        names: what the draws depend on besides the document: the seed, the configuration, ...
        widths: numbers of a document.
        vocabulary: what words are drawn from, each with the same probability; empty if none are drawn.
        block: documents whose numbers are drawn together; it changes no number.
    """

    def __init__(self, *names: object, widths: Widths, vocabulary: Sequence[str] = (), block: int = BLOCK) -> None:
        text = "\0".join(map(str, names)).encode("utf-8", "surrogatepass")
        self._key = int.from_bytes(hashlib.blake2b(text, digest_size=16, person=b"synthetic").digest(), "little")
        self._widths, self._size, self._at_once = widths, len(vocabulary), block
        self._vocabulary = np.array(vocabulary, dtype=object)
        self._block: tuple[int, list[_Row]] | None = None

    def draws(self, document: int) -> Draws:
        """Returns the draws of a document, counted from 0. Documents in order are the fastest."""
        start = document - document % self._at_once
        block = self._block
        if block is None or block[0] != start:
            self._block = block = (start, self._rows(start, self._at_once, 0))
        return Draws(self, document, block[1][document - start])

    def more(self, document: int, chunk: int) -> _Row:
        """Returns a further row of numbers of a document; ``chunk`` counts from 1."""
        return self._rows(document, 1, chunk)[0]

    def _rows(self, first: int, count: int, chunk: int) -> list[_Row]:
        steps = self._widths.steps
        counter = (chunk << 64) + first * steps
        raw = np.random.Philox(key=self._key, counter=counter).random_raw(count * steps * _STEP // 2)
        numbers = raw.astype("<u8", copy=False).view("<u4").reshape(count, -1)
        split = self._widths.choices
        places = numbers[:, split : split + self._widths.words].astype(np.uint64) * np.uint64(self._size)
        places >>= np.uint64(_BITS)
        words = self._vocabulary[places.astype(np.int64)] if self._size else np.empty((count, 0), dtype=object)
        return [*map(_Row, numbers[:, :split].tolist(), words.tolist(), places)]

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_block": None}


class _Row(NamedTuple):
    """What a document gets at a time: numbers below 2 ** 32, words, and the words' places in the vocabulary."""

    choices: list[int]
    words: list[str]
    places: NDArray[np.uint64]


class Draws:
    """The draws of one document, in the order in which they are asked for.

    A number below n is n times a number of 32 bits, without its last 32 bits. So no result is likelier than another by
    more than n in 2 ** 32 parts.
    """

    __slots__ = ("_chunk", "_document", "_next", "_row", "_stream", "_used")

    def __init__(self, stream: Stream, document: int, row: _Row) -> None:
        self._stream, self._document, self._row = stream, document, row
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
        more = self._stream.more(self._document, self._chunk)
        row = self._row
        places = np.concatenate([row.places, more.places])
        self._row = _Row(row.choices + more.choices, row.words + more.words, places)
