"""TFRecord datasets, turned into Parquet once.

A TFRecord shard is one stream of gzip, so that no row of it is found without unpacking all before it. An index would
not help. A copy in Parquet is read at random like any other dataset.
"""

from __future__ import annotations

import functools
import os
import uuid
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.dataset import Column
from gistmill.core.manifest_entries import PublishedFile
from gistmill.published import caches
from gistmill.published.files import DatasetError, Folder, LocalFolder
from gistmill.published.shards import arrow_type
from gistmill.published.tfrecord import rows
from gistmill.training.data.patience import patiently
from gistmill.training.data.shards import Shard, open_shards
from gistmill.training.errors import TrainingError

_NAME = "tfrecord-1"  # with the version of the form of the copies: they decide about the blocks that are shuffled
_GROUP_ROWS = 10_000
_GROUP_BYTES = 16 * 1024 * 1024  # rows may be whole documents


def converted(
    folder: Folder, files: Sequence[PublishedFile], columns: Sequence[Column], *, digest: str, cache: Path | None
) -> list[Shard]:
    """Returns Parquet copies of TFRecord shards; those that are not there are written.

    Args:
        folder: of the dataset.
        files: the shards of one split.
        columns: of its configuration; all are copied.
        digest: SHA-256 of the manifest; copies are kept by it.
        cache: where copies are kept; None: ``gistmill`` in the user's cache folder.

    Raises:
        TrainingError: a shard is damaged, or a copy cannot be written or read.
    """
    copied = cache / _NAME if cache else caches.cache(_NAME)
    root = copied / digest / files[0].config
    copies = {f"{Path(file.path).name.partition('.')[0]}.parquet": file for file in files}
    try:
        for place in (copied, root.parent, root):
            caches.check_owner(place)
        root.mkdir(parents=True, exist_ok=True)
        for name, file in copies.items():
            if not (root / name).exists():
                patiently(functools.partial(_write, folder, file, columns, root / name), folder.place)
    except OSError as error:
        raise TrainingError(
            f"{folder.place}: its TFRecord files cannot be turned into Parquet in {root}: {error}; name another folder "
            "by --cache, or publish the dataset with --formats parquet"
        ) from None
    rows = {name: file.rows for name, file in copies.items()}
    return open_shards(LocalFolder(root), rows, columns, remedy="remove it, so that it is made again")


def _write(folder: Folder, file: PublishedFile, columns: Sequence[Column], path: Path) -> None:
    """Writes a copy under a name of its own and renames it, so that a copy is whole or not there."""
    schema = pa.schema([(column.name, arrow_type(column)) for column in columns])
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex}")  # other processes may write the same copy
    written = 0
    try:
        with folder.open(file.path) as opened, pq.ParquetWriter(draft, schema, compression="zstd") as writer:
            for group in _groups(rows(opened, columns)):
                writer.write_table(pa.Table.from_pylist(group, schema), row_group_size=len(group))
                written += len(group)
        if file.rows not in (None, written):
            raise DatasetError(f"has {written:,} rows, and the manifest says {file.rows:,}")
        os.replace(draft, path)
    except DatasetError as error:
        raise TrainingError(f"{folder.place}/{file.path} {error}; copy or publish the dataset again") from None
    finally:
        draft.unlink(missing_ok=True)


def _groups(found: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    group: list[dict[str, Any]] = []
    size = 0
    for row in found:
        group.append(row)
        size += sum(_size(value) for value in row.values())
        if len(group) == _GROUP_ROWS or size >= _GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _size(value: Any) -> int:
    if isinstance(value, list):
        return sum(map(_size, value))
    return len(value) if isinstance(value, str) else 8
