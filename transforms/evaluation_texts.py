"""Evaluation sets: files whose texts must not overlap with any document, combined into one n-gram index."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from gistmill.rules.filters import GramIndex, text_grams
from gistmill.transforms.io import create, is_url, join, open_input, read_json, sha256_of, write_json
from gistmill.transforms.layout import WorkspaceLayout
from gistmill.transforms.sources.files.ranges import SourceError, expand_inputs
from gistmill.transforms.sources.lines import object_of, read_lines, text_of, value_of
from gistmill.transforms.sources.rows import checked_batches, open_parquet

_MOST_SETS = 1 << 16
_NAME = re.compile(r"\.(jsonl|ndjson|parquet|tsv|txt)(\.(?:gz|bz2|zst|xz))?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSet:
    """The manifest's record of a file of evaluation texts; ``short`` counts texts too short to search for."""

    path: str
    size: int
    sha256: str
    texts: int
    short: int
    ngrams: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evaluation:
    """All evaluation sets, with an index of their n-grams."""

    sets: tuple[EvaluationSet, ...]
    index: GramIndex

    def save(self, workspace: str) -> None:
        """Writes the index to the workspace, from which workers read it with ``load_index``."""
        folder = WorkspaceLayout(workspace).evaluation
        for name, array in (("grams", self.index.grams), ("sets", self.index.sets)):
            with create(join(folder, f"{name}.npy")) as file:
                np.save(file, array, allow_pickle=False)
        write_json(join(folder, "index.json"), {"lengths": self.index.lengths, "sets": [s.path for s in self.sets]})


@functools.lru_cache(maxsize=1)
def load_index(workspace: str) -> tuple[GramIndex, tuple[str, ...]]:
    """Returns the index and the paths of its sets; if local, the index is memory-mapped, so that processes share it."""
    folder = WorkspaceLayout(workspace).evaluation
    description = read_json(join(folder, "index.json"))
    grams, sets = (_array(join(folder, f"{name}.npy")) for name in ("grams", "sets"))
    return GramIndex(grams=grams, sets=sets, lengths=tuple(description["lengths"])), tuple(description["sets"])


def _array(path: str) -> np.ndarray:
    if not is_url(path):
        return np.load(path, mmap_mode="r")
    with open_input(path) as file:
        return np.load(io.BytesIO(file.read()))


def read_evaluation(patterns: Sequence[str], *, ngram: int, fields: Sequence[str] = ()) -> Evaluation:
    """Reads all evaluation files matched by paths, globs or comma-separated lists of them.

    Args:
        patterns: TSV, text (one text per line), JSONL or Parquet files; all but Parquet may be compressed.
        ngram: number of words in an n-gram.
        fields: columns (named in the first line of a TSV file) or keys that contain the texts; if empty, all strings.

    Raises:
        SourceError: a file is missing, empty, damaged or without text; the message is one line that names it.
    """
    files = expand_inputs(patterns)
    if len(files) >= _MOST_SETS:
        raise SourceError(f"too many evaluation files: {len(files)}; the limit is {_MOST_SETS - 1}")
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
            raise SourceError(f"{file.path} contains no text")
        grams.append(np.unique(np.concatenate(mine)) if mine else np.zeros(0, np.uint64))
        sets.append(
            EvaluationSet(
                path=file.path,
                size=file.size,
                sha256=sha256_of(file.path),
                texts=texts,
                short=short,
                ngrams=len(grams[-1]),
            )
        )
    return Evaluation(sets=tuple(sets), index=GramIndex.of(grams, lengths))


def read_texts(path: str, fields: Sequence[str] = ()) -> Iterator[str]:
    """Yields the texts in one file. Raises the errors of read_evaluation."""
    name = _NAME.search(path)
    form = name[1].lower() if name else ""
    if name is None or (form == "parquet" and name[2]):
        raise SourceError(
            f"{path}: expected a .tsv, .txt, .jsonl or .parquet file (all but .parquet may be compressed)"
        )
    if form == "parquet":
        return _columns(path, fields)
    return (_values if form in ("jsonl", "ndjson") else _cells)(path, fields)


def _cells(path: str, fields: Sequence[str]) -> Iterator[str]:
    rows = (text.rstrip("\r").split("\t") for text in read_lines(path, text_of))
    wanted: list[int] | None = None
    if fields and (names := next(rows, None)) is not None:
        _check(path, fields, names)
        wanted = [names.index(f) for f in fields]
    for cells in rows:
        yield from (c for i, c in enumerate(cells) if (wanted is None or i in wanted) and c.strip())


def _values(path: str, fields: Sequence[str]) -> Iterator[str]:
    if not fields:
        for value in read_lines(path, value_of):
            yield from _strings(value)
        return
    seen: set[str] = set()
    for values in read_lines(path, object_of):
        seen |= values.keys()
        yield from _strings([values.get(f) for f in fields])
    if seen:
        _check(path, fields, sorted(seen))


def _columns(path: str, fields: Sequence[str]) -> Iterator[str]:
    with open_input(path) as file:
        parquet = open_parquet(file, path)
        names = [f.name for f in parquet.schema_arrow if "string" in str(f.type)]
        _check(path, fields, names)
        if not names:
            raise SourceError(f"{path} contains no string column")
        try:
            for batch in checked_batches(parquet, file, path, 1024, columns=fields or names):
                for column in batch.columns:
                    yield from _strings(column.to_pylist())
        except (OSError, UnicodeDecodeError, pa.ArrowException) as error:
            raise SourceError(f"{path} cannot be read: {error}") from None


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
            raise SourceError(f"{path} contains no text column {field!r}; columns: {', '.join(there[:20]) or 'none'}")
