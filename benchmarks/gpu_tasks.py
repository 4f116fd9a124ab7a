"""Writes the rows of a synthetic task as a dataset, without Beam, for the GPU proof.

python -m benchmarks.gpu_tasks FOLDER TASK ROWS HELD_OUT
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measuring import entry, write_manifest
from gistmill.core.statistics import Column
from gistmill.rules.synthetic.draws import Stream
from gistmill.rules.synthetic.generator import make_maker
from gistmill.rules.synthetic.language import WordTokens, nonsense_words


def main(folder: str, task: str, rows: str, held_out: str) -> None:
    """The command."""
    words = nonsense_words()
    maker = make_maker(task, WordTokens(words))
    stream = Stream(0, maker.name, widths=maker.WIDTHS, vocabulary=words)
    train, test = int(rows), int(held_out)
    found = []
    for number in range(train + 2 * test):
        made = maker.draw(stream.draws(number))
        row = {"id": f"{number:07d}-{task}", "inputs": made.inputs, "targets": made.targets}
        found.append({**row, "task": task, "tasks": made.tasks})
    splits = {"train": found[:train], "validation": found[train : train + test], "test": found[train + test :]}
    kinds = {"tasks": "list<string>"}
    place, files = Path(folder) / task, []
    (place / task / "parquet").mkdir(parents=True)
    for split, rows_of_split in splits.items():
        path = f"{task}/parquet/{split}-00000-of-00001.parquet"
        pq.write_table(pa.Table.from_pylist(rows_of_split), place / path, row_group_size=5000)
        files.append(entry(place, path, len(rows_of_split)))
    write_manifest(place, files, [Column(name, kinds.get(name, "string"), "") for name in found[0]])


if __name__ == "__main__":
    main(*sys.argv[1:])
