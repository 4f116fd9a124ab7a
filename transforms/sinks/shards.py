"""The shards of a split: their number, the ids that bound them, their formats, and their samples.

A bound is not exactly at a rank but at the id with the smallest hash near it, so a rebuilt dataset with slightly more
or fewer rows usually keeps its bounds.

Samples are chosen by hashes of ids while a shard is written: they are the same on every runner, and nothing is reread.
"""

from __future__ import annotations

import heapq
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeVar

from gistmill.core.hashing import unit_interval
from gistmill.core.row_budget import UNLIMITED, Cut, RowBudget
from gistmill.core.statistics import Column, DatasetSchema
from gistmill.transforms.io import sha256_of, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.formats import (
    FORMATS,
    REJECTS_FORMAT,
    Format,
    HashingFile,
    cut_point,
    formats_named,
)
from gistmill.transforms.sinks.sort import SpillFile, all_keys, merged_keys, merged_rows
from gistmill.transforms.sinks.spills import REJECTS, RowCodec

SHARD_BYTES = 256 * 1024 * 1024
Item = TypeVar("Item")


def shard_count(*, rows: int, raw_bytes: int, wanted: int | None = None) -> int:
    """Returns the number of shards: ``wanted``, or one per SHARD_BYTES, rounded up; never more than the rows."""
    return min(rows, wanted or max(1, -(-raw_bytes // SHARD_BYTES)))


def shard_ranks(rows: int, shards: int) -> tuple[list[int], int]:
    """Returns the approximate, evenly spaced ranks of the first rows of all shards except the first, and the maximum
    distance of a bound from its rank: a twentieth of a shard."""
    return [rows * shard // shards for shard in range(1, shards)], rows // shards // 20


def bounds_near(keys: Iterable[bytes], ranks: Sequence[int], *, reach: int = 0) -> list[tuple[int, bytes]]:
    """Returns (rank, key) near ascending ranks (counted from 0) of a sorted stream, reading no further than needed.

    Each is the key with the smallest hash within ``reach`` rows of the rank. Equal keys stay together: if none of the
    keys differs from the one before it, the bound moves up to the next different key, and is omitted if there is none.

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
        raise ValueError(f"the stream ends before rank {wanted[-1]}")
    if best is not None:
        take(*best[1:])
    return found


SIGNATURES = "signatures"  # files that do not belong to a configuration: transforms/duplicates/signatures.py


def published_name(config: str, split: str, format_name: str, index: int, of: int) -> str:
    """Returns the path of a shard in the dataset folder; ``config`` is ``rejects`` for rejects and ``signatures`` for
    signatures."""
    part = f"{index:05d}-of-{of:05d}"
    if config == SIGNATURES:
        return f"{SIGNATURES}/part-{part}.{FORMATS[format_name].extension}"
    if config == REJECTS:
        return f"{REJECTS}/part-{part}.{REJECTS_FORMAT.extension}"
    return f"{config}/{format_name}/{split}-{part}.{FORMATS[format_name].extension}"


MOST = 4  # samples per label
LONGEST = 2_000  # maximum characters of a displayed text
SALT = "gistmill-samples"
_MOST_LABELS = 200


def by_hash(item: Sequence[Any]) -> tuple[float, str]:
    """Returns the sort key for (negative hash, id, values)."""
    return -item[0], item[1]


class Sampler:
    """A Writer that keeps the rows or rejects with the smallest hashes for each label.

    Args:
        path: the file that ``close`` writes.
        describe: returns a row's label, id and displayed text from its values.
    """

    def __init__(self, path: str, describe: Callable[[Any], tuple[str, str, Mapping[str, Any]]]) -> None:
        self._path, self._describe = path, describe
        self._kept: dict[str, list[tuple[float, str, Mapping[str, Any]]]] = {}

    def add(self, values: Any, size: int) -> None:
        """Keeps a row if its id's hash is among the smallest. Texts are cut, and lists are omitted."""
        label, key, shown = self._describe(values)
        heap = self._kept.get(label)
        if heap is None:
            if len(self._kept) == _MOST_LABELS:
                return
            heap = self._kept[label] = []
        item = (-unit_interval(SALT, key), key)
        if any(item == kept[:2] for kept in heap):  # the same sentence may be rejected twice
            return
        if len(heap) == MOST and item <= heap[0][:2]:
            return
        short = {
            name: value[:LONGEST] + "…" if isinstance(value, str) and len(value) > LONGEST else value
            for name, value in shown.items()
            if not isinstance(value, (list, dict))
        }
        (heapq.heappush if len(heap) < MOST else heapq.heapreplace)(heap, (*item, short))

    def close(self) -> None:
        """Writes the kept rows."""
        write_json(self._path, {label: sorted(heap, key=by_hash) for label, heap in self._kept.items()})


def row_sampler(path: str, columns: Sequence[Column], *, by: str) -> Sampler:
    """Returns a Sampler for rows with these columns; ``by`` is the label column, or "" if there is none."""
    names = [c.name for c in columns]
    at, label = names.index("id"), names.index(by) if by in names else None

    def describe(values: Sequence[Any]) -> tuple[str, str, Mapping[str, Any]]:
        return "" if label is None else str(values[label]), values[at], dict(zip(names, values, strict=True))

    return Sampler(path, describe)


def reject_sampler(path: str) -> Sampler:
    """Returns a Sampler for the lines of rejects, labelled by reason."""

    def describe(line: bytes) -> tuple[str, str, Mapping[str, Any]]:
        reject = json.loads(line)
        return reject["reason"], line.decode("utf-8"), reject

    return Sampler(path, describe)


class DuplicateIdError(ValueError):
    """Two rows of a configuration share an id."""


class ShardError(RuntimeError):
    """A shard differs from its plan, or its file differs from the rows written."""


@dataclass(frozen=True, slots=True)
class ShardPlan:
    """Shard ``index`` of ``of``: the ``rows`` rows of the bucket with ``lower`` <= key < ``upper``, except those that
    the ``cut`` excludes."""

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
    """A finished shard in one format, under its temporary name, and its sample file
    (gistmill.transforms.sinks.results). For rejects, configuration and split are ``rejects``, and the format is
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
    """Returns the shards of a bucket, after choosing the rows to keep, the number of shards and their bounds.

    Args:
        bucket: ``CONFIG/SPLIT``, or ``rejects``, which keeps all rows.
        spills: the bucket's spills.
        shards: the number of shards; None to choose it by size.
        budget: the number of rows to keep.

    Raises:
        DuplicateIdError: an id occurs twice before the last bound (later ones are found when writing).
    """
    spills = tuple(sorted(spills, key=lambda s: (s.first_id, s.path)))
    made = sum(s.rows for s in spills)
    raw_bytes = sum(s.raw_bytes for s in spills)
    if bucket == REJECTS:  # at least one file; a sentence may be rejected twice
        rows, cut, keys = made, None, merged_keys(spills)
        count = max(shard_count(rows=rows, raw_bytes=raw_bytes), 1)
    else:
        split = bucket.split("/")[1]
        if not (rows := budget.kept(split, made)):
            return []
        cut = budget.cut(split, lambda: all_keys(spills), rows=made)
        # the size of randomly chosen rows is proportional to their number; an exact sum would read all rows
        count = shard_count(rows=rows, raw_bytes=-(-raw_bytes * rows // made), wanted=shards)
        keys = _unique(merged_keys(spills), bytes, bucket)
        if cut is not None:
            keys = filter(cut.keeper(), keys)
    ranks, reach = shard_ranks(rows, count) if count > 1 else ([], 0)
    bounds = bounds_near(keys, ranks, reach=reach) if ranks else []
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
    """Writes a shard in every format in one pass over its rows, then rereads the files to verify them.

    Args:
        plan: the shard.
        schema: the configurations and columns of the dataset.
        formats: names of FORMATS.
        layout: the layout of the output files.
        row_group_bytes: see ParquetWriter.
        by: the column whose values each get samples; "" for none.

    Raises:
        DuplicateIdError: an id occurs twice.
        ShardError: rows were lost, or a file differs from the rows written.
    """
    decode: Callable[[bytes], Any]
    sample = layout.new_shard("samples.json")
    if plan.bucket == REJECTS:
        config_schema, chosen = schema.configs[0], {"jsonl": REJECTS_FORMAT}
        config, split = REJECTS, REJECTS
        rows, decode = merged_rows(plan.spills, plan.lower, plan.upper), bytes
        sampler = reject_sampler(sample)
    else:
        config, split = plan.bucket.split("/")
        config_schema, chosen = schema[config], formats_named(formats, row_group_bytes=row_group_bytes)
        rows = _unique(merged_rows(plan.spills, plan.lower, plan.upper), itemgetter(0), plan.bucket)
        if plan.cut is not None:
            stays = plan.cut.keeper()
            rows = (row for row in rows if stays(row[0]))
        decode = RowCodec.decode
        sampler = row_sampler(sample, config_schema.columns, by=by)
    files = {name: HashingFile(layout.new_shard(f.extension)) for name, f in chosen.items()}
    writers = [f.open(files[name], config_schema) for name, f in chosen.items()]
    count, first, last = 0, b"", b""
    for last, value in rows:
        first = first or last
        count += 1
        values = decode(value)
        for writer in (*writers, sampler):
            writer.add(values, len(value))
    for writer in (*writers, sampler):
        writer.close()
    if count != plan.rows:
        raise ShardError(f"shard {plan.index} of {plan.bucket} contains {count} rows instead of {plan.rows}")
    # a reject's key contains more than the id
    ends = first.split(b"\0")[0].decode("utf-8"), last.split(b"\0")[0].decode("utf-8")
    made = [
        ShardFile(config, split, name, plan.index, plan.of, file.path, count, file.size, file.sha256, *ends, sample)
        for name, file in files.items()
    ]
    for shard in made:
        _read_back(shard, chosen[shard.format])
    return made


def _read_back(shard: ShardFile, chosen: Format) -> None:
    found = chosen.count(shard.path)
    if found != shard.rows or sha256_of(shard.path) != shard.sha256:
        raise ShardError(
            f"{shard.path} ({shard.config}/{shard.split}, {shard.format}) differs from what was written: "
            f"{found} rows instead of {shard.rows}, or different bytes"
        )


def _unique(items: Iterable[Item], key: Callable[[Item], bytes], bucket: str) -> Iterator[Item]:
    """Yields sorted items. Raises DuplicateIdError if two share a key."""
    previous = None
    for item in items:
        if (here := key(item)) == previous:
            raise DuplicateIdError(f"two rows of {bucket} share the id {here.decode('utf-8')!r}; ids must be unique")
        previous = here
        yield item
