"""The words of a table, each with the rows that have it, in bounded memory.

Words are dealt out to buckets on the disk by their hash, a block of rows at a time: the length of a list as 4 bytes,
the list as JSON (word, number of rows), and the numbers of the rows of each word. A bucket is then sorted in memory,
and written as a few files. The page reads the one file that may have a word.

A file holds the length of its directory as 4 bytes, the directory as JSON (word -> place, bytes and number of rows),
and the rows of each word: differences of row numbers, 7 bits a byte, the lowest first, the highest bit set but in the
last.
"""

from __future__ import annotations

import json
import re
import struct
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from gistmill.explorer.index.files import write

_WORD = re.compile(r"\w+")
_BUCKETS = 16
_BLOCK_ROWS = 50_000
_ROWS_OF_A_SHARD = 1000
_MOST_SHARDS = 4096
_ROW_BYTES = 4
_LENGTH = struct.Struct("<I")
_PRIME, _START, _MASK = 16777619, 2166136261, 0xFFFFFFFF

Numbers = npt.NDArray[np.uint32]


def words_of(text: str) -> list[str]:
    """Returns the words of a text in lower case, as the page splits a question: letters, digits and underscores."""
    return _WORD.findall(text.lower())


def shard_of(word: str, shards: int) -> int:
    """Returns the number of the file that has a word (FNV-1a of its UTF-8 bytes, 32 bits)."""
    value = _START
    for byte in word.encode("utf-8", "backslashreplace"):
        value = (value ^ byte) * _PRIME & _MASK
    return value % shards


class WordIndex:
    """Collects the words of rows in order of their numbers, and writes the files.

    Args:
        folder: where the files go.
        rows: how many rows there will be, about.
    """

    def __init__(self, folder: Path, rows: int) -> None:
        wanted = max(_BUCKETS, min(_MOST_SHARDS, rows // _ROWS_OF_A_SHARD))
        self.shards = 1 << (wanted - 1).bit_length()
        self._folder = folder
        folder.mkdir(parents=True)
        self._paths = [folder / f".bucket-{number}" for number in range(_BUCKETS)]
        self._buckets: list[BinaryIO] = [path.open("wb") for path in self._paths]
        self._block: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        self._next = _BLOCK_ROWS

    def add(self, row: int, words: Iterable[str]) -> None:
        """Adds the words of a row; they may come more than once."""
        if row >= self._next:
            self._deal()
            self._next = row + _BLOCK_ROWS
        block = self._block
        for word in set(words):
            block[word].append(row)

    def finish(self) -> None:
        """Writes the files."""
        self._deal()
        for bucket in self._buckets:
            bucket.close()
        for number, path in enumerate(self._paths):
            for shard, words in _sorted(path, number, self.shards):
                write(self._folder / f"{shard}.bin", words)
            path.unlink()

    def _deal(self) -> None:
        """Empties the block into the buckets."""
        dealt: list[dict[str, bytes]] = [{} for _ in self._buckets]
        for word, rows in self._block.items():
            dealt[shard_of(word, self.shards) % _BUCKETS][word] = rows.tobytes()
        self._block.clear()
        for bucket, words in zip(self._buckets, dealt, strict=True):
            counts = [(word, len(rows) // _ROW_BYTES) for word, rows in words.items()]
            head = json.dumps(counts).encode("ascii")
            bucket.write(b"".join((_LENGTH.pack(len(head)), head, *words.values())))


def _sorted(path: Path, bucket: int, shards: int) -> Iterator[tuple[int, bytes]]:
    """The files of a bucket with their numbers."""
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


def _packed(words: Mapping[str, Numbers]) -> bytes:
    """The content of a file."""
    counts = np.array([len(rows) for rows in words.values()], np.int64)
    rows = np.concatenate([np.zeros(0, np.uint32), *words.values()])
    starts = np.cumsum(counts) - counts
    steps: Numbers = np.diff(rows, prepend=np.uint32(0)).astype(np.uint32)
    steps[starts] = rows[starts]
    data, lengths = in_sevens(steps)
    ends = np.cumsum(lengths)[starts + counts - 1].tolist() if len(rows) else []
    begins = [0, *ends[:-1]]
    places = zip(begins, (end - begin for begin, end in zip(begins, ends)), counts.tolist())
    directory = dict(zip(words, places))
    head = json.dumps(directory, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
    return len(head).to_bytes(4, "little") + head + data


def in_sevens(numbers: Numbers) -> tuple[bytes, npt.NDArray[np.int64]]:
    """Returns numbers as bytes, 7 bits in each, the lowest first, the highest bit set in all but the last of a number;
    and how many bytes each number has."""
    parts = numbers[:, None] >> np.arange(0, 35, 7, dtype=np.uint64)
    lengths = 1 + np.count_nonzero(parts[:, 1:], axis=1)
    places = np.arange(parts.shape[1])
    wanted = places < lengths[:, None]
    more = places < lengths[:, None] - 1
    return ((parts & 0x7F) | (more.astype(np.uint64) << np.uint64(7)))[wanted].astype(np.uint8).tobytes(), lengths
