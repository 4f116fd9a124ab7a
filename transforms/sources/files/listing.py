"""Listings of input files, as Common Crawl publishes them: ``warc.paths`` or ``warc.paths.gz``, a path on each line."""

from __future__ import annotations

import hashlib
import posixpath
import re
import zlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from gistmill.transforms.io import is_url, open_input, size_of
from gistmill.transforms.sources.files.ranges import InputFile, SourceError, expand_inputs, split_commas
from gistmill.transforms.sources.files.streams import GZIP_MAGIC

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
    paths = list(dict.fromkeys(e if is_url(e) or e.startswith("/") else _joined(base, e) for e in entries))
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


def _joined(base: str, entry: str) -> str:
    return f"{base.rstrip('/')}/{entry}" if base not in ("", ".") else entry
