"""Speed of the complexity of pairs, by both ways of counting, on texts of 700 words.

    python -m benchmarks.complexity [--input DUMP] [--rounds 5]

A pair is a run of 756 words from the articles of an export of Wikipedia, by default the slice that gensim ships: the
first 56 are the summary of the rest. "First time" is with no lemma known, "again" with those of all pairs. Times are of
the processor, as other work may run. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.measuring import in_turn, machine, median, table, timed
from benchmarks.slice import slice_path
from benchmarks.wiki_pages import read_pages
from gistmill.rules.curriculum.counts import COUNTS
from gistmill.rules.curriculum.lemmas import table_lemma
from gistmill.rules.curriculum.scoring import ComplexityConfig, PairScorer

SUMMARY, DOCUMENT = 56, 700

Pairs = Sequence[tuple[str, str]]


def pairs_of(path: Path) -> Pairs:
    """Texts and summaries: the words of all articles of an export, cut into pairs."""
    words = [word for page in read_pages(path) for word in page.text.split()]
    size = SUMMARY + DOCUMENT
    starts = range(0, len(words) - size + 1, size)
    return [(" ".join(words[i + SUMMARY : i + size]), " ".join(words[i : i + SUMMARY])) for i in starts]


def measure_all(scorer: PairScorer, pairs: Pairs) -> None:
    """Measures every pair."""
    for inputs, targets in pairs:
        scorer.measure(inputs, targets)


def rates(pairs: Pairs, rounds: int) -> list[dict[str, object]]:
    """Pairs per second of processor time for each way of counting, medians of the rounds."""
    scorers = {name: PairScorer(ComplexityConfig(counts=name)) for name in COUNTS}
    for scorer in scorers.values():
        measure_all(scorer, pairs[:1])  # loads the tables of lemmas, once for a process

    def first(scorer: PairScorer) -> float:
        table_lemma.cache_clear()
        return timed(partial(measure_all, scorer, pairs), clock=time.process_time)

    def again(scorer: PairScorer) -> float:
        return timed(partial(measure_all, scorer, pairs), clock=time.process_time)

    runs: dict[str, Callable[[], float]] = {}
    for name, scorer in scorers.items():
        runs |= {f"{name} first": partial(first, scorer), f"{name} again": partial(again, scorer)}
    seconds = in_turn(runs, times=rounds)
    return [
        {
            "counts": name,
            "first_per_second": round(len(pairs) / median(seconds[f"{name} first"])),
            "again_per_second": round(len(pairs) / median(seconds[f"{name} again"])),
        }
        for name in scorers
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.complexity", description=__doc__.split("\n")[0])
    parser.add_argument("--input", type=Path, default=None, metavar="DUMP")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args(argv)
    pairs = pairs_of(arguments.input or slice_path())
    rows = rates(pairs, arguments.rounds)
    print(machine(("lemminflect", "stopwordsiso")))
    print(f"{len(pairs)} pairs of {DOCUMENT} and {SUMMARY} words")
    print(table(tuple(rows[0]), [tuple(map(str, row.values())) for row in rows]))
    print(json.dumps({"pairs": len(pairs), "rows": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
