"""``Dataset``: a dataset that Gistmill published, to be read.

dataset = Dataset("discofuse-en")  # or gs://bucket/discofuse-en, s3://bucket/discofuse-en
for row in dataset.rows("train", columns=["inputs", "targets"]):
    ...
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from gistmill.core.dataset import Column, split_rank
from gistmill.core.manifest import MANIFEST, Manifest, ManifestError
from gistmill.core.manifest_entries import PublishedFile
from gistmill.core.statistics import STATISTICS, Statistics, StatisticsError
from gistmill.published.checks import faults
from gistmill.published.files import DatasetError, Folder, open_folder

if TYPE_CHECKING:
    from pyarrow import Table
    from pyarrow.fs import FileSystem

T = TypeVar("T")
_NAMED = 4  # datasets, in a message
_BATCH_ROWS = 64  # rows that are Python objects at once; those of parsed documents are large


class NotADataset(DatasetError):
    """There is no published dataset at the place; the text is one line for the user."""


class Dataset:
    """A published dataset, read from its folder.

    Args:
        place: the folder: a path, or a ``gs://`` or ``s3://`` URL; credentials are those of the environment
            (gistmill.published.files.filesystem_of).
        filesystem: for a URL, what to read it with instead.
        folder: what to read from, instead of both, where the caller has opened the place.

    Attributes:
        place: the path or URL.
        folder: what it is read from.
        manifest: what the dataset is made of, by what, and every file of it.

    Raises:
        NotADataset: there is no manifest.json at the place.
        ManifestError: it cannot be read.
        DatasetError: the place cannot be read.
    """

    def __init__(
        self,
        place: str | os.PathLike[str],
        *,
        filesystem: FileSystem | None = None,
        folder: Folder | None = None,
    ) -> None:
        self.folder = folder or open_folder(place, filesystem=filesystem)
        self.place = self.folder.place
        self.manifest = opened_manifest(self.folder, Manifest.read)

    def __repr__(self) -> str:
        rows = ", ".join(f"{config}: {count:,}" for config, count in self.manifest.rows().items())
        return f"Dataset({self.place!r}, {self.manifest.recipe}, rows of {rows or 'nothing'})"

    @functools.cached_property
    def stats(self) -> Statistics:
        """The content of stats.json.

        Raises:
            DatasetError: it is not there.
            StatisticsError: it cannot be read.
        """
        path = next((f.path for f in self.manifest.files if f.path.rpartition("/")[2] == STATISTICS), STATISTICS)
        try:
            with self.folder.open(path) as file:
                return Statistics.read(file)
        except OSError as error:
            raise DatasetError(f"{self.place}: {path} cannot be read: {' '.join(str(error).split())}") from None
        except StatisticsError as error:
            raise StatisticsError(f"{self.place}: {error}") from None

    @property
    def configs(self) -> tuple[str, ...]:
        """The names of the configurations; the first is the default."""
        return tuple(self.manifest.columns)

    def splits(self, config: str | None = None) -> tuple[str, ...]:
        """Returns the splits of a configuration (by default the first) that have rows: train, validation, test.

        Raises:
            DatasetError: there is no such configuration.
        """
        return tuple(sorted({f.split for f in self._shards(self._config(config))}, key=split_rank))

    def columns(self, config: str | None = None) -> tuple[Column, ...]:
        """Returns the columns of a configuration (by default the first), in order.

        Raises:
            DatasetError: there is no such configuration.
        """
        return self.manifest.columns[self._config(config)]

    def num_rows(self, split: str, config: str | None = None) -> int:
        """Returns the number of rows of a split; 0 where it has none. Raises as ``columns``."""
        return self.manifest.counts.get(f"rows/{self._config(config)}", {}).get(split, 0)

    def rows(
        self, split: str, config: str | None = None, columns: Sequence[str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Returns an iterator over the rows of a split in order of their ids; rows are read one batch at a time.

        Args:
            split: train, validation or test.
            config: name of the configuration; by default the first.
            columns: names of the columns to read; by default all.

        Returns:
            Of each row a dict from column to value (str, int, float, bool, None, or a list of one of them), in the
            order asked for. ``id`` is among them only where it was asked for.

        Raises:
            DatasetError: there is no such configuration, split or column, or the split has no Parquet files; while rows
                are read, a file cannot be read or is not as the manifest says.
        """
        name, files = self._config(config), self._parquet(split, config)
        wanted = [c.name for c in self.columns(name)] if columns is None else list(columns)
        if unknown := [c for c in wanted if c not in {k.name for k in self.columns(name)}]:
            known = ", ".join(c.name for c in self.columns(name))
            raise DatasetError(f"{self.place}: {name} has no column {unknown[0]!r}; it has {known}")
        return self._read(files, self.columns(name), wanted)

    def table(self, split: str, config: str | None = None, columns: Sequence[str] | None = None) -> Table:
        """Returns a split as one pyarrow.Table, in memory. Arguments and errors are those of ``rows``."""
        import pyarrow as pa

        from gistmill.published.shards import opened

        self.rows(split, config, columns)  # for its errors
        tables = []
        for file in self._parquet(split, config):
            with opened(self.folder, file, self.columns(config)) as parquet:
                tables.append(parquet.read(columns=None if columns is None else list(columns)))
        return pa.concat_tables(tables)

    def validate(self) -> list[str]:
        """Returns one line for each thing that is not as the manifest says (gistmill.published.checks.faults).

        Raises:
            OSError: the place cannot be read.
        """
        return list(faults(self.folder, self.manifest))

    def _config(self, config: str | None) -> str:
        if config is None and self.configs:
            return self.configs[0]
        if config not in self.configs:
            known = ", ".join(self.configs) or "none"
            raise DatasetError(f"{self.place} has no configuration {config!r}; it has {known}")
        return config

    def _shards(self, config: str) -> list[PublishedFile]:
        return [f for f in self.manifest.files if f.config == config and f.split]

    def _parquet(self, split: str, config: str | None) -> list[PublishedFile]:
        name = self._config(config)
        shards = [f for f in self._shards(name) if f.split == split]
        if not shards:
            known = ", ".join(self.splits(name)) or "none"
            raise DatasetError(f"{self.place}: {name} has no rows in a split {split!r}; it has {known}")
        files = sorted((f for f in shards if f.format == "parquet"), key=lambda f: f.path)
        if not files:
            formats = ", ".join(sorted({f.format for f in shards}))
            raise DatasetError(
                f"{self.place}: rows are read from Parquet files, and {name} has {formats} only; a building job writes "
                "Parquet files with --formats parquet"
            )
        return files

    def _read(
        self, files: Sequence[PublishedFile], known: Sequence[Column], columns: list[str]
    ) -> Iterator[dict[str, Any]]:
        from gistmill.published.shards import opened

        for file in files:
            with opened(self.folder, file, known) as parquet:
                for batch in parquet.iter_batches(_BATCH_ROWS, columns=columns):
                    yield from batch.select(columns).to_pylist()


def opened_manifest(folder: Folder, read: Callable[[BinaryIO], T]) -> T:
    """Returns what ``read`` makes of the manifest in a folder.

    Raises:
        NotADataset: there is none.
        ManifestError: it cannot be used; the text names the folder.
        DatasetError: the folder cannot be read.
    """
    try:
        with folder.open(MANIFEST) as file:
            return read(file)
    except (FileNotFoundError, NotADirectoryError):
        raise NotADataset(_what_is_there(folder)) from None
    except OSError as error:
        raise DatasetError(f"{folder.place} cannot be read: {' '.join(str(error).split())}") from None
    except ManifestError as error:
        raise ManifestError(f"{folder.place}: {error}") from None


def _what_is_there(folder: Folder) -> str:
    there = folder.sizes()
    if not there:
        return f"{folder.place} is not a dataset: nothing is there"
    if inner := sorted(path.removesuffix(f"/{MANIFEST}") for path in there if path.endswith(f"/{MANIFEST}")):
        more = f" and {len(inner) - _NAMED} more" if len(inner) > _NAMED else ""
        return f"{folder.place} is not a dataset: name one of those in it, {', '.join(inner[:_NAMED])}{more}"
    if any("/parquet/" in f"/{path}" or "/tfrecord/" in f"/{path}" for path in there):
        return (
            f"{folder.place} is not a dataset yet: it has data files and no {MANIFEST}, which is written last, so that "
            "publishing goes on or has failed"
        )
    return f"{folder.place} is not a dataset: it has no {MANIFEST}"
