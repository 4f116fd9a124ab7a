"""``compare``: the changes between two datasets.

comparison = compare(Dataset("2026-01/discofuse"), Dataset("2026-02/discofuse"))
print(comparison.content.documents["added"])
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.manifest import MANIFEST, PublishedFile
from gistmill.core.statistics import item_type
from gistmill.published.comparison.comparison import (
    TRANSFER,
    Comparison,
    ConfigChange,
    Content,
    Counts,
    LengthDistribution,
    Lengths,
    Moved,
    Side,
    causes,
    distributions,
    rejected,
)
from gistmill.published.comparison.rows import ID, RowChanges, batches, windows
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.rules.recipes import RECIPES

_DOCUMENT, _REVISION = "document_id", "revision"
_TEXTS = ("inputs", "targets", "text")  # the columns whose lengths are counted
_MOST = 100_000  # longer texts are counted as this long
_CLASSES = 10

Numbers = npt.NDArray[np.int64]


def compare(old: Dataset, new: Dataset, *, by: str = "", rows: bool = True) -> Comparison:
    """Returns the changes from ``old`` to ``new``.

    Rows are read once, from the Parquet files; from identical files, only the counted columns are read. Memory holds
    a few batches of rows at once, and 16 bytes per document.

    Args:
        old, new: datasets of one recipe.
        by: the type column; by default the recipe's.
        rows: whether to read the rows; otherwise documents and lengths are not compared.

    Raises:
        DatasetError: the recipes differ, no configuration contains the column ``by``, it contains lists, or a file
            cannot be read.
        StatisticsError: a stats.json cannot be read.
    """
    if old.manifest.recipe != new.manifest.recipe:
        raise DatasetError(
            f"{new.place} was made by {new.manifest.recipe}, and {old.place} by {old.manifest.recipe}; only datasets "
            "of the same recipe can be compared"
        )
    unread = _unreadable(old, new) if rows else "they were not requested"
    return Comparison(
        recipe=new.manifest.recipe,
        old=Side.of(old.place, old.manifest),
        new=Side.of(new.place, new.manifest),
        causes=causes(old.manifest, new.manifest),
        distributions=distributions(old.stats, new.stats),
        rejected=rejected(old.manifest, new.manifest),
        transfer=_transfer(old, new),
        content=None if unread else _content(old, new, by),
        unread=unread,
    )


def _unreadable(old: Dataset, new: Dataset) -> str:
    """Returns the reason why the rows cannot be read (a split without Parquet files), or ""."""
    for dataset in (old, new):
        shards = [f for f in dataset.manifest.files if f.split and f.config in dataset.configs]
        in_parquet = {(f.config, f.split) for f in shards if f.format == "parquet"}
        if lacking := sorted({(f.config, f.split) for f in shards} - in_parquet):
            return f"{dataset.place} contains no Parquet files for {'/'.join(lacking[0])}"
    return ""


def _transfer(old: Dataset, new: Dataset) -> Counts:
    """Returns the bytes that an upload of ``new`` sends to a place that contains ``old``."""

    def path(file: PublishedFile) -> str:  # without the prefix of a run's files in a store
        first, _, rest = file.path.partition("/")
        return rest if first.startswith("data-") and rest else file.path

    def size(files: Iterable[PublishedFile]) -> int:
        return sum(file.bytes for file in files)

    there = {(path(file), file.sha256) for file in old.manifest.files}
    known = [f for f in new.manifest.files if f.sha256 in {sha256 for _, sha256 in there}]
    whole = size(new.manifest.files) + new.folder.sizes().get(MANIFEST, 0)
    same_path = size(file for file in known if (path(file), file.sha256) in there)
    sizes = (whole, same_path, size(known) - same_path, whole - size(known))
    return dict(zip(TRANSFER, sizes, strict=True))


def _content(old: Dataset, new: Dataset, by: str) -> Content:
    configs = list(dict.fromkeys([*new.configs, *old.configs]))
    readers = [_Reader((old, new), config, by) for config in configs]
    if by and not any(reader.by for reader in readers):
        raise DatasetError(f"{new.place}: no configuration contains the column {by!r} in both datasets")
    # old documents, new documents, and those with added, removed or changed rows
    documents = DocumentSet(), DocumentSet(), DocumentSet()
    read = [reader.read(documents) for reader in readers]
    return Content(
        documents=_documents(*documents) if any(reader.has_documents for reader in readers) else None,
        rows={config: change for config, (change, _) in zip(configs, read, strict=True)},
        lengths=tuple(entry for _, lengths in read for entry in lengths),
    )


class _Reader:
    """A reader for one configuration of both datasets; the arguments are those of ``compare``."""

    def __init__(self, datasets: tuple[Dataset, Dataset], config: str, by: str) -> None:
        self._datasets, self._config = datasets, config
        before, now = ({c.name: c.type for c in d.columns(config)} if config in d.configs else {} for d in datasets)
        both = [name for name, kind in now.items() if before.get(name) == kind]
        self._new_columns, self._lost_columns = ([n for n in side if n not in both] for side in (now, before))
        self._columns = both or list(before or now)  # a configuration in only one dataset
        items, new = {name: item_type(kind) for name, kind in (before | now).items()}, datasets[1]
        if by in self._columns and items[by][1]:
            raise DatasetError(f"{new.place}: the column {by!r} contains lists, but rows are counted by single values")
        # the columns that may contain a row's type: first the recipe's, then those its input may supply
        typed = [by] if by else [r.TYPE for r in sorted(RECIPES.values(), key=lambda r: new.manifest.recipe != r.NAME)]
        self.by = next((name for name in typed if name in self._columns and not items[name][1]), "")
        self._document = _DOCUMENT if _DOCUMENT in self._columns else ID
        self.has_documents = self._document == _DOCUMENT or _REVISION in self._columns
        texts = [name for name in self._columns if name in _TEXTS and items[name][0] == "string"]
        self._lengths = {
            name: [np.zeros(1, np.int64)] * 2 for name in texts
        }  # for each side, as ``counted`` returns them

    def read(self, documents: Sequence[DocumentSet]) -> tuple[ConfigChange, list[Lengths]]:
        """Reads all rows; returns the changes, and the lengths of each text column."""
        shards = [sorted(d.manifest.files, key=lambda f: f.path) for d in self._datasets]
        old, new = ([f for f in files if (f.config, f.format) == (self._config, "parquet")] for files in shards)
        equal = {(f.split, f.sha256) for f in old} & {(f.split, f.sha256) for f in new}
        changes = RowChanges([c for c in self._columns if c != ID], by=self.by)
        wanted = {self._document, _REVISION, self.by, *self._lengths}
        same = [f for f in new if (f.split, f.sha256) in equal]
        for batch in batches(self._datasets[1], same, [name for name in self._columns if name in wanted]):
            rows = pa.Table.from_batches([batch])
            self._look(documents, rows, rows)
            changes.add_same(rows)
        sides = (
            (dataset, [f for f in files if (f.split, f.sha256) not in equal])
            for dataset, files in zip(self._datasets, (old, new), strict=True)
        )
        for before, now in windows(*sides, columns=self._columns):
            self._look(documents, before, now)
            for unequal in changes.add(before, now):
                self._add_documents(documents[2], unequal)
        found = changes.result(new_columns=self._new_columns, lost_columns=self._lost_columns)
        return found, [_lengths(self._config, name, *sides) for name, sides in self._lengths.items()]

    def _look(self, documents: Sequence[DocumentSet], *sides: pa.Table | None) -> None:
        """Counts the lengths and documents of rows from the old and the new dataset."""
        for number, rows in enumerate(sides):
            self._add_documents(documents[number], rows)
            if rows is not None:
                for name, sides_of in self._lengths.items():
                    sides_of[number] = counted(sides_of[number], rows[name])

    def _add_documents(self, documents: DocumentSet, rows: pa.Table | None) -> None:
        if rows and self.has_documents:
            revisions = rows[_REVISION] if _REVISION in self._columns else pa.nulls(rows.num_rows, pa.string())
            documents.add(rows[self._document], revisions)


def _lengths(config: str, column: str, old: Numbers, new: Numbers) -> Lengths:
    moved = Moved.of(column, config, *classes(old, new))
    return Lengths(config=config, column=column, old=spread(old), new=spread(new), moved=moved)


class DocumentSet:
    """Documents with their revisions, as pairs of 64-bit hashes."""

    def __init__(self) -> None:
        self._pairs = array("Q")
        self._last: tuple[str, str] | None = None

    def add(self, ids: pa.ChunkedArray, revisions: pa.ChunkedArray) -> None:
        """Adds the documents of rows."""
        columns = (pc.fill_null(column, "").to_pylist() for column in (ids, revisions))
        for pair in zip(*columns, strict=True):
            if pair != self._last:  # the rows of a document are usually adjacent
                self._pairs.extend(map(_hash, pair))
                self._last = pair

    def revisions(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
        """Returns the sorted hashes of the ids and, for each, a hash of all its revisions."""
        pairs = np.unique(np.array(self._pairs, np.uint64).reshape(-1, 2), axis=0)
        ids, starts = np.unique(pairs[:, 0], return_index=True)
        return ids, np.add.reduceat(pairs[:, 1], starts) if len(ids) else pairs[:, 1]


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _documents(old: DocumentSet, new: DocumentSet, touched: DocumentSet) -> Counts:
    (before, old_revisions), (now, new_revisions) = old.revisions(), new.revisions()
    both, at_old, at_new = np.intersect1d(before, now, assume_unique=True, return_indices=True)
    revised = old_revisions[at_old] != new_revisions[at_new]
    remade = ~revised & np.isin(both, touched.revisions()[0])
    return {
        "old": len(before),
        "new": len(now),
        "added": len(now) - len(both),
        "removed": len(before) - len(both),
        "revised": int(revised.sum()),
        "remade": int(remade.sum()),
        "same": int((~revised & ~remade).sum()),
    }


def counted(counts: Numbers, texts: pa.ChunkedArray) -> Numbers:
    """Returns the number of texts of each length, from 0, after adding a column's texts to ``counts``. Lengths are in
    words separated by ASCII white space or, for lists, in items. Missing texts are not counted."""
    texts = texts.drop_null()
    if pa.types.is_list(texts.type):
        lengths = pc.list_value_length(texts)
    else:
        trimmed = pc.ascii_trim_whitespace(texts)
        words = pc.list_value_length(pc.ascii_split_whitespace(trimmed))
        lengths = pc.if_else(pc.equal(trimmed, ""), 0, words)  # an empty text is split into one empty word
    found = np.bincount(np.minimum(lengths.to_numpy(), _MOST).astype(np.int64), minlength=len(counts))
    found[: len(counts)] += counts
    return found


def spread(counts: Numbers) -> LengthDistribution:
    """Returns the distribution of lengths; ``counts[n]`` rows are of length n. Without rows, all values are 0."""
    total = int(counts.sum())
    p10, median, p90, p99, most = (quantile(counts, per_mille) for per_mille in (100, 500, 900, 990, 1000))
    mean = int((np.arange(len(counts)) * counts).sum()) / max(total, 1)
    return LengthDistribution(rows=total, mean=round(mean, 3), p10=p10, median=median, p90=p90, p99=p99, most=most)


def quantile(counts: Numbers, per_mille: int) -> int:
    """Returns the smallest length that at least ``per_mille`` thousandths of the rows do not exceed; 0 without rows."""
    sums = np.cumsum(counts)
    wanted = max(1, -(-per_mille * int(sums[-1]) // 1000))  # whole numbers: no rounding of large sums
    return int(np.searchsorted(sums, wanted)) if sums[-1] else 0


def classes(old: Numbers, new: Numbers) -> list[dict[str, int]]:
    """Returns the counts of both in classes of about a tenth of the old rows each, by their bounds in words.

    Without old rows, all lengths form one class.
    """
    tenths = range(1000 // _CLASSES, 1000, 1000 // _CLASSES)
    ends = sorted({quantile(old, per_mille) for per_mille in tenths}) if old.any() else []
    names = [
        f"{begin} or more" if end is None else str(begin) if begin == end else f"{begin} to {end}"
        for begin, end in zip([0, *(e + 1 for e in ends)], [*ends, None], strict=True)
    ]
    found = []
    for counts in (old, new):
        of_class = np.bincount(np.searchsorted(ends, np.arange(len(counts))), counts, minlength=len(names))
        found.append({name: int(n) for name, n in zip(names, of_class, strict=True) if n})
    return found
