"""What a source reads: input files, and the ranges of them that workers read alone."""
from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from apache_beam.io.filesystems import FileSystems

from rules.records import Damage
from transforms import s3  # noqa: F401, for what it does to Beam's client

_INDEX_NAME = re.compile(r"-index\d*\.txt(-p\d+p\d+)?(\.bz2)?$")


class SourceError(ValueError):
    """An input that cannot be read at all: not what the source expects, hostile, or over a cap."""


def check_numbers(config: Any, *names: str) -> None:
    """Raises ValueError unless a source's ``limit`` is None or at least 1, and its values of these names are positive."""
    if config.limit is not None and config.limit < 1:
        raise ValueError(f"limit must be at least 1, not {config.limit}; leave it out to read everything")
    for name in names:
        if getattr(config, name) < 1:
            raise ValueError(f"{name} must be positive, not {getattr(config, name)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class WikipediaConfig:
    """How exports are read.

    Attributes:
        namespaces: numbers of the namespaces whose pages are kept.
        limit: read the first ``limit`` pages only, in order of file and offset; None for all.
        range_bytes: compressed bytes that one range should have at most (plain text: four times as many).
        max_page_bytes: a page over this size is rejected as TOO_LARGE and never held in memory.
        max_gap_bytes: text without any page tag over this size is refused (a decompression bomb).

    Raises:
        ValueError: at construction, naming the value.
    """

    namespaces: tuple[int, ...] = (0,)
    limit: int | None = None
    range_bytes: int = 4 << 20
    max_page_bytes: int = 16 << 20
    max_gap_bytes: int = 256 << 20

    def __post_init__(self) -> None:
        object.__setattr__(self, "namespaces", tuple(self.namespaces))
        if not self.namespaces or not all(type(number) is int for number in self.namespaces):
            raise ValueError(f"namespaces must be a non-empty list of integers, not {self.namespaces!r}")
        check_numbers(self, "range_bytes", "max_page_bytes", "max_gap_bytes")
        if self.max_gap_bytes < self.max_page_bytes:
            raise ValueError(f"max_gap_bytes ({self.max_gap_bytes}) is below max_page_bytes ({self.max_page_bytes})")


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read; ``index`` is its place in the order of files."""

    path: str
    size: int
    index: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """What the manifest says of an input. ``sha256`` is None where a limit spared reading the whole file."""

    path: str
    size: int
    sha256: str | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """A piece of an input that one worker reads alone.

    It owns every page whose tag begins in it, wherever that page ends.

    Attributes:
        key: unique, stable for the same input and configuration, sorts in order of file and offset.
        file: path of the input file (lineage).
        path: file that holds the bytes: ``file``, or a chunk of its text in the work space.
        kind: ``plain``, ``bz2`` (whole streams), ``chunk``, ``annotated`` (start and end count row groups), or a kind of
            WARC files or JSON Lines.
        start, end: bytes of ``file``: [start, end); for a chunk, bytes of the file's text.
        size: expected bytes of text, for scheduling.
        last: whether the file ends with this range.
        max_documents: read no more pages than this; None for all.
        damage: what was found damaged here when the chunk was made.
        first_line: number of the line at ``start``, in files of lines.
    """

    key: str
    file: str
    path: str
    kind: str
    start: int
    end: int
    size: int
    last: bool = False
    max_documents: int | None = None
    damage: tuple[Damage, ...] = field(default=())
    first_line: int = 1


def range_key(index: int, start: int) -> str:
    """Returns the key of the range of file number ``index`` that begins at ``start``."""
    return f"{index:05d}-{start:015d}"


def expand_inputs(patterns: str | Iterable[str]) -> tuple[InputFile, ...]:
    """Returns the files that paths, globs or comma lists of them name: each once, sorted by path.

    The indexes of multistream dumps are left out when a glob matched them.

    Raises:
        ValueError: a pattern matches nothing, or a file is empty; the message names it.
    """
    sizes: dict[str, int] = {}
    for pattern in split_commas([patterns] if isinstance(patterns, str) else patterns):
        # A name may hold characters that mean something in globs.
        glob = re.sub(r"([*?[])", r"[\1]", pattern) if FileSystems.exists(pattern) else pattern
        entries = FileSystems.match([glob])[0].metadata_list
        # Folders: local globs match them too.
        found = {entry.path: entry.size_in_bytes for entry in entries if not os.path.isdir(entry.path)}
        if pattern not in found:
            found = {path: size for path, size in found.items() if not _INDEX_NAME.search(posixpath.basename(path))}
        if not found:
            raise ValueError(f"no input file matches {pattern!r}")
        sizes |= found
    if not sizes:
        raise ValueError("no input file is named")
    for path, size in sizes.items():
        if not size:
            raise ValueError(f"input file {path!r} is empty")
    return tuple(InputFile(path, sizes[path], index) for index, path in enumerate(sorted(sizes)))


def split_commas(patterns: Iterable[str]) -> Iterable[str]:
    """Yields the parts of comma lists; a pattern that is the name of a file stays whole."""
    for pattern in patterns:
        if "," in pattern and FileSystems.exists(pattern):  # a comma is a legal character of a file name
            yield pattern
            continue
        yield from (part.strip() for part in pattern.split(",") if part.strip())
