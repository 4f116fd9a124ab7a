"""SARI beside Hugging Face's metric ``sari`` of the package evaluate, on fusions of a published DiscoFuse dataset.

    python -m benchmarks.sari --dataset out/demo [--metric FOLDER] [--rows 2000] [--rounds 5]

Needs evaluate, sacrebleu and sacremoses. evaluate fetches the metric from its hub, unless ``--metric`` names a folder
with its code (``metrics/sari`` of evaluate's repository). The predictions are those of the baseline that always joins
by ", but". Both forms of text are scored, and the results compared before anything is timed. Times are of the
processor, as other work may run. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.measuring import in_turn, machine, median, table
from gistmill.published.dataset import Dataset
from gistmill.rules.fusion.edits import realise
from gistmill.rules.fusion.texts import fuse
from gistmill.rules.metrics.baselines import joined_by_but
from gistmill.rules.metrics.sari import DISCOFUSE, EASSE, HUGGINGFACE, sari

Texts = tuple[list[str], list[str], list[list[str]]]


def texts_of(place: Path, rows: int) -> dict[str, Texts]:
    """Sources, predictions and references of the first rows of all splits of ``balanced``, in two forms."""
    dataset = Dataset(place)
    found: dict[str, list[tuple[str, str, list[str]]]] = {"natural": [], "tokenised": []}
    every = (row for split in dataset.splits("balanced") for row in dataset.rows(split, "balanced"))
    for row in islice(every, rows):
        first, second = (row[f"incoherent_{which}_sentence"].split() for which in ("first", "second"))
        target = f"{row['coherent_first_sentence']} {row['coherent_second_sentence']}".strip()
        edits = joined_by_but(first, second)
        found["natural"].append((row["inputs"], fuse(row["inputs"], first, second, edits), [row["targets"]]))
        found["tokenised"].append((" ".join([*first, *second]), " ".join(realise(first, second, edits)), [target]))
    return {form: tuple(map(list, zip(*texts, strict=True))) for form, texts in found.items()}  # type: ignore[misc]


def measure(form: str, texts: Texts, metric: Any, rounds: int) -> list[dict[str, object]]:
    """Returns a row for each kind of SARI on texts of one form.

    Raises:
        SystemExit: the results differ.
    """
    sources, predictions, references = texts

    def theirs() -> float:
        return float(metric.compute(sources=sources, predictions=predictions, references=references)["sari"])

    if abs(theirs() - 100 * sari(HUGGINGFACE, *texts).sari) > 1e-9:
        raise SystemExit(f"{form}: the results differ")
    names = (HUGGINGFACE, EASSE, DISCOFUSE)
    runs: dict[str, Callable[[], object]] = {"evaluate": theirs, **{n: partial(sari, n, *texts) for n in names}}
    seconds = in_turn({name: partial(processor_time, run) for name, run in runs.items()}, times=rounds)
    reference = seconds["evaluate"]
    return [
        {
            "texts": form,
            "sari": name,
            "evaluate_per_second": round(len(sources) / median(reference)),
            "own_per_second": round(len(sources) / median(seconds[name])),
            "times": round(median([a / b for a, b in zip(reference, seconds[name], strict=True)]), 1),
        }
        for name in names
    ]


def processor_time(function: Callable[[], object]) -> float:
    """Seconds of processor time that a call takes."""
    start = time.process_time()
    function()
    return time.process_time() - start


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sari", description=__doc__.split("\n")[0])
    parser.add_argument("--dataset", type=Path, default=Path("out/demo"))
    parser.add_argument("--metric", default="sari", metavar="FOLDER", help="code of the metric (default: from the hub)")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args(argv)
    metric = importlib.import_module("evaluate").load(arguments.metric)
    found = texts_of(arguments.dataset, arguments.rows)
    rows = [row for form, texts in found.items() for row in measure(form, texts, metric, arguments.rounds)]
    print(machine(("evaluate", "sacrebleu", "numpy")))
    print(table(tuple(rows[0]), [tuple(map(str, row.values())) for row in rows]))
    print(json.dumps({"rows": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
