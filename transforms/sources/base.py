"""The interface of sources: an input that was expanded and checked, and knows how it is planned and read.

A new source is a subclass in a module of its own and a line in ``registry.py``; jobs and the graph name none. Sources
that read files share FilesSource: one function plans a file, another reads a range of it.
"""

from __future__ import annotations

import dataclasses
import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

import apache_beam as beam
from typing_extensions import override

from gistmill.core.addresses import inside
from gistmill.core.manifest import MANIFEST, CrawlEntry, DumpEntry, Manifest, ManifestError, ModelEntry
from gistmill.core.options import Options, option
from gistmill.core.records import Damage, RangeEnd, Reason
from gistmill.core.statistics import ConfigSchema
from gistmill.core.values import whole
from gistmill.rules.documents import RawDocument, ReadReason
from gistmill.transforms.beam.transforms import CreateConstants, ReshuffleByKey
from gistmill.transforms.io import exists, is_url, join, open_input, sha256_of
from gistmill.transforms.sources.files.ranges import UNREAD, FileRange, InputFile, Range, SourceError, SourceFile

SOURCES = "sources"  # the output of a plan that holds its SourceFiles
_WANTED_RANGES = 32  # a small input is cut finer, so that it too keeps many workers busy


@dataclass(frozen=True, kw_only=True)
class SourceConfig(Options):
    """The options of every source."""

    GROUP: ClassVar[str] = "input"

    limit: int | None = option(whole(1), unit="documents", help="read only the first N documents, by file and offset")


@dataclass(frozen=True, kw_only=True)
class FilesConfig(SourceConfig):
    """The options of sources that cut files into ranges of bytes.

    Class attributes:
        RANGE_BYTES: the most bytes of a range if ``range_bytes`` is not given.
    """

    RANGE_BYTES: ClassVar[int] = 16 << 20

    range_bytes: int | None = option(
        whole(1),
        unit="bytes",
        metavar="BYTES",
        help="number of compressed bytes that a worker reads at a time (default: depends on the input size)",
    )

    @property
    def most_range_bytes(self) -> int:
        """The most bytes that one range should have."""
        return self.range_bytes or self.RANGE_BYTES

    def target_bytes(self, size: int, *, smallest: int, ratio: int = 1) -> int:
        """Returns the bytes that each range of a file of ``size`` bytes should have.

        Args:
            size: bytes of the file.
            smallest: bytes under which a range is not worth its cost, unless ``range_bytes`` asks for fewer.
            ratio: bytes of the file for each byte that ``range_bytes`` counts, which are compressed ones.
        """
        upper = self.most_range_bytes * ratio
        return min(max(size // _WANTED_RANGES, min(smallest, upper)), upper)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin and licence of the inputs' text, for the manifest and the dataset card, as far as known.

    Attributes:
        licence: an identifier of the Hugging Face Hub; "" when unknown.
        attribution: a paragraph.
        models: those that made it, as the manifest lists them.
        dumps: of wikis, among the inputs or what made these.
        crawls: months of crawls of which files are among the inputs or what made these.
    """

    licence: str
    attribution: str
    models: Sequence[Mapping[str, Any]] = ()
    dumps: Sequence[DumpEntry] = ()
    crawls: Sequence[CrawlEntry] = ()


def manifest_of(folder: str) -> Manifest | None:
    """Returns the manifest of the dataset at a folder or URL; None where there is none.

    Raises:
        SourceError: it cannot be read.
    """
    if not exists(join(folder, MANIFEST)):
        return None
    with open_input(below(folder, MANIFEST)) as file:
        try:
            return Manifest.read(file)
        except ManifestError as error:
            raise SourceError(f"{folder}: {error}") from None


def below(folder: str, path: str) -> str:
    """Returns the path of a file of a dataset.

    Args:
        folder: folder or URL of the dataset.
        path: below it, as a manifest has it.

    Raises:
        SourceError: on a local disk, a link leads out of the folder (gistmill.core.addresses).
    """
    if not is_url(folder):
        try:
            inside(folder, path)
        except OSError as error:
            raise SourceError(f"{folder}: {error}") from None
    return join(folder, *path.split("/"))


def provenance_of(manifests: Iterable[Manifest]) -> Provenance:
    """Returns the origin of the text of datasets: every attribution, a licence where all have the same, and the
    models, dumps and crawls that their manifests have, each once. No dataset says nothing."""
    known = list(manifests)
    licences = {m.licence for m in known}
    attributions = dict.fromkeys(m.attribution for m in known if m.attribution)
    licence = licences.pop() if len(licences) == 1 else "other" if licences else ""
    models: list[Mapping[str, Any]] = []
    for manifest in known:
        models += [m for m in map(ModelEntry.to_json, manifest.models) if m not in models]
    dumps, crawls = dict.fromkeys(d for m in known for d in m.dumps), dict.fromkeys(c for m in known for c in m.crawls)
    return Provenance(licence, "\n\n".join(attributions), models, [*dumps], [*crawls])


class Readable(ABC):
    """The inputs of a graph.

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
        HELP: the kind of input, for ``--help``.
        CONFIG: the class of its configuration, which declares its options.
        NEEDS_INPUT: whether ``--input`` has to name something; a source that makes its documents takes no input.
        MARKUPS: the forms that its texts may have, as ``gistmill.core.options`` names them; empty for parsed documents.
        DOCUMENT: class of the documents that reading gives: RawDocument, which are cleaned and then annotated or
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
        """Returns the origin of the inputs' text.

        Raises:
            SourceError: a note or manifest that is kept with an input cannot be read.
        """


class PlanRanges(beam.PTransform):
    """Makes the ranges of a source that reads no files, which are known when the graph is built.

    Returns (from expand): outputs ``ranges`` (PCollection[Range]) and SOURCES, which is empty.
    """

    def __init__(self, ranges: Sequence[Range]) -> None:
        super().__init__()
        self._ranges = ranges

    def expand(self, begin: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        plan = beam.FlatMap(lambda place: [place]).with_output_types(Range)
        return begin | "Known" >> CreateConstants(self._ranges) | "Plan" >> plan.with_outputs(SOURCES, main="ranges")


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
            | "Files" >> CreateConstants([(f"{group[0].index:05d}", group) for group in self._groups])
            | "Spread" >> ReshuffleByKey(lambda group: group[0])  # a large file is then planned alongside the others
            | "Plan" >> beam.FlatMap(_plan, plan=self._plan).with_outputs(SOURCES, main="ranges")
        )


def _plan(
    group: tuple[str, tuple[InputFile, ...]], *, plan: Callable
) -> Iterator[FileRange | beam.pvalue.TaggedOutput]:
    for made in plan(group[1]):
        yield beam.pvalue.TaggedOutput(SOURCES, made) if isinstance(made, SourceFile) else made


class Checksums(beam.PTransform):
    """Reads the SourceFiles that were not read in planning, for their SHA-256: each in one worker, alongside the
    ranges, if the runner does two steps at once."""

    def expand(self, sources: beam.PCollection) -> beam.PCollection:
        return sources | "Spread" >> ReshuffleByKey(lambda source: source.path) | "Read" >> beam.Map(_with_checksum)


def _with_checksum(source: SourceFile) -> SourceFile:
    return dataclasses.replace(source, sha256=sha256_of(source.path)) if source.sha256 == UNREAD else source


def in_order(
    files: Iterable[InputFile], plan: Callable[..., tuple[Sequence[FileRange], SourceFile, int]], *, limit: int | None
) -> Iterator[FileRange | SourceFile]:
    """Yields each file and its ranges, in order; with a limit only as many as hold the first documents.

    ``plan(file, limit=documents)`` returns the ranges, the file, and how many documents the limit took.
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


def with_end(place: FileRange, elements: Iterable[Any]) -> Iterator[Any]:
    """Yields the documents and rejects of a range, ``max_documents`` at most, then its RangeEnd.

    Args:
        place: the range.
        elements: the documents read there, in order. A Damage goes into the RangeEnd. None is a page outside the wanted
            namespaces, which the RangeEnd counts as read and rejected: an export may have more of those than articles.
    """
    documents, others, damage = 0, 0, list(place.damage)
    for element in elements:
        if isinstance(element, Damage):
            damage.append(element)
            continue
        if element is None:
            others += 1
        else:
            documents += 1
            yield element
        if documents + others == place.max_documents:
            break
    counts = {"documents/read": others, f"documents/rejected/{ReadReason.NAMESPACE.name}": others} if others else {}
    yield RangeEnd(place.key, documents, tuple(damage), counts)


C = TypeVar("C", bound=SourceConfig)
Planner = Callable[[tuple[InputFile, ...]], Iterable[FileRange | SourceFile]]
Reader = Callable[[FileRange], Iterable[Any]]


class FilesSource(Source, Generic[C]):
    """Files that are cut into ranges of bytes or rows.

    Class attributes:
        PROVENANCE: rights in the text, whatever the files are.
        PLAN: ``PLAN(file, config, workspace=folder of the run, limit=documents or None)`` returns the ranges of a file
            in order, its entry in the manifest, and the number of documents up to the limit. Workers call it. It raises
            SourceError where the file cannot be read at all.
        READ: ``READ(range, config)`` yields the documents and rejects of a range, in order, then one RangeEnd.

    Attributes:
        config: of the class CONFIG.
    """

    PROVENANCE: ClassVar[Provenance]
    PLAN: ClassVar[Callable[..., tuple[Sequence[FileRange], SourceFile, int]]]
    READ: ClassVar[Callable[..., Iterator[Any]]]

    def __init__(self, files: Sequence[InputFile], config: C) -> None:
        self.files = tuple(files)
        self.config = config

    @classmethod
    @override
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        return cls.PROVENANCE

    def planner(self, workspace: str) -> Planner:
        """Returns the function from files, in order, to their ranges and SourceFiles; workers call it."""
        plan = functools.partial(type(self).PLAN, config=self.config, workspace=workspace)
        return functools.partial(in_order, plan=plan, limit=self.config.limit)

    def reader(self) -> Reader:
        """Returns the function from a range to its documents and rejects, in order, and one RangeEnd at the end."""
        return functools.partial(type(self).READ, config=self.config)

    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """Returns a small range with the document that begins at an offset, as origins count it; None where the file
        has to be read from its beginning to get there. Others may be in the range, before and after it."""
        return None

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        """Raises ValueError if there are no files."""
        return PlanFiles(self.files, self.planner(workspace), together=self.config.limit is not None)

    @override
    def read(self) -> beam.PTransform:
        return beam.FlatMap(self.reader())
