"""Spills to shards: an external sort. Only names of files and counts are grouped; rows go from file to file."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import apache_beam as beam

from rules.dataset import DatasetSchema
from transforms.beam.given import Given
from transforms.beam.spread import Spread
from transforms.io import sha256_of
from transforms.layout import WorkspaceLayout
from transforms.sinks.files import HashingFile
from transforms.sinks.formats import FORMATS, REJECTS_FORMAT, Format
from transforms.sinks.schema import RowCodec
from transforms.sinks.sharding import bounds_at, shard_count, shard_starts
from transforms.sinks.spill_file import SpillFile, SpillReader, SpillWriter
from transforms.sinks.spills import REJECTS, RangeResult

FAN_IN = 64  # spill files open at once
STEPS = 2  # steps that lower the number of spills; with the last merge, enough for 64 ** 3 spills in a bucket
Keyed = tuple[str, tuple[SpillFile, ...]]  # bucket and spills


class DuplicateIdError(ValueError):
    """Two rows of a configuration have the same id."""


class ShardError(RuntimeError):
    """A shard is not what was planned, or its file does not hold what was written."""


@dataclass(frozen=True, slots=True)
class MergeStep:
    """Spills of a bucket that become one spill; a single spill stays as it is."""

    bucket: str
    spills: tuple[SpillFile, ...]


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """Shard ``index`` of ``of``: the ``rows`` rows of the bucket with ``lower`` <= key < ``upper``."""

    bucket: str
    index: int
    of: int
    rows: int
    lower: bytes
    upper: bytes | None
    spills: tuple[SpillFile, ...]


@dataclass(frozen=True, slots=True)
class ShardFile:
    """A finished shard in one format, under its temporary name. The rejects have the configuration and split
    ``rejects`` and the format ``jsonl``."""

    config: str
    split: str
    format: str
    index: int
    of: int
    path: str
    rows: int
    bytes: int
    sha256: str
    first_id: str
    last_id: str


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


def plan_shards(bucket: str, spills: Sequence[SpillFile], *, shards: int | None = None) -> list[ShardPlan]:
    """Returns the shards of a bucket: their number first, then the ids that bound them.

    Raises:
        DuplicateIdError: an id occurs twice before the last bound (later ones are found on writing).
    """
    spills = tuple(sorted(spills, key=lambda s: (s.first_id, s.path)))
    rows = sum(s.rows for s in spills)
    raw_bytes = sum(s.raw_bytes for s in spills)
    if bucket == REJECTS:  # one file at least; a sentence may be rejected twice
        count, keys = max(shard_count(rows=rows, raw_bytes=raw_bytes), 1), merged_keys(spills)
    else:
        count = shard_count(rows=rows, raw_bytes=raw_bytes, wanted=shards)
        keys = _unique(merged_keys(spills), bucket)
    if count == 0:
        return []
    bounds = bounds_at(keys, shard_starts(rows, count)[1:]) if count > 1 else []
    ends = [*bounds, (rows, None)]
    return [
        ShardPlan(bucket, index, len(ends), end - begin, lower, upper, spills)
        for index, ((begin, lower), (end, upper)) in enumerate(zip([(0, b""), *bounds], ends, strict=True))
    ]


def write_shard(
    plan: ShardPlan, *, schema: DatasetSchema, formats: Sequence[str], layout: WorkspaceLayout
) -> list[ShardFile]:
    """Writes a shard in every format in one pass over its rows, then reads the files again.

    Raises:
        DuplicateIdError: an id occurs twice.
        ShardError: rows were lost, or a file does not hold what was written.
    """
    decode: Callable[[bytes], Any]
    if plan.bucket == REJECTS:
        config_schema, chosen = schema.configs[0], {"jsonl": REJECTS_FORMAT}
        config, split = REJECTS, REJECTS
        rows, decode = merged_rows(plan.spills, plan.lower, plan.upper), bytes
    else:
        config, split = plan.bucket.split("/")
        config_schema, chosen = schema[config], {f: FORMATS[f] for f in formats}
        rows, decode = _unique_rows(merged_rows(plan.spills, plan.lower, plan.upper), plan.bucket), RowCodec.decode
    files = {name: HashingFile(layout.new_shard(f.extension)) for name, f in chosen.items()}
    writers = [f.open(files[name], config_schema) for name, f in chosen.items()]
    count, first, last = 0, b"", b""
    for last, value in rows:
        first = first or last
        count += 1
        values = decode(value)
        for writer in writers:
            writer.add(values, len(value))
    for writer in writers:
        writer.close()
    if count != plan.rows:
        raise ShardError(f"shard {plan.index} of {plan.bucket} has {count} rows instead of {plan.rows}")
    made = [
        ShardFile(
            config,
            split,
            name,
            plan.index,
            plan.of,
            file.path,
            count,
            file.size,
            file.sha256,
            _id_of(first),
            _id_of(last),
        )
        for name, file in files.items()
    ]
    for shard in made:
        _read_back(shard, chosen[shard.format])
    return made


def _read_back(shard: ShardFile, chosen: Format) -> None:
    found = chosen.count(shard.path)
    if found != shard.rows or sha256_of(shard.path) != shard.sha256:
        raise ShardError(
            f"{shard.path} ({shard.config}/{shard.split}, {shard.format}) does not hold what was written: "
            f"{found} rows instead of {shard.rows}, or other bytes"
        )


def _id_of(key: bytes) -> str:
    return key.split(b"\0")[0].decode("utf-8")  # the key of a reject holds more than the id


def _unique(keys: Iterable[bytes], bucket: str) -> Iterator[bytes]:
    previous = None
    for key in keys:
        if key == previous:
            raise _duplicate(key, bucket)
        previous = key
        yield key


def _unique_rows(rows: Iterable[tuple[bytes, bytes]], bucket: str) -> Iterator[tuple[bytes, bytes]]:
    previous = None
    for row in rows:
        if row[0] == previous:
            raise _duplicate(row[0], bucket)
        previous = row[0]
        yield row


def _duplicate(key: bytes, bucket: str) -> DuplicateIdError:
    return DuplicateIdError(f"two rows of {bucket} have the id {key.decode('utf-8')!r}; ids have to be unique")


class MergeSpills(beam.PTransform):
    """RangeResults in, ShardFiles out.

    Args:
        workspace: root of the run's workspace.
        schema: configurations and columns of the dataset.
        formats: names of FORMATS.
        shards: shards of each split; None chooses by size.
        fan_in: spills that are open at once.
    """

    def __init__(
        self,
        workspace: str,
        schema: DatasetSchema,
        *,
        formats: Sequence[str],
        shards: int | None = None,
        fan_in: int = FAN_IN,
    ) -> None:
        super().__init__()
        if unknown := [f for f in formats if f not in FORMATS]:
            raise ValueError(f"unknown format {unknown[0]!r}; known are {', '.join(FORMATS)}")
        shard_count(rows=1, raw_bytes=1, wanted=shards)
        self._layout = WorkspaceLayout(workspace)
        self._schema, self._formats, self._shards, self._fan_in = schema, tuple(formats), shards, fan_in

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
            | "PlanShards" >> beam.FlatMap(_plan_shards, shards=self._shards)
            | "SpreadShards" >> Spread(_name_of_shard)
            | "WriteShards"
            >> beam.FlatMap(write_shard, schema=self._schema, formats=self._formats, layout=self._layout)
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


def _plan_shards(group: tuple[str, Iterable[tuple[SpillFile, ...]]], *, shards: int | None) -> list[ShardPlan]:
    return plan_shards(group[0], _flat(group[1]), shards=shards)
