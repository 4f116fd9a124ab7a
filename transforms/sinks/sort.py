"""The external sort: spill files in order of their keys, merged a bounded number at a time.

A file is a magic word, blocks, an index of the blocks and a trailer. A block holds about
256 KB of rows, their keys (ids) separate from their values, each compressed and with a checksum. So ids can be read
without the rows, and reading can begin at the block where an id belongs. A file without its trailer, or with another
size than was announced, is an error: half a file is never read as a whole one.
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
from typing import Any

import google_crc32c
import pyarrow as pa

from gistmill.transforms.io import create, open_input

BLOCK_BYTES = 256 * 1024
_MAGIC = b"GISTRUN1"
_HEADER = struct.Struct("<7I")  # rows; keys: size, packed size, checksum; values: the same
_TRAILER = struct.Struct("<Q3IQ8s")  # index: offset, size, packed size, checksum; rows; magic word
_CODEC = pa.Codec("zstd", compression_level=1)


class SpillFileError(RuntimeError):
    """A spill is missing, torn or damaged."""


@dataclass(frozen=True, slots=True)
class SpillFile:
    """A finished spill: sorted rows of one bucket (``CONFIG/SPLIT`` or ``rejects``).

    ``bytes`` is the size of the file, ``raw_bytes`` that of the keys and values in it.
    """

    path: str
    bucket: str
    rows: int
    bytes: int
    raw_bytes: int
    first_id: str
    last_id: str


class SpillWriter:
    """Writes one spill; rows must come in order of (key, value)."""

    def __init__(self, path: str, bucket: str) -> None:
        self._path, self._bucket = path, bucket
        self._file = create(path)
        self._size = self._file.write(_MAGIC)
        self._keys: list[bytes] = []
        self._values: list[bytes] = []
        self._block_bytes = 0
        self._index: list[tuple[int, int, str]] = []  # offset, rows, first key
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
        """Ends the file and returns what it holds."""
        self._flush()
        raw = json.dumps(self._index, ensure_ascii=False).encode("utf-8")
        packed = _pack(raw)
        trailer = _TRAILER.pack(self._size, len(raw), len(packed), google_crc32c.value(packed), self._rows, _MAGIC)
        self._file.write(packed + trailer)
        self._file.close()
        return SpillFile(
            self._path,
            self._bucket,
            self._rows,
            self._size + len(packed) + len(trailer),
            self._raw_bytes,
            self._index[0][2] if self._index else "",
            self._last.decode("utf-8"),
        )

    def _flush(self) -> None:
        if not self._keys:
            return
        keys, values = (
            struct.pack(f"<{len(parts)}I", *map(len, parts)) + b"".join(parts) for parts in (self._keys, self._values)
        )
        packed_keys, packed_values = _pack(keys), _pack(values)
        header = _HEADER.pack(
            len(self._keys),
            len(keys),
            len(packed_keys),
            google_crc32c.value(packed_keys),
            len(values),
            len(packed_values),
            google_crc32c.value(packed_values),
        )
        self._index.append((self._size, len(self._keys), self._keys[0].decode("utf-8")))
        self._file.write(header + packed_keys + packed_values)
        self._size += len(header) + len(packed_keys) + len(packed_values)
        self._rows += len(self._keys)
        self._raw_bytes += self._block_bytes
        self._keys, self._values, self._block_bytes = [], [], 0


class SpillReader:
    """Reads one spill; a context manager.

    Raises:
        SpillFileError: on opening or while reading, when the file is not exactly what the writer left.
    """

    def __init__(self, spill: SpillFile) -> None:
        self._spill = spill
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
        for keys, values in self._read_blocks(lower, upper):
            start = bisect.bisect_left(keys, lower)
            stop = len(keys) if upper is None else bisect.bisect_left(keys, upper)
            yield from zip(keys[start:stop], values[start:stop], strict=True)

    def keys(self) -> Iterator[bytes]:
        """Yields every key, in order, without reading values."""
        for keys, _ in self._read_blocks(b"", None, keys_only=True):
            yield from keys

    def _read_blocks(
        self, lower: bytes, upper: bytes | None, *, keys_only: bool = False
    ) -> Iterator[tuple[list[bytes], list[bytes]]]:
        firsts = [first.encode("utf-8") for _, _, first in self._blocks]
        # equal keys may span several blocks, so begin before the first block that opens with `lower`
        begin = max(bisect.bisect_left(firsts, lower) - 1, 0)
        for (offset, rows, _), first in zip(self._blocks[begin:], firsts[begin:], strict=True):
            if upper is not None and first >= upper:
                return
            self._file.seek(offset)
            found, *sections = _HEADER.unpack(self._read(_HEADER.size))
            if found != rows:
                raise SpillFileError(f"spill {self._spill.path} is damaged at byte {offset}")
            keys = _unframe(self._read_packed(*sections[:3]), rows)
            yield keys, [] if keys_only else _unframe(self._read_packed(*sections[3:]), rows)

    def _read_packed(self, size: int, packed_size: int, checksum: int) -> bytes:
        packed = self._read(packed_size)
        if google_crc32c.value(packed) != checksum:
            raise SpillFileError(f"spill {self._spill.path} is damaged before byte {self._file.tell()}")
        return _CODEC.decompress(packed, decompressed_size=size, asbytes=True)

    def _read_index(self) -> list[tuple[int, int, str]]:
        if self._spill.bytes < len(_MAGIC) + _TRAILER.size:
            raise SpillFileError(f"spill {self._spill.path} is too short")
        self._file.seek(self._spill.bytes - _TRAILER.size)
        tail = self._file.read(_TRAILER.size + 1)
        if len(tail) != _TRAILER.size:
            raise SpillFileError(
                f"spill {self._spill.path} does not have the {self._spill.bytes} bytes that were written"
            )
        offset, size, packed_size, checksum, rows, magic = _TRAILER.unpack(tail)
        if magic != _MAGIC or rows != self._spill.rows:
            raise SpillFileError(f"spill {self._spill.path} has no valid end")
        self._file.seek(offset)
        return json.loads(self._read_packed(size, packed_size, checksum))

    def _read(self, size: int) -> bytes:
        data = self._file.read(size)
        if len(data) != size:
            raise SpillFileError(f"spill {self._spill.path} breaks off")
        return data


def _unframe(data: bytes, count: int) -> list[bytes]:
    ends = accumulate(struct.unpack_from(f"<{count}I", data), initial=4 * count)
    return [data[start:stop] for start, stop in pairwise(ends)]


def _pack(data: bytes) -> bytes:
    return _CODEC.compress(data, asbytes=True)


FAN_IN = 64  # spill files open at once


@dataclass(frozen=True, slots=True)
class MergeStep:
    """Spills of a bucket that become one spill; a single spill stays as it is."""

    bucket: str
    spills: tuple[SpillFile, ...]


def merged_rows(
    spills: Sequence[SpillFile], lower: bytes = b"", upper: bytes | None = None
) -> Iterator[tuple[bytes, bytes]]:
    """Yields (key, value) of all spills in order, with ``lower`` <= key < ``upper``, in bounded memory."""
    with ExitStack() as stack:
        readers = [stack.enter_context(SpillReader(s)) for s in spills]
        yield from heapq.merge(*(r.rows(lower, upper) for r in readers))


def merged_keys(spills: Sequence[SpillFile]) -> Iterator[bytes]:
    """Yields the keys of all spills in order."""
    with ExitStack() as stack:
        readers = [stack.enter_context(SpillReader(s)) for s in spills]
        yield from heapq.merge(*(r.keys() for r in readers))


def all_keys(spills: Iterable[SpillFile]) -> Iterator[bytes]:
    """Yields the keys of one spill after the other: in no order, and with one file open."""
    for spill in spills:
        with SpillReader(spill) as reader:
            yield from reader.keys()


def merge_to_spill(step: MergeStep, path: str) -> SpillFile:
    """Merges spills into one new spill at ``path``."""
    writer = SpillWriter(path, step.bucket)
    for key, value in merged_rows(step.spills):
        writer.add(key, value)
    return writer.close()


def plan_steps(bucket: str, spills: Iterable[SpillFile], *, fan_in: int = FAN_IN) -> Iterator[MergeStep]:
    """Yields the merges that lower the number of a bucket's spills; one spill each when there are few enough."""
    ordered = sorted(spills, key=lambda s: (s.first_id, s.path))
    size = 1 if len(ordered) <= fan_in else fan_in
    for start in range(0, max(len(ordered), 1), size):  # a bucket without spills stays alive
        yield MergeStep(bucket, tuple(ordered[start : start + size]))
