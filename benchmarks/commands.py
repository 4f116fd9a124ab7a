"""The cost of whole commands: processor time, memory and disk of every recipe with one worker.

    python -m benchmarks.commands [--input DUMP] [--jobs LIST] [--rounds 1]

Each recipe runs with its preset on the dump, converted to multistream; on stubs, which are articles of one sentence;
and on one page, to measure the start-up cost, which is subtracted. Processor time covers the whole process tree. The
last line is one JSON object.
"""

from __future__ import annotations

import argparse
import bz2
import html
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.measuring import Usage, files_size, machine, median, table, watch
from benchmarks.slice import slice_path
from gistmill.rules.wiki.wikitext import clean_wikitext

STUBS = 2000
# name -> arguments, from the preset in `corpora` if there is one
JOBS = {
    "discofuse": ("discofuse", "--config", "discofuse"),
    "annotate": ("annotate",),
    "lead-bias": ("lead-bias", "--config", "lead-bias-wikipedia"),
    "wikitransfer": ("wikitransfer", "--config", "wikitransfer"),
    "gap-sentences": ("gap-sentences", "--config", "gap-sentences"),
    "articles": ("articles",),
    "propositions": ("propositions",),
}
_PAGES_PER_STREAM = 4
_PAGE = re.compile(r"  <page>.*?</page>\n", re.S)
_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.S)
_STUB = """\
  <page>
    <title>Village {number}</title>
    <ns>0</ns>
    <id>{number}</id>
    <revision>
      <id>{number}</id>
      <text>'''Village {number}''' is a [[village]] in the [[county]] of [[Place {number}]].</text>
    </revision>
  </page>
"""


@dataclass(frozen=True, slots=True)
class Amounts:
    """The size of an export: pages, articles (no redirects, main namespace), bytes of XML and bz2, and words in the
    articles' paragraphs."""

    pages: int
    articles: int
    xml_bytes: int
    bz2_bytes: int
    words: int


def articles_of(pages: Sequence[str]) -> tuple[int, int]:
    """Returns the number of articles among the pages, and of white-space words in their paragraphs."""
    bodies = [_TEXT.search(page) for page in pages if "<redirect" not in page and "<ns>0</ns>" in page]
    texts = [html.unescape(body[1]) for body in bodies if body]
    found = (p for text in texts for section in clean_wikitext(text) for p in section.paragraphs)
    return len(texts), sum(len(p.split()) for p in found)


def write_multistream(target: Path, head: str, pages: Sequence[str]) -> None:
    """Writes an export as a multistream dump."""
    streams = [head, *("".join(pages[i : i + _PAGES_PER_STREAM]) for i in range(0, len(pages), _PAGES_PER_STREAM))]
    target.write_bytes(b"".join(bz2.compress(s.encode()) for s in (*streams, "</mediawiki>\n")))


def run_job(job: str, source: Path, folder: Path, *more: str) -> Usage:
    """Runs a recipe on a dump, writing to ``folder``, which must exist and be empty."""
    words = [sys.executable, "-m", "gistmill", *JOBS[job], "--input", str(source), "--output", str(folder / "out")]
    return watch([*words, "--workers", "1", "--allow-empty", *more], folder=folder)  # some jobs make no rows from stubs


def measure(job: str, dump: Path, stubs: Path, *, rounds: int) -> dict[str, Any]:
    """Runs a recipe on the dump, the stubs and one page in turn; returns its table row."""
    used: dict[str, list[Usage]] = {"dump": [], "stubs": [], "start": []}
    size = 0
    for _ in range(rounds):
        for name, source, more in (("dump", dump, ()), ("stubs", stubs, ()), ("start", dump, ("--limit", "1"))):
            with tempfile.TemporaryDirectory() as folder:
                used[name].append(run_job(job, source, Path(folder), *more))
                if name == "dump":
                    size = files_size(Path(folder) / "out")
    cpu = {name: median([u.cpu_seconds for u in all_used]) for name, all_used in used.items()}
    return {
        "job": job,
        "arguments": " ".join(JOBS[job]),
        "start_seconds": round(cpu["start"], 2),
        "dump_seconds": round(cpu["dump"] - cpu["start"], 2),
        "stub_seconds": round(max(cpu["stubs"] - cpu["start"], 0.0), 2),
        "peak_bytes": max(u.peak_bytes for u in used["dump"]),
        "disk_bytes": max(u.peak_disk for u in used["dump"]),
        "dataset_bytes": size,
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=None, help="bz2 export to read (default: gensim's slice)")
    parser.add_argument(
        "--jobs", default=",".join(JOBS), help=f"comma-separated jobs: {', '.join(JOBS)} (default: all)"
    )
    parser.add_argument(
        "--pages", type=int, default=None, help="number of pages to read from the start of the export (default: all)"
    )
    parser.add_argument("--stubs", type=int, default=STUBS, help=f"number of stubs to make (default: {STUBS})")
    parser.add_argument("--rounds", type=int, default=1, help="number of runs of each (default: 1)")
    arguments = parser.parse_args(argv)
    jobs = arguments.jobs.split(",")
    if unknown := set(jobs) - set(JOBS):
        parser.error(f"--jobs: {', '.join(sorted(unknown))}")
    source = arguments.input or slice_path()
    text = bz2.decompress(source.read_bytes()).decode()
    head, pages = text[: text.index("  <page>")], _PAGE.findall(text)
    pages = pages[: arguments.pages]
    with tempfile.TemporaryDirectory() as folder:
        dump, stubs = (Path(folder) / name for name in ("dump.xml.bz2", "stubs.xml.bz2"))
        write_multistream(dump, head, pages)
        short = [_STUB.format(number=n + 1) for n in range(arguments.stubs)]
        write_multistream(stubs, head, short)
        articles, words = articles_of(pages)
        xml = "".join([head, *pages]).encode()
        amounts = Amounts(len(pages), articles, len(xml), len(bz2.compress(xml)), words)
        rows = [measure(job, dump, stubs, rounds=arguments.rounds) for job in jobs]
    print(machine())
    print(table(("job", "CPU s", "stubs", "start", "peak", "disk", "dataset"), [_cells(row) for row in rows]))
    made = {
        "machine": machine(),
        "input": source.name,
        "amounts": asdict(amounts),
        "stubs": len(short),
        "stub_words": articles_of(short)[1],
        "rows": rows,
    }
    print(json.dumps(made))


def _cells(row: dict[str, Any]) -> list[str]:
    seconds = [f"{row[f'{name}_seconds']:,.1f}" for name in ("dump", "stub", "start")]
    sizes = [f"{row[f'{name}_bytes'] / 1e6:,.0f} MB" for name in ("peak", "disk", "dataset")]
    return [row["job"], *seconds, *sizes]


if __name__ == "__main__":
    main()
