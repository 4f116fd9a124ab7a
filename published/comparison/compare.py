"""``compare``: what changed between two datasets.

comparison = compare(Dataset("2026-01/discofuse"), Dataset("2026-02/discofuse"))
print(comparison.content.documents.added)
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from gistmill.core.dataset import split_rank
from gistmill.core.manifest_entries import PublishedFile
from gistmill.published.comparison.documents import DocumentSet, compared
from gistmill.published.comparison.lengths import LengthCounts, lengths_of, text_columns
from gistmill.published.comparison.rows import RowChanges, comparable
from gistmill.published.comparison.transfer import transfer
from gistmill.published.comparison.windows import ID, SPLIT, Shards, batches, windows
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.rules.comparison.comparison import Comparison, ConfigChange, Content, Lengths
from gistmill.rules.comparison.lengths import classes, spread
from gistmill.rules.comparison.manifests import causes, distributions, moved, rejected, side
from gistmill.rules.recipes import RECIPES

_DOCUMENT, _REVISION = "document_id", "revision"


def compare(old: Dataset, new: Dataset, *, by: str = "", rows: bool = True, chunks: bool = True) -> Comparison:
    """Returns what changed from ``old`` to ``new``.

    Rows are read once, from the Parquet files; of files that are equal only the columns that are counted. A few batches
    of rows are held at once, and hashes of documents go to temporary files when there are many.

    Args:
        old, new: datasets of one recipe.
        by: the column of types; by default the one that the recipe has.
        rows: whether to read the rows; otherwise documents and lengths are not compared.
        chunks: whether to read the files that differ, for the bytes that an upload moves.

    Raises:
        DatasetError: they are of different recipes, no configuration has the column ``by``, or a file cannot be read.
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
        transfer=transfer(old, new, read=chunks),
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
        self.by = self._first_of([by] if by else _type_columns(new.manifest.recipe))
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


def _type_columns(recipe: str) -> list[str]:
    """The columns that say the type of a row: that of the recipe first, and then those that its input may bring."""
    own = [RECIPES[recipe].TYPE] if recipe in RECIPES else []
    return [name for name in dict.fromkeys([*own, *(r.TYPE for r in RECIPES.values())]) if name]
