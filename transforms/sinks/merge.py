"""Spills to shards: an external sort. Only names of files and counts are grouped; rows go from file to file."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence

import apache_beam as beam

from gistmill.core.dataset import DatasetSchema
from gistmill.core.row_budget import UNLIMITED, RowBudget
from gistmill.transforms.beam.given import Given
from gistmill.transforms.beam.spread import Spread
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.formats import FORMATS
from gistmill.transforms.sinks.sharding import shard_count
from gistmill.transforms.sinks.shards import ShardPlan, plan_shards, write_shard
from gistmill.transforms.sinks.sorting import FAN_IN, MergeStep, merge_to_spill, plan_steps
from gistmill.transforms.sinks.spill_file import SpillFile
from gistmill.transforms.sinks.spills import REJECTS, RangeResult

STEPS = 2  # steps that lower the number of spills; with the last merge, enough for 64 ** 3 spills in a bucket
Keyed = tuple[str, tuple[SpillFile, ...]]  # bucket and spills


class MergeSpills(beam.PTransform):
    """RangeResults in, ShardFiles out.

    Args:
        workspace: root of the run's workspace.
        schema: configurations and columns of the dataset.
        formats: names of FORMATS.
        shards: shards of each split; None chooses by size.
        budget: how many rows each split keeps.
        row_group_bytes: of the largest row groups of Parquet; None for the default.
        by: the column of which each value gives samples; "" for none.
        fan_in: spills that are open at once.
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
        if unknown := [f for f in formats if f not in FORMATS]:
            raise ValueError(f"unknown format {unknown[0]!r}; known are {', '.join(FORMATS)}")
        shard_count(rows=1, raw_bytes=1, wanted=shards)
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
        seed = results.pipeline | "Rejects" >> Given([(REJECTS, ())])
        spills = results | "ByBucket" >> beam.FlatMap(_by_bucket)
        grouped = (seed, spills) | beam.Flatten() | "Group" >> beam.GroupByKey()
        for step in range(1, STEPS + 1):
            grouped = (
                grouped
                | f"PlanStep{step}" >> beam.FlatMap(_plan_steps, fan_in=self._fan_in)
                | f"SpreadStep{step}" >> Spread(_name_of_step)
                | f"Step{step}" >> beam.Map(_merge_step, layout=self._layout)
                | f"Group{step}" >> beam.GroupByKey()
            )
        return (
            grouped
            | "PlanShards" >> beam.FlatMap(_plan_shards, shards=self._shards, budget=self._budget)
            | "SpreadShards" >> Spread(_name_of_shard)
            | "WriteShards" >> beam.FlatMap(self._write)
        )


def _by_bucket(result: RangeResult) -> Iterator[Keyed]:
    for spill in result.spills:
        yield spill.bucket, (spill,)


def _flat(groups: Iterable[tuple[SpillFile, ...]]) -> tuple[SpillFile, ...]:
    return tuple(spill for spills in groups for spill in spills)


def _plan_steps(group: tuple[str, Iterable[tuple[SpillFile, ...]]], *, fan_in: int) -> Iterator[MergeStep]:
    yield from plan_steps(group[0], _flat(group[1]), fan_in=fan_in)


def _name_of_step(step: MergeStep) -> str:
    return f"{step.bucket}/{step.spills[0].path if step.spills else ''}"


def _name_of_shard(plan: ShardPlan) -> str:
    return f"{plan.bucket}/{plan.index}"


def _merge_step(step: MergeStep, *, layout: WorkspaceLayout) -> Keyed:
    if len(step.spills) <= 1:
        return step.bucket, step.spills
    return step.bucket, (merge_to_spill(step, layout.new_spill(f"merged-{step.bucket.replace('/', '-')}")),)


def _plan_shards(
    group: tuple[str, Iterable[tuple[SpillFile, ...]]], *, shards: int | None, budget: RowBudget
) -> list[ShardPlan]:
    return plan_shards(group[0], _flat(group[1]), shards=shards, budget=budget)
