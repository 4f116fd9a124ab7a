"""The bytes that every job publishes from the slice of Wikipedia, from texts of our own and real ones, or of nothing: their
SHA-256 on record.

After a change that is meant to alter them, the first shows what differs as `gistmill diff` does; the second records:

    python -m tests.published_bytes --only discofuse --against HEAD~1
    python -m tests.published_bytes --record
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.slice import slice_path
from gistmill.pipelines import diff
from gistmill.published.comparison.compare import compare
from gistmill.published.dataset import Dataset
from tests.commands import data_checksums, succeed
from tests.samples import NEWS, OWN, PAIRS, REAL, REAL_DATA

ROOT = Path(__file__).parents[1]
RECORD = OWN / "published_bytes.json"
REAL_PAIRS = REAL_DATA / "cnndm-dev.jsonl"

_WIKITRANSFER = ("wikitransfer", "--profile", "cnndm,xsum,reddit,bigpatent")
_SLICE = ("--input", str(slice_path()), "--splits", "80,10,10")
_ANNOTATED = ("--source", "annotated", "--input", "{annotate}")
_THIRDS = ("--splits", "60,20,20")
_NEWS = ("--source", "warc", "--input", str(NEWS.path), *_THIRDS)
_CRAWL = ("--source", "warc", "--input", str(REAL_DATA / "news-dev.warc.gz"), *_THIRDS)
_ARTICLES = ("--source", "jsonl", "--input", str(PAIRS), "--text-field", "document", *_THIRDS)
_PAIRS = ("--source", "jsonl", "--input", str(REAL_PAIRS), "--text-field", "document", *_THIRDS)
_FIELDS = ("--inputs-field", "document", "--targets-field", "summary", *_THIRDS)
_STEP = "nsg,sr,mdg,sr-adjusted,mdg-adjusted"
_WIDE = ("--min-overlap", "0.2", "--min-rest-words", "50")


@dataclass(frozen=True, slots=True)
class Case:
    """A command whose output is on record; ``{NAME}`` among the arguments is the folder that an earlier case made."""

    name: str
    arguments: tuple[str, ...]
    real: bool = False  # it reads real texts
    slow: bool = False  # `make test` leaves it out; a faster case has the same job


CASES = (
    Case("annotate", ("annotate", *_SLICE), slow=True),
    Case("discofuse", ("discofuse", *_ANNOTATED, "--splits", "80,10,10"), slow=True),
    Case("discofuse-released", ("discofuse", *_ANNOTATED, "--conventions", "released"), slow=True),
    Case("propositions", ("propositions", *_ANNOTATED, "--splits", "80,10,10"), slow=True),
    Case("lead-bias", ("lead-bias", *_SLICE), slow=True),
    Case(
        "lead-bias-section",
        ("lead-bias", *_SLICE, "--lead", "lead-section", *_WIDE, "--max-rest-words", "10000"),
        slow=True,
    ),
    Case("lead-bias-parser", ("lead-bias", *_ANNOTATED), slow=True),
    Case("wikitransfer", (*_WIKITRANSFER, *_SLICE), slow=True),
    Case("gap-sentences", ("gap-sentences", *_SLICE, "--shards", "2"), slow=True),
    Case("gap-sentences-rows", ("gap-sentences", *_SLICE, "--rows", "40,5"), slow=True),
    Case("synthetic", ("synthetic", "--tasks", f"{_STEP},ensemble,elementary", "--documents", "300")),
    Case(
        "synthetic-wikipedia",
        ("synthetic", *_SLICE, "--words", "wikipedia", "--tasks", "ensemble,sr,mdg-adjusted"),
        slow=True,
    ),
    Case("articles", ("articles", "--input", str(slice_path())), slow=True),
    Case("news-annotate", ("annotate", *_NEWS)),
    Case("news-propositions", ("propositions", "--source", "annotated", "--input", "{news_annotate}", *_THIRDS)),
    Case("news-articles", ("articles", *_NEWS, "--headings")),
    Case("news-discofuse", ("discofuse", *_NEWS)),
    Case("news-lead-bias", ("lead-bias", *_NEWS, *_WIDE)),
    Case("news-headline", ("headline", *_NEWS)),
    Case("news-wikitransfer", (*_WIKITRANSFER, *_NEWS)),
    Case("news-gap-sentences", ("gap-sentences", *_NEWS, "--selection", "random")),
    Case("articles-lead-bias", ("lead-bias", *_ARTICLES, *_WIDE)),
    Case("articles-gap-sentences", ("gap-sentences", *_ARTICLES, "--scoring", "seq")),
    Case("news-curriculum", ("curriculum", "--input", "{news_gap_sentences}", "--shards", "2")),
    Case("articles-augment", ("augment", "--input", str(PAIRS), *_FIELDS)),
    Case("articles-mix", ("mix", "--input", "{articles_gap_sentences},{news_gap_sentences}", "--weights", "2,1")),
    Case("crawl-annotate", ("annotate", *_CRAWL), real=True),
    Case(
        "crawl-discofuse",
        ("discofuse", "--source", "annotated", "--input", "{crawl_annotate}", "--splits", "60,20,20"),
        real=True,
    ),
    Case("crawl-articles", ("articles", *_CRAWL), real=True),
    Case("crawl-lead-bias", ("lead-bias", *_CRAWL, *_WIDE), real=True),
    Case("crawl-headline", ("headline", *_CRAWL), real=True),
    Case("crawl-wikitransfer", (*_WIKITRANSFER, *_CRAWL), real=True),
    Case(
        "crawl-gap-sentences",
        ("gap-sentences", *_CRAWL, "--selection", "random", "--decontaminate", str(REAL_PAIRS)),
        real=True,
    ),
    Case("pairs-lead-bias", ("lead-bias", *_PAIRS, *_WIDE), real=True),
    Case("curriculum", ("curriculum", "--input", "{gap_sentences}", "--shards", "2"), slow=True),
    Case("samples", ("curriculum", "--input", "{gap_sentences}", "--sample", "5,20", "--subsets", "2"), slow=True),
    Case("mix", ("mix", "--input", "{gap_sentences},{gap_sentences_rows}", "--weights", "2,1"), slow=True),
    Case("augment", ("augment", "--input", "{gap_sentences}", "--limit", "40", "--alpha", "0.3"), slow=True),
    Case("pairs-augment", ("augment", "--input", str(REAL_PAIRS), *_FIELDS), real=True),
    Case("pairs-gap-sentences", ("gap-sentences", *_PAIRS, "--scoring", "seq"), real=True),
)


def publish(case: Case, folder: Path, *options: str) -> dict[str, str]:
    """Runs a case's command with its output in ``folder``; returns the SHA-256 of its Parquet and TFRecord files by path."""
    arguments = [a.format(**{c.name.replace("-", "_"): folder / c.name for c in CASES}) for a in case.arguments]
    succeed(*arguments, "--output", folder / case.name, *options)
    return data_checksums(folder / case.name)


def recorded() -> dict[str, dict[str, str]]:
    """Returns what is on record of each case: the SHA-256 by path."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def _record(found: dict[str, dict[str, str]]) -> None:
    names = {case.name for case in CASES}
    kept = {name: value for name, value in recorded().items() if name in names}
    RECORD.write_text(json.dumps({**kept, **found}, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _publish_at(revision: str, names: list[str], folder: Path) -> None:
    """Publishes cases by the code of a revision of this repository."""
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        if REAL.is_dir():
            Path(scratch, REAL.name).symlink_to(REAL)
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", tree, revision], cwd=ROOT, check=True)
        try:
            subprocess.run(["make", "--silent", ".mypy/.linked"], cwd=tree, check=True)
            command = [sys.executable, "-m", "tests.published_bytes", "--only", ",".join(names), "--keep", str(folder)]
            # Packages there are laid out as they are imported, so that those of the installed checkout are not found.
            environment = {**os.environ, "PYTHONPATH": f"{tree / '.mypy'}:{tree}", "PYTHONSAFEPATH": "1"}
            subprocess.run(command, cwd=tree, env=environment, check=True, stdout=subprocess.DEVNULL)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


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
    parser.add_argument("--against", metavar="REVISION", help="compare with the datasets that this revision publishes")
    arguments = parser.parse_args()
    chosen = [case for case in CASES if arguments.only is None or _wanted(case, arguments.only.split(","))]
    chosen = [case for case in chosen if not case.real or REAL.is_dir()]
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or Path(scratch, "now")
        found = {case.name: publish(case, folder, "--workers", "2") for case in chosen}
        if arguments.record:
            _record(found)
            return
        if arguments.against:
            _publish_at(arguments.against, list(found), Path(scratch, "before"))
        for name, files in found.items():
            on_record, before = recorded().get(name, {}), Path(scratch, "before", name)
            wrong = sorted(p for p in files.keys() | on_record.keys() if files.get(p) != on_record.get(p))
            print(
                f"{name}: {len(wrong)} files differ, such as {wrong[0]}" if wrong else f"{name}: as recorded",
                flush=True,
            )
            if before.exists() and data_checksums(before) != files:
                print(diff.text(compare(Dataset(before), Dataset(folder / name))), flush=True)


if __name__ == "__main__":
    main()
