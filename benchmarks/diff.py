"""Speed and memory of `gistmill diff`: two datasets of many rows, of which a part differs.

    python -m benchmarks.diff [--rows 250000,1000000,4000000] [--changed 0.05]

The datasets are made on the spot: eight rows a document, texts of 4 to 64 words, shards of 250,000 rows. In the new one
a share of the documents has another revision, and half of the rows of these another text; every shard has one such
document at least, so that none is skipped. Each line of the table is a process of its own. The last line is one JSON
object.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measuring import machine, table
from benchmarks.process_tree import watch
from gistmill.core.dataset import Column
from gistmill.core.manifest import MANIFEST, Manifest
from gistmill.core.manifest_entries import PublishedFile
from gistmill.core.statistics import STATISTICS, Statistics

_SHARD, _GROUP, _ROWS_OF_DOCUMENT = 250_000, 10_000, 8
_WORDS = "the river turned slowly under old stone and nobody saw how it had found another way to the sea " * 4
_COLUMNS = ("id", "inputs", "targets", "discourse_type", "document_id", "revision")


def publish(folder: Path, rows: int, changed: float) -> None:
    """Writes a dataset, of whose documents a share has changed, with manifest and statistics."""
    files, shards = [], -(-rows // _SHARD)
    (folder / "full" / "parquet").mkdir(parents=True)
    for shard in range(shards):
        path = f"full/parquet/train-{shard:05d}-of-{shards:05d}.parquet"
        made = _rows(range(shard * _SHARD, min(rows, (shard + 1) * _SHARD)), changed)
        pq.write_table(made, folder / path, row_group_size=_GROUP, compression="zstd")
        data = (folder / path).read_bytes()
        digest = hashlib.sha256(data).hexdigest()
        entry = {"rows": made.num_rows, "config": "full", "split": "train", "format": "parquet"}
        files.append(PublishedFile(path=path, bytes=len(data), sha256=digest, **entry))
    counts = {"documents": {"read": rows, "used": rows}, "rows/full": {"train": rows}}
    statistics = Statistics(counts=counts, distributions={})
    (folder / STATISTICS).write_text(json.dumps(statistics.to_json()), encoding="utf-8")
    now = datetime.now(UTC)
    texts: dict[str, Any] = dict.fromkeys(("code_version", "runner", "licence", "attribution"), "")
    nothing: dict[str, Any] = dict.fromkeys(("models", "evaluation", "sources", "damage"), ())
    manifest = Manifest(
        recipe="discofuse",
        configuration={},
        versions={},
        start=now,
        end=now,
        counts=counts,
        machine_dependent={},
        columns={"full": tuple(Column(name, "string", "") for name in _COLUMNS)},
        files=tuple(files),
        **texts,
        **nothing,
    )
    (folder / MANIFEST).write_text(json.dumps(manifest.to_json()), encoding="utf-8")


def _rows(numbers: range, changed: float) -> pa.Table:
    chance = np.random.default_rng(numbers.start)
    lengths = (chance.beta(2, 5, len(numbers)) * 60 + 4).astype(int)
    documents = [number // _ROWS_OF_DOCUMENT for number in numbers]
    every = round(1 / changed) if changed else 0
    other = [bool(every) and document % every == 0 for document in documents]
    words = _WORDS.split()
    texts = [" ".join(words[n % 7 : n % 7 + size]) for n, size in zip(numbers, lengths, strict=True)]
    columns = {
        "id": [f"wikipedia-{d:09d}-{n % _ROWS_OF_DOCUMENT}" for d, n in zip(documents, numbers, strict=True)],
        "inputs": [f"{t} again" if o and n % 2 else t for t, o, n in zip(texts, other, numbers, strict=True)],
        "targets": texts,
        "discourse_type": [f"TYPE_{n % 13}" for n in numbers],
        "document_id": [f"wikipedia-{d:09d}" for d in documents],
        "revision": ["2" if o else "1" for o in other],
    }
    return pa.table(columns)


def main() -> None:
    """Prints the table and the line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="250000,1000000,4000000", help="numbers of rows (default: %(default)s)")
    parser.add_argument("--changed", type=float, default=0.05, help="share of the documents (default: %(default)s)")
    arguments = parser.parse_args()
    found = []
    for rows in map(int, arguments.rows.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            old, new = Path(folder, "old"), Path(folder, "new")
            publish(old, rows, 0.0)
            publish(new, rows, arguments.changed)
            command = [sys.executable, "-m", "gistmill", "diff", str(old), str(new)]
            first, used = watch([*command, "--quick"]), watch(command)
            seconds = used.cpu_seconds - first.cpu_seconds
            megabytes = sum(path.stat().st_size for path in Path(folder).rglob("*.parquet")) / 1e6
        found.append(
            {"rows": rows, "megabytes": megabytes, "seconds": seconds, "rate": rows / seconds, "peak": used.peak_bytes}
        )
    lines = [
        (
            f"{f['rows']:,}",
            f"{f['megabytes']:,.0f} MB",
            f"{f['seconds']:.1f} s",
            f"{f['rate']:,.0f}",
            f"{f['peak'] / 1e6:,.0f} MB",
        )
        for f in found
    ]
    print(machine(("pyarrow", "numpy")))
    print(table(("rows of each dataset", "both", "processor time", "rows/s", "peak memory"), lines))
    print(json.dumps({"changed": arguments.changed, "runs": found}))


if __name__ == "__main__":
    main()
