"""A published dataset, whose rows are taken as they are, and the documents that are read again, of its input.

No ``--source`` names it: ``gistmill retry`` puts it in the place of the source that the dataset was made of.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apache_beam as beam

from gistmill.core.dataset import ConfigSchema
from gistmill.rules.lineage import file_name
from gistmill.transforms.sources.again.ranges import Again, OldRejects, OldShard
from gistmill.transforms.sources.again.read import read_again, read_range
from gistmill.transforms.sources.base import PlanRanges, Readable
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceError, SourceFile
from gistmill.transforms.sources.files.source import FilesSource, Reader
from gistmill.transforms.sources.ranges import Range


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

    def plan(self, workspace: str) -> beam.PTransform:
        """See Readable.plan.

        Raises:
            SourceError: a document is not where it was.
        """
        shards = [
            OldShard(key=f"old-{i:05d}", size=size, workspace=workspace, path=path, schema=schema, split=split)
            for i, (path, schema, split, size) in enumerate(self._old.shards)
        ]
        rejects = dataclasses.replace(self._old.rejects, workspace=workspace)
        ranges: list[Range] = [*shards, rejects, *self._places(workspace)]
        return PlanRanges(ranges, self._old.sources)

    def read(self) -> beam.PTransform:
        """See Readable.read; old rows come as RangeResults."""
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
            file = self._file(name)
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

    def _file(self, name: str) -> InputFile:
        found = [file for file in self.files if file_name(file.path) == name]
        if len(found) != 1:
            raise SourceError(f"{'no' if not found else 'more than one'} input file is named {name!r}")
        return found[0]


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
