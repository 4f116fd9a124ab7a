"""Shards of a split: whether they are what the manifest says, and their row groups."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.dataset import Column
from gistmill.core.manifest_entries import PublishedFile
from gistmill.published.files import Folder, LocalFolder, read_chunks
from gistmill.published.shards import fault
from gistmill.training.data.patience import patiently
from gistmill.training.errors import TrainingError

T = TypeVar("T")
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
                return parquet.read_row_groups(list(groups), columns=list(columns)).select(list(columns))

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
