"""`gistmill why` on copies of a dataset: seconds and bytes of its index, and of questions.

    python -m benchmarks.lookup --dataset out/demo [--copies 60] [--temp-dir DIR]

The copies are of the largest shard of the first configuration; each has ids, titles and sentences of its own. Seconds
are CPU time of this process, without its start. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmarks.measuring import machine, table
from gistmill.core.manifest import MANIFEST
from gistmill.pipelines.why.fate import ask
from gistmill.published.dataset import Dataset
from gistmill.published.files import LocalFolder
from gistmill.published.lookup.reading import Index
from gistmill.published.lookup.texts import text_columns
from gistmill.published.lookup.writing import write_index

ROUNDS = 5


class Counting(LocalFolder):
    """A folder that knows which files were opened."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        self.opened: set[str] = set()

    def open(self, path: str) -> Any:
        """See Folder."""
        self.opened.add(path)
        return super().open(path)


def write_copies(dataset: Dataset, folder: Path, copies: int) -> None:
    """Writes a dataset of copies of a shard; it has no other files than those and a manifest."""
    shards = [f for f in dataset.manifest.files if f.config == dataset.configs[0] and f.format == "parquet"]
    shard = max(shards, key=lambda file: file.bytes)
    rows = pq.read_table(Path(dataset.place) / shard.path)
    (folder / shard.path).parent.mkdir(parents=True)
    files = []
    for number in range(copies):
        path = f"{Path(shard.path).parent}/{shard.split}-{number:05d}-of-{copies:05d}.parquet"
        pq.write_table(changed(rows, number), folder / path, compression="zstd", row_group_size=10_000)
        entry = {
            "config": shard.config,
            "split": shard.split,
            "format": "parquet",
            "rows": len(rows),
            "sha256": "0" * 64,
        }
        files.append({"path": path, "bytes": (folder / path).stat().st_size, **entry})
    counts = {f"rows/{shard.config}": {shard.split: len(rows) * copies}}
    (folder / MANIFEST).write_text(json.dumps({**dataset.manifest.to_json(), "files": files, "counts": counts}))


def changed(rows: pa.Table, number: int) -> pa.Table:
    """Returns the rows with ids, titles and sentences of their own."""
    for name in ("id", "document_id", "title", *text_columns(rows.column_names)):
        texts = rows[name].combine_chunks()
        if name in ("id", "document_id"):
            made = pc.binary_join_element_wise(f"{number:05d}", texts, "-")
        else:
            made = pc.if_else(pc.equal(texts, ""), "", pc.binary_join_element_wise(texts, f"number{number}", " "))
        rows = rows.set_column(rows.column_names.index(name), name, made)
    return rows


def questions(dataset: Dataset) -> dict[str, str]:
    """A title, a sentence, and both with a fault."""
    config = dataset.configs[0]
    column = text_columns([c.name for c in dataset.columns(config)])[0]
    rows = dataset.rows(dataset.splits(config)[0], config, ["title", column])
    row = max(itertools.islice(rows, 2_000), key=lambda found: len(found[column]))
    words = row[column].split()
    return {
        "a title": row["title"],
        "a sentence": row[column],
        "nearly a title": row["title"][:-1] + "x",
        "nearly a sentence": " ".join([*words[:4], "something", *words[5:]]),
    }


def seconds(action: Callable[[], object]) -> float:
    """CPU time of a call."""
    start = time.process_time()
    action()
    return time.process_time() - start


def measure(place: Path, folder: Path) -> dict[str, Any]:
    """Makes the index of a dataset and asks it."""
    dataset = Dataset(place)
    made = seconds(lambda: write_index(dataset, folder, {}))
    found: dict[str, Any] = {
        "rows": sum(dataset.manifest.rows().values()),
        "index_seconds": round(made, 2),
        "index_bytes": sum(path.stat().st_size for path in folder.iterdir()),
        "parquet_bytes": sum(f.bytes for f in dataset.manifest.files if f.format == "parquet"),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "questions": {},
    }
    for name, question in questions(dataset).items():
        counting = Counting(place)
        ask(Index(Dataset(place, folder=counting), folder), question)
        asking = functools.partial(_ask, dataset, folder, question)
        times = sorted(seconds(asking) for _ in range(ROUNDS))
        shards = len([path for path in counting.opened if path.endswith(".parquet")])
        found["questions"][name] = {"seconds": round(times[ROUNDS // 2], 3), "shards_opened": shards}
    return found


def _ask(dataset: Dataset, folder: Path, question: str) -> None:
    ask(Index(dataset, folder), question)


def main() -> None:
    """Prints tables, and the numbers as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--copies", type=int, default=60)
    parser.add_argument("--temp-dir", type=Path, default=None)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.temp_dir) as folder:
        work = Path(folder)
        write_copies(Dataset(arguments.dataset), work / "copies", arguments.copies)
        results = {
            "dataset": measure(arguments.dataset, work / "index"),
            "copies": measure(work / "copies", work / "index-of-copies"),
        }
    for name, found in results.items():
        print(f"{name}: {found['rows']:,} rows, index of {found['index_bytes']:,} bytes in {found['index_seconds']} s")
        lines = [(q, str(f["seconds"]), str(f["shards_opened"])) for q, f in found["questions"].items()]
        print(table(("question", "s", "shards"), lines))
    print(json.dumps({"machine": machine(), **results}))


if __name__ == "__main__":
    main()
