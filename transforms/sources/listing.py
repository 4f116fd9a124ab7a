"""Listings of input files, as Common Crawl publishes them: ``warc.paths`` or ``warc.paths.gz``, a path on each line."""
from __future__ import annotations

import posixpath
import re
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from apache_beam.io.filesystems import FileSystems

from transforms.sources.ranges import InputFile, SourceError, expand_inputs, split_commas
from transforms.sources.streams import GZIP_MAGIC, open_input

_NAME = re.compile(r"\.paths(\.gz)?$")
_MAX_BYTES = 256 << 20
_THREADS = 16


def expand_listed(patterns: Sequence[str], *, prefix: str | None = None) -> tuple[InputFile, ...]:
    """Returns the files that paths, globs, comma lists and listings name: each once, sorted by path.

    Args:
        patterns: as for expand_inputs; a file whose name ends in ``.paths`` or ``.paths.gz`` is a listing.
        prefix: what the entries of listings are relative to, a folder or a URL. By default the folder of the listing; if
            the entries begin with the folders in which the listing itself lies (as Common Crawl's do), the folder above
            these.

    Raises:
        ValueError: a file does not exist, is empty, or is no listing; the message names it.
    """
    sizes: dict[str, int] = {}
    for pattern in split_commas(patterns):
        if _NAME.search(pattern):
            for listing in expand_inputs([pattern]):
                sizes |= _listed(listing.path, prefix)
        else:
            sizes |= {file.path: file.size for file in expand_inputs([pattern])}
    if not sizes:
        raise ValueError("no input file is named")
    return tuple(InputFile(path, sizes[path], index) for index, path in enumerate(sorted(sizes)))


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


def _listed(path: str, prefix: str | None) -> dict[str, int]:
    """Returns the sizes of the files that a listing names."""
    entries = _entries(path)
    base = _base(path, entries[0]) if prefix is None else prefix
    paths = list(dict.fromkeys(e if "://" in e or e.startswith("/") else _joined(base, e) for e in entries))
    with ThreadPoolExecutor(_THREADS) as pool:  # each may be a request to a store
        sizes = dict(zip(paths, pool.map(_size, paths), strict=True))
    for name, size in sizes.items():
        if size is None:
            raise ValueError(f"{path} names {name!r}, which does not exist; entries are relative to {base!r}")
        if not size:
            raise ValueError(f"input file {name!r} is empty")
    return sizes


def _size(path: str) -> int | None:
    """Bytes of a file; None if there is none."""
    found = FileSystems.match([re.sub(r"([*?[])", r"[\1]", path)])[0].metadata_list
    return found[0].size_in_bytes if found else None


def _entries(path: str) -> list[str]:
    with open_input(path) as handle:
        data = handle.read(_MAX_BYTES)
    try:
        if data.startswith(GZIP_MAGIC):
            stream = zlib.decompressobj(wbits=31)
            data = stream.decompress(data, _MAX_BYTES)
            if not stream.eof or stream.unused_data:
                raise SourceError(f"{path}: the listing is cut off, or is larger than a listing can be")
        entries = [line.strip() for line in data.decode("utf-8").splitlines()]
    except (zlib.error, UnicodeDecodeError) as error:
        raise SourceError(f"{path} is no listing of files: {error}") from None
    entries = [entry for entry in entries if entry and not entry.startswith("#")]
    if not entries:
        raise SourceError(f"{path} lists no file")
    return entries


def _base(path: str, entry: str) -> str:
    folder = path[:-len(posixpath.basename(path))].rstrip("/") or ("/" if path.startswith("/") else ".")
    own = posixpath.dirname(entry)
    return folder[:-len(own)] if own and (folder == own or folder.endswith(f"/{own}")) else folder


def _joined(base: str, entry: str) -> str:
    return f"{base.rstrip('/')}/{entry}" if base not in ("", ".") else entry
