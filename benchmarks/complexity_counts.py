"""Means of the four counts on pairs, by both ways of counting and several stop lists, beside Table 5 of the paper.

    python -m benchmarks.complexity_counts --data cnndm-dev.jsonl [--stop-words FILE]

The data are JSON Lines with ``document`` and ``summary``. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measuring import machine, table
from gistmill.rules.curriculum.counts import COUNTS
from gistmill.rules.curriculum.scoring import NO_STOP_WORDS, ComplexityConfig, PairScorer
from gistmill.transforms.word_lists import read_stop_words

OPERATIONS = ("deletions", "reorderings", "substitutions", "additions")
PAPER = {"deletions": "287.2 ±156.5", "reorderings": "18.3 ±5.8", "substitutions": "0.4 ±0.6", "additions": "4.4 ±3.0"}


def measure(data: Path, own_list: Path | None) -> Iterator[dict[str, str]]:
    """Gives a row of means and standard deviations for each way of counting and list of stop words."""
    with data.open(encoding="utf-8") as lines:
        pairs = [(row["document"], row["summary"]) for row in map(json.loads, lines)]
    lists: dict[str, str | None] = {"default": None, NO_STOP_WORDS: NO_STOP_WORDS}
    if own_list:
        lists[own_list.name] = str(own_list)
    for name in COUNTS:
        for label, stop_words in lists.items():
            config = ComplexityConfig(counts=name, stop_words=stop_words)
            words = own_list and config.stop_words_file and read_stop_words(own_list.read_bytes(), str(own_list))
            scorer = PairScorer(config, stop_words=words or None)
            counts = [scorer.counts(*pair) for pair in pairs]
            values = {o: [float(getattr(c, o)) for c in counts] for o in OPERATIONS}
            shown = {o: f"{statistics.mean(v):.1f} ±{statistics.stdev(v):.1f}" for o, v in values.items()}
            yield {"counts": name, "stop_words": label, **shown}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.complexity_counts", description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--stop-words", type=Path, default=None, metavar="FILE")
    arguments = parser.parse_args(argv)
    rows = [*measure(arguments.data, arguments.stop_words), {"counts": "paper", "stop_words": "its own", **PAPER}]
    print(machine(("lemminflect", "stopwordsiso")))
    print(table(tuple(rows[0]), [tuple(row.values()) for row in rows]))
    print(json.dumps({"rows": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
