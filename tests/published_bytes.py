"""The bytes that every job publishes from the slice of Wikipedia and from the development data, or of nothing, and their
SHA-256 on record.

After a change that is meant to alter them:

    python -m tests.published_bytes --record
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.slice import slice_path
from tests.commands import data_checksums, succeed

RECORD = Path(__file__).parent / "data" / "published_bytes.json"
SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
CRAWL = SHARED / "news-dev.warc.gz"
PAIRS = SHARED / "cnndm-dev.jsonl"

_WIKITRANSFER = ("wikitransfer", "--profile", "cnndm,xsum,reddit,bigpatent")
_SLICE = ("--input", str(slice_path()), "--splits", "80,10,10")
_CRAWL = ("--source", "warc", "--input", str(CRAWL), "--splits", "60,20,20")
_PAIRS = ("--source", "jsonl", "--input", str(PAIRS), "--text-field", "document", "--splits", "60,20,20")
_STEP = "nsg,sr,mdg,sr-adjusted,mdg-adjusted"
_WIDE = ("--min-overlap", "0.2", "--min-rest-words", "50")


@dataclass(frozen=True, slots=True)
class Case:
    """A command whose output is on record; ``{NAME}`` among the arguments is the folder that an earlier case made."""

    name: str
    arguments: tuple[str, ...]
    needs_shared: bool = False


CASES = (
    Case("annotate", ("annotate", *_SLICE)),
    Case("discofuse", ("discofuse", "--source", "annotated", "--input", "{annotate}", "--splits", "80,10,10")),
    Case(
        "discofuse-released",
        ("discofuse", "--source", "annotated", "--input", "{annotate}", "--conventions", "released"),
    ),
    Case("lead-bias", ("lead-bias", *_SLICE)),
    Case("lead-bias-section", ("lead-bias", *_SLICE, "--lead", "lead-section", *_WIDE, "--max-rest-words", "10000")),
    Case("lead-bias-parser", ("lead-bias", "--source", "annotated", "--input", "{annotate}")),
    Case("wikitransfer", (*_WIKITRANSFER, *_SLICE)),
    Case("gap-sentences", ("gap-sentences", *_SLICE, "--shards", "2")),
    Case("gap-sentences-rows", ("gap-sentences", *_SLICE, "--rows", "40,5")),
    Case("synthetic", ("synthetic", "--tasks", f"{_STEP},ensemble,elementary", "--documents", "300")),
    Case("synthetic-wikipedia", ("synthetic", *_SLICE, "--words", "wikipedia", "--tasks", "ensemble,sr,mdg-adjusted")),
    Case("crawl-annotate", ("annotate", *_CRAWL), needs_shared=True),
    Case(
        "crawl-discofuse",
        ("discofuse", "--source", "annotated", "--input", "{crawl_annotate}", "--splits", "60,20,20"),
        needs_shared=True,
    ),
    Case("crawl-lead-bias", ("lead-bias", *_CRAWL, *_WIDE), needs_shared=True),
    Case("crawl-headline", ("headline", *_CRAWL), needs_shared=True),
    Case("crawl-wikitransfer", (*_WIKITRANSFER, *_CRAWL), needs_shared=True),
    Case(
        "crawl-gap-sentences",
        ("gap-sentences", *_CRAWL, "--selection", "random", "--decontaminate", str(PAIRS)),
        needs_shared=True,
    ),
    Case("pairs-lead-bias", ("lead-bias", *_PAIRS, *_WIDE), needs_shared=True),
    Case("curriculum", ("curriculum", "--input", "{gap_sentences}", "--shards", "2")),
    Case("samples", ("curriculum", "--input", "{gap_sentences}", "--sample", "5,20", "--subsets", "2")),
    Case("mix", ("mix", "--input", "{gap_sentences},{gap_sentences_rows}", "--weights", "2,1")),
    Case("augment", ("augment", "--input", "{gap_sentences}", "--limit", "40", "--alpha", "0.3")),
    Case(
        "pairs-augment",
        ("augment", "--input", str(PAIRS), "--inputs-field", "document", "--targets-field", "summary", *_PAIRS[-2:]),
        needs_shared=True,
    ),
    Case("pairs-gap-sentences", ("gap-sentences", *_PAIRS, "--scoring", "seq"), needs_shared=True),
)


def publish(case: Case, folder: Path, *options: str) -> dict[str, str]:
    """Runs a case's command with its output in ``folder``; returns the SHA-256 of its Parquet and TFRecord files by path."""
    arguments = [a.format(**{c.name.replace("-", "_"): folder / c.name for c in CASES}) for a in case.arguments]
    succeed(*arguments, "--output", folder / case.name, *options)
    return data_checksums(folder / case.name)


def recorded() -> dict[str, dict[str, str]]:
    """Returns the SHA-256 on record: of each case by path."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def _wanted(case: Case, names: list[str]) -> bool:
    """Whether the case is named, or one that is named reads its output."""
    place = f"{{{case.name.replace('-', '_')}}}"
    reads = [c for c in CASES if any(place in argument for argument in c.arguments)]
    return case.name in names or any(c.name in names for c in reads)


def main() -> None:
    """Publishes every case and prints where it differs from the record, or with ``--record`` replaces the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="replace the record")
    parser.add_argument("--keep", type=Path, help="folder that keeps the datasets (default: none does)")
    parser.add_argument("--only", metavar="NAME,NAME", help="publish these cases and those that they read")
    arguments = parser.parse_args()
    chosen = [case for case in CASES if arguments.only is None or _wanted(case, arguments.only.split(","))]
    with tempfile.TemporaryDirectory() as scratch:
        found = {case.name: publish(case, arguments.keep or Path(scratch), "--workers", "2") for case in chosen}
    if arguments.record:
        RECORD.write_text(
            json.dumps({**(recorded() if arguments.only else {}), **found}, indent=1, sort_keys=True) + "\n",
            encoding="utf-8",
        )
        return
    before = recorded()
    for name, files in found.items():
        wrong = sorted(p for p in files.keys() | before[name].keys() if files.get(p) != before[name].get(p))
        print(f"{name}: {'as recorded' if not wrong else f'{len(wrong)} files differ, such as {wrong[0]}'}", flush=True)


if __name__ == "__main__":
    main()
