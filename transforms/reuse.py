"""Reuse of documents from an older ``gistmill annotate`` dataset, looked up by id.

Whether an annotation can be reused depends on its Part (``core/manifest.py``), which ``part_of`` builds.
"""

from __future__ import annotations

import dataclasses
import platform
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.io.filesystem import BeamIOError
from typing_extensions import override

from gistmill.core.manifest import Part
from gistmill.core.parquet_pages import table_of
from gistmill.core.records import FromDocument, RangeEnd
from gistmill.rules.annotated import from_values
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, RawDocument
from gistmill.transforms.beam.transforms import Batches
from gistmill.transforms.installed import installed
from gistmill.transforms.io import open_input
from gistmill.transforms.models import files_digest

# Neighbouring batches read the same row groups, one or two per split. A group has 16 MB of rows, or a single row.
CACHED_GROUPS = 6
_DECODED_ROWS = 8  # each row is a whole document
Bounds = tuple[str, str]  # first and last id


def part_of(models: Sequence[Mapping[str, Any]], packages: Sequence[str], **options: Any) -> Part:
    """Returns the Part for the given models, packages and options.

    Args:
        models: records from the manifest. Models are compared by their files, not versions; the packages that run them
            are added to ``packages``.
        packages: names of further packages that affect the result, other than Gistmill and Python.
        options: options by name.
    """
    versions = {name: installed(name) for name in ("gistmill", *packages)}
    versions["python"] = ".".join(platform.python_version_tuple()[:2])
    for model in models:
        versions |= model.get("packages", {})
    digests = {m["name"]: m.get("sha256") or files_digest(m["files"]) for m in models}
    return Part(packages=dict(sorted(versions.items())), options=options, models=digests)


class StoreError(ValueError):
    """The older dataset cannot be read; the message is one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatedStore:
    """The reusable parts of an older dataset, pickled with the graph.

    Attributes:
        splits: paths of each split's Parquet files, in order.
        cleaning: whether the cleaned form of a page can be reused if its revision is unchanged.
        coreference: whether coreference clusters can be reused, or only parses.
    """

    splits: tuple[tuple[str, ...], ...]
    cleaning: bool
    coreference: bool


class StoreReader:
    """A reader that finds documents by id, independent of Beam."""

    def __init__(self, store: AnnotatedStore) -> None:
        self._splits = store.splits
        self._bounds: dict[str, list[Bounds]] = {}
        self._tables: OrderedDict[tuple[str, int], pa.Table] = OrderedDict()

    def find(self, ids: Sequence[str]) -> Iterator[AnnotatedDocument]:
        """Yields the documents with these ids (distinct, in ascending order), in the order of the store.

        Raises:
            StoreError: a file is missing or damaged.
        """
        for files in self._splits:
            begin = bisect_left(files, ids[0], key=lambda path: self._bounds_of(path)[-1][1]) if ids else len(files)
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
            if (path, group) not in self._tables:
                with _reading(path) as (file, handle):
                    self._tables[path, group] = table_of(file, handle, groups=[group])
                if len(self._tables) > CACHED_GROUPS:
                    self._tables.popitem(last=False)
            self._tables.move_to_end((path, group))
            table = self._tables[path, group]
            places = [place for place, id_ in enumerate(table.column("id").to_pylist()) if id_ in here]
            for begin in range(0, len(places), _DECODED_ROWS):
                for values in table.take(places[begin : begin + _DECODED_ROWS]).to_pylist():
                    try:
                        document = from_values(values)
                    except (KeyError, TypeError, ValueError) as error:
                        raise StoreError(
                            f"{path}: row {values.get('id')!r} does not contain valid annotations: {error}"
                        ) from None
                    if any(s.paragraph >= len(document.paragraph_digests) for s in document.sentences):
                        raise StoreError(f"{path}: row {document.id!r} lacks paragraph hashes")
                    yield document

    def _bounds_of(self, path: str) -> list[Bounds]:
        if path not in self._bounds:
            with _reading(path) as (file, handle):
                self._bounds[path] = [_bounds(file, handle, group) for group in range(file.num_row_groups)]
            if not self._bounds[path]:
                raise StoreError(f"{path} contains no rows")
        return self._bounds[path]


@contextmanager
def _reading(path: str) -> Iterator[tuple[pq.ParquetFile, BinaryIO]]:
    try:
        with open_input(path) as handle:
            yield pq.ParquetFile(handle), handle
    except (OSError, BeamIOError, ValueError) as error:  # Arrow's errors are ValueErrors
        raise StoreError(f"{path} cannot be read: {' '.join(str(error).split())}") from None


def _bounds(file: pq.ParquetFile, handle: BinaryIO, group: int) -> Bounds:
    metadata = file.metadata.row_group(group)
    column = metadata.column(file.schema_arrow.get_field_index("id"))
    if column.is_stats_set and column.statistics.has_min_max:
        return column.statistics.min, column.statistics.max
    ids = table_of(file, handle, groups=[group], columns=["id"]).column("id").to_pylist()
    return ids[0], ids[-1]


def of_revision(document: RawDocument, earlier: AnnotatedDocument) -> FromDocument:
    """Returns the stored form of a page if its revision is unchanged, else ``document``. Clusters are dropped if the
    title has changed, because resolvers read it."""
    origin, before = document.origin, earlier.origin
    if not origin.revision or origin.revision != before.revision:
        return document
    clusters = earlier.clusters if origin.title == before.title else ()
    return dataclasses.replace(earlier, origin=origin, clusters=clusters)


def with_earlier(document: CleanDocument, earlier: AnnotatedDocument) -> FromDocument:
    """Returns a document with its earlier form attached."""
    return dataclasses.replace(document, earlier=earlier)


class LookUp(Batches):
    """Batched lookup of documents of class ``cls``, up to 1,000 at a time, so that each row group is read less often.

    ``meet`` combines a document with its stored form. RangeEnds are held back until their documents have passed.
    """

    ENOUGH = 16_000_000  # characters

    def __init__(
        self, store: AnnotatedStore, cls: type[Any], meet: Callable[[Any, AnnotatedDocument], FromDocument]
    ) -> None:
        self.TAKES = (cls, RangeEnd)
        self._store, self._meet = store, meet

    def setup(self) -> None:
        self._reader = StoreReader(self._store)

    @override
    def size(self, element: Any) -> int:
        if isinstance(element, RangeEnd):
            return 0
        is_raw = isinstance(element, RawDocument)
        texts = [element.text] if is_raw else [p for s in element.sections for p in s.paragraphs]
        return max(self.ENOUGH // 1000, sum(map(len, texts)))

    @override
    def batch(self, waiting: Sequence[Any]) -> Iterator[Any]:
        documents = [d for d in waiting if not isinstance(d, RangeEnd)]
        by_id = {d.id: d for d in documents}
        repeated = [d for d in documents if by_id[d.id] is not d]
        for earlier in self._reader.find(sorted(by_id)):
            if (document := by_id.pop(earlier.id, None)) is not None:
                yield self._meet(document, earlier)
        yield from by_id.values()
        yield from repeated  # the writer reports repeated ids
        yield from (end for end in waiting if isinstance(end, RangeEnd))
