"""The shards of a split: how many, which ids bound them, in which formats they are written, and their samples.

A bound is not at a rank but near it, at the id with the smallest hash. A rebuilt dataset with a few rows more or less
most often has the same bounds.

Hashes of ids choose them while a shard is written, so they are the same on every runner, and nothing is read again.
"""

from __future__ import annotations

import functools
import heapq
import io
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from gistmill.core.hashing import unit_interval
from gistmill.core.row_budget import UNLIMITED, Cut, RowBudget
from gistmill.core.statistics import Column, ConfigSchema, DatasetSchema
from gistmill.transforms.io import sha256_of, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.cuts import cut_point
from gistmill.transforms.sinks.files import HashingFile
from gistmill.transforms.sinks.jsonl import JsonlWriter, count_jsonl
from gistmill.transforms.sinks.parquet import ParquetWriter, count_parquet
from gistmill.transforms.sinks.sort import SpillFile, all_keys, merged_keys, merged_rows
from gistmill.transforms.sinks.spills import REJECTS, RowCodec
from gistmill.transforms.sinks.tfrecord import TfrecordWriter, count_tfrecords
from gistmill.transforms.sinks.tsv import TsvWriter, count_tsv

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
    """Returns about the rank of the first row of each shard, in equal distances."""
    return [rows * i // shards for i in range(shards)]


def reach_of(rows: int, shards: int) -> int:
    """Returns how far from these ranks a bound may be: a twentieth of a shard."""
    return rows // shards // 20


def bounds_near(keys: Iterable[bytes], ranks: Sequence[int], *, reach: int = 0) -> list[tuple[int, bytes]]:
    """Returns (rank, key) near rising ranks (counted from 0) of a sorted stream, reading no further than needed.

    Of the keys at most ``reach`` rows from a rank it is the one with the smallest hash. Equal keys stay together: where
    none of these differs from the key before it, the bound moves up to the next other key, and one that finds none is
    left out.

    Raises:
        ValueError: the stream is too short.
    """
    found: list[tuple[int, bytes]] = []
    wanted, count, previous = deque(ranks), 0, None
    best: tuple[float, int, bytes] | None = None

    def take(rank: int, key: bytes) -> None:
        found.append((rank, key))
        wanted.popleft()
        while wanted and wanted[0] <= rank:
            wanted.popleft()

    for rank, key in enumerate(keys):
        if best is not None and rank > wanted[0] + reach:
            take(*best[1:])
            best = None
        if not wanted:
            return found
        if rank >= wanted[0] - reach and key != previous:
            if rank > wanted[0] + reach:
                take(rank, key)
            else:
                here = (cut_point(key.decode("utf-8", "replace")), rank, key)
                best = here if best is None else min(best, here)
        count, previous = rank + 1, key
    if wanted and wanted[-1] >= count:
        raise ValueError(f"no row has the rank {wanted[-1]}")
    if best is not None:
        take(*best[1:])
    return found


class Writer(Protocol):
    """Writes the rows of one file."""

    def add(self, values: Any, size: int) -> None:
        """Adds a row: its values in the order of the columns (for the rejects, the line), and their size in the
        spills."""

    def close(self) -> None:
        """Ends the file and closes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A format: the end of its file names, how to write it, how to count the rows of a file by reading it again."""

    extension: str
    open: Callable[[io.RawIOBase, ConfigSchema], Writer]
    count: Callable[[str], int]


FORMATS = {
    "parquet": Format(extension="parquet", open=ParquetWriter, count=count_parquet),
    "tfrecord": Format(extension="tfrecord.gz", open=TfrecordWriter, count=count_tfrecords),
    "tsv": Format(extension="tsv", open=TsvWriter, count=count_tsv),
}
SIGNATURES = "signatures"  # files that are not a configuration: transforms/duplicates/signatures.py
REJECTS_FORMAT = Format(extension="jsonl.gz", open=lambda file, _: JsonlWriter(file), count=count_jsonl)


def formats_named(names: Iterable[str], *, row_group_bytes: int | None = None) -> dict[str, Format]:
    """Returns formats by name; ``row_group_bytes`` is for Parquet (see ParquetWriter), None for its default."""
    parquet = functools.partial(ParquetWriter, row_group_bytes=row_group_bytes)
    return {n: replace(FORMATS[n], open=parquet) if n == "parquet" else FORMATS[n] for n in names}


def published_name(config: str, split: str, format_name: str, index: int, of: int) -> str:
    """Returns the path of a shard in the dataset folder; ``config`` is ``rejects`` for the rejects, ``signatures`` for
    signatures."""
    part = f"{index:05d}-of-{of:05d}"
    if config == SIGNATURES:
        return f"{SIGNATURES}/part-{part}.{FORMATS[format_name].extension}"
    if config == REJECTS:
        return f"{REJECTS}/part-{part}.{REJECTS_FORMAT.extension}"
    return f"{config}/{format_name}/{split}-{part}.{FORMATS[format_name].extension}"


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
    return {
        name: value[:LONGEST] + "…" if isinstance(value, str) and len(value) > LONGEST else value
        for name, value in values.items()
        if not isinstance(value, (list, dict))
    }


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
    (gistmill.transforms.sinks.results). The rejects have the configuration and split ``rejects`` and the format
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
