"""What the signatures of older months cost: on the disk, and a job that compares its documents with them.

    python -m benchmarks.older_months [--documents 30000] [--new 2000] [--words 500] [--workers 1] [--seed 1]

A first job makes a dataset of ``--documents`` texts with signatures. Then the job reads ``--new`` other texts, alone
and against those signatures. Memory is resident, summed over the process tree. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.duplicates_data import paragraphs, sentences_of
from benchmarks.measuring import machine, table
from benchmarks.process_tree import Usage, watch
from benchmarks.slice import slice_path


def texts(count: int, *, words: int, seed: int) -> Iterator[str]:
    """Yields texts of whole sentences of the slice, of about so many words."""
    chosen, sentences = random.Random(seed), sentences_of(paragraphs(slice_path()))
    for _ in range(count):
        text: list[str] = []
        while len(text) < words:
            text += chosen.choice(sentences).split()
        yield " ".join(text)


def run(made: Iterable[str], output: Path, *arguments: str, workers: int) -> Usage:
    """Runs the command over texts.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    source = output.with_suffix(".jsonl")
    with source.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": f"{output.name}-{n}", "text": text}) + "\n" for n, text in enumerate(made))
    job = ["lead-bias", "--source", "jsonl", "--input", str(source), "--output", str(output), "--languages", "any"]
    return watch([sys.executable, "-m", "gistmill", *job, *arguments, "--allow-empty", "--workers", str(workers)])


def main(argv: Sequence[str] | None = None) -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=30_000)
    parser.add_argument("--new", type=int, default=2_000)
    parser.add_argument("--words", type=int, default=500)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old = list(texts(args.documents, words=args.words, seed=args.seed))
        new = list(texts(args.new, words=args.words, seed=args.seed + 1))
        uses = {
            "older month": run(old, folder / "old", "--keep-signatures", workers=args.workers),
            "new month alone": run(new, folder / "alone", "--keep-signatures", workers=args.workers),
            "new month against the older": run(
                new, folder / "new", "--keep-signatures", f"--duplicates-against={folder / 'old'}", workers=args.workers
            ),
        }
        kept = sum(path.stat().st_size for path in (folder / "old" / "signatures").iterdir())
    rows = [(what, f"{used.peak_bytes / 1e6:,.0f} MB", f"{used.cpu_seconds:,.0f}") for what, used in uses.items()]
    print(f"{args.documents:,} documents of {args.words} words, then {args.new:,} others")
    print(table(("job", "peak", "s of processor time"), rows))
    print(f"signatures: {kept / args.documents:,.0f} bytes a document")
    result = {what: {"peak_bytes": used.peak_bytes, "cpu_seconds": used.cpu_seconds} for what, used in uses.items()}
    print(json.dumps({"documents": args.documents, "bytes_a_document": kept / args.documents, **result}))


if __name__ == "__main__":
    main()
