"""results.json: the shards, counts and damage that the pipeline passes to the publisher."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import apache_beam as beam

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.records import Damage
from gistmill.core.reuse import REUSE
from gistmill.transforms.beam.given import Given
from gistmill.transforms.io import read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.shards import ShardFile
from gistmill.transforms.sinks.spills import RangeResult

_REUSE = f"{REUSE}/"


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that a finished pipeline leaves: shards in order, counts over all ranges, damage, source files, each
    arithmetic that annotated, and what was taken from an older dataset (core/reuse.py), which is not a count of the
    content."""

    shards: tuple[ShardFile, ...]
    counts: Mapping[str, int]
    damage: tuple[Damage, ...]
    sources: tuple[Mapping[str, Any], ...]
    arithmetic: tuple[Arithmetic, ...] = ()
    reuse: Mapping[str, int] = field(default_factory=dict)


def combine(records: Iterable[Any]) -> Results:
    """Adds up ShardFiles, RangeResults and source files (any other dataclass), in whatever order they come."""
    shards: list[ShardFile] = []
    counts: Counter[str] = Counter()
    damage: set[Damage] = set()
    arithmetic: set[Arithmetic] = set()
    sources: dict[Any, Any] = {}
    for record in records:
        if isinstance(record, ShardFile):
            shards.append(record)
        elif isinstance(record, RangeResult):
            counts.update(record.counts)
            damage.update(record.damage)
            arithmetic.update(record.arithmetic)
        else:
            values = dataclasses.asdict(record)
            sources[tuple(sorted((k, str(v)) for k, v in values.items()))] = values
    shards.sort(key=lambda s: (s.config, s.format, s.split, s.index))
    return Results(
        shards=tuple(shards),
        counts={name: number for name, number in sorted(counts.items()) if not name.startswith(_REUSE)},
        damage=tuple(sorted(damage, key=lambda d: (d.file, d.offset, d.message))),
        sources=tuple(v for _, v in sorted(sources.items())),
        arithmetic=tuple(sorted(arithmetic)),
        reuse={n.removeprefix(_REUSE): number for n, number in sorted(counts.items()) if n.startswith(_REUSE)},
    )


def read_results(workspace: str) -> Results:
    """Reads the results of a workspace.

    Raises:
        OSError: the pipeline did not finish.
    """
    value = read_json(WorkspaceLayout(workspace).results)
    return Results(
        tuple(ShardFile(**s) for s in value["shards"]),
        value["counts"],
        tuple(Damage(**d) for d in value["damage"]),
        tuple(value["sources"]),
        tuple(Arithmetic(**a) for a in value["arithmetic"]),
        value["reuse"],
    )


class WriteResults(beam.PTransform):
    """Takes (ShardFiles, RangeResults, source files) as a tuple of PCollections and writes results.json. The output is
    the path of that file."""

    def __init__(self, workspace: str) -> None:
        super().__init__()
        self._layout = WorkspaceLayout(workspace)

    def expand(self, collections: tuple[beam.PCollection, ...]) -> beam.PCollection:
        # an empty input has results too
        seed = collections[0].pipeline | "Seed" >> Given([("", None)])
        keyed = [c | f"Key{i}" >> beam.Map(_keyed) for i, c in enumerate(collections)]
        return (seed, *keyed) | beam.Flatten() | beam.GroupByKey() | "Write" >> beam.Map(_write, layout=self._layout)


def _keyed(record: Any) -> tuple[str, Any]:
    return "", record


def _write(group: tuple[str, Iterable[Any]], *, layout: WorkspaceLayout) -> str:
    results = combine(r for r in group[1] if r is not None)
    write_json(layout.results, dataclasses.asdict(results))
    return layout.results
