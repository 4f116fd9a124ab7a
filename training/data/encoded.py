"""Cached token IDs, so that rows are not tokenised again in every epoch, process and run.

Tokenising is a hundred times slower than reading its result. The cache contains one Arrow file per shard, in a folder
named after a hash of everything that determines its contents, so it is never out of date. Any file may be deleted.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import groupby, islice
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from gistmill.published import files as caches
from gistmill.training.data.source import Block, Readable, Row
from gistmill.training.errors import TrainingError

_NAME = "tokens-1"  # including the version of the file format
_ROWS = 20_000  # minimum number of rows per process, because starting one takes seconds
_NUMBER, _NUMBERS = pa.int32(), pa.list_(pa.int32())


class Encode(Protocol):
    """A function that turns a row into numbers, and must be picklable so that it can be sent to other processes.

    Attributes:
        key: identifies the encoding: instances with the same key return the same numbers.
        lists: keys, beginning with "_", whose values are lists of numbers.
        numbers: keys whose values are single numbers.
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
    """The encoded rows of a split, in the same blocks and order. See Readable.

    Args:
        split: the rows.
        files: the file for each shard, containing one record batch per block.
    """

    def __init__(self, split: Readable, files: Mapping[int, Path]) -> None:
        self.weight, self.fingerprint = split.weight, split.fingerprint
        self.blocks, self.rows = split.blocks, split.rows
        self._files = files
        self._numbers = {
            block: number
            for _, blocks in groupby(split.blocks, key=lambda block: block.shard)
            for number, block in enumerate(blocks)
        }

    def read(self, blocks: Sequence[Block]) -> pa.Table:
        """Returns the encoded rows of some blocks as one table."""
        batches = []
        for shard, found in groupby(blocks, key=lambda block: block.shard):
            try:
                with pa.memory_map(str(self._files[shard])) as mapped:
                    reader = pa.ipc.open_file(mapped)
                    batches += [reader.get_batch(self._numbers[block]) for block in found]
            except (OSError, pa.ArrowException) as error:
                raise TrainingError(f"{self._files[shard]} cannot be read: {error}; delete it and try again") from None
        return pa.Table.from_batches(batches)


def encoded(split: Readable, encode: Encode, *, cache: Path | None) -> EncodedSplit:
    """Returns the encoded rows of a split. Those not in the cache are encoded on all cores and stored.

    Args:
        split: the rows.
        encode: turns a row into numbers.
        cache: the cache folder; None: ``gistmill`` in the user's cache folder.

    Raises:
        SettingsError, TrainingError: a row cannot be encoded, or the numbers cannot be written.
    """
    above = cache / _NAME if cache else caches.cache(_NAME)
    root = above / hashlib.sha256(f"{split.fingerprint}\n{encode.key}".encode()).hexdigest()
    files = {block.shard: root / f"{block.shard:05d}.arrow" for block in split.blocks}
    try:
        for place in (above, root):
            caches.check_owner(place)
        root.mkdir(parents=True, exist_ok=True)
        blocks = [block for block in split.blocks if not files[block.shard].exists()]
        tables = _encoded_tables((split.read([block]) for block in blocks), encode, sum(block.rows for block in blocks))
        for shard, own in groupby(blocks, key=lambda block: block.shard):
            _write(islice(tables, len(list(own))), _schema(encode), files[shard])
    except OSError as error:
        raise TrainingError(
            f"the tokens cannot be stored in {root}: {error}; specify another folder with --cache"
        ) from None
    return EncodedSplit(split, files)


def rows_of(table: pa.Table) -> list[Row]:
    """Returns the rows of a table. Lists of numbers become NumPy arrays that share the table's memory."""
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
    """Writes a file under a unique name and renames it, so that it is either complete or absent."""
    draft = file.with_name(f"{file.name}.{uuid.uuid4().hex}")  # other runs may write the same file
    try:
        with pa.OSFile(str(draft), "wb") as opened, pa.ipc.new_file(opened, schema) as writer:
            for table in tables:
                writer.write_batch(table)
        os.replace(draft, file)
    finally:
        draft.unlink(missing_ok=True)


def _encoded_table(encode: Encode, table: pa.Table) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([dict(encode(row)) for row in table.to_pylist()], _schema(encode))


_of_process: list[Encode] = []  # pickled once per process instead of once per table


def _begin_process(encode: Encode) -> None:
    _of_process[:] = [encode]


def _in_process(table: pa.Table) -> pa.RecordBatch:
    return _encoded_table(_of_process[0], table)


def _encoded_tables(tables: Iterable[pa.Table], encode: Encode, rows: int) -> Iterator[pa.RecordBatch]:
    """Yields the encoded tables in order, using several processes unless there are few rows."""
    processes = min(len(os.sched_getaffinity(0)), rows // _ROWS)
    if processes < 2:
        yield from (_encoded_table(encode, table) for table in tables)
        return
    context = multiprocessing.get_context("spawn")  # forking a process that has threads may hang
    pool = ProcessPoolExecutor(processes, context, _begin_process, (encode,))
    try:
        waiting: deque[Future[pa.RecordBatch]] = deque()
        for table in tables:
            waiting.append(pool.submit(_in_process, table))
            if len(waiting) > 2 * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
