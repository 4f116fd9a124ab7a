"""The shards of a bucket: how many there are and which ids bound them, and how each is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gistmill.core.dataset import DatasetSchema
from gistmill.core.row_budget import UNLIMITED, Cut, RowBudget
from gistmill.transforms.io import sha256_of
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.files import HashingFile
from gistmill.transforms.sinks.formats import REJECTS_FORMAT, Format, Writer, formats_named
from gistmill.transforms.sinks.sampling import RejectSampler, RowSampler
from gistmill.transforms.sinks.schema import RowCodec
from gistmill.transforms.sinks.sharding import bounds_near, reach_of, shard_count, shard_starts
from gistmill.transforms.sinks.sorting import all_keys, merged_keys, merged_rows
from gistmill.transforms.sinks.spill_file import SpillFile
from gistmill.transforms.sinks.spills import REJECTS


class DuplicateIdError(ValueError):
    """Two rows of a configuration have the same id."""


class ShardError(RuntimeError):
    """A shard is not what was planned, or its file does not hold what was written."""


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """Shard ``index`` of ``of``: the ``rows`` rows of the bucket with ``lower`` <= key < ``upper``, those behind the
    ``cut`` left out."""

    bucket: str
    index: int
    of: int
    rows: int
    lower: bytes
    upper: bytes | None
    spills: tuple[SpillFile, ...]
    cut: Cut | None = None


@dataclass(frozen=True, slots=True)
class ShardFile:
    """A finished shard in one format, under its temporary name, and the file of its samples
    (gistmill.transforms.sinks.samples). The rejects have the configuration and split ``rejects`` and the format
    ``jsonl``."""

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
    sample: str = ""


def plan_shards(
    bucket: str, spills: Sequence[SpillFile], *, shards: int | None = None, budget: RowBudget = UNLIMITED
) -> list[ShardPlan]:
    """Returns the shards of a bucket: which rows stay, then the number of shards, then the ids that bound them.

    Args:
        bucket: ``CONFIG/SPLIT`` or ``rejects``, of which all rows stay.
        spills: those of the bucket.
        shards: how many there are to be; None for a number by size.
        budget: how many rows stay.

    Raises:
        DuplicateIdError: an id occurs twice before the last bound (later ones are found on writing).
    """
    spills = tuple(sorted(spills, key=lambda s: (s.first_id, s.path)))
    made = sum(s.rows for s in spills)
    raw_bytes = sum(s.raw_bytes for s in spills)
    if bucket == REJECTS:  # one file at least; a sentence may be rejected twice
        rows, cut, keys = made, None, merged_keys(spills)
        count = max(shard_count(rows=rows, raw_bytes=raw_bytes), 1)
    else:
        split = bucket.split("/")[1]
        if not (rows := budget.kept(split, made)):
            return []
        cut = budget.cut(split, lambda: all_keys(spills), rows=made)
        # the bytes of rows chosen by chance are in proportion to their number; to add them up, all rows would be read
        count = shard_count(rows=rows, raw_bytes=-(-raw_bytes * rows // made), wanted=shards)
        keys = _unique(merged_keys(spills), bucket)
        if cut is not None:
            keys = filter(cut.keeper(), keys)
    reach = reach_of(rows, count)
    bounds = bounds_near(keys, shard_starts(rows, count)[1:], reach=reach) if count > 1 else []
    ends = [*bounds, (rows, None)]
    return [
        ShardPlan(bucket, index, len(ends), end - begin, lower, upper, spills, cut)
        for index, ((begin, lower), (end, upper)) in enumerate(zip([(0, b""), *bounds], ends, strict=True))
    ]


def write_shard(
    plan: ShardPlan,
    *,
    schema: DatasetSchema,
    formats: Sequence[str],
    layout: WorkspaceLayout,
    row_group_bytes: int | None = None,
    by: str = "",
) -> list[ShardFile]:
    """Writes a shard in every format in one pass over its rows, then reads the files again.

    Args:
        plan: the shard.
        schema: configurations and columns of the dataset.
        formats: names of FORMATS.
        layout: where its files go.
        row_group_bytes: see gistmill.transforms.sinks.parquet.ParquetWriter.
        by: the column of which each value gives samples; "" for none.

    Raises:
        DuplicateIdError: an id occurs twice.
        ShardError: rows were lost, or a file does not hold what was written.
    """
    decode: Callable[[bytes], Any]
    sample = layout.new_shard("samples.json")
    sampler: Writer
    if plan.bucket == REJECTS:
        config_schema, chosen = schema.configs[0], {"jsonl": REJECTS_FORMAT}
        config, split = REJECTS, REJECTS
        rows, decode = merged_rows(plan.spills, plan.lower, plan.upper), bytes
        sampler = RejectSampler(sample)
    else:
        config, split = plan.bucket.split("/")
        config_schema, chosen = schema[config], formats_named(formats, row_group_bytes=row_group_bytes)
        rows, decode = _kept_rows(plan), RowCodec.decode
        sampler = RowSampler(sample, config_schema.columns, by=by)
    files = {name: HashingFile(layout.new_shard(f.extension)) for name, f in chosen.items()}
    writers = [f.open(files[name], config_schema) for name, f in chosen.items()]
    count, first, last = _write(rows, decode, [*writers, sampler])
    if count != plan.rows:
        raise ShardError(f"shard {plan.index} of {plan.bucket} has {count} rows instead of {plan.rows}")
    ends = _id_of(first), _id_of(last)
    made = [
        ShardFile(config, split, name, plan.index, plan.of, file.path, count, file.size, file.sha256, *ends, sample)
        for name, file in files.items()
    ]
    for shard in made:
        _read_back(shard, chosen[shard.format])
    return made


def _write(
    rows: Iterable[tuple[bytes, bytes]], decode: Callable[[bytes], Any], writers: Sequence[Writer]
) -> tuple[int, bytes, bytes]:
    """Writes rows with every writer; returns their number, and the first and the last key."""
    count, first, last = 0, b"", b""
    for last, value in rows:
        first = first or last
        count += 1
        values = decode(value)
        for writer in writers:
            writer.add(values, len(value))
    for writer in writers:
        writer.close()
    return count, first, last


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


def _kept_rows(plan: ShardPlan) -> Iterator[tuple[bytes, bytes]]:
    rows = _unique_rows(merged_rows(plan.spills, plan.lower, plan.upper), plan.bucket)
    if plan.cut is None:
        return rows
    stays = plan.cut.keeper()
    return (row for row in rows if stays(row[0]))


def _unique_rows(rows: Iterable[tuple[bytes, bytes]], bucket: str) -> Iterator[tuple[bytes, bytes]]:
    previous = None
    for row in rows:
        if row[0] == previous:
            raise _duplicate(row[0], bucket)
        previous = row[0]
        yield row


def _duplicate(key: bytes, bucket: str) -> DuplicateIdError:
    return DuplicateIdError(f"two rows of {bucket} have the id {key.decode('utf-8')!r}; ids have to be unique")
