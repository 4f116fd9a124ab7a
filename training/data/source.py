"""A split of a published dataset, checked against the manifest and read one block at a time.

A block is a row group of a Parquet shard: the least that can be read at random.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from published.dataset import Dataset
from published.files import DatasetError, Folder, open_folder, read_chunks
from rules.manifest import MANIFEST, ManifestError, PublishedFile
from rules.values import nearest
from training.data.converted import converted
from training.data.patience import patiently
from training.errors import SettingsError, TrainingError

Row = dict[str, Any]
T = TypeVar("T")
_FOOTERS = 16  # footers that are asked for at once, which hides the delay of a store


@dataclass(frozen=True, slots=True)
class Source:
    """What to read, and its share in a mixture.

    Attributes:
        place: folder or URL of a published dataset.
        config: its configuration; None: the first.
        split: such as ``train``.
        columns: names of the columns to read; None: all.
        weight: share of the rows of the mixture, relative to the weights of the others; None: as many as it has.
        verify: whether the SHA-256 of every shard is compared when the split is opened.
        cache: where a TFRecord dataset is kept as Parquet; None: ``gistmill`` in the user's cache folder.
    """

    place: str
    _: KW_ONLY
    config: str | None = None
    split: str = "train"
    columns: tuple[str, ...] | None = None
    weight: float | None = None
    verify: bool = False
    cache: Path | None = None

    def open(self) -> Split:
        """Returns the split.

        Its shards must be there with the bytes and rows that the manifest names.

        Raises:
            SettingsError: there is no published dataset, or not this configuration, split or column in it.
            TrainingError: a shard is missing, cut off, changed or broken, or the place cannot be read.
        """
        try:
            folder = open_folder(self.place)
            dataset = patiently(lambda: Dataset(self.place, folder=folder), self.place)
            manifest = patiently(lambda: _bytes(folder, MANIFEST), self.place)
            return _open(self, dataset, folder, hashlib.sha256(manifest).hexdigest())
        except (DatasetError, ManifestError) as error:
            raise SettingsError(str(error)) from None
        except OSError as error:
            raise TrainingError(f"{self.place} cannot be read: {_line(error)}") from None


@dataclass(frozen=True, slots=True)
class Block:
    """A row group: the number of its shard, its number in it, its rows, and its bytes before compression."""

    shard: int
    group: int
    rows: int
    bytes: int


class Split:
    """An opened split.

    Attributes:
        source: what it was opened from.
        config: its configuration.
        fingerprint: SHA-256 of the manifest, and the way in which the rows came to Parquet.
        blocks: in the order of the dataset.
        columns: those that are read.
        rows: number of rows.
    """

    def __init__(
        self, source: Source, config: str, fingerprint: str, shards: Sequence[_Shard], columns: Sequence[str]
    ) -> None:
        self.source, self.config, self.fingerprint = source, config, fingerprint
        self.columns = tuple(columns)
        self._shards = shards
        self.blocks = tuple(
            Block(number, group, found.num_rows, found.total_byte_size)
            for number, shard in enumerate(shards)
            for group in range(shard.metadata.num_row_groups)
            if (found := shard.metadata.row_group(group)).num_rows
        )
        self.rows = sum(block.rows for block in self.blocks)

    def read(self, blocks: Sequence[Block]) -> pa.Table:
        """Returns the columns of blocks that are in the order of the dataset, as one table.

        Raises:
            TrainingError: a shard cannot be read.
        """
        groups: dict[int, list[int]] = {}
        for block in blocks:
            groups.setdefault(block.shard, []).append(block.group)
        return pa.concat_tables([self._shards[n].read(found, self.columns) for n, found in groups.items()])

    def in_order(self) -> Iterator[Row]:
        """Yields the rows in the order of the dataset. Raises as ``read``."""
        for block in self.blocks:
            yield from self.read([block]).to_pylist()


@dataclass(frozen=True, slots=True)
class _Shard:
    folder: Folder
    path: str
    metadata: Any

    def read(self, groups: Sequence[int], columns: Sequence[str]) -> pa.Table:
        def read() -> pa.Table:
            with self.folder.open(self.path) as file:
                parquet = pq.ParquetFile(file, metadata=self.metadata)
                return parquet.read_row_groups(groups, columns=list(columns)).select(list(columns))

        return _whole(self.folder, self.path, read)


def _open(source: Source, dataset: Dataset, folder: Folder, fingerprint: str) -> Split:
    config = source.config
    if config is None:
        if not dataset.configs:
            raise SettingsError(f"{source.place} has no rows")
        config = dataset.configs[0]
    known = [column.name for column in dataset.columns(config)]
    columns = known if source.columns is None else list(source.columns)
    if unknown := [name for name in columns if name not in known]:
        near = nearest(unknown[0], known)
        raise SettingsError(f"{source.place}: {config} has no column {unknown[0]!r}{near}; it has {', '.join(known)}")
    files = _files(source, dataset, config)
    _check(folder, files, verify=source.verify)
    if files[0].format == "tfrecord":
        columns_of = dataset.columns(config)
        folder, paths = converted(folder, files, columns_of, fingerprint=fingerprint, cache=source.cache)
        fingerprint = f"{fingerprint} from TFRecord"
    else:
        paths = [file.path for file in files]
    rows = [file.rows for file in files]
    with ThreadPoolExecutor(_FOOTERS) as pool:
        shards = list(pool.map(lambda path, count: _shard(folder, path, count), paths, rows))
    return Split(source, config, fingerprint, shards, columns)


def _files(source: Source, dataset: Dataset, config: str) -> list[PublishedFile]:
    """Returns the shards of the split, in order, in the one format that is read."""
    shards = sorted((f for f in dataset.manifest.files if f.config == config and f.split), key=lambda f: f.path)
    of_split = [f for f in shards if f.split == source.split]
    if not of_split or not any(f.rows for f in of_split):
        known = ", ".join(dataset.splits(config)) or "none"
        raise SettingsError(f"{source.place}: {config} has no rows in a split {source.split!r}; it has {known}")
    for name in ("parquet", "tfrecord"):
        if files := [f for f in of_split if f.format == name]:
            return files
    formats = ", ".join(sorted({f.format for f in of_split}))
    raise SettingsError(
        f"{source.place}: training reads Parquet or TFRecord, and {config} has {formats} only; a building job writes "
        "Parquet with --formats parquet"
    )


def _check(folder: Folder, files: Sequence[PublishedFile], *, verify: bool) -> None:
    there = patiently(folder.sizes, folder.place)
    for file in files:
        if file.path not in there:
            raise _broken(folder, file.path, "is missing")
        if (size := there[file.path]) != file.bytes:
            raise _broken(folder, file.path, f"has {size:,} bytes, and the manifest names {file.bytes:,}")
        if verify and patiently(lambda: _sha256(folder, file.path), folder.place) != file.sha256:  # noqa: B023
            raise _broken(folder, file.path, "has changed: its SHA-256 is not that of the manifest")


def _shard(folder: Folder, path: str, rows: int | None) -> _Shard:
    def read() -> Any:
        with folder.open(path) as file:
            return pq.ParquetFile(file).metadata

    metadata = _whole(folder, path, read)
    if rows is not None and metadata.num_rows != rows:
        raise _broken(folder, path, f"has {metadata.num_rows:,} rows, and the manifest names {rows:,}")
    return _Shard(folder, path, metadata)


def _whole(folder: Folder, path: str, read: Callable[[], T]) -> T:
    """Returns what ``read`` returns; what pyarrow says of a shard becomes one line that names it."""
    try:
        return patiently(read, folder.place)
    except FileNotFoundError:
        raise _broken(folder, path, "is missing") from None
    except (OSError, ValueError, pa.ArrowException) as error:
        raise _broken(folder, path, f"cannot be read: {_line(error)}") from None


def _broken(folder: Folder, path: str, problem: str) -> TrainingError:
    return TrainingError(
        f"{folder.place}/{path} {problem}; copy or publish the dataset again, "
        f"and check it by `gistmill validate {folder.place}`"
    )


def _bytes(folder: Folder, path: str) -> bytes:
    with folder.open(path) as file:
        return file.read()


def _sha256(folder: Folder, path: str) -> str:
    digest = hashlib.sha256()
    with folder.open(path) as file:
        for chunk in read_chunks(file):
            digest.update(chunk)
    return digest.hexdigest()


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
