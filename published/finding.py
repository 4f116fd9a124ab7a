"""Rows and documents of a published dataset, found by what they say.

Shards are read as they are, but for the row groups whose statistics leave an id out. Texts are compared by their
letters and digits alone, after NFKD and in lower case: so quotes, dashes, white space, and whether a text is tokenised
("do n't") or not ("don't") make no difference.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from gistmill.core.manifest import PublishedFile
from gistmill.core.parquet_pages import batches_of, table_of
from gistmill.core.statistics import split_rank
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError
from gistmill.published.rejects import read_rejects, valid_text
from gistmill.published.shards import opened

_THREADS = 16  # each footer may be a request to a store
_READERS = 4  # shards that are read at once: each may take what the limits on Parquet files allow
_BATCH_ROWS = 4096  # rows and rejects whose texts are compared at once
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
_DETAIL = "detail"  # of a reject: in its place a document has what the rules found, and a sentence or pair its text
_NOT_WORDS = r"[^\pL\pM\pN]+"
_NOT_OF_A_URL = r"(?s)^\s*(https?:)?//(www\.)?|/*\s*(#.*)?$"


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row and where it lies: its ``config``, ``split``, the ``path`` of its file and its row ``group`` there."""

    config: str
    split: str
    path: str
    group: int
    values: dict[str, Any]


def rows_of_id(dataset: Dataset, row_id: str) -> list[FoundRow]:
    """Returns the rows of an id: one of each configuration that has it.

    Raises:
        DatasetError: a file cannot be read, or the dataset has no Parquet files.
    """
    return _rows(dataset, lambda _: "id", [row_id])


def rows_of_documents(dataset: Dataset, documents: Sequence[str]) -> list[FoundRow]:
    """Returns the rows of documents in all configurations and splits. In datasets of documents a row is one. Raises as
    ``rows_of_id``."""
    return _rows(dataset, lambda config: document_column(dataset, config), documents)


def document_column(dataset: Dataset, config: str) -> str:
    """Returns the column that names the document of a row."""
    return "document_id" if any(c.name == "document_id" for c in dataset.columns(config)) else "id"


def documents_known_by(dataset: Dataset, values: Mapping[str, str]) -> list[str]:
    """Returns the ids of the documents that have one of the values, sorted; of rejected documents too.

    Args:
        dataset: the dataset.
        values: texts by the columns that are compared with them: title, url or revision. Of a URL its scheme, ``www.``,
            fragment and last slash do not matter.

    Raises:
        DatasetError: a file cannot be read, or the dataset has no Parquet files.
    """
    wanted = {name: plain for name, text in values.items() if (plain := _plain(name, _array([text]))[0]).as_py()}

    def kept(batch: pa.RecordBatch) -> pa.RecordBatch:
        known = wanted.keys() & {*batch.schema.names}
        return batch.filter(_any([pc.equal(_plain(name, batch[name]), wanted[name]) for name in known], batch.num_rows))

    return _documents(dataset, wanted.keys(), kept)


def documents_with(dataset: Dataset, text: str) -> list[str]:
    """Returns the ids of the documents that have a text in a row, or in what is said of a rejected sentence or pair;
    sorted. Raises as ``documents_known_by``."""

    def kept(batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = [batch[name] for name in text_columns(batch.schema.names)]
        return batch.filter(_any([_holding(column, text) for column in columns], batch.num_rows))

    return _documents(dataset, {*_PAIR, *_TEXTS}, kept)


def text_columns(names: Collection[str]) -> list[str]:
    """Returns the columns that are read as texts: what a model reads and writes, or else those that there are."""
    return [n for n in _PAIR if n in names] or [n for n in (*_TEXTS, _DETAIL) if n in names]


def has(values: Mapping[str, Any], text: str) -> bool:
    """Whether a row has a text in one of its columns of texts."""
    columns = (values[name] for name in text_columns(values.keys()))
    texts = [" ".join(value) if isinstance(value, list) else value or "" for value in columns]
    return any(_holding(_array(texts), text).to_pylist())


def _shards(dataset: Dataset) -> list[PublishedFile]:
    """The Parquet files of rows in order of configuration, split and path."""
    configs = dataset.configs
    shards = [file for file in dataset.manifest.files if file.config in configs and file.split]
    found = [file for file in shards if file.format == "parquet"]
    if shards and not found:
        raise DatasetError(f"{dataset.place} has no Parquet files, and rows are found in those")
    return sorted(found, key=lambda file: (configs.index(file.config), split_rank(file.split), file.path))


def _rows(dataset: Dataset, column_of: Callable[[str], str], values: Sequence[str]) -> list[FoundRow]:
    """The rows of which the column of their configuration has one of the values."""

    def groups_of(file: PublishedFile) -> list[int]:
        with opened(dataset.folder, file, dataset.columns(file.config)) as (parquet, _):
            groups = map(parquet.metadata.row_group, range(parquet.num_row_groups))
            return [n for n, group in enumerate(groups) if _may_have(group, column_of(file.config), values)]

    files, wanted, rows = _shards(dataset), _array(values), []
    with ThreadPoolExecutor(_THREADS) as pool:
        groups = [*pool.map(groups_of, files)]
    for file, number in ((file, number) for file, numbers in zip(files, groups, strict=True) for number in numbers):
        columns, name = dataset.columns(file.config), column_of(file.config)
        with opened(dataset.folder, file, columns) as (parquet, handle):
            among = pc.is_in(table_of(parquet, handle, groups=[number], columns=[name])[name], wanted)
            if pc.any(among).as_py():
                table = table_of(parquet, handle, groups=[number], columns=[c.name for c in columns])
                found = table.filter(among).to_pylist()
                rows += [FoundRow(file.config, file.split, file.path, number, row) for row in found]
    return rows


def _may_have(group: Any, name: str, values: Sequence[str]) -> bool:
    """Whether one of the values may be in the column of a row group, as its statistics say."""
    chunks = map(group.column, range(group.num_columns))
    statistics = next((chunk.statistics for chunk in chunks if chunk.path_in_schema == name), None)
    if statistics is None or not statistics.has_min_max:  # values of kilobytes have none
        return True
    try:
        return any(statistics.min <= value <= statistics.max for value in values)
    except (UnicodeDecodeError, TypeError):  # whoever reads the column is told
        return True


def _documents(
    dataset: Dataset, columns: Collection[str], kept: Callable[[pa.RecordBatch], pa.RecordBatch]
) -> list[str]:
    """The ids, sorted, of the documents of rows and rejects.

    Args:
        dataset: the dataset.
        columns: those that are read where they are there, besides the ids.
        kept: returns of a batch the rows or rejects that are meant.
    """

    def in_shard(file: PublishedFile) -> set[str]:
        document, known = document_column(dataset, file.config), dataset.columns(file.config)
        names = [c.name for c in known if c.name in columns or c.name == document]
        with opened(dataset.folder, file, known) as (parquet, handle):
            batches = batches_of(parquet, handle, _BATCH_ROWS, columns=names)
            return {name for batch in batches for name in kept(batch)[document].to_pylist() if name is not None}

    with ThreadPoolExecutor(_READERS) as pool:
        found = set[str]().union(*pool.map(in_shard, _shards(dataset)))
    rejects = read_rejects(dataset)
    while some := [*itertools.islice(rejects, _BATCH_ROWS)]:
        values = {name: [reject[name] for reject in some] for name in ("id", "title")}
        values[_DETAIL] = [reject[_DETAIL] if reject["unit"] != "document" else "" for reject in some]
        batch = pa.RecordBatch.from_pydict({name: _array(texts) for name, texts in values.items()})
        found.update(kept(batch)["id"].to_pylist())
    return sorted(found)


def _holding(texts: pa.Array, text: str) -> pa.Array:
    """For each of the texts, which may be lists of tokens, whether it has another one, which has letters or digits."""
    joined = pc.binary_join(texts, " ") if pa.types.is_list(texts.type) else texts
    plain = _folded(_array([text]))[0].as_py()
    return pc.match_substring(_folded(joined), plain) if plain else pa.array([False] * len(texts), pa.bool_())


def _plain(name: str, texts: pa.Array) -> pa.Array:
    """What the texts of a column are compared by."""
    return pc.replace_substring_regex(pc.utf8_lower(texts), _NOT_OF_A_URL, "") if name == "url" else _folded(texts)


def _folded(texts: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(pc.utf8_lower(pc.utf8_normalize(texts, "NFKD")), _NOT_WORDS, "")


def _array(texts: Sequence[str]) -> pa.Array:
    return pa.array([valid_text(text) for text in texts], pa.string())


def _any(masks: Sequence[pa.Array], rows: int) -> pa.Array:
    """Where one of the masks is true, or nowhere."""
    found = pa.array([False] * rows, pa.bool_())
    for mask in masks:
        found = pc.or_(found, mask)
    return found
