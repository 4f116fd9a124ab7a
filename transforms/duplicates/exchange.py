"""What the steps of a search over all documents send each other: arrays in files, of which only the places are grouped.

A step writes one file, a part for each receiver after the other, and emits the places of the parts under the receivers'
keys. A file has a name that no other attempt uses, so a step that is begun again does no harm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, BinaryIO, Self

import numpy as np
import pyarrow as pa

from gistmill.transforms.io import create, open_input
from gistmill.transforms.layout import WorkspaceLayout


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a file.

    Attributes:
        index: path of the list of files by which documents are numbered.
        path, start, size: the file, and the bytes in it.
        rows: length of its arrays, or rows of its table.
        sender: number of the chunk that sent it.
        column: what was grouped: a band, a slice, a ranking.
    """

    index: str
    path: str
    start: int
    size: int
    rows: int
    sender: int = 0
    column: int = 0


Keyed = tuple[str, Part]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk, of whole ranges, of the documents in the list at ``index``."""

    index: str
    number: int


def chunk_key(number: int) -> str:
    """Returns the key under which a chunk gets parts."""
    return f"{number:06d}"


def chunk_and_parts(values: Iterable[Chunk | Part]) -> tuple[Chunk, list[Part]]:
    """Returns the chunk, and the parts that it was sent, in the order of their senders."""
    found = list(values)
    (chunk,) = (v for v in found if isinstance(v, Chunk))
    parts = [v for v in found if isinstance(v, Part)]
    return chunk, sorted(parts, key=lambda p: (p.sender, p.path, p.start))


class PartsWriter:
    """Writes the parts of one step; there is no file where there are no parts. Nobody may read before it is closed, so
    a step emits its parts after that.

    Args:
        layout: names the file.
        index: see Part.
        sender: see Part.
    """

    def __init__(self, layout: WorkspaceLayout, index: str, *, sender: int = 0) -> None:
        self._layout, self._index, self._sender = layout, index, sender
        self._file: BinaryIO | None = None
        self._path, self._written = "", 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, traceback: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, *arrays: np.ndarray, column: int = 0) -> Part:
        """Writes arrays, one after the other."""
        return self._add([np.ascontiguousarray(a).view(np.uint8).data for a in arrays], len(arrays[0]), column)

    def add_table(self, table: pa.Table, *, column: int = 0) -> Part:
        """Writes a table."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        return self._add([memoryview(sink.getvalue())], len(table), column)

    def _add(self, buffers: Iterable[memoryview], rows: int, column: int) -> Part:
        if self._file is None:
            self._path = self._layout.new_comparison("parts")
            self._file = create(self._path)
        start = self._written
        for buffer in buffers:
            self._file.write(buffer)
            self._written += buffer.nbytes
        return Part(
            index=self._index,
            path=self._path,
            start=start,
            size=self._written - start,
            rows=rows,
            sender=self._sender,
            column=column,
        )


def by_column(parts: Iterable[Part]) -> dict[int, list[Part]]:
    """Returns the parts of each column, both in ascending order; those of a column in the order of their senders."""
    found: dict[int, list[Part]] = defaultdict(list)
    for part in sorted(parts, key=lambda p: (p.column, p.sender, p.path, p.start)):
        found[part.column].append(part)
    return found


def read_arrays(parts: Sequence[Part], *dtypes: str) -> list[np.ndarray]:
    """Returns the arrays of parts, each put together over all parts.

    Args:
        parts: with arrays of equal length.
        dtypes: of the arrays, in order.
    """
    kinds = [np.dtype(d) for d in dtypes]
    row = sum(k.itemsize for k in kinds)
    counts = [p.size // row for p in parts]
    found = [np.empty(sum(counts), k) for k in kinds]
    place = 0
    for part, count in zip(parts, counts):
        data, offset = _bytes_of(part), 0
        for array, kind in zip(found, kinds):
            array[place : place + count] = np.frombuffer(data, kind, count, offset)
            offset += count * kind.itemsize
        place += count
    return found


def read_table_part(part: Part) -> pa.Table:
    """Returns the table of a part."""
    return pa.ipc.open_stream(_bytes_of(part)).read_all()


def _bytes_of(part: Part) -> bytes:
    with open_input(part.path) as file:
        file.seek(part.start)
        data = file.read(part.size)
    if len(data) != part.size:
        raise OSError(f"{part.path} ends before byte {part.start + part.size}")
    return data
