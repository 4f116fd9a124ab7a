"""Small datasets made of rows, with everything that a comparison reads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from gistmill.core.statistics import Column, Statistics, distribution
from gistmill.published.dataset import Dataset
from tests.manifests import made_manifest, shard, write_manifest

COLUMNS = {
    "id": "string",
    "inputs": "string",
    "score": "float64",
    "items": "list<int64>",
    "discourse_type": "string",
    "document_id": "string",
    "revision": "string",
    "file": "string",
}
_ARROW = {"string": pa.string(), "float64": pa.float64(), "list<int64>": pa.list_(pa.int64())}


def row(id: str, **values: object) -> dict[str, object]:
    """A row with values for its columns, or usual ones; its document is what its id has before "-"."""
    usual = {
        "inputs": "two words",
        "score": 0.5,
        "items": [1, 2],
        "discourse_type": "A",
        "document_id": id.partition("-")[0],
        "revision": "1",
        "file": "dump-1",
    }
    return {"id": id, **usual, **values}


def write_dataset(
    folder: Path,
    splits: Mapping[str, Iterable[Mapping[str, object]]],
    *,
    config: str = "default",
    shards: int = 1,
    columns: Mapping[str, str] = COLUMNS,
    **manifest: object,
) -> Dataset:
    """Writes rows by split as a dataset of one configuration, and opens it."""
    files, counts, types = [], {}, Counter[str]()
    for split, unsorted in splits.items():
        rows = sorted(unsorted, key=lambda r: str(r["id"]).encode())
        types.update(str(r["discourse_type"]) for r in rows if "discourse_type" in columns)
        counts[split] = len(rows)
        for number, part in enumerate(parts(rows, shards)):
            path = f"{config}/parquet/{split}-{number:05d}-of-{shards:05d}.parquet"
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            arrays = {name: pa.array([r.get(name) for r in part], _ARROW[kind]) for name, kind in columns.items()}
            pq.write_table(pa.table(arrays), folder / path)
            files.append(shard(folder, path, rows=len(part)))
    given = dict(manifest)
    groups = {"documents": {"read": sum(counts.values()), "used": sum(counts.values())}, f"rows/{config}": counts}
    statistics = Statistics(counts=groups, distributions={"types": {config: distribution(types)}})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stats.json").write_text(json.dumps(statistics.to_json()), encoding="utf-8")
    values = {
        "counts": groups | given.pop("counts", {}),  # type: ignore[operator]
        "columns": {config: tuple(Column(name, kind, "") for name, kind in columns.items())},
        "files": tuple(files),
    }
    write_manifest(folder, made_manifest(**values, **given))
    return Dataset(folder)


def parts(rows: Sequence[Mapping[str, object]], number: int) -> list[Sequence[Mapping[str, object]]]:
    """The rows in so many parts, of which the last ones may be empty."""
    size = -(-len(rows) // number) or 1
    return [rows[i * size : (i + 1) * size] for i in range(number)]
