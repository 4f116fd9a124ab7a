"""Number of the shards of a split, and the ids that bound them: functions of the rows, not of their spills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

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


def keys_at(keys: Iterable[bytes], ranks: Sequence[int]) -> list[bytes]:
    """Returns the keys at rising ranks (counted from 0) of a sorted stream, reading no further than needed.

    Raises:
        ValueError: the stream is too short.
    """
    stream: Iterator[bytes] = iter(keys)
    found, position = [], 0
    for rank in ranks:
        key = next(islice(stream, rank - position, None), None)
        if key is None:
            raise ValueError(f"no row has the rank {rank}")
        found.append(key)
        position = rank + 1
    return found
