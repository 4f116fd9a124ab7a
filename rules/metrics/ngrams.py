"""N-grams of up to four tokens, counted in the sources, predictions and references of many rows at once.

One sort of all places by the four tokens that begin there brings equal n-grams of every length together.

A word of up to 15 bytes is two numbers that hold its bytes and its length. Longer words are looked up one by one. The
words that have equal numbers are found by a table of places, which is checked, so that no two words are confused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Bytes = NDArray[np.uint8]
_Words = NDArray[np.uint64]
_ASCII_SPACES, _OTHER_SPACES = (
    [c for c in map(chr, characters) if c.isspace() and c not in "\n "]
    for characters in (range(128), range(128, sys.maxunicode + 1))
)
_BREAK, _PAD = ord("\n"), 16
_MOST = 15  # bytes of a word that two numbers hold, beside its length
_SHORT = np.array([(1 << 8 * min(n, 8)) - 1 for n in range(_MOST + 1)], np.uint64)
_REST = np.array([(1 << 8 * max(n - 8, 0)) - 1 for n in range(_MOST + 1)], np.uint64)
_LENGTH = np.uint64(56)
_MIX = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
_ROUNDS = 8


class Words(NamedTuple):
    """The words of texts in turn.

    Attributes:
        sizes: how many words each text has.
        same: of each word, the place of a word of its group that is equal to it; the same place for all that are equal.
    """

    sizes: Integers
    same: Integers


def find_words(text: str, groups: Integers, alone: Callable[[Bytes], NDArray[np.bool_]] | None = None) -> Words:
    """Returns the words of texts; white space divides them into words.

    Args:
        text: the texts, each followed by a line break.
        groups: how many texts each group has. Only words of one group are compared.
        alone: of the text in UTF-8, which bytes are words of their own; None: none is.
    """
    for space in _ASCII_SPACES if text.isascii() else _ASCII_SPACES + _OTHER_SPACES:
        if space in text:  # all white space becomes one of two bytes
            text = text.replace(space, " ")
    raw = text.encode("utf-8", "surrogatepass")
    data = np.frombuffer(raw, np.uint8)
    starts, ends = _edges(data, alone)
    sizes = np.diff(np.searchsorted(starts, np.flatnonzero(data == _BREAK)), prepend=0)
    first, second = _packed(raw, starts, ends - starts)
    group = np.repeat(np.repeat(np.arange(len(groups)), groups), sizes)
    return Words(sizes, _equal(first, second, group.astype(np.uint64)))


def _edges(data: Bytes, alone: Callable[[Bytes], NDArray[np.bool_]] | None) -> tuple[Integers, Integers]:
    inside = (data != ord(" ")) & (data != _BREAK)
    begins, ends = inside.copy(), inside.copy()
    between = inside[:-1] & inside[1:]
    if alone is not None:
        single = alone(data)
        between &= ~(single[:-1] | single[1:])
    begins[1:] &= ~between
    ends[:-1] &= ~between
    return np.flatnonzero(begins), np.flatnonzero(ends) + 1


def _packed(raw: bytes, starts: Integers, lengths: Integers) -> tuple[_Words, _Words]:
    """Returns the two numbers of each word."""
    eight = np.ndarray((len(raw) + 8,), np.uint64, raw + bytes(_PAD), 0, (1,))  # the eight bytes from each byte on
    held = np.minimum(lengths, _MOST)
    first = eight[starts] & _SHORT[held]
    second = eight[starts + 8] & _REST[held] | held.astype(np.uint64) << _LENGTH
    numbers: dict[bytes, int] = {}
    for i in np.flatnonzero(lengths > _MOST).tolist():
        word = raw[starts[i] : starts[i] + lengths[i]]
        first[i], second[i] = numbers.setdefault(word, len(numbers)), np.uint64((1 << 64) - 1)
    return first, second


def _equal(first: _Words, second: _Words, group: _Words) -> Integers:
    """Returns for each word the place of one that is equal, the same one for all that are."""
    same = np.empty(len(first), np.int64)
    mixed = first * _MIX[0] ^ second * _MIX[1] ^ group * _MIX[2]
    left = np.arange(len(first))
    bits = len(first).bit_length() + 2
    table = np.empty(1 << bits, np.int64)
    for turn in range(_ROUNDS):
        place = (mixed[left] * np.uint64(2 * turn + 1) * _MIX[0] >> np.uint64(64 - bits)).astype(np.int64)
        table[place] = left  # of words with one place, one is there in the end
        other = table[place]
        equal = (first[other] == first[left]) & (second[other] == second[left]) & (group[other] == group[left])
        same[left[equal]] = other[equal]
        left = left[~equal]
        if not len(left):
            return same
    seen: dict[tuple[int, int, int], int] = {}  # words made to collide
    for i in left.tolist():
        same[i] = seen.setdefault((int(first[i]), int(second[i]), int(group[i])), i)
    return same


ORDERS = 4  # n-grams have 1 to 4 tokens
_CHARACTERS = 1 << 17  # of the texts that are counted together: their arrays fit the processor's cache
_FIELD = 21  # bits of each of the three counts of an n-gram, which are summed in one number
_MASK = (1 << _FIELD) - 1
_ONCE = 1 | 1 << _FIELD | 1 << 2 * _FIELD
_WORD = 63  # bits of a number that is sorted


class Ngrams(NamedTuple):
    """The n-grams of one length, as a table. An entry stands for n-grams of one row that have the same counts.

    Attributes:
        row: the row, counted in the batch.
        number: how many different n-grams the entry stands for.
        source, prediction: how often each of them occurs there.
        references: how often it occurs in all references of the row together.
        having: how many of the references have it.
    """

    row: Integers
    number: Integers
    source: Integers
    prediction: Integers
    references: Integers
    having: Integers


class Batch(NamedTuple):
    """The counts of consecutive rows.

    Attributes:
        rows: how many rows there are.
        references: how many references each row has.
        orders: the n-grams of 1, 2, 3 and 4 tokens.
        long_enough: for each of these lengths, how many references of each row have so many tokens.
    """

    rows: int
    references: Integers
    orders: Sequence[Ngrams]
    long_enough: Sequence[Integers]


class Tokenisation(NamedTuple):
    """How texts become tokens.

    Attributes:
        one_line: returns a text that has line breaks without them.
        prepare: changes lines before they are tokenised.
        alone: of lines in UTF-8, which bytes are tokens of their own; None: white space alone divides tokens.
        empty: whether a text without a token has one, which is empty.
    """

    one_line: Callable[[str], str]
    prepare: Callable[[str], str]
    alone: Callable[[Bytes], NDArray[np.bool_]] | None = None
    empty: bool = False


def count(rows: Sequence[Sequence[str]], tokenisation: Tokenisation) -> Iterator[Batch]:
    """Yields the counts of all rows, batch by batch.

    Args:
        rows: of each row its texts: the source, the prediction, and one reference or more.
        tokenisation: how the texts become tokens.

    Raises:
        ValueError: a row has no reference, or more than two million tokens.
    """
    one_line, left = tokenisation.one_line, iter(rows)
    while batch := list(_batch(left)):
        per_row = np.array([len(row) for row in batch])
        if per_row.min() < 3:
            raise ValueError("a row has no reference")
        lines = [one_line(text) if "\n" in text else text for row in batch for text in row]
        text = tokenisation.prepare("\n".join([*lines, ""]))
        words = find_words(text, per_row, tokenisation.alone)
        if tokenisation.empty and not words.sizes.all():
            words = find_words(_without_empty(text), per_row, tokenisation.alone)
        yield _counted(words, per_row)


def _without_empty(text: str) -> str:
    """Returns the text with a token, which is nowhere else, in each empty line."""
    token = "\0"
    while token in text:
        token += "\0"
    return "".join([f"{line if line.strip() else token}\n" for line in text.split("\n")[:-1]])


def _batch(rows: Iterator[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yields rows of about _CHARACTERS, at least one if there are any left."""
    size = 0
    while size < _CHARACTERS and (row := next(rows, None)) is not None:
        size += sum(map(len, row))
        yield row


def _counted(words: Words, texts: Integers) -> Batch:
    """Counts the n-grams of rows that have so many texts each."""
    rows, sizes = len(texts), words.sizes
    row_of = np.repeat(np.arange(rows), texts)
    kind = np.minimum(np.arange(len(row_of)) - np.repeat(np.cumsum(texts) - texts, texts), 2)
    per_row = _per_row(row_of, sizes, rows)
    if per_row.max() > _MASK:
        raise ValueError(f"a row has more than {_MASK:,} tokens")
    left = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(words.same))  # words to the end of the text
    columns = _columns(words.same, per_row, left)
    order, same = _order(columns)
    text = np.repeat(np.arange(len(row_of)), sizes)[order] if texts.max() > 3 else None
    sums = np.repeat(np.int64(1) << kind * _FIELD, sizes)[order]
    row, left, level, orders = columns[0][order], left[order], same, list[Ngrams]()
    for n in range(ORDERS, 0, -1):
        at = np.flatnonzero(level <= n)  # where an n-gram begins that is not the one before
        sums = np.add.reduceat(sums, at) if len(at) else sums
        row, left, level = row[at], left[at], level[at]
        whole = np.flatnonzero(left >= n)
        having = None if text is None else _having(same <= n, text, kind)[whole]
        orders.append(_table(row[whole], sums[whole], having, rows))
    long_enough = [_per_row(row_of, (kind == 2) & (sizes > n), rows) for n in range(ORDERS)]
    return Batch(rows, texts - 2, orders[::-1], long_enough)


def _columns(same: Integers, per_row: Integers, left: Integers) -> list[Integers]:
    """Returns, for each word, its row, and numbers of the word and of the next three.

    Numbers are from 1, and only tell the words of the row apart, so that they are small; 0 is after the text's end.
    """
    numbers = np.zeros(len(same) + ORDERS, np.int64)
    numbers[: len(same)] = same - np.repeat(np.cumsum(per_row) - per_row - 1, per_row)
    following = (numbers[n : len(same) + n] * (left > n) for n in range(ORDERS))
    return [np.repeat(np.arange(len(per_row)), per_row), *following]


def _order(columns: Sequence[Integers]) -> tuple[Integers, NDArray[np.int8]]:
    """Sorts lines by their columns, of which the first counts most.

    Returns:
        The indices of the lines in order, equal lines as they stand; and of each line in that order, how many columns,
        from the first on, are equal to those of the line before.
    """
    size = len(columns[0])
    widths = [int(column.max(initial=0)).bit_length() for column in columns]
    place = size.bit_length()
    same = np.zeros(size, np.int8)
    if sum(widths) + place > _WORD:
        order = np.lexsort(columns[::-1])
        equal = np.ones(max(0, size - 1), bool)
        for column in columns:
            column = column[order]
            equal &= column[1:] == column[:-1]
            same[1:] += equal
        return order, same
    key, shift = np.arange(size), place
    for column, width in zip(columns[::-1], widths[::-1], strict=True):
        key |= column << shift
        shift += width
    key.sort()
    differing = key[1:] ^ key[:-1]
    for width in widths:
        shift -= width
        same[1:] += differing < 1 << shift
    return key & (1 << place) - 1, same


def _table(row: Integers, sums: Integers, having: Integers | None, rows: int) -> Ngrams:
    """Returns the table of n-grams with these counts; those with counts of 0 and 1 only are put together."""
    once = (sums & ~_ONCE) == 0
    cell = (row << 3) + ((sums | sums >> _FIELD - 1 | sums >> 2 * _FIELD - 2) & 7)
    number = np.bincount(cell[once], minlength=8 * rows)
    cell = np.flatnonzero(number)
    few = Ngrams(cell >> 3, number[cell], cell & 1, cell >> 1 & 1, cell >> 2 & 1, cell >> 2 & 1)
    at = np.flatnonzero(~once)
    sums = sums[at]
    references = sums >> 2 * _FIELD
    held = np.minimum(references, 1) if having is None else having[at]
    many = Ngrams(row[at], np.ones(len(at), np.int64), sums & _MASK, sums >> _FIELD & _MASK, references, held)
    return Ngrams(*(np.concatenate(parts) for parts in zip(few, many, strict=True)))


def _having(new: NDArray[np.bool_], text: Integers, kind: Integers) -> Integers:
    """Returns in how many references each n-gram occurs.

    Args:
        new: whether another n-gram than that before stands at a place.
        text: the text of the place.
        kind: of each text, whether it is a source, a prediction or (2) a reference.
    """
    at = np.flatnonzero(kind[text] == 2)
    ngram = np.cumsum(new) - 1
    pairs = np.unique(ngram[at] * len(kind) + text[at])
    return np.bincount(pairs // len(kind), minlength=np.count_nonzero(new))


def _per_row(row_of: Integers, values: NDArray[Any], rows: int) -> Integers:
    return np.bincount(row_of, values, rows).astype(np.int64)
