"""Peak memory of ten copies of a dump beside one: does it stay flat?

    python -m benchmarks.memory [--input DUMP] [--copies 10] [--workers 1]

The copies stand in one well-formed export under new page ids. Memory is resident, summed over the process tree. The
last line is one JSON object.
"""

from __future__ import annotations

import argparse
import bz2
import json
import re
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import machine, table
from benchmarks.process_tree import watch
from benchmarks.slice import slice_path

_PAGE = re.compile(rb"  <page>.*?</page>\n", re.S)
_PAGE_ID = re.compile(rb"<id>(\d+)</id>")
_TITLE = re.compile(rb"<title>(.*?)</title>")
_FAR = 100_000_000  # above every page id of the dump


def write_copies(source: Path, target: Path, copies: int) -> None:
    """Writes an export (bz2) that holds every page of ``source`` (bz2) ``copies`` times, under new ids and titles."""
    xml = bz2.decompress(source.read_bytes())
    start, end = xml.index(b"  <page>"), xml.rindex(b"</page>\n") + len(b"</page>\n")
    with bz2.open(target, "wb") as file:
        file.write(xml[:start])
        for number in range(copies):
            for page in _PAGE.findall(xml[start:end]):
                file.write(_renamed(page, number))
        file.write(xml[end:])


def _renamed(page: bytes, number: int) -> bytes:
    """The page under the id and the title of a copy."""
    page = _PAGE_ID.sub(lambda m: b"<id>%d</id>" % (int(m[1]) + number * _FAR), page, count=1)
    return _TITLE.sub(lambda m: b"<title>%s (copy %d)</title>" % (m[1], number), page, count=1)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, default=None, help="a bz2 export (default: gensim's slice)")
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    path = args.input or slice_path()
    print(machine())
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for copies in (1, args.copies):
            dump = Path(folder) / f"{copies}.xml.bz2"
            write_copies(path, dump, copies)
            job = ["discofuse", "--input", str(dump), "--output", f"{folder}/{copies}", "--workers", str(args.workers)]
            results[copies] = watch([sys.executable, "-m", "gistmill", *job])
    rows = [(str(c), f"{u.peak_bytes / 1e6:,.0f} MB", f"{u.seconds:,.0f} s") for c, u in results.items()]
    print(table(("copies", "peak", "time"), rows))
    peaks = {copies: used.peak_bytes for copies, used in results.items()}
    ratio = peaks[args.copies] / peaks[1]
    print(json.dumps({"workers": args.workers, "copies": args.copies, "ratio": ratio, "peak_bytes": peaks}))


if __name__ == "__main__":
    main()
