"""The rows of a configuration in two datasets, paired in the order of their ids, and the changes between them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.manifest import PublishedFile
from gistmill.core.parquet_pages import batches_of
from gistmill.core.statistics import split_rank
from gistmill.published.comparison.comparison import CHANGES, ConfigChange, Counts
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.shards import opened
from gistmill.rules.lineage import WHERE_FOUND

ID = "id"
SPLIT = " split"  # an extra column; no dataset column can have this name
_BATCH_ROWS = 4096


def batches(dataset: Dataset, files: Sequence[PublishedFile], columns: Sequence[str]) -> Iterator[Any]:
    """Yields the rows of Parquet files as record batches with these columns and SPLIT.

    Raises:
        DatasetError: a file cannot be read, or lacks a column.
    """
    for file in files:
        with opened(dataset.folder, file, dataset.columns(file.config)) as (parquet, handle):
            for batch in batches_of(parquet, handle, _BATCH_ROWS, columns=columns):
                yield batch.select(list(columns)).append_column(SPLIT, pa.array([file.split] * batch.num_rows))


class _Stream:
    """The rows of a split in id order, one batch at a time; ``batch`` is None at the end."""

    def __init__(self, dataset: Dataset, files: Sequence[PublishedFile], columns: Sequence[str]) -> None:
        self._batches = _in_order(dataset, files, columns)
        self.batch: Any = next(self._batches, None)

    @property
    def last(self) -> bytes:
        """The last id in the current batch."""
        return self._id(self.batch.num_rows - 1)

    def take(self, bound: bytes) -> Any:
        """Returns the rows of the batch whose ids do not exceed the bound, and advances past them."""
        rows = bisect_right(range(self.batch.num_rows), bound, key=self._id)
        taken = self.batch.slice(0, rows)
        self.batch = self.batch.slice(rows) if rows < self.batch.num_rows else next(self._batches, None)
        return taken

    def _id(self, row: int) -> bytes:
        return bytes(self.batch.column(ID)[row].as_py().encode("utf-8"))


def _in_order(dataset: Dataset, files: Sequence[PublishedFile], columns: Sequence[str]) -> Iterator[Any]:
    """Yields the non-empty batches. Raises DatasetError if reading fails or the ids are not in order."""
    last: Any = None
    for batch in filter(len, batches(dataset, files, columns)):
        ids = batch.column(ID)
        edges = pa.concat_arrays([pa.array([last], ids.type), ids]) if last is not None else ids
        if ids.null_count or not np.all(pc.less(edges[:-1], edges[1:])):
            raise DatasetError(
                f"{dataset.place}: the ids in {files[0].split} are not unique or not sorted; run gistmill validate"
            )
        last = ids[-1].as_py()
        yield batch


def windows(*sides: tuple[Dataset, Sequence[PublishedFile]], columns: Sequence[str]) -> Iterator[list[pa.Table | None]]:
    """Yields the rows of a configuration in two datasets as pairs of tables, in id order; None stands for no rows.

    Rows with the same id in both datasets are in the same pair of tables, whatever their splits. A table contains at
    most one batch from each split.

    Args:
        sides: each dataset with the configuration's Parquet files, in row order.
        columns: the columns to read, including ``id``; the tables also contain the column SPLIT.

    Raises:
        DatasetError: a file cannot be read, lacks a column, or is not sorted by id.
    """
    streams = [
        [_Stream(dataset, [*of_split], columns) for _, of_split in groupby(files, lambda file: file.split)]
        for dataset, files in sides
    ]
    while open_streams := [stream for side in streams for stream in side if stream.batch is not None]:
        bound = min(stream.last for stream in open_streams)
        taken = [[stream.take(bound) for stream in side if stream.batch is not None] for side in streams]
        yield [pa.Table.from_batches(filter(len, side)) if any(map(len, side)) else None for side in taken]


Mask = npt.NDArray[np.bool_]


class RowChanges:
    """Counts the changes in rows, window by window.

    Args:
        columns: the columns in both datasets, except ``id``.
        by: the type column; "" for none.
    """

    def __init__(self, columns: Sequence[str], *, by: str) -> None:
        self._columns, self._by = columns, by
        self._differing: Counter[str] = Counter()
        # the changes in rows, by their splits and types in the old and the new dataset
        self._tally: Counter[tuple[tuple[str, str] | None, tuple[str, str] | None, str]] = Counter()

    def add_same(self, rows: Any) -> None:
        """Adds rows that are equal in both datasets."""
        self._count(rows, rows, "same")

    def add(self, old: Any, new: Any) -> tuple[Any, Any]:
        """Adds a pair of tables as ``windows`` yields them.

        Returns:
            Rows of the old and of the new table without an equal row in the other one.
        """
        if old is None or new is None:
            self._count(old, new, "removed" if new is None else "added")
            return old, new
        if old.equals(new):
            self.add_same(new)
            return None, None
        places = pc.index_in(new[ID], value_set=old[ID].combine_chunks()).combine_chunks()
        in_both = places.is_valid().to_numpy(zero_copy_only=False)
        here = np.asarray(places.drop_null())
        gone = np.ones(old.num_rows, bool)
        gone[here] = False
        self._count(old.filter(pa.array(gone)), None, "removed")
        self._count(None, new.filter(pa.array(~in_both)), "added")
        was, now = old.take(pa.array(here)).combine_chunks(), new.filter(pa.array(in_both)).combine_chunks()
        changed, elsewhere = self._differences(was, now)
        for what, mask in (
            ("changed", changed),
            ("found_elsewhere", elsewhere & ~changed),
            ("same", ~changed & ~elsewhere),
        ):
            self._count(was.filter(pa.array(mask)), now.filter(pa.array(mask)), what)
        gone[here[changed]] = True
        fresh = ~in_both
        fresh[in_both] = changed
        return old.filter(pa.array(gone)), new.filter(pa.array(fresh))

    def _differences(self, was: Any, now: Any) -> tuple[Mask, Mask]:
        """Returns two masks: rows that differ in a content column, and rows that differ in a column of their origin."""
        changed, elsewhere = (np.zeros(was.num_rows, bool) for _ in range(2))
        for name in self._columns:
            differs = _differing(was[name].combine_chunks(), now[name].combine_chunks())
            self._differing[name] += int(differs.sum())
            which = elsewhere if name in WHERE_FOUND else changed
            which |= differs
        return changed, elsewhere

    def _count(self, old: Any, new: Any, what: str) -> None:
        """Counts rows; if only one dataset contains them, the other table is None."""
        groups: dict[str, Any] = {}
        for side, rows in (("old", old), ("new", new)):
            if rows is not None:
                types = rows[self._by] if self._by else pa.nulls(rows.num_rows)
                groups |= {f"{side} split": rows[SPLIT], f"{side} type": pc.fill_null(types.cast(pa.string()), "")}
        for entry in pa.table(groups).group_by([*groups]).aggregate([([], "count_all")]).to_pylist():
            before, now = (
                None if rows is None else (entry[f"{side} split"], entry[f"{side} type"])
                for side, rows in (("old", old), ("new", new))
            )
            self._tally[before, now, what] += entry["count_all"]

    def result(self, *, new_columns: Sequence[str], lost_columns: Sequence[str]) -> ConfigChange:
        """Returns the counts; the caller names the columns."""
        splits, types = self._groups(lambda group: group[0]), self._groups(lambda group: group[1])
        turnover = {name: counts["old"] + counts["new"] - 2 * counts["same"] for name, counts in types.items()}
        return ConfigChange(
            all=self._groups(lambda _: "").get("", dict.fromkeys(CHANGES, 0)),
            splits={name: splits[name] for name in sorted(splits, key=split_rank)},
            types={name: types[name] for name in sorted(types, key=lambda t: (-turnover[t], t))} if self._by else {},
            by=self._by,
            columns={name: n for name, n in self._differing.most_common() if n},
            new_columns=tuple(new_columns),
            lost_columns=tuple(lost_columns),
        )

    def _groups(self, name: Callable[[tuple[str, str]], str]) -> Mapping[str, Counts]:
        """Returns the changes in the rows of each group; ``name`` maps a split and type to a group."""
        found: dict[str, dict[str, int]] = {}

        def add(group: str, number: int, *names: str) -> None:
            counts = found.setdefault(group, dict.fromkeys(CHANGES, 0))
            for each in names:
                counts[each] += number

        for (old, new, what), number in self._tally.items():
            before, now = (None if group is None else name(group) for group in (old, new))
            if before is not None:
                add(before, number, "old", what if now in (None, before) else "left")
            if now is not None:
                add(now, number, "new", *(() if before == now else (what if before is None else "came",)))
        return found


def _differing(old: Any, new: Any) -> Mask:
    """Returns the rows in which two columns of equal length and type differ; missing and other values always differ."""
    mask = np.zeros(len(old), bool)
    if old.equals(new):
        return mask
    if pa.types.is_floating(old.type):  # as bits, so that NaN is NaN
        old, new = old.view(pa.int64()), new.view(pa.int64())
    if not pa.types.is_nested(old.type):
        unlike = pc.fill_null(pc.not_equal(old, new), False)
        missing = pc.xor(pc.is_null(old), pc.is_null(new))
        return np.asarray(pc.or_(unlike, missing).to_numpy(zero_copy_only=False))
    stretches = [(0, len(old))]  # each contains a row that differs: Arrow cannot compare lists element by element
    while stretches:
        begin, end = stretches.pop()
        if end - begin == 1:
            mask[begin] = True
            continue
        middle = (begin + end) // 2
        halves = ((begin, middle), (middle, end))
        stretches += [(a, b) for a, b in halves if not old.slice(a, b - a).equals(new.slice(a, b - a))]
    return mask
