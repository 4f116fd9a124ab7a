"""Makes the index of a dataset, in bounded memory: keys are dealt out by their first bits, and each part is sorted.

about.json       written last: what the index is of, and the row groups of the dataset with their statistics
keys.parquet     key, file, row: sorted by key; the file is a number of about.json, and 0 the rejects
rejects.parquet  the rejects of the dataset in their order
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.manifest import PublishedFile
from gistmill.core.parquet_pages import batches_of
from gistmill.published.dataset import Dataset
from gistmill.published.finding import Finder
from gistmill.published.rejects import read_rejects, valid_text
from gistmill.published.shards import opened
from gistmill.rules.lookup import Subject, key_of, sketches_of
from gistmill.rules.text.tokenised import splitter_of

_TOKENISED = (
    "coherent_first_sentence",
    "coherent_second_sentence",
    "incoherent_first_sentence",
    "incoherent_second_sentence",
)
_NATURAL = ("inputs", "targets")
_STATED = ("proposition", "sentence")
_SENTENCE = ("sentence",)
_ANNOTATED = ("sentence_length", "text")
_WHOLE = ("text",)
TEXTS = (*_TOKENISED, *_ANNOTATED, *_NATURAL, *_STATED)  # every column that may hold sentences
_MASK = re.compile(r"\[MASK\d*\]")


def text_columns(names: Collection[str]) -> tuple[str, ...]:
    """Returns the columns that hold sentences, of those that there are."""
    for columns in (_TOKENISED, _ANNOTATED, _NATURAL, _STATED, _SENTENCE, _WHOLE):
        if set(columns) <= set(names):
            return columns
    return ()


def sentences_of(row: Mapping[str, Any]) -> Iterator[str]:
    """Yields the sentences of a row: those of its columns, or of its texts as the rules split them."""
    columns = text_columns(row.keys())
    if columns == _ANNOTATED:
        tokens = iter(row["text"])
        for length in row["sentence_length"]:
            yield " ".join(islice(tokens, length))
    elif columns in (_TOKENISED, _STATED, _SENTENCE):
        yield from (row[column] for column in columns if row[column])
    else:
        texts = [_MASK.sub("\n", row[column] or "") for column in columns]
        split = splitter_of(texts)
        for text in texts:
            for line in text.splitlines():
                yield from split(line)


def place_of(row: Mapping[str, Any], matches: Sequence[bool]) -> int | None:
    """Returns the place in its document of the sentence of a row that matches, if the row tells.

    Args:
        row: a row, of which ``sentence_index`` is the place of its sentence, or of the first coherent one.
        matches: for each of its sentences whether it is the one.
    """
    columns = text_columns(row.keys())
    if "sentence_index" in row and columns in (_STATED, _SENTENCE):
        return int(row["sentence_index"]) if any(matches) else None
    if "sentence_index" not in row or columns != _TOKENISED:
        return None
    present = [column for column in _TOKENISED if row[column]]
    matching = {column for column, match in zip(present, matches, strict=True) if match}
    if _TOKENISED[0] in matching:
        return int(row["sentence_index"])
    return int(row["sentence_index"]) + 1 if _TOKENISED[1] in matching else None


def sentences_of_reject(reject: Mapping[str, Any]) -> list[str]:
    """Returns the sentences that the detail of a rejected sentence or pair quotes."""
    if reject["unit"] == "document":
        return []
    return [part for part in str(reject["detail"]).partition(": ")[2].split(" | ") if part]


ABOUT, KEYS, REJECTS = "about.json", "keys.parquet", "rejects.parquet"
REJECTS_FILE = 0  # the number of the rejects among the files
_PLACE = np.dtype([("key", "<u8"), ("file", "<i4"), ("row", "<i4")])
_KEYS_SCHEMA = pa.schema([("key", pa.uint64()), ("file", pa.int32()), ("row", pa.int32())])
_REJECT_FIELDS = ("id", "reason", "text", "stage", "unit", "index", "detail", "title", "file", "offset")
_REJECTS_SCHEMA = pa.schema([(n, pa.int64() if n in ("index", "offset") else pa.string()) for n in _REJECT_FIELDS])
_GROUP_ROWS = 1 << 15
_BATCH_ROWS = 1024
_PART_ROWS = 500_000  # rows of a dataset for each part, which is sorted in memory
_MOST_PARTS = 256  # files that are open at once
_KEPT = 1 << 16  # keys of sentences: neighbours have the same ones
_FLUSH = 1 << 18  # places that are collected before they are dealt out


def write_index(dataset: Dataset, folder: Path, about: Mapping[str, Any]) -> None:
    """Writes the index of a dataset to a new folder, which appears whole.

    Args:
        dataset: the dataset.
        folder: where; the folder above has to be there. If another process has put an index there meanwhile, it stays.
        about: what ``about.json`` says of the dataset.

    Raises:
        DatasetError: the dataset cannot be read.
        OSError: the index cannot be written.
    """
    work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        groups = Finder(dataset).groups()
        files = list(dict.fromkeys((group.config, group.split, group.path) for group in groups))
        places = _Places(work, sum(group.rows for group in groups))
        with contextlib.closing(places):
            _write_rejects(dataset, work / REJECTS, places.add)
            entries = {file.path: file for file in dataset.manifest.files}
            for number, (_, _, path) in enumerate(files, start=REJECTS_FILE + 1):
                _add_rows(dataset, entries[path], functools.partial(places.add, number))
            places.write(work / KEYS)
        value = {**about, "files": files, "groups": [dataclasses.asdict(group) for group in groups]}
        (work / ABOUT).write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
        with contextlib.suppress(OSError):  # another one is there
            os.rename(work, folder)
        if not (folder / ABOUT).exists():
            raise OSError(f"{folder} is in the way")
    finally:
        shutil.rmtree(work, ignore_errors=True)


class _Places:
    """Places of keys, dealt out by the first bits of the key to files that are sorted one after the other."""

    def __init__(self, folder: Path, rows: int) -> None:
        self._bits = min(_MOST_PARTS, max(1, -(-rows // _PART_ROWS)) - 1).bit_length()
        self._paths = [folder / f"part-{number}" for number in range(1 << self._bits)]
        self._files = [path.open("wb") for path in self._paths]
        self._keys: list[int] = []
        self._places: list[tuple[int, int]] = []

    def add(self, file: int, row: int, keys: Iterable[int]) -> None:
        """Adds the keys of a row."""
        before = len(self._keys)
        self._keys += keys
        self._places += [(file, row)] * (len(self._keys) - before)
        if len(self._keys) >= _FLUSH:
            self._deal()

    def write(self, path: Path) -> None:
        """Writes all places, sorted, as Parquet."""
        self._deal()
        self.close()
        with pq.ParquetWriter(path, _KEYS_SCHEMA, compression="zstd", use_dictionary=["file"]) as writer:
            for part in self._paths:
                found = np.fromfile(part, _PLACE)
                part.unlink()
                found = found[np.lexsort((found["row"], found["file"], found["key"]))]
                table = pa.table({name: found[name] for name in _KEYS_SCHEMA.names}, schema=_KEYS_SCHEMA)
                writer.write_table(table, row_group_size=_GROUP_ROWS)

    def close(self) -> None:
        """Closes the files."""
        for file in self._files:
            file.close()

    def _deal(self) -> None:
        found: npt.NDArray[Any] = np.empty(len(self._keys), _PLACE)
        found["key"] = np.array(self._keys, np.uint64)
        if self._places:
            found["file"], found["row"] = np.array(self._places, np.int32).T
        self._keys, self._places = [], []
        part = found["key"] >> np.uint64(64 - self._bits) if self._bits else np.zeros(len(found), np.uint64)
        for number, file in enumerate(self._files):
            found[part == number].tofile(file)


def _add_rows(dataset: Dataset, file: PublishedFile, add: Callable[[int, Iterable[int]], None]) -> None:
    """Adds the keys of each document's page at its first row, and those of each sentence at the first row with it."""
    columns = dataset.columns(file.config)
    names = [column.name for column in columns]
    document = "document_id" if "document_id" in names else "id"
    wanted = {document, "title", "url", "revision", *text_columns(names)} & set(names)
    with opened(dataset.folder, file, columns) as (parquet, handle):
        batches = batches_of(parquet, handle, _BATCH_ROWS, columns=sorted(wanted))
        rows = itertools.chain.from_iterable(batch.to_pylist() for batch in batches)
        current, seen = None, set[int]()
        for number, row in enumerate(rows):
            keys = {key for sentence in sentences_of(row) for key in _sentence_keys(sentence)}
            if row[document] != current:
                current, seen = row[document], set()
                keys.update(_page_keys(row))
            new = keys - seen
            seen |= new
            add(number, new)


def _write_rejects(dataset: Dataset, path: Path, add: Callable[[int, int, Iterable[int]], None]) -> None:
    with pq.ParquetWriter(path, _REJECTS_SCHEMA, compression="zstd") as writer:
        current, number = None, 0
        for batch in _batched(read_rejects(dataset), _GROUP_ROWS // 4):
            for reject in batch:
                keys = {key for sentence in sentences_of_reject(reject) for key in _sentence_keys(sentence)}
                if reject["id"] != current:
                    current = reject["id"]
                    keys.update(_page_keys(reject))
                add(REJECTS_FILE, number, keys)
                number += 1
            columns = {name: [valid_text(reject[name]) for reject in batch] for name in _REJECT_FIELDS}
            writer.write_table(pa.table(columns, schema=_REJECTS_SCHEMA))


def _page_keys(values: Mapping[str, Any]) -> Iterator[int]:
    """Yields the keys of the page of a row or reject."""
    for subject in (Subject.TITLE, Subject.URL, Subject.REVISION):
        text = values.get(subject.value)
        if text and (key := key_of(subject, text)) is not None:
            yield key
    yield from sketches_of(Subject.TITLE, values.get("title") or "")


@functools.lru_cache(_KEPT)
def _sentence_keys(sentence: str) -> Sequence[int]:
    key = key_of(Subject.SENTENCE, sentence)
    return [] if key is None else [key, *sketches_of(Subject.SENTENCE, sentence)]


def _batched(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    found = iter(items)
    while batch := list(itertools.islice(found, size)):
        yield batch
