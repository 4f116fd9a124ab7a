"""Buckets of a curriculum: the rows of an order in parts of equal size, the easiest first.

Source: LATS, sections 4.2.1 and 5.2: k buckets; 2, 5 and 10 of them for 10, 100 and 1,000 pairs.
"""

from __future__ import annotations

FEW, SOME = 100, 1000  # rows from which there are 5 buckets by default, and 10


def buckets_for(rows: int, wanted: int | None = None) -> int:
    """Returns how many buckets ``rows`` rows have: ``wanted``, or LATS's number for as many pairs; never more than
    rows."""
    usual = 2 if rows < FEW else 5 if rows < SOME else 10
    return min(wanted or usual, rows)


def bucket_of(rank: int, rows: int, buckets: int) -> int:
    """Returns the bucket of a row, from 0. The sizes of two buckets differ by one row at most.

    Args:
        rank: of the row, from 0.
        rows: how many are ranked.
        buckets: from 1 to ``rows``.
    """
    return rank * buckets // rows
