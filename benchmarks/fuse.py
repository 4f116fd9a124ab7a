"""Fusions a second on one core, and how often a tagger that runs without torch fuses as the one that was trained.

    python -m benchmarks.fuse --dataset out/demo [--tagger FOLDER] [--original FOLDER]

The rows are those of the configuration `balanced`. --tagger is a folder that `gistmill-train export` wrote, by default
the tagger that comes with the package. --original is the trained model; it needs torch. The rate counts everything from
tokens to the natural text of the fusion, in CPU seconds, and is the best of three rounds. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring import machine, table
from gistmill.published.dataset import Dataset
from gistmill.rules.fusion.codec import TooLongError
from gistmill.rules.fusion.texts import fuse
from gistmill.transforms.fusion import load_tagger
from gistmill.transforms.fusion.tagger import Tagger

ROUNDS, WARM = 3, 32
FIRST, SECOND = "incoherent_first_sentence", "incoherent_second_sentence"


def read_rows(dataset: str, split: str) -> list[dict[str, Any]]:
    """Returns the rows of `balanced`."""
    return list(Dataset(dataset).rows(split, "balanced"))


def fusions(tagger: Tagger, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Returns the fusions of rows as natural text; what is too long stays as it is."""
    found = []
    for row in rows:
        first, second = row[FIRST].split(), row[SECOND].split()
        try:
            (best,) = tagger.fuse(first, second)
        except TooLongError:
            found.append(row["inputs"])
            continue
        found.append(fuse(row["inputs"], first, second, best.edits))
    return found


def rate(tagger: Tagger, rows: Sequence[dict[str, Any]]) -> tuple[float, list[str]]:
    """Returns the fusions a second of CPU time, and the fusions."""
    fusions(tagger, rows[:WARM])
    best = 0.0
    found: list[str] = []
    for _ in range(ROUNDS):
        start = time.process_time()
        found = fusions(tagger, rows)
        best = max(best, len(rows) / (time.process_time() - start))
    return best, found


def originals(folder: str, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Returns the fusions of the trained model."""
    import torch

    from gistmill.training.kinds import load_task

    torch.set_num_threads(1)
    return load_task(Path(folder)).predict(rows)


def size(folder: Path) -> float:
    """Returns the megabytes of a folder's files."""
    return sum(file.stat().st_size for file in folder.iterdir() if file.is_file()) / 1e6


def main(argv: list[str] | None = None) -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--split", default="test")
    parser.add_argument("--tagger", type=Path)
    parser.add_argument("--original")
    options = parser.parse_args(argv)
    rows = read_rows(options.dataset, options.split)
    speed, found = rate(load_tagger(options.tagger), rows)
    figures: dict[str, Any] = {
        "rows": len(rows),
        "fusions_per_second": round(speed, 1),
        "exact": round(100 * sum(a == row["targets"] for a, row in zip(found, rows, strict=True)) / len(rows), 1),
    }
    if options.tagger is not None:
        figures["megabytes"] = round(size(options.tagger), 1)
    if options.original is not None:
        same = sum(a == b for a, b in zip(found, originals(options.original, rows), strict=True))
        figures["equal_to_original"] = round(100 * same / len(rows), 2)
    print(machine(("onnxruntime", "numpy")))
    print(table(("", "figure"), [(name, str(value)) for name, value in figures.items()]))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
