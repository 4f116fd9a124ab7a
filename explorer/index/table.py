"""A table of an index: the rows of a configuration, or the rejects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from gistmill.core.dataset import Column
from gistmill.explorer.index.columns import Numbers, Values, counts_of_words
from gistmill.explorer.index.files import rows_path, write_json
from gistmill.explorer.index.words import WordIndex, words_of
from gistmill.rules.lineage import DOCUMENT_COLUMNS

SPLIT = "split"
REJECTS = "rejects"
_CHUNK_BYTES = 1 << 18  # of rows that a page reads at once, before they are packed
_MOST_CHUNK_ROWS = 64
_MOST_CHUNKS = 1 << 14  # files of a table
_NEVER_CHOSEN = {"id", "text", "detail", *(c.name for c in DOCUMENT_COLUMNS)} - {"site"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a table is made of.

    Attributes:
        name: of the configuration, or REJECTS.
        columns: the columns of its rows.
        texts: columns that are shown as texts and searched for words.
        document: the column that names a row's document.
        rows: how many rows there are, about.
        row_bytes: what a row has, about.
    """

    name: str
    columns: Sequence[Column]
    texts: Sequence[str]
    document: str
    rows: int
    row_bytes: int

    @property
    def chunk(self) -> int:
        """How many rows a file has."""
        by_bytes = max(1, min(_MOST_CHUNK_ROWS, _CHUNK_BYTES // max(1, self.row_bytes)))
        return max(by_bytes, -(-self.rows // _MOST_CHUNKS))


class Progress(Protocol):
    """Is told how many rows were done."""

    def __call__(self, rows: int) -> None:
        """Takes the number of rows that were added."""


def write_table(
    shape: Shape, folder: Path, batches: Iterator[tuple[str, pa.RecordBatch]], tell: Progress
) -> dict[str, Any]:
    """Writes the files of a table, and returns what the page has to know of it.

    Args:
        shape: what it is made of.
        folder: a new folder.
        batches: the rows in order, a batch of one split at a time with the name of that split.
        tell: progress.
    """
    table = _Table(shape, folder)
    for split, batch in batches:
        table.add(split, batch)
        tell(batch.num_rows)
    return table.finish()


class _Table:
    def __init__(self, shape: Shape, folder: Path) -> None:
        self._shape, self._folder = shape, folder
        self._names = [column.name for column in shape.columns]
        chosen = [c for c in shape.columns if c.name not in {*_NEVER_CHOSEN, *shape.texts, shape.document}]
        self._values = {c.name: Values(c.name) for c in chosen if c.type in ("string", "bool")}
        self._numbers = {c.name: Numbers(c.name) for c in chosen if c.type in ("int64", "float64")}
        self._lengths = {name: Numbers(f"words of {name}") for name in shape.texts}
        self._split = Values(SPLIT)
        self._words = WordIndex(folder / "words", shape.rows)
        self._splits: list[tuple[str, int]] = []  # with their first rows
        self._first: list[str] = []  # ids of the first row of each file
        self._waiting: list[tuple[Any, ...]] = []  # rows for the next file
        self._rows = 0

    def add(self, split: str, batch: pa.RecordBatch) -> None:
        """Adds the rows of a split; those of one split follow each other."""
        if split not in (name for name, _ in self._splits):
            self._splits.append((split, self._rows))
        self._split.add(pa.array([split] * batch.num_rows))
        for name, values in self._values.items():
            values.add(batch.column(name))
        for name, numbers in self._numbers.items():
            numbers.add(batch.column(name))
        columns = {name: batch.column(name).to_pylist() for name in self._names}
        self._add_words(columns)
        self._waiting += zip(*columns.values(), strict=True)
        self._rows += batch.num_rows
        while len(self._waiting) >= self._shape.chunk:
            self._write_rows()

    def _add_words(self, columns: dict[str, list[Any]]) -> None:
        texts = {name: [text_of(value) for value in columns[name]] for name in self._shape.texts}
        for name, found in texts.items():
            self._lengths[name].add(counts_of_words(found))
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
        """Writes what is left; returns the description of the table."""
        if self._waiting:
            self._write_rows()
        self._words.finish()
        write_json(self._folder / "first.bin", self._first)
        few = [numbers.few for numbers in self._numbers.values() if numbers.few.are_useful(self._rows)]
        values = [v for v in [*self._values.values(), *few] if v.are_useful(self._rows)]
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
            "splits": self._splits,
            "values": [
                self._split.write(self._folder / "split.bin", in_order=True),
                *(v.write(self._folder / f"values-{i}.bin") for i, v in enumerate(values)),
            ],
            "numbers": [n for n in written if n is not None],
        }


def text_of(value: Any) -> str:
    """Returns what is shown of a text column: the tokens of a list are joined by spaces."""
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)
