"""Documents with equal keys: chunks deal their keys out to buckets, and in a bucket equal ones come together.

Three rounds do so. The exact hashes give the exact copies; of these only the first one goes on. The bands give the
pairs that are worth a look. Groups over the cap of ``rules/duplicates/candidates.py`` are divided once more, by their
bands together with others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import apache_beam as beam
import numpy as np

from gistmill.rules.duplicates.candidates import Pairs, equal_pairs, finer, refinements, stars, united, unpack
from gistmill.transforms.duplicates.exchange import (
    Chunk,
    Keyed,
    Part,
    PartsWriter,
    by_column,
    chunk_and_parts,
    chunk_key,
    read_arrays,
)
from gistmill.transforms.duplicates.files import band_column
from gistmill.transforms.duplicates.index import Sketches, sketches_at
from gistmill.transforms.layout import WorkspaceLayout

KEYS = ("<u8", "<u4")  # a part of a bucket: keys, and the documents that have them
NUMBERS = ("<u4",)
PAIRS = ("<u8",)
EDGES = "edges"  # output: pairs of documents that are the same
OTHERS = "others"  # output: documents of which a copy stands before them
LARGE = "large"  # output: documents of groups over the cap
_MOST_BITS = 5  # of a key that choose its bucket: more buckets a band would have more parts than a shuffle should


class Group(beam.PTransform):
    """Parts of keys under the keys of their buckets -> the outputs of ``found``, a function of a bucket's parts."""

    def __init__(self, found: Callable[..., list[Any]], layout: WorkspaceLayout, *outputs: str) -> None:
        super().__init__()
        self._found, self._layout, self._outputs = found, layout, outputs

    def expand(self, parts: beam.PCollection) -> Any:
        grouped = parts | "Bucket" >> beam.GroupByKey()
        return grouped | "Find" >> beam.FlatMap(self._found, layout=self._layout).with_outputs(
            *self._outputs, main="main"
        )


def deal_exact(chunk: Chunk, *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the parts of a chunk's exact hashes."""
    sketches = sketches_at(chunk.index)
    (keys,) = sketches.columns(chunk.number, ["exact"])
    with PartsWriter(layout, chunk.index, sender=chunk.number) as writer:
        return list(_dealt(writer, sketches, 0, keys, _numbers(sketches, chunk)))


def deal_bands(group: tuple[str, Iterable[Chunk | Part]], *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the parts of the bands of a chunk's documents, those left out that ``OTHERS`` names."""
    chunk, others = chunk_and_parts(group[1])
    sketches = sketches_at(chunk.index)
    numbers = _numbers(sketches, chunk)
    once = np.ones(len(numbers), bool)
    once[read_arrays(others, *NUMBERS)[0] - numbers[:1]] = False
    bands = sketches.columns(chunk.number, [band_column(b) for b in range(sketches.band_count)])
    with PartsWriter(layout, chunk.index, sender=chunk.number) as writer:
        return [
            keyed for b, keys in enumerate(bands) for keyed in _dealt(writer, sketches, b, keys[once], numbers[once])
        ]


def deal_finer(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Keyed]:
    """Returns the parts of finer keys of the documents of a chunk that ``LARGE`` names."""
    parts = by_column(group[1])
    number, index = int(group[0]), next(iter(parts.values()))[0].index
    sketches = sketches_at(index)
    count, column = sketches.band_count, 0
    dealt: list[Keyed] = []
    with PartsWriter(layout, index, sender=number) as writer:
        for band in range(count):
            others = refinements(band, count)
            if band in parts:
                numbers = np.sort(read_arrays(parts[band], *NUMBERS)[0])
                mine = numbers - np.uint32(sketches.bounds[number])
                keys, *more = sketches.columns(number, [band_column(b) for b in (band, *others)])[:, mine]
                for place, other in enumerate(more):
                    dealt += _dealt(writer, sketches, column + place, finer(keys, other), numbers)
            column += len(others)
    return dealt


def find_copies(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Any]:
    """Returns the pairs of each document with the first one that has the same hash, and all but the first under the
    keys of their chunks."""
    (parts,) = by_column(group[1]).values()
    sketches, pairs = sketches_at(parts[0].index), stars(*read_arrays(parts, *KEYS))
    others = unpack(pairs)[1].astype(np.uint32)  # each once, ascending
    pairs = _of_this_run(pairs, sketches)
    with PartsWriter(layout, parts[0].index) as writer:
        edges = [beam.pvalue.TaggedOutput(EDGES, writer.add(pairs))] if len(pairs) else []
        return edges + [
            beam.pvalue.TaggedOutput(OTHERS, (chunk_key(chunk), writer.add(others[mine])))
            for chunk, mine in sketches.by_chunk(others)
        ]


def find_pairs(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Any]:
    """Returns the candidate pairs of a bucket under the keys of their second documents' chunks, and the documents whose
    pairs are not complete under those of theirs."""
    columns = by_column(group[1])
    index = next(iter(columns.values()))[0].index
    sketches, found, large_ones = sketches_at(index), [], []
    with PartsWriter(layout, index) as writer:
        for column, parts in columns.items():
            keys, numbers = read_arrays(parts, *KEYS)
            pairs, large = equal_pairs(keys, numbers)
            found.append(_of_this_run(pairs, sketches))
            numbers = numbers[large]
            large_ones += [
                beam.pvalue.TaggedOutput(LARGE, (chunk_key(chunk), writer.add(numbers[mine], column=column)))
                for chunk, mine in sketches.by_chunk(numbers)
            ]
        pairs = united(found)
        by_second = sketches.by_chunk(unpack(pairs)[1])
        return large_ones + [(chunk_key(chunk), writer.add(pairs[mine])) for chunk, mine in by_second]


def _numbers(sketches: Sketches, chunk: Chunk) -> np.ndarray:
    start, end = sketches.bounds[chunk.number : chunk.number + 2]
    return np.arange(start, end, dtype=np.uint32)


def _of_this_run(pairs: Pairs, sketches: Sketches) -> Pairs:
    """Documents of datasets before are not compared with each other."""
    return pairs[unpack(pairs)[1] >= sketches.old] if sketches.old else pairs


def _dealt(
    writer: PartsWriter, sketches: Sketches, column: int, keys: np.ndarray, numbers: np.ndarray
) -> Iterator[Keyed]:
    """Yields parts for the buckets of a column. Large columns are divided by the upper bits of their keys; several
    small ones make a bucket."""
    bits = min(_MOST_BITS, max(0, (sketches.documents - 1) // sketches.sizes.bucket).bit_length())
    together = max(1, sketches.sizes.bucket // max(1, sketches.documents))
    place = (keys >> np.uint64(64 - bits)).astype(np.uint8) if bits else np.zeros(len(keys), np.uint8)
    order = np.argsort(place, kind="stable")
    bounds = np.searchsorted(place[order], np.arange((1 << bits) + 1))
    for bucket in np.flatnonzero(np.diff(bounds)).tolist():
        mine = order[bounds[bucket] : bounds[bucket + 1]]
        yield f"{column // together:03d}-{bucket:05d}", writer.add(keys[mine], numbers[mine], column=column)
