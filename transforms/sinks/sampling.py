"""A few rows of each type, and a few rejects of each reason, for people who look at a dataset.

Hashes of ids choose them while a shard is written, so they are the same on every runner, and nothing is read again.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Mapping, Sequence
from typing import Any

from gistmill.core.dataset import Column
from gistmill.core.hashing import unit_interval
from gistmill.transforms.io import write_json

MOST = 4  # of each label
LONGEST = 2_000  # characters of a text that is shown
SALT = "gistmill-samples"
_MOST_LABELS = 200


def by_hash(item: Sequence[Any]) -> tuple[float, str]:
    """Returns the key by which (negative hash, id, values) are sorted."""
    return -item[0], item[1]


class _Sampler:
    """Keeps what has the smallest hashes, for each label."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._kept: dict[str, list[tuple[float, str, Mapping[str, Any]]]] = {}

    def offer(self, label: str, key: str, values: Mapping[str, Any]) -> None:
        """Keeps the values if the hash of their key is among the smallest."""
        heap = self._kept.get(label)
        if heap is None:
            if len(self._kept) == _MOST_LABELS:
                return
            heap = self._kept[label] = []
        item = (-unit_interval(SALT, key), key)
        if any(item == kept[:2] for kept in heap):  # a sentence may be rejected twice, in the same words
            return
        if len(heap) < MOST:
            heapq.heappush(heap, (*item, _shortened(values)))
        elif item > heap[0][:2]:
            heapq.heapreplace(heap, (*item, _shortened(values)))

    def close(self) -> None:
        """Writes what was kept."""
        write_json(self._path, {label: sorted(heap, key=by_hash) for label, heap in self._kept.items()})


class RowSampler(_Sampler):
    """A Writer that draws rows of each type.

    Args:
        path: the file that ``close`` makes.
        columns: of the rows.
        by: the column of types; "" where there is none.
    """

    def __init__(self, path: str, columns: Sequence[Column], *, by: str) -> None:
        super().__init__(path)
        self._names = [c.name for c in columns]
        self._id = self._names.index("id")
        self._by = self._names.index(by) if by in self._names else None

    def add(self, values: Sequence[Any], size: int) -> None:
        """Offers a row."""
        label = "" if self._by is None else str(values[self._by])
        self.offer(label, values[self._id], dict(zip(self._names, values, strict=True)))


class RejectSampler(_Sampler):
    """A Writer that draws rejects of each reason; ``path`` is the file that ``close`` makes."""

    def add(self, values: bytes, size: int) -> None:
        """Offers the line of a reject."""
        reject = json.loads(values)
        self.offer(reject["reason"], values.decode("utf-8"), reject)


def _shortened(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _cut(value) for name, value in values.items() if not isinstance(value, (list, dict))}


def _cut(value: Any) -> Any:
    return value[:LONGEST] + "…" if isinstance(value, str) and len(value) > LONGEST else value
