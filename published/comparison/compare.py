"""``compare``: what changed between two datasets.

comparison = compare(Dataset("2026-01/discofuse"), Dataset("2026-02/discofuse"))
print(comparison.content.documents.added)
"""

from __future__ import annotations

import hashlib
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.manifest import PublishedFile
from gistmill.core.statistics import Column, item_type, split_rank
from gistmill.published.comparison.rows import ID, SPLIT, RowChanges, Shards, batches, comparable, transfer, windows
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.comparison.comparison import (
    Comparison,
    ConfigChange,
    Content,
    Documents,
    Lengths,
    causes,
    distributions,
    moved,
    rejected,
    side,
)
from gistmill.published.comparison.drift import classes, spread
from gistmill.rules.recipes import RECIPES

_BINS = 64  # by the first bits of the id's hash; each is looked at alone
_HELD = 1 << 20  # pairs of hashes in memory

Pairs = npt.NDArray[np.uint64]


class DocumentSet:
    """Documents with their revisions, as pairs of hashes of 64 bits.

    Args:
        folder: an empty folder for what is not held in memory.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held = array("Q")
        self._last: tuple[str, str] | None = None

    def add(self, ids: Any, revisions: Any) -> None:
        """Adds the documents of rows; both are string arrays of pyarrow."""
        for pair in _runs(ids, revisions):
            if pair != self._last:  # the rows of a document mostly follow each other
                self._held.extend(map(_hash, pair))
                self._last = pair
        if len(self._held) >= 2 * _HELD:
            self._spill()

    def bin(self, number: int) -> tuple[Pairs, Pairs]:
        """Returns the hashes of the ids of a bin, in order, and of each a hash of all its revisions."""
        self._spill()
        path = self._path(number)
        pairs = np.fromfile(path, np.uint64).reshape(-1, 2) if path.exists() else np.empty((0, 2), np.uint64)
        pairs = np.unique(pairs, axis=0)
        ids, starts = np.unique(pairs[:, 0], return_index=True)
        return ids, np.add.reduceat(pairs[:, 1], starts) if len(ids) else pairs[:, 1]

    def _spill(self) -> None:
        pairs = np.array(self._held, np.uint64).reshape(-1, 2)
        self._held = array("Q")
        bins = pairs[:, 0] % np.uint64(_BINS)
        for number in np.unique(bins):
            with self._path(int(number)).open("ab") as file:
                pairs[bins == number].tofile(file)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:02d}"


def compared(old: DocumentSet, new: DocumentSet, touched: DocumentSet) -> Documents:
    """Returns what became of the documents; ``touched`` are those that have a row which is new, gone or changed."""
    counts = dict.fromkeys(("old", "new", "added", "removed", "revised", "remade", "same"), 0)
    for number in range(_BINS):
        (before, old_revisions), (now, new_revisions) = old.bin(number), new.bin(number)
        both, at_old, at_new = np.intersect1d(before, now, assume_unique=True, return_indices=True)
        revised = old_revisions[at_old] != new_revisions[at_new]
        remade = ~revised & np.isin(both, touched.bin(number)[0])
        counts["old"] += len(before)
        counts["new"] += len(now)
        counts["added"] += len(now) - len(both)
        counts["removed"] += len(before) - len(both)
        counts["revised"] += int(revised.sum())
        counts["remade"] += int(remade.sum())
        counts["same"] += int((~revised & ~remade).sum())
    return Documents(**counts)


def _runs(ids: Any, revisions: Any) -> Iterator[tuple[str, str]]:
    """Yields each pair that differs from the one before."""
    if not len(ids):
        return
    ids, revisions = (pc.fill_null(array, "") for array in (ids, revisions))
    differs = pc.or_(pc.not_equal(ids[1:], ids[:-1]), pc.not_equal(revisions[1:], revisions[:-1]))
    first = pa.concat_arrays(
        [pa.array([True]), differs.combine_chunks() if isinstance(differs, pa.ChunkedArray) else differs]
    )
    yield from zip(pc.filter(ids, first).to_pylist(), pc.filter(revisions, first).to_pylist(), strict=True)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


_MOST = 100_000  # longer texts are counted as so long


class LengthCounts:
    """Counts the words of texts, as ASCII white space divides them; of lists, their items."""

    def __init__(self) -> None:
        self._counts: npt.NDArray[np.int64] = np.zeros(1, np.int64)

    def add(self, lengths: npt.NDArray[np.int64]) -> None:
        """Adds lengths, as ``lengths_of`` returns them."""
        found = np.bincount(lengths, minlength=len(self._counts))
        found[: len(self._counts)] += self._counts
        self._counts = found

    def counts(self) -> list[int]:
        """Returns how many texts have each length, from 0."""
        return [int(n) for n in self._counts]


def lengths_of(column: Any) -> npt.NDArray[np.int64]:
    """Returns the length of each text of a pyarrow column; missing ones have none."""
    column = column.drop_null()
    if pa.types.is_list(column.type):
        lengths = pc.list_value_length(column)
    else:
        trimmed = pc.ascii_trim_whitespace(column)
        words = pc.list_value_length(pc.ascii_split_whitespace(trimmed))
        lengths = pc.if_else(pc.equal(trimmed, ""), 0, words)  # an empty text is split into one empty word
    return np.asarray(np.minimum(lengths.to_numpy(), _MOST), np.int64)


def text_columns(columns: list[Column]) -> list[str]:
    """Returns the columns whose lengths are counted."""
    return [c.name for c in columns if c.name in ("inputs", "targets", "text") and item_type(c.type)[0] == "string"]


_DOCUMENT, _REVISION = "document_id", "revision"


def compare(old: Dataset, new: Dataset, *, by: str = "", rows: bool = True) -> Comparison:
    """Returns what changed from ``old`` to ``new``.

    Rows are read once, from the Parquet files; of files that are equal only the columns that are counted. A few batches
    of rows are held at once, and hashes of documents go to temporary files when there are many.

    Args:
        old, new: datasets of one recipe.
        by: the column of types; by default the one that the recipe has.
        rows: whether to read the rows; otherwise documents and lengths are not compared.

    Raises:
        DatasetError: they are of different recipes, no configuration has the column ``by``, it holds lists, or a file
            cannot be read.
        StatisticsError: a stats.json cannot be read.
    """
    if old.manifest.recipe != new.manifest.recipe:
        raise DatasetError(
            f"{new.place} was made by {new.manifest.recipe}, and {old.place} by {old.manifest.recipe}; datasets of one "
            "recipe can be compared"
        )
    unread = _unreadable(old, new) if rows else "they were not asked for"
    return Comparison(
        recipe=new.manifest.recipe,
        old=side(old.place, old.manifest),
        new=side(new.place, new.manifest),
        causes=causes(old.manifest, new.manifest),
        distributions=distributions(old.stats, new.stats),
        rejected=rejected(old.manifest, new.manifest),
        transfer=transfer(old, new),
        content=None if unread else _content(old, new, by),
        unread=unread,
    )


def _unreadable(old: Dataset, new: Dataset) -> str:
    """Why the rows cannot be read: a split has no Parquet files. Or ""."""
    for dataset in (old, new):
        shards = [f for f in dataset.manifest.files if f.split and f.config in dataset.configs]
        in_parquet = {(f.config, f.split) for f in shards if f.format == "parquet"}
        if lacking := sorted({(f.config, f.split) for f in shards} - in_parquet):
            return f"{dataset.place} has no Parquet files of {'/'.join(lacking[0])}"
    return ""


def _content(old: Dataset, new: Dataset, by: str) -> Content:
    configs = list(dict.fromkeys([*new.configs, *old.configs]))
    with _document_sets() as documents:
        found = {config: _Reader(old, new, config, by, documents) for config in configs}
        if by and not any(reader.by for reader in found.values()):
            raise DatasetError(f"{new.place}: no configuration has a column {by!r} in both datasets")
        rows = {config: reader.read() for config, reader in found.items()}
        lengths = tuple(entry for reader in found.values() for entry in reader.lengths())
        known = any(reader.has_documents for reader in found.values())
        return Content(documents=compared(*documents) if known else None, rows=rows, lengths=lengths)


@contextmanager
def _document_sets() -> Iterator[tuple[DocumentSet, DocumentSet, DocumentSet]]:
    """The documents of the old and of the new dataset, and those with rows that are new, gone or changed."""
    with tempfile.TemporaryDirectory(prefix="gistmill-diff-") as folder:
        paths = [Path(folder, name) for name in ("old", "new", "touched")]
        for path in paths:
            path.mkdir()
        old, new, touched = map(DocumentSet, paths)
        yield old, new, touched


class _Reader:
    """Reads a configuration of both datasets."""

    def __init__(
        self, old: Dataset, new: Dataset, config: str, by: str, documents: tuple[DocumentSet, DocumentSet, DocumentSet]
    ) -> None:
        self._old, self._new, self._config = old, new, config
        self._documents = documents
        columns = [{c.name: c.type for c in d.columns(config)} if config in d.configs else {} for d in (old, new)]
        both, self._new_columns, self._lost_columns = comparable(*columns)
        self._columns = both or list(columns[0] or columns[1])  # a configuration that one dataset has
        types = columns[0] | columns[1]
        lists = {name for name in self._columns if item_type(types[name])[1]}
        if by in lists:
            raise DatasetError(f"{new.place}: the column {by!r} holds lists, and rows are counted by single values")
        # the columns that say the type of a row: that of the recipe first, and then those that its input may bring
        recipe = new.manifest.recipe
        typed = [RECIPES[recipe].TYPE] if recipe in RECIPES else []
        typed += [r.TYPE for r in RECIPES.values()]
        own = [name for name in dict.fromkeys(typed) if name and name not in lists]
        self.by = self._first_of([by] if by else own)
        self._document = self._first_of([_DOCUMENT, ID])
        schema = next(d for d in (new, old) if config in d.configs).columns(config)
        self._texts = text_columns([c for c in schema if c.name in self._columns])
        self._changes = RowChanges([c for c in self._columns if c != ID], by=self.by)
        self._lengths = {name: (LengthCounts(), LengthCounts()) for name in self._texts}

    def _first_of(self, names: Sequence[str]) -> str:
        return next((name for name in names if name in self._columns), "")

    @property
    def has_documents(self) -> bool:
        """Whether its rows say of which document they are."""
        return self._document == _DOCUMENT or _REVISION in self._columns

    def read(self) -> ConfigChange:
        """Reads all rows; returns what became of them."""
        old, new = (self._shards(dataset) for dataset in (self._old, self._new))
        equal = {(f.split, f.sha256) for f in old} & {(f.split, f.sha256) for f in new}
        self._read_equal([f for f in new if (f.split, f.sha256) in equal])
        before, now = (
            self._by_split(dataset, [f for f in files if (f.split, f.sha256) not in equal])
            for dataset, files in ((self._old, old), (self._new, new))
        )
        for was, is_now in windows(before, now, self._columns):
            self._look(was, is_now)
            for rows in self._changes.add(was, is_now):
                self._add_documents(rows, 2)
        return self._changes.result(new_columns=self._new_columns, lost_columns=self._lost_columns)

    def lengths(self) -> Iterator[Lengths]:
        """Yields the lengths of each column with texts."""
        for column, counted in self._lengths.items():
            old, new = (counts.counts() for counts in counted)
            yield Lengths(
                config=self._config,
                column=column,
                old=spread(old),
                new=spread(new),
                moved=moved(column, self._config, *classes(old, new)),
            )

    def _shards(self, dataset: Dataset) -> list[PublishedFile]:
        files = [f for f in dataset.manifest.files if f.config == self._config and f.format == "parquet"]
        return sorted(files, key=lambda f: f.path)

    def _by_split(self, dataset: Dataset, files: Sequence[PublishedFile]) -> list[Shards]:
        splits = sorted({f.split for f in files}, key=split_rank)
        columns = dataset.columns(self._config) if splits else ()
        return [Shards(dataset.folder, split, [f for f in files if f.split == split], columns) for split in splits]

    def _read_equal(self, files: Sequence[PublishedFile]) -> None:
        """Files that are in both datasets are read once, and only the columns that are counted."""
        columns = dict.fromkeys((self._document, _REVISION, self.by, *self._texts))
        wanted = [name for name in columns if name in self._columns]
        for shards in self._by_split(self._new, files):
            for batch in batches(shards, wanted):
                rows = pa.Table.from_batches([batch.append_column(SPLIT, pa.array([shards.split] * batch.num_rows))])
                self._look(rows, rows)
                self._changes.add_same(rows)

    def _look(self, old: Any, new: Any) -> None:
        """Counts lengths and documents of rows."""
        sides = (old, new)
        for name, counted in self._lengths.items():
            found = [None if rows is None else lengths_of(rows[name]) for rows in sides[: 1 if old is new else 2]]
            for counts, lengths in zip(counted, [*found, *found][:2], strict=True):
                if lengths is not None:
                    counts.add(lengths)
        for number, rows in enumerate(sides):
            self._add_documents(rows, number)

    def _add_documents(self, rows: Any, number: int) -> None:
        if rows is None or not rows.num_rows or not self.has_documents:
            return
        revisions = rows[_REVISION] if _REVISION in self._columns else pa.array([""] * rows.num_rows)
        self._documents[number].add(rows[self._document], revisions)
