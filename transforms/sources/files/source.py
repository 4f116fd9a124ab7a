"""The base of sources that read files: one function plans the files, another reads a range of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import apache_beam as beam

from gistmill.transforms.sources.base import Provenance, Source
from gistmill.transforms.sources.config import SourceConfig
from gistmill.transforms.sources.files.plan import PlanFiles
from gistmill.transforms.sources.files.ranges import FileRange, InputFile, SourceFile, range_key

C = TypeVar("C", bound=SourceConfig)
Planner = Callable[[tuple[InputFile, ...]], Iterable[FileRange | SourceFile]]
Reader = Callable[[FileRange], Iterable[Any]]


class FilesSource(Source, Generic[C]):
    """Files that are cut into ranges of bytes or rows.

    Class attributes:
        PROVENANCE: rights in the text, whatever the files are.

    Attributes:
        config: of the class CONFIG.
    """

    PROVENANCE: ClassVar[Provenance]

    def __init__(self, files: Sequence[InputFile], config: C) -> None:
        self.files = tuple(files)
        self.config = config

    @classmethod
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        """See Source.provenance."""
        return cls.PROVENANCE

    @abstractmethod
    def planner(self, workspace: str) -> Planner:
        """Returns the function from files, in order, to their ranges and SourceFiles; workers call it.

        Args:
            workspace: folder of the run.
        """

    @abstractmethod
    def reader(self) -> Reader:
        """Returns the function from a range to its documents and rejects, in order, and one RangeEnd at the end."""

    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """Returns a small range with the document that begins at an offset, as origins count it; None where the file
        has to be read from its beginning to get there. Others may be in the range, before and behind it."""
        return None

    def plan(self, workspace: str) -> beam.PTransform:
        """See Source.plan. Raises ValueError if there are no files."""
        return PlanFiles(self.files, self.planner(workspace), together=self.config.limit is not None)

    def read(self) -> beam.PTransform:
        """See Source.read."""
        return _ReadRanges(self.reader())


def one_byte(file: InputFile, kind: str, offset: int) -> FileRange:
    """Returns the range of what begins at an offset of a file and nowhere else."""
    return FileRange(
        key=range_key(file.index, offset),
        file=file.path,
        path=file.path,
        kind=kind,
        start=offset,
        end=offset + 1,
        size=1,
    )


class _ReadRanges(beam.PTransform):
    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self._reader = reader

    def expand(self, ranges: beam.PCollection[FileRange]) -> beam.PCollection:
        return ranges | "Read" >> beam.FlatMap(_read, reader=self._reader)


def _read(place: FileRange, *, reader: Reader) -> Iterable[Any]:
    return reader(place)
