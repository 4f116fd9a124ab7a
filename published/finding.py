"""Rows of a published dataset, found by their id or their document without a scan: the statistics of row groups tell
where to look.

Shards are sorted by id over all files of a split, so an id is looked for by bisection. Of a document, the statistics
of all files are looked at, and the row groups that may have rows of it.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

from gistmill.core.parquet_pages import table_of
from gistmill.core.statistics import split_rank
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError

_THREADS = 16  # each footer may be a request to a store


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row and where it lies: its ``config``, ``split``, the ``path`` of its file and its row ``group`` there."""

    config: str
    split: str
    path: str
    group: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RowGroup:
    """A row group of a shard, with the least and the greatest value of its ids and of its documents' ids; None where
    the file does not say."""

    config: str
    split: str
    path: str
    group: int
    rows: int
    ids: tuple[str, str] | None
    documents: tuple[str, str] | None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RowGroup:
        """Reads what ``dataclasses.asdict`` made JSON of."""
        bounds = {name: None if value[name] is None else tuple(value[name]) for name in ("ids", "documents")}
        return cls(**{**value, **bounds})

    def may_have(self, document: str) -> bool:
        """Whether a row of the document may be in the group."""
        return self.documents is None or self.documents[0] <= document <= self.documents[1]


class Finder:
    """Finds rows of a dataset.

    Args:
        dataset: the dataset; it has to have Parquet files.
        groups: what ``groups`` returns, if it is known.

    Raises (from the class and from its methods):
        DatasetError: it has none, or a file cannot be read.
    """

    def __init__(self, dataset: Dataset, *, groups: Sequence[RowGroup] | None = None) -> None:
        self._dataset, self._known = dataset, groups
        self._footers: dict[str, Any] = {}
        self._files = {
            f.path: f for f in dataset.manifest.files if f.format == "parquet" and f.config in dataset.configs
        }
        self._shards: dict[tuple[str, str], list[str]] = {}
        for file in sorted(self._files.values(), key=lambda f: f.path):
            if file.rows != 0:
                self._shards.setdefault((file.config, file.split), []).append(file.path)
        if not self._files and any(f.config in dataset.configs for f in dataset.manifest.files):
            raise DatasetError(f"{dataset.place} has no Parquet files, and rows are found in those")

    def rows(self, row_id: str) -> list[FoundRow]:
        """Returns the rows of an id: one of each configuration that has it."""
        found = []
        for (config, split), paths in self._in_order():
            for group in self._groups_at(config, split, paths, row_id):
                found += [FoundRow(config, split, group.path, group.group, v) for v in self._read(group, "id", row_id)]
        return found

    def neighbours(self, row_id: str) -> list[str]:
        """Returns the ids that are next to one that is not there, before and behind it, in each split; at most two of
        each, those that begin like it first."""
        near: set[str] = set()
        for (config, split), paths in self._in_order():
            for group in self._groups_at(config, split, paths, row_id) or self._last_groups(config, split, paths):
                ids = self._column(group, "id")
                at = bisect.bisect_left(ids, row_id)
                near.update(ids[max(at - 1, 0) : at + 1])
        return sorted(near, key=lambda other: (-_common(row_id, other), other))

    def of_document(self, document_id: str) -> Iterator[FoundRow]:
        """Yields the rows of a document in all configurations and splits. In datasets of documents a row is one."""
        for group in self.groups():
            if group.may_have(document_id):
                for values in self._read(group, self.document_column(group.config), document_id):
                    yield FoundRow(group.config, group.split, group.path, group.group, values)

    def document_column(self, config: str) -> str:
        """Returns the column that names the document of a row."""
        names = {column.name for column in self._dataset.manifest.columns[config]}
        return "document_id" if "document_id" in names else "id"

    def row_at(self, path: str, number: int, columns: Sequence[str]) -> dict[str, Any]:
        """Returns columns of the row of a number, counted from 0 over a file; those that it lacks are left out."""
        import pyarrow.parquet as pq

        footer = self._footer(path)
        for group in range(footer.num_row_groups):
            rows = footer.row_group(group).num_rows
            if number < rows:
                with self._opened(path) as file:
                    table = table_of(pq.ParquetFile(file, metadata=footer), file, groups=[group], columns=columns)
                    return dict(table.slice(number, 1).to_pylist()[0])
            number -= rows
        raise DatasetError(f"{self._dataset.place}: {path} has fewer rows than its index says")

    def groups(self) -> Sequence[RowGroup]:
        """Returns the row groups of all shards, in order of configuration, split, file and place."""
        if self._known is not None:
            return self._known
        paths = [path for _, paths in self._in_order() for path in paths]
        with ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(self._footer, paths))
        return [
            group
            for (config, split), paths in self._in_order()
            for path in paths
            for group in self._groups_of(config, split, path)
        ]

    def _in_order(self) -> list[tuple[tuple[str, str], list[str]]]:
        configs = self._dataset.configs
        return sorted(self._shards.items(), key=lambda item: (configs.index(item[0][0]), split_rank(item[0][1])))

    def _groups_at(self, config: str, split: str, paths: list[str], row_id: str) -> list[RowGroup]:
        """The row groups of a split where an id would lie: one, or none behind the last."""
        at = bisect.bisect_left(range(len(paths)), row_id, key=lambda i: self._last_id(config, split, paths[i]))
        if at == len(paths):
            return []
        groups = self._groups_of(config, split, paths[at])
        return [next((g for g in groups if g.ids is not None and row_id <= g.ids[1]), groups[-1])]

    def _last_groups(self, config: str, split: str, paths: list[str]) -> list[RowGroup]:
        return self._groups_of(config, split, paths[-1])[-1:]

    def _last_id(self, config: str, split: str, path: str) -> str:
        ids = self._groups_of(config, split, path)[-1].ids
        assert ids is not None, "_groups_of reads the ids where a file does not say"
        return ids[1]

    def _groups_of(self, config: str, split: str, path: str) -> list[RowGroup]:
        footer = self._footer(path)
        if not footer.num_row_groups:
            raise DatasetError(f"{self._dataset.place}: {path} has no rows, and its manifest does not say so")
        columns = {footer.row_group(0).column(i).path_in_schema: i for i in range(footer.row_group(0).num_columns)}
        groups = []
        for number in range(footer.num_row_groups):
            group = footer.row_group(number)
            ids = _bounds(group.column(columns["id"]))
            document = columns.get("document_id")
            documents = ids if document is None else _bounds(group.column(document))
            groups.append(RowGroup(config, split, path, number, group.num_rows, ids, documents))
        # values of kilobytes have no statistics
        return [self._with_ids(group) if group.ids is None else group for group in groups]

    def _with_ids(self, group: RowGroup) -> RowGroup:
        ids = self._column(group, "id")
        return RowGroup(
            group.config, group.split, group.path, group.group, group.rows, (ids[0], ids[-1]), group.documents
        )

    def _column(self, group: RowGroup, name: str) -> list[str]:
        import pyarrow.parquet as pq

        with self._opened(group.path) as file:
            parquet = pq.ParquetFile(file, metadata=self._footer(group.path))
            return list(table_of(parquet, file, groups=[group.group], columns=[name])[name].to_pylist())

    def _read(self, group: RowGroup, column: str, value: str) -> list[dict[str, Any]]:
        """The rows of a group that have the value; the other columns are read only where there are any."""
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        with self._opened(group.path) as file:
            parquet = pq.ParquetFile(file, metadata=self._footer(group.path))
            wanted = pc.equal(table_of(parquet, file, groups=[group.group], columns=[column])[column], value)
            if not pc.any(wanted).as_py():
                return []
            return list(table_of(parquet, file, groups=[group.group]).filter(wanted).to_pylist())

    @contextmanager
    def _opened(self, path: str) -> Iterator[BinaryIO]:
        try:
            with self._dataset.folder.open(path) as file:
                yield file
        except (OSError, ValueError) as error:  # pyarrow says of a torn file that a value is wrong
            said = " ".join(str(error).split())
            raise DatasetError(f"{self._dataset.place}: {path} cannot be read: {said}") from None

    def _footer(self, path: str) -> Any:
        from gistmill.published.shards import opened

        if path not in self._footers:
            file = self._files[path]
            with opened(self._dataset.folder, file, self._dataset.columns(file.config)) as (parquet, _):
                self._footers[path] = parquet.metadata
        return self._footers[path]


def _bounds(column: Any) -> tuple[str, str] | None:
    statistics = column.statistics
    try:
        return (statistics.min, statistics.max) if statistics is not None and statistics.has_min_max else None
    except UnicodeDecodeError:  # whoever reads the column is told
        return None


def _common(a: str, b: str) -> int:
    """How many characters two ids have in common at their beginning."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
