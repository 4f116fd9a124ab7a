"""Ranks of many short pairs by the real command: seconds, memory, and whether they are those of a plain sort.

    python -m benchmarks.ranks [--pairs 1000000] [--workers 1] [--temp-dir DIR]

The pairs have texts of 8 to 39 words of a few, so that many values are equal. A tenth of them is ranked first: memory
should hardly grow. It is resident, summed over the process tree. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measuring import machine, table
from benchmarks.process_tree import watch
from gistmill.rules.curriculum.scoring import ORDERS, random_value

WORDS = np.array("river bridge mayor school market builds opened walked quickly green".split())
VALUES = {"length": "input_words", "reduction": "reduction", "complexity": "complexity"}
BLOCK = 50_000
SEED = 1


def write_pairs(path: Path, pairs: int) -> None:
    """Writes pairs as Parquet; their ids are in no order."""
    chosen = np.random.default_rng(SEED)
    numbers = chosen.permutation(pairs)
    schema = pa.schema([(name, pa.string()) for name in ("id", "inputs", "targets")])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, pairs, BLOCK):
            ids = [f"pair-{number}" for number in numbers[start : start + BLOCK].tolist()]
            inputs = [" ".join(WORDS[chosen.integers(0, len(WORDS), n)]) for n in chosen.integers(8, 40, len(ids))]
            targets = [" ".join(WORDS[chosen.integers(0, len(WORDS), n)]) for n in chosen.integers(1, 8, len(ids))]
            writer.write_table(pa.table([ids, inputs, targets], schema=schema))


def wrong_ranks(dataset: Path) -> int:
    """Returns how many ranks of the training split are not those of a stable sort. The rows are sorted by id."""
    files = sorted(dataset.glob("default/parquet/train-*.parquet"))
    names = ["id", *VALUES.values(), *(f"rank_{order}" for order in ORDERS)]
    rows = pa.concat_tables(pq.read_table(file, columns=names) for file in files)
    wrong = 0
    for order in ORDERS:
        if order in VALUES:
            values = rows[VALUES[order]].to_numpy()
        else:
            values = np.array([random_value(row_id, seed=SEED) for row_id in rows["id"].to_pylist()])
        ranks = np.empty(len(values), np.int64)
        ranks[np.argsort(values, kind="stable")] = np.arange(len(values))
        wrong += int((ranks != rows[f"rank_{order}"].to_numpy()).sum())
    return wrong


def measure(pairs: int, *, workers: int, temp_dir: Path | None) -> dict[str, Any]:
    """Ranks so many pairs; returns what was measured.

    Raises:
        subprocess.CalledProcessError: the command failed.
    """
    with tempfile.TemporaryDirectory(dir=temp_dir) as folder:
        source, output = Path(folder) / "pairs.parquet", Path(folder) / "out"
        write_pairs(source, pairs)
        job = ("curriculum", "--input", str(source), "--output", str(output), "--splits", "1,0,0")
        used = watch([sys.executable, "-m", "gistmill", *job, "--workers", str(workers), "--formats", "parquet"])
        return {
            "pairs": pairs,
            "seconds": used.seconds,
            "pairs_per_second": pairs / used.seconds,
            "peak_bytes": used.peak_bytes,
            "wrong_ranks": wrong_ranks(output),
        }


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--temp-dir", type=Path, default=None, help="where the pairs and the dataset are put")
    args = parser.parse_args()
    print(machine())
    runs = [measure(n, workers=args.workers, temp_dir=args.temp_dir) for n in (args.pairs // 10, args.pairs)]
    rows = [
        (
            f"{run['pairs']:,}",
            f"{run['seconds']:,.0f}",
            f"{run['pairs_per_second']:,.0f}",
            f"{run['peak_bytes'] / 1e6:,.0f} MB",
            f"{run['wrong_ranks']:,}",
        )
        for run in runs
    ]
    print(table(("pairs", "s", "pairs/s", "peak", "wrong ranks"), rows))
    print(json.dumps({"workers": args.workers, "runs": runs}))


if __name__ == "__main__":
    main()
