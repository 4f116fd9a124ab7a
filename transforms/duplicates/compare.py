"""Pairs that share a band -> pairs that are alike, by the shingles of both documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import apache_beam as beam
import numpy as np
from apache_beam.transforms.window import GlobalWindows

from gistmill.rules.duplicates.candidates import Pairs, united, unpack
from gistmill.rules.duplicates.sketch import jaccard
from gistmill.transforms.duplicates.exchange import Part, PartsWriter, read_arrays
from gistmill.transforms.duplicates.group import PAIRS
from gistmill.transforms.duplicates.index import Sketches, sketches_at
from gistmill.transforms.layout import WorkspaceLayout


def cut(group: tuple[str, Iterable[Part]], *, layout: WorkspaceLayout) -> list[Part]:
    """Returns the different pairs of a chunk in pieces of equal size."""
    parts = sorted(group[1], key=lambda p: (p.path, p.start))
    index, found, fresh = parts[0].index, np.zeros(0, np.uint64), []
    piece = sketches_at(index).sizes.piece
    for part in parts:
        fresh += read_arrays([part], *PAIRS)
        if sum(map(len, fresh)) > max(len(found), piece):
            found, fresh = united((found, *fresh)), []
    found = united((found, *fresh))
    with PartsWriter(layout, index, sender=int(group[0])) as writer:
        return [writer.add(found[start : start + piece]) for start in range(0, len(found), piece)]


class Compare(beam.DoFn):
    """Pieces of pairs in, the parts of those that are alike out.

    Args:
        layout: of the workspace.
        threshold: the least similarity.
    """

    def __init__(self, layout: WorkspaceLayout, threshold: float) -> None:
        self._layout, self._threshold = layout, threshold

    def start_bundle(self) -> None:
        self._found: dict[str, list[Pairs]] = {}

    def process(self, piece: Part) -> None:
        pairs = read_arrays([piece], *PAIRS)[0]
        alike = alike_pairs(sketches_at(piece.index), pairs, self._threshold)
        self._found.setdefault(piece.index, []).append(alike)

    def finish_bundle(self) -> Iterator[Any]:
        for index, found in self._found.items():
            if len(pairs := united(found)):
                with PartsWriter(self._layout, index) as writer:
                    part = writer.add(pairs)
                yield GlobalWindows.windowed_value_at_end_of_window(part)


def alike_pairs(sketches: Sketches, pairs: Pairs, threshold: float) -> Pairs:
    """Returns pairs that are alike. A pair that others of them already join is not compared: it would not change the
    components."""
    first, second = unpack(pairs)
    shingles = sketches.shingles(np.unique(np.concatenate((first, second))))
    parents: dict[int, int] = {}
    alike = []
    for place, (one, other) in enumerate(zip(first.tolist(), second.tolist())):
        left, right = _root(parents, one), _root(parents, other)
        if left != right and _alike(shingles[one], shingles[other], threshold):
            parents[max(left, right)] = min(left, right)
            alike.append(place)
    return pairs[alike]


def _alike(first: np.ndarray, second: np.ndarray, threshold: float) -> bool:
    shorter, longer = sorted((len(first), len(second)))
    return shorter / longer >= threshold and jaccard(first, second) >= threshold


def _root(parents: dict[int, int], node: int) -> int:
    while (parent := parents.get(node, node)) != node:
        parents[node] = node = parents.get(parent, parent)
    return node
