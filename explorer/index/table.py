"""A table of an index: the rows of a configuration, or the rejects.

Words are distributed by hash into buckets on disk, one block of rows at a time: the length of a list as 4 bytes, the
list as JSON (word, number of rows), and the row numbers of each word. Each bucket is then sorted in memory and written
as a few files. To look up a word, the page reads only the file that may contain it.

A file contains the length of its directory as 4 bytes, the directory as JSON (word -> offset, bytes and number of
rows), and the rows of each word: differences between row numbers, 7 bits per byte, lowest bits first, with the highest
bit set in all but the last byte.
"""

from __future__ import annotations

import gzip
import json
import re
import struct
from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.statistics import Column
from gistmill.rules.lineage import DOCUMENT_COLUMNS
from gistmill.rules.propositions.recipe import kind_of

_LEVEL = 5
ROWS_IN_A_FOLDER = 256  # files; some stores and tools are slow with thousands of files in a folder


def write(path: Path, data: bytes) -> None:
    """Writes bytes to a file of an index and creates its parent folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, _LEVEL, mtime=0))


def write_json(path: Path, value: Any) -> None:
    """Writes a value as JSON. Numbers that JSON cannot represent become null; lone surrogates are escaped."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError:
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))
    write(path, text.encode("utf-8", "backslashreplace"))


def read_json(path: Path) -> Any:
    """Reads a file written by ``write_json``.

    Raises:
        OSError, EOFError, ValueError: the file is missing or incomplete.
    """
    return json.loads(gzip.decompress(path.read_bytes()))


def rows_path(table: Path, chunk: int) -> Path:
    """Returns the path of a table's chunk file, by chunk number."""
    return table / "rows" / str(chunk // ROWS_IN_A_FOLDER) / f"{chunk % ROWS_IN_A_FOLDER}.bin"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, dict):
        return {name: _finite(item) for name, item in value.items()}
    return value


_MOST_VALUES = 1000  # in a list of choices
_MOST_SETS = 10_000  # combinations in a column with several values per row
_FEW_VALUES = 20  # in a table so small that all values may be distinct
_FEW_NUMBERS = 10  # a column with this few distinct numbers, such as 0 and 1, becomes a list of choices
_LONGEST = 80  # characters of a choosable value


class Values:
    """A column whose values can be chosen from a list, while they are few and short.

    Attributes:
        name: the column's name.
        fits: whether the values have been few and short so far.
        in_sets: whether a row can have several values; they are sorted, one per line.
    """

    def __init__(self, name: str, *, most: int = _MOST_VALUES, in_sets: bool = False) -> None:
        self.name, self.fits, self.in_sets = name, True, in_sets
        self._most = most
        self._codes: dict[Any, int] = {}
        self._parts: list[Any] = []

    def add(self, column: pa.Array) -> None:
        """Adds the values of the next rows."""
        if not self.fits:
            return
        found = column.dictionary_encode(null_encoding="encode")
        values = found.dictionary.to_pylist()
        codes = np.array([self._codes.setdefault(value, len(self._codes)) for value in values], np.uint16)
        are_short = self.in_sets or all(len(str(value)) <= _LONGEST for value in values)
        self.fits = len(self._codes) <= self._most and are_short
        if self.fits:
            self._parts.append(codes[found.indices.to_numpy(zero_copy_only=False)])
        else:
            self._parts.clear()

    def write(self, path: Path, *, in_order: bool = False) -> dict[str, Any]:
        """Writes the value numbers and returns their description for the page.

        Args:
            path: the output file.
            in_order: whether to keep the values in order of arrival; otherwise, the most frequent come first.
        """
        codes = np.concatenate([np.zeros(0, np.uint16), *self._parts])
        values = list(self._codes)
        counts = np.bincount(codes, minlength=len(values))
        order = (
            range(len(values)) if in_order else sorted(range(len(values)), key=lambda i: (-counts[i], str(values[i])))
        )
        ranks = np.zeros(len(values), np.uint16)
        ranks[list(order)] = np.arange(len(values))
        wide = len(values) > 256
        write(path, ranks[codes].astype("<u2" if wide else "u1").tobytes())
        shown = [(shown_value(values[i]), int(counts[i])) for i in order]
        return {"name": self.name, "file": path.name, "wide": wide, "in_sets": self.in_sets, "values": shown}

    def are_useful(self, rows: int) -> bool:
        """Returns whether choosing a value is useful in a table with this number of rows."""
        return self.fits and 1 < len(self._codes) <= max(_FEW_VALUES, rows // 2)


class Numbers:
    """A column of numbers, with NaN for missing values; ``few`` is the same column as choosable values."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.few = Values(name, most=_FEW_NUMBERS)
        self._parts: list[Any] = []

    def add(self, column: pa.Array) -> None:
        """Adds the numbers of the next rows."""
        self.few.add(column)
        self._parts.append(pc.cast(column, pa.float64(), safe=False).to_numpy(zero_copy_only=False).astype("<f8"))

    def write(self, path: Path) -> dict[str, Any] | None:
        """Writes the numbers and returns their description for the page, or None if all are equal."""
        numbers = np.concatenate([np.zeros(0, "<f8"), *self._parts])
        known = numbers[np.isfinite(numbers)]
        if not len(known) or known.min() == known.max():
            return None
        write(path, numbers.tobytes())
        return {"name": self.name, "file": path.name, "least": float(known.min()), "most": float(known.max())}


def shown_value(value: Any) -> str:
    """Returns a value as the page shows it: whole numbers without a fraction, null as an empty string."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


_WORD = re.compile(r"\w+")
_BUCKETS = 16
_BLOCK_ROWS = 50_000
_ROWS_OF_A_SHARD = 1000
_MOST_SHARDS = 4096
_ROW_BYTES = 4
_LENGTH = struct.Struct("<I")
_PRIME, _START, _MASK = 16777619, 2166136261, 0xFFFFFFFF

RowNumbers = npt.NDArray[np.uint32]


def words_of(text: str) -> list[str]:
    """Returns the lower-case words of a text, split as the page splits a query: letters, digits and underscores."""
    return _WORD.findall(text.lower())


def shard_of(word: str, shards: int) -> int:
    """Returns the number of the file for a word (32-bit FNV-1a of its UTF-8 bytes)."""
    value = _START
    for byte in word.encode("utf-8", "backslashreplace"):
        value = (value ^ byte) * _PRIME & _MASK
    return value % shards


class WordIndex:
    """A word index, built from rows in numerical order and written as files.

    Args:
        folder: the output folder.
        rows: the approximate number of rows.
    """

    def __init__(self, folder: Path, rows: int) -> None:
        wanted = max(_BUCKETS, min(_MOST_SHARDS, rows // _ROWS_OF_A_SHARD))
        self.shards = 1 << (wanted - 1).bit_length()
        self._folder = folder
        folder.mkdir(parents=True)
        self._paths = [folder / f".bucket-{number}" for number in range(_BUCKETS)]
        self._block: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        self._next = _BLOCK_ROWS

    def add(self, row: int, words: Iterable[str]) -> None:
        """Adds the words of a row; repeats are allowed."""
        if row >= self._next:
            self._deal()
            self._next = row + _BLOCK_ROWS
        block = self._block
        for word in set(words):
            block[word].append(row)

    def finish(self) -> None:
        """Writes the files."""
        self._deal()
        for number, path in enumerate(self._paths):
            for shard, words in _sorted(path, number, self.shards):
                write(self._folder / f"{shard}.bin", words)
            path.unlink()

    def _deal(self) -> None:
        """Empties the block into the buckets."""
        dealt: list[dict[str, bytes]] = [{} for _ in self._paths]
        for word, rows in self._block.items():
            dealt[shard_of(word, self.shards) % _BUCKETS][word] = rows.tobytes()
        self._block.clear()
        for path, words in zip(self._paths, dealt, strict=True):
            counts = [(word, len(rows) // _ROW_BYTES) for word, rows in words.items()]
            head = json.dumps(counts).encode("ascii")
            with path.open("ab") as bucket:
                bucket.write(b"".join((_LENGTH.pack(len(head)), head, *words.values())))


def _sorted(path: Path, bucket: int, shards: int) -> Iterator[tuple[int, bytes]]:
    """Yields the files of a bucket, each with its number."""
    found: defaultdict[str, list[bytes]] = defaultdict(list)
    with path.open("rb") as file:
        while head := file.read(_LENGTH.size):
            for word, count in json.loads(file.read(*_LENGTH.unpack(head))):
                found[word].append(file.read(count * _ROW_BYTES))
    by_shard: dict[int, list[str]] = {shard: [] for shard in range(bucket, shards, _BUCKETS)}
    for word in sorted(found):
        by_shard[shard_of(word, shards)].append(word)
    for shard, words in by_shard.items():
        yield shard, _packed({word: np.frombuffer(b"".join(found[word]), np.uint32) for word in words})


def _packed(words: Mapping[str, RowNumbers]) -> bytes:
    """Returns the content of an index file."""
    counts = np.array([len(rows) for rows in words.values()], np.int64)
    rows = np.concatenate([np.zeros(0, np.uint32), *words.values()])
    starts = np.cumsum(counts) - counts
    steps: RowNumbers = np.diff(rows, prepend=np.uint32(0)).astype(np.uint32)
    steps[starts] = rows[starts]
    data, lengths = in_sevens(steps)
    ends = np.cumsum(lengths)[starts + counts - 1].tolist() if len(rows) else []
    begins = [0, *ends][: len(ends)]
    places = zip(begins, (end - begin for begin, end in zip(begins, ends, strict=True)), counts.tolist(), strict=True)
    directory = dict(zip(words, places, strict=True))
    head = json.dumps(directory, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    return len(head).to_bytes(4, "little") + head + data


def in_sevens(numbers: RowNumbers) -> tuple[bytes, npt.NDArray[np.int64]]:
    """Encodes numbers with 7 bits per byte, lowest bits first, and the highest bit set in all but a number's last byte;
    also returns the number of bytes of each."""
    parts = numbers[:, None] >> np.arange(0, 35, 7, dtype=np.uint64)
    lengths = 1 + np.count_nonzero(parts[:, 1:], axis=1)
    places = np.arange(parts.shape[1])
    wanted = places < lengths[:, None]
    more = places < lengths[:, None] - 1
    return ((parts & 0x7F) | (more.astype(np.uint64) << np.uint64(7)))[wanted].astype(np.uint8).tobytes(), lengths


SPLIT = "split"
REJECTS = "rejects"
_CHUNK_BYTES = 1 << 18  # uncompressed bytes of rows that the page reads at once
_MOST_CHUNK_ROWS = 64
_MOST_CHUNKS = 1 << 14  # files of a table
_NEVER_CHOSEN = {"id", "text", "detail", *(c.name for c in DOCUMENT_COLUMNS)} - {"site"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The composition of a table.

    Attributes:
        name: the configuration's name, or REJECTS.
        columns: the columns of its rows.
        texts: columns shown as text and searched for words.
        document: the column that names a row's document.
        kinds: list columns that can be filtered by item kind (gistmill.rules.propositions.recipe.kind_of).
        meanings: meanings of codes, by column; read when the table is finished.
        rows: approximate number of rows.
        row_bytes: approximate number of bytes per row.
    """

    name: str
    columns: Sequence[Column]
    texts: Sequence[str]
    document: str
    kinds: Collection[str] = ()
    meanings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rows: int
    row_bytes: int

    @property
    def chunk(self) -> int:
        """The number of rows per file."""
        by_bytes = max(1, min(_MOST_CHUNK_ROWS, _CHUNK_BYTES // max(1, self.row_bytes)))
        return max(by_bytes, -(-self.rows // _MOST_CHUNKS))


Progress = Callable[[int], object]  # called with the number of rows added


def write_table(
    shape: Shape, folder: Path, batches: Iterator[tuple[str, pa.RecordBatch]], tell: Progress
) -> dict[str, Any]:
    """Writes the files of a table and returns its description for the page.

    Args:
        shape: the table's composition.
        folder: a new folder.
        batches: the rows in order, as batches from one split each, with the name of the split.
        tell: a progress callback.
    """
    table = _Table(shape, folder)
    for split, batch in batches:
        table.add(split, batch)
        tell(batch.num_rows)
    return table.finish()


class _Table:
    def __init__(self, shape: Shape, folder: Path) -> None:
        self._shape, self._folder = shape, folder
        self._words = WordIndex(folder / "words", shape.rows)
        self._names = [column.name for column in shape.columns]
        chosen = [c for c in shape.columns if c.name not in {*_NEVER_CHOSEN, *shape.texts, shape.document}]
        self._values = {c.name: Values(c.name) for c in chosen if c.type in ("string", "bool")}
        self._kinds = {
            c.name: Values(c.name, most=_MOST_SETS, in_sets=True)
            for c in chosen
            if c.type == "list<string>" and c.name in shape.kinds
        }
        self._numbers = {c.name: Numbers(c.name) for c in chosen if c.type in ("int64", "float64")}
        self._lengths = {name: Numbers(f"words of {name}") for name in shape.texts}
        self._split = Values(SPLIT)
        self._splits: list[tuple[str, int]] = []  # with their first rows
        self._first: list[str] = []  # ids of the first row of each file
        self._waiting: list[tuple[Any, ...]] = []  # rows for the next file
        self._rows = 0

    def add(self, split: str, batch: pa.RecordBatch) -> None:
        """Adds rows of a split; the rows of a split must be consecutive."""
        if split not in (name for name, _ in self._splits):
            self._splits.append((split, self._rows))
        self._split.add(pa.array([split] * batch.num_rows))
        for name, values in self._values.items():
            values.add(batch.column(name))
        for name, numbers in self._numbers.items():
            numbers.add(batch.column(name))
        columns = {name: batch.column(name).to_pylist() for name in self._names}
        for name, kinds in self._kinds.items():
            kinds.add(
                pa.array(["\n".join(sorted({*map(kind_of, items or ())})) for items in columns[name]], pa.string())
            )
        self._add_words(columns)
        self._waiting += zip(*columns.values(), strict=True)
        self._rows += batch.num_rows
        while len(self._waiting) >= self._shape.chunk:
            self._write_rows()

    def _add_words(self, columns: dict[str, list[Any]]) -> None:
        texts = {name: [text_of(value) for value in columns[name]] for name in self._shape.texts}
        for name, found in texts.items():
            # the number of words in each text, counted by spaces
            self._lengths[name].add(pa.array([len(text.split()) for text in found], pa.int32()))
        titles = columns.get("title", [""] * len(columns[self._shape.document]))
        rows = zip(columns[self._shape.document], titles, *texts.values(), strict=True)
        for number, (document, title, *found) in enumerate(rows, start=self._rows):
            words = [f"document:{document}", *(f"title:{word}" for word in words_of(title or ""))]
            for text in found:
                words += words_of(text)
            self._words.add(number, words)

    def _write_rows(self) -> None:
        rows, self._waiting = self._waiting[: self._shape.chunk], self._waiting[self._shape.chunk :]
        write_json(rows_path(self._folder, len(self._first)), rows)
        self._first.append(str(rows[0][self._names.index("id")]))

    def finish(self) -> dict[str, Any]:
        """Writes the remaining rows; returns the description of the table."""
        if self._waiting:
            self._write_rows()
        self._words.finish()
        write_json(self._folder / "first.bin", self._first)
        few = [numbers.few for numbers in self._numbers.values() if numbers.few.are_useful(self._rows)]
        values = [v for v in [*self._values.values(), *self._kinds.values(), *few] if v.are_useful(self._rows)]
        chosen = {v.name for v in values}
        numbers = [n for n in [*self._lengths.values(), *self._numbers.values()] if n.name not in chosen]
        written = [n.write(self._folder / f"number-{i}.bin") for i, n in enumerate(numbers)]
        return {
            "name": self._shape.name,
            "rows": self._rows,
            "chunk_rows": self._shape.chunk,
            "shards": self._words.shards,
            "columns": [{"name": c.name, "about": c.description} for c in self._shape.columns],
            "texts": list(self._shape.texts),
            "document": self._shape.document,
            "meanings": self._shape.meanings,
            "splits": self._splits,
            "values": [
                self._split.write(self._folder / "split.bin", in_order=True),
                *(v.write(self._folder / f"values-{i}.bin") for i, v in enumerate(values)),
            ],
            "numbers": [n for n in written if n is not None],
        }


def text_of(value: Any) -> str:
    """Returns the displayed form of a text column: the tokens of a list are joined by spaces."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)
