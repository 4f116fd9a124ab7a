"""Building and locating the index of a dataset. Each version of a dataset has one index, wherever it is stored."""

from __future__ import annotations

import contextlib
import hashlib
import heapq
import itertools
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from gistmill.core.manifest import MANIFEST
from gistmill.core.parquet_pages import batches_of
from gistmill.core.statistics import Column
from gistmill.explorer.index.table import REJECTS, Progress, Shape, read_json, rows_path, write, write_json, write_table
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, check_owner
from gistmill.published.finding import text_columns
from gistmill.published.rejects import read_rejects, reject_parts, valid_text
from gistmill.published.shards import opened
from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.lineage import WHERE_FOUND
from gistmill.rules.propositions.open_references import OpenKind
from gistmill.rules.propositions.recipe import PROPOSITIONS, Propositions, grain_of
from gistmill.rules.recipes import RECIPES

META = "meta.bin"
FORM = 4  # version of the index format; each version has its own folder
_BATCH_ROWS = 2048
_REJECT_COLUMNS = (
    Column("id", "string", "id of the document"),
    Column("reason", "string", "why it was rejected"),
    Column("text", "string", "meaning of the reason"),
    Column("stage", "string", "who rejected it"),
    Column("unit", "string", "unit rejected: a document, a sentence or a pair"),
    Column("index", "int64", "place of the sentence in the document; -1 for a document"),
    Column("detail", "string", "the words or values that the reason refers to"),
    Column("title", "string", "title of the document"),
    Column("file", "string", "name of the input file"),
    Column("offset", "int64", "where the document starts in the file"),
)
_ARROW = {"string": pa.string(), "int64": pa.int64()}
_REJECT_SCHEMA = pa.schema([(c.name, _ARROW[c.type]) for c in _REJECT_COLUMNS])
_REJECT_BYTES = 400
_GRAIN = Column(
    "grain", "string", "sentence: a whole sentence; clause: a part split off; fact: made of less than a clause"
)
# Meanings of codes, by column.
_TYPES = {kind.name: kind.value for kind in DiscourseType}
_MEANINGS = {
    "discourse_type": _TYPES,
    "operations": {f"SPLIT {code}": name for code, name in _TYPES.items()},
    "unresolved": {kind.name: kind.value for kind in OpenKind},
}


def key_of(dataset: Dataset) -> str:
    """Returns a key for a dataset version, derived from its manifest."""
    with dataset.folder.open(MANIFEST) as file:
        return hashlib.sha256(file.read()).hexdigest()[:24]


def rows_of(dataset: Dataset) -> int:
    """Returns the approximate number of rows and rejects in a dataset's index."""
    rejects = sum(f.rows or 0 for f in dataset.manifest.files if f.config == REJECTS)
    return sum(dataset.manifest.rows().values()) + rejects


def indexed(dataset: Dataset, above: Path, progress: Callable[[], contextlib.AbstractContextManager[Progress]]) -> Path:
    """Returns the folder with a dataset's index; builds the index if it is missing or incomplete.

    Args:
        dataset: the dataset.
        above: the folder for all indexes.
        progress: shows progress while an index is built.

    Raises:
        DatasetError: the dataset cannot be read, or has no Parquet files.
        OSError: the index cannot be written, or belongs to another user.
    """
    key = key_of(dataset)
    folder = above / f"{key}-v{FORM}"
    check_owner(folder)
    try:
        read_json(folder / META)
        return folder
    except (OSError, EOFError, ValueError):
        shutil.rmtree(folder, ignore_errors=True)
    above.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{key}-", dir=above))
    try:
        with progress() as tell:
            _write(dataset, work, key, tell)
        with contextlib.suppress(OSError):  # another process has written one
            work.rename(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return folder


def _write(dataset: Dataset, folder: Path, key: str, tell: Progress) -> None:
    tables = []
    for config in dataset.configs:
        shape = _shape(dataset, config)
        tables.append(write_table(shape, folder / config, _batches(dataset, config), tell))
    if reject_parts(dataset):
        rows = sum(f.rows or 0 for f in dataset.manifest.files if f.config == REJECTS)
        meanings: dict[str, str] = {}
        shape = Shape(
            name=REJECTS,
            columns=_REJECT_COLUMNS,
            texts=["detail"],
            document="id",
            meanings={"reason": meanings},
            rows=rows,
            row_bytes=_REJECT_BYTES,
        )
        tables.append(write_table(shape, folder / REJECTS, _rejects(dataset, meanings), tell))
    recipe = RECIPES.get(dataset.manifest.recipe)
    write_json(
        folder / META,
        {
            "key": key,
            "recipe": dataset.manifest.recipe,
            "grain": dataset.manifest.configuration.get("grain", ""),
            "version": dataset.manifest.code_version,
            "made": dataset.manifest.end.isoformat(timespec="minutes"),
            "type": recipe.TYPE if recipe else "",
            "tables": tables,
        },
    )


def _shape(dataset: Dataset, config: str) -> Shape:
    columns = (*dataset.columns(config), *((_GRAIN,) if _has_statements(dataset, config) else ()))
    names = {column.name: column.type for column in columns}
    files = [f for f in dataset.manifest.files if f.config == config and f.format == "parquet"]
    if not files and any(f.config == config and f.split for f in dataset.manifest.files):
        raise DatasetError(
            f"{dataset.place}: {config} contains no Parquet files, which the explorer needs to show rows"
        )
    rows = sum(f.rows or 0 for f in files)
    return Shape(
        name=config,
        columns=columns,
        texts=text_columns([name for name, kind in names.items() if kind in ("string", "list<string>")]),
        document="document_id" if "document_id" in names else "id",
        kinds=RECIPES[dataset.manifest.recipe].DISTRIBUTIONS if dataset.manifest.recipe in RECIPES else (),
        meanings={column: meanings for column, meanings in _MEANINGS.items() if column in names},
        rows=rows,
        row_bytes=3 * sum(f.bytes for f in files) // max(1, rows),  # files are compressed
    )


def _has_statements(dataset: Dataset, config: str) -> bool:
    return (dataset.manifest.recipe, config) == (Propositions.NAME, PROPOSITIONS)


def _batches(dataset: Dataset, config: str) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yields the rows of a configuration; adds the grain column to statements."""
    for split in dataset.splits(config):
        files = (f for f in dataset.manifest.files if (f.config, f.split, f.format) == (config, split, "parquet"))
        for file in sorted(files, key=lambda f: f.path):
            with opened(dataset.folder, file, dataset.columns(config)) as (parquet, handle):
                for batch in batches_of(parquet, handle, _BATCH_ROWS):
                    if _has_statements(dataset, config):
                        grains = pa.array(map(grain_of, batch.column("operations").to_pylist()), pa.string())
                        yield split, batch.append_column(_GRAIN.name, grains)
                    else:
                        yield split, batch


def _rejects(dataset: Dataset, meanings: dict[str, str]) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yields the rejects and stores the meanings of their reasons in ``meanings``."""
    rejects = read_rejects(dataset)
    while batch := list(itertools.islice(rejects, _BATCH_ROWS)):
        columns = {name: [valid_text(reject[name]) for reject in batch] for name in _REJECT_SCHEMA.names}
        meanings.update(zip(columns["reason"], columns["text"], strict=True))
        yield "", pa.RecordBatch.from_pydict(columns, schema=_REJECT_SCHEMA)


SAME, CHANGED, ALONE = range(3)
STATES = ("same", "changed", "only here")
NOWHERE = 0xFFFFFFFF


def compare(one: Path, other: Path, folder: Path, tables: Mapping[str, Any], others: Mapping[str, Any]) -> None:
    """Writes, for each table in both versions, the state of each row of ``one`` and its number in ``other``.

    Rows are matched by id, in any split. Shared columns are compared, except those that locate a text in its source,
    such as its offset.

    Args:
        one, other: the indexes of two versions.
        folder: output folder for NAME/state.bin, NAME/number.bin, and about.bin with the counts of states.
        tables, others: the tables of both by name, as the indexes describe them. Rejects are not compared, because
            their ids are document ids.
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
    """Yields all rows by id, by merging the splits, each of which is sorted by id."""
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
