"""Rows as numbers: each row of a split is turned into them once, and not again in every epoch, process and run.

Tokenising is a hundred times slower than reading what it gave. The numbers lie in Arrow files, one for each shard, in
the cache. A file is named by what decides about its content, so that it is never out of date. It may be deleted at any
time.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from gistmill.published import files as caches
from gistmill.training.data.shards import Block
from gistmill.training.data.source import Readable, Row
from gistmill.training.errors import TrainingError

_NAME = "tokens-1"  # with the version of the form of the files
_ROWS = 20_000  # of a process; to start one takes seconds
_NUMBER, _NUMBERS = pa.int32(), pa.list_(pa.int32())


class Encode(Protocol):
    """Turns a row into numbers. It is sent to other processes.

    Attributes:
        key: tells the numbers that it makes from those of all others.
        lists: the names, which begin with "_", under which it returns lists of numbers.
        numbers: those under which it returns a number.
    """

    @property
    def key(self) -> str: ...

    @property
    def lists(self) -> tuple[str, ...]: ...

    @property
    def numbers(self) -> tuple[str, ...]: ...

    def __call__(self, row: Row) -> Mapping[str, Sequence[int] | int]:
        """Returns the numbers of a row. Raises TrainingError and SettingsError."""
        ...


class EncodedSplit:
    """The numbers of a split's rows, with the split's blocks, so that they come in the same order. See Readable."""

    def __init__(self, split: Readable, files: Mapping[int, Path]) -> None:
        self.weight, self.fingerprint, self.blocks, self.rows = (
            split.weight,
            split.fingerprint,
            split.blocks,
            split.rows,
        )
        self._files = files
        own = {shard: [b.group for b in split.blocks if b.shard == shard] for shard in files}
        self._numbers = {(shard, group): n for shard, groups in own.items() for n, group in enumerate(groups)}

    def read(self, blocks: Sequence[Block]) -> pa.Table:
        """Returns blocks with the encoded rows as one table."""
        found: dict[int, list[int]] = {}
        for block in blocks:
            found.setdefault(block.shard, []).append(self._numbers[block.shard, block.group])
        batches = []
        for shard, numbers in found.items():
            try:
                with pa.memory_map(str(self._files[shard])) as mapped:
                    reader = pa.ipc.open_file(mapped)
                    batches += [reader.get_batch(number) for number in numbers]
            except (OSError, pa.ArrowException) as error:
                raise TrainingError(f"{self._files[shard]} cannot be read: {error}; remove it") from None
        return pa.Table.from_batches(batches)


def encoded(split: Readable, encode: Encode, *, cache: Path | None) -> EncodedSplit:
    """Returns the numbers of a split's rows. Those that are not there are made, on all cores, and kept.

    Args:
        split: the rows.
        encode: turns one into numbers.
        cache: where numbers are kept; None: ``gistmill`` in the user's cache folder.

    Raises:
        SettingsError, TrainingError: a row cannot be encoded, or the numbers cannot be written.
    """
    above = cache / _NAME if cache else caches.cache(_NAME)
    root = above / hashlib.sha256(f"{split.fingerprint}\n{encode.key}".encode()).hexdigest()
    shards: dict[int, list[Block]] = {}
    for block in split.blocks:
        shards.setdefault(block.shard, []).append(block)
    files = {shard: root / f"{shard:05d}.arrow" for shard in shards}
    missing = [shard for shard, file in files.items() if not file.exists()]
    try:
        for place in (above, root):
            caches.check_owner(place)
        root.mkdir(parents=True, exist_ok=True)
        if missing:
            with _Encoder(encode, sum(block.rows for shard in missing for block in shards[shard])) as encoder:
                for shard in missing:
                    _write(
                        encoder.tables(split.read([block]) for block in shards[shard]), _schema(encode), files[shard]
                    )
    except OSError as error:
        raise TrainingError(f"the tokens cannot be kept in {root}: {error}; name another folder by --cache") from None
    return EncodedSplit(split, files)


def rows_of(table: pa.Table) -> list[Row]:
    """Returns the rows of a table. Lists of numbers are arrays of numpy, which share the memory of the table."""
    if not any(kind == _NUMBERS for kind in table.schema.types):
        found: list[Row] = table.to_pylist()
        return found
    columns = [_arrays(column.combine_chunks()) if column.type == _NUMBERS else column.to_pylist() for column in table]
    return [dict(zip(table.column_names, values, strict=True)) for values in zip(*columns, strict=True)]


def _arrays(lists: pa.ListArray) -> list[object]:
    values = lists.flatten().to_numpy()
    ends = lists.value_lengths().to_numpy().cumsum().tolist()
    return [values[a:b] for a, b in zip([0, *ends], ends, strict=False)]


def _schema(encode: Encode) -> pa.Schema:
    return pa.schema([*((name, _NUMBERS) for name in encode.lists), *((name, _NUMBER) for name in encode.numbers)])


def _write(tables: Iterable[pa.RecordBatch], schema: pa.Schema, file: Path) -> None:
    """Writes a file under a name of its own and renames it, so that it is whole or not there."""
    draft = file.with_name(f"{file.name}.{uuid.uuid4().hex}")  # other runs may write the same one
    try:
        with pa.OSFile(str(draft), "wb") as opened, pa.ipc.new_file(opened, schema) as writer:
            for table in tables:
                writer.write_batch(table)
        os.replace(draft, file)
    finally:
        draft.unlink(missing_ok=True)


def _batch(encode: Encode, table: pa.Table) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([dict(encode(row)) for row in table.to_pylist()], _schema(encode))


_encode: list[Encode] = []  # of this process


def _begin(encode: Encode) -> None:
    _encode[:] = [encode]


def _work(table: pa.Table) -> pa.RecordBatch:
    return _batch(_encode[0], table)


class _Encoder:
    """Encodes tables in processes, or in this one where there are few rows."""

    def __init__(self, encode: Encode, rows: int) -> None:
        self._encode = encode
        self._processes = min(len(os.sched_getaffinity(0)), rows // _ROWS)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> _Encoder:
        if self._processes > 1:
            context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
            self._pool = ProcessPoolExecutor(self._processes, context, _begin, (self._encode,))
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def tables(self, tables: Iterable[pa.Table]) -> Iterator[pa.RecordBatch]:
        """Yields the numbers of tables, in their order."""
        if self._pool is None:
            yield from (_batch(self._encode, table) for table in tables)
            return
        waiting: deque[Future[pa.RecordBatch]] = deque()
        for table in tables:
            waiting.append(self._pool.submit(_work, table))
            if len(waiting) > 2 * self._processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
