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
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measuring import machine, table
from benchmarks.process_tree import watch
from benchmarks.slice import slice_path

_PAGE = re.compile(rb"  <page>.*?</page>\n", re.S)
_PAGE_ID = re.compile(rb"<id>(\d+)</id>")
_TITLE = re.compile(rb"<title>(.*?)</title>")
_FAR = 100_000_000  # above every page id of the dump


def peak_resident(command: Sequence[str]) -> tuple[int, float]:
    """Runs a command to its end; returns the peak of resident bytes summed over its process tree, and the seconds.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    used = watch(command)
    return used.peak_bytes, used.seconds


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
            results[copies] = peak_resident(
                [
                    sys.executable,
                    "-m",
                    "gistmill",
                    "discofuse",
                    "--input",
                    str(dump),
                    "--output",
                    f"{folder}/{copies}",
                    "--workers",
                    str(args.workers),
                ]
            )
    rows = [(str(c), f"{peak / 1e6:,.0f} MB", f"{seconds:,.0f} s") for c, (peak, seconds) in results.items()]
    print(table(("copies", "peak", "time"), rows))
    ratio = results[args.copies][0] / results[1][0]
    print(
        json.dumps(
            {
                "workers": args.workers,
                "copies": args.copies,
                "ratio": ratio,
                "peak_bytes": {c: peak for c, (peak, _) in results.items()},
            }
        )
    )


if __name__ == "__main__":
    main()
