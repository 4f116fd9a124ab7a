"""Pairs of texts out of a file of a user's: JSONL, TSV or Parquet."""
from __future__ import annotations

import bz2
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

_KIND = re.compile(r"\.(jsonl|ndjson|tsv|parquet)(\.gz|\.bz2)?$", re.IGNORECASE)


def read_pairs(path: str, fields: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the texts of two columns of each row; a list of strings becomes lines. TSV files begin with their names.

    Raises:
        ValueError: the file or a row is of no use; one line that names it.
    """
    kind = _KIND.search(path)
    if kind is None or kind[1].lower() == "parquet" and kind[2]:
        raise ValueError(f"{path}: pairs are in .jsonl, .tsv or .parquet files, the first two also in .gz or .bz2")
    reader = {"tsv": _tsv, "parquet": _parquet}.get(kind[1].lower(), _jsonl)
    try:
        with Path(path).open("rb") as raw:
            for place, row in reader(_unpacked(raw, (kind[2] or "").lower()), path):
                yield _text(row, fields[0], place), _text(row, fields[1], place)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8: {error}") from None
    except (OSError, EOFError, RecursionError, zlib.error, pa.ArrowException) as error:
        raise ValueError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _unpacked(raw: IO[bytes], ending: str) -> IO[bytes]:
    if ending == ".gz":
        return gzip.GzipFile(fileobj=raw)
    return bz2.BZ2File(raw) if ending == ".bz2" else raw


def _jsonl(file: IO[bytes], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, line in enumerate(file, 1):
        place, text = f"{path}, line {number}", line.decode("utf-8-sig")
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except ValueError as error:
            raise ValueError(f"{place} is not JSON: {error}") from None
        if not isinstance(row, dict):
            raise ValueError(f"{place} is no object")
        yield place, row


def _tsv(file: IO[bytes], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    lines = (line.rstrip("\r\n").split("\t") for line in io.TextIOWrapper(file, encoding="utf-8-sig", newline="\n"))
    names = next(lines, [])
    for number, cells in enumerate(lines, 2):
        if cells != [""]:
            yield f"{path}, line {number}", dict(zip(names, cells, strict=False))


def _parquet(file: IO[bytes], path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    number = 0
    for batch in pq.ParquetFile(file).iter_batches(256):
        for row in batch.to_pylist():
            number += 1
            yield f"{path}, row {number}", row


def _text(row: Mapping[str, Any], field: str, place: str) -> str:
    value = row.get(field)
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        value = "\n".join(value)
    if not isinstance(value, str) or not value.strip():
        there = ", ".join(list(row)[:20]) or "none"
        raise ValueError(f"{place} has no text {field!r}" + ("" if field in row else f"; it has {there}"))
    return value
