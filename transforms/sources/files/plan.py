"""Planning of sources that read files."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence

import apache_beam as beam

from gistmill.transforms.beam.given import Given
from gistmill.transforms.beam.spread import Spread
from gistmill.transforms.io import sha256_of
from gistmill.transforms.sources.base import SOURCES
from gistmill.transforms.sources.files.ranges import UNREAD, FileRange, InputFile, SourceFile


class PlanFiles(beam.PTransform):
    """Makes the ranges of files, in workers: one element per file, or one for all that have to be planned in order.

    Args:
        files: the files.
        plan: from files in order to their Ranges and SourceFiles.
        together: whether all files are one element, because a limit counts over them.

    Returns (from expand): outputs ``ranges`` (PCollection[FileRange]) and SOURCES (PCollection[SourceFile]).
    """

    def __init__(
        self,
        files: Sequence[InputFile],
        plan: Callable[[tuple[InputFile, ...]], Iterable[FileRange | SourceFile]],
        *,
        together: bool,
    ) -> None:
        super().__init__()
        if not files:
            raise ValueError("no input files")
        self._groups = [tuple(files)] if together else [(file,) for file in files]
        self._plan = plan

    def expand(self, begin: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        return (
            begin
            | "Files" >> Given([(f"{group[0].index:05d}", group) for group in self._groups])
            | "Spread" >> Spread(_number)  # a large file is then planned beside the others
            | "Plan" >> beam.FlatMap(_plan, plan=self._plan).with_outputs(SOURCES, main="ranges")
        )


def _number(group: tuple[str, tuple[InputFile, ...]]) -> str:
    return group[0]


def _plan(
    group: tuple[str, tuple[InputFile, ...]], *, plan: Callable
) -> Iterator[FileRange | beam.pvalue.TaggedOutput]:
    for made in plan(group[1]):
        yield beam.pvalue.TaggedOutput(SOURCES, made) if isinstance(made, SourceFile) else made


class Checksums(beam.PTransform):
    """Reads the SourceFiles that were not read in planning, for their SHA-256: each in one worker, and beside the
    ranges, if the runner does two steps at once."""

    def expand(self, sources: beam.PCollection) -> beam.PCollection:
        return sources | "Spread" >> Spread(_path) | "Read" >> beam.Map(_with_checksum)


def _path(source: SourceFile) -> str:
    return source.path


def _with_checksum(source: SourceFile) -> SourceFile:
    return dataclasses.replace(source, sha256=sha256_of(source.path)) if source.sha256 == UNREAD else source


def in_order(
    files: Iterable[InputFile], plan: Callable[..., tuple[Sequence[FileRange], SourceFile, int]], *, limit: int | None
) -> Iterator[FileRange | SourceFile]:
    """Yields each file and its ranges, in order; with a limit only as many as hold the first documents.

    Args:
        files: the files.
        plan: ``plan(file, limit=documents)`` returns the ranges, the file, and how many documents the limit took.
        limit: documents to read at most, None for all.
    """
    left = limit
    for file in files:
        ranges, source, documents = plan(file, limit=left)
        yield source
        yield from ranges
        if left is not None:
            left -= documents
            if left <= 0:
                return
