"""Rows and documents of a published dataset, found by their content.

Shards are read in full, except row groups whose statistics rule out an id. Texts are compared by their letters and
digits only, after NFKD and in lower case, ignoring quotes, dashes, white space and tokenisation ("do n't", "don't").
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.manifest import PublishedFile
from gistmill.core.parquet_pages import table_of
from gistmill.core.statistics import split_rank
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.rejects import read_rejects, valid_text
from gistmill.published.shards import opened

T = TypeVar("T")
_READERS = 4  # shards read at once: each may use as much memory as the limits on Parquet files allow
_REJECTS = 4096  # rejects whose texts are compared at once
_PAIR = ("inputs", "targets")
_TEXTS = (
    "coherent_first_sentence",
    "coherent_second_sentence",
    "incoherent_first_sentence",
    "incoherent_second_sentence",
    "text",
    "proposition",
    "sentence",
)
_DETAIL = "detail"  # a reject's field: the rules' findings for a document, the text for a sentence or pair
_NOT_WORDS = r"[^\pL\pM\pN]+"
_NOT_OF_A_URL = r"(?s)^\s*(https?:)?//(www\.)?|/*\s*(#.*)?$"


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row and its location: ``config``, ``split``, the ``path`` of its file, and its row ``group`` in the file."""

    config: str
    split: str
    path: str
    group: int
    values: dict[str, Any]


def rows_of_id(dataset: Dataset, row_id: str) -> list[FoundRow]:
    """Returns the rows with an id: one from each configuration that contains it.

    Raises:
        DatasetError: a file cannot be read, or the dataset contains no Parquet files.
    """
    return _rows(dataset, lambda _: "id", [row_id])


def rows_of_documents(dataset: Dataset, documents: Sequence[str]) -> list[FoundRow]:
    """Returns the rows of documents in all configurations and splits. In datasets of documents, each row is a document.
    Raises as ``rows_of_id``."""
    return _rows(dataset, lambda config: document_column(dataset, config), documents)


def document_column(dataset: Dataset, config: str) -> str:
    """Returns the column that identifies a row's document."""
    return "document_id" if any(c.name == "document_id" for c in dataset.columns(config)) else "id"


def documents_known_by(dataset: Dataset, values: Mapping[str, str]) -> list[str]:
    """Returns the sorted ids of the documents, including rejected ones, that match one of the values.

    Args:
        dataset: the dataset.
        values: the texts to compare, by column: title, url or revision. A URL's scheme, ``www.``, fragment and
            trailing slash do not matter.

    Raises:
        DatasetError: a file cannot be read, or the dataset contains no Parquet files.
    """
    wanted = {name: plain for name, text in values.items() if (plain := _plain(name, _array([text]))[0]).as_py()}

    def masks(rows: pa.Table) -> list[Any]:
        return [pc.equal(_plain(name, rows[name]), wanted[name]) for name in wanted if name in rows.schema.names]

    return _documents(dataset, wanted.keys(), masks)


def documents_with(dataset: Dataset, text: str) -> list[str]:
    """Returns the sorted ids of the documents with a text in a row or in a rejected sentence or pair. Raises as
    ``documents_known_by``."""

    def masks(rows: pa.Table) -> list[Any]:
        return [_holding(rows[name], text) for name in text_columns(rows.schema.names)]

    return _documents(dataset, {*_PAIR, *_TEXTS}, masks)


def text_columns(names: Collection[str]) -> list[str]:
    """Returns the text columns to read: a model's inputs and outputs, or all text columns if there are none."""
    return [n for n in _PAIR if n in names] or [n for n in (*_TEXTS, _DETAIL) if n in names]


def has(values: Mapping[str, Any], text: str) -> bool:
    """Whether one of a row's text columns contains a text."""
    columns = (values[name] for name in text_columns(values.keys()))
    texts = [" ".join(value) if isinstance(value, list) else value or "" for value in columns]
    return any(_holding(_array(texts), text).to_pylist())


def _rows(dataset: Dataset, column_of: Callable[[str], str], values: Sequence[str]) -> list[FoundRow]:
    """Returns the rows with one of the values in the column that ``column_of`` returns for their configuration."""
    wanted = _array(values)

    def found(file: PublishedFile, group: int, rows: pa.Table) -> Iterator[FoundRow]:
        among = pc.is_in(rows[column_of(file.config)], wanted)
        for row in rows.filter(among).to_pylist():
            yield FoundRow(file.config, file.split, file.path, group, row)

    return _scan(dataset, found, may_have=lambda file, group: _may_have(group, column_of(file.config), values))


def _documents(dataset: Dataset, columns: Collection[str], masks: Callable[[pa.Table], Sequence[Any]]) -> list[str]:
    """Returns the sorted ids of the documents of matching rows and rejects.

    Args:
        dataset: the dataset.
        columns: columns to read in addition to the ids, where they exist.
        masks: returns masks for rows or rejects; those in any mask match.
    """

    def named(rows: pa.Table, column: str) -> Iterator[str]:
        for mask in masks(rows):
            yield from rows[column].filter(mask).drop_null().to_pylist()

    def found(file: PublishedFile, _: int, rows: pa.Table) -> Iterator[str]:
        return named(rows, document_column(dataset, file.config))

    ids, rejects = {*_scan(dataset, found, columns={*columns, "document_id", "id"})}, read_rejects(dataset)
    while some := [*itertools.islice(rejects, _REJECTS)]:
        values = {name: [reject[name] for reject in some] for name in ("id", "title")}
        values[_DETAIL] = [reject[_DETAIL] if reject["unit"] != "document" else "" for reject in some]
        ids.update(named(pa.table({name: _array(texts) for name, texts in values.items()}), "id"))
    return sorted(ids)


def _scan(
    dataset: Dataset,
    found: Callable[[PublishedFile, int, pa.Table], Iterable[T]],
    *,
    columns: Collection[str] | None = None,
    may_have: Callable[[PublishedFile, Any], bool] = lambda file, group: True,
) -> list[T]:
    """Returns the matches in the row groups of all shards, in order of configuration, split and path.

    Args:
        dataset: the dataset.
        found: returns the matches in a row group, given its file, number and rows.
        columns: the columns to read, where they exist; None for all.
        may_have: given a row group's file and metadata, returns whether to read it.

    Raises:
        DatasetError: a file cannot be read, or the dataset contains no Parquet files.
    """

    def in_shard(file: PublishedFile) -> list[T]:
        known, here = dataset.columns(file.config), list[T]()
        names = [c.name for c in known if columns is None or c.name in columns]
        with opened(dataset.folder, file, known) as (parquet, handle):
            for number in range(parquet.num_row_groups):
                if may_have(file, parquet.metadata.row_group(number)):
                    here += found(file, number, table_of(parquet, handle, groups=[number], columns=names))
        return here

    configs = dataset.configs
    shards = [file for file in dataset.manifest.files if file.config in configs and file.split]
    files = [file for file in shards if file.format == "parquet"]
    if shards and not files:
        raise DatasetError(f"{dataset.place} contains no Parquet files, which are required to find rows")
    files.sort(key=lambda file: (configs.index(file.config), split_rank(file.split), file.path))
    with ThreadPoolExecutor(_READERS) as pool:
        return [each for shard in pool.map(in_shard, files) for each in shard]


def _may_have(group: Any, name: str, values: Sequence[str]) -> bool:
    """Whether a row group's column may contain one of the values, according to its statistics."""
    chunks = map(group.column, range(group.num_columns))
    statistics = next((chunk.statistics for chunk in chunks if chunk.path_in_schema == name), None)
    if statistics is None or not statistics.has_min_max:  # values of several kilobytes have no statistics
        return True
    try:
        return any(statistics.min <= value <= statistics.max for value in values)
    except (UnicodeDecodeError, TypeError):  # reported when the column is read
        return True


def _holding(texts: pa.Array, text: str) -> pa.Array:
    """Returns, for each text or list of tokens, whether it contains ``text``, which must contain letters or digits."""
    joined = pc.binary_join(texts, " ") if pa.types.is_list(texts.type) else texts
    plain = _folded(_array([text]))[0].as_py()
    return pc.match_substring(_folded(joined), plain) if plain else pa.array([False] * len(texts), pa.bool_())


def _plain(name: str, texts: pa.Array) -> pa.Array:
    """Returns a column's texts in the form in which they are compared."""
    return pc.replace_substring_regex(pc.utf8_lower(texts), _NOT_OF_A_URL, "") if name == "url" else _folded(texts)


def _folded(texts: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(pc.utf8_lower(pc.utf8_normalize(texts, "NFKD")), _NOT_WORDS, "")


def _array(texts: Sequence[str]) -> pa.Array:
    return pa.array([valid_text(text) for text in texts], pa.string())
