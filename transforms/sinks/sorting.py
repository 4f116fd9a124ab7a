"""The external sort: spills are read in the order of their keys, a bounded number of them at once."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from gistmill.transforms.sinks.spill_file import SpillFile, SpillReader, SpillWriter

FAN_IN = 64  # spill files open at once


@dataclass(frozen=True, slots=True)
class MergeStep:
    """Spills of a bucket that become one spill; a single spill stays as it is."""

    bucket: str
    spills: tuple[SpillFile, ...]


def merged_rows(
    spills: Sequence[SpillFile], lower: bytes = b"", upper: bytes | None = None
) -> Iterator[tuple[bytes, bytes]]:
    """Yields (key, value) of all spills in order, with ``lower`` <= key < ``upper``, in bounded memory."""
    with ExitStack() as stack:
        readers = [stack.enter_context(SpillReader(s)) for s in spills]
        yield from heapq.merge(*(r.rows(lower, upper) for r in readers))


def merged_keys(spills: Sequence[SpillFile]) -> Iterator[bytes]:
    """Yields the keys of all spills in order."""
    with ExitStack() as stack:
        readers = [stack.enter_context(SpillReader(s)) for s in spills]
        yield from heapq.merge(*(r.keys() for r in readers))


def all_keys(spills: Iterable[SpillFile]) -> Iterator[bytes]:
    """Yields the keys of one spill after the other: in no order, and with one file open."""
    for spill in spills:
        with SpillReader(spill) as reader:
            yield from reader.keys()


def merge_to_spill(step: MergeStep, path: str) -> SpillFile:
    """Merges spills into one new spill at ``path``."""
    writer = SpillWriter(path, step.bucket)
    for key, value in merged_rows(step.spills):
        writer.add(key, value)
    return writer.close()


def plan_steps(bucket: str, spills: Iterable[SpillFile], *, fan_in: int = FAN_IN) -> Iterator[MergeStep]:
    """Yields the merges that lower the number of a bucket's spills; one spill each when there are few enough."""
    ordered = sorted(spills, key=lambda s: (s.first_id, s.path))
    size = 1 if len(ordered) <= fan_in else fan_in
    for start in range(0, max(len(ordered), 1), size):  # a bucket without spills stays alive
        yield MergeStep(bucket, tuple(ordered[start : start + size]))
