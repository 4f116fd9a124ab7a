"""Looks up pages and sentences in the index of a dataset: a few row groups are read, whatever the size."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from gistmill.published.dataset import Dataset
from gistmill.published.finding import Finder, FoundRow, RowGroup
from gistmill.published.lookup.writing import (
    ABOUT,
    KEYS,
    REJECTS,
    REJECTS_FILE,
    TEXTS,
    sentences_of,
    sentences_of_reject,
)
from gistmill.rules.lookup import Subject, folded, key_of, sketches_of

_MOST_ALIKE = 10_000  # places of a sketch that are looked at
_MOST_READ = 40  # rows that are read to compare texts
_LEAST = 0.5  # likeness of what is offered
_IDS = ("id", "document_id")


@dataclass(frozen=True, slots=True)
class Near:
    """A title or sentence that is nearly the one asked for, its document, and from 0 to 1 how alike the two are."""

    text: str
    document_id: str
    likeness: float


class Index:
    """The index of a dataset, opened.

    Args:
        dataset: the dataset.
        folder: where ``write_index`` put its index.

    Raises:
        OSError, ValueError: it cannot be read.
    """

    def __init__(self, dataset: Dataset, folder: Path) -> None:
        self._about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        groups = [RowGroup.from_json(group) for group in self._about["groups"]]
        self._finder = Finder(dataset, groups=groups)
        self._keys = _Sorted(folder / KEYS, "key")
        self._rejects = _Sorted(folder / REJECTS, "id")

    @property
    def about(self) -> dict[str, Any]:
        """What ``about.json`` says."""
        return dict(self._about)

    def documents(self, subject: Subject, text: str) -> list[str]:
        """Returns the ids of the documents that have a title, address, revision or sentence, sorted."""
        key = key_of(subject, text)
        if key is None:
            return []
        found = self._keys.rows([key])
        return sorted({self._document(file, row) for _, file, row in found})

    def rows(self, document_id: str) -> list[FoundRow]:
        """Returns the rows of a document in all configurations and splits."""
        return list(self._finder.of_document(document_id))

    def rejects(self, document_id: str) -> list[dict[str, Any]]:
        """Returns the rejects of a document, in order."""
        return self._rejects.dicts(document_id)

    def nearest(self, subject: Subject, text: str, number: int) -> list[Near]:
        """Returns the titles or sentences that are most like a text, the most alike first; different texts."""
        votes: Counter[tuple[int, int]] = Counter()
        for key in sketches_of(subject, text):
            votes.update((file, row) for _, file, row in self._keys.rows([key])[:_MOST_ALIKE])
        places = sorted(votes, key=lambda place: (-votes[place], place))[:_MOST_READ]
        best: dict[str, Near] = {}
        for near in self._compared(subject, text, places):
            plain = folded(near.text)
            if plain not in best or best[plain].likeness < near.likeness:
                best[plain] = near
        return sorted(best.values(), key=lambda near: (-near.likeness, near.text))[:number]

    def _compared(self, subject: Subject, text: str, places: Iterable[tuple[int, int]]) -> Iterator[Near]:
        # what is learned of the second text is kept
        matcher = SequenceMatcher(None, "", folded(text), autojunk=False)
        for file, row in places:
            values = self._values(file, row, [*_IDS, "title"] if subject is Subject.TITLE else [*_IDS, *TEXTS])
            document = str(values.get("document_id", values["id"]))
            for other in _texts(subject, values, file):
                matcher.set_seq1(folded(other))
                if matcher.quick_ratio() >= _LEAST and (likeness := matcher.ratio()) >= _LEAST:
                    yield Near(other, document, likeness)

    def _document(self, file: int, row: int) -> str:
        values = self._values(file, row, _IDS)
        return str(values.get("document_id", values["id"]))

    def _values(self, file: int, row: int, columns: Sequence[str]) -> dict[str, Any]:
        if file == REJECTS_FILE:
            return self._rejects.at(row)
        return self._finder.row_at(self._about["files"][file - 1][2], row, columns)


def _texts(subject: Subject, values: dict[str, Any], file: int) -> Sequence[str]:
    if subject is Subject.TITLE:
        return [values.get("title") or ""]
    return sentences_of_reject(values) if file == REJECTS_FILE else list(sentences_of(values))


class _Sorted:
    """A Parquet file that is sorted by a column, of which only the row groups are read that may have a value."""

    def __init__(self, path: Path, column: str) -> None:
        self._file = pq.ParquetFile(path)
        self._column = column
        self._footer = self._file.metadata
        self._at = self._file.schema_arrow.names.index(column)

    def rows(self, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Returns the rows whose column has one of the values, in order."""
        found = [table for value in values for table in self._tables(value)]
        return [tuple(row.values()) for table in found for row in table.to_pylist()]

    def dicts(self, value: Any) -> list[dict[str, Any]]:
        """Returns the same for one value, as dicts."""
        return [row for table in self._tables(value) for row in table.to_pylist()]

    def at(self, number: int) -> dict[str, Any]:
        """Returns the row of a number, counted from 0 over the file."""
        for group in range(self._footer.num_row_groups):
            rows = self._footer.row_group(group).num_rows
            if number < rows:
                return dict(self._file.read_row_group(group).slice(number, 1).to_pylist()[0])
            number -= rows
        raise ValueError(f"the index has no row {number}")

    def _tables(self, value: Any) -> Iterator[pa.Table]:
        for group in range(self._footer.num_row_groups):
            statistics = self._footer.row_group(group).column(self._at).statistics
            if statistics is None or not statistics.has_min_max or statistics.min <= value <= statistics.max:
                table = self._file.read_row_group(group)
                wanted = pc.equal(table[self._column], pa.scalar(value, table[self._column].type))
                yield table.filter(wanted)
