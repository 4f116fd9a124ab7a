"""What became of the rows of a configuration: added, removed, changed and in which columns."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.manifest import MANIFEST, PublishedFile
from gistmill.core.parquet_pages import batches_of
from gistmill.core.statistics import Column, split_rank
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, Folder
from gistmill.published.shards import opened
from gistmill.published.comparison.comparison import Change, ConfigChange, Transfer
from gistmill.rules.lineage import WHERE_FOUND

ID = "id"
SPLIT = " split"  # a column of its own; a column of a dataset cannot have this name
_BATCH_ROWS = 4096


@dataclass(frozen=True, slots=True)
class Shards:
    """The Parquet files of a split, in the order of their rows.

    Attributes:
        folder: where they lie.
        split: its name.
        files: at least one.
        columns: of the configuration.
    """

    folder: Folder
    split: str
    files: Sequence[PublishedFile]
    columns: Sequence[Column]


class _Stream:
    """The rows of a split, of which a batch is held; ``batch`` is None at the end."""

    def __init__(self, shards: Shards, columns: Sequence[str]) -> None:
        self._batches = _batches(shards, columns)
        self.batch: Any = next(self._batches, None)

    @property
    def last(self) -> bytes:
        """The last id of the batch that is held."""
        return self._id(self.batch.num_rows - 1)

    def take(self, bound: bytes) -> Any:
        """Returns the rows of the batch whose ids are not above the bound, and goes on behind them."""
        rows = bisect_right(range(self.batch.num_rows), bound, key=self._id)
        taken = self.batch.slice(0, rows)
        self.batch = self.batch.slice(rows) if rows < self.batch.num_rows else next(self._batches, None)
        return taken

    def _id(self, row: int) -> bytes:
        return bytes(self.batch.column(ID)[row].as_py().encode("utf-8"))


def batches(shards: Shards, columns: Sequence[str]) -> Iterator[Any]:
    """Yields the rows of a split as record batches with these columns.

    Raises:
        DatasetError: a file cannot be read, or lacks a column.
    """
    for file in shards.files:
        with opened(shards.folder, file, shards.columns) as (parquet, handle):
            for batch in batches_of(parquet, handle, _BATCH_ROWS, columns=columns):
                yield batch.select(list(columns))


def _batches(shards: Shards, columns: Sequence[str]) -> Iterator[Any]:
    """The same, not empty, with the split in a column, and in order of ids."""
    last: Any = None
    for batch in batches(shards, columns):
        if not batch.num_rows:
            continue
        ids = batch.column(ID)
        edges = pa.concat_arrays([pa.array([last], ids.type), ids]) if last is not None else ids
        if ids.null_count or not np.all(pc.less(edges[:-1], edges[1:])):
            raise DatasetError(
                f"{shards.folder.place}: ids of {shards.split} are not unique or not in order: see gistmill validate"
            )
        last = ids[-1].as_py()
        yield batch.append_column(SPLIT, pa.array([shards.split] * batch.num_rows))


def windows(old: Sequence[Shards], new: Sequence[Shards], columns: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """Yields the rows of a configuration in both datasets as pairs of tables, in order of ids.

    A row of one dataset and that of the same id in the other one are in the same pair of tables, whatever their splits.
    A table has at most one batch of each split.

    Args:
        old, new: the splits of each dataset.
        columns: those to read, ``id`` among them; the tables have the column SPLIT too.

    Raises:
        DatasetError: a file cannot be read, lacks a column, or is not in order of its ids.
    """
    sides = [[_Stream(shards, columns) for shards in side] for side in (old, new)]
    while open_streams := [stream for side in sides for stream in side if stream.batch is not None]:
        bound = min(stream.last for stream in open_streams)
        tables = []
        for side in sides:
            taken = [stream.take(bound) for stream in side if stream.batch is not None]
            tables.append(pa.Table.from_batches([b for b in taken if b.num_rows]) if any(map(len, taken)) else None)
        yield tables[0], tables[1]


Mask = npt.NDArray[np.bool_]
_NO_GROUP = ""


class RowChanges:
    """Counts what became of rows, window by window.

    Args:
        columns: those that both datasets have, but ``id``.
        by: the column of types; "" for none.
    """

    def __init__(self, columns: Sequence[str], *, by: str) -> None:
        self._columns, self._by = columns, by
        self._differing: Counter[str] = Counter()
        self._all, self._splits, self._types = (_Groups() for _ in range(3))

    def add_same(self, rows: Any) -> None:
        """Adds rows that are equal in both datasets."""
        self._count(rows, rows, "same")

    def add(self, old: Any, new: Any) -> tuple[Any, Any]:
        """Adds a pair of tables as ``windows`` yields them, None for no rows.

        Returns:
            Rows of the old and of the new table that have no equal in the other one, as to what they say.
        """
        if old is not None and new is not None and old.equals(new):
            self.add_same(new)
            return old.slice(0, 0), new.slice(0, 0)
        if old is None or new is None:
            whole, what = (new, "added") if old is None else (old, "removed")
            self._count(None if old is None else whole, None if new is None else whole, what)
            return old, new
        places = pc.index_in(new[ID], value_set=old[ID].combine_chunks()).combine_chunks()
        in_both = places.is_valid().to_numpy(zero_copy_only=False)
        here = np.asarray(places.drop_null())
        gone = np.ones(old.num_rows, bool)
        gone[here] = False
        self._count(old.filter(pa.array(gone)), None, "removed")
        self._count(None, new.filter(pa.array(~in_both)), "added")
        was, now = old.take(pa.array(here)).combine_chunks(), new.filter(pa.array(in_both)).combine_chunks()
        changed, found_elsewhere = self._differences(was, now)
        for what, mask in (
            ("changed", changed),
            ("found_elsewhere", found_elsewhere & ~changed),
            ("same", ~changed & ~found_elsewhere),
        ):
            rows = pa.array(mask)
            self._count(was.filter(rows), now.filter(rows), what)
        gone[here[changed]] = True
        fresh = ~in_both
        fresh[in_both] = changed
        return old.filter(pa.array(gone)), new.filter(pa.array(fresh))

    def _differences(self, was: Any, now: Any) -> tuple[Mask, Mask]:
        """Which rows differ in a column that says something, and which in one that says where they were found."""
        changed, found_elsewhere = (np.zeros(was.num_rows, bool) for _ in range(2))
        for name in self._columns:
            differs = differing(was[name], now[name])
            self._differing[name] += int(differs.sum())
            if name in WHERE_FOUND:
                found_elsewhere |= differs
            else:
                changed |= differs
        return changed, found_elsewhere

    def _count(self, old: Any, new: Any, what: str) -> None:
        """Counts rows in the groups that they have; where only one side has them, the other one is None."""
        for groups, column in ((self._all, ""), (self._splits, SPLIT), (self._types, self._by)):
            before, now = (None if side is None else _groups_of(side, column) for side in (old, new))
            groups.add(before, now, what)

    def result(self, *, new_columns: Sequence[str], lost_columns: Sequence[str]) -> ConfigChange:
        """Returns what was counted; of the columns it has to be told."""
        (total,) = self._all.changes().values() or (Change(),)
        splits, types = self._splits.changes(), self._types.changes() if self._by else {}
        turnover = {name: change.old + change.new - 2 * change.same for name, change in types.items()}
        return ConfigChange(
            all=total,
            splits={name: splits[name] for name in sorted(splits, key=split_rank)},
            types={name: types[name] for name in sorted(types, key=lambda t: (-turnover[t], t))},
            by=self._by,
            columns={name: n for name, n in self._differing.most_common() if n},
            new_columns=tuple(new_columns),
            lost_columns=tuple(lost_columns),
        )


class _Groups:
    """Counts by group and by what became of the rows."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, old: Any, new: Any, what: str) -> None:
        """Adds rows; ``old`` and ``new`` are their groups, in the same order, or None."""
        if old is None or new is None:
            whole = new if old is None else old
            self._add(whole, what, "new" if old is None else "old")
            return
        if old.equals(new):
            self._add(new, what, "old", "new")
            return
        stays = pc.equal(old, new)
        self._add(new.filter(stays), what, "old", "new")
        self._add(old.filter(pc.invert(stays)), "left", "old")
        self._add(new.filter(pc.invert(stays)), "came", "new")

    def _add(self, groups: Any, *names: str) -> None:
        for entry in pc.value_counts(groups).to_pylist():
            for name in names:
                self._counts[entry["values"], name] += entry["counts"]

    def changes(self) -> dict[str, Change]:
        """Returns what became of the rows of each group."""
        found: dict[str, dict[str, int]] = {}
        for (group, what), count in self._counts.items():
            found.setdefault(group, {})[what] = count
        return {group: Change(**counts) for group, counts in found.items()}


def _groups_of(rows: Any, column: str) -> Any:
    if not column:
        return pa.array([_NO_GROUP] * rows.num_rows, pa.string())
    return pc.fill_null(rows[column].cast(pa.string()), "").combine_chunks()


def differing(old: Any, new: Any) -> Mask:
    """Returns in which rows two columns of the same length and type differ; a missing value differs from any other."""
    old, new = (column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column for column in (old, new))
    mask = np.zeros(len(old), bool)
    if old.equals(new):
        return mask
    if pa.types.is_floating(old.type):  # as bits, so that NaN is NaN
        old, new = old.view(pa.int64()), new.view(pa.int64())
    if not pa.types.is_nested(old.type):
        unlike = pc.fill_null(pc.not_equal(old, new), False)
        missing = pc.xor(pc.is_null(old), pc.is_null(new))
        return np.asarray(pc.or_(unlike, missing).to_numpy(zero_copy_only=False))
    _bisect(old, new, 0, len(old), mask)
    return mask


def _bisect(old: Any, new: Any, begin: int, end: int, mask: Mask) -> None:
    """Finds the rows of [begin, end) that differ; there is one."""
    if end - begin == 1:
        mask[begin] = True
        return
    middle = (begin + end) // 2
    for first, last in ((begin, middle), (middle, end)):
        if not old.slice(first, last - first).equals(new.slice(first, last - first)):
            _bisect(old, new, first, last, mask)


def comparable(old: Mapping[str, str], new: Mapping[str, str]) -> tuple[list[str], list[str], list[str]]:
    """Returns the columns that both datasets have with the same type, those of the new one alone, and of the old one.

    Args:
        old, new: types by column, in order.
    """
    both = [name for name, kind in new.items() if old.get(name) == kind]
    return both, [name for name in new if name not in both], [name for name in old if name not in both]


def transfer(old: Dataset, new: Dataset) -> Transfer:
    """Returns what an upload of ``new`` moves to a place that has ``old``."""
    before = {_path(file): file for file in old.manifest.files}
    digests = {file.sha256 for file in old.manifest.files}
    files = new.manifest.files
    known = [f for f in files if f.sha256 in digests]
    in_place = [f for f in known if _path(f) in before and before[_path(f)].sha256 == f.sha256]
    fresh = [f for f in files if f.sha256 not in digests]
    manifest = new.folder.sizes().get(MANIFEST, 0)
    return Transfer(
        bytes=_size(files) + manifest,
        same_path=_size(in_place),
        same_content=_size(known) - _size(in_place),
        moved_files=_size(fresh) + manifest,
    )


def _path(file: PublishedFile) -> str:
    """The path of a file without the prefix that the files of a run have in a store."""
    first, _, rest = file.path.partition("/")
    return rest if first.startswith("data-") and rest else file.path


def _size(files: Iterable[PublishedFile]) -> int:
    return sum(file.bytes for file in files)
