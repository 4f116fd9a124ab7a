"""Number of the shards of a split, and the ids that bound them: functions of the rows, not of their spills."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

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
    """Returns the rank of the first row of each shard; sizes differ by at most one row."""
    return [rows * i // shards for i in range(shards)]


def bounds_at(keys: Iterable[bytes], ranks: Sequence[int]) -> list[tuple[int, bytes]]:
    """Returns (rank, key) at rising ranks (counted from 0) of a sorted stream, reading no further than needed.

    Equal keys stay together: a bound moves up to the next other key, and one that finds none is left out.

    Raises:
        ValueError: the stream is too short.
    """
    found: list[tuple[int, bytes]] = []
    wanted, count, previous = deque(ranks), 0, None
    for rank, key in enumerate(keys):
        if rank >= wanted[0] and key != previous:
            found.append((rank, key))
            while wanted and wanted[0] <= rank:
                wanted.popleft()
            if not wanted:
                return found
        count, previous = rank + 1, key
    if wanted and wanted[-1] >= count:
        raise ValueError(f"no row has the rank {wanted[-1]}")
    return found
