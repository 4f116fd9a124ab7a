"""The base of sources that read files: one function plans the files, another reads a range of them."""

from __future__ import annotations

import dataclasses
import hashlib
import posixpath
import re
import zlib
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Generic, TypeVar

import apache_beam as beam
from typing_extensions import override

from gistmill.transforms.beam.transforms import Given, Spread
from gistmill.transforms.io import is_url, open_input, sha256_of, size_of
from gistmill.transforms.sources.base import SOURCES, Provenance, Source
from gistmill.transforms.sources.config import SourceConfig
from gistmill.transforms.sources.files.ranges import (
    UNREAD,
    FileRange,
    InputFile,
    SourceError,
    SourceFile,
    expand_inputs,
    range_key,
    split_commas,
)
from gistmill.transforms.sources.files.streams import GZIP_MAGIC


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
    @override
    def provenance(cls, patterns: Sequence[str]) -> Provenance:
        return cls.PROVENANCE

    @abstractmethod
    def planner(self, workspace: str) -> Planner:
        """Returns the function from files, in order, to their ranges and SourceFiles; workers call it."""

    @abstractmethod
    def reader(self) -> Reader:
        """Returns the function from a range to its documents and rejects, in order, and one RangeEnd at the end."""

    def range_at(self, file: InputFile, offset: int) -> FileRange | None:
        """Returns a small range with the document that begins at an offset, as origins count it; None where the file
        has to be read from its beginning to get there. Others may be in the range, before and behind it."""
        return None

    @override
    def plan(self, workspace: str) -> beam.PTransform:
        """Raises ValueError if there are no files."""
        return PlanFiles(self.files, self.planner(workspace), together=self.config.limit is not None)

    @override
    def read(self) -> beam.PTransform:
        return beam.FlatMap(self.reader())


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


_NAME = re.compile(r"\.paths(\.gz)?$")
_MAX_BYTES = 256 << 20
_THREADS = 16


def expand_listed(patterns: Sequence[str], *, prefix: str | None = None) -> tuple[InputFile, ...]:
    """Returns the files that paths, globs, comma lists and listings name: each once, sorted by path.

    Args:
        patterns: as for expand_inputs; a file whose name ends in ``.paths`` or ``.paths.gz`` is a listing.
        prefix: the folder or URL that the entries of listings are relative to. By default it is the folder of the
            listing. If the entries begin with the folders in which the listing itself lies (as Common Crawl's do), it
            is the folder above these.

    Raises:
        ValueError: a file does not exist, is empty, or is not a listing; the message names it.
    """
    sizes: dict[str, int] = {}
    for pattern in split_commas(patterns):
        if is_listing(pattern):
            for listing in expand_inputs([pattern]):
                sizes |= _listed(listing.path, prefix)
        else:
            sizes |= {file.path: file.size for file in expand_inputs([pattern])}
    if not sizes:
        raise SourceError("no input file is named")
    return tuple(InputFile(path, sizes[path], index) for index, path in enumerate(sorted(sizes)))


def is_listing(path: str) -> bool:
    """Whether a name is one that listings have."""
    return bool(_NAME.search(path))


def shared_names(files: Iterable[InputFile]) -> frozenset[str]:
    """Returns the names (last parts of paths) that more than one file has."""
    seen: set[str] = set()
    twice: set[str] = set()
    for file in files:
        name = posixpath.basename(file.path)
        (twice if name in seen else seen).add(name)
    return frozenset(twice)


def label_of(path: str, shared: frozenset[str]) -> str:
    """Returns what tells a file from the other inputs: its name, its path if others have the same name."""
    name = posixpath.basename(path)
    return path if name in shared else name


def public_label(path: str, shared: frozenset[str]) -> str:
    """Returns the same for ids that people read: no folder shows, a hash of the path stands for it."""
    label, name = label_of(path, shared), posixpath.basename(path)
    digest = hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    return name if label == name else f"{name}-{digest}"


def _listed(path: str, prefix: str | None) -> dict[str, int]:
    """Returns the sizes of the files that a listing names."""
    with open_input(path) as handle:
        entries = entries_of(text_of(handle.read(_MAX_BYTES), path), path)
    base = _base(path, entries[0]) if prefix is None else prefix
    start = f"{base.rstrip('/')}/" if base not in ("", ".") else ""
    paths = list(dict.fromkeys(e if is_url(e) or e.startswith("/") else start + e for e in entries))
    with ThreadPoolExecutor(_THREADS) as pool:  # each may be a request to a store
        sizes = dict(zip(paths, pool.map(size_of, paths), strict=True))
    known = {name: size for name, size in sizes.items() if size is not None}
    for name, size in sizes.items():
        if size is None:
            raise SourceError(f"{path} names {name!r}, which does not exist; entries are relative to {base!r}")
        if not size:
            raise SourceError(f"input file {name!r} is empty")
    return known


def text_of(data: bytes, path: str) -> bytes:
    """Returns the text of a listing, unpacked if it is packed. ``path`` is for messages.

    Raises:
        SourceError: it cannot be unpacked.
    """
    try:
        if data.startswith(GZIP_MAGIC):
            stream = zlib.decompressobj(wbits=31)
            data = stream.decompress(data, _MAX_BYTES)
            if not stream.eof or stream.unused_data:
                raise SourceError(f"{path}: the listing is cut off, or is larger than a listing can be")
    except zlib.error as error:
        raise SourceError(f"{path} is not a listing of files: {error}") from None
    return data


def entries_of(text: bytes, path: str) -> list[str]:
    """Returns the entries of a listing in order. ``path`` is for messages.

    Raises:
        SourceError: it has none, or is not text.
    """
    try:
        entries = [line.strip() for line in text.decode("utf-8").splitlines()]
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is not a listing of files: {error}") from None
    entries = [entry for entry in entries if entry and not entry.startswith("#")]
    if not entries:
        raise SourceError(f"{path} lists no file")
    return entries


def _base(path: str, entry: str) -> str:
    folder = path[: -len(posixpath.basename(path))].rstrip("/") or ("/" if path.startswith("/") else ".")
    own = posixpath.dirname(entry)
    return folder[: -len(own)] if own and (folder == own or folder.endswith(f"/{own}")) else folder
