"""Speed of every stage beside the bare library on the same input in the same run.

    python -m benchmarks.pipeline [--input DUMP] [--documents N] [--rounds 3]

Each row is the median of interleaved runs. Rates of a stage are over the text that goes in: MB of XML for reading, MB
of wikitext for cleaning, words for the rest, of which ``benchmarks/language.py`` says more. Reading is measured by the
clock on the wall, all else by processor time, that of the parser's process and its start included. The last line is one
JSON object.
"""

from __future__ import annotations

import argparse
import bz2
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import mwparserfromhell

from benchmarks.beam_clock import read_dump, through_beam
from benchmarks.language import language_rows
from benchmarks.measuring import in_turn, machine, median, processor_seconds, stage_row, table, timed
from benchmarks.slice import slice_path
from gistmill.rules.documents import CleanDocument, RawDocument
from gistmill.transforms.steps.clean import CleanDocuments


def stage_rows(path: Path, *, documents: int | None, rounds: int) -> list[dict[str, object]]:
    """Measures each stage; returns one mapping a row: stage, unit, rate, bare rate, share of bare."""
    data = path.read_bytes()
    xml = len(bz2.decompress(data))
    with tempfile.TemporaryDirectory() as folder:
        raw: list[RawDocument] = []

        def read() -> list[object]:
            """Reads into a workspace of its own: a second run would find the first one's chunks."""
            return read_dump(path, tempfile.mkdtemp(dir=folder))

        reading = in_turn(
            {
                "bare": lambda: timed(lambda: bz2.decompress(data)),
                "stage": lambda: timed(lambda: _fill(raw, read(), RawDocument)),
            },
            times=rounds,
        )
        empty = timed(lambda: through_beam([]))
    reading["stage"] = [s - empty for s in reading["stage"]]
    raw = sorted(raw, key=lambda d: int(d.id.rpartition("-")[2]))[:documents]
    rows = [stage_row("read", "MB/s", xml / 1e6, reading, bare="bz2")]

    wikitext = sum(len(d.text.encode()) for d in raw) / 1e6
    clean: list[CleanDocument] = []
    cleaning = in_turn(
        {
            "bare": lambda: _used(lambda: [mwparserfromhell.parse(d.text).strip_code() for d in raw]),
            "stage": lambda: _used(lambda: _fill(clean, through_beam(raw, CleanDocuments())[1], CleanDocument)),
            "empty": lambda: _used(lambda: through_beam([], CleanDocuments())),
        },
        times=rounds,
    )
    cleaning["stage"] = [s - median(cleaning["empty"]) for s in cleaning["stage"]]
    rows.append(stage_row("clean", "MB/s", wikitext, cleaning, bare="mwparserfromhell"))
    return rows + language_rows(clean, rounds=rounds)


def _fill(kept: list, elements: Iterable[object], cls: type) -> None:
    kept[:] = [e for e in elements if isinstance(e, cls)]


def _used(function: Callable[[], object]) -> float:
    return timed(function, clock=processor_seconds)


def _share(row: dict[str, object]) -> str:
    if "bare" in row:
        return f"{row['share_of_bare']:.2f} of bare"
    times = f", {row['times_parse']:.1f} times as fast as nlp.pipe" if "times_parse" in row else ""
    return f"{row['share_of_annotate']:.1%} of annotate{times}"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=None, help="a single-stream bz2 export (default: gensim's slice)")
    parser.add_argument("--documents", type=int, default=None, help="articles to clean and parse (default: all)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (default: 3)")
    args = parser.parse_args()
    path = args.input or slice_path()
    print(machine())
    print(f"input: {path.name}, {path.stat().st_size:,} bytes; medians of {args.rounds} interleaved runs\n")
    rows = stage_rows(path, documents=args.documents, rounds=args.rounds)
    cells = [
        [
            str(r["stage"]),
            f"{r['rate']:,.1f} {r['unit']}",
            f"{r['bare']} {r['bare_rate']:,.1f}" if "bare" in r else "",
            _share(r),
        ]
        for r in rows
    ]
    print(table(("stage", "rate", "bare library", "share"), cells))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
