"""Two versions side by side: of each row of one, where the other has it, and whether it is the same there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gistmill.explorer.index.files import read_json, rows_path, write, write_json
from gistmill.rules.lineage import WHERE_FOUND

SAME, CHANGED, ALONE = range(3)
STATES = ("same", "changed", "only here")
NOWHERE = 0xFFFFFFFF


def compare(one: Path, other: Path, folder: Path, tables: Mapping[str, Any], others: Mapping[str, Any]) -> None:
    """Writes, for each table that both have, the state of each row of ``one`` and its number in ``other``.

    A row is known by its id. Columns that say where a text was found, such as its offset, do not make it another row.

    Args:
        one, other: the indexes of two versions.
        folder: where the files go: NAME/state.bin, NAME/number.bin, and about.bin with the counts of states.
        tables, others: the tables of both by their names, as the indexes describe them. Rejects are not compared.
    """
    about: dict[str, Any] = {}
    for name in tables.keys() & others.keys():
        numbers = np.full(tables[name]["rows"], NOWHERE, "<u4")
        states = np.full(len(numbers), ALONE, "u1")
        theirs = _Merge(other / name, others[name])
        for split, number, row_id, digest in _rows(one / name, tables[name]):
            found = theirs.find(split, row_id)
            if found is not None:
                numbers[number], states[number] = found[0], SAME if found[1] == digest else CHANGED
        write(folder / name / "number.bin", numbers.tobytes())
        write(folder / name / "state.bin", states.tobytes())
        about[name] = list(zip(STATES, np.bincount(states, minlength=len(STATES)).tolist(), strict=True))
    write_json(folder / "about.bin", about)


class _Merge:
    """Finds ascending ids of a split, one after the other, in a table that is sorted alike."""

    def __init__(self, folder: Path, table: Mapping[str, Any]) -> None:
        self._splits = [name for name, _ in table["splits"]]
        self._ranks = {name: rank for rank, name in enumerate(self._splits)}
        self._rows = _rows(folder, table)
        self._now = next(self._rows, None)

    def find(self, split: str, row_id: str) -> tuple[int, bytes] | None:
        """The number and digest of a row, which has to be behind the one asked for before."""
        wanted = (self._ranks.get(split, -1), row_id.encode())
        while self._now is not None and (self._ranks[self._now[0]], self._now[2].encode()) < wanted:
            self._now = next(self._rows, None)
        if self._now is None or (self._now[0], self._now[2]) != (split, row_id):
            return None
        return self._now[1], self._now[3]


def _rows(folder: Path, table: Mapping[str, Any]) -> Iterator[tuple[str, int, str, bytes]]:
    """Yields split, number, id and a digest of the content of every row."""
    names = [column["name"] for column in table["columns"]]
    kept = sorted((name, place) for place, name in enumerate(names) if name not in WHERE_FOUND)
    at = names.index("id")
    starts = [*table["splits"], ("", table["rows"])]
    split, number = 0, 0
    for chunk in range(-(-table["rows"] // table["chunk_rows"])):
        for row in read_json(rows_path(folder, chunk)):
            while number >= starts[split + 1][1]:
                split += 1
            content = json.dumps([(name, row[place]) for name, place in kept])
            yield starts[split][0], number, row[at], hashlib.blake2b(content.encode(), digest_size=8).digest()
            number += 1
