"""The same pairs in files of every form."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from gistmill.core.records import Pair, RangeEnd, Reject
from gistmill.transforms.sources.files.ranges import SourceFile
from gistmill.transforms.sources.pairs import PairsSource
from tests.transforms.sources import reading

PAIRS = [
    {"id": f"p{n}", "inputs": f"The otter number {n} swims. It eats {n} fish.", "targets": f"Otter {n} swims."}
    for n in range(60)
]


def jsonl(rows: Sequence[Any]) -> bytes:
    """Rows as JSON Lines; bytes stay as they are."""
    return b"".join((r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in rows)


def tsv(rows: Sequence[Mapping[str, str]]) -> bytes:
    """Rows as TSV with the columns of the first."""
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    return "".join("\t".join(cells) + "\n" for cells in lines).encode()


def write_parquet(path: Path, rows: Sequence[Mapping[str, Any]] | pa.Table, *, group: int = 1000) -> Path:
    """Writes rows as Parquet with ``group`` rows in each row group."""
    table = rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(list(rows))
    pq.write_table(table, path, row_group_size=group)
    return path


def write_forms(folder: Path) -> dict[str, Path]:
    """Writes PAIRS in every form; returns the files by form."""
    packed: dict[str, Callable[[bytes], bytes]] = {
        "gz": gzip.compress,
        "bz2": bz2.compress,
        "zst": zstandard.ZstdCompressor().compress,
    }
    contents = {"x.jsonl": jsonl(PAIRS), "x.tsv": tsv(PAIRS)}
    contents |= {f"{name}.{end}": pack(data) for name, data in [*contents.items()] for end, pack in packed.items()}
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    write_parquet(folder / "x.parquet", PAIRS, group=7)
    return {name: folder / name for name in [*contents, "x.parquet"]}


def read(*paths: Path | str, **options: Any) -> tuple[list[Pair | Reject], list[RangeEnd], list[SourceFile]]:
    """Returns the rows, the ends of ranges and the files that the source gives."""
    return reading.read(PairsSource, paths, **options)


def texts(rows: Sequence[Pair | Reject]) -> list[tuple[str, str, str]]:
    """Returns id and texts of each; there must not be a Reject."""
    assert all(isinstance(row, Pair) for row in rows), rows
    return [(row.id, row.inputs, row.targets) for row in rows if isinstance(row, Pair)]
