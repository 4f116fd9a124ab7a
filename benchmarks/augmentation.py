"""Speed of augmentation by EDA: the parse of pairs, and four copies of each.

    python -m benchmarks.augmentation [--input DUMP] [--pairs 30] [--rounds 5]

A pair is a run of 756 words from the articles of an export of Wikipedia, by default the slice that gensim ships: the
first 56 are the summary of the rest. In small letters, sentences are parsed twice. Times are of the processor, as other
work may run. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.complexity import DOCUMENT, SUMMARY, Pairs, pairs_of
from benchmarks.measuring import in_turn, machine, median, table, timed
from benchmarks.slice import slice_path
from gistmill.core.records import Origin, Pair
from gistmill.rules.augmentation.config import INPUTS, TARGETS, AugmentConfig
from gistmill.rules.augmentation.eda.copies import Eda
from gistmill.rules.augmentation.records import ParsedPair
from gistmill.transforms.models import load_model
from gistmill.transforms.steps.annotator import Annotator
from gistmill.transforms.steps.parse_pairs import parse_pairs


def rows(pairs: Pairs) -> list[Pair]:
    """The pairs as rows of the split train."""
    return [Pair(Origin(f"p{n}", "pairs"), *texts, {}, "train") for n, texts in enumerate(pairs)]


def rates(pairs: Pairs, rounds: int) -> list[dict[str, object]]:
    """Pairs per second of processor time for each part of the work, medians of the rounds."""
    annotator, eda = Annotator(load_model(None), None), Eda(AugmentConfig())
    small = [(inputs.lower(), targets.lower()) for inputs, targets in pairs]

    def parsed(of: Pairs) -> Sequence[ParsedPair]:
        return [p for p in parse_pairs(annotator, rows(of), (INPUTS, TARGETS)) if isinstance(p, ParsedPair)]

    def copied(of: Sequence[ParsedPair]) -> None:
        for pair in of:
            list(eda.copies(pair))

    work: dict[str, Callable[[], object]] = {
        "parse": partial(parsed, pairs),
        "parse of small letters": partial(parsed, small),
        "four copies": partial(copied, parsed(pairs)),
        "four copies of small letters": partial(copied, parsed(small)),
    }
    runs = {name: partial(timed, todo, clock=time.process_time) for name, todo in work.items()}
    seconds = in_turn(runs, times=rounds)
    return [{"work": name, "pairs_per_second": round(len(pairs) / median(times), 1)} for name, times in seconds.items()]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.augmentation", description=__doc__.split("\n")[0])
    parser.add_argument("--input", type=Path, default=None, metavar="DUMP")
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args(argv)
    pairs = pairs_of(arguments.input or slice_path())[: arguments.pairs]
    found = rates(pairs, arguments.rounds)
    print(machine(("spacy", "lemminflect")))
    print(f"{len(pairs)} pairs of {DOCUMENT} and {SUMMARY} words")
    print(table(tuple(found[0]), [tuple(map(str, row.values())) for row in found]))
    print(json.dumps({"pairs": len(pairs), "rows": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
