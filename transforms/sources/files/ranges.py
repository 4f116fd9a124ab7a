"""Input files, including those named in listings, and their ranges, each of which a worker can read independently."""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Self

from gistmill.core.records import Damage
from gistmill.transforms.io import exists, is_url, matching, open_input, size_of
from gistmill.transforms.sources.files.sniff import GZIP_MAGIC


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """A part of the input, with the attributes used to plan, resume and distribute work; sources add those for reading.

    Attributes:
        key: unique key, stable for the same input and configuration; keys sort in document order.
        size: amount of work for scheduling, such as the expected bytes of text.
    """

    key: str
    size: int


_PAGES_NAME = re.compile(
    r"(.*-[0-9]{4}-[0-9]{2}-[0-9]{2}-p)([0-9]{1,15})[pr]([0-9]{1,15})(?:r([0-9]{1,15}))?\.xml\.bz2"
)
UNREAD = ""
# For inputs that cannot be opened twice.
_PIPED = "its parts are read separately: write it to a file first (cat > input.dat) and use that (--input input.dat)"
_INDEX_NAME = re.compile(r"-multistream-index\d*\.txt(-p\d+p\d+)?(\.bz2)?$")


class SourceError(ValueError):
    """An input cannot be read at all: it is of the wrong type, malicious, or over a limit."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read; ``index`` is its position in the order of files."""

    path: str
    size: int
    index: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that was read, for the manifest. ``sha256`` is None if a limit made it unnecessary to read the whole file,
    and UNREAD until Checksums has computed it."""

    path: str
    size: int
    sha256: str | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRange(Range):
    """A part of a file, including all documents that begin in it. Keys sort by file and offset; the size is the
    expected number of bytes of text.

    Attributes:
        file: path of the input file (lineage).
        path: file that contains the bytes: ``file``, or a chunk of its text in the workspace.
        kind: how the bytes are stored: ``plain``, ``bz2`` (blocks), ``gzip``, ``zstd``, ``xz``, ``chunk`` (spooled
            pages), or a kind of WARC file.
        start, end: the range [start, end) in bytes of ``file``; in bytes of text for spooled files; in row groups for
            Parquet files.
        last: in dumps, whether this is the last range of the file.
        max_documents: maximum number of documents to read; None for all.
        damage: damage found when the chunk was written.
        first_line: number of the line at ``start``, in files of lines.
        base: in dumps that give it, the URL of the wiki's main page.
        namespaces: in dumps that give them, numbers and names of the wiki's file, category and media namespaces.
        superseded: in snapshots, offsets of lines whose page also occurs in another line, in a newer version.
    """

    file: str
    path: str
    kind: str
    start: int
    end: int
    last: bool = False
    max_documents: int | None = None
    damage: tuple[Damage, ...] = field(default=())
    first_line: int = 1
    base: str = ""
    namespaces: tuple[tuple[int, str], ...] = ()
    superseded: tuple[int, ...] = ()

    @classmethod
    def part(cls, file: InputFile, start: int, end: int, *, kind: str, **more: Any) -> Self:
        """Returns the range [start, end) of a file. Unless ``more`` overrides them, its path is the file's path and its
        size is ``end - start``."""
        values = {"path": file.path, "size": end - start, **more}
        return cls(key=range_key(file.index, start), file=file.path, kind=kind, start=start, end=end, **values)


def range_key(index: int, start: int) -> str:
    """Returns the key of the range that begins at ``start`` in file number ``index``."""
    return f"{index:05d}-{start:015d}"


def expand_inputs(patterns: str | Iterable[str], *, take_empty: bool = False) -> tuple[InputFile, ...]:
    """Returns the files matched by paths, globs or comma-separated lists of them, sorted as by ``in_pages``.

    Index files of multistream dumps are left out if matched by a glob. ``take_empty`` allows empty files.

    Raises:
        ValueError: a pattern matches nothing, a file is empty, or a file name is not UTF-8; the message names it.
    """
    sizes: dict[str, int] = {}
    for pattern in split_commas([patterns] if isinstance(patterns, str) else patterns):
        sizes |= _matching_files(pattern)
    if not sizes:
        raise SourceError("no input file is specified")
    for path, size in sizes.items():
        if any("\ud800" <= character <= "\udfff" for character in path):  # bytes that are not UTF-8
            raise SourceError(f"the name of input file {path!r} is not UTF-8; rename it")
        if not is_url(path) and not os.path.isfile(path):
            raise SourceError(f"input {path!r} is not a regular file; {_PIPED}")
        if not size and not take_empty:
            raise SourceError(f"input file {path!r} is empty")
    return tuple(InputFile(path, sizes[path], index) for index, path in enumerate(sorted(sizes, key=in_pages)))


def in_pages(path: str) -> tuple[str, tuple[int, ...], str]:
    """Returns a sort key: the path, except that content file exports (``-p9p99.xml.bz2``) sort by first page."""
    found = _PAGES_NAME.fullmatch(path)
    if found is None:
        return path, (), ""
    return found[1], tuple(int(number or 0) for number in found.groups()[1:]), path


def _matching_files(pattern: str) -> dict[str, int]:
    size = size_of(pattern)
    if size is not None:  # an existing file, even if its name contains glob characters
        return {pattern: size}
    found = {path: n for path, n in matching(pattern).items() if not _INDEX_NAME.search(posixpath.basename(path))}
    if not found and not is_url(pattern) and os.path.isdir(pattern):
        raise SourceError(_folder(pattern))
    if not found and pattern == "-":
        raise SourceError(f"standard input is not a file; {_PIPED}")
    if not found:
        raise SourceError(f"no input file matches {pattern!r}")
    return found


def _folder(path: str) -> str:
    """Returns the error message for a folder specified as an input."""
    try:
        names = os.listdir(path)
    except OSError:
        names = []
    if "manifest.json" in names:
        return f"{path!r} is a published dataset; --source annotated reads datasets made by gistmill annotate"
    if names and {os.path.splitext(name)[1].lower() for name in names} <= {".txt", ".md"}:
        return f"{path!r} is a folder of texts; did you mean --source text?"
    return f"{path!r} is a folder; specify its files, for example {posixpath.join(path, '*')!r}"


def split_commas(patterns: Iterable[str]) -> Iterable[str]:
    """Yields the parts of comma-separated lists; a pattern that is the path of an existing file is not split."""
    for pattern in patterns:
        if "," in pattern and exists(pattern):  # file names may contain commas
            yield pattern
            continue
        yield from (part.strip() for part in pattern.split(",") if part.strip())


_LISTING = re.compile(r"\.paths(\.gz)?$")
_MOST_LISTED = 256 << 20
_THREADS = 16


def expand_listed(patterns: Sequence[str], *, prefix: str | None = None) -> tuple[InputFile, ...]:
    """Returns the files matched by paths, globs, comma-separated lists and listings, sorted by path.

    Args:
        patterns: as for expand_inputs; a file whose name ends in ``.paths`` or ``.paths.gz`` is a listing.
        prefix: folder or URL that the entries of listings are relative to. The default is the listing's folder or, if
            the entries begin with that folder's path (as Common Crawl's do), the parent of that path.

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
        raise SourceError("no input file is specified")
    return tuple(InputFile(path, sizes[path], index) for index, path in enumerate(sorted(sizes)))


def is_listing(path: str) -> bool:
    """Whether a file is a listing, according to its name."""
    return bool(_LISTING.search(path))


def shared_names(files: Iterable[InputFile]) -> frozenset[str]:
    """Returns the names (last parts of paths) shared by more than one file."""
    counts = Counter(posixpath.basename(file.path) for file in files)
    return frozenset(name for name, count in counts.items() if count > 1)


def label_of(path: str, shared: frozenset[str]) -> str:
    """Returns a unique label for an input file: its name, or its path if another file has the same name."""
    name = posixpath.basename(path)
    return path if name in shared else name


def public_label(path: str, shared: frozenset[str]) -> str:
    """Returns a unique label for use in published ids: the name, plus a hash of the path if the name is not unique."""
    label, name = label_of(path, shared), posixpath.basename(path)
    digest = hashlib.blake2b(path.encode("utf-8", "surrogateescape"), digest_size=4).hexdigest()
    return name if label == name else f"{name}-{digest}"


def _listed(path: str, prefix: str | None) -> dict[str, int]:
    """Returns path -> size in bytes of the files in a listing."""
    with open_input(path) as handle:
        entries = entries_of(text_of(handle.read(_MOST_LISTED), path), path)
    base = _base_of(path, entries[0]) if prefix is None else prefix
    start = f"{base.rstrip('/')}/" if base not in ("", ".") else ""
    paths = list(dict.fromkeys(e if is_url(e) or e.startswith("/") else start + e for e in entries))
    with ThreadPoolExecutor(_THREADS) as pool:  # each may be a request to a store
        sizes = dict(zip(paths, pool.map(size_of, paths), strict=True))
    for name, size in sizes.items():
        if size is None:
            raise SourceError(f"{path} lists {name!r}, which does not exist; entries are relative to {base!r}")
        if not size:
            raise SourceError(f"input file {name!r} is empty")
    return {name: size for name, size in sizes.items() if size}


def text_of(data: bytes, path: str) -> bytes:
    """Returns the text of a listing, decompressed if necessary. Raises SourceError, with ``path``, if that fails."""
    try:
        if data.startswith(GZIP_MAGIC):
            stream = zlib.decompressobj(wbits=31)
            data = stream.decompress(data, _MOST_LISTED)
            if not stream.eof or stream.unused_data:
                raise SourceError(f"{path}: the listing is truncated or too large")
    except zlib.error as error:
        raise SourceError(f"{path} is not a file listing: {error}") from None
    return data


def entries_of(text: bytes, path: str) -> list[str]:
    """Returns the entries of a listing in order. Raises SourceError, with ``path``, if it is empty or not text."""
    try:
        entries = [line.strip() for line in text.decode("utf-8").splitlines()]
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is not a file listing: {error}") from None
    entries = [entry for entry in entries if entry and not entry.startswith("#")]
    if not entries:
        raise SourceError(f"{path} lists no files")
    return entries


def _base_of(path: str, entry: str) -> str:
    folder = path[: -len(posixpath.basename(path))].rstrip("/") or ("/" if path.startswith("/") else ".")
    own = posixpath.dirname(entry)
    return folder[: -len(own)] if own and (folder == own or folder.endswith(f"/{own}")) else folder
