"""Look-up by id in a dataset of ``gistmill annotate``: its shards are sorted, and the bounds of row groups are in the
footers. What is held is a batch of ids, the bounds of the row groups seen, and a few decoded row groups."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.io.filesystem import BeamIOError

from gistmill.rules.annotated import from_values
from gistmill.rules.documents import AnnotatedDocument
from gistmill.transforms.io import open_input

# Neighbouring batches look into the same row groups, one or two of each split. Each is 16 MB of rows or one row.
CACHED_GROUPS = 6
_DECODED_ROWS = 8  # rows hold whole documents
Bounds = tuple[str, str]  # first and last id


class StoreError(ValueError):
    """The older dataset cannot be read; the text is one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedStore:
    """What of an older dataset can be used again. It travels in the graph.

    Attributes:
        splits: the paths of the Parquet files of each split, in order.
        cleaning: whether pages of an equal revision take their cleaned form from it.
        coreference: whether its clusters can be used, or only its parses.
    """

    splits: tuple[tuple[str, ...], ...]
    cleaning: bool
    coreference: bool


class StoreReader:
    """Finds documents by id. Not bound to Beam."""

    def __init__(self, store: AnnotatedStore) -> None:
        self._splits = store.splits
        self._bounds: dict[str, list[Bounds]] = {}
        self._tables: OrderedDict[tuple[str, int], pa.Table] = OrderedDict()

    def find(self, ids: Sequence[str]) -> Iterator[AnnotatedDocument]:
        """Yields the documents that have one of these ids, in the order of the store.

        Args:
            ids: rising, each once.

        Raises:
            StoreError: a file is missing or broken.
        """
        for files in self._splits:
            begin = bisect_left(files, ids[0], key=self._last_id) if ids else len(files)
            for path in files[begin:]:
                if self._bounds_of(path)[0][0] > ids[-1]:
                    break
                yield from self._find_in(path, ids)

    def _find_in(self, path: str, ids: Sequence[str]) -> Iterator[AnnotatedDocument]:
        wanted = [
            (group, frozenset(within))
            for group, (first, last) in enumerate(self._bounds_of(path))
            if (within := ids[bisect_left(ids, first) : bisect_right(ids, last)])
        ]
        for group, here in wanted:
            table = self._table(path, group)
            places = [place for place, id_ in enumerate(table.column("id").to_pylist()) if id_ in here]
            for begin in range(0, len(places), _DECODED_ROWS):
                yield from _documents(path, table.take(places[begin : begin + _DECODED_ROWS]))

    def _table(self, path: str, group: int) -> pa.Table:
        if (path, group) not in self._tables:
            with _reading(path) as file:
                self._tables[path, group] = file.read_row_group(group, use_threads=False)
            if len(self._tables) > CACHED_GROUPS:
                self._tables.popitem(last=False)
        self._tables.move_to_end((path, group))
        return self._tables[path, group]

    def _last_id(self, path: str) -> str:
        return self._bounds_of(path)[-1][1]

    def _bounds_of(self, path: str) -> list[Bounds]:
        if path not in self._bounds:
            with _reading(path) as file:
                self._bounds[path] = [_bounds(file, group) for group in range(file.num_row_groups)]
            if not self._bounds[path]:
                raise StoreError(f"{path} has no rows")
        return self._bounds[path]


@contextmanager
def _reading(path: str) -> Iterator[pq.ParquetFile]:
    try:
        with open_input(path) as handle:
            yield pq.ParquetFile(handle)
    except (OSError, BeamIOError, ValueError) as error:  # of which those of Arrow are
        raise StoreError(f"{path} cannot be read: {' '.join(str(error).split())}") from None


def _bounds(file: pq.ParquetFile, group: int) -> Bounds:
    metadata = file.metadata.row_group(group)
    column = metadata.column(file.schema_arrow.get_field_index("id"))
    if column.is_stats_set and column.statistics.has_min_max:
        return column.statistics.min, column.statistics.max
    ids = file.read_row_group(group, columns=["id"]).column("id").to_pylist()
    return ids[0], ids[-1]


def _documents(path: str, rows: pa.Table) -> Iterator[AnnotatedDocument]:
    for values in rows.to_pylist():
        try:
            document = from_values(values)
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"{path}: the row {values.get('id')!r} does not hold an annotation: {error}") from None
        if any(s.paragraph >= len(document.paragraph_digests) for s in document.sentences):
            raise StoreError(f"{path}: the row {document.id!r} lacks hashes of paragraphs")
        yield document
