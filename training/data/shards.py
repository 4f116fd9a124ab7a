"""Shards of a split: whether they are what the manifest says, and their row groups.

A TFRecord shard is one stream of gzip, so that no row of it is found without unpacking all before it. An index would
not help. A copy in Parquet is read at random like any other dataset.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.addresses import is_url
from gistmill.core.json_value import MOST_BYTES
from gistmill.core.manifest import PublishedFile
from gistmill.core.parquet_pages import table_of
from gistmill.core.statistics import Column
from gistmill.published import files as caches
from gistmill.published.files import DatasetError, Folder, LocalFolder, read_chunks
from gistmill.published.shards import arrow_type, fault, rows
from gistmill.training.errors import TrainingError

T = TypeVar("T")
WAITS = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)  # seconds before each further try: a minute in all


def patiently(call: Callable[[], T], place: str) -> T:
    """Returns what ``call`` returns; where ``place`` is a URL, an error of the store is tried again for a minute.

    Raises:
        OSError: the last one, or the first on a place of this machine or one that no patience mends.
    """
    for wait in WAITS if is_url(place) else ():
        try:
            return call()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
            raise
        except OSError:
            time.sleep(wait)
    return call()


class PatientFolder:
    """A folder whose small files are read with patience, each as a whole."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self.place = folder.place

    def sizes(self) -> dict[str, int]:
        """Returns the bytes of every file by path."""
        return patiently(self._folder.sizes, self.place)

    def open(self, path: str) -> BinaryIO:
        """Opens a file that has been read as a whole."""

        def read() -> bytes:
            with self._folder.open(path) as file:
                return file.read(MOST_BYTES + 1)  # who reads it refuses what is longer

        return io.BytesIO(patiently(read, self.place))


_FOOTERS = 16  # footers that are asked for at once, which hides the delay of a store


@dataclass(frozen=True, slots=True)
class Block:
    """A row group: the number of its shard, its number in it, its rows, and its bytes before compression."""

    shard: int
    group: int
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Shard:
    """A Parquet shard whose footer is known.

    Attributes:
        folder: where it lies.
        path: its path below that.
        metadata: its footer.
        remedy: what a person is told to do if it is broken.
    """

    folder: Folder
    path: str
    metadata: Any
    remedy: str

    def blocks(self, number: int) -> Iterator[Block]:
        """Yields the row groups that have rows; ``number`` is that of the shard in its split."""
        for group in range(self.metadata.num_row_groups):
            found = self.metadata.row_group(group)
            if found.num_rows:
                yield Block(number, group, found.num_rows, found.total_byte_size)

    def read(self, groups: Sequence[int], columns: Sequence[str]) -> pa.Table:
        """Returns columns of row groups. Raises TrainingError."""

        def read() -> pa.Table:
            with _opened(self.folder, self.path) as file:
                parquet = pq.ParquetFile(file, metadata=self.metadata)
                return table_of(parquet, file, groups=groups, columns=columns).select(list(columns))

        return _whole(self.folder, self.path, read, self.remedy)


def check(folder: Folder, files: Sequence[PublishedFile], *, verify: bool) -> None:
    """Checks that files are there with their sizes and, with ``verify``, their SHA-256.

    Raises:
        TrainingError: one is not.
        OSError: the place cannot be read.
    """
    there = patiently(folder.sizes, folder.place)
    for file in files:
        if file.path not in there:
            raise _broken(folder, file.path, "is missing", _again(folder))
        if (size := there[file.path]) != file.bytes:
            problem = f"has {size:,} bytes, and the manifest says {file.bytes:,}"
            raise _broken(folder, file.path, problem, _again(folder))
        if verify and _sha256(folder, file.path) != file.sha256:
            raise _broken(folder, file.path, "has changed: its SHA-256 is not that of the manifest", _again(folder))


def open_shards(
    folder: Folder, rows: Mapping[str, int | None], columns: Sequence[Column], *, remedy: str = ""
) -> list[Shard]:
    """Returns Parquet shards, of which the footers are read and compared with the manifest.

    Args:
        folder: where they lie.
        rows: their paths below it, and the number of rows that each must have; None: any number.
        columns: which each must have.
        remedy: what a person is told to do if one is broken; "": to copy or publish the dataset again.

    Raises:
        TrainingError: one is broken, or has other rows or columns.
    """
    remedy = remedy or _again(folder)

    def open_one(path: str) -> Shard:
        def read() -> Any:
            with _opened(folder, path) as file:
                return pq.ParquetFile(file).metadata

        metadata = _whole(folder, path, read, remedy)
        if problem := fault(metadata, rows[path], columns):
            raise _broken(folder, path, problem, remedy)
        return Shard(folder, path, metadata, remedy)

    with ThreadPoolExecutor(_FOOTERS) as pool:
        return list(pool.map(open_one, rows))


def _opened(folder: Folder, path: str) -> Any:
    """Opens a shard as Arrow's own file: its threads need no lock of Python's to read it."""
    return pa.OSFile(folder.path_of(path)) if isinstance(folder, LocalFolder) else folder.open(path)


def _whole(folder: Folder, path: str, read: Callable[[], T], remedy: str) -> T:
    """Returns what ``read`` returns; what pyarrow says of a shard becomes one line that names it."""
    try:
        return patiently(read, folder.place)
    except FileNotFoundError:
        raise _broken(folder, path, "is missing", remedy) from None
    except (OSError, ValueError, pa.ArrowException) as error:
        raise _broken(folder, path, f"cannot be read: {' '.join(str(error).split())}", remedy) from None


def _again(folder: Folder) -> str:
    return f"copy or publish the dataset again, and check it by `gistmill validate {folder.place}`"


def _broken(folder: Folder, path: str, problem: str, remedy: str) -> TrainingError:
    return TrainingError(f"{folder.place}/{path} {problem}; {remedy}")


def _sha256(folder: Folder, path: str) -> str:
    def read() -> str:
        digest = hashlib.sha256()
        with folder.open(path) as file:
            for chunk in read_chunks(file):
                digest.update(chunk)
        return digest.hexdigest()

    return patiently(read, folder.place)


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
