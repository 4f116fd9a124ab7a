"""Pairs in Parquet files: shards of published datasets, and files of others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.records import Damage, Pair, RangeEnd, Reject
from gistmill.rules.reasons import PairReason
from gistmill.transforms.io import open_input, sha256_of
from gistmill.transforms.sources.files.listing import public_label
from gistmill.transforms.sources.files.parquet import one_line, open_parquet, place_of, rows_of
from gistmill.transforms.sources.files.ranges import SourceError, SourceFile, range_key
from gistmill.transforms.sources.pairs.config import PairsConfig
from gistmill.transforms.sources.pairs.ranges import PARQUET, PairFile, PairRange
from gistmill.transforms.sources.pairs.rows import Rows

_SMALLEST_RANGE = 1 << 20


def columns_of(path: str, config: PairsConfig) -> set[str]:
    """Returns the names of the columns of a Parquet file.

    Raises:
        SourceError: it is not a Parquet file, or the columns of the texts hold something else.
    """
    with open_input(path) as handle:
        schema = open_parquet(handle, path).schema_arrow
    for field in schema:
        if field.name in (config.inputs_field, config.targets_field) and not _holds_text(field.type):
            raise SourceError(f"{path}: the column {field.name!r} is {field.type}, not text or lists of texts")
    return set(schema.names)


def _holds_text(kind: pa.DataType) -> bool:
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def plan_parquet(
    file: PairFile, config: PairsConfig, *, limit: int | None = None
) -> tuple[list[PairRange], SourceFile, int]:
    """Plans one file: a range is a number of whole row groups.

    Returns:
        The ranges in order, what the manifest says of the file (its checksum only without a limit), and how many rows
        the limit took.

    Raises:
        SourceError: it is not a Parquet file, or is a shard that differs from the manifest of its dataset.
    """
    with open_input(file.path) as handle:
        parquet = open_parquet(handle, file.path)
        metadata = parquet.metadata
        if missing := [own for own, _ in file.columns if own not in parquet.schema_arrow.names]:
            raise SourceError(f"{file.path} has no column {missing[0]!r}, which its dataset has")
    sha256 = sha256_of(file.path) if limit is None else None
    if sha256 and file.sha256 and sha256 != file.sha256:
        raise SourceError(f"{file.path} has changed: its bytes are not those of the manifest of its dataset")
    ranges, rows = _cut(file, metadata, config, limit)
    return ranges, SourceFile(file.path, file.size, sha256, PARQUET), rows


def _cut(
    file: PairFile, metadata: pq.FileMetaData, config: PairsConfig, limit: int | None
) -> tuple[list[PairRange], int]:
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    total = sum(g.total_byte_size for g in groups)
    target = config.target_bytes(total, smallest=_SMALLEST_RANGE, ratio=max(1, total // max(1, file.size)))
    ranges: list[PairRange] = []
    start = rows = size = before = 0
    for number, group in enumerate(groups, 1):
        rows, size = rows + group.num_rows, size + group.total_byte_size
        full = limit is not None and before + rows >= limit
        if size >= target or full or number == len(groups):
            ranges.append(
                PairRange(
                    key=range_key(file.index, start),
                    file=file.path,
                    path=file.path,
                    kind=PARQUET,
                    start=start,
                    end=number,
                    size=size,
                    last=number == len(groups),
                    max_documents=None if limit is None else min(limit - before, rows),
                    first_line=before + 1,
                    of=file,
                )
            )
            start, before, rows, size = number, before + rows, 0, 0
            if full:
                break
    return ranges, before


def read_parquet(place: PairRange, config: PairsConfig) -> Iterator[Pair | Reject | RangeEnd]:
    """Yields the rows of a range as pairs or rejects, in order; then one RangeEnd. What a row group cannot give is
    damage."""
    rows = Rows(place, label=public_label(place.file, config.shared), cap=config.max_line_bytes)
    read, damage, number = 0, [], place.first_line
    with open_input(place.path) as handle:
        parquet = open_parquet(handle, place.path)
        for group in range(place.start, place.end):
            metadata = parquet.metadata.row_group(group)
            try:
                for at, row in enumerate(rows_of(parquet, group, [own for own, _ in place.of.columns]), number):
                    if read == place.max_documents:
                        break
                    read += 1
                    yield _element(rows, row, at)
            except (OSError, pa.ArrowException) as error:
                if isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None):
                    raise  # the disk or the store, not the file
                damage.append(Damage(place.file, place_of(metadata), f"a row group cannot be read: {one_line(error)}"))
            number += metadata.num_rows
    yield RangeEnd(place.key, read, tuple(damage))


def _element(rows: Rows, row: Mapping[str, Any] | ValueError, number: int) -> Pair | Reject:
    if isinstance(row, ValueError):
        return rows.reject(PairReason.BAD_ROW, str(row), number, number - 1)
    return rows.pair(row, number=number, offset=number - 1)
