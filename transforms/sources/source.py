"""What a source is to a job: an input that was expanded and checked, and knows how it is planned and read.

A new source is a subclass in a module of its own and a line in ``registry.py``; jobs and the graph name none.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import apache_beam as beam

from rules.records import RawDocument
from transforms.given import Given
from transforms.sources.ranges import InputFile, Range, SourceFile
from transforms.spread import Spread

SOURCES = "sources"  # the output of a plan that holds its SourceFiles


@dataclass(frozen=True, slots=True)
class Provenance:
    """What the dataset card says of the text: ``licence`` ("" when unknown, else an identifier of the Hugging Face Hub)
    and ``attribution`` (a paragraph)."""

    licence: str
    attribution: str


class Source(ABC):
    """An input that is ready to be read.

    Class attributes:
        NAME: the value of ``--source``.
        HELP: what the input is, for ``--help``.
        OPTIONS: names of the options (of every job) that have an effect with this source and not with each one.
        DOCUMENT: class of the documents that reading gives: RawDocument, which are cleaned and then annotated or
            segmented, or AnnotatedDocument, which are not.
        DEDUPLICATE: the default of ``--deduplicate``: news is syndicated, an encyclopedia is not.

    Attributes:
        files: the files to read, in order.
    """

    NAME: ClassVar[str]
    HELP: ClassVar[str]
    OPTIONS: ClassVar[tuple[str, ...]] = ()
    DOCUMENT: ClassVar[type] = RawDocument
    DEDUPLICATE: ClassVar[str] = "near"

    files: tuple[InputFile, ...]

    @classmethod
    @abstractmethod
    def open(cls, patterns: Sequence[str], options: Mapping[str, Any]) -> Self:
        """Expands the input names and looks at the beginning of every file.

        Args:
            patterns: paths, globs, or comma lists of them.
            options: values by option name, those that were left out being None or missing.

        Raises:
            ValueError: an option or an input is of no use; the message names it.
        """

    @classmethod
    @abstractmethod
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        """Returns licence and attribution of what the inputs hold."""

    @classmethod
    def models(cls, patterns: Sequence[str]) -> list[Mapping[str, Any]]:
        """Returns the models that made what the inputs hold, as the manifest lists them."""
        return []

    @abstractmethod
    def plan(self, workspace: str) -> beam.PTransform:
        """Returns what makes ``ranges`` (PCollection[Range]) and SOURCES (PCollection[SourceFile]) of a pipeline.

        Args:
            workspace: folder of the run.
        """

    @abstractmethod
    def read(self) -> beam.PTransform:
        """Returns PCollection[Range] -> PCollection[DOCUMENT | Reject | RangeEnd]."""


class PlanFiles(beam.PTransform):
    """Makes the ranges of files, in workers: one element a file, or one for all that have to be planned in order.

    Args:
        files: the files.
        plan: from files in order to their Ranges and SourceFiles.
        together: whether all files are one element, because a limit counts over them.

    Returns (from expand): outputs ``ranges`` (PCollection[Range]) and SOURCES (PCollection[SourceFile]).
    """

    def __init__(self, files: Sequence[InputFile], plan: Callable[[tuple[InputFile, ...]], Iterable[Range | SourceFile]], *,
                 together: bool) -> None:
        super().__init__()
        if not files:
            raise ValueError("no input files")
        self._groups = [tuple(files)] if together else [(file,) for file in files]
        self._plan = plan

    def expand(self, begin: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        return (begin
                | "Files" >> Given([(f"{group[0].index:05d}", group) for group in self._groups])
                | "Spread" >> Spread(_number)  # a large file is then planned beside the others
                | "Plan" >> beam.FlatMap(_plan, plan=self._plan).with_outputs(SOURCES, main="ranges"))


def _number(group: tuple[str, tuple[InputFile, ...]]) -> str:
    return group[0]


def _plan(group: tuple[str, tuple[InputFile, ...]], *, plan: Callable) -> Iterator[Range | beam.pvalue.TaggedOutput]:
    for made in plan(group[1]):
        yield beam.pvalue.TaggedOutput(SOURCES, made) if isinstance(made, SourceFile) else made


def in_order(files: Iterable[InputFile], plan: Callable[..., tuple[list[Range], SourceFile, int]], *,
             limit: int | None) -> Iterator[Range | SourceFile]:
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


def chosen(options: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Returns the named options that have a value: keyword arguments of a config whose own defaults hold otherwise."""
    return {n: options[n] for n in names if options.get(n) is not None}
