"""The conversion of spills to shards, and the results that the pipeline passes to the publisher."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import apache_beam as beam

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.hashing import unit_interval
from gistmill.core.json_value import JsonValue, read_as
from gistmill.core.manifest import REUSE
from gistmill.core.records import Damage
from gistmill.core.row_budget import UNLIMITED, RowBudget
from gistmill.core.statistics import DatasetSchema
from gistmill.transforms.beam.transforms import CreateConstants, GatherAll, ReshuffleByKey
from gistmill.transforms.io import read_json, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.shards import (
    MOST,
    SALT,
    ShardFile,
    ShardPlan,
    by_hash,
    plan_shards,
    write_shard,
)
from gistmill.transforms.sinks.sort import FAN_IN, SpillFile, merge_to_spill, plan_steps
from gistmill.transforms.sinks.spills import REJECTS, RangeResult

_REUSE = f"{REUSE}/"


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a finished pipeline: shards in order, counts over all ranges, damage, source files, each
    arithmetic used for annotation, and the amounts copied from an older dataset (core/manifest.py), which are not
    counts of the content."""

    shards: tuple[ShardFile, ...]
    counts: Mapping[str, int]
    damage: tuple[Damage, ...]
    sources: tuple[Mapping[str, Any], ...]
    arithmetic: tuple[Arithmetic, ...] = ()
    reuse: Mapping[str, int] = field(default_factory=dict)


def combine(records: Iterable[Any]) -> Results:
    """Adds up ShardFiles, RangeResults and source files (any other dataclass), in any order."""
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
        OSError: the pipeline has not finished.
    """
    path = WorkspaceLayout(workspace).results
    results: Results = read_as(Results, JsonValue(read_json(path), path))
    return results


class WriteResults(beam.PTransform):
    """(ShardFiles, RangeResults, source files), a tuple of PCollections -> the path of results.json."""

    def __init__(self, workspace: str) -> None:
        super().__init__()
        self._layout = WorkspaceLayout(workspace)

    def expand(self, collections: tuple[beam.PCollection, ...]) -> beam.PCollection:
        # an empty input produces results too
        return collections | beam.Flatten() | GatherAll() | "Write" >> beam.Map(_write, layout=self._layout)


def _write(records: Iterable[Any], *, layout: WorkspaceLayout) -> str:
    write_json(layout.results, dataclasses.asdict(combine(records)))
    return layout.results


STEPS = 2  # steps that reduce the number of spills; enough for 64 ** 3 per bucket, with the last merge
Keyed = tuple[str, tuple[SpillFile, ...]]  # bucket and spills


class MergeSpills(beam.PTransform):
    """Merges the spills of RangeResults into ShardFiles.

    Args:
        workspace: the root of the run's workspace.
        schema: the configurations and columns of the dataset.
        formats: names of FORMATS.
        shards: the number of shards per split; None chooses by size.
        budget: the number of rows to keep in each split.
        row_group_bytes: the maximum size of a Parquet row group; None for the default.
        by: the column whose values each get samples; "" for none.
        fan_in: the number of spills open at once.
    """

    def __init__(
        self,
        workspace: str,
        schema: DatasetSchema,
        *,
        formats: Sequence[str],
        shards: int | None = None,
        budget: RowBudget = UNLIMITED,
        row_group_bytes: int | None = None,
        by: str = "",
        fan_in: int = FAN_IN,
    ) -> None:
        super().__init__()
        self._layout = WorkspaceLayout(workspace)
        self._shards, self._fan_in = shards, fan_in
        self._budget = budget
        self._write = functools.partial(
            write_shard,
            schema=schema,
            formats=tuple(formats),
            layout=self._layout,
            row_group_bytes=row_group_bytes,
            by=by,
        )

    def expand(self, results: beam.PCollection) -> beam.PCollection:
        # the rejects file exists even when nothing was rejected
        seed = results.pipeline | "Rejects" >> CreateConstants([(REJECTS, ())])
        spills = results | "ByBucket" >> beam.FlatMap(lambda r: [(s.bucket, (s,)) for s in r.spills])
        grouped = (seed, spills) | beam.Flatten() | "Group" >> beam.GroupByKey()
        for step in range(1, STEPS + 1):
            grouped = (
                grouped
                | f"PlanStep{step}" >> beam.FlatMap(_plan_steps, fan_in=self._fan_in)
                | f"SpreadStep{step}" >> ReshuffleByKey(lambda kv: f"{kv[0]}/{kv[1][0].path if kv[1] else ''}")
                | f"Step{step}" >> beam.Map(_merge_step, layout=self._layout)
                | f"Group{step}" >> beam.GroupByKey()
            )
        return (
            grouped
            | "PlanShards" >> beam.FlatMap(_plan_shards, shards=self._shards, budget=self._budget)
            | "SpreadShards" >> ReshuffleByKey(lambda plan: f"{plan.bucket}/{plan.index}")
            | "WriteShards" >> beam.FlatMap(self._write)
        )


def _plan_steps(group: tuple[str, Iterable[tuple[SpillFile, ...]]], *, fan_in: int) -> list[Keyed]:
    return [(group[0], spills) for spills in plan_steps(chain.from_iterable(group[1]), fan_in=fan_in)]


def _merge_step(step: Keyed, *, layout: WorkspaceLayout) -> Keyed:
    bucket, spills = step
    if len(spills) <= 1:
        return bucket, spills
    return bucket, (merge_to_spill(bucket, spills, layout.new_spill(f"merged-{bucket.replace('/', '-')}")),)


def _plan_shards(
    group: tuple[str, Iterable[tuple[SpillFile, ...]]], *, shards: int | None, budget: RowBudget
) -> list[ShardPlan]:
    return plan_shards(group[0], list(chain.from_iterable(group[1])), shards=shards, budget=budget)


_MOST_FILES = 64  # per configuration; a large dataset contains thousands


@dataclass(frozen=True, slots=True)
class Samples:
    """The sampled rows and rejects.

    Attributes:
        rows: by configuration, then by type ("" if rows are not typed). A row contains its scalar columns; texts longer
            than LONGEST characters are cut there and end in an ellipsis.
        rejects: by reason.
    """

    rows: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]
    rejects: Mapping[str, Sequence[Mapping[str, Any]]]


NO_SAMPLES = Samples({}, {})


def read_samples(shards: Iterable[ShardFile]) -> Samples:
    """Returns the samples for the whole dataset. If a configuration consists of many shards, only some are used.

    Raises:
        OSError: a file of samples is missing.
    """
    files: dict[str, dict[str, float]] = {}
    for shard in shards:
        if shard.sample:
            place = unit_interval(SALT, f"{shard.config}/{shard.split}/{shard.index}")
            files.setdefault(shard.config, {})[shard.sample] = place
    drawn: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for config, places in files.items():
        found: dict[str, list[Any]] = {}
        for path in sorted(places, key=places.__getitem__)[:_MOST_FILES]:
            for label, kept in read_json(path).items():
                found.setdefault(label, []).extend(kept)
        drawn[config] = {
            label: [shown for *_, shown in sorted(kept, key=by_hash)[:MOST]] for label, kept in sorted(found.items())
        }
    return Samples({c: labels for c, labels in drawn.items() if c != REJECTS}, drawn.get(REJECTS, {}))
