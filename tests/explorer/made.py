"""Datasets written by hand, in which every row is known, and servers for their pages."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.statistics import Column
from gistmill.explorer.index.building import indexed
from gistmill.explorer.server import Version, application, url_of, write_page
from gistmill.published.dataset import Dataset
from tests.manifests import made_manifest, shard, write_manifest
from tests.servers import running, serving

COLUMNS = tuple(
    Column(name, kind, f"the {name}")
    for name, kind in {
        "id": "string",
        "inputs": "string",
        "targets": "string",
        "discourse_type": "string",
        "connective_string": "string",
        "has_coref_type_pronoun": "float64",
        "score": "float64",
        "edits": "list<string>",
        "document_id": "string",
        "title": "string",
        "sentence_index": "int64",
        "offset": "int64",
    }.items()
)
_SCALARS = {"string": pa.string(), "float64": pa.float64(), "int64": pa.int64(), "bool": pa.bool_()}
_ARROW = _SCALARS | {f"list<{name}>": pa.list_(kind) for name, kind in _SCALARS.items()}
TYPES = ("SINGLE_S_COORD", "PAIR_NONE", "SINGLE_RELATIVE")


def row(number: int, **changes: Any) -> dict[str, Any]:
    """A row of a document with four of them; every third is of a type."""
    kind, there = TYPES[number % 3], " there" * (number % 5)
    return {
        "id": f"wikipedia-{number // 4:03}-{number:05}-{kind}-0",
        "inputs": f"It rained all day in town number {number}. We stayed in our old house{there}.",
        "targets": f"It rained all day in town number {number}, so we stayed in our old house{there}.",
        "discourse_type": kind,
        "connective_string": ", so" if kind == TYPES[0] else "",
        "has_coref_type_pronoun": float(number % 2),
        "score": number / 7,
        "edits": [f"{number} delete"],
        "document_id": f"wikipedia-{number // 4:03}",
        "title": f"Rain of {('otters', 'frogs')[number // 4 % 2]}",
        "sentence_index": number % 4,
        "offset": number,
    } | changes


def reject(document: str, **changes: Any) -> dict[str, Any]:
    """A reject of a document."""
    return {
        "id": document,
        "reason": "NO_VERB",
        "text": "one of the two sentences has no finite main verb",
        "stage": "recipe",
        "unit": "sentence",
        "index": 2,
        "detail": "SINGLE_RELATIVE: The rain .",
        "title": "Rain of otters",
        "file": "dump.xml",
        "offset": 7,
    } | changes


def write_dataset(
    folder: Path,
    splits: Mapping[str, Sequence[Mapping[str, Any]]],
    rejects: Sequence[Mapping[str, Any]] = (),
    columns: Sequence[Column] = COLUMNS,
    **manifest: Any,
) -> Path:
    """Writes a dataset of one configuration, "full", with two files for each split."""
    files = []
    schema = pa.schema([(c.name, _ARROW[c.type]) for c in columns])
    for split, rows in splits.items():
        half = -(-len(rows) // 2)
        for number, part in enumerate(part for part in (rows[:half], rows[half:]) if part):
            path = folder / f"full/parquet/{split}-{number:05}-of-00002.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(pa.Table.from_pylist(list(part), schema), path)
            files.append(shard(folder, str(path.relative_to(folder)), rows=len(part)))
    if rejects:
        path = folder / "rejects/jsonl/rejects-00000-of-00001.jsonl.gz"
        path.parent.mkdir(parents=True)
        path.write_bytes(gzip.compress("".join(json.dumps(r) + "\n" for r in rejects).encode(), mtime=0))
        files.append(shard(folder, str(path.relative_to(folder)), rows=len(rejects)))
    counts = {"rows/full": {split: len(rows) for split, rows in splits.items()}}
    values = {"columns": {"full": tuple(columns)}, "files": tuple(files), "counts": counts} | manifest
    write_manifest(folder, made_manifest(**values))
    return folder


def index_of(dataset: Path, above: Path) -> Version:
    """The index of a dataset."""
    return Version.of(dataset.name, indexed(Dataset(dataset), above, lambda: nullcontext(lambda rows: None)))


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Hosts a folder as any file server does; yields its address."""

    class Files(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(folder))

    with serving(Files) as port:
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def served(folder: Path, datasets: Sequence[Path], above: Path, *, inputs: Sequence[str] = ()) -> Iterator[str]:
    """Serves the page of datasets as the command does; yields its address."""
    versions = [index_of(dataset, above) for dataset in datasets]
    write_page(folder, versions, served=True)
    app = application(folder, versions, [Dataset(d) for d in datasets], inputs=inputs, names=["127.0.0.1"])
    with running(app) as port:
        yield url_of("127.0.0.1", port)
