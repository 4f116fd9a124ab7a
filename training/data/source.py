"""Training data: a split of a published dataset, checked against its manifest, or rows in memory.

Both are read in blocks. A block of a dataset is a row group of a Parquet shard, the smallest unit that can be read
independently.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass
from functools import partial
from itertools import groupby
from typing import Any, Protocol, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.addresses import is_url
from gistmill.core.json_value import MOST_BYTES
from gistmill.core.manifest import MANIFEST, ManifestError, PublishedFile
from gistmill.core.parquet_pages import table_of
from gistmill.core.statistics import Column
from gistmill.core.values import nearest
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, Folder, LocalFolder, open_folder, read_chunks
from gistmill.published.shards import difference
from gistmill.training.errors import SettingsError, TrainingError

Row = dict[str, Any]
T = TypeVar("T")
WAITS = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0)  # seconds to wait before each retry, a minute in total
_MEMORY_ROWS = 1024  # number of rows per block in memory
_FOOTERS = 16  # number of footers to read at once, to hide the store's latency


def patiently(call: Callable[[], T], place: str) -> T:
    """Calls a function and returns its result; if ``place`` is a URL, retries after errors for a minute.

    Raises:
        OSError: ``place`` is local, the error is permanent (such as a missing file), or every retry failed.
    """
    for wait in WAITS if is_url(place) else ():
        try:
            return call()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
            raise
        except OSError:
            time.sleep(wait)
    return call()


@dataclass(frozen=True, slots=True)
class Block:
    """A row group: its shard's number, its own number within the shard, its row count and its uncompressed size."""

    shard: int
    group: int
    rows: int
    bytes: int


class Readable(Protocol):
    """Rows that can be read in blocks, in any order.

    Attributes:
        weight: share of the rows in a mixture, relative to the other weights; None: use all rows.
        fingerprint: identifies these rows and their order.
        blocks: the blocks, in order.
        rows: number of rows.
    """

    @property
    def weight(self) -> float | None: ...

    @property
    def fingerprint(self) -> str: ...

    @property
    def blocks(self) -> tuple[Block, ...]: ...

    @property
    def rows(self) -> int: ...

    def read(self, blocks: Sequence[Block]) -> pa.Table:
        """Returns some blocks, given in order, as one table. Raises TrainingError."""


@dataclass(frozen=True, slots=True)
class Source:
    """A split to read, and its share in a mixture.

    Attributes:
        place: folder or URL of a published dataset.
        config: the configuration; None: the first one.
        split: the split, such as ``train``.
        columns: names of the columns to read; None: all.
        weight: see Readable.
        verify: whether to compare the SHA-256 of every shard when the split is opened.
    """

    place: str
    _: KW_ONLY
    config: str | None = None
    split: str = "train"
    columns: tuple[str, ...] | None = None
    weight: float | None = None
    verify: bool = False

    def open(self) -> Split:
        """Opens the split. Its shards must exist with the bytes, rows and columns listed in the manifest.

        Raises:
            SettingsError: there is no published dataset, or it lacks the configuration, the split or a column.
            TrainingError: a shard is missing, truncated, changed or broken, or the place cannot be read.
        """
        try:
            folder = patiently(lambda: open_folder(self.place), self.place)
            digest = patiently(lambda: _digest(folder), self.place)  # before Dataset, which hides the store's errors
            dataset = Dataset(self.place, folder=folder)
            if self.config is None and not dataset.configs:
                raise SettingsError(f"{self.place} contains no rows")
            config = self.config or dataset.configs[0]
            known = {column.name: column for column in dataset.columns(config)}
            names = tuple(known) if self.columns is None else self.columns
            if unknown := [name for name in names if name not in known]:
                near = f"{unknown[0]!r}{nearest(unknown[0], known)}"
                raise SettingsError(f"{self.place}: {config} has no column {near}; its columns are {', '.join(known)}")
            files = self._files(dataset, config)
            _check(folder, files, verify=self.verify)
            with ThreadPoolExecutor(_FOOTERS) as pool:
                footers = pool.map(lambda file: _footer(folder, file, [known[name] for name in names]), files)
                shards = [(file.path, footer) for file, footer in zip(files, footers, strict=True)]
        except (DatasetError, ManifestError) as error:
            raise SettingsError(str(error)) from None
        except OSError as error:
            raise TrainingError(f"{self.place} cannot be read: {' '.join(str(error).split())}") from None
        return Split(folder, shards, names, fingerprint=f"{digest} {config}/{self.split}", weight=self.weight)

    def _files(self, dataset: Dataset, config: str) -> list[PublishedFile]:
        """Returns the Parquet shards of the split, in order."""
        shards = [f for f in dataset.manifest.files if f.config == config and f.split == self.split]
        if not any(f.rows for f in shards):
            known = ", ".join(dataset.splits(config)) or "none"
            raise SettingsError(f"{self.place}: {config} has no rows in split {self.split!r}; its splits are: {known}")
        if files := sorted((f for f in shards if f.format == "parquet"), key=lambda f: f.path):
            return files
        formats = ", ".join(sorted({f.format for f in shards}))
        raise SettingsError(
            f"{self.place}: training requires Parquet, but {config} is only available as {formats}; build it with "
            "--formats parquet"
        )


class Split:
    """An open split. See Readable; the fingerprint includes the SHA-256 of the manifest.

    Args:
        folder: the dataset's folder.
        shards: the relative path and the footer of each Parquet shard.
        columns: the columns to read.
        fingerprint, weight: see Readable.
    """

    def __init__(
        self,
        folder: Folder,
        shards: Sequence[tuple[str, Any]],
        columns: Sequence[str],
        *,
        fingerprint: str,
        weight: float | None,
    ) -> None:
        self.weight, self.fingerprint = weight, fingerprint
        self._folder, self._shards, self._columns = folder, shards, list(columns)
        groups = (
            (shard, number, footer.row_group(number))
            for shard, (_, footer) in enumerate(shards)
            for number in range(footer.num_row_groups)
        )
        self.blocks = tuple(
            Block(shard, number, group.num_rows, group.total_byte_size)
            for shard, number, group in groups
            if group.num_rows
        )
        self.rows = sum(block.rows for block in self.blocks)

    def read(self, blocks: Sequence[Block]) -> pa.Table:
        """Returns some blocks as one table.

        Raises:
            TrainingError: a shard cannot be read.
        """
        found = groupby(blocks, key=lambda block: block.shard)
        return pa.concat_tables([self._read(shard, [block.group for block in each]) for shard, each in found])

    def _read(self, shard: int, groups: Sequence[int]) -> pa.Table:
        path, footer = self._shards[shard]

        def read() -> pa.Table:
            with _opened(self._folder, path) as file:
                parquet = pq.ParquetFile(file, metadata=footer)
                return table_of(parquet, file, groups=groups, columns=self._columns).select(self._columns)

        return _of_shard(self._folder, path, read)

    def in_order(self) -> Iterator[Row]:
        """Yields the rows in the dataset's order. Raises the same errors as ``read``."""
        for block in self.blocks:
            yield from self.read([block]).to_pylist()


def _digest(folder: Folder) -> str:
    """Returns the SHA-256 of the manifest; "" if it is missing, which Dataset reports in detail."""
    try:
        with folder.open(MANIFEST) as file:
            return hashlib.sha256(file.read(MOST_BYTES + 1)).hexdigest()  # Dataset refuses longer ones
    except (FileNotFoundError, NotADirectoryError):
        return ""


def _check(folder: Folder, files: Sequence[PublishedFile], *, verify: bool) -> None:
    """Checks that files exist with the right sizes and, with ``verify``, the right SHA-256.

    Raises:
        TrainingError: a file is missing or differs from the manifest.
        OSError: the place cannot be read.
    """
    there = patiently(folder.sizes, folder.place)
    for file in files:
        if file.path not in there:
            raise _broken(folder, file.path, "is missing")
        if (size := there[file.path]) != file.bytes:
            raise _broken(folder, file.path, f"is {size:,} bytes long, but should be {file.bytes:,} bytes long")
        if verify and patiently(partial(_sha256, folder, file.path), folder.place) != file.sha256:
            raise _broken(folder, file.path, "has changed: its SHA-256 differs from that in the manifest")


def _sha256(folder: Folder, path: str) -> str:
    digest = hashlib.sha256()
    with folder.open(path) as file:
        for chunk in read_chunks(file):
            digest.update(chunk)
    return digest.hexdigest()


def _footer(folder: Folder, file: PublishedFile, columns: Sequence[Column]) -> Any:
    """Returns a shard's footer. Raises TrainingError if it is broken or lists other rows or columns."""

    def read() -> Any:
        with _opened(folder, file.path) as opened:
            return pq.ParquetFile(opened).metadata

    footer = _of_shard(folder, file.path, read)
    if problem := difference(footer, file.rows, columns):
        raise _broken(folder, file.path, problem)
    return footer


def _opened(folder: Folder, path: str) -> Any:
    """Opens a shard, as an Arrow file if it is local, so that Arrow's threads can read it without Python's GIL."""
    return pa.OSFile(folder.path_of(path)) if isinstance(folder, LocalFolder) else folder.open(path)


def _of_shard(folder: Folder, path: str, read: Callable[[], T]) -> T:
    """Returns what ``read`` returns, and turns pyarrow's errors into one-line errors that name the shard."""
    try:
        return patiently(read, folder.place)
    except FileNotFoundError:
        raise _broken(folder, path, "is missing") from None
    except (OSError, ValueError, pa.ArrowException) as error:
        raise _broken(folder, path, f"cannot be read: {' '.join(str(error).split())}") from None


def _broken(folder: Folder, path: str, problem: str) -> TrainingError:
    return TrainingError(
        f"{folder.place}/{path} {problem}; copy or publish the dataset again, and check it with `gistmill validate "
        f"{folder.place}`"
    )


class InMemory:
    """Rows in memory, such as a curriculum bucket. See Readable.

    Args:
        rows: dicts with the same keys and values that JSON can represent; keys that begin with "_" are left out.

    Raises:
        SettingsError: there are no rows.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        if not rows:
            raise SettingsError("there are no rows to train on")
        kept = [{name: value for name, value in row.items() if not name.startswith("_")} for row in rows]
        text = json.dumps(kept, sort_keys=True).encode("utf-8")
        self._table = pa.Table.from_pylist(kept)
        self.weight: float | None = None
        self.rows = len(rows)
        self.fingerprint = f"{hashlib.sha256(text).hexdigest()} in memory"
        starts = range(0, len(rows), _MEMORY_ROWS)
        self.blocks = tuple(Block(0, n, min(_MEMORY_ROWS, len(rows) - start), 0) for n, start in enumerate(starts))

    def read(self, blocks: Sequence[Block]) -> pa.Table:
        """Returns some blocks as one table."""
        return pa.concat_tables([self._table.slice(block.group * _MEMORY_ROWS, block.rows) for block in blocks])
