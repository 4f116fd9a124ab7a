"""What the stream reads: a split of a published dataset, checked against the manifest, or rows in memory.

Both are read one block at a time. Of a dataset a block is a row group of a Parquet shard: the least that can be read at
random.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from gistmill.core.manifest import MANIFEST, ManifestError, PublishedFile
from gistmill.core.values import nearest
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, Folder, open_folder
from gistmill.training.data.shards import Block, PatientFolder, Shard, check, converted, open_shards, patiently
from gistmill.training.errors import SettingsError, TrainingError

Row = dict[str, Any]
_MEMORY_BLOCK = 1024  # rows


class Readable(Protocol):
    """Rows that can be read at random, by blocks.

    Attributes:
        weight: share of the rows of a mixture, relative to the weights of the others; None: as many as there are.
        fingerprint: tells these rows and their order from all others.
        blocks: in order.
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
        """Returns blocks, which are in order, as one table. Raises TrainingError."""


@dataclass(frozen=True, slots=True)
class Source:
    """A split to read, and its share in a mixture.

    Attributes:
        place: folder or URL of a published dataset.
        config: its configuration; None: the first.
        split: such as ``train``.
        columns: names of the columns to read; None: all.
        weight: see Readable.
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
            folder = patiently(lambda: open_folder(self.place), self.place)
            patient = PatientFolder(folder)
            digest = _digest(patient)  # before Dataset, which takes a store that fails for a dataset that does
            return _open(self, Dataset(self.place, folder=patient), folder, digest)
        except (DatasetError, ManifestError) as error:
            raise SettingsError(str(error)) from None
        except OSError as error:
            raise TrainingError(f"{self.place} cannot be read: {' '.join(str(error).split())}") from None


class Split:
    """An opened split.

    Attributes:
        weight, fingerprint, blocks, rows: see Readable. The fingerprint names the SHA-256 of the manifest.
        columns: those that are read.
    """

    def __init__(
        self, shards: Sequence[Shard], columns: Sequence[str], *, fingerprint: str, weight: float | None
    ) -> None:
        self.weight, self.fingerprint, self.columns = weight, fingerprint, tuple(columns)
        self._shards = shards
        self.blocks = tuple(block for number, shard in enumerate(shards) for block in shard.blocks(number))
        self.rows = sum(block.rows for block in self.blocks)

    def read(self, blocks: Sequence[Block]) -> pa.Table:
        """Returns blocks as one table.

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


class InMemory:
    """Rows in memory: a sample, or a bucket of a curriculum.

    Args:
        rows: dicts with the same keys, whose values JSON can hold; keys that begin with "_" are left out.

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
        starts = range(0, len(rows), _MEMORY_BLOCK)
        self.blocks = tuple(Block(0, n, min(_MEMORY_BLOCK, len(rows) - start), 0) for n, start in enumerate(starts))

    def read(self, blocks: Sequence[Block]) -> pa.Table:
        """Returns blocks as one table."""
        return pa.concat_tables([self._table.slice(block.group * _MEMORY_BLOCK, block.rows) for block in blocks])


def _digest(folder: PatientFolder) -> str:
    """Returns the SHA-256 of the manifest; "" where there is none, of which Dataset says more."""
    try:
        with folder.open(MANIFEST) as file:
            return hashlib.sha256(file.read()).hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return ""


def _open(source: Source, dataset: Dataset, folder: Folder, digest: str) -> Split:
    if source.config is None and not dataset.configs:
        raise SettingsError(f"{source.place} has no rows")
    config = source.config or dataset.configs[0]
    known = {column.name: column for column in dataset.columns(config)}
    names = list(known) if source.columns is None else source.columns
    if unknown := [name for name in names if name not in known]:
        near = nearest(unknown[0], known)
        raise SettingsError(f"{source.place}: {config} has no column {unknown[0]!r}{near}; it has {', '.join(known)}")
    files = _files(source, dataset, config)
    check(folder, files, verify=source.verify)
    fingerprint = f"{digest} {config}/{source.split}"
    if files[0].format == "tfrecord":
        shards = converted(folder, files, dataset.columns(config), digest=digest, cache=source.cache)
        fingerprint += " from TFRecord"
    else:
        shards = open_shards(folder, {file.path: file.rows for file in files}, [known[name] for name in names])
    return Split(shards, names, fingerprint=fingerprint, weight=source.weight)


def _files(source: Source, dataset: Dataset, config: str) -> list[PublishedFile]:
    """Returns the shards of the split, in order, in the one format that is read."""
    shards = sorted((f for f in dataset.manifest.files if f.config == config and f.split), key=lambda f: f.path)
    of_split = [f for f in shards if f.split == source.split]
    if not any(f.rows for f in of_split):
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
