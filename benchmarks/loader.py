"""Speed, memory and place-finding of the training loader alone.

    python -m benchmarks.loader [--rows 10000000] [--seconds 10] [--dataset FOLDER[#CONFIG]]

The dataset is made on the spot: short texts in shards of a million rows, with a manifest as a published dataset has it.
With --dataset the speed is measured on that one instead. Each line of the table is a process of its own, which makes
a stream, goes to nine tenths of its first epoch, and then takes batches. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.made import entry, write_manifest
from benchmarks.measuring import machine, table
from gistmill.core.dataset import ID_COLUMN, Column
from gistmill.training.data.batching import Batching
from gistmill.training.data.source import Source
from gistmill.training.data.stream import Stream

_SHARD, _GROUP = 1_000_000, 10_000
_WORDS = "the river turned slowly under old stone and nobody saw how it had found another way to the sea "
_COLUMNS = ("inputs", "targets")
_KINDS = {
    "batches of 32 rows": Batching(rows=32),
    "the same, buckets of 4,096": Batching(rows=32, pool=4096),
    "batches of 2,000 tokens": Batching(tokens=2000, pool=4096),
    "mixture of two, buckets of 4,096": Batching(rows=32, pool=4096),
}


def publish(folder: Path, rows: int) -> None:
    """Writes a dataset of short texts, of 4 to 64 words, with its manifest."""
    chance = np.random.default_rng(0)
    files = []
    (folder / "full" / "parquet").mkdir(parents=True)
    shards = -(-rows // _SHARD)
    for shard in range(shards):
        count = min(_SHARD, rows - shard * _SHARD)
        path = f"full/parquet/train-{shard:05d}-of-{shards:05d}.parquet"
        lengths = (chance.beta(2, 5, count) * 60 + 4).astype(np.int32)
        ids = pa.array([f"{number:012d}" for number in range(shard * _SHARD, shard * _SHARD + count)])
        columns = {"id": ids, **{name: _texts(lengths, shift) for shift, name in enumerate(_COLUMNS)}}
        pq.write_table(pa.table(columns), folder / path, row_group_size=_GROUP, compression="zstd")
        files.append(entry(folder, path, count))
    write_manifest(folder, files, (ID_COLUMN, *(Column(name, "string", "") for name in _COLUMNS)))


def _texts(lengths: np.ndarray, shift: int) -> pa.Array:
    """Texts of so many characters (times 6) that stand one after the other in a long text."""
    ends = np.cumsum(lengths.astype(np.int64) * 6 + shift)
    text = (_WORDS * (int(ends[-1]) // len(_WORDS) + 1)).encode()[: int(ends[-1])]
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    return pa.StringArray.from_buffers(len(lengths), pa.py_buffer(offsets.tobytes()), pa.py_buffer(text))


def words(row: dict[str, Any]) -> int:
    """The length of a row that the loader is asked to bucket by."""
    return row["inputs"].count(" ") + 1


def measure(place: str, kind: str, seconds: float) -> dict[str, float]:
    """Returns what one process finds: seconds to the place, rows/s, rows/s of processor time, peak memory in bytes, and
    share of padding."""
    folder, _, config = place.partition("#")
    weights = (0.5, 0.5) if kind.startswith("mixture") else (None,)
    sources = [Source(folder, config=config or None, columns=_COLUMNS, weight=weight) for weight in weights]
    begun = time.perf_counter()
    stream = Stream(sources, seed=0, batching=_KINDS[kind], length=words)
    pools = stream.rows_in_epoch // _KINDS[kind].pool_rows
    stream.restore(stream.state() | {"pool": pools * 9 // 10})
    batches = iter(stream)
    next(batches)
    found = time.perf_counter() - begun
    rows = tokens = padded = 0
    begun, busy = time.perf_counter(), time.process_time()
    while (spent := time.perf_counter() - begun) < seconds:
        lengths = [words(row) for row in next(batches)]
        rows, tokens, padded = rows + len(lengths), tokens + sum(lengths), padded + max(lengths) * len(lengths)
    busy = time.process_time() - busy
    status = Path("/proc/self/status").read_text(encoding="utf-8")  # ru_maxrss would count the parent's memory too
    peak = int(status.partition("VmHWM:")[2].split()[0]) * 1024
    rates = {"rows": rows / spent, "rows a core": rows / busy}
    return {"place": found, **rates, "memory": peak, "padding": 1 - tokens / padded}


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--dataset")
    parser.add_argument("--measure", choices=_KINDS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.dataset, arguments.measure, arguments.seconds)))
        return
    with tempfile.TemporaryDirectory() as temporary:
        place = arguments.dataset
        if place is None:
            publish(Path(temporary), arguments.rows)
            place = temporary
        found = {kind: _in_a_process(place, kind, arguments.seconds) for kind in _KINDS}
    print(machine(("pyarrow", "numpy")))
    lines = [
        (
            kind,
            f"{f['rows']:,.0f}",
            f"{f['rows a core']:,.0f}",
            f"{f['place']:.2f}",
            f"{f['memory'] / 1e6:,.0f}",
            f"{100 * f['padding']:.1f}",
        )
        for kind, f in found.items()
    ]
    print(table(("", "rows/s", "of processor time", "place found in s", "memory in MB", "padding in %"), lines))
    kinds = {kind: asdict(batching) for kind, batching in _KINDS.items()}
    print(json.dumps({"found": found, "kinds": kinds, "rows": arguments.rows}))


def _in_a_process(place: str, kind: str, seconds: float) -> Any:
    command = [sys.executable, "-m", "benchmarks.loader", "--dataset", place, "--measure", kind]
    done = subprocess.run([*command, "--seconds", str(seconds)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
