"""Near-duplicates with known copies, and the memory of 100,000 documents: both by the real command.

    python -m benchmarks.duplicates [--documents 100000] [--workers 1] [--threshold 0.8] [--seed 1]

The first table counts pairs: of the copies that are put beside a text, how many are found with it (recall), and of the
pairs that are put together, how many are copies of one text (precision); look-alikes have a similarity just below the
threshold. Memory is resident, summed over the process tree. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.duplicates_data import Made, known_copies, paragraphs, short_documents
from benchmarks.measuring import machine, table
from benchmarks.process_tree import watch
from benchmarks.slice import slice_path


def run(made: Sequence[Made], folder: Path, *, workers: int, threshold: float) -> tuple[dict[int, int], int, float]:
    """Runs the command over documents; returns for each document, by number, the one that stays, and bytes and seconds.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    source, output = folder / "documents.jsonl", folder / "out"
    with source.open("w", encoding="utf-8") as file:
        for number, document in enumerate(made):
            file.write(json.dumps({"id": number, "text": document.text}) + "\n")
    job = ["lead-bias", "--source", "jsonl", "--input", str(source), "--output", str(output), "--keep-boilerplate"]
    job += ["--languages", "any", "--deduplicate", "near", "--duplicate-threshold", str(threshold)]
    used = watch([sys.executable, "-m", "gistmill", *job, "--workers", str(workers)])
    stays = {number: number for number in range(len(made))}
    for path in (output / "rejects").glob("*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for reject in map(json.loads, lines):
                if reject["stage"] == "deduplicate":
                    stays[_number(reject["id"])] = _number(reject["detail"].removesuffix(" stays"))
                elif reject["unit"] == "document" and reject["stage"] != "recipe":
                    raise ValueError(f"{reject['id']} was not looked at: {reject['reason']}")
    return stays, used.peak_bytes, used.seconds


def _number(id_: str) -> int:
    return int(id_.rpartition("-")[2])


def score(made: Sequence[Made], stays: dict[int, int]) -> tuple[dict[str, list[int]], int, int]:
    """Returns for each kind (copies found with their text, all), and of the pairs put together the right ones and
    all."""
    bases = {d.base: number for number, d in enumerate(made) if d.kind == "base"}
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    groups: dict[int, list[int]] = defaultdict(list)
    for number, document in enumerate(made):
        groups[stays[number]].append(number)
        if document.kind != "base":
            kinds[document.kind][0] += stays[number] == stays[bases[document.base]]
            kinds[document.kind][1] += 1
    right = together = 0
    for group in groups.values():
        together += len(group) * (len(group) - 1) // 2
        right += sum(n * (n - 1) // 2 for n in Counter(made[n].base for n in group if made[n].copy).values())
    return kinds, right, together


def quality(made: Sequence[Made], stays: dict[int, int]) -> tuple[list[Sequence[str]], dict[str, Any]]:
    """Returns the rows of the first table, and recall and precision."""
    kinds, right, together = score(made, stays)
    copies = {k for d in made if d.copy for k in [d.kind]} - {"base"}
    rows: list[Sequence[str]] = [
        (kind, "copy" if kind in copies else "alike", str(total), str(found), f"{found / total:.4f}")
        for kind, (found, total) in sorted(kinds.items(), key=lambda item: (item[0] not in copies, item[0]))
    ]
    found, total = (sum(kinds[k][i] for k in copies) for i in (0, 1))
    return rows, {"recall": found / total, "precision": right / together if together else 1.0, "copies": total}


def main(argv: Iterable[str] | None = None) -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000, help="of the second table")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threshold", type=float, default=0.8)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    print(machine())
    source = paragraphs(slice_path())
    header = ("kind", "is a", "documents", "with the text", "share")
    result: dict[str, Any] = {"threshold": args.threshold, "workers": args.workers}
    sets = {
        "known": known_copies(source, threshold=args.threshold, seed=args.seed),
        "many": list(short_documents(source, args.documents, seed=args.seed)),
    }
    for name, made in sets.items():
        with tempfile.TemporaryDirectory() as folder:
            stays, peak, seconds = run(made, Path(folder), workers=args.workers, threshold=args.threshold)
        rows, measured = quality(made, stays)
        print(f"\n{len(made):,} documents, {sum(len(d.text.split()) for d in made) / len(made):,.0f} words each")
        print(table(header, rows))
        print(
            f"recall {measured['recall']:.4f}, precision {measured['precision']:.4f}; "
            f"{peak / 1e6:,.0f} MB, {seconds:,.0f} s"
        )
        result[name] = {**measured, "documents": len(made), "peak_bytes": peak, "seconds": seconds}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
