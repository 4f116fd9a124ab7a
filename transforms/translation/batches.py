"""Batches of sentences of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def by_length(lengths: Sequence[int], *, budget: int, most: int, equal: bool = False) -> Iterator[list[int]]:
    """Yields the numbers of items in batches, the shortest first; each item is in one batch.

    Args:
        lengths: of the items.
        budget: the longest item of a batch times its number of items is at most this, unless it is one item.
        most: items of a batch.
        equal: whether the items of a batch have to be of one length, so that none is padded.
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda n: (lengths[n], n)):
        longest = lengths[number]
        full = len(batch) == most or longest * (len(batch) + 1) > budget
        if batch and (full or (equal and lengths[batch[-1]] != longest)):
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch
