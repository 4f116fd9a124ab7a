"""Number of the shards of a split, and the ids that bound them: functions of the rows, not of their spills.

A bound is not at a rank but near it, at the id with the smallest hash. A rebuilt dataset with a few rows more or less
most often has the same bounds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from gistmill.transforms.sinks.cuts import cut_point

SHARD_BYTES = 256 * 1024 * 1024


def shard_count(*, rows: int, raw_bytes: int, wanted: int | None = None) -> int:
    """Returns the number of shards: ``wanted``, or one for each SHARD_BYTES begun; never above the number of rows.

    Raises:
        ValueError: ``wanted`` is below 1.
    """
    if wanted is not None and wanted < 1:
        raise ValueError(f"the number of shards must be at least 1, not {wanted}")
    return min(rows, wanted or max(1, -(-raw_bytes // SHARD_BYTES)))


def shard_starts(rows: int, shards: int) -> list[int]:
    """Returns about the rank of the first row of each shard, in equal distances."""
    return [rows * i // shards for i in range(shards)]


def reach_of(rows: int, shards: int) -> int:
    """Returns how far from these ranks a bound may be: a twentieth of a shard."""
    return rows // shards // 20


def bounds_near(keys: Iterable[bytes], ranks: Sequence[int], *, reach: int = 0) -> list[tuple[int, bytes]]:
    """Returns (rank, key) near rising ranks (counted from 0) of a sorted stream, reading no further than needed.

    Of the keys at most ``reach`` rows from a rank it is the one with the smallest hash. Equal keys stay together: where
    none of these differs from the key before it, the bound moves up to the next other key, and one that finds none is
    left out.

    Raises:
        ValueError: the stream is too short.
    """
    found: list[tuple[int, bytes]] = []
    wanted, count, previous = deque(ranks), 0, None
    best: tuple[float, int, bytes] | None = None

    def take(rank: int, key: bytes) -> None:
        found.append((rank, key))
        wanted.popleft()
        while wanted and wanted[0] <= rank:
            wanted.popleft()

    for rank, key in enumerate(keys):
        if best is not None and rank > wanted[0] + reach:
            take(*best[1:])
            best = None
        if not wanted:
            return found
        if rank >= wanted[0] - reach and key != previous:
            if rank > wanted[0] + reach:
                take(rank, key)
            else:
                here = (cut_point(key.decode("utf-8", "replace")), rank, key)
                best = here if best is None else min(best, here)
        count, previous = rank + 1, key
    if wanted and wanted[-1] >= count:
        raise ValueError(f"no row has the rank {wanted[-1]}")
    if best is not None:
        take(*best[1:])
    return found
