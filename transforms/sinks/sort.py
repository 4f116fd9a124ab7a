"""The external sort: sorted runs of rows in files, merged a limited number at a time, and sorted tables in parts.

The rows of a dataset are bytes, and their sorted runs are spills: blocks, a block index and a trailer. A block contains
about 256 KB of rows; keys (ids) and values are compressed separately, each with a checksum. Ids can therefore be read
without the rows, and reading can begin at the block where an id belongs. A file without a trailer, or of a different
size than announced, is an error: a partial file is never read as a complete one.

Numbers and keys that are sorted between two passes are tables. A step writes one file, with a part for each receiver,
and emits the positions of the parts, keyed by receiver. Only these are grouped. Each attempt at a step uses new file
names, so repeating a step does no harm.
"""

from __future__ import annotations

import bisect
import heapq
import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, TypeVar

import pyarrow as pa
import zstandard

from gistmill.transforms.io import create, open_input
from gistmill.transforms.layout import WorkspaceLayout

FAN_IN = 64  # spill files open at once
BLOCK_BYTES = 256 * 1024
_MAGIC = b"GISTRUN2"
_TRAILER = struct.Struct("<2Q8s")  # start of the index; rows; magic word


class SpillFileError(RuntimeError):
    """A spill is missing, incomplete or damaged."""


@dataclass(frozen=True, slots=True)
class SpillFile:
    """A finished spill: sorted rows of one bucket (``CONFIG/SPLIT`` or ``rejects``).

    ``bytes`` is the file's size, ``raw_bytes`` the size of its keys and values.
    """

    path: str
    bucket: str
    rows: int
    bytes: int
    raw_bytes: int
    first_id: str
    last_id: str


class SpillWriter:
    """A writer for one spill; rows must be added in order of (key, value)."""

    def __init__(self, path: str, bucket: str) -> None:
        self._path, self._bucket = path, bucket
        self._file = create(path)
        self._pack = zstandard.ZstdCompressor(level=1, write_checksum=True).compress
        self._size = self._file.write(_MAGIC)
        self._keys: list[bytes] = []
        self._values: list[bytes] = []
        self._block_bytes = 0
        self._index: list[tuple[int, int, int, int, str]] = []  # offset, rows, bytes of keys, of values, first key
        self._rows = self._raw_bytes = 0
        self._last = b""

    def add(self, key: bytes, value: bytes) -> None:
        """Adds a row."""
        if key < self._last:
            raise ValueError(f"{self._path}: {key!r} comes after {self._last!r}")
        self._last = key
        self._keys.append(key)
        self._values.append(value)
        self._block_bytes += len(key) + len(value)
        if self._block_bytes >= BLOCK_BYTES:
            self._flush()

    def close(self) -> SpillFile:
        """Completes the file and returns its description."""
        self._flush()
        index = self._pack(json.dumps(self._index, ensure_ascii=False).encode("utf-8"))
        end = index + _TRAILER.pack(self._size, self._rows, _MAGIC)
        self._file.write(end)
        self._file.close()
        first = self._index[0][-1] if self._index else ""
        size = self._size + len(end)
        return SpillFile(self._path, self._bucket, self._rows, size, self._raw_bytes, first, self._last.decode("utf-8"))

    def _flush(self) -> None:
        if not self._keys:
            return
        keys, values = (
            self._pack(struct.pack(f"<{len(parts)}I", *map(len, parts)) + b"".join(parts))
            for parts in (self._keys, self._values)
        )
        self._index.append((self._size, len(self._keys), len(keys), len(values), self._keys[0].decode("utf-8")))
        self._file.write(keys + values)
        self._size += len(keys) + len(values)
        self._rows += len(self._keys)
        self._raw_bytes += self._block_bytes
        self._keys, self._values, self._block_bytes = [], [], 0


class SpillReader:
    """A reader for one spill, used as a context manager.

    Raises:
        SpillFileError: on opening or reading, if the file is not exactly as it was written.
    """

    def __init__(self, spill: SpillFile) -> None:
        self._spill = spill
        self._unpack = zstandard.ZstdDecompressor().decompress
        try:
            self._file = open_input(spill.path)
        except OSError as error:
            raise SpillFileError(f"spill {spill.path} cannot be opened: {error}") from error
        try:
            self._blocks = self._read_index()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> SpillReader:
        return self

    def __exit__(self, *_: Any) -> None:
        self._file.close()

    def rows(self, lower: bytes = b"", upper: bytes | None = None) -> Iterator[tuple[bytes, bytes]]:
        """Yields (key, value) with ``lower`` <= key < ``upper``, in order."""
        firsts = [first.encode("utf-8") for *_, first in self._blocks]
        # equal keys may span several blocks, so begin before the first block that starts with `lower`
        begin = max(bisect.bisect_left(firsts, lower) - 1, 0)
        end = len(firsts) if upper is None else bisect.bisect_left(firsts, upper)
        for offset, rows, key_bytes, value_bytes, _ in self._blocks[begin:end]:
            keys = self._read(offset, key_bytes, rows)
            values = self._read(offset + key_bytes, value_bytes, rows)
            start = bisect.bisect_left(keys, lower)
            stop = len(keys) if upper is None else bisect.bisect_left(keys, upper)
            yield from zip(keys[start:stop], values[start:stop], strict=True)

    def keys(self) -> Iterator[bytes]:
        """Yields every key, in order, without reading values."""
        for offset, rows, key_bytes, _, _ in self._blocks:
            yield from self._read(offset, key_bytes, rows)

    def _read(self, offset: int, size: int, rows: int) -> list[bytes]:
        data = self._unpacked(offset, size)
        ends = accumulate(struct.unpack_from(f"<{rows}I", data), initial=4 * rows)
        return [data[start:stop] for start, stop in pairwise(ends)]

    def _unpacked(self, offset: int, size: int) -> bytes:
        self._file.seek(offset)
        packed = self._file.read(size)
        try:
            if len(packed) == size:
                return self._unpack(packed, allow_extra_data=False)
        except zstandard.ZstdError as error:
            raise SpillFileError(f"spill {self._spill.path} is damaged at byte {offset}: {error}") from error
        raise SpillFileError(f"spill {self._spill.path} is truncated")

    def _read_index(self) -> list[tuple[int, int, int, int, str]]:
        end = self._spill.bytes - _TRAILER.size
        if end < len(_MAGIC):
            raise SpillFileError(f"spill {self._spill.path} is too short")
        self._file.seek(end)
        tail = self._file.read(_TRAILER.size + 1)
        if len(tail) != _TRAILER.size:
            raise SpillFileError(f"spill {self._spill.path} is not {self._spill.bytes} bytes long, as written")
        offset, rows, magic = _TRAILER.unpack(tail)
        if magic != _MAGIC or rows != self._spill.rows or not len(_MAGIC) <= offset < end:
            raise SpillFileError(f"spill {self._spill.path} does not end in a valid trailer")
        return json.loads(self._unpacked(offset, end - offset))


def merged_rows(
    spills: Sequence[SpillFile], lower: bytes = b"", upper: bytes | None = None
) -> Iterator[tuple[bytes, bytes]]:
    """Yields (key, value) from all spills in order, with ``lower`` <= key < ``upper``, in bounded memory."""
    with ExitStack() as stack:
        yield from heapq.merge(*(stack.enter_context(SpillReader(s)).rows(lower, upper) for s in spills))


def merged_keys(spills: Sequence[SpillFile]) -> Iterator[bytes]:
    """Yields the keys of all spills in order."""
    with ExitStack() as stack:
        yield from heapq.merge(*(stack.enter_context(SpillReader(s)).keys() for s in spills))


def all_keys(spills: Iterable[SpillFile]) -> Iterator[bytes]:
    """Yields the keys of one spill after another, unsorted, with one file open at a time."""
    for spill in spills:
        with SpillReader(spill) as reader:
            yield from reader.keys()


def merge_to_spill(bucket: str, spills: Sequence[SpillFile], path: str) -> SpillFile:
    """Merges a bucket's spills into one new spill at ``path``."""
    writer = SpillWriter(path, bucket)
    for key, value in merged_rows(spills):
        writer.add(key, value)
    return writer.close()


def plan_steps(spills: Iterable[SpillFile], *, fan_in: int = FAN_IN) -> Iterator[tuple[SpillFile, ...]]:
    """Yields groups of a bucket's spills to merge into one; groups of one spill if there are few enough."""
    ordered = sorted(spills, key=lambda s: (s.first_id, s.path))
    size = 1 if len(ordered) <= fan_in else fan_in
    for start in range(0, max(len(ordered), 1), size):  # keep a bucket without spills
        yield tuple(ordered[start : start + size])


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A table in a file.

    Attributes:
        index: the path of the list that numbers its rows (``transforms/range_files.py``).
        path, start, size: the file, and the position of the table in bytes.
        rows: the number of rows in the table.
    """

    index: str
    path: str
    start: int
    size: int
    rows: int


K = TypeVar("K")  # the key of a part


def write_parts(layout: WorkspaceLayout, index: str, tables: Iterable[tuple[K, pa.Table]]) -> list[tuple[K, Part]]:
    """Writes tables one after another to one new file; returns their positions by key."""
    path, found, start = layout.new_comparison("parts"), list[tuple[K, Part]](), 0
    with create(path) as file:
        for key, table in tables:
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as stream:
                stream.write_table(table)
            size = file.write(memoryview(sink.getvalue()))
            found.append((key, Part(index=index, path=path, start=start, size=size, rows=len(table))))
            start += size
    return found


def read_parts(parts: Iterable[Part]) -> pa.Table:
    """Returns the tables of at least one part as a single table, in order of position."""
    tables = []
    for part in sorted(parts, key=lambda p: (p.path, p.start)):
        with open_input(part.path) as file:
            file.seek(part.start)
            data = file.read(part.size)
        if len(data) != part.size:
            raise OSError(f"{part.path} ends before byte {part.start + part.size}")
        tables.append(pa.ipc.open_stream(data).read_all())
    return pa.concat_tables(tables)


def sent_to(values: Iterable[str | Part]) -> tuple[str, list[Part]]:
    """Returns the path of the list and the parts among the values grouped under a chunk's key; the path occurs once."""
    found = list(values)
    (index,) = (value for value in found if isinstance(value, str))
    return index, [value for value in found if isinstance(value, Part)]
