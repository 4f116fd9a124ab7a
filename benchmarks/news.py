"""Reader and extractor on news, each beside the plain loop of the libraries on the same input in the same run.

    python -m benchmarks.news --input news.warc.gz [--copies 10] [--rounds 3]

Rates are per second of processor time, of this process and its children, and the best of interleaved runs: what one
core does when nothing else shares it. The reader reads ``copies`` of the file, the extractor its pages once, with the
guard's process warm. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import psutil
import trafilatura
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

from benchmarks.measuring import in_turn, machine, table
from gistmill.rules.documents import CleanDocument, RawDocument
from gistmill.transforms.sources.files.ranges import FileRange, InputFile
from gistmill.transforms.sources.warc.source import WarcConfig, plan_files, read_range
from gistmill.transforms.steps.clean import Cleaner

PACKAGES = ("fastwarc", "warcio", "trafilatura")


def processor_time() -> float:
    """Seconds of processor time of this process and its living children."""
    process = psutil.Process()
    return sum(t.user + t.system for t in (p.cpu_times() for p in (process, *process.children(recursive=True))))


def used(function: Callable[[], object]) -> float:
    """Seconds of processor time that a call takes."""
    gc.collect()
    gc.freeze()  # what earlier runs hold is not work of this one
    start = processor_time()
    function()
    seconds = processor_time() - start
    gc.unfreeze()
    return seconds


def row(stage: str, unit: str, amount: float, seconds: dict[str, list[float]]) -> dict[str, Any]:
    """One line of the table: our rate first, then that of each plain loop."""
    ours, *others = ((name, amount / min(values)) for name, values in seconds.items())
    return {"stage": stage, "unit": unit, "amount": amount, "rate": ours[1], "bare": dict(others)}


def read_all(ranges: Iterable[FileRange], config: WarcConfig) -> list[RawDocument]:
    """The pages of ranges, as the pipeline reads them."""
    return [e for place in ranges for e in read_range(place, config) if isinstance(e, RawDocument)]


def warcio_loop(path: str) -> int:
    """warcio's own loop over the bodies of the responses."""
    with open(path, "rb") as file:
        return sum(len(r.content_stream().read()) for r in ArchiveIterator(file) if r.rec_type == "response")


def fastwarc_loop(path: str) -> int:
    """fastwarc's own loop; the bodies stay as they were sent, packed where they were packed."""
    with open(path, "rb") as file:
        return sum(len(r.reader.read()) for r in FastIterator(file, record_types=WarcRecordType.response))


def reader_row(path: Path, *, copies: int, rounds: int) -> tuple[dict[str, Any], list[RawDocument]]:
    """Measures the reader; returns its row and the pages of the file itself."""
    config = WarcConfig()
    with tempfile.TemporaryDirectory() as folder:
        many = Path(folder) / path.name
        many.write_bytes(path.read_bytes() * copies)  # members of gzip, and plain records too, follow each other
        files = [InputFile(str(many), many.stat().st_size, 0)]
        ranges = [e for e in plan_files(files, config=config) if isinstance(e, FileRange)]
        pages = read_all(ranges, config)
        seconds = in_turn(
            {
                "reader": lambda: used(lambda: read_all(ranges, config)),
                "warcio": lambda: used(lambda: warcio_loop(str(many))),
                "fastwarc": lambda: used(lambda: fastwarc_loop(str(many))),
            },
            times=rounds,
        )
    return row("reader", "records", len(pages), seconds), pages[: len(pages) // copies]


def extractor_row(pages: list[RawDocument], *, rounds: int) -> tuple[dict[str, Any], list[CleanDocument]]:
    """Measures the Clean stage on pages; returns its row and the articles."""
    cleaner = Cleaner()
    try:
        articles = [d for d in map(cleaner.clean, pages) if isinstance(d, CleanDocument)]
        seconds = in_turn(
            {
                "extractor": lambda: used(lambda: [cleaner.clean(p) for p in pages]),
                "trafilatura": lambda: used(lambda: [trafilatura.extract(p.text) for p in pages]),
            },
            times=rounds,
        )
    finally:
        cleaner.close()
    return row("extractor", "pages", len(pages), seconds), articles


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, required=True, help="a WARC file of web pages")
    parser.add_argument("--copies", type=int, default=10, help="copies of the file for the reader (default: 10)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (default: 3)")
    args = parser.parse_args()
    print(machine(PACKAGES))
    reading, pages = reader_row(args.input, copies=args.copies, rounds=args.rounds)
    extracting, articles = extractor_row(pages, rounds=args.rounds)
    rows = [reading, extracting]
    print(
        f"input: {args.input.name}, {args.input.stat().st_size:,} bytes, {len(pages)} pages, {len(articles)} articles; "
        f"best of {args.rounds} interleaved runs\n"
    )
    cells = [
        [
            str(r["stage"]),
            f"{r['rate']:,.0f} {r['unit']}/s/core",
            "; ".join(f"{n} {v:,.0f}" for n, v in r["bare"].items()),
        ]
        for r in rows
    ]
    print(table(("stage", "rate", "beside"), cells))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
