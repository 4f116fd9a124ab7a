"""The interface of sources: inputs that have been expanded and checked, with the functions to plan and read them.

To add a source, write a subclass in its own module and add a line to ``registry.py``; jobs and the graph do not name
sources. Sources that read files extend FilesSource: one function plans a file, another reads one of its ranges.
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

SOURCES = "sources"  # the output of a plan that contains its SourceFiles
_WANTED_RANGES = 32  # small inputs get smaller ranges, to keep many workers busy


@dataclass(frozen=True, kw_only=True)
class SourceConfig(Options):
    """Options common to all sources."""

    GROUP: ClassVar[str] = "input"

    limit: int | None = option(whole(1), unit="documents", help="read only the first N documents, by file and offset")


@dataclass(frozen=True, kw_only=True)
class FilesConfig(SourceConfig):
    """Options of sources that divide files into byte ranges; RANGE_BYTES is the default of ``range_bytes``."""

    RANGE_BYTES: ClassVar[int] = 16 << 20

    range_bytes: int | None = option(
        whole(1),
        unit="bytes",
        metavar="BYTES",
        help="number of compressed bytes that a worker reads at a time (default: depends on the input size)",
    )

    @property
    def most_range_bytes(self) -> int:
        """The maximum number of bytes in a range."""
        return self.range_bytes or self.RANGE_BYTES

    def target_bytes(self, size: int, *, smallest: int, ratio: int = 1) -> int:
        """Returns the target size of a file's ranges in bytes.

        Args:
            size: bytes in the file.
            smallest: minimum number of bytes worth a range, unless ``range_bytes`` is smaller.
            ratio: number of bytes in the file per compressed byte, which ``range_bytes`` counts.
        """
        upper = self.most_range_bytes * ratio
        return min(max(size // _WANTED_RANGES, min(smallest, upper)), upper)


@dataclass(frozen=True, slots=True)
class Provenance:
    """The known origin and licence of the inputs' text, for the manifest and the dataset card.

    Attributes:
        licence: a licence identifier used by the Hugging Face Hub; "" if unknown.
        attribution: paragraphs of text.
        models: records, as in the manifest, of the models that made the inputs.
        dumps: wiki dumps that the inputs belong to or were made from.
        crawls: crawl months that the inputs belong to or were made from.
    """

    licence: str
    attribution: str
    models: Sequence[Mapping[str, Any]] = ()
    dumps: Sequence[DumpEntry] = ()
    crawls: Sequence[CrawlEntry] = ()


def manifest_of(folder: str) -> Manifest | None:
    """Returns the manifest of the dataset at a folder or URL, or None. Raises SourceError if it cannot be read."""
    if not exists(join(folder, MANIFEST)):
        return None
    with open_input(below(folder, MANIFEST)) as file:
        try:
            return Manifest.read(file)
        except ManifestError as error:
            raise SourceError(f"{folder}: {error}") from None


def below(folder: str, path: str) -> str:
    """Returns the full path of a file in a dataset.

    Args:
        folder: folder or URL of the dataset.
        path: the file's path in the manifest.

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
    """Returns the combined provenance of datasets: their distinct attributions, models, dumps and crawls, and their
    common licence or "other"; without datasets, all fields are empty."""
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
        schema: columns of the rows that reading returns; None if it returns documents.
        languages: codes of the text languages that the input declares; empty if it declares none.
    """

    files: tuple[InputFile, ...] = ()
    languages: frozenset[str] = frozenset()
    schema: ConfigSchema | None = None

    @abstractmethod
    def plan(self, workspace: str) -> beam.PTransform:
        """Returns pipeline -> outputs ``ranges`` (PCollection[Range]) and SOURCES (PCollection[SourceFile])."""

    @abstractmethod
    def read(self) -> beam.PTransform:
        """Returns PCollection[Range] -> PCollection of documents or Pairs, Rejects and RangeEnds."""


class Source(Readable):
    """An input that is ready to be read; each subclass is a kind of input.

    Class attributes:
        NAME: the value of ``--source``.
        HELP: description of the input for ``--help``.
        CONFIG: its configuration class, which declares its options.
        NEEDS_INPUT: whether ``--input`` is required; False for a source that generates its documents.
        MARKUPS: possible markups of its texts, as named in ``gistmill.core.options``; empty for parsed documents.
        DOCUMENT: class of the documents that reading returns: RawDocument, which is later cleaned and then annotated or
            segmented, AnnotatedDocument, which is not, or Pair.
        REASONS: enumerations of the reasons for rejecting documents during reading.
        DEDUPLICATE: default of ``--deduplicate``; news is often syndicated, encyclopedia articles are not.
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
        """Expands the input patterns and checks the beginnings of the files.

        Args:
            patterns: paths, globs, or comma-separated lists of them; empty if the source takes no input.
            config: an instance of CONFIG.

        Raises:
            SourceError: an input, named in the message, cannot be read.
        """

    @classmethod
    @abstractmethod
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        """Returns the origin of the inputs' text. Raises SourceError if an input's note or manifest cannot be read."""


class PlanRanges(beam.PTransform):
    """A transform that outputs the ranges of a source without files, which are known when the graph is built.

    Returns (from expand): outputs ``ranges`` (PCollection[Range]) and SOURCES, which is empty.
    """

    def __init__(self, ranges: Sequence[Range]) -> None:
        super().__init__()
        self._ranges = ranges

    def expand(self, begin: beam.pvalue.PBegin) -> beam.pvalue.DoOutputsTuple:
        plan = beam.FlatMap(lambda place: [place]).with_output_types(Range)
        return begin | "Known" >> CreateConstants(self._ranges) | "Plan" >> plan.with_outputs(SOURCES, main="ranges")


class PlanFiles(beam.PTransform):
    """A transform that plans the ranges of files in workers: each file separately, or all together.

    Args:
        files: the files.
        plan: function that returns the Ranges and SourceFiles of files given in order.
        together: whether one worker plans all files in order, as needed for a limit across files.

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
            | "Spread" >> ReshuffleByKey(lambda group: group[0])  # plans a large file in parallel with the others
            | "Plan" >> beam.FlatMap(_plan, plan=self._plan).with_outputs(SOURCES, main="ranges")
        )


def _plan(
    group: tuple[str, tuple[InputFile, ...]], *, plan: Callable
) -> Iterator[FileRange | beam.pvalue.TaggedOutput]:
    for made in plan(group[1]):
        yield beam.pvalue.TaggedOutput(SOURCES, made) if isinstance(made, SourceFile) else made


class Checksums(beam.PTransform):
    """A transform that computes the SHA-256 of SourceFiles not read during planning: each in one worker, in parallel
    with the reading of ranges if the runner can run two steps at once."""

    def expand(self, sources: beam.PCollection) -> beam.PCollection:
        return sources | "Spread" >> ReshuffleByKey(lambda source: source.path) | "Read" >> beam.Map(_with_checksum)


def _with_checksum(source: SourceFile) -> SourceFile:
    return dataclasses.replace(source, sha256=sha256_of(source.path)) if source.sha256 == UNREAD else source


def in_order(
    files: Iterable[InputFile], plan: Callable[..., tuple[Sequence[FileRange], SourceFile, int]], *, limit: int | None
) -> Iterator[FileRange | SourceFile]:
    """Yields each file and its ranges, in order; with a limit, only the ranges that contain the first documents.

    ``plan(file, limit=documents)`` returns the ranges, the file, and the number of documents counted against the limit.
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
    """Yields the documents and rejects of a range, at most ``max_documents``, then its RangeEnd.

    Args:
        place: the range.
        elements: documents, rejects and Damages read from it, in order. A Damage is stored in the RangeEnd. None is a
            page in an excluded namespace, which the RangeEnd only counts as read and rejected, because an export may
            contain more such pages than articles.
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
    """A source whose files are divided into ranges of bytes or rows.

    Class attributes:
        PROVENANCE: provenance of the text, the same for all files.
        PLAN: ``PLAN(file, config, workspace=folder of the run, limit=documents or None)``, called in workers, returns
            a file's ranges in order, its manifest entry, and the number of documents up to the limit. It raises
            SourceError if the file cannot be read at all.
        READ: ``READ(range, config)`` yields the documents and rejects of a range, in order, then one RangeEnd.

    Attributes:
        config: an instance of CONFIG.
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
        """Returns a function, for use in workers, from files in order to their ranges and SourceFiles."""
        plan = functools.partial(type(self).PLAN, config=self.config, workspace=workspace)
        return functools.partial(in_order, plan=plan, limit=self.config.limit)

    def reader(self) -> Reader:
        """Returns a function from a range to its documents and rejects, in order, followed by one RangeEnd."""
        return functools.partial(type(self).READ, config=self.config)

    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """Returns a small range containing the document that begins at an offset (as in Origin), and perhaps others
        before or after it; None if the file can only be read from its beginning."""
        return None

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        """Raises ValueError if there are no files."""
        return PlanFiles(self.files, self.planner(workspace), together=self.config.limit is not None)

    @override
    def read(self) -> beam.PTransform:
        return beam.FlatMap(self.reader())
