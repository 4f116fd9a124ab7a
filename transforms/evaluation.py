"""Evaluation sets: files of texts that no document may share text with, made into one index of n-grams."""
from __future__ import annotations

import bz2
import functools
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems

from rules.contamination import GramIndex, text_grams
from transforms.sinks.files import sha256_of
from transforms.sinks.layout import Layout, read_json, write_json
from transforms.sources.ranges import expand_inputs

_KIND = re.compile(r"\.(tsv|txt|jsonl|ndjson|parquet)(\.gz|\.bz2)?$", re.IGNORECASE)
_MOST_SETS = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSet:
    """A file of evaluation texts, as the manifest names it. ``short`` counts the texts that are too short to be looked
    for."""

    path: str
    size: int
    sha256: str
    texts: int
    short: int
    ngrams: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation:
    """All sets, and the index of their n-grams."""

    sets: tuple[EvaluationSet, ...]
    index: GramIndex

    def save(self, workspace: str) -> None:
        """Writes it into the work space: ``load_index`` reads it there, in workers."""
        folder = Layout(workspace).evaluation
        for name, array in (("grams", self.index.grams), ("sets", self.index.sets)):
            with FileSystems.create(_file(folder, name), compression_type=CompressionTypes.UNCOMPRESSED) as file:
                buffer = io.BytesIO()
                np.lib.format.write_array(buffer, array, allow_pickle=False)
                file.write(buffer.getvalue())
        write_json(FileSystems.join(folder, "index.json"),
                   {"lengths": self.index.lengths, "sets": [s.path for s in self.sets]})


def _file(folder: str, name: str) -> str:
    return FileSystems.join(folder, f"{name}.npy")


@functools.lru_cache(maxsize=1)
def load_index(workspace: str) -> tuple[GramIndex, tuple[str, ...]]:
    """Returns the index and the paths of its sets. On a local disk the processes of a machine share its memory."""
    folder = Layout(workspace).evaluation
    description = read_json(FileSystems.join(folder, "index.json"))
    grams, sets = (_array(_file(folder, name)) for name in ("grams", "sets"))
    return GramIndex(grams=grams, sets=sets, lengths=tuple(description["lengths"])), tuple(description["sets"])


def _array(path: str) -> np.ndarray:
    if "://" not in path:
        return np.load(path, mmap_mode="r")
    with FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED) as file:
        return np.load(io.BytesIO(file.read()))


def read_evaluation(patterns: Sequence[str], *, ngram: int, fields: Sequence[str] = ()) -> Evaluation:
    """Reads every file that paths, globs or comma lists of them name.

    Args:
        patterns: names of TSV, text (a text a line), JSONL or Parquet files, or gzip or bzip2 files of the former.
        ngram: words of an n-gram.
        fields: columns (in the first line of a TSV file) or keys whose strings are texts; all strings without any.

    Raises:
        ValueError: a file is missing, empty, broken or holds no text; one line that names it and what is wrong.
    """
    files = expand_inputs(patterns)
    if len(files) >= _MOST_SETS:
        raise ValueError(f"{len(files)} files of evaluation texts are too many; at most {_MOST_SETS - 1}")
    sets, grams, lengths = [], [], set()
    for file in files:
        mine: list[np.ndarray] = []
        texts = short = 0
        for text in read_texts(file.path, fields):
            found, length = text_grams(text, ngram)
            texts += 1
            short += not length
            if length:
                lengths.add(length)
                mine.append(np.unique(found))
        if not texts:
            raise ValueError(f"{file.path} holds no text")
        grams.append(np.unique(np.concatenate(mine)) if mine else np.zeros(0, np.uint64))
        sets.append(EvaluationSet(path=file.path, size=file.size, sha256=sha256_of(file.path), texts=texts, short=short,
                                  ngrams=len(grams[-1])))
    return Evaluation(sets=tuple(sets), index=GramIndex.of(grams, lengths))


def described(evaluation: Evaluation | None) -> list[dict[str, Any]]:
    """Returns the sets as plain values."""
    return [asdict(s) for s in evaluation.sets] if evaluation else []


def read_texts(path: str, fields: Sequence[str] = ()) -> Iterator[str]:
    """Yields the texts of one file. Raises as read_evaluation."""
    kind = _KIND.search(path)
    if kind is None or kind[1].lower() == "parquet" and kind[2]:
        raise ValueError(f"{path}: evaluation texts are in .tsv, .txt, .jsonl or .parquet files, the first three also "
                         "in .gz or .bz2")
    reader: Callable[[Any, str, Sequence[str]], Iterator[str]] = {
        "tsv": _tsv, "txt": _tsv, "jsonl": _jsonl, "ndjson": _jsonl, "parquet": _parquet}[kind[1].lower()]
    try:
        with FileSystems.open(path, compression_type=CompressionTypes.UNCOMPRESSED) as raw:
            yield from reader(_unpacked(raw, (kind[2] or "").lower()), path, fields)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}") from None
    except (OSError, EOFError, RecursionError, zlib.error, pa.ArrowException) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def _unpacked(raw: Any, ending: str) -> Any:
    if ending == ".gz":
        return gzip.GzipFile(fileobj=raw)
    return bz2.BZ2File(raw) if ending == ".bz2" else raw


def _tsv(file: Any, path: str, fields: Sequence[str]) -> Iterator[str]:
    wanted: list[int] | None = None
    for line in _lines(file):
        cells = line.split("\t")
        if fields and wanted is None:
            _check(path, fields, cells)
            wanted = [cells.index(f) for f in fields]
            continue
        yield from (c for i, c in enumerate(cells) if (wanted is None or i in wanted) and c.strip())


def _jsonl(file: Any, path: str, fields: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for number, line in enumerate(_lines(file), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{path}, line {number} is not JSON: {error}") from None
        if fields:
            if not isinstance(value, dict):
                raise ValueError(f"{path}, line {number} is no object, and so has no field {fields[0]!r}")
            seen |= value.keys()
            value = [value.get(f) for f in fields]
        yield from _strings(value)
    if fields and seen:
        _check(path, fields, sorted(seen))


def _parquet(file: Any, path: str, fields: Sequence[str]) -> Iterator[str]:
    table = pq.ParquetFile(file)
    names = [f.name for f in table.schema_arrow if "string" in str(f.type)]
    _check(path, fields, names)
    if not names:
        raise ValueError(f"{path} has no column of strings")
    for batch in table.iter_batches(1024, columns=list(fields) or names):
        for column in batch.columns:
            yield from _strings(column.to_pylist())


def _lines(file: Any) -> Iterator[str]:
    for line in file:
        yield line.decode("utf-8").rstrip("\r\n")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _check(path: str, fields: Sequence[str], there: Sequence[str]) -> None:
    for field in fields:
        if field not in there:
            raise ValueError(f"{path} has no column {field!r} of texts; it has {', '.join(there[:20]) or 'none'}")
