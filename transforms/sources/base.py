"""The interface of sources: an input that was expanded and checked, and knows how it is planned and read.

A new source is a subclass in a module of its own and a line in ``registry.py``; jobs and the graph name none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import apache_beam as beam

from gistmill.core.manifest import CrawlEntry, DumpEntry
from gistmill.core.records import Reason
from gistmill.core.statistics import ConfigSchema
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.transforms.beam.transforms import Given
from gistmill.transforms.sources.config import SourceConfig
from gistmill.transforms.sources.files.ranges import InputFile, Range

SOURCES = "sources"  # the output of a plan that holds its SourceFiles


@dataclass(frozen=True, slots=True)
class Provenance:
    """Rights in the text, for the dataset card: ``licence`` (an identifier of the Hugging Face Hub; "" when unknown)
    and ``attribution`` (a paragraph)."""

    licence: str
    attribution: str


class Readable(ABC):
    """What a graph reads.

    Attributes:
        files: the files to read, in order; empty if it reads none.
        schema: the columns of the rows that it gives; None if it gives documents.
        languages: codes of the languages that the input says its texts are in; empty if it does not say.
    """

    files: tuple[InputFile, ...] = ()
    languages: frozenset[str] = frozenset()
    schema: ConfigSchema | None = None

    @abstractmethod
    def plan(self, workspace: str) -> beam.PTransform:
        """Returns what makes ``ranges`` (PCollection[Range]) and SOURCES (PCollection[SourceFile]) of a pipeline."""

    @abstractmethod
    def read(self) -> beam.PTransform:
        """Returns PCollection[Range] -> PCollection of documents or Pairs, Rejects and RangeEnds."""


class Source(Readable):
    """An input that is ready to be read, of a kind that a job can name.

    Class attributes:
        NAME: the value of ``--source``.
        HELP: what the input is, for ``--help``.
        CONFIG: the class of its configuration, which declares its options.
        NEEDS_INPUT: whether ``--input`` has to name something; a source that makes its documents takes no input.
        MARKUPS: the forms that its texts may have, as ``gistmill.core.options`` names them; empty for parsed
        documents. DOCUMENT: class of the documents that reading gives: RawDocument, which are cleaned and then
        annotated or
            segmented, AnnotatedDocument, which are not, or Pair.
        REASONS: the enumerations of reasons for which reading rejects documents.
        DEDUPLICATE: the default of ``--deduplicate``: news is syndicated, an encyclopedia is not.
    """

    NAME: ClassVar[str]
    HELP: ClassVar[str]
    CONFIG: ClassVar[type[SourceConfig]] = SourceConfig
    NEEDS_INPUT: ClassVar[bool] = True
    MARKUPS: ClassVar[frozenset[str]] = frozenset()
    DOCUMENT: ClassVar[type] = RawDocument
    REASONS: ClassVar[tuple[type[Reason], ...]] = (ReadReason,)
    DEDUPLICATE: ClassVar[str] = "near"

    @classmethod
    @abstractmethod
    def open(cls, patterns: Sequence[str], config: Any) -> Self:
        """Expands the input names and looks at the beginning of every file.

        Args:
            patterns: paths, globs, or comma lists of them; empty if the source takes no input.
            config: of the class CONFIG.

        Raises:
            SourceError: an input cannot be read; the message names it.
        """

    @classmethod
    @abstractmethod
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        """Returns licence and attribution of what the inputs hold."""

    @classmethod
    def models(cls, patterns: Sequence[str]) -> list[Mapping[str, Any]]:
        """Returns the models that made what the inputs hold, as the manifest lists them."""
        return []

    @classmethod
    def dumps(cls, patterns: Sequence[str]) -> list[DumpEntry]:
        """Returns the dumps of wikis among the inputs, or among what made the inputs, as far as is known."""
        return []

    @classmethod
    def crawls(cls, patterns: Sequence[str]) -> list[CrawlEntry]:
        """Returns the months of crawls of which files are among the inputs, or among what made them, as far as is
        known."""
        return []


class PlanRanges(beam.PTransform):
    """Makes the ranges of a source that reads no files, which are known when the graph is built.

    Returns (from expand): outputs ``ranges`` (PCollection[Range]) and SOURCES, which is empty.
    """

    def __init__(self, ranges: Sequence[Range]) -> None:
        super().__init__()
        self._known = [(place.key, place) for place in ranges]

    def expand(self, begin: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        return (
            begin
            | "Known" >> Given(self._known)
            | "Plan" >> beam.FlatMap(_range_of).with_outputs(SOURCES, main="ranges")
        )


def _range_of(keyed: tuple[str, Range]) -> Iterator[Range]:
    yield keyed[1]
