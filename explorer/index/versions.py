"""Two versions side by side: of each row of one, where the other has it, and whether it is the same there."""

from __future__ import annotations

import hashlib
import heapq
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gistmill.explorer.index.files import read_json, rows_path, write, write_json
from gistmill.explorer.index.table import REJECTS
from gistmill.rules.lineage import WHERE_FOUND

SAME, CHANGED, ALONE = range(3)
STATES = ("same", "changed", "only here")
NOWHERE = 0xFFFFFFFF


def compare(one: Path, other: Path, folder: Path, tables: Mapping[str, Any], others: Mapping[str, Any]) -> None:
    """Writes, for each table that both have, the state of each row of ``one`` and its number in ``other``.

    A row is known by its id, whatever split it is in. Columns that both have are compared, but for those that say where
    a text was found, such as its offset.

    Args:
        one, other: the indexes of two versions.
        folder: where the files go: NAME/state.bin, NAME/number.bin, and about.bin with the counts of states.
        tables, others: the tables of both by their names, as the indexes describe them. Rejects are not compared: their
            ids are those of documents.
    """
    about: dict[str, Any] = {}
    for name in (tables.keys() & others.keys()) - {REJECTS}:
        numbers = np.full(tables[name]["rows"], NOWHERE, "<u4")
        states = np.full(len(numbers), ALONE, "u1")
        kept = sorted((_columns(tables[name]) & _columns(others[name])) - WHERE_FOUND)
        theirs = _rows(other / name, others[name], kept)
        now = next(theirs, None)
        for row in _rows(one / name, tables[name], kept):
            while now is not None and now.id < row.id:
                now = next(theirs, None)
            if now is not None and now.id == row.id:
                numbers[row.number], states[row.number] = now.number, SAME if now.digest == row.digest else CHANGED
        write(folder / name / "number.bin", numbers.tobytes())
        write(folder / name / "state.bin", states.tobytes())
        about[name] = list(zip(STATES, np.bincount(states, minlength=len(STATES)).tolist(), strict=True))
    write_json(folder / "about.bin", about)


class _Row(NamedTuple):
    id: bytes
    number: int
    digest: bytes


def _columns(table: Mapping[str, Any]) -> set[str]:
    return {column["name"] for column in table["columns"]}


def _rows(folder: Path, table: Mapping[str, Any], kept: Sequence[str]) -> Iterator[_Row]:
    """Yields every row in the order of ids: rows are in this order within each split."""
    starts = [*(first for _, first in table["splits"]), table["rows"]]
    return heapq.merge(*(_rows_of_split(folder, table, kept, *bounds) for bounds in itertools.pairwise(starts)))


def _rows_of_split(folder: Path, table: Mapping[str, Any], kept: Sequence[str], begin: int, end: int) -> Iterator[_Row]:
    names = [column["name"] for column in table["columns"]]
    at, places = names.index("id"), [names.index(name) for name in kept]
    size = table["chunk_rows"]
    for chunk in range(begin // size, -(-end // size)):
        for number, row in enumerate(read_json(rows_path(folder, chunk)), start=chunk * size):
            if begin <= number < end:
                content = json.dumps([row[place] for place in places])
                digest = hashlib.blake2b(content.encode(), digest_size=8).digest()
                yield _Row(row[at].encode(), number, digest)
