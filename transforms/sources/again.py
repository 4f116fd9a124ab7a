"""A published dataset, whose rows are taken as they are, and the documents that are read again.

No ``--source`` names it: ``gistmill retry`` puts it in the place of the source that the dataset was made of.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apache_beam as beam
import pyarrow.parquet as pq
from typing_extensions import override

from gistmill.core.arithmetic import Arithmetic
from gistmill.core.records import Damage, RangeEnd, Row
from gistmill.core.statistics import ConfigSchema
from gistmill.rules.lineage import file_name
from gistmill.transforms.io import open_input, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sinks.files import gunzip_chunks
from gistmill.transforms.sinks.sort import SpillFile, SpillWriter
from gistmill.transforms.sinks.spills import REJECTS, RangeResult, RowCodec
from gistmill.transforms.sources.base import PlanRanges, Readable
from gistmill.transforms.sources.files.parquet import checked_batches
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, Range, SourceError, SourceFile
from gistmill.transforms.sources.files.source import FilesSource, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class OldShard(Range):
    """A Parquet shard of the dataset: its ``path``, the ``schema`` of its configuration, its ``split``."""

    workspace: str
    path: str
    schema: ConfigSchema
    split: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OldRejects(Range):
    """The rejects of the dataset, and what was counted over all documents.

    Attributes:
        workspace: folder of the run.
        paths: the parts, in order.
        again: ids of the documents that are read again; their rejects are left out.
        counts: of the dataset, without those documents.
        damage, arithmetic: as its manifest has them.
    """

    workspace: str
    paths: tuple[str, ...]
    again: frozenset[str]
    counts: Mapping[str, int]
    damage: tuple[Damage, ...]
    arithmetic: tuple[Arithmetic, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Again(Range):
    """Documents that are read again: those of the ``ids`` among what is at ``place``."""

    place: FileRange
    ids: frozenset[str]


_BATCH_ROWS = 64


def read_range(place: Range, *, reader: Reader) -> Iterator[Any]:
    """Yields the RangeResult of old rows or rejects; or the documents and rejects of an Again, and their RangeEnd.

    Args:
        place: an OldShard, OldRejects or Again.
        reader: of the source that the dataset was made of.
    """
    if isinstance(place, OldShard):
        yield _finished(place.workspace, RangeResult(place.key, (_rows(place),), {}))
    elif isinstance(place, OldRejects):
        spills = (_rejects(place),) if place.paths else ()
        result = RangeResult(place.key, spills, dict(place.counts), place.damage, place.arithmetic)
        yield _finished(place.workspace, result)
    elif isinstance(place, Again):
        yield from read_again(place, reader)
    else:
        raise TypeError(f"{place!r} is not a range of this source")


def read_again(place: Again, reader: Reader) -> Iterator[Any]:
    """Yields the wanted ones of what is at a place, then a RangeEnd; the counts of the dataset have them as read."""
    documents = 0
    for element in reader(place.place):
        if not isinstance(element, RangeEnd) and element.id in place.ids:
            documents += 1
            yield element
    yield RangeEnd(place.place.key, documents, counts={"documents/read": -documents})


def _finished(workspace: str, result: RangeResult) -> RangeResult:
    """Leaves the marker of a range whose spills are written."""
    write_json(WorkspaceLayout(workspace).marker(result.range_key), result.to_json())
    return result


def _rows(place: OldShard) -> SpillFile:
    codec = RowCodec(place.schema)
    writer = SpillWriter(WorkspaceLayout(place.workspace).new_spill(place.key), f"{place.schema.name}/{place.split}")
    with open_input(place.path) as file:
        for batch in checked_batches(pq.ParquetFile(file), file, place.path, _BATCH_ROWS):
            for values in batch.to_pylist():
                writer.add(*codec.encode(Row(place.schema.name, values["id"], values)))
    return writer.close()


def _rejects(place: OldRejects) -> SpillFile:
    writer = SpillWriter(WorkspaceLayout(place.workspace).new_spill(place.key), REJECTS)
    for path in place.paths:
        for line in _lines(gunzip_chunks(path)):
            value = json.loads(line)
            if value["id"] not in place.again:
                key = f"{value['id']}\0{value['index'] + 1:010d}"
                writer.add(key.encode("utf-8", "backslashreplace"), line)
    return writer.close()


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A document that is to be read again: its ``id``, the name of its ``file``, and its ``offset`` there."""

    id: str
    file: str
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Old:
    """A published dataset.

    Attributes:
        shards: of each Parquet file its path, the schema of its configuration, its split and its size.
        rejects: everything of its rejects but the workspace, which the run makes; without what is read again.
        sources: the files that it was made of, as its manifest has them.
    """

    shards: tuple[tuple[str, ConfigSchema, str, int], ...]
    rejects: OldRejects
    sources: tuple[SourceFile, ...]


class AgainSource(Readable):
    """A dataset, and documents of its input.

    Args:
        inner: the source that the dataset was made of, opened.
        old: the dataset.
        wanted: the documents to read again.
    """

    def __init__(self, inner: FilesSource[Any], old: Old, wanted: Sequence[Wanted]) -> None:
        self.files = inner.files
        self._inner, self._old, self._wanted = inner, old, tuple(wanted)

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        """Raises SourceError: a document is not where it was."""
        shards = [
            OldShard(key=f"old-{i:05d}", size=size, workspace=workspace, path=path, schema=schema, split=split)
            for i, (path, schema, split, size) in enumerate(self._old.shards)
        ]
        rejects = dataclasses.replace(self._old.rejects, workspace=workspace)
        ranges: list[Range] = [*shards, rejects, *self._places(workspace)]
        return PlanRanges(ranges, self._old.sources)

    @override
    def read(self) -> beam.PTransform:
        """Old rows come as RangeResults."""
        return _ReadRanges(self._inner.reader())

    def _places(self, workspace: str) -> Iterator[Again]:
        """The places of the documents: the offset alone, or all ranges of a file that has to be read from its
        beginning."""
        reader, left = self._inner.reader(), {w.id for w in self._wanted}
        whole: list[InputFile] = []
        by_place: dict[tuple[str, int], set[str]] = {}
        for wanted in self._wanted:
            by_place.setdefault((wanted.file, wanted.offset), set()).add(wanted.id)
        for (name, offset), ids in sorted(by_place.items()):
            found = [file for file in self.files if file_name(file.path) == name]
            if len(found) != 1:
                raise SourceError(f"{'no' if not found else 'more than one'} input file is named {name!r}")
            file = found[0]
            place = self._inner.range_at(file, offset)
            again = None if place is None else _again(place, frozenset(ids))
            if again is not None and _has(again, reader):
                left -= ids
                yield again
            elif file not in whole:
                whole.append(file)
        if whole:
            made = self._inner.planner(workspace)(tuple(whole))
            yield from (_again(place, frozenset(left)) for place in made if isinstance(place, FileRange))


class _ReadRanges(beam.PTransform):
    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self._reader = reader

    def expand(self, ranges: beam.PCollection[Range]) -> beam.PCollection:
        return ranges | "Read" >> beam.FlatMap(functools.partial(read_range, reader=self._reader))


def _again(place: FileRange, ids: frozenset[str]) -> Again:
    return Again(key=place.key, size=place.size, place=place, ids=ids)


def _has(again: Again, reader: Reader) -> bool:
    """Whether all documents are at the place."""
    *documents, _ = read_again(again, reader)
    return {document.id for document in documents} == again.ids


def without(counts: Mapping[str, int], rejects: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Returns the counts of a dataset without the rejects of documents that were rejected as a whole.

    They still count as read: so one that is not found again leaves a sum that does not come out.

    Args:
        counts: by key, as the writer makes them.
        rejects: the rejects of the documents.

    Raises:
        SourceError: the dataset did not count one of them.
    """
    left = dict(counts)
    for reject in rejects:
        reason = reject["reason"]
        for key in (f"documents/rejected/{reason}", f"rejects/{reject['stage']}/{reject['unit']}/{reason}"):
            if key not in left:
                raise SourceError(f"the manifest does not count the rejects {key}; see gistmill validate")
            left[key] -= 1
    return {key: number for key, number in left.items() if number or not counts[key]}
