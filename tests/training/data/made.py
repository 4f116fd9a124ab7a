"""Datasets made by hand, with manifests, for the stream."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.manifest import PublishedFile
from gistmill.core.statistics import Column
from gistmill.training.data.source import Source
from gistmill.training.data.stream import Batching, Stream
from tests.manifests import made_manifest, write_manifest

_TYPES = {str: "string", int: "int64", float: "float64", list: "list<string>"}
_ARROW = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64(), "list<string>": pa.list_(pa.string())}


def row(number: int, text: str | None = None) -> dict[str, Any]:
    """A row whose text has from 1 to 40 words, or ``text``."""
    text = " ".join(["word"] * (1 + number * 7919 % 40)) if text is None else text
    return {"id": f"{number:08d}", "inputs": text, "words": ["w"] * (number % 3), "number": number}


def rows(count: int, start: int = 0) -> list[dict[str, Any]]:
    return [row(number) for number in range(start, start + count)]


def publish(
    folder: Path,
    splits: Mapping[str, Sequence[Mapping[str, Any]]],
    *,
    config: str = "full",
    shards: int = 1,
    group: int = 10,
) -> str:
    """Writes Parquet shards with row groups of ``group`` rows, and the manifest; returns the place. The columns are those
    of the first row."""
    files = []
    first = next(rows[0] for rows in splits.values() if rows)
    columns = tuple(Column(name, _TYPES[type(value)], name) for name, value in first.items())
    schema = pa.schema([(column.name, _ARROW[column.type]) for column in columns])
    for split, found in splits.items():
        for shard in range(shards):
            part = found[len(found) * shard // shards : len(found) * (shard + 1) // shards]
            path = f"{config}/parquet/{split}-{shard:05d}-of-{shards:05d}.parquet"
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(pa.Table.from_pylist(list(part), schema), folder / path, row_group_size=group)
            files.append(published_file(folder, path, rows=len(part)))
    counts = {f"rows/{config}": {split: len(found) for split, found in splits.items()}}
    write_manifest(folder, made_manifest(columns={config: columns}, files=tuple(files), counts=counts))
    return str(folder)


def published_file(folder: Path, path: str, *, rows: int) -> PublishedFile:
    """The manifest's entry of a shard that is there."""
    data = (folder / path).read_bytes()
    config, form, name = path.split("/")
    return PublishedFile(
        path=path,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        rows=rows,
        config=config,
        split=name.partition("-")[0],
        format=form,
    )


def words(value: dict[str, Any]) -> int:
    """The length of a row."""
    return value["inputs"].count(" ") + 1


def stream(*sources: Any, batching: Batching | None = None, seed: int = 1, shuffle: int = 20, **options: Any) -> Stream:
    """A stream over places or sources, with small batches and windows."""
    opened = [Source(s) if isinstance(s, str) else s for s in sources]
    return Stream(opened, seed=seed, batching=batching or Batching(rows=4), length=words, shuffle=shuffle, **options)


def epoch(found: Stream, number: int = 0) -> list[list[dict[str, Any]]]:
    """The batches that follow up to the end of an epoch."""
    batches, iterator = [], iter(found)
    while found.epoch <= number:
        batches.append(next(iterator))
    return batches


def numbers(batches: list[list[dict[str, Any]]]) -> list[list[int]]:
    """The numbers of the rows."""
    return [[row["number"] for row in batch] for batch in batches]
